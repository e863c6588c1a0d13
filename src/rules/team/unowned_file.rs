//! # team/unowned-file
//!
//! ## What it flags
//!
//! Files that git tracks and that no glob under `owns` matches. There is one finding per manifest, with the number of
//! files and the first three. The manifest and the memory of the team need no owner. The rule is off by default,
//! because in most teams every member may change files at the top of the repository.
//!
//! ## Why it matters
//!
//! If a team divides all of its work by files, no member takes care of a file without an owner. A new folder belongs to
//! no member until someone adds it to the manifest.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: backend
//!     owns: ["src/**"]
//! ```
//!
//! with files in a folder `tests/`.
//!
//! ## How to fix
//!
//! `squad-lint team owners --unowned` lists the files. Give them to a member. A member with `**` owns every file that
//! no other member owns, because the most specific glob decides.
//!
//! ## Source
//!
//! Learning teams, "Ownership":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#ownership>

use crate::diagnostic::{Finding, Severity};
use crate::formats::manifest::Manifest;
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
    let Context { document, .. } = *context;
    if document.body::<Manifest>().is_none() {
        return;
    }
    let unowned = context.run().unowned(document.source.path());
    if unowned.count == 0 {
        return;
    }
    let shown: Vec<String> = unowned.first.iter().map(|path| format!("`{path}`")).collect();
    let others = match unowned.count - shown.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!(
        "{} of the {} {have} no owner: {}{others}",
        unowned.count,
        plural(unowned.files, "tracked file"),
        shown.join(", "),
        have = if unowned.count == 1 { "has" } else { "have" }
    );
    sink.report(
        Finding::whole_file(message)
            .help("run `squad-lint team owners --unowned` to list them, and add each one to the `owns` of a member")
            .note("to give one member all other files, add `**` to its `owns`"),
    );
}
