//! What happens to those who wait in line for a file.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{SESSION, run, session, status};
use crate::support::{files_below, squad_lint, stderr, stdout, write};

/// A process that waits for `file`.
fn wait_for(root: &Path, file: &str, agent: &str) -> Child {
    let mut command: Command = squad_lint(root);
    command.args(["session", "lock", file, "--agent", agent, "--wait", "120", "--ttl", "600"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until so many processes are in line.
fn until_waiting(root: &Path, count: usize) {
    let own = root.join(SESSION).join("locks/.squad-lint");
    let is_ticket = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "wait");
    until(|| own.is_dir() && files_below(&own).iter().filter(|path| is_ticket(path)).count() == count);
}

/// Waits until `is_so`.
fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never came to that");
        thread::sleep(Duration::from_millis(5));
    }
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), stdout(output) + &stderr(output))
}

/// Locks `a`, and starts a process that waits for it.
fn held(root: &Path) -> Child {
    let output =
        squad_lint(root).args(["session", "lock", "a", "--agent", "backend", "--ttl", "600"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let child = wait_for(root, "a", "frontend[1]");
    until_waiting(root, 1);
    child
}

#[test]
fn who_waits_gets_no_file_of_a_session_that_ended_meanwhile() {
    for state in ["completed", "failed"] {
        let folder = session();
        let root = folder.path();
        let waiter = held(root);
        write(root, format!("{SESSION}/session-status.md"), status(state));
        squad_lint(root).args(["session", "unlock", "a", "--agent", "backend", "--session", SESSION]).output().unwrap();
        let (code, text) = said(&waiter.wait_with_output().unwrap());
        assert!(code == Some(2) && text.contains(&format!("session 2024-01-15T10-00-00 is {state}")), "{text}");
        assert!(files_below(&root.join(SESSION).join("locks")).iter().all(|path| !path.ends_with(".lock")));
        let left = fs::read_dir(root.join(SESSION).join("locks")).unwrap().count();
        assert_eq!(left, 1, "only the folder of this program");
    }
}

#[test]
fn who_waits_learns_that_the_session_was_archived() {
    let folder = session();
    let root = folder.path();
    let waiter = held(root);
    fs::create_dir_all(root.join(".squad/archives")).unwrap();
    fs::rename(root.join(SESSION), root.join(".squad/archives/x")).unwrap();
    let (code, text) = said(&waiter.wait_with_output().unwrap());
    assert!(code == Some(2) && text.contains("session 2024-01-15T10-00-00 no longer exists"), "{text}");
    assert!(!root.join(SESSION).exists());
}

#[test]
fn a_waiting_line_that_was_removed_begins_again() {
    let folder = session();
    let root = folder.path();
    let mut waiter = held(root);
    fs::remove_dir_all(root.join(SESSION).join("locks/.squad-lint")).unwrap();
    until_waiting(root, 1);
    assert_eq!(waiter.try_wait().unwrap(), None);
    // It is in line again: others do not come first.
    let waiting = squad_lint(root).args(["session", "lock", "a", "--agent", "x"]).output().unwrap();
    assert!(stdout(&waiting).contains("waiting: frontend[1]"), "{}", stdout(&waiting));
    squad_lint(root).args(["session", "unlock", "a", "--agent", "backend"]).output().unwrap();
    let (code, text) = said(&waiter.wait_with_output().unwrap());
    assert!(code == Some(0) && text.contains("a is locked by frontend[1]"), "{text}");
}

#[cfg(unix)]
#[test]
fn the_names_of_one_file_have_one_line() {
    let folder = session();
    let root = folder.path();
    write(root, "a", "");
    fs::hard_link(root.join("a"), root.join("b")).unwrap();
    let waiter = held(root);
    let (_, text) = said(&run(root, &["lock", "b", "--agent", "x"]));
    assert!(text.contains("waiting: frontend[1]"), "{text}");
    let (_, text) = said(&run(root, &["status"]));
    assert!(text.contains("frontend[1] waits for backend: lock on a"), "{text}");
    // The lock goes, and the one who waits does not come first by chance.
    let second = wait_for(root, "b", "x");
    until_waiting(root, 2);
    squad_lint(root).args(["session", "unlock", "b", "--agent", "backend"]).output().unwrap();
    let (code, text) = said(&waiter.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{text}");
    squad_lint(root).args(["session", "unlock", "a", "--agent", "frontend[1]"]).output().unwrap();
    let (code, text) = said(&second.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{text}");
}
