//! What the rules of this family share.

pub mod fences;
