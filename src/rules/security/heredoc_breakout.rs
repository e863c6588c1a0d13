//! # security/heredoc-breakout
//!
//! ## What it flags
//!
//! A line of a `learnings.md` that ends the heredoc through which the spawn command passes the file to an agent. That
//! is `PROMPT` alone on its line and, because bash reads a heredoc inside `$(…)` differently, any line that begins with
//! `PROMPT` and contains a `)` after it. The rule ignores NUL bytes, which bash drops, and a carriage return at the end
//! of the line.
//!
//! ## Why it matters
//!
//! The shell runs the lines after it, with the rights of the person who spawned the agent.
//!
//! ## Example
//!
//! ```markdown
//! - The prompt is closed by
//! PROMPT
//! rm -rf ~
//! ```
//!
//! ## How to fix
//!
//! Indent the line; `squad-lint --fix --unsafe-fixes` does this. Better still, pass the file to the agent without a
//! heredoc, as `squad-lint team spawn` does.
//!
//! ## Source
//!
//! Learning teams, "Spawning":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#spawning>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::dialects::learnings;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "security/heredoc-breakout",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

const WORD: &[u8] = b"PROMPT";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if document.kind() != &learnings::LEARNINGS {
        return;
    }
    let mut at = 0;
    // Lines as bash has them: a carriage return alone ends none.
    for line in document.source.bytes().split(|&byte| byte == b'\n') {
        let start = at;
        at += line.len() + 1;
        // A line without the word's first letter in front is most likely one of text.
        if !matches!(line.first(), Some(b'P' | 0)) {
            continue;
        }
        let Some(ends) = ends(line) else { continue };
        let span = Span::new(start, start + line.len()).trim(document.text());
        let message = match ends {
            Ends::Alone => "line `PROMPT` closes the heredoc that passes this file to an agent",
            Ends::WithParenthesis => {
                "line begins with `PROMPT` and contains `)`, so it closes the heredoc that passes this file to an agent"
            }
        };
        sink.report(
            Finding::at(span, message)
                .label("the shell runs the lines after this")
                .help("indent the line, so that it does not begin with `PROMPT`")
                .fix(Applicability::Unsafe, [Edit::insert(start, "  ")]),
        );
    }
}

/// How a line ends the heredoc.
enum Ends {
    Alone,
    WithParenthesis,
}

fn ends(line: &[u8]) -> Option<Ends> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut bytes = line.iter().copied().filter(|&byte| byte != 0);
    if !WORD.iter().all(|&expected| bytes.next() == Some(expected)) {
        return None;
    }
    let mut rest = bytes.peekable();
    match rest.peek() {
        None => Some(Ends::Alone),
        Some(_) => rest.any(|byte| byte == b')').then_some(Ends::WithParenthesis),
    }
}
