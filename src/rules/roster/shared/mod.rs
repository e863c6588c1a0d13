//! What the rules of this family share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use crate::dialects::{FileKind, roster, squad};
use crate::facts::roster::{Member, Roster};
use crate::facts::{Run, context, files, squads, state_roots};
use crate::fs::path::inner_path;
use crate::rule::Document;
use crate::select::changes::Changes;

/// The squad of the state root at `root`; `None` if it is sample data, or a migration left it behind.
pub(super) fn squad(run: &Run<'_>, root: &BStr) -> Option<Arc<Roster>> {
    let is_used = !root.is_empty() && !squads::is_left_over(run, root) && !state_roots::is_example(run, root);
    is_used.then(|| run.roster(root))
}

/// Which members of a squad a rule looks at.
pub(super) type IsMeant<'a> = &'a dyn Fn(&Member) -> bool;

/// Calls `look` with each file that names agents. After a change also with the `team.md` and the registry that it leaves as they
/// are, and there only agents whose charters it deletes are meant.
pub(super) fn each(run: &Run<'_>, mut look: impl FnMut(&Document, &Roster, IsMeant<'_>)) {
    let names_all = |kind: &FileKind| kind == &squad::TEAM || kind == &roster::REGISTRY;
    for document in run.documents.iter().filter(|it| names_all(it.kind()) || it.kind() == &squad::CHARTER) {
        if let Some(roster) = self::squad(run, document.root()) {
            look(document, &roster, &|_| true);
        }
    }
    for (root, folders) in deleted(run) {
        let Some(roster) = self::squad(run, root.as_bstr()) else { continue };
        let is_meant = |member: &Member| {
            let mut known = folders.iter().filter_map(|folder| roster.find(&folder.to_str_lossy()));
            known.any(|found| std::ptr::eq(found, member))
        };
        for file in files::in_folder(run, root.as_bstr()).iter().filter(|file| names_all(file.kind)) {
            let is_changed = run.documents.iter().any(|document| document.path() == file.path);
            // Findings are shown with the text as the run reads it.
            if !is_changed
                && run.read(file.path.as_bstr()).is_some()
                && let Some(document) = context::parse(run, file)
            {
                look(&document, &roster, &is_meant);
            }
        }
    }
}

/// The folders of the charters that a change deletes, by their state roots.
fn deleted(run: &Run<'_>) -> BTreeMap<BString, BTreeSet<BString>> {
    let mut deleted: BTreeMap<BString, BTreeSet<BString>> = BTreeMap::new();
    let changes = run.changes().into_iter().flat_map(Changes::list);
    for change in changes.filter(|change| change.after.is_none()) {
        let path = change.path.as_bstr();
        let Some(location) = run.input.roots.locate(path).filter(|it| it.kind == Some(&squad::CHARTER)) else {
            continue;
        };
        let folder = inner_path(path, location.root.as_bstr()).split_str("/").nth(1).unwrap_or_default();
        deleted.entry(location.root.clone()).or_default().insert(folder.into());
    }
    deleted
}
