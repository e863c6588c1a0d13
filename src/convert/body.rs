//! Divides the text of an entry, line by line, into fields and details.

use super::reason::Reason;
use super::subject::{Pattern, Subject, matches};
use crate::formats::label;
use crate::formats::legacy::{Field, Meaning};
use crate::formats::markdown::MarkKind;
use crate::formats::sem::{EntryType, FieldName};
use crate::text::{Span, line_end};

/// The two long fields of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// What was decided, and all that has no field of its own.
    pub details: String,
    /// Why.
    pub rationale: String,
    /// What had to be changed in the text.
    pub reasons: Vec<Reason>,
}

/// The level of the highest heading in an entry: one below its header.
const HIGHEST: u8 = 4;

/// The lowest level that Markdown has.
const LOWEST: u8 = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Details,
    Rationale,
    /// Its value is in a field of the header.
    Consumed,
}

struct Line {
    /// Without its line end.
    line: Span,
    /// With its line end.
    raw: Span,
    mark: Option<MarkKind>,
    goes: Use,
    /// How many bytes of a label go away at its start.
    label: usize,
}

impl Body {
    /// Whether nothing is in it but what belongs to a heading: state, issue, who asked for it, the file that it came from.
    pub fn is_bare(&self) -> bool {
        let bare = |line: &str| {
            let label = label::parse(line, Span::new(0, line.len()));
            let name = label.map_or("", |label| label.name.of(line)).to_lowercase();
            let of_heading = [
                "re",
                "issue",
                "issues",
                "pr",
                "scope",
                "branch",
                "task",
                "related",
                "related to",
                "priority",
                "source",
                "source inbox",
                "inbox",
                "origin",
                "merged from",
            ];
            let known = Meaning::of(&name);
            line.trim().is_empty()
                || matches!(line.trim(), "***" | "---")
                || matches!(
                    known,
                    Meaning::Author | Meaning::Reviewer | Meaning::Date | Meaning::Status | Meaning::RequestedBy
                )
                || of_heading.contains(&name.as_str())
                // `**Outcome:** COMPLETE`
                || matches!(name.as_str(), "outcome" | "result") && line.split_whitespace().count() <= 3
        };
        self.details.lines().chain(self.rationale.lines()).all(bare)
    }
}

/// Whether the text of an entry has a part of documents twice, such as `## Context`: then it is two of them, one after the other.
pub fn is_of_two(subject: Subject<'_>) -> bool {
    const PARTS: [&str; 6] = ["background", "context", "decision", "problem", "problem statement", "summary"];
    let mut seen = Vec::new();
    for line in subject.of(subject.body()).lines() {
        let Some(title) = line.trim().strip_prefix('#') else { continue };
        let title = title.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if PARTS.contains(&title.as_str()) {
            if seen.contains(&title) {
                return true;
            }
            seen.push(title);
        }
    }
    false
}

/// Divides the body of an entry. The lines of `used` fields are dropped if nothing else is on them.
pub fn divide(subject: Subject<'_>, kind: EntryType, used: &[Field]) -> Body {
    let mut lines = read(subject);
    let text = subject.text;
    for field in used {
        if let Some(line) = lines.iter_mut().find(|line| line.line.contains(field.name))
            && alone(text, line.line, field).is_some()
        {
            line.goes = Use::Consumed;
        }
    }
    if let Some(why) = why(subject).filter(|why| is_of_whole(text, &lines, *why)) {
        let end = take_rationale(text, &mut lines, why);
        if let Some(end) = end.filter(|_| !why.bulleted && says_before(subject, why)) {
            let last = take_paragraphs(text, &mut lines, end);
            let is_open =
                last.checked_sub(1).and_then(|at| lines.get(at)).is_some_and(|line| announces(line.line.of(text)));
            let list = if is_open { list_end(text, &lines, last) } else { None };
            lines.iter_mut().take(list.unwrap_or(last)).skip(last).for_each(|line| line.goes = Use::Rationale);
        }
    }
    let first = lines.iter_mut().find(|line| line.goes == Use::Details && !blank(text, line.line));
    if let Some(line) = first
        && let Some(what) = what(subject, kind)
        && let Some(label) = alone(text, line.line, what)
    {
        line.label = label;
    }
    write(text, &lines)
}

/// Whether `why` is the reason for the whole entry: with a label of that name twice, each is the reason of its own part.
fn is_of_whole(text: &str, lines: &[Line], why: Field) -> bool {
    let bold = lines.iter().filter(|line| line.mark == Some(MarkKind::Bold) && line.line.of(text).starts_with("**"));
    let names = bold.filter_map(|line| Some(label::parse(text, line.line)?.name.of(text)));
    names.filter(|name| name.eq_ignore_ascii_case(why.name.of(text))).count() <= 1
}

/// The field that says why: below the heading, or else the only such label above the first heading in the entry. With several, or
/// below several decisions, each says why of its own part.
pub fn why(subject: Subject<'_>) -> Option<Field> {
    let of_head = subject.fields().iter().copied().find(|field| field.meaning == Meaning::Why);
    of_head.or_else(|| {
        let (marks, body) = (&subject.entries.outline.marks, subject.body());
        let first = marks.partition_point(|mark| mark.line.start() < body.start());
        let own = marks
            .get(first..)?
            .iter()
            .take_while(|mark| mark.line.end() <= subject.end && !matches!(mark.kind, MarkKind::Heading(_)));
        let labels = own.filter(|mark| mark.kind == MarkKind::Bold && subject.of(mark.line).starts_with("**"));
        let fields = labels.filter_map(|mark| {
            let label = label::parse(subject.text, mark.line)?;
            let value = Span::new(label.span.end(), mark.line.end()).trim(subject.text);
            Some(Field { meaning: Meaning::of(subject.of(label.name)), name: label.name, value, bulleted: false })
        });
        let (mut what, mut why) = (0_usize, Vec::new());
        for field in fields {
            what += usize::from(field.meaning == Meaning::What);
            why.extend(Some(field).filter(|field| field.meaning == Meaning::Why));
        }
        let is_only = what <= 1 && why.len() == 1;
        why.pop().filter(|_| is_only)
    })
}

/// The field whose text is what was decided.
pub fn what(subject: Subject<'_>, kind: EntryType) -> Option<&Field> {
    let says_no_more = |field: &&Field| match subject.of(field.name).to_lowercase().as_str() {
        "what" | "qué" | "que" | "details" | "what was decided" => true,
        "decision" | "decisión" => kind == EntryType::Decision,
        "directive" => kind == EntryType::Directive,
        _ => false,
    };
    subject.fields().iter().find(|field| field.meaning == Meaning::What && says_no_more(field))
}

/// The lines of the body, without blank ones at its end and without the rules that end it.
fn read(subject: Subject<'_>) -> Vec<Line> {
    let (text, body) = (subject.text, subject.body());
    let marks = &subject.entries.outline.marks;
    let mut marks = marks
        .get(marks.partition_point(|mark| mark.line.start() < body.start())..)
        .unwrap_or_default()
        .iter()
        .peekable();
    let mut lines = Vec::new();
    let mut at = body.start();
    while at < body.end() {
        let (end, next) = line_end(text.as_bytes(), at);
        let line = Span::new(at, end.min(body.end()));
        while marks.peek().is_some_and(|mark| mark.line.start() < at) {
            marks.next();
        }
        let mark = marks.peek().filter(|mark| mark.line.start() == at).map(|mark| mark.kind);
        lines.push(Line { line, raw: Span::new(at, next.min(body.end())), mark, goes: Use::Details, label: 0 });
        at = next;
    }
    let trim = |lines: &mut Vec<Line>| {
        while lines.last().is_some_and(|line| blank(text, line.line)) {
            lines.pop();
        }
    };
    trim(&mut lines);
    while lines.pop_if(|line| line.mark == Some(MarkKind::Rule)).is_some() {
        trim(&mut lines);
    }
    lines
}

/// The length of the label of `field`, with the blanks after it, when the field is all that is on the line.
fn alone(text: &str, line: Span, field: &Field) -> Option<usize> {
    if !line.contains(field.name) || field.value.end() < field.name.end() {
        return None;
    }
    let behind = Span::new(field.value.end(), line.end());
    let label = match label::parse(text, line) {
        Some(label) if label.name == field.name => label.span.end(),
        // `By: Keaton`
        None if line.start() == field.name.start() => field.name.end() + 1,
        _ => return None,
    };
    let gap = Span::new(label, field.value.start());
    let only = blank(text, behind) && (field.value.is_empty() || blank(text, gap));
    only.then(|| if field.value.is_empty() { line.len() } else { field.value.start() - line.start() })
}

/// Whether a field above `why` says what was decided: then what follows that says why.
fn says_before(subject: Subject<'_>, why: Field) -> bool {
    let mut fields = subject.fields().iter();
    fields
        .any(|field| field.meaning == Meaning::What && !field.value.is_empty() && field.name.start() < why.name.start())
}

/// Moves the paragraphs without a label from line `at` on to the rationale, up to the next label, heading, table or fence. Returns
/// where they end.
fn take_paragraphs(text: &str, lines: &mut [Line], at: usize) -> usize {
    let is_text = |line: &&Line| line.mark.is_none() && line.goes == Use::Details && !is_marked(line.line.of(text));
    let found = lines.iter().skip(at).take_while(is_text);
    // The blank lines after the last paragraph stay.
    let count = found.enumerate().filter(|(_, line)| !blank(text, line.line)).map(|(nth, _)| nth + 1).last();
    for line in lines.iter_mut().skip(at).take(count.unwrap_or(0)) {
        line.goes = Use::Rationale;
    }
    at + count.unwrap_or(0)
}

/// Whether a line is no plain text: it begins with a mark of Markdown, or with a label.
fn is_marked(line: &str) -> bool {
    /// So many characters has a label behind its first letter.
    const LONGEST: usize = 40;
    static NUMBER: Pattern = Pattern::new(r"^\d+[.)]\s");
    static LABEL: Pattern = Pattern::new(r"^\p{L}([\w /&-]*):(?:\s|$)");
    let line = line.trim_start();
    let Some(first) = line.chars().next() else { return false };
    match first {
        '*' | '_' | '#' | '|' | '<' | '>' | '!' => true,
        '-' | '+' => line.get(1..).is_some_and(|rest| rest.starts_with(char::is_whitespace)),
        _ if first.is_numeric() && matches(&NUMBER, line) => true,
        // To count in the pattern would be slow to compile.
        _ if line.contains(':') => {
            let rest = LABEL.groups(line).and_then(|found| found.get(1));
            rest.is_some_and(|rest| rest.chars().count() <= LONGEST)
        }
        _ => false,
    }
}

/// Moves the lines of the field `why` to the rationale: its paragraph, or, where nothing is after the label, all up
/// to the next label, heading or rule. Returns where they end.
fn take_rationale(text: &str, lines: &mut [Line], why: Field) -> Option<usize> {
    let at = lines.iter().position(|line| line.line.contains(why.name))?;
    let label = lines.get(at).and_then(|line| alone(text, line.line, &why))?;
    let ends = |line: &Line| match line.mark {
        Some(MarkKind::Heading(_) | MarkKind::Rule | MarkKind::TableRow) => true,
        // Items of a list may start with emphasis.
        Some(MarkKind::Bold) => why.bulleted || line.line.of(text).trim_start().starts_with("**"),
        _ => false,
    };
    let mut end = at + 1;
    for line in lines.get(at + 1..).unwrap_or_default() {
        let paragraph_ends = !why.value.is_empty()
            && (blank(text, line.line)
                || line.mark == Some(MarkKind::FenceOpen)
                || why.bulleted && !line.line.of(text).starts_with(' '));
        if ends(line) || paragraph_ends || line.goes == Use::Consumed {
            break;
        }
        end += 1;
    }
    if lines.get(end.saturating_sub(1)).is_some_and(|line| announces(line.line.of(text))) {
        end = list_end(text, lines, end).unwrap_or(end);
    }
    let found = lines.get_mut(at..end).unwrap_or_default();
    let empty = why.value.is_empty() && found.iter().skip(1).all(|line| blank(text, line.line));
    if empty {
        return None;
    }
    for line in found.iter_mut() {
        line.goes = Use::Rationale;
    }
    if let Some(first) = found.first_mut() {
        first.label = label;
    }
    Some(end)
}

/// Whether a line announces what comes below it: `Two things speak for it:`.
fn announces(line: &str) -> bool {
    line.trim_end().trim_end_matches(['*', '_']).ends_with(':')
}

/// Where the list ends that begins at line `at`, after blank lines; `None` if there is none.
fn list_end(text: &str, lines: &[Line], at: usize) -> Option<usize> {
    static ITEM: Pattern = Pattern::new(r"^(?:[-*+]|\d+[.)])\s");
    let mut end = None;
    for (nth, line) in lines.iter().enumerate().skip(at) {
        let said = line.line.of(text);
        if said.trim().is_empty() {
            continue;
        }
        let is_in_list = matches(&ITEM, said) || end.is_some() && said.starts_with([' ', '\t']);
        if !is_in_list || line.goes != Use::Details || matches!(line.mark, Some(MarkKind::Rule)) {
            break;
        }
        end = Some(nth + 1);
    }
    end
}

fn write(text: &str, lines: &[Line]) -> Body {
    let mut body = Body::default();
    let (mut rules, mut labels, mut headings) = (0, 0, 0);
    let level = |line: &Line| match line.mark {
        Some(MarkKind::Heading(level)) if line.goes != Use::Consumed => Some(level),
        _ => None,
    };
    let has_words = |line: &&Line| line.line.of(text).contains(char::is_alphanumeric);
    // The highest heading comes right below the header, and the others keep their distance.
    let highest = lines.iter().filter(has_words).filter_map(level).min();
    let lowered = highest.map_or(0, |highest| HIGHEST.saturating_sub(highest));
    // A heading without text does not need blank lines around it.
    let lowering = |line: &Line| {
        let level = level(line).filter(|level| *level < LOWEST)?;
        let more = if has_words(&line) { lowered } else { lowered.max(HIGHEST.saturating_sub(level)) };
        (more > 0).then(|| usize::from(more.min(LOWEST - level)))
    };
    for line in lines {
        let out = match line.goes {
            Use::Details => &mut body.details,
            Use::Rationale => &mut body.rationale,
            Use::Consumed => continue,
        };
        let raw = line.raw.of(text);
        let raw = raw.get(line.label.min(raw.len())..).unwrap_or_default();
        if out.is_empty() && raw.trim().is_empty() {
            continue;
        }
        if line.mark == Some(MarkKind::Rule) {
            rules += 1;
            out.push_str(&raw.replacen("---", "***", 1));
        } else if let Some(more) = lowering(line) {
            headings += 1;
            let hashes = raw.find('#').unwrap_or(0);
            out.push_str(raw.get(..hashes).unwrap_or_default());
            out.extend(std::iter::repeat_n('#', more));
            out.push_str(raw.get(hashes..).unwrap_or_default());
        } else if line.label == 0 && is_field(text, line.line) {
            labels += 1;
            out.push(' ');
            out.push_str(raw);
        } else {
            out.push_str(raw);
        }
    }
    for part in [&mut body.details, &mut body.rationale] {
        let kept = part.trim_end_matches(['\n', '\r']).len();
        part.truncate(kept);
    }
    if rules > 0 {
        body.reasons.push(Reason::RulesReplaced(rules));
    }
    if headings > 0 {
        body.reasons.push(Reason::HeadingsLowered(headings));
    }
    if labels > 0 {
        body.reasons.push(Reason::LabelsIndented(labels));
    }
    body
}

/// Whether the parser would take the line for a field of the new entry.
fn is_field(text: &str, line: Span) -> bool {
    label::parse(text, line)
        .is_some_and(|label| label.form.is_exact() && FieldName::from_word(label.name.of(text)).is_some())
}

fn blank(text: &str, span: Span) -> bool {
    span.of(text).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*(?:[-*+]\s|\d+[.)]\s|[*_#|<>!]|\p{L}[\w /&-]{0,40}:(?:\s|$))").unwrap());

    proptest! {
        #[test]
        fn a_line_is_marked_as_the_pattern_says(
            line in r"[ \t\u{a0}]{0,2}(?:[-*+_#|<>!.)1٣²ⅷé一а:]|Day|Дата|a\u{301}){0,3}[ \t]?[a-z/&é_\u{301}€—-]{0,3}(?:[a-z ]{36,40})?:{0,1}[ \u{85}x]?"
        ) {
            prop_assert_eq!(is_marked(&line), PATTERN.is_match(&line));
        }
    }
}
