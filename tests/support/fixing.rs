//! Fixing without a disk: files by their paths go in, and what the fixes make of them comes out.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

use squad_lint::diagnostic::{Applicability, Severity};
use squad_lint::dialects::default_roots;
use squad_lint::dialects::manifest::DEFAULT_MANIFESTS;
use squad_lint::engine::{self, Progress, RuleSet};
use squad_lint::fix::passes::{self, Fixed};
use squad_lint::layout::exclude::Excludes;
use squad_lint::layout::roots::Roots;
use squad_lint::options::Options;
use squad_lint::outcome::Outcome;
use squad_lint::rules;
use squad_lint::select::input::{Input, Mode, Overlay};
use squad_lint::select::repository::Repository;
use squad_lint::select::worktree::Selection;

/// An empty folder, taken for a repository.
pub struct Fixing {
    _folder: tempfile::TempDir,
    repository: Repository,
    roots: Roots,
    excludes: Excludes,
    /// What the rules are tuned with.
    pub options: Options,
}

impl Fixing {
    /// With rules tuned so.
    pub fn new(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path()).unwrap();
        let roots = Roots::new(default_roots().map(|root| root.glob)).unwrap();
        let roots = roots.with_manifests(DEFAULT_MANIFESTS).unwrap();
        Self { _folder: folder, repository, roots, excludes: Excludes::new([] as [&str; 0]).unwrap(), options }
    }

    /// What `rules` find in `files`.
    pub fn check(&self, files: &Overlay, rules: &RuleSet) -> Outcome {
        let all = Selection::everything();
        let selection = &*all.with_fixes(files.keys().map(|path| (path, false)), &self.roots, &self.excludes);
        let (repository, roots, excludes) = (&self.repository, &self.roots, &self.excludes);
        let input = Input { repository, roots, excludes, selection, overlay: files, mode: Mode::WorkTree };
        engine::run(input, rules, &self.options, &Progress::default())
    }

    /// What the fixes of `rules` make of `files`, and what they came to.
    pub fn fix(&self, files: &Overlay, rules: &RuleSet, limit: Applicability) -> (Overlay, Fixed) {
        let check = |fixed: &Overlay| {
            let mut all = files.clone();
            all.extend(fixed.iter().map(|(path, bytes)| (path.clone(), bytes.clone())));
            self.check(&all, rules)
        };
        let fixed = passes::run(check(&Overlay::new()), limit, &BTreeSet::new(), true, check);
        let mut new = files.clone();
        new.extend(fixed.files.iter().map(|file| (file.path.clone(), file.new.clone())));
        (new, fixed)
    }
}

/// The rules of these names; all where there are none.
pub fn rules(names: &[&str]) -> RuleSet {
    let all = rules::all().map(|registered| registered.rule);
    RuleSet::new(
        all.filter(|rule| names.is_empty() || names.contains(&rule.name)).map(|rule| (rule, Severity::Warning)),
    )
}

/// How often `files` hold each line; blank ones do not count, nor do the signs of headings and blanks at the end.
pub fn lines(files: &Overlay) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    for line in files.values().flat_map(|bytes| filled(bytes)) {
        *lines.entry(plain(&line).to_owned()).or_insert(0) += 1;
    }
    lines
}

fn heading(line: &str) -> Option<&str> {
    line.trim_start().starts_with('#').then(|| line.trim().trim_matches('#').trim())
}

/// What a section has that lost all its entries.
const PLACEHOLDER: &str = "- (none yet)";

/// Says which lines are lost from `before` to `after`, or are there too often. Headings may come, and so may placeholders; and an
/// entry that another file holds whole is an exact double, of which one stays.
pub fn difference(before: &Overlay, after: &Overlay) -> Vec<String> {
    let headings: BTreeSet<String> = after
        .values()
        .flat_map(|bytes| String::from_utf8_lossy(bytes).into_owned().lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| Some(heading(&line)?.to_owned()))
        .collect();
    let (old_lines, new_lines) = (lines(before), lines(after));
    let mut found = Vec::new();
    let mut lost = BTreeSet::new();
    for line in old_lines.keys().chain(new_lines.keys()).collect::<BTreeSet<_>>() {
        let (old, new) = (old_lines.get(line).copied().unwrap_or(0), new_lines.get(line).copied().unwrap_or(0));
        if new > old && !headings.contains(line) && line != PLACEHOLDER || new == 0 {
            found.push(format!("{line:?}: {old} before, {new} after"));
        } else if new < old {
            lost.insert(line.as_str());
        }
    }
    for (path, old) in before {
        let others = after.iter().filter(|(other, _)| *other != path);
        let others: Vec<Vec<String>> = others.map(|(_, bytes)| filled(bytes)).collect();
        let old = filled(old);
        let new = after.get(path).map(|bytes| filled(bytes)).unwrap_or_default();
        for operation in similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new) {
            let left = &old[operation.old_range()];
            let is_lost = left.iter().any(|line| lost.contains(plain(line)));
            if is_lost && operation.tag() != similar::DiffTag::Equal && !is_held(left, &others) {
                found.push(format!("{path}: not in another file as a whole: {left:#?}"));
            }
        }
    }
    found
}

/// Whether `others` hold each entry of `left` whole: several equal ones may have been archived in a pass each.
fn is_held(left: &[String], others: &[Vec<String>]) -> bool {
    let is_start = |line: Option<&String>| line.is_none_or(|line| line.trim_start().starts_with(['#', '-', '*', '1']));
    let is_entry = |part: &[String]| {
        let at =
            |other: &[String], from: usize| other[from..].starts_with(part) && is_start(other.get(from + part.len()));
        others.iter().any(|other| (0..other.len()).any(|from| at(other, from)))
    };
    // Which of the first lines, how many, are entries that another file holds.
    let mut held = vec![true];
    for end in 1..=left.len() {
        let mut starts = (0..end).filter(|start| held[*start] && (*start == 0 || is_start(left.get(*start))));
        held.push(starts.any(|start| is_entry(&left[start..end])));
    }
    held[left.len()]
}

/// The lines of a file that are not blank, headings with one sign.
fn filled(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).replace('\u{feff}', "");
    let lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    lines.map(|line| heading(line).map_or_else(|| line.trim_end().to_owned(), |text| format!("# {text}"))).collect()
}

/// A line of [`filled`] without the sign of a heading.
fn plain(line: &str) -> &str {
    heading(line).unwrap_or(line)
}

/// What was learned in `before` and is nowhere in `after`, or the other way round. Marks do not count, nor does how often it
/// is there; headings may come.
pub fn forgotten(before: &Overlay, after: &Overlay) -> Vec<String> {
    let said = |files: &Overlay, headings: bool| -> BTreeSet<String> {
        let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes).replace('\u{feff}', ""));
        let lines: Vec<String> =
            texts.flat_map(|text| text.split(['\n', '\r']).map(str::to_owned).collect::<Vec<_>>()).collect();
        let lines = lines.iter().filter(|line| !line.trim().is_empty() && (headings || heading(line).is_none()));
        lines
            .map(|line| heading(line).unwrap_or(line.split(" (added").next().unwrap_or_default()).trim().to_owned())
            .collect()
    };
    let lost = said(before, true).difference(&said(after, true)).cloned().collect::<Vec<_>>();
    let new = said(after, false)
        .difference(&said(before, true))
        .filter(|line| *line != PLACEHOLDER)
        .cloned()
        .collect::<Vec<_>>();
    [lost, new].concat()
}
