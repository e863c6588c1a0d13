//! # team/invalid-yaml
//!
//! ## What it flags
//!
//! A team manifest that is not YAML 1.2, contains a key twice, or contains a second document. YAML readers disagree
//! about the last two. The markers of a merge conflict are not YAML either.
//!
//! ## Why it matters
//!
//! Tools cannot spawn members from a manifest that they cannot read. If a key occurs twice, some readers use the last
//! one and some stop; no reader uses a second document.
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
//! Quote text that contains `: ` or ` #`, or that begins with one of ``[ ] { } & * ! | > ' " % @ ` ``. Indent with
//! spaces, not with tabs. Keep one of two equal keys.
//!
//! ## Source
//!
//! Learning teams, "Manifest":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#manifest>
//!
//! YAML 1.2.2, "Node Comparison":
//! <https://yaml.org/spec/1.2.2/#3213-node-comparison>

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::Manifest;
use crate::formats::yaml::Node;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::conflict;

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/invalid-yaml", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    if let Some(conflict) = conflict::all(document.text().as_bytes()).next() {
        // What the parser stumbles over is a marker.
        sink.report(
            Finding::at(conflict.start, "invalid YAML: unresolved merge conflict")
                .label("begins here")
                .related(conflict.end, "ends here")
                .help("keep the correct lines of each side, and delete the marker lines")
                .note("the manifest is ignored until it parses"),
        );
    } else if let Some(error) = &manifest.error {
        sink.report(
            Finding::at(error.span, format!("invalid YAML: {}", error.message))
                .label("the parser stopped here")
                .help(error.help)
                .note("the manifest is ignored until it parses"),
        );
    }
    if manifest.is_foreign {
        return;
    }
    if let Some(span) = manifest.second {
        sink.report(
            Finding::at(span, "second YAML document, expected one")
                .label("the rest of the file is ignored")
                .help("merge the documents, or remove this one"),
        );
    }
    for (first, again) in manifest.root.iter().flat_map(Node::walk).flat_map(Node::duplicate_keys) {
        let key = again.of(document.text());
        sink.report(
            Finding::at(again, format!("duplicate key `{key}`"))
                .label("some parsers use this value, others fail")
                .related(first, "first one")
                .help("keep one of the two"),
        );
    }
}
