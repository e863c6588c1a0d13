//! The `squad-lint` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use squad_lint::cli::{Cli, leading};
use squad_lint::commands;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let program = words.next();
    let words = leading::moved(words.collect());
    let is_hook = words.first().is_some_and(|word| word == "hook");
    match Cli::try_parse_from(program.into_iter().chain(words)) {
        Ok(cli) => commands::run(cli),
        // A harness takes 2 for findings, and some for a reason not to let an agent stop.
        Err(error) if is_hook && error.use_stderr() => {
            commands::print_answer(&error);
            ExitCode::FAILURE
        }
        Err(error) => commands::print_answer(&error),
    }
}
