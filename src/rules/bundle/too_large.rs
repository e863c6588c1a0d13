//! # bundle/too-large
//!
//! ## What it flags
//!
//! A bundle over 100 KB, or with more than 1000 agents, skills or keys in `casting`. The size is a warning: a typical
//! bundle has 15 to 25 KB.
//!
//! ## Why it matters
//!
//! Such a large bundle usually contains the work of a project in its histories. It takes long to review, and every
//! agent loads its whole history. `squad-lint bundle import` refuses a bundle with more than 1000 agents, skills or
//! keys, which is a mistake or an attack.
//!
//! ## Example
//!
//! A bundle of 340 KB whose agents have histories of 50 KB each.
//!
//! ## How to fix
//!
//! Archive old entries of the histories before the export, or export only what is portable:
//! `squad-lint bundle export --portable-only`. If the skills take up more of it, delete those that only this project
//! needs.
//!
//! ## Source
//!
//! Portable squads, "Files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#files>

use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::{Bundle, MOST};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/too-large", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// The largest bundle, in bytes.
const MAX: usize = 100_000;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>().filter(|bundle| bundle.format.is_some()) else { return };
    let agent = bundle.agents.get(MOST).map(|agent| (agent.key.span, "agents"));
    let skill = bundle.skills.get(MOST).map(|skill| (skill.span, "skills"));
    let casting = bundle.casting.get(MOST).map(|member| (member.key.span, "keys in `casting`"));
    for (span, what) in [agent, skill, casting].into_iter().flatten() {
        sink.report(
            Finding::at(span, format!("bundle has more than {MOST} {what}"))
                .label("one too many")
                .help("do not import a bundle from an unknown source"),
        );
    }
    let size = context.document.source.bytes().len();
    if size <= MAX {
        return;
    }
    let finding = Finding::whole_file(format!("bundle is {} KB, expected at most {} KB", size / 1000, MAX / 1000))
        .at_most(Severity::Warning);
    let histories = bundle.agents.iter().filter_map(|agent| Some((agent, agent.history.as_ref()?.value.len())));
    let of_histories: usize = histories.clone().map(|(_, len)| len).sum();
    let of_skills: usize = bundle.skills.iter().map(|skill| skill.value.len()).sum();
    sink.report(if of_skills > of_histories {
        let count = plural(bundle.skills.len(), "skill");
        finding
            .help("in the source project, delete skills that no other project needs, then export the squad again")
            .note(format!("{count} take up {} KB of the bundle", of_skills / 1000))
    } else {
        let finding = finding.help("archive old history entries in the source project, then export the squad again");
        match histories.max_by_key(|(_, len)| *len) {
            Some((agent, len)) if len > MAX / 10 => {
                finding.note(format!("the history of `{}` is the largest ({} KB)", agent.key.value, len / 1000))
            }
            _ => finding,
        }
    });
}
