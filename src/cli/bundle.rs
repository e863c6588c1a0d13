//! The command line of `bundle`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::project::{At, ConfigFile, Open};

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
    /// Write the squad of a project to one file, without what belongs to the project
    Export(ExportArgs),
    /// Make the squad of a project from a bundle
    Import(ImportArgs),
    /// Show what differs between two bundles, by agent and section
    Diff(DiffArgs),
}

/// The formats of bundles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// The portable format: `team.squad`
    #[default]
    #[value(alias = "portable")]
    Seed,
    /// What the tool of Squad imports: `squad-export.json`, without ceremonies
    #[value(alias = "squad")]
    Cli,
}

/// The project: of its configuration, the size of files counts alone.
#[derive(Debug, Clone, Args)]
pub struct PlaceArgs {
    /// The root of the project [default: found from the current folder, as git does]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub root: Option<PathBuf>,
    /// The configuration file; only its `max-file-bytes` counts [default: squad-lint.toml at the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = "Files")]
    pub no_config: bool,
}

impl PlaceArgs {
    /// How the project is opened, at the time `now`.
    pub fn open<'a>(&'a self, now: Option<&'a str>) -> Open<'a> {
        Open {
            at: self.root.as_deref().map_or(At::Here, At::Root),
            config: match &self.config {
                _ if self.no_config => ConfigFile::Nothing,
                Some(path) => ConfigFile::File(path),
                None => ConfigFile::AtRoot,
            },
            exclude: &[],
            manifest: None,
            now,
        }
    }
}

/// The options of `bundle export`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 exported, 2 could not do its work, or the bundle has errors.")]
pub struct ExportArgs {
    /// The file to write, which must not exist, or `-` for standard output; its folder is made [default: squad-export.squad, or squad-export.json]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Only these agents, by the names of their folders, with commas between them
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agents: Vec<String>,
    /// Of the histories, only what certainly is marked as portable
    #[arg(long)]
    pub portable_only: bool,
    /// The format of the bundle
    #[arg(long, value_name = "DIALECT", value_enum, default_value_t, help_heading = "Output")]
    pub dialect: Dialect,
    /// Export the squad even if the bundle has errors
    #[arg(long)]
    pub allow_findings: bool,
    /// The time of the export [default: `SOURCE_DATE_EPOCH`, otherwise the clock]
    #[arg(long, value_name = "TIMESTAMP")]
    pub now: Option<String>,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
}

/// The options of `bundle import`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Exit codes: 0 imported, or shown with `--diff`, 2 could not do its work, or the bundle has errors."
)]
pub struct ImportArgs {
    /// The bundle, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Print what would be written as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Import the bundle even if its texts have errors. Errors of `bundle` rules are always refused
    #[arg(long)]
    pub allow_findings: bool,
    /// The time of the import [default: `SOURCE_DATE_EPOCH`, otherwise the clock]
    #[arg(long, value_name = "TIMESTAMP")]
    pub now: Option<String>,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
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
#[command(after_help = "Exit codes: 0 no differences, 1 differences, 2 could not do its work.")]
pub struct DiffArgs {
    /// The first bundle, or `-` for standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub one: PathBuf,
    /// The second bundle, or `-` for standard input
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub other: PathBuf,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: DiffFormat,
    /// The project.
    #[command(flatten)]
    pub project: PlaceArgs,
}
