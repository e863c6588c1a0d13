//! Agents that are about to stop: which errors keep them, and how often.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{DECISIONS, GOOD, answer, bad, hooked, later, written};
use crate::support::repo::Repo;
use crate::support::{git, squad_lint, stderr, stdout};

#[test]
fn an_agent_answers_for_what_it_wrote() {
    let repo = written();
    let event = |event: &str, agent: Option<&str>| {
        json!({"session_id": "s", "permission_mode": "plan", "hook_event_name": event, "cwd": repo.path,
            "agent_id": agent, "tool_name": "Write", "tool_input": {"file_path": repo.path.join(DECISIONS)}})
    };
    let is_kept = |agent| answer(&repo.path, &event("SubagentStop", agent)).1.contains("decisions.md:21:5");
    assert_eq!(answer(&repo.path, &event("PostToolUse", Some("a"))).0, 2);
    // The other one wrote nothing.
    assert!(!is_kept(Some("b")));
    assert_eq!(answer(&repo.path, &event("PostToolUse", Some("b"))).0, 2);
    // Each is kept twice.
    assert_eq!([is_kept(Some("a")), is_kept(Some("a")), is_kept(Some("a"))], [true, true, false]);
    assert!(is_kept(Some("b")));
    // A stop without errors is a new start.
    repo.write(DECISIONS, format!("{}\n{GOOD}\n{}", bad(10), later(40)));
    assert!(!is_kept(Some("b")));
    repo.write(DECISIONS, format!("{}\n{GOOD}\n{}", bad(10), bad(40)));
    assert_eq!([is_kept(Some("b")), is_kept(Some("b")), is_kept(Some("b"))], [true, true, false]);
    // The session as a whole answers for all of them.
    assert!(answer(&repo.path, &event("Stop", None)).1.contains("decisions.md:21:5"));
}

#[test]
fn errors_of_the_first_commit_count() {
    let repo = Repo::new();
    let event = |event: &str| {
        json!({"session_id": "s", "hook_event_name": event, "cwd": repo.path, "tool_name": "Write",
            "tool_input": {"file_path": repo.path.join(DECISIONS)}})
    };
    repo.stage(DECISIONS, bad(10));
    assert_eq!(answer(&repo.path, &event("PostToolUse")).0, 2);
    repo.commit("first");
    assert!(answer(&repo.path, &event("Stop")).1.contains("decisions.md:1:5"));
}

#[test]
fn a_stop_where_nothing_was_written_is_silent() {
    let bare = Repo::init(&["--bare"]);
    let broken = tempfile::tempdir().unwrap();
    fs::write(broken.path().join(".git"), "gitdir: /not/there\n").unwrap();
    for folder in [bare.path.as_path(), broken.path()] {
        let stop = json!({"hook_event_name": "Stop", "cwd": folder, "session_id": "s"});
        assert_eq!(answer(folder, &stop), (0, String::new(), String::new()));
    }
}

#[test]
fn an_agent_may_stop_in_another_folder_than_it_wrote_to() {
    let (state, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (outer, first, second) = (Repo::new(), written(), written());
    let nested = outer.path.join("nested");
    fs::create_dir(&nested).unwrap();
    fs::rename(second.path.join(".git"), nested.join(".git")).unwrap();
    fs::rename(second.path.join(".squad"), nested.join(".squad")).unwrap();
    let answer = |folder: &Path, event: &Value| {
        let mut command = squad_lint(folder);
        command.env("XDG_STATE_HOME", state.path());
        let output = hooked(command, &[], event.to_string().as_bytes());
        (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
    };
    let event = |name: &str, session: &str, folder: &Path, file: &Path| {
        json!({"session_id": session, "hook_event_name": name, "cwd": folder, "tool_name": "Write",
            "tool_input": {"file_path": file}})
    };
    for (session, folder) in [("plain", plain.path()), ("outer", outer.path.as_path())] {
        let stop = event("Stop", session, folder, folder);
        assert_eq!(answer(folder, &stop), (0, String::new()));
        for root in [&first.path, &nested] {
            let write = event("PostToolUse", session, folder, &root.join(DECISIONS));
            assert_eq!(answer(folder, &write).0, 2);
        }
        let (_, said) = answer(folder, &stop);
        assert_eq!(said.matches("decisions.md:21:5").count(), 2, "{said}");
        // Stops are counted together, wherever the agent is.
        assert!(answer(&first.path, &event("Stop", session, &first.path, folder)).1.contains("\"block\""));
        assert_eq!(answer(folder, &stop), (0, String::new()));
        // Another session did not write.
        assert_eq!(answer(folder, &event("Stop", "other", folder, folder)), (0, String::new()));
    }
    for root in [&first.path, &nested] {
        fs::write(root.join(DECISIONS), format!("{}\n{GOOD}\n{}", bad(10), later(40))).unwrap();
    }
    for (session, folder) in [("plain", plain.path()), ("outer", outer.path.as_path())] {
        assert_eq!(answer(folder, &event("Stop", session, folder, folder)), (0, String::new()));
    }
    // What the sessions noted is gone with them.
    for folder in [state.path().to_path_buf(), first.path.join(".git"), nested.join(".git")] {
        assert_eq!(fs::read_dir(folder.join("squad-lint/sessions")).unwrap().count(), 0);
    }
}

#[test]
fn a_lost_record_changes_nothing_about_the_number_of_stops() {
    let state = tempfile::tempdir().unwrap();
    let lose = || drop(fs::remove_dir_all(state.path().join("squad-lint")));
    for lost_at in [0, 1, 2] {
        lose();
        let repo = written();
        let event = |event: &str| {
            json!({"session_id": "s", "hook_event_name": event, "cwd": repo.path, "tool_name": "Write",
                "tool_input": {"file_path": repo.path.join(DECISIONS)}})
        };
        let answer = |event: &Value| {
            let mut command = squad_lint(&repo.path);
            command.env("XDG_STATE_HOME", state.path());
            hooked(command, &[], event.to_string().as_bytes())
        };
        assert_eq!(answer(&event("PostToolUse")).status.code(), Some(2));
        let mut kept = Vec::new();
        for at in 0..4 {
            if at == lost_at {
                lose();
            }
            kept.push(stdout(&answer(&event("Stop"))).contains("\"block\""));
        }
        assert_eq!(kept, [true, true, false, false], "lost at {lost_at}");
    }
}

#[test]
fn a_mistake_in_one_repository_does_not_hide_the_errors_in_another() {
    let state = tempfile::tempdir().unwrap();
    let (good, broken) = (written(), written());
    let answer = |event: &Value| {
        let mut command = squad_lint(&good.path);
        command.env("XDG_STATE_HOME", state.path());
        let output = hooked(command, &[], event.to_string().as_bytes());
        (output.status.code().unwrap(), stdout(&output), stderr(&output))
    };
    let event = |event: &str, repo: &Repo| {
        json!({"session_id": "s", "hook_event_name": event, "cwd": good.path, "tool_name": "Write",
            "tool_input": {"file_path": repo.path.join(DECISIONS)}})
    };
    for repo in [&broken, &good] {
        assert_eq!(answer(&event("PostToolUse", repo)).0, 2);
    }
    broken.write("squad-lint.toml", "x=[");
    let (code, out, _) = answer(&event("Stop", &good));
    assert!(code == 0 && out.contains("\"block\"") && out.contains("decisions.md:21:5"), "{out}");
    good.write(DECISIONS, format!("{}\n{GOOD}\n{}", bad(10), later(40)));
    let (code, out, errors) = answer(&event("Stop", &good));
    assert!(code == 1 && out.is_empty() && errors.contains("squad-lint.toml"), "{errors}");
}

#[test]
fn sessions_are_counted_apart_and_work_trees_share_them() {
    let repo = written();
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().canonicalize().unwrap().join("tree");
    repo.git(&["worktree", "add", "--quiet", "-b", "topic", tree.to_str().unwrap()]);
    fs::write(tree.join(DECISIONS), format!("{}\n{GOOD}\n{}", bad(10), bad(40))).unwrap();
    let write = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": tree.join(DECISIONS)}});
    assert_eq!(answer(&repo.path, &write).0, 2);
    let stop = |session: &str| json!({"session_id": session, "hook_event_name": "Stop", "cwd": repo.path});
    assert_eq!(answer(&repo.path, &stop("other")), (0, String::new(), String::new()));
    assert!(answer(&repo.path, &stop("s")).1.contains("decisions.md:21:5"));
    fs::write(tree.join(DECISIONS), format!("{}\n{GOOD}\n{}", bad(10), later(40))).unwrap();
    assert_eq!(answer(&repo.path, &stop("s")), (0, String::new(), String::new()));
}

/// The event of Claude Code after it wrote the file at `path` in `folder`.
fn wrote(folder: &Path, path: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": folder, "tool_name": "Write",
        "tool_input": {"file_path": folder.join(path)}})
}

#[test]
fn line_ends_that_git_changes_are_not_written_lines() {
    let with = |text: &str| text.replace('\n', "\r\n");
    let silent = (0, String::new(), String::new());
    for (config, attributes) in [("true", ""), ("false", "*.md text eol=crlf\n")] {
        let repo = Repo::new();
        repo.git(&["config", "core.autocrlf", config]);
        repo.stage(".gitattributes", attributes);
        let old = format!("{}\n{}", bad(10), later(20));
        repo.stage(DECISIONS, with(&old));
        repo.commit("as it was");
        repo.write(DECISIONS, with(&format!("{old}\n{}", later(30))));
        assert_eq!(answer(&repo.path, &wrote(&repo.path, DECISIONS)), silent);
        // An agent may write other line ends than the file has.
        repo.write(DECISIONS, format!("{}\n{}", with(&old), bad(30)));
        let (code, _, errors) = answer(&repo.path, &wrote(&repo.path, DECISIONS));
        assert!(code == 2 && errors.contains("decisions.md:21:5") && !errors.contains("decisions.md:1:5"), "{errors}");
    }
}

#[test]
fn each_work_tree_is_compared_with_its_own_commit() {
    let repo = Repo::new();
    repo.stage(DECISIONS, later(10));
    repo.commit("one");
    let folder = tempfile::tempdir().unwrap();
    let linked = folder.path().canonicalize().unwrap().join("linked");
    repo.git(&["worktree", "add", "--quiet", "-b", "topic", linked.to_str().unwrap()]);
    let commit = ["commit", "--quiet", "--all", "--message", "bad"];
    let old = format!("{}\n{}", later(10), bad(20));
    fs::write(linked.join(DECISIONS), &old).unwrap();
    assert!(git(&linked).args(commit).status().unwrap().success());
    // The session writes to both; in the second one, only to what was committed before.
    repo.write(DECISIONS, format!("{}\n{}", later(10), later(40)));
    fs::write(linked.join(DECISIONS), format!("{old}\n{}", later(50))).unwrap();
    for tree in [&repo.path, &linked] {
        assert_eq!(answer(tree, &wrote(tree, DECISIONS)), (0, String::new(), String::new()));
    }
    let stop = json!({"session_id": "s", "hook_event_name": "Stop", "cwd": linked});
    assert_eq!(answer(&linked, &stop), (0, String::new(), String::new()));
}

#[test]
fn a_key_on_the_state_branch_is_not_its_copy_in_the_work_tree() {
    let repo = Repo::new();
    repo.stage(DECISIONS, later(10));
    repo.stage(".squad/config.json", "{\"version\": 1, \"stateBackend\": \"two-layer\"}\n");
    repo.commit("one");
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["rm", "--quiet", "-r", "--force", "."]);
    repo.stage("decisions.md", later(10));
    repo.commit("first");
    repo.stage("decisions.md", format!("{}\n{}", later(10), bad(11)));
    repo.commit("second");
    repo.git(&["checkout", "--quiet", "main"]);
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path,
        "tool_name": "mcp__squad_state__squad_state_append", "tool_input": {"key": "decisions.md", "content": "x"}});
    let (code, _, errors) = answer(&repo.path, &event);
    assert!(code == 2 && errors.contains("squad-state:decisions.md:11:5"), "{errors}");
}
