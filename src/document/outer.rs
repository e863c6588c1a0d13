//! The file around another one.

use std::sync::Arc;

use crate::formats::json::Places;
use crate::text::{ColumnUnit, Source};

/// A file with another one in it.
#[derive(Debug)]
pub(super) struct Outer {
    pub(super) source: Arc<Source>,
    /// Where the text of the inner file is in it.
    pub(super) places: Arc<Places>,
}

impl Outer {
    /// Where the byte `at` of the inner file is. All of that file is on one line, so that the line alone says little.
    pub(super) fn place_in_words(&self, at: usize) -> String {
        let place = self.source.position(self.places.span(at, at).start(), ColumnUnit::Char);
        format!("line {}, column {}", place.line, place.column)
    }
}
