//! The files with entries beside those to check: rules compare entries with theirs.

use std::sync::Arc;

use bstr::{BString, ByteSlice};
use rayon::prelude::*;

use super::{Gather, Run, files};
use crate::document::Document;
use crate::select::read_error::ReadError;
use crate::select::selected::Selected;
use crate::text::Source;

/// The files, and the order in which they and the documents are looked through.
#[derive(Debug)]
pub struct Context {
    files: Vec<Arc<Document>>,
    order: Vec<Located>,
}

/// See [`Context`].
pub type Fact = Context;

/// Where a file with entries is found.
#[derive(Clone, Copy, Debug)]
enum Located {
    /// Its place among the documents.
    Document(usize),
    /// Its place among the other files.
    Context(usize),
}

impl Gather for Context {
    fn gather(run: &Run<'_>) -> Self {
        Self::new(run, wanted(run).into_iter().filter_map(|file| parse(run, &file)).collect())
    }

    fn gather_in_parallel(run: &Run<'_>) -> Self {
        Self::new(run, wanted(run).into_par_iter().filter_map(|file| parse(run, &file)).collect())
    }
}

/// The files with entries that are not to be checked, as names.
fn wanted(run: &Run<'_>) -> Vec<Selected> {
    let is_checked = |path: &BString| run.document_at(path.as_ref()).is_some();
    let others = files::all(run).iter().filter(|file| !file.checked && file.kind.holds_entries());
    others.filter(|file| !is_checked(&file.path)).cloned().collect()
}

/// The document of `file`: the one that is checked, if it is.
pub(crate) fn document_of(run: &Run<'_>, file: &Selected) -> Option<Arc<Document>> {
    match run.documents.binary_search_by(|document| document.path().cmp(file.path.as_bstr())) {
        Ok(at) => run.documents.get(at).cloned(),
        Err(_) => parse(run, file),
    }
}

/// Parses a file that is not one of the documents. What cannot be read is reported where the file itself is checked.
pub(crate) fn parse(run: &Run<'_>, file: &Selected) -> Option<Arc<Document>> {
    match run.load(file) {
        Ok(document) => Some(document),
        Err(ReadError::Git(error)) => {
            run.fail(error);
            None
        }
        Err(_) => None,
    }
}

impl Context {
    fn new(run: &Run<'_>, files: Vec<Arc<Document>>) -> Self {
        let context = (0..files.len()).map(Located::Context);
        let order: Vec<Located> = context.chain((0..run.documents.len()).map(Located::Document)).collect();
        let mut context = Self { files, order };
        // In a change what it leaves alone comes first: of two equals the new one is too many.
        if run.changes().is_none() {
            let mut order = std::mem::take(&mut context.order);
            order.sort_by_key(|at| context.at(run, *at).map(|document| document.source.path()));
            context.order = order;
        }
        context
    }

    /// How many files with entries there are, documents included.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The file at this place in the order.
    pub(super) fn document<'r>(&'r self, run: &Run<'r>, index: usize) -> Option<&'r Document> {
        self.at(run, *self.order.get(index)?)
    }

    fn at<'r>(&'r self, run: &Run<'r>, at: Located) -> Option<&'r Document> {
        match at {
            Located::Document(index) => run.documents.get(index).map(Arc::as_ref),
            Located::Context(index) => self.files.get(index).map(Arc::as_ref),
        }
    }

    /// All documents in their order.
    pub(super) fn documents(&self, run: &Run<'_>) -> Vec<Arc<Document>> {
        let document = |at: &Located| match *at {
            Located::Document(index) => run.documents.get(index).cloned(),
            Located::Context(index) => self.files.get(index).cloned(),
        };
        self.order.iter().filter_map(document).collect()
    }

    /// The texts of the files.
    pub(super) fn into_sources(self) -> Vec<Arc<Source>> {
        self.files.iter().map(|document| document.source.clone()).collect()
    }
}
