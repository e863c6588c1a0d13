//! The parts of one comment: `squad-lint: ignore RULE, RULE -- reason`.

use super::{Problem, ProblemKind};
use crate::text::Span;

/// The word by which a comment is known.
pub(super) const WORD: &str = "squad-lint";

/// A comment that is in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    pub names: Vec<Span>,
    pub reason: Span,
    pub whole_file: bool,
}

/// Reads `inner`, the text of a comment without its delimiters; `None` for a comment about something else.
pub(super) fn read(text: &str, inner: Span) -> Option<Result<Comment, Problem>> {
    let inner = inner.trim(text);
    let rest = inner.of(text).strip_prefix(WORD)?;
    let after = Span::new(inner.start() + WORD.len(), inner.end());
    if rest.starts_with(':') {
        return Some(directive(text, Span::new(after.start() + 1, after.end())));
    }
    // A comment may well begin with the program's name; one that then says `ignore` wants to suppress.
    let meant = rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with("ignor");
    meant.then_some(Err(Problem { span: inner, kind: ProblemKind::NoColon }))
}

fn directive(text: &str, span: Span) -> Result<Comment, Problem> {
    let span = span.trim(text);
    let words = span.of(text);
    let len = words.find(char::is_whitespace).unwrap_or(words.len());
    let word = Span::new(span.start(), span.start() + len);
    let whole_file = match word.of(text) {
        "ignore" => false,
        "ignore-file" => true,
        _ => return Err(Problem { span: if word.is_empty() { span } else { word }, kind: ProblemKind::UnknownWord }),
    };
    let (list, reason) = parted(text, Span::new(word.end(), span.end()));
    let names = names(text, list)?;
    if names.is_empty() {
        return Err(Problem { span: word, kind: ProblemKind::NoRule });
    }
    Ok(Comment { names, reason, whole_file })
}

/// The rules, and the reason after the first `--` that is between blanks.
fn parted(text: &str, span: Span) -> (Span, Span) {
    let inner = span.of(text);
    let is_blank =
        |at: Option<usize>| at.and_then(|at| inner.as_bytes().get(at)).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let dashes = memchr::memmem::find_iter(inner.as_bytes(), "--");
    let found = dashes.into_iter().find(|&at| is_blank(at.checked_sub(1)) && is_blank(Some(at + 2)));
    let (end, start) = found.map_or((inner.len(), inner.len()), |at| (at, at + 2));
    let at = |offset: usize| span.start() + offset;
    (Span::new(at(0), at(end)).trim(text), Span::new(at(start), at(inner.len())).trim(text))
}

fn names(text: &str, list: Span) -> Result<Vec<Span>, Problem> {
    let mut names = Vec::new();
    let mut at = list.start();
    for part in list.of(text).split(',') {
        let name = Span::new(at, at + part.len()).trim(text);
        at += part.len() + 1;
        if name.of(text).contains(char::is_whitespace) {
            return Err(Problem { span: name, kind: ProblemKind::Words });
        }
        if !name.is_empty() {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::type_complexity, reason = "told apart at once")]
    fn read_all(text: &str) -> Option<Result<(Vec<&str>, &str, bool), (&str, ProblemKind)>> {
        let read = read(text, Span::new(0, text.len()))?;
        Some(match read {
            Ok(comment) => Ok((
                comment.names.iter().map(|name| name.of(text)).collect(),
                comment.reason.of(text),
                comment.whole_file,
            )),
            Err(problem) => Err((problem.span.of(text), problem.kind)),
        })
    }

    #[test]
    fn what_a_comment_says() {
        let ok = |text| read_all(text).unwrap().unwrap();
        assert_eq!(ok(" squad-lint: ignore sem/expired "), (vec!["sem/expired"], "", false));
        assert_eq!(
            ok("squad-lint:ignore-file sem , legacy/entry -- old: see --help, ok"),
            (vec!["sem", "legacy/entry"], "old: see --help, ok", true)
        );
        assert_eq!(ok("squad-lint: ignore a--b,\t-- "), (vec!["a--b"], "", false));
    }

    #[test]
    fn what_is_wrong_with_it() {
        let error = |text| read_all(text).unwrap().unwrap_err();
        assert_eq!(error("squad-lint ignore sem"), ("squad-lint ignore sem", ProblemKind::NoColon));
        assert_eq!(error("squad-lint: disable sem"), ("disable", ProblemKind::UnknownWord));
        assert_eq!(error("squad-lint:"), ("", ProblemKind::UnknownWord));
        assert_eq!(error("squad-lint: ignore -- why"), ("ignore", ProblemKind::NoRule));
        assert_eq!(error("squad-lint: ignore sem, a because"), ("a because", ProblemKind::Words));
        assert_eq!(read_all("squad-lint is a program"), None);
        assert_eq!(read_all("squad-linter: ignore sem"), None);
        assert_eq!(read_all("markdownlint-disable"), None);
    }
}
