//! `team remove`: archives the learnings of a member who leaves, and gives the notes for them to other members.

use std::collections::BTreeSet;
use std::io::{self, Write};

use bstr::{BStr, BString, ByteSlice};

use super::{Workspace, learnings_of};
use crate::cli::team::RemoveArgs;
use crate::commands::fix::{self, say_not_written};
use crate::commands::{Exit, Stop};
use crate::facts::learning_team::LearningTeam;
use crate::facts::staleness::today;
use crate::fix::passes::FixedFile;
use crate::formats::learnings::{Learnings, SectionKind};
use crate::formats::markdown;
use crate::fs::atomic;
use crate::parsed::Parsed;
use crate::team::merge::{self, Swallowed};
use crate::team::offboarding::{self, Note};
use crate::terminal::{display_path, escape};
use crate::text::conflict;
use crate::text::prose::plural;
use crate::text::{ColumnUnit, line_ending};

/// Why nobody was removed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotRemoved {
    #[error("`{name}` cannot take over its own notes")]
    #[diagnostic(help("name other members with `--to`"))]
    Itself { name: String },
    #[error("{path} is not UTF-8 throughout")]
    #[diagnostic(help("nothing was changed; repair it: `squad-lint check {path}` shows the place"))]
    Bytes { path: String },
    #[error("{path} has an unresolved merge conflict on line {line}")]
    #[diagnostic(help("nothing was changed; {}", atomic::RESOLVE))]
    Conflict { path: String, line: usize },
    #[error("{path} cannot take the notes")]
    #[diagnostic(help("`squad-lint check {path}` shows the place"))]
    Swallowed { path: String, source: Swallowed },
}

/// Removes the member, or shows what that comes to.
pub fn run(args: &RemoveArgs) -> Result<Exit, Stop> {
    let workspace = Workspace::open(&args.files)?;
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    if args.to.contains(&args.member) {
        return Err(NotRemoved::Itself { name: escape(&args.member) }.into());
    }
    let all = workspace.learnings(Some(team.memory.as_bstr()));
    let path = learnings_of(&all, &args.member)?.clone();
    let (leaver, day) = (text_of(&workspace, path.as_bstr())?, today(&workspace.options));
    let notes = leaver.document().learnings().map(|learnings| offboarding::notes(leaver.source.text(), learnings, day));
    let notes = notes.unwrap_or_default();

    let archive = team.archive_of(&args.member);
    let source = run.read(archive.as_bstr());
    if let Some(line) = source.as_ref().and_then(|source| conflict::first_line(source.bytes())) {
        return Err(NotRemoved::Conflict { path: display_path(&archive), line }.into());
    }
    let before = source.as_ref().map(|source| source.text());
    let why = format!("Archived {day}: {} left the team", args.member);
    let added = offboarding::archived(leaver.source.text(), before.unwrap_or_default(), &args.member, &why);
    let old = source.as_ref().map(|source| source.bytes().to_vec());
    // A run that was killed may have come as far as this.
    let is_there = markdown::holds(before.unwrap_or_default(), &added);
    let added = if is_there { "" } else { added.as_str() };
    let new = [old.as_deref().unwrap_or_default(), added.as_bytes()].concat();
    let mut files = vec![FixedFile { path: archive, old, new, count: 1, after: BTreeSet::new() }];
    let mut taken = Vec::new();
    for heir in args.to.iter().collect::<BTreeSet<_>>() {
        let heir_path = learnings_of(&all, heir)?;
        let file = text_of(&workspace, heir_path.as_bstr())?;
        let (merged, count) = hand_over(&notes, heir, &file)
            .map_err(|source| NotRemoved::Swallowed { path: display_path(heir_path), source })?;
        taken.push((heir.clone(), count));
        let old = Some(file.source.bytes().to_vec());
        if count > 0 {
            files.push(FixedFile { path: heir_path.clone(), old, new: merged, count, after: BTreeSet::new() });
        }
    }
    let report =
        Report { args, path: &path, notes: notes.len(), taken: &taken, left: left(&workspace, &team, &all, args)? };
    if !args.apply {
        fix::print_diff(&files)
            .and_then(|()| fix::print_removed(path.as_bstr(), leaver.source.bytes()))
            .map_err(Stop::Output)?;
        // What stands beside the diff is worth no failure.
        let _ = report.write(&mut workspace.terminal.stderr());
        return Ok(Exit::Clean);
    }
    // What takes in what leaves is written first: nothing is ever nowhere.
    let root = &workspace.repository.root;
    let written = fix::write_files(files, root, "written", workspace.terminal);
    if written.failed {
        return Ok(Exit::Incomplete);
    }
    let removed = path.to_path().map(|inner| atomic::remove(root, inner, leaver.source.bytes()));
    if let Ok(Err(error)) = removed {
        say_not_written(&path, "removed", error, workspace.terminal);
        return Ok(Exit::Incomplete);
    }
    report.write(&mut workspace.terminal.stdout()).map_err(Stop::Output)?;
    Ok(Exit::Clean)
}

/// The learnings at `path`. Bytes that are no text would not arrive where they go, and of a conflict both sides would.
fn text_of(workspace: &Workspace, path: &BStr) -> Result<Parsed, Stop> {
    let file = workspace.read(path)?;
    if let Some(line) = conflict::first_line(file.source.bytes()) {
        return Err(NotRemoved::Conflict { path: display_path(path), line }.into());
    }
    match file.source.invalid().is_empty() {
        true => Ok(file),
        false => Err(NotRemoved::Bytes { path: display_path(path) }.into()),
    }
}

/// The learnings of `heir`, who takes over `notes`, and how many are new to them. Nobody needs what they wrote themselves.
fn hand_over(notes: &[Note], heir: &str, file: &Parsed) -> Result<(Vec<u8>, usize), Swallowed> {
    let text = file.source.text();
    let end = line_ending(text);
    let with_end = |note: &Note| note.lines.lines().collect::<Vec<_>>().join(end);
    let of_others = notes.iter().filter(|note| note.sender.as_deref() != Some(heir));
    let entries: Vec<_> = of_others.map(|note| (SectionKind::CrossAgentNotes, with_end(note))).collect();
    let merged = merge::merge(text, &entries)?;
    let count = merged.added.values().sum();
    Ok((merged.text.into_bytes(), count))
}

/// What a person has to see to: the manifest, and the notes that the member wrote.
fn left(
    workspace: &Workspace,
    team: &LearningTeam,
    all: &BTreeSet<BString>,
    args: &RemoveArgs,
) -> Result<Vec<String>, Stop> {
    let mut left = Vec::new();
    let shown = |path: &BStr| display_path(path);
    if let Some(member) = team.manifest.member(&args.member) {
        let line = |at: usize| team.source.position(at, ColumnUnit::Char).line;
        let last = member.span.of(team.source.text()).trim_end().len();
        let (first, last) = (line(member.span.start()), line(member.span.start() + last));
        left.push(format!("remove the member from {}, lines {first} to {last}", shown(team.manifest_path())));
    }
    for path in all {
        let file = workspace.read(path.as_bstr())?;
        let text = file.source.text();
        let entries = file.document().learnings().map(Learnings::real_entries).into_iter().flatten();
        let theirs = entries.filter(|entry| entry.sender.is_some_and(|from| from.of(text) == args.member));
        for entry in theirs {
            let line = file.source.position(entry.span.start(), ColumnUnit::Char).line;
            left.push(format!(
                "settle the note of `{}` in {}, line {line}",
                escape(&args.member),
                shown(path.as_bstr())
            ));
        }
    }
    Ok(left)
}

/// What is said.
struct Report<'a> {
    args: &'a RemoveArgs,
    path: &'a BString,
    notes: usize,
    taken: &'a [(String, usize)],
    left: Vec<String>,
}

impl Report<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let done = if self.args.apply { "archived" } else { "to archive with --apply" };
        writeln!(out, "{}: {done}", display_path(self.path))?;
        for (heir, count) in self.taken {
            writeln!(out, "  {} to `{}`", plural(*count, "note"), escape(heir))?;
        }
        if self.notes > 0 && self.taken.is_empty() {
            writeln!(
                out,
                "  left to you: no member takes over {}; name members with --to",
                plural(self.notes, "note")
            )?;
        }
        for left in &self.left {
            writeln!(out, "  left to you: {left}")?;
        }
        Ok(())
    }
}
