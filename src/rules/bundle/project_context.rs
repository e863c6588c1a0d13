//! # bundle/project-context
//!
//! ## What it flags
//!
//! A section `## Project Context` in the `team` of a portable squad.
//!
//! ## Why it matters
//!
//! The section describes the project that the squad leaves. After an import, agents mistake the new project for the old
//! one.
//!
//! ## Example
//!
//! ```json
//! "team": "# Team\n\n## Members\n\n…\n\n## Project Context\n\n- **Stack:** Rust"
//! ```
//!
//! ## How to fix
//!
//! Delete the section; `squad-lint --fix` does this. An import omits it anyway, and adds a new section to fill in.
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
use crate::text::prose::more_in_file;

/// The rule.
pub static RULE: Rule = Rule {
    name: "bundle/project-context",
    severity: Severity::Warning,
    // Safe: an import leaves the section out, and it is still in the project that it describes.
    fixes: &[Applicability::Safe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(team) = portable(context).and_then(|bundle| bundle.file("team.md")) else { return };
    let sections = project_context(&team.value);
    let Some(first) = sections.first() else { return };
    let heading = first.of(&team.value).lines().next().unwrap_or_default();
    let heading = Span::new(first.start(), first.start() + heading.len());
    let mut places = places(context, team, &[&[heading], sections.as_slice()].concat()).into_iter();
    let Some(heading) = places.next() else { return };
    sink.report(
        Finding::at(heading, format!("portable squad contains a project context{}", more_in_file(sections.len())))
            .label("belongs to the project")
            .help("delete the section")
            .fix(Applicability::Safe, places.map(Edit::delete)),
    );
}
