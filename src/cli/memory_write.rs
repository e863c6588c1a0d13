//! The command line of the subcommands of `memory` that write.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueHint};

use super::shared::ProjectArgs;
use crate::formats::learnings::Date;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;

/// The subcommands of `memory` that write.
#[derive(Debug, Clone, Subcommand)]
pub enum WriteCommand {
    /// Add a new entry to the memory, or to the inbox
    Add(AddArgs),
    /// Add an entry that replaces an older one, with the same type and scope
    Supersede(SupersedeArgs),
    /// Move the entries of the inbox into `decisions.md`
    MergeInbox(MergeInboxArgs),
    /// Archive the oldest entries of files that exceed their size limit
    Archive(ArchiveArgs),
}

/// What every new entry has.
#[derive(Debug, Clone, Args)]
pub struct EntryArgs {
    /// A file with the text of the entry, as Markdown; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub text: Option<PathBuf>,
    /// Who wrote the entry: an agent or a person
    #[arg(long, value_name = "NAME")]
    pub author: String,
    /// The entry in one sentence of at most 120 characters
    #[arg(long, value_name = "SENTENCE")]
    pub summary: String,
    /// The reason. Decisions and directives need one, here or as `**rationale:**` in the text
    #[arg(long, value_name = "TEXT")]
    pub rationale: Option<String>,
    /// A keyword, or several with commas; can be repeated
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// What the entry refers to, such as `issue: #18`; can be repeated
    #[arg(long, value_name = "REFERENCE")]
    pub related: Vec<String>,
    /// When the entry expires and should be reviewed
    #[arg(long, value_name = "TIMESTAMP", value_parser = timestamp)]
    pub expires: Option<Timestamp>,
    /// Write the entry to a new file in `decisions/inbox/`; `memory merge-inbox` moves it to `decisions.md`
    #[arg(long)]
    pub inbox: bool,
    /// Add the entry even if it has findings
    #[arg(long)]
    pub allow_findings: bool,
    /// The squad.
    #[command(flatten)]
    pub squad: SquadArgs,
}

/// The options of `memory add`.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// The type of the entry
    #[arg(value_name = "TYPE", value_parser = entry_type())]
    pub kind: EntryType,
    /// Who should read the entry: team, project, agent:NAME or skill:NAME [default: depends on the type]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<String>,
    /// The timestamp of the entry that the new one replaces
    #[arg(long, value_name = "TIMESTAMP", value_parser = timestamp)]
    pub supersedes: Option<Timestamp>,
    /// The entry.
    #[command(flatten)]
    pub entry: EntryArgs,
}

/// The options of `memory supersede`.
#[derive(Debug, Clone, Args)]
pub struct SupersedeArgs {
    /// The timestamp of the entry to replace
    #[arg(value_name = "TIMESTAMP", value_parser = superseded)]
    pub old: Timestamp,
    /// The entry.
    #[command(flatten)]
    pub entry: EntryArgs,
}

/// The options of `memory merge-inbox`.
#[derive(Debug, Clone, Args)]
pub struct MergeInboxArgs {
    /// Print a diff, and write nothing
    #[arg(long)]
    pub diff: bool,
    /// The squad.
    #[command(flatten)]
    pub squad: SquadArgs,
}

/// The options of `memory archive`.
#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// Print a diff, and write nothing
    #[arg(long)]
    pub diff: bool,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// The squad that is written to.
#[derive(Debug, Clone, Args)]
pub struct SquadArgs {
    /// The state root, such as `.squad`, if the project has several
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub squad: Option<PathBuf>,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

fn entry_type() -> impl TypedValueParser<Value = EntryType> {
    PossibleValuesParser::new(EntryType::ALL.map(EntryType::as_str))
        .try_map(|word| EntryType::from_word(&word).ok_or("not a type"))
}

fn timestamp(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::read(text).ok_or("expected a timestamp such as 2026-02-15T14:32:15-0800")
}

/// The timestamp of an entry to replace. Older entries have none, and no place such as `decisions.md:3` names an entry.
fn superseded(text: &str) -> Result<Timestamp, String> {
    let is_place =
        text.rsplit_once(':').is_some_and(|(path, line)| path.contains(".md") && line.parse::<usize>().is_ok());
    let is_day = text.len() == 10 && text.parse::<Date>().is_ok();
    timestamp(text).map_err(|expected| match is_place || is_day {
        true => format!("{expected}; an entry without one gets it from `squad-lint convert`"),
        false => expected.to_owned(),
    })
}
