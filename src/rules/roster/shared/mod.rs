//! What the rules of this family share.

pub mod names;
pub mod place;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use crate::dialects::{FileKind, roster, squad};
use crate::facts::roster::{Member, Roster};
use crate::facts::{Run, context, files, squads, state_roots};
use crate::formats::roster::{Casting, Team, bare};
use crate::fs::path::inner_path;
use crate::rule::Document;
use crate::select::changes::Changes;
use crate::select::selected::Selected;

/// The squad of the state root at `root`; `None` if no squad uses it, and at the top of a state branch, which has no charters.
pub(super) fn squad(run: &Run<'_>, root: &BStr) -> Option<Arc<Roster>> {
    (!root.is_empty() && is_used(run, root)).then(|| run.roster(root))
}

/// Whether a squad uses the state root at `root`, which is not sample data, and which no migration left behind.
pub(super) fn is_used(run: &Run<'_>, root: &BStr) -> bool {
    !squads::is_left_over(run, root) && !state_roots::is_example(run, root)
}

/// Which members of a squad a rule looks at.
pub(super) type IsMeant<'a> = &'a dyn Fn(&Member) -> bool;

/// What of a squad a change can leave behind.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Removed {
    /// Agents whose charters it deletes.
    Charters,
    /// These, and agents whose rows and entries it removes.
    Members,
}

/// Calls `look` with each file that names agents, and which of them are meant. After a change also with the `team.md`, the registry and the
/// charters that it leaves as they are: there only agents count that lost a part (`removed`). The second function says which of all
/// agents these are: a finding about one is the change's own, wherever it is shown.
pub(super) fn each(
    run: &Run<'_>,
    removed: Removed,
    mut look: impl FnMut(&Document, &Roster, IsMeant<'_>, IsMeant<'_>),
) {
    let names_all = |kind: &FileKind| kind == &squad::TEAM || kind == &roster::REGISTRY;
    let mut gone = deleted(run);
    if removed == Removed::Members {
        add_removed(run, &mut gone);
    }
    for document in run.documents.iter().filter(|it| names_all(it.kind()) || it.kind() == &squad::CHARTER) {
        if let Some(roster) = self::squad(run, document.root()) {
            let left = members(&roster, gone.get(document.root()));
            look(document, &roster, &|_| true, &|member| left.contains(&std::ptr::from_ref(member)));
        }
    }
    for (root, names) in &gone {
        let Some(roster) = self::squad(run, root.as_bstr()) else { continue };
        let left = members(&roster, Some(names));
        let is_meant = |member: &Member| left.contains(&std::ptr::from_ref(member));
        let names: HashSet<String> = names.iter().map(|name| bare(&name.to_str_lossy())).collect();
        let is_own_charter = |file: &Selected| {
            let folder = inner_path(file.path.as_bstr(), root.as_bstr()).split_str("/").nth(1).unwrap_or_default();
            file.kind == &squad::CHARTER && names.contains(&bare(&folder.to_str_lossy()))
        };
        let files = files::in_folder(run, root.as_bstr());
        for file in files.iter().filter(|file| names_all(file.kind) || is_own_charter(file)) {
            let is_changed = run.document_at(file.path.as_bstr()).is_some();
            // Findings are shown with the text as the run reads it.
            if !is_changed
                && run.read(file.path.as_bstr()).is_some()
                && let Some(document) = context::parse(run, file)
            {
                look(&document, &roster, &is_meant, &is_meant);
            }
        }
    }
}

/// The members of `roster` that `names` mean.
fn members(roster: &Roster, names: Option<&BTreeSet<BString>>) -> HashSet<*const Member> {
    let found = names.into_iter().flatten().filter_map(|name| roster.find(&name.to_str_lossy()));
    found.map(std::ptr::from_ref).collect()
}

/// Names of agents, by their state roots.
type Names = BTreeMap<BString, BTreeSet<BString>>;

/// The folders of the charters that a change deletes.
fn deleted(run: &Run<'_>) -> Names {
    let mut deleted = Names::new();
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

/// Adds the names whose rows or entries a change removes.
fn add_removed(run: &Run<'_>, names: &mut Names) {
    for document in run.documents.iter().filter(|document| run.changes().is_some() && !document.root().is_empty()) {
        let is_meant = document.body::<Team>().is_some() || document.kind() == &roster::REGISTRY;
        let Some(before) = is_meant.then(|| run.source_before(document)).flatten() else { continue };
        let (old, new): (Vec<String>, Vec<String>) = if let Some(team) = document.body::<Team>() {
            (names_in(&Team::parse(before.text())), names_in(team))
        } else if let Some(casting) = document.body::<Casting>().filter(|_| document.kind() == &roster::REGISTRY) {
            (keys_in(&Casting::registry(before.text())), keys_in(casting))
        } else {
            continue;
        };
        let new: HashSet<String> = new.iter().map(|name| bare(name)).collect();
        let gone = old.into_iter().filter(|name| !new.contains(&bare(name)));
        let mut gone = gone.map(BString::from).peekable();
        if gone.peek().is_some() {
            names.entry(document.root().to_owned()).or_default().extend(gone);
        }
    }
}

fn names_in(team: &Team) -> Vec<String> {
    team.rows.iter().map(|row| row.name.value.clone()).collect()
}

fn keys_in(casting: &Casting) -> Vec<String> {
    casting.agents.iter().filter_map(|agent| Some(agent.key.as_ref()?.value.clone())).collect()
}
