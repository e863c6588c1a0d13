//! # bundle/blank-file
//!
//! ## What it flags
//!
//! A bundle whose `team.md` has no text. A charter without text is a finding of `charter/empty`, also in a bundle.
//!
//! ## Why it matters
//!
//! An import writes an empty `team.md`, and the coordinator takes the project for one without a team. Early versions of the
//! export of Squad made such bundles.
//!
//! ## Example
//!
//! ```json
//! { "version": "1.0", "team_md": "", "agents": { "keaton": { "charter": "# Keaton" } } }
//! ```
//!
//! ## How to fix
//!
//! Look at `team.md` in the source project, and export the squad again.
//!
//! ## Source
//!
//! Portable squads, "The portable format":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#the-portable-format>
//!
//! Squad issue 1122:
//! <https://github.com/bradygaster/squad/issues/1122>

use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::Bundle;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/blank-file", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(team) = context.document.body::<Bundle>().and_then(|bundle| bundle.file("team.md")) else { return };
    if team.value.trim().is_empty() {
        sink.report(
            Finding::at(team.span, "`team.md` in the bundle is blank")
                .label("expected the text of the file")
                .help("fill in `team.md` in the source project, and export the squad again"),
        );
    }
}
