//! The command line of `charter`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::ProjectArgs;

/// The formats of the output of `charter`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CharterFormat {
    /// For people, one line per charter, and one per problem
    #[default]
    Text,
    /// One JSON object (docs/json-output.md)
    Json,
}

/// The options of `charter`.
#[derive(Debug, Clone, Args)]
pub struct CharterArgs {
    /// Charters, folders with charters, or `-` for standard input [default: all charters of the repository]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The profile, such as squad-charter/v0.1 [default: `charter.profile` in the configuration]
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: CharterFormat,
    /// Validate standard input under this name, whose folder gives the expected ID
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub stdin_filename: Option<PathBuf>,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}
