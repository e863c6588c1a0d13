//! Imports that are killed, and imports at once: the whole squad is there or none, and the next import succeeds and leaves nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;

use super::{NOW, bundle, contents, portable, project_in};
use crate::support::sample::Rng;
use crate::support::{rounds, run_git, squad_lint, stderr, write};

/// A squad of so many agents takes a while to write.
const AGENTS: usize = 24;

fn start(project: &Path) -> Child {
    let mut command = squad_lint(project);
    command.args(["bundle", "import", "../team.squad"]).args(NOW).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// What is in `project` beside the squad and git.
fn others(project: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(project).unwrap().map(|entry| entry.unwrap().file_name());
    entries.filter(|name| name != ".squad" && name != ".git").map(PathBuf::from).collect()
}

#[test]
fn killed_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    run_git(&project, &["init", "--quiet"]);
    let mut squad = portable();
    for number in 0..AGENTS {
        let name = format!("agent-{number}");
        squad["agents"][&name] = json!({ "charter": "# A — B\n", "history": "- Learned.\n".repeat(100) });
    }
    write(folder.path(), "team.squad", squad.to_string());

    let started = Instant::now();
    assert!(start(&project).wait().unwrap().success());
    let mut whole_run = started.elapsed();
    let whole = contents(&project.join(".squad"));
    assert!(whole.len() > AGENTS && others(&project).is_empty(), "{:?}", others(&project));

    let mut rng = Rng(18);
    let (mut killed, mut left, mut moved) = (0, 0, 0);
    let rounds = rounds(200);
    for round in 0..rounds {
        fs::remove_dir_all(project.join(".squad")).unwrap();
        let started = Instant::now();
        let mut child = start(&project);
        // Any moment of a run, and every other time one while it writes.
        while round % 2 == 1 && others(&project).is_empty() && child.try_wait().unwrap().is_none() {}
        let delay = whole_run.as_micros() as usize * rng.below(1100) / 1000;
        std::thread::sleep(Duration::from_micros(delay as u64));
        // SIGKILL on Unix.
        let _ = child.kill();
        let ended = child.wait().unwrap().success();
        killed += usize::from(!ended);
        // On a busy machine the first run may have taken much longer than the others.
        whole_run = if ended { whole_run.min(started.elapsed()) } else { whole_run };

        let is_moved = project.join(".squad").exists();
        if is_moved {
            assert_eq!(contents(&project.join(".squad")), whole, "round {round}");
        }
        let leftovers = others(&project);
        assert!(leftovers.len() <= 1, "round {round}: {leftovers:?}");
        left += leftovers.len();
        moved += usize::from(is_moved);
        if !is_moved {
            // What was left is no state, and git does not see it.
            let status = run_git(&project, &["status", "--porcelain", "--untracked-files=all"]);
            let lines: BTreeSet<&str> = status.lines().filter(|line| !line.ends_with("/.gitignore")).collect();
            assert!(lines.is_empty(), "round {round}: {lines:?}");
        }
        let output = bundle(&project, &[&["import", "../team.squad"], &NOW[..]].concat());
        match is_moved {
            true => assert!(stderr(&output).contains("there is a squad already"), "round {round}: {}", stderr(&output)),
            false => assert!(output.status.success(), "round {round}: {}", stderr(&output)),
        }
        assert_eq!(contents(&project.join(".squad")), whole, "round {round}");
        assert!(others(&project).is_empty(), "round {round}: {:?}", others(&project));
    }
    eprintln!("{killed} of {rounds} imports died, {left} of them left something, {moved} squads were there");
    assert!(killed > rounds / 5 && left > 0, "only {killed} of {rounds} imports died, and {left} left something");
}

#[test]
fn of_several_imports_at_once_one_makes_the_squad() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    write(folder.path(), "team.squad", portable().to_string());
    let outputs: Vec<_> =
        (0..8).into_par_iter().map(|_| bundle(&project, &[&["import", "../team.squad"], &NOW[..]].concat())).collect();
    assert_eq!(outputs.iter().filter(|output| output.status.success()).count(), 1);
    for output in outputs.iter().filter(|output| !output.status.success()) {
        assert!(stderr(output).contains("there is a squad already"), "{}", stderr(output));
    }
    assert!(others(&project).is_empty(), "{:?}", others(&project));
}
