//! # team/invalid-yaml
//!
//! ## What it flags
//!
//! A team manifest that is not YAML 1.2, or has a key twice or a second document. Readers of YAML take the last two for
//! different things. Markers of a merge conflict are no YAML either.
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
use crate::formats::conflict;
use crate::formats::yaml::Node;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/invalid-yaml",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(manifest) = document.manifest() else { return };
    if let Some(conflict) = conflict::all(document.text().as_bytes()).next() {
        // What the parser stumbles over is a marker.
        sink.report(
            Finding::at(conflict.start, "not YAML: an unresolved merge conflict")
                .label("begins here")
                .related(conflict.end, "ends here")
                .help("keep what is right on both sides, and delete the marker lines; until then nothing of the team is known"),
        );
    } else if let Some(error) = &manifest.error {
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
