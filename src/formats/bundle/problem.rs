//! What is wrong with the JSON of a bundle.

use crate::text::Span;

/// A place where a bundle is not what tools expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The bytes in question; of a missing field, the `{` of the object that lacks it.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// The same in a few words.
    pub label: String,
    /// What to do.
    pub help: String,
    /// A second place, with a label.
    pub related: Option<(Span, &'static str)>,
}

/// What can be wrong. Each kind has a rule of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// It is not JSON: a trailing comma.
    InvalidJson,
    /// An object has a key twice: two agents `keaton`.
    DuplicateKey,
    /// A key is not there: no `casting`.
    MissingField,
    /// A value has another type: a list of agents.
    WrongType,
    /// A version that no tool reads: `"2.0"`.
    UnsupportedVersion,
    /// A key that programs take for a part of their language: `__proto__`.
    ReservedKey,
}

/// The start of `text` in one line, for a message: `a\u{0}b` for a NUL between two letters.
pub fn shortened(text: &str) -> String {
    const MAX: usize = 60;
    let mut start = String::new();
    let mut chars = text.chars();
    for c in chars.by_ref().take(MAX) {
        let is_shown = matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1;
        if is_shown { start.push(c) } else { start.extend(c.escape_unicode()) }
    }
    if chars.next().is_some() { format!("{start}…") } else { start }
}
