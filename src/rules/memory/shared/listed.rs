//! What the index of governed memory lists.

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::formats::governed::{Entry, Records, id_and_classes, inner_path};
use crate::fs::path;
use crate::rule::Document;

/// What an index lists: the `id` of its entries, and the paths of their files in the state root.
#[derive(Debug, Default)]
pub struct Listed(HashSet<String>);

impl Listed {
    /// What the index of the state root lists; `None` if there is no index, or tools cannot read it.
    pub fn of(run: &Run<'_>, root: &BStr) -> Option<Self> {
        let source = run.read(path::join(root, "memory/index.json").as_bstr())?;
        let records = Records::index(source.text());
        let id = |entry: &Entry| entry.id.as_ref().map(|id| id.value.clone());
        let path = |entry: &Entry| entry.path.as_ref().and_then(|path| inner_path(&path.value));
        let names = records.entries.iter().flat_map(|entry| [id(entry), path(entry)]).flatten().collect();
        records.is_readable().then_some(Self(names))
    }

    /// With `names`, which are reported otherwise.
    #[must_use]
    pub fn with<'n>(mut self, names: impl IntoIterator<Item = &'n String>) -> Self {
        self.0.extend(names.into_iter().cloned());
        self
    }

    /// The finding about a tombstone of an entry that is not listed, or is listed with another file: a deleted entry stays in the index.
    /// One that has the name of another entry is reported as such.
    pub fn unknown(&self, document: &Document) -> Option<Finding> {
        let entry = document.body::<Records>()?.entries.first()?;
        let id = entry.id.as_ref()?;
        let name = document.path().rsplit_str("/").next().and_then(|name| name.strip_suffix(b".json"));
        if name != Some(id.value.as_bytes()) {
            return None;
        }
        if self.0.contains(&id.value) {
            let path = entry.path.as_ref()?;
            let is_other = inner_path(&path.value).is_some_and(|inner| !self.0.contains(&inner));
            let finding =
                Finding::at(path.span, "`path` of the tombstone is not that of its entry in `memory/index.json`");
            let finding = finding.label("another file").in_file(document.path()).help("write the same `path` in both");
            return is_other.then(|| finding.at_most(Severity::Warning));
        }
        let finding = Finding::at(id.span, "tombstone of an entry that is not in `memory/index.json`");
        let finding = finding.label("no such entry").in_file(document.path());
        let help = "restore the entry with the `status` `deleted`, or delete the tombstone";
        Some(finding.help(help).at_most(Severity::Warning))
    }

    /// The finding about an entry that is in the local memory and not listed.
    pub fn missing(&self, document: &Document) -> Option<Finding> {
        let inner = path::inner_path(document.path(), document.root()).to_str_lossy();
        let (id, _) = id_and_classes(document.text()).filter(|_| inner.starts_with("memory/local/"))?;
        if self.0.contains(id) || self.0.contains(inner.as_ref()) {
            return None;
        }
        let finding = Finding::whole_file("entry is not in `memory/index.json`, so Squad's tools do not find it");
        let help = "add the entry to the index, or let Squad's tools write both";
        Some(finding.in_file(document.path()).help(help).at_most(Severity::Warning))
    }
}
