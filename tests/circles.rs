//! No file of `src` uses another one that uses it in turn, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::support::{files_below, project};

/// A module: its path from the crate's root, which is empty.
type Module = Vec<String>;

/// What one file says of itself.
#[derive(Default)]
struct File {
    /// All paths that it names, as they are written.
    paths: Vec<Vec<String>>,
    /// What a name at the top of the file is short for.
    names: BTreeMap<String, Vec<String>>,
    /// The names that it only passes on.
    passed_on: BTreeMap<String, Vec<String>>,
    /// Modules of which it passes on everything.
    globs: Vec<Vec<String>>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string().replace(' ', "");
        attribute.path().is_ident("cfg") && text.contains("(test)")
    })
}

impl File {
    fn read(path: &Path) -> Self {
        let parsed = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
        let mut file = Self::default();
        parsed.items.iter().for_each(|item| file.item(item));
        file
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Use(found) if !is_test(&found.attrs) => {
                let public = !matches!(found.vis, Visibility::Inherited);
                self.tree(&found.tree, &mut Vec::new(), public);
            }
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) => {
                module.content.iter().flat_map(|(_, items)| items).for_each(|item| self.item(item));
            }
            Item::Fn(function) if is_test(&function.attrs) => {}
            other => self.tokens(other.to_token_stream()),
        }
    }

    fn tree(&mut self, tree: &UseTree, start: &mut Vec<String>, public: bool) {
        match tree {
            UseTree::Path(path) => {
                start.push(path.ident.to_string());
                self.tree(&path.tree, start, public);
                start.pop();
            }
            UseTree::Name(name) if name.ident == "self" => self.named(start.last().cloned(), start.clone(), public),
            UseTree::Name(name) => {
                let path = [start.as_slice(), &[name.ident.to_string()]].concat();
                self.named(path.last().cloned(), path, public);
            }
            UseTree::Rename(rename) => {
                let path = [start.as_slice(), &[rename.ident.to_string()]].concat();
                self.named(Some(rename.rename.to_string()), path, public);
            }
            UseTree::Glob(_) if public => self.globs.push(start.clone()),
            UseTree::Glob(_) => self.paths.push(start.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, start, public)),
        }
    }

    fn named(&mut self, name: Option<String>, path: Vec<String>, public: bool) {
        let Some(name) = name else { return };
        if public {
            self.passed_on.insert(name.clone(), path.clone());
        } else {
            self.paths.push(path.clone());
        }
        self.names.insert(name, path);
    }

    /// Adds the paths of two or more names, also those in the arguments of macros.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.path(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                other => {
                    self.path(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        // What follows in braces belongs to the path before: `use a::{b, c}` inside a function.
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.path(path);
    }

    fn path(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.paths.push(path);
        }
    }
}

/// All files of the crate, by their modules.
struct Crate(BTreeMap<Module, File>);

impl Crate {
    fn read(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        for path in files_below(source).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
            let mut module: Module =
                path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
                module.pop();
            }
            // Only a test of the module above reads this one.
            if module == ["main"] || module.last().is_some_and(|last| last == "tests") {
                continue;
            }
            files.insert(module, File::read(&source.join(&path)));
        }
        Self(files)
    }

    /// The file that defines what `path`, written in `module`, leads to.
    fn leads_to(&self, module: &[String], path: &[String], depth: usize) -> Option<Module> {
        let mut at = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [module, &[first.to_owned()]].concat();
                let name = self.0.get(module)?.names.get(first).filter(|name| name.first().is_some_and(|n| n != first));
                if let Some(name) = name.filter(|_| depth < 8) {
                    let whole = [name.as_slice(), &path[1..]].concat();
                    return self.leads_to(module, &whole, depth + 1);
                }
                if !self.0.contains_key(&child) {
                    return None;
                }
            }
        }
        while let Some((first, behind)) = rest.split_first() {
            let child = [at.as_slice(), std::slice::from_ref(first)].concat();
            if !self.0.contains_key(&child) {
                return self.defines(&at, rest, depth);
            }
            (at, rest) = (child, behind);
        }
        // A module by itself: what is used of it is another path.
        None
    }

    /// The file that `module` has `rest` from, where it only passes it on; else its own.
    fn defines(&self, module: &[String], rest: &[String], depth: usize) -> Option<Module> {
        let file = self.0.get(module)?;
        if depth < 8
            && let Some(path) = file.passed_on.get(&rest[0])
        {
            let whole = [path.as_slice(), &rest[1..]].concat();
            return self.leads_to(module, &whole, depth + 1);
        }
        Some(module.to_vec())
    }

    /// The files that each file uses.
    fn uses(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let used = |module: &Module, file: &File| {
            let all = file.paths.iter().filter_map(|path| self.leads_to(module, path, 0));
            all.filter(|other| other != module && !other.is_empty()).collect()
        };
        self.0.iter().map(|(module, file)| (module, used(module, file))).collect()
    }
}

/// Each file with all files that it reaches.
fn circles(uses: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let reach = |start: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(next) = open.pop() {
            for other in uses.get(&next).into_iter().flatten() {
                if seen.insert(other.clone()) {
                    open.push(other.clone());
                }
            }
        }
        seen
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|module| (*module, reach(module))).collect();
    for (module, reached) in &all {
        let circle = reached.iter().filter(|other| all.get(other).is_some_and(|back| back.contains(*module)));
        let circle: Vec<String> = circle.map(|module| module.join("::")).collect();
        if !circle.is_empty() {
            found.insert(circle);
        }
    }
    found
}

#[test]
fn no_files_use_each_other() {
    let files = Crate::read(&project().join("src"));
    assert!(files.0.len() > 200, "{} files", files.0.len());
    let uses = files.uses();
    // The reader sees what it is meant to see: imports, paths in code, and names that are passed on.
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 800);
    let circles = circles(&uses);
    let shown: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
    assert!(circles.is_empty(), "{} circles:\n{}", shown.len(), shown.join("\n"));
}
