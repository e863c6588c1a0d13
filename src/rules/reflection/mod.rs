//! Reflections: what a member of a learning team returns after a task.

crate::family! {
    invalid
    unknown_target
    blocked_without_reason
    path_escape
}
