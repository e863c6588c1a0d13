//! `squad-lint.toml`: what it may say. Reading it is in [`read`], its keys one by one in `keys`.

mod keys;
pub mod read;
pub mod schema;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub use read::{ConfigError, FILE_NAMES, Loaded, Named, Places, discover, find, load};

use crate::diagnostic::{Level, Severity};
use crate::layout::role::{DEFAULT_MANIFESTS, DEFAULT_ROOTS};
use crate::options::{self, Phase, Policy};

/// The text that `squad-lint init` writes: every key with its default, commented out.
pub const DEFAULT_TEXT: &str = include_str!("config/default.toml");

/// The configuration of squad-lint. Every key is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(title = "squad-lint.toml")]
pub struct Config {
    /// The mildest severity that makes the exit code 1.
    #[schemars(extend("default" = "error"))]
    pub fail_on: Option<Severity>,
    /// The mildest severity that is shown. Without it `warning`, or `fail-on` where that is milder.
    #[schemars(extend("default" = "warning"))]
    pub min_severity: Option<Severity>,
    /// Globs, relative to the root, of what is left out, beside templates. `*` stops at `/`, `**` does not; a glob without
    /// `/` matches a name anywhere.
    #[serde(default)]
    #[schemars(extend("default" = []))]
    pub exclude: Vec<String>,
    /// How entries from before Squad Entry Markdown are judged.
    #[schemars(extend("default" = "dual"))]
    pub phase: Option<Phase>,
    /// Files beyond this many bytes are named, not read.
    #[schemars(range(min = 1), extend("default" = 16_777_216))]
    pub max_file_size: Option<u64>,
    /// Where state is kept.
    #[serde(default)]
    pub roots: Roots,
    /// Which rules run, and how: a rule or family and its severity, or `off`.
    #[serde(default)]
    pub rules: Rules,
    /// Other severities for some files. Of several that match a file and name a rule, the last one counts.
    #[serde(default)]
    pub overrides: Vec<Override>,
    /// Sizes, in bytes, beyond which a file is worth archiving.
    #[serde(default)]
    pub memory: Memory,
    /// How long learnings may become, and how old.
    #[serde(default)]
    pub learnings: Learnings,
    /// What of the state may be in git.
    #[serde(default)]
    pub guard: Guard,
}

/// Where state is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Roots {
    /// Globs of the folders that hold state, instead of the default ones. A glob matches a folder at any depth, unless it
    /// begins with `/`.
    #[schemars(extend("default" = DEFAULT_ROOTS))]
    pub state: Option<Vec<String>>,
    /// Globs of the manifests of learning teams, instead of the default one. A glob matches a file at any depth, unless it
    /// begins with `/`.
    #[schemars(extend("default" = DEFAULT_MANIFESTS))]
    pub manifests: Option<Vec<String>>,
}

/// Which rules run, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Rules {
    /// What some rules are tuned with.
    #[serde(default)]
    pub options: RuleOptions,
    /// A rule or family and its severity, or `off`.
    #[serde(flatten)]
    pub levels: BTreeMap<String, Level>,
}

/// What some rules are tuned with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleOptions {
    /// What `sem/summary-too-long` is tuned with.
    #[serde(default, rename = "sem/summary-too-long")]
    pub summary_too_long: SummaryTooLong,
}

/// What `sem/summary-too-long` is tuned with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SummaryTooLong {
    /// The longest summary, in characters.
    #[schemars(range(min = 1), extend("default" = 120))]
    pub max: Option<usize>,
}

/// Other severities for some files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Override {
    /// Globs, relative to the root, of the files that it holds for.
    pub files: Vec<String>,
    /// A rule or family and its severity there, or `off`. A family changes the severity of those of its rules that are on.
    pub rules: BTreeMap<String, Level>,
}

/// Sizes, in bytes, beyond which a file is worth archiving.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Memory {
    /// A `decisions.md` beyond this is worth archiving.
    #[schemars(range(min = 1), extend("default" = 20_000))]
    pub decisions_max: Option<u64>,
    /// A `decisions.md` beyond this is slow to parse.
    #[schemars(range(min = 1), extend("default" = 100_000))]
    pub decisions_hard_max: Option<u64>,
    /// A `history.md` beyond this is worth archiving.
    #[schemars(range(min = 1), extend("default" = 15_000))]
    pub history_max: Option<u64>,
}

/// How long learnings may become, and how old.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Learnings {
    /// The most lines of a `learnings.md`.
    #[schemars(range(min = 1), extend("default" = 60))]
    pub lines_max: Option<u64>,
    /// The most lines of its `Core`.
    #[schemars(range(min = 1), extend("default" = 30))]
    pub core_max: Option<u64>,
    /// The most lines of its `Task-Relevant`.
    #[schemars(range(min = 1), extend("default" = 30))]
    pub task_relevant_max: Option<u64>,
    /// The days after which an entry that nobody refers to is stale.
    #[schemars(range(min = 1), extend("default" = 21))]
    pub stale_after: Option<u64>,
    /// The days within which a note of another member is to be settled.
    #[schemars(range(min = 1), extend("default" = 14))]
    pub unsettled_after: Option<u64>,
    /// The sprints after which what was confirmed in each of them belongs to all.
    #[schemars(range(min = 1), extend("default" = 3))]
    pub promote_after: Option<u64>,
    /// How much of their words two entries have in common, in percent, when they are similar.
    #[schemars(range(min = 1, max = 100), extend("default" = 60))]
    pub similarity: Option<u64>,
}

/// What of the state may be in git.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Guard {
    /// The policy for every state root. Without it the name of the root decides: `never-tracked` for `.ai-team`,
    /// `tracked-minus-runtime` for `.squad`.
    pub policy: Option<Policy>,
    /// Globs of the protected branches, instead of the default ones. `*` stops at `/`.
    #[schemars(extend("default" = options::Guard::BRANCHES))]
    pub branches: Option<Vec<String>>,
    /// The branch that holds state under `policy = "state-branch"`.
    #[schemars(length(min = 1), extend("default" = options::Guard::STATE_BRANCH))]
    pub state_branch: Option<String>,
}
