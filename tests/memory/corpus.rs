//! Real repositories: a brief stays in its budget for every agent, and queries find what an independent script finds.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use serde_json::Value;

use crate::support::{needs, needs_program, project, squad_lint, stderr, stdout};

pub(super) fn repositories() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(needs("SQUAD_LINT_CORPUS")).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    all
}

fn ask(folder: &Path, args: &[&str]) -> String {
    let output = squad_lint(folder).args(args).args(["--root", ".", "--now", "2026-06-01"]).output().unwrap();
    assert!(output.status.success(), "{}: {args:?}: {}", folder.display(), stderr(&output));
    stdout(&output)
}

fn entries(folder: &Path, args: &[&str]) -> Vec<Value> {
    let text = ask(folder, &[&["memory"], args, &["--format", "jsonl"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every agent whose own files are read.
fn agents(all: &[Value]) -> BTreeSet<String> {
    let agent = |entry: &Value| {
        let path = entry["path"].as_str().unwrap();
        let (_, rest) = path.split_once("agents/")?;
        let rest = rest.strip_prefix("_alumni/").unwrap_or(rest);
        rest.split_once('/').map(|(name, _)| name.to_owned())
    };
    all.iter().filter_map(agent).collect()
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn a_real_brief_is_never_over_its_budget() {
    let briefs = repositories().into_par_iter().map(|folder| {
        let agents = agents(&entries(&folder, &[]));
        for agent in &agents {
            for budget in [60, 500, 4_000] {
                let budget_text = budget.to_string();
                let args = [
                    "memory",
                    "brief",
                    "--for",
                    agent,
                    "--budget",
                    &budget_text,
                    "--about",
                    "src/index.ts",
                    "--format",
                    "json",
                ];
                let brief: Value = serde_json::from_str(&ask(&folder, &args)).unwrap();
                let text = brief["markdown"].as_str().unwrap();
                let tokens = squad_lint::text::tokens::Tokens::of(text).count();
                assert!(tokens <= budget, "{} {agent}: {tokens} of {budget}", folder.display());
                assert_eq!(brief["tokens"], tokens);
            }
        }
        agents.len()
    });
    let briefs: usize = briefs.sum();
    assert!(briefs > 100, "{briefs} agents");
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS, python3"]
fn real_queries_find_what_an_independent_script_finds() {
    needs_program("python3");
    let script = project().join("tests/memory/query.py");
    let compared = repositories().into_par_iter().map(|folder| {
        let mut python = Command::new("python3");
        python.arg(&script).arg(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut python = python.spawn().unwrap();
        let all = ask(&folder, &["memory", "--format", "jsonl"]);
        python.stdin.take().unwrap().write_all(all.as_bytes()).unwrap();
        let output = python.wait_with_output().unwrap();
        assert!(output.status.success(), "{}: {}", folder.display(), stderr(&output));
        let answers: Value = serde_json::from_slice(&output.stdout).unwrap();
        let answers = answers.as_array().unwrap();
        for answer in answers {
            let args: Vec<&str> = answer["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
            let place = |entry: &Value| format!("{}:{}", entry["path"].as_str().unwrap(), entry["line"]);
            let found: BTreeSet<String> = entries(&folder, &args).iter().map(place).collect();
            let expected: BTreeSet<String> =
                answer["places"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect();
            let differ: Vec<&String> = found.symmetric_difference(&expected).take(5).collect();
            assert!(differ.is_empty(), "{} {args:?}: {differ:?}", folder.display());
        }
        answers.len()
    });
    let compared: usize = compared.sum();
    assert!(compared > 200, "{compared} queries");
}
