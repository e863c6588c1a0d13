//! Repairing files: the edits of findings, put together file by file, and files replaced whole or not at all.

pub mod edits;
pub mod write;
