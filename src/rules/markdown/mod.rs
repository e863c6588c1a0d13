//! The Markdown that memory files are written in.

mod shared;

crate::family! {
    unclosed_fence
    conflict_marker
    heading_in_fence
    heading_hierarchy
}
