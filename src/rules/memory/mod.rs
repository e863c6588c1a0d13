//! memory.

crate::family! {}
