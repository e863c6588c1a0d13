//! The command line of `stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::ProjectArgs;

/// The formats of the output of `stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    /// For people, with small bars
    #[default]
    Text,
    /// One JSON object (docs/memory.md)
    Json,
}

/// The options of `stats`.
#[derive(Debug, Clone, Args)]
pub struct StatsArgs {
    /// Count the entries as they are in this revision
    #[arg(long, value_name = "REV", conflicts_with = "root", help_heading = "Git")]
    pub rev: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: StatsFormat,
    /// Write a page with charts to this file instead; it is one file and needs no network
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "format", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}
