//! Fixes as reports show them: edits that other programs may make, and in words what goes beyond the file.

use std::borrow::Cow;

use bstr::BStr;

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Passage, Step};
use crate::terminal::display_path;
use crate::text::prose::{enumerated, plural};
use crate::text::{ColumnUnit, Source, Span};

/// How many stretches of lines a description names.
const NAMED: usize = 10;

/// The edits by which another program may apply a fix of a finding at `path`. `None` where a part of it lies in another file or in
/// the index: text that moves must not be deleted alone.
pub(super) fn edits_for_others<'a>(fix: &'a Fix, path: &BStr) -> Option<Vec<Cow<'a, Edit>>> {
    fix.as_edits(path).filter(|_| fix.applicability != Applicability::Manual)
}

/// What the fix does beyond the edits of the finding's own file: ``move lines 3–10 to `archive.md` ``. `None` where that is
/// nothing.
pub(super) fn beyond(diagnostic: &Diagnostic, source: Option<&Source>) -> Option<String> {
    let fix = diagnostic.fix.as_ref()?;
    let mut parts = Vec::new();
    for step in &fix.steps {
        match step {
            Step::Append { path, text } | Step::Create { path, text } if *path != diagnostic.path => {
                let path = display_path(path);
                parts.push(match source.map(|source| stretches(text, source)).filter(|lines| !lines.is_empty()) {
                    Some(lines) => format!("move {} to `{path}`", said(&lines)),
                    None => format!("create `{path}`"),
                });
            }
            Step::Edit(_) | Step::Append { .. } | Step::Create { .. } | Step::Untrack(_) => {}
        }
    }
    let untracked = fix.untracked().count();
    if untracked > 0 {
        parts.push(format!("take {} out of the index", plural(untracked, "file")));
    }
    (!parts.is_empty()).then(|| enumerated(&parts))
}

/// The first and the last line of `span` in `source`, from 1; blank lines at its end do not count.
pub(super) fn lines(span: Span, source: &Source) -> (usize, usize) {
    let last = span.of(source.text()).trim_end().len().saturating_sub(1);
    let line = |at: usize| source.position(at, ColumnUnit::Byte).line;
    (line(span.start()), line(span.start() + last))
}

/// The stretches of lines that move, where blank lines part none.
fn stretches(text: &Passage, source: &Source) -> Vec<(usize, usize)> {
    let mut spans: Vec<Span> = Vec::new();
    for span in text.moved() {
        match spans.last_mut() {
            Some(last)
                if last.end <= span.start && source.slice(Span::new(last.end(), span.start())).trim().is_empty() =>
            {
                *last = last.to(span);
            }
            _ => spans.push(span),
        }
    }
    spans.into_iter().map(|span| lines(span, source)).collect()
}

/// `line 3`, or `lines 3–10 and 14`.
fn said(stretches: &[(usize, usize)]) -> String {
    let one =
        |&(first, last): &(usize, usize)| if first == last { format!("{first}") } else { format!("{first}–{last}") };
    let mut named: Vec<String> = stretches.iter().take(NAMED).map(one).collect();
    if let Some(more) = stretches.len().checked_sub(NAMED).filter(|more| *more > 0) {
        named.push(format!("{more} more"));
    }
    let is_one = matches!(stretches, [(first, last)] if first == last);
    format!("{} {}", if is_one { "line" } else { "lines" }, enumerated(&named))
}
