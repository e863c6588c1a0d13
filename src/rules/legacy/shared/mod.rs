//! What rules of this family say.

pub mod missing;
