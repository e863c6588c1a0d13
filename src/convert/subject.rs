//! The entry under conversion, with what is known of its file and section.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use super::beside::Beside;
use super::outer::Outer;
pub(super) use super::pattern::{Pattern, matches};
use super::sibling::{self, Inside, Sibling};
use super::{front_matter, log, orphan};
use crate::dialects::{FileKind, squad};
use crate::formats::entries::{Block, Entries};
use crate::formats::file_marker;
use crate::formats::legacy::{
    Field, LegacyEntry, Meaning, find_date, headless, is_key_part, is_part_of, is_title_again, signs,
};
use crate::formats::markdown::{Mark, MarkKind};
use crate::formats::timestamp::Timestamp;
use crate::text::{Span, line_end, lines};

/// The file that an entry is in.
#[derive(Clone, Copy, Debug)]
pub struct EntryFile<'a> {
    /// Its kind.
    pub file_kind: &'static FileKind,
    /// The path inside its state root.
    pub inner: &'a BStr,
    /// The names of the team's agents, in lower case; empty if none are known.
    pub agents: &'a BTreeSet<String>,
    /// The names of the humans of the team, in lower case.
    pub humans: &'a BTreeSet<String>,
    /// When the repository was worked on; `None` if that is not known.
    pub lifetime: Option<Lifetime>,
    /// From when to when nearly all entries of the team are; `None` where these are few.
    pub usual: Option<(Timestamp, Timestamp)>,
    /// The first day on which files of the team say that they were created.
    pub created: Option<Timestamp>,
}

/// From the first commit of a repository to its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The first commit; `None` where the clone does not have it.
    pub first: Option<Timestamp>,
    /// The last commit.
    pub last: Timestamp,
    /// The present: what is not committed can be of today.
    pub now: Timestamp,
}

impl EntryFile<'_> {
    /// Whether nothing says who is on the team: there is neither a `team.md` with members, nor an agent.
    pub(super) fn has_no_members(&self) -> bool {
        self.agents.is_empty() && self.humans.is_empty()
    }

    /// Whether someone who commits is on the team: an agent or a human, by the whole name, without regard to case and signs, or by
    /// the first name where the team has no more.
    pub(super) fn is_member(&self, name: &str) -> bool {
        let bare = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let (whole, first): (String, String) = (bare(name), bare(name.split_whitespace().next().unwrap_or_default()));
        let mut team = self.agents.iter().chain(self.humans).map(|known| bare(known));
        team.any(|known: String| !known.is_empty() && (known == whole || known == first))
    }
}

/// What the history of the repository says about an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstSeen {
    /// The short id of the first commit that has its heading.
    pub commit: String,
    /// When that commit was written.
    pub at: Timestamp,
    /// By whom; `None` for a machine.
    pub author: Option<String>,
    /// The inbox file that had the entry first.
    pub inbox: Option<String>,
    /// How many titles that commit brought, this one among them.
    pub among: usize,
    /// The first commit that has the heading with its date.
    pub as_written: Option<Written>,
    /// Whether the text was another one then, or nothing is known of what was before: all of it says no more than that a date cannot be.
    pub only_refutes: bool,
    /// A line of it that was in another entry before.
    pub older: Option<Older>,
}

/// A line of an entry that was in another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Older {
    /// The line.
    pub line: String,
    /// The heading that it was under; empty for that of a list without entries.
    pub heading: String,
}

/// A commit that wrote an entry as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its short id.
    pub commit: String,
    /// When it was written.
    pub at: Timestamp,
    /// When it was made, in seconds since 1970: later, if it was amended or moved.
    pub committed: i64,
    /// Whether it brought the whole file, and entries of several days long before it: a memory that was kept elsewhere until then.
    pub moved_here: bool,
    /// Whether it is the first commit of the repository, and may have brought what is older.
    pub is_first: bool,
}

/// One legacy entry in its file.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The file's text.
    pub text: &'a str,
    /// The file's blocks.
    pub entries: &'a Entries,
    /// The entry.
    pub entry: &'a LegacyEntry,
    /// The file.
    pub place: EntryFile<'a>,
    /// The text of the heading that the entry is under, where that is prose.
    pub section: &'a str,
    /// The text of the nearest heading above it of a higher level, whatever that belongs to.
    pub under: &'a str,
    /// Where the entry ends: before the comments to this program at its end, which hold for the next entry, and, in what
    /// an agent keeps, before the next heading of its level.
    pub end: usize,
    /// A heading in it that looks like the title of something else.
    pub foreign_heading: Option<Span>,
    /// The dates of the entries around it.
    pub(super) beside: Beside,
}

impl<'a> Subject<'a> {
    /// The same entry, as if it were in the file `place`.
    #[must_use]
    pub fn in_file(self, place: EntryFile<'a>) -> Self {
        Self { place, ..self }
    }

    /// The legacy entries of a file, in its order.
    pub fn all(text: &'a str, entries: &'a Entries, place: EntryFile<'a>) -> Vec<Self> {
        Self::unbounded(text, entries, place).into_iter().map(Self::bounded).collect()
    }

    /// Those of them that are `wanted` by all that is below their headings.
    pub fn some(
        text: &'a str,
        entries: &'a Entries,
        place: EntryFile<'a>,
        wanted: impl Fn(Span) -> bool,
    ) -> impl Iterator<Item = Self> {
        let all = Self::unbounded(text, entries, place);
        all.into_iter().filter(move |subject| wanted(subject.entry.span)).map(Self::bounded)
    }

    /// The entries with the ends that they have in the file.
    fn unbounded(text: &'a str, entries: &'a Entries, place: EntryFile<'a>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut above = None;
        let mut outer = Outer::of(&entries.outline.marks);
        for block in entries.blocks() {
            match block {
                Block::Prose(span) => above = last_heading(text, entries, span).or(above),
                Block::Sem(_) => {}
                Block::Legacy(entry) => {
                    let (end, foreign_heading) = (entry.span.end(), None);
                    // An entry of a section's level is not in it, nor are those after it.
                    above = above.filter(|(level, _)| *level < entry.level);
                    let section = above.map_or("", |(_, title)| title);
                    let under = outer.above(entry).map_or("", |heading| heading.of(text).trim_matches(['#', ' ']));
                    let beside = Beside::default();
                    all.push(Self { text, entries, entry, place, section, under, end, foreign_heading, beside });
                }
            }
        }
        let dates: Vec<Option<Span>> = all.iter().map(|subject| subject.entry.date).collect();
        for (subject, beside) in all.iter_mut().zip(Beside::all(text, &dates)) {
            subject.beside = beside;
        }
        all
    }

    /// The entry's fields.
    pub fn fields(self) -> &'a [Field] {
        self.entries.legacy_fields(self.entry)
    }

    /// The text of `span`.
    pub fn of(self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// A value in the front matter right above it, with its key.
    pub(super) fn in_front_matter(self, meaning: Meaning) -> Option<(&'a str, Span)> {
        front_matter::value(self.text, &self.entries.outline.marks, self.entry.heading, meaning)
    }

    /// From after the heading's line to the entry's end.
    pub fn body(self) -> Span {
        let (_, next) = line_end(self.text.as_bytes(), self.entry.heading.end());
        Span::new(next.min(self.end), self.end)
    }

    /// The entry, without its file.
    pub(super) fn inside(self) -> Inside<'a> {
        let (fields, marks) = (self.fields(), &self.entries.outline.marks);
        Inside { text: self.text, entry: self.entry, fields, marks, body: self.body() }
    }

    /// Finds the end, and a heading that looks like the title of something else: another first heading, one with another
    /// day, one above the level that the entry's own sections had so far.
    fn bounded(mut self) -> Self {
        let marks = &self.entries.outline.marks;
        let body = self.body();
        let first = marks.partition_point(|mark| mark.line.start() < body.start());
        let (mut top, mut counted, mut broken) = (None, false, None);
        // What an agent keeps has parts of the level of their entry, where the first one is called so, up to a rule.
        let (mut has_parts, mut is_ruled) = (None, false);
        let behind = if self.is_kept() { log::behind(self.inside()) } else { self.headless_behind() };
        let inside = marks.partition_point(|mark| mark.line.start() < self.end);
        // The heading below it may begin the next block.
        let front_matter =
            front_matter::find(self.text, marks.get(first..=inside).or(marks.get(first..)).unwrap_or_default());
        let orphan = orphan::find(self.text, body, marks.get(first..inside).unwrap_or_default());
        let marker = self.entries.outline.has_file_marker.then(|| file_marker::first(self.text, body)).flatten();
        let behind = behind.into_iter().chain(front_matter).chain(orphan).chain(marker).min();
        for mark in marks.get(first..).unwrap_or_default() {
            if mark.line.start() >= behind.unwrap_or(body.end()) {
                break;
            }
            if self.is_dated_line(mark.line, mark.kind) {
                self.end_at(mark.line.start());
                break;
            }
            is_ruled |= mark.kind == MarkKind::Rule;
            let MarkKind::Heading(level) = mark.kind else { continue };
            if !self.of(mark.line).contains(char::is_alphanumeric) {
                broken = Some((mark.next, level));
                continue;
            }
            // A `####` that was broken in two: `#`, and `### Why` right below it.
            let of_above = broken.filter(|(next, _)| *next as usize == mark.line.start());
            let level = level.saturating_add(of_above.map_or(0, |(_, level)| level));
            let is_kept = self.folder().is_some() && (2..=self.entry.level).contains(&level);
            let is_part = is_kept && level == self.entry.level && !is_ruled;
            let is_part = is_part && (is_part_of(self.text, mark.line) || is_key_part(self.text, mark.line));
            let is_part = *has_parts.get_or_insert(is_part) && is_part;
            let goes_on = level <= self.entry.level && !counted && self.is_counted_on(mark.line);
            let is_first = level <= self.entry.level && top.is_none_or(|top| top > self.entry.level);
            // The title once more, as that of a document.
            let again = is_title_again(self.text, mark.line, level, self.entry);
            let repeated = again || self.of(Span::new(body.start(), mark.line.start())).trim().is_empty();
            let sibling =
                (is_first && !again && !is_part).then(|| sibling::judge(self.inside(), *mark, level)).flatten();
            if is_kept && !is_part || goes_on || sibling == Some(Sibling::Next) {
                self.end_at(mark.line.start());
                break;
            }
            counted |= level <= self.entry.level;
            let is_inside = level > self.entry.level || top.is_some_and(|top| level >= top);
            let own =
                is_inside || top.is_none() && (level > 1 || repeated) || level > 1 && is_part_of(self.text, mark.line);
            if !own || sibling.is_some() || self.is_dated_apart(mark.line) {
                self.foreign_heading = Some(mark.line);
                break;
            }
            top.get_or_insert(level);
        }
        if let Some(at) = behind.filter(|at| *at < self.end) {
            self.end_at(at);
        }
        self.foreign_heading = self.foreign_heading.or_else(|| sibling::glued(self.inside()));
        self.trim_headings();
        self.trim_comments();
        self
    }

    /// Ends the entry at byte `at`.
    fn end_at(&mut self, at: usize) {
        self.end = at;
        self.foreign_heading = self.entry_behind(at);
    }

    /// Leaves out headings at the end that have nothing below them: titles of what follows the entry.
    fn trim_headings(&mut self) {
        let (marks, body) = (&self.entries.outline.marks, self.body());
        let (inside, behind) = marks.split_at(marks.partition_point(|mark| mark.line.start() < self.end));
        let is_heading = |mark: &&Mark| matches!(mark.kind, MarkKind::Heading(_));
        let mut below = behind.iter().find(is_heading).map_or(self.entry.span.end(), |mark| mark.line.start());
        below = below.min(self.entry.span.end());
        let mut is_entry_behind = None;
        for heading in inside.iter().rev().filter(is_heading) {
            let text = Span::new((heading.next as usize).min(self.end), self.end);
            if heading.line.start() < body.start() || self.of(text).contains(|c: char| !c.is_whitespace() && c != '-') {
                return;
            }
            // One that would be an entry alone stays in this one. Each heading is asked once.
            let end = self.end;
            if self.is_entry_alone(heading, below)
                || *is_entry_behind.get_or_insert_with(|| self.entry_behind(end).is_some())
            {
                return;
            }
            below = heading.line.start();
            self.end = below;
            self.foreign_heading = self.foreign_heading.filter(|line| line.start() < self.end);
        }
    }

    /// Leaves out the comments at the end that belong to what follows: those to this program, and those directly above the next heading
    /// and below a blank line or a rule, such as `<!-- Source: keaton-tabs.md -->`.
    fn trim_comments(&mut self) {
        let all: Vec<Span> = lines(self.text, Span::new(self.entry.heading.end(), self.end)).skip(1).collect();
        let is_comment = |line: &Span| {
            let text = line.of(self.text).trim();
            text.starts_with("<!--") && text.ends_with("-->") && text.matches("-->").count() == 1
        };
        let attached = all.iter().rev().take_while(|line| is_comment(line)).count();
        let above = all.len().checked_sub(attached + 1).and_then(|at| all.get(at));
        let is_apart = above.is_some_and(|line| matches!(line.of(self.text).trim(), "" | "---" | "***"));
        let is_above_heading =
            self.text.get(self.end..).is_some_and(|rest| rest.trim_start_matches(' ').starts_with('#'));
        if attached > 0 && is_apart && is_above_heading {
            self.end = all.get(all.len() - attached).map_or(self.end, |line| line.start());
        }
        let end = self.end;
        for line in all.into_iter().rev().filter(|line| line.start() < end) {
            let text = line.of(self.text).trim();
            // `<!-- Append new learnings below. -->` is about the file.
            let is_of_file = || {
                let text = text.to_ascii_lowercase();
                text.contains("append ") && (text.contains(" below") || text.contains(" new "))
            };
            if text.starts_with("<!-- squad-lint:") && text.ends_with("-->") || is_comment(&line) && is_of_file() {
                self.end = line.start();
            } else if !text.is_empty() {
                break;
            }
        }
    }

    /// Whether a bold line, which is not a heading, begins the next thing that an agent kept: `**2026-03-29: Layout tests**`.
    fn is_dated_line(self, line: Span, kind: MarkKind) -> bool {
        let text = self.of(line).trim();
        let Some(date) = find_date(self.text, line).filter(|date| date.start() - line.start() == 2) else {
            return false;
        };
        let is_whole = text.starts_with("**20") && text.ends_with("**") && text.matches("**").count() == 2;
        // What has the moment of the entry, and not only its day, is of it.
        let is_own =
            || date.len() > "2026-03-14".len() && self.entry.date.is_some_and(|own| self.of(own) == self.of(date));
        self.is_kept() && kind == MarkKind::Bold && is_whole && !is_own()
    }

    /// Where an entry without a heading of its own begins.
    fn headless_behind(self) -> Option<usize> {
        let found = headless::labels(self.text, &self.entries.outline.marks, self.entry);
        found.first().map(|label| label.start())
    }

    /// Whether a heading has a later place in a list that began elsewhere: `3. Events`, `033e: Labels`.
    fn is_counted_on(self, line: Span) -> bool {
        static COUNTED: Pattern = Pattern::new(r"^\s*#+\s+0*(\d{1,3})(?:\.\d+)*([a-z]?)[.:)]\s");
        let Some(found) = COUNTED.groups(self.of(line)) else { return false };
        let part = |at| found.get(at).unwrap_or_default();
        match part(2) {
            "" => part(1).parse::<u16>().is_ok_and(|number| number > 1),
            letter => letter != "a",
        }
    }

    /// The first heading from byte `from` on that would be that of an entry, were it not in this one.
    fn entry_behind(self, from: usize) -> Option<Span> {
        let marks = &self.entries.outline.marks;
        let (first, end) = (marks.partition_point(|mark| mark.line.start() < from), self.entry.span.end());
        let headings = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < end);
        let mut headings = headings.filter(|mark| matches!(mark.kind, MarkKind::Heading(_))).peekable();
        while let Some(mark) = headings.next() {
            let below = headings.peek().map_or(end, |next| next.line.start());
            if self.is_entry_alone(mark, below) {
                return Some(mark.line);
            }
        }
        None
    }

    /// Whether a heading, whose text ends at byte `below`, would be that of an entry, were it not in this one.
    fn is_entry_alone(self, heading: &Mark, below: usize) -> bool {
        let text = Span::new(heading.next as usize, below.max(heading.next as usize));
        let signs = signs(self.text, heading.line, text);
        signs.title_date || signs.field_date || signs.author || signs.named
    }

    /// Whether the heading `line` has a day that is not the entry's, or, as entries have theirs, a day alone behind some words: parts
    /// need not say again when it was.
    fn is_dated_apart(self, line: Span) -> bool {
        let day = |date: Span| self.of(date).get(..10);
        let own = self.entry.date.and_then(day);
        let Some(date) = find_date(self.text, line).filter(|_| own.is_some()) else { return false };
        let behind = self.of(Span::new(date.end(), line.end()));
        let before = self.of(Span::new(line.start(), date.start())).trim_start_matches(['#', ' ']);
        let words = before.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
        let is_alone = before.trim_end().ends_with(['(', '[', ':', '-', '\u{2013}', '\u{2014}', '\u{b7}']);
        let is_titled = words > 1 && is_alone && !before.starts_with(|c: char| c.is_ascii_digit());
        day(date) != own || is_titled && !behind.contains(char::is_alphanumeric) && !is_part_of(self.text, line)
    }

    /// The heading without its hashes, also doubled ones.
    pub fn heading(self) -> Span {
        let line = self.entry.heading;
        let mut rest = self.of(line).trim_start();
        // `#523` is not a hash of a heading.
        while let Some(behind) = Some(rest.trim_start_matches('#')).filter(|behind| behind.starts_with([' ', '\t'])) {
            rest = behind.trim_start();
        }
        Span::new(line.end() - rest.len(), line.end()).trim(self.text)
    }

    /// The name of the file, without `.md`.
    pub fn file_name(self) -> String {
        let path = self.place.inner.to_str_lossy();
        let name = path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name).to_owned()
    }

    /// Whether it is what an agent keeps: in its history, or in an archive of that.
    pub fn is_kept(self) -> bool {
        self.folder().is_some() && self.place.file_kind != &squad::INBOX
    }

    /// The agent in whose folder the file lies.
    pub fn folder(self) -> Option<String> {
        let path = self.place.inner.to_str_lossy();
        let mut parts = path.split('/');
        (parts.next() == Some("agents")).then_some(())?;
        let name = parts.find(|part| !part.starts_with('_'))?;
        // The last part is the file.
        parts.next().is_some().then(|| name.to_owned())
    }
}

/// The last heading in `span`, with its level.
fn last_heading<'a>(text: &'a str, entries: &Entries, span: Span) -> Option<(u8, &'a str)> {
    let marks = &entries.outline.marks;
    let end = marks.partition_point(|mark| mark.line.start() < span.end());
    let inside = marks.get(..end)?.iter().rev().take_while(|mark| mark.line.start() >= span.start());
    inside.into_iter().find_map(|mark| match mark.kind {
        MarkKind::Heading(level) => Some((level, mark.line.of(text).trim_matches(['#', ' ']))),
        _ => None,
    })
}
