//! What is left of sessions, also if a run is killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::{SESSION, run, session, status};
use crate::support::sample::Rng;
use crate::support::{files_below, git, rounds, run_git, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

/// The exit code and what is printed.
fn clean(folder: &Path, args: &[&str], now: &str) -> (i32, String) {
    let output = run(folder, &[&["clean", "--now", now], args].concat());
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

/// A session that ended at 12 o'clock on 15 January, with some files.
fn ended(root: &Path, name: &str, state: &str) {
    let folder = format!(".squad/sessions/{name}");
    let text = format!("{}completed_at: 2024-01-15T12:00:00Z\n", status(state));
    write(root, format!("{folder}/session-status.md"), text);
    let plan = "meta:\n  task_id: task_1|x\n  agent: api\n  created_at: 2024-01-15T10:05:00Z\n  priority: high\ninstruction: work\n";
    write(root, format!("{folder}/role-plan-api-task_1.md"), plan);
    write(root, format!("{folder}/artifacts/deep/report.bin"), b"\x00\xff");
    let lock = "file: src/a.rs\nlocked_by: api\nlocked_at: 2024-01-15T11:59:00Z\nexpires_at: 2024-01-15T12:30:00Z\n";
    write(root, format!("{folder}/locks/a.rs-api-1705319940.lock"), lock);
}

fn texts(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(root).into_iter().map(|path| (path.clone(), fs::read(root.join(path)).unwrap())).collect()
}

#[test]
fn a_session_goes_to_the_archive_and_is_deleted_thirty_days_later() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    let (code, text) = clean(root, &[], "2024-01-16T12:00:00Z");
    let expected = "removed the lock of api on src/a.rs in .squad/sessions/a: expired 23 hours ago\n\
                    kept .squad/sessions/a: completed, goes to the archive in 1 second\n";
    assert_eq!((code, text.as_str()), (0, expected));
    let (code, text) = clean(root, &[], "2024-01-16T12:00:01Z");
    assert_eq!((code, text.as_str()), (0, "archived .squad/sessions/a to .squad/archives/a: completed 24 hours ago\n"));
    let left: Vec<String> = files_below(root).iter().map(|path| path.display().to_string()).collect();
    let archived = ["artifacts/deep/report.bin", "role-plan-api-task_1.md", "session-status.md", "session-summary.md"];
    assert_eq!(left, archived.map(|name| format!(".squad/archives/a/{name}")));
    assert!(!root.join(".squad/archives/a/locks").exists() && !root.join(".squad/sessions/a").exists());
    let report = fs::read_to_string(root.join(".squad/archives/a/session-summary.md")).unwrap();
    let expected = "---\narchived_at: 2024-01-16T12:00:01Z\n---\n\n# Session a\n\n- ID: sess_1705312800_a1b2\n- Status: completed\n\
                    - Phase: implementation\n- Started: 2024-01-15T10:00:00Z\n- Ended: 2024-01-15T12:00:00Z\n- Duration: 2 hours\n\
                    - Tasks: 0 of 1 completed\n- Messages: 0 messages\n- Errors: 0 errors\n\n| task | agent | state |\n\
                    | --- | --- | --- |\n| task_1\\|x | api | ready |\n";
    assert_eq!(report, expected);
    // Later than the times of the files.
    let report = report.replace("archived_at: 2024", "archived_at: 2099");
    fs::write(root.join(".squad/archives/a/session-summary.md"), report).unwrap();
    let (_, text) = clean(root, &[], "2099-02-15T12:00:01Z");
    assert_eq!(text, "nothing to clean\nkept .squad/archives/a: in the archive, and will be deleted in 1 second\n");
    let (_, text) = clean(root, &[], "2099-02-15T12:00:02Z");
    assert_eq!(text, "deleted .squad/archives/a: archived 30 days ago\n");
    assert_eq!(files_below(root), Vec::<PathBuf>::new());
}

#[test]
fn each_session_has_its_time() {
    let folder = session();
    let root = folder.path();
    ended(root, "failed", "failed");
    ended(root, "done", "completed");
    let locks = format!("{SESSION}/locks");
    let lock = |file: &str, to: &str| {
        format!("file: {file}\nlocked_by: x\nlocked_at: 2024-01-15T10:00:00Z\nexpires_at: 2024-01-{to}T10:05:00Z\n")
    };
    write(root, format!("{locks}/a-x-1.lock"), lock("a", "15"));
    write(root, format!("{locks}/b-x-1.lock"), lock("b", "30"));
    write(root, format!("{locks}/c-x-1.lock"), "");
    write(root, ".squad/sessions/silent/session-status.md", "session_id: s\nstatus: completed\n");
    write(root, ".squad/archives/by-hand/session-status.md", status("completed"));
    write(root, ".squad/archives/not-a-session/notes.md", "# Notes\n");
    write(root, ".squad/archives/decisions.md", "# Decisions\n");
    let (code, text) = clean(root, &[], "2024-01-20T12:00:00Z");
    assert_eq!(code, 0, "{text}");
    for expected in [
        "removed the lock of x on a in .squad/sessions/2024-01-15T10-00-00: expired 5 days ago\n",
        "archived .squad/sessions/done to .squad/archives/done: completed 5 days ago\n",
        "kept .squad/sessions/failed: failed, goes to the archive in 2 days\n",
        "kept .squad/sessions/silent: completed, and no file says when",
        "recorded .squad/archives/by-hand: no report says when it was archived",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
    let names = |folder: &str| {
        files_below(&root.join(folder)).iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    let locks: Vec<String> =
        names(&locks).into_iter().filter(|name| Path::new(name).extension().is_some_and(|end| end == "lock")).collect();
    assert_eq!(locks, ["b-x-1.lock", "c-x-1.lock"]);
    // Moved by hand: its thirty days begin now. What is no session stays for ever.
    let (_, text) = clean(root, &[], "2099-03-01T12:00:00Z");
    assert!(text.contains("deleted .squad/archives/by-hand: archived "), "{text}");
    assert!(text.contains("archived .squad/sessions/failed"), "{text}");
    assert_eq!(names(".squad/archives/not-a-session"), ["notes.md"]);
    assert!(root.join(".squad/archives/decisions.md").is_file());
    let (_, text) = clean(root, &[], "2099-03-01T12:00:00Z");
    assert!(text.starts_with("nothing to clean\n"), "{text}");
}

#[test]
fn one_session_without_a_folder_of_locks_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    ended(root, "b", "completed");
    fs::remove_dir_all(root.join(".squad/sessions/a/locks")).unwrap();
    write(root, ".squad/sessions/a/locks", "none");
    let (code, text) = clean(root, &[], "2024-01-16T12:00:01Z");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("archived .squad/sessions/b to .squad/archives/b: completed 24 hours ago\n"), "{text}");
    assert!(text.contains(".squad/sessions/a/locks is a file, expected a folder"), "{text}");
    #[cfg(unix)]
    {
        fs::remove_file(root.join(".squad/sessions/a/locks")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join(".squad/sessions/a/locks")).unwrap();
        let (code, text) = clean(root, &["--diff"], "2024-01-16T12:00:01Z");
        assert!(
            code == 2 && text.contains(".squad/sessions/a/locks is a symbolic link that leads nowhere"),
            "{code}: {text}"
        );
    }
}

#[test]
fn clocks_that_disagree_delete_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    assert_eq!(clean(root, &[], "2024-01-20T12:00:00Z").0, 0);
    let before = texts(root);
    for now in ["2020-01-01", "2024-01-19", "1970-01-01"] {
        let (code, text) = clean(root, &[], now);
        assert!(code == 0 && text.starts_with("nothing to clean"), "{now}: {text}");
    }
    // A report that says nothing useful counts as none.
    let report = root.join(".squad/archives/a/session-summary.md");
    for head in ["archived_at: soon", "archived_at: 0", "archived_at: [", "{x: y}"] {
        let mine = format!("---\n{head}\n---\n\nmy own words\n");
        fs::write(&report, &mine).unwrap();
        let (code, text) = clean(root, &[], "2030-01-01");
        assert!(code == 0 && text.starts_with("recorded "), "{head}: {text}");
        assert!(fs::read_to_string(&report).unwrap().ends_with(&mine), "{head}");
    }
    assert_eq!(before.len(), texts(root).len());
}

#[test]
fn nothing_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    write(root, ".squad/sessions/a/session-summary.md", "# What we learned\n");
    write(root, ".squad/archives/a/notes.md", "mine\n");
    write(root, ".squad/archives/a-2", "mine\n");
    let (code, text) = clean(root, &[], "2024-02-01");
    assert!(code == 0 && text.contains("to .squad/archives/a-3: "), "{text}");
    assert_eq!(fs::read_to_string(root.join(".squad/archives/a/notes.md")).unwrap(), "mine\n");
    let report = fs::read_to_string(root.join(".squad/archives/a-3/session-summary.md")).unwrap();
    assert!(
        report.starts_with("---\narchived_at: 2024-02-01") && report.ends_with("\n# What we learned\n"),
        "{report}"
    );
}

#[test]
fn a_diff_shows_what_comes_and_writes_nothing() {
    let folder = session();
    let root = folder.path();
    ended(root, "a b", "completed");
    ended(root, "old", "completed");
    fs::remove_file(root.join(".squad/sessions/old/artifacts/deep/report.bin")).unwrap();
    assert_eq!(clean(root, &[], "2024-01-17").0, 0);
    fs::rename(root.join(".squad/archives/a b"), root.join(".squad/sessions/a b")).unwrap();
    let locks = format!("{SESSION}/locks/x-y-1.lock");
    write(root, &locks, "file: x\nlocked_by: y\nlocked_at: 2024-01-15T10:00:00Z\nexpires_at: 2024-01-15T10:05:00Z\n");
    let before = texts(root);
    let output = run(root, &["clean", "--diff", "--now", "2099-02-20"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(texts(root), before);
    assert!(stderr(&output).contains("would delete .squad/archives/old"), "{}", stderr(&output));
    // Git makes the same of it.
    let copy = TempDir::new().unwrap();
    for (path, text) in &before {
        write(copy.path(), path, text);
    }
    run_git(copy.path(), &["init", "--quiet"]);
    fs::write(copy.path().join("diff"), &output.stdout).unwrap();
    let applied = git(copy.path()).args(["apply", "diff"]).output().unwrap();
    assert!(applied.status.success(), "{}\n{}", stderr(&applied), stdout(&output));
    assert_eq!(clean(root, &[], "2099-02-20").0, 0);
    fs::remove_file(copy.path().join("diff")).unwrap();
    let own =
        |path: &PathBuf| path.starts_with(".git") || path.components().any(|part| part.as_os_str() == ".squad-lint");
    let [expected, actual] = [root, copy.path()]
        .map(|root| texts(root).into_iter().filter(|(path, _)| !own(path)).collect::<BTreeMap<_, _>>());
    assert_eq!(expected.keys().collect::<Vec<_>>(), actual.keys().collect::<Vec<_>>());
    assert_eq!(expected, actual);
}

#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let (mut rng, mut killed, mut partly) = (Rng(7), 0, 0);
    let build = || {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..4 {
            ended(folder.path(), &format!("s{number}"), "completed");
        }
        folder
    };
    let command = |root: &Path| {
        let mut command = squad_lint(root);
        command.args(["session", "clean", "--quiet", "--now", "2024-01-20"]);
        command
    };
    let folder = build();
    let start = Instant::now();
    assert!(command(folder.path()).status().unwrap().success());
    let whole_run = start.elapsed();
    for _ in 0..rounds(200) {
        let folder = build();
        let root = folder.path();
        let mut child = command(root).spawn().unwrap();
        thread::sleep(Duration::from_micros((whole_run.as_micros() as usize * rng.below(1100) / 1000) as u64));
        let _ = child.kill();
        killed += usize::from(!child.wait().unwrap().success());
        let place = |name: &str| ["sessions", "archives"].map(|place| root.join(format!(".squad/{place}/{name}")));
        let mut moved = 0;
        for number in 0..4 {
            let [session, archived] = place(&format!("s{number}"));
            assert!(session.exists() != archived.exists(), "s{number} is at two places, or none");
            moved += usize::from(archived.exists());
            let there = if archived.exists() { archived } else { session };
            for file in ["session-status.md", "role-plan-api-task_1.md", "artifacts/deep/report.bin"] {
                assert!(there.join(file).is_file(), "s{number}/{file} is lost");
            }
            assert!(!there.ends_with("archives") || there.join("session-summary.md").is_file());
        }
        partly += usize::from(moved > 0 && moved < 4);
        // The next run does the rest.
        assert!(command(root).status().unwrap().success());
        // A temporary file that has no bytes yet may be of a run that is about to lock it: it stays.
        let is_empty = |path: &Path| fs::metadata(root.join(path)).is_ok_and(|metadata| metadata.len() == 0);
        let mut left: Vec<_> = files_below(root).into_iter().collect();
        left.retain(|path| !(path.extension().is_some_and(|end| end == "tmp") && is_empty(path)));
        assert_eq!(left.iter().filter(|path| path.starts_with(".squad/archives")).count(), 16, "{left:?}");
        assert!(!left.iter().any(|path| path.to_str().unwrap().contains(".tmp")), "{left:?}");
    }
    eprintln!("{killed} runs died, {partly} of them with a part of the sessions moved");
    assert!(killed > 0);
}

#[test]
fn a_deletion_that_was_interrupted_goes_on() {
    let folder = session();
    write(folder.path(), ".squad/archives/.squad-lint-removed-0-a/rest", "x");
    let rest = ".squad/archives/.squad-lint-removed-0-a";
    let (_, shown) = clean(folder.path(), &["--diff"], "2024-01-20");
    assert!(shown.contains(&format!("deleted file mode 100644\n--- a/{rest}/rest")), "{shown}");
    let (code, said) = clean(folder.path(), &[], "2024-01-20");
    assert!(code == 0 && said.contains(&format!("deleted {rest}: the rest of an archived session")), "{said}");
    assert!(!folder.path().join(rest).exists());
}

#[cfg(unix)]
#[test]
fn git_does_the_same_with_links() {
    use std::os::unix::fs::symlink;
    let make = || {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run_git(root, &["init", "--quiet"]);
        write(root, ".squad/sessions/on/session-status.md", status("active"));
        ended(root, "one", "completed");
        fs::remove_file(root.join(".squad/sessions/one/artifacts/deep/report.bin")).unwrap();
        symlink("../session-status.md", root.join(".squad/sessions/one/artifacts/state")).unwrap();
        symlink("deep", root.join(".squad/sessions/one/artifacts/folder")).unwrap();
        let lock = ["lock", "a", "--agent", "backend", "--session", "one", "--now", "2024-01-15T10:30:00Z"];
        write(root, ".squad/sessions/one/session-status.md", status("active"));
        assert_eq!(run(root, &lock).status.code(), Some(0));
        let text = format!("{}completed_at: 2024-01-15T12:00:00Z\n", status("completed"));
        write(root, ".squad/sessions/one/session-status.md", text);
        folder
    };
    let links = |root: &Path, state: &str| {
        ["state", "folder"]
            .map(|name| fs::read_link(root.join(".squad").join(state).join("one/artifacts").join(name)).ok())
    };
    let apply = |root: &Path, now: &str| {
        let output = run(root, &["clean", "--diff", "--now", now]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::write(root.join("diff"), &output.stdout).unwrap();
        let applied = git(root).args(["apply", "diff"]).output().unwrap();
        assert!(applied.status.success(), "{}\n{}", stderr(&applied), stdout(&output));
    };
    let folder = make();
    let root = folder.path();
    let before = links(root, "sessions");
    assert!(before.iter().all(Option::is_some));
    apply(root, "2024-01-17");
    assert_eq!((links(root, "archives"), links(root, "sessions")), (before, [None, None]));
    // What is left of the session is none.
    assert!(root.join(".squad/sessions/one/locks/.squad-lint/guard").is_file());
    let (code, text) = (run(root, &["lock", "b", "--agent", "backend"]), clean(root, &[], "2024-01-17").1);
    assert!(code.status.success(), "{}", stderr(&code));
    assert!(!text.contains("sessions/one"), "{text}");
    apply(root, "2099-03-01");
    assert!(!root.join(".squad/archives/one").exists());
}

#[cfg(unix)]
#[test]
fn what_no_diff_can_hold_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "one", "completed");
    let _socket = std::os::unix::net::UnixListener::bind(root.join(".squad/sessions/one/artifacts/s")).unwrap();
    let output = run(root, &["clean", "--diff", "--now", "2024-01-17"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = "warning: skipped .squad/sessions/one/artifacts/s: it is not a regular file";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "precious", "x");
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    symlink(outside.path(), root.join(".squad/sessions/a/artifacts/door")).unwrap();
    assert_eq!(clean(root, &[], "2024-01-20").0, 0);
    let (_, text) = clean(root, &[], "2099-03-20");
    assert!(text.contains("deleted .squad/archives/a"), "{text}");
    assert!(outside.path().join("precious").is_file());
    fs::remove_dir_all(root.join(".squad/archives")).unwrap();
    symlink(outside.path(), root.join(".squad/archives")).unwrap();
    ended(root, "b", "completed");
    let (code, text) = clean(root, &[], "2024-01-20");
    assert!(code == 2 && text.contains("leads out of the repository"), "{text}");
}

#[test]
fn a_session_that_cannot_be_moved_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    ended(root, "b", "completed");
    // A merge left both sides in what is there.
    write(root, ".squad/sessions/a/session-summary.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    let (code, text) = clean(root, &[], "2024-01-20");
    assert!(code == 2 && text.contains("cannot archive") && text.contains("merge conflict"), "{text}");
    assert!(
        text.contains("archived .squad/sessions/b") && root.join(".squad/sessions/a/session-status.md").is_file(),
        "{text}"
    );
    let empty = tempfile::tempdir().unwrap();
    let (code, text) = clean(empty.path(), &[], "2024-01-20");
    assert!(code == 2 && text.contains("there is no session here"), "{text}");
}

#[test]
fn what_would_be_done_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    let (code, text) = clean(root, &["--diff"], "2024-01-16T12:00:01Z");
    let expected = "would archive .squad/sessions/a to .squad/archives/a: completed 24 hours ago\n";
    assert!(code == 0 && text.ends_with(expected), "{text}");
    let (_, text) = clean(root, &["--diff"], "2024-01-16T12:00:00Z");
    assert!(text.contains("would remove the lock of api") && text.contains("would keep .squad/sessions/a"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_session_does_not_stop_the_others() {
    use std::os::unix::fs::symlink;

    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = folder.path();
    run_git(root, &["init", "-q"]);
    ended(root, "a", "completed");
    ended(elsewhere.path(), "out", "completed");
    ended(&root.join("inner"), "in", "completed");
    symlink(elsewhere.path().join(".squad/sessions/out"), root.join(".squad/sessions/out")).unwrap();
    symlink(root.join("inner/.squad/sessions/in"), root.join(".squad/sessions/in")).unwrap();
    let (code, text) = clean(root, &[], "2024-01-16T12:00:01Z");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("archived .squad/sessions/a to .squad/archives/a"), "{text}");
    assert!(text.contains("kept .squad/sessions/out: a symbolic link leads out of the repository"), "{text}");
    assert!(text.contains("kept inner/.squad/sessions/in: a symbolic link leads to it"), "{text}");
    assert!(elsewhere.path().join(".squad/sessions/out/session-status.md").exists());
    assert!(root.join(".squad/sessions/in/session-status.md").exists());
}

#[cfg(unix)]
#[test]
fn a_link_goes_with_its_session() {
    use std::os::unix::fs::symlink;
    let folder = session();
    let root = folder.path();
    let sessions = root.join(".squad/sessions");
    let active = Path::new(SESSION).file_name().unwrap();
    ended(root, "done", "completed");
    symlink("done", sessions.join("latest")).unwrap();
    symlink("latest", sessions.join("newest")).unwrap();
    symlink(active, sessions.join("current")).unwrap();
    symlink("never", sessions.join("other")).unwrap();
    let output = run(root, &["clean", "--diff", "--now", "2024-01-17"]);
    let copy = TempDir::new().unwrap();
    run_git(copy.path(), &["init", "--quiet"]);
    fs::create_dir_all(copy.path().join(".squad/sessions")).unwrap();
    symlink("done", copy.path().join(".squad/sessions/latest")).unwrap();
    symlink("latest", copy.path().join(".squad/sessions/newest")).unwrap();
    let links = stdout(&output);
    let links = links.find("diff --git a/.squad/sessions/latest").map(|at| &links[at..]).unwrap();
    fs::write(copy.path().join("diff"), links).unwrap();
    let applied = git(copy.path()).args(["apply", "diff"]).output().unwrap();
    assert!(applied.status.success(), "{}\n{links}", stderr(&applied));
    assert_eq!(fs::read_dir(copy.path().join(".squad/sessions")).map_or(0, Iterator::count), 0);
    assert!(sessions.join("latest").exists());
    let (code, text) = clean(root, &[], "2024-01-17");
    assert_eq!(code, 0, "{text}");
    for name in ["latest", "newest"] {
        let said = format!("removed the link .squad/sessions/{name}: .squad/sessions/done is in the archive\n");
        assert!(text.contains(&said), "{text}");
        assert!(!sessions.join(name).is_symlink());
    }
    assert!(sessions.join("current").exists() && sessions.join("other").is_symlink());
    // As if the run had been killed before it removed the link.
    symlink("done", sessions.join("latest")).unwrap();
    let (code, text) = clean(root, &[], "2024-01-17");
    assert!(code == 0 && text.contains("removed the link .squad/sessions/latest"), "{text}");
    assert!(clean(root, &[], "2024-01-17").1.starts_with("nothing to clean\n"));
}

#[test]
fn a_report_of_the_team_keeps_its_front_matter() {
    for (old, head) in [
        (
            "---\ntitle: Search\ntags:\n  - a\n---\n\n# What we learned\n",
            "---\ntitle: Search\ntags:\n  - a\narchived_at: NOW\n---\n",
        ),
        ("---\r\ntitle: Search\r\n---\r\nText\r\n", "---\r\ntitle: Search\r\narchived_at: NOW\r\n---\r\n"),
        ("---\n---\nText\n", "---\narchived_at: NOW\n---\n"),
        // No place for another key.
        ("---\ntitle: [\n---\nText\n", "---\narchived_at: NOW\n---\n"),
        ("---\n{title: Search}\n---\nText\n", "---\narchived_at: NOW\n---\n"),
        ("---\narchived_at: soon\n---\nText\n", "---\narchived_at: NOW\n---\n"),
        ("---\nText without an end\n", "---\narchived_at: NOW\n---\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        ended(root, "a", "completed");
        write(root, ".squad/sessions/a/session-summary.md", old);
        assert_eq!(clean(root, &[], "2024-01-17T00:00:00Z").0, 0);
        let report = fs::read_to_string(root.join(".squad/archives/a/session-summary.md")).unwrap();
        assert!(report.starts_with(&head.replace("NOW", "2024-01-17T00:00:00Z")), "{old:?}: {report}");
        let body = old.rsplit("---").next().unwrap().trim_start();
        assert!(report.ends_with(body) && report.contains("# Session a"), "{old:?}: {report}");
        let (code, text) = clean(root, &[], "2024-01-18T00:00:00Z");
        assert!(code == 0 && text.starts_with("nothing to clean"), "{text}");
        assert_eq!(fs::read_to_string(root.join(".squad/archives/a/session-summary.md")).unwrap(), report);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_diff_names_the_folder_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    ended(root, "b", "completed");
    std::os::unix::fs::symlink("a", root.join(".squad/sessions/latest")).unwrap();
    // No system reads a path of so many bytes, whoever asks.
    let name = "d".repeat(200);
    let script = format!("cd .squad/sessions/a && for i in $(seq 25); do mkdir {name} && cd -P {name} || exit 1; done");
    let made = std::process::Command::new("bash").args(["-c", &script]).current_dir(root).status().unwrap();
    assert!(made.success());
    let (code, text) = clean(root, &["--diff"], "2024-01-17");
    assert!(code == 2 && text.contains("error: cannot read ") && text.contains(&name), "{text}");
    assert!(!text.contains("standard output") && !text.contains("sessions/a/role-plan"), "{text}");
    assert!(
        text.contains("would archive .squad/sessions/b") && !text.contains("would archive .squad/sessions/a"),
        "{text}"
    );
    assert!(!text.contains("would remove the link"), "{text}");
}

#[cfg(unix)]
#[test]
fn sessions_behind_a_link_go_to_the_archive_of_the_team() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ended(root, "a", "completed");
    fs::rename(root.join(".squad/sessions"), root.join("shared")).unwrap();
    std::os::unix::fs::symlink("../shared", root.join(".squad/sessions")).unwrap();
    let (code, text) = clean(root, &[], "2024-01-17");
    assert!(code == 0 && text.contains("archived shared/a to .squad/archives/a"), "{text}");
    assert!(root.join(".squad/archives/a/session-status.md").exists() && !root.join("archives").exists());
}
