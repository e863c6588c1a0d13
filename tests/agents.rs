//! `hook`: events of each harness, as their documentation has them, and the answers. A team that obeys these answers leaves no
//! error behind.
//!
//! `tests/agents/<harness>/<case>.json` is an event, or a list of events in order, in a repository at `/w`. Beside it are the
//! answers. `SQUAD_LINT_UPDATE=1 cargo test agents::` rewrites them.

mod stops;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::repo::Repo;
use crate::support::{files_below, project, squad_lint, stderr, stdout};

const GOOD: &str = "### 2026-02-15T14:32:15+0000: note: One\n\n**type:** note\n**timestamp:** 2026-02-15T14:32:15+0000\n\
                    **author:** Kay\n\n**summary:** One.\n\n---\n";
const DECISIONS: &str = ".squad/decisions.md";
const HISTORY: &str = ".squad/agents/kay/history.md";

fn later(minute: u32) -> String {
    GOOD.replace(":32:", &format!(":{minute}:"))
}

fn bad(minute: u32) -> String {
    later(minute).replacen("+0000", "Z", 1)
}

/// A repository with an old entry that is wrong, in which an agent wrote more that is wrong.
fn written() -> Repo {
    let repo = Repo::new();
    repo.stage(DECISIONS, format!("{}\n{GOOD}", bad(10)));
    repo.stage(".gitignore", ".squad/decisions/inbox/\n");
    repo.commit("as it was");
    repo.write(DECISIONS, format!("{}\n{GOOD}\n{}", bad(10), bad(40)));
    repo.write(HISTORY, bad(41));
    repo.write(".squad/decisions/inbox/kay-use-rust.md", bad(42));
    for path in ["README.md", "notes/decisions.md", ".squad/notes.txt"] {
        repo.write(path, bad(43));
    }
    repo.write(".squad/team.md", "# Team\n");
    repo
}

fn hook(folder: &Path, args: &[&str], event: &[u8]) -> Output {
    hooked(squad_lint(folder), args, event)
}

fn hooked(mut command: Command, args: &[&str], event: &[u8]) -> Output {
    command.arg("hook").args(args).env("SOURCE_DATE_EPOCH", "1772323200");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(event);
    child.wait_with_output().unwrap()
}

fn answer(folder: &Path, event: &Value) -> (i32, String, String) {
    let output = hook(folder, &[], event.to_string().as_bytes());
    (output.status.code().unwrap(), stdout(&output), stderr(&output))
}

/// What a harness is answered, for people.
fn shown((code, out, errors): (i32, String, String)) -> String {
    if (code, out.as_str(), errors.as_str()) == (0, "", "") {
        return "nothing, exit code 0\n".to_owned();
    }
    let mut parts = vec![format!("exit code {code}\n")];
    if !out.is_empty() {
        let json: Value = serde_json::from_str(&out).unwrap();
        assert!(out.len() <= 10 * 1024 && out.lines().count() == 1);
        // `{:#}` of a value is JSON on several lines.
        parts.push(format!("standard output: {json:#}\n"));
    }
    if !errors.is_empty() {
        parts.push(format!("standard error:\n{errors}"));
    }
    parts.concat()
}

#[test]
fn each_event_is_answered_in_the_words_of_its_harness() {
    let update = std::env::var_os("SQUAD_LINT_UPDATE").is_some();
    let base = project().join("tests/agents");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in files_below(&base).into_iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let repo = written();
        let root = repo.path.display().to_string();
        let text = fs::read_to_string(base.join(&path)).unwrap().replace("/w/", &format!("{root}/"));
        let events: Value = serde_json::from_str(&text.replace("\"/w\"", &format!("\"{root}\""))).unwrap();
        let events = events.as_array().cloned().unwrap_or_else(|| vec![events]);
        let answers: Vec<String> = events.iter().map(|event| shown(answer(&repo.path, event))).collect();
        let actual = answers.join("\n").replace(&root, "/w");
        let expected = base.join(path.with_extension("txt"));
        seen += 1;
        if update {
            fs::write(expected, actual).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != actual {
            wrong.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 30, "{seen} events");
}

/// An agent in a stand-in for a harness.
struct Agent<'a> {
    harness: &'a str,
    name: &'a str,
    repo: &'a Repo,
    /// What it was asked to repair, and how often it was kept from stopping.
    asked: usize,
    blocked: usize,
}

impl Agent<'_> {
    fn event(&self, event: &str, tool: Option<(&str, &Path)>) -> Value {
        let root = &self.repo.path;
        match (self.harness, tool) {
            ("claude", Some((_, path))) => json!({"session_id": self.name, "hook_event_name": event, "cwd": root,
                "tool_name": "Write", "tool_input": {"file_path": path}, "tool_response": {"filePath": path}}),
            ("claude", None) => json!({"session_id": self.name, "hook_event_name": event, "cwd": root}),
            ("copilot", Some((_, path))) => json!({"sessionId": self.name, "timestamp": 1, "cwd": root,
                "toolName": "create", "toolArgs": json!({"path": path}).to_string(), "toolResult": {"resultType": "success"}}),
            ("copilot", None) => json!({"sessionId": self.name, "timestamp": 1, "cwd": root, "stopReason": "end_turn"}),
            (_, Some((tool, path))) => json!({"sessionId": self.name, "timestamp": "t", "cwd": root,
                "hookEventName": event, "tool_name": tool, "tool_input": {"filePath": path}, "tool_response": "ok"}),
            (_, None) => json!({"sessionId": self.name, "timestamp": "t", "cwd": root, "hookEventName": event}),
        }
    }

    /// Writes a file, and repairs it as long as the harness passes on that it is wrong: what else it may be told to do, the next of
    /// `drafts` does. An agent that is `deaf` goes on as if nothing was said.
    fn writes(&mut self, path: &str, drafts: &[String], deaf: bool) {
        for draft in drafts {
            self.repo.write(path, draft);
            let event = self.event("PostToolUse", Some(("create_file", &self.repo.path.join(path))));
            let (code, out, errors) = answer(&self.repo.path, &event);
            let passed_on = match self.harness {
                "claude" if code == 2 => errors,
                "copilot" => out.parse::<Value>().map_or(String::new(), |json| json["additionalContext"].to_string()),
                "vscode" => out
                    .parse::<Value>()
                    .map_or(String::new(), |json| json["hookSpecificOutput"]["additionalContext"].to_string()),
                _ => String::new(),
            };
            if passed_on.is_empty() || deaf {
                return;
            }
            self.asked += 1;
            assert!(passed_on.contains(path), "{passed_on}");
            self.obeys(&passed_on);
            if answer(&self.repo.path, &event) == (0, String::new(), String::new()) {
                return;
            }
        }
    }

    /// Runs the command that the text names.
    fn obeys(&self, text: &str) {
        let Some(command) = text.split('`').find(|part| part.starts_with("squad-lint check --fix ")) else { return };
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        squad_lint(&self.repo.path).args(args).output().unwrap();
    }

    /// Stops as soon as the harness lets it.
    fn stops(&mut self, last: (&str, &str)) {
        for _ in 0..10 {
            let (code, out, errors) = answer(&self.repo.path, &self.event("Stop", None));
            assert_eq!((code, errors.as_str()), (0, ""));
            let Ok(json) = out.parse::<Value>() else { return };
            let reason = json["reason"].as_str().unwrap().to_owned();
            assert_eq!(json["decision"], "block");
            self.blocked += 1;
            self.obeys(&reason);
            if reason.contains("sem/missing-field") {
                self.repo.write(last.0, last.1);
            }
        }
        panic!("{} never stops", self.name);
    }
}

#[test]
fn a_team_that_obeys_leaves_no_error() {
    let repo = Repo::new();
    repo.stage(DECISIONS, GOOD);
    repo.commit("as it was");
    let without_author = |minute| later(minute).replace("**author:** Kay\n", "");
    let agent = |harness, name| Agent { harness, name, repo: &repo, asked: 0, blocked: 0 };
    let (mut kay, mut rui, mut sol) = (agent("claude", "kay"), agent("copilot", "rui"), agent("vscode", "sol"));

    // A timestamp that a fix repairs, and a field that only the agent knows.
    kay.writes(DECISIONS, &[format!("{GOOD}\n{}", bad(33)), format!("{GOOD}\n{}", later(33))], false);
    rui.writes(HISTORY, &[without_author(34), later(34)], false);
    sol.writes(".squad/agents/sol/history.md", &[bad(35), later(35)], false);
    // Other files are no concern of ours.
    kay.writes("README.md", &[bad(36)], false);
    // These two do not listen, and want to stop.
    rui.writes(".squad/agents/rui/history.md", &[bad(37)], true);
    sol.writes(".squad/decisions/inbox/sol.md", &[without_author(38)], true);
    for agent in [&mut kay, &mut rui, &mut sol] {
        agent.stops((".squad/decisions/inbox/sol.md", &later(38)));
    }
    assert_eq!((kay.asked, kay.blocked), (1, 0));
    assert_eq!((rui.asked, rui.blocked), (1, 1));
    assert_eq!((sol.asked, sol.blocked), (1, 1));
    let output =
        squad_lint(&repo.path).args(["check", "--now", "2026-03-01T00:00:00+0000", ".squad"]).output().unwrap();
    assert!(output.status.success(), "{}", stdout(&output));
    // What the sessions noted is gone with them.
    let records = fs::read_dir(repo.git_path("squad-lint/sessions")).unwrap().count();
    assert_eq!(records, 0);
}

#[test]
fn an_agent_that_commits_its_errors_is_still_asked_to_repair_them() {
    let repo = written();
    let event = |event: &str| {
        json!({"session_id": "s", "hook_event_name": event, "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": repo.path.join(DECISIONS)}})
    };
    assert_eq!(answer(&repo.path, &event("PostToolUse")).0, 2);
    repo.commit("committed by the agent");
    let (_, out, _) = answer(&repo.path, &event("Stop"));
    assert!(out.contains("decisions.md:21:5") && !out.contains("decisions.md:1:5"), "{out}");
}

#[test]
fn the_state_branch_is_checked_where_the_tool_wrote() {
    let repo = Repo::new();
    repo.stage("README.md", "# Project\n");
    repo.stage(".squad/team.md", "# Team\n");
    repo.commit("one");
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["rm", "--quiet", "-r", "--force", "."]);
    repo.stage("decisions.md", bad(10));
    repo.commit("first");
    repo.stage("decisions.md", format!("{}\n{}", bad(10), bad(11)));
    repo.commit("second");
    repo.git(&["checkout", "--quiet", "main"]);
    let event = |key: &str| {
        json!({"sessionId": "s", "timestamp": 1, "cwd": repo.path, "toolName": "squad_state-squad_state_write",
        "toolArgs": {"key": key, "content": "x"}, "toolResult": {"resultType": "success"}})
    };
    let (code, out, errors) = answer(&repo.path, &event("decisions.md"));
    assert!(
        code == 0 && out.contains("squad-state:decisions.md:11:5") && !out.contains("decisions.md:1:5"),
        "{out}{errors}"
    );
    for key in ["agents/kay/history.md", "../README.md", "", "/etc/passwd"] {
        assert_eq!(answer(&repo.path, &event(key)), (0, String::new(), String::new()), "{key}");
    }
    let stop = json!({"sessionId": "s", "timestamp": 1, "cwd": repo.path, "stopReason": "end_turn"});
    assert!(answer(&repo.path, &stop).1.contains("squad-state:decisions.md:11:5"));
}

#[test]
fn a_configuration_can_name_other_state() {
    let repo = written();
    let event = |path: &str| json!({"hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write", "tool_input": {"file_path": path}});
    assert_eq!(answer(&repo.path, &event("notes/decisions.md")).0, 0);
    repo.write("squad-lint.toml", "[roots]\nstate = [\"notes\"]\n");
    let (code, _, errors) = answer(&repo.path, &event("notes/decisions.md"));
    assert!(code == 2 && errors.contains("notes/decisions.md:1:5: error[sem/timestamp-format]"), "{errors}");
    assert_eq!(answer(&repo.path, &event(DECISIONS)).0, 0);
    repo.write("squad-lint.toml", "exclude = [\".squad/decisions.md\"]\n");
    assert_eq!(answer(&repo.path, &event(DECISIONS)).0, 0);
    // An error is for a person: with 2 the agent would be asked to repair it, again and again.
    repo.write("squad-lint.toml", "excludes = 3\n");
    let (code, out, errors) = answer(&repo.path, &event(DECISIONS));
    assert!(code == 1 && out.is_empty() && errors.contains("excludes"), "{errors}");
}

#[test]
fn what_is_not_an_event_gets_no_answer() {
    let repo = written();
    let silent = |event: &[u8]| {
        let output = hook(&repo.path, &[], event);
        let said = (output.status.code(), stdout(&output) + &stderr(&output));
        assert_eq!(said, (Some(0), String::new()), "{}", String::from_utf8_lossy(&event[..event.len().min(80)]));
    };
    let event = |path: &str, content: &str| {
        let input = json!({"file_path": path, "content": content});
        json!({"hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write", "tool_input": input})
            .to_string()
    };
    for text in
        ["", "\n", "{", "null", "[]", "\"PostToolUse\"", "{}", "not JSON", "{\"hook_event_name\": {}}", "\u{feff}{}"]
    {
        silent(text.as_bytes());
    }
    silent(b"{\"hook_event_name\": \"PostToolUse\xff\"}");
    silent(format!("{{\"tool_input\": {}{}}}", "[".repeat(200_000), "]".repeat(200_000)).as_bytes());
    silent(format!("{{\"toolName\":\"edit\",\"toolResult\":1,\"toolArgs\":{:?}}}", "{\"a\":".repeat(5_000)).as_bytes());
    let large = "x".repeat(50 << 20);
    silent(event("README.md", &large).as_bytes());
    silent(large.as_bytes());
    // Longer than any event is read.
    silent(format!("{}{}", " ".repeat(65 << 20), event(DECISIONS, "x")).as_bytes());
    assert_eq!(hook(&repo.path, &[], event(DECISIONS, &large).as_bytes()).status.code(), Some(2));
    for path in
        ["", ".", "..", "/", ".squad", ".squad/", "not-there.md", ".squad/not-there.md", "a\0b", ".squad/notes.txt"]
    {
        silent(event(path, "x").as_bytes());
    }
    let nowhere = json!({"hook_event_name": "PostToolUse", "cwd": "/not/there", "tool_name": "Write",
        "tool_input": {"file_path": "README.md"}});
    silent(nowhere.to_string().as_bytes());
    let stop = json!({"hook_event_name": "Stop", "cwd": repo.path, "session_id": "s"});
    silent(stop.to_string().as_bytes());
    let plain = tempfile::tempdir().unwrap();
    assert_eq!(answer(plain.path(), &json!({"hook_event_name": "Stop", "session_id": "s"})).0, 0);
}

#[test]
fn a_mistake_in_the_command_does_not_keep_an_agent_busy() {
    let repo = written();
    for args in [&["--harness", "gemini"][..], &["--harnes"], &["more"]] {
        let output = hook(&repo.path, args, b"{}");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    }
    let output = hook(&repo.path, &["--help"], b"");
    assert!(output.status.success() && stdout(&output).contains("vscode"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn paths_lead_where_they_lead() {
    use std::os::unix::fs::symlink;
    let repo = written();
    let outside = written();
    let event = |path: &Path| {
        json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
            "tool_input": {"file_path": path}})
    };
    // Through a folder that is a link, the file is what it is.
    symlink(".squad", repo.path.join("link")).unwrap();
    let (code, _, errors) = answer(&repo.path, &event(&repo.path.join("link/decisions.md")));
    assert!(code == 2 && errors.contains(".squad/decisions.md:21:5"), "{errors}");
    // A link out of the repository is not followed.
    symlink(outside.path.join("README.md"), repo.path.join(".squad/out.md")).unwrap();
    let (code, _, errors) = answer(&repo.path, &event(&repo.path.join(".squad/out.md")));
    assert!(code == 2 && errors.contains("leads out of the repository") && !errors.contains("sem/"), "{errors}");
    // A file in another repository is checked there, such as in a work tree of the agent's own.
    let (code, _, errors) = answer(&repo.path, &event(&outside.path.join(HISTORY)));
    assert!(code == 2 && errors.contains("history.md:1:5"), "{errors}");
    assert_eq!(answer(&repo.path, &event(&outside.path.join("README.md"))).0, 0);
    // A line end in a name ends no line.
    repo.write(".squad/decisions/inbox/a\nb.md", bad(44));
    let (code, _, errors) = answer(&repo.path, &event(&repo.path.join(".squad/decisions/inbox/a\nb.md")));
    assert!(code == 2 && errors.contains("inbox/a\\nb.md:1:5: error") && !errors.contains("a\nb"), "{errors}");
    // A record that is a link is not written to, and then no agent is kept from stopping.
    let record = fs::read_dir(repo.git_path("squad-lint/sessions")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&record).unwrap();
    fs::write(repo.path.join("other"), "").unwrap();
    symlink(repo.path.join("other"), &record).unwrap();
    assert_eq!(answer(&repo.path, &event(&repo.path.join(DECISIONS))).0, 2);
    assert_eq!(fs::read_to_string(repo.path.join("other")).unwrap(), "");
    let stop = json!({"hook_event_name": "Stop", "cwd": repo.path, "session_id": "s"});
    assert_eq!(answer(&repo.path, &stop), (0, String::new(), String::new()));
}

#[cfg(unix)]
#[test]
fn a_committed_link_out_of_the_repository_is_no_work_of_the_agent() {
    use std::os::unix::fs::symlink;
    let (repo, outside) = (written(), written());
    let link = repo.path.join(".squad/out.md");
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": link}});
    symlink(outside.path.join("README.md"), &link).unwrap();
    repo.git(&["add", ".squad/out.md"]);
    repo.commit("a link");
    assert_eq!(answer(&repo.path, &event).0, 0);
    // Until it leads elsewhere.
    fs::remove_file(&link).unwrap();
    symlink(outside.path.join(DECISIONS), &link).unwrap();
    assert_eq!(answer(&repo.path, &event).0, 2);
}

#[cfg(unix)]
#[test]
fn what_was_behind_a_committed_link_is_no_work_of_the_agent() {
    let repo = written();
    repo.stage("shared.md", format!("{}\n{GOOD}", bad(10)));
    fs::create_dir_all(repo.path.join(".squad/agents/ann")).unwrap();
    let link = repo.path.join(".squad/agents/ann/history.md");
    std::os::unix::fs::symlink("../../../shared.md", &link).unwrap();
    repo.git(&["add", ".squad/agents/ann/history.md"]);
    repo.commit("a link");
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": link}});
    repo.write("shared.md", format!("{}\n{GOOD}\n{}", bad(10), later(40)));
    assert_eq!(answer(&repo.path, &event), (0, String::new(), String::new()));
    repo.write("shared.md", format!("{}\n{GOOD}\n{}", bad(10), bad(40)));
    let (code, _, errors) = answer(&repo.path, &event);
    assert!(code == 2 && errors.contains("history.md:21:5") && !errors.contains(":1:5"), "{errors}");
    // `--fix` does not write through a link.
    assert!(!errors.contains("--fix"), "{errors}");
}

#[test]
fn another_place_can_be_in_a_file_that_was_not_written() {
    let repo = written();
    let lock = |agent: &str, at: u32| {
        let text = format!(
            "file: i.ts\nlocked_by: {agent}\nlocked_at: 2026-02-28T22:0{at}:00Z\nexpires_at: 2026-02-28T22:09:00Z\n"
        );
        let path = format!(".squad/sessions/one/locks/i.ts-{agent}-17723160{at}0.lock");
        repo.write(&path, text);
        path
    };
    let (_, second) = (lock("ann", 0), lock("kay", 1));
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": repo.path.join(second)}});
    let (_, _, errors) = answer(&repo.path, &event);
    assert!(errors.contains("session/lock-conflict"), "{errors}");
    assert!(errors.contains("  see .squad/sessions/one/locks/i.ts-ann-1772316000.lock:2:12: "), "{errors}");
}

#[test]
fn a_finding_names_its_other_places() {
    let repo = written();
    repo.write(HISTORY, later(41));
    repo.write(".squad/decisions/inbox/kay-one.md", later(41));
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"file_path": repo.path.join(".squad/decisions/inbox/kay-one.md"), "content": "cut \u{fffd}"}});
    // An emoji that was cut in two.
    let text = event.to_string().replace('\u{fffd}', "\\ud83d");
    let output = hook(&repo.path, &[], text.as_bytes());
    assert!(stderr(&output).contains("  see .squad/agents/kay/history.md:1:1: "), "{}", stderr(&output));
}

#[test]
fn paths_are_those_of_the_folder_in_which_the_agent_works() {
    let repo = written();
    repo.write("docs/a.md", "# A\n");
    let tree = tempfile::tempdir().unwrap();
    let tree = tree.path().canonicalize().unwrap().join("tree");
    repo.git(&["worktree", "add", "--quiet", "-b", "topic", tree.to_str().unwrap()]);
    let above = repo.path.parent().unwrap().to_path_buf();
    let name = repo.path.file_name().unwrap().to_str().unwrap();
    let absolute = repo.path.join(DECISIONS).display().to_string();
    for (folder, shown) in [
        (repo.path.clone(), DECISIONS.to_owned()),
        (repo.path.join(".squad"), "decisions.md".to_owned()),
        (repo.path.join("docs"), absolute.clone()),
        (tree, absolute),
        (above, format!("{name}/{DECISIONS}")),
    ] {
        repo.write(DECISIONS, format!("{}\n{GOOD}\n{}", bad(10), bad(40)));
        let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": folder, "tool_name": "Write",
            "tool_input": {"file_path": repo.path.join(DECISIONS)}});
        let (code, _, errors) = answer(&folder, &event);
        assert!(code == 2 && errors.contains(&format!("\n{shown}:21:5: error")), "{shown}: {errors}");
        let command = errors.split('`').find(|part| part.starts_with("squad-lint check --fix ")).unwrap();
        assert_eq!(command, format!("squad-lint check --fix --select sem/timestamp-format {shown}"));
        squad_lint(&folder).args(command.split(' ').skip(1)).output().unwrap();
        assert_eq!(answer(&folder, &event), (0, String::new(), String::new()), "{shown}");
    }
}

#[test]
fn commands_show_what_an_answer_has_no_room_for() {
    let repo = Repo::new();
    repo.write(".squad/team.md", "# Team\n");
    let many: String = (10..59).map(bad).collect();
    repo.write(DECISIONS, &many);
    repo.write(HISTORY, &many);
    let files = json!([repo.path.join(DECISIONS), repo.path.join(HISTORY)]);
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"files": files}});
    let (_, _, errors) = answer(&repo.path, &event);
    assert!(
        errors.contains(&format!(" more; `squad-lint check --show-all {HISTORY} {DECISIONS}` shows them.\n")),
        "{errors}"
    );
}

#[test]
fn a_command_shows_what_is_wrong_on_the_state_branch() {
    let repo = Repo::new();
    repo.stage(".squad/team.md", "# Team\n");
    repo.commit("one");
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["rm", "--quiet", "-r", "--force", "."]);
    repo.stage("decisions.md", (10..59).map(bad).collect::<String>());
    repo.commit("first");
    repo.git(&["checkout", "--quiet", "main"]);
    let event = json!({"sessionId": "s", "timestamp": 1, "cwd": repo.path, "toolName": "squad_state-squad_state_write",
        "toolArgs": {"key": "decisions.md"}, "toolResult": {"resultType": "success"}});
    let (_, out, _) = answer(&repo.path, &event);
    assert!(out.contains(" more; `squad-lint check --show-all --rev squad-state` shows them."), "{out}");
    let output = squad_lint(&repo.path).args(["check", "--show-all", "--rev", "squad-state"]).output().unwrap();
    assert_eq!(stdout(&output).matches("error[sem/timestamp-format]").count(), 49, "{}", stdout(&output));
}

#[test]
fn the_repair_is_for_all_files_and_for_what_was_found() {
    let repo = written();
    let files: Vec<_> = (0..3).map(|at| format!(".squad/decisions/inbox/f{at}.md")).collect();
    for (minute, file) in (50..).zip(&files) {
        repo.write(file, bad(minute));
    }
    let paths: Vec<_> = files.iter().map(|file| repo.path.join(file)).collect();
    let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "cwd": repo.path, "tool_name": "Write",
        "tool_input": {"files": paths}});
    let (_, _, errors) = answer(&repo.path, &event);
    let command = format!("squad-lint check --fix --select sem/timestamp-format {}", files.join(" "));
    let expected = format!("\n`{command}` repairs 3 of them, and the same in older entries of these files.\n");
    assert!(errors.ends_with(&expected), "{errors}");
    squad_lint(&repo.path).args(command.split(' ').skip(1)).output().unwrap();
    assert_eq!(answer(&repo.path, &event), (0, String::new(), String::new()));
}

#[test]
fn without_git_only_the_team_of_the_file_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let file = at.join("project/.squad/decisions.md");
    for path in [file.clone(), at.join("other/.squad/decisions.md")] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bad(10)).unwrap();
    }
    // What belongs to the folder in which the agent runs is not read.
    fs::write(at.join("squad-lint.toml"), "x=[").unwrap();
    let event =
        json!({"hook_event_name": "PostToolUse", "cwd": at, "tool_name": "Write", "tool_input": {"file_path": file}});
    let (code, _, errors) = answer(&at, &event);
    assert!(code == 2 && errors.contains("project/.squad/decisions.md:1:5") && !errors.contains("other"), "{errors}");
}
