//! Entries without a heading: another author, with what and why, inside an entry that has all three.

use super::{LegacyEntry, Meaning};
use crate::formats::label::{self, Label};
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::Span;

/// The labels with which the entries begin that have no heading and so are read as part of `entry`; `marks` are those of the whole
/// text.
pub fn labels(text: &str, marks: &[Mark], entry: &LegacyEntry) -> Vec<Span> {
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
        let Some(known) = plain_label(text, *mark) else { continue };
        let Some((label, name)) = author(text, *mark, known) else {
            // Before the first author, nothing asks for it.
            has_what = has_what || named.is_some() && Meaning::of(known.name.of(text)) == Meaning::What;
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

/// The `label` on this line, if it is that of an author, and the name.
fn author(text: &str, mark: Mark, label: Label) -> Option<(Span, &str)> {
    const NAMES: [&str; 5] = ["by", "author", "decided by", "autor", "por"];
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
