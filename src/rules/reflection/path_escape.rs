//! # reflection/path-escape
//!
//! ## What it flags
//!
//! A path in `files_changed` that is not inside the repository. It is absolute, is in a home folder, or leaves the
//! repository through `..`.
//!
//! ## Why it matters
//!
//! Either the member changed a file that it must not change, or the path is correct on one machine only.
//!
//! ## Example
//!
//! ```json
//! "files_changed": ["/home/kim/project/src/main.rs", "../other/src/main.rs"]
//! ```
//!
//! ## How to fix
//!
//! Write paths relative to the root of the repository. If the file really is outside of it, check what the member
//! changed there.
//!
//! ## Source
//!
//! Learning teams, "Reflection":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#reflection>

use crate::diagnostic::{Finding, Severity};
use crate::formats::reflection::Reflection;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "reflection/path-escape", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// How much of a path a message shows, in characters.
const SHOWN: usize = 80;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(reflection) = document.body::<Reflection>() else { return };
    for path in &reflection.files_changed {
        let Some(how) = escape(&path.value) else { continue };
        let mut shown: String = path.value.chars().take(SHOWN).collect();
        if shown.len() < path.value.len() {
            shown.push('…');
        }
        sink.report(
            Finding::at(path.span, format!("path `{shown}` {how}, expected a path relative to the repository root"))
                .help("write the path relative to the root of the repository, without `..`")
                .help(
                    "if the file is outside the repository, review what the agent changed there, and delete this path",
                ),
        );
    }
}

/// How `path` leads out of the repository.
fn escape(path: &str) -> Option<&'static str> {
    let is_separator = |c: char| matches!(c, '/' | '\\');
    let path = path.trim();
    let has_drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.starts_with(is_separator) || has_drive || path.starts_with("file:") {
        return Some("is absolute");
    }
    if path == "~" || path.starts_with("~/") || path.starts_with("~\\") {
        return Some("is in a home folder");
    }
    let mut depth = 0_usize;
    for part in path.split(is_separator) {
        match part {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return Some("is outside the repository"),
            },
            _ => depth += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_leads_out() {
        for path in [
            "/etc/passwd",
            "\\\\host\\x",
            "C:\\x",
            "c:/x",
            "file:///x",
            "~",
            "~/x",
            "../x",
            "a/../../x",
            "a\\..\\..\\x",
            " /x",
        ] {
            assert!(escape(path).is_some(), "{path}");
        }
        for path in ["src/a.rs", "./a", "a/../b", "..a/b", "a/..", "", "~x", "ab:c", "http://x", "a/~/b"] {
            assert!(escape(path).is_none(), "{path}");
        }
    }
}
