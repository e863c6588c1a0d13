//! When a line was committed.

use bstr::BStr;
use jiff::civil::Date;

use super::{GatherAt, Run};
use crate::document::Document;
use crate::git::blame::Blame;
use crate::text::ColumnUnit;

/// The moments of the lines of one document.
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
    of(run, document, at, Blame::day)
}

/// In which second, since 1970, that line was committed; `None` for the same reasons.
pub fn second_of(run: &Run<'_>, document: &Document, at: usize) -> Option<i64> {
    of(run, document, at, Blame::second)
}

fn of<T>(run: &Run<'_>, document: &Document, at: usize, what: impl Fn(&Blame, usize) -> Option<T>) -> Option<T> {
    if !run.options.history {
        return None;
    }
    let line = document.source.position(at, ColumnUnit::Byte).line;
    what(&run.blame(document.source.path()), line)
}
