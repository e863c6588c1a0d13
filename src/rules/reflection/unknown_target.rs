//! # reflection/unknown-target
//!
//! ## What it flags
//!
//! A learning for a member that the team does not have, or a `cross-agent` learning without a target.
//!
//! ## Why it matters
//!
//! The learning has no `learnings.md` to go to, so no member gets it.
//!
//! ## Example
//!
//! ```json
//! { "category": "cross-agent", "content": "Tokens are rotated by the gateway", "for_agent": "front-end" }
//! ```
//!
//! in a team whose member is called `frontend`.
//!
//! ## How to fix
//!
//! Write the name of a member as in the manifest. If the learning is for the member itself, its category is
//! `codebase-pattern`, `gotcha` or `preference`.
//!
//! ## Source
//!
//! Learning teams, "Reflection":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#reflection>

use crate::diagnostic::{Finding, Severity};
use crate::facts::learning_team;
use crate::formats::manifest::Manifest;
use crate::formats::reflection::{Category, Reflection};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "reflection/unknown-target", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// Longer names are not compared with others, in bytes.
const NAME_MAX: usize = 64;
/// How many members a help names.
const NAMED: usize = 8;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(reflection) = document.body::<Reflection>() else { return };
    let Some(team) = learning_team::of(context.run(), document.source.path()) else { return };
    report(reflection, &team.manifest, sink);
}

/// Reports the learnings in `reflection` that are for no member of `manifest`.
pub fn report(reflection: &Reflection, manifest: &Manifest, sink: &mut Sink<'_>) {
    if manifest.members.is_empty() {
        return;
    }
    for learning in &reflection.learnings {
        let Some(category) = learning.category else { continue };
        match &learning.for_agent {
            Some(name) if manifest.member(name.value.trim()).is_none() => {
                let (help, label) = advice(manifest, name.value.trim());
                let message = format!("`{}` is not a member of the team", shortened(name.value.trim()));
                sink.report(Finding::at(name.span, message).label(label).help(help));
            }
            None if category == Category::CrossAgent => {
                let place = learning.category_span;
                sink.report(
                    Finding::at(place, "`cross-agent` learning has no `for_agent`")
                        .help(format!("name the member in `for_agent`: {}", members(manifest)))
                        .help("give it another category if it is for the member itself"),
                );
            }
            _ => {}
        }
    }
}

/// What to do about a name, and the few words for it.
fn advice(manifest: &Manifest, name: &str) -> (String, String) {
    match nearest(name, manifest.names(), Tolerance::Help) {
        Some(near) => (format!("write `{near}`"), format!("did you mean `{near}`?")),
        None => (format!("write the name of a member: {}", members(manifest)), String::new()),
    }
}

fn members(manifest: &Manifest) -> String {
    let names: Vec<String> = manifest.names().take(NAMED).map(|name| format!("`{}`", shortened(name))).collect();
    let more = if manifest.members.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn shortened(name: &str) -> String {
    if name.len() > NAME_MAX { name.chars().take(NAME_MAX / 2).chain(['…']).collect() } else { name.to_owned() }
}
