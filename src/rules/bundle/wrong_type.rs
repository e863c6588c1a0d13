//! # bundle/wrong-type
//!
//! ## What it flags
//!
//! A field of a bundle whose value has the wrong type, such as a list of agents or a charter that is a number.
//! `"ceremonies": null` and an empty `owner` are valid. In `casting`, the rule also reports a number with more digits
//! than programs keep, such as `18446744073709551616`. A text that becomes a file must be text: the rule reports NUL
//! characters (`\u0000`) in it.
//!
//! ## Why it matters
//!
//! Tools stop in the middle of an import, or write `[object Object]` or a wrong number into a file. git treats a file
//! with a NUL as binary: it shows no diff, and merges nothing.
//!
//! ## Example
//!
//! ```json
//! "agents": [{ "name": "keaton", "charter": "# Keaton" }]
//! ```
//!
//! ## How to fix
//!
//! Write the value that the message expects:
//!
//! ```json
//! "agents": { "keaton": { "charter": "# Keaton" } }
//! ```
//!
//! ## Source
//!
//! Portable squads, "The portable format":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#the-portable-format>

use super::shared::{places, report};
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::{Bundle, ProblemKind, shortened};
use crate::formats::manifest::Text;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;
use crate::text::prose::more_in_file;

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/wrong-type",
    severity: Severity::Error,
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    report(ProblemKind::WrongType, context, sink);
    let Some(bundle) = context.document.body::<Bundle>() else { return };
    for agent in &bundle.agents {
        let of_agent = [("charter", &agent.charter), ("history", &agent.history)];
        for (field, text) in of_agent.into_iter().filter_map(|(field, text)| Some((field, text.as_ref()?))) {
            find_nul(|| format!("`agents.{}.{field}`", shortened(&agent.key.value)), text, context, sink);
        }
    }
    for file in &bundle.files {
        find_nul(|| format!("text of `{}`", file.name), &file.text, context, sink);
    }
    for (number, skill) in bundle.skills.iter().enumerate() {
        find_nul(|| format!("`skills[{number}]`"), skill, context, sink);
    }
}

/// Reports the NUL characters in `text`, which becomes a file.
fn find_nul(name: impl Fn() -> String, text: &Text, context: &Context<'_>, sink: &mut Sink<'_>) {
    let count = memchr::memchr_iter(0, text.value.as_bytes()).count();
    let Some(first) = memchr::memchr(0, text.value.as_bytes()) else { return };
    let span = places(context, text, &[Span::new(first, first + 1)]).first().copied().unwrap_or(text.span);
    sink.report(
        Finding::at(span, format!("{} contains a NUL (U+0000){}", name(), more_in_file(count)))
            .label("not text")
            .help("delete the character; do not import a bundle from an unknown source"),
    );
}
