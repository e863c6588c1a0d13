//! # roster/unknown-routing
//!
//! ## What it flags
//!
//! A name in `routing.md` that is neither in `team.md` nor in the registry nor a folder in `agents/`. The rule reads
//! the columns `Route To`, `Agent`, `Primary`, `Secondary` and `Owner` of the table of work types and of
//! `## Module Ownership`. It accepts roles of members, also in short, people, `@…`, labels such as `squad:mary-ann`, one word of a
//! member's name, `N/A`, emoji where no member has such a name, custom agents in `.github/agents/`, and words such as `Lead`, `Both` or `Whole team`. It does not read the table `## Issue Routing`, which names roles.
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

use super::shared::routed::{Words, is_known};
use super::shared::{elsewhere, squad};
use crate::diagnostic::Finding;
use crate::formats::roster;
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Rule, Sink};
use crate::rules::most::Most;
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/unknown-routing", looks_beside: true, check: Check::Document(check), ..Rule::NEW };

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
    let words = Words::of(&roster);
    let mut report = |finding| sink.report(finding);
    let mut most = Most::new(&mut report);
    for span in names.into_iter().filter(|name| !is_known(name.of(document.text()), &roster, &words)) {
        let name = span.of(document.text());
        if elsewhere::is_custom_agent(context.run(), name, document.path()) {
            continue;
        }
        // With all rows, the time would grow with their number times that of the members.
        let near = most.describes_next().then(|| {
            let known = roster.agents().map(|agent| agent.name.as_str());
            nearest(name, known, Tolerance::Help)
        });
        let help = match near.flatten() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of a member, or add one to `team.md`".into(),
        };
        most.report(
            Finding::at(span, format!("work is routed to `{name}`, who is not on the team"))
                .label("not on the team")
                .help(help),
        );
    }
    most.finish();
}
