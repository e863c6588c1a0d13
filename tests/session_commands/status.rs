//! How far a session is, also while it changes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{SESSION, run, session, status};
use crate::support::{stderr, stdout, write};

fn plan(folder: &Path, task: &str, agent: &str, requires: &str) {
    let text = format!(
        "meta:\n  task_id: {task}\n  agent: {agent}\n  created_at: 2024-01-15T10:05:00Z\n  priority: high\n\
         dependencies:\n  requires: [{requires}]\ninstruction: work\n"
    );
    write(folder, format!("{SESSION}/role-plan-{agent}-{task}.md"), text);
}

fn progress(folder: &Path, task: &str, agent: &str, state: &str, percentage: u32, more: &str) {
    let text = format!(
        "meta:\n  task_id: {task}\n  agent: {agent}\n  updated_at: 2024-01-15T10:30:00Z\nstatus: {state}\n\
         progress_percentage: {percentage}\n{more}"
    );
    write(folder, format!("{SESSION}/role-comm-{agent}-{task}.md"), text);
}

/// What `session status` prints; it says nothing else.
fn shown(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, &[&["status"], args].concat());
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    stdout(&output)
}

#[test]
fn tasks_are_a_tree_and_who_waits_is_said() {
    let folder = session();
    let root = folder.path();
    plan(root, "task_1", "api", "");
    plan(root, "task_2", "web", "task_1");
    plan(root, "task_3", "docs", "task_1, task_2");
    plan(root, "task_4", "ops", "task_9");
    plan(root, "task_5", "qa", "");
    progress(root, "task_1", "api", "in_progress", 40, "");
    let blockers =
        "blockers:\n  - description: no account\n    blocking_since: 2024-01-15T10:25:00Z\n    requires_agent: human\n";
    progress(root, "task_5", "qa", "blocked", 10, blockers);
    let text = shown(root, &[]);
    for expected in [
        "session 2024-01-15T10-00-00: active, phase implementation, for 37 minutes\n",
        "gates   requirements passed, design passed, implementation in progress, quality pending\n",
        "tasks   1 in progress, 1 blocked, 3 waiting, 1 missing (the status says 1 of 3 completed)\n",
        "  task_1        in progress 40 %    api\n",
        "  └─ task_2     waiting             web\n",
        "     └─ task_3  waiting             docs  also after task_1\n",
        "  └─ task_4     waiting             ops\n",
        "  qa waits for human: task_5 is blocked, for 12 minutes: no account\n",
        "  web waits for api: task_2 needs task_1 (in progress)\n",
        "  ops waits for task_9: task_4 needs task_9 (missing)\n",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
    progress(root, "task_1", "api", "completed", 100, "");
    let text = shown(root, &[]);
    assert!(text.contains("└─ task_2     ready"), "{text}");
    assert!(!text.contains("needs task_1"), "{text}");
}

#[test]
fn circles_end() {
    let folder = session();
    plan(folder.path(), "a", "x", "b");
    plan(folder.path(), "b", "y", "a");
    plan(folder.path(), "c", "z", "c");
    let text = shown(folder.path(), &[]);
    assert_eq!(text.matches("in a cycle").count(), 3, "{text}");
}

#[test]
fn answers_that_are_overdue_and_locks() {
    let folder = session();
    let root = folder.path();
    let message = |from: &str, to: &str, at: &str, by: &str, needed: bool| {
        format!(
            "meta:\n  message_id: m\n  from_agent: {from}\n  to_agent: {to}\n  created_at: 2024-01-15T{at}Z\n  priority: high\n\
             type: question\nsubject: which port\nmessage: x\nresponse_needed: {needed}\nresponse_by: 2024-01-15T{by}Z\n"
        )
    };
    write(root, format!("{SESSION}/role-comm-a-to-b-1.md"), message("a", "b", "10:20:00", "10:25:00", true));
    write(root, format!("{SESSION}/role-comm-c-to-b-1.md"), message("c", "b", "10:36:00", "10:45:00", true));
    write(root, format!("{SESSION}/role-comm-d-to-e-1.md"), message("d", "e", "10:20:00", "10:25:00", true));
    write(root, format!("{SESSION}/role-comm-e-to-d-1.md"), message("e", "d", "10:22:00", "10:25:00", false));
    let lock = |name: &str, from: &str, to: &str| {
        let text = format!(
            "file: src/{name}.rs\nlocked_by: a[1]\nlocked_at: 2024-01-15T{from}Z\nexpires_at: 2024-01-15T{to}Z\n"
        );
        write(root, format!("{SESSION}/locks/{name}.rs-a[1]-1.lock"), text);
    };
    lock("held", "10:36:00", "10:40:00");
    lock("expired", "10:30:00", "10:32:00");
    lock("ahead", "11:00:00", "11:02:00");
    write(root, format!("{SESSION}/locks/bad.lock"), "file: x\n\tbad");
    let text = shown(root, &[]);
    for expected in [
        "overdue\n  a waits for b: question which port, due 12 minutes ago\n",
        "waiting\n  c waits for b: question which port, due in 8 minutes\n",
        "locks   2 held, 1 expired\n",
        "  src/held.rs     a[1]  3 minutes more\n",
        "  src/expired.rs  a[1]  expired 5 minutes ago\n",
        "locked 23 minutes in the future by another clock",
        "  bad.lock: ",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
    assert!(!text.contains("d waits"), "{text}");
    let json: Value = serde_json::from_str(&shown(root, &["--format", "json"])).unwrap();
    let session = &json["sessions"][0];
    assert_eq!(
        (&json["version"], &session["status"], &session["phase"]),
        (&1.into(), &"active".into(), &"implementation".into())
    );
    assert_eq!(session["gates"][2]["state"], "in_progress");
    assert_eq!((&session["waits"][0]["overdue"], &session["waits"][0]["who"]), (&true.into(), &"a".into()));
    assert_eq!(
        (&session["locks"][1]["expired"], &session["locks"][1]["file"]),
        (&true.into(), &"src/expired.rs".into())
    );
    assert_eq!(session["unreadable"][0]["path"], "locks/bad.lock");
}

#[test]
fn a_question_to_everyone_waits_for_any_agent() {
    let folder = session();
    let root = folder.path();
    let message = |from: &str, to: &str, at: &str, more: &str| {
        let text = format!(
            "meta:\n  message_id: m\n  from_agent: {from}\n  to_agent: {to}\n  created_at: 2024-01-15T{at}Z\n  priority: high\n\
             type: question\nsubject: which port\nmessage: x\n{more}"
        );
        write(root, format!("{SESSION}/role-comm-{from}-to-{to}-1.md"), text);
    };
    message("a", "all", "10:20:00", "response_needed: true\nresponse_by: 2024-01-15T10:25:00Z\n");
    let text = shown(root, &[]);
    assert!(text.contains("overdue\n  a waits for any agent: question which port, due 12 minutes ago\n"), "{text}");
    message("c", "b", "10:21:00", "");
    assert!(shown(root, &[]).contains("overdue"));
    message("b", "a", "10:22:00", "");
    assert!(!shown(root, &[]).contains("overdue"));
}

#[test]
fn what_cannot_be_told_is_said_so() {
    let folder = session();
    let root = folder.path();
    write(root, format!("{SESSION}/session-status.md"), status("actve"));
    assert!(shown(root, &[]).starts_with("session 2024-01-15T10-00-00: status unknown, phase implementation"));
    plan(root, "task_1", "api", "");
    write(root, format!("{SESSION}/locks"), "no folder");
    let text = shown(root, &[]);
    assert!(
        text.contains("task_1") && text.contains("cannot be read\n  locks: it is a file, expected a folder\n"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&shown(root, &["--format", "json"])).unwrap();
    assert_eq!(json["sessions"][0]["unreadable"][0]["path"], "locks");
    let output = run(root, &["lock", "a", "--agent", "api"]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("locks is a file, expected a folder"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn sessions_of_another_state_root() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "team/state/sessions/1/session-status.md", status("active"));
    let output = run(root, &["status"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("there is no session here"));
    assert!(shown(root, &["team/state/sessions/1"]).starts_with("session 1: active"));
    let lock = ["lock", "a", "--agent", "backend", "--session", "team/state/sessions/1"];
    assert_eq!(run(root, &lock).status.code(), Some(0));
    assert!(root.join("team/state/sessions/1/locks").is_dir());
    write(root, ".ai-team/sessions/2/session-status.md", status("active"));
    assert!(shown(root, &[]).starts_with("session 2: active"));
    assert_eq!(run(root, &["lock", "b", "--agent", "backend"]).status.code(), Some(0));
    assert!(root.join(".ai-team/sessions/2/locks").is_dir());
    write(root, ".squad/sessions/3/session-status.md", status("active"));
    assert!(shown(root, &[]).starts_with("session 3: active"));
    assert!(shown(root, &[".ai-team/sessions/2"]).starts_with("session 2: active"));
}

#[test]
fn which_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let output = run(root, &["status"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("there is no session here"));
    write(root, ".squad/sessions/1/session-status.md", status("completed"));
    write(root, ".squad/sessions/2/session-status.md", status("failed"));
    assert!(shown(root, &[]).starts_with("session 2: failed"));
    write(root, ".squad/sessions/3/session-status.md", status("active"));
    write(root, ".squad/sessions/4/role-plan-a-t.md", "meta:\n  task_id: t\n");
    let text = shown(root, &[]);
    assert!(text.starts_with("session 3: active") && text.contains("\nsession 4: no status\n"), "{text}");
    assert!(shown(root, &["1"]).starts_with("session 1: completed"));
    assert!(shown(root, &[".squad/sessions/1"]).starts_with("session 1: completed"));
    let output = run(root, &["status", "9"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("cannot read 9"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_are_named_and_stop_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = session();
    let root = folder.path();
    plan(root, "t", "x", "");
    write(
        root,
        format!("{SESSION}/role-plan-a-1.md"),
        "meta:\n  task_id: 1\n  agent: a\ndependencies:\n\trequires: []\ninstruction: x\n",
    );
    write(root, format!("{SESSION}/role-plan-b-1.md"), b"meta:\n  task_id: \xff\n");
    write(root, format!("{SESSION}/role-plan-c-1.md"), "");
    fs::create_dir(root.join(SESSION).join("error-a-1.md")).unwrap();
    write(
        root,
        Path::new(SESSION).join(OsStr::from_bytes(b"role-plan-\xff-1.md")),
        "meta:\n  task_id: other\n  agent: z\n",
    );
    std::os::unix::fs::symlink("/etc/passwd", root.join(SESSION).join("role-plan-d-1.md")).unwrap();
    let text = shown(root, &[]);
    for expected in [
        "role-plan-a-1.md",
        "role-plan-b-1.md: it is not UTF-8",
        "error-a-1.md: it is a folder",
        "role-plan-d-1.md: a symbolic link",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
    assert!(text.contains("  t      ready") && text.contains("other  ready") && !text.contains("root:"), "{text}");
}

#[test]
fn a_torn_file_of_the_protocol_is_named() {
    let folder = session();
    let root = folder.path();
    plan(root, "t", "x", "");
    for (name, text) in [
        ("role-comm-x-t.md", "# Progress\n\n```yaml\nme"),
        ("role-comm-y-t.yaml", "hello world\n"),
        ("role-plan-notes.md", "All went well.\n"),
        ("error-log.md", "The build failed.\n"),
    ] {
        write(root, format!("{SESSION}/{name}"), text);
    }
    let text = shown(root, &[]);
    let end = text.split_once("cannot be read").map(|(_, end)| end).unwrap_or_default();
    for expected in [
        "role-comm-x-t.md: content is text",
        "role-comm-y-t.yaml: content is text",
        "role-plan-notes.md: prose, without the fields of a plan",
    ] {
        assert!(end.contains(expected), "no {expected:?} in\n{text}");
    }
    assert!(!text.contains("error-log"), "{text}");
}

#[test]
fn nothing_from_a_file_acts_on_the_terminal() {
    let folder = session();
    plan(folder.path(), "\"t\\e[31m\\n::error::x\"", "x", "");
    let text = shown(folder.path(), &[]);
    assert!(text.contains("t\\u{1b}[31m\\n::error::x") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn lines_of_json_for_programs_that_watch() {
    let folder = session();
    write(folder.path(), format!("{SESSION}/session-status.md"), status("completed"));
    let output = run(folder.path(), &["status", "--watch", "--format", "json"]);
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 1));
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["sessions"][0]["status"], "completed");
    assert_eq!(stderr(&output), "stopped watching: session 2024-01-15T10-00-00 is completed\n");
}

#[test]
fn tasks_are_in_the_order_in_which_they_can_be_done() {
    let folder = session();
    let root = folder.path();
    for (task, agent, requires) in [
        ("task_2", "web", ""),
        ("task_10", "api", ""),
        ("task_3", "a", "task_10"),
        ("task_4", "z", "task_2, task_10"),
        ("task_1", "b", "task_4"),
    ] {
        plan(root, task, agent, requires);
    }
    let text = shown(root, &[]);
    let tree = text.lines().skip_while(|line| !line.starts_with("tasks")).skip(1).take(5).map(str::trim_end);
    let expected = [
        "  task_2         ready               web",
        "  task_10        ready               api",
        "  ├─ task_3      waiting             a",
        "  └─ task_4      waiting             z  also after task_2",
        "     └─ task_1   waiting             b",
    ];
    assert_eq!(tree.map(|line| line.split_whitespace().collect()).collect::<Vec<Vec<_>>>(), {
        expected.map(|line| line.split_whitespace().collect::<Vec<_>>())
    });
    let json: Value = serde_json::from_str(&shown(root, &["--format", "json"])).unwrap();
    let ids = json["sessions"][0]["tasks"].as_array().unwrap().iter().map(|task| task["task_id"].as_str().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), ["task_2", "task_10", "task_3", "task_4", "task_1"]);
}

#[test]
fn nobody_waits_for_answers_when_a_session_has_ended() {
    let folder = session();
    let root = folder.path();
    let message = "meta:\n  message_id: m\n  from_agent: a\n  to_agent: b\n  created_at: 2024-01-15T10:20:00Z\n  priority: high\n\
                   type: question\nsubject: port\nmessage: x\nresponse_needed: true\nresponse_by: 2024-01-15T10:25:00Z\n";
    write(root, format!("{SESSION}/role-comm-a-to-b-1.md"), message);
    progress(root, "task_5", "qa", "blocked", 10, "blockers:\n  - description: no account\n");
    for (state, answer, blocker) in [("active", true, true), ("failed", false, true), ("completed", false, false)] {
        let ended = if state == "active" { "" } else { "ended_at: 2024-01-15T10:12:00Z\n" };
        write(root, format!("{SESSION}/session-status.md"), status(state) + ended);
        let text = shown(root, &[]);
        assert!(ended.is_empty() || text.contains("phase implementation, after 12 minutes\n"), "{text}");
        assert_eq!((text.contains("a waits for b"), text.contains("no account")), (answer, blocker), "{text}");
        assert_eq!(text.contains("for 37 minutes"), state == "active", "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_what_happens_until_the_session_ends() {
    use std::process::Stdio;

    use crate::support::squad_lint;
    use crate::support::terminal::{read_until, terminal};
    let folder = session();
    let root = folder.path();
    plan(root, "task_1", "api", "");
    let (inner, mut outer) = terminal();
    let mut command = squad_lint(root);
    command.args(["session", "status", "--watch"]).env("TERM", "xterm").env_remove("COLUMNS");
    let mut child = command.stdout(Stdio::from(inner)).stderr(Stdio::piped()).spawn().unwrap();
    drop(command);
    assert!(read_until(&mut outer, |text| text.contains("1 ready")).starts_with("\u{1b}[2J\u{1b}[H"));
    progress(root, "task_1", "api", "in_progress", 40, "");
    assert!(read_until(&mut outer, |text| text.contains("in progress 40 %")).contains("in progress 40 %"));
    // Its files are not whole while their agents write them.
    fs::write(root.join(SESSION).join("session-status.md"), "session_id: [").unwrap();
    assert!(read_until(&mut outer, |text| text.contains("cannot be read")).contains("status cannot be read"));
    fs::write(root.join(SESSION).join("session-status.md"), status("completed")).unwrap();
    let text = read_until(&mut outer, |_| false);
    assert!(text.contains(": completed"), "{text:?}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
