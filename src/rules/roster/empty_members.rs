//! # roster/empty-members
//!
//! ## What it flags
//!
//! A `team.md` without a table row for any member, although there are agents with charters or a registry with agents.
//! Members are the rows of tables with a column `Name`, which begin with `|`. The coordinator and the agents that every squad has do
//! not count, and neither do people, and rows under another heading that name none of the agents. List items do not count, because
//! tools do not read them. The rule is silent if the team has not been cast yet, or if a section such as `## Agents`
//! may describe members in another way.
//!
//! It is a warning if there are rows for agents, but no heading `## Members`, in exactly this form.
//!
//! ## Why it matters
//!
//! The coordinator mistakes a project without members for a new one and asks for a new team, although the team exists.
//! It and the workflows read only what is below `## Members`, so they find no agent for their work.
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
use crate::formats::roster::{Row, Standing, Team};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/empty-members", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(team) = context.document.body::<Team>() else { return };
    let Some(roster) = squad(context.run(), context.document.root()) else { return };
    let count = roster.agents().filter(|agent| agent.has_charter || agent.entry.is_some()).count();
    if count == 0 {
        return;
    }
    if team.agents().next().is_some() {
        if !team.has_members {
            sink.report(unnamed_section(team.agents_heading));
        }
        return;
    }
    // A row of a person is none of an agent, and `@copilot` has a row of its own in many teams.
    let is_agent = |row: &Row| {
        let member = || roster.find(&row.name.value);
        match row.standing {
            Standing::Outsider | Standing::Away => member().is_some_and(|one| one.has_charter || one.entry.is_some()),
            Standing::Listed => member().is_some_and(|one| one.is_agent),
            _ => false,
        }
    };
    if team.has_sections || team.rows.iter().any(|row| !row.name.value.starts_with('@') && is_agent(row)) {
        return;
    }
    if let Some(cell) = team.nameless {
        let message = "table below `## Members` has no column `Name`, so tools find no member";
        let finding = Finding::at(cell, message).label("expected a column `Name`");
        return sink.report(finding.help("write `| Name | Role | Charter | Status |` as its header row"));
    }
    let message = format!("no table row of `team.md` lists a member, but the team has {}", plural(count, "agent"));
    let finding = match team.members_heading {
        Some(heading) => Finding::at(heading, message).label("no row with an agent"),
        None => Finding::whole_file(message),
    };
    sink.report(
        finding
            .note("tools read members from table rows, which begin with `|`, and ignore lists")
            .help("write one row per agent under `## Members`, in a table `| Name | Role | Charter | Status |`"),
    );
}

/// The finding about agents that are below `heading`.
fn unnamed_section(heading: Option<Span>) -> Finding {
    let message = "`team.md` has no section `## Members`, so Squad's coordinator and workflows find no member";
    let (finding, help) = match heading {
        Some(heading) => {
            (Finding::at(heading, message).label("expected `## Members`"), "rename the heading to `## Members`")
        }
        None => (Finding::whole_file(message), "write the heading `## Members` above the table"),
    };
    finding.help(help).at_most(Severity::Warning)
}
