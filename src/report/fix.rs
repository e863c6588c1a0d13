//! Fixes as reports show them: edits that other programs may make, and in words what goes beyond the file.

use std::borrow::Cow;

use bstr::BStr;

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Passage, Step};
use crate::terminal::display_path;
use crate::text::mask::masked;
use crate::text::prose::{enumerated, plural};
use crate::text::{ColumnUnit, Source, Span};

/// How many files, and for each how many stretches of lines, a description names.
const NAMED: usize = 10;

/// The edits by which another program may apply a fix of a finding at `path`. `None` where a part of it lies in another file or in
/// the index: text that moves must not be deleted alone. `None` also where an edit writes a secret, which no report shows.
pub(super) fn edits_for_others<'a>(fix: &'a Fix, path: &BStr) -> Option<Vec<Cow<'a, Edit>>> {
    let edits = fix.as_edits(path).filter(|_| fix.applicability != Applicability::Manual)?;
    let is_shown = edits.iter().all(|edit| matches!(masked(&edit.content), Cow::Borrowed(_)));
    is_shown.then_some(edits)
}

/// What the fix does beyond the edits of the finding's own file: ``move lines 3–10 to `archive.md` ``. `None` where that is
/// nothing.
pub(super) fn beyond(diagnostic: &Diagnostic, source: Option<&Source>) -> Option<String> {
    let fix = diagnostic.fix.as_ref()?;
    let mut parts: Vec<String> = Vec::new();
    for step in &fix.steps {
        let Some((path, text)) = step.written().filter(|(path, _)| **path != diagnostic.path) else { continue };
        let path = display_path(path);
        let moved = source.map(|source| stretches(text, source)).unwrap_or_default();
        parts.push(match step {
            _ if !moved.is_empty() => format!("move {} to `{path}`", said(&moved)),
            Step::Create { .. } => format!("create `{path}`"),
            _ => format!("append to `{path}`"),
        });
    }
    if let Some(more) = parts.len().checked_sub(NAMED).filter(|more| *more > 0) {
        parts.truncate(NAMED);
        parts.push(format!("write {}", plural(more, "more file")));
    }
    let untracked = fix.untracked().count();
    if untracked > 0 {
        parts.push(format!("remove {} from the index", plural(untracked, "file")));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Finding, Piece, RuleId, Scope, Severity};

    const RULE: RuleId = RuleId { name: "memory/file-too-large", scope: Scope::Document };

    fn described(steps: Vec<Step>) -> Option<String> {
        let source = Source::new("a.md", b"one\n\ntwo\nthree\n\n\nfour\n".to_vec());
        let finding = Finding::whole_file("x").fix(Applicability::Unsafe, steps);
        beyond(&finding.into_diagnostic(RULE, Severity::Warning, "a.md".into()), Some(&source))
    }

    fn lines(spans: &[(usize, usize)]) -> Passage {
        let pieces = spans.iter().map(|&(start, end)| Piece::Lines(Span::new(start, end)));
        Passage { pieces: pieces.collect(), line_ending: "\n" }
    }

    #[test]
    fn what_goes_beyond_the_file_is_said_in_words() {
        let append = |text| Step::Append { path: "b.md".into(), text };
        let create = |path: &str| Step::Create { path: path.into(), text: Passage::new("x\n", "\n") };
        let says = |steps, expected: &str| assert_eq!(described(steps).as_deref(), Some(expected));
        says(vec![append(lines(&[(0, 5)]))], "move line 1 to `b.md`");
        says(vec![append(lines(&[(0, 5), (5, 17)]))], "move lines 1–4 to `b.md`");
        says(vec![append(lines(&[(0, 5), (17, 22)]))], "move lines 1 and 7 to `b.md`");
        says(vec![create("b.md"), Step::Untrack("c.log".into())], "create `b.md` and remove 1 file from the index");
        let many = (0..12).map(|number| create(&format!("{number}.md"))).collect();
        assert!(described(many).is_some_and(|text| text.ends_with("create `9.md` and write 2 more files")));
        assert_eq!(described(vec![Edit::insert(0, "x").into(), create("a.md")]), None);
    }
}
