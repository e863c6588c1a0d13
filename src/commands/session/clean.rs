//! `session clean`: what is left of sessions.

use crate::cli::session::CleanArgs;
use crate::commands::{CliError, Exit};
use crate::errors::show_error;
use crate::fs::path::to_bytes;
use crate::project::{At, Open, Project};
use crate::sessions::clean::{self, Keep, report};
use crate::sessions::clock::Clock;
use crate::sessions::folder::Place;
use crate::terminal::{Terminal, display_path};

/// Cleans up, or shows what that comes to.
pub(super) fn run(args: &CleanArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let now = Clock::new(args.place.now.as_deref())?.now();
    let place = Place::open(args.place.root.as_deref())?;
    let at = args.place.root.as_deref().map_or(At::Here, At::Root);
    let settings = Project::open_with(&Open { at, ..Open::default() })?.options.sessions.clone();
    let seconds = |count: u64, unit: i64| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(unit);
    let keep = Keep {
        completed: seconds(settings.archive_after_hours.get(), 3_600),
        failed: seconds(settings.keep_failed_days.get(), 86_400),
        archived: seconds(settings.keep_archived_days.get(), 86_400),
    };
    let _turn = if args.diff { None } else { Some(clean::take_turn(&place)?) };
    let mut plan = clean::plan(&place, keep, now)?;
    let left_out = if args.diff { report::diff(&mut plan, &place.root).map_err(CliError::Output)? } else { Vec::new() };
    plan.failed.iter().for_each(|error| show_error(terminal, error));
    let mut is_complete = plan.failed.is_empty();
    for path in left_out {
        let path = path.strip_prefix(&place.root).unwrap_or(&path);
        terminal.note(&format!("warning: skipped {}: it is not a regular file", display_path(&to_bytes(path))));
    }
    if !args.diff {
        is_complete &= clean::apply(&place, &mut plan, keep, now, terminal)?;
    }
    terminal
        .summary(args.diff, |out| report::text(&plan, &place.root, now, !args.diff, out))
        .map_err(CliError::Output)?;
    Ok(if is_complete { Exit::Clean } else { Exit::Incomplete })
}
