//! What leaves a memory file for its archive: over random notes, and counted over real repositories (`SQUAD_LINT_CORPUS`).

use std::fs;
use std::path::{Path, PathBuf};

use bstr::BString;
use proptest::prelude::*;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use squad_lint::diagnostic::Applicability;
use squad_lint::formats::legacy::day;
use squad_lint::formats::markdown::{self, Mark, MarkKind};
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::options::Options;
use squad_lint::select::input::Overlay;

use super::{code, contents, copy};
use crate::support::fixing::{Fixing, rules};
use crate::support::random::cases;
use crate::support::repo::Repo;
use crate::support::{git, needs, squad_lint, stderr, stdout};

/// A heading of a file.
struct Heading {
    /// Its line, from 0.
    line: usize,
    level: u8,
    /// The latest day in it.
    day: Option<(u16, u8, u8)>,
}

fn headings(text: &str) -> Vec<Heading> {
    let heading = |mark: Mark| {
        let MarkKind::Heading(level) = mark.kind else { return None };
        let (mut rest, mut last) = (mark.line.of(text), None);
        while let Some(found) = day::find(rest) {
            last = last.max(found.date);
            rest = &rest[found.span.end()..];
        }
        Some(Heading { line: text[..mark.line.start()].matches('\n').count(), level, day: last })
    };
    markdown::scan(text).marks.into_iter().filter_map(heading).collect()
}

/// Which lines of `old` are not in `new`.
fn gone(old: &[&str], new: &[&str]) -> Vec<bool> {
    let mut gone = vec![false; old.len()];
    for operation in capture_diff_slices(Algorithm::Myers, old, new) {
        if operation.tag() != DiffTag::Equal {
            gone[operation.old_range()].fill(true);
        }
    }
    gone
}

/// What is wrong with what left `old`.
fn wrong(old: &str, new: &str) -> Vec<String> {
    let lines: Vec<&str> = old.lines().collect();
    let gone = gone(&lines, &new.lines().collect::<Vec<_>>());
    let headings = headings(old);
    let mut wrong = Vec::new();
    let last = |is_gone: bool| {
        let such = headings.iter().filter(|heading| gone[heading.line] == is_gone);
        such.filter_map(|heading| heading.day).max()
    };
    let (left, stayed) = (last(true), last(false));
    if left > stayed {
        wrong.push(format!("the newest left: {left:?}, and {stayed:?} stayed"));
    }
    // A comment that guides writers stays.
    let is_text = |line: &usize| {
        let line = lines[*line].trim();
        !line.trim_matches('-').is_empty() && !line.starts_with("<!-- Append ")
    };
    for (place, heading) in headings.iter().enumerate() {
        let under = headings[place + 1..].iter().find(|next| next.level <= heading.level);
        let end = under.map_or(lines.len(), |next| next.line);
        let content: Vec<usize> = (heading.line + 1..end).filter(is_text).collect();
        let left = content.iter().filter(|line| !gone[**line]).count();
        let title = lines[heading.line];
        match gone[heading.line] {
            true if left > 0 => wrong.push(format!("left without its content: {title}")),
            false if left == 0 && !content.is_empty() => wrong.push(format!("left empty: {title}")),
            _ => {}
        }
    }
    wrong
}

/// The level of a heading, its month and day, and how many lines are below it.
type Shape = (usize, Option<(u8, u8)>, usize);

/// Headings of three levels, many with a date, some with text below.
fn notes() -> impl Strategy<Value = String> {
    let heading = (1..=4_usize, prop::option::of((1..=3_u8, 1..=28_u8)), 0..3_usize);
    prop::collection::vec(heading, 1..16).prop_map(|headings| {
        let section = |(place, (level, date, lines)): (usize, Shape)| {
            let date = date.map(|(month, day)| format!(" (2026-{month:02}-{day:02})")).unwrap_or_default();
            let lines: String = (0..lines).map(|line| format!("Line {line} of part {place}.\n")).collect();
            format!("{} Part {place}{date}\n{lines}\n", "#".repeat(level))
        };
        headings.into_iter().enumerate().map(section).collect()
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_oldest_leave_with_all_that_is_under_them(text in notes(), cap in 100..600_u64) {
        let mut options = Options::at(Timestamp::read("2026-06-01T00:00:00+0000").unwrap());
        options.settings.memory.max_history_bytes = cap.try_into().unwrap();
        let path: BString = ".squad/agents/hicks/history.md".into();
        let charter: BString = ".squad/agents/hicks/charter.md".into();
        let files = Overlay::from([(path.clone(), text.clone().into_bytes()), (charter, b"# Hicks\n".to_vec())]);
        let (after, fixed) = Fixing::new(options).fix(&files, &rules(&["memory/file-too-large"]), Applicability::Unsafe);
        prop_assert!(fixed.unsettled.is_empty());
        let new = String::from_utf8(after[&path].clone()).unwrap();
        let wrong = wrong(&text, &new);
        prop_assert!(wrong.is_empty(), "{wrong:#?}\n{text}\n---\n{new}");
        prop_assert!(new == text || new.len() as u64 <= cap, "{text}\n---\n{new}");
    }

    #[test]
    fn what_leaves_was_written_before_what_stays(
        mut parts in prop::collection::vec((1..=4_u8, 1..200_usize), 2..12), is_descending: bool, cap in 100..1200_u64,
    ) {
        parts.sort_by_key(|(day, _)| *day);
        let part = |(place, (day, length)): (usize, &(u8, usize))| {
            format!("### 2026-02-{day:02}: Part {place}\n{}\n\n", "x".repeat(*length))
        };
        let mut entries: Vec<String> = parts.iter().enumerate().map(part).collect();
        if is_descending {
            entries.reverse();
        }
        let mut options = Options::at(Timestamp::read("2026-06-01T00:00:00+0000").unwrap());
        options.settings.memory.max_history_bytes = cap.try_into().unwrap();
        let path: BString = ".squad/agents/hicks/history.md".into();
        let charter: BString = ".squad/agents/hicks/charter.md".into();
        let text = format!("# Hicks\n\n{}", entries.concat());
        let files = Overlay::from([(path.clone(), text.into_bytes()), (charter, b"# Hicks\n".to_vec())]);
        let (after, _) = Fixing::new(options).fix(&files, &rules(&["memory/file-too-large"]), Applicability::Unsafe);
        let new = String::from_utf8(after[&path].clone()).unwrap();
        let stays: Vec<bool> =
            (0..parts.len()).map(|place| new.contains(&format!(": Part {place}\n"))).collect();
        prop_assert!(stays.is_sorted(), "{stays:?}\n{new}");
    }
}

/// The history of Hicks after the fix, and what was said.
fn fixed_history(old: &str, cap: usize) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".squad/agents/hicks/history.md");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path.with_file_name("charter.md"), "# Hicks\n").unwrap();
    fs::write(&path, old).unwrap();
    fs::write(folder.path().join("squad-lint.toml"), format!("[memory]\nmax-history-bytes = {cap}\n")).unwrap();
    let args = ["--fix", "--unsafe-fixes", "--now", "2026-06-01"];
    let output = squad_lint(folder.path()).args(args).output().unwrap();
    (fs::read_to_string(&path).unwrap(), stdout(&output) + &stderr(&output))
}

fn fix(folder: &Path, now: &str) {
    let rules = ["--select", "memory/file-too-large", "--no-config", "--now", now];
    let output = squad_lint(folder).args(["--fix", "--unsafe-fixes"]).args(rules).output().unwrap();
    assert!([0, 1].contains(&code(&output)), "{}", stderr(&output));
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn the_oldest_leave_a_real_memory_with_all_that_is_under_them() {
    let (mut found, mut count) = (Vec::new(), 0);
    for repository in fs::read_dir(needs("SQUAD_LINT_CORPUS")).unwrap() {
        let repository = repository.unwrap().path();
        for now in ["2026-02-25", "2026-03-12", "2026-03-20", "2026-04-15", "2026-12-01"] {
            let folder = tempfile::tempdir().unwrap();
            copy(&repository, folder.path());
            let before = contents(folder.path());
            fix(folder.path(), now);
            let after = contents(folder.path());
            let is_memory = |path: &PathBuf| path.ends_with("decisions.md") || path.ends_with("history.md");
            for (path, new) in after.iter().filter(|(path, new)| is_memory(path) && before[*path] != **new) {
                count += 1;
                let (old, text) = (String::from_utf8_lossy(&before[path]), String::from_utf8_lossy(new));
                let name = format!("{}/{} on {now}", repository.display(), path.display());
                found.extend(wrong(&old, &text).into_iter().map(|what| format!("{name}: {what}")));
                let cap = if path.ends_with("history.md") { 15_360 } else { 20_480 };
                assert!(new.len() <= cap, "{name}: {} bytes", new.len());
            }
            fix(folder.path(), now);
            assert!(contents(folder.path()) == after, "{}: the second run changes something", repository.display());
        }
    }
    assert!(count > 10, "only {count} files changed");
    assert!(found.is_empty(), "{}\n{} of {count} files", found.join("\n"), found.len());
}

#[test]
fn a_title_at_the_end_of_an_entry_leaves_with_the_entry_that_it_announces() {
    let old = "# Done (2026-02-08)\nText.\n\n## Earlier\n\n### Old (2026-01-01)\nText that is old.\n\n## Later (2026-02-08)\nText.\n";
    let (new, said) = fixed_history(old, 90);
    assert_eq!(new, "# Done (2026-02-08)\nText.\n\n## Later (2026-02-08)\nText.\n", "{said}");
}

#[test]
fn nothing_leaves_that_is_newer_than_a_dated_line_that_stays() {
    let history = |day: &str| {
        format!(
            "# Hicks\n\n## Learnings\n\n- {day}: The cache needs a lock.\n\n## Work (2026-02-01)\nText.\n\n## More (2026-03-01)\nText.\n"
        )
    };
    for (day, leaves) in [("2026-01-01", false), ("2026-02-08", true)] {
        let (new, said) = fixed_history(&history(day), 100);
        let expected = if leaves { history(day).replace("## Work (2026-02-01)\nText.\n\n", "") } else { history(day) };
        assert_eq!(new, expected, "{said}");
        assert_eq!(said.contains("the section on line 3 blocks all newer ones"), !leaves);
    }
}

#[test]
fn nothing_leaves_that_is_of_the_day_of_one_that_stays_and_below_it() {
    let history = |kept: &str| {
        format!(
            "# Hicks\n\n## Plan (2026-02-01)\nText.\n\n## Work (2026-02-02)\nText.\n\n{kept}\n\n## More (2026-02-02)\nText.\n\n\
             ## Last (2026-03-01)\nText.\n"
        )
    };
    let text = history("## Tests (2026-02-02)\nText.\n\n### 2026-02-02: Queue (active)\nText.");
    let (new, _) = fixed_history(&text, 180);
    assert_eq!(new, text.replace("## Plan (2026-02-01)\nText.\n\n", ""));
    let (new, said) = fixed_history(&text, 125);
    assert_eq!(new, text);
    assert!(said.contains("1 entry newer than one that is kept"), "{said}");
    let (new, _) = fixed_history(&history("## Tests (2026-02-02)\nText."), 60);
    assert_eq!(new, "# Hicks\n\n## Last (2026-03-01)\nText.\n");
}

#[test]
fn a_comment_that_guides_writers_stays() {
    let comment = "<!-- Append new learnings below. Each entry is something lasting about the project. -->";
    let old = format!(
        "# Hicks\n\n## Learnings\n\n### 2026-02-01: Ports\n8080.\n\n### 2026-02-02: Cache\nKeys.\n\n{comment}\n\n\
         ### 2026-02-03: Queue\nOne.\n\n### 2026-02-04: Retries\nTwo.\n"
    );
    let expected = format!("# Hicks\n\n## Learnings\n\n{comment}\n\n### 2026-02-04: Retries\nTwo.\n");
    let (new, said) = fixed_history(&old, expected.len());
    assert_eq!(new, expected, "{said}");
    // One that says where the entry is from leaves with it.
    let merged = old.replace(comment, "<!-- Merged from the inbox by Scribe -->");
    let (new, _) = fixed_history(&merged, 70);
    assert_eq!(new, "# Hicks\n\n## Learnings\n\n### 2026-02-04: Retries\nTwo.\n");
}

/// A history of these versions, each committed on a day of its own, after the fix to `cap` bytes.
fn fixed_after(versions: &[String], cap: usize) -> (String, String) {
    let repo = Repo::new();
    repo.write(".squad/agents/hicks/charter.md", "# Hicks\n");
    repo.write("squad-lint.toml", format!("[memory]\nmax-history-bytes = {cap}\n"));
    let path = ".squad/agents/hicks/history.md";
    for (nth, version) in versions.iter().enumerate() {
        repo.write(path, version);
        repo.git(&["add", "--all"]);
        let day = format!("2026-03-{:02}T10:00:00+0000", nth + 1);
        let status = git(&repo.path)
            .args(["commit", "--quiet", "--message", "x"])
            .envs([("GIT_AUTHOR_DATE", &day), ("GIT_COMMITTER_DATE", &day)])
            .status();
        assert!(status.unwrap().success());
    }
    let args = ["--fix", "--unsafe-fixes", "--select", "memory/file-too-large", "--now", "2026-06-01"];
    let output = squad_lint(&repo.path).args(args).output().unwrap();
    (fs::read_to_string(repo.path.join(path)).unwrap(), stdout(&output) + &stderr(&output))
}

const CACHE: [&str; 2] = ["## Cache (2026-01-01)\nIt has a lock.\n", "Its tests are in the folder of the server.\n"];

#[test]
fn an_entry_does_not_leave_without_its_end_behind_an_inserted_one() {
    let [cache, end] = CACHE;
    let queue = "\n## Queue (2026-01-02)\nIt is bounded by the number of workers.\n\n";
    let last = "\n## Last (2026-03-01)\nText.\n";
    let torn = format!("# Hicks\n\n{cache}{queue}{end}{last}");
    let before = [format!("# Hicks\n\n{cache}{last}"), format!("# Hicks\n\n{cache}{end}{last}")];
    let versions = [&before[..], std::slice::from_ref(&torn)].concat();
    let cap = torn.len() - 10;
    let (new, said) = fixed_after(&versions, cap);
    assert_eq!(new, torn, "{said}");
    assert!(said.contains("2 entries whose end is unclear"), "{said}");
    // Without the older end, the first one leaves.
    let (new, said) = fixed_after(std::slice::from_ref(&torn), cap);
    assert_eq!(new, torn.replace(cache, "").replacen("\n\n\n", "\n\n", 1), "{said}");
}

#[test]
fn titles_that_were_written_anew_hold_nothing() {
    let history = |day: &str| {
        let [cache, end] = CACHE;
        let text = format!(
            "# Hicks\n\n{cache}{end}\n## Queue (2026-01-02)\nIt is bounded by the number of workers.\nSo are the lanes of it.\n\n## Last (2026-03-01)\nText.\n"
        );
        text.replace("It has", &format!("{day} It has"))
            .replace("(2026", "(of 2026")
            .replace("It is", &format!("{day}: It is"))
    };
    let first = history("").replace("(of 2026", "(2026");
    let (new, said) = fixed_after(&[first, history("Now:")], history("Now:").len() - 10);
    assert!(!new.contains("Cache") && new.contains("Queue"), "{said}\n{new}");
}
