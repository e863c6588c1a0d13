//! # memory/old-root-path
//!
//! ## What it flags
//!
//! A path in `.ai-team/` in a `team.md`, `routing.md`, `ceremonies.md` or charter in `.squad/`, if `.ai-team/` no
//! longer exists. The rule reports the first path in a file and counts the others. It ignores lines that also name
//! `.squad`, or that are about the migration.
//!
//! ## Why it matters
//!
//! Squad renamed `.ai-team/` to `.squad/`. Agents follow these files: they read paths that do not exist, or create a second
//! state root that no other agent reads.
//!
//! ## Example
//!
//! `.squad/team.md`:
//!
//! ```markdown
//! | Keaton | Lead | `.ai-team/agents/keaton/charter.md` | Active |
//! ```
//!
//! ## How to fix
//!
//! Write `.squad/` instead of `.ai-team/`. The unsafe fix does this in all lines that the rule counts.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::files;
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::prose::more_in_file;
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/old-root-path",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

const OLD: &str = ".ai-team";
const NEW: &str = ".squad";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(parent) = document.root().strip_suffix(NEW.as_bytes()) else { return };
    if !is_followed(document) {
        return;
    }
    let found = old_paths(document.text());
    let Some(first) = document.shown(&found, |span| *span) else { return };
    let old = BString::from([parent, OLD.as_bytes()].concat());
    if files::any_in(context.run(), old.as_bstr()) {
        return;
    }
    let more = more_in_file(found.len());
    sink.report(
        Finding::at(*first, format!("path uses the missing folder `{old}/`{more}"))
            .label(format!("expected `{NEW}`"))
            .help(format!("replace `{OLD}/` with `{NEW}/`"))
            .fix(Applicability::Unsafe, found.iter().map(|span| Edit::replace(*span, NEW))),
    );
}

/// Whether agents follow the paths in the file.
fn is_followed(document: &Document) -> bool {
    let inner = inner_path(document.path(), document.root());
    let parts: Vec<&[u8]> = inner.split_str("/").collect();
    match parts.as_slice() {
        [b"team.md" | b"routing.md" | b"ceremonies.md"] => true,
        [b"agents", agent, b"charter.md"] => *agent != b"_alumni",
        _ => false,
    }
}

/// The names of the old folder in paths into it.
fn old_paths(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    // Each line is judged once, however many paths it has.
    let mut line_stop = 0;
    let mut is_skipped = false;
    for at in memchr::memmem::find_iter(text.as_bytes(), b".ai-team/") {
        let before = text.get(..at).unwrap_or_default();
        if at >= line_stop {
            let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
            line_stop = line_end(text.as_bytes(), start).0;
            is_skipped = is_about_migration(Span::new(start, line_stop).of(text));
        }
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if is_whole && !is_skipped {
            found.push(Span::new(at, at + OLD.len()));
        }
    }
    found
}

fn is_about_migration(line: &str) -> bool {
    const WORDS: [&str; 11] = [
        ".squad",
        "migrat",
        "legacy",
        " old ",
        "former",
        "previous",
        "deprecat",
        "rename",
        "fall back",
        "fallback",
        "no longer",
    ];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
}
