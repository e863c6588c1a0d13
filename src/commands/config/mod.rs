//! `config [PATH]`: what holds, and where each value comes from.

mod effective;
mod text;

use std::path::{Path, PathBuf};

use bstr::BString;

use super::check::{CheckError, open};
use super::{Exit, Stop, settings};
use crate::cli::{ConfigArgs, ConfigFormat};
use crate::report::json_writer;
use crate::select;
use crate::select::repository::Repository;
use crate::terminal::Terminal;

/// Prints what holds.
pub fn run(args: &ConfigArgs) -> Result<Exit, Stop> {
    let repository = open(args.root.as_deref(), args.path.as_deref()).map_err(CheckError::from)?;
    let file = file(args.path.as_deref(), &repository)?;
    let loaded = settings::load(args.config.as_deref(), args.no_config, &repository)?;
    let effective = effective::of(args, &repository.root, file.as_ref().map(AsRef::as_ref), &loaded)?;
    let mut out = Terminal::new(args.color).stdout();
    match args.format {
        ConfigFormat::Text => text::write(&effective, &mut out).map_err(Stop::Output)?,
        ConfigFormat::Json => json_writer::write(&effective, &mut out).map_err(Stop::Output)?,
    }
    Ok(Exit::Clean)
}

/// The file that is asked about, relative to the root; a folder only says in which repository.
fn file(path: Option<&Path>, repository: &Repository) -> Result<Option<BString>, CheckError> {
    let file = path.filter(|path| !path.is_dir()).map(PathBuf::from);
    file.map(|path| Ok(select::stdin::inside(repository, &path)?)).transpose()
}
