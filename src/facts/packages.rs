//! The npm packages around the state, and what of it they would carry.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::{Run, state_roots};
use crate::formats::npm::{self, Kind, PackList, Tree};
use crate::formats::package::Package;
use crate::fs::path::{inner_path, is_in};
use crate::fs::read;
use crate::select::input::Input;
use crate::select::workflow;
use crate::text::{Source, Span};

/// A package.json above state.
#[derive(Debug)]
pub struct Manifest {
    /// Its folder, relative to the repository's root.
    pub folder: BString,
    /// The file.
    pub source: Arc<Source>,
    /// What it says.
    pub package: Package,
    /// The state roots at or below its folder.
    pub roots: Vec<BString>,
}

impl Manifest {
    /// The path of `name` in the folder.
    pub fn path(&self, name: &str) -> BString {
        npm::join(self.folder.as_bstr(), name)
    }
}

/// A folder on disk as npm sees it.
#[derive(Debug)]
pub struct OnDisk {
    /// The folder.
    pub folder: PathBuf,
    /// Files beyond this many bytes are not read.
    pub max_file_size: u64,
}

impl OnDisk {
    fn full(&self, path: &BStr) -> Option<PathBuf> {
        Some(self.folder.join(path.to_path().ok()?))
    }
}

impl Tree for OnDisk {
    fn kind(&self, path: &BStr) -> Option<Kind> {
        let kind = self.full(path)?.symlink_metadata().ok()?.file_type();
        Some(match kind {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            _ => Kind::Other,
        })
    }

    fn text(&self, path: &BStr) -> Option<String> {
        let bytes = read::read(&self.full(path)?, self.max_file_size).ok()?;
        Some(bytes.to_str_lossy().into_owned())
    }
}

/// A folder of the repository as npm would see it if what is planned were on disk.
struct Planned<'a> {
    on_disk: OnDisk,
    input: Input<'a>,
    folder: &'a BStr,
    /// The name of a file in the folder, and its text.
    changed: Option<(&'a str, &'a str)>,
}

impl Tree for Planned<'_> {
    fn kind(&self, path: &BStr) -> Option<Kind> {
        self.on_disk.kind(path)
    }

    fn text(&self, path: &BStr) -> Option<String> {
        if let Some((_, text)) = self.changed.filter(|(changed, _)| path == *changed) {
            return Some(text.to_owned());
        }
        let bytes = self.input.read(npm::join(self.folder, &path.to_str_lossy()).as_bstr(), self.on_disk.max_file_size);
        Some(bytes.ok()?.to_str_lossy().into_owned())
    }
}

/// The package.json files in the folders above the state roots that a policy applies to, as they are on disk.
pub fn above_state(run: &Run<'_>) -> Vec<Manifest> {
    if !run.sees_work_tree() {
        return Vec::new();
    }
    let mut roots_below: BTreeMap<BString, Vec<BString>> = BTreeMap::new();
    for root in state_roots::on_disk(run) {
        for folder in npm::folders_above(root.as_bstr()) {
            roots_below.entry(folder.into()).or_default().push(root.clone());
        }
    }
    let manifest = |(folder, roots): (BString, Vec<BString>)| {
        let source = run.read(npm::join(folder.as_bstr(), "package.json").as_bstr())?;
        let package = Package::parse(source.text())?;
        Some(Manifest { folder, source, package, roots })
    };
    roots_below.into_iter().filter_map(manifest).collect()
}

/// How workflows publish packages.
const PUBLISHING: [&str; 8] = [
    "npm publish",
    "pnpm publish",
    "yarn publish",
    "changeset publish",
    "changesets/action",
    "lerna publish",
    "semantic-release",
    "npm-publish",
];

/// Whether `package` has keys of a package that is published, or a workflow of the repository publishes packages.
pub fn is_published(run: &Run<'_>, package: &Package) -> bool {
    let publishes = |text: &str| PUBLISHING.iter().any(|command| text.contains(command));
    let workflows = || workflow::files(&run.input.repository.root);
    let any_publishes =
        || workflows().iter().filter_map(|path| run.read(path.as_bstr())).any(|source| publishes(source.text()));
    package.is_for_publishing || any_publishes()
}

/// The files of the state below `manifest`, without those that the configuration leaves out. Sorted.
pub fn state_below(run: &Run<'_>, manifest: &Manifest) -> Vec<BString> {
    let is_state = |path: &BString| !run.input.excludes.matches(path.as_bstr());
    let mut files: Vec<BString> =
        manifest.roots.iter().flat_map(|root| state_roots::files_in(run, root)).filter(is_state).collect();
    files.sort();
    files.dedup();
    files
}

/// Those of `paths` that npm would pack from the folder of `manifest` if that said `package`, and if the file of the
/// name in `changed` had the text there.
pub fn packed(
    run: &Run<'_>,
    manifest: &Manifest,
    package: &Package,
    changed: Option<(&str, &str)>,
    paths: &[BString],
) -> Vec<BString> {
    let Some(tree) = planned(run, manifest.folder.as_bstr(), changed) else { return Vec::new() };
    let outer = outer_lines(run, manifest);
    let mut list = PackList::new(package, &tree, &outer);
    let mut is_packed = |path: &&BString| {
        let inner = inner_path(path.as_bstr(), manifest.folder.as_bstr());
        list.packs(inner) && tree.kind(inner) == Some(Kind::File)
    };
    paths.iter().filter(|path| is_packed(path)).cloned().collect()
}

/// The item of `files` without which npm would not pack the file at `path`.
pub fn item_for<'m>(run: &Run<'_>, manifest: &'m Manifest, path: &BString) -> Option<&'m (String, Span)> {
    let items = &manifest.package.files.as_ref()?.items;
    let without = |index: usize| {
        let mut package = manifest.package.clone();
        package.files.iter_mut().for_each(|files| drop(files.items.remove(index)));
        packed(run, manifest, &package, None, std::slice::from_ref(path)).is_empty()
    };
    // Each is tried with all the others: only those that had a say.
    let tree = planned(run, manifest.folder.as_bstr(), None)?;
    let outer = outer_lines(run, manifest);
    let mut list = PackList::new(&manifest.package, &tree, &outer);
    list.packs(inner_path(path.as_bstr(), manifest.folder.as_bstr()));
    list.decisive().into_iter().find(|index| without(*index)).and_then(|index| items.get(index))
}

/// The entry point that is the file at `path`, or a folder with it.
pub fn entry_point<'m>(manifest: &'m Manifest, path: &BString) -> Option<&'m (String, Span)> {
    let inner = inner_path(path.as_bstr(), manifest.folder.as_bstr());
    let names = |point: &str| {
        let point = point.trim_start_matches("./").trim_matches('/');
        inner == point || is_in(inner, point.into())
    };
    manifest.package.entry_points.iter().find(|(point, _)| names(point))
}

/// The ignore files above a workspace, up to the package that it belongs to.
fn outer_lines(run: &Run<'_>, manifest: &Manifest) -> Vec<String> {
    let folder = manifest.folder.as_bstr();
    if folder.is_empty() {
        return Vec::new();
    }
    let mut above: Vec<&BStr> = npm::folders_above(folder).collect();
    let owner = above.iter().position(|above| {
        let workspaces = run.read(npm::join(above, "package.json").as_bstr());
        let workspaces = workspaces.and_then(|source| Package::parse(source.text())?.workspaces);
        workspaces.is_some_and(|globs| npm::is_workspace(&globs, inner_path(folder, above)))
    });
    above.truncate(owner.map_or(0, |owner| owner + 1));
    let ignore_file = |above: &BStr| npm::ignore_file(&planned(run, above, None)?, BStr::new(""));
    above.iter().rev().filter_map(|above| ignore_file(above)).collect()
}

fn planned<'t>(run: &'t Run<'_>, folder: &'t BStr, changed: Option<(&'t str, &'t str)>) -> Option<Planned<'t>> {
    let input = run.input;
    let on_disk = input.repository.root.join(folder.to_path().ok()?);
    let on_disk = OnDisk { folder: on_disk, max_file_size: run.max_bytes() };
    Some(Planned { on_disk, input, folder, changed })
}
