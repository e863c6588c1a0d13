//! # learnings/similar-entry
//!
//! ## What it flags
//!
//! Two entries of a file that share at least 60 percent of their words. `similarity-threshold` under `[learnings]` sets
//! another percentage. The order and case of the words do not matter. The rule does not compare entries of fewer than
//! six words, or entries that differ in a number, such as `v1` and `v2`.
//!
//! ## Why it matters
//!
//! Every task gets all learnings, up to 60 lines of them. Two entries that say the same in different words take the
//! place of a third, and they drift apart when only one of them is updated.
//!
//! ## Example
//!
//! ```markdown
//! - Tests live beside the source: `src/lib/foo.test.ts`
//! - Tests live beside the source files, `src/lib/foo.test.ts`
//! ```
//!
//! ## How to fix
//!
//! Merge them into one entry with the newer date. If they say different things, leave them.
//!
//! ## Source
//!
//! Learning teams, "Consolidation":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#consolidation>

use super::shared::similar;
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Entry, Learnings};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::ColumnUnit;
use crate::text::similarity;

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/similar-entry", severity: Severity::Info, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let pairs = similar(document, options);
    let Some(learnings) = document.body::<Learnings>().filter(|_| !pairs.is_empty()) else { return };
    let text = document.text();
    for of_entry in pairs.chunk_by(|a, b| a.second == b.second) {
        let entry = |place: usize| learnings.entries.get(place);
        let Some(second) = of_entry.first().and_then(|pair| entry(pair.second)) else { continue };
        let firsts = of_entry.iter().filter_map(|pair| Some((pair.score, entry(pair.first)?)));
        let firsts: Vec<_> = firsts.collect();
        // Equal ones, which have all words in common, are another rule's.
        let said = |entry: &Entry| similarity::normal(entry.text.of(text));
        if firsts.iter().any(|(score, first)| *score >= 1.0 && said(first) == said(second)) {
            continue;
        }
        let best = firsts.iter().max_by(|(a, _), (b, _)| a.total_cmp(b));
        let Some((score, first)) = best else { continue };
        let line = document.source.position(first.span.start(), ColumnUnit::Char).line;
        let percent = score * 100.0;
        let message = format!("entry shares {percent:.0}% of its words with the one on line {line}");
        sink.report(
            Finding::at(second.text, message)
                .label("similar entry")
                .related(first.text, "similar to this one")
                .help("if both say the same, merge them into one entry"),
        );
    }
}
