//! # guard/no-ci-guard
//!
//! ## What it flags
//!
//! A repository with state whose CI does not guard it. No workflow runs `squad-lint`, and none fails because of the
//! state root in another way. The rule reads the files of six CI services, including GitHub and GitLab. Off by
//! default.
//!
//! ## Why it matters
//!
//! `git add -f` overrides `.gitignore`, and a hook can be skipped. Only the check on the server holds for everyone.
//!
//! ## Example
//!
//! `.ai-team/` on disk, and `.github/workflows/` with a build and nothing else.
//!
//! ## How to fix
//!
//! Run `squad-lint` in a workflow for pull requests.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::options::Options;
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/no-ci-guard",
    since: "0.1.0",
    severity: Severity::Info,
    enabled: false,
    fixes: &[],
    check: Check::Repository(check),
};

fn check(facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(state) = facts.states().first().filter(|_| facts.sees_work_tree() && facts.changes().is_none()) else {
        return;
    };
    let workflows = facts.workflows();
    let guards = |text: &str| {
        let names_root = facts.states().iter().any(|state| text.contains(&*state.root.to_str_lossy()));
        text.contains("squad-lint") || names_root && (text.contains("exit 1") || text.contains("setFailed"))
    };
    let texts = workflows.iter().filter_map(|path| facts.read(path.as_bstr()));
    if texts.into_iter().any(|source| guards(source.text())) {
        return;
    }
    let what = match workflows.len() {
        0 => "no workflow".to_owned(),
        1 => format!("`{}` does not guard", workflows.first().map_or(b"".as_bstr(), |path| path.as_bstr())),
        count => format!("none of {count} workflows guards"),
    };
    let verb = if workflows.is_empty() { " guards" } else { "" };
    sink.report(
        Finding::whole_file(format!("{what}{verb} `{}/`, expected one that runs `squad-lint`", state.root))
            .in_file(state.root.clone())
            .help("run `squad-lint` in a workflow for pull requests"),
    );
}
