//! # memory/replacement-character
//!
//! ## What it flags
//!
//! The replacement character U+FFFD (`�`) in text. The rule reports the first one of a file and counts the others. It
//! ignores code, the character in quotation marks or brackets, and lines that are about encodings.
//!
//! ## Why it matters
//!
//! A program that read the text in the wrong encoding wrote this character instead of another one, such as `é` or a
//! dash. The original character is lost, even in names and paths.
//!
//! ## Example
//!
//! ```markdown
//! **Requested by:** Jos�
//! ```
//!
//! ## How to fix
//!
//! Write the original character. `git log -p -- PATH` shows the line as it was before, unless the text was damaged from
//! the start.
//!
//! ## Source
//!
//! The Unicode Standard, chapter 3, "U+FFFD Substitution of Maximal Subparts":
//! <https://www.unicode.org/versions/latest/core-spec/chapter-3/>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::Syntax;
use crate::formats::markdown::lines_with;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;
use crate::text::prose::more_in_file;

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/replacement-character",
    severity: Severity::Warning,
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

/// The character.
const REPLACEMENT: &str = "\u{fffd}";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    if !matches!(document.kind().syntax, Syntax::Markdown(_)) || !has_replacement(text.as_bytes()) {
        return;
    }
    let lines = lines_with(text, REPLACEMENT, |_| true);
    let found: Vec<Span> = lines.into_iter().flat_map(|line| damage(text, line)).collect();
    let Some(first) = document.shown(&found, |span| *span) else { return };
    if context.is_unused() {
        return;
    }
    let more = more_in_file(found.len());
    sink.report(
        Finding::at(*first, format!("text contains U+FFFD in place of a lost character{more}"))
            .help("retype the character that was here"),
    );
}

/// Whether the character is in `bytes`. Its first byte is rare.
fn has_replacement(bytes: &[u8]) -> bool {
    let is_here = |at: usize| bytes.get(at..).is_some_and(|rest| rest.starts_with(REPLACEMENT.as_bytes()));
    memchr::memchr_iter(0xef, bytes).any(is_here)
}

/// The runs of the character in `line` that were not written on purpose.
fn damage(text: &str, line: Span) -> Vec<Span> {
    const TOPICS: [&str; 6] = ["fffd", "replacement char", "mojibake", "encod", "utf", "unicode"];
    let words = line.of(text).to_ascii_lowercase();
    if TOPICS.iter().any(|topic| words.contains(topic)) {
        return Vec::new();
    }
    let mut runs: Vec<Span> = Vec::new();
    for (at, found) in line.of(text).match_indices(REPLACEMENT) {
        let span = Span::new(line.start() + at, line.start() + at + found.len());
        match runs.last_mut() {
            Some(last) if last.end() == span.start() => last.end = span.end,
            _ => runs.push(span),
        }
    }
    // Each piece of the line is read once: it may have many runs.
    let (mut read, mut backticks) = (line.start(), 0);
    runs.retain(|run| {
        let before = Span::new(read, run.start()).of(text);
        (read, backticks) = (run.end(), backticks + before.matches('`').count());
        let after = Span::new(run.end(), line.end()).of(text);
        let is_quoted = before.ends_with(['"', '\'', '“', '‘', '(']) && after.starts_with(['"', '\'', '”', '’', ')']);
        !is_quoted && backticks.is_multiple_of(2)
    });
    runs
}
