//! The command line of `health`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::ProjectArgs;
use crate::diagnostic::Severity;

/// The formats of the output of `health`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum HealthFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object (docs/memory.md)
    Json,
}

/// The options of `health`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 error.")]
pub struct HealthArgs {
    /// Check only these files and folders
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// The lowest severity that makes the exit code 1 [default: error]
    #[arg(long, value_name = "SEVERITY", value_enum)]
    pub fail_on: Option<Severity>,
    /// Show entries that expire within this many days
    #[arg(long, value_name = "DAYS", default_value_t = 14)]
    pub soon: u32,
    /// Check the memory in this revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["root", "paths"], help_heading = "Git")]
    pub rev: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: HealthFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}
