//! What says who is on the team, and a change takes away.

use bstr::ByteSlice;

use super::squad;
use crate::diagnostic::Finding;
use crate::dialects::{roster, squad as team};
use crate::facts::Run;
use crate::facts::gone::{self, Gone};
use crate::rules::gone::finding;

/// The findings about `team.md` and a registry that the change takes away, while something else names agents.
pub fn found(run: &Run<'_>) -> Vec<Finding> {
    gone::of(run, &[&team::TEAM, &roster::REGISTRY]).iter().filter_map(|gone| found_of(gone, run)).collect()
}

fn found_of(gone: &Gone<'_>, run: &Run<'_>) -> Option<Finding> {
    let before = gone.changes.before(gone.change, run.max_bytes());
    // What is too large is no empty file.
    let is_blank = before.is_ok_and(|bytes| bytes.is_none_or(|bytes| bytes.trim().is_empty()));
    let squad = squad(run, gone.root.as_bstr()).filter(|_| !is_blank)?;
    let is_named = squad.members.iter().any(|one| one.row.is_some() || one.entry.is_some() || one.has_charter);
    let (what, rest) = match gone.kind == &team::TEAM {
        true => ("the list of members", ", so the coordinator has no team"),
        false => ("the registry", ", so Squad knows no names of agents"),
    };
    is_named.then(|| finding(gone, what, rest))
}
