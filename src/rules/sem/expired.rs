//! # sem/expired
//!
//! ## What it flags
//!
//! An entry whose `expires` has passed. Entries in an archive, and entries that another one supersedes, are not
//! reported.
//!
//! ## Why it matters
//!
//! Agents still load the entry and act on it, although the team meant to review it by that day.
//!
//! ## Example
//!
//! ```markdown
//! **expires:** 2025-12-31T00:00:00+0000
//! ```
//!
//! ## How to fix
//!
//! If the entry still applies, write a later `expires`. If another entry replaces it, write the timestamp of this one
//! into its `supersedes`. Otherwise move it to `decisions-archive.md` or `history-archive.md`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "expires":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#expires>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/expired",
    severity: Severity::Warning,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

const DAY: i64 = 24 * 60 * 60;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some((span, reading)) = entry.stamp(FieldName::Expires) else { return };
    let Some(expires) = reading.moment() else { return };
    let own = entry.timestamp();
    // An entry that expired before it was written is sem/expires-before-timestamp's.
    let impossible = own.is_some_and(|own| expires.unix() < own.unix());
    if expires.unix() >= options.now.unix() || impossible || document.kind() == &squad::ARCHIVE {
        return;
    }
    if own.is_some_and(|own| context.entries().replacement(own, document.root()).is_some()) {
        return;
    }
    let since = match (options.now.unix() - expires.unix()) / DAY {
        0 => "less than a day ago".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    };
    let archive = if document.kind() == &squad::HISTORY { "history-archive.md" } else { "decisions-archive.md" };
    let finding = Finding::at(span, format!("entry expired {since}"))
        .help(format!("if the entry still applies, write a later `expires`; if not, move it to `{archive}`"));
    sink.report(match own {
        Some(own) => finding.help(format!("if another entry replaces it, add `**supersedes:** {own}` there")),
        None => finding,
    });
}
