//! `memory`: a list of entries.

use std::io::{BufWriter, Write};

use bstr::BStr;

use super::asked::Asked;
use super::wanted::{glance, query, unknown_agent};
use crate::cli::memory::{ListFormat, QueryArgs};
use crate::commands::{CliError, Exit};
use crate::dialects::squad;
use crate::document::Document;
use crate::engine::session::Session;
use crate::facts::Run;
use crate::formats::entries::{Block, Wanted};
use crate::formats::timestamp::Timestamp;
use crate::memory::list::{csv, json, markdown, text};
use crate::memory::people::People;
use crate::memory::query::{Author, is_by};
use crate::memory::record::Record;
use crate::memory::records;
use crate::project::Project;
use crate::select::selected::Selected;
use crate::terminal::{Terminal, display_path};
use crate::text::prose::plural;

/// Lists the entries that `args` ask for.
pub(super) fn run(args: &QueryArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked { project: &args.project, paths: &args.paths, rev: args.rev.as_deref() };
    let of_kind = |file: &Selected| records::are_in(file.kind);
    let glance = |project: &Project, session: &Session<'_>| glance(args, project, session);
    asked.answer_from(of_kind, glance, terminal, |project, run, wanted| {
        let now = project.options.now;
        let people = People::of(run);
        let all = records::with(run, |text| wanted.is_none_or(|wanted| wanted.has(text)));
        let is_known = |name: &String| all.iter().any(|record| is_by(record, name, &people));
        // The authors of all entries tell whose name it may be.
        if wanted.is_some() && !args.author.iter().all(|name| is_known(name) || people.agent(name).is_ok()) {
            return Ok(None);
        }
        if wanted.is_some() && unknown_agent(args, &people, &all).is_some() {
            return Ok(None);
        }
        let is_guessed = |name: &String| Author::of(name, &all, &people).is_guessed(&all, &people);
        if wanted.is_some() && args.author.iter().any(is_guessed) {
            return Ok(None);
        }
        let query = query(args, &people, &all, now)?;
        let found: Vec<Record<'_>> = all.into_iter().filter(|record| query.fits(record, &people)).collect();
        write(&found, args.format, now, terminal)?;
        if args.format == ListFormat::Text {
            let files = run.documents.len();
            terminal.note(&format!("{} in {}", plural_entries(found.len()), plural(files, "file")));
            if wanted.is_none() {
                for line in waiting(run) {
                    terminal.note(&line);
                }
            }
        }
        Ok(Some(Exit::Clean))
    })
}

/// A line for each of the first files of the inbox with a text that is no entry to readers, as it has no date and no author.
fn waiting(run: &Run<'_>) -> Vec<String> {
    let is_waiting = |document: &&Document| {
        let mut blocks = document.entries.blocks();
        document.kind() == &squad::INBOX
            && !document.text().trim().is_empty()
            && blocks.all(|block| matches!(block, Block::Prose(_)))
    };
    let paths: Vec<&BStr> =
        run.documents.iter().map(|document| &**document).filter(is_waiting).map(Document::path).collect();
    let said = |path: &&BStr| format!("{} waits in the inbox: it has no date and no author", display_path(path));
    let mut lines: Vec<String> = paths.iter().take(WAITING).map(said).collect();
    if let more @ 1.. = paths.len().saturating_sub(WAITING) {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// So many of them are named.
const WAITING: usize = 8;

fn plural_entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

fn write(found: &[Record<'_>], format: ListFormat, now: Timestamp, terminal: Terminal) -> Result<(), CliError> {
    let mut out = BufWriter::new(terminal.stdout());
    match format {
        ListFormat::Text => text::write(found, now, terminal.width, &mut out),
        ListFormat::Json => json::write(found, now, &mut out),
        ListFormat::Jsonl => json::lines(found, now, &mut out),
        ListFormat::Md => markdown::write(found, now, &mut out),
        ListFormat::Csv => csv::write(found, now, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)
}
