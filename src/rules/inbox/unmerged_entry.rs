//! # inbox/unmerged-entry
//!
//! ## What it flags
//!
//! An entry that only the inbox has, although `decisions.md` has three or more entries that are more than a week newer. An entry
//! counts as merged if its text, or about a third of it, is in another file of the team. The rule ignores the folders `archive`,
//! `archived`, `done`, `merged` and `processed` of the inbox. It also ignores an entry that is dated before nearly all
//! others: in a team with ten or more dates, the earliest 5 % are often wrong. A run with `--staged` or `--from` does not
//! compare the inbox with the other files.
//!
//! ## Why it matters
//!
//! Agents read `decisions.md`, not the inbox. If newer entries were merged and this one was not, it was forgotten: no
//! agent acts on it.
//!
//! ## Example
//!
//! `.squad/decisions/inbox/wash-third-port.md` is dated 2026-02-12. No other file has its text, and the last entries of
//! `.squad/decisions.md` are dated 2026-02-22.
//!
//! ## How to fix
//!
//! Merge the entry into `decisions.md` and delete the file. If the entry no longer applies, just delete the file.
//!
//! ## Source
//!
//! Squad folders, "Inbox":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#inbox>

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::facts::unused;
use crate::formats::entries::Block;
use crate::fs::path::join;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "inbox/unmerged-entry", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if document.kind() != &squad::INBOX {
        return;
    }
    let run = context.run();
    let Some(unmerged) = run.unmerged().at(document.path()) else { return };
    if unused::is_unused(run, document.root()) {
        return;
    }
    let ledger = join(document.root(), "decisions.md");
    let day: String = unmerged.day.to_string().chars().take(10).collect();
    let newer = unmerged.newer;
    let message = format!(
        "entry dated {day} is still in the inbox, but `{ledger}` already has {newer} entries that are more than a week newer"
    );
    let finding = match title(document) {
        Some(title) => Finding::at(title, message),
        None => Finding::whole_file(message),
    };
    sink.report(finding.help(format!(
        "merge it into `{ledger}` and delete this file, or delete the file if the entry no longer applies"
    )));
}

/// The heading of the first entry.
fn title(document: &Document) -> Option<Span> {
    document.entries.blocks().find_map(|block| match block {
        Block::Sem(entry) => Some(entry.header.line),
        Block::Legacy(entry) => Some(entry.heading.trim(document.text())),
        Block::Prose(_) => None,
    })
}
