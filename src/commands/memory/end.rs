//! What is said beside the answer to a question: where its files are, and which could not be read.

use crate::commands::Exit;
use crate::engine::session::Session;
use crate::engine::{Outcome, unread};
use crate::terminal::Terminal;

/// Says what is to know of the files of `session`.
pub(super) fn note(session: &Session<'_>, terminal: Terminal) {
    if let Some(note) = session.note() {
        terminal.note(&format!("note: {note}"));
    }
}

/// Says what could not be read. The history is there if `is_known`.
pub(super) fn end(exit: Exit, outcome: &Outcome, is_known: bool, terminal: Terminal) -> Exit {
    if let Some(hint) = &outcome.elsewhere {
        terminal.note(&format!("note: {hint}"));
    }
    unread::say(outcome, terminal);
    if outcome.failures.is_empty() && is_known { exit } else { Exit::Incomplete }
}
