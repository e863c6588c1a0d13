//! # team/unknown-field
//!
//! ## What it flags
//!
//! A key in a team manifest that no reader knows. The help suggests a similar field. The rule also accepts the fields
//! of later versions of the protocol (`isolation`), those of Claude Code's agents, keys that begin with `x-`, and keys
//! that are used only through an `*alias`.
//!
//! ## Why it matters
//!
//! Readers silently ignore a misspelt field and spawn the member with the default.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: architect
//!     permission_mode: plan
//! ```
//!
//! ## How to fix
//!
//! Correct the spelling. If the field is for your own tools, begin its name with `x-`.
//!
//! ## Source
//!
//! Learning teams, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#required-fields>
//!
//! Learning teams, "Optional fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#optional-fields>

use std::collections::HashSet;

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::values::short;
use crate::formats::manifest::{Manifest, Scope};
use crate::formats::yaml::Anchors;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/unknown-field", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let Some(root) = &manifest.root else { return };
    let anchors = Anchors::of(root);
    let mut seen = HashSet::new();
    for mapping in manifest.mappings() {
        let scope = mapping.scope;
        for pair in &mapping.pairs {
            let Some(key) = pair.key.as_str().filter(|key| !scope.knows(key)) else { continue };
            if anchors.is_aliased(pair.written) || !seen.insert(pair.key.span) {
                continue;
            }
            let finding = Finding::at(pair.key.span, format!("unknown field `{}` in {}", short(key), scope.name()));
            sink.report(match scope.meant(key) {
                Some(meant) => finding.label(format!("did you mean `{meant}`?")).help(format!("write `{meant}`")),
                None => finding
                    .label("no tool reads it")
                    .help(format!("remove it, or rename it to `x-{}`", short(key)))
                    .note(format!("known fields are {}", super::list(&known(scope), "and"))),
            });
        }
    }
}

fn known(scope: Scope) -> Vec<&'static str> {
    scope.fields().iter().map(|field| field.name).collect()
}
