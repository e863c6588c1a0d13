//! The subcommands, one file each.

pub mod bundle;
pub mod charter;
pub mod check;
pub mod completions;
pub mod config;
pub mod convert;
mod exit;
pub mod explain;
mod finish;
pub mod health;
pub mod hook;
pub mod init;
pub mod install;
pub mod json_value;
pub mod man;
mod meant;
pub mod memory;
mod memory_write;
pub mod merge;
mod notes;
mod progress;
pub mod rules;
pub mod schema;
pub mod session;
pub mod stats;
mod stdin;
pub mod team;
pub mod uninstall;

use std::io::{self, Write};
use std::process::ExitCode;

pub use self::exit::Exit;
use crate::cli::deferred::Deferred;
use crate::cli::{Cli, Command};
pub use crate::errors::CliError;
use crate::errors::{show_error, shown};
use crate::terminal::{ColorWhen, Terminal};

/// Prints the answer of the parser of the command line: the help, the version, or an error.
pub fn print_answer(answer: &clap::Error) -> ExitCode {
    // It repeats the words that it does not know.
    let (text, terminal) = (answer.render().ansi().to_string(), Terminal::new(ColorWhen::Auto));
    let printed = match answer.use_stderr() {
        true => terminal.stderr().write_all(text.as_bytes()),
        false => terminal.stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()),
    };
    match printed {
        // Where the error cannot be printed, the exit code reports it.
        Ok(()) | Err(_) if answer.use_stderr() => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit_code(Err(CliError::Output(error)), Terminal::new(ColorWhen::Auto)),
    }
}

/// Runs the subcommand, and returns the exit code: 0, 1 for findings, 2 for errors.
pub fn run(cli: Cli) -> ExitCode {
    let command = cli.command.unwrap_or(Command::Check(Box::new(cli.check)));
    let terminal = cli.global.terminal();
    let result = match &command {
        Command::Check(args) => meant::or_subcommand(check::run(args, terminal), &args.paths, ""),
        Command::Explain(Deferred(args)) => explain::run(args, terminal),
        Command::Rules(Deferred(args)) => rules::run(args, terminal),
        Command::Init(Deferred(args)) => init::run(args, terminal),
        Command::Config(Deferred(args)) => config::run(args, terminal),
        Command::Schema(Deferred(args)) => schema::run(args, terminal),
        Command::JsonValue(Deferred(args)) => json_value::run(args),
        Command::Convert(Deferred(args)) => convert::run(args, terminal),
        Command::Charter(Deferred(args)) => charter::run(args, terminal),
        Command::Bundle(Deferred(args)) => bundle::run(args, terminal),
        Command::Memory(args) => meant::or_subcommand(memory::run(&args.0, terminal), &args.0.query.paths, "memory"),
        Command::Health(Deferred(args)) => health::run(args, terminal),
        Command::Stats(Deferred(args)) => stats::run(args, terminal),
        Command::Team(Deferred(args)) => team::run(args, terminal),
        Command::Session(Deferred(args)) => session::run(args, terminal),
        Command::Merge(Deferred(args)) => merge::run(args, terminal),
        Command::Install(Deferred(args)) => install::run(args, terminal),
        Command::Uninstall(Deferred(args)) => uninstall::run(args, terminal),
        Command::Hook(Deferred(args)) => Ok(hook::run(args, terminal)),
        Command::Completions(Deferred(args)) => completions::run(args),
        Command::Man(Deferred(args)) => man::run(args),
    };
    // At the end of the program an error of the last bytes would be lost.
    let flushed = shown(io::stdout().flush());
    exit_code(result.and_then(|exit| flushed.map(|()| exit)), terminal)
}

/// Prints the error of a command that failed, and returns the exit code.
fn exit_code(result: Result<Exit, CliError>, terminal: Terminal) -> ExitCode {
    match result {
        Ok(exit) => ExitCode::from(exit.code()),
        // The reader closed the pipe, as `head` does.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CliError::Output(error)) => {
            show_error(terminal, &WriteError { source: error });
            ExitCode::from(2)
        }
        Err(CliError::Error(error)) => {
            show_error(terminal, &*error);
            ExitCode::from(2)
        }
    }
}

/// Standard output is closed or full.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot write to standard output")]
struct WriteError {
    source: io::Error,
}
