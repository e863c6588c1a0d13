//! Archives the learnings of a member who leaves, and gives the notes for them to other members.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::workspace::{Workspace, learnings_of};
use crate::errors::CliError;
use crate::facts::learning_team::LearningTeam;
use crate::facts::staleness::today;
use crate::fix::passes::FixedFile;
use crate::fix::problems::Problems;
use crate::fix::{diff, work_tree};
use crate::formats::learnings::{Learnings, SectionKind};
use crate::formats::markdown;
use crate::fs::atomic;
use crate::rule::Document;
use crate::team::merge::{self, Swallowed};
use crate::team::offboarding::{self, Note};
use crate::terminal::{display_path, escape};
use crate::text::conflict;
use crate::text::prose::plural;
use crate::text::{ColumnUnit, line_ending};

/// Why no member was removed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotRemoved {
    #[error("`{name}` cannot take over its own notes")]
    #[diagnostic(help("name other members with `--to`"))]
    Itself { name: String },
    #[error("{path} is not valid UTF-8")]
    #[diagnostic(help("nothing was changed; `squad-lint check {path}` shows the place to repair"))]
    Bytes { path: String },
    #[error("{path} has an unresolved merge conflict on line {line}")]
    #[diagnostic(help("nothing was changed; {}", atomic::RESOLVE))]
    Conflict { path: String, line: usize },
    #[error("{path} cannot take the notes")]
    #[diagnostic(help("`squad-lint check {path}` shows the place"))]
    Swallowed { path: String, source: Swallowed },
}

/// Archives the learnings of `member`, and hands over the notes to the members `to`; with `diff` it shows that. Whether all
/// files could be written.
///
/// # Errors
/// When a name or a file is not fit for it, and what standard output says.
pub fn run(workspace: &Workspace, member: &str, to: &[String], is_diff: bool) -> Result<bool, CliError> {
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    if to.iter().any(|heir| heir == member) {
        return Err(NotRemoved::Itself { name: escape(member) }.into());
    }
    let all = workspace.learnings(Some(team.memory.as_bstr()));
    let path = learnings_of(&all, member)?.clone();
    let (leaver, day) = (text_of(workspace, path.as_bstr())?, today(&workspace.project.options));
    let notes = leaver.body::<Learnings>().map(|learnings| offboarding::notes(leaver.source.text(), learnings, day));
    let notes = notes.unwrap_or_default();

    let archive = team.archive_of(member);
    let source = run.read(archive.as_bstr());
    if let Some(line) = source.as_ref().and_then(|source| conflict::first_line(source.bytes())) {
        return Err(NotRemoved::Conflict { path: display_path(&archive), line }.into());
    }
    let before = source.as_ref().map(|source| source.text());
    let why = format!("Archived {day}: {member} left the team");
    let added = offboarding::archived(leaver.source.text(), before.unwrap_or_default(), member, &why);
    let old = source.as_ref().map(|source| source.bytes().to_vec());
    // A run that was killed may have come as far as this.
    let is_there = markdown::holds(before.unwrap_or_default(), &added);
    let added = if is_there { "" } else { added.as_str() };
    let new = [old.as_deref().unwrap_or_default(), added.as_bytes()].concat();
    let mut files = vec![FixedFile { path: archive, old, new, count: 1, after: BTreeSet::new() }];
    let mut taken = Vec::new();
    for heir in to.iter().collect::<BTreeSet<_>>() {
        let heir_path = learnings_of(&all, heir)?;
        let file = text_of(workspace, heir_path.as_bstr())?;
        let (merged, count) = hand_over(&notes, heir, &file)
            .map_err(|source| NotRemoved::Swallowed { path: display_path(heir_path), source })?;
        taken.push((heir.clone(), count));
        let old = Some(file.source.bytes().to_vec());
        if count > 0 {
            files.push(FixedFile { path: heir_path.clone(), old, new: merged, count, after: BTreeSet::new() });
        }
    }
    let report =
        Report { is_diff, path: &path, notes: notes.len(), taken: &taken, left: left(workspace, &team, &all, member)? };
    if is_diff {
        diff::print(&files)
            .and_then(|()| diff::print_removed(&path, leaver.source.bytes()))
            .map_err(CliError::Output)?;
        workspace.terminal.summary(is_diff, |out| report.write(out)).map_err(CliError::Output)?;
        return Ok(true);
    }
    // The archive and the heirs are written before the file goes, so that a crash duplicates text and never loses it.
    let root = &workspace.project.repository.root;
    let mut problems = Problems::default();
    let written = work_tree::write(files, root, "written", &mut problems);
    problems.show(workspace.terminal);
    if written.failed {
        return Ok(false);
    }
    let removed = path.to_path().map(|inner| atomic::remove(root, inner, leaver.source.bytes()));
    if let Ok(Err(error)) = removed {
        let mut problems = Problems::default();
        work_tree::not_written(&path, "removed", error, &mut problems);
        problems.show(workspace.terminal);
        return Ok(false);
    }
    workspace.terminal.summary(is_diff, |out| report.write(out)).map_err(CliError::Output)?;
    Ok(true)
}

/// The learnings at `path`. Bytes that are not text would not arrive where they go, and of a conflict both sides would.
fn text_of(workspace: &Workspace, path: &BStr) -> Result<Arc<Document>, CliError> {
    let file = workspace.read(path)?;
    if let Some(line) = conflict::first_line(file.source.bytes()) {
        return Err(NotRemoved::Conflict { path: display_path(path), line }.into());
    }
    match file.source.invalid().is_empty() {
        true => Ok(file),
        false => Err(NotRemoved::Bytes { path: display_path(path) }.into()),
    }
}

/// The learnings of `heir`, who takes over `notes`, and how many are new to them. Notes that the heir wrote are left out.
fn hand_over(notes: &[Note], heir: &str, file: &Document) -> Result<(Vec<u8>, usize), Swallowed> {
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
    member: &str,
) -> Result<Vec<String>, CliError> {
    let mut left = Vec::new();
    let shown = |path: &BStr| display_path(path);
    if let Some(listed) = team.manifest.member(member) {
        let line = |at: usize| team.source.position(at, ColumnUnit::Char).line;
        let last = listed.span.of(team.source.text()).trim_end().len();
        let (first, last) = (line(listed.span.start()), line(listed.span.start() + last));
        left.push(format!("remove the member from {}, lines {first}–{last}", shown(team.manifest_path())));
    }
    for path in all {
        let file = workspace.read(path.as_bstr())?;
        let text = file.source.text();
        let entries = file.body::<Learnings>().map(Learnings::real_entries).into_iter().flatten();
        let theirs = entries.filter(|entry| entry.sender.is_some_and(|from| from.of(text) == member));
        for entry in theirs {
            let line = file.source.position(entry.span.start(), ColumnUnit::Char).line;
            left.push(format!("settle the note of `{}` in {}, line {line}", escape(member), shown(path.as_bstr())));
        }
    }
    Ok(left)
}

/// What is said.
struct Report<'a> {
    is_diff: bool,
    path: &'a BString,
    notes: usize,
    taken: &'a [(String, usize)],
    left: Vec<String>,
}

impl Report<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let done = if self.is_diff { "to archive" } else { "archived" };
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
