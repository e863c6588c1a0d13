//! # sem/supersedes-order
//!
//! ## What it flags
//!
//! A `supersedes` that cannot be true. The entry names itself or a later entry, is part of a cycle, or replaces an
//! entry that another one in the same state root already supersedes. `sem/duplicate-entry` reports copies of one entry.
//! In a cycle, the finding is at an entry that replaces a later one.
//!
//! ## Why it matters
//!
//! Readers follow `supersedes` to the entry that is valid now. In a cycle no entry is valid; if two entries replace
//! the same one, both are.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: decision: Use Redis
//!
//! **supersedes:** 2026-02-15T14:32:15-0800
//! ```
//!
//! ## How to fix
//!
//! Write the timestamp of the earlier entry. If two entries replace the same one, let the later of the two replace
//! the earlier.
//!
//! ## Source
//!
//! Squad Entry Markdown, "supersedes":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#supersedes>

use crate::diagnostic::{Finding, Severity};
use crate::facts::entries::{Entries, KnownEntry};
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/supersedes-order",
    severity: Severity::Error,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

/// How many steps a circle may have.
const STEPS: usize = 64;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some((span, reading)) = entry.stamp(FieldName::Supersedes) else { return };
    let (Some(replaced), Some(own)) = (reading.moment(), entry.timestamp()) else { return };
    if replaced.unix() == own.unix() {
        let finding = Finding::at(span, "entry supersedes itself, expected an earlier one");
        sink.report(
            finding
                .related(own_stamp(entry), "this entry")
                .help("write the timestamp of the entry that this one replaces, or delete the line"),
        );
    } else if replaced.unix() > own.unix() {
        sink.report(later(entry, span, replaced, own, context.entries()));
    } else if let Some(other) = replaced_before(entry, document, replaced, own, context.entries()) {
        let finding = Finding::at(span, format!("entry `{replaced}` is already superseded"));
        sink.report(
            finding
                .related_in(context.entries().path_of(other), other.header, "this entry superseded it")
                .help(format!("to replace the newer entry instead, write `{}`", other.at)),
        );
    }
}

/// Every cycle has an entry that replaces a later one, and the cycle is reported only there.
fn later(entry: Entry<'_>, span: Span, replaced: Timestamp, own: Timestamp, entries: Entries<'_>) -> Finding {
    let target = entries.at(replaced).first();
    let finding = |message: String| {
        let finding = Finding::at(span, message).related(own_stamp(entry), "this entry");
        match target {
            Some(target) => finding.related_in(entries.path_of(target), target.header, "the later entry"),
            None => finding,
        }
    };
    if leads_back(replaced, own, entries) {
        finding(format!("entry supersedes `{replaced}`, which supersedes it in turn"))
            .help("delete this line: the later entry replaces the earlier one")
    } else {
        finding(format!("entry supersedes `{replaced}`, which is later than this entry"))
            .help("write the timestamp of an earlier entry")
            .help("if the later entry replaces this one, delete this line and write `supersedes` in the later entry")
    }
}

/// Whether what the entry of moment `from` replaces, and so on, comes back to the moment `own`.
fn leads_back(from: Timestamp, own: Timestamp, entries: Entries<'_>) -> bool {
    let mut at = from;
    for _ in 0..STEPS {
        match entries.superseded_by(at) {
            Some(next) if next.unix() == own.unix() => return true,
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// The entry that replaced the entry of moment `replaced` last before this one did.
fn replaced_before<'a>(
    entry: Entry<'_>,
    document: &Document,
    replaced: Timestamp,
    own: Timestamp,
    entries: Entries<'a>,
) -> Option<&'a KnownEntry> {
    if entries.at(replaced).is_empty() {
        return None; // sem/dangling-reference tells of that.
    }
    let all = entries.superseding(replaced, document.root());
    let (earlier, rest) = all.split_at(all.partition_point(|known| known.at.unix() < own.unix()));
    if let Some(last) = earlier.last().filter(|known| known.at.unix() > replaced.unix()) {
        return Some(last);
    }
    // Of entries of this very moment, those of the same type are copies of it.
    let same = rest.get(..rest.partition_point(|known| known.at.unix() == own.unix())).unwrap_or_default();
    let place = (document.source.path(), entry.span());
    let others = EntryType::ALL.into_iter().filter(|other| Some(*other) != entry.entry_type());
    let mut firsts = others.filter_map(|other| same.get(same.partition_point(|known| known.entry_type < other)));
    firsts.find(|known| Some(known.entry_type) != entry.entry_type() && (entries.path_of(known), known.span) < place)
}

/// Where an entry's own timestamp is.
fn own_stamp(entry: Entry<'_>) -> Span {
    let header = entry.header();
    match entry.stamp(FieldName::Timestamp) {
        Some((span, _)) if header.reading.moment().is_none() => span,
        _ => header.timestamp,
    }
}
