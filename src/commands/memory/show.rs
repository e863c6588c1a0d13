//! `memory show`: one entry whole.

use std::io::{BufWriter, Write};

use bstr::ByteSlice;

use super::asked::Asked;
use crate::cli::memory::{ShowArgs, ShowFormat};
use crate::commands::{CliError, Exit};
use crate::formats::timestamp::Timestamp;
use crate::memory::list::whole;
use crate::memory::record::Record;
use crate::memory::records;
use crate::memory::show::{Moments, Shown};
use crate::terminal::{Terminal, escape};

/// The entry was not found.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum ShowError {
    #[error("`{text}` is neither a timestamp nor the place of an entry")]
    #[diagnostic(help(
        "write a timestamp, such as `2026-02-15T14:32:15-0800`, or a file and a line, such as `.squad/decisions.md:12`"
    ))]
    Neither { text: String },
    #[error("`{text}` has no offset from UTC")]
    #[diagnostic(help("{help}"))]
    NoOffset { text: String, help: String },
    #[error("no entry has the timestamp `{at}`")]
    #[diagnostic(help("{help}"))]
    NoMoment { at: Timestamp, help: String },
    #[error("there is no entry at `{place}`")]
    #[diagnostic(help("`squad-lint memory` lists the places of all entries"))]
    NoPlace { place: String },
}

/// Shows the entry that `args` name.
pub(super) fn run(args: &ShowArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked { project: &args.project, paths: &[], rev: args.rev.as_deref() };
    asked.answer(
        |file| records::are_in(file.kind),
        terminal,
        |project, run| {
            let now = project.options.now;
            let all = records::of(run);
            let moments = Moments::of(&all);
            let found: Vec<Shown<'_, '_>> =
                find(&args.entry, &all, &moments)?.into_iter().map(|record| moments.show(record)).collect();
            let mut out = BufWriter::new(terminal.stdout());
            match args.format {
                ShowFormat::Json => whole::json(&found, now, &mut out),
                ShowFormat::Text => found.iter().enumerate().try_for_each(|(number, shown)| {
                    if number > 0 {
                        writeln!(out)?;
                    }
                    whole::text(shown, now, &mut out)
                }),
            }
            .and_then(|()| out.flush())
            .map_err(CliError::Output)?;
            Ok(Exit::Clean)
        },
    )
}

/// The entries that `text` names: those of a moment, or the one that is at a line of a file.
fn find<'r, 'd>(
    text: &str,
    all: &'r [Record<'d>],
    moments: &Moments<'r, 'd>,
) -> Result<Vec<&'r Record<'d>>, ShowError> {
    if let Some(at) = Timestamp::read(text) {
        let found = moments.at(at);
        if found.is_empty() {
            return Err(ShowError::NoMoment { at, help: nearest(at, all) });
        }
        return Ok(found.to_vec());
    }
    if let Some(at) = Timestamp::read(&format!("{text}Z")) {
        return Err(ShowError::NoOffset { text: escape(text), help: with_offset(text, at, all, moments) });
    }
    let place = text.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<usize>().ok()?)));
    let Some((path, line)) = place else { return Err(ShowError::Neither { text: escape(text) }) };
    let path = path.trim_start_matches("./");
    let is_there = |record: &&Record<'_>| {
        let (first, last) = record.lines();
        record.document.path() == path.as_bytes().as_bstr() && (first..=last).contains(&line)
    };
    // The innermost, where one is in another.
    let found = all.iter().filter(is_there).max_by_key(|record| record.span.start());
    found.map(|record| vec![record]).ok_or_else(|| ShowError::NoPlace { place: escape(text) })
}

/// The timestamp that `text`, which is `at` in UTC, may be meant for.
fn with_offset(text: &str, at: Timestamp, all: &[Record<'_>], moments: &Moments<'_, '_>) -> String {
    if !moments.at(at).is_empty() {
        return format!("write `{}Z`, which is the timestamp of an entry", escape(text));
    }
    let written = || all.iter().filter_map(|record| record.when.moment()).map(|moment| moment.to_string());
    match written().find(|moment| moment.starts_with(text)) {
        Some(moment) => format!("write `{moment}`, which is the timestamp of an entry"),
        None => format!("write `{}Z` for a moment in UTC; {}", escape(text), nearest(at, all)),
    }
}

/// The timestamp that is nearest to `at`.
fn nearest(at: Timestamp, all: &[Record<'_>]) -> String {
    let moments = all.iter().filter_map(|record| record.when.moment());
    match moments.min_by_key(|other| other.unix().abs_diff(at.unix())) {
        Some(near) => format!("the nearest one is of `{near}`"),
        None => "no entry has a timestamp".to_owned(),
    }
}
