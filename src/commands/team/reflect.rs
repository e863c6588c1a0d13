//! `team reflect`: what a member returned is checked, and what it learned goes where it belongs.

use super::open::open;
use crate::cli::team::ReflectArgs;
use crate::commands::{CliError, Exit};
use crate::team::reflect::{self, Reflected};
use crate::terminal::Terminal;

/// Checks the reflection and routes its learnings.
pub fn run(args: &ReflectArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let workspace = open(&args.files, terminal)?;
    Ok(match reflect::run(&workspace, &args.file, args.member.as_deref(), args.diff)? {
        Reflected::Learned => Exit::Clean,
        Reflected::Refused => Exit::Findings,
    })
}
