//! # team/invalid-yaml
//!
//! ## What it flags
//!
//! A team manifest that is not YAML 1.2, or has a key twice or a second document. Readers of YAML take the last two for
//! different things.
//!
//! ## Why it matters
//!
//! Nobody can be spawned from a manifest that cannot be read. Of a key that stands twice, some readers take the last one,
//! some stop; a second document is read by none.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: architect
//!     role: System design: contracts and patterns
//!     role: Patterns
//! ```
//!
//! ## How to fix
//!
//! Put text that holds `: ` or ` #`, or begins with one of ``[ ] { } & * ! | > ' " % @ ` `` in quotes; indent with blanks, never
//! with tabs; of two equal keys keep one.
//!
//! ## Source
//!
//! Seed 004, "Team Manifest"; YAML 1.2.2, §3.2.1.3 (keys are unique).

use crate::diagnostic::{Finding, Severity};
use crate::formats::yaml::Node;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/invalid-yaml", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.manifest() else { return };
    if let Some(error) = &manifest.error {
        sink.report(
            Finding::at(error.span, format!("not YAML: {}", error.message))
                .label("noticed here")
                .help("correct this place or what stands before it; until then nothing of the team is known"),
        );
    }
    if manifest.is_foreign {
        return;
    }
    if let Some(span) = manifest.second {
        sink.report(
            Finding::at(span, "a second document, expected one")
                .label("what follows is not read")
                .help("put the team into one document, or take this one out"),
        );
    }
    for (first, again) in manifest.root.iter().flat_map(Node::walk).flat_map(Node::duplicate_keys) {
        let key = again.of(document.text());
        sink.report(
            Finding::at(again, format!("the key `{key}` stands here a second time"))
                .label("some readers take this one, some stop")
                .related(first, "first here")
                .help("keep one of the two"),
        );
    }
}
