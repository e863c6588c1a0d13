//! The command line, as types for clap.

pub mod agents;
pub mod bundle;
pub mod charter;
pub mod convert;
pub mod deferred;
pub mod health;
pub mod leading;
pub mod memory;
pub mod memory_write;
pub mod request;
pub mod session;
mod shared;
pub mod stats;
pub mod team;

use std::ffi::OsStr;
use std::path::PathBuf;

use bstr::ByteSlice;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint};

pub use self::shared::{GlobalArgs, ProjectArgs};

use self::deferred::Deferred;
use crate::diagnostic::Severity;
use crate::report::Format;

/// Checks the memory files of teams of AI agents.
#[derive(Debug, Parser)]
#[command(
    name = "squad-lint",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 error."
)]
pub struct Cli {
    /// The subcommand; `check` without one.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options of `check`.
    #[command(flatten)]
    pub check: CheckArgs,
    /// The options of every subcommand.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check state files (the default)
    Check(Box<CheckArgs>),
    /// Explain a rule
    Explain(Deferred<ExplainArgs>),
    /// List all rules
    Rules(Deferred<RulesArgs>),
    /// Write a configuration file with every key and its default
    Init(Deferred<InitArgs>),
    /// Show the effective configuration, and where each value comes from
    Config(Deferred<ConfigArgs>),
    /// Print the JSON schema of the configuration, of an entry, or of a reflection
    Schema(Deferred<SchemaArgs>),
    /// Print values of a JSON file, for scripts on machines without jq
    JsonValue(Deferred<JsonValueArgs>),
    /// Convert legacy entries to Squad Entry Markdown, and charters to their canonical form
    Convert(Deferred<convert::ConvertArgs>),
    /// Validate charters against a profile, and print the verdict on each
    Charter(Deferred<charter::CharterArgs>),
    /// Work with portable squads: export and import bundles, and compare two of them
    Bundle(Deferred<bundle::BundleArgs>),
    /// List, search and add entries of a team's memory, or print a brief for one agent
    Memory(Box<Deferred<memory::MemoryArgs>>),
    /// Report expired and stale entries, agents that load too much, and files that can be archived
    Health(Deferred<health::HealthArgs>),
    /// Count the entries of a memory by week, author and type, and show how its files grew
    Stats(Deferred<stats::StatsArgs>),
    /// Manage a learning team: its manifest, its learnings, the reflections of its members
    Team(Deferred<team::TeamArgs>),
    /// Manage a running session of agents: show its progress, lock files for agents, clean up
    Session(Deferred<session::SessionArgs>),
    /// Merge three versions of a memory file, entry by entry; `install --merge-driver` lets git run this
    Merge(Deferred<MergeArgs>),
    /// Install git hooks, agent hooks, or the merge driver
    Install(Deferred<HooksArgs>),
    /// Remove the git hooks, agent hooks, or the merge driver, and keep what other programs wrote
    Uninstall(Deferred<HooksArgs>),
    /// Run as an agent hook: check the memory files that the agent has just written
    Hook(Deferred<agents::HookArgs>),
    /// Print completions for a shell
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual page
    Man(Deferred<ManArgs>),
}

/// The git hooks that `install` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Hook {
    /// Checks what a commit changes
    PreCommit,
    /// Guards the branches that are pushed to
    PrePush,
}

/// The formats of the table of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// A table
    #[default]
    Text,
    /// A JSON array
    Json,
}

/// The options of `check`.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("fixing").multiple(true), group = ArgGroup::new("change"))]
pub struct CheckArgs {
    /// Files and folders to check, or `-` for standard input [default: the whole repository]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Check only these rules or families ("all" for every rule)
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Skip these rules or families
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Exit with 1 if a finding has at least this severity [default: error]
    #[arg(long, value_name = "SEVERITY", value_enum, help_heading = "Rules")]
    pub fail_on: Option<Severity>,
    /// Exit with 0 even if there are findings
    #[arg(long, help_heading = "Rules")]
    pub exit_zero: bool,

    /// Check the staged changes, read from the index. With --fix, fix files whose staged and working copies are identical
    #[arg(long, group = "change", conflicts_with_all = ["stdin_filename", "root", "write_baseline"], help_heading = "Git")]
    pub staged: bool,
    /// Check the changes since the merge base with REV
    #[arg(long, value_name = "REV", group = "change",
        conflicts_with_all = ["staged", "stdin_filename", "root", "write_baseline"], help_heading = "Git")]
    pub from: Option<String>,
    /// With --from, check the changes up to this revision [default: HEAD]
    #[arg(long, value_name = "REV", requires = "from", help_heading = "Git")]
    pub to: Option<String>,
    /// Report every finding in changed files, not only in the changed entries
    #[arg(long, requires = "change", help_heading = "Git")]
    pub all_lines: bool,
    /// For hook managers: check the given PATHs, limited to the change that they belong to (`PRE_COMMIT_FROM_REF` to
    /// `PRE_COMMIT_TO_REF`, otherwise the index)
    #[arg(long, group = "change", conflicts_with_all = ["stdin_filename", "root", "write_baseline"], help_heading = "Git")]
    pub hook_manager: bool,
    /// Check the files as they are in this revision, such as the branch `squad-state`
    #[arg(long, value_name = "REV", conflicts_with_all = ["paths", "change", "fixing", "stdin_filename", "root", "write_baseline"],
        help_heading = "Git")]
    pub rev: Option<String>,
    /// Run the guard rules on the tree of this revision instead of the index; files are not checked
    #[arg(long, value_name = "REV", conflicts_with_all = ["paths", "change", "rev"], help_heading = "Git")]
    pub tree: Option<String>,
    /// Run the guard rules on the commits of a push, read from standard input as git passes it to a pre-push hook, or from
    /// `PRE_COMMIT_TO_REF`, `PRE_COMMIT_FROM_REF` and `PRE_COMMIT_REMOTE_BRANCH`; files are not checked
    #[arg(long, conflicts_with_all = ["paths", "rev", "tree", "target_branch", "change"], help_heading = "Git")]
    pub pre_push: bool,
    /// The branch to check the guard rules against [default: the current branch; with `--from`, `$GITHUB_BASE_REF`]
    #[arg(long, value_name = "NAME", help_heading = "Git")]
    pub target_branch: Option<String>,

    /// Apply the safe fixes, and report the remaining findings
    #[arg(long, group = "fixing", help_heading = "Fixes")]
    pub fix: bool,
    /// With --fix or --diff, also apply unsafe fixes; review the result
    #[arg(long, requires = "fixing", help_heading = "Fixes")]
    pub unsafe_fixes: bool,
    /// Print what --fix would change as a diff for `git apply`, instead of the findings; writes nothing
    #[arg(long, group = "fixing", help_heading = "Fixes")]
    pub diff: bool,
    /// With --fix, exit with 1 if files were fixed, even if no findings remain
    #[arg(long, requires = "fix", help_heading = "Fixes")]
    pub exit_non_zero_on_fix: bool,

    /// Write a suppression comment above each finding that is shown, with REASON if given
    #[arg(
        long,
        value_name = "REASON",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = reason,
        conflicts_with_all = ["fixing", "write_baseline", "stdin_filename", "staged", "from", "hook_manager", "rev", "tree", "pre_push"],
        help_heading = "Suppressions"
    )]
    pub add_ignore: Option<String>,
    /// Also show suppressed findings; they do not affect the exit code
    #[arg(long, help_heading = "Suppressions")]
    pub show_suppressed: bool,
    /// Report only findings that are not in this baseline [default: `baseline` in the configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Suppressions")]
    pub baseline: Option<PathBuf>,
    /// Use no baseline, even if the configuration names one
    #[arg(long, conflicts_with = "baseline", help_heading = "Suppressions")]
    pub no_baseline: bool,
    /// Write the findings to this file, for --baseline
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["fixing", "baseline"],
        help_heading = "Suppressions"
    )]
    pub write_baseline: Option<PathBuf>,

    /// The lowest severity to show [default: warning]
    #[arg(long, value_name = "SEVERITY", value_enum, help_heading = "Output")]
    pub min_severity: Option<Severity>,
    /// Print every finding in full, not only the first five per rule and file
    #[arg(long, help_heading = "Output")]
    pub show_all: bool,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: Format,
    /// Write the findings to this file instead of standard output
    #[arg(
        id = "output",
        short,
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["diff", "write_baseline"],
        help_heading = "Output"
    )]
    pub output_file: Option<PathBuf>,
    /// Also write the findings in this format to this file; can be repeated
    #[arg(
        id = "report",
        long,
        value_name = "FORMAT=FILE",
        value_parser = OsStringValueParser::new().try_map(|value| report_file(&value)),
        conflicts_with_all = ["diff", "write_baseline"],
        help_heading = "Output"
    )]
    pub reports: Vec<ReportFile>,
    /// Count the findings by rule instead of printing them
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,
    /// Check standard input under this name; with --fix the fixed text goes to standard output, findings to standard error
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub stdin_filename: Option<PathBuf>,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// A report that goes to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Its format.
    pub format: Format,
    /// The file.
    pub path: PathBuf,
}

/// The options of `explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// The rule, such as sem/missing-field
    pub rule: String,
}

/// The options of `rules`.
#[derive(Debug, Clone, Args)]
pub struct RulesArgs {
    /// The format of the table
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: RulesFormat,
}

/// The options of `init`.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// Print it instead of writing squad-lint.toml
    #[arg(long)]
    pub stdout: bool,
    /// The folder to write it to [default: the root of the repository, found as git does]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
}

/// The formats of what `config` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ConfigFormat {
    /// As a configuration file, with comments on where each value comes from
    #[default]
    Text,
    /// One JSON object (docs/configuration.md)
    Json,
}

/// The options of `config`. It also takes the options of `check` that change the configuration.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    /// Show the configuration for this file, which need not exist, or for this folder
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub path: Option<PathBuf>,

    /// Show the configuration with only these rules or families ("all" for every rule)
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Show the configuration without these rules or families
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Exit with 1 if a finding has at least this severity [default: error]
    #[arg(long, value_name = "SEVERITY", value_enum, help_heading = "Rules")]
    pub fail_on: Option<Severity>,

    /// The lowest severity to show [default: warning]
    #[arg(long, value_name = "SEVERITY", value_enum, help_heading = "Output")]
    pub min_severity: Option<Severity>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub format: ConfigFormat,
    /// The project.
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// The schemas that `schema` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// `squad-lint.toml`
    Config,
    /// An entry of Squad Entry Markdown, as JSON
    Entry,
    /// A reflection, which a member of a learning team returns, for `claude --json-schema`
    Reflection,
}

/// The options of `schema`.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// The schema to print
    #[arg(value_enum)]
    pub of: SchemaName,
}

/// The options of `json-value`.
#[derive(Debug, Clone, Args)]
pub struct JsonValueArgs {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The keys that lead to the value; `*` for every item of a list
    #[arg(value_name = "KEY")]
    pub keys: Vec<String>,
    /// Print the number of values
    #[arg(long, conflicts_with = "null")]
    pub count: bool,
    /// End each value with a NUL, and print control characters as they are
    #[arg(long)]
    pub null: bool,
}

/// The options of `merge`.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// The common ancestor; git's `%O`
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub base: PathBuf,
    /// The file with our version; the result replaces it; git's `%A`
    #[arg(value_name = "OURS", value_hint = ValueHint::FilePath)]
    pub ours: PathBuf,
    /// The file with their version; git's `%B`
    #[arg(value_name = "THEIRS", value_hint = ValueHint::FilePath)]
    pub theirs: PathBuf,
    /// The path that the file has in the repository, which decides how it is merged; git's `%P`
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub path: PathBuf,
    /// The length of conflict markers; git's `%L`
    #[arg(long, value_name = "NUMBER", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    pub marker_size: u16,
    /// How conflicts are shown: merge, diff3 or zdiff3, as git's `merge.conflictStyle`
    #[arg(long, value_name = "STYLE", default_value = "merge")]
    pub conflict_style: String,
    /// The name of the base in conflict markers; git's `%S`
    #[arg(long, value_name = "NAME", default_value = "base")]
    pub base_name: String,
    /// The name of our side in conflict markers; git's `%X`
    #[arg(long, value_name = "NAME", default_value = "ours")]
    pub ours_name: String,
    /// The name of their side in conflict markers; git's `%Y`
    #[arg(long, value_name = "NAME", default_value = "theirs")]
    pub theirs_name: String,
}

/// The options of `install` and `uninstall`.
#[derive(Debug, Clone, Args)]
pub struct HooksArgs {
    /// The git hooks to install or remove
    #[arg(long, value_name = "HOOK", value_enum, value_delimiter = ',', default_values = ["pre-commit", "pre-push"])]
    pub hook: Vec<Hook>,
    /// The folder of the hooks [default: where git looks: `core.hooksPath`, otherwise `hooks` in the repository's own folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub hooks_path: Option<PathBuf>,
    /// Use agent hooks instead of git hooks: the entries of squad-lint in `.github/hooks/squad-lint.json` and
    /// `.claude/settings.json`
    #[arg(long, conflicts_with_all = ["hook", "hooks_path"])]
    pub agents: bool,
    /// Use the merge driver instead of git hooks. With it, git merges memory files entry by entry. It has lines in
    /// `.gitattributes` and in the git configuration of this clone
    #[arg(long, conflicts_with_all = ["hook", "hooks_path", "agents"])]
    pub merge_driver: bool,
}

/// The options of `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// The options of `man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Write the page and those of the subcommands to this folder instead
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

/// `FORMAT=FILE`.
fn report_file(value: &OsStr) -> Result<ReportFile, String> {
    const EXPECTED: &str = "expected FORMAT=FILE, such as sarif=squad-lint.sarif";
    let bytes = <[u8]>::from_os_str(value).ok_or(EXPECTED)?;
    let (name, path) = bytes.split_once_str("=").ok_or(EXPECTED)?;
    let path = path.to_path().map_err(|_| EXPECTED)?.to_owned();
    let name = name.to_str_lossy();
    let format = Format::from_str(&name, false).map_err(|_| {
        let names: Vec<String> = Format::all().iter().map(|format| format!("`{}`", format.name)).collect();
        format!("`{name}` is not a format, expected one of {}", names.join(", "))
    })?;
    match path.to_str() {
        Some("") => Err(EXPECTED.to_owned()),
        Some("-") => Err(format!("standard output is for the main report: `--format {name}`")),
        _ => Ok(ReportFile { format, path }),
    }
}

/// A reason that fits into a comment.
fn reason(text: &str) -> Result<String, &'static str> {
    if text.contains("--") || text.chars().any(char::is_control) {
        return Err("a reason is one line without `--`");
    }
    Ok(text.trim().to_owned())
}
