//! # bundle/blank-file
//!
//! ## What it flags
//!
//! A bundle whose `team.md` has no text. `charter/empty` reports a charter without text.
//!
//! ## Why it matters
//!
//! An import writes an empty `team.md`, so the coordinator thinks that the project has no team. Early versions of
//! Squad's export wrote such bundles.
//!
//! ## Example
//!
//! ```json
//! { "version": "1.0", "team_md": "", "agents": { "keaton": { "charter": "# Keaton" } } }
//! ```
//!
//! ## How to fix
//!
//! Check `team.md` in the source project, then export the squad again.
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
                .help("fill in `team.md` in the source project, then export the squad again"),
        );
    }
}
