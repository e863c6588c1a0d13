//! Files with fixes in which nothing is written, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bstr::{BString, ByteSlice};

use super::not_fixed::{NotFixed, not_written};
use super::passes::{Unsettled, Why};
use super::problems::Problems;
use crate::diagnostic::{Applicability, Fix};
use crate::fs::atomic;
use crate::outcome::Outcome;
use crate::terminal::display_path;
use crate::text::conflict;
use crate::text::enumerated;

/// Fixes that were left out of a file.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("the fixes of {rules} in {path} {why}, so they are skipped")]
#[diagnostic(help("the other fixes do not depend on them; {help}"))]
struct FixesLeft {
    path: String,
    rules: String,
    why: &'static str,
    help: &'static str,
}

/// Files with fixes in which nothing is written.
#[derive(Default)]
pub struct LeftAlone {
    /// Other names of files that are fixed themselves.
    links_to_fixed: BTreeSet<BString>,
    /// The others that are reached through a symbolic link.
    links_elsewhere: BTreeSet<BString>,
    /// Files with conflicts that a merge left, and the line on which the first begins.
    conflicts: BTreeMap<BString, usize>,
    /// Files from which text would go into one with a conflict, and that file.
    held: BTreeMap<BString, BString>,
}

impl LeftAlone {
    /// The files with fixes in `found`. Without a `root`, a file from standard input is examined, to which no link leads.
    pub fn find(found: &Outcome, root: Option<&Path>, limit: Applicability) -> Self {
        let fixes = || found.diagnostics.iter().filter_map(|one| Some((&one.path, one.fix.as_ref()?)));
        let may_fix = |fix: &Fix| fix.applicability <= limit && fix.edits().next().is_some();
        let edited = fixes().filter(|(_, fix)| may_fix(fix)).map(|(path, _)| path);
        let paths: BTreeSet<&BString> = edited.collect();
        let leads_to = |path: &BString| {
            let root = root?;
            let full = root.join(path.to_path().ok()?);
            let target = full.canonicalize().ok()?;
            (target != full).then(|| target.strip_prefix(root).map(crate::fs::path::to_bytes).unwrap_or_default())
        };
        let links: BTreeMap<&BString, BString> =
            paths.iter().filter_map(|path| Some((*path, leads_to(path)?))).collect();
        let is_fixed = |target: &BString| paths.contains(target) && !links.contains_key(target);
        let names = |fixed: bool| {
            links.iter().filter(|(_, target)| is_fixed(target) == fixed).map(|(path, _)| (*path).clone()).collect()
        };
        // Text moves in a work tree only.
        let moved = fixes().filter(|(_, fix)| root.is_some() && fix.applicability <= limit);
        let moved: Vec<(&BString, &BString)> =
            moved.flat_map(|(path, fix)| fix.written().map(move |(target, _)| (path, target))).collect();
        let targets = moved.iter().map(|(_, target)| *target);
        let line = |path: &BString| conflict::first_line(found.source(path)?.bytes());
        let written: BTreeSet<&BString> = paths.iter().copied().chain(targets).collect();
        let conflicts: BTreeMap<BString, usize> =
            written.into_iter().filter_map(|path| Some((path.clone(), line(path)?))).collect();
        let held = moved.into_iter().filter(|(path, target)| path != target && conflicts.contains_key(*target));
        let held = held.map(|(path, target)| (path.clone(), target.clone())).collect();
        Self { links_to_fixed: names(true), links_elsewhere: names(false), conflicts, held }
    }

    /// The files that are left as they are, but for links to files that are fixed by another name.
    pub fn refused(&self) -> impl Iterator<Item = BString> {
        self.links_elsewhere.iter().chain(self.conflicts.keys()).chain(self.held.keys()).cloned()
    }

    /// Says nothing of these files.
    pub fn forget(&mut self, said: &BTreeSet<BString>) {
        self.links_elsewhere.retain(|path| !said.contains(path));
        self.conflicts.retain(|path, _| !said.contains(path));
        self.held.retain(|path, _| !said.contains(path));
    }

    /// All files in which nothing is written.
    pub fn all(&self) -> BTreeSet<BString> {
        let links = self.links_to_fixed.union(&self.links_elsewhere);
        links.chain(self.conflicts.keys()).cloned().collect()
    }

    /// Adds why these files cannot be fixed, and which fixes were left out of others. Whether there are any.
    pub fn tell(&self, unsettled: &[Unsettled], problems: &mut Problems) -> bool {
        let shown = |path: &BString| path.to_str_lossy().as_ref().into();
        for path in &self.links_elsewhere {
            not_written(path, "fixed", atomic::WriteError::Link { path: shown(path) }, problems);
        }
        tell_conflicts(self.conflicts.iter().map(|(path, line)| (path, *line)), "fixed", problems);
        for (path, target) in &self.held {
            problems.push(NotFixed::Target { path: display_path(path), done: "fixed", target: display_path(target) });
        }
        let unsettled = tell_unsettled(unsettled, problems);
        !self.links_elsewhere.is_empty() || !self.conflicts.is_empty() || unsettled
    }
}

/// Adds that these files were not `done`, because of the conflict that begins on that line of each.
pub fn tell_conflicts<'a>(
    files: impl IntoIterator<Item = (&'a BString, usize)>,
    done: &'static str,
    problems: &mut Problems,
) {
    for (path, line) in files {
        let error = atomic::WriteError::Conflict { path: path.to_str_lossy().as_ref().into(), line };
        not_written(path, done, error, problems);
    }
}

/// Adds which fixes were left out, by the rules that they belong to; whether there are any.
fn tell_unsettled(unsettled: &[Unsettled], problems: &mut Problems) -> bool {
    for Unsettled { path, rules, why } in unsettled {
        let names: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
        let (path, rules) = (display_path(path), enumerated(&names));
        let (why, help) = match why {
            Why::Endless if names.len() > 1 => {
                ("undo each other", "repair these findings by hand, or turn off one of the rules with `--ignore`")
            }
            Why::Endless => ("never end", "repair these findings by hand, or turn off the rule with `--ignore`"),
            Why::Unfit => ("do not fit the file", "repair these findings by hand"),
        };
        let error = FixesLeft { path, rules, why, help };
        problems.push(error);
    }
    !unsettled.is_empty()
}
