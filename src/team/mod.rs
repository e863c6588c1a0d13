//! Work on a learning team: spawning its members, and keeping what they learn. See `docs/formats/learning-teams.md`.

pub mod add;
pub mod farewell;
pub mod learned;
pub mod merge;
pub mod owners;
pub mod prune;
pub mod reflect;
pub mod remove;
pub mod seed;
pub mod shell;
pub mod show;
pub mod spawn;
pub mod spawning;
pub mod workspace;

/// Whether the name of a member is that of a folder, so that its files lie where they belong.
pub fn is_folder_name(name: &str) -> bool {
    let is_special = matches!(name, "" | "." | "..");
    !is_special && !name.contains(['/', '\\', '\0', ':'])
}
