//! What becomes of legacy entries, over all files at once: no two of them get the same timestamp and type.

use std::collections::BTreeSet;

use bstr::BString;

use super::Run;
use crate::convert::file::{self, Item, TimestampAllocator};
use crate::convert::{Confidence, EntryFile, FirstSeen, Subject};
use crate::document::Document;
use crate::fs::path::inner_path;

/// The legacy entries of the documents that are `wanted`, by their paths, with what becomes of those at least as sure as
/// `min`. `history` is asked where a text lacks a date or an author, `agents` for names where the team is not known.
pub fn convert(
    run: &Run<'_>,
    wanted: impl Fn(&Document) -> bool,
    min: Confidence,
    history: impl Fn(&Subject<'_>) -> Option<FirstSeen>,
    agents: impl Fn() -> BTreeSet<String>,
) -> Vec<(BString, Vec<Item>)> {
    let known = |at, kind| run.entries().at(at).iter().any(|entry| entry.entry_type == kind);
    let mut taken = TimestampAllocator::new(&known);
    let mut files = Vec::new();
    for document in run.documents.iter().filter(|document| wanted(document)) {
        if document.entries.legacy().next().is_none() {
            continue;
        }
        let team = run.squads().at(document.root()).map(|team| team.agents.iter().map(str::to_lowercase).collect());
        let agents: BTreeSet<String> = team.filter(|names: &BTreeSet<_>| !names.is_empty()).unwrap_or_else(&agents);
        let path = document.source.path();
        let place = EntryFile { file_kind: document.kind(), inner: inner_path(path, document.root()), agents: &agents };
        let items = file::convert(&document.source, &document.entries, place, min, &history, &mut taken);
        files.push((path.to_owned(), items));
    }
    files
}
