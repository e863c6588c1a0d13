//! A file that entries are put into.

mod place;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::cell::{self, Cell, Key, holds, said, words};
use super::read_back::{is_rejected_heading, read_back};
use super::under::Under;
use super::versions::Versions;
use crate::dialects::{FileKind, squad};
use crate::merge::parts::PartKind;
use crate::text::line_ending;

/// A file as a list of parts.
#[derive(Debug)]
pub struct Sheet<'a> {
    cells: Vec<Cell<'a>>,
    /// The cells in the order of the file.
    order: Vec<usize>,
    /// The place of the first dated cell, and the place after the last one that is not prose of the file.
    dated: Option<(usize, usize)>,
    /// The same among those below no title that says something.
    outside: Option<(usize, usize)>,
    /// The end of the section for entries, as long as no cell there is dated.
    section_end: Option<usize>,
    /// The entries by what they are known by; those that were compared with another one by their lines as well.
    keys: HashMap<Key, (Vec<usize>, Option<Versions>)>,
    kind: &'static FileKind,
    newest_first: bool,
    line_end: &'static str,
    /// The file that entries are put in from.
    from: usize,
    /// The files with titles that say that entries do not apply, by their numbers.
    rejecting: BTreeSet<usize>,
    /// What the lines of the file say, apart from blank ones, and where each of them is.
    lines: Vec<String>,
    starts: HashMap<String, Vec<usize>>,
    spot: Spot,
    under: Under,
}

/// Where in a file entries are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Among the entries, by their moments.
    InTime,
    /// Behind all that the file has.
    Last,
    /// Before the first entry.
    First,
    /// Behind all that the file has, below whatever title comes last.
    End,
}

impl Spot {
    /// Where an entry is put if it, or one of the file, would not be read as it is.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::InTime => Some(Self::Last),
            Self::Last => Some(Self::First),
            Self::First => Some(Self::End),
            Self::End => None,
        }
    }
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
    /// The file with this text, which gets entries at this spot.
    pub fn new(text: &'a str, kind: &'static FileKind, spot: Spot) -> Self {
        let cells = cell::of_file(text, kind);
        let newest_first = is_newest_first(&cells);
        let mut keys: HashMap<Key, (Vec<usize>, Option<Versions>)> = HashMap::new();
        for (at, cell) in cells.iter().enumerate() {
            if let Some(key) = &cell.key {
                keys.entry(key.clone()).or_default().0.push(at);
            }
        }
        let mut sheet = Self {
            order: (0..cells.len()).collect(),
            dated: dated(cells.iter(), |_| true),
            outside: dated(cells.iter(), |title| !title.says_more()),
            section_end: section_end(&cells),
            keys,
            cells,
            from: 0,
            rejecting: BTreeSet::new(),
            kind,
            newest_first,
            line_end: line_ending(text),
            lines: Vec::new(),
            starts: HashMap::new(),
            spot,
            under: Under::Anything,
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
        self.put_completed(text, moment, str::to_owned)
    }

    /// As [`put`](Self::put); the file gets the entry with what `completed` adds to a text that is it or has all of its lines.
    pub fn put_completed(
        &mut self,
        text: &str,
        moment: Option<i64>,
        completed: impl Fn(&str) -> String + Copy,
    ) -> Placed {
        let text = text.replace("\r\n", "\n");
        let text = text.trim_end();
        let read = cell::read(text, self.kind);
        let (Some(first), Some(last)) = (read.first(), read.last()) else { return Placed::Known };
        let body = text.get(..text.len().saturating_sub(last.tail.len())).unwrap_or(text);
        let whole = completed(body);
        let new_key = cell::read(&whole, self.kind).first().and_then(|cell| cell.key.clone());
        let mut near = self.near(first.key.as_ref(), &first.body);
        if new_key != first.key {
            near.extend(self.near(new_key.as_ref(), &whole));
        }
        // Of all versions of one entry, and before another one is made longer.
        let known = near.iter().find(|at| self.cells.get(**at).is_some_and(|cell| holds(&cell.body, body)));
        if let Some(known) = known.copied() {
            return self.complete(known, completed);
        }
        if self.has(body) {
            return Placed::Known;
        }
        for at in near {
            let Some(cell) = self.cells.get_mut(at) else { continue };
            if read.len() > 1 && holds(&cell.body, &first.body) {
                // What is after it is another entry in this file.
                let rest = text.get(first.body.len() + first.tail.len()..).unwrap_or_default();
                return self.put_completed(rest, moment, completed);
            }
            if holds(&whole, &cell.body) && read.len() == 1 {
                // The heading keeps its level.
                let (own, rest) = (cell.body.lines().next().unwrap_or_default(), whole.split_once('\n'));
                let longer = match rest {
                    Some((heading, rest)) if words(heading) == words(own) => format!("{own}\n{rest}"),
                    _ => whole,
                };
                self.replace(at, &longer);
                return Placed::Extended;
            }
        }
        let end = if matches!(last.kind, PartKind::Sem(_)) { "\n\n---" } else { last.tail.trim_end() };
        let tail = format!("{end}\n\n");
        let new = cell::read(&whole, self.kind);
        let new = new.first().unwrap_or(first);
        let cell = Cell {
            kind: new.kind,
            moment: moment.or(new.moment),
            key: new.key.clone(),
            body: Cow::Owned(whole.replace('\n', self.line_end)),
            tail: Cow::Owned(tail.replace('\n', self.line_end)),
            is_start: new.is_start,
            holds_entries: false,
            from: Some(self.from),
            own_title: self.under.title().map(str::to_owned),
        };
        let at = self.place(cell.moment);
        let number = self.insert(at, cell);
        // It is known by what its text alone says, too.
        if let Some(key) = first.key.as_ref().filter(|key| Some(*key) != new_key.as_ref()) {
            self.add_key(key, number);
        }
        Placed::Added
    }

    /// Completes an entry of the file.
    fn complete(&mut self, at: usize, completed: impl Fn(&str) -> String) -> Placed {
        let old = self.cells.get(at).map(|cell| cell.body.replace("\r\n", "\n")).unwrap_or_default();
        let new = completed(&old);
        if new == old {
            return Placed::Known;
        }
        self.replace(at, &new);
        Placed::Extended
    }

    /// Gives an entry of the file a longer text.
    fn replace(&mut self, at: usize, text: &str) {
        let line_end = self.line_end;
        let Some(cell) = self.cells.get_mut(at) else { return };
        cell.body = Cow::Owned(text.replace('\n', line_end));
        let old = cell.key.clone();
        if let Some((_, Some(versions))) = old.as_ref().and_then(|key| self.keys.get_mut(key)) {
            versions.grow(at, said(text));
        }
        let new = cell::read(text, self.kind).first().and_then(|cell| cell.key.clone());
        if let Some(key) = new.filter(|new| Some(new) != old.as_ref()) {
            self.add_key(&key, at);
        }
    }

    /// Notes that an entry of the file is known by this.
    fn add_key(&mut self, key: &Key, at: usize) {
        let (same, versions) = self.keys.entry(key.clone()).or_default();
        same.push(at);
        if let (Some(versions), Some(cell)) = (versions, self.cells.get(at)) {
            versions.add(at, said(&cell.body));
        }
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

    /// Lets the entries that are put in from now on go below this title of a section, or, with none, below no title that says something.
    /// A title that the file lacks comes after all entries: there it takes in none of them.
    pub fn enter(&mut self, title: Option<&str>) {
        self.under = match title {
            Some(title) => Under::Title(words(title).to_owned()),
            None if self.spot == Spot::End => Under::Anything,
            None => Under::None,
        };
        let Some(title) = title else { return };
        if is_rejected_heading(title) {
            self.rejecting.insert(self.from);
        }
        if !self.has(title) {
            self.put_title(title);
        }
    }

    /// Puts the title of a section in.
    fn put_title(&mut self, title: &str) {
        let at = self.dated.map_or(self.end_of_section(), |(_, last)| last);
        self.insert_heading(at, title, None, true);
    }

    /// Puts a heading in that is no title of a section, at the place of `moment`, if the file does not have it.
    pub fn put_heading(&mut self, heading: &str, moment: Option<i64>) {
        if !self.has(heading) {
            let at = self.place(moment);
            self.insert_heading(at, heading, moment, false);
        }
    }

    fn insert_heading(&mut self, at: usize, heading: &str, moment: Option<i64>, holds_entries: bool) {
        let (body, tail) = (heading.to_owned().into(), self.line_end.repeat(2).into());
        let (kind, from) = (PartKind::Line, Some(self.from));
        let cell = Cell { kind, moment, key: None, body, tail, is_start: true, holds_entries, from, own_title: None };
        self.insert(at, cell);
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

    /// Puts a cell in at this place, and returns its number.
    fn insert(&mut self, at: usize, cell: Cell<'a>) -> usize {
        self.note(&cell.body);
        let before = at.checked_sub(1).and_then(|before| self.order.get(before));
        if let Some(before) = before.and_then(|before| self.cells.get_mut(*before)) {
            let is_open = !before.is_new() && !before.tail.contains("---");
            let is_open =
                is_open && (matches!(before.kind, PartKind::Sem(_)) || cell.is_entry() && before.ends_with_title());
            let end = before.tail.rsplit(|c: char| !matches!(c, '\r' | '\n')).next().unwrap_or_default();
            let has_gap = end.matches('\n').count() > 1;
            if is_open && has_gap {
                before.tail = Cow::Owned(format!("{}---{end}{end}", before.tail, end = self.line_end));
            } else if is_open {
                before.tail = Cow::Owned("\n\n---\n\n".replace('\n', self.line_end));
            } else if !has_gap {
                let tail = format!("{}{end}{end}", before.tail.trim_end_matches(['\r', '\n']), end = self.line_end);
                before.tail = Cow::Owned(tail);
            }
        }
        let (is_dated, is_outside) = (cell.is_dated(), self.under == Under::None && cell.is_entry());
        let number = self.cells.len();
        let key = cell.key.clone();
        self.cells.push(cell);
        if let Some(key) = key {
            self.add_key(&key, number);
        }
        self.order.insert(at, number);
        self.section_end = self.section_end.map(|end| end + usize::from(at <= end));
        let grown = |(first, last): (usize, usize)| {
            (if is_dated { first.min(at) } else { first + usize::from(at <= first) }, (last + 1).max(at + 1))
        };
        self.dated = match self.dated {
            None if is_dated => dated(self.from(0).map(|(_, cell)| cell), |_| true),
            range => range.map(grown),
        };
        self.outside = match self.outside {
            None if is_dated => dated(self.from(0).map(|(_, cell)| cell), |title| !title.says_more()),
            Some((_, last)) if is_outside && at <= last => self.outside.map(grown),
            range => range.map(|(first, last)| (first + usize::from(at <= first), last + usize::from(at < last))),
        };
        number
    }

    /// Where an entry goes without others that are dated.
    fn end_of_section(&self) -> usize {
        self.section_end.unwrap_or(self.order.len())
    }

    /// The cells from a place in the order of the file on.
    fn from(&self, first: usize) -> impl DoubleEndedIterator<Item = (usize, &Cell<'a>)> {
        let numbers = self.order.get(first..).unwrap_or_default();
        numbers.iter().enumerate().filter_map(move |(at, number)| Some((first + at, self.cells.get(*number)?)))
    }

    /// The place of the line of the template that says that there are no entries, if it is all that its section had, and an entry was put
    /// right behind it.
    fn placeholder(&self) -> Option<usize> {
        if self.kind != &squad::DECISIONS {
            return None;
        }
        let is_it = |cell: &Cell<'_>| {
            cell.kind == PartKind::Line && !cell.is_new() && cell.body.trim_matches(['_', '*', ' ']) == PLACEHOLDER
        };
        let (at, _) = self.from(0).find(|(_, cell)| is_it(cell))?;
        let (_, before) = self.from(at.checked_sub(1)?).next()?;
        let (_, behind) = self.from(at + 1).next()?;
        let has_gap = before.tail.matches('\n').count() > 1;
        let is_all = before.title().is_some() && has_gap && behind.is_new() && behind.is_entry();
        let mut old = self.from(at + 1).map(|(_, cell)| cell).filter(|cell| !cell.is_new());
        (is_all && old.next().is_none_or(|cell| cell.title().is_some())).then_some(at)
    }

    /// The text of the file, in which readers find each entry as it is in the file, and as it was put in.
    ///
    /// # Errors
    /// The files, by their numbers, with which they would not, as below an open code fence; none if an entry of the file itself is the
    /// reason.
    pub fn text(&self) -> Result<String, BTreeSet<usize>> {
        let placeholder = self.placeholder();
        let cells = || self.from(0).filter(|(at, _)| Some(*at) != placeholder).map(|(_, cell)| cell);
        let mut text = String::with_capacity(cells().map(|cell| cell.body.len() + cell.tail.len()).sum());
        for cell in cells() {
            text.push_str(&cell.body);
            text.push_str(&cell.tail);
        }
        if self.from(0).next_back().is_some_and(|(_, last)| last.is_new()) {
            // Nothing but a line end follows a new entry at the end. What the file had there stays.
            let end = text.trim_end().len();
            text.truncate(end);
            text.push_str(self.line_end);
        }
        read_back(&text, self.kind, &self.rejecting, cells()).map(|()| text)
    }
}

/// What the template of a ledger has where the first entry will be.
const PLACEHOLDER: &str = "No decisions recorded yet.";

/// The place of the first dated cell, and the place after the last cell in the section of the last one that is not prose of the file. A list
/// in a section without entries holds none: `## Governance`. Only sections whose title `counts` count; the title of the file always does.
fn dated<'c, 'a: 'c>(
    cells: impl Iterator<Item = &'c Cell<'a>>,
    counts: impl Fn(&Cell<'a>) -> bool,
) -> Option<(usize, usize)> {
    let (mut found, mut is_below, mut is_counted) = (None, false, true);
    for (at, cell) in cells.enumerate() {
        let is_title = cell.title().is_some();
        if is_title {
            is_counted = at == 0 || counts(cell);
        }
        is_below = is_counted && (cell.is_dated() || is_below && (cell.is_new() || !is_title));
        if is_below && (cell.kind != PartKind::Line || cell.is_new()) {
            found = Some((found.map_or(at, |(first, _)| first), at + 1));
        }
    }
    found
}

/// Whether dates go down more often than up, from an entry to the next. Those of entries that do not apply say nothing of the others.
fn is_newest_first(cells: &[Cell<'_>]) -> bool {
    let (mut up, mut down, mut before, mut is_rejected) = (0usize, 0usize, None, false);
    for cell in cells {
        if cell.title().is_some() {
            is_rejected = is_rejected_heading(&cell.body);
        }
        if let Some(moment) = cell.moment.filter(|_| !is_rejected) {
            up += usize::from(before.is_some_and(|before| before < moment));
            down += usize::from(before.is_some_and(|before| before > moment));
            before = Some(moment);
        }
    }
    down > up
}

/// Whether it is the title of a section that entries go to, also where that has none.
fn is_for_entries(cell: &Cell<'_>) -> bool {
    let title = cell.body.strip_prefix("## ").filter(|_| cell.is_start).map(|title| title.trim().to_lowercase());
    title.is_some_and(|title| SECTIONS.contains(&title.as_str()))
}

/// The end of the section for entries in a file without any; `None` if it has no such section.
fn section_end(cells: &[Cell<'_>]) -> Option<usize> {
    let start = cells.iter().position(is_for_entries)?;
    let next = cells.iter().skip(start + 1).position(|cell| {
        cell.kind == PartKind::Line && cell.is_start && (cell.body.starts_with("## ") || cell.body.starts_with("# "))
    });
    Some(next.map_or(cells.len(), |next| start + 1 + next))
}

#[cfg(test)]
mod tests;
