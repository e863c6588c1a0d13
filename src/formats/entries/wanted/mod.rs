//! The entries of those parts of a text that are asked for. Each part begins with the header of an SEM entry, which ends what is
//! before it, whatever that is: so a part by itself has the entries that it has in the whole text.

mod borders;
mod excerpt;
mod question;

pub use excerpt::{Excerpt, Excerpts};
pub use question::Wanted;

use self::borders::{Borders, LEVEL, Places, are_mostly};
use super::{Builder, End, Entries, Open};
use crate::formats::markdown::{self, Mark, MarkKind};
use crate::text::{Span, line_end};

/// The entries in the parts of `text` that are `wanted`, and perhaps others; all entries from before SEM, if any of them can be asked
/// for. `None` if only the whole text tells what they are.
pub fn parse(text: &str, wanted: &dyn Wanted) -> Option<Entries> {
    let mut places = Places::of(text, wanted);
    let mut found = Entries::default();
    let Some(first) = places.next(0) else { return Some(found) };
    if are_mostly(text, wanted) {
        return None;
    }
    let borders = Borders::of(text)?;
    let (hits, mut unread) = (borders.hits(places, first, wanted), 0);
    let mut sections = Vec::new();
    for hit in hits {
        for part in borders.with_sections(unread, hit.start()) {
            (found, sections) = read(text, part, found, sections);
        }
        let older = found.legacy.len();
        (found, sections) = read(text, hit, found, sections);
        if found.legacy.len() > older && wanted.has_older() {
            // All of it was read.
            if hit.start() == 0 && hit.end() == text.len() {
                return Some(found);
            }
            return Some(with_older(text, &borders, wanted));
        }
        // Above an entry of a lower level more headings count than are looked for.
        if found.sem.last().is_some_and(|entry| entry.header.level > LEVEL) {
            return None;
        }
        unread = hit.end();
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
    // The heading after it tells whether a heading is the title of a section.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Entry, parse as parse_all};
    use super::*;
    use crate::formats::Indices;
    use crate::formats::legacy::LegacyEntry;
    use crate::formats::sem::{EntryType, Header};
    use crate::text::{ColumnUnit, Source};

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

    /// The excerpt of `text` that comes in blocks of `size` bytes, if its parts can be told.
    fn excerpt(text: &str, size: usize, question: &Question) -> Option<Source> {
        let mut excerpts = Excerpts::new(question);
        let (mut at, mut end) = (0, 0);
        loop {
            end += size;
            let is_last = end >= text.len();
            let behind = (0..=end.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            at += excerpts.take(text.get(at..behind.max(at)).unwrap(), is_last)?;
            if is_last {
                let Excerpt { text, gaps } = excerpts.finish();
                return Some(Source::excerpt("a", text, gaps));
            }
        }
    }

    fn check_excerpt(text: &str, size: usize, question: &Question) -> Result<(), TestCaseError> {
        let Some(source) = excerpt(text, size, question) else { return Ok(()) };
        let Some(some) = parse(source.text(), question).filter(|some| some.legacy().next().is_none()) else {
            return Ok(());
        };
        let (all, whole) = (parse_all(text), Source::unshown("a", text.as_bytes().to_vec()));
        let said = |entries: &Entries, source: &Source| {
            let line = |at| source.position(at, ColumnUnit::Byte);
            let said = |entry: Entry<'_>| {
                let span = entry.span();
                let sections = entries.sections_of(span.start()).map(|section| line(section.line.start()));
                (
                    question.has(span.of(source.text())),
                    line(span.start()),
                    span.of(source.text()).to_owned(),
                    sections.collect(),
                )
            };
            entries.sem(source.text()).map(said).collect::<Vec<(_, _, _, Vec<_>)>>()
        };
        let (some, all) = (said(&some, &source), said(&all, &whole));
        for entry in &some {
            prop_assert!(all.contains(entry), "{:?} in blocks of {}: {:?}", text, size, entry);
        }
        for entry in all.iter().filter(|entry| entry.0 && question.kind.is_none()) {
            prop_assert!(some.contains(entry), "{:?} in blocks of {}: {:?} is not found", text, size, entry);
        }
        Ok(())
    }

    #[test]
    fn front_matter_that_ends_in_a_later_block_hides_what_looks_like_an_entry() {
        let text = "---\n- issue:#1\n\n### 2026-02-10T10:00:00+0000: decision: a\n**author:** zed\n---";
        for size in 1..text.len() {
            check_excerpt(text, size, &Question { word: Some("zed"), kind: None }).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn an_excerpt_has_what_the_whole_has(lines in prop::collection::vec(line(), 0..40), size in 1..200_usize) {
            let text = lines.join("\n").replace("\n###", "\n\n###");
            for word in [Some("zed"), None] {
                check_excerpt(&text, size, &Question { word, kind: None })?;
            }
        }
    }

    #[test]
    fn an_excerpt_leaves_out_what_is_not_asked_for() {
        let entry = |at: usize, text: &str| {
            format!("### 2026-02-10T10:{at:02}:00+0000: note: a\n\n**author:** b\n\n{text}\n\n")
        };
        let text: String = (10..60).map(|at| entry(at, if at % 20 == 5 { "zed" } else { "d" })).collect();
        let source = excerpt(&text, 200, &Question { word: Some("zed"), kind: None }).unwrap();
        assert_eq!(source.text(), entry(25, "zed") + &entry(45, "zed"));
        assert_eq!(source.position(0, ColumnUnit::Byte).line, 15 * 6 + 1);
        assert_eq!(source.position(source.text().len() - 3, ColumnUnit::Byte).line, 35 * 6 + 5);
        assert!(excerpt(&text.replace("zed", "<<<<<<< a"), 200, &Question { word: None, kind: None }).is_none());
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
