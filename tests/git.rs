//! What is read from git, in real repositories made by the real `git` in temporary folders.

mod blame;
mod environment;
mod history;
mod range;
mod staged;
