//! The audit of governed memory, and what a change makes of it.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::Finding;
use crate::dialects::governed;
use crate::facts::Run;
use crate::facts::gone::{self, Gone};
use crate::formats::audit::{InsertedLine, LostLine, inserted_line};
use crate::formats::governed::Records;
use crate::git::repository::Git;
use crate::rules::gone::finding;
use crate::rules::memory::shared::audit_text::{MOST, Text, is_archived};
use crate::rules::memory::shared::changed::{self, Changed};
use crate::text::Span;

/// An audit from which a change removes a line, or in which it rewrites one.
pub struct Rewritten {
    /// What is said of it.
    pub finding: Finding,
    /// The audit.
    pub path: BString,
    /// The line that is in it instead of the old one. What is wrong with that line is not said again.
    pub instead: Option<usize>,
}

/// The audits from which a change removes a line, or in which it rewrites one.
pub fn rewritten(run: &Run<'_>) -> Vec<Rewritten> {
    let mut found = Vec::new();
    changed::each(run, &governed::AUDIT, MOST, |audit| found.extend(rewritten_in(audit, run)));
    found
}

fn rewritten_in(audit: Changed<'_>, run: &Run<'_>) -> Option<Rewritten> {
    let after = Text::of(audit.after)?;
    let git = run.input.repository.git.as_ref();
    if let (Text::Bytes(bytes), Some(git)) = (&after, git)
        && git.added_to(audit.id, bytes).is_some()
    {
        return None;
    }
    let (before, path) = (Text::of((audit.before)())?, audit.path);
    let (message, help, place, instead) = match before.lost_in(&after) {
        Some(_) if is_archived(run, audit.root.as_bstr(), &before) || path.ends_with(b"audit.3.jsonl") => return None,
        Some(LostLine { line: 0, instead, .. }) => {
            ("lines of the audit were removed, expected only new lines".to_owned(), RESTORE, None, instead)
        }
        Some(LostLine { line, instead, next }) => {
            let message = format!("line {line} of the audit was removed or rewritten, expected only new lines");
            let label = if instead.is_some() { "another line was here before" } else { "the line was above this one" };
            (message, RESTORE, next.zip(Some(label)), instead)
        }
        None => {
            let (Text::Bytes(old), Text::Bytes(new)) = (&before, &after) else { return None };
            let line = inserted_line(old, new).filter(|line| !is_merged(*line, run))?.line;
            let message = format!("line {line} was inserted into the audit, expected new lines only at the end");
            (message, "move the line to the end", Some((line, "not at the end")), Some(line))
        }
    };
    let finding = match place.and_then(|(line, label)| Some((line_at(line, path.as_bstr(), run)?, label))) {
        Some((line, label)) => Finding::at(line, message).label(label),
        None => Finding::whole_file(message),
    };
    let finding = finding.in_file(path.clone()).help(help);
    Some(Rewritten { finding, path, instead })
}

/// The line of the file at `path` with a number; `None` if it was not read as a whole.
fn line_at(line: usize, path: &BStr, run: &Run<'_>) -> Option<Span> {
    let source = &run.document_at(path)?.source;
    let start = source.line_start(line);
    let span = source.lines_around(Span::at(start)).trim(source.text());
    (source.line(span.start()) == line).then_some(span)
}

const RESTORE: &str = "restore the lines, and add new ones at the end";

/// Whether a merge can have inserted the line: it puts the new lines of the other branch between the common ones and the own ones.
fn is_merged(line: InsertedLine, run: &Run<'_>) -> bool {
    let is_range = run.changes().is_some_and(|changes| !changes.is_staged());
    is_range && !line.is_first || run.input.repository.git.as_ref().is_some_and(Git::is_merging)
}

/// The audit and the index that the change takes away, while other files of the team stay. Where both go, that is said once.
pub fn gone(run: &Run<'_>) -> Vec<Finding> {
    let all = gone::of(run, &[&governed::AUDIT, &governed::INDEX]);
    let (audits, indexes): (Vec<_>, Vec<_>) = all.iter().partition(|gone| gone.kind == &governed::AUDIT);
    let mut audits: Vec<(&BString, Finding)> =
        audits.into_iter().filter_map(|gone| Some((&gone.root, gone_audit(gone, run)?))).collect();
    let mut found = Vec::new();
    for index in indexes {
        let Some(finding) = gone_index(index) else { continue };
        let count = audits.len();
        audits.retain(|(root, _)| **root != index.root);
        found.push(if audits.len() < count { finding.note("it deletes the audit, too") } else { finding });
    }
    audits.into_iter().map(|(_, finding)| finding).chain(found).collect()
}

fn gone_audit(gone: &Gone<'_>, run: &Run<'_>) -> Option<Finding> {
    let before = Text::of(gone.changes.before(gone.change, MOST))?;
    let is_blank = matches!(&before, Text::Bytes(bytes) if bytes.trim().is_empty());
    if gone.inner() != "memory/audit.jsonl" || is_blank || is_archived(run, gone.root.as_bstr(), &before) {
        return None;
    }
    Some(finding(gone, "the audit", ", expected only new lines in it"))
}

/// An index without entries can go.
fn gone_index(gone: &Gone<'_>) -> Option<Finding> {
    let has_entries = match Text::of(gone.changes.before(gone.change, MOST))? {
        Text::Bytes(bytes) => !Records::index(&String::from_utf8_lossy(&bytes)).entries.is_empty(),
        Text::Long(_) => true,
    };
    has_entries.then(|| finding(gone, "the index of governed memory", ", without which Squad's tools find no entry"))
}
