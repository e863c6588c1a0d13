//! What memory can do to those who run it.

crate::family! {
    spawn_injection
    heredoc_breakout
}
