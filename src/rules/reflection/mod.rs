//! Reflections: what a member of a learning team returns (seed 004, "Reflection Schema").

crate::family! {
    invalid
    unknown_target
    blocked_without_reason
    path_escape
}
