//! `convert`: legacy entries become SEM entries; what is not certain stays as it is and is listed.

use std::io::{BufWriter, Write};

use super::{CliError, Exit};
use crate::cli::convert::{ConvertArgs, ConvertFormat};
use crate::conversion::write::{self, Output};
use crate::conversion::{self, Conversion, Found, report};
use crate::fix::diff;
use crate::project::{At, Project};
use crate::terminal::Terminal;

/// Converts, or says what would be converted.
pub fn run(args: &ConvertArgs) -> Result<Exit, CliError> {
    let terminal = Terminal::new(args.output.color);
    let at = args.paths.first().map_or(At::Here, |path| At::Path(path));
    let project = Project::open_with(&args.project.open(at))?;
    let log = args.log.as_deref().map(Output::log).transpose()?;
    let checklist = args.checklist.as_deref().map(Output::checklist).transpose()?;
    let conversion = Conversion { paths: &args.paths, min_confidence: args.min_confidence, history: !args.no_history };
    let Found { mut files, mut incomplete } = conversion::find(&project, conversion, terminal)?;
    if !args.dry_run && !args.diff {
        incomplete |= write::all(&project.repository, &mut files, terminal)?;
        if let Some(log) = log {
            write::log(log, &files)?;
        }
    }
    if let Some(checklist) = checklist {
        write::checklist(checklist, &files)?;
    }
    let mut out = BufWriter::new(terminal.stdout());
    match args.format {
        _ if args.diff => diff::print(&conversion::fixed(files)),
        ConvertFormat::Json => report::json(&files, &mut out),
        ConvertFormat::Text => report::text(&files, (args.output.quiet, args.dry_run), &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(if incomplete { Exit::Incomplete } else { Exit::Clean })
}
