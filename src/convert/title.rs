//! What a header and a `summary` field say about an entry.

use super::subject::{Pattern, Subject};
use super::when;
use crate::formats::legacy::Meaning;
use crate::formats::markdown::MarkKind;
use crate::formats::sem::EntryType;
use crate::text::{Span, lines};

/// The longest summary, in Unicode scalar values (`docs/formats/squad-entry-markdown.md`, "summary").
pub const MAX: usize = 120;

/// The title of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// At most [`MAX`] characters on one line.
    pub text: String,
    /// What of the heading is not in the header and has to be in the body.
    pub rest: Option<String>,
    /// What it is of the heading.
    pub kind: Kind,
}

/// What a title is of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All of it, except for a date and the type.
    Whole,
    /// Its beginning.
    Short,
    /// All of it, except for a date that is more than one day.
    Range,
    /// Nothing: it names no subject, and the first sentence does.
    Sentence,
}

/// The title of an entry of the type `kind`; `sentence` is what its text begins with.
pub fn of(subject: Subject<'_>, kind: EntryType, sentence: Option<&str>) -> Option<Title> {
    let heading = without_date(subject);
    let title = without_type(&heading, kind);
    // The header has the first day of a range alone.
    let whole = subject.of(subject.heading());
    let is_range = heading != whole && subject.entry.date.is_some_and(|date| range_end(subject) > date.end());
    let range = is_range.then(|| whole.to_owned());
    let named = title.chars().any(char::is_alphanumeric);
    if !named {
        let text = shorten(sentence?);
        // The words of a bare heading are the type's: `User directive`. Others are kept.
        let rest = (!is_bare(&heading)).then(|| heading.clone()).filter(|rest| rest.chars().any(char::is_alphanumeric));
        return Some(Title { text, rest: range.or(rest), kind: Kind::Sentence });
    }
    let text = shorten(title);
    let kind = match text == title {
        true if is_range => Kind::Range,
        true => Kind::Whole,
        false => Kind::Short,
    };
    let rest = range.or_else(|| (kind == Kind::Short).then(|| heading.clone()));
    Some(Title { text, rest, kind })
}

/// The heading without a date that leads it, and without the text between the two.
fn without_date(subject: Subject<'_>) -> String {
    let heading = subject.heading();
    let text = subject.of(heading);
    let leading = subject.entry.date.filter(|date| {
        heading.contains(*date) && !subject.of(Span::new(heading.start(), date.start())).contains(char::is_alphanumeric)
    });
    let Some(date) = leading else { return text.to_owned() };
    let before = subject.of(Span::new(heading.start(), date.start())).trim();
    let behind = subject.of(Span::new(range_end(subject), heading.end()));
    // A part of a word, as in `2026-07-21b`, would mean nothing alone.
    if behind.starts_with(|c: char| c.is_alphanumeric() || c == '/') {
        return text.to_owned();
    }
    // Brackets and emphasis that go round the date alone go with it.
    let around = [("[", "]"), ("(", ")"), ("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"), ("`", "`")];
    let around = around.into_iter().find_map(|(open, close)| before.strip_suffix(open).zip(behind.strip_prefix(close)));
    let (before, behind) = around.unwrap_or((before, behind));
    // The offset from UTC says it better.
    let zone = when::zone(behind).filter(|_| when::has_offset(subject, date));
    let behind = zone.map_or(behind, |zone| behind.get(zone.len()..).unwrap_or(behind));
    let separator = |c: char| c.is_whitespace() || matches!(c, ':' | '—' | '–' | '-' | '|' | '·');
    // The dashes of an option, as in `--global`, are part of its name.
    let option = behind.find("--").filter(|at| {
        let after = behind.get(at + 2..).and_then(|after| after.chars().next());
        after.is_some_and(char::is_alphanumeric) && behind.get(..*at).is_some_and(|gap| gap.chars().all(separator))
    });
    let behind = option.map_or_else(|| behind.trim_start_matches(separator), |at| behind.get(at..).unwrap_or(behind));
    match before.trim_end() {
        "" => behind.to_owned(),
        // Emphasis goes round the title as it went round the whole.
        mark if mark.ends_with(['*', '_']) => format!("{mark}{behind}"),
        mark => format!("{mark} {behind}"),
    }
}

/// Where the date in the heading ends, with the last day of a range: `2026-02-14/15`, `2026-02-14 to 2026-02-16`.
fn range_end(subject: Subject<'_>) -> usize {
    static RANGE: Pattern = Pattern::new(
        r"^\s*(?:/|→|->|–|—|-|\+|&|,|to\b|through\b|until\b|and\b)\s*(?:(?:\d{4}-)?\d\d-)?\d\d(\s*(?:$|[:—–|·)\]*_`]|-\s))",
    );
    let heading = subject.heading();
    let Some(date) = subject.entry.date.filter(|date| heading.contains(*date)) else { return heading.start() };
    let behind = subject.of(Span::new(date.end(), heading.end()));
    let separator = RANGE.groups(behind).and_then(|found| found.range(1));
    date.end() + separator.map_or(0, |separator| separator.start)
}

/// The title without words that only name the type: `Decision: …`, `User directive — …`.
fn without_type(title: &str, kind: EntryType) -> &str {
    static DIRECTIVE: Pattern =
        Pattern::new(r"(?i)^(?:decision\s*[:—–-]+\s*)?(?:user )?directives?\s*(?:[:—–-]+\s*|$)");
    static DECISION: Pattern = Pattern::new(r"(?i)^decision\s*(?:[:—–-]+\s*|$)");
    let pattern = match kind {
        EntryType::Directive => &DIRECTIVE,
        EntryType::Decision => &DECISION,
        EntryType::Memory | EntryType::Note => return title,
    };
    pattern.find(title).and_then(|found| title.get(found.end..)).unwrap_or(title)
}

fn is_bare(heading: &str) -> bool {
    let words = heading.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    matches!(words.as_str(), "user directive" | "user directives" | "directive" | "directives" | "decision" | "")
}

/// At most [`MAX`] characters: without what is in brackets where that suffices, else cut after a clause, else between two words.
fn shorten(text: &str) -> String {
    let fits = |text: &str| text.chars().count() <= MAX;
    if fits(text) {
        return text.to_owned();
    }
    let plain = without_asides(text);
    if fits(&plain) {
        return plain;
    }
    let cut: String = plain.chars().take(MAX - 1).collect();
    let clause = [" — ", " – ", "; ", ", ", ": "].iter().filter_map(|end| cut.rfind(end)).max();
    let end = clause.or_else(|| cut.rfind(char::is_whitespace)).filter(|&at| at > MAX / 2);
    let end = end.or_else(|| cut.rfind(char::is_whitespace).filter(|&at| at > MAX / 2)).unwrap_or(cut.len());
    let kept = cut.get(..end).unwrap_or(&cut).trim_end_matches([' ', ',', ';', ':', '—', '-', '–']);
    format!("{kept}…")
}

/// A title without what is in brackets after a blank: `Issues #249 and #250 (docs) are urgent`.
fn without_asides(text: &str) -> String {
    static ASIDE: Pattern = Pattern::new(r"\s\([^()]*\)");
    ASIDE.replace_all(text, "")
}

/// The first sentence of what an entry says, which is its title where the heading names no subject: of the field that says it, or else of
/// its first paragraph.
pub fn said(subject: Subject<'_>) -> Option<String> {
    let states = subject.fields().iter().find(|field| field.meaning == Meaning::What).map(|field| field.value);
    sentence(subject, states).map(|sentence| shorten(&sentence))
}

/// The first sentence of the entry's text: of `first` where that says something, else of its first paragraph.
pub fn sentence(subject: Subject<'_>, first: Option<Span>) -> Option<String> {
    if let Some(span) = first.filter(|span| !span.is_empty()) {
        return first_sentence(&paragraph(subject.text, Span::new(span.start(), subject.end)));
    }
    first_sentence(&opening(subject))
}

/// What an entry begins with: its first paragraph, or else its first list item.
pub(super) fn beginning(subject: Subject<'_>) -> String {
    let opening = opening(subject);
    if !opening.is_empty() {
        return opening;
    }
    let is_field = |line: &Span| subject.fields().iter().any(|field| line.contains(field.name));
    let mut own = lines(subject.text, subject.body()).filter(|line| !is_field(line));
    let item = own.find_map(|line| line.of(subject.text).trim_start().strip_prefix(['-', '*'])?.strip_prefix(' '));
    item.unwrap_or_default().trim().to_owned()
}

/// The first paragraph of the entry's text.
pub(super) fn opening(subject: Subject<'_>) -> String {
    let body = subject.body();
    let marks = &subject.entries.outline.marks;
    let mut text = None;
    for line in lines(subject.text, body) {
        let marked = marks.binary_search_by_key(&line.start(), |mark| mark.line.start()).ok();
        match marked.and_then(|at| marks.get(at)).map(|mark| mark.kind) {
            Some(MarkKind::FenceOpen) => break,
            None if line.of(subject.text).starts_with(|c: char| c.is_alphabetic() || c == '`') => {
                text = Some(line.start());
                break;
            }
            Some(_) | None => {}
        }
    }
    text.map_or_else(String::new, |start| paragraph(subject.text, Span::new(start, body.end())))
}

/// The first paragraph of `span`, on one line.
fn paragraph(text: &str, span: Span) -> String {
    let mut out = String::new();
    for line in lines(text, span) {
        let line = line.of(text).trim();
        let ends = line.starts_with(['#', '|', '>'])
            || ["- ", "* ", "+ ", "**", "```", "~~~", "---"].iter().any(|mark| line.starts_with(mark));
        if line.is_empty() || !out.is_empty() && ends {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
        if out.len() > 8 * MAX {
            break;
        }
    }
    out
}

/// The first sentence of `text`, when it has more than one word.
fn first_sentence(text: &str) -> Option<String> {
    let mut end = text.len();
    // How often each mark is in the text up to `counted`: what is odd is open.
    let (mut marks, mut counted) = ([("`", 0), ("**", 0), ("\"", 0)], 0);
    for (at, c) in text.char_indices() {
        let behind = text.get(at + 1..).unwrap_or_default();
        if !matches!(c, '.' | '!' | '?') || !behind.starts_with(' ') {
            continue;
        }
        let new = text.get(counted..at).unwrap_or_default();
        for (mark, count) in &mut marks {
            *count += new.matches(*mark).count();
        }
        counted = at;
        let word = text.get(..at).unwrap_or_default().rsplit([' ', '(']).next().unwrap_or_default();
        // `e.g. this`, `Jeffrey T. Fritz`, `1. First`
        let short = ["e.g", "i.e", "etc", "vs", "cf", "approx"].contains(&word)
            || word.chars().count() == 1
            || word.bytes().all(|byte| byte.is_ascii_digit());
        let starts = behind.trim_start().chars().next().is_none_or(|next| !next.is_lowercase());
        if starts && !short && marks.iter().all(|(_, count)| count % 2 == 0) {
            end = at + 1;
            break;
        }
    }
    let sentence = text.get(..end)?.trim();
    (sentence.contains(' ') && !sentence.ends_with(':')).then(|| sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        assert_eq!(first_sentence("Use tabs. Not blanks.").as_deref(), Some("Use tabs."));
        assert_eq!(first_sentence("Use e.g. tabs in v0.5.0 files").as_deref(), Some("Use e.g. tabs in v0.5.0 files"));
        assert_eq!(
            first_sentence("Ask Jeffrey T. Fritz first. Then go.").as_deref(),
            Some("Ask Jeffrey T. Fritz first.")
        );
        assert_eq!(first_sentence("**Use tabs. Always.** Yes.").as_deref(), Some("**Use tabs. Always.** Yes."));
        assert_eq!(first_sentence("Tabs"), None);
        assert_eq!(first_sentence("One of:"), None);
    }

    #[test]
    fn long_titles_are_cut_between_words() {
        let long = "word ".repeat(40);
        let short = shorten(long.trim());
        assert!(short.chars().count() <= MAX && short.ends_with("word…"), "{short}");
        assert_eq!(shorten(&"x".repeat(130)).chars().count(), MAX);
        let clause = "word ".repeat(16);
        assert_eq!(shorten(&format!("{clause}end, {clause}")), format!("{clause}end…"));
        assert_eq!(shorten(&format!("Issues ({clause}) and {clause}")), format!("Issues and {clause}"));
    }
}
