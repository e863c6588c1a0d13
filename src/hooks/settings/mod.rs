//! The settings of agents' harnesses: `install --agents` writes our entries into them, and `uninstall --agents` takes these out.

mod edit;
mod file;
pub mod install;
mod json;
pub mod uninstall;
