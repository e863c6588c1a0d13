//! One file a subcommand, and what they share: exit codes.

pub mod check;
pub mod completions;
pub mod config;
pub mod convert;
mod exit;
pub mod explain;
mod finish;
pub mod init;
pub mod install;
pub mod json_value;
pub mod man;
mod notes;
mod progress;
pub mod rules;
pub mod schema;
mod stdin;
pub mod team;
pub mod uninstall;

use std::io::{self, Write};
use std::process::ExitCode;

pub use self::exit::Exit;
use crate::cli::deferred::Deferred;
use crate::cli::{Cli, Command};
pub use crate::errors::CliError;
use crate::errors::show_error;
use crate::terminal::{ColorWhen, Terminal};

/// Says what the command line is answered with before a command runs: the help, the version, or what is wrong with it.
pub fn say(answer: &clap::Error) -> ExitCode {
    let said = answer.print().and_then(|()| io::stdout().flush());
    match said {
        // Where nothing can be said of a mistake, its exit code says it.
        Ok(()) | Err(_) if answer.use_stderr() => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ended(Err(CliError::Output(error)), ColorWhen::Auto),
    }
}

/// Runs what the command line asks for and says how it ended: 0, 1 or 2 (DESIGN, "The command line").
pub fn run(cli: Cli) -> ExitCode {
    let command = cli.command.unwrap_or(Command::Check(Box::new(cli.check)));
    let (color, result) = match &command {
        Command::Check(args) => (args.output.color, check::run(args)),
        Command::Explain(Deferred(args)) => (args.color, explain::run(args)),
        Command::Rules(Deferred(args)) => (args.color, rules::run(args)),
        Command::Init(Deferred(args)) => (args.color, init::run(args)),
        Command::Config(Deferred(args)) => (args.color, config::run(args)),
        Command::Schema(Deferred(args)) => (args.color, schema::run(args)),
        Command::JsonValue(Deferred(args)) => (ColorWhen::Auto, json_value::run(args)),
        Command::Convert(Deferred(args)) => (args.output.color, convert::run(args)),
        Command::Team(Deferred(args)) => (args.command.files().color, team::run(args)),
        Command::Install(Deferred(args)) => (args.color, install::run(args)),
        Command::Uninstall(Deferred(args)) => (args.color, uninstall::run(args)),
        Command::Completions(Deferred(args)) => (ColorWhen::Auto, completions::run(args)),
        Command::Man(Deferred(args)) => (ColorWhen::Auto, man::run(args)),
    };
    // What is still in the buffer is part of the output: at the end of the program nothing more could be said of it.
    let flushed = match io::stdout().flush() {
        // The exit code is still of use to those who see no more of the output.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        Ok(()) | Err(_) => Ok(()),
    };
    ended(result.and_then(|exit| flushed.map(|()| exit)), color)
}

/// The exit code, and a word about what stopped a command.
fn ended(result: Result<Exit, CliError>, color: ColorWhen) -> ExitCode {
    match result {
        Ok(exit) => ExitCode::from(exit.code()),
        // The reader went away: it has seen what it wanted.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CliError::Output(error)) => {
            show_error(Terminal::new(color), &WriteError { source: error });
            ExitCode::from(2)
        }
        Err(CliError::Error(error)) => {
            show_error(Terminal::new(color), &*error);
            ExitCode::from(2)
        }
    }
}

/// Standard output is gone or full.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot write to standard output")]
struct WriteError {
    source: io::Error,
}
