//! What the rules about sessions have in common.

use crate::diagnostic::Finding;
use crate::formats::session::Problem;

/// The finding of `problem`.
pub(super) fn finding(problem: &Problem) -> Finding {
    if problem.is_whole {
        return Finding::whole_file(problem.message.as_str()).help(problem.help.as_str());
    }
    let finding =
        Finding::at(problem.span, problem.message.as_str()).label(problem.label.as_str()).help(problem.help.as_str());
    match problem.related {
        Some((span, words)) => finding.related(span, words),
        None => finding,
    }
}

/// `text` for a message: its first line, and not too much of it.
pub(super) fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
