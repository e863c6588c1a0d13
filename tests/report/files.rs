//! `--output` and `--report`: several files from one run, each written whole or not at all.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::TempDir;

use super::read::{diagnostics, json, reports};
use crate::support::{NOW, squad_lint, stderr, stdout, write};

const ENTRY: &str = "### 2026-02-15T10:32:15Z: decision: Models\n\n**summary:** A sentence.\n\n---\n";

fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", ENTRY);
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(["--root", ".", "--now", NOW]).args(args).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_main_report_goes_to_a_file() {
    let folder = repository();
    let printed = run(folder.path(), &["--format", "compact"]);
    let written = run(folder.path(), &["--format", "compact", "--output", "out/a/report.txt"]);
    assert_eq!((printed.status.code(), written.status.code()), (Some(1), Some(1)));
    assert_eq!((stdout(&written).as_str(), stderr(&written).as_str()), ("", ""));
    assert_eq!(fs::read_to_string(folder.path().join("out/a/report.txt")).unwrap(), stdout(&printed));
    assert_eq!(names(&folder.path().join("out/a")), ["report.txt"]);
    let dash = run(folder.path(), &["--format", "compact", "--output", "-"]);
    assert_eq!(stdout(&dash), stdout(&printed));
}

#[test]
fn a_file_has_no_colour() {
    let folder = repository();
    let output = run(folder.path(), &["--color", "always", "-o", "a.txt", "--report", "text=b.txt"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for name in ["a.txt", "b.txt"] {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.contains("error[sem/") && !text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn what_was_there_is_replaced_and_keeps_its_mode() {
    let folder = repository();
    write(folder.path(), "a.json", "old ".repeat(100_000));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.path().join("a.json"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    assert_eq!(run(folder.path(), &["--report", "json=a.json"]).status.code(), Some(1));
    json(&fs::read_to_string(folder.path().join("a.json")).unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(folder.path().join("a.json")).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert_eq!(names(folder.path()), [".squad", "a.json"]);
}

#[test]
fn two_reports_to_one_file_are_refused_before_any_work() {
    let folder = repository();
    write(folder.path(), "there.txt", "old");
    write(folder.path(), "known.json", "{\"version\": 1, \"findings\": []}");
    fs::create_dir(folder.path().join("real")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("there.txt", folder.path().join("link.txt")).unwrap();
        symlink("real", folder.path().join("linked")).unwrap();
        fs::hard_link(folder.path().join("there.txt"), folder.path().join("hard.txt")).unwrap();
    }
    let absolute = format!("sarif={}", folder.path().join("new.txt").display());
    let mut pairs = vec![
        vec!["--output", "new.txt", "--report", "sarif=new.txt"],
        vec!["--report", "json=new.txt", "--report", "sarif=./.squad/../new.txt"],
        vec!["--report", "json=new.txt", "--report", &absolute],
        vec!["--report", "json=no/new.txt", "--report", "sarif=no/../no/./new.txt"],
        vec!["--report", "json=there.txt", "--report", "json=there.txt"],
        vec!["--baseline", "known.json", "--output", "known.json"],
    ];
    if cfg!(unix) {
        pairs.push(vec!["--output", "there.txt", "--report", "sarif=link.txt"]);
        pairs.push(vec!["--output", "there.txt", "--report", "sarif=hard.txt"]);
        pairs.push(vec!["--output", "real/new.txt", "--report", "sarif=linked/new.txt"]);
    }
    // Before any work: the rule is not even looked for.
    for pair in pairs {
        let args: Vec<&str> = pair.iter().copied().chain(["--select", "no/such-rule"]).collect();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{pair:?}");
        assert!(stderr(&output).contains("write to the same file"), "{pair:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    assert_eq!(fs::read_to_string(folder.path().join("there.txt")).unwrap(), "old");
    assert!(!folder.path().join("new.txt").exists() && !folder.path().join("no").exists());
    if cfg!(unix) {
        // Standard output is a file, too, by whatever name, and so is a pipe.
        let same = |name: &str, to: Stdio| {
            let mut program = squad_lint(folder.path());
            let output = program.arg(format!("--report=json={name}")).stdout(to).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(
                stderr(&output).contains("and standard output write to the same file"),
                "{name}: {}",
                stderr(&output)
            );
        };
        for name in ["there.txt", "link.txt", "hard.txt", "/dev/stdout"] {
            same(name, fs::File::options().append(true).open(folder.path().join("there.txt")).unwrap().into());
        }
        same("/dev/stdout", Stdio::piped());
        assert_eq!(fs::read_to_string(folder.path().join("there.txt")).unwrap(), "old");
    }
    let output = run(folder.path(), &["--report", "json=a", "--report", "json=b", "--output", "c"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_named_and_stops_no_other() {
    use std::os::unix::fs::symlink;
    let folder = repository();
    fs::create_dir(folder.path().join("folder")).unwrap();
    write(folder.path(), "file", "x");
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    for (path, reason) in [
        ("folder", "Is a directory"),
        ("file/under", "Not a directory"),
        ("/dev/full", "No space left"),
        ("/proc/squad-lint/report", "/proc/squad-lint/report"),
    ] {
        let output = run(
            folder.path(),
            &["--format", "compact", "--report", &format!("sarif={path}"), "--report", "json=good.json"],
        );
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{path}: {said}");
        assert!(said.contains(path) && said.contains(reason), "{path}: {said}");
        assert!(stdout(&output).contains("sem/timestamp-format"), "the main report is printed");
        json(&fs::read_to_string(folder.path().join("good.json")).unwrap());
        fs::remove_file(folder.path().join("good.json")).unwrap();
    }
    let output = run(folder.path(), &["--output", "dangling"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("dangling"), "{}", stderr(&output));
    assert_eq!(names(folder.path()), [".squad", "dangling", "file", "folder"]);
}

#[test]
fn a_file_that_was_checked_is_not_overwritten() {
    let folder = repository();
    let output = run(folder.path(), &["--output", ".squad/decisions.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("part of the state of a team"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap(), ENTRY);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_are_written_to() {
    let folder = repository();
    write(folder.path(), "real/report", "old");
    std::os::unix::fs::symlink("real/report", folder.path().join("link")).unwrap();
    let output = run(folder.path(), &["--format", "json", "--output", "link"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(fs::symlink_metadata(folder.path().join("link")).unwrap().is_symlink());
    json(&fs::read_to_string(folder.path().join("real/report")).unwrap());
    let output = run(folder.path(), &["--format", "json", "--output", "/dev/stdout"]);
    json(&stdout(&output));
    // What stands in the file that standard output leads to stays there.
    let log = fs::File::options().create(true).append(true).open(folder.path().join("log")).unwrap();
    for _ in 0..2 {
        let mut program = squad_lint(folder.path());
        let args = ["--quiet", "--format", "compact", "--output", "/dev/stdout"];
        assert_eq!(program.args(args).stdout(log.try_clone().unwrap()).status().unwrap().code(), Some(1));
    }
    let lines = fs::read_to_string(folder.path().join("log")).unwrap();
    let (first, second) = lines.split_at(lines.len() / 2);
    assert!(first.lines().count() > 0 && first == second, "{lines}");
    assert_eq!(run(folder.path(), &["--output", "/dev/null"]).status.code(), Some(1));
}

#[test]
fn wrong_usage_is_said() {
    let folder = repository();
    for (args, said) in [
        (vec!["--report", "sarif"], "FORMAT=FILE"),
        (vec!["--report", "sarif="], "FORMAT=FILE"),
        (vec!["--report", "sariff=a"], "`sariff` is not a format, expected one of `text`"),
        (vec!["--report", "json=-"], "standard output is for the main report"),
        (vec!["--format", "sarif", "--statistics"], "cannot use `--statistics` with this format"),
        (vec!["--diff", "--output", "a"], "cannot be used with"),
        (vec!["--write-baseline", "b", "--report", "json=a"], "cannot be used with"),
    ] {
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(names(folder.path()), [".squad"]);
}

#[test]
fn statistics_are_for_the_main_report() {
    let folder = repository();
    let output = run(folder.path(), &["--statistics", "--report", "json=all.json"]);
    assert!(stdout(&output).contains("1  sem/"), "{}", stdout(&output));
    let all = json(&fs::read_to_string(folder.path().join("all.json")).unwrap());
    assert!(!all["diagnostics"].as_array().unwrap().is_empty());
}

#[test]
fn a_run_that_finds_nothing_writes_every_report() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", "# Decisions\n");
    let reports = reports(folder.path(), &["--root", "."]);
    assert!(diagnostics(&reports).is_empty());
    assert_eq!(json(&reports["sarif"])["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(reports["gitlab"], "[]\n");
    assert_eq!(reports["github"], "");
    assert!(reports["summary"].contains("**No problems** in 1 file."), "{}", reports["summary"]);
}
