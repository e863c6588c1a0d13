//! The `squad-lint` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use squad_lint::{cli::Cli, commands};

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => commands::print_answer(&error),
    }
}
