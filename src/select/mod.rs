//! Which files are read.

pub mod changes;
pub mod history;
pub mod input;
pub mod listed;
pub mod paths;
pub mod repository;
pub mod selected;
pub mod stdin;
pub mod tracked;
pub mod workflow;
pub mod worktree;
