//! `config [PATH]`: what holds, and where each value comes from.

mod effective;
mod text;

use super::{Exit, Stop};
use crate::cli::{ConfigArgs, ConfigFormat};
use crate::project::{At, ConfigFile, Open, Project};
use crate::report::json_writer;
use crate::select;
use crate::terminal::Terminal;

/// Prints what holds.
pub fn run(args: &ConfigArgs) -> Result<Exit, Stop> {
    let project = Project::open_with(&Open {
        at: match (&args.root, &args.path) {
            (Some(root), _) => At::Root(root),
            (None, Some(path)) => At::Path(path),
            (None, None) => At::Here,
        },
        config: match &args.config {
            _ if args.no_config => ConfigFile::Nothing,
            Some(path) => ConfigFile::File(path),
            None => ConfigFile::AtRoot,
        },
        exclude: &args.exclude,
        manifest: None,
        now: args.now.as_deref(),
    })?;
    // A folder only says which repository is meant.
    let file = args.path.as_deref().filter(|path| !path.is_dir());
    let file = file.map(|path| select::stdin::inside(&project.repository, path)).transpose()?;
    let effective = effective::of(args, &project, file.as_ref().map(AsRef::as_ref))?;
    let mut out = Terminal::new(args.color).stdout();
    match args.format {
        ConfigFormat::Text => text::write(&effective, &mut out).map_err(Stop::Output)?,
        ConfigFormat::Json => json_writer::write(&effective, &mut out).map_err(Stop::Output)?,
    }
    Ok(Exit::Clean)
}
