//! Where a team keeps what: state roots, manifests, and what is left out.

pub mod exclude;
pub mod globs;
pub mod passage;
pub mod roots;
