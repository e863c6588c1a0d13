//! # security/email
//!
//! ## What it flags
//!
//! The e-mail address of a person. The rule ignores addresses of offices, such as `security@…`, of examples, of
//! `noreply` and of machines, such as `git@github.com:a/b`. It reports the first address in a file and counts the
//! others. In the histories of a bundle, `bundle/project-specific` reports addresses.
//!
//! ## Why it matters
//!
//! Squad used to write the address of the team's creator into `team.md` and into each history. Programs collect
//! addresses from public repositories, and agents send them to the service that runs the model.
//!
//! ## Example
//!
//! ```markdown
//! - **Owner:** Kim Lee (kim@acme.io)
//! ```
//!
//! ## How to fix
//!
//! Write only the name; `squad-lint --fix --unsafe-fixes` does this. If no name is before the address, it writes
//! `[email scrubbed]`, as Squad does.
//!
//! ```markdown
//! - **Owner:** Kim Lee
//! ```
//!
//! ## Source
//!
//! Squad, issue 108, "User email addresses are committed":
//! <https://github.com/bradygaster/squad/issues/108>

use super::shared::texts;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::dialects::squad::HISTORY;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::more_in_file;
use crate::text::{Span, email};

/// The rule.
pub static RULE: Rule = Rule {
    name: "security/email",
    severity: Severity::Info,
    fixes: &[Applicability::Unsafe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let is_reported = document.is_embedded() && document.kind() == &HISTORY;
    if is_reported || memchr::memchr(b'@', document.text().as_bytes()).is_none() {
        return;
    }
    let mut found: Vec<(Span, Edit)> = Vec::new();
    texts(document, |text, place| {
        found.extend(email::personal(text).into_iter().map(|span| (place(span), scrubbed(text, span, place))));
    });
    let Some((first, edit)) = document.shown(&found, |(span, _)| *span) else { return };
    let help = match edit.content.is_empty() {
        true => "delete the address, and keep the name",
        false => "write a name or a role in place of the address",
    };
    let edits: Vec<Edit> = found.iter().map(|(_, edit)| edit.clone()).collect();
    sink.report(
        Finding::at(*first, format!("text contains a personal e-mail address{}", more_in_file(found.len())))
            .label("everyone who reads the repository can collect it")
            .help(help)
            .fix(Applicability::Unsafe, edits),
    );
}

/// The text without the address at `span`: `Kim (kim@acme.io)` keeps the name.
fn scrubbed(text: &str, span: Span, place: &dyn Fn(Span) -> Span) -> Edit {
    let before = text.get(..span.start()).unwrap_or_default();
    let after = text.get(span.end()..).unwrap_or_default();
    let is_in = |open: char, close: char| before.ends_with(open) && after.starts_with(close);
    if is_in('(', ')') || is_in('<', '>') {
        let name = before.get(..before.len() - 1).unwrap_or_default().trim_end_matches(' ');
        if name.ends_with(|c: char| c.is_alphanumeric() || c == '.') && name.len() + 1 < before.len() {
            return Edit::delete(place(Span::new(name.len(), span.end() + 1)));
        }
    }
    Edit::replace(place(span), "[email scrubbed]")
}
