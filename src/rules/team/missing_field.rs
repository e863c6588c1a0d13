//! # team/missing-field
//!
//! ## What it flags
//!
//! A team manifest without `team`, `description` or `members`, or a member without `name`, `role`, `tools` or `owns`.
//! An empty field counts as missing; an empty list does not. `team/unknown-field` reports a misspelt field.
//!
//! ## Why it matters
//!
//! The command that spawns a member is built from these fields. Without `tools` the member has no tools, without
//! `owns` it is unclear which files are its own, and without a name it has no learnings.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: architect
//!     role: System design
//! ```
//!
//! ## How to fix
//!
//! Add the fields. A member that owns nothing has `owns: []`.
//!
//! ## Source
//!
//! Learning teams, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#required-fields>

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::{Manifest, Mapping, Scope};
use crate::formats::yaml::{Node, Value};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/missing-field", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    if manifest.error.is_none() && manifest.root.as_ref().is_none_or(|root| root.value == Value::Null) {
        sink.report(
            Finding::whole_file("manifest is empty, expected `team`, `description` and `members`")
                .help("write the three fields")
                .note("`members` is a list, each with `name`, `role`, `tools` and `owns`"),
        );
    }
    let mut members = 0;
    for mapping in manifest.mappings() {
        members += usize::from(mapping.scope == Scope::Member);
        let missing: Vec<&str> = missing(&mapping).collect();
        if !missing.is_empty() {
            let who = super::who(&mapping, members);
            sink.report(
                Finding::at(
                    head(&mapping),
                    format!(
                        "missing or empty {fields} {} in {who}",
                        super::list(&missing, "and"),
                        fields = if missing.len() == 1 { "field" } else { "fields" }
                    ),
                )
                .label(format!("expected {}", super::list(&missing, "and")))
                .help(help(&missing)),
            );
        }
    }
}

fn missing<'a>(mapping: &'a Mapping<'_>) -> impl Iterator<Item = &'static str> + 'a {
    let required = mapping.scope.fields().iter().filter(|field| field.required).map(|field| field.name);
    let unknown = mapping.pairs.iter().filter_map(|pair| pair.key.as_str()).filter(|key| !mapping.scope.knows(key));
    let meant: Vec<_> = unknown.filter_map(|key| mapping.scope.meant(key)).collect();
    required.filter(move |name| !meant.contains(name) && mapping.get(name).is_none_or(is_nothing))
}

fn is_nothing(node: &Node) -> bool {
    match &node.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// What the mapping is known by: its name, else its first key.
fn head(mapping: &Mapping<'_>) -> Span {
    let name = mapping.get("name").filter(|node| mapping.scope == Scope::Member && !is_nothing(node));
    let first = mapping.pairs.first().map(|pair| pair.key);
    name.or(first).map_or(Span::at(mapping.span.start()), |node| node.span)
}

fn help(missing: &[&str]) -> String {
    let example = |name: &&str| match *name {
        "team" => "`team: my-project`",
        "description" => "`description: \"what the project is\"`",
        "members" => "`members:` and an item for each member",
        "name" => "`name: backend`",
        "role" => "`role: \"what the member is responsible for\"`",
        "tools" => "`tools: [Read, Write, Edit, Grep, Glob, Bash]`",
        "owns" => "`owns: [\"src/**\"]`",
        _ => "it",
    };
    format!("write {}", missing.iter().map(example).collect::<Vec<_>>().join(" and "))
}
