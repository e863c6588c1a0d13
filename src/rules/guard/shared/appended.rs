//! Lines at the end of a `.gitignore`.

use super::ignore::blocks;
use crate::diagnostic::{Passage, Step};
use crate::facts::Run;

/// The steps of a fix for another file that add `lines` to the `.gitignore` at the top, where they go to its end.
pub fn appended(run: &Run<'_>, lines: &[String]) -> Vec<Step> {
    if lines.is_empty() || run.changes().is_some() {
        return Vec::new();
    }
    let source = run.read_or_new(".gitignore".into());
    let at_end = |step: Step| match step {
        Step::Edit(edit) if edit.span.start() == source.text().len() => {
            let text = Passage::new(edit.content, source.line_ending());
            Some(Step::Append { path: source.path().into(), text })
        }
        Step::Edit(_) => None,
        step => Some(step),
    };
    blocks(&source, lines).into_iter().map(at_end).collect::<Option<_>>().unwrap_or_default()
}
