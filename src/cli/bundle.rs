//! The command line of `bundle`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ProjectArgs;

/// The options of `bundle`.
#[derive(Debug, Clone, Args)]
pub struct BundleArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: BundleCommand,
}

/// The subcommands of `bundle`.
#[derive(Debug, Clone, Subcommand)]
pub enum BundleCommand {
    /// Show what differs between two bundles, by agent and section
    Diff(DiffArgs),
}

/// The formats of `bundle diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people, a line per difference
    #[default]
    Text,
    /// One JSON object (docs/json-output.md)
    Json,
}

/// The options of `bundle diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// The first bundle
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub one: PathBuf,
    /// The second bundle
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub other: PathBuf,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: DiffFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}
