//! `config [PATH]`: what holds, and where each value comes from.

use super::{CliError, Exit};
use crate::cli::{ConfigArgs, ConfigFormat};
use crate::project::effective::{self, Given, text};
use crate::project::{At, Project};
use crate::report::json_writer;
use crate::select;
use crate::terminal::Terminal;

/// Prints what holds.
pub fn run(args: &ConfigArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let at = args.path.as_deref().map_or(At::Here, At::Path);
    let project = Project::open_with(&args.project.open(at))?;
    // A folder only says which repository is meant.
    let file = args.path.as_deref().filter(|path| !path.is_dir());
    let file = file.map(|path| select::stdin::inside(&project.repository, path)).transpose()?;
    let given = Given {
        select: &args.select,
        ignore: &args.ignore,
        exclude: &args.project.exclude,
        fail_on: args.fail_on,
        min_severity: args.min_severity,
        now: args.project.now.as_deref(),
    };
    let effective = effective::of(&given, &project, file.as_ref().map(AsRef::as_ref))?;
    let mut out = terminal.stdout();
    match args.format {
        ConfigFormat::Text => text::write(&effective, &mut out).map_err(CliError::Output)?,
        ConfigFormat::Json => json_writer::write(&effective, &mut out).map_err(CliError::Output)?,
    }
    Ok(Exit::Clean)
}
