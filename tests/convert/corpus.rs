//! What a conversion makes of real files, counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use squad_lint::formats::entries;
use squad_lint::formats::markdown::{self, MarkKind};
use squad_lint::formats::sem::FieldName;

use crate::support::{files_below, needs, squad_lint, stderr};

/// What was counted.
#[derive(Debug, Default)]
struct Counts {
    entries: usize,
    converted: usize,
    /// Headings with a date or an author of their own inside a converted entry.
    swallowed: Vec<String>,
    /// Headings of the first two levels inside a converted entry.
    high_headings: Vec<String>,
    /// Words of a file that the converted one lacks.
    lost: Vec<String>,
    /// Entries of medium confidence that do not say what is uncertain.
    silent: Vec<String>,
}

impl Counts {
    /// Converts a copy of the repository at `from` and counts what became of it.
    fn add(&mut self, from: &Path, args: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let copied = Command::new("cp").arg("-R").arg(from).arg(folder.path().join("x")).status();
        assert!(copied.unwrap().success());
        let at = folder.path().join("x");
        let before = texts(&at);
        let output = squad_lint(&at).args(["convert", "--format", "json"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}: {}", from.display(), stderr(&output));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |name: &str| usize::try_from(value["summary"][name].as_u64().unwrap()).unwrap();
        self.entries += count("total");
        self.converted += count("converted");
        let entries = value["entries"].as_array().unwrap().iter();
        let silent = entries.filter(|entry| entry["confidence"] == "medium" && is_silent(&entry["reasons"]));
        self.silent.extend(silent.map(|entry| format!("{}: {entry}", from.display())));
        for (path, new) in texts(&at) {
            let Some(old) = before.get(&path).filter(|old| **old != new) else { continue };
            let name = format!("{}/{}", from.display(), path.display());
            self.lost.extend(lost(old, &new).into_iter().map(|word| format!("{name}: {word}")));
            self.look_into(&name, &new);
        }
    }

    /// Looks at the headings inside the entries of a converted file.
    fn look_into(&mut self, name: &str, text: &str) {
        for entry in entries::parse(text).sem(text) {
            let body = entry.value(FieldName::Details).unwrap_or_default();
            let outline = markdown::scan(body);
            let headings: Vec<_> =
                outline.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_))).collect();
            for (at, mark) in headings.iter().enumerate() {
                let line = mark.line.of(body);
                let end = headings.get(at + 1).map_or(body.len(), |next| next.line.start());
                if matches!(mark.kind, MarkKind::Heading(1 | 2)) {
                    self.high_headings.push(format!("{name}: {line}"));
                }
                if is_entry(line, &body[mark.next as usize..end.max(mark.next as usize)]) {
                    self.swallowed.push(format!("{name}: {line}"));
                }
            }
        }
    }
}

/// Whether all reasons of an entry are such as certain ones have.
fn is_silent(reasons: &Value) -> bool {
    const CERTAIN: [&str; 19] = [
        "date `_` in the heading",
        "date `_` in the field `_`",
        "no time of day",
        "no offset",
        "time `_` behind",
        "author `_` in the field",
        "author `_`: the file is in",
        "author `_` in the inbox file's name",
        "decision, from its ",
        "decision, from the words of its title",
        "decision, from the file's name",
        "decision: ",
        "directive, from ",
        "directive: ",
        "memory, because",
        "note: its text",
        "note, from the words of its title",
        "title ",
        "more than one day in the title",
    ];
    let without_names = |reason: &str| reason.split('`').step_by(2).collect::<Vec<_>>().join("`_`");
    let is_change = |reason: &str| reason.starts_with(|c: char| c.is_ascii_digit());
    let is_certain = |reason: &Value| {
        let reason = reason.as_str().unwrap();
        let reason =
            without_names(&reason.strip_prefix("type `").map_or(reason.into(), |kind| kind.replacen('`', "", 1)));
        is_change(&reason) || CERTAIN.iter().any(|certain| reason.starts_with(certain))
    };
    reasons.as_array().unwrap().iter().all(is_certain)
}

/// Whether a heading, with the text below it, is that of an entry by two signs: a date, and an author right below.
fn is_entry(line: &str, below: &str) -> bool {
    let first: Vec<&str> = below.lines().filter(|line| !line.trim().is_empty()).take(4).collect();
    let labelled = |names: &[&str]| {
        first.iter().any(|line| names.iter().any(|name| line.to_lowercase().starts_with(&format!("**{name}:**"))))
    };
    let dated = line.contains("(202") || line.trim_start_matches('#').trim_start().starts_with("202");
    (dated || labelled(&["date", "fecha"])) && labelled(&["by", "author", "autor", "decided by"])
}

/// The Markdown files below `folder`, by their paths.
fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let files = files_below(folder).into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "md") && !path.starts_with(".git"));
    files
        .map(|path| (path.clone(), String::from_utf8_lossy(&fs::read(folder.join(&path)).unwrap()).into_owned()))
        .collect()
}

/// Labels, and the words for a type, which a conversion writes in another way.
const REWRITTEN: &[&str] = &[
    "by",
    "author",
    "authors",
    "autor",
    "autora",
    "authored",
    "date",
    "fecha",
    "timestamp",
    "what",
    "why",
    "decision",
    "directive",
    "directives",
    "user",
    "decided",
    "agent",
    "rationale",
    "reason",
    "decider",
    "from",
    "proposed",
    "utc",
    "made",
    "owner",
    "when",
    "created",
    "generated",
    "qué",
    "decisión",
    "por",
    "details",
    "written",
    "recorded",
    "reasoning",
    "logged",
    "issued",
    "maker",
    "justification",
    "drafted",
    "captured",
    "submitted",
    "prepared",
    "dated",
    "filed",
    "review",
    "session",
];

/// The names of months: a date in words becomes a timestamp.
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
];

/// The words that `new` has fewer times than `old`. Labels, the words for a type, and dates are what a conversion writes in
/// another way.
fn lost(old: &str, new: &str) -> BTreeSet<String> {
    let count = |text: &str| {
        let mut words: BTreeMap<String, usize> = BTreeMap::new();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().any(char::is_alphabetic)) {
            *words.entry(word.to_lowercase()).or_default() += 1;
        }
        words
    };
    let new = count(new);
    let lacks = |(word, times): &(String, usize)| {
        let is_time = word.chars().any(|c| c.is_ascii_digit()) || MONTHS.contains(&word.as_str());
        !is_time && !REWRITTEN.contains(&word.as_str()) && new.get(word).copied().unwrap_or(0) < *times
    };
    count(old).into_iter().filter(lacks).map(|(word, _)| word).collect()
}

fn repositories(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn most_entries_of_real_files_are_converted_and_nothing_is_lost() {
    let mut counts = Counts::default();
    for repository in repositories(&needs("SQUAD_LINT_CORPUS")) {
        counts.add(&repository, &["--no-history"]);
    }
    println!("{} of {} entries", counts.converted, counts.entries);
    assert_eq!(counts.lost, [""; 0]);
    assert_eq!(counts.swallowed, [""; 0]);
    assert_eq!(counts.high_headings, [""; 0]);
    assert_eq!(counts.silent, [""; 0]);
    assert!(counts.converted * 100 >= counts.entries * 90, "{} of {}", counts.converted, counts.entries);
}

#[test]
#[ignore = "needs SQUAD_LINT_HISTORY"]
fn more_entries_of_real_files_are_converted_with_their_history() {
    let mut counts = Counts::default();
    let folder = tempfile::tempdir().unwrap();
    for bundle in repositories(&needs("SQUAD_LINT_HISTORY")) {
        let at = folder.path().join(bundle.file_stem().unwrap());
        let git = |args: &[&str]| assert!(crate::support::git(&at).args(args).status().unwrap().success());
        fs::create_dir_all(&at).unwrap();
        git(&["init", "--quiet"]);
        git(&["fetch", "--quiet", bundle.to_str().unwrap(), "HEAD"]);
        git(&["checkout", "--quiet", "FETCH_HEAD"]);
        counts.add(&at, &[]);
    }
    println!("{} of {} entries", counts.converted, counts.entries);
    assert_eq!(counts.lost, [""; 0]);
    assert_eq!(counts.swallowed, [""; 0]);
    assert_eq!(counts.high_headings, [""; 0]);
    assert_eq!(counts.silent, [""; 0]);
    assert!(counts.converted * 100 >= counts.entries * 93, "{} of {}", counts.converted, counts.entries);
}
