//! `session status`: how far a session is.

use std::io::{BufWriter, Write};

use crate::cli::session::{SessionFormat, StatusArgs};
use crate::commands::{CliError, Exit};
use crate::sessions::clock::Clock;
use crate::sessions::folder::{Place, PlaceError};
use crate::sessions::status::{Watched, json, watch};
use crate::terminal::Terminal;

/// Prints how the session is that `args` name, or the sessions that are active.
pub(super) fn run(args: &StatusArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let clock = Clock::new(args.place.now.as_deref())?;
    let place = Place::open_for(args.place.root.as_deref(), args.session.as_deref())?;
    let folders = match &args.session {
        Some(session) => vec![place.session(session)?],
        None => place.current()?,
    };
    let watched = folders.into_iter().map(|folder| Watched::new(&place, folder));
    let mut watched = watched.collect::<Result<Vec<_>, _>>()?;
    let is_json = args.format == SessionFormat::Json;
    if args.watch {
        watch::run(watched, is_json, clock, terminal).map_err(CliError::Output)?;
        return Ok(Exit::Clean);
    }
    let mut all = Vec::with_capacity(watched.len());
    for session in &mut watched {
        let path = session.folder.path.clone();
        session.refresh().map_err(|source| PlaceError::Unreadable { path, source })?;
        all.push(session.status(clock.now()));
    }
    let mut out = BufWriter::new(terminal.stdout());
    match is_json {
        true => json::write(&all, false, &mut out),
        false => watch::write_all(&all, false, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(Exit::Clean)
}
