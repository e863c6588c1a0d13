//! Entries as lists: for people, for programs, for prompts and for tables.

pub mod csv;
pub mod json;
pub mod markdown;
pub mod text;
pub mod whole;
