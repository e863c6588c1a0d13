//! What becomes of legacy entries by what the files alone say.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString};

use super::{Gather, Run, conversion};
use crate::convert::Confidence;
use crate::convert::file::Item;

/// The entries by the paths of the documents.
#[derive(Debug)]
pub struct Conversions(BTreeMap<BString, Vec<Item>>);

/// See [`Conversions`].
pub type Fact = Conversions;

impl Gather for Conversions {
    fn gather(run: &Run<'_>) -> Self {
        let past = conversion::Past { origin: &|_| None, agents: &BTreeSet::new, lifetime: None, begin: &|| None };
        Self(conversion::convert(run, |_| true, Confidence::Medium, past).into_iter().collect())
    }
}

impl Conversions {
    /// What becomes of the legacy entries in the document at `path`.
    pub fn at(&self, path: &BStr) -> &[Item] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }
}
