//! The audit of governed memory: an event on each line of `memory/audit.jsonl`. See `docs/formats/governed-memory.md`.

use std::io::{self, BufRead, BufReader, Read};

use bstr::ByteSlice;

use super::governed::{CLASSES, climbs_out, odd_key};
use super::json::{Node, Places, byte_order_mark};
use super::json_shape::{self, Field, MOST, Of, Problem, optional, required};
use crate::text::conflict::{self, Conflict};
use crate::text::prose::plural;
use crate::text::{Gap, Span, bom_len, control, email, hidden, lines, mask};

const ACTIONS: [&str; 8] =
    ["classify", "write", "reject", "promote", "delete", "search", "configure", "provider-error"];

const EVENT: [Field; 8] = [
    required("timestamp", Of::Time),
    required("action", Of::Word(&ACTIONS)),
    optional("id", Of::Text),
    optional("class", Of::Word(&CLASSES)),
    optional("path", Of::Text),
    optional("reason", Of::Text),
    optional("actor", Of::Text),
    optional("provider", Of::Text),
];

/// What is in an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// What is wrong. Behind a hundred lines with problems, one problem counts the others.
    pub problems: Vec<Problem>,
    /// The first conflict that a merge left in it.
    pub conflict: Option<Conflict>,
}

/// The lines of an audit that somebody may look at: those with problems, and those that other rules may report.
#[derive(Debug)]
pub struct Lines {
    /// The lines.
    pub text: String,
    /// Where others are left out.
    pub gaps: Vec<Gap>,
    /// What is wrong, at its places in these lines.
    pub audit: Audit,
}

/// A longer line, in bytes, is read with the whole file.
const LONGEST: u64 = 1 << 20;

impl Audit {
    /// Reads `text`: each line is an event by itself.
    pub fn parse(text: &str) -> Self {
        let mut reading = Reading::default();
        reading.problems.extend(byte_order_mark(text).map(|mark| {
            let message = format!("invalid JSON: {}", mark.message);
            Problem::new(mark.span, message, "expected an event", "save the file as UTF-8 without the mark")
        }));
        let conflict = conflict::all(text.as_bytes()).next();
        let is_marker = |line: &str| conflict.is_some() && conflict::is_marker(line.as_bytes());
        for line in lines(text, Span::new(bom_len(text), text.len())).filter(|line| !is_marker(line.of(text))) {
            let content = line.trim(text);
            reading.line(content.of(text), content.start());
        }
        Self { conflict, ..reading.finish() }
    }

    /// The same for `file` line by line: however long it is, only the [`Lines`] are kept. `None` if only the whole text tells what is
    /// in it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(file: impl Read) -> io::Result<Option<Lines>> {
        let (mut file, mut line) = (BufReader::new(file), Vec::new());
        let (mut kept, mut gaps, mut left_out, mut reading) = (String::new(), Vec::<Gap>::new(), 0, Reading::default());
        while (&mut file).take(LONGEST).read_until(b'\n', &mut line)? > 0 {
            // The signs of another encoding, and of a conflict, change how other lines are read.
            let is_odd = line.len() as u64 == LONGEST || line.starts_with(b"<<<<<<<") || line.contains(&0);
            let Some(text) = std::str::from_utf8(&line).ok().filter(|text| !is_odd && bom_len(text) == 0) else {
                return Ok(None);
            };
            let content = Span::new(0, text.len()).trim(text);
            let is_shown = reading.line(content.of(text), kept.len() + content.start());
            if is_shown || is_of_others(text) {
                if gaps.last().map_or(0, |gap| gap.lines) < left_out {
                    gaps.push(Gap { at: kept.len(), lines: left_out });
                }
                kept.push_str(text);
            } else {
                left_out += usize::from(text.ends_with('\n'));
            }
            line.clear();
        }
        Ok(Some(Lines { text: kept, gaps, audit: reading.finish() }))
    }
}

/// Whether the rules about all files may report something in `line`.
fn is_of_others(line: &str) -> bool {
    let has_escapes = || ["\\u", "\\b", "\\f"].iter().any(|escape| line.contains(escape));
    !mask::learn(line.as_bytes()).is_empty()
        || has_escapes()
        || line.contains('@') && !email::personal(line).is_empty()
        || line.contains(|c: char| c.is_control() && !c.is_ascii_whitespace() || c == char::REPLACEMENT_CHARACTER)
        || !line.is_ascii() && (control::characters(line).next().is_some() || hidden::is_in(line))
}

/// The problems of the lines so far.
#[derive(Default)]
struct Reading {
    problems: Vec<Problem>,
    /// Those of the last line.
    found: Vec<Problem>,
    /// How many lines with problems are behind those that are described, and the first of them.
    more: usize,
    first: Option<Span>,
    is_grave: bool,
}

impl Reading {
    /// Reads the line `content`, which is at `start`. Whether a problem is at its place.
    fn line(&mut self, content: &str, start: usize) -> bool {
        if content.is_empty() {
            return false;
        }
        match Node::parse(content, &Places::from(start)) {
            Ok(node) => {
                json_shape::check(&node, &EVENT, &mut self.found);
                self.found.extend(node.odd_keys().into_iter().map(odd_key));
                if let Some(path) = node.get("path").filter(|path| path.as_str().is_some_and(climbs_out)) {
                    let help = "correct the event, or find out who wrote it";
                    let problem =
                        Problem::new(path.span, "`path` points outside the state folder", "not in `.squad/`", help);
                    self.found.push(problem.mild());
                }
            }
            Err(error) => {
                let message = format!("invalid JSON: {}", error.message);
                let help = "correct the syntax of the line";
                self.found.push(Problem::new(error.span, message, "expected an event", help));
            }
        }
        let is_shown = !self.found.is_empty() && self.first.is_none();
        match self.found.is_empty() {
            true => {}
            false if self.problems.len() < MOST => self.problems.append(&mut self.found),
            false => {
                self.more += 1;
                self.first.get_or_insert(Span::new(start, start + content.len()));
                self.is_grave |= self.found.iter().any(|problem| problem.is_grave);
            }
        }
        self.found.clear();
        is_shown
    }

    fn finish(mut self) -> Audit {
        if let Some(span) = self.first {
            let message = format!("{} with problems", plural(self.more, "further line"));
            let problem = Problem::new(span, message, "the first of them", "correct the lines above this one first");
            self.problems.push(if self.is_grave { problem } else { problem.mild() });
        }
        Audit { problems: self.problems, conflict: None }
    }
}

/// A line of an audit that a change takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostLine {
    /// Its number, from 1.
    pub line: usize,
    /// The number of the line that is there instead of it, where it was rewritten.
    pub instead: Option<usize>,
    /// The number of the line that is at its place, if any is.
    pub next: Option<usize>,
}

/// A line that a change puts ahead of lines that an audit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsertedLine {
    /// Its number, from 1.
    pub line: usize,
    /// Whether it is ahead of all of them.
    pub is_first: bool,
}

/// The lines of `text` that are not blank, without the blanks around them and with their numbers from 0.
fn numbered(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> + Clone {
    ByteSlice::lines(text).map(ByteSlice::trim).enumerate().filter(|(_, line)| !line.is_empty())
}

/// The first line of `new` that is ahead of a line of `old`, whose lines `new` has in their order.
pub fn inserted_line(old: &[u8], new: &[u8]) -> Option<InsertedLine> {
    let (mut old, mut is_first) = (numbered(old), true);
    for (at, line) in numbered(new) {
        let (_, next) = old.next()?;
        if line != next {
            return Some(InsertedLine { line: at + 1, is_first });
        }
        is_first = false;
    }
    None
}

/// The first line of `old` that `new` lacks or has in another order. `None` if `new` has them all.
pub fn lost_line(old: &[u8], new: &[u8]) -> Option<LostLine> {
    let mut rest = numbered(new);
    let mut next = rest.clone();
    let mut old = numbered(old);
    let (at, _) = old.find(|(_, line)| {
        next = rest.clone();
        !rest.any(|(_, other)| other == *line)
    })?;
    let next = next.next();
    let instead = next.filter(|(_, line)| old.all(|(_, other)| other != *line));
    let number = |line: Option<(usize, &[u8])>| line.map(|(at, _)| at + 1);
    Some(LostLine { line: at + 1, instead: number(instead), next: number(next) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{ColumnUnit, Source};

    #[test]
    fn an_audit_may_only_grow() {
        for (old, new, lost) in [
            ("a\nb\n", "a\nb\nc\n", None),
            ("a\nb\n", "a\nx\r\nb\n", None),
            ("a\n\nb\n", "a\nc\n", Some((3, Some(2)))),
            ("a\nb\n", "b\na\n", Some((2, None))),
            ("a\nb\nc\n", "a\nc\n", Some((2, None))),
            ("a\nb\nc\n", "a\nb", Some((3, None))),
            ("a\nbb\nc\n", "x\na\n\nb\nc\n", Some((2, Some(4)))),
            ("\n", "", None),
            ("a", "", Some((1, None))),
        ] {
            let found = lost_line(old.as_bytes(), new.as_bytes()).map(|lost| (lost.line, lost.instead));
            assert_eq!(found, lost, "{old:?} {new:?}");
        }
    }

    #[test]
    fn the_markers_of_a_conflict_are_no_lines() {
        let text = format!("{GOOD}\n<<<<<<< HEAD\n{GOOD}\n=======\n{{\n>>>>>>> other\n{GOOD}\n=======\n");
        let audit = Audit::parse(&text);
        assert_eq!(audit.conflict.unwrap().start.of(&text), "<<<<<<< HEAD");
        assert_eq!(both(&text).0.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [5]);
        let text = format!("{GOOD}\n=======\n");
        assert_eq!((Audit::parse(&text).conflict, Audit::parse(&text).problems.len()), (None, 1));
    }

    #[test]
    fn lines_belong_at_the_end() {
        for (old, new, inserted) in [
            ("a\nb\n", "a\nb\nc\n", None),
            ("a\nb\n", "a\r\n\nb", None),
            ("a\nb\n", "x\na\nb\n", Some((1, true))),
            ("\na\nb\n", "\n\nx\na\nb\n", Some((3, true))),
            ("a\nb\n", "a\nx\nb\nc\n", Some((2, false))),
            ("a\na\n", "a\na\na\n", None),
            ("", "a\n", None),
        ] {
            let found = inserted_line(old.as_bytes(), new.as_bytes()).map(|found| (found.line, found.is_first));
            assert_eq!(found, inserted, "{old:?} {new:?}");
        }
    }

    const GOOD: &str = r#"{"timestamp":"2026-11-02T09:00:00Z","action":"write","id":"m1"}"#;

    /// The message and the line of each problem.
    type Found = Vec<(String, usize)>;

    /// What is wrong in `text`, read as a whole, and line by line if it can be.
    fn both(text: &str) -> (Found, Option<Found>) {
        let of = |audit: &Audit, source: &Source| -> Found {
            let line = |problem: &Problem| source.position(problem.span.start(), ColumnUnit::Char).line;
            audit.problems.iter().map(|problem| (problem.message.clone(), line(problem))).collect()
        };
        let whole = of(&Audit::parse(text), &Source::new("a", text.as_bytes().to_vec()));
        let read = Audit::read(text.as_bytes()).unwrap();
        (whole, read.map(|read| of(&read.audit, &Source::excerpt("a", read.text, read.gaps))))
    }

    proptest! {
        #[test]
        fn line_by_line_is_as_a_whole(lines in prop::collection::vec(0..8_usize, 0..300), ends in any::<bool>()) {
            let of = |kind: &usize| match kind {
                0 => "{",
                1 => "",
                2 => r#"{"timestamp":"soon","action":"write"}"#,
                3 => r#"{"timestamp":"2026-11-02T09:00:00Z","action":"write","reason":"\u200b"}"#,
                4 => "{\"timestamp\":\"2026-11-02T09:00:00Z\",\"action\":\"write\",\"reason\":\"Gr\u{fc}\u{df}e\"}\r",
                _ => GOOD,
            };
            let mut text = lines.iter().map(of).collect::<Vec<_>>().join("\n");
            text.extend(ends.then_some('\n'));
            let (whole, read) = both(&text);
            prop_assert_eq!(read.unwrap(), whole);
        }
    }

    #[test]
    fn of_a_long_audit_only_what_is_looked_at_is_kept() {
        let address = r#"{"timestamp":"2026-11-02T09:00:00Z","action":"write","actor":"kim.doe@acme.io"}"#;
        let good = format!("{GOOD}\n").repeat(500);
        let read = Audit::read(format!("{good}{address}\n{good}{{\n").as_bytes()).unwrap().unwrap();
        assert_eq!(read.text, format!("{address}\n{{\n"));
        let many = Audit::read("{\n".repeat(5_000).as_bytes()).unwrap().unwrap();
        assert_eq!((many.text.len(), many.audit.problems.len()), (202, 101));
    }

    #[test]
    fn what_only_the_whole_text_tells() {
        let long = format!("{GOOD}{}\n", " ".repeat(1 << 20));
        for text in ["\u{feff}{}", "<<<<<<< a\n{}\n", "a\0", &long] {
            assert!(Audit::read(text.as_bytes()).unwrap().is_none(), "{}", text.len());
        }
        assert!(Audit::read(&b"\xff\n"[..]).unwrap().is_none());
        assert_eq!(both("").1.unwrap(), []);
    }
}
