//! The command line of `session`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::formats::session::field::Operation;

/// The options of `session`.
#[derive(Debug, Clone, Args)]
pub struct SessionArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: SessionCommand,
}

/// The subcommands of `session`.
#[derive(Debug, Clone, Subcommand)]
pub enum SessionCommand {
    /// Show the progress of a session: its tasks, the agents that wait, and the locks on files
    Status(StatusArgs),
    /// Print the tasks of a session as a graph, for Graphviz, for Mermaid or as a picture
    Graph(GraphArgs),
    /// Archive sessions that ended, delete those that were archived long ago, and remove expired locks
    Clean(CleanArgs),
    /// Lock a file for an agent, or report which agent holds it
    Lock(LockArgs),
    /// Release the lock on a file
    Unlock(UnlockArgs),
    /// Extend the lock on a file
    Renew(RenewArgs),
}

/// The formats of what a subcommand of `session` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SessionFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object (docs/sessions.md)
    Json,
}

/// The options of `session status`.
#[derive(Debug, Clone, Args)]
pub struct StatusArgs {
    /// The folder of the session, or its name in `.squad/sessions/`, otherwise in `.ai-team/sessions/` [default: all
    /// active ones there, otherwise the latest]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub session: Option<PathBuf>,
    /// Show the session again whenever it changes, until it ends
    #[arg(long)]
    pub watch: bool,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: SessionFormat,
    /// The place of the sessions.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// The formats of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For Graphviz: `dot -Tpng`
    Dot,
    /// For Markdown on GitHub, in a block `mermaid`
    #[default]
    Mermaid,
    /// A picture in one file
    Svg,
}

/// The options of `session graph`.
#[derive(Debug, Clone, Args)]
pub struct GraphArgs {
    /// The folder of the session, or its name in `.squad/sessions/`, otherwise in `.ai-team/sessions/` [default: the
    /// only active one there, otherwise the latest]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub session: Option<PathBuf>,
    /// The format of the graph
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: GraphFormat,
    /// The place of the sessions.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// The options of `session clean`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Sessions are in `.squad/sessions/`, otherwise in `.ai-team/sessions/`, of the current folder or the nearest one above it."
)]
pub struct CleanArgs {
    /// Print what would change as a diff for `git apply`, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// The place of the sessions.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// The options of `session lock`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 locked, 1 not locked, as an agent holds it or waits for it, 2 error.")]
pub struct LockArgs {
    /// What is asked for.
    #[command(flatten)]
    pub asked: AskedArgs,
    /// How long it lasts.
    #[command(flatten)]
    pub ttl: TtlArgs,
    /// Wait in line for up to this many seconds, if an agent holds the file
    #[arg(long, value_name = "SECONDS", default_value_t = 0, hide_default_value = true)]
    pub wait: u32,
    /// The task that the lock is for, such as `task_001`
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// What the agent does to the file
    #[arg(long, value_name = "OPERATION", default_value = "modify", value_parser = operation())]
    pub operation: Operation,
}

/// The options of `session unlock`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 unlocked, 1 the agent no longer held it, 2 error.")]
pub struct UnlockArgs {
    /// What is asked for.
    #[command(flatten)]
    pub asked: AskedArgs,
}

/// The options of `session renew`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 renewed, 1 the agent no longer holds it, 2 error.")]
pub struct RenewArgs {
    /// What is asked for.
    #[command(flatten)]
    pub asked: AskedArgs,
    /// How long it lasts from now on.
    #[command(flatten)]
    pub ttl: TtlArgs,
}

/// A file, its agent and its session: what the subcommands for locks have in common.
#[derive(Debug, Clone, Args)]
pub struct AskedArgs {
    /// The file, which need not exist
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The agent, such as `backend`, or one instance of it, such as `backend[2]`
    #[arg(long, value_name = "AGENT")]
    pub agent: String,
    /// The instance number, if several agents have that name: `--agent backend --instance 2` is `--agent 'backend[2]'`
    #[arg(long, value_name = "NUMBER")]
    pub instance: Option<u32>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: SessionFormat,
    /// The folder of the session, or its name [default: the only active one in `.squad/sessions/`, otherwise in `.ai-team/sessions/`]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub session: Option<PathBuf>,
    /// The place of the sessions.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// The time of a lock.
#[derive(Clone, Copy, Debug, Args)]
pub struct TtlArgs {
    /// The number of seconds until the lock expires, unless it is renewed
    #[arg(long = "ttl", value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub seconds: u32,
}

/// Where sessions are looked for, and when.
#[derive(Debug, Clone, Args)]
pub struct PlaceArgs {
    /// The root of the repository [default: found as git does]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub root: Option<PathBuf>,
    /// The current time, with which timestamps are compared [default: the clock; `SOURCE_DATE_EPOCH` is ignored]
    #[arg(long, value_name = "TIMESTAMP", help_heading = "Files")]
    pub now: Option<String>,
}

/// The words of the protocol.
fn operation() -> impl TypedValueParser<Value = Operation> {
    PossibleValuesParser::new(Operation::WORDS).try_map(|word| Operation::parse(&word).ok_or("no operation"))
}
