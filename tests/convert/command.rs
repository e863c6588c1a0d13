//! Options, output, backups, logs, and what is left alone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{THREE, convert, json};
use crate::support::repo::Repo;
use crate::support::{files_below, needs, squad_lint, stderr, stdout, write};

const PATH: &str = ".squad/decisions.md";

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), PATH, text);
    folder
}

fn read(folder: &Path) -> String {
    fs::read_to_string(folder.join(PATH)).unwrap()
}

#[test]
fn a_dry_run_says_all_and_changes_nothing() {
    let folder = folder(THREE);
    let output = convert(folder.path(), &["--dry-run", "--root", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = "Would convert .squad/decisions.md...
  ✅ Entry 1: Would be converted (high confidence)
     line 3: ### 2026-02-10T00:00:00+0000: directive: model selection cost optimization
     date `2026-02-10` in the heading; no time of day: midnight UTC; type `directive`, from the words of its title; author `Brady (via Copilot)` in the field `By`
  ⚠️  Entry 2: Needs review (no author)
     line 8: ### 2026-02-11: Use Postgres
     date `2026-02-11` in the heading; no time of day: midnight UTC; type `decision`, from its field `What`; no author
  ✅ Entry 3: Would be converted (high confidence)
     line 11: ### 2026-02-12T00:00:00+0000: decision: Tabs
     date `2026-02-12` in the heading; no time of day: midnight UTC; type `decision`, from its field `What`; author `Keaton` in the field `By`

2 of 3 entries would be converted automatically.
1 entry needs manual review.

The converted files have 1 new finding: 1 sem/missing-rationale.

Run without --dry-run to apply changes.
";
    assert_eq!(stdout(&output), expected);
    assert_eq!(read(folder.path()), THREE);
    assert_eq!(files_below(folder.path()), [PathBuf::from(PATH)]);
}

#[test]
fn json_has_the_agreed_shape() {
    let folder = folder(THREE);
    let value = json(folder.path(), &["--root", "."]);
    assert_eq!(value["version"], 1);
    assert_eq!(value["summary"], serde_json::json!({"total": 3, "converted": 2, "review": 1}));
    let entries = value["entries"].as_array().unwrap();
    for entry in entries {
        let keys: Vec<_> = entry.as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys.len(), 5, "{keys:?}");
        assert_eq!(entry["path"], PATH);
        assert!(entry["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()));
    }
    let of = |key: &str| entries.iter().map(|entry| entry[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("line"), [3, 8, 11]);
    assert_eq!(of("status"), ["converted", "review", "converted"]);
    assert_eq!(of("confidence"), ["high", "low", "high"]);
}

#[test]
fn a_second_run_finds_nothing_to_do_and_sem_only_shows_what_is_left() {
    let folder = folder(THREE);
    assert_eq!(convert(folder.path(), &["--root", "."]).status.code(), Some(0));
    let once = read(folder.path());
    assert_ne!(once, THREE);
    let output = convert(folder.path(), &["--root", "."]);
    assert!(stdout(&output).contains("0 of 1 entry converted automatically."), "{}", stdout(&output));
    assert_eq!(read(folder.path()), once);
    write(folder.path(), "squad-lint.toml", "phase = \"sem-only\"\n");
    let args = ["check", "--root", ".", "--format", "json", "--now", "2026-03-01"];
    let output = squad_lint(folder.path()).args(args).output().unwrap();
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let errors: Vec<_> = value["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error").collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0]["rule"], "legacy/entry");
}

#[test]
fn the_backup_lies_where_git_adds_nothing() {
    let repo = Repo::new();
    repo.write(PATH, THREE);
    repo.commit("all");
    assert_eq!(convert(&repo.path, &["--no-history"]).status.code(), Some(0));
    assert_eq!(repo.git(&["status", "--short"]), " M .squad/decisions.md\n");
    let folder = repo.git_path("squad-lint/backups");
    let folder = repo.path.join(folder);
    let copies = files_below(&folder);
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].ends_with(PATH), "{copies:?}");
    assert_eq!(fs::read_to_string(folder.join(&copies[0])).unwrap(), THREE);
    // A run with nothing to change copies nothing.
    assert_eq!(convert(&repo.path, &["--no-history"]).status.code(), Some(0));
    assert_eq!(files_below(&folder).len(), 1);
}

#[test]
fn without_git_the_backup_lies_beside_the_file_and_none_is_written_over() {
    let folder = folder(THREE);
    write(folder.path(), ".squad/decisions.md.backup", "mine");
    assert_eq!(convert(folder.path(), &["--root", "."]).status.code(), Some(0));
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text(".squad/decisions.md.backup"), "mine");
    assert_eq!(text(".squad/decisions.md.backup.1"), THREE);
}

#[test]
fn every_entry_has_its_line_in_the_log() {
    let folder = folder(THREE);
    assert_eq!(convert(folder.path(), &["--root", ".", "--log", "log.jsonl"]).status.code(), Some(0));
    let log = || fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let lines: Vec<Value> = log().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("status"), ["converted", "review", "converted"]);
    assert_eq!(of("line"), [3, 8, 11]);
    assert_eq!(lines[2]["result"], "### 2026-02-12T00:00:00+0000: decision: Tabs");
    assert_eq!(lines[1].get("result"), None);
    convert(folder.path(), &["--root", ".", "--log", "log.jsonl"]);
    assert_eq!(log().lines().count(), 4, "the second run adds the one that is left");
}

#[test]
fn the_checklist_names_what_is_left_and_replaces_no_other_file() {
    let folder = folder(THREE);
    let args = ["--root", ".", "--dry-run", "--checklist", "left.md"];
    assert_eq!(convert(folder.path(), &args).status.code(), Some(0));
    let expected = "# Legacy entries to convert by hand\n\n## .squad/decisions.md\n\n- [ ] line 8: 2026-02-11: Use Postgres\n  \
                    - no author: date `2026-02-11` in the heading; no time of day: midnight UTC; type `decision`, from its field `What`; no author\n";
    assert_eq!(fs::read_to_string(folder.path().join("left.md")).unwrap(), expected);
    assert_eq!(convert(folder.path(), &args).status.code(), Some(0), "its own file is replaced");
    let output = convert(folder.path(), &["--root", ".", "--dry-run", "--checklist", PATH]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a checklist of an earlier run"), "{}", stderr(&output));
    assert_eq!(read(folder.path()), THREE);
}

#[test]
fn the_least_confidence_is_asked_for() {
    let text = "### 2026-02-12: Tabs\n**By:** Keaton\n\nNo blanks.\n\n### 2026-02-13: Parser crash\n**By:** Keaton\n\nTests only run.\n";
    let folder = folder(text);
    let converted =
        |args: &[&str]| json(folder.path(), &[&["--root", "."], args].concat())["summary"]["converted"].clone();
    assert_eq!(converted(&["--min-confidence", "high"]), 0);
    assert_eq!(converted(&[]), 1);
    assert_eq!(converted(&["--min-confidence", "low"]), 2);
}

#[test]
fn only_the_files_that_are_named_are_converted() {
    let folder = folder(THREE);
    write(
        folder.path(),
        ".squad/decisions/inbox/keaton-tabs.md",
        "# Decision: Tabs\n\n**Date:** 2026-02-12\n\nNo blanks.\n",
    );
    let output = convert(folder.path(), &["--root", ".", ".squad/decisions"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(read(folder.path()), THREE);
    let inbox = fs::read_to_string(folder.path().join(".squad/decisions/inbox/keaton-tabs.md")).unwrap();
    assert!(inbox.starts_with("### 2026-02-12T00:00:00+0000: decision: Tabs\n"), "{inbox}");
    assert!(inbox.contains("**author:** keaton  \n"), "{inbox}");
}

#[test]
fn no_two_entries_get_the_same_moment_and_type() {
    let entry = |title: &str| format!("### 2026-02-12: {title}\n**By:** Keaton\n**What:** {title}, always.\n\n");
    let folder = folder(&(entry("One") + &entry("Two")));
    let known = "### 2026-02-12T00:00:01+0000: decision: Known\n\n**author:** Verbal\n\n---\n";
    write(folder.path(), ".squad/decisions-archive.md", entry("Three") + known);
    assert_eq!(convert(folder.path(), &["--root", "."]).status.code(), Some(0));
    let all = read(folder.path()) + &fs::read_to_string(folder.path().join(".squad/decisions-archive.md")).unwrap();
    let mut headers: Vec<&str> = all.lines().filter(|line| line.starts_with("### ")).map(|line| &line[4..28]).collect();
    headers.sort_unstable();
    let seconds: Vec<String> = (0..4).map(|second| format!("2026-02-12T00:00:0{second}+0000")).collect();
    assert_eq!(headers, seconds);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_stays_and_is_said() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(THREE);
    let path = folder.path().join(PATH);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let output = convert(folder.path(), &["--root", ".", "--log", "log.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("was not converted"), "{}", stderr(&output));
    assert!(stdout(&output).contains("0 of 3 entries converted automatically."), "{}", stdout(&output));
    assert_eq!(read(folder.path()), THREE);
    let log = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert_eq!(log.matches("\"status\":\"failed\"").count(), 2, "{log}");
    // A link is not followed.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    fs::rename(&path, folder.path().join("real.md")).unwrap();
    symlink("../real.md", &path).unwrap();
    assert_eq!(convert(folder.path(), &["--root", "."]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("real.md")).unwrap(), THREE);
}

#[test]
fn the_log_belongs_to_a_run_that_changes_something() {
    let folder = folder(THREE);
    let output = convert(folder.path(), &["--dry-run", "--log", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("x").exists());
}

#[test]
fn a_log_or_a_checklist_that_cannot_be_opened_stops_the_run_before_anything_is_written() {
    let folder = folder(THREE);
    write(folder.path(), "notes.txt", "mine\n");
    for (option, path, error) in [
        ("--log", "no/such/log.jsonl", "cannot open"),
        ("--log", "notes.txt", "is not a log of an earlier run"),
        ("--log", PATH, "is not a log of an earlier run"),
        ("--log", ".squad", "cannot open"),
        ("--checklist", "no/such/left.md", "cannot open"),
        ("--checklist", "notes.txt", "is not a checklist of an earlier run"),
        ("--checklist", PATH, "is not a checklist of an earlier run"),
    ] {
        let output = convert(folder.path(), &["--root", ".", option, path]);
        assert_eq!(output.status.code(), Some(2), "{option} {path}");
        assert!(stderr(&output).contains(error), "{option} {path}: {}", stderr(&output));
        assert!(stderr(&output).contains("nothing was converted"), "{}", stderr(&output));
        assert_eq!(read(folder.path()), THREE);
        assert_eq!(files_below(folder.path()), [PathBuf::from(PATH), PathBuf::from("notes.txt")]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine\n");
}

/// Under `sem-only`, what is converted has no errors, and what is left has that of this rule alone.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_files_pass_sem_only_but_for_what_is_listed() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let mut entries = 0;
    for repository in fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()) {
        let copy = tempfile::tempdir().unwrap();
        let is_state = |path: &Path| path.iter().any(|part| part == ".squad" || part == ".ai-team");
        for path in files_below(&repository).into_iter().filter(|path| is_state(path)) {
            let target = copy.path().join(&path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(repository.join(&path), target).unwrap();
        }
        let args = ["check", "--root", ".", "--format", "json", "--now", "2027-01-01", "--select", "sem,legacy"];
        let errors = || -> Vec<Value> {
            write(copy.path(), "squad-lint.toml", "phase = \"sem-only\"\n");
            let output = squad_lint(copy.path()).args(args).output().unwrap();
            let value: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
            let all = value["diagnostics"].as_array().unwrap().clone();
            all.into_iter().filter(|diagnostic| diagnostic["severity"] == "error").collect()
        };
        let before = errors();
        let output = convert(copy.path(), &["--root", ".", "--no-config", "--quiet", "--checklist", "left.md"]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", repository.display(), stderr(&output));
        let left = fs::read_to_string(copy.path().join("left.md")).unwrap().matches("\n- [ ] line ").count();
        let of_rule = |errors: &[Value]| errors.iter().filter(|error| error["rule"] == "legacy/entry").count();
        let after = errors();
        // A title alone, left for a person, is that of a section once an SEM entry comes right below it.
        let lists = fs::read_to_string(copy.path().join("left.md")).unwrap().matches("- no text: ").count();
        assert!((left.saturating_sub(lists)..=left).contains(&of_rule(&after)), "{}", repository.display());
        let others = |errors: &[Value]| errors.len() - of_rule(errors);
        assert!(others(&after) <= others(&before), "{}: {after:#?}", repository.display());
        entries += of_rule(&before);
    }
    assert!(entries > 2_500, "only {entries} entries were found");
}

#[test]
fn the_fix_of_the_rule_is_the_same_conversion() {
    let (by_fix, by_convert) = (folder(THREE), folder(THREE));
    write(by_fix.path(), "squad-lint.toml", "phase = \"sem-only\"\n");
    let args = ["check", "--root", ".", "--select", "legacy/entry", "--fix", "--unsafe-fixes", "--now", "2026-03-01"];
    let output = squad_lint(by_fix.path()).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "one is left: {}", stderr(&output));
    assert_eq!(convert(by_convert.path(), &["--root", "."]).status.code(), Some(0));
    assert_eq!(read(by_fix.path()), read(by_convert.path()));
}

#[test]
fn nothing_to_convert_is_said() {
    let folder = folder("# Team Decisions\n");
    assert_eq!(stdout(&convert(folder.path(), &["--root", "."])), "No legacy entries to convert.\n");
}

#[test]
fn a_diff_is_one_for_git_and_changes_nothing() {
    let folder = folder(THREE);
    let before = fs::read(folder.path().join(PATH)).unwrap();
    let output = convert(folder.path(), &["--diff", "--root", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(folder.path().join(PATH)).unwrap(), before);
    write(folder.path(), "patch", stdout(&output));
    assert!(crate::support::git(folder.path()).args(["apply", "patch"]).status().unwrap().success());
    let applied = fs::read(folder.path().join(PATH)).unwrap();
    fs::write(folder.path().join(PATH), &before).unwrap();
    convert(folder.path(), &["--root", "."]);
    assert_eq!(fs::read(folder.path().join(PATH)).unwrap(), applied);
}

/// The line of the output that says where the backup is, without its label.
fn backup_in(output: &std::process::Output) -> String {
    let text = stdout(output);
    let line = text.lines().find_map(|line| line.strip_prefix("Backup: "));
    line.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn a_conversion_says_where_the_backup_is_and_is_undone() {
    for has_git in [true, false] {
        let repo = Repo::new();
        repo.write(PATH, THREE);
        repo.commit("all");
        let root: &[&str] = if has_git { &[] } else { &["--root", "."] };
        let run = |args: &[&str]| convert(&repo.path, &[args, root].concat());
        let output = run(&["--no-history"]);
        assert!(stdout(&output).ends_with("Run `squad-lint convert --undo` to restore it.\n"), "{}", stdout(&output));
        let backup = repo.path.join(backup_in(&output));
        let copy = if has_git { backup.join(PATH) } else { backup };
        assert_eq!(fs::read_to_string(&copy).unwrap(), THREE);
        assert_ne!(read(&repo.path), THREE);

        let output = run(&["--undo"]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), "restored .squad/decisions.md\n".into()));
        assert_eq!(read(&repo.path), THREE);
        let output = run(&["--undo"]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), "nothing to undo\n".into()));
        assert!(!copy.exists());
    }
}

#[test]
fn what_changed_after_the_conversion_is_not_undone() {
    let other = ".squad/decisions-archive.md";
    let repo = Repo::new();
    repo.write(PATH, THREE);
    repo.write(other, THREE);
    repo.commit("all");
    convert(&repo.path, &["--no-history"]);
    let changed = read(&repo.path) + "\nmine\n";
    repo.write(PATH, &changed);
    let output = convert(&repo.path, &["--undo"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "restored .squad/decisions-archive.md\n");
    let said = stderr(&output);
    assert!(said.contains("error: .squad/decisions.md was not restored"), "{said}");
    assert!(said.contains("it changed after the conversion") && said.contains("squad-lint/backups/"), "{said}");
    assert_eq!(read(&repo.path), changed);
    assert_eq!(fs::read_to_string(repo.path.join(other)).unwrap(), THREE);
    // The same again, and once the change is taken back, the rest.
    assert_eq!(convert(&repo.path, &["--undo"]).status.code(), Some(2));
    repo.write(PATH, changed.strip_suffix("\nmine\n").unwrap());
    assert_eq!(stdout(&convert(&repo.path, &["--undo"])), "restored .squad/decisions.md\n");
    assert_eq!(read(&repo.path), THREE);
}

#[test]
fn conversions_are_undone_one_by_one() {
    let repo = Repo::new();
    let other = ".squad/decisions-archive.md";
    repo.write(PATH, THREE);
    repo.write(other, THREE);
    repo.commit("all");
    convert(&repo.path, &["--no-history", PATH]);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    convert(&repo.path, &["--no-history", other]);
    for expected in ["restored .squad/decisions-archive.md\n", "restored .squad/decisions.md\n", "nothing to undo\n"] {
        assert_eq!(stdout(&convert(&repo.path, &["--undo"])), expected);
    }
    assert_eq!(repo.git(&["status", "--short"]), "");
}

#[test]
fn one_second_is_one_second() {
    let text = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Tabs.\n\n".repeat(3);
    let folder = folder(&text);
    let said = stdout(&convert(folder.path(), &["--dry-run", "--root", "."]));
    assert!(said.contains("; 1 second later: another") && said.contains("; 2 seconds later: another"), "{said}");
    assert!(!said.contains("Auto-converted") && !said.contains("Converting"), "{said}");
}
