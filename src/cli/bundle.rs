//! The command line of `bundle`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::shared::open;
use crate::project::{At, Open};

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
    /// Write the squad of a project to a file, so that another project can import it
    Export(ExportArgs),
    /// Create the squad of a project from such a file
    Import(ImportArgs),
    /// Show what differs between two bundles, by agent and section
    Diff(DiffArgs),
}

/// The formats of bundles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// The portable format of squad-lint, with ceremonies
    #[default]
    #[value(alias = "portable")]
    Seed,
    /// The format of Squad's own export and import, without ceremonies
    #[value(alias = "squad")]
    Cli,
}

/// The project: of its configuration, the size of files counts alone.
#[derive(Debug, Clone, Args)]
pub struct PlaceArgs {
    /// Use this folder as the root of the project [default: found from the current folder, as git does]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub root: Option<PathBuf>,
    /// Read this configuration file; only its `max-file-bytes` counts [default: squad-lint.toml at the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = "Files")]
    pub no_config: bool,
}

impl PlaceArgs {
    /// How the project is opened, at the time `now`.
    pub fn open<'a>(&'a self, now: Option<&'a str>) -> Open<'a> {
        let Self { root, config, no_config } = self;
        Open { now, ..open(At::Here, root.as_deref(), config.as_deref(), *no_config) }
    }
}

/// The options of `bundle export`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The bundle has no decisions and no logs, no history of Scribe, and nothing that is marked as local.\n\n\
                        Exit codes: 0 wrote the bundle, 2 did not: the squad has errors, or something failed."
)]
pub struct ExportArgs {
    /// Write the bundle to this new file; `-` is standard output [default: squad-export.squad, or squad-export.json with `--dialect cli`]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Export only these agents: the names of their folders, separated by commas
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agents: Vec<String>,
    /// Export only text of the histories that is marked as portable: `## Portable Context`, `[portable]`
    #[arg(long)]
    pub portable_only: bool,
    /// Write the bundle in this format
    #[arg(long, value_name = "DIALECT", value_enum, default_value_t, help_heading = "Output")]
    pub dialect: Dialect,
    /// Export the squad even if it has errors, such as a secret in a history
    #[arg(long)]
    pub allow_findings: bool,
    /// Use this as the time of the export [default: `SOURCE_DATE_EPOCH`, otherwise the clock]
    #[arg(long, value_name = "TIMESTAMP")]
    pub now: Option<String>,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
}

/// The options of `bundle import`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "The command creates `.squad/`; if the project has a squad already, it changes nothing.\n\n\
                  Exit codes: 0 created the squad, or showed it with `--diff`, 2 did not: the bundle has errors, or something failed.")]
pub struct ImportArgs {
    /// The bundle to import; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Print the new files as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Import the bundle even if its texts have errors; an error of a `bundle/*` rule still stops the import
    #[arg(long)]
    pub allow_findings: bool,
    /// Use this as the time of the import [default: `SOURCE_DATE_EPOCH`, otherwise the clock]
    #[arg(long, value_name = "TIMESTAMP")]
    pub now: Option<String>,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
}

/// The formats of `bundle diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A line for each difference
    #[default]
    Text,
    /// One JSON object (docs/json-output.md)
    Json,
}

/// The options of `bundle diff`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 no differences, 1 differences, 2 error.")]
pub struct DiffArgs {
    /// The first bundle; `-` is standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub one: PathBuf,
    /// The second bundle; `-` is standard input
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub other: PathBuf,
    /// Print the differences in this format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: DiffFormat,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
}
