//! # bundle/project-specific
//!
//! ## What it flags
//!
//! Text in the histories of a bundle that is about one project, such as absolute paths, hosts and e-mail addresses.
//! Paths of source files and ports count, too; a host counts if a project runs on it, such as `db.internal` and
//! `staging.acme.com`. One finding per history shows the first such place and the number of the others. Text that is
//! marked `[local]` or called local in words, as in `The following is local:`, text with an order such as `(do not
//! export)`, and the section `## Project Context` count, too, because they should not be in the bundle. In a
//! `squad-export.json`, which holds whole histories, the section does not count.
//!
//! ## Why it matters
//!
//! In another project such facts are wrong, and agents act on them. They also reveal the project to everyone who gets
//! the bundle.
//!
//! ## Example
//!
//! ```markdown
//! - Auth middleware is in src/middleware/auth
//! - The API runs on port 3000
//! ```
//!
//! ## How to fix
//!
//! Remove these lines from the history in the bundle. In the squad itself, keep them under `## Project Context` or mark
//! them `[local]`: `squad-lint bundle export` omits both.
//!
//! ## Source
//!
//! Portable squads, "Histories":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#histories>

use super::shared::places;
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::{Bundle, Format, SpecificKind, specifics};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/project-specific", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

/// So many further places of a history are shown.
const SHOWN: usize = 4;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>() else { return };
    for agent in &bundle.agents {
        let Some(history) = &agent.history else { continue };
        let mut found = specifics(&history.value);
        // Squad's own export keeps the histories as they are, and every one of them begins with the project's context.
        found.retain(|one| bundle.format == Some(Format::Portable) || one.kind != SpecificKind::ProjectContext);
        let spans: Vec<_> = found.iter().take(SHOWN + 1).map(|specific| specific.span).collect();
        let Some(first) = found.first() else { continue };
        let mut places = places(context, history, &spans).into_iter();
        let Some(place) = places.next() else { continue };
        let facts = match found.len() {
            1 => first.kind.noun().to_owned(),
            count => plural(count, "project-specific fact"),
        };
        let name = &agent.key.value;
        let mut finding =
            Finding::at(place, format!("history of `{name}` contains {facts}")).label("project-specific text").help(
                "in the source project, remove these lines, or mark them `[local]` and use `squad-lint bundle export`",
            );
        for (place, specific) in places.zip(found.iter().skip(1)) {
            finding = finding.related(place, specific.kind.noun());
        }
        sink.report(finding);
    }
}
