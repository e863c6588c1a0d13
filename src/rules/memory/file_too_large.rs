//! # memory/file-too-large
//!
//! ## What it flags
//!
//! A `decisions.md` over 20 KB, said more strongly over 100 KB, or an agent's `history.md` over 15 KB. The caps are
//! `decisions-max`, `decisions-hard-max` and `history-max` under `[memory]`, in bytes. What nobody loads is passed over:
//! the history of an agent under `_alumni`, or of one that has neither a charter nor a row in `team.md`; a
//! `decisions/decisions.md` beside `decisions.md`; an `.ai-team/` left behind beside a `.squad/` with a `team.md`.
//!
//! Where a change is looked at (`--staged`, `--from`), one that takes the file over a cap is flagged like any other file;
//! one that makes a file larger that was over it already, as info; one that does not, not at all.
//!
//! ## Why it matters
//!
//! Agents read these files whole each time they start. What is old costs tokens, and pushes out what the task is about.
//!
//! ## Example
//!
//! A `decisions.md` of 64 KB: about 16,000 tokens, for every agent, at every start.
//!
//! ## How to fix
//!
//! Move the entries that no longer matter every day to `decisions-archive.md`, or `history-archive.md` beside the
//! history. `squad-lint --fix --unsafe-fixes` moves the oldest, until the file is under its cap: entries that are dated, older
//! than a week, and no directives.
//!
//! ## Source
//!
//! Seed 000, "Best Practices": archive, and keep `decisions.md` under 100 KB. Upstream's archiver acts at 20 KB.

use bstr::ByteSlice;

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Ratchet, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/file-too-large",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let name = document.source.path().rsplit_str("/").next().unwrap_or_default();
    let caps = &options.memory;
    let (cap, archive) = match document.role {
        Role::Decisions if name == b"decisions.md" => (caps.decisions, "decisions-archive.md"),
        Role::History if name == b"history.md" => (caps.history, "history-archive.md"),
        _ => return,
    };
    let size = document.source.bytes().len() as u64;
    if size <= cap || document.root.is_empty() || !facts.is_loaded(document) {
        return;
    }
    let hard = caps.decisions_hard;
    let is_hard = document.role == Role::Decisions && size > hard && hard > cap;
    let grows = match document.ratchet(if is_hard { hard } else { cap }, size, |before| before.size) {
        Ratchet::Over => false,
        Ratchet::Grows => true,
        Ratchet::Holds => return,
    };
    let (lines, tokens) = (document.source.line_count(), size.div_ceil(4));
    let what = format!("file of {} ({lines} lines, about {tokens} tokens)", kilobytes(size, cap));
    let at_most = kilobytes(cap, size);
    let finding = if is_hard {
        let never = kilobytes(hard, size);
        Finding::whole_file(format!("{what} is far too large, expected at most {at_most} and never over {never}"))
            .help(format!("keep only what still holds, and move the rest to `{archive}`"))
    } else {
        Finding::whole_file(format!("{what}, expected at most {at_most}"))
            .help(format!("move old entries to `{archive}`"))
    };
    let finding = if grows { finding.at_most(Severity::Info) } else { finding };
    sink.report(match super::archiving(document, facts, archive, cap, options.now) {
        Some(moving) => finding.move_to(moving.edits, moving.append),
        None => finding,
    });
}

/// `bytes` with one decimal, or exact where `other` would read the same.
fn kilobytes(bytes: u64, other: u64) -> String {
    let tenths = |bytes: u64| bytes.saturating_add(50) / 100;
    let shown = tenths(bytes);
    if shown == tenths(other) { format!("{bytes} bytes") } else { format!("{}.{} KB", shown / 10, shown % 10) }
}
