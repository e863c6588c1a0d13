//! What rules of this family compare.

pub mod audit;
pub mod audit_text;
pub mod changed;
pub mod empty;
pub mod file;
pub mod index;
pub mod listed;
pub mod lost;
pub mod naming;
pub mod removed;
