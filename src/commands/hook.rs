//! `hook`: answers an event of an agent's harness in the words of that harness.

use std::io::{IsTerminal, Write};

use super::{CliError, Exit};
use crate::cli::agents::HookArgs;
use crate::errors::show_error;
use crate::hooks::agent::answer::Answer;
use crate::hooks::agent::run::answer;
use crate::terminal::Terminal;
use crate::text::mask::masked;

/// `hook` without an event.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot answer an event: standard input is a terminal")]
#[diagnostic(help(
    "`squad-lint install --agents` makes the harnesses of agents run `squad-lint hook`, and write events to it"
))]
struct NoEvent;

/// Answers the event on standard input. No error ends with 2, which harnesses take for findings, and some for a reason not to
/// stop.
pub fn run(args: &HookArgs, terminal: Terminal) -> Exit {
    let stdin = std::io::stdin().lock();
    let answered = if stdin.is_terminal() { Err(NoEvent.into()) } else { answer(args.harness, stdin) };
    let written = answered.and_then(|answer| match answer {
        Answer::Nothing => Ok(Exit::Clean),
        Answer::Output(json) => {
            std::io::stdout().lock().write_all(masked(&json).as_bytes()).map(|()| Exit::Clean).map_err(CliError::Output)
        }
        Answer::Error(text) => std::io::stderr()
            .lock()
            .write_all(masked(&text).as_bytes())
            .map(|()| Exit::ForAgent)
            .map_err(CliError::Output),
    });
    written.unwrap_or_else(|error| {
        if let CliError::Error(error) = error {
            show_error(terminal, &*error);
        }
        Exit::Unchecked
    })
}
