//! A file that entries are put into.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::versions::Versions;
use crate::dialects::FileKind;
use crate::merge::parts::{self, Base, Part, PartKind};
use crate::text::line_ending;

/// A file as a list of parts.
#[derive(Debug)]
pub struct Sheet<'a> {
    cells: Vec<Cell<'a>>,
    /// The cells in the order of the file.
    order: Vec<usize>,
    /// The place of the first dated cell, and the place behind the last one that is not prose of the file.
    dated: Option<(usize, usize)>,
    /// The end of the section for entries, as long as no cell is dated.
    section_end: usize,
    /// The entries by what they are known by; those that were compared with another one by their lines as well.
    keys: HashMap<Key, (Vec<usize>, Option<Versions>)>,
    kind: &'static FileKind,
    newest_first: bool,
    line_end: &'static str,
    /// The first lines of the entries that were put in, each with the file that it is from.
    added: Vec<(usize, String)>,
    /// The file that entries are put in from.
    from: usize,
    is_changed: bool,
    /// What the lines of the file say, but for blank ones, and where each of them is.
    lines: Vec<String>,
    starts: HashMap<String, Vec<usize>>,
    entries: usize,
}

/// What an entry is known by.
type Key = (PartKind, Option<i64>, String);

#[derive(Debug)]
struct Cell<'a> {
    kind: PartKind,
    moment: Option<i64>,
    body: Cow<'a, str>,
    tail: Cow<'a, str>,
    /// Whether it was put in.
    is_new: bool,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It is in the file now.
    Added,
    /// The file has it, word for word or with more.
    Known,
    /// The file had a shorter version of it.
    Extended,
}

/// The headings of sections that entries go to, if a file has none yet.
const SECTIONS: [&str; 3] = ["active decisions", "decisions", "learnings"];

/// Fewer versions of one entry than this are all compared.
const FEW: usize = 8;

impl<'a> Sheet<'a> {
    /// The file with this text.
    pub fn new(text: &'a str, kind: &'static FileKind) -> Self {
        let parts = parts::read(text, kind, &Base::default());
        let moments: Vec<i64> = parts.iter().filter_map(|part| part.moment).collect();
        let count = |is_step: fn(&i64, &i64) -> bool| {
            moments.iter().zip(moments.iter().skip(1)).filter(|(one, next)| is_step(one, next)).count()
        };
        let newest_first = count(|one, next| one > next) > count(|one, next| one < next);
        let entries = parts.iter().filter(|part| part.is_entry()).count();
        let mut keys: HashMap<Key, (Vec<usize>, Option<Versions>)> = HashMap::new();
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.is_entry()) {
            keys.entry(part.key()).or_default().0.push(at);
        }
        let cells: Vec<Cell<'a>> = parts.into_iter().map(Cell::of).collect();
        let first = cells.iter().position(Cell::is_dated);
        let last = cells.iter().rposition(|cell| cell.kind != PartKind::Line);
        let mut sheet = Self {
            order: (0..cells.len()).collect(),
            dated: first.map(|first| (first, last.map_or(first, |last| last + 1))),
            section_end: section_end(&cells),
            keys,
            cells,
            from: 0,
            kind,
            newest_first,
            line_end: line_ending(text),
            added: Vec::new(),
            is_changed: false,
            lines: Vec::new(),
            starts: HashMap::new(),
            entries,
        };
        sheet.note(text);
        sheet
    }

    /// Whether the newest entry comes first.
    pub fn is_newest_first(&self) -> bool {
        self.newest_first
    }

    /// The level of the headings of entries in the file: the third, or the second where most of them have that.
    pub fn level(&self) -> u8 {
        let count = |start: &str| {
            let starts = |cell: &&Cell<'_>| cell.kind.rank() == 2 && cell.body.starts_with(start);
            self.cells.iter().filter(starts).count()
        };
        if count("## ") > count("### ") { 2 } else { 3 }
    }

    /// Puts a text in that is one entry, at its place among the others: that of `moment`, or of the moment that the entry has.
    /// Entries that are the same, or where one has all lines of the other, become one.
    pub fn put(&mut self, text: &str, moment: Option<i64>) -> Placed {
        let text = text.replace("\r\n", "\n");
        let text = text.trim_end();
        let parts = parts::read(text, self.kind, &Base::default());
        let Some(first) = parts.first() else { return Placed::Known };
        let key = first.is_entry().then(|| first.key());
        let body: String = parts.iter().flat_map(|part| [part.body, part.tail]).collect();
        let is_sem = matches!(first.kind, PartKind::Sem(_));
        let body = if is_sem { first.body.to_owned() } else { body.trim_end().to_owned() };
        // Among the versions of one entry, the longest counts.
        for at in self.near(key.as_ref(), first.body) {
            let Some(cell) = self.cells.get_mut(at) else { continue };
            if holds(&cell.body, &body) {
                return Placed::Known;
            }
            if parts.len() > 1 && holds(&cell.body, first.body) {
                // What is behind it is another entry in this file.
                let rest = text.get(first.body.len() + first.tail.len()..).unwrap_or_default();
                return self.put(rest, moment);
            }
            if holds(&body, &cell.body) && parts.len() == 1 {
                // The heading keeps its level.
                let (own, rest) = (cell.body.lines().next().unwrap_or_default(), body.split_once('\n'));
                let longer = match rest {
                    Some((heading, rest)) if words(heading) == words(own) => format!("{own}\n{rest}"),
                    _ => body,
                };
                cell.body = Cow::Owned(longer.replace('\n', self.line_end));
                if let Some((_, Some(versions))) = key.and_then(|key| self.keys.get_mut(&key)) {
                    versions.grow(at, said(&cell.body));
                }
                return Placed::Extended;
            }
        }
        if self.has(&body) {
            return Placed::Known;
        }
        let tail = if is_sem { "\n\n---\n\n" } else { "\n\n" };
        let cell = Cell {
            kind: first.kind,
            moment: moment.or(first.moment),
            body: Cow::Owned(body.replace('\n', self.line_end)),
            tail: Cow::Owned(tail.replace('\n', self.line_end)),
            is_new: true,
        };
        self.is_changed = true;
        if first.is_entry() {
            self.added.push((self.from, text.lines().next().unwrap_or_default().to_owned()));
        }
        self.insert(cell, key);
        Placed::Added
    }

    /// The entries known by `key` that may have the lines of `body`, or no others than these.
    fn near(&mut self, key: Option<&Key>, body: &str) -> Vec<usize> {
        let Some((same, versions)) = key.and_then(|key| self.keys.get_mut(key)) else { return Vec::new() };
        if same.len() < FEW {
            return same.clone();
        }
        let versions = versions.get_or_insert_with(|| {
            let mut versions = Versions::default();
            let bodies = same.iter().filter_map(|at| Some((*at, self.cells.get(*at)?)));
            bodies.for_each(|(at, cell)| versions.add(at, said(&cell.body)));
            versions
        });
        versions.near(said(body))
    }

    /// What is put in from now on is from this file.
    pub fn begin(&mut self, file: usize) {
        self.from = file;
    }

    /// Puts the titles of sections in, at the place of `moment`, if the file does not have them.
    pub fn put_title(&mut self, text: &str, moment: Option<i64>) {
        if self.has(text) {
            return;
        }
        self.is_changed = true;
        let (body, tail) = (text.replace('\n', self.line_end), self.line_end.repeat(2));
        let kind = PartKind::Line;
        self.insert(Cell { kind, moment, body: body.into(), tail: tail.into(), is_new: true }, None);
    }

    /// Whether the file has these lines, one after the other.
    fn has(&self, body: &str) -> bool {
        let lines: Vec<&str> = said(body).collect();
        // Where the line is that the file has least often.
        let places = |line: &&str| self.starts.get(*line).map_or(&[][..], Vec::as_slice);
        let Some((rare, places)) = lines.iter().map(places).enumerate().min_by_key(|(_, places)| places.len()) else {
            return true;
        };
        places.iter().filter_map(|place| place.checked_sub(rare)).any(|start| {
            let there = self.lines.get(start..start + lines.len());
            there.is_some_and(|there| there.iter().zip(&lines).all(|(own, line)| own == line))
        })
    }

    /// Notes the lines of a text that is in the file.
    fn note(&mut self, text: &str) {
        for line in said(text) {
            self.starts.entry(line.to_owned()).or_default().push(self.lines.len());
            self.lines.push(line.to_owned());
        }
    }

    fn insert(&mut self, cell: Cell<'a>, key: Option<Key>) {
        self.note(&cell.body);
        let at = self.place(cell.moment);
        let before = at.checked_sub(1).and_then(|before| self.order.get(before));
        if let Some(before) = before.and_then(|before| self.cells.get_mut(*before)) {
            let is_open = matches!(before.kind, PartKind::Sem(_)) && !before.tail.contains("---");
            let end = before.tail.rsplit(|c: char| !matches!(c, '\r' | '\n')).next().unwrap_or_default();
            let has_gap = end.matches('\n').count() > 1;
            if is_open {
                before.tail = Cow::Owned("\n\n---\n\n".replace('\n', self.line_end));
            } else if !has_gap {
                let tail = format!("{}{end}{end}", before.tail.trim_end_matches(['\r', '\n']), end = self.line_end);
                before.tail = Cow::Owned(tail);
            }
        }
        let is_dated = cell.is_dated();
        let number = self.cells.len();
        if let Some(key) = key {
            let (same, versions) = self.keys.entry(key).or_default();
            same.push(number);
            if let Some(versions) = versions {
                versions.add(number, said(&cell.body));
            }
        }
        self.cells.push(cell);
        self.order.insert(at, number);
        self.section_end += 1;
        let is_prose = |cell: &Cell<'_>| cell.kind == PartKind::Line && !cell.is_new;
        self.dated = match self.dated {
            Some((first, last)) => {
                let first = if is_dated { first.min(at) } else { first + usize::from(at <= first) };
                Some((first, (last + 1).max(at + 1)))
            }
            None if is_dated => self.from(0).rev().find(|(_, cell)| !is_prose(cell)).map(|(last, _)| (at, last + 1)),
            None => None,
        };
    }

    /// The cells from a place in the order of the file on.
    fn from(&self, first: usize) -> impl DoubleEndedIterator<Item = (usize, &Cell<'a>)> {
        let numbers = self.order.get(first..).unwrap_or_default();
        numbers.iter().enumerate().filter_map(move |(at, number)| Some((first + at, self.cells.get(*number)?)))
    }

    /// Where an entry of this moment goes.
    fn place(&self, moment: Option<i64>) -> usize {
        let Some((first, last)) = self.dated else { return self.section_end };
        let moment = moment.unwrap_or(if self.newest_first { i64::MIN } else { i64::MAX });
        let mut place = if self.newest_first { first } else { last };
        if self.newest_first {
            for (at, cell) in self.from(first) {
                match (cell.kind, cell.moment) {
                    (PartKind::Line, _) if !cell.is_new => break,
                    _ if !cell.is_dated() => place = at + 1,
                    (_, Some(other)) if other > moment => place = at + 1,
                    _ => break,
                }
            }
            return place;
        }
        for (at, cell) in self.from(0).rev().skip(self.order.len() - last) {
            match (cell.kind, cell.moment) {
                (PartKind::Line, _) if !cell.is_new => break,
                _ if !cell.is_dated() => {}
                (_, Some(other)) if other > moment => place = at,
                _ => break,
            }
        }
        place
    }

    /// The text of the file, or the files with entries that would be read as a part of another one, as below an open code fence;
    /// none if an entry of the file itself would be.
    ///
    /// # Errors
    /// These files, by their numbers.
    pub fn text(&self) -> Result<String, BTreeSet<usize>> {
        let cells = || self.from(0).map(|(_, cell)| cell);
        let mut text = String::with_capacity(cells().map(|cell| cell.body.len() + cell.tail.len()).sum());
        for cell in cells() {
            text.push_str(&cell.body);
            text.push_str(&cell.tail);
        }
        if self.is_changed {
            // Nothing but a line end follows the last entry.
            let end = text.trim_end().len();
            text.truncate(end);
            text.push_str(self.line_end);
        }
        let parts = parts::read(&text, self.kind, &Base::default());
        let entries = || parts.iter().filter(|part| part.is_entry());
        let titles: HashSet<&str> = entries().filter_map(|part| part.body.lines().next()).collect();
        let missing = self.added.iter().filter(|(_, title)| !titles.contains(title.as_str()));
        let missing: BTreeSet<usize> = missing.map(|(file, _)| *file).collect();
        if entries().count() >= self.entries && missing.is_empty() { Ok(text) } else { Err(missing) }
    }
}

/// The end of the section for entries in a file without any, or of the file.
fn section_end(cells: &[Cell<'_>]) -> usize {
    let title = |cell: &Cell<'_>| {
        let title = cell.body.strip_prefix("## ").map(|title| title.trim().to_lowercase());
        title.is_some_and(|title| SECTIONS.contains(&title.as_str()))
    };
    let Some(start) = cells.iter().position(title) else { return cells.len() };
    let next = cells
        .iter()
        .skip(start + 1)
        .position(|cell| cell.kind == PartKind::Line && (cell.body.starts_with("## ") || cell.body.starts_with("# ")));
    next.map_or(cells.len(), |next| start + 1 + next)
}

impl<'a> Cell<'a> {
    fn of(part: Part<'a>) -> Self {
        Self { kind: part.kind, moment: part.moment, body: part.body.into(), tail: part.tail.into(), is_new: false }
    }

    /// Whether the order of moments counts for it.
    fn is_dated(&self) -> bool {
        self.kind.rank() == 2 || self.is_new && self.moment.is_some()
    }
}

/// Whether a text has all lines of another one, in their order.
fn holds(text: &str, other: &str) -> bool {
    let mut rest = text.lines().map(words);
    said(other).all(|line| rest.any(|own| own == line))
}

/// What the lines of a text say, but for blank ones.
fn said(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(words).filter(|line| !line.is_empty())
}

/// What a line says: a heading says the same at every level.
fn words(line: &str) -> &str {
    let line = line.trim_end();
    let title = line.trim_start_matches('#');
    if title.len() < line.len() && title.starts_with(' ') { title.trim_start() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::squad;

    fn put(text: &str, entries: &[&str]) -> (String, Vec<Placed>) {
        let mut sheet = Sheet::new(text, &squad::DECISIONS);
        let placed = entries.iter().map(|entry| sheet.put(entry, None)).collect();
        (sheet.text().unwrap(), placed)
    }

    fn sem(second: u32, body: &str) -> String {
        format!(
            "### 2026-02-10T10:00:{second:02}+0000: decision: Number {second}\n\n**author:** keaton  \n\n**summary:** {body}\n\n---\n\n"
        )
    }

    #[test]
    fn entries_go_to_their_place() {
        let (one, two, three) = (sem(1, "a"), sem(2, "b"), sem(3, "c"));
        let file = |entries: &[&str]| format!("# Decisions\n\n{}", entries.concat()).trim_end().to_owned() + "\n";
        assert_eq!(put(&file(&[&one, &three]), &[&two]), (file(&[&one, &two, &three]), vec![Placed::Added]));
        assert_eq!(put(&file(&[&three, &two]), &[&one]).0, file(&[&three, &two, &one]));
        assert_eq!(put(&file(&[&one, &two]), &[&three, &two]).1, [Placed::Added, Placed::Known]);
        let rules = "## Governance\n\n- Ask.\n";
        let template = format!("# Decisions\n\n## Active Decisions\n\nNone yet.\n\n{rules}");
        let expected = format!("# Decisions\n\n## Active Decisions\n\nNone yet.\n\n{one}{rules}");
        assert_eq!(put(&template, &[&one]).0, expected);
        // Without its rule, an entry would take in the next one.
        let open = file(&[&one]).replace("\n---\n", "");
        assert_eq!(put(&open, &[&two]).0, file(&[&one, &two]));
        let crlf = file(&[&one]).replace('\n', "\r\n");
        assert_eq!(put(&crlf, &[&two]).0, file(&[&one, &two]).replace('\n', "\r\n"));
        assert_eq!(put(&crlf, &[&one]).1, [Placed::Known]);
    }

    #[test]
    fn versions_of_an_entry_are_one() {
        let short = "### 2026-02-10: Tabs\n\nWe use tabs.\n";
        let long = "### 2026-02-10: Tabs\n\nWe use tabs.\n\nAlso in tests.\n";
        assert_eq!(put(long, &[short]), (long.to_owned(), vec![Placed::Known]));
        assert_eq!(put(short, &[long]).1, [Placed::Extended]);
        assert_eq!(put(short, &[&short.replace("tabs", "blanks")]).1, [Placed::Added]);
        // The same entry at another level.
        assert_eq!(put(&format!("#{short}"), &[short]).1, [Placed::Known]);
        assert_eq!(put(short.get(1..).unwrap(), &[short]).1, [Placed::Known]);
    }

    #[test]
    fn what_would_be_swallowed_is_refused() {
        let mut sheet = Sheet::new("# Decisions\n\n<!--\nopen\n", &squad::DECISIONS);
        assert_eq!(sheet.put(&sem(1, "a"), None), Placed::Added);
        assert_eq!(sheet.text(), Err(BTreeSet::from([0])));
    }
}
