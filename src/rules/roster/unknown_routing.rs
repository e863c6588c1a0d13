//! # roster/unknown-routing
//!
//! ## What it flags
//!
//! A name in `routing.md` that is neither in `team.md` nor in the registry nor a folder in `agents/`. The rule reads
//! the columns `Route To`, `Agent`, `Primary`, `Secondary` and `Owner` of the table of work types and of
//! `## Module Ownership`. It accepts roles of members, people, `@…`, and words such as `Lead` or `others`. It does not
//! read the table `## Issue Routing`, which names roles.
//!
//! ## Why it matters
//!
//! The coordinator finds no agent for this work, and assigns it to another agent or invents one.
//!
//! ## Example
//!
//! ```markdown
//! | Work Type | Route To | Examples |
//! | --- | --- | --- |
//! | Code review | Keeton | Pull requests |
//! ```
//!
//! where the team has a Keaton.
//!
//! ## How to fix
//!
//! Write the name of a member, or add the member to the team.
//!
//! ## Source
//!
//! Squad folders, "Routing":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#routing>

use super::shared::squad;
use crate::diagnostic::{Finding, Severity};
use crate::facts::roster::Roster;
use crate::formats::roster::{self, bare, is_built_in};
use crate::formats::table::plain;
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/unknown-routing", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

/// Words for those whom the coordinator chooses.
const ANYONE: [&str; 20] = [
    "lead",
    "all",
    "any",
    "anyone",
    "everyone",
    "team",
    "other",
    "others",
    "human",
    "humans",
    "user",
    "owner",
    "author",
    "named",
    "none",
    "tbd",
    "varies",
    "you",
    "self",
    "specialist",
];

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if inner_path(document.path(), document.root()) != "routing.md" {
        return;
    }
    let names = roster::routed(document.text(), &document.entries.outline.marks);
    if names.is_empty() {
        return;
    }
    let Some(roster) =
        squad(context.run(), context.document.root()).filter(|roster| roster.known.rows || roster.known.entries)
    else {
        return;
    };
    for span in names.into_iter().filter(|name| !is_known(name.of(document.text()), &roster)) {
        let name = span.of(document.text());
        let known = roster.agents().map(|agent| agent.name.as_str());
        let help = match nearest(name, known, Tolerance::Help) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of a member, or add one to `team.md`".into(),
        };
        sink.report(
            Finding::at(span, format!("work is routed to `{name}`, who is not on the team"))
                .label("not on the team")
                .help(help),
        );
    }
}

/// Whether `name` is that of a member, or none at all.
fn is_known(name: &str, roster: &Roster) -> bool {
    let name = plain(name.split('(').next().unwrap_or_default());
    let mut words = name.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    let Some(first) = words.next() else { return true };
    let is_prose = words.clone().count() > 2 || words.next().is_some() && first.starts_with(char::is_lowercase);
    is_prose
        || name.contains(['{', '<', '@', '*'])
        || ANYONE.contains(&first.to_lowercase().as_str())
        || is_built_in(name)
        || is_built_in(first)
        || roster.find(name).is_some()
        || roster.roles.contains(&bare(name))
}
