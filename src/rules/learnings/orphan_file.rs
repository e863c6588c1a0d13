//! # learnings/orphan-file
//!
//! ## What it flags
//!
//! A `memory/agents/<name>/learnings.md` whose owner is not a member of the manifest. The rule is silent if there is
//! no readable manifest.
//!
//! ## Why it matters
//!
//! No agent gets the file any more, so its contents are lost to the team, including notes from other members.
//!
//! ## Example
//!
//! `memory/agents/frontend/learnings.md`, when the manifest names `architect` and `backend`.
//!
//! ## How to fix
//!
//! Move notes and learnings that are still valid to the members that took over the work, and delete the folder. Or add
//! the member to the manifest.
//!
//! ## Source
//!
//! Learning teams, "Life of a learning":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#life-of-a-learning>

use super::shared::{meant, members, team};
use crate::diagnostic::{Finding, Severity};
use crate::dialects::learnings;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/orphan-file", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    if document.kind() != &learnings::LEARNINGS {
        return;
    }
    let Some(team) = team(document, context.run()) else { return };
    let Some(name) = team.member_at(document.source.path()).filter(|name| team.manifest.member(name).is_none()) else {
        return;
    };
    let who = meant(name, &team).unwrap_or_else(|| format!("the members are {}", members(&team)));
    sink.report(
        Finding::whole_file(format!(
            "file belongs to unknown member `{name}`, expected a member listed in `{}`",
            team.manifest_path()
        ))
        .help("move the entries that are still valid to the `learnings.md` of a member")
        .help(format!("or add `{name}` to the manifest"))
        .note(who),
    );
}
