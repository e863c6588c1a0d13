//! # sem/expired
//!
//! ## What it flags
//!
//! An entry whose `expires` has passed. An entry that another one supersedes, and one in an archive, is not reported.
//!
//! ## Why it matters
//!
//! Agents load it and act on it, though the team meant to look at it again by that day.
//!
//! ## Example
//!
//! ```markdown
//! **expires:** 2025-12-31T00:00:00+0000
//! ```
//!
//! ## How to fix
//!
//! Review the entry: give it a later `expires`, write an entry that supersedes it, or move it to an archive.
//!
//! ## Source
//!
//! Seed 000, "expires": when the decision should be reviewed; seed 001.

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::formats::sem::{Entry, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/expired",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::EntryInRepository(check),
};

const DAY: i64 = 24 * 60 * 60;

fn check(entry: Entry<'_>, document: &Document<'_>, facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let Some((span, reading)) = entry.stamp(FieldName::Expires) else { return };
    let Some(expires) = reading.moment() else { return };
    let own = entry.timestamp();
    // An entry that expired before it was written is sem/expires-before-timestamp's.
    let impossible = own.is_some_and(|own| expires.unix() < own.unix());
    if expires.unix() >= options.now.unix() || impossible || document.role == Role::Archive {
        return;
    }
    let later =
        |own: Timestamp| facts.superseding(own, document.root).last().is_some_and(|known| known.at.unix() > own.unix());
    if own.is_some_and(later) {
        return;
    }
    let since = match (options.now.unix() - expires.unix()) / DAY {
        0 => "less than a day ago".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    };
    sink.report(
        Finding::at(span, format!("entry expired {since}"))
            .help("review the entry: give it a later `expires`, supersede it, or move it to an archive"),
    );
}
