//! What is in the archive: reports that teams write into, and sessions that are not to be deleted yet.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{run, session, status};
use crate::support::sample::Rng;
use crate::support::{files_below, rounds, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

/// Long after the times that the system gives the files.
const LATE: &str = "2099-06-01T12:00:00Z";

const REPORT: &str = ".squad/archives/a/session-summary.md";

/// The exit code and what is printed.
fn clean(root: &Path, now: &str) -> (i32, String) {
    let output = run(root, &["clean", "--now", now]);
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

fn ended(root: &Path, path: &str) {
    let text = format!("{}completed_at: 2024-01-15T12:00:00Z\n", status("completed"));
    write(root, format!("{path}/session-status.md"), text);
}

/// The session `a`, which is in the archive since `moment`.
fn archived(moment: &str) -> TempDir {
    let folder = session();
    ended(folder.path(), ".squad/archives/a");
    write(folder.path(), REPORT, format!("---\narchived_at: {moment}\n---\n\n# Session a\n"));
    folder
}

fn restore(root: &Path) {
    fs::rename(root.join(".squad/archives/a"), root.join(".squad/sessions/a")).unwrap();
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_text_of_a_team_stays_in_the_report_once() {
    for end in ["\n", "\r\n"] {
        let folder = session();
        let root = folder.path();
        ended(root, ".squad/sessions/a");
        let text = "# What we learned\n\nAsk first.\n".replace('\n', end);
        write(root, ".squad/sessions/a/session-summary.md", &text);
        assert_eq!(clean(root, "2024-01-20").0, 0);
        let first = fs::read_to_string(root.join(REPORT)).unwrap();
        assert!(first.ends_with(&text), "{first}");
        // Restored, and archived again: as it was, but for the moment.
        restore(root);
        assert_eq!(clean(root, "2024-01-21").0, 0);
        let second = fs::read_to_string(root.join(REPORT)).unwrap();
        assert_eq!(second, first.replace("archived_at: 2024-01-20", "archived_at: 2024-01-21"));
        // Restored, gone on, with a line in the middle of the report.
        restore(root);
        let own = second.replacen("- Status", &format!("Our own line.{end}- Status"), 1);
        write(root, ".squad/sessions/a/session-summary.md", own);
        ended(root, ".squad/sessions/a");
        write(
            root,
            ".squad/sessions/a/role-comm-api-to-web-1.md",
            "meta:\n  message_id: m\n  from_agent: api\n  to_agent: web\n  created_at: 2024-01-16T10:00:00Z\n  priority: low\ntype: notification\nsubject: s\nmessage: x\n",
        );
        for day in ["22", "23"] {
            assert_eq!(clean(root, &format!("2024-01-{day}")).0, 0);
            let third = fs::read_to_string(root.join(REPORT)).unwrap();
            for part in [text.as_str(), "Our own line.", "archived_at:", "1 message"] {
                assert_eq!(count(&third, part), 1, "{part} in\n{third}");
            }
            assert!(
                third.starts_with(&format!("---{end}archived_at: 2024-01-{day}T00:00:00Z{end}---{end}")),
                "{third}"
            );
            restore(root);
        }
    }
}

#[test]
fn other_fields_and_other_encodings_stay_in_a_report() {
    let folder = session();
    let root = folder.path();
    ended(root, ".squad/sessions/a");
    let own = b"\xEF\xBB\xBF---\nowner: ann\narchived_at: '2020-01-01T00:00:00Z' # by hand\n---\nGr\xfc\xdfe\n";
    write(root, ".squad/sessions/a/session-summary.md", own);
    assert_eq!(clean(root, "2024-01-20").0, 0);
    let report = fs::read(root.join(REPORT)).unwrap();
    let start = b"\xEF\xBB\xBF---\nowner: ann\narchived_at: 2024-01-20T00:00:00Z # by hand\n---\n\n# Session a\n";
    assert!(
        report.starts_with(start) && report.ends_with(b"\n\nGr\xfc\xdfe\n"),
        "{}",
        String::from_utf8_lossy(&report)
    );
    // Its moment is found again.
    let (code, text) = clean(root, "2024-01-21");
    assert!(code == 0 && text.starts_with("nothing to clean\n"), "{text}");
    assert_eq!(fs::read(root.join(REPORT)).unwrap(), report);
}

#[test]
fn killed_again_and_again_a_report_keeps_the_text_of_the_team_once() {
    let folder = session();
    let root = folder.path();
    ended(root, ".squad/sessions/a");
    write(root, ".squad/sessions/a/session-summary.md", "# What we learned\n");
    let command = |day: usize| {
        let mut command = squad_lint(root);
        command.args(["session", "clean", "--quiet", "--now", &format!("2024-02-{:02}", day % 28 + 1)]);
        command
    };
    let start = Instant::now();
    assert!(command(0).status().unwrap().success());
    let whole_run = start.elapsed().as_micros() as usize;
    let mut rng = Rng(11);
    for day in 0..rounds(200) {
        if root.join(REPORT).exists() {
            restore(root);
        }
        let mut child = command(day).spawn().unwrap();
        thread::sleep(Duration::from_micros((whole_run * rng.below(1100) / 1000) as u64));
        let _ = child.kill();
        child.wait().unwrap();
        let session =
            root.join(if root.join(REPORT).exists() { REPORT } else { ".squad/sessions/a/session-summary.md" });
        let text = fs::read_to_string(session).unwrap();
        assert_eq!((count(&text, "# What we learned"), count(&text, "# Session a")), (1, 1), "{text}");
    }
}

#[test]
fn a_session_that_changed_in_the_archive_is_not_deleted() {
    // The files are younger than the report.
    let folder = archived("2000-01-01T00:00:00Z");
    let root = folder.path();
    let output = squad_lint(root).args(["session", "clean"]).output().unwrap();
    let said = "kept .squad/archives/a: in the archive, and will be deleted in 30 days, as its last change was at ";
    assert!(output.status.success() && stdout(&output).contains(said), "{}", stdout(&output));
    // A file with an old time of its bytes came there, and so did the folder.
    #[cfg(unix)]
    {
        let old = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
        for path in
            files_below(&root.join(".squad/archives")).iter().map(|path| root.join(".squad/archives").join(path))
        {
            fs::File::options().write(true).open(path).unwrap().set_times(old).unwrap();
        }
        fs::File::open(root.join(".squad/archives/a")).unwrap().set_times(old).unwrap();
        let output = squad_lint(root).args(["session", "clean"]).output().unwrap();
        assert!(stdout(&output).contains(said), "{}", stdout(&output));
    }
    // A message is younger than the report.
    let message = "meta:\n  message_id: m\n  from_agent: api\n  to_agent: web\n  created_at: 2099-05-20T10:00:00Z\n  priority: low\ntype: notification\nsubject: s\nmessage: x\n";
    write(root, ".squad/archives/a/role-comm-api-to-web-1.md", message);
    let (code, text) = clean(root, LATE);
    let said = "deleted in 17 days, as its last change was at 2099-05-20T10:00:00Z";
    assert!(code == 0 && text.contains(said), "{text}");
    let (_, text) = clean(root, "2099-06-19T10:00:01Z");
    assert!(text.contains("deleted .squad/archives/a"), "{text}");
}

#[test]
fn what_is_not_a_session_that_has_ended_stays_in_the_archive() {
    let contradiction = "two files";
    for (name, text, said) in [
        ("session-status.md", status("active"), "its status says that it has not ended"),
        ("session-status.md", "status: on hold\nsession_id: s\n".to_owned(), "its status says that it has not ended"),
        ("session-status.md", "session_id: [\n".to_owned(), "no file such as `session-status.md` can be read"),
        ("notes.md", "# Notes\n".to_owned(), "no file such as `session-status.md` can be read"),
        (contradiction, status("active"), "its files disagree about whether it has ended"),
    ] {
        let folder = archived("2030-01-01T00:00:00Z");
        let root = folder.path();
        if name == contradiction {
            write(root, ".squad/archives/a/session-status.yaml", text);
        } else {
            fs::remove_file(root.join(".squad/archives/a/session-status.md")).unwrap();
            write(root, format!(".squad/archives/a/{name}"), text);
        }
        let (code, text) = clean(root, LATE);
        assert!(code == 0 && text.contains(said), "{text}");
        assert!(root.join(REPORT).is_file());
    }
    let folder = archived("2030-01-01T00:00:00Z");
    assert!(clean(folder.path(), LATE).1.contains("deleted .squad/archives/a"));
}

#[cfg(unix)]
#[test]
fn one_bad_session_does_not_stop_the_others() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "file", "secret");
    for place in ["sessions", "archives"] {
        let folder = session();
        let root = folder.path();
        let names = ["folder", "pipe", "link", "nowhere", "large", "locks"];
        for name in names {
            ended(root, &format!(".squad/{place}/{name}"));
        }
        ended(root, &format!(".squad/{place}/good"));
        let at = |name: &str| root.join(format!(".squad/{place}/{name}/session-summary.md"));
        fs::create_dir(at("folder")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink(outside.path().join("file"), at("link")).unwrap();
        symlink("nothing", at("nowhere")).unwrap();
        fs::File::create(at("large")).unwrap().set_len((16 << 20) + 1).unwrap();
        symlink(outside.path(), root.join(format!(".squad/{place}/locks/locks"))).unwrap();
        for args in [["clean", "--diff"].as_slice(), &["clean"]] {
            let output = run(root, &[args, &["--now", "2024-01-20"]].concat());
            let text = stdout(&output) + &stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{text}");
            for name in names.iter().filter(|name| place == "sessions" || **name != "locks") {
                assert!(text.contains(&format!(".squad/{place}/{name}/")), "{name} in\n{text}");
            }
            assert!(text.contains(&format!("{place}/good")), "{text}");
        }
        assert!(root.join(".squad/archives/good/session-summary.md").is_file());
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_session_whose_status_cannot_be_read_is_named() {
    let folder = session();
    let root = folder.path();
    ended(root, ".squad/sessions/good");
    write(root, ".squad/sessions/folder/session-status.md/x", "");
    write(
        root,
        ".squad/sessions/text/session-status.md",
        "<<<<<<< a\nstatus: completed\n=======\nstatus: failed\n>>>>>>> b\n",
    );
    let (code, text) = clean(root, "2024-01-20");
    assert!(code == 0 && text.contains("archived .squad/sessions/good"), "{text}");
    for name in ["folder", "text"] {
        assert!(text.contains(&format!("kept .squad/sessions/{name}: its status cannot be read: ")), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn the_locks_of_others_and_what_is_no_lock_stay() {
    use std::os::unix::fs::symlink;

    let folder = session();
    let root = folder.path();
    ended(root, ".squad/sessions/a");
    ended(root, ".squad/sessions/b");
    let lock = "file: x\nlocked_by: backend\nlocked_at: 2024-01-15T10:00:00Z\nexpires_at: 2034-01-15T10:00:00Z\n";
    write(root, ".squad/shared/x-backend-1.lock", lock);
    symlink("../../shared", root.join(".squad/sessions/a/locks")).unwrap();
    write(root, ".squad/sessions/b/locks/x-backend-1.lock", lock);
    write(root, ".squad/sessions/b/locks/notes.lock", "# Why we lock\n");
    let (code, text) = clean(root, "2024-01-20");
    assert_eq!(code, 0, "{text}");
    assert!(root.join(".squad/shared/x-backend-1.lock").is_file());
    assert_eq!(fs::read_dir(root.join(".squad/archives/b/locks")).unwrap().count(), 1);
    assert!(root.join(".squad/archives/b/locks/notes.lock").is_file());
}

#[test]
fn runs_at_the_same_time_do_the_work_once() {
    for _ in 0..rounds(20) {
        let folder = session();
        let root = folder.path();
        for number in 0..10 {
            ended(root, &format!(".squad/sessions/s{number}"));
            ended(root, &format!(".squad/archives/o{number}"));
            let report = format!(".squad/archives/o{number}/session-summary.md");
            if number < 5 {
                write(root, report, "---\narchived_at: 2030-01-01T00:00:00Z\n---\n");
            }
        }
        let start = || {
            let mut command = squad_lint(root);
            command.args(["session", "clean", "--now", LATE]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children: Vec<Child> = (0..4).map(|_| start()).collect();
        let mut said = String::new();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            said += &stdout(&output);
        }
        let counts = ["archived .squad", "deleted .squad", "recorded .squad"].map(|verb| count(&said, verb));
        assert_eq!(counts, [10, 5, 5], "{said}");
        assert_eq!(files_below(&root.join(".squad/archives")).len(), 30);
    }
}

// Without locks nothing tells what was left from what is being written.
#[cfg(unix)]
#[test]
fn what_killed_runs_left_in_the_archive_goes() {
    let folder = archived("2024-01-20T00:00:00Z");
    let root = folder.path();
    write(root, ".squad/archives/a/.squad-lint-abc.tmp", "half");
    write(root, ".squad/archives/a/locks/.squad-lint-def.tmp", "half");
    write(root, ".squad/archives/mine/.squad-lint-abc.tmp", "of another folder");
    assert_eq!(clean(root, "2024-01-21").0, 0);
    let left: Vec<String> =
        files_below(&root.join(".squad/archives")).iter().map(|path| path.display().to_string()).collect();
    assert_eq!(left, ["a/session-status.md", "a/session-summary.md", "mine/.squad-lint-abc.tmp"]);
    assert!(!root.join(".squad/archives/a/locks").exists());
}

#[cfg(unix)]
#[test]
fn an_archive_that_leads_to_the_sessions_is_none() {
    let folder = session();
    let root = folder.path();
    ended(root, ".squad/sessions/a");
    std::os::unix::fs::symlink("sessions", root.join(".squad/archives")).unwrap();
    let (code, text) = clean(root, "2024-01-20");
    assert!(code == 2 && text.contains("it leads to the folder of the sessions"), "{text}");
    assert!(root.join(".squad/sessions/a/session-status.md").is_file());
}

#[test]
fn a_session_is_in_the_repository() {
    let (folder, other) = (session(), session());
    let path = other.path().join(super::SESSION);
    for args in [
        ["lock", "x", "--agent", "backend", "--session", path.to_str().unwrap()].as_slice(),
        &["status", path.to_str().unwrap()],
        &["graph", path.to_str().unwrap()],
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains("it is outside of"), "{}", stderr(&output));
    }
    assert!(!path.join("locks").exists());
    // A link from outside leads in.
    #[cfg(unix)]
    {
        let inner = folder.path().join(super::SESSION);
        let link = other.path().join("link");
        std::os::unix::fs::symlink(&inner, &link).unwrap();
        assert!(run(folder.path(), &["status", link.to_str().unwrap()]).status.success());
        let out = folder.path().join(".squad/sessions/out");
        std::os::unix::fs::symlink(&path, out).unwrap();
        let output = run(folder.path(), &["lock", "x", "--agent", "backend", "--session", "out"]);
        assert!(stderr(&output).contains("leads out of the repository"), "{}", stderr(&output));
    }
}

#[test]
fn a_status_that_can_be_read_in_two_ways_keeps_its_session() {
    let ended = format!("{}completed_at: 2024-01-15T12:00:00Z\n", status("completed"));
    let documents = format!("{ended}---\n{}", status("active"));
    let blocks = format!("```yaml\n{ended}```\n\n```yaml\n{}```\n", status("active"));
    let keys = format!("status: active\n{ended}");
    for (text, why) in [
        (&documents, "second YAML document, expected one"),
        (&blocks, "second block of YAML, expected one"),
        (&keys, "duplicate key `status`"),
    ] {
        let folder = session();
        let root = folder.path();
        write(root, ".squad/sessions/b/session-status.md", text);
        write(root, ".squad/archives/a/session-status.md", text);
        write(root, REPORT, "---\narchived_at: 2024-01-20T00:00:00Z\n---\n");
        let (code, said) = clean(root, LATE);
        assert_eq!(code, 0, "{said}");
        for kept in ["kept .squad/sessions/b: ", "kept .squad/archives/a: in the archive, and "] {
            let expected = format!("{kept}its status can be read in two ways: {why}");
            assert!(said.contains(&expected), "no {expected:?} in {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_could_not_be_deleted_is_named_until_it_is_gone() {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    let folder = archived("2024-01-20T00:00:00Z");
    let root = folder.path();
    write(root, ".squad/archives/a/fixed/notes.md", "x");
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let fixed = root.join(".squad/archives/a/fixed");
    allow(&fixed, 0o555);
    let is_root = fs::write(fixed.join("try"), "").is_ok();
    if is_root {
        // Root may delete everything: run as another user.
        let mut paths = vec![root.to_path_buf()];
        while let Some(path) = paths.pop() {
            chown(&path, Some(65534), Some(65534)).unwrap();
            if path.is_dir() {
                paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
    }
    let clean = || {
        let mut command = squad_lint(root);
        if is_root {
            command.uid(65534).gid(65534);
        }
        let output = command.args(["session", "clean", "--now", LATE]).output().unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let rest = ".squad/archives/.squad-lint-removed-0-a";
    for said in ["a part of the session is deleted", "it is the rest of an archived session"] {
        let (code, out, errors) = clean();
        let errors = errors.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(2) && errors.contains(said), "{out}{errors}");
        assert!(errors.contains(".squad-lint-removed-0-a") && !errors.contains("whole"), "{errors}");
        assert!(!out.contains("deleted .squad/archives/a"), "{out}");
        assert!(root.join(rest).join("fixed/notes.md").is_file());
    }
    allow(&root.join(rest).join("fixed"), 0o755);
    let (code, out, errors) = clean();
    assert_eq!(code, Some(0), "{out}{errors}");
    assert!(!root.join(rest).exists());
}
