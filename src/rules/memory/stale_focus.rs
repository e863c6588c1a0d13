//! # memory/stale-focus
//!
//! ## What it flags
//!
//! An `identity/now.md` that still has its initial text, although the team has entries that are more than a week newer
//! than its `updated_at`. The rule needs the other files of the state root, so it does not run with `--staged` and
//! `--from`.
//!
//! ## Why it matters
//!
//! Agents read `now.md` at every start to learn what the team works on. The initial text says that the team is about to
//! start.
//!
//! ## Example
//!
//! ```markdown
//! ---
//! updated_at: 2026-01-05T08:00:00Z
//! focus_area: Initial setup
//! ---
//!
//! # What We're Focused On
//!
//! Getting started. Updated by coordinator at session start.
//! ```
//!
//! ## How to fix
//!
//! Write what the team works on and today's date, or delete the file.
//!
//! ## Source
//!
//! Squad folders, "Identity and runtime files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#identity-and-runtime-files>

use crate::diagnostic::{Finding, Severity};
use crate::facts::{Run, unused};
use crate::formats::legacy::day;
use crate::formats::timestamp::Timestamp;
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/stale-focus", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

/// The initial text: that of a new team, and that of the template.
const INITIAL: [&str; 2] =
    ["Getting started. Updated by coordinator at session start.", "{Narrative description of current focus"];

/// How much newer another entry is, in seconds.
const WEEK: i64 = 7 * 86_400;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if inner_path(document.path(), document.root()) != "identity/now.md" {
        return;
    }
    let text = document.text();
    let initial = INITIAL.iter().find_map(|initial| Some((text.find(initial)?, initial.len())));
    let Some((at, len)) = initial else { return };
    let updated = text.lines().find_map(|line| line.strip_prefix("updated_at:")).and_then(day);
    let run = context.run();
    if run.changes().is_some() || unused::is_unused(run, document.root()) {
        return;
    }
    let Some(newest) = newest_entry(run, document) else { return };
    if updated.is_none_or(|updated| newest.unix() - updated.unix() > WEEK) {
        sink.report(
            Finding::at(Span::new(at, at + len), "`now.md` still has its initial text")
                .label("expected the team's current work")
                .help("write what the team is working on, and set `updated_at`")
                .note(format!("the team has entries dated {}", newest.to_string().get(..10).unwrap_or_default())),
        );
    }
}

/// The start of the first day in `text`.
fn day(text: &str) -> Option<Timestamp> {
    let (year, month, day) = day::find(text)?.date?;
    Timestamp::read(&format!("{year}-{month:02}-{day:02}T00:00:00+0000"))
}

/// The newest entry of the team that is neither in the future nor after the last commit.
fn newest_entry(run: &Run<'_>, document: &Document) -> Option<Timestamp> {
    let own = run.documents.iter().filter(|other| other.root() == document.root() && other.kind().holds_legacy());
    let days = own.flat_map(|other| {
        let text = other.text();
        let legacy = other.entries.legacy().filter_map(|entry| day(entry.date?.of(text)));
        other.entries.sem(text).filter_map(crate::formats::sem::Entry::timestamp).chain(legacy)
    });
    let latest = run.age().latest(run);
    days.filter(|day| day.unix() <= latest).max_by_key(|day| day.unix())
}
