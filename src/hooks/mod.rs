//! Where findings meet the writing: the hooks of agents' harnesses, and git hooks.

pub mod agent;
pub mod git_hooks;
pub mod settings;
