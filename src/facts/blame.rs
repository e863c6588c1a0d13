//! On which day a line was committed.

use bstr::BStr;
use jiff::civil::Date;

use super::{GatherAt, Run};
use crate::document::Document;
use crate::git::blame::Blame;
use crate::text::ColumnUnit;

/// The days of the lines of one document.
pub type Fact = Blame;

impl GatherAt for Fact {
    /// `path` is that of a document. Where the history cannot be read a fix is missing, and nothing wrong is reported.
    fn gather(run: &Run<'_>, path: &BStr) -> Self {
        let git = run.input.repository.git.as_ref().zip(run.document_at(path));
        git.and_then(|(git, document)| git.blame(path, document.source.bytes()).ok()).unwrap_or_default()
    }
}

/// The day on which the line of `document` that holds the byte `at` was committed. `None` for a line that is not committed,
/// where the history is cut off or missing, and where no fix that needs history is asked for
/// ([`Options::history`](crate::options::Options::history)): blame is the most expensive thing that a rule can ask for.
pub fn committed_on(run: &Run<'_>, document: &Document, at: usize) -> Option<Date> {
    if !run.options.history {
        return None;
    }
    let line = document.source.position(at, ColumnUnit::Byte).line;
    run.blame(document.source.path()).day(line)
}
