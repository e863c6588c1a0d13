//! The command line of `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::ProjectArgs;
use crate::convert::Confidence;

/// The formats of the output of `convert`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ConvertFormat {
    /// For people, entry by entry
    #[default]
    Text,
    /// One JSON object (docs/json-output.md)
    Json,
}

/// The options of `convert`.
#[derive(Debug, Clone, Args)]
pub struct ConvertArgs {
    /// Files and folders to convert [default: the whole repository]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Write nothing: list each entry with its result
    #[arg(long, help_heading = "Conversion")]
    pub dry_run: bool,
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, conflicts_with_all = ["dry_run", "log", "format"], help_heading = "Conversion")]
    pub diff: bool,
    /// Restore the files that the last conversion changed, unless they have changed since; convert nothing
    #[arg(
        long,
        conflicts_with_all = ["paths", "dry_run", "diff", "min_confidence", "no_history", "checklist", "log", "format"],
        help_heading = "Conversion"
    )]
    pub undo: bool,
    /// Convert only entries with at least this confidence. Entries without a date, author or type are never converted
    #[arg(long, value_name = "CONFIDENCE", value_enum, default_value_t = Confidence::Medium, help_heading = "Conversion")]
    pub min_confidence: Confidence,
    /// Do not look up missing dates and authors in git's history
    #[arg(long, help_heading = "Conversion")]
    pub no_history: bool,

    /// Write a checklist to FILE, with the entries that a person must convert
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub checklist: Option<PathBuf>,
    /// Append one line of JSON per entry to FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "dry_run", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// The format of the list of entries
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ConvertFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}
