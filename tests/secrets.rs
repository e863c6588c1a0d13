//! No output has a secret of a file, nor a part of one: not a finding, not a diff, not what another subcommand prints of the file.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{squad_lint, stderr, stdout, write};

/// Letters that follow each other in no alphabet.
const RANDOM: &str = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAe";

/// A part of a secret that no output may have, in bytes.
const PART: usize = 12;

/// Secrets, put together here so that no scanner of a repository finds one; and of each the part that was chosen at random.
fn secrets() -> Vec<(&'static str, String, String)> {
    let part = |len: usize| RANDOM[..len].to_owned();
    let slashes = format!("R7kQ2mZx9LpV4tBn8WcJ+sHy6DfG5gTa1uEiKoNq/XvMrYbPjSwCz{}=", "FhUl0dAe/Hn3".repeat(3));
    let key = format!("{}{}", part(60), &RANDOM[3..7]);
    vec![
        ("github", format!("gh{}_{}", "p", part(36)), part(36)),
        ("aws", format!("AK{}Q3ZK7WPX5MTD2VHB", "IA"), "Q3ZK7WPX5MTD2VHB".to_owned()),
        ("slack", format!("xo{}-271828182845-3141592653589-{}", "xb", part(24)), part(24)),
        (
            "azure",
            format!("Account{}={}", "Key", &slashes[..88].replace('=', "a")[..87]) + "=",
            slashes[..80].to_owned(),
        ),
        ("web", format!("eyJhbGciOiJIUzI1NiJ9.ey{}.{}", "JzdWIiOiI3MSJ9", part(43)), part(43)),
        ("sendgrid", format!("S{}.{}.{}", "G", part(22), part(43)), part(43)),
        ("gitlab", format!("gl{}-{}.01.{}", "pat", part(27), "1x7k2m9qz"), part(27)),
        ("aws-secret", format!("aws_secret_access_key={}/{}", &RANDOM[..20], &RANDOM[20..39]), part(20)),
        ("key", format!("-----BEGIN PRIVATE {}----- {key} {key} -----END PRIVATE KEY-----", "KEY"), key),
    ]
}

/// Puts `secret` into each place of the files of a team that takes a text.
fn plant(folder: &Path, secret: &str) {
    let quoted = json!(secret).to_string();
    let session = ".squad/sessions/s1";
    let put = |path: &str, text: &str| write(folder, path, text.replace("SECRET", secret).replace("QUOTED", &quoted));
    put(
        &format!("{session}/session-status.md"),
        "session_id: QUOTED\nstarted_at: QUOTED\nstatus: QUOTED\nphase: QUOTED\nagents_active: [QUOTED]\ntasks_total: QUOTED\n\
         tasks_completed: 0\nvalidation_gates: QUOTED\n",
    );
    let plan = |agent: &str, task: &str, globs: &str| {
        format!(
            "meta:\n  task_id: {task}\n  agent: {agent}\n  instance: {agent}\n  created_at: 2026-02-28T23:28:00Z\n  priority: {agent}\n\
             dependencies:\n  requires: [QUOTED, \"x SECRET\"]\n  blocks: []\ninstruction: QUOTED\nboundaries:\n  allowed:\n    - {globs}\n  \
             forbidden:\n    - {globs}\noutputs:\n  r: \"../x/SECRET\"\nsuccess_criteria:\n  - QUOTED\n"
        )
    };
    put(&format!("{session}/role-plan-backend-task_001.md"), &plan("QUOTED", "QUOTED", "\"src/SECRET/**\""));
    put(&format!("{session}/role-plan-b-task_2.md"), &plan("b", "task_2", "\"/abs/SECRET/**\""));
    put(
        &format!("{session}/role-comm-a-to-b-1.md"),
        "meta:\n  message_id: QUOTED\n  from_agent: QUOTED\n  to_agent: QUOTED\n  created_at: 2026-02-28T23:54:00Z\n  priority: high\n\
         type: question\nsubject: QUOTED\nmessage: QUOTED\nresponse_needed: true\nresponse_by: 2026-02-28T23:58:00Z\n",
    );
    put(
        &format!("{session}/role-comm-b-task_2.md"),
        "meta:\n  task_id: task_2\n  agent: b\n  updated_at: 2026-02-28T23:58:00Z\nstatus: blocked\nprogress_percentage: 50\n\
         current_action: QUOTED\nblockers:\n  - description: QUOTED\n    blocking_since: 2026-02-28T23:58:00Z\n    requires_agent: QUOTED\n",
    );
    put(
        &format!("{session}/locks/x.ts-b-1.lock"),
        "file: QUOTED\nlocked_by: QUOTED\nlocked_at: 2026-02-28T23:53:00Z\nexpires_at: 2026-02-28T23:55:00Z\ntask_id: QUOTED\n\
         operation: QUOTED\n",
    );
    put(
        &format!("{session}/error-b-1.md"),
        "error_id: e\nagent: QUOTED\ntask_id: QUOTED\nseverity: QUOTED\noccurred_at: QUOTED\nQUOTED: QUOTED\nQUOTED: 2\n",
    );
    put(
        &format!("{session}/broadcast-x.md"),
        "phase: QUOTED\ntimestamp: QUOTED\nagents_activate: [QUOTED]\nx: [\n  SECRET\n",
    );
    put(
        ".squad/decisions.md",
        "# Decisions\n\n### 2026-02-01: SECRET\n**By:** SECRET\n**What:** \u{200b}SECRET  \n\n### 2026-02-01: SECRET\n**By:** SECRET\n\
         **What:** _SECRET_ and SECRET-old\n\n### 2026-02-15T14:32:15-0800: SECRET: SECRET\n\n**type:** SECRET  \n**timestamp:** SECRET  \n\
         **author:** SECRET  \n**scope:** SECRET  \n**summary:** SECRET  \n**supersedes:** SECRET\n\n---\n",
    );
    put(
        ".squad/team.md",
        "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n|---|---|---|---|\n| SECRET | SECRET | \
         `.squad/agents/SECRET/charter.md` | SECRET |\n| Keaton | SECRET | `.squad/agents/keaton/charter.md` | Active |\n",
    );
    put(
        ".squad/routing.md",
        "# Routing\n\n## Routing Table\n\n| Work Type | Route To | Examples |\n|---|---|---|\n| SECRET | SECRET | SECRET |\n",
    );
    put(
        ".squad/agents/keaton/charter.md",
        "# Keaton — SECRET\n\n## Identity\n\n- **Name:** SECRET\n- **Role:** SECRET\n",
    );
    put(
        ".squad/agents/keaton/history.md",
        "# Keaton\n\n## Learnings\n\n- SECRET at /home/kim/SECRET\n- One\u{200b} SECRET\n",
    );
    put(
        ".squad/casting/registry.json",
        "{\"agents\": {QUOTED: {\"status\": QUOTED, \"persistent_name\": QUOTED}}}xSECRET",
    );
    put(
        ".claude/team.yaml",
        "name: QUOTED\nmembers:\n  - name: kim\n    role: QUOTED\n    model: QUOTED\n    owns: [\"src/SECRET/**\"]\n    tools: [QUOTED]\n  \
         - name: QUOTED\n    expertise: QUOTED\nSECRET: [\n",
    );
    put(
        "memory/agents/kim/learnings.md",
        "# Learnings\n\n## Core\n\n- SECRET (added: 2026-02-13)\n- SECRET (added: SECRET)\n",
    );
    let bundle = |history: &str| {
        json!({
            "squad_format_version": "1.0", "exported_at": secret, "exported_from": { "project": secret, "owner": secret },
            "casting": { "registry": { "agents": { secret: { "persistent_name": secret, "status": secret } } }, "policy": { secret: secret } },
            "agents": { "keaton": { "charter": format!("# {secret}\n"), "history": history }, secret: { "charter": secret } },
            "team": format!("# Team\n\n## Members\n\n| Name |\n|---|\n| {secret} |\n"), "routing": secret, "ceremonies": null,
        })
        .to_string()
    };
    write(folder, "a.squad", bundle(&format!("# H\n\n## {secret}\n\n- {secret}\n")));
    write(folder, "b.squad", bundle(&format!("# H\n\n## Other {secret}\n\n- {secret} {secret}\n")));
    if !secret.contains(['/', ' ', '=']) {
        put(&format!("{session}/role-comm-{secret}-task_9.md"), "meta:\n  task_id: QUOTED\n");
        put(&format!(".squad/agents/{secret}/history.md"), "# SECRET\n");
        put(&format!(".squad/decisions/inbox/{secret}.md"), "SECRET\n");
    }
}

/// What prints texts of files. `SECRET` is a word that the user writes.
const COMMANDS: [&str; 42] = [
    "check --no-config --root . --min-severity info --show-all --format text",
    "check --no-config --root . --min-severity info --show-all --format compact",
    "check --no-config --root . --min-severity info --show-all --format json",
    "check --no-config --root . --min-severity info --show-all --format sarif",
    "check --no-config --root . --min-severity info --show-all --format github",
    "check --no-config --root . --min-severity info --show-all --format gitlab",
    "check --no-config --root . --min-severity info --show-all --format junit",
    "check --no-config --root . --min-severity info --show-all --format checkstyle",
    "check --no-config --root . --min-severity info --show-all --format rdjson",
    "check --no-config --root . --min-severity info --show-all --format summary",
    "check --no-config --root . --color always -v",
    "check --no-config --root . --statistics",
    "check --no-config --root . --diff --unsafe-fixes",
    "check --no-config a.squad b.squad",
    "check --no-config SECRET",
    "check --select SECRET",
    "explain SECRET",
    "session status",
    "session status --format json",
    "session graph",
    "session graph --format dot",
    "session graph --format svg",
    "session clean --diff",
    "session lock src/x --agent SECRET --format json",
    "session unlock src/x --agent SECRET",
    "memory",
    "memory --format json",
    "memory show 2026-02-15T14:32:15-0800",
    "memory brief --for Keaton",
    "memory brief --for SECRET --format json",
    "memory add --type SECRET --author SECRET --summary SECRET --diff",
    "health",
    "health --format json",
    "stats",
    "stats --format json",
    "convert --diff",
    "convert --dry-run --format json",
    "charter",
    "bundle export",
    "bundle diff a.squad b.squad",
    "bundle diff a.squad b.squad --format json",
    "team show",
];

/// These come after the others: they change files, or are about another folder.
const LAST: [&str; 4] = [
    "bundle import --root new --diff --allow-findings a.squad",
    "team spawn kim look at SECRET",
    "check --no-config --root . --fix --unsafe-fixes",
    "check --no-config --root . --add-ignore",
];

#[test]
fn no_command_prints_a_secret_or_a_part_of_one() {
    let run = |(kind, secret, random): &(&str, String, String)| {
        let folder = tempfile::tempdir().unwrap();
        plant(folder.path(), secret);
        fs::create_dir(folder.path().join("new")).unwrap();
        let mut leaks = Vec::new();
        let mut silent = 0;
        for command in COMMANDS.iter().chain(&LAST) {
            let words = command.split(' ').map(|word| word.replace("SECRET", secret));
            let output = squad_lint(folder.path()).args(words).args(["--now", "2026-03-01"]).output().unwrap();
            let mut printed = stdout(&output) + &stderr(&output);
            silent += usize::from(printed.is_empty());
            printed = anstream::adapter::strip_str(&printed).to_string();
            let parts = (0..=random.len() - PART).map(|at| &random[at..at + PART]);
            let leak = parts.clone().find(|part| printed.contains(part) || printed.contains(&part.to_lowercase()));
            let line =
                leak.and_then(|leak| printed.lines().find(|line| line.to_lowercase().contains(&leak.to_lowercase())));
            leaks.extend(line.map(|line| format!("{kind}: {command}: {line}")));
        }
        assert!(silent < 5, "{kind}: {silent} commands printed nothing");
        leaks
    };
    let secrets = secrets();
    let (one, other) = secrets.split_at(secrets.len() / 2);
    let leaks: Vec<String> = std::thread::scope(|scope| {
        let threads = [one, other].map(|half| scope.spawn(move || half.iter().flat_map(run).collect::<Vec<_>>()));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn a_masked_diff_says_so_and_is_refused_by_git() {
    let folder = tempfile::tempdir().unwrap();
    let (_, secret, _) = secrets().remove(0);
    let text = format!("# Decisions\n\n### 2026-02-01: Deploy\n**By:** Keaton\n**What:** a\u{200b} {secret}\n");
    write(folder.path(), ".squad/decisions.md", &text);
    let args = ["check", "--no-config", "--diff", "--unsafe-fixes", "--select", "security"];
    let output = squad_lint(folder.path()).args(args).output().unwrap();
    let diff = stdout(&output);
    assert!(
        diff.starts_with("The diff below has asterisks in place of secrets: do not apply it.\ndiff --git "),
        "{diff}"
    );
    assert!(diff.contains(&format!("-**What:** a\u{200b} {}\n", "*".repeat(secret.len()))), "{diff}");
    write(folder.path(), "masked.diff", &diff);
    let applied = crate::support::git(folder.path()).args(["apply", "masked.diff"]).output().unwrap();
    assert!(!applied.status.success());
    assert_eq!(fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap(), text);
    let fixed = squad_lint(folder.path()).args(["check", "--no-config", "--fix", "--unsafe-fixes"]).output().unwrap();
    assert!(!stdout(&fixed).contains(&secret));
    let fixed = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
    assert_eq!(fixed, text.replace('\u{200b}', ""), "the file itself keeps its secret");
}
