//! # team/missing-field
//!
//! ## What it flags
//!
//! A team manifest without `team`, `description` or `members`, or a member without `name`, `role`, `tools` or `owns`.
//! An empty field counts as missing; an empty list does not. `team/unknown-field` reports a misspelt field.
//!
//! ## Why it matters
//!
//! These fields go into the command that spawns a member. Without `tools` the member has no tools, without `owns` it
//! does not know its files, and without a name it has no learnings.
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
                .help("add the fields `team`, `description` and `members`")
                .note("`members` is a list; each member has `name`, `role`, `tools` and `owns`"),
        );
    }
    let mut members = 0;
    for mapping in manifest.mappings() {
        members += usize::from(mapping.scope == Scope::Member);
        let missing: Vec<&str> = missing(&mapping).collect();
        if !missing.is_empty() {
            let who = super::who(&mapping, members);
            let is_absent = missing.iter().all(|name| mapping.get(name).is_none());
            let state = if is_absent { "missing" } else { "missing or empty" };
            let fields = if missing.len() == 1 { "field" } else { "fields" };
            let names = super::list(&missing, "and");
            let finding = Finding::at(head(&mapping), format!("{state} {fields} {names} in {who}"));
            let finding = finding.label(format!("missing {names}"));
            sink.report(missing.iter().fold(finding, |finding, name| finding.help(help(name))));
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

/// What to add, with an example.
fn help(missing: &str) -> String {
    let example = match missing {
        "team" => "a name, such as `team: my-project`",
        "description" => "a line about the project, such as `description: \"…\"`",
        "members" => "`members:` and an item for each member",
        "name" => "a name, such as `name: backend`",
        "role" => "the responsibility of the member, such as `role: \"…\"`",
        "tools" => "the tools that the member may use, such as `tools: [Read, Edit, Grep]`",
        "owns" => "the files of the member, such as `owns: [\"src/**\"]`",
        other => return format!("add `{other}`"),
    };
    format!("add {example}")
}
