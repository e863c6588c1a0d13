//! `convert`: legacy entries become SEM entries; what is not certain stays as it is and is listed.

use std::io::{BufWriter, Write};

use super::{CliError, Exit};
use crate::cli::convert::{ConvertArgs, ConvertFormat};
use crate::conversion::remaining::{self, Remaining};
use crate::conversion::report::Done;
use crate::conversion::write::{self, ConvertError, Output};
use crate::conversion::{self, Conversion, Found, backup, report};
use crate::errors::show_error;
use crate::fix::diff;
use crate::project::{At, Project};
use crate::terminal::Terminal;

/// Converts, or says what would be converted.
pub fn run(args: &ConvertArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let at = args.paths.first().map_or(At::Here, |path| At::Path(path));
    let project = Project::open_with(&args.project.open(at))?;
    if args.undo {
        return undo(&project, terminal.quiet, terminal);
    }
    let log = args.log.as_deref().map(Output::log).transpose()?;
    let checklist = args.checklist.as_deref().map(Output::checklist).transpose()?;
    let conversion = Conversion { paths: &args.paths, min_confidence: args.min_confidence, history: !args.no_history };
    let Found { mut files, canonical, mut incomplete } = conversion::find(&project, conversion, terminal)?;
    let mut backups = None;
    if !args.dry_run && !args.diff {
        let written = write::all(&project.repository, &mut files, terminal)?;
        incomplete |= written.failed;
        backups = written.backups;
        if let Some(log) = log {
            write::log(log, &files)?;
        }
    }
    if let Some(checklist) = checklist {
        write::checklist(checklist, &files)?;
    }
    let mut out = BufWriter::new(terminal.stdout());
    let done = if args.dry_run { Done::No } else { Done::Yes(backups.as_deref()) };
    match args.format {
        _ if args.diff => diff::print(&conversion::fixed(files)),
        ConvertFormat::Json => report::json(&files, &mut out),
        ConvertFormat::Text => {
            let left = if terminal.quiet { Remaining::default() } else { remaining::find(&project, &files) };
            report::text(&files, canonical, terminal.quiet, done, &left, &mut out)
        }
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(if incomplete { Exit::Incomplete } else { Exit::Clean })
}

/// Restores what the latest conversion replaced.
fn undo(project: &Project, quiet: bool, terminal: Terminal) -> Result<Exit, CliError> {
    let undone = backup::undo(&project.repository).map_err(ConvertError::Undo)?;
    undone.left.iter().for_each(|left| show_error(terminal, left));
    let mut out = terminal.stdout();
    match (undone.restored.is_empty(), undone.left.is_empty()) {
        _ if quiet => Ok(()),
        (true, true) => writeln!(out, "nothing to undo"),
        _ => report::undone(&undone.restored, &mut out),
    }
    .map_err(CliError::Output)?;
    Ok(if undone.left.is_empty() { Exit::Clean } else { Exit::Incomplete })
}
