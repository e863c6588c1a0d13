//! How many SEM entries each author has written.

use std::collections::BTreeMap;

use squad_lint::facts::{Gather, Run};
use squad_lint::formats::sem::Entry;

/// The number of entries by author, as the entries write the name.
#[derive(Debug)]
pub struct Fact(BTreeMap<String, usize>);

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let mut authors = BTreeMap::new();
        for document in run.documents {
            for author in document.entries.sem(document.text()).filter_map(Entry::author) {
                *authors.entry(author.to_owned()).or_insert(0) += 1;
            }
        }
        Self(authors)
    }
}

impl Fact {
    /// The number of entries by `author`; 0 for one who has written none.
    pub fn entries_by(&self, author: &str) -> usize {
        self.0.get(author).copied().unwrap_or_default()
    }
}
