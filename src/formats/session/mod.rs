//! The files of a session, by which a running team of agents works together. See `docs/formats/sessions.md`.
//!
//! [`SessionFile::parse`] reads one file: raw YAML, or one fenced block of it. Nothing here knows a file system or a rule.

mod block;
pub mod boundaries;
mod check;
mod detect;
pub mod field;
mod file;
pub mod graph;
mod kind;
pub mod locks;
mod meant;
pub mod model;
pub mod name;
pub mod overlaps;
mod problem;
mod read;
mod reader;
mod shape;
mod summary;
mod template;
mod value;

pub use file::SessionFile;
pub use kind::{Kind, Named};
pub use problem::{Fault, Problem};
pub use summary::{Agents, Presence, Summary};
pub use template::is_template;

#[cfg(test)]
mod tests;
