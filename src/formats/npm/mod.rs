//! Which files `npm pack` puts into a package: `files` of package.json, .npmignore over .gitignore, and what npm always
//! takes or leaves. Written from what npm-packlist 10 does, with which `tests/npm.rs` compares it.
//!
//! Left out: dependencies that a package bundles, which lie under `node_modules`, and `directories.bin`. Workspaces that
//! a package names are taken to exist.

mod brace;
mod pattern;
mod segment;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use bstr::{BStr, BString, ByteSlice};

use super::package::{Files, Package};
use pattern::{Candidate, Pattern};

/// What npm leaves out of every folder unless the package says otherwise.
const DEFAULTS: &str = "\
.npmignore\n.gitignore\n**/.git\n**/.svn\n**/.hg\n**/CVS\n**/.git/**\n**/.svn/**\n**/.hg/**\n**/CVS/**
/.lock-wscript\n/.wafpickle-*\n/build/config.gypi\nnpm-debug.log\n**/.npmrc\n.*.swp\n.DS_Store\n**/.DS_Store/**
._*\n**/._*/**\n*.orig\n/archived-packages/**";

/// What it takes from and leaves out of the package's own folder, whatever the package says.
const ALWAYS: &str = "\
/.git\n!/package.json\n!/readme{,.*[^~$]}\n!/copying{,.*[^~$]}\n!/license{,.*[^~$]}\n!/licence{,.*[^~$]}
/.git\n/node_modules\n.npmrc\n/package-lock.json\n/yarn.lock\n/pnpm-lock.yaml\n/bun.lockb";

static DEFAULT_PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| Pattern::of_lines(DEFAULTS).collect());

/// What a path in a package is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, or something else that npm does not pack.
    Other,
}

/// Where the files of a package are: on disk or elsewhere. Paths are relative to its folder, which is the empty path.
pub trait Tree {
    /// What is at `path`, links not followed; `None` if nothing is.
    fn kind(&self, path: &BStr) -> Option<Kind>;

    /// The text of the file at `path`, links followed; `None` if there is no such file.
    fn text(&self, path: &BStr) -> Option<String>;
}

/// What npm packs of one package.
pub struct PackList<'a> {
    tree: &'a dyn Tree,
    /// In a package with workspaces npm takes the lines of a package.json in a folder for patterns, and passes over the
    /// ignore files beside it.
    nested_manifests: bool,
    folders: HashMap<BString, Option<Rc<Folder>>>,
    decisive: Decisive,
}

/// The items of `files`, by their place in it, without which something asked so far might have another answer.
type Decisive = RefCell<BTreeSet<usize>>;

/// A folder that npm walks into.
struct Folder {
    parent: Option<Rc<Folder>>,
    /// How many folders lie above it, up to the package's.
    depth: usize,
    /// Whether it is taken in itself, so that its own lines may take in what those above leave out.
    exact: bool,
    rules: Vec<Pattern>,
    /// Paths that `files` lists and that are files, each with the place of its item.
    listed: Vec<(String, usize)>,
}

/// What npm asks the patterns about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Whether the file is taken.
    File,
    /// Whether the folder is taken as a whole.
    Folder,
    /// Whether anything in the folder may be.
    Within,
}

impl<'a> PackList<'a> {
    /// What npm packs of `package`, whose files are in `tree`.
    ///
    /// `outer` holds the ignore files of the folders above when the package is a workspace of one of them, the outermost
    /// first: npm holds their lines against the paths in the package.
    pub fn new(package: &Package, tree: &'a dyn Tree, outer: &[String]) -> Self {
        let mut rules: Vec<Pattern> = outer.iter().flat_map(|text| Pattern::of_lines(text)).collect();
        let mut listed = Vec::new();
        match &package.files {
            Some(files) => take_listed(files, tree, &mut rules, &mut listed),
            None => rules.extend(lines_in(tree, BStr::new(""))),
        }
        let mut always = ALWAYS.to_owned();
        for (path, _) in &package.entry_points {
            always.push_str("\n!/");
            always.push_str(path);
        }
        rules.extend(Pattern::of_lines(&always));
        let root = Folder { parent: None, depth: 0, exact: false, rules, listed };
        let folders = HashMap::from([(BString::default(), Some(Rc::new(root)))]);
        let nested_manifests = package.workspaces.as_ref().is_some_and(|globs| !globs.is_empty());
        Self { tree, nested_manifests, folders, decisive: Decisive::default() }
    }

    /// Whether npm packs the regular file at `path`, all folders above which are not links.
    pub fn packs(&mut self, path: &BStr) -> bool {
        let (folder, name) = split(path);
        // A name that Windows does not have.
        let folder = Some(folder).filter(|_| !name.contains(&b'*')).and_then(|folder| self.folder(folder));
        folder.is_some_and(|folder| folder.takes(&lower(path), Asked::File, &self.decisive))
    }

    /// The places in `files` of the items that decided what was asked so far: without any other one, each answer is the same.
    pub fn decisive(&self) -> Vec<usize> {
        self.decisive.borrow().iter().copied().collect()
    }

    /// The folder at `path`; `None` if npm does not walk into it.
    fn folder(&mut self, path: &BStr) -> Option<Rc<Folder>> {
        if let Some(known) = self.folders.get(path) {
            return known.clone();
        }
        let folder = self.enter(path).map(Rc::new);
        self.folders.insert(path.into(), folder.clone());
        folder
    }

    fn enter(&mut self, path: &BStr) -> Option<Folder> {
        let (above, name) = split(path);
        let parent = self.folder(above).filter(|_| !name.contains(&b'*'))?;
        let parts = lower(path);
        let takes = |asked| parent.takes(&parts, asked, &self.decisive);
        if !takes(Asked::Within) {
            return None;
        }
        let exact = takes(Asked::File) || takes(Asked::Folder);
        let is_here =
            |(file, _): &&(String, usize)| file.rsplit_once('/').is_some_and(|(folder, _)| folder.as_bytes() == name);
        let listed = parent.listed.iter().filter(is_here);
        let listed: Vec<(String, usize)> =
            listed.filter_map(|(file, item)| Some((file.rsplit('/').next()?.to_owned(), *item))).collect();
        let manifest = join(path, "package.json");
        let manifest = Some(manifest).filter(|_| self.nested_manifests).and_then(|path| self.tree.text(path.as_bstr()));
        let mut rules: Vec<Pattern> = match manifest {
            Some(text) => Pattern::of_lines(&text).collect(),
            None => lines_in(self.tree, path),
        };
        rules.push(Pattern::new("/.git"));
        rules.extend(listed.iter().map(|(name, item)| Pattern::new(&format!("!{name}")).of_item(*item)));
        Some(Folder { depth: parent.depth + 1, parent: Some(parent), exact, rules, listed })
    }
}

impl Folder {
    /// Whether the patterns of this folder and of those above take what is at `parts`, a path in it.
    fn takes(&self, parts: &[String], asked: Asked, decisive: &Decisive) -> bool {
        let mut taken = true;
        if let Some(parent) = &self.parent {
            taken = parent.takes(parts, asked, decisive);
            if !taken && !self.exact {
                return false;
            }
        }
        let path = Candidate::new(parts.get(self.depth..).unwrap_or_default());
        let is_own = parts.len() == self.depth + 1;
        let mut last = None;
        for rule in DEFAULT_PATTERNS.iter().chain(&self.rules) {
            if rule.takes_in != taken && decides(rule, path, asked, is_own) {
                taken = rule.takes_in;
                last = rule.item;
            }
        }
        decisive.borrow_mut().extend(last);
        taken
    }
}

/// Whether `rule` of a folder has its say about `path`, which is directly in it when `is_own`.
fn decides(rule: &Pattern, path: Candidate<'_>, asked: Asked, is_own: bool) -> bool {
    let either = |path: Candidate<'_>, matches: &dyn Fn(Candidate<'_>) -> bool| matches(path.rooted()) || matches(path);
    let whole = |path: Candidate<'_>| rule.matches(path);
    match asked {
        Asked::File => either(path, &whole),
        Asked::Folder => either(path.folder(), &whole),
        Asked::Within => {
            let start = |path: Candidate<'_>| rule.matches_from(path);
            let within = |path: Candidate<'_>| either(path.folder(), &whole) || rule.takes_in && either(path, &start);
            either(path, &whole) || within(path) || !is_own && rule.names_no_folder && within(path.name())
        }
    }
}

/// Turns the items of `files` into patterns: `rules` for folders and globs, and last those for files, the last item's first;
/// `listed` is files alone.
fn take_listed(files: &Files, tree: &dyn Tree, rules: &mut Vec<Pattern>, listed: &mut Vec<(String, usize)>) {
    rules.push(Pattern::new("*"));
    let mut always: Vec<Vec<Pattern>> = Vec::new();
    for (place, (item, _)) in files.items.iter().enumerate() {
        let mut item = item.strip_prefix('.').filter(|rest| rest.starts_with('/')).unwrap_or(item).to_owned();
        if item.ends_with("/*") {
            item.push('*');
        }
        let patterns =
            |text: String| -> Vec<Pattern> { Pattern::of_lines(&text).map(|pattern| pattern.of_item(place)).collect() };
        match kind_of(tree, item.trim_start_matches('!')) {
            Some(Kind::File) => {
                always.push(patterns(format!("!{item}")));
                listed.push((item.strip_prefix('/').unwrap_or(&item).to_owned(), place));
            }
            Some(Kind::Folder) => rules.extend(patterns(format!("!{item}\n!{item}/**"))),
            Some(Kind::Other) => {}
            None => rules.extend(patterns(format!("!{item}"))),
        }
    }
    rules.extend(always.into_iter().rev().flatten());
}

/// What is at the path that an item of `files` may be.
fn kind_of(tree: &dyn Tree, item: &str) -> Option<Kind> {
    let mut parts: Vec<&str> = Vec::new();
    for part in item.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    let kind = tree.kind(parts.join("/").as_bytes().as_bstr());
    kind.filter(|kind| *kind == Kind::Folder || !item.ends_with('/'))
}

/// The text of .npmignore in `folder`, or of .gitignore if there is none.
pub fn ignore_file(tree: &dyn Tree, folder: &BStr) -> Option<String> {
    [".npmignore", ".gitignore"].into_iter().find_map(|name| tree.text(join(folder, name).as_bstr()))
}

fn lines_in(tree: &dyn Tree, folder: &BStr) -> Vec<Pattern> {
    Pattern::of_lines(ignore_file(tree, folder).as_deref().unwrap_or_default()).collect()
}

/// Whether the folder at `path` is a workspace by these `globs`, where `path` is relative to the package with them.
pub fn is_workspace(globs: &[String], path: &BStr) -> bool {
    let parts = lower(path);
    let mut is_one = false;
    for glob in globs {
        let bare = glob.trim_start_matches('!');
        let inner = bare.strip_prefix('.').unwrap_or(bare).trim_matches('/');
        let pattern = Pattern::new(inner);
        if (inner.contains('/') || parts.len() == 1 || inner == "**") && pattern.matches(Candidate::new(&parts)) {
            is_one = (glob.len() - bare.len()) % 2 == 0;
        }
    }
    is_one
}

/// The folders above `path`, the nearest first, the empty path last.
pub fn folders_above(path: &BStr) -> impl Iterator<Item = &BStr> {
    let ends = memchr::memrchr_iter(b'/', path).filter_map(|end| path.get(..end).map(ByteSlice::as_bstr));
    ends.chain(std::iter::once(BStr::new("")))
}

/// The path of `name` in `folder`.
pub fn join(folder: &BStr, name: &str) -> BString {
    let gap: &[u8] = if folder.is_empty() { b"" } else { b"/" };
    [folder.as_bytes(), gap, name.as_bytes()].concat().into()
}

/// The folder of `path` and the name in it.
fn split(path: &BStr) -> (&BStr, &[u8]) {
    path.rsplit_once_str("/").map_or((BStr::new(""), path.as_bytes()), |(folder, name)| (folder.as_bstr(), name))
}

fn lower(path: &BStr) -> Vec<String> {
    path.split_str("/").map(|part| part.to_str_lossy().to_lowercase()).collect()
}
