//! The index, written anew under the lock of git.

mod by_git;
mod error;
pub mod lock;
pub mod restage;
pub mod untrack;
