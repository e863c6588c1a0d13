//! # learnings/missing-date
//!
//! ## What it flags
//!
//! Entries of a `learnings.md` without `(added: YYYY-MM-DD)`. `updated`, `consolidated` and `triaged` say a day as well.
//! Placeholders such as `- (none yet)` are no entries. One finding tells all entries of a file; where a change is looked at,
//! those that it touched.
//!
//! ## Why it matters
//!
//! Entries are archived by their age. One without a date never goes, so it pushes out what is newer, whether it still holds or
//! not.
//!
//! ## Example
//!
//! ```markdown
//! - TrustService requires bootstrap before first call
//! ```
//!
//! ## How to fix
//!
//! Write the day at the end: `(added: 2026-02-13)`. `squad-lint --fix --unsafe-fixes` takes it from the commit that brought the
//! line, where git has one.
//!
//! ## Source
//!
//! Seed 004, "Learnings Files", "Format".

use super::shared::{Touched, at_lines, end_of_paragraph, first_line};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::Facts;
use crate::formats::learnings::{Entry, Mark};
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/missing-date",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let (text, touched) = (document.text(), Touched::of(document));
    let is_undated = |entry: &&Entry| !entry.marks.iter().any(|mark| mark.kind.is_dated());
    let undated: Vec<&Entry> =
        learnings.real_entries().filter(is_undated).filter(|entry| touched.holds(entry.span)).collect();
    let Some(first) = undated.first() else { return };
    let all = learnings.real_entries().count();
    let finding = match undated.len() {
        1 => Finding::at(first_line(text, first), "entry without a date, expected `(added: YYYY-MM-DD)`")
            .help("write the day at its end"),
        count => {
            let message = format!("{count} of {all} entries have no date, expected `(added: YYYY-MM-DD)`");
            let places = at_lines(document, undated.iter().map(|entry| entry.span));
            Finding::at(first_line(text, first), message)
                .label("the first of them")
                .help(format!("write the day at the end of each: {places}"))
        }
    };
    let edits: Vec<Edit> = undated.iter().filter_map(|entry| dated(document, entry, facts, options)).collect();
    sink.report(match edits.is_empty() {
        true => finding,
        false => finding.fix(Applicability::Unsafe, edits),
    });
}

/// Writes the day on which the entry was committed: into the marks at the end of its first paragraph, or as such.
fn dated(document: &Document<'_>, entry: &Entry, facts: &Facts<'_>, options: &Options) -> Option<Edit> {
    let day = facts.committed_on(document, entry.span.start(), options)?;
    let end = end_of_paragraph(document.text(), entry);
    let last: Option<&Mark> = entry.marks.iter().rfind(|mark| mark.group.end() == end && !mark.key.is_empty());
    Some(match last {
        Some(mark) => Edit::insert(mark.group.start() + 1, format!("added: {day}, ")),
        None => Edit::insert(end, format!(" (added: {day})")),
    })
}
