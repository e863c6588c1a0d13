//! Findings that someone has checked and wants to keep: comments in the files that silence a rule at one place, or in the
//! whole file.
//!
//! `<!-- squad-lint: ignore RULE, RULE -- reason -->` on a line of its own applies to what follows: the entry whose heading is
//! next, the list item, the code block or table, else the line. `ignore-file` at the top of the file applies to all of it.
//! In YAML and ignore files the comment is `# squad-lint: ignore …`. A rule may be a rule, a family, or `all`.

pub mod add;
mod comment;
mod filter;
mod find;
mod place;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::Diagnostic;
use crate::text::Span;

pub use filter::Filter;
pub use find::{in_hash_comments, in_markdown};
pub use place::{Place, place_of};

/// One comment that suppresses findings, or was meant to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The comment, from its first byte to its last.
    pub comment: Span,
    /// The bytes that go away with it: its line with the line end, and a blank line that it leaves doubled.
    pub line: Span,
    /// The names of the rules and families, in the order given.
    pub names: Vec<Span>,
    /// The reason; empty for none.
    pub reason: Span,
    /// Whether it was written as `ignore-file`.
    pub whole_file: bool,
    /// What it applies to, other suppressions above that included; the whole text where it applies to the file.
    pub target: Span,
    /// Why it applies to nothing.
    pub problem: Option<Problem>,
}

/// What is wrong with a comment that was meant to suppress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: ProblemKind,
}

/// The ways in which such a comment goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Other text is on its line.
    NotAlone,
    /// It does not end on its line.
    Unclosed,
    /// No `:` after `squad-lint`.
    NoColon,
    /// Neither `ignore` nor `ignore-file`.
    UnknownWord,
    /// It names no rule.
    NoRule,
    /// Words after a rule that neither `,` nor `--` parts from it.
    Words,
    /// `ignore-file` below other text.
    NotAtTop,
}

/// A finding that is not reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// What keeps it silent.
    pub by: By,
}

/// What keeps a finding silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A comment in its file, with the reason that it gives; empty for none.
    Comment {
        /// The comment.
        comment: Span,
        /// Its reason.
        reason: String,
    },
    /// The baseline.
    Baseline,
}

/// A comment with names that suppress nothing.
#[derive(Clone, Copy)]
pub struct Unused<'a> {
    /// The text of its file.
    pub text: &'a str,
    /// The comment.
    pub suppression: &'a Suppression,
    /// The names that no finding needed.
    pub names: &'a [Span],
    /// Whether the rule of that name ran.
    pub ran: &'a dyn Fn(&str) -> bool,
}

/// Whether `name`, as a suppression gives it, means the rule `rule`.
pub fn covers(name: &str, rule: &str) -> bool {
    name == rule || name == "all" || rule.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether the file at `path` has comments after `#` and no others, by its name.
pub fn has_hash_comments(path: &BStr) -> bool {
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let extension = name.rsplit_str(".").next().unwrap_or_default();
    matches!(extension, b"yaml" | b"yml" | b"gitignore" | b"npmignore" | b"gitattributes" | b"dockerignore")
}
