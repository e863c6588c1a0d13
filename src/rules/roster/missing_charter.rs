//! # roster/missing-charter
//!
//! ## What it flags
//!
//! An agent in `team.md` or the registry whose folder in `agents/` has no `charter.md`, or a row with the path of a
//! charter that does not exist. A path such as `../../etc`, which names no charter of the team, is a warning. Case does not matter. `roster/drift` reports an agent without a folder. The rule is
//! silent if no agent has a charter, because the charters may be kept elsewhere.
//!
//! ## Why it matters
//!
//! The coordinator starts an agent with the text of its charter. Without it, the agent does not know its role or its
//! limits.
//!
//! ## Example
//!
//! ```markdown
//! | Name | Role | Charter | Status |
//! | --- | --- | --- | --- |
//! | Keaton | Lead | `.squad/agents/keton/charter.md` | Active |
//! ```
//!
//! ## How to fix
//!
//! Write the charter, or correct the path.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use bstr::BString;

use super::shared::each;
use crate::diagnostic::{Finding, Severity};
use crate::dialects::roster;
use crate::facts::Run;
use crate::facts::roster::{Member, Roster};
use crate::formats::roster::{Row, Standing, Team};
use crate::rule::{Check, Rule, Sink};
use crate::rules::most::Most;

/// The rule.
pub static RULE: Rule = Rule {
    name: "roster/missing-charter",
    severity: Severity::Error,
    looks_beside: true,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    each(run, |document, roster| {
        // Without any charter on this branch there is nothing to compare with.
        if !roster.known.charters {
            return;
        }
        let mut report = |finding: Finding| sink.report(finding.in_file(document.path()));
        let mut most = Most::new(&mut report);
        if let Some(team) = document.body::<Team>() {
            let found = team.rows.iter().filter_map(|row| check_row(row, roster));
            found.for_each(|finding| most.report(finding));
        } else if document.kind() == &roster::REGISTRY {
            check_entries(roster, &mut |finding| most.report(finding));
        }
        most.finish();
    });
}

fn check_row(row: &Row, roster: &Roster) -> Option<Finding> {
    if let Some(outside) = row.outside.filter(|_| !matches!(row.standing, Standing::Listed | Standing::Other)) {
        let finding = Finding::at(outside, format!("charter of `{}` is outside of the team", row.name.value));
        let help = "write the path of a charter in `agents/`, or a dash";
        return Some(finding.label("outside of the team's folder").help(help).at_most(Severity::Warning));
    }
    let member = roster.find(&row.name.value)?;
    let has = |folder: &str| member.folders.iter().any(|known| known.eq_ignore_ascii_case(folder.as_bytes()));
    // With the charter of another one, the drift is enough.
    let is_of_another = |folder: &str| {
        let is_it = |known: &BString| known.eq_ignore_ascii_case(folder.as_bytes());
        roster.members.iter().any(|other| other.has_charter && other.folders.iter().any(is_it))
    };
    let wrong = row.charter.as_ref().filter(|charter| !member.has_charter || !has(&charter.value));
    let wrong = wrong.filter(|charter| !is_of_another(&charter.value));
    let finding = match (row.standing, wrong) {
        // The drift is enough.
        (Standing::Agent, _) if member.folders.is_empty() => return None,
        (Standing::Agent | Standing::BuiltIn, Some(charter)) => {
            Finding::at(charter.span, format!("charter of `{}` does not exist", row.name.value)).label("no such file")
        }
        (Standing::Agent, None) if !member.has_charter => {
            Finding::at(row.name.span, format!("agent `{}` has no charter", row.name.value)).label("no charter")
        }
        _ => return None,
    };
    Some(finding.help(advice(member)))
}

fn check_entries(roster: &Roster, report: &mut impl FnMut(Finding)) {
    for member in roster.agents().filter(|member| member.row.is_none() && !member.folders.is_empty()) {
        let Some(entry) = member.entry.filter(|_| !member.has_charter) else { continue };
        let message = format!("agent `{}` has no charter", member.name);
        report(Finding::at(entry, message).label("no charter").help(advice(member)));
    }
}

fn advice(member: &Member) -> String {
    match member.folders.first() {
        Some(folder) if member.has_charter => format!("write the path of `agents/{folder}/charter.md`"),
        Some(folder) => format!("create the file `agents/{folder}/charter.md`"),
        None => "create the file, or put a dash in place of the path".into(),
    }
}
