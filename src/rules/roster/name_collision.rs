//! # roster/name-collision
//!
//! ## What it flags
//!
//! Two rows of a table in `team.md`, or two entries of the registry, with the same name. The comparison ignores case,
//! markup, emoji and the characters between words.
//!
//! ## Why it matters
//!
//! Work for one of the two reaches the other one, and both write to one history. `squad health` fails.
//!
//! ## Example
//!
//! ```markdown
//! | Name | Role |
//! | --- | --- |
//! | Keaton | Lead |
//! | **keaton** | Tester |
//! ```
//!
//! ## How to fix
//!
//! Remove the duplicate row or entry, or give one of the two agents another name.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use std::collections::HashMap;

use super::shared::squad;

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::Text;
use crate::formats::roster::{Casting, Standing, Team, bare, is_of_signs};
use crate::rule::{Check, Context, Rule, Sink};
use crate::rules::most::Most;
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/name-collision", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let found: Vec<(&Text, Span)> = if let Some(team) = document.body::<Team>() {
        let rows = team.rows.iter().filter(|row| !matches!(row.standing, Standing::Listed | Standing::Other));
        twins(rows.map(|row| (row.table, &row.name)))
    } else if let Some(casting) = document.body::<Casting>() {
        // A key that is there twice is reported as such, and so is one with capitals.
        let mut keys = std::collections::HashSet::new();
        let mut is_first = |key: &Text| keys.insert(key.value.to_lowercase());
        let agents = casting.agents.iter().filter(|agent| agent.key.as_ref().is_none_or(&mut is_first));
        twins(agents.filter_map(|agent| Some((0, agent.name.as_ref()?))))
    } else {
        return;
    };
    if found.is_empty() || squad(context.run(), context.document.root()).is_none() {
        return;
    }
    let mut report = |finding| sink.report(finding);
    let mut most = Most::new(&mut report);
    for (name, first) in found {
        let name_is = format!("name `{}` is already taken", name.value);
        let finding = Finding::at(name.span, name_is)
            .label("same name")
            .related(first, "first member")
            .help("rename or remove one of the two members");
        let is_same = first.of(document.text()) == name.span.of(document.text());
        most.report(match is_same {
            true => finding,
            false => finding.note("names that differ only in case, hyphens, emoji or markup are the same name"),
        });
    }
    most.finish();
}

/// The names that another one of the same group has before, with the place of that.
fn twins<'t>(names: impl Iterator<Item = (usize, &'t Text)>) -> Vec<(&'t Text, Span)> {
    let mut seen: HashMap<(usize, String), Span> = HashMap::new();
    let mut twins = Vec::new();
    for (group, name) in names {
        let key = folded(&name.value);
        if key.is_empty() {
            continue;
        }
        match seen.get(&(group, key.clone())) {
            Some(first) => twins.push((name, *first)),
            None => drop(seen.insert((group, key), name.span)),
        }
    }
    twins
}

/// The words of a name in lower case. Signs inside a word count: `C#` is not `C++`. A name without words is its signs.
fn folded(name: &str) -> String {
    if is_of_signs(name) {
        return bare(name);
    }
    let words = name.split([' ', '-', '_', '\t', '*', '`']).filter(|word| word.contains(char::is_alphanumeric));
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
