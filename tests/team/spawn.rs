use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{TEAM, team};
use crate::support::{squad_lint, stderr, stdout, write};

const LEARNINGS: &str = "memory/agents/backend/learnings.md";

/// Learnings that a heredoc, double quotes or a careless program would not hand on.
const HOSTILE: [&str; 12] = [
    "# Learnings: backend\n\n## Gotchas\n- don't say \"quoted\" (added: 2026-02-13)\n",
    "- $(touch pwned) `touch pwned` ${HOME} $HOME $$ \\$(touch pwned) \\\n",
    "- one\nPROMPT\n)\"\ntouch pwned\n'\nPROMPT\ntouch pwned; #\n",
    "'; touch pwned; '\n'\"'\"'\n''''\n\\'\n",
    "- one\r\n- two\r\n\r\n",
    "- !! !$ !touch ^a^b ! ; history\n",
    "- trailing\n\n\n\n\n",
    "- no line end",
    "",
    "\u{feff}- mark\n\t- tab \u{1b}[31mred\u{7}\u{8}\u{7f}\u{9b}\u{202e}\u{2028}é🚀\n",
    "::error::x\n  ::warning file=a::y\n##[group]z ##vso[task.x]\n%0A::set-output name=a::b\n",
    "*.md ~ ~root {a,b} [a-z]* ?? > pwned | touch pwned & <(touch pwned) =ls %1 -n --help\n",
];

/// A folder with the team, what the member has learned, and a `claude` that writes down its arguments as it gets them.
fn folder(learnings: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", TEAM);
    write(folder.path(), LEARNINGS, learnings);
    let claude = folder.path().join("bin/claude");
    write(folder.path(), "bin/claude", "#!/bin/sh\nprintf '%s\\0' \"$@\" > \"$RECORD\"\n");
    fs::set_permissions(claude, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// What `claude` got when `program` ran with `input` on its standard input.
fn recorded(folder: &Path, program: &str, args: &[&str], input: &[u8]) -> Vec<Vec<u8>> {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let record = folder.join("record");
    let _ = fs::remove_file(&record);
    let mut child = Command::new(program)
        .args(args)
        .current_dir(folder)
        .envs([("PATH", path.as_str()), ("RECORD", record.to_str().unwrap()), ("PROMPT", "no")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program}: {}", stderr(&output));
    assert_eq!(stderr(&output) + &stdout(&output), "", "{program}");
    let mut arguments: Vec<_> = fs::read(record).unwrap().split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
    assert_eq!(arguments.pop(), Some(Vec::new()));
    arguments
}

/// What has to arrive.
fn expected(learnings: &str, task: &str) -> Vec<Vec<u8>> {
    let end = if learnings.is_empty() || learnings.ends_with('\n') { "" } else { "\n" };
    let prompt = format!(
        "# Team Member: backend\nRole: Server logic, it's theirs\nOwns: server/**, *.sql\n\n\
         ## Your Accumulated Learnings\n{learnings}{end}\n## Reflection Protocol\n\
         After completing your task, return structured JSON matching the reflection schema.\n\
         Include honest self-assessment in the reflection section.\n\
         Suggest learnings that should be persisted for future spawns.\n"
    );
    let schema: Value = serde_json::from_slice(&fs::read(schema_path()).unwrap()).unwrap();
    let schema = schema.to_string();
    let arguments = [
        "-p",
        "--append-system-prompt",
        &prompt,
        "--model",
        "opus",
        "--allowedTools",
        "Read,Edit,Bash(git:*)",
        "--permission-mode",
        "dontAsk",
        "--max-budget-usd",
        "0.75",
        "--output-format",
        "json",
        "--json-schema",
        &schema,
        "--no-session-persistence",
        task,
    ];
    arguments.map(|argument| argument.as_bytes().to_vec()).to_vec()
}

fn schema_path() -> std::path::PathBuf {
    crate::support::project().join("docs/reflection.schema.json")
}

#[test]
fn shells_hand_on_every_byte() {
    let task = "fix 'it' $(touch pwned)\nsoon!";
    for learnings in HOSTILE {
        let folder = folder(learnings.as_bytes());
        let output = team(folder.path(), &["spawn", "backend", "--", task]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
        let command = stdout(&output);
        let expected = expected(learnings, task);
        for shell in ["bash", "sh", "dash"] {
            assert!(recorded(folder.path(), shell, &[], &output.stdout) == expected, "{shell}: {learnings:?}");
            assert!(recorded(folder.path(), shell, &["-c", &command], b"") == expected, "{shell} -c: {learnings:?}");
            let eval = ["-c", "eval \"$1\"", "sh", &command];
            assert!(recorded(folder.path(), shell, &eval, b"") == expected, "{shell}, eval: {learnings:?}");
        }
        assert!(!folder.path().join("pwned").exists(), "{learnings:?}");
    }
}

#[test]
fn the_json_array_hands_on_every_byte() {
    let script = "import json, subprocess, sys\nsubprocess.run(json.load(sys.stdin), check=True)";
    for learnings in HOSTILE {
        let folder = folder(learnings.as_bytes());
        let output = team(folder.path(), &["spawn", "backend", "--format", "json", "--", "-x", "y"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let array: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(array[0], json!("claude"));
        let mut expected = expected(learnings, "-x y");
        // Behind two dashes a task is no option.
        expected.insert(expected.len() - 1, b"--".to_vec());
        assert!(recorded(folder.path(), "python3", &["-c", script], &output.stdout) == expected, "{learnings:?}");
    }
}

#[test]
fn what_is_shown_is_harmless() {
    for learnings in HOSTILE {
        let folder = folder(learnings.as_bytes());
        for format in ["shell", "json"] {
            let shown = stdout(&team(folder.path(), &["spawn", "backend", "--format", format]));
            let is_active =
                |c: char| c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{2028}'..='\u{202e}');
            assert!(!shown.contains(is_active), "{shown:?}");
            assert!(!shown.lines().any(|line| line.trim_start().starts_with("::")), "{shown}");
            assert!(!shown.contains("##[") && !shown.contains("##vso["), "{shown}");
        }
    }
}

#[test]
fn what_cannot_be_an_argument_is_told_with_its_place() {
    let folder = folder(b"# Learnings: backend\n- a\0b\n");
    let refused = |says: &[&str]| {
        for format in ["shell", "json"] {
            let output = team(folder.path(), &["spawn", "backend", "--format", format]);
            assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
            let said = stderr(&output);
            assert!(says.iter().all(|part| said.contains(part)), "{said}");
        }
    };
    refused(&["memory/agents/backend/learnings.md:2:4: a NUL byte"]);
    write(folder.path(), LEARNINGS, b"- a\n- caf\xe9\n");
    refused(&["memory/agents/backend/learnings.md:2:6: bytes that are not UTF-8"]);
    write(folder.path(), LEARNINGS, "x".repeat(200_000));
    refused(&["an argument of 200", "more than Linux accepts (131071)", "archive old entries"]);
    fs::remove_file(folder.path().join(LEARNINGS)).unwrap();
    fs::create_dir(folder.path().join(LEARNINGS)).unwrap();
    refused(&["cannot read memory/agents/backend/learnings.md: it is a folder"]);
    fs::remove_dir(folder.path().join(LEARNINGS)).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join(LEARNINGS)).unwrap();
    refused(&["a symbolic link leads out of the repository"]);
    fs::remove_file(folder.path().join(LEARNINGS)).unwrap();
    let output = team(folder.path(), &["spawn", "backend"]);
    assert!(stdout(&output).contains("## Your Accumulated Learnings\n(none yet)\n"), "{}", stderr(&output));
}

#[test]
fn what_the_manifest_lacks() {
    let folder = folder(b"");
    let said = |args: &[&str]| {
        let output = squad_lint(folder.path()).args(["team", "spawn"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    assert!(said(&["backnd"]).contains("did you mean `backend`?"));
    for (old, new, says) in [
        ("name: frontend", "name: ../x", "`../x` is not a valid folder name"),
        ("    role: \"What people see\"\n", "", "the member `frontend` has no `role`"),
        ("    tools: [Read]\n", "    budget: -1\n", "the budget of `frontend` is -1"),
        ("What people see", "a\\0b", "the manifest has a NUL byte"),
    ] {
        let manifest = TEAM.replacen(old, new, 1);
        assert_ne!(manifest, TEAM);
        write(folder.path(), ".claude/team.yaml", manifest);
        let name = if new.contains("../x") { "../x" } else { "frontend" };
        let said = said(&[name]);
        assert!(said.contains(says), "{said}");
    }
}
