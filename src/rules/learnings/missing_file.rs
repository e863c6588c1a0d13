//! # learnings/missing-file
//!
//! ## What it flags
//!
//! A member of the manifest without `memory/agents/<name>/learnings.md`. One finding covers all members of a
//! manifest.
//!
//! ## Why it matters
//!
//! Each time the member is spawned, it reads this file, and tools append its new learnings to it. Without the file,
//! spawning fails, and new learnings are lost or end up in a file without sections.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: architect
//! ```
//!
//! with no `memory/agents/architect/`.
//!
//! ## How to fix
//!
//! Create the file with its title and sections (`squad-lint --fix --unsafe-fixes` does this), or remove the member from
//! the manifest.
//!
//! ## Source
//!
//! Learning teams, "Learnings":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#learnings>

use bstr::{BStr, ByteSlice};

use crate::diagnostic::Applicability;
use crate::diagnostic::{Finding, Passage, Severity, Step};
use crate::dialects::manifest;
use crate::facts::{Run, files, ignores, learning_team};
use crate::formats::learnings::layout;
use crate::formats::manifest::Text;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/missing-file",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// So many members are shown beside the first.
const SHOWN: usize = 9;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let path = document.source.path();
    if document.kind() != &manifest::MANIFEST {
        return;
    }
    let Some(team) = learning_team::of(context.run(), path).filter(|team| team.manifest_path() == path) else { return };
    let names: Vec<&Text> = team.manifest.members.iter().filter_map(|member| member.name.as_ref()).collect();
    let missing = names.into_iter().filter(|name| is_folder(&name.value)).filter(|name| {
        let file = team.learnings_of(&name.value);
        !is_there(context.run(), file.as_bstr())
    });
    let mut missing: Vec<&Text> = missing.collect();
    missing.sort_by(|a, b| (&a.value, a.span).cmp(&(&b.value, b.span)));
    missing.dedup_by(|a, b| a.value == b.value);
    missing.sort_by_key(|name| name.span);
    let Some((first, others)) = missing.split_first() else { return };
    let end = document.source.line_ending();
    let create = |name: &&Text| {
        let path = team.learnings_of(&name.value);
        // So that a fix can write it.
        let _ = context.run().read_or_new(path.as_bstr());
        Step::Create { path, text: Passage::new(layout::blank(&name.value, end), end) }
    };
    let steps: Vec<Step> = missing.iter().map(create).collect();
    let message = match others.len() {
        0 => format!("member `{}` has no `{}`", first.value, team.learnings_of(&first.value)),
        1 => {
            let second = others.first().map_or("", |name| &name.value);
            format!("2 members have no `learnings.md`: `{}` and `{second}`", first.value)
        }
        count => format!("{} members have no `learnings.md`: `{}` and {count} more", count + 1, first.value),
    };
    let mut finding = Finding::at(first.span, message).label("no `learnings.md`");
    for name in others.iter().take(SHOWN) {
        finding = finding.related(name.span, format!("`{}` has no `learnings.md`", name.value));
    }
    let (files, members) = if others.is_empty() { ("the file", "the member") } else { ("the files", "the members") };
    let help = format!(
        "run `squad-lint --fix --unsafe-fixes --select learnings/missing-file` to create {files}, or remove {members} from the manifest"
    );
    sink.report(finding.help(help).fix(Applicability::Unsafe, steps));
}

/// Whether a folder can have that name; what else is wrong with it, another rule tells.
fn is_folder(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    !name.is_empty() && name.chars().all(is_part) && !name.starts_with('.')
}

/// Whether the file is there, or git ignores it and only git is checked.
fn is_there(run: &Run<'_>, path: &BStr) -> bool {
    files::has(run, path)
        || run.read(path).is_some()
        || run.changes().is_some() && ignores::decide(run, path, false).is_some_and(|decision| decision.ignored)
}
