//! legacy.

crate::family! {}
