//! # memory/shell-damage
//!
//! ## What it flags
//!
//! Text that a shell changed while writing it. The rule finds a control character, a tab or a carriage return instead
//! of the first letter of a word, and a line with one backtick instead of a code fence. It reports the first place in a
//! file and counts the others. It ignores page breaks and UTF-16 files. `security/terminal-escape` reports sequences
//! for terminals.
//!
//! ## Why it matters
//!
//! PowerShell reads a backtick in a double-quoted string as an escape: `` `frontend` `` becomes a form feed and
//! `rontend`. Agents then look for paths and names that do not exist.
//!
//! ## Example
//!
//! ```text
//! Removed ␈ackground from ␌rontend/src/index.css
//! ```
//!
//! ## How to fix
//!
//! Write the letter again. The unsafe fix does this wherever the letter is certain. To avoid this, pass such text in a
//! file or as a single-quoted here-string (`@'…'@`).
//!
//! ## Source
//!
//! PowerShell, "About Special Characters":
//! <https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_special_characters>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::dialects::Syntax;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::escapes::damage;
use crate::text::is_utf16;
use crate::text::prose::more_in_file;

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/shell-damage",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if !matches!(document.kind().syntax, Syntax::Markdown(_)) || is_utf16(document.source.bytes()) {
        return;
    }
    let found = damage(document.text(), document.entries.outline.has_lone_backtick);
    let Some(first) = document.shown(&found, |one| one.span) else { return };
    if context.is_unused() {
        return;
    }
    let more = more_in_file(found.len());
    let original = match &first.original {
        Some(original) if first.span.len() == 1 && original.len() == 1 => format!(" in place of `{original}`"),
        _ => String::new(),
    };
    let a = if first.name.starts_with('e') { "an" } else { "a" };
    let finding = Finding::at(first.span, format!("text contains {a} {}{original}{more}", first.name))
        .label("PowerShell read a backtick as an escape")
        .help("restore the original text")
        .note("in double quotes, PowerShell reads a backtick as the start of an escape; in single quotes, it does not");
    let edits = found.iter().filter_map(|one| Some(Edit::replace(one.span, one.original.as_ref()?.as_str())));
    let edits: Vec<Edit> = edits.collect();
    sink.report(if edits.is_empty() { finding } else { finding.fix(Applicability::Unsafe, edits) });
}
