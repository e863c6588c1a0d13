//! # roster/empty-members
//!
//! ## What it flags
//!
//! A `team.md` without a table row for any member, although there are agents with charters or a registry with agents.
//! Members are the rows of tables with a column `Name`. The coordinator and the agents that every squad has do not
//! count, and neither do rows under another heading that name none of the agents. List items do not count, because
//! tools do not read them. The rule is silent if the team has not been cast yet, or if a section such as `## Agents`
//! may describe members in another way.
//!
//! ## Why it matters
//!
//! The coordinator mistakes a project without members for a new one and asks for a new team, although the team exists.
//! Workflows find no agent for their work.
//!
//! ## Example
//!
//! ```markdown
//! | Name | Role | Charter | Status |
//! | --- | --- | --- | --- |
//! ```
//!
//! under the heading `Members`, beside `agents/keaton/charter.md`.
//!
//! ## How to fix
//!
//! Write a row for each agent under `## Members`.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use super::shared::squad;
use crate::diagnostic::{Finding, Severity};
use crate::formats::roster::{Standing, Team};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/empty-members", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(team) = context.document.body::<Team>() else { return };
    let is_member = |standing| matches!(standing, Standing::Agent | Standing::Outsider | Standing::Away);
    // `@copilot` has a row of its own in many teams.
    let is_named = team.rows.iter().any(|row| is_member(row.standing) && !row.name.value.starts_with('@'));
    if is_named || team.has_sections {
        return;
    }
    let Some(roster) = squad(context.run(), context.document.root()) else { return };
    let mut listed = team.rows.iter().filter(|row| row.standing == Standing::Listed);
    if listed.any(|row| roster.find(&row.name.value).is_some_and(|member| member.is_agent)) {
        return;
    }
    let count = roster.agents().filter(|agent| agent.has_charter || agent.entry.is_some()).count();
    if count == 0 {
        return;
    }
    let message = format!("no table row of `team.md` lists a member, but the team has {}", plural(count, "agent"));
    let finding = match team.members_heading {
        Some(heading) => Finding::at(heading, message).label("no row with an agent"),
        None => Finding::whole_file(message),
    };
    sink.report(
        finding
            .note("tools read members from table rows, and ignore lists")
            .help("write one row per agent under `## Members`, in a table `| Name | Role | Charter | Status |`"),
    );
}
