//! Which learnings say the same.

use crate::document::Document;
use crate::formats::learnings::Entry;
use crate::options::Options;
use crate::text::similarity::{self, Pair};

/// The entries of a `learnings.md` that share enough of their words to say the same, equal ones included, by their places
/// in [`Learnings::entries`](crate::formats::learnings::Learnings::entries). A placeholder is similar to nothing.
pub fn similar(document: &Document, options: &Options) -> Vec<Pair> {
    let Some(learnings) = document.loaded_learnings() else {
        return Vec::new();
    };
    let text = |entry: &Entry| if entry.placeholder { "" } else { entry.text.of(document.text()) };
    let texts: Vec<&str> = learnings.entries.iter().map(text).collect();
    similarity::pairs(&texts, options.learnings.similarity_threshold.fraction())
}
