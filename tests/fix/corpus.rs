//! Real repositories (`SQUAD_LINT_CORPUS`), and real entries with generated defects. After `--fix` no finding with a safe
//! fix is left, a second run changes nothing, and unsafe fixes make no new error.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use squad_lint::formats::entries;
use squad_lint::text::{ColumnUnit, Source};
use tempfile::TempDir;

use super::{code, contents, copy, run};
use crate::support::damage;
use crate::support::sample::{Rng, Sample, from_corpus, made_up};
use crate::support::{needs, stderr, stdout, write};

/// All rules, also those that are off and those that are not shown.
const EVERYTHING: [&str; 6] = ["--select", "all", "--min-severity", "info", "--format", "json"];

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[&EVERYTHING[..], &["--root", "."], args].concat());
    assert!([0, 1].contains(&code(&output)), "{}: {args:?}\n{}", folder.display(), stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// What is left with a fix of that trust.
fn left(json: &Value, applicability: &str) -> Vec<String> {
    let findings = json["diagnostics"].as_array().unwrap().iter();
    let fixable = findings.filter(|finding| finding["fix"]["applicability"] == applicability);
    fixable.map(|finding| format!("{finding:#}")).collect()
}

/// How many errors there are of each rule in each entry of each state root: an entry is known by the end of its summary, also
/// when it moves to another file.
fn errors(folder: &Path, json: &Value) -> BTreeMap<(String, String, String), usize> {
    let mut headings: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for finding in json["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error") {
        let path = finding["path"].as_str().unwrap();
        let headings = headings.entry(path.to_owned()).or_insert_with(|| headings_of(folder, path));
        let line = usize::try_from(finding["range"]["start"]["line"].as_u64().unwrap_or_default()).unwrap();
        let heading = headings.iter().rev().find(|(at, _)| *at <= line).map_or("", |(_, heading)| heading);
        let rule = finding["rule"].as_str().unwrap();
        let place = if heading.is_empty() { path } else { path.split('/').next().unwrap() };
        *out.entry((place.to_owned(), rule.to_owned(), heading.to_owned())).or_insert(0) += 1;
    }
    out
}

fn headings_of(folder: &Path, path: &str) -> Vec<(usize, String)> {
    let source = Source::new(path, fs::read(folder.join(path)).unwrap_or_default());
    let parsed = entries::parse(source.text());
    let heading = |entry: squad_lint::formats::sem::Entry<'_>| {
        let (line, summary) = (entry.header().line, entry.header().summary);
        let words: Vec<char> = summary.of(source.text()).chars().filter(|c| c.is_alphanumeric()).collect();
        let end: String = words[words.len().saturating_sub(24)..].iter().collect();
        (source.position(line.start(), ColumnUnit::Char).line, end.to_lowercase())
    };
    parsed.sem(source.text()).map(heading).collect()
}

/// The three claims for the repository in `folder`, on copies of it; what is wrong.
fn judge(folder: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let (safe, both) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(folder, safe.path());
    copy(folder, both.path());
    wrong.extend(left(&json(safe.path(), &["--fix"]), "safe").into_iter().map(|it| format!("is left: {it}")));
    let once = contents(safe.path());
    json(safe.path(), &["--fix"]);
    for (path, bytes) in contents(safe.path()) {
        if bytes != once[&path] {
            wrong.push(format!("a second --fix changes {}", path.display()));
        }
    }
    let before = errors(folder, &json(folder, &[]));
    let fixed = json(both.path(), &["--fix", "--unsafe-fixes"]);
    wrong.extend(left(&fixed, "unsafe").into_iter().map(|it| format!("is left: {it}")));
    for (error, count) in errors(both.path(), &fixed) {
        // Where a `---` was not the end of an entry, the lines after it are fields now, and one of them can be too long.
        if error.1 == "sem/summary-too-long" {
            continue;
        }
        let known = before.get(&error).copied().unwrap_or_default();
        if count > known {
            wrong.push(format!("{known} before, {count} after --fix --unsafe-fixes: {error:?}"));
        }
    }
    let twice = contents(both.path());
    json(both.path(), &["--fix", "--unsafe-fixes"]);
    if contents(both.path()) != twice {
        wrong.push("a second --fix --unsafe-fixes changes files".to_owned());
    }
    wrong
}

/// The repositories of the corpus.
fn repositories(corpus: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    assert!(folders.len() > 20, "{} repositories", folders.len());
    folders
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_repositories() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let mut wrong = Vec::new();
    for folder in repositories(&corpus) {
        wrong.extend(judge(&folder).into_iter().map(|it| format!("{}: {it}", folder.display())));
    }
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong[..wrong.len().min(8)].join("\n"), wrong.len());
}

/// `count` seeds of generated damage; `SQUAD_LINT_SEED` chooses others than usual.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = std::env::var("SQUAD_LINT_SEED").map_or(10, |seed| seed.parse().unwrap());
    first..first + count
}

/// A folder of `count` repositories' files with generated defects, one state root each.
pub fn damaged(samples: &[Sample], seed: u64, count: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng(seed);
    for at in 0..count {
        write(folder.path(), format!("{at:04}/.squad/decisions.md"), damage::file(&mut rng, samples));
    }
    folder
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_entries_with_generated_defects() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let samples = from_corpus(&corpus);
    let mut wrong = Vec::new();
    for seed in seeds(3) {
        let folder = damaged(&samples, seed, 400);
        wrong.extend(judge(folder.path()).into_iter().map(|it| format!("seed {seed}: {it}")));
    }
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong[..wrong.len().min(8)].join("\n"), wrong.len());
}

#[test]
fn made_up_entries_with_generated_defects() {
    let mut wrong = Vec::new();
    for seed in seeds(1) {
        let folder = damaged(&made_up(&mut Rng(seed)), seed, 200);
        wrong.extend(judge(folder.path()).into_iter().map(|it| format!("seed {seed}: {it}")));
    }
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong[..wrong.len().min(8)].join("\n"), wrong.len());
}

/// Entries of a real repository, rewritten as SEM with defects, in front of its own decisions; `None` where it has none that
/// can be rewritten.
fn damaged_repository(repository: &Path, seed: u64) -> Option<TempDir> {
    let samples = from_corpus(repository);
    if samples.is_empty() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    copy(repository, folder.path());
    let mut rng = Rng(seed);
    let path = if folder.path().join(".ai-team").is_dir() { ".ai-team/decisions.md" } else { ".squad/decisions.md" };
    let old = fs::read_to_string(folder.path().join(path)).unwrap_or_default();
    let new: String = samples.iter().take(12).map(|sample| damage::entry(&mut rng, sample)).collect();
    let end = if old.contains("\r\n") { "\r\n" } else { "\n" };
    write(folder.path(), path, format!("# Decisions\n\n{new}").replace('\n', end) + &old);
    Some(folder)
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_repositories_with_damaged_entries() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (seed, repository) in (7..).zip(repositories(&corpus)) {
        let Some(folder) = damaged_repository(&repository, seed) else { continue };
        count += 1;
        wrong.extend(judge(folder.path()).into_iter().map(|it| format!("{}: {it}", repository.display())));
    }
    assert!(count >= 10, "only {count} repositories have entries");
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong[..wrong.len().min(8)].join("\n"), wrong.len());
}
