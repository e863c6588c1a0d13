//! The `squad-lint` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use squad_lint::cli::{Cli, leading};
use squad_lint::commands;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let program = words.next();
    match Cli::try_parse_from(program.into_iter().chain(leading::moved(words.collect()))) {
        Ok(cli) => commands::run(cli),
        Err(error) => commands::print_answer(&error),
    }
}
