//! Imports that are killed, and imports at once: the whole squad is there or none, and the next import succeeds and leaves nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
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

/// Writes a bundle with so many agents more.
fn write_squad(folder: &Path, agents: usize) {
    let mut squad = portable();
    for number in 0..agents {
        let name = format!("agent-{number}");
        squad["agents"][&name] = json!({ "charter": "# A — B\n", "history": "- Learned.\n".repeat(100) });
    }
    write(folder, "team.squad", squad.to_string());
}

/// Signals that end a program: the terminal, another program, the system.
const SIGNALS: [Signal; 6] =
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGXCPU, Signal::SIGUSR1];

#[test]
fn a_signal_at_any_moment_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    // It takes long enough to be met by most of the signals.
    write_squad(folder.path(), 2 * AGENTS);
    let started = Instant::now();
    assert!(start(&project).wait().unwrap().success());
    let whole_run = started.elapsed().as_micros() as usize;
    let whole = contents(&project.join(".squad"));
    let mut rng = Rng(60);
    let (mut in_the_midst, mut ended) = (0, 0);
    let rounds = rounds(120);
    for round in 0..rounds {
        fs::remove_dir_all(project.join(".squad")).ok();
        let signal = SIGNALS[round % SIGNALS.len()];
        let mut child = start(&project);
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        // Any moment of a run, and most times one while it writes.
        let is_writing = round % 4 > 0;
        while is_writing && others(&project).is_empty() && child.try_wait().unwrap().is_none() {}
        let most = if is_writing { whole_run / 2 } else { whole_run };
        std::thread::sleep(Duration::from_micros(rng.below(most) as u64));
        in_the_midst += usize::from(!others(&project).is_empty());
        // One that has ended and was asked about is no process any more.
        if child.try_wait().unwrap().is_none() {
            kill(pid, signal).unwrap();
            // A second one while it removes what it wrote, as from somebody without patience.
            if round % 3 == 0 {
                kill(pid, signal).unwrap();
            }
        }
        let status = child.wait().unwrap();
        ended += usize::from(!status.success());
        assert!(status.success() || status.signal() == Some(signal as i32), "round {round}: {status}");
        assert!(others(&project).is_empty(), "round {round}, {signal}: {:?}", others(&project));
        let found = project.join(".squad").exists().then(|| contents(&project.join(".squad")));
        assert!(found.as_ref().is_none_or(|found| *found == whole), "round {round}: a part of the squad");
        assert!(found.is_some() || !status.success(), "round {round}: no squad");
    }
    eprintln!("{ended} of {rounds} imports were ended, {in_the_midst} while they wrote");
    assert!(in_the_midst > rounds / 6 && ended > rounds / 5, "{in_the_midst} and {ended} of {rounds}");
}

/// What the caller has the program ignore is ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_ends_no_import() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    write_squad(folder.path(), AGENTS);
    let program = squad_lint(&project);
    let mut child = Command::new("sh");
    child.current_dir(&project).args(["-c", "trap '' HUP; exec \"$0\" bundle import ../team.squad"]);
    let mut child = child.arg(program.get_program()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while others(&project).is_empty() && child.try_wait().unwrap().is_none() {}
    let _ = kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGHUP);
    assert!(child.wait().unwrap().success());
    assert!(project.join(".squad/agents/agent-1/charter.md").exists() && others(&project).is_empty());
}

/// A file that is larger than the system allows is an error, as a disk that is full is: no signal ends the program.
#[test]
fn a_limit_for_files_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut squad = portable();
    squad["agents"]["keaton"]["history"] = json!("- Learned.\n".repeat(10_000));
    write(folder.path(), "team.squad", squad.to_string());
    let program = squad_lint(&project);
    for blocks in ["0", "8"] {
        let mut limited = Command::new("sh");
        limited.current_dir(&project).args(["-c", "ulimit -f \"$1\" && exec \"$0\" bundle import ../team.squad"]);
        let output = limited.arg(program.get_program()).arg(blocks).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}: {}", output.status, stderr(&output));
        assert!(stderr(&output).contains("cannot write the squad"), "{}", stderr(&output));
        assert!(others(&project).is_empty() && !project.join(".squad").exists());
    }
}

#[test]
fn killed_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    run_git(&project, &["init", "--quiet"]);
    write_squad(folder.path(), AGENTS);

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
