//! `team reflect`: what a member returned is checked, and what it learned goes where it belongs.

use super::open::open;
use crate::cli::team::ReflectArgs;
use crate::commands::{CliError, Exit};
use crate::team::reflect::{self, Reflected};

/// Checks the reflection and routes its learnings.
pub fn run(args: &ReflectArgs) -> Result<Exit, CliError> {
    let workspace = open(&args.files)?;
    Ok(match reflect::run(&workspace, &args.file, args.member.as_deref(), args.diff)? {
        Reflected::Learned => Exit::Clean,
        Reflected::Refused => Exit::Findings,
    })
}
