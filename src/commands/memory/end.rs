//! The end of a question: what could not be read.

use crate::commands::Exit;
use crate::engine::{Outcome, unread};
use crate::terminal::Terminal;

/// Says what could not be read. The history is there if `is_known`.
pub(super) fn end(exit: Exit, outcome: &Outcome, is_known: bool, terminal: Terminal) -> Exit {
    if let Some(hint) = &outcome.elsewhere {
        terminal.note(&format!("note: {hint}"));
    }
    unread::say(outcome, terminal);
    if outcome.failures.is_empty() && is_known { exit } else { Exit::Incomplete }
}
