//! The subcommands of `memory` that write.

use std::io::Write;

use super::{CliError, Exit};
use crate::cli::memory_write::{AddArgs, ArchiveArgs, EntryArgs, MergeInboxArgs, SupersedeArgs, WriteCommand};
use crate::fix::diff;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::project::{At, Project};
use crate::terminal::{Terminal, display_path, escape};
use crate::writing::add::{self, AddError, Wanted};
use crate::writing::entry::NewEntry;
use crate::writing::kept::Kept;
use crate::writing::squad::Squad;
use crate::writing::{archive, details, inbox};

/// Runs a subcommand.
pub fn run(command: &WriteCommand, terminal: Terminal) -> Result<Exit, CliError> {
    match command {
        WriteCommand::Add(args) => add(args, terminal),
        WriteCommand::Supersede(args) => supersede(args, terminal),
        WriteCommand::MergeInbox(args) => merge_inbox(args, terminal),
        WriteCommand::Archive(args) => archive(args, terminal),
    }
}

fn add(args: &AddArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.entry.squad.project.open(At::Here))?;
    let squad = Squad::find(&project, args.entry.squad.squad.as_deref())?;
    write(&squad, &args.entry, (args.kind, args.scope.clone(), args.supersedes), terminal)
}

fn supersede(args: &SupersedeArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.entry.squad.project.open(At::Here))?;
    let squad = Squad::find(&project, args.entry.squad.squad.as_deref())?;
    let old = add::superseded(&squad, args.old)?;
    let kind = old.kind.ok_or(AddError::Unknown { at: args.old })?;
    write(&squad, &args.entry, (kind, old.scope, Some(args.old)), terminal)
}

fn write(
    squad: &Squad<'_>,
    args: &EntryArgs,
    (kind, scope, supersedes): (EntryType, Option<String>, Option<Timestamp>),
    terminal: Terminal,
) -> Result<Exit, CliError> {
    let entry = NewEntry {
        kind,
        at: squad.project.options.now,
        author: args.author.trim().to_owned(),
        summary: args.summary.trim().to_owned(),
        scope,
        tags: args.tag.clone(),
        supersedes,
        expires: args.expires,
        details: details::read_from(args.text.as_deref())?,
        rationale: args.rationale.clone(),
        related: args.related.clone(),
    };
    let is_memory = kind == EntryType::Memory && !args.inbox;
    let wanted = Wanted { entry, inbox: args.inbox, allow_findings: args.allow_findings };
    let added = add::run(squad, &wanted).inspect_err(|error| {
        if let AddError::Findings { found, .. } = error {
            for line in found {
                drop(writeln!(terminal.stderr(), "{line}"));
            }
        }
    })?;
    if is_memory && added.path == squad.ledger() {
        let author = escape(args.author.trim());
        terminal.note(&format!("`{author}` has no `history.md` here: the memory is in {}", display_path(&added.path)));
    }
    let line = format!("{}: {}", display_path(&added.path), added.at);
    terminal.summary(false, |out| writeln!(out, "{line}")).map_err(CliError::Output)?;
    Ok(Exit::Clean)
}

fn merge_inbox(args: &MergeInboxArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.squad.project.open(At::Here))?;
    let squad = Squad::find(&project, args.squad.squad.as_deref())?;
    let merged = if args.diff {
        let (file, merged) = inbox::preview(&squad)?;
        diff::print(&file).map_err(CliError::Output)?;
        for (path, bytes) in &merged.files {
            diff::print_removed(path, bytes).map_err(CliError::Output)?;
        }
        merged
    } else {
        inbox::run(&squad)?
    };
    for Kept { path, line, reason, .. } in &merged.kept {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        terminal.note(&format!("kept {}{line}: {}", display_path(path), escape(reason)));
    }
    if let Some(line) = merged.said_of_authors() {
        terminal.note(&line);
    }
    let line = merged.said(args.diff);
    terminal.summary(args.diff, |out| writeln!(out, "{line}")).map_err(CliError::Output)?;
    let is_complete = merged.kept.iter().all(|kept| !kept.is_entry);
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}

fn archive(args: &ArchiveArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(At::Here))?;
    let is_complete = archive::run(&project, args.diff, terminal)?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
