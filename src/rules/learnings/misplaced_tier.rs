//! # learnings/misplaced-tier
//!
//! ## What it flags
//!
//! An entry in `Core` whose count of references is below five, such as `(refs: 2)` or `(used: 3)`. Entries without a
//! count are ignored.
//!
//! ## Why it matters
//!
//! Every task gets `Core`. An entry that was needed twice takes the place of one that every task needs.
//!
//! ## Example
//!
//! Below `Core`:
//!
//! ```markdown
//! - Zod v4 requires two arguments in z.record (added: 2026-02-28, refs: 2)
//! ```
//!
//! ## How to fix
//!
//! Move it to `Task-Relevant` until more tasks have needed it.
//!
//! ## Source
//!
//! Learning teams, "Tiers":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#tiers>

use super::shared::Touched;
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Entry, Tier};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/misplaced-tier",
    severity: Severity::Warning,
    enabled: false,
    check: Check::Document(check),
    ..Rule::NEW
};

/// The references that make an entry one of `Core`.
const CORE: u64 = 5;

/// The words of marks that count them.
const WORDS: [&str; 5] = ["refs", "references", "used", "uses", "reused"];

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(learnings) = document.loaded_learnings() else { return };
    let (text, touched) = (document.text(), Touched::of(document));
    let in_core = |entry: &&Entry| learnings.section_of(entry).and_then(|section| section.tier) == Some(Tier::Core);
    for entry in learnings.real_entries().filter(in_core).filter(|entry| touched.holds(entry.span)) {
        let Some((span, times)) = references(text, entry).filter(|(_, times)| *times < CORE) else { continue };
        let count = if times == 1 { "once".to_owned() } else { format!("{times} times") };
        sink.report(
            Finding::at(span, format!("entry in `Core` was used {count}, expected at least {CORE} times"))
                .help("move it to `Task-Relevant` until more tasks need it"),
        );
    }
}

/// How often the entry says that it was referred to, and where it says so.
fn references(text: &str, entry: &Entry) -> Option<(Span, u64)> {
    entry.marks.iter().find_map(|mark| {
        let is_count = WORDS.iter().any(|word| mark.key.of(text).eq_ignore_ascii_case(word));
        let number = mark.value.of(text).trim_end_matches(['x', '×', ' ']).parse().ok();
        number.filter(|_| is_count).map(|times| (mark.key.to(mark.value), times))
    })
}
