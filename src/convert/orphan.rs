//! What is at the end of an entry and is not its own: the end of another list, where a merge left it, and the footer of the file.

use super::pattern::{Pattern, matches};
use super::sibling::Inside;
use crate::formats::label;
use crate::formats::legacy::Meaning;
use crate::formats::markdown::{Mark, MarkKind};
use crate::text::words::begins_with;
use crate::text::{Span, lines};

/// Where such lines begin in the `body` of an entry, which has these `marks`.
pub(super) fn find(text: &str, body: Span, marks: &[Mark]) -> Option<usize> {
    let mut rules = marks.iter().filter(|mark| mark.kind == MarkKind::Rule && body.contains(mark.line)).peekable();
    let again = rules.peek().filter(|rule| states_again(text, body, rule.line.start(), rule.next as usize)).copied();
    let above = again.or_else(|| rules.find(|rule| is_above(text, body, rule.line.start(), rule.next as usize)));
    above.map(|rule| rule.line.start()).or_else(|| placeholder(text, body))
}

/// The line right below a rule that perhaps continues with another entry, into which this one was pasted: an item of a list, or a line
/// in lower case, that nothing of the entry announces.
pub(super) fn perhaps(inside: Inside<'_>) -> Option<Span> {
    let (text, body) = (inside.text, inside.body);
    let first = inside.marks.partition_point(|mark| mark.line.start() < body.start());
    let mut marks = inside.marks.get(first..)?.iter().peekable();
    let (mut is_said, mut is_announced, mut is_below_text, mut is_below_rule) = (false, false, false, false);
    for line in lines(text, body) {
        let mark = marks.next_if(|mark| mark.line.start() <= line.start()).map(|mark| mark.kind);
        let said = line.of(text).trim_end();
        if is_below_rule && is_said && !is_announced && continues(said) {
            return Some(line);
        }
        is_below_rule = mark == Some(MarkKind::Rule);
        if is_below_rule {
            // `Rules`, underlined, is a heading.
            is_announced |= is_below_text;
        } else if !said.is_empty() {
            is_announced = matches!(mark, Some(MarkKind::Heading(_))) || said.trim_end_matches('*').ends_with(':');
            is_said |= !is_of_heading(text, line);
        }
        is_below_text = !said.is_empty() && !is_item(said);
    }
    None
}

/// Whether a line continues with what is not above it.
fn continues(line: &str) -> bool {
    // `date: 2026-02-10` is a field.
    let is_field = || line.split_whitespace().next().is_some_and(|word| word.ends_with(':'));
    is_item(line) || line.starts_with(char::is_lowercase) && !is_field()
}

/// Whether a line is a field that says who, when or in which state, and nothing of what the entry is about.
fn is_of_heading(text: &str, line: Span) -> bool {
    let name = label::parse(text, line).map(|label| label.name.of(text));
    name.is_some_and(|name| !matches!(Meaning::of(name), Meaning::What | Meaning::Why | Meaning::Other))
}

/// The last line, where that is a placeholder of the file for what others add: `*Append new learnings here as you work.*` Entries may
/// have been added below it since.
fn placeholder(text: &str, body: Span) -> Option<usize> {
    let last = lines(text, body).filter(|line| !line.of(text).trim().is_empty()).last()?;
    is_placeholder(last.of(text).trim()).then_some(last.start())
}

/// Whether a line in italics tells to append, add or record something at its place, or what was taken from there.
fn is_placeholder(line: &str) -> bool {
    static ITALIC: Pattern = Pattern::new(r"^(?:\*[^*]+\*|_[^*]+_)$");
    static ADD: Pattern = Pattern::new(
        r"(?i)^[_\W]+(?:[^.!]*[.!] )?(?:append|add|record)\b.*\b(?:here|below|above|as (?:you|we|they|the \w+) \w+)\b",
    );
    // `*(Earlier entries summarized 2026-05-19 by the scribe.)*`
    static MOVED: Pattern = Pattern::new(
        r"(?i)^[_\W]+(?:all )?(?:archived|earlier|old|older|previous|prior)\b.*\b(?:archived?|condensed|moved|summari[sz]ed)\b",
    );
    matches(&ITALIC, line) && (matches(&ADD, line) || matches(&MOVED, line))
}

/// A line about the file: `**Note:** This decision log has all entries of the inbox.`
static OF_FILE: Pattern =
    Pattern::new(r"(?i)^\W*(?:note:\W*)?this (?:[a-z]+ )?(?:archive|document|file|history|ledger|log)\b");

/// Whether the rule at byte `at`, with the next line at `next`, is above the end of another list or a footer.
fn is_above(text: &str, body: Span, at: usize, next: usize) -> bool {
    let below = Span::new(next.min(body.end()), body.end());
    let mut below = lines(text, below).map(|line| line.of(text)).filter(|line| !line.trim().is_empty());
    let Some(first) = below.next() else { return false };
    if is_placeholder(first.trim()) || matches(&OF_FILE, first) {
        return below.next().is_none();
    }
    if is_footer(first.trim()) {
        return below.next().is_none() && text.get(body.end()..).is_none_or(|rest| rest.trim().is_empty());
    }
    let above = || lines(text, Span::new(body.start(), at)).filter_map(|line| number(line.of(text))).last();
    is_inner_item(first) || number(first).is_some_and(|number| number > 1 && above() != Some(number - 1))
}

/// Whether nothing but fields is above the rule at byte `at`, and fields begin on the line at `next` that state the same once more:
/// those of an entry whose heading is lost.
fn states_again(text: &str, body: Span, at: usize, next: usize) -> bool {
    let (above, below) = (Span::new(body.start(), at), Span::new(next.min(body.end()), body.end()));
    let meaning = |line: Span| label::parse(text, line).map(|label| Meaning::of(label.name.of(text)));
    let is_blank = |line: &Span| line.of(text).trim().is_empty();
    let fields: Option<Vec<Meaning>> = lines(text, above).filter(|line| !is_blank(line)).map(meaning).collect();
    let fields = fields.unwrap_or_default();
    let stated = |meaning: &Meaning| matches!(meaning, Meaning::Status | Meaning::Author | Meaning::Date);
    let again = lines(text, below).skip_while(is_blank).map_while(meaning);
    again.filter(stated).any(|meaning| fields.contains(&meaning))
}

/// Where the footer of a file with these marks begins: a rule above its last line, `*Last updated: 2026-03-15*`.
pub fn footer(text: &str, marks: &[Mark]) -> Option<usize> {
    let rule = marks.iter().rev().find(|mark| mark.kind == MarkKind::Rule)?;
    let below = text.get(rule.next as usize..)?.lines().map(str::trim);
    let mut below = below.filter(|line| !line.is_empty());
    (is_footer(below.next()?) && below.next().is_none()).then(|| rule.line.start())
}

/// `*Last updated: 2026-03-15*`
fn is_footer(line: &str) -> bool {
    let inner = line.trim_matches(['*', '_']);
    inner.len() < line.len() && begins_with(inner, &["last updated", "updated"]) && line.ends_with(['*', '_'])
}

/// The number of an item: `3. Events`.
fn number(line: &str) -> Option<u16> {
    let (number, _) = line.split_once(". ").or_else(|| line.split_once(") "))?;
    number.parse().ok()
}

/// Whether a line begins as an item of a list without numbers.
fn is_item(line: &str) -> bool {
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// Whether `line` is an item of a list that is in another item.
fn is_inner_item(line: &str) -> bool {
    let item = line.trim_start();
    let is_inside = line.starts_with("  ") || line.starts_with('\t');
    is_inside && (is_item(item) || number(item).is_some())
}
