//! # guard/npm-leak
//!
//! ## What it flags
//!
//! A `package.json` with which `npm publish` would publish state. Either its `files` includes the state, or it has no
//! `files` and neither `.npmignore` nor `.gitignore` excludes the state. npm packs what is on disk, whether git has
//! it or not. Packages that are `private`, have no valid name, or are editor extensions (`engines.vscode`) are ignored. If
//! there is no `files`, `bin`, `exports`, `publishConfig`, `.npmignore` or workflow that publishes, it is an info.
//!
//! ## Why it matters
//!
//! Files on the registry stay public forever. A `.npmignore` disables the `.gitignore` beside it.
//!
//! ## Example
//!
//! ```json
//! { "name": "my-tool", "files": ["**/*.md", "lib"] }
//! ```
//!
//! ## How to fix
//!
//! Exclude it at the end of `files`, with `"!.squad"`, or in an existing `.npmignore`. If there is neither, list the
//! contents of the package in `files`. Do not create a `.npmignore` for this: it disables the `.gitignore`, and files
//! that only the `.gitignore` excludes, like `.env`, are then published. `npm pack --dry-run` shows the result.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::{Run, packages};
use crate::formats::package::{Files, Package, quoted};
use crate::fs::path::{inner_path, is_in};
use crate::rule::{Check, Rule, Sink};
use crate::text::{Source, prose::plural};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/npm-leak",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for manifest in &packages::above_state(run) {
        let package = &manifest.package;
        let Some((name, place)) = package.name.as_ref().filter(|_| !package.private && !package.is_extension) else {
            continue;
        };
        let packed = packages::packed(run, manifest, package, None, &packages::state_below(run, manifest));
        let is_packed = |root: &&BString| packed.iter().any(|path| is_in(path.as_bstr(), root.as_bstr()));
        let roots: Vec<&BString> = manifest.roots.iter().filter(is_packed).collect();
        if roots.is_empty() {
            continue;
        }
        let leak = Leak { run, manifest, packed: &packed, roots: &roots };
        let message = leak.message(name);
        let npmignore = run.read(manifest.path(".npmignore").as_bstr());
        let is_published = npmignore.is_some() || packages::is_published(run, package);
        let finding = match (&package.files, npmignore) {
            (Some(files), _) => leak.by_files(files, message).in_file(manifest.source.path()),
            (None, Some(npmignore)) => leak.by_npmignore(&npmignore, message).in_file(npmignore.path()),
            (None, None) => {
                let private = (!is_published).then_some("set `\"private\": true` if the package is never published");
                let finding = Finding::at(*place, message).label("this package has no `files`");
                private.into_iter().chain([LIST]).fold(finding, Finding::help).in_file(manifest.source.path())
            }
        };
        sink.report(if is_published { finding } else { finding.at_most(Severity::Info) });
    }
}

const LIST: &str = "list only what the package needs in `files` of package.json";

/// State in a package.
struct Leak<'a> {
    run: &'a Run<'a>,
    manifest: &'a packages::Manifest,
    packed: &'a [BString],
    /// The state roots that have files in it.
    roots: &'a [&'a BString],
}

impl Leak<'_> {
    fn message(&self, name: &str) -> String {
        let roots: Vec<String> = self.roots.iter().map(|root| format!("`{root}/`")).collect();
        let paths: Vec<_> = self.packed.iter().map(|path| path.as_bstr()).collect();
        let (count, roots, first) = (plural(paths.len(), "state file"), roots.join(", "), super::first(&paths));
        format!("npm would publish {count} under {roots} in the package `{name}`: {first}")
    }

    /// The roots as patterns of this package, each after `before`.
    fn patterns(&self, before: &str) -> Vec<String> {
        let inner = |root: &BString| inner_path(root.as_bstr(), self.manifest.folder.as_bstr()).to_string();
        self.roots.iter().map(|root| format!("{before}{}", inner(root))).collect()
    }

    fn by_files(&self, files: &Files, message: String) -> Finding {
        let first = self.packed.first();
        let decisive = first.and_then(|path| packages::item_for(self.run, self.manifest, path));
        let point = first.filter(|_| decisive.is_none()).and_then(|path| packages::entry_point(self.manifest, path));
        let finding = match decisive.or(point) {
            Some((_, place)) => Finding::at(*place, message).label("includes the files of the team"),
            None => Finding::at(files.span, message).label("does not exclude the files of the team"),
        };
        let is_root = |item: &str| {
            let item = item.trim_start_matches("./").trim_matches('/');
            self.patterns("").iter().any(|root| item == root || is_in(item.into(), root.as_str().into()))
        };
        if let Some((item, _)) = decisive.filter(|(item, _)| is_root(item)) {
            return finding.help(format!("remove `{item}` from `files`"));
        }
        let keep_out = format!("keep {}/` out of `main`, `browser` and `bin`", self.patterns("`").join("/` and "));
        let (Some((_, last)), None) = (files.items.last(), point) else { return finding.help(keep_out) };
        let text = self.manifest.source.text();
        // The new items are set apart as the last one is.
        let before = text.get(..last.start()).unwrap_or_default();
        let gap = before.get(before.trim_end().len()..).filter(|gap| gap.contains('\n')).unwrap_or(" ");
        let items: Vec<String> = self.patterns("!").iter().map(|item| quoted(item)).collect();
        let content: String = items.iter().map(|item| format!(",{gap}{item}")).collect();
        let edit = Edit::insert(last.end(), content);
        let changed = edit.applied_to(text);
        if !Package::parse(&changed).is_some_and(|package| self.keeps_out(&package, ("package.json", &changed))) {
            return finding.help(LIST).help(keep_out);
        }
        finding.help(format!("add `{}` to the end of `files`", items.join(", "))).fix(Applicability::Unsafe, [edit])
    }

    fn by_npmignore(&self, npmignore: &Source, message: String) -> Finding {
        let lines: Vec<String> = self.patterns("/").iter().map(|line| format!("{line}/")).collect();
        let (text, end) = (npmignore.text(), npmignore.line_ending());
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        let edit = Edit::insert(text.len(), format!("{gap}{}{end}", lines.join(end)));
        let finding = Finding::whole_file(message);
        if !self.keeps_out(&self.manifest.package, (".npmignore", &edit.applied_to(text))) {
            return finding.help(LIST);
        }
        let help = format!("add `{}` to the end of `{}`", lines.join("` and `"), npmignore.path());
        finding.help(help).fix(Applicability::Unsafe, [edit])
    }

    fn keeps_out(&self, package: &Package, changed: (&str, &str)) -> bool {
        packages::packed(self.run, self.manifest, package, Some(changed), self.packed).is_empty()
    }
}
