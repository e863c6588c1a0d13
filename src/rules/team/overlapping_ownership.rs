//! # team/overlapping-ownership
//!
//! ## What it flags
//!
//! Two globs under `owns`, of two members, that match the same files while neither is more specific. There is one
//! finding for each such pair, at the later glob.
//!
//! The most specific glob decides who owns a file. A glob is more specific than another if it matches some of the files
//! that the other matches, and no other file. So `src/lib/*.test.ts` of a tester inside `src/lib/**` of another member,
//! or `docs/**` beside `**`, does not overlap. Nor do two globs if a third glob, more specific than both, decides.
//!
//! Globs begin at the folder that holds `.claude/`, `*` stops at `/`, and a name without a wildcard at the end
//! (`src/core`) is a file, or a folder with everything in it.
//!
//! ## Why it matters
//!
//! The manifest should name one member that is responsible for a file. Two members that change the same file at the
//! same time undo each other's work.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: backend
//!     owns: ["src/**"]
//!   - name: tester
//!     owns: ["**/*.test.ts"]
//! ```
//!
//! `src/store.test.ts` matches both globs.
//!
//! ## How to fix
//!
//! Remove the glob from one of the two members, or add a glob that both globs cover, such as `src/**/*.test.ts`, to
//! the member that owns these files. `squad-lint team owners PATH` shows which globs match a file, and which one
//! decides.
//!
//! ## Source
//!
//! Learning teams, "Ownership":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#ownership>

use crate::diagnostic::{Finding, Severity};
use crate::facts::survey::claims;
use crate::formats::manifest::Manifest;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/overlapping-ownership",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let claims = claims(manifest);
    let survey = context.run().survey(document.source.path());
    for contest in &survey.contests {
        let (Some(first), Some(second)) = (claims.get(contest.first), claims.get(contest.second)) else { continue };
        let (one, other) = (&first.glob.value, &second.glob.value);
        let is_same = one == other;
        let files = match (contest.files, &contest.example) {
            (1, Some(example)) => format!("match `{example}`"),
            (files, Some(example)) => format!("match {files} files, such as `{example}`"),
            _ => "are equivalent".to_owned(),
        };
        let message = match &contest.example {
            None if is_same => format!("`{}` and `{}` both own `{other}`", first.name, second.name),
            Some(_) if is_same => {
                format!("`{}` and `{}` both have the glob `{other}`, and both {files}", first.name, second.name)
            }
            _ => {
                let (first, second) = (first.name, second.name);
                format!(
                    "`{one}` of `{first}` and `{other}` of `{second}` both {files}, and neither glob is more specific"
                )
            }
        };
        let label = if contest.files == 1 {
            "the owner of the file is ambiguous"
        } else {
            "the owner of these files is ambiguous"
        };
        let more_specific = match &contest.example {
            Some(example) if contest.files == 1 => format!(", or add `{example}` to the `owns` of one of the two"),
            Some(_) if !is_same => ", or give one of the members a more specific glob for these files".to_owned(),
            _ => String::new(),
        };
        sink.report(
            Finding::at(second.glob.span, message)
                .label(if contest.files == 0 { "second owner" } else { label })
                .related(first.glob.span, format!("glob of `{}`", first.name))
                .help(format!("delete one of the two globs{more_specific}")),
        );
    }
}
