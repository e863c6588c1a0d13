//! # team/wrong-type
//!
//! ## What it flags
//!
//! A value of the wrong type in a team manifest, such as text instead of a list. Other examples are a number as a name,
//! and a mapping of members instead of a list.
//!
//! ## Why it matters
//!
//! Readers that expect a list split the text into letters or stop. A name that YAML reads as a number or as `true`
//! matches no member.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: 007
//!     role: Field work
//!     tools: Read, Grep
//!     owns: "src/**"
//! ```
//!
//! ## How to fix
//!
//! `tools` and `owns` are lists (`[Read, Grep]`), a budget is a plain number, and everything else is text. Quote text
//! that YAML would read as another type.
//!
//! ## Source
//!
//! Learning teams, "Manifest":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#manifest>

use std::collections::HashSet;

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::{Manifest, Pair, Takes, breaks_out};
use crate::formats::yaml::{Node, Value};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/wrong-type", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let mut report = Report { text: document.text(), seen: HashSet::new(), sink };
    if let Some(root) = manifest.root.as_ref().filter(|root| !matches!(root.value, Value::Null | Value::Mapping(_))) {
        report.wrong(root, "the manifest", "a mapping with `team`, `description` and `members`", None);
    }
    for mapping in manifest.mappings() {
        for pair in &mapping.pairs {
            match pair.key.as_str().map(|key| mapping.scope.field(key)) {
                Some(Some(field)) => report.field(pair, field.name, field.takes),
                Some(None) => {}
                None => report.wrong(pair.key, "a key", "text", None),
            }
        }
    }
}

struct Report<'r, 's, 'a> {
    text: &'a str,
    /// What was reported; aliases lead to the same place again.
    seen: HashSet<Span>,
    sink: &'r mut Sink<'s>,
}

impl Report<'_, '_, '_> {
    fn field(&mut self, pair: &Pair<'_>, name: &str, takes: Takes) {
        let node = pair.value;
        let what = format!("`{name}`");
        match (takes, &node.value) {
            _ if fits(name, takes, &node.value) => {}
            (Takes::Texts, Value::Sequence(items)) => {
                let wrong = items.iter().filter(|item| !matches!(item.value, Value::String(_) | Value::Alias(_)));
                wrong.for_each(|item| {
                    self.wrong(item, &format!("an item of {what}"), "text", Some(quotes(item, self.text)));
                });
            }
            (Takes::Members, Value::Sequence(items)) => {
                let wrong = items.iter().filter(|item| !matches!(item.value, Value::Mapping(_) | Value::Alias(_)));
                let help = "write `- name: …` with `role`, `tools` and `owns` below";
                wrong.for_each(|item| self.wrong(item, "an item of `members`", "a mapping", Some(help.to_owned())));
            }
            (Takes::Text, _) => self.wrong(node, &what, "text", Some(quotes(node, self.text))),
            (Takes::Number, Value::String(_)) => {
                self.wrong(node, &what, "a number", Some("write a number without quotes, as in `0.50`".to_owned()));
            }
            (Takes::Number, _) => self.wrong(node, &what, "a number", None),
            (Takes::Texts, Value::String(text)) => {
                let items = match text.contains(", ") && !text.contains(['(', '{']) {
                    true => text.split(',').map(str::trim).collect::<Vec<_>>().join(", "),
                    false => node.span.of(self.text).to_owned(),
                };
                self.wrong(node, &what, "a list", Some(format!("write `{name}: [{items}]`")));
            }
            (Takes::Texts, _) => self.wrong(node, &what, "a list", None),
            (Takes::Members, Value::Mapping(_)) => {
                let help = "write each member as an item: `- name: …`".to_owned();
                self.wrong(node, &what, "a list", Some(help));
            }
            (Takes::Members, _) => self.wrong(node, &what, "a list of members", None),
            _ => self.wrong(node, &what, "a mapping", None),
        }
    }

    fn wrong(&mut self, node: &Node, what: &str, expected: &str, help: Option<String>) {
        if !self.seen.insert(node.span) {
            return;
        }
        let kind = node.kind();
        let finding =
            Finding::at(super::first_line(node.span, self.text), format!("{what} is {kind}, expected {expected}"))
                .label(format!("expected {expected}"));
        self.sink.report(match help {
            Some(help) => finding.help(help),
            None => finding.help(format!("write {expected} here")),
        });
    }
}

/// Whether `value` as a whole is what `field` takes. With nothing in it, a field is missing; a budget that breaks out of the
/// command is a matter of `security/spawn-injection`.
fn fits(field: &str, takes: Takes, value: &Value) -> bool {
    match (takes, value) {
        (Takes::Anything, _) | (_, Value::Null) => true,
        (Takes::Number, Value::String(text)) => breaks_out(field, text).is_some(),
        (Takes::Number, value) => matches!(value, Value::Int(_) | Value::Float(_)),
        (takes, value) => {
            matches!((takes, value), (Takes::Text, Value::String(_)) | (Takes::Mapping, Value::Mapping(_)))
        }
    }
}

fn quotes(node: &Node, text: &str) -> String {
    match node.value {
        Value::Null => "write text, or remove the item".to_owned(),
        Value::Sequence(_) | Value::Mapping(_) => "write one value without `[`, `]`, `{` and `}`".to_owned(),
        _ => format!("put it in quotes: `\"{}\"`", node.span.of(text)),
    }
}
