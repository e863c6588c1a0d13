//! # roster/imported-placeholder
//!
//! ## What it flags
//!
//! A `team.md` whose project context is still a placeholder, in an imported squad. The registry of such a squad has
//! `imported_from`.
//!
//! ## Why it matters
//!
//! The agents know the project from which the squad was imported, but not this one.
//!
//! ## Example
//!
//! ```markdown
//! ## Project Context
//!
//! - **Project:** (to be filled on first session)
//! ```
//!
//! ## How to fix
//!
//! Describe the project, and remove `imported_from` from `casting/registry.json`. The coordinator does both in the first
//! session.
//!
//! ## Source
//!
//! Squad folders, "Casting":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#casting>

use super::shared::squad;
use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::formats::roster::Team;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/imported-placeholder", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

/// What an import leaves in place of the context of the project.
const PLACEHOLDER: &str = "to be filled on first session";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if document.body::<Team>().is_none() {
        return;
    }
    let Some(at) = document.text().find(PLACEHOLDER) else { return };
    let Some(roster) = squad(context.run(), context.document.root()) else { return };
    let Some(imported) = roster.registry.as_ref().and_then(|registry| registry.imported_from) else { return };
    let path: BString = [document.root().as_bytes(), b"/casting/registry.json"].concat().into();
    sink.report(
        Finding::at(Span::new(at, at + PLACEHOLDER.len()), "project context of an imported squad is not filled in")
            .label("expected the context of this project")
            .related_in(path, imported, "imported here")
            .help("describe the project, and remove `imported_from` from the registry"),
    );
}
