//! # sem/shouting-summary
//!
//! ## What it flags
//!
//! A summary in upper case: ten letters or more, and no lower-case letter.
//!
//! ## Why it matters
//!
//! Lists show summaries side by side. One that shouts makes the others look unimportant, and is harder to read.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: note: NEVER PUSH TO MAIN
//! ```
//!
//! ## How to fix
//!
//! Write it as a sentence. Names and abbreviations keep their capitals.
//!
//! ## Source
//!
//! A convention of this example; no specification asks for it.

use squad_lint::diagnostic::{Finding, Severity};
use squad_lint::formats::sem::Entry;
use squad_lint::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/shouting-summary", severity: Severity::Info, check: Check::Entry(check), ..Rule::NEW };

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let span = entry.header().summary;
    let summary = span.of(entry.text());
    let letters = summary.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 10 || summary.chars().any(char::is_lowercase) {
        return;
    }
    sink.report(
        Finding::at(span, format!("summary has {letters} upper-case letters and no lower-case letter"))
            .label("expected a sentence")
            .help("write it as a sentence"),
    );
}
