//! Repairing files: the edits of findings, put together file by file until nothing is left to repair, and files replaced
//! whole or not at all.

pub mod diff;
pub mod edits;
pub mod passes;
