//! What a check keeps for the next one: the findings in a document stay as long as the document and the answers to what its
//! rules asked for are the same.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, BString};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::document::store::Documents;
use crate::facts::Run;
use crate::facts::asked::Asked;
use crate::facts::entries;
use crate::facts::squads::Squads;
use crate::formats::timestamp::Timestamp;

/// What the last check of a target leaves for the next one, by the same rules with the same options.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The documents of all checks.
    pub(super) documents: Arc<Documents>,
    /// What was found in each document, in the order of their paths.
    found: Vec<Arc<Found>>,
    /// The documents whose entries were compared, in their order; `None` if no rule asked for entries.
    compared: Option<Vec<Arc<Document>>>,
    /// The teams, if a rule asked for them.
    pub(super) squads: Option<Arc<Squads>>,
}

/// What was found in a document, and what that depends on.
#[derive(Debug)]
pub(super) struct Found {
    document: Arc<Document>,
    /// The findings of all rules but those in `again`.
    pub(super) own: Vec<Diagnostic>,
    /// The rules that asked for the whole run: they run again.
    pub(super) again: Vec<&'static str>,
    /// Whether a rule asked for the team of the document's state root.
    squad: bool,
    /// The ranges of moments in which a rule asked for entries.
    moments: Vec<(i64, i64)>,
}

impl Found {
    /// What the rules found in `document`, and what they `asked`, those in `again` for the whole run.
    pub(super) fn new(document: Arc<Document>, found: &[Diagnostic], again: Vec<&'static str>, asked: Asked) -> Self {
        let own = found.iter().filter(|one| !again.contains(&one.rule.name)).cloned().collect();
        Self { document, own, again, squad: asked.squad.get(), moments: asked.into_moments() }
    }
}

impl Memory {
    /// A memory of documents alone.
    pub(super) fn of(documents: Arc<Documents>) -> Self {
        Self { documents, ..Self::default() }
    }

    /// Forgets the last check for the one of `run`, which `found` this.
    pub(super) fn renew(
        &mut self,
        found: Vec<Arc<Found>>,
        compared: Option<Vec<Arc<Document>>>,
        squads: Option<Arc<Squads>>,
    ) {
        (self.found, self.compared, self.squads) = (found, compared, squads);
    }
}

/// A memory in the light of a new run.
#[derive(Debug)]
pub(super) struct Recalled<'m> {
    memory: &'m Memory,
    /// What was found in each document of the run; `None` for one that is new.
    found: Vec<Option<&'m Arc<Found>>>,
    /// The moments of entries that have come, gone or changed, in order; `None` if the entries cannot be compared.
    changed_moments: Option<Vec<i64>>,
    /// The state roots that have another team; `None` if the teams cannot be compared.
    changed_roots: OnceLock<Option<BTreeSet<BString>>>,
}

impl<'m> Recalled<'m> {
    /// What `memory` knows about the documents of `run`.
    pub(super) fn new(memory: &'m Memory, run: &Run<'_>) -> Self {
        let mut known = memory.found.iter().peekable();
        let found = run.documents.iter().map(|document| {
            while known.next_if(|found| found.document.path() < document.path()).is_some() {}
            known.next_if(|found| Arc::ptr_eq(&found.document, document))
        });
        let found = found.collect();
        let compared = memory.compared.as_ref().zip(entries::compared(run));
        let changed_moments = compared.map(|(before, now)| changed_moments(before, now));
        Self { memory, found, changed_moments, changed_roots: OnceLock::new() }
    }

    /// What was found in the document at this place, if all that it depends on is as it was.
    pub(super) fn found(&self, index: usize, run: &Run<'_>) -> Option<&'m Arc<Found>> {
        let found = (*self.found.get(index)?)?;
        let is_changed = |(first, last): &(i64, i64), changed: &[i64]| {
            changed.get(changed.partition_point(|moment| moment < first)).is_some_and(|moment| moment <= last)
        };
        let holds_entries = found.moments.is_empty()
            || self
                .changed_moments
                .as_ref()
                .is_some_and(|changed| !found.moments.iter().any(|range| is_changed(range, changed)));
        let holds = holds_entries && (!found.squad || self.has_same_squad(found.document.root(), run));
        holds.then_some(found)
    }

    fn has_same_squad(&self, root: &BStr, run: &Run<'_>) -> bool {
        let changed = self.changed_roots.get_or_init(|| {
            let roots = run.squads().changed_since(self.memory.squads.as_ref()?);
            Some(roots.into_iter().map(BString::from).collect())
        });
        changed.as_ref().is_some_and(|changed| changed.is_empty() || !changed.contains(root))
    }
}

/// The moments of the entries in documents that are in one of the two lists alone, or in another place. Where the lists are not in
/// the order of paths, some more are named.
fn changed_moments(before: &[Arc<Document>], now: &[Arc<Document>]) -> Vec<i64> {
    let mut moments = Vec::new();
    let mut add = |document: &Document| {
        for entry in document.known_entries() {
            moments.push(entry.at.unix());
            moments.extend(entry.supersedes.map(Timestamp::unix));
        }
    };
    let (mut before, mut now) = (before.iter().peekable(), now.iter().peekable());
    loop {
        match (before.peek(), now.peek()) {
            (Some(old), Some(new)) if Arc::ptr_eq(old, new) => {
                before.next();
                now.next();
            }
            (Some(old), new) if new.is_none_or(|new| old.path() <= new.path()) => {
                add(old);
                before.next();
            }
            (_, Some(new)) => {
                add(new);
                now.next();
            }
            (_, None) => break,
        }
    }
    moments.sort_unstable();
    moments.dedup();
    moments
}
