//! # memory/skill-front-matter
//!
//! ## What it flags
//!
//! A `SKILL.md` that readers skip, because it has no front matter, the front matter is not YAML, it has no `name` or
//! `description`, or no text follows it. A duplicate key makes it invalid, too. A frequent reason is an unquoted value
//! that contains a colon; another one is front matter below the title. The rule reads `skills/` of a squad, and
//! `.copilot/skills/` and `.github/skills/` beside it. For a change it reads the skills that the change touches, and
//! reports only what was not wrong before. It ignores the four skills that Squad itself installs without front matter
//! in `.copilot/skills/` or `.github/skills/`, such as `nap`: the next upgrade would undo an edit.
//!
//! ## Why it matters
//!
//! Agents choose a skill by its name and its description. Programs that list skills silently skip a file without them.
//! Squad itself accepts `description: Use when: x`, but other programs do not. If a skill in a state root has no front
//! matter, Squad lists it by the name of its folder.
//!
//! ## Example
//!
//! ```markdown
//! ---
//! name: retries
//! description: Use when: a call fails
//! ---
//! ```
//!
//! ## How to fix
//!
//! Quote the value, or add the missing field:
//!
//! ```markdown
//! ---
//! name: retries
//! description: "Use when: a call fails"
//! ---
//! ```
//!
//! ## Source
//!
//! Squad folders, "Skills":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#skills>

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::facts::{Run, unused};
use crate::formats::manifest::values::short;
use crate::formats::skill::{Problem, ProblemKind, is_installed, problem};
use crate::rule::{Check, Rule, Sink};
use crate::text::Source;

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/skill-front-matter",
    severity: Severity::Warning,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for document in run.documents.iter().filter(|document| document.kind() == &squad::SKILL) {
        let root = document.root();
        // Without hunks all lines count, as if there were no change.
        let before = document.before.as_ref().filter(|before| before.hunks.is_some());
        let before = before.and_then(|before| Some(before.source.as_ref()?.text()));
        if let Some(problem) = problem(document.text(), before)
            && !unused::is_unused(run, root)
        {
            let finding = finding(&problem).in_file(document.path());
            sink.report(match problem.kind {
                // Squad itself takes the name of the folder.
                ProblemKind::None | ProblemKind::Below(..) => {
                    finding.note("Squad lists the skill under its folder name, without a description")
                }
                _ => finding.note(SKIPPED),
            });
        }
    }
    for (source, before) in run.skills() {
        let folder = source.path().rsplitn_str(3, "/").nth(1).unwrap_or_default();
        if folder.to_str().is_ok_and(|folder| is_installed(folder, source.text())) {
            continue;
        }
        if let Some(problem) = problem(source.text(), before.as_ref().map(Source::text)) {
            sink.report(finding(&problem).in_file(source.path()).note(SKIPPED));
        }
    }
}

fn finding(problem: &Problem) -> Finding {
    let Problem { span, kind } = problem;
    let (message, label, help) = match kind {
        ProblemKind::None => (
            "skill has no front matter".to_owned(),
            "expected `---`",
            "begin the file with `---`, `name:`, `description:` and `---`".to_owned(),
        ),
        ProblemKind::Below(first, last) => (
            format!("front matter is on lines {first} to {last}, expected at the start of the file"),
            "begins here",
            "move these lines to the top of the file".to_owned(),
        ),
        ProblemKind::Unclosed => {
            ("front matter is never closed".to_owned(), "opens here", "write `---` after its last line".to_owned())
        }
        ProblemKind::Colon => (
            "unquoted value contains `: `, expected quotes".to_owned(),
            "most parsers reject this",
            "put the value in double quotes".to_owned(),
        ),
        ProblemKind::Invalid(message) => (
            format!("invalid YAML: {message}"),
            "the parser stopped here",
            "fix the YAML here or just above".to_owned(),
        ),
        ProblemKind::Twice(key) => (
            format!("duplicate key `{}` in the front matter", short(key)),
            "second one",
            "remove one of the two: most parsers reject this".to_owned(),
        ),
        ProblemKind::EmptyBody => (
            "skill has no text below its front matter".to_owned(),
            "nothing follows",
            "write what the agent is to do, or delete the file".to_owned(),
        ),
        ProblemKind::NoText(field) => {
            (format!("`{field}` in the front matter is no text"), "begins here", format!("write `{field}:` as a text"))
        }
        ProblemKind::MissingBoth => (
            "missing fields `name` and `description` in the front matter".to_owned(),
            "begins here",
            "add `name:` and `description:`".to_owned(),
        ),
        ProblemKind::Misnamed(field, longer) => (
            format!("missing field `{field}` in the front matter"),
            "begins here",
            format!("rename `{}` to `{field}`", short(longer)),
        ),
        ProblemKind::Missing(field) => {
            (format!("missing field `{field}` in the front matter"), "begins here", format!("add `{field}:`"))
        }
    };
    Finding::at(*span, message).label(label).help(help)
}

const SKIPPED: &str = "programs that list skills skip this file";
