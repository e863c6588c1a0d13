//! What is wrong in a configuration.

use std::ops::Range;

/// What is wrong in a text, where, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) message: String,
    pub(super) span: Option<Range<usize>>,
    pub(super) help: String,
}

impl Problem {
    /// The problem at `span`: what was found and what was expected, and what to do.
    pub(super) fn at(span: Range<usize>, message: String, help: impl Into<String>) -> Self {
        Self { message, span: Some(span), help: help.into() }
    }
}
