//! Where findings meet the writing: the hooks of agents' harnesses, and git hooks.

pub mod agent;
pub mod git_hooks;
pub mod settings;

use std::env;

/// Whether a shell finds this program.
fn is_on_path() -> bool {
    let name = format!("squad-lint{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}
