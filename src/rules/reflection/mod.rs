//! Reflections: what a member of a learning team returns (seed 004, "Reflection Schema").

crate::family! {
    invalid
    blocked_without_reason
    path_escape
}
