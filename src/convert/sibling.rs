//! Text after an entry that is not part of it, under a heading at the level of the entry.
//!
//! Levels say little: an entry under `###` often has its own `## Context`. But a document whose parts are as high as its title has
//! the first of them right below its fields. Where text or a lower heading is above, the heading is that of something else.

use super::pattern::{Pattern, matches};
use crate::formats::label;
use crate::formats::legacy::{Field, LegacyEntry, Meaning, day, is_part_of};
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::{Span, lines};

/// An entry as it is in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside<'a> {
    /// The file's text.
    pub(super) text: &'a str,
    /// The entry.
    pub(super) entry: &'a LegacyEntry,
    /// Its fields.
    pub(super) fields: &'a [Field],
    /// The marks of the file.
    pub(super) marks: &'a [Mark],
    /// From after the heading's line to the entry's end.
    pub(super) body: Span,
}

impl<'a> Inside<'a> {
    fn of(self, span: Span) -> &'a str {
        span.of(self.text)
    }
}

/// What a heading means for the entry that it is read as part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sibling {
    /// The entry ends above it.
    Next,
    /// It is perhaps the title of another entry.
    Perhaps,
}

/// What the heading `mark` of `level` means, the first one in the entry that is as high as the entry's own; `None` for a part.
pub(super) fn judge(inside: Inside<'_>, mark: Mark, level: u8) -> Option<Sibling> {
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < inside.body.start());
    let above = marks.get(first..)?;
    let above = above.get(..above.partition_point(|other| other.line.start() < mark.line.start()))?;
    let has_parts = above.iter().any(|mark| is_titled(inside, mark));
    if !has_parts && !has_text(inside, mark.line.start()) {
        return is_listed(inside, mark, level).then_some(Sibling::Perhaps);
    }
    if is_missing_part(inside, mark, above) {
        return None;
    }
    let is_behind_rule = above.last().is_some_and(|rule| {
        let gap = Span::new(rule.line.end(), mark.line.start());
        rule.kind == MarkKind::Rule && inside.of(gap).trim().is_empty()
    });
    // A level above may be that of a section, and a document with parts may continue with one of another level.
    let is_next = is_behind_rule && level == inside.entry.level && !has_parts;
    Some(if is_next { Sibling::Next } else { Sibling::Perhaps })
}

/// A heading above the entry's level after its complete `What` and `Why`: that of another text, or, with `true`, the end of a text
/// whose beginning is lost.
pub(super) fn behind_complete(inside: Inside<'_>) -> Option<(Span, bool)> {
    static BEGINS: Pattern = Pattern::new(
        r"(?i)^[\s#]*(?:the )?(?:context|background|problem|overview|goals?|summary|(?:[a-z]+ )?analysis)\b",
    );
    let what = plain(inside, Meaning::What)?;
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < what.value.end());
    let mut behind = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < inside.body.end());
    let mut says_why = plain(inside, Meaning::Why).is_some();
    let heading = behind.find_map(|mark| match mark.kind {
        MarkKind::Heading(level) if level < inside.entry.level => Some(mark.line),
        MarkKind::Bold => {
            let label = label::parse(inside.text, mark.line);
            says_why |= label.is_some_and(|label| Meaning::of(inside.of(label.name)) == Meaning::Why);
            None
        }
        _ => None,
    })?;
    let is_end = is_part_of(inside.text, heading) && !matches(&BEGINS, inside.of(heading));
    says_why.then_some((heading, is_end))
}

/// The first heading in the entry that cannot follow what is above it in one document: one below two rules with nothing between, a
/// title that begins documents, after a rule and two parts, a part below the list that ends a document, such as `Next steps`, or `Why`
/// and the like below `Consequences`.
pub(super) fn glued(inside: Inside<'_>) -> Option<Span> {
    static BEGINS: Pattern = Pattern::new(
        r"(?i)^[\s#]*(?:overview|contexto?|background|problema?|problem statement|executive summary|resumen ejecutivo|introduction|introducción)\s*$",
    );
    static ENDS: Pattern = Pattern::new(
        r"(?i)^[\s#]*(?:references?|(?:\w+ )?files|files (?:affected|changed|created|modified|referenced)|next steps|what['’]s (?:still )?not covered)\s*$",
    );
    static CLOSES: Pattern = Pattern::new(r"(?i)^[\s#]*consequences\s*$");
    static OPENS: Pattern = Pattern::new(r"(?i)^[\s#]*(?:background|context|decision|problem|what|why)\s*$");
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < inside.body.start());
    let own = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < inside.body.end());
    let mut closed = None;
    // How many headings there were of each level, the last one, and the last rule.
    let (mut counts, mut last, mut rule, mut is_gap) = ([0_usize; 7], None::<(&Mark, u8)>, None, false);
    for mark in own {
        let is_blank = |end| inside.of(Span::new(end, mark.line.start())).trim().is_empty();
        if mark.kind == MarkKind::Rule {
            // Between them were entries that somebody took out.
            is_gap = rule.is_some_and(is_blank);
            rule = Some(mark.line.end());
        }
        let MarkKind::Heading(level) = mark.kind else { continue };
        if !is_titled(inside, mark) {
            continue;
        }
        if is_gap && rule.is_some_and(is_blank) {
            return Some(mark.line);
        }
        if closed == Some(level) && matches(&OPENS, inside.of(mark.line)) {
            return Some(mark.line);
        }
        if matches(&CLOSES, inside.of(mark.line)) {
            closed = Some(level);
        }
        let between = |end| inside.of(Span::new(end, mark.line.start())).trim();
        let (higher, own) = counts.split_at_mut_checked(usize::from(level))?;
        let count = own.first_mut()?;
        let is_part = *count > 1 && higher.iter().all(|count| *count == 0);
        if is_part && rule.is_some_and(|end| between(end).is_empty()) && matches(&BEGINS, inside.of(mark.line)) {
            return Some(mark.line);
        }
        let is_below_list = |(above, upper): (&Mark, u8)| {
            upper < level && ends_in_list(between(above.line.end())) && matches(&ENDS, inside.of(above.line))
        };
        if last.is_some_and(is_below_list) && !is_part_of(inside.text, mark.line) {
            return Some(mark.line);
        }
        *count += 1;
        last = Some((mark, level));
    }
    None
}

/// The first line in the entry that says that it is another's.
pub(super) fn of_others(inside: Inside<'_>) -> Option<Span> {
    merged(inside).or_else(|| timed(inside))
}

/// The first heading in the entry that says where it was merged from: `#### Contract (merged from inbox)`.
fn merged(inside: Inside<'_>) -> Option<Span> {
    static MERGED: Pattern = Pattern::new(r"(?i)\((?:[^()]* )?merged from\b");
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < inside.body.start());
    let mut own = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < inside.body.end());
    own.find(|mark| is_titled(inside, mark) && matches(&MERGED, inside.of(mark.line))).map(|mark| mark.line)
}

/// A field in the midst of the entry with another day: that of another one, which lost its title.
pub(super) fn dated(inside: Inside<'_>) -> Option<Span> {
    let day = |text: &str| day::find(text)?.date;
    let own = inside.entry.date.and_then(|date| day(inside.of(date)))?;
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < inside.body.start());
    let own_marks = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < inside.body.end());
    let mut labels = own_marks.filter(|mark| mark.kind == MarkKind::Bold && inside.of(mark.line).starts_with("**"));
    let found = labels.find(|mark| {
        let Some(label) = label::parse(inside.text, mark.line) else { return false };
        let value = inside.of(Span::new(label.span.end(), mark.line.end())).trim();
        inside.of(label.name).eq_ignore_ascii_case("date")
            && value.starts_with(|c: char| c.is_ascii_digit())
            && day(value).is_some_and(|day| day != own)
            && !inside.fields.iter().any(|field| field.name == label.name)
    })?;
    Some(found.line)
}

/// The first of several headings in the entry that begin with a moment: entries of a list that it is the title of.
fn timed(inside: Inside<'_>) -> Option<Span> {
    static MOMENT: Pattern = Pattern::new(r"^[\s#*]*\d{4}-\d\d-\d\d[T ]\d\d[:-]?\d\d");
    let marks = inside.marks;
    let first = marks.partition_point(|mark| mark.line.start() < inside.body.start());
    let own = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < inside.body.end());
    let mut timed = own.filter(|mark| is_titled(inside, mark) && matches(&MOMENT, inside.of(mark.line)));
    let (one, _) = timed.next().zip(timed.next())?;
    Some(one.line)
}

/// Whether a text has lines, and the last one is an item of a list.
fn ends_in_list(text: &str) -> bool {
    let last = text.lines().next_back().unwrap_or_default().trim_start();
    let number = last.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|item| last.starts_with(item))
        || number.len() < last.len() && number.starts_with(". ")
}

/// The last field of this meaning that is not in a list.
fn plain(inside: Inside<'_>, meaning: Meaning) -> Option<&Field> {
    inside.fields.iter().rfind(|field| field.meaning == meaning && !field.bulleted)
}

/// Whether a mark is that of a heading with words.
fn is_titled(inside: Inside<'_>, mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::Heading(_)) && inside.of(mark.line).contains(char::is_alphanumeric)
}

/// Whether the entry has, above byte `end`, more than fields and the paragraphs that begin with a label.
fn has_text(inside: Inside<'_>, end: usize) -> bool {
    let mut is_labelled = false;
    for line in lines(inside.text, Span::new(inside.body.start(), end)) {
        let text = inside.of(line).trim();
        let is_remark = || text.len() > 1 && text.starts_with(['*', '_']) && text.ends_with(['*', '_']);
        if text.is_empty() {
            is_labelled = false;
        } else if label::parse(inside.text, line).is_some()
            || inside.fields.iter().any(|field| line.contains(field.name))
            || text.starts_with('|')
            || is_remark()
        {
            is_labelled = true;
        } else if text != "---" && !(is_labelled && text.starts_with(char::is_alphabetic)) {
            return true;
        }
    }
    false
}

/// Whether the heading is `What` or `Why`, which the entry has not said `above`.
fn is_missing_part(inside: Inside<'_>, mark: Mark, above: &[Mark]) -> bool {
    let meaning = |line: Span| Meaning::of(inside.of(line).trim_matches(['#', ' ', '\t']));
    let own = meaning(mark.line);
    let is_said = || {
        plain(inside, own).is_some() || above.iter().any(|other| is_titled(inside, other) && meaning(other.line) == own)
    };
    matches!(own, Meaning::What | Meaning::Why) && !is_said()
}

/// Whether the heading, of the entry's level, has a list of fields right below it, as the entry has: an entry of the same list.
fn is_listed(inside: Inside<'_>, mark: Mark, level: u8) -> bool {
    let has_list = |from: usize| {
        let below = lines(inside.text, Span::new(from.min(inside.body.end()), inside.body.end()));
        let first = below.into_iter().find(|line| !inside.of(*line).trim().is_empty());
        first.and_then(|line| label::parse(inside.text, line)).is_some_and(|label| label.form.bulleted)
    };
    level == inside.entry.level && has_list(inside.body.start()) && has_list(mark.next as usize)
}
