//! On which day a line was committed.

use std::sync::PoisonError;

use bstr::ByteSlice;
use jiff::civil::Date;

use super::Facts;
use crate::document::Document;
use crate::options::Options;
use crate::text::ColumnUnit;

impl Facts<'_> {
    /// The day on which the line of `document` that holds the byte `at` was committed. `None` for a line that no commit
    /// brought, where the history is cut off or not there, and where nobody asked for what only history tells
    /// ([`Options::history`]): to look through it is the dearest thing that a rule can ask for. A file is looked through
    /// once, however many of its lines are asked for.
    pub fn committed_on(&self, document: &Document<'_>, at: usize, options: &Options) -> Option<Date> {
        let git = self.guard.as_ref()?.input().repository.git.as_ref().filter(|_| options.history)?;
        let (path, source) = (document.source.path(), document.source);
        let mut known = self.blames.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(path) {
            // Where the history cannot be read a fix is missing, and nothing is taken to be right for it.
            known.insert(path.to_owned(), git.blame(path.as_bstr(), source.bytes()).unwrap_or_default());
        }
        known.get(path)?.day(source.position(at, ColumnUnit::Byte).line)
    }
}
