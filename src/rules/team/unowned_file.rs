//! # team/unowned-file
//!
//! ## What it flags
//!
//! Files that git tracks and that no glob under `owns` matches: one finding for a manifest, with their number and the first
//! three. The team's own files, its manifest and its memory, need no owner. Off by default: most teams leave files at the
//! top of a repository to everybody.
//!
//! ## Why it matters
//!
//! In a team that divides all of its work by files, what nobody owns is what nobody looks after: a new folder belongs to
//! no member until somebody writes it into the manifest.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: backend
//!     owns: ["src/**"]
//! ```
//!
//! beside a folder `tests/` that is nobody's.
//!
//! ## How to fix
//!
//! `squad-lint team owners --unowned` lists the files. Give them to a member; a member with `**` owns all that nobody else
//! does, since the most precise glob decides.
//!
//! ## Source
//!
//! The protocol of learning teams, "Required Fields": `owns` are the files that a member is responsible for.

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/unowned-file",
    severity: Severity::Warning,
    enabled: false,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, run, .. } = *context;
    if document.manifest().is_none() {
        return;
    }
    let unowned = run.unowned(document.source.path());
    if unowned.count == 0 {
        return;
    }
    let shown: Vec<String> = unowned.first.iter().map(|path| format!("`{path}`")).collect();
    let others = match unowned.count - shown.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!(
        "nobody owns {} of the {}: {}{others}",
        unowned.count,
        plural(unowned.files, "tracked file"),
        shown.join(", ")
    );
    sink.report(Finding::whole_file(message).help(
        "`squad-lint team owners --unowned` lists them: give them to a member; one with `**` owns all that nobody else does",
    ));
}
