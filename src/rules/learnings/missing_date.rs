//! # learnings/missing-date
//!
//! ## What it flags
//!
//! Entries of a `learnings.md` without `(added: YYYY-MM-DD)`. A date in `updated`, `consolidated` or `triaged`
//! counts, too. Entries that begin with `RESOLVED`, `DONE`, `FIXED`, `STALE`, `OUTDATED`, `OBSOLETE` or `SUPERSEDED` need
//! no date: they are archived first. Placeholders such as `- (none yet)` are not entries. One finding covers all entries
//! of a file. With `--staged` and `--from`, only entries in the change count.
//!
//! ## Why it matters
//!
//! Tools archive entries by age. `--fix` does not archive an entry without a date, even if it is no longer true.
//! `team prune` archives it before dated ones, even if it is new.
//!
//! ## Example
//!
//! ```markdown
//! - TrustService requires bootstrap before first call
//! ```
//!
//! ## How to fix
//!
//! Write the day at the end: `(added: 2026-02-13)`. `squad-lint --fix --unsafe-fixes` writes the day of the commit that
//! added the line, if git has one.
//!
//! ## Source
//!
//! Learning teams, "Entries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#entries>

use super::shared::{Touched, at_lines, end_of_paragraph, first_line, is_open};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::{Run, blame};
use crate::formats::learnings::{Entry, Mark};
use crate::options::Options;
use crate::rule::{Check, Context, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/missing-date",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.loaded_learnings() else { return };
    let (text, touched) = (document.text(), Touched::of(document));
    let is_undated = |entry: &&Entry| !entry.marks.iter().any(|mark| mark.kind.is_dated());
    // What is settled leaves first, with a date or without.
    let lacks = |entry: &&Entry| is_undated(entry) && is_open(text, entry) && touched.holds(entry.span);
    let undated: Vec<&Entry> = learnings.real_entries().filter(lacks).collect();
    let Some(first) = undated.first() else { return };
    let all = learnings.real_entries().count();
    let finding = match undated.len() {
        1 => Finding::at(first_line(text, first), "entry has no date, expected `(added: YYYY-MM-DD)`")
            .help("add the date at the end of the entry"),
        count => {
            let message = format!("{count} of {all} entries have no date, expected `(added: YYYY-MM-DD)`");
            let places = at_lines(document, undated.iter().map(|entry| entry.span));
            Finding::at(first_line(text, first), message)
                .label("first one")
                .help(format!("add the date at the end of each entry: {places}"))
        }
    };
    let edits: Vec<Edit> = undated.iter().filter_map(|entry| dated(document, entry, context.run(), options)).collect();
    sink.report(match edits.is_empty() {
        true => finding,
        false => finding.fix(Applicability::Unsafe, edits),
    });
}

/// Writes the day on which the entry was committed: into the marks at the end of its first paragraph, or as such.
fn dated(document: &Document, entry: &Entry, run: &Run<'_>, _options: &Options) -> Option<Edit> {
    let day = blame::committed_on(run, document, entry.span.start())?;
    let end = end_of_paragraph(document.text(), entry);
    let last: Option<&Mark> = entry.marks.iter().rfind(|mark| mark.group.end() == end && !mark.key.is_empty());
    Some(match last {
        Some(mark) => Edit::insert(mark.group.start() + 1, format!("added: {day}, ")),
        None => Edit::insert(end, format!(" (added: {day})")),
    })
}
