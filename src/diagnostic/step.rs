//! What a fix does, step by step.

use std::borrow::Cow;

use bstr::{BStr, BString};

use super::{Applicability, Edit};
use crate::text::Span;

/// What repairs one diagnostic: all of its steps or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How far to trust it.
    pub applicability: Applicability,
    /// What it does. The edits among them are in file order, without overlap.
    pub steps: Vec<Step>,
}

/// One thing that a fix does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Changes the file of the finding: adds the missing `---`.
    Edit(Edit),
    /// Puts text at the end of another file, or into a new one: entries go to `decisions-archive.md`. It is written before the
    /// file of the finding, so that a crash duplicates text and never loses it.
    Append {
        /// The file, relative to the root.
        path: BString,
        /// What comes after the text that is there.
        text: Passage,
    },
    /// Makes a file that is not there yet: a `.gitignore`, or the `learnings.md` of a member.
    Create {
        /// The file, relative to the root.
        path: BString,
        /// All of its text.
        text: Passage,
    },
    /// Removes a file from the index and leaves it on disk: a log that was committed.
    Untrack(BString),
}

impl From<Edit> for Step {
    fn from(edit: Edit) -> Self {
        Self::Edit(edit)
    }
}

impl Step {
    /// The path and the text, where it writes to a file by its path.
    pub fn written(&self) -> Option<(&BString, &Passage)> {
        match self {
            Self::Append { path, text } | Self::Create { path, text } => Some((path, text)),
            Self::Edit(_) | Self::Untrack(_) => None,
        }
    }
}

impl Fix {
    /// A repair by `edits`.
    pub fn of_edits(applicability: Applicability, edits: impl IntoIterator<Item = Edit>) -> Self {
        Self { applicability, steps: edits.into_iter().map(Step::Edit).collect() }
    }

    /// Its edits of the file of the finding.
    pub fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.steps.iter().filter_map(|step| if let Step::Edit(edit) = step { Some(edit) } else { None })
    }

    /// The files that it writes to by their paths, with the text that it writes.
    pub fn written(&self) -> impl Iterator<Item = (&BString, &Passage)> {
        self.steps.iter().filter_map(Step::written)
    }

    /// The files that it removes from the index.
    pub fn untracked(&self) -> impl Iterator<Item = &BString> {
        self.steps.iter().filter_map(|step| if let Step::Untrack(path) = step { Some(path) } else { None })
    }

    /// Whether it writes to other files than that of the finding, which is at `path`.
    pub fn reaches_beyond(&self, path: &BStr) -> bool {
        self.written().any(|(other, _)| *other != path)
    }

    /// All that it does, as edits of the file of the finding, which is at `path`: to make that file is to insert its text.
    /// `None` where it does more, or nothing.
    pub fn as_edits(&self, path: &BStr) -> Option<Vec<Cow<'_, Edit>>> {
        let edits = self.steps.iter().map(|step| match step {
            Step::Edit(edit) => Some(Cow::Borrowed(edit)),
            Step::Create { path: new, text } if new == path => Some(Cow::Owned(Edit::insert(0, text.of("")))),
            _ => None,
        });
        let edits: Vec<_> = edits.collect::<Option<_>>()?;
        (!edits.is_empty()).then_some(edits)
    }
}

/// Text for another file. It names the lines that move there; the text is made when the fix is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
    /// The line end of the file that it goes to.
    pub line_ending: &'static str,
}

/// A piece of a [`Passage`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// New text, such as the heading above archived entries.
    Text(String),
    /// Whole lines of the file of the finding, without the blank ones at their end. Each gets the line end of the other file.
    Lines(Span),
}

impl Passage {
    /// New text, and no line that moves.
    pub fn new(text: impl Into<String>, line_ending: &'static str) -> Self {
        Self { pieces: vec![Piece::Text(text.into())], line_ending }
    }

    /// Adds the lines at `span`, which move.
    pub fn push_lines(&mut self, span: Span) {
        self.pieces.push(Piece::Lines(span));
    }

    /// Adds new text.
    pub fn push(&mut self, new: &str) {
        self.extend([new]);
    }

    /// The lines that move, by their bytes in the file of the finding.
    pub fn moved(&self) -> impl Iterator<Item = Span> {
        self.pieces.iter().filter_map(|piece| if let Piece::Lines(span) = piece { Some(*span) } else { None })
    }

    /// The text; `source` is that of the file of the finding.
    pub fn of(&self, source: &str) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(new) => text.push_str(new),
                Piece::Lines(span) => {
                    for line in span.of(source).trim_end().lines() {
                        text.extend([line, self.line_ending]);
                    }
                }
            }
        }
        text
    }
}

/// Adds new text.
impl<'a> Extend<&'a str> for Passage {
    fn extend<T: IntoIterator<Item = &'a str>>(&mut self, new: T) {
        for new in new {
            match self.pieces.last_mut() {
                Some(Piece::Text(text)) => text.push_str(new),
                _ => self.pieces.push(Piece::Text(new.to_owned())),
            }
        }
    }
}
