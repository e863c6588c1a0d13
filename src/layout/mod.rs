//! Where a team keeps what: state roots, the kinds of files in them, and what is left out.

pub mod exclude;
pub mod globs;
pub mod passage;
pub mod role;
