//! No safe fix changes what an entry says: the specification's reference parser (`SQUAD_LINT_ORACLE`) reads damaged files
//! before and after the safe fixes of each rule alone, and of all rules.
//!
//! The same meaning is this. Every entry that the reference sees after the fix was there before, for the reference or for
//! this program, with the same moment, type and summary in its header, in the same order; and no entry that the reference
//! saw is gone, but for one of several that are equal. Each of its fields says what the reference, or this program, read in
//! that field before. (The program reads more: a fix may make the reference see what only the program saw.) Two values of a
//! field are equal when they are
//! - `type`: equal but for the case;
//! - `timestamp`, `supersedes`, `expires`: the same moment with the same offset; what is no timestamp, letter by letter;
//! - `scope`: equal but for the case of `team`, `project`, `agent` and `skill`, and blanks at the colon;
//! - `tags`: the same tags in the same order, without empty ones and without those that an earlier one equals but for case;
//! - `related`: the same items, each with its type in lower case and without asterisks, and with its timestamp as above. The
//!   reference sees after the fix at least those that it saw before, and no other than it or the program saw;
//! - `author`, `summary`, `details`, `rationale`: equal but for blanks at the ends of lines and of the whole.
//!
//! What the reference read before is what it reads in the file, or in the file with readable headers: timestamps written
//! canonically, types in lower case, the right level. Without that it does not see such an entry, and reads its fields into
//! the one above.
//!
//! What the program reads in a field of before: the value of the first one of the name, or of the last one with an exact label
//! (which counts for the reference), with or without the lines behind it that have a label which the reference does not know.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use squad_lint::diagnostic::Applicability;
use squad_lint::formats::entries;
use squad_lint::formats::sem::field::related;
use squad_lint::formats::sem::{End, Entry, Field, FieldName};
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::rules;
use squad_lint::text::{ColumnUnit, Source, Span};
use tempfile::TempDir;

use super::corpus::{damaged, seeds};
use super::{code, contents, copy, run};
use crate::support::needs;
use crate::support::oracle::{Fields, Parsed, reference};
use crate::support::sample::from_corpus;

/// Moment, type and summary of a header.
type Key = (String, String, String);

/// The name under which the related items stand that the reference sees by itself.
const SEEN: &str = "related, well-formed";

/// What the program reads in one entry: for each field the values that it may have.
struct Known {
    line: usize,
    key: Key,
    /// The line of what ends it, where that is no `---`.
    runs_into: Option<usize>,
    fields: BTreeMap<String, Vec<String>>,
}

fn known(text: &str) -> Vec<Known> {
    let source = Source::new("x.md", text.as_bytes().to_vec());
    let text = source.text();
    let of_entry = |entry: Entry<'_>| {
        let header = entry.header();
        let (stamp, kind, summary) = (header.timestamp.of(text), header.kind.of(text), header.summary.of(text));
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut add = |name: &str, value: &str| {
            fields.entry(name.to_owned()).or_default().push(normal(name, value));
            if name == "related" {
                let seen = related(value, Span::new(0, value.len())).filter(|item| item.is_well_formed);
                let seen = seen.map(|item| item.line.of(value)).collect::<Vec<_>>().join("\n");
                fields.entry(SEEN.to_owned()).or_default().push(normal(name, &seen));
            }
        };
        for (name, value) in [("timestamp", stamp), ("type", kind), ("summary", summary), ("author", "")] {
            add(name, value);
        }
        for (at, field) in entry.fields().iter().enumerate() {
            let again = |fields: &[Field], exact: bool| {
                fields.iter().any(|other| other.name == field.name && (other.exact || !exact))
            };
            let first = !again(&entry.fields()[..at], false);
            let last = field.exact && !again(&entry.fields()[at + 1..], true);
            if !first && !last {
                continue;
            }
            add(field.name.as_str(), field.value.of(text));
            // The reference reads on over labels that it does not know.
            let unseen =
                |next: &&Field| !next.exact || matches!(next.name, FieldName::Contributors | FieldName::Unknown);
            for next in entry.fields()[at + 1..].iter().take_while(unseen) {
                let end = next.value.end().max(next.label().end());
                add(field.name.as_str(), Span::new(field.value.start(), end).trim(text).of(text));
            }
        }
        let key = (normal("timestamp", stamp), kind.to_lowercase(), summary.to_owned());
        let line_of = |at| source.position(at, ColumnUnit::Char).line;
        let runs_into = (entry.end() == End::NextEntry).then(|| line_of(entry.span().end()));
        Known { line: line_of(header.line.start()), key, runs_into, fields }
    };
    entries::parse(text).sem(text).map(of_entry).collect()
}

/// `text` with readable headers, on the same lines.
fn readable(text: &str) -> String {
    let mut out = text.to_owned();
    let headers: Vec<_> = entries::parse(text).sem(text).map(|entry| *entry.header()).collect();
    for header in headers.iter().rev() {
        out.replace_range(header.kind.start()..header.kind.end(), &header.kind.of(text).to_lowercase());
        let at = header.timestamp;
        out.replace_range(at.start()..at.end(), &stamp(at.of(text)));
        let line = header.line.of(text);
        let level = line.len() - line.trim_start().trim_start_matches('#').len();
        out.replace_range(header.line.start()..header.line.start() + level, "###");
    }
    out
}

/// A value in the form in which it is compared.
fn normal(name: &str, value: &str) -> String {
    let lines: Vec<&str> = value.lines().map(str::trim_end).collect();
    let first = lines.first().copied().unwrap_or_default().trim();
    let first = match name {
        "type" => first.to_lowercase(),
        "timestamp" | "supersedes" | "expires" => stamp(first),
        "scope" => match first.split_once(':') {
            Some((kind, name)) => format!("{}:{}", kind.trim_end().to_lowercase(), name.trim_start()),
            None => first.to_lowercase(),
        },
        "tags" => {
            let mut tags: Vec<&str> = Vec::new();
            for tag in first.split(',').map(str::trim).filter(|tag| !tag.is_empty()) {
                if !tags.iter().any(|other| other.eq_ignore_ascii_case(tag)) {
                    tags.push(tag);
                }
            }
            tags.join(", ")
        }
        "related" => {
            let items = related(value, Span::new(0, value.len())).filter_map(|item| {
                let text = item.line.of(value);
                let (kind, identifier) = text.trim_start_matches(['-', '*', '+', ' ', '\t']).split_once(':')?;
                Some(format!(
                    "{}: {}",
                    kind.trim_matches(['*', ' ', '\t']).to_lowercase(),
                    stamp(identifier.trim_matches(['*', ' ', '\t']))
                ))
            });
            return items.collect::<Vec<_>>().join("\n");
        }
        _ => first.to_owned(),
    };
    // Lines that a short field swallows can have labels that the reference does not know.
    let rest =
        lines.into_iter().skip(1).map(|line| match line.split_once("**: ").or_else(|| line.split_once(":** ")) {
            Some((label, value)) if !matches!(name, "details" | "rationale") => {
                let name = label.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
                format!("{name} {}", normal(&name, value))
            }
            _ => line.to_owned(),
        });
    [first].into_iter().chain(rest).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn stamp(text: &str) -> String {
    Timestamp::read(text.trim()).map_or_else(|| text.trim().to_owned(), |at| at.to_string())
}

/// What the reference read in a field.
fn said(name: &str, fields: &Fields) -> Option<String> {
    let value = match fields.get(name)? {
        Value::String(value) => value.clone(),
        Value::Array(values) if name == "tags" => {
            values.iter().map(|tag| tag.as_str().unwrap()).collect::<Vec<_>>().join(",")
        }
        Value::Array(values) => values
            .iter()
            .map(|item| format!("- {}: {}", item["type"].as_str().unwrap(), item["identifier"].as_str().unwrap()))
            .collect::<Vec<_>>()
            .join("\n"),
        other => panic!("{name}: {other}"),
    };
    Some(normal(name, &value))
}

fn is_part(part: &str, whole: &str) -> bool {
    let mut whole = whole.lines();
    part.lines().all(|line| whole.any(|other| other == line))
}

/// What the reference reads: before, before with readable headers, after.
type There<'a> = [&'a Parsed; 3];

/// The fields that the reference reads after the fix as nobody read them before. An entry that `ran_on` had another one's
/// fields as well.
fn fields_that_differ(entry: &Known, before: &[&Fields], ran_on: bool, fields: &Fields) -> Vec<String> {
    let mut out = Vec::new();
    for name in FieldName::KNOWN.map(FieldName::as_str) {
        let now = said(name, fields);
        let then: Vec<Option<String>> = before.iter().map(|fields| said(name, fields)).collect();
        let ours = entry.fields.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut known = then.iter().flatten().chain(ours);
        let same = match &now {
            None => then.contains(&None) || ours.is_empty() || ran_on,
            Some(now) if name == "related" => {
                let ours = entry.fields.get(SEEN).into_iter().flatten().map(|value| Some(value.clone()));
                let mut at_least = then.iter().cloned().chain(ours);
                let at_least = at_least.any(|then| then.as_ref().is_none_or(|then| is_part(then, now)));
                at_least && now.lines().all(|item| known.clone().any(|value| value.lines().any(|other| other == item)))
            }
            // To the reference a comment is text: a label in one that nobody closes ends the field.
            Some(now) => known.any(|value| value == now || value.contains("<!--") && value.starts_with(now)),
        };
        if !same {
            out.push(format!("{name}: {now:?}\n  the reference before: {then:?}\n  here: {ours:?}"));
        }
    }
    out
}

/// What is not the same any more.
fn differences(before: &str, after: &str, there: There<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let (known_before, known_after) = (known(before), known(after));
    let keys: BTreeMap<usize, &Key> = known_after.iter().map(|entry| (entry.line, &entry.key)).collect();
    let mut from = 0;
    let mut left: Vec<&Key> = Vec::new();
    for (line, fields) in there[2] {
        let Some(key) = keys.get(line) else {
            // In a comment: the program leaves it alone, though not all that the reference reads into it.
            if !there[0].values().any(|then| then["timestamp"] == fields["timestamp"]) {
                out.push(format!("line {line} of the result: only the reference sees an entry"));
            }
            continue;
        };
        left.push(key);
        // One that runs on into an entry that the reference does not see, or of before SEM, has that one's fields, then
        // as now.
        let at = known_after.iter().position(|entry| entry.line == *line).unwrap();
        let runs_on = known_after[at].runs_into.is_some_and(|next| !there[2].contains_key(&next));
        // So it may be with a `---` between them, in what the reference takes for a fence that goes on.
        let still = known_after.get(at + 1).is_some_and(|next| !there[2].contains_key(&next.line));
        // Of entries with equal headers some may not be seen.
        let equal: Vec<usize> = (from..known_before.len()).filter(|&at| known_before[at].key == **key).collect();
        let compared = |&at: &usize| {
            let known = &known_before[at];
            let before: Vec<&Fields> = there[..2].iter().filter_map(|parsed| parsed.get(&known.line)).collect();
            let ran_on = known.runs_into.is_some_and(|next| !there[1].contains_key(&next));
            if runs_on || ran_on && still { Vec::new() } else { fields_that_differ(known, &before, ran_on, fields) }
        };
        let Some(best) = equal.iter().copied().min_by_key(|at| compared(at).len()) else {
            out.push(format!("line {line} of the result: no such entry before: {key:?}"));
            break;
        };
        out.extend(compared(&best).into_iter().map(|it| format!("line {line} of the result, {it}")));
        from = best + 1;
    }
    for entry in known_before.iter().filter(|entry| there[0].contains_key(&entry.line)) {
        if !left.contains(&&entry.key) {
            out.push(format!("line {}: the entry is gone: {:?}", entry.line, entry.key));
        }
    }
    out
}

/// The files of `folder` that `--fix` with `args` changes, before and after.
fn fixed(folder: &Path, args: &[&str]) -> Vec<(PathBuf, String, String)> {
    let copied = tempfile::tempdir().unwrap();
    copy(folder, copied.path());
    let output = run(copied.path(), &[&["--root", ".", "--fix", "--quiet"], args].concat());
    assert!([0, 1].contains(&code(&output)), "{args:?}: {}", crate::support::stderr(&output));
    let mut before = contents(folder);
    let after = contents(copied.path()).into_iter().map(|(path, after)| {
        let before = before.remove(&path).unwrap();
        (path, String::from_utf8(before).unwrap(), String::from_utf8(after).unwrap())
    });
    after.filter(|(_, before, after)| before != after).collect()
}

fn parsed(oracle: &Path, texts: impl Iterator<Item = String>) -> Vec<Parsed> {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = texts
        .enumerate()
        .map(|(at, text)| {
            let path = folder.path().join(format!("{at:05}.md"));
            fs::write(&path, text).unwrap();
            path
        })
        .collect();
    files.chunks(500).flat_map(|files| reference(oracle, files).into_values()).collect()
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS and SQUAD_LINT_ORACLE"]
fn safe_fixes_keep_what_real_entries_say() {
    let (oracle, corpus) = (needs("SQUAD_LINT_ORACLE"), needs("SQUAD_LINT_CORPUS"));
    let samples = from_corpus(&corpus);
    for seed in seeds(2) {
        let wrong = meaning_changes(&oracle, &damaged(&samples, seed, 500));
        assert!(wrong.is_empty(), "seed {seed}: {}\n{} differ", wrong[..wrong.len().min(12)].join("\n"), wrong.len());
    }
}

/// What the safe fixes of each rule alone, and of all rules, say otherwise in the files of `folder`.
fn meaning_changes(oracle: &Path, folder: &TempDir) -> Vec<String> {
    // What these families repair is no entry.
    let safe = rules::all().filter(|registered| {
        !["bundle", "guard", "learnings", "lint", "session", "team"].contains(&registered.family())
            && registered.rule.fixes.contains(&Applicability::Safe)
    });
    let names: Vec<&str> = safe.map(|registered| registered.rule.name).chain(["all"]).collect();
    assert!(names.len() > 12, "{names:?}");
    let mut wrong = Vec::new();
    for name in names {
        let files = fixed(folder.path(), &["--select", name]);
        if !name.starts_with("legacy/") {
            assert!(files.len() >= 5, "{name}: only {} files have something to fix", files.len());
        }
        let before = parsed(oracle, files.iter().map(|(_, before, _)| before.clone()));
        let with_headers = parsed(oracle, files.iter().map(|(_, before, _)| readable(before)));
        let after = parsed(oracle, files.iter().map(|(.., after)| after.clone()));
        for (at, (path, old, new)) in files.iter().enumerate() {
            let found = differences(old, new, [&before[at], &with_headers[at], &after[at]]);
            wrong.extend(found.into_iter().map(|it| format!("{name}, {}: {it}", path.display())));
        }
        eprintln!("{name}: {} files", files.len());
    }
    wrong
}
