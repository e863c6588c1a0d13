//! # bundle/project-context
//!
//! ## What it flags
//!
//! A section `## Project Context` in the `team` of a portable squad.
//!
//! ## Why it matters
//!
//! The section describes the project that the squad leaves. After an import, agents take the new project for the old one.
//!
//! ## Example
//!
//! ```json
//! "team": "# Team\n\n## Members\n\n…\n\n## Project Context\n\n- **Stack:** Rust"
//! ```
//!
//! ## How to fix
//!
//! Delete the section; `squad-lint --fix` does this. An import leaves it out anyway, and adds a new one, to be filled in.
//!
//! ## Source
//!
//! Portable squads, "What travels":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#what-travels>

use super::shared::{places, portable};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::bundle::project_context;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/project-context",
    severity: Severity::Warning,
    // Safe: an import leaves the section out, and it is still in the project that it describes.
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(team) = portable(context).and_then(|bundle| bundle.file("team.md")) else { return };
    let sections = project_context(&team.value);
    let heading = |section: &Span| {
        let heading = section.of(&team.value).lines().next().unwrap_or_default();
        Span::new(section.start(), section.start() + heading.len())
    };
    let spans: Vec<Span> = sections.iter().flat_map(|section| [heading(section), *section]).collect();
    for place in places(context, team, &spans).chunks(2) {
        let &[heading, section] = place else { continue };
        sink.report(
            Finding::at(heading, "portable squad with a project context")
                .label("belongs to the project")
                .help("delete the section")
                .fix(Applicability::Safe, [Edit::delete(section)]),
        );
    }
}
