//! `session`: locks of agents, how far a session is, and what is left of it.

mod archive;
mod clean;
mod contention;
mod graph;
mod locks;
mod status;
mod unclear;
mod waiting;

use std::path::Path;
use std::process::Output;

use crate::support::{squad_lint, write};
use tempfile::TempDir;

/// The moment of the runs that do not wait.
const NOW: &str = "2024-01-15T10:37:00Z";

/// The folder of the session.
const SESSION: &str = ".squad/sessions/2024-01-15T10-00-00";

/// A folder with one active session.
fn session() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), format!("{SESSION}/session-status.md"), status("active"));
    folder
}

fn status(state: &str) -> String {
    format!(
        "session_id: sess_1705312800_a1b2\nstarted_at: 2024-01-15T10:00:00Z\nstatus: {state}\nphase: implementation\n\
         agents_active:\n  - frontend[1]\n  - backend\ntasks_total: 3\ntasks_completed: 1\nvalidation_gates:\n  \
         requirements: passed\n  design: passed\n  implementation: in_progress\n  quality: pending\n"
    )
}

/// Runs `session` with these arguments at [`NOW`], or at the moment that they name.
fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = squad_lint(folder);
    command.arg("session").args(args);
    if !args.contains(&"--now") {
        command.args(["--now", NOW]);
    }
    command.output().unwrap()
}
