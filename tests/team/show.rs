use std::fs;

use serde_json::{Value, json};

use super::{TEAM, team};
use crate::support::{run_git, stderr, stdout, write};

fn folder(manifest: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", manifest);
    folder
}

#[test]
fn a_table_says_what_comes_from_where() {
    let folder = folder(TEAM);
    let output = team(folder.path(), &["show"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let expected = "\
shop: A shop
.claude/team.yaml

member    model              budget           permission mode     tools  owns
backend   opus               0.75 (defaults)  dontAsk (built-in)  3      2
frontend  sonnet (built-in)  0.75 (defaults)  dontAsk (built-in)  1      1
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_member_is_shown_with_the_lines_of_its_values() {
    let folder = folder(TEAM);
    let output = team(folder.path(), &["show", "backend"]);
    let expected = "\
backend: Server logic, it's theirs

model            opus      member, .claude/team.yaml:10
budget           0.75 USD  defaults, .claude/team.yaml:5
permission-mode  dontAsk   built-in
tools            Read
                 Edit
                 Bash(git:*)
owns             server/**
                 *.sql
learnings        memory/agents/backend/learnings.md
";
    assert_eq!((stdout(&output).as_str(), stderr(&output)), (expected, String::new()));
}

#[test]
fn programs_get_it_as_json() {
    let folder = folder(TEAM);
    let shown = |args: &[&str]| {
        let output = team(folder.path(), &[&["show", "--format", "json"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let all = shown(&[]);
    assert_eq!((&all["manifest"], &all["team"]), (&json!(".claude/team.yaml"), &json!("shop")));
    assert_eq!(all["members"].as_array().map(Vec::len), Some(2));
    let one = shown(&["frontend"]);
    let expected = json!({
        "name": "frontend",
        "role": "What people see",
        "model": {"value": "sonnet", "origin": "built-in", "line": null},
        "budget": {"value": 0.75, "origin": "defaults", "line": 5},
        "permission-mode": {"value": "dontAsk", "origin": "built-in", "line": null},
        "tools": ["Read"],
        "owns": ["web/**"],
        "learnings": "memory/agents/frontend/learnings.md",
    });
    assert_eq!((&one["members"], &all["members"][1]), (&json!([expected]), &expected));
}

#[test]
fn what_is_not_said_is_not_made_up() {
    let folder = folder("team: x\nmembers:\n  - role: \"a\\e[31mb\"\n  - {name: a/b, tools: [], budget: 0.125}\n");
    let output = team(folder.path(), &["show"]);
    let expected = "\
x
.claude/team.yaml

member     model              budget           permission mode     tools  owns
(no name)  sonnet (built-in)  0.50 (built-in)  dontAsk (built-in)  -      -
a/b        sonnet (built-in)  0.125            dontAsk (built-in)  0      -
";
    assert_eq!(stdout(&output), expected);
    let member = stdout(&team(folder.path(), &["show", "a/b"]));
    assert!(member.contains("tools            nothing\nowns             not said\n"), "{member}");
    assert!(!member.contains("learnings"), "{member}");
    let json = stdout(&team(folder.path(), &["show", "--format", "json"]));
    assert!(!json.contains('\u{1b}') && json.contains("a\\u001b[31mb"), "{json}");
    let folder = self::folder("team: x\nmembers: []\n");
    assert_eq!(stdout(&team(folder.path(), &["show"])), "x\n.claude/team.yaml\n\nno members\n");
}

#[test]
fn what_cannot_be_shown_says_what_to_do() {
    let refused = |folder: &tempfile::TempDir, args: &[&str], words: &[&str]| {
        let output = team(folder.path(), args);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{}", stderr(&output));
        for word in words {
            assert!(stderr(&output).contains(word), "{word}: {}", stderr(&output));
        }
    };
    refused(&folder(TEAM), &["show", "backnd"], &["unknown member `backnd`", "did you mean `backend`?"]);
    refused(&folder(TEAM), &["show", "nobody-knows"], &["its members are backend, frontend"]);
    let empty = tempfile::tempdir().unwrap();
    refused(&empty, &["show"], &["no `.claude/team.yaml`", "--manifest FILE"]);
    refused(&folder("team: [a\n"), &["show"], &[".claude/team.yaml:1:7", "squad-lint check"]);
    refused(&folder("repos: []\n"), &["show"], &["is not a manifest of a learning team", "--manifest FILE"]);
    refused(&folder(TEAM), &["show", "--manifest", "other.yaml"], &["other.yaml"]);
}

#[test]
fn in_a_repository_with_two_teams_the_folder_decides() {
    let folder = folder(TEAM);
    run_git(folder.path(), &["init", "-q"]);
    write(folder.path(), "app/.claude/team.yaml", TEAM.replace("shop", "app"));
    fs::create_dir_all(folder.path().join("app/src")).unwrap();
    let head = |at: &str, args: &[&str]| {
        let output = team(&folder.path().join(at), &[&["show"], args].concat());
        stdout(&output).lines().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(head("", &[]), ["shop: A shop", ".claude/team.yaml"]);
    assert_eq!(head("app/src", &[])[1], "app/.claude/team.yaml");
    assert_eq!(head("", &["--manifest", "app/.claude/team.yaml"])[1], "app/.claude/team.yaml");
}
