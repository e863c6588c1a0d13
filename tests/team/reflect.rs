use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use squad_lint::formats::learnings::{Learnings, SectionKind};
use squad_lint::team::merge;

use super::{TEAM, team};
use crate::support::{NOW, files_below, run_git, squad_lint, stderr, stdout, write};

const BACKEND: &str = "memory/agents/backend/learnings.md";
const FRONTEND: &str = "memory/agents/frontend/learnings.md";

const LEARNED: &str = "\
# Learnings: backend

## Codebase Patterns
- API v2 uses joi for validation, not zod (added: 2026-02-13)

## Gotchas
- (none yet)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from frontend) Dates are shown in UTC (added: 2026-02-20)
";

/// A reflection that suggests these learnings: category, content, target.
fn reflection(learnings: &[(&str, &str, Option<&str>)]) -> Value {
    let learnings: Vec<Value> = learnings
        .iter()
        .map(|(category, content, target)| {
            let mut learning = json!({ "category": category, "content": content });
            if let Some(target) = target {
                learning["for_agent"] = json!(target);
            }
            learning
        })
        .collect();
    json!({
        "task_result": { "status": "completed", "summary": "Done.", "files_changed": ["server/a.ts"] },
        "reflection": { "what_worked": "a", "what_didnt": "b", "confidence": "high" },
        "suggested_learnings": learnings,
        "follow_up": { "needs_human": false },
    })
}

fn folder(reflection: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", TEAM);
    write(folder.path(), BACKEND, LEARNED);
    write(folder.path(), "out.json", reflection.to_string());
    folder
}

fn reflect(folder: &Path, args: &[&str]) -> Output {
    team(folder, &[&["reflect", "--now", NOW], args].concat())
}

fn ok(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}{}", stderr(output), stdout(output));
    stdout(output)
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

/// All files with what they hold.
fn state(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    files_below(folder).into_iter().map(|path| (path.clone(), fs::read(folder.join(path)).unwrap())).collect()
}

#[test]
fn each_learning_goes_where_it_belongs() {
    let folder = folder(&reflection(&[
        ("gotcha", "Sessions expire at\n  midnight UTC", None),
        ("codebase-pattern", "api V2 uses joi for validation, not zod.", None),
        ("codebase-pattern", "- Handlers return a Result (added: 2025-01-01)", None),
        ("cross-agent", "Tokens are rotated by the gateway", Some("frontend")),
    ]));
    let said = ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
    assert_eq!(
        said,
        "memory/agents/frontend/learnings.md (new file): 1 added to Cross-Agent Notes\n\
         memory/agents/backend/learnings.md: 1 added to Codebase Patterns, 1 added to Gotchas, 1 there already\n"
    );
    let expected = LEARNED
        .replace(
            "not zod (added: 2026-02-13)\n",
            "not zod (added: 2026-02-13)\n- Handlers return a Result (added: 2026-03-01)\n",
        )
        .replacen("- (none yet)", "- Sessions expire at midnight UTC (added: 2026-03-01)", 1);
    assert_eq!(read(folder.path(), BACKEND), expected);
    assert_eq!(
        read(folder.path(), FRONTEND),
        "# Learnings: frontend\n\n## Codebase Patterns\n- (none yet)\n\n## Gotchas\n- (none yet)\n\n## Preferences\n- (none yet)\n\n\
         ## Cross-Agent Notes\n- (from backend) Tokens are rotated by the gateway (added: 2026-03-01)\n"
    );
    // Nothing that the program writes is a finding, and twice is once.
    let checked = squad_lint(folder.path()).args(["--now", NOW, "memory"]).output().unwrap();
    assert_eq!(ok(&checked), "no problems found in 2 files\n");
    let before = state(folder.path());
    let said = ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
    assert!(said.contains("backend/learnings.md: 3 there already\n"), "{said}");
    assert_eq!(state(folder.path()), before);
}

#[test]
fn what_claude_prints_can_be_piped() {
    let reflection = reflection(&[("preference", "Small commits", None)]);
    let folder = folder(&reflection);
    let printed = json!({
        "type": "result", "subtype": "success", "is_error": false, "duration_ms": 16049, "num_turns": 8, "result": "Done.",
        "session_id": "f18f49de", "total_cost_usd": 0.34, "structured_output": reflection,
    });
    let mut child = squad_lint(folder.path())
        .args(["team", "reflect", "--now", NOW, "--member", "backend", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(printed.to_string().as_bytes()).unwrap();
    ok(&child.wait_with_output().unwrap());
    assert!(read(folder.path(), BACKEND).contains("## Preferences\n- Small commits (added: 2026-03-01)\n"));
}

#[test]
fn a_diff_is_one_for_git() {
    let folder = folder(&reflection(&[("gotcha", "x", None), ("cross-agent", "y", Some("frontend"))]));
    run_git(folder.path(), &["init", "-q"]);
    let before = state(folder.path());
    let output = reflect(folder.path(), &["--member", "backend", "--diff", "out.json"]);
    let diff = ok(&output);
    assert!(stderr(&output).contains("backend/learnings.md: 1 would be added to Gotchas\n"), "{}", stderr(&output));
    assert_eq!(state(folder.path()), before);
    write(folder.path(), ".git/diff", &diff);
    run_git(folder.path(), &["apply", ".git/diff"]);
    let patched = read(folder.path(), BACKEND) + &read(folder.path(), FRONTEND);
    fs::remove_file(folder.path().join(FRONTEND)).unwrap();
    write(folder.path(), BACKEND, LEARNED);
    ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
    assert_eq!(read(folder.path(), BACKEND) + &read(folder.path(), FRONTEND), patched);
}

#[test]
fn what_is_not_valid_changes_nothing() {
    let good = || reflection(&[("gotcha", "x", None), ("cross-agent", "y", Some("frontend"))]);
    let with = |pointer: &str, value: Value| {
        let mut json = good();
        *json.pointer_mut(pointer).unwrap() = value;
        json.to_string().into_bytes()
    };
    let folder = folder(&good());
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"".to_vec(), "error[reflection/invalid]: empty input, expected a reflection"),
        (b"{\"a\": 1,}".to_vec(), "error[reflection/invalid]: invalid JSON: trailing comma"),
        (deep.into_bytes(), "error[reflection/invalid]: invalid JSON: values nested deeper than 128 levels"),
        (b"{\"task_result\": \"\0\"}".to_vec(), "error[reflection/invalid]: invalid JSON: control character"),
        (with("/follow_up", json!({})), "error[reflection/invalid]: missing key `needs_human` in `follow_up`"),
        (
            with("/suggested_learnings/1/for_agent", json!("frontent")),
            "error[reflection/unknown-target]: `frontent` is not a member",
        ),
        (
            with("/suggested_learnings/1/for_agent", json!("")),
            "error[reflection/unknown-target]: `cross-agent` learning",
        ),
        (
            with("/task_result/files_changed", json!(["/etc/passwd"])),
            "error[reflection/path-escape]: path `/etc/passwd`",
        ),
        (with("/suggested_learnings/0/content", json!(" ")), "`content` cannot be an entry: it is empty"),
        (
            with("/suggested_learnings/0/content", json!("a\u{1b}[31mb")),
            "`content` cannot be an entry: it has the character U+001B",
        ),
        (with("/suggested_learnings/0/content", json!("a\u{0}b")), "it has the character U+0000"),
        (with("/suggested_learnings/0/content", json!("x".repeat(3000))), "it has 3000 characters"),
    ];
    for (bytes, says) in cases {
        write(folder.path(), "out.json", &bytes);
        let before = state(folder.path());
        let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
        assert_eq!(output.status.code(), Some(1), "{says}: {}", stderr(&output));
        assert!(stdout(&output).contains(says), "{}", stdout(&output));
        assert!(stdout(&output).contains("out.json:1:"), "{}", stdout(&output));
        assert_eq!(state(folder.path()), before, "{says}");
    }
    write(folder.path(), "out.json", b"{\"a\": \"caf\xe9\"}");
    let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("error[lint/invalid-utf8]"), "{}", stdout(&output));
}

#[test]
fn warnings_are_told_and_stop_nothing() {
    let mut json = reflection(&[("gotcha", "x", None)]);
    json["task_result"]["status"] = json!("blocked");
    json["mood"] = json!("good");
    let folder = folder(&json);
    let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
    assert_eq!(ok(&output), "memory/agents/backend/learnings.md: 1 added to Gotchas\n");
    let said = stderr(&output);
    assert!(said.contains("warning[reflection/blocked-without-reason]"), "{said}");
    assert!(said.contains("warning[reflection/invalid]: unknown key `mood`"), "{said}");
}

#[test]
fn what_is_huge_ends() {
    let mut json = reflection(&[]);
    let learnings = (0..5000).map(|n| json!({ "category": "gotcha", "content": format!("Learning {n} is new") }));
    json["suggested_learnings"] = learnings.collect();
    let folder = folder(&json);
    let said = ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
    assert!(said.contains("5000 added to Gotchas"), "{said}");
    for n in 0..20_000 {
        json[format!("key {n}")] = json!(n);
    }
    write(folder.path(), "out.json", json.to_string());
    let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
    assert!(ok(&output).contains("5000 there already"), "{}", stdout(&output));
    assert!(stderr(&output).contains("found 20000 warnings"), "{}", stderr(&output));
    write(folder.path(), "out.json", "[".repeat(17_000_000));
    let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it has 17000000 bytes"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn members_that_end_at_the_same_moment_lose_nothing() {
    let folder = folder(&json!({}));
    let runs: Vec<_> = (0..12)
        .map(|n| {
            let (member, other) = if n % 2 == 0 { ("backend", "frontend") } else { ("frontend", "backend") };
            let learnings = [("gotcha", format!("own {n}.")), ("cross-agent", format!("note {n}."))];
            let learnings = learnings.each_ref().map(|(category, content)| (*category, content.as_str(), Some(other)));
            let file = format!("{n}.json");
            write(folder.path(), &file, reflection(&learnings).to_string());
            let mut command = squad_lint(folder.path());
            command.args(["team", "reflect", "--now", NOW, "--member", member, &file]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for run in runs {
        ok(&run.wait_with_output().unwrap());
    }
    let all = read(folder.path(), BACKEND) + &read(folder.path(), FRONTEND);
    for n in 0..12 {
        assert_eq!(all.matches(&format!("own {n}. ")).count(), 1, "{all}");
        assert_eq!(all.matches(&format!("note {n}. ")).count(), 1, "{all}");
    }
}

#[test]
fn which_member_it_was() {
    let folder = folder(&reflection(&[("gotcha", "x", None)]));
    let output = reflect(folder.path(), &["out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`--member NAME`: `backend`, `frontend`"), "{}", stderr(&output));
    let output = reflect(folder.path(), &["--member", "bakend", "out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `backend`?"), "{}", stderr(&output));
    fs::rename(folder.path().join("out.json"), folder.path().join("frontend-2026-03-01.json")).unwrap();
    assert!(ok(&reflect(folder.path(), &["frontend-2026-03-01.json"])).starts_with("memory/agents/frontend/"));
    // With one member there is no question; and the file may lie anywhere.
    let one = TEAM.split("\n  - name: frontend").next().unwrap();
    write(folder.path(), ".claude/team.yaml", one);
    let elsewhere = tempfile::tempdir().unwrap();
    write(elsewhere.path(), "out.json", reflection(&[("gotcha", "y", None)]).to_string());
    let file = elsewhere.path().join("out.json");
    assert!(ok(&reflect(folder.path(), &[file.to_str().unwrap()])).starts_with("memory/agents/backend/"));
}

#[cfg(unix)]
#[test]
fn all_files_or_none() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&reflection(&[("gotcha", "x", None), ("cross-agent", "y", Some("frontend"))]));
    write(folder.path(), FRONTEND, "# Learnings: frontend\n");
    let refused = |says: &str| {
        let before = state(folder.path());
        let output = reflect(folder.path(), &["--member", "backend", "out.json"]);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!(state(folder.path()), before);
    };
    // Whichever of the two it is.
    for path in [BACKEND, FRONTEND] {
        let path = folder.path().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        refused("learnings.md is read-only");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let text = fs::read(&path).unwrap();
        fs::write(folder.path().join("elsewhere.md"), &text).unwrap();
        fs::remove_file(&path).unwrap();
        symlink(folder.path().join("elsewhere.md"), &path).unwrap();
        refused("is reached through a symbolic link");
        fs::remove_file(&path).unwrap();
        fs::write(&path, b"caf\xe9\n").unwrap();
        refused("it has bytes that are not UTF-8");
        fs::write(&path, [text.as_slice(), b"\n```\nopen\n"].concat()).unwrap();
        if path.ends_with("frontend/learnings.md") {
            refused("cannot add entries to");
        }
        fs::write(&path, text).unwrap();
    }
    ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
}

#[test]
fn files_over_their_cap_are_told() {
    let folder = folder(&reflection(&[("gotcha", "x", None)]));
    let entries: String = (0..59).map(|n| format!("- entry {n} (added: 2026-02-13)\n")).collect();
    write(folder.path(), BACKEND, format!("# Learnings: backend\r\n{}", entries.replace('\n', "\r\n")));
    let said = ok(&reflect(folder.path(), &["--member", "backend", "out.json"]));
    assert!(
        said.ends_with(
            "note: memory/agents/backend/learnings.md has 63 lines, 3 over its limit of 60: run `squad-lint team prune backend`\n"
        ),
        "{said}"
    );
    let text = read(folder.path(), BACKEND);
    assert!(text.ends_with("\r\n\r\n## Gotchas\r\n- x (added: 2026-03-01)\r\n"), "{text}");
    write(folder.path(), "out.json", reflection(&[]).to_string());
    assert_eq!(
        ok(&reflect(folder.path(), &["--member", "backend", "out.json"])),
        "the reflection suggests no learnings\n"
    );
}

/// Real learnings take in what is new, and lose nothing.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_learnings_lose_no_line() {
    let corpus = crate::support::needs("SQUAD_LINT_CORPUS");
    let entries: Vec<_> =
        [SectionKind::CodebasePatterns, SectionKind::Gotchas, SectionKind::Preferences, SectionKind::CrossAgentNotes]
            .map(|kind| (kind, format!("- (from nobody) Quite new for {} (added: 2026-03-01)", kind.name())))
            .to_vec();
    let mut looked_at = 0;
    for path in files_below(&corpus).iter().filter(|path| path.ends_with("learnings.md")) {
        let text = fs::read_to_string(corpus.join(path)).unwrap();
        let merged = merge::merge(&text, &entries).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(merged.added.len(), 4, "{}", path.display());
        let mut left = merged.text.lines();
        for line in text.lines().filter(|line| !line.contains("(none yet)") && !line.trim().is_empty()) {
            assert!(left.any(|other| other == line), "{}: {line}", path.display());
        }
        let parsed = Learnings::parse(&merged.text);
        for (kind, _) in &entries {
            let is_there = parsed.entries_within(*kind).any(|entry| entry.text.of(&merged.text).contains(kind.name()));
            assert!(is_there, "{}: {}", path.display(), kind.name());
        }
        assert_eq!(merge::merge(&merged.text, &entries).unwrap().text, merged.text, "{}", path.display());
        looked_at += 1;
    }
    assert!(looked_at > 0, "no learnings.md in the corpus");
    eprintln!("{looked_at} learnings files");
}
