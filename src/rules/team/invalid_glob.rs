//! # team/invalid-glob
//!
//! ## What it flags
//!
//! A glob under `owns` that cannot be read. It is empty, contains `..`, or has an unmatched bracket or brace.
//!
//! ## Why it matters
//!
//! It matches nothing, so the member owns fewer files than intended, and readers cannot tell which files were meant.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: tester
//!     owns: ["tests/{unit,e2e/**"]
//! ```
//!
//! ## How to fix
//!
//! Close the bracket or brace, or put `\` before a special character to match it literally: `app/\[id\]/**`. Globs
//! begin at the folder that holds `.claude/` and cannot leave it.
//!
//! ## Source
//!
//! Learning teams, "Ownership":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#ownership>

use std::collections::HashSet;

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::Manifest;
use crate::formats::manifest::values::short;
use crate::ownership::{self, GlobError};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/invalid-glob", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let mut seen = HashSet::new();
    for glob in manifest.members.iter().flat_map(|member| member.owns.iter().flatten()) {
        let Some(error) = ownership::problem(&glob.value).filter(|_| seen.insert(glob.span)) else { continue };
        let span = super::first_line(glob.inner(document.text()), document.text());
        let finding = Finding::at(span, message(&glob.value, &error)).label("matches nothing").help(help(&error));
        sink.report(match error {
            GlobError::Escape => finding.note("folders are separated by `/`"),
            _ => finding,
        });
    }
}

fn message(glob: &str, error: &GlobError) -> String {
    match glob {
        "" => format!("glob {error}"),
        glob => format!("glob `{}` {error}", short(glob)),
    }
}

fn help(error: &GlobError) -> &'static str {
    match error {
        GlobError::Empty => "name the files that the member owns, or remove the item",
        GlobError::Leaves => "write the glob relative to the folder that holds `.claude/`",
        GlobError::Class => "close it with `]`, or write `\\[` for a bracket in a name",
        GlobError::Range(..) => "swap the two ends",
        GlobError::Brace => "close the brace, or write `\\{` or `\\}` for a brace in a name",
        GlobError::Escape => "remove the `\\`, or add the character it escapes",
        GlobError::Alternatives | GlobError::TooLong => "write several globs, one for each folder",
    }
}
