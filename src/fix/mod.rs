//! Fixes: they are applied in memory until none is left, and then written whole or not at all, or shown.

pub mod add_ignore;
pub mod applied;
pub mod apply;
pub mod diff;
pub mod edits;
pub mod groups;
pub mod index;
pub mod left_alone;
mod not_fixed;
pub mod passes;
pub mod problems;
pub mod untrack;
pub mod work_tree;
