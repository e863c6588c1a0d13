//! # legacy/headless-entry
//!
//! ## What it flags
//!
//! Fields `By`, `What` and `Why` without a heading of their own, in an entry that has an author already. It is an entry
//! that lost its heading. The rule checks `decisions.md`, its inbox and its archives.
//!
//! ## Why it matters
//!
//! Tools read it as a part of the entry before: its author, its date and its decision are lost to them, and it is
//! archived and converted together with that entry.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: Use Postgres
//! **By:** Keaton
//! **What:** Postgres for all services.
//!
//! **By:** Verbal
//! **What:** No file has more than 300 lines.
//! **Why:** Small files are easier to review.
//! ```
//!
//! ## How to fix
//!
//! Write a heading above it: `### 2026-02-10: Small files`.
//!
//! ## Source
//!
//! Legacy entries, "The usual form":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#the-usual-form>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::formats::label::{self, Label};
use crate::formats::legacy::{LegacyEntry, Meaning};
use crate::formats::markdown::{Mark, MarkKind};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "legacy/headless-entry", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if ![&squad::DECISIONS, &squad::INBOX, &squad::ARCHIVE].contains(&document.kind()) {
        return;
    }
    for entry in document.entries.legacy() {
        for author in headless(document, entry) {
            if context.is_left_over() {
                return;
            }
            sink.report(
                Finding::at(author, "entry has no heading, so it is read as part of the previous entry")
                    .label("expected a heading above this line")
                    .related(entry.heading.trim(document.text()), "the entry before")
                    .help("write `### YYYY-MM-DD: Title` above it"),
            );
        }
    }
}

/// The labels with which the entries begin that have no heading.
fn headless(document: &Document, entry: &LegacyEntry) -> Vec<Span> {
    let text = document.text();
    let marks = &document.entries.outline.marks;
    let from = marks.partition_point(|mark| mark.line.start < entry.heading.end);
    let marks = marks.get(from..).unwrap_or_default();
    let marks = marks.get(..marks.partition_point(|mark| mark.line.start < entry.span.end)).unwrap_or_default();
    let mut found = Vec::new();
    // The author that was named last, and whether it was said since then what was decided.
    let (mut named, mut has_what) = (None, false);
    for (at, mark) in marks.iter().enumerate() {
        if matches!(mark.kind, MarkKind::Heading(_)) {
            named = None;
        }
        let Some((label, name)) = author(text, *mark) else {
            has_what |= means_what(text, mark);
            continue;
        };
        let before = at.checked_sub(1).and_then(|at| marks.get(at));
        // An entry may name its author again above its own fields.
        let is_another = named.is_some_and(|named| has_what || named != name);
        if is_another
            && says_what_and_why(text, marks.get(at..).unwrap_or_default())
            && !before.is_some_and(|before| is_title(text, *before, mark.line))
        {
            found.push(label);
        }
        (named, has_what) = (Some(name), false);
    }
    found
}

/// The label of an author on this line, and the name.
fn author(text: &str, mark: Mark) -> Option<(Span, &str)> {
    const NAMES: [&str; 5] = ["by", "author", "decided by", "autor", "por"];
    let label = plain_label(text, mark)?;
    NAMES
        .iter()
        .any(|name| label.name.of(text).eq_ignore_ascii_case(name))
        .then(|| (label.span, Span::new(label.span.end(), mark.line.end()).of(text).trim()))
}

/// The label on this line, if it is neither indented nor that of a list item.
fn plain_label(text: &str, mark: Mark) -> Option<Label> {
    let is_plain = mark.kind == MarkKind::Bold && mark.line.of(text).starts_with("**");
    is_plain.then(|| label::parse(text, mark.line)).flatten()
}

/// Whether the line says what was decided.
fn means_what(text: &str, mark: &Mark) -> bool {
    plain_label(text, *mark).is_some_and(|label| Meaning::of(label.name.of(text)) == Meaning::What)
}

/// Whether the first of `marks`, an author, is followed at once by what was decided, and then by why.
fn says_what_and_why(text: &str, marks: &[Mark]) -> bool {
    let [author, what, rest @ ..] = marks else { return false };
    let is_next = Span::new(author.line.end(), what.line.start()).of(text).trim().is_empty();
    let says = |mark: &Mark| plain_label(text, *mark).map(|label| Meaning::of(label.name.of(text)));
    let own = rest.iter().take_while(|mark| !matches!(mark.kind, MarkKind::Heading(_)));
    let mut own = own.map(says).take_while(|meaning| *meaning != Some(Meaning::Author));
    is_next && means_what(text, what) && own.any(|meaning| meaning == Some(Meaning::Why))
}

/// Whether the line of `mark`, right above `line`, is bold text without a colon: a heading to people.
fn is_title(text: &str, mark: Mark, line: Span) -> bool {
    let is_adjacent = Span::new(mark.line.end(), line.start()).of(text).trim().is_empty();
    mark.kind == MarkKind::Bold && is_adjacent && label::parse(text, mark.line).is_none()
}
