//! markdown.

crate::family! {}
