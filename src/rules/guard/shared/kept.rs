//! Runtime files that a team keeps in git.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::rules::guard::first;
use crate::rules::guard::shared::ignore;

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

/// The line that would ignore `path`, if it were not a comment.
pub fn refused(run: &Run<'_>, path: &BString) -> Option<String> {
    commented(run, &[ignore::pattern_in(BStr::new(""), path.as_bstr())])
}

/// The finding about `open`, paths of `what` that the team decided not to ignore; `None` if there are none.
pub fn open<T>(run: &Run<'_>, what: &str, open: &[(BString, T)]) -> Option<Finding> {
    let line = open.first().and_then(|(path, _)| refused(run, path))?;
    let paths: Vec<&BStr> = open.iter().map(|(path, _)| path.as_bstr()).collect();
    let finding = Finding::whole_file(format!("{what} are not ignored: {}", first(&paths))).at_most(Severity::Info);
    let finding = finding.help(format!("to ignore them, remove the `#` from the line `{line}`"));
    Some(
        finding.note(format!(
            "`.gitignore` has the line `{line}` as a comment, so the team seems to have decided against it"
        )),
    )
}
