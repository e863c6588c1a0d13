//! The sections that entries are in: the headings above an entry that hold it, as Markdown nests them.

use crate::formats::legacy;
use crate::text::Span;

/// A heading with entries below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its line, without its line end.
    pub line: Span,
    /// The number of `#`.
    pub level: u8,
    /// The section that it is in, by its place.
    parent: Option<u32>,
}

/// The sections of a file, and which entry is in which. There can be millions of headings: only those with entries are kept.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// In file order.
    all: Vec<Section>,
    /// Those that the walk is in, the innermost last.
    open: Vec<Open>,
    /// Those of the SEM entries, in file order.
    sem: Vec<Option<u32>>,
    /// Those of the legacy entries, in file order.
    legacy: Vec<Option<u32>>,
}

/// A section that the walk is in.
#[derive(Debug)]
struct Open {
    line: Span,
    level: u8,
    /// Its place, if an entry is below it.
    place: Option<u32>,
}

impl Sections {
    /// A heading that does not begin an entry. The title of a part of a document, such as `Context`, says nothing about the entries below
    /// it, unless it has no text of its own and `holds` them.
    pub(super) fn enter(&mut self, text: &str, line: Span, level: u8, holds: bool) {
        self.leave(level);
        if legacy::has_no_title(text, line) || !holds && legacy::is_part_of(text, line) {
            return;
        }
        self.open.push(Open { line, level, place: None });
    }

    /// An SEM entry begins.
    pub(super) fn note_sem(&mut self, level: u8) {
        let place = self.place(level);
        self.sem.push(place);
    }

    /// A legacy entry begins.
    pub(super) fn note_legacy(&mut self, level: u8) {
        let place = self.place(level);
        self.legacy.push(place);
    }

    /// Ends the sections from `level` on.
    pub(super) fn leave(&mut self, level: u8) {
        while self.open.pop_if(|open| open.level >= level).is_some() {}
    }

    /// The place of the section that an entry of that level is in.
    fn place(&mut self, level: u8) -> Option<u32> {
        self.leave(level);
        let mut parent = None;
        for open in &mut self.open {
            if open.place.is_none() {
                open.place = u32::try_from(self.all.len()).ok();
                self.all.push(Section { line: open.line, level: open.level, parent });
            }
            parent = open.place;
        }
        parent
    }

    /// Whether a section with entries begins there.
    pub(super) fn begins_at(&self, start: usize) -> bool {
        self.all.binary_search_by_key(&start, |section| section.line.start()).is_ok()
    }

    fn get(&self, place: u32) -> Option<&Section> {
        self.all.get(place as usize)
    }

    /// The section of an SEM entry, by its place among them.
    pub(super) fn of_sem(&self, at: usize) -> Option<u32> {
        self.sem.get(at).copied().flatten()
    }

    /// The section of a legacy entry, by its place among them.
    pub(super) fn of_legacy(&self, at: usize) -> Option<u32> {
        self.legacy.get(at).copied().flatten()
    }

    /// A section and those around it, the innermost first.
    pub(super) fn around(&self, place: Option<u32>) -> impl Iterator<Item = &Section> {
        std::iter::successors(place.and_then(|at| self.get(at)), |inner| self.get(inner.parent?))
    }
}
