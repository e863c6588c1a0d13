//! # guard/no-ci-guard
//!
//! ## What it flags
//!
//! A repository with state whose CI does not guard it. No workflow runs `squad-lint`, and no workflow fails because of
//! the state root in another way. The rule reads the files of six CI services, including GitHub and GitLab. It is off
//! by default.
//!
//! ## Why it matters
//!
//! `git add -f` overrides `.gitignore`, and users can skip a hook. Only a check on the server applies to everyone.
//!
//! ## Example
//!
//! `.ai-team/` on disk, and `.github/workflows/` with a build and nothing else.
//!
//! ## How to fix
//!
//! Add a `squad-lint` step to a workflow that runs on pull requests.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::rule::{Check, Rule, Sink};
use crate::select::workflow;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/no-ci-guard",
    severity: Severity::Info,
    enabled: false,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let Some(state) = run.state_roots().first().filter(|_| run.sees_work_tree() && run.changes().is_none()) else {
        return;
    };
    let workflows = workflow::files(&run.input.repository.root);
    let guards = |text: &str| {
        let names_root = run.state_roots().iter().any(|state| text.contains(&*state.root.to_str_lossy()));
        text.contains("squad-lint") || names_root && (text.contains("exit 1") || text.contains("setFailed"))
    };
    let texts = workflows.iter().filter_map(|path| run.read(path.as_bstr()));
    if texts.into_iter().any(|source| guards(source.text())) {
        return;
    }
    let what = match workflows.len() {
        0 => "no GitHub Actions workflow runs".to_owned(),
        1 => format!("`{}` does not run", workflows.first().map_or(b"".as_bstr(), |path| path.as_bstr())),
        count => format!("none of {count} workflows runs"),
    };
    sink.report(
        Finding::whole_file(format!("{what} `squad-lint` on `{}/`", state.root))
            .in_file(state.root.clone())
            .help("add a `squad-lint` step to a workflow that runs on pull requests"),
    );
}
