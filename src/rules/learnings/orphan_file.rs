//! # learnings/orphan-file
//!
//! ## What it flags
//!
//! A `memory/agents/<name>/learnings.md` of somebody who is no member of the manifest. Without a manifest that can be read every
//! folder is as good as another.
//!
//! ## Why it matters
//!
//! Nobody is given the file any more: what stands in it is lost to the team, notes of others among it.
//!
//! ## Example
//!
//! `memory/agents/frontend/learnings.md`, when the manifest names `architect` and `backend`.
//!
//! ## How to fix
//!
//! Bring notes and learnings that still hold to those who took over, and delete the folder; or add the member to the manifest.
//!
//! ## Source
//!
//! Seed 004, "Learning Lifecycle", "Transfer": when a member is removed, redistribute their cross-agent notes.

use super::shared::{expected, team};
use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/orphan-file",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    if document.role != Role::Learnings {
        return;
    }
    let Some(team) = team(document, facts) else { return };
    let Some(name) = team.member_at(document.source.path()).filter(|name| team.manifest.member(name).is_none()) else {
        return;
    };
    let who = expected(name, &team);
    sink.report(
        Finding::whole_file(format!("learnings of `{name}`, who is no member of `{}`", team.manifest_path()))
            .help(format!("bring what still holds to those who took over, or add the member; {who}")),
    );
}
