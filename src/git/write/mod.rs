//! The index, written anew under the lock of git.

mod by_git;
pub mod lock;
pub mod restage;
pub mod untrack;
