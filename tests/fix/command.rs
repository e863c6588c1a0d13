//! Options, exit codes, output, and diffs that git takes.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{GOOD, bad, code, contents, copy, git, run};
use crate::support::{project, stderr, stdout, write};

fn demo() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&project().join("tests/demo"), folder.path());
    folder
}

fn modified(folder: &Path) -> Vec<(std::path::PathBuf, std::time::SystemTime)> {
    let time = |path: &std::path::PathBuf| fs::metadata(folder.join(path)).unwrap().modified().unwrap();
    contents(folder).into_keys().map(|path| (path.clone(), time(&path))).collect()
}

#[test]
fn the_sample_is_fixed_and_then_left_alone() {
    let folder = demo();
    let output = run(folder.path(), &["--fix"]);
    let text = stdout(&output);
    assert_eq!(stderr(&output), "");
    assert!(text.contains("fixed 2 problems in 1 file\n"), "{text}");
    assert!(!text.contains("sem/missing-terminator") && !text.contains("sem/timestamp-format"), "{text}");
    assert!(text.ends_with("found 2 errors and 1 warning in 7 files\n"), "{text}");
    assert_eq!(code(&output), 1);

    let (bytes, times) = (contents(folder.path()), modified(folder.path()));
    let again = run(folder.path(), &["--fix"]);
    assert!(stdout(&again).contains("nothing to fix\n"), "{}", stdout(&again));
    assert_eq!((contents(folder.path()), modified(folder.path())), (bytes, times));
}

#[test]
fn what_is_found_is_what_was_found_but_for_what_is_fixed() {
    let folder = demo();
    let lines = |args: &[&str]| -> Vec<String> {
        let text = stdout(&run(folder.path(), &[&["--format", "compact", "--quiet"], args].concat()));
        // Lines move where something was inserted.
        let rule = |line: &str| line.rsplit(" [").next().unwrap_or_default().to_owned();
        text.lines().map(rule).collect()
    };
    let before = lines(&[]);
    let after = lines(&["--fix"]);
    let fixed = ["sem/missing-terminator]", "sem/timestamp-format]"];
    let left: Vec<String> = before.into_iter().filter(|rule| !fixed.contains(&rule.as_str())).collect();
    assert_eq!(after, left);
    assert_eq!(lines(&[]), left);
}

#[test]
fn unsafe_fixes_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let text = GOOD.replace("**author:**", "**auther:**");
    write(folder.path(), ".squad/decisions.md", &text);
    let read = || fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
    assert!(stdout(&run(folder.path(), &["--fix"])).starts_with("warning[sem/unknown-field]"));
    assert_eq!(read(), text);
    let output = run(folder.path(), &["--fix", "--unsafe-fixes"]);
    assert_eq!((code(&output), read()), (0, GOOD.to_owned()), "{}", stdout(&output));
    // Alone it would do nothing.
    assert_eq!(code(&run(folder.path(), &["--unsafe-fixes"])), 2);
}

#[test]
fn exit_codes_answer_for_what_is_left() {
    let with = |text: &str, args: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", text);
        code(&run(folder.path(), args))
    };
    let fixed_and_left = bad().replace("**author:** Verbal  \n", "");
    for (text, args, expected) in [
        (GOOD, &["--fix"][..], 0),
        (GOOD, &["--fix", "--exit-non-zero-on-fix"], 0),
        (GOOD, &["--diff"], 0),
        (&bad(), &["--fix"], 0),
        (&bad(), &["--fix", "--exit-non-zero-on-fix"], 1),
        (&bad(), &["--fix", "--exit-non-zero-on-fix", "--exit-zero"], 0),
        (&bad(), &["--diff"], 1),
        (&bad(), &["--diff", "--exit-zero"], 0),
        (&fixed_and_left, &["--fix"], 1),
        (&fixed_and_left, &["--fix", "--exit-zero"], 0),
        (&fixed_and_left, &["--fix", "--ignore", "sem/missing-field"], 0),
        (&bad(), &["--exit-non-zero-on-fix"], 2),
        (&bad(), &["--diff", "--exit-non-zero-on-fix"], 2),
    ] {
        assert_eq!(with(text, args), expected, "{args:?} on\n{text}");
    }
}

#[test]
fn select_path_and_exclude_choose_what_is_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let text = bad().replace("**author:**", "**Author:**");
    let (one, other) = (".squad/decisions.md", ".ai-team/decisions.md");
    write(folder.path(), one, &text);
    write(folder.path(), other, &text);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    run(folder.path(), &["--fix", "--select", "sem/field-case", ".squad"]);
    assert_eq!((read(one), read(other)), (bad(), text.clone()));
    run(folder.path(), &["--fix", "--ignore", "sem/field-case", "--exclude", ".squad"]);
    assert_eq!((read(one), read(other)), (bad(), text.replace("-08:00", "-0800")));
}

#[test]
fn a_fix_below_the_shown_severity_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let path = ".squad/decisions.md";
    write(folder.path(), path, GOOD.replace("**type:** note  \n", ""));
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(stdout(&output), "fixed 1 problem in 1 file\nno problems found in 1 file\n");
    assert!(fs::read_to_string(folder.path().join(path)).unwrap().contains("**type:** note  \n"));
}

#[test]
fn json_stays_one_object_and_says_what_is_left() {
    let folder = demo();
    let json = |args: &[&str]| -> Value {
        let output = run(folder.path(), &[&["--format", "json"], args].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
    };
    let (before, fixed) = (json(&[]), json(&["--fix"]));
    assert_eq!(before["summary"]["fixable"], 2);
    assert_eq!(fixed["summary"]["fixable"], 0);
    // Also the lines are those of the files as they are by now.
    assert_eq!(fixed, json(&[]));
    let statistics = json(&["--fix", "--statistics"]);
    assert_eq!(statistics["statistics"].as_array().unwrap().len(), 3, "{statistics:#}");
}

#[test]
fn a_diff_writes_nothing() {
    let folder = demo();
    let (bytes, times) = (contents(folder.path()), modified(folder.path()));
    let output = run(folder.path(), &["--diff"]);
    assert_eq!((contents(folder.path()), modified(folder.path())), (bytes, times));
    assert!(stdout(&output).starts_with("diff --git a/.squad/decisions.md b/.squad/decisions.md\n--- a/"));
    assert_eq!(stderr(&output), "");
    // Both at once: the one that is harmless.
    let both = run(folder.path(), &["--diff", "--fix"]);
    assert_eq!(both.stdout, output.stdout);
    assert_eq!(contents(folder.path()), contents(demo().path()));
}

/// Names and bytes that diffs are known to stumble over.
fn awkward(folder: &Path) {
    let put = |name: &str, text: &[u8]| write(folder, format!(".squad/decisions/inbox/{name}"), text);
    let numbered = |at: usize| bad().replace("14:32", &format!("14:{:02}", 10 + at));
    let names = ["plain.md", "two words.md", "dash -- x.md", "t\tab.md", "quo\"te.md", "back\\slash.md", "käse 夏.md"];
    for (at, name) in names.iter().enumerate() {
        put(name, numbered(at).as_bytes());
    }
    put("no-end.md", numbered(10).trim_end().as_bytes());
    put("no-end-in-last-line.md", format!("{}### 2026-02-15T14:30:15Z: note: y", numbered(11)).as_bytes());
    put("crlf.md", numbered(12).replace('\n', "\r\n").as_bytes());
    put("bom.md", format!("\u{feff}{}", numbered(13)).as_bytes());
    put("lone-cr.md", numbered(14).replace("A sentence.", "A\rsentence.").as_bytes());
    put("cr-at-end.md", format!("{}\r", numbered(15)).as_bytes());
    put("mixed.md", numbered(16).replacen('\n', "\r\n", 3).as_bytes());
    put("latin.md", &[numbered(17).as_bytes(), b"caf\xe9\n"].concat());
    put("nul.md", numbered(18).replace("A sentence.", "A \u{1b}[31m\u{b}\u{2028}sentence.").as_bytes());
    put("many.md", (0..40).map(|at| numbered(0).replace("14:10", &format!("15:{at}"))).collect::<String>().as_bytes());
}

#[test]
fn git_applies_the_diff_and_the_result_is_that_of_fix() {
    let (by_fix, by_git) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&by_fix, &by_git] {
        git(folder.path(), &["init", "-q"]);
        awkward(folder.path());
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = std::ffi::OsStr::from_bytes(b".squad/decisions/inbox/l\xe9gume.md");
            fs::write(folder.path().join(name), bad()).unwrap();
        }
    }
    let diff = run(by_git.path(), &["--diff"]);
    assert_eq!(code(&diff), 1, "{}", stderr(&diff));
    let before = contents(by_git.path());
    run(by_fix.path(), &["--fix"]);
    let after = contents(by_fix.path());
    let changed = before.iter().filter(|(path, bytes)| after[*path] != **bytes).count();
    assert_eq!(changed, before.len(), "every file has something to fix");

    let patch = by_git.path().join(".git/the.diff");
    fs::write(&patch, &diff.stdout).unwrap();
    // Git sees trailing blanks, which are Markdown's line breaks, and says so.
    git(by_git.path(), &["apply", "--whitespace=nowarn", patch.to_str().unwrap()]);
    for (path, bytes) in contents(by_git.path()) {
        assert_eq!(bytes.escape_ascii().to_string(), after[&path].escape_ascii().to_string(), "{}", path.display());
    }
    // And back again.
    git(by_git.path(), &["apply", "--whitespace=nowarn", "--reverse", patch.to_str().unwrap()]);
    assert_eq!(contents(by_git.path()), before);
}

#[test]
fn git_applies_a_diff_with_new_files() {
    use squad_lint::fix::{diff, passes::FixedFile};
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q"]);
    write(folder.path(), "old.md", "a\nb");
    let mut patch = Vec::new();
    for (path, old, new) in [
        ("new dir/a \"b\".md", None, "x\ny\n"),
        ("new.md", None, "no end"),
        ("old.md", Some(b"a\nb".to_vec()), "a\nc\n"),
        ("empty.md", Some(Vec::new()), "x\n"),
    ] {
        if old.as_deref() == Some(b"") {
            write(folder.path(), path, "");
        }
        let file =
            FixedFile { path: path.into(), old, new: new.into(), count: 1, after: std::collections::BTreeSet::new() };
        diff::write(&file, &mut patch).unwrap();
    }
    fs::write(folder.path().join(".git/the.diff"), &patch).unwrap();
    git(folder.path(), &["apply", ".git/the.diff"]);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(["new dir/a \"b\".md", "new.md", "old.md", "empty.md"].map(read), ["x\ny\n", "no end", "a\nc\n", "x\n"]);
}

#[cfg(unix)]
#[test]
fn a_diff_on_a_terminal_is_text() {
    use std::process::Stdio;

    use crate::support::squad_lint;
    use crate::support::terminal::{read_until, terminal};
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", bad().replace("**type:**", "\u{1b}[31m\u{202e}\n**type:**"));
    let (inner, mut outer) = terminal();
    let mut command = squad_lint(folder.path());
    let mut child = command.arg("--diff").stdout(Stdio::from(inner)).stderr(Stdio::null()).spawn().unwrap();
    // It holds the program's side of the terminal.
    drop(command);
    let text = read_until(&mut outer, |_| false);
    child.wait().unwrap();
    assert!(
        text.contains("+### 2026-02-15T14:32:15-0800: note: x") && text.contains("\\u{1b}[31m\\u{202e}"),
        "{text:?}"
    );
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

/// A team whose logs are in git, and whose decisions are too long: half of them may be archived.
fn leaky() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let old = GOOD.replace("A sentence.", &"A sentence. ".repeat(1000));
    git(folder.path(), &["init", "-q"]);
    for path in ["log/a.md", "log/b.md", "sessions/one.json", ".cache/x", "team.md"] {
        write(folder.path(), format!(".squad/{path}"), "text\n");
    }
    let directive = old.replace("note", "directive").replace("14:32:15", "14:32:16").repeat(2);
    write(folder.path(), ".squad/decisions.md", old.clone() + "\n" + &directive);
    // The new root has all that the old one has.
    for path in ["team.md", "log/a.md"] {
        write(folder.path(), format!(".ai-team/{path}"), "text\n");
    }
    git(folder.path(), &["add", "-f", "."]);
    git(folder.path(), &["commit", "-q", "-m", "all"]);
    folder
}

#[test]
fn a_diff_shows_all_that_fix_writes_and_one_line_for_a_folder() {
    for unsafely in [false, true] {
        let options: &[&str] = if unsafely { &["--unsafe-fixes"] } else { &[] };
        let (by_git, by_fix) = (leaky(), leaky());
        let diff = run(by_git.path(), &[&["--diff"], options].concat());
        run(by_fix.path(), &[&["--fix"], options].concat());
        if !diff.stdout.is_empty() {
            let patch = by_git.path().join(".git/the.diff");
            fs::write(&patch, &diff.stdout).unwrap();
            git(by_git.path(), &["apply", "--whitespace=nowarn", patch.to_str().unwrap()]);
        }
        assert_eq!(contents(by_git.path()), contents(by_fix.path()));
        assert_eq!(unsafely, by_fix.path().join(".gitignore").exists());
        let untracked: Vec<String> = stderr(&diff).lines().map(str::to_owned).collect();
        let said = |path: &str| format!("would remove from the index and keep on disk: {path}");
        let expected = [".ai-team/ (2 files)", ".squad/.cache/x", ".squad/log/ (2 files)", ".squad/sessions/one.json"];
        assert_eq!(untracked, if unsafely { expected.map(said).to_vec() } else { Vec::new() });
    }
}

#[test]
fn stale_learnings_leave_only_if_their_rule_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# Learnings: db\n\n## Gotchas\n- Old (added: 2025-01-01)\n- Less old (added: 2025-01-02)\n";
    let path = folder.path().join("memory/agents/db/learnings.md");
    write(folder.path(), "memory/agents/db/learnings.md", text);
    for select in [&[][..], &["--select", "all"], &["--select", "learnings"]] {
        let unnamed = run(folder.path(), &[select, &["--min-severity", "info", "--fix", "--unsafe-fixes"]].concat());
        assert!(!stdout(&unnamed).contains("fixed "), "{}", stdout(&unnamed));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    run(folder.path(), &["--select", "learnings/stale-entry", "--fix", "--unsafe-fixes"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("- Old (added: 2025-01-01)\n", ""));
}
