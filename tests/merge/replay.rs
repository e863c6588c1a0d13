//! Every merge commit of two real histories, merged again: no entry is lost, none is there twice, and there are fewer conflicts
//! than git's own merge has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use bstr::ByteSlice;
use squad_lint::dialects::default_roots;
use squad_lint::formats::entries::{self, Block};
use squad_lint::layout::roots::Roots;
use squad_lint::merge::{ByLines, Markers, Versions, merge};

use crate::support::repo::Repo;
use crate::support::{git, needs, write};

/// How often each entry is in a text, without the rule at its end.
fn counts(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for block in entries::parse(text).blocks().filter(|block| !matches!(block, Block::Prose(_))) {
        let body = block.span().of(text).trim();
        *counts.entry(body.strip_suffix("---").unwrap_or(body).trim_end()).or_default() += 1;
    }
    counts
}

#[derive(Debug, Default)]
struct Figures {
    merges: usize,
    files: usize,
    by_lines: usize,
    files_with_conflicts: usize,
    files_with_conflicts_of_git: usize,
    conflicts: usize,
    conflicts_of_git: usize,
    as_committed: usize,
    differ_from_committed: usize,
}

#[test]
#[ignore = "needs SQUAD_LINT_HISTORY"]
fn real_merges() {
    let (mut figures, mut problems, mut notes) = (Figures::default(), String::new(), String::new());
    let roots = Roots::new(default_roots().map(|root| root.glob)).unwrap();
    for bundle in std::fs::read_dir(needs("SQUAD_LINT_HISTORY")).unwrap().map(|entry| entry.unwrap().path()) {
        let target = tempfile::tempdir().unwrap();
        let output = git(target.path()).args(["clone", "--quiet", "--bare"]).arg(&bundle).arg("repo").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let repo = Repo::at(target.path().join("repo"));
        for line in repo.git(&["log", "--all", "--min-parents=2", "--format=%H %P"]).lines() {
            let ids: Vec<&str> = line.split(' ').collect();
            let &[commit, ours, theirs] = ids.as_slice() else { continue };
            let base = repo.try_git(&["merge-base", ours, theirs]);
            let Some(base) = String::from_utf8_lossy(&base.stdout).lines().next().map(str::to_owned) else { continue };
            let changed = |side: &str| -> BTreeSet<String> {
                let paths = repo.git(&["diff", "--no-renames", "--name-only", "-z", &base, side]);
                paths.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
            };
            let both: Vec<String> = changed(ours).intersection(&changed(theirs)).cloned().collect();
            let mut any = false;
            for path in both {
                let Some(location) = roots.locate(path.as_bytes().as_bstr()) else { continue };
                if !Path::new(&path).extension().is_some_and(|extension| extension == "md") {
                    continue;
                }
                let text = |commit: &str| {
                    let output = repo.try_git(&["cat-file", "blob", &format!("{commit}:{path}")]);
                    output.status.success().then_some(output.stdout)
                };
                let (Some(ours), Some(theirs)) = (text(ours), text(theirs)) else { continue };
                // `now.md` is rewritten as a whole: there are no entries to merge.
                let has_entries = |bytes: &[u8]| !counts(&String::from_utf8_lossy(bytes)).is_empty();
                if ours == theirs || !has_entries(&ours) && !has_entries(&theirs) {
                    continue;
                }
                any = true;
                let (base, committed) = (text(&base).unwrap_or_default(), text(commit));
                let name = format!("{} {commit} {path}", bundle.file_stem().unwrap().display());
                let kind = location.kind;
                let versions = Versions { base: &*base, ours: &*ours, theirs: &*theirs };
                let merged = merge(versions, kind, &Markers::default());
                figures.files += 1;
                figures.conflicts += merged.conflicts;
                figures.files_with_conflicts += usize::from(merged.conflicts > 0);
                figures.by_lines += usize::from(merged.by_lines.is_some());
                if let Some(reason) = merged.by_lines {
                    writeln!(notes, "{name}: {}", reason.reason()).unwrap();
                }
                for (name, bytes) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
                    write(target.path(), name, bytes);
                }
                let of_git = git(target.path()).args(["merge-file", "-p", "ours", "base", "theirs"]).output().unwrap();
                let of_git = of_git.status.code().unwrap_or(0);
                figures.conflicts_of_git += usize::try_from(of_git).unwrap();
                figures.files_with_conflicts_of_git += usize::from(of_git > 0);
                let texts = versions.map(|bytes| String::from_utf8_lossy(bytes).replace("\r\n", "\n"));
                let out = String::from_utf8_lossy(&merged.bytes).replace("\r\n", "\n");
                let (base, ours, theirs) = (counts(&texts.base), counts(&texts.ours), counts(&texts.theirs));
                let found = counts(&out);
                let get = |of: &BTreeMap<&str, usize>, entry: &str| of.get(entry).copied().unwrap_or(0);
                let is_clean = merged.conflicts == 0 && merged.by_lines.is_none();
                for entry in base.keys().chain(ours.keys()).chain(theirs.keys()).collect::<BTreeSet<_>>() {
                    let (base, ours, theirs) = (get(&base, entry), get(&ours, entry), get(&theirs, entry));
                    let least = if base == 0 { ours.max(theirs) } else { (ours + theirs).saturating_sub(base) };
                    let found = get(&found, entry);
                    let heading = entry.lines().next().unwrap_or_default();
                    if is_clean && (found < least.min(ours.max(theirs)) || found > ours.max(theirs)) {
                        writeln!(problems, "{name}: {heading}: {base} {ours} {theirs} became {found}").unwrap();
                    } else if found < least.min(1) && !out.contains(heading) {
                        writeln!(problems, "{name}: {heading}: lost").unwrap();
                    }
                }
                if merged.conflicts > 0 {
                    writeln!(notes, "{name}: {} conflicts, of git {of_git}", merged.conflicts).unwrap();
                }
                if let Some(committed) = committed.filter(|_| is_clean) {
                    let committed = String::from_utf8_lossy(&committed).replace("\r\n", "\n");
                    if counts(&committed) == found {
                        figures.as_committed += 1;
                    } else {
                        figures.differ_from_committed += 1;
                        let lists = (counts(&committed), &found);
                        for entry in lists.0.keys().filter(|entry| get(lists.1, entry) < get(&lists.0, entry)) {
                            let heading = entry.lines().next().unwrap_or_default();
                            writeln!(notes, "{name}: only committed: {heading}").unwrap();
                        }
                        for entry in lists.1.keys().filter(|entry| get(&lists.0, entry) < get(lists.1, entry)) {
                            let heading = entry.lines().next().unwrap_or_default();
                            writeln!(notes, "{name}: only merged: {heading}").unwrap();
                        }
                    }
                }
                assert_ne!(merged.by_lines, Some(ByLines::NoEntries), "{name}");
            }
            figures.merges += usize::from(any);
        }
    }
    eprintln!("{figures:#?}\n{notes}");
    assert!(problems.is_empty(), "{problems}");
    assert!(figures.files > 0);
    assert!(figures.conflicts * 4 <= figures.conflicts_of_git, "{figures:?}");
}
