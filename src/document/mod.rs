//! One file that was read and parsed, as rules see it.

mod compare;
mod conflicts;
mod embedded;
mod known;
mod outer;
mod read;
pub mod store;
pub mod touched;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, ByteSlice};

pub use self::known::KnownEntry;

use self::outer::Outer;
use self::touched::Touched;
use crate::dialects::learnings::LEARNINGS;
use crate::dialects::{Body, FileKind, Syntax};
use crate::formats::entries::{Entries, Wanted, parse_wanted};
use crate::formats::learnings::Learnings;
use crate::git::lines::Hunk;
use crate::select::selected::Selected;
use crate::suppress::{self, Suppression};
use crate::text::conflict::{self, Conflict};
use crate::text::tokens::Tokens;
use crate::text::{ColumnUnit, Source, Span};

/// A file as it was before the change that is checked.
#[derive(Debug)]
pub struct Before {
    /// Its size in bytes; 0 for a file that the change adds.
    pub size: u64,
    /// Its text; `None` for a file that was too large to read.
    pub source: Option<Arc<Source>>,
    /// Where it differs from the file after the change; `None` if the two were not compared.
    pub hunks: Option<Vec<Hunk>>,
}

/// What a cap makes of a file that exceeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ratchet {
    /// It is judged as any file, or the change took it over the cap.
    Over,
    /// It was over the cap already, and grows.
    Grows,
    /// It was over the cap already, and does not grow.
    Holds,
}

/// One file that was read and parsed. It owns all its parts and never changes, so that checks can share it.
#[derive(Debug)]
pub struct Document {
    /// Which file it is.
    pub file: Selected,
    /// Its text.
    pub source: Arc<Source>,
    /// Its blocks.
    pub entries: Entries,
    /// The file before the change that is checked; `None` for a file that is checked as it is.
    pub before: Option<Before>,
    /// What the change touched; `None` if every finding counts.
    pub touched: Option<Touched>,
    /// The file that it is a part of; `None` for a file of its own.
    outer: Option<Outer>,
    body: Box<dyn Body>,
    known: OnceLock<Vec<KnownEntry>>,
    tokens: OnceLock<Tokens>,
    suppressions: OnceLock<Vec<Suppression>>,
    conflicts: OnceLock<Vec<Conflict>>,
}

impl Document {
    /// The one of `found` to show: the first that the change touches, else the first.
    pub fn shown<'f, T>(&self, found: &'f [T], place: impl Fn(&T) -> Span) -> Option<&'f T> {
        let is_touched = |one: &&T| self.touched.as_ref().is_none_or(|touched| touched.overlaps(place(one)));
        found.iter().find(is_touched).or(found.first())
    }

    /// How many tokens agents load with it, about.
    pub fn tokens(&self) -> Tokens {
        *self.tokens.get_or_init(|| Tokens::about(self.text()))
    }

    /// Parses `source`, the text of `file`. No text is an error.
    pub fn parse(file: Selected, source: Arc<Source>) -> Self {
        let text = source.text();
        let (entries, body) = (file.kind.entries(text), (file.kind.parse)(text));
        Self::of(file, source, entries, body)
    }

    /// Parses those parts of `source`, the text of `file`, that are `wanted`: in the others it has no entries. A text with a conflict
    /// is parsed whole: what is in the conflict depends on its markers, wherever they are.
    pub fn parse_wanted(file: Selected, source: Arc<Source>, wanted: &dyn Wanted) -> Self {
        let text = source.text();
        let entries = match file.kind.holds_entries() {
            _ if conflict::all(text.as_bytes()).next().is_some() => None,
            true if file.kind.holds_legacy() => parse_wanted(text, wanted),
            true => parse_wanted(text, wanted).map(Entries::without_legacy),
            false => (!wanted.has(text)).then(Entries::default),
        };
        match entries {
            Some(entries) => Self { entries, ..Self::unparsed(file, source) },
            None => Self::parse(file, source),
        }
    }

    /// The same for `source`, an excerpt of `file` with the parts that are `wanted`; `None` if it is none, or if only the whole text tells
    /// what they are.
    pub fn parse_excerpt(file: &Selected, source: &Arc<Source>, wanted: &dyn Wanted) -> Option<Self> {
        let entries = source.is_excerpt().then(|| parse_wanted(source.text(), wanted))??;
        // What entries from before SEM are depends on each other.
        let is_whole = file.kind.holds_legacy() && entries.legacy().next().is_some();
        (!is_whole).then(|| Self { entries: entries.without_legacy(), ..Self::unparsed(file.clone(), source.clone()) })
    }

    /// `source`, the text of `file`, in which nothing is looked for.
    pub fn unparsed(file: Selected, source: Arc<Source>) -> Self {
        Self::of(file, source, Entries::default(), Box::new(()))
    }

    fn of(file: Selected, source: Arc<Source>, entries: Entries, body: Box<dyn Body>) -> Self {
        Self {
            file,
            source,
            entries,
            body,
            before: None,
            touched: None,
            outer: None,
            known: OnceLock::new(),
            tokens: OnceLock::new(),
            suppressions: OnceLock::new(),
            conflicts: OnceLock::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Where the byte `at` is, as a message says it: `line 12`. All of a text in a bundle is on one line of the bundle: `line 3,
    /// column 840`.
    pub fn place_in_words(&self, at: usize) -> String {
        match &self.outer {
            None => format!("line {}", self.source.position(at, ColumnUnit::Char).line),
            Some(outer) => outer.place_in_words(at),
        }
    }

    /// Whether it is a text in another file, in which signs such as `"` are written with a backslash.
    pub fn is_embedded(&self) -> bool {
        self.outer.is_some()
    }

    /// The path, relative to the root of the repository.
    pub fn path(&self) -> &BStr {
        self.source.path()
    }

    /// The kind of file it is.
    pub fn kind(&self) -> &'static FileKind {
        self.file.kind
    }

    /// What the parser of its kind made of it: the `Learnings` of a `learnings.md`, the `Manifest` of a `team.yaml`. `None`
    /// for a file whose parser returns another type.
    pub fn body<T: Body>(&self) -> Option<&T> {
        let body: &dyn Any = &*self.body;
        body.downcast_ref()
    }

    /// The state root that it lies in; empty if it lies in none.
    pub fn root(&self) -> &BStr {
        self.file.root.as_bstr()
    }

    /// The comments in it that suppress findings, read once, however often it is checked.
    pub fn suppressions(&self) -> &[Suppression] {
        self.suppressions.get_or_init(|| match self.kind().syntax {
            Syntax::Markdown(_) => suppress::in_markdown(self.text(), &self.entries),
            Syntax::Yaml => suppress::in_hash_comments(self.text()),
            Syntax::Json => self.inner_suppressions(),
        })
    }

    /// The learnings that a member loads, those of a `learnings.md`; `None` for those of its archive.
    pub fn loaded_learnings(&self) -> Option<&Learnings> {
        self.body().filter(|_| self.kind() == &LEARNINGS)
    }

    /// What a change makes of a file that has `now` of something and may have `cap`; `count` says how much of it a text has.
    /// A team with a file that is too large already can go on, and hears of it only when it makes it larger.
    pub fn ratchet(&self, cap: u64, now: u64, count: impl Fn(&Before) -> u64) -> Ratchet {
        match self.before.as_ref().map(count) {
            Some(before) if before > cap && now > before => Ratchet::Grows,
            Some(before) if before > cap => Ratchet::Holds,
            _ => Ratchet::Over,
        }
    }
}
