//! The field lines of legacy entries: By, What, Why, and the other names that teams write. See
//! `docs/formats/legacy-entries.md`, "Fields".

use crate::formats::label;
use crate::text::{Span, lines};

/// What a label says about its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Who decided or wrote it: By, Author, Decided by …
    Author,
    /// Who read or reported it, and did not write it: Reviewer, Reported by …
    Reviewer,
    /// When: Date, Timestamp, Fecha …
    Date,
    /// What was decided: What, Decision, Context …
    What,
    /// Why: Why, Rationale, Reason …
    Why,
    /// Its state: Status, Verdict, Estado …
    Status,
    /// Who asked for it.
    RequestedBy,
    /// Anything else.
    Other,
}

impl Meaning {
    /// The meaning of the label `name`, in any case.
    pub fn of(name: &str) -> Self {
        let name = name.trim();
        // Nearly all names are short and ASCII: they need no room on the heap.
        let (mut room, long);
        let lower = if name.is_ascii() && name.len() <= MAX_SHORT {
            room = [0; MAX_SHORT];
            let room = room.get_mut(..name.len()).unwrap_or_default();
            room.copy_from_slice(name.as_bytes());
            room.make_ascii_lowercase();
            std::str::from_utf8(room).unwrap_or_default()
        } else {
            long = name.to_lowercase();
            long.as_str()
        };
        match lower {
            "by" | "author" | "authors" | "author(s)" | "autor" | "autora" | "autores" | "agent" | "agente"
            | "decider" | "deciders" | "decision by" | "decision maker" | "decision makers" | "decision-maker"
            | "from" | "decided by" | "decision made by" | "decided-by" | "proposed by" | "recorded by"
            | "written by" | "created by" | "submitted by" | "captured by" | "authored by" | "prepared by"
            | "drafted by" | "documented by" | "made by" | "issued by" | "recommended by" | "logged by"
            | "filed by" | "lead author" | "decision owner" | "propuesto por" | "por" => Self::Author,
            "reviewer" | "reviewers" | "revisor" | "revisora" | "reporter" | "reported by" => Self::Reviewer,
            "date" | "fecha" | "timestamp" | "when" | "date/time" | "date (utc)" | "decision date" | "decided"
            | "dated" | "filed" | "review date" | "session date" | "date decided" | "date proposed" | "entry date"
            | "fecha de entrada" | "fecha entrada" => Self::Date,
            "what" | "decision" | "qué" | "que" | "details" | "decisión" | "directive" | "what was decided" => {
                Self::What
            }
            "why" | "rationale" | "reason" | "por qué" | "justification" | "reasoning" => Self::Why,
            "status" | "estado" | "verdict" | "state" => Self::Status,
            "requested by" | "requestor" | "requester" | "request from" | "user" | "asked by" | "solicitado por"
            | "triggered by" => Self::RequestedBy,
            _ => Self::Other,
        }
    }
}

/// The longest name, in bytes, that is compared without room on the heap.
const MAX_SHORT: usize = 32;

/// One field of a legacy entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// What the label says.
    pub meaning: Meaning,
    /// The name in the label, without asterisks and colon.
    pub name: Span,
    /// The value on the label's line, without white space around it.
    pub value: Span,
    /// Whether a list marker is before it.
    pub bulleted: bool,
}

/// How many lines below a heading are checked.
const MAX_LINES: usize = 14;

/// Appends to `fields` those right below a heading, in the lines of `below`: a block of field lines, blank
/// lines and table rules between, at most one line of other text before it. Nothing in an HTML comment is a field.
pub fn read(text: &str, below: Span, fields: &mut Vec<Field>) {
    let first = fields.len();
    let (mut other, mut in_comment) = (0, false);
    for line in lines(text, below).map(|line| line.trim(text)).filter(|line| !line.is_empty()).take(MAX_LINES) {
        let found = fields.len();
        let goes_on = in_comment;
        if goes_on || line.of(text).starts_with("<!--") {
            in_comment = !line.of(text).contains("-->");
        } else {
            read_line(text, line, fields);
        }
        if goes_on {
            continue;
        }
        if fields.len() > found || is_table(line.of(text)) {
            continue;
        }
        let started = fields.len() > first;
        if started || other > 0 {
            break;
        }
        other += usize::from(line.of(text) != "---");
    }
}

fn is_table(line: &str) -> bool {
    line.starts_with('|')
}

fn read_line(text: &str, line: Span, fields: &mut Vec<Field>) {
    // `> **By:** x` and `> Date: x` are fields as well.
    let quote = line.of(text).len() - line.of(text).trim_start_matches(['>', ' ']).len();
    let line = Span::new(line.start() + quote, line.end());
    if is_table(line.of(text)) {
        fields.extend(table_row(text, line));
    } else if let Some(label) = label::parse(text, line) {
        let value = Span::new(label.span.end(), line.end());
        let bulleted = label.form.bulleted;
        push(text, label.name, value, bulleted, fields);
    } else {
        // `- Date: 2026-02-27`
        let inner = line.of(text);
        let item = ["- ", "* ", "+ "].iter().find_map(|mark| inner.strip_prefix(mark)).unwrap_or(inner);
        let start = line.end() - item.trim_start().len();
        if let Some((name, value)) = plain(text, Span::new(start, line.end())) {
            push(text, name, value, start > line.start(), fields);
        }
    }
}

/// A field, and those after it on the same line: `**Author:** X | **Date:** Y`.
fn push(text: &str, name: Span, value: Span, bulleted: bool, fields: &mut Vec<Field>) {
    let next = next_on_line(text, value);
    let end = next.map_or(value.end(), |(separator, _)| separator);
    let meaning = Meaning::of(name.of(text));
    fields.push(Field { meaning, name, value: Span::new(value.start(), end).trim(text), bulleted });
    if let Some((_, rest)) = next
        && let Some(label) = label::parse(text, rest)
    {
        push(text, label.name, Span::new(label.span.end(), rest.end()), bulleted, fields);
    }
}

/// Where the next field of the same line is separated, and the rest of the line from its label on. Only a label that
/// means something, after a separator, two blanks or nothing at all (`Ekko**Date:**`), starts another field.
fn next_on_line(text: &str, value: Span) -> Option<(usize, Span)> {
    let inner = value.of(text);
    // Few values have an asterisk, and to look for one is quicker than to prepare a search for two.
    memchr::memchr(b'*', inner.as_bytes())?;
    memchr::memmem::find_iter(inner.as_bytes(), b"**").find_map(|at| {
        let before = inner.get(..at)?;
        let rest = Span::new(value.start() + at, value.end());
        let label = label::parse(text, rest)?;
        if Meaning::of(label.name.of(text)) == Meaning::Other {
            return None;
        }
        let trimmed = before.trim_end();
        let separator = trimmed.chars().next_back().filter(|c| matches!(c, '|' | '·' | '•' | ';' | '/' | '—' | '–'));
        let apart = separator.is_some() || before.len() - trimmed.len() != 1;
        apart.then(|| (value.start() + trimmed.len() - separator.map_or(0, char::len_utf8), rest))
    })
}

/// `| **By** | Keaton |` and `| By | Keaton |`: two cells, the first a known label.
fn table_row(text: &str, line: Span) -> Option<Field> {
    let inner = line.of(text).strip_prefix('|')?.strip_suffix('|')?;
    let (name, value) = inner.split_once('|')?;
    if value.contains('|') {
        return None;
    }
    let start = line.start() + 1;
    let cell = Span::new(start, start + name.len()).trim(text);
    let word = cell.of(text).trim_matches(['*', ':', ' ']);
    let meaning = Meaning::of(word);
    let value = Span::new(start + name.len() + 1, line.end() - 1).trim(text);
    (meaning != Meaning::Other).then_some(Field { meaning, name: cell, value, bulleted: false })
}

/// The longest label without asterisks, in bytes.
const MAX_PLAIN: usize = 14;

/// `By: Keaton` without asterisks: only labels that mean something, at most two words.
fn plain(text: &str, line: Span) -> Option<(Span, Span)> {
    let inner = line.of(text);
    let colon = inner.bytes().take(MAX_PLAIN + 1).position(|byte| byte == b':')?;
    let (name, value) = (inner.get(..colon)?, inner.get(colon..)?.strip_prefix(": ")?);
    let short = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
    let meaning = short.then(|| Meaning::of(name))?;
    let identity = matches!(meaning, Meaning::Author | Meaning::Date | Meaning::Status | Meaning::RequestedBy);
    (identity && !value.trim().is_empty()).then(|| {
        let at = line.start() + name.len();
        (Span::new(line.start(), at), Span::new(at + 1, line.end()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<(Meaning, &str)> {
        let mut fields = Vec::new();
        read(text, Span::new(0, text.len()), &mut fields);
        fields.iter().map(|field| (field.meaning, field.value.of(text))).collect()
    }

    #[test]
    fn comments_hold_no_fields() {
        use Meaning::{Author, Why};
        assert_eq!(read_all("<!--\n**By:** Brady\n**Why:** x\n-->\n**Why:** y\n"), [(Why, "y")]);
        assert_eq!(read_all("<!-- **By:** Brady -->\n**By:** Wren\n"), [(Author, "Wren")]);
        assert_eq!(read_all("<!--\n**By:** Brady\n"), []);
    }

    #[test]
    fn the_shapes_of_field_lines() {
        use Meaning::{Author, Date, Other, Status, What, Why};
        assert_eq!(
            read_all("**By:** Brady (via Copilot)\n**What:** x\n**Why:** y\n\ntext **By:** z\n"),
            [(Author, "Brady (via Copilot)"), (What, "x"), (Why, "y")]
        );
        assert_eq!(
            read_all("A subtitle\n**Author:** Hicks | **Date:** 2026-03-14 | **Status:** Done ✅\n"),
            [(Author, "Hicks"), (Date, "2026-03-14"), (Status, "Done ✅")]
        );
        assert_eq!(read_all("- **By**: x\n1. **Re:** #3\n> **Fecha:** 2026-01-01\n").len(), 3);
        assert_eq!(read_all("| Field | Value |\n|---|---|\n| **By** | Keaton |\n"), [(Author, "Keaton")]);
        assert_eq!(read_all("Date: 2026-03-13\nNote: prose\n"), [(Date, "2026-03-13")]);
        assert_eq!(read_all("- Date: 2026-03-13\n- By: Keaton\n"), [(Date, "2026-03-13"), (Author, "Keaton")]);
        assert_eq!(read_all("**Files:** a **b** c\n"), [(Other, "a **b** c")]);
        assert_eq!(read_all("one\ntwo\n**By:** late\n"), []);
    }
}
