//! The command line of `team`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ProjectArgs;
use crate::project::{At, Open};

/// The options of `team`.
#[derive(Debug, Clone, Args)]
pub struct TeamArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: TeamCommand,
}

/// The subcommands of `team`.
#[derive(Debug, Clone, Subcommand)]
pub enum TeamCommand {
    /// Show the options that each member is spawned with, and where each value comes from
    Show(ShowArgs),
    /// Print the command that spawns a member, with every value safely quoted
    Spawn(SpawnArgs),
    /// Show the owners of files, or the files without an owner
    Owners(OwnersArgs),
    /// Bring learnings under their limit: merge duplicates, archive the oldest entries
    Prune(PruneArgs),
    /// Create the learnings of a new member from those of related members
    Add(AddArgs),
    /// Archive the learnings of a departing member, and pass on the notes for it
    Remove(RemoveArgs),
    /// Check the reflection of a member, and add its learnings to the files of the team
    Reflect(ReflectArgs),
}

/// The formats of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// One line per file
    #[default]
    Text,
    /// A JSON array of objects
    Json,
}

/// The options of `team owners`.
#[derive(Debug, Clone, Args)]
pub struct OwnersArgs {
    /// Files, which need not exist, and folders [default: all files that git tracks]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Print only files without an owner, except the team's own files
    #[arg(long)]
    pub unowned: bool,
    /// The format of the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ListFormat,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The formats of a team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// The options of `team show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// A member, by its name in the manifest; without one, all members
    pub member: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ShowFormat,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The formats of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CommandFormat {
    /// For sh, bash and zsh
    #[default]
    Shell,
    /// A JSON array of the program and its arguments
    Json,
}

/// The options of `team spawn`.
#[derive(Debug, Clone, Args)]
pub struct SpawnArgs {
    /// The member, by its name in the manifest
    pub member: String,
    /// The task, after `--`; without one, claude reads the task from standard input
    #[arg(last = true, value_name = "TASK")]
    pub task: Vec<String>,
    /// The format of the command
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: CommandFormat,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The options of `team prune`.
#[derive(Debug, Clone, Args)]
pub struct PruneArgs {
    /// The members whose learnings to prune, by the names of their folders [default: all]
    #[arg(value_name = "MEMBER")]
    pub members: Vec<String>,
    /// Also archive stale entries and unsettled notes of files that are under their limit
    #[arg(long)]
    pub stale: bool,
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The options of `team add`.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// The new member
    pub member: String,
    /// The members whose learnings to copy, separated by commas
    #[arg(long, value_name = "MEMBER", value_delimiter = ',', required = true)]
    pub from: Vec<String>,
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The options of `team remove`.
#[derive(Debug, Clone, Args)]
pub struct RemoveArgs {
    /// The member that leaves
    pub member: String,
    /// The members that receive the notes that others wrote to this member
    #[arg(long, value_name = "MEMBER", value_delimiter = ',')]
    pub to: Vec<String>,
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// The options of `team reflect`.
#[derive(Debug, Clone, Args)]
pub struct ReflectArgs {
    /// The reflection that the member returned, or the output of `claude -p --output-format json`; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The member that wrote the reflection [default: the only member, or the one that the file name begins with]
    #[arg(long, value_name = "NAME")]
    pub member: Option<String>,
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Which team.
    #[command(flatten)]
    pub files: TeamFiles,
}

/// Which team, and where: options that all subcommands of `team` have.
#[derive(Debug, Clone, Args)]
pub struct TeamFiles {
    /// The manifest of the team [default: the only one, or the one above the current folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub manifest: Option<PathBuf>,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

impl TeamFiles {
    /// How the project is opened.
    pub fn open(&self) -> Open<'_> {
        let manifest = self.manifest.as_deref();
        Open { manifest, ..self.project.open(manifest.map_or(At::Here, At::Path)) }
    }
}
