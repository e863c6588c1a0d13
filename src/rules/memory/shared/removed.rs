//! The entries that a change takes out of the index of governed memory.

use std::collections::HashSet;

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::dialects::governed;
use crate::facts::Run;
use crate::formats::governed::{Entry, Records, Text, inner_path, is_kept};
use crate::rules::memory::shared::changed::{self, Changed};
use crate::text::prose::enumerated;

/// So many of them are named.
const NAMED: usize = 3;

/// The entries that a change takes out of one index.
pub struct Removed {
    /// The state root.
    pub root: BString,
    /// What they are called: their `id`s, and the paths of their files in the state root. Their files are not reported once more.
    pub names: Vec<String>,
    /// What is said of them.
    pub finding: Finding,
}

/// What the change takes out of each index.
pub fn found(run: &Run<'_>) -> Vec<Removed> {
    let mut found = Vec::new();
    changed::each(run, &governed::INDEX, run.max_bytes(), |index| found.extend(found_in(index)));
    found
}

fn found_in(index: Changed<'_>) -> Option<Removed> {
    let (Ok(Some(before)), Ok(Some(after))) = ((index.before)(), index.after) else { return None };
    let (before, after) = (Records::index(&before.to_str_lossy()), Records::index(&after.to_str_lossy()));
    if !after.is_readable() {
        return None;
    }
    let value = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
    let names = |entry: &Entry| [value(&entry.id), value(&entry.path)].into_iter().flatten();
    let left: HashSet<String> = after.entries.iter().flat_map(names).collect();
    let is_kept = |entry: &&Entry| entry.class.as_ref().is_some_and(|class| is_kept(&class.value));
    let is_gone = |entry: &&Entry| !names(entry).any(|name| left.contains(&name));
    let gone: Vec<&Entry> = before.entries.iter().filter(is_kept).filter(is_gone).collect();
    let ids: Vec<&str> = gone.iter().filter_map(|entry| Some(entry.id.as_ref()?.value.as_str())).collect();
    let shown: Vec<String> = ids.iter().take(NAMED).map(|id| format!("`{id}`")).collect();
    let message = match ids.len() {
        0 => return None,
        1 => format!("this change removes the entry {} from the index", shown.concat()),
        count if count <= NAMED => format!("this change removes the entries {} from the index", enumerated(&shown)),
        count => {
            let (shown, more) = (shown.join(", "), count - NAMED);
            format!("this change removes the entries {shown} and {more} more from the index")
        }
    };
    let help = "restore it; Squad's tools delete an entry: they set its `status` to `deleted` and write a tombstone";
    let finding = Finding::whole_file(message).in_file(index.path).help(help).at_most(Severity::Warning);
    let paths = gone.iter().filter_map(|entry| inner_path(&entry.path.as_ref()?.value));
    let names = ids.into_iter().map(str::to_owned).chain(paths).collect();
    Some(Removed { root: index.root, names, finding })
}
