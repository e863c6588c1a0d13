//! A first word that is neither a subcommand nor a path.

use std::path::PathBuf;

use clap::CommandFactory;

use super::{CliError, Exit};
use crate::cli::Cli;
use crate::text::suggest::{Tolerance, nearest};

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("`{word}` is neither a subcommand nor a path")]
#[diagnostic(help("did you mean `squad-lint {command}`?"))]
struct Misspelt {
    word: String,
    command: String,
}

/// `result` of a command with these `paths`; its error says so if the first path does not exist and is nearly the name of a subcommand
/// of `parent`, which is empty for the program itself.
pub(super) fn or_subcommand(result: Result<Exit, CliError>, paths: &[PathBuf], parent: &str) -> Result<Exit, CliError> {
    let word = paths.first().filter(|path| result.is_err() && !path.exists()).and_then(|path| path.to_str());
    let Some(meant) = word.and_then(|word| meant(word, parent)) else { return result };
    Err(meant.into())
}

fn meant(word: &str, parent: &str) -> Option<Misspelt> {
    let mut program = Cli::command();
    // Only now subcommands have their own.
    program.build();
    let parent = if parent.is_empty() { &program } else { program.find_subcommand(parent)? };
    let shown = parent.get_subcommands().filter(|command| !command.is_hide_set());
    let name = nearest(word, shown.map(clap::Command::get_name), Tolerance::Help)?;
    let command =
        if parent.get_name() == program.get_name() { name.to_owned() } else { format!("{} {name}", parent.get_name()) };
    Some(Misspelt { word: word.to_owned(), command })
}
