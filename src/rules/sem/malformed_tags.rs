//! # sem/malformed-tags
//!
//! ## What it flags
//!
//! A `tags` field with an empty tag, a repeated tag, a separator other than `, `, or no tag at all. Tags that differ
//! only in case are the same tag.
//!
//! ## Why it matters
//!
//! Readers split the line at its commas. An empty tag matches everything or nothing, and a repeated one counts twice.
//!
//! ## Example
//!
//! ```markdown
//! **tags:** testing,jest, , Testing
//! ```
//!
//! ## How to fix
//!
//! Write `testing, jest`. The fix is safe and keeps the first spelling of each tag. A `tags` line without any tag has
//! no fix.
//!
//! ## Source
//!
//! Squad Entry Markdown, "tags":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#tags>

use std::collections::HashSet;

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::field::tags;
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/malformed-tags",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

/// A tag is compared with this many before it: bounds the work on a hostile line.
const COMPARED: usize = 64;

/// The first fault of each kind.
#[derive(Default)]
struct Faults {
    empty: Option<Span>,
    twice: Option<Span>,
    spacing: Option<Span>,
}

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    const WRITE_TAGS: &str = "write tags after the label, separated by commas, or delete the line";
    let text = entry.text();
    let Some(field) = entry.field(FieldName::Tags) else { return };
    let line = field.first_line_span(text);
    if line.is_empty() || line.start() > field.line.end() {
        sink.report(Finding::at(field.label(), "no tag follows `**tags:**`").help(WRITE_TAGS));
        return;
    }
    let faults = Faults::find(text, line);
    if faults.empty.or(faults.twice).or(faults.spacing).is_none() {
        return;
    }
    let reasons = faults.reasons(text);
    let Some((first, _, label)) = reasons.first() else { return };
    let finding = Finding::at(*first, format!("`tags` has {}", joined(&reasons))).label(*label);
    let finding = reasons.iter().skip(1).fold(finding, |finding, (span, _, label)| finding.related(*span, *label));
    let mut seen = HashSet::new();
    let kept: Vec<&str> = tags(text, line)
        .map(|tag| tag.of(text))
        .filter(|tag| !tag.is_empty() && seen.insert(tag.to_ascii_lowercase()))
        .collect();
    let canonical = kept.join(", ");
    sink.report(if canonical.is_empty() {
        finding.help(WRITE_TAGS)
    } else {
        let help = format!("write `{canonical}`");
        finding.help(help).fix(Applicability::Safe, [Edit::replace(line, canonical)])
    });
}

impl Faults {
    fn find(text: &str, line: Span) -> Self {
        let mut faults = Self::default();
        let mut before: Option<Span> = None;
        let mut seen = [Span::default(); COMPARED];
        for (index, tag) in tags(text, line).enumerate() {
            let name = tag.of(text);
            let is_same = |other: Span| other.len() == name.len() && other.of(text).eq_ignore_ascii_case(name);
            if name.is_empty() {
                faults.empty = faults.empty.or_else(|| Some(comma(text, line, tag)));
            } else if seen.iter().take(index).any(|other| is_same(*other)) {
                faults.twice = faults.twice.or(Some(tag));
            }
            if let Some(slot) = seen.get_mut(index) {
                *slot = tag;
            }
            let gap = before.filter(|before| !before.is_empty() && !tag.is_empty());
            let gap = gap.map(|before| Span::new(before.end(), tag.start())).filter(|gap| gap.of(text) != ", ");
            faults.spacing = faults.spacing.or(gap);
            before = Some(tag);
        }
        faults
    }

    /// The faults in file order: where, as a part of the message, and as a label.
    fn reasons(&self, text: &str) -> Vec<(Span, String, &'static str)> {
        let empty = self.empty.map(|span| (span, "an empty tag".to_owned(), "an empty tag"));
        let twice = self.twice.map(|span| (span, format!("`{}` twice", span.of(text)), "repeated"));
        let spacing = self.spacing.map(|span| (span, "odd spacing".to_owned(), "expected `, `"));
        let mut reasons: Vec<_> = [empty, twice, spacing].into_iter().flatten().collect();
        reasons.sort_by_key(|(span, ..)| *span);
        reasons
    }
}

/// The reasons as a list in a sentence.
fn joined(reasons: &[(Span, String, &str)]) -> String {
    let words: Vec<&str> = reasons.iter().map(|(_, reason, _)| reason.as_str()).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The comma before an empty tag, or after it where it comes first.
fn comma(text: &str, line: Span, tag: Span) -> Span {
    let before = Span::new(line.start(), tag.start()).of(text).rfind(',');
    let at = before.map_or(tag.start(), |at| line.start() + at);
    Span::new(at, at + 1)
}
