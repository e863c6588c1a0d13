//! The files that a change leaves as they are, and that depend on files that it touches: the `team.md` that names an agent whose charter
//! is deleted, the index that lists an entry whose file is gone.
//!
//! What a rule finds in them is of the change if the state before had it not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::context::parse;
use super::{Gather, Run, files};
use crate::dialects::{FileKind, governed, roster, squad};
use crate::document::Document;
use crate::formats::governed::{Records, inner_path};
use crate::fs::path::{inner_path as inside, join};
use crate::git::change::Change;
use crate::select::changes::Changes;
use crate::select::selected::Selected;

/// The files, in the order of their paths; none without a change.
pub type Fact = Vec<Arc<Document>>;

/// What a change touches in a state root.
#[derive(Default)]
struct Touched {
    /// What says who is on the team.
    team: bool,
    /// The governed memory.
    memory: bool,
    /// The paths of files that the index no longer lists.
    unlisted: BTreeSet<BString>,
}

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let Some(changes) = run.changes() else { return Self::new() };
        let mut by_root: BTreeMap<BString, Touched> = BTreeMap::new();
        for change in changes.list() {
            for path in BTreeSet::from([change.path.as_bstr(), change.old_path()]) {
                let Some(location) = run.input.roots.locate(path) else { continue };
                let Some(kind) = location.kind else { continue };
                let touched = by_root.entry(location.root.clone()).or_default();
                touched.team |= names_agents(kind)
                    || kind == &squad::CHARTER
                    || is_moved(change) && in_agents(path, location.root.as_bstr());
                touched.memory |= [&governed::INDEX, &governed::ENTRY, &governed::TOMBSTONE].contains(&kind);
                if kind == &governed::INDEX {
                    touched.unlisted.extend(unlisted(run, changes, change, location.root.as_bstr()));
                }
            }
        }
        let mut beside = Self::new();
        for (root, touched) in by_root.iter().filter(|(_, touched)| touched.team || touched.memory) {
            let files = files::in_folder(run, root.as_bstr());
            let is_unchanged = |file: &&Selected| changes.change_of(file.path.as_bstr()).is_none();
            for file in files.iter().filter(is_unchanged).filter(|file| touched.concerns(file, run)) {
                // Findings are shown with the text as the run reads it.
                beside.extend(run.read(file.path.as_bstr()).and_then(|_| parse(run, file)));
            }
        }
        beside
    }
}

impl Touched {
    /// Whether a rule looks at `file` because of what is touched.
    fn concerns(&self, file: &Selected, run: &Run<'_>) -> bool {
        let of_memory = self.memory && file.kind == &governed::INDEX || self.unlisted.contains(&file.path);
        let is_routing = || file.inner_path() == "routing.md";
        of_memory || self.team && (names_agents(file.kind) || is_routing() || is_charter_alone(file, run))
    }
}

fn names_agents(kind: &FileKind) -> bool {
    kind == &squad::TEAM || kind == &roster::REGISTRY
}

/// Whether the file comes, goes, or gets another path.
fn is_moved(change: &Change) -> bool {
    change.before.is_none() || change.after.is_none() || change.previous.is_some()
}

fn in_agents(path: &BStr, root: &BStr) -> bool {
    inside(path, root).starts_with(b"agents/")
}

/// Whether the file is the charter of an agent that neither `team.md` nor the registry names.
fn is_charter_alone(file: &Selected, run: &Run<'_>) -> bool {
    let folder = || file.inner_path().split_str("/").nth(1).unwrap_or_default().to_str_lossy().into_owned();
    file.kind == &squad::CHARTER
        && !file.root.is_empty()
        && run
            .roster(file.root.as_bstr())
            .find(&folder())
            .is_some_and(|member| member.row.is_none() && member.entry.is_none())
}

/// The paths of entries and tombstones that the index had before the change, and has no longer.
fn unlisted(run: &Run<'_>, changes: &Changes, change: &Change, root: &BStr) -> BTreeSet<BString> {
    let listed = |text: Option<Vec<u8>>| -> BTreeSet<BString> {
        let records = Records::index(&String::from_utf8_lossy(&text.unwrap_or_default()));
        let of_entries = records.entries.iter().filter_map(|entry| inner_path(&entry.path.as_ref()?.value));
        let ids = records.entries.iter().filter_map(|entry| entry.id.as_ref());
        let of_tombstones = ids.map(|id| format!("memory/tombstones/{}.json", id.value));
        of_entries.chain(of_tombstones).map(|inner| join(root, &inner)).collect()
    };
    let cap = run.max_bytes();
    let (before, after) = (changes.before(change, cap), changes.after(change, cap));
    // What is too large is reported where it is read.
    let (Ok(before), Ok(after)) = (before, after) else { return BTreeSet::new() };
    let after = listed(after);
    listed(before).into_iter().filter(|path| !after.contains(path)).collect()
}
