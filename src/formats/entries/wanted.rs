//! The entries of those parts of a text that are asked for. Each part begins with the header of an SEM entry, which ends what is
//! before it, whatever that is: so a part by itself has the entries that it has in the whole text.

use memchr::memchr_iter;
use memchr::memmem::{Finder, FinderRev};

use super::{Builder, End, Entries, Open};
use crate::formats::markdown::{self, Mark, MarkKind, Shut, is_free_heading};
use crate::formats::sem::{Header, header};
use crate::text::{Span, line_end};

/// What is asked for.
pub trait Wanted: Sync {
    /// Whether `text` has anything that is asked for.
    fn has(&self, text: &str) -> bool;

    /// The first place from `at` on where `text` has something that is asked for.
    fn next(&self, text: &str, at: usize) -> Option<usize>;

    /// The first place from `at` on where `text` has something that tells more of what is asked for, wherever that is.
    fn next_further(&self, text: &str, at: usize) -> Option<usize>;

    /// Whether an entry from before SEM can be asked for.
    fn has_older(&self) -> bool;

    /// Whether what is asked for can be in a part that is `one` entry with this header, and nothing else.
    fn is_in(&self, header: &Header, one: &str) -> bool;
}

/// The entries in the parts of `text` that are `wanted`, and perhaps others; all entries from before SEM, if any of them can be asked
/// for. `None` if only the whole text tells what they are.
pub fn parse(text: &str, wanted: &dyn Wanted) -> Option<Entries> {
    let mut places = Places::of(text, wanted);
    let mut found = Entries::default();
    let Some(first) = places.next(0) else { return Some(found) };
    let borders = Borders::of(text)?;
    let (mut next, mut unread) = (Some(first), 0);
    let mut sections = Vec::new();
    while let Some(hit) = next {
        let start = borders.before(hit);
        let mut end = borders.after(hit);
        next = places.next(end);
        if !borders.can_be_in(start, end, wanted) {
            continue;
        }
        // Parts that follow each other are read at once.
        while let Some(hit) = next {
            let behind = borders.after(hit);
            if borders.before(hit) != end || !borders.can_be_in(end, behind, wanted) {
                break;
            }
            end = behind;
            next = places.next(end);
        }
        for part in borders.with_sections(unread, start) {
            (found, sections) = read(text, part, found, sections);
        }
        let older = found.legacy.len();
        (found, sections) = read(text, Span::new(start, end), found, sections);
        if found.legacy.len() > older && wanted.has_older() {
            return Some(with_older(text, &borders, wanted));
        }
        // Above an entry of a lower level more headings count than are looked for.
        if found.sem.last().is_some_and(|entry| entry.header.level > LEVEL) {
            return None;
        }
        unread = end;
    }
    Some(found.without_legacy())
}

/// The same with all entries from before SEM, as what these are depends on each other, and on the headings above them. What is left
/// out is a part with one SEM entry, whose heading is noted.
fn with_older(text: &str, borders: &Borders<'_>, wanted: &dyn Wanted) -> Entries {
    let mut places = Places::of(text, wanted);
    let (mut found, mut sections) = (Entries::default(), Vec::new());
    let (mut start, mut unread) = (0, 0);
    while start < text.len() {
        let end = borders.after(start);
        let mut is_hit = || places.next(start).is_some_and(|hit| hit < end);
        if let Some(header) = borders.single(start, end)
            && !(is_hit() && borders.can_be_in(start, end, wanted))
        {
            if unread < start {
                (found, sections) = read(text, Span::new(unread, start), found, sections);
            }
            let kind = MarkKind::Heading(header.level);
            found.outline.marks.push(Mark { kind, line: header.line, next: Span::at(header.line.end() + 1).start });
            found.sections.leave(header.level);
            unread = end;
        }
        start = end;
    }
    if unread < text.len() {
        (found, _) = read(text, Span::new(unread, text.len()), found, sections);
    }
    found
}

/// The sections that the walk is in.
type Sections = Vec<(u8, Option<Span>)>;

/// Adds the entries of a part of `text` to those that were `found` before it.
fn read(text: &str, part: Span, mut found: Entries, sections: Sections) -> (Entries, Sections) {
    // The heading behind it tells whether a heading is the title of a section.
    let bytes = text.as_bytes();
    let seen = text.get(..line_end(bytes, part.end()).0).unwrap_or(text);
    let outline = if part.start == 0 { markdown::scan(seen) } else { markdown::scan_from(seen, part.start()) };
    let marks = &outline.marks;
    let inside = marks.partition_point(|mark| mark.line.start() < part.end());
    found.outline.marks.extend(marks.iter().take(inside));
    let mut builder = Builder { text, marks, out: found, open: Open::Prose, start: part.start(), sections };
    for at in 0..inside {
        builder.mark(at);
    }
    builder.close(part.end(), if part.end() < text.len() { End::NextEntry } else { End::EndOfFile });
    let Builder { out, sections, .. } = builder;
    (out, sections)
}

/// The places of what is asked for, each of which is looked for once.
struct Places<'a> {
    text: &'a str,
    wanted: &'a dyn Wanted,
    next: [Option<usize>; 2],
}

impl<'a> Places<'a> {
    fn of(text: &'a str, wanted: &'a dyn Wanted) -> Self {
        Self { text, wanted, next: [wanted.next(text, 0), wanted.next_further(text, 0)] }
    }

    /// The first of them from `at` on, which is not before the one that was asked for last.
    fn next(&mut self, at: usize) -> Option<usize> {
        let Self { text, wanted, next: [own, further] } = self;
        if own.is_some_and(|own| own < at) {
            *own = wanted.next(text, at);
        }
        if further.is_some_and(|further| further < at) {
            *further = wanted.next_further(text, at);
        }
        own.iter().chain(further.iter()).copied().min()
    }
}

/// Where the parts of a text begin.
struct Borders<'a> {
    text: &'a str,
    shut: Shut,
    forward: Finder<'static>,
    backward: FinderRev<'static>,
}

/// A heading behind a blank line.
const HEADING: &str = "\n\n#";

impl<'a> Borders<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let shut = Shut::of(text)?;
        Some(Self { text, shut, forward: Finder::new(HEADING), backward: FinderRev::new(HEADING) })
    }

    /// The header at `start`, if a part begins there.
    fn header(&self, start: usize) -> Option<Header> {
        let bytes = self.text.as_bytes();
        if !is_free_heading(bytes, start) || self.shut.holds(start) {
            return None;
        }
        let line = Span::new(start, line_end(bytes, start).0);
        let level = line.of(self.text).bytes().take_while(|&byte| byte == b'#').count();
        header::parse(self.text, line, u8::try_from(level).ok()?, || false)
    }

    /// The start of the part that `at` is in.
    fn before(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        // A hit may be in the header itself.
        let mut end = bytes.len().min(at + 1);
        while let Some(found) = bytes.get(..end).and_then(|part| self.backward.rfind(part)) {
            if self.header(found + 2).is_some() {
                return found + 2;
            }
            end = found + 2;
        }
        0
    }

    /// The end of the part that `at` is in.
    fn after(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        // The first byte of a header is in its part.
        let mut from = at.saturating_sub(1);
        while let Some(found) = bytes.get(from..).and_then(|part| self.forward.find(part)) {
            let start = from + found + 2;
            if start > at && self.header(start).is_some() {
                return start;
            }
            from = start - 1;
        }
        bytes.len()
    }

    /// The parts of the text from `start` to `end`, which begin and end parts, that have headings under which entries of other parts
    /// may be.
    fn with_sections(&self, start: usize, end: usize) -> impl Iterator<Item = Span> {
        let mut at = start;
        std::iter::from_fn(move || {
            let bytes = self.text.as_bytes();
            let high = |at: usize| -> Option<usize> {
                let mut signs = memchr_iter(b'#', bytes.get(at..end)?).map(|found| at + found);
                signs.find(|found| is_high(bytes, *found) && !self.shut.holds(*found))
            };
            let found = high(at)?;
            let part = Span::new(self.before(found).max(start), self.after(found).min(end));
            at = part.end();
            Some(part)
        })
    }

    /// Whether what is asked for can be in this part. One with more headings than its header may have more entries.
    fn can_be_in(&self, start: usize, end: usize, wanted: &dyn Wanted) -> bool {
        let part = self.text.get(start..end).unwrap_or_default();
        self.single(start, end).is_none_or(|header| wanted.is_in(&header, part))
    }

    /// The header of the only entry in this part: no other line in it looks like a heading.
    fn single(&self, start: usize, end: usize) -> Option<Header> {
        let header = self.header(start)?;
        let behind = self.text.as_bytes().get(header.line.end()..end).unwrap_or_default();
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let starts_line =
            |at: usize| behind.get(..at).and_then(|before| before.iter().rev().find(|byte| !is_blank(byte)));
        let has_more = memchr_iter(b'#', behind).any(|at| starts_line(at) == Some(&b'\n'));
        (!has_more).then_some(header)
    }
}

/// The level of the headers of SEM entries.
const LEVEL: u8 = 3;

/// Whether the `#` at `at` may begin a heading above those of SEM entries.
fn is_high(bytes: &[u8], at: usize) -> bool {
    let signs = bytes.get(at..).unwrap_or_default().iter().take(LEVEL.into());
    let count = signs.take_while(|byte| **byte == b'#').count();
    let before = bytes.get(..at).unwrap_or_default();
    let before = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    count < LEVEL.into() && matches!(before, None | Some(b'\n' | 0xBF))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Entry, parse as parse_all};
    use super::*;
    use crate::formats::Indices;
    use crate::formats::legacy::LegacyEntry;
    use crate::formats::sem::EntryType;

    /// Entries with a word, or of a type.
    struct Question {
        word: Option<&'static str>,
        kind: Option<EntryType>,
    }

    impl Wanted for Question {
        fn has(&self, text: &str) -> bool {
            self.word.is_none_or(|word| text.contains(word))
        }

        fn next(&self, text: &str, at: usize) -> Option<usize> {
            match self.word {
                Some(word) => Some(at + text.get(at..)?.find(word)?),
                None => Some(at).filter(|at| *at < text.len()),
            }
        }

        fn has_older(&self) -> bool {
            true
        }

        fn next_further(&self, _: &str, _: usize) -> Option<usize> {
            None
        }

        fn is_in(&self, header: &Header, _: &str) -> bool {
            self.kind.is_none() || header.entry_type.is_none() || header.entry_type == self.kind
        }
    }

    fn said(entry: Entry<'_>) -> String {
        format!("{:?} {:?} {:?} {:?}", entry.span(), entry.header(), entry.fields(), entry.related())
    }

    fn entry_without_fields(entry: &LegacyEntry) -> LegacyEntry {
        LegacyEntry { fields: Indices::default(), ..entry.clone() }
    }

    fn check(text: &str, question: &Question) -> Result<(), TestCaseError> {
        let Some(some) = parse(text, question) else { return Ok(()) };
        let all = parse_all(text);
        let all_said: Vec<String> = all.sem(text).map(said).collect();
        for entry in some.sem(text) {
            prop_assert!(all_said.contains(&said(entry)), "{text:?}: {}", said(entry));
            let start = entry.span().start();
            let lines = |of: &Entries| of.sections_of(start).map(|section| section.line).collect::<Vec<_>>();
            prop_assert_eq!(lines(&some), lines(&all), "{:?}: {}", text, start);
        }
        let found: Vec<String> = some.sem(text).map(said).collect();
        let fits = |entry: &Entry<'_>| {
            question.has(entry.span().of(text)) && (question.kind.is_none() || entry.entry_type() == question.kind)
        };
        for entry in all.sem(text).filter(fits) {
            prop_assert!(found.contains(&said(entry)), "{text:?}: {} is not found", said(entry));
        }
        let fits = |entry: &&LegacyEntry| question.kind.is_none() && question.has(entry.span.of(text));
        if all.legacy().any(|entry| fits(&entry)) {
            let older = |entries: &Entries| {
                let said = |entry: &LegacyEntry| {
                    format!("{:?} {:?}", entry_without_fields(entry), entries.legacy_fields(entry))
                };
                entries.legacy().map(said).collect::<Vec<_>>()
            };
            prop_assert_eq!(older(&some), older(&all), "{:?}", text);
            let levels = |entries: &Entries| {
                let headings = entries.outline.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_)));
                headings.map(|mark| (mark.kind, mark.line)).collect::<Vec<_>>()
            };
            prop_assert_eq!(levels(&some), levels(&all), "{:?}", text);
        }
        Ok(())
    }

    /// A line that entries are made of, or that hides one.
    fn line() -> impl Strategy<Value = String> {
        let header = "###? 2026-02-1[0-3]T10:0[0-9]:00[+]0000: (decision|note|memory): (a|zed)";
        let field = "[*]{2}(type: ?[*]{2} (note|decision)|author:[*]{2} zed|Supersedes:[*]{2} x|related:[*]{2})";
        let older =
            "###? 2026-02-10: (a|zed)|## (a|zed)|## 2026-02-1[12]|# zed|  ## b|[*]{2}By:[*]{2} zed|[*]{2}What:[*]{2} b";
        let holders = "```|```js|~~~|- ```|  ```|1[.] ~~~|<!--|-->|<pre>|</pre>|<div>|- a|> ```|x ``` y";
        prop_oneof![
            3 => header,
            2 => field,
            1 => older,
            2 => holders,
            2 => "(---|zed|text| zed|- issue:#1|\u{e9})",
            3 => "\n{0,1}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn a_part_has_what_it_has_in_the_whole(lines in prop::collection::vec(line(), 0..24), start in "(|---\nname: zed\n---\n|\u{feff})") {
            // Blank lines before headings, as in most files.
            let text = start + &lines.join("\n").replace("\n###", "\n\n###");
            for word in [Some("zed"), None] {
                for kind in [Some(EntryType::Note), None] {
                    check(&text, &Question { word, kind })?;
                }
            }
        }
    }

    #[test]
    fn what_is_not_asked_for_is_not_read() {
        let entry = |at: u32, text: &str| {
            format!(
                "### 2026-02-10T10:00:{at:02}+0000: note: a\n\n**author:** b  \n\n```\n# c\n```\n\n{text}\n\n---\n\n"
            )
        };
        let text = (10..60).map(|at| entry(at, if at % 20 == 5 { "zed" } else { "d" })).collect::<String>();
        let found = parse(&text, &Question { word: Some("zed"), kind: None }).unwrap();
        assert_eq!(found.sem(&text).count(), 2);
        assert_eq!(parse(&text, &Question { word: Some("nothing"), kind: None }).unwrap().sem(&text).count(), 0);
        assert!(parse(&text.replace('\n', "\r\n"), &Question { word: Some("zed"), kind: None }).is_none());
    }
}
