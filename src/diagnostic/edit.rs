//! A change of bytes, and how far it may be trusted.

use serde::Serialize;

use crate::text::Span;

/// How far a fix may be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// The meaning is kept.
    Safe,
    /// A person should look at the result.
    Unsafe,
    /// Advice: never applied by the program.
    Manual,
}

impl Applicability {
    /// The lower-case word: `safe`, `unsafe` or `manual`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Manual => "manual",
        }
    }
}

/// Replaces the bytes of `span` by `content`, in the file of the diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes away; empty to insert.
    pub span: Span,
    /// What comes in its place.
    pub content: String,
}

impl Edit {
    /// Puts `content` in the place of `span`.
    pub fn replace(span: Span, content: impl Into<String>) -> Self {
        Self { span, content: content.into() }
    }

    /// Puts `content` before the byte `at`.
    pub fn insert(at: usize, content: impl Into<String>) -> Self {
        Self::replace(Span::at(at), content)
    }

    /// Takes `span` away.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// `text` after the edit; as it is where the span does not fit it.
    pub fn applied_to(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.span.start()), text.get(self.span.end()..));
        before.zip(after).map_or_else(|| text.to_owned(), |(before, after)| [before, &self.content, after].concat())
    }
}
