//! The index, written anew under the lock of git.

pub mod lock;
pub mod restage;
pub mod untrack;
