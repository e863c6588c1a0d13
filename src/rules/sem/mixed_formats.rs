//! # sem/mixed-formats
//!
//! ## What it flags
//!
//! A file that holds both SEM entries and legacy entries. There is one finding per file, at the first entry of the
//! rarer kind.
//!
//! ## Why it matters
//!
//! The format allows both kinds in one file while a team migrates, and its parsers try SEM first. Other tools read
//! only one kind and ignore the rest. This rule is for teams that want files of one kind, and is off by default.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: Use Postgres
//! **By:** Keaton
//!
//! ### 2026-02-15T14:32:15-0800: decision: Use Postgres 17
//! ```
//!
//! ## How to fix
//!
//! Rewrite the legacy entries as SEM, or move one kind to a file of its own, such as `decisions-archive.md`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "SEM and older entries in one file":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#sem-and-older-entries-in-one-file>

use crate::diagnostic::{Finding, Severity};
use crate::formats::entries::Block;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/mixed-formats",
    severity: Severity::Info,
    enabled: false,
    check: Check::Document(check),
    ..Rule::NEW
};

/// Entries of one kind: how many, and the first one's heading.
#[derive(Clone, Copy, Default)]
struct Kind {
    count: usize,
    first: Span,
}

impl Kind {
    fn add(&mut self, heading: Span) {
        if self.count == 0 {
            self.first = heading;
        }
        self.count += 1;
    }

    fn entries(self, name: &str) -> String {
        format!("{} {name} {}", self.count, if self.count == 1 { "entry" } else { "entries" })
    }
}

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let (mut sem, mut legacy) = (Kind::default(), Kind::default());
    for block in document.entries.blocks() {
        match block {
            Block::Sem(entry) => sem.add(entry.header.line),
            Block::Legacy(entry) => legacy.add(entry.heading),
            Block::Prose(_) => {}
        }
    }
    if sem.count == 0 || legacy.count == 0 {
        return;
    }
    let (rare, name, other, other_name) =
        if sem.count < legacy.count { (sem, "SEM", legacy, "legacy") } else { (legacy, "legacy", sem, "SEM") };
    let message =
        format!("file mixes {} with {}, expected one format per file", other.entries(other_name), rare.entries(name));
    sink.report(
        Finding::at(rare.first, message)
            .label(format!("first {name} entry"))
            .related(other.first, format!("first {other_name} entry"))
            .help("run `squad-lint convert` to rewrite the legacy entries as SEM, or move the entries of one format to another file"),
    );
}
