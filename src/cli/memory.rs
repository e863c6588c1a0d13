//! The command line of `memory`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::shared::ProjectArgs;
use crate::formats::sem::EntryType;
use crate::memory::glance::About;
use crate::memory::query::Reference;
use crate::memory::record::When;
use crate::memory::records::{moment_or_day, period};

/// A number of tokens.
fn tokens(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number of tokens, such as `4000`")
}

/// The options of `memory`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MemoryArgs {
    /// What to do; without a subcommand, list entries.
    #[command(subcommand)]
    pub command: Option<MemoryCommand>,
    /// Which entries to list.
    #[command(flatten)]
    pub query: QueryArgs,
}

/// The subcommands of `memory`.
#[derive(Debug, Clone, Subcommand)]
pub enum MemoryCommand {
    /// Show one entry in full, with the entries that replaced it and those it relates to
    Show(ShowArgs),
    /// Print the entries that one agent needs most, within a budget of tokens, as Markdown for a prompt
    Brief(BriefArgs),
    /// What writes.
    #[command(flatten)]
    Write(super::memory_write::WriteCommand),
}

/// The formats of a list of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// One line for each entry, cut to the width of the terminal
    #[default]
    Text,
    /// One JSON object (docs/memory.md)
    Json,
    /// One JSON object for each entry, on a line of its own
    Jsonl,
    /// A Markdown table
    Md,
    /// Comma-separated values, for spreadsheets
    Csv,
}

/// The options of `memory` without a subcommand.
#[derive(Debug, Clone, Args)]
pub struct QueryArgs {
    /// List only the entries in these files and folders
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Only entries of this type
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_parser = entry_type(), help_heading = "Which entries")]
    pub types: Vec<EntryType>,
    /// Only entries by this author or contributor
    #[arg(long, value_name = "NAME", help_heading = "Which entries")]
    pub author: Vec<String>,
    /// Only entries with this scope, explicit or by default: team, project, agent:NAME or skill:NAME
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', help_heading = "Which entries")]
    pub scope: Vec<String>,
    /// Only entries that this agent should read
    #[arg(long = "for", value_name = "AGENT", help_heading = "Which entries")]
    pub reader: Option<String>,
    /// Only entries with this tag
    #[arg(long, value_name = "TAG", value_delimiter = ',', value_parser = tag, help_heading = "Which entries")]
    pub tag: Vec<String>,
    /// Only entries from this day or timestamp on
    #[arg(long, value_name = "WHEN", value_parser = when, help_heading = "Which entries")]
    pub after: Option<When>,
    /// Only entries before this day or timestamp
    #[arg(long, value_name = "WHEN", value_parser = when, help_heading = "Which entries")]
    pub before: Option<When>,
    /// Only entries of the last hours, days or weeks: 12h, 7d, 2w
    #[arg(long, value_name = "PERIOD", value_parser = period, help_heading = "Which entries")]
    pub recent: Option<i64>,
    /// Only entries that refer to this: issue:18, pr:42, skill:NAME, or the timestamp of an entry
    #[arg(long, value_name = "REFERENCE", value_parser = reference, help_heading = "Which entries")]
    pub related: Vec<String>,
    /// Only entries that contain this text, ignoring case
    #[arg(long, value_name = "TEXT", value_parser = words, help_heading = "Which entries")]
    pub text: Vec<String>,
    /// Only entries that another entry has replaced
    #[arg(long, help_heading = "Which entries")]
    pub superseded: bool,
    /// Only entries that apply now: not replaced, not expired, not in a merge conflict, not in a section such as
    /// `Rejected ideas`, and not in an archive or another file that agents do not load
    #[arg(long, conflicts_with = "superseded", help_heading = "Which entries")]
    pub in_force: bool,
    /// List the entries as they are in this revision
    #[arg(long, value_name = "REV", conflicts_with = "root", help_heading = "Git")]
    pub rev: Option<String>,
    /// The format of the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ListFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

impl QueryArgs {
    /// What the bytes of an entry tell something about.
    pub fn about(&self) -> About<'_> {
        let Self { text: texts, tag: tags, related, types, after, before, superseded, .. } = self;
        let (after, before, is_superseded) = (*after, *before, *superseded);
        About { texts, tags, related, types, after, before, is_superseded, ..About::default() }
    }
}

/// The formats of one entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object (docs/memory.md)
    Json,
}

/// The options of `memory show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// The timestamp of the entry, or its file and line, as in `.squad/decisions.md:12`
    #[arg(value_name = "ENTRY")]
    pub entry: String,
    /// Show the entry as it is in this revision
    #[arg(long, value_name = "REV", conflicts_with = "root", help_heading = "Git")]
    pub rev: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ShowFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// The formats of a brief.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BriefFormat {
    /// Markdown for a prompt
    #[default]
    Md,
    /// One JSON object with the Markdown and all reasons (docs/memory.md)
    Json,
}

/// The options of `memory brief`.
#[derive(Debug, Clone, Args)]
pub struct BriefArgs {
    /// The agent that the brief is for
    #[arg(long = "for", value_name = "AGENT")]
    pub reader: String,
    /// The maximum size of the brief, in tokens (an estimate)
    #[arg(long, value_name = "TOKENS", default_value_t = 4_000, value_parser = tokens, allow_negative_numbers = true)]
    pub budget: u64,
    /// Files that the agent will work on; entries that name them come first. The files need not exist
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub about: Vec<PathBuf>,
    /// Also print on standard error why each entry was included or omitted
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    /// Use the entries as they are in this revision
    #[arg(long, value_name = "REV", conflicts_with = "root", help_heading = "Git")]
    pub rev: Option<String>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: BriefFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

fn entry_type() -> impl TypedValueParser<Value = EntryType> {
    PossibleValuesParser::new(EntryType::ALL.map(EntryType::as_str))
        .try_map(|word| EntryType::from_word(&word).ok_or("not a type"))
}

fn when(text: &str) -> Result<When, &'static str> {
    moment_or_day(text).ok_or("expected a day or a timestamp, such as 2026-02-15 or 2026-02-15T14:32:15-0800")
}

fn tag(text: &str) -> Result<String, &'static str> {
    filled(text.trim()).map(|_| text.to_owned()).ok_or("expected a tag, such as `testing`")
}

fn reference(text: &str) -> Result<String, &'static str> {
    const EXPECTED: &str = "expected `issue:18`, `pr:42`, `skill:NAME` or the timestamp of an entry";
    let reference = Reference::parse(text);
    // Without a kind, only a number or a timestamp says what is meant.
    let is_clear = reference.kind.is_some()
        || reference.at.is_some()
        || reference.identifier.bytes().all(|byte| byte.is_ascii_digit());
    filled(reference.identifier).filter(|_| is_clear).map(|_| text.to_owned()).ok_or(EXPECTED)
}

fn words(text: &str) -> Result<String, &'static str> {
    filled(text).map(str::to_owned).ok_or("expected a text of at least one character")
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
