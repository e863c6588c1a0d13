//! `session clean`: what is left of sessions.

use crate::cli::session::CleanArgs;
use crate::commands::{CliError, Exit};
use crate::sessions::clean::{self, Keep, report};
use crate::sessions::clock::Clock;
use crate::sessions::folder::Place;
use crate::terminal::Terminal;

/// Cleans up, or shows what that comes to.
pub(super) fn run(args: &CleanArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let now = Clock::new(args.place.now.as_deref())?.now();
    let place = Place::open(args.place.root.as_deref())?;
    let keep = Keep { completed: 24 * 3_600, failed: 7 * 86_400, archived: 30 * 86_400 };
    let mut plan = clean::plan(&place, keep, now)?;
    let mut is_complete = true;
    if args.diff {
        report::diff(&plan, &place.root).map_err(CliError::Output)?;
    } else {
        is_complete = clean::apply(&place, &mut plan, keep, now, terminal)?;
    }
    terminal.summary(args.diff, |out| report::text(&plan, &place.root, now, out)).map_err(CliError::Output)?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
