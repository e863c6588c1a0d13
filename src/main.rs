//! The `squad-lint` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use squad_lint::{cli::Cli, commands};

fn main() -> ExitCode {
    commands::run(Cli::parse())
}
