//! A line of a text with its mark, and the block that it is in.

use super::tag::{Announced, Reach};
use crate::text::Span;

/// One line of a text, or a heading of two lines. There can be millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Its bytes, with the line end.
    pub(super) span: Span,
    /// Its level, if Markdown shows it as a heading; 0 for another line.
    pub(super) level: u8,
    /// What it is marked as, itself or by its section or list item.
    pub(super) reach: Option<Reach>,
    /// Whether the mark is in this line.
    pub(super) has_mark: bool,
    /// What it is in.
    pub(super) place: Place,
    /// Whether it is in a portable section, unless something that only looks like a heading has ended that, or is in the same block.
    pub(super) is_in_doubt: bool,
}

/// What a line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A portable item.
    Item,
    /// A block that something closes.
    Block,
    /// None of both.
    Text,
}

/// The marks that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// Sections and tags, in a history.
    All,
    /// Likewise, and what raises a doubt counts as `[local]`.
    Strict,
    /// The sections `## Project Context` alone.
    ProjectContext,
}

/// A block that is open: front matter, a code fence or a comment.
pub(super) struct OpenBlock {
    /// The number of its first line.
    pub(super) first: usize,
    /// Whether it is a comment or the like.
    pub(super) is_comment: bool,
    pub(super) is_code: bool,
    /// The number of the first line in it that is local, if nothing closes it: a title reaches what is behind it, and a tag all of it.
    pub(super) mark: Option<usize>,
    /// What it says of what is behind it.
    pub(super) announces: Announced,
    /// Whether something in it looks like a heading: then it may be two blocks that were not closed, with a section between them.
    pub(super) has_heading: bool,
}
