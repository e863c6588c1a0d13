//! What a dialect says about one kind of its files.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;

use crate::formats::entries::{self, Entries};
use crate::text::Span;

/// A kind of file, such as `agents/*/history.md` in `.squad/`. There is one value for each kind, a `static` of its dialect.
pub struct FileKind {
    /// Its name, such as `history`.
    pub name: &'static str,
    /// The language of such a file.
    pub syntax: Syntax,
    /// Parses the text of such a file: what is in it beside headings and entries. No text is an error.
    pub parse: fn(&str) -> Box<dyn Body>,
}

/// The language of a file. It decides how a comment looks that suppresses findings, and whether there are entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Markdown, such as `decisions.md`. A comment is `<!-- … -->`.
    Markdown(EntryFormats),
    /// YAML, such as `team.yaml`. A comment is `# …`.
    Yaml,
    /// JSON, such as `reflections/x.json`. There are no comments.
    Json,
}

/// The formats of the entries in a Markdown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryFormats {
    /// No entries: `learnings.md`.
    None,
    /// SEM entries alone: a dated heading in a `SKILL.md` is a section.
    Sem,
    /// SEM entries and those from before SEM: `decisions.md`.
    SemAndLegacy,
}

impl FileKind {
    /// Markdown without entries. Only its headings are read. For `..FileKind::MARKDOWN`.
    pub const MARKDOWN: Self = Self { name: "", syntax: Syntax::Markdown(EntryFormats::None), parse: |_| Box::new(()) };

    /// Whether there can be SEM entries in such a file.
    pub fn holds_entries(&self) -> bool {
        matches!(self.syntax, Syntax::Markdown(EntryFormats::Sem | EntryFormats::SemAndLegacy))
    }

    /// Whether there can be entries from before SEM in such a file.
    pub fn holds_legacy(&self) -> bool {
        self.syntax == Syntax::Markdown(EntryFormats::SemAndLegacy)
    }

    /// The headings and entries in `text`, the text of such a file; none if it is not Markdown.
    pub fn entries(&self, text: &str) -> Entries {
        match self.syntax {
            Syntax::Markdown(EntryFormats::SemAndLegacy) => entries::parse(text),
            Syntax::Markdown(EntryFormats::Sem) => entries::parse(text).without_legacy(),
            // Only the outline matters where no entries can be.
            Syntax::Markdown(EntryFormats::None) => Entries::outline_of(text),
            Syntax::Yaml | Syntax::Json => Entries::default(),
        }
    }
}

impl fmt::Debug for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for FileKind {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FileKind {}

impl PartialOrd for FileKind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FileKind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name).then_with(|| std::ptr::from_ref(self).cmp(&std::ptr::from_ref(other)))
    }
}

/// What a parser made of a file, beside headings and entries. `Document::body` gives it back with its type.
pub trait Body: Any + fmt::Debug + Send + Sync {
    /// Where the parts begin that a person would name, such as a learning or a member: in bytes, in order. A change to such a
    /// part brings the findings in all of it. Headings and entries are such parts already.
    fn part_starts(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The files in it, such as the histories in a bundle: rules look at them as at any other file.
    fn embedded(&self) -> Vec<Embedded> {
        Vec::new()
    }

    /// The strings in it that say the same as one of these files. Rules look at one of them.
    fn copies(&self) -> &[Span] {
        &[]
    }
}

/// A file that is a string in a file of JSON.
#[derive(Debug)]
pub struct Embedded {
    /// Its kind.
    pub kind: &'static FileKind,
    /// The path that it has in a state root, such as `agents/keaton/history.md`.
    pub path: String,
    /// The string, with its quotes.
    pub literal: Span,
}

/// Headings and entries are all.
impl Body for () {}
