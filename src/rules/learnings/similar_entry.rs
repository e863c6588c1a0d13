//! # learnings/similar-entry
//!
//! ## What it flags
//!
//! Two entries of a file that have most of their words in common. That is 60 in 100, or what `similarity` says in the
//! configuration.
//! The words are counted whatever their order and their case. Entries of fewer than six words are not compared, nor
//! those that are about different things by number, `v1` and `v2`.
//!
//! ## Why it matters
//!
//! All learnings go into every task, up to 60 lines of them. What is said twice in other words takes the place of something
//! else, and the two drift apart when only one of them is brought up to date.
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
//! Merge them into one entry, with the newer date. Where they say different things, leave them.
//!
//! ## Source
//!
//! Seed 004, "Consolidation Triggers" 1: "Merge similar entries: Consolidate learnings that say the same thing in different
//! ways".

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::formats::learnings::Entry;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::ColumnUnit;
use crate::text::similarity;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/similar-entry",
    since: "0.1.0",
    severity: Severity::Info,
    enabled: true,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let pairs = facts.similar(document, options);
    let Some(learnings) = document.learnings().filter(|_| !pairs.is_empty()) else { return };
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
        let message = format!("entry that has {percent:.0} % of its words in common with the one on line {line}");
        sink.report(
            Finding::at(second.text, message)
                .label("much the same")
                .related(first.text, "said here")
                .help("merge them into one entry, with the newer date"),
        );
    }
}
