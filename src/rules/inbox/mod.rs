//! inbox.

crate::family! {}
