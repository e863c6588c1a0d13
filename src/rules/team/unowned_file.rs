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
use crate::facts::Facts;
use crate::facts::owned::claims;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/unowned-file",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: false,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(manifest) = document.manifest() else { return };
    let survey = facts.ownership(document.source.path(), &claims(manifest));
    if survey.unowned == 0 {
        return;
    }
    let shown: Vec<String> = survey.unowned_files.iter().map(|path| format!("`{path}`")).collect();
    let others = match survey.unowned - shown.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!(
        "nobody owns {} of the {}: {}{others}",
        survey.unowned,
        plural(survey.files, "tracked file"),
        shown.join(", ")
    );
    sink.report(Finding::whole_file(message).help(
        "`squad-lint team owners --unowned` lists them: give them to a member; one with `**` owns all that nobody else does",
    ));
}
