//! What is read from git, in real repositories made by the real `git` in temporary folders.

mod support;

#[path = "git/blame.rs"]
mod blame;
#[path = "git/history.rs"]
mod history;
#[path = "git/range.rs"]
mod range;
#[path = "git/staged.rs"]
mod staged;
