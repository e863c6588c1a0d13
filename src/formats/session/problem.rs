//! What is wrong in one file by itself.

use crate::text::Span;

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The YAML cannot be read, or readers disagree about it: a tab, a duplicate key.
    Yaml,
    /// A field that must be there is missing or empty.
    Missing,
    /// A value is not what its field takes: `progress_percentage: 120`.
    Value,
    /// A part of the protocol's template is left: `priority: high|medium|low`.
    Placeholder,
}

/// What is wrong at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub fault: Fault,
    /// The place.
    pub span: Span,
    /// Whether it is about the file as a whole, which has no text at that place.
    pub is_whole: bool,
    /// What was found and what was expected: lower case, no full stop.
    pub message: String,
    /// A few words for the place.
    pub label: String,
    /// What to do.
    pub help: String,
    /// A second place, with a few words.
    pub related: Option<(Span, &'static str)>,
}

impl Problem {
    /// A problem at `span`.
    pub(super) fn new(
        fault: Fault,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (message, label, help) = (message.into(), label.into(), help.into());
        Self { fault, span, is_whole: false, message, label, help, related: None }
    }
}
