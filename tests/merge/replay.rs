//! Two real histories merged again: every merge commit, and neighbouring commits as if two branches had made them. No entry is lost,
//! none is there twice, and there are fewer conflicts than git's own merge has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bstr::ByteSlice;
use squad_lint::dialects::{FileKind, default_roots};
use squad_lint::formats::entries::{self, Block};
use squad_lint::layout::roots::Roots;
use squad_lint::merge::{ByLines, Markers, Merged, Versions, merge};
use tempfile::TempDir;

use crate::support::repo::Repo;
use crate::support::{git, needs, write};

/// Shorter lines, in bytes, are in many entries: `**Date:** 2026-03-08`.
const SHORT: usize = 30;

/// How often each line is in a text. Which entry it is in does not matter: that is for the merge to know.
fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim_end).filter(|line| line.len() >= SHORT) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

fn get(counts: &BTreeMap<&str, usize>, line: &str) -> usize {
    counts.get(line).copied().unwrap_or(0)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

/// Whether there are entries: `now.md` is rewritten as a whole.
fn has_entries(bytes: &[u8]) -> bool {
    entries::parse(&String::from_utf8_lossy(bytes)).blocks().any(|block| !matches!(block, Block::Prose(_)))
}

#[derive(Debug, Default)]
struct Figures {
    files: usize,
    by_lines: usize,
    files_with_conflicts: usize,
    files_with_conflicts_of_git: usize,
    conflicts: usize,
    conflicts_of_git: usize,
    as_expected: usize,
    differ: usize,
}

/// What the merges of a test showed.
#[derive(Default)]
struct Log {
    figures: Figures,
    problems: String,
    notes: String,
}

impl Log {
    /// Merges, compares with git's own merge and, where both sides are kept, with what is expected.
    fn merge(&mut self, name: &str, versions: Versions<&[u8]>, kind: Option<&FileKind>, expected: Option<&[u8]>) {
        let merged = merge(versions, kind, &Markers::default());
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("base", versions.base), ("ours", versions.ours), ("theirs", versions.theirs)] {
            write(folder.path(), name, bytes);
        }
        let of_git = git(folder.path()).args(["merge-file", "-p", "ours", "base", "theirs"]).output().unwrap();
        let of_git = usize::try_from(of_git.status.code().unwrap()).unwrap();
        let figures = &mut self.figures;
        figures.files += 1;
        figures.conflicts += merged.conflicts;
        figures.conflicts_of_git += of_git;
        figures.files_with_conflicts += usize::from(merged.conflicts > 0);
        figures.files_with_conflicts_of_git += usize::from(of_git > 0);
        figures.by_lines += usize::from(merged.by_lines.is_some());
        assert_ne!(merged.by_lines, Some(ByLines::NoEntries), "{name}");
        if let Some(reason) = merged.by_lines {
            writeln!(self.notes, "{name}: by lines: {}", reason.reason()).unwrap();
        }
        if merged.conflicts > 0 {
            writeln!(self.notes, "{name}: {} conflicts, of git {of_git}", merged.conflicts).unwrap();
        }
        self.compare(name, versions, &merged, expected);
    }

    fn compare(&mut self, name: &str, versions: Versions<&[u8]>, merged: &Merged, expected: Option<&[u8]>) {
        let (texts, out) = (versions.map(|bytes| text(bytes)), text(&merged.bytes));
        let (counts, found) = (texts.map(|text| count(text)), count(&out));
        let is_clean = merged.conflicts == 0;
        for line in counts.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>() {
            let Versions { base, ours, theirs } = counts.map(|counts| get(counts, line));
            let (both, most) = ((ours + theirs).saturating_sub(base), ours.max(theirs));
            // A dated heading names one entry.
            let is_name = line.starts_with('#') && line.contains("20") && most == 1;
            let least = if base == 0 { most } else { both.min(most) };
            let limit = if is_name { 1 } else { both.max(most) };
            let found = get(&found, line);
            if found < least || is_clean && found > limit {
                writeln!(self.problems, "{name}: {base} {ours} {theirs} became {found}: {line:.120}").unwrap();
            }
        }
        let Some(expected) = expected.map(text).filter(|_| is_clean) else { return };
        let expected = count(&expected);
        if expected == found {
            self.figures.as_expected += 1;
            return;
        }
        self.figures.differ += 1;
        for (line, times) in expected.iter().filter(|(line, times)| get(&found, line) < **times) {
            writeln!(self.notes, "{name}: expected {times} times: {line:.120}").unwrap();
        }
        for (line, times) in found.iter().filter(|(line, times)| get(&expected, line) < **times) {
            writeln!(self.notes, "{name}: merged {times} times: {line:.120}").unwrap();
        }
    }

    fn finish(self) {
        eprintln!("{:#?}\n{}", self.figures, self.notes);
        assert!(self.problems.is_empty(), "{}", self.problems);
        assert!(self.figures.files > 0);
        assert!(self.figures.conflicts * 4 <= self.figures.conflicts_of_git, "{:?}", self.figures);
    }
}

/// A history, in a folder of its own.
struct History {
    name: String,
    repo: Repo,
    _folder: TempDir,
}

impl History {
    fn all() -> Vec<Self> {
        let bundles = std::fs::read_dir(needs("SQUAD_LINT_HISTORY")).unwrap().map(|entry| entry.unwrap().path());
        let clone = |bundle: std::path::PathBuf| {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("repo");
            let output = git(folder.path()).args(["clone", "--quiet", "--bare"]).args([&bundle, &target]).output();
            assert!(output.unwrap().status.success());
            let name = bundle.file_stem().unwrap().to_string_lossy().into_owned();
            Self { name, repo: Repo::at(target), _folder: folder }
        };
        bundles.map(clone).collect()
    }

    fn text(&self, commit: &str, path: &str) -> Option<Vec<u8>> {
        let output = self.repo.try_git(&["cat-file", "blob", &format!("{commit}:{path}")]);
        output.status.success().then_some(output.stdout)
    }

    fn paths(&self, args: &[&str]) -> BTreeSet<String> {
        let paths = self.repo.git(args);
        let is_ledger = |path: &&str| path.as_bytes().ends_with(b".md");
        paths.split(['\0', '\n']).filter(is_ledger).map(str::to_owned).collect()
    }
}

fn roots() -> Roots {
    Roots::new(default_roots().map(|root| root.glob)).unwrap()
}

#[test]
#[ignore = "needs SQUAD_LINT_HISTORY"]
fn real_merges() {
    let (mut log, roots) = (Log::default(), roots());
    for history in History::all() {
        for line in history.repo.git(&["log", "--all", "--min-parents=2", "--format=%H %P"]).lines() {
            let ids: Vec<&str> = line.split(' ').collect();
            let &[commit, ours, theirs] = ids.as_slice() else { continue };
            let base = history.repo.try_git(&["merge-base", ours, theirs]);
            let Some(base) = String::from_utf8_lossy(&base.stdout).lines().next().map(str::to_owned) else { continue };
            let changed = |side| history.paths(&["diff", "--no-renames", "--name-only", "-z", &base, side]);
            for path in changed(ours).intersection(&changed(theirs)) {
                let Some(location) = roots.locate(path.as_bytes().as_bstr()) else { continue };
                let sides = (history.text(ours, path), history.text(theirs, path));
                let (Some(ours), Some(theirs)) = sides else { continue };
                if ours == theirs || !has_entries(&ours) && !has_entries(&theirs) {
                    continue;
                }
                let base = history.text(&base, path).unwrap_or_default();
                let versions = Versions { base: &*base, ours: &*ours, theirs: &*theirs };
                let name = format!("{} {commit} {path}", history.name);
                log.merge(&name, versions, location.kind, history.text(commit, path).as_deref());
            }
        }
    }
    log.finish();
}

/// The second of two commits is made on the parent of the first one, and both are merged: the result is the second one.
#[test]
#[ignore = "needs SQUAD_LINT_HISTORY"]
fn real_neighbouring_commits() {
    let (mut log, roots) = (Log::default(), roots());
    for history in History::all() {
        let paths = history.paths(&["log", "--name-only", "--format=", "--", "*/decisions.md", "*/history.md"]);
        for path in paths {
            let Some(location) = roots.locate(path.as_bytes().as_bstr()) else { continue };
            let commits = history.repo.git(&["log", "--first-parent", "--reverse", "--format=%H", "--", &path]);
            let commits: Vec<&str> = commits.lines().collect();
            for triple in commits.windows(3).step_by(commits.len() / 10 + 1) {
                let texts: Vec<_> = triple.iter().filter_map(|commit| history.text(commit, &path)).collect();
                let [before, first, second] = texts.as_slice() else { continue };
                let picked = Versions { base: &**first, ours: &**before, theirs: &**second };
                let picked = merge(picked, location.kind, &Markers::default());
                if picked.conflicts > 0 || picked.by_lines.is_some() || !has_entries(second) {
                    continue;
                }
                let versions = Versions { base: &**before, ours: &**first, theirs: &*picked.bytes };
                let name = format!("{} {} {path}", history.name, triple[2]);
                log.merge(&name, versions, location.kind, Some(second));
            }
        }
    }
    log.finish();
}
