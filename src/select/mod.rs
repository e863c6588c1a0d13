//! Which files are read.

pub mod changes;
mod folder;
pub mod growth;
pub mod history;
mod ignored;
pub mod input;
mod link;
pub mod listed;
pub mod notes;
pub mod paths;
pub mod read_error;
pub mod repository;
pub mod revision;
pub mod selected;
pub mod skipped;
pub mod state_branch;
pub mod stdin;
pub mod tracked;
mod walk;
pub mod workflow;
pub mod worktree;
pub mod written;
