//! What memory can do to those who run it.

crate::family! {
    heredoc_breakout
    spawn_injection
}
