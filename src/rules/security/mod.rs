//! What memory can do to those who run it.

mod shared;

crate::family! {
    secret
    hidden_unicode
    terminal_escape
    email
    spawn_injection
    heredoc_breakout
}
