//! Runtime files that a team keeps in git.

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;

/// How a team keeps its runtime files in git.
pub const OFF: &str = "set `\"guard/runtime-tracked\" = \"off\"` under `[rules]` in `squad-lint.toml`";

/// `finding` about runtime files that the team decided to track: `line` would ignore them, if it were not a comment.
pub fn kept(finding: Finding, line: &str, them: &str) -> Finding {
    let finding = finding.at_most(Severity::Info).help(format!("to go on tracking {them}, {OFF}"));
    finding.note(format!("`.gitignore` has the line `{line}` as a comment, so the team seems to track {them}"))
}

/// The comment in the top `.gitignore` that would be one of the lines `patterns` if it were no comment.
pub fn commented(run: &Run<'_>, patterns: &[String]) -> Option<String> {
    let source = run.read(b".gitignore".into())?;
    let is_pattern = |line: &&str| {
        let pattern = line.trim_start_matches(['#', ' ']).trim_start_matches('/').trim_end();
        line.starts_with('#')
            && patterns.iter().any(|known| known.trim_end_matches('/') == pattern.trim_end_matches('/'))
    };
    source.text().lines().find(is_pattern).map(|line| line.trim_end().to_owned())
}
