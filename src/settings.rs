//! Every setting, once: its key, its type, its default, an example, and the text that users read. The configuration file is
//! read into these types, and rules see them. The schema, what `init` writes, the checks of a file, `config` and the
//! table in `docs/configuration.md` are made from them; `docs/how-to-add-a-setting.md` shows how.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::BStr;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::diagnostic::{Level, Severity};
use crate::dialects::manifest::DEFAULT_MANIFESTS;
use crate::dialects::{InGit, default_roots};
use crate::formats::charter;
use crate::layout::globs::Globs;

/// Declares tables of settings: each field with its default.
macro_rules! settings {
    ($($(#[$of_table:meta])* $table:ident { $($(#[$of_key:meta])* $key:ident: $type:ty = $default:expr,)* })*) => {$(
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        $(#[$of_table])*
        pub struct $table {
            $($(#[$of_key])* pub $key: $type,)*
        }

        impl Default for $table {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }
    )*};
}

settings! {
    /// The configuration of squad-lint. Every key is optional.
    #[schemars(title = "squad-lint.toml")]
    Settings {
        /// File of known findings, relative to the root: findings in it are not reported. `--write-baseline` writes it.
        #[schemars(example = &"squad-lint-baseline.json")]
        baseline: Option<Text> = None,
        /// Globs of files to skip, relative to the root. A glob without `/` matches a name in any folder, and a glob that
        /// matches a folder skips everything in it. Templates are always skipped.
        #[schemars(example = [".squad/agents/*/drafts"])]
        exclude: Vec<Glob> = Vec::new(),
        /// Lowest severity that makes the exit code 1.
        #[schemars(example = &"warning")]
        fail_on: Severity = Severity::Error,
        /// Size, in bytes, above which a file is reported instead of checked.
        #[schemars(example = 4_000_000)]
        max_file_bytes: Count = Whole(16 << 20),
        /// Lowest severity that is shown. If not set, it is `warning` or `fail-on`, whichever is lower.
        #[schemars(extend("default" = "warning"), example = &"info")]
        min_severity: Option<Severity> = None,
        /// How entries that predate Squad Entry Markdown are treated: `dual` accepts them, `sem-only` reports each as an
        /// error.
        #[schemars(example = &"sem-only")]
        phase: Phase = Phase::Dual,
        /// How charters are checked.
        charter: Charter = Charter::default(),
        /// Which state may be in git.
        guard: Guard = Guard::default(),
        /// Size and age of learnings.
        learnings: Learnings = Learnings::default(),
        /// Sizes above which the files that every agent reads are reported.
        memory: Memory = Memory::default(),
        /// Severities for some files. If several overrides match a file and name the same rule, the last one applies.
        #[schemars(example = [serde_json::json!({ "files": ["history.md"], "rules": { "sem": "warning" } })])]
        overrides: Vec<Override> = Vec::new(),
        /// Where state is kept.
        roots: Roots = Roots::default(),
        /// Rules and families, each with a severity or `off`.
        #[schemars(example = serde_json::json!({ "markdown": "warning", "sem/expired": "off" }))]
        rules: Rules = Rules::default(),
        /// How long sessions are kept.
        sessions: Sessions = Sessions::default(),
    }

    /// How charters are checked.
    Charter {
        /// Profile that every charter should follow. If not set, only its errors are reported, such as a duplicate field. If
        /// set, also its warnings, such as a missing ID.
        #[schemars(example = &"squad-charter/v0.1")]
        profile: Option<CharterProfile> = None,
    }

    /// Which state may be in git.
    Guard {
        /// Which state may be committed, for every state root. If not set, the name of the root decides: `never-tracked`
        /// for `.ai-team`, `tracked-minus-runtime` for `.squad`.
        #[schemars(example = &"not-on-protected")]
        policy: Option<Policy> = None,
        /// Globs of the protected branches.
        #[schemars(example = ["main", "release/*"])]
        protected_branches: Vec<Glob> = globs(["main", "preview", "insider"]),
        /// Words in the names of folders with sample data, such as `test-fixtures`. The rules on leaks, and those on how
        /// agents use their memory, such as sizes and dates, ignore the state roots in these folders.
        #[schemars(example = ["playground"])]
        example_folders: Vec<Text> = texts(["example", "examples", "fixture", "fixtures", "sample", "samples", "testdata"]),
        /// Branch that holds the state under `policy = "state-branch"`.
        #[schemars(example = &"state")]
        state_branch: BranchName = BranchName("squad-state".to_owned()),
    }

    /// Size and age of learnings.
    Learnings {
        /// Maximum number of lines in the `Core` part of a `learnings.md`.
        #[schemars(example = 40)]
        max_core_lines: Count = Whole(30),
        /// Maximum number of lines in a `learnings.md`.
        #[schemars(example = 80)]
        max_lines: Count = Whole(60),
        /// Maximum number of lines in the `Task-Relevant` part of a `learnings.md`.
        #[schemars(example = 40)]
        max_task_relevant_lines: Count = Whole(30),
        /// Number of sprints in which an entry must be confirmed before promotion is suggested.
        #[schemars(example = 4)]
        promote_after_sprints: Count = Whole(3),
        /// Word overlap, in percent, from which two entries count as similar.
        #[schemars(example = 80)]
        similarity_threshold: Percent = Whole(60),
        /// Days after which an entry that is neither updated nor referenced is reported.
        #[schemars(example = 30)]
        stale_after_days: Count = Whole(21),
        /// Days after which an unresolved note from another member is reported.
        #[schemars(example = 7)]
        unsettled_after_days: Count = Whole(14),
    }

    /// Sizes above which the files that every agent reads are reported.
    Memory {
        /// Size of a `decisions.md`, in bytes, above which it is reported as far too large.
        #[schemars(example = 200_000)]
        hard_max_decisions_bytes: Count = Whole(100_000),
        /// Number of tokens that one agent may load when it starts, by estimate.
        #[schemars(example = 30_000)]
        max_context_tokens: Count = Whole(50_000),
        /// Size of a `decisions.md`, in bytes, above which archiving is suggested.
        #[schemars(example = 40_000)]
        max_decisions_bytes: Count = Whole(20_480),
        /// Size of an agent's `history.md`, in bytes, above which archiving is suggested.
        #[schemars(example = 20_000)]
        max_history_bytes: Count = Whole(15_360),
    }

    /// Where state is kept.
    Roots {
        /// Globs of the manifests of learning teams. A glob matches at any depth, unless it begins with `/`.
        #[schemars(example = ["team.yaml"])]
        manifests: Vec<Glob> = globs(DEFAULT_MANIFESTS),
        /// Globs of the folders that hold state. A glob matches at any depth, unless it begins with `/`.
        #[schemars(example = [".squad", "/notes/team"])]
        state: Vec<Glob> = globs(default_roots().map(|root| root.glob)),
    }

    /// How long sessions are kept.
    Sessions {
        /// Hours after which a completed session should be in the archive.
        #[schemars(example = 48)]
        archive_after_hours: Count = Whole(24),
        /// Days after which a session in the archive may be deleted.
        #[schemars(example = 90)]
        keep_archived_days: Count = Whole(30),
        /// Days after which a failed session should be in the archive.
        #[schemars(example = 14)]
        keep_failed_days: Count = Whole(7),
    }

    /// Options of single rules.
    RuleOptions {
        /// Options of `sem/summary-too-long`.
        #[serde(rename = "sem/summary-too-long")]
        summary_too_long: SummaryTooLong = SummaryTooLong::default(),
    }

    /// Options of `sem/summary-too-long`.
    SummaryTooLong {
        /// Maximum length of a summary, in characters.
        #[schemars(example = 100)]
        max_characters: Count = Whole(120),
    }
}

/// Rules and families, each with a severity or `off`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Rules {
    /// Options of single rules.
    pub options: RuleOptions,
    /// The level of each rule and family that the file names.
    #[serde(flatten)]
    pub levels: BTreeMap<String, Level>,
}

/// Severities for some files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Override {
    /// Globs of the files, relative to the root.
    #[schemars(example = [".squad/agents/*/drafts"])]
    pub files: Vec<Glob>,
    /// Rules and families, each with its severity in these files or `off`. A family changes the severity of its rules and
    /// switches none on.
    #[schemars(example = serde_json::json!({ "sem": "warning" }))]
    pub rules: BTreeMap<String, Level>,
}

/// A whole number from 1 to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "u64")]
pub struct Whole<const MAX: u64>(u64);

/// The largest whole number in TOML.
const MOST: u64 = i64::MAX.unsigned_abs();

/// A whole number, at least 1.
pub type Count = Whole<MOST>;

/// A whole number from 1 to 100.
pub type Percent = Whole<100>;

impl<const MAX: u64> Whole<MAX> {
    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl Percent {
    /// The part of a whole, from 0.01 to 1.
    pub fn fraction(self) -> f64 {
        u32::try_from(self.0).map_or(1.0, |percent| f64::from(percent) / 100.0)
    }
}

impl<const MAX: u64> TryFrom<u64> for Whole<MAX> {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        if (1..=MAX).contains(&number) { Ok(Self(number)) } else { Err(format!("not a number from 1 to {MAX}")) }
    }
}

impl<const MAX: u64> JsonSchema for Whole<MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "integer", "minimum": 1 });
        if MAX < MOST {
            schema.insert("maximum".to_owned(), MAX.into());
        }
        schema
    }
}

/// A string that is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline, extend("minLength" = 1))]
pub struct Text(String);

impl Text {
    /// The string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Text {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.trim().is_empty() { Err("an empty string") } else { Ok(Self(text)) }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

/// A name that git takes for a branch.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline, extend("minLength" = 1, "pattern" = "^[^\\s~^:?*\\[\\\\]+$"))]
pub struct BranchName(String);

impl BranchName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether git takes `name` for a branch.
    pub fn is_valid(name: &str) -> bool {
        let is_forbidden = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
        let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.as_bytes().ends_with(b".lock");
        !name.contains(is_forbidden)
            && !name.contains("..")
            && !name.starts_with('-')
            && !name.ends_with('.')
            && name.split('/').all(is_part)
    }
}

impl TryFrom<String> for BranchName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, &'static str> {
        if Self::is_valid(&name) { Ok(Self(name)) } else { Err("no name of a branch") }
    }
}

impl From<BranchName> for String {
    fn from(name: BranchName) -> Self {
        name.0
    }
}

/// A glob: `*` stops at `/`, `**` does not.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("format" = "glob"))]
pub struct Glob(String);

impl TryFrom<String> for Glob {
    type Error = globset::Error;

    fn try_from(glob: String) -> Result<Self, globset::Error> {
        Globs::new([&glob])?;
        Ok(Self(glob))
    }
}

impl From<Glob> for String {
    fn from(glob: Glob) -> Self {
        glob.0
    }
}

impl AsRef<str> for Glob {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Text> {
    texts.into_iter().map(|text| Text(text.to_owned())).collect()
}

fn globs<'a>(globs: impl IntoIterator<Item = &'a str>) -> Vec<Glob> {
    globs.into_iter().map(|glob| Glob(glob.to_owned())).collect()
}

/// How entries that predate Squad Entry Markdown are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// They are accepted beside entries in Squad Entry Markdown.
    Dual,
    /// Each one is reported as an error.
    SemOnly,
}

/// Profile of charters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum CharterProfile {
    /// The working draft of September 2026.
    #[serde(rename = "squad-charter/v0.1")]
    V0_1,
}

impl CharterProfile {
    /// The name of the profile.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0_1 => charter::PROFILE,
        }
    }
}

/// Which state may be in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// None. The default for `.ai-team`.
    NeverTracked,
    /// Everything but runtime files, which change with every session. The default for `.squad`.
    TrackedMinusRuntime,
    /// Everything, except on protected branches.
    NotOnProtected,
    /// Everything, but only on the branch that `state-branch` names.
    StateBranch,
    /// Everything. For a team that commits its logs and inboxes, too.
    Tracked,
}

impl Settings {
    /// The names of rules and families that have a level, for all files or for some.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        let all = self.overrides.iter().map(|over| &over.rules).chain([&self.rules.levels]);
        all.flat_map(|levels| levels.keys().map(String::as_str))
    }

    /// The lowest severity that makes the exit code 1, and the lowest that is shown, where the command line does not say
    /// them.
    pub fn severities(&self, fail_on: Option<Severity>, shown: Option<Severity>) -> (Severity, Severity) {
        let fail_on = fail_on.unwrap_or(self.fail_on);
        (fail_on, shown.or(self.min_severity).unwrap_or_else(|| Severity::Warning.min(fail_on)))
    }

    /// The maximum length of a summary, in characters.
    pub fn max_summary_characters(&self) -> usize {
        usize::try_from(self.rules.options.summary_too_long.max_characters.get()).unwrap_or(usize::MAX)
    }
}

impl Guard {
    /// The policy for the state root at `root`; `None` if any state may be in git there. The folders of learning teams
    /// have no policy: their teams commit what is in them on purpose.
    pub fn policy_of(&self, root: &BStr) -> Option<Policy> {
        let folded = root.to_ascii_lowercase();
        let named = |name: &str| folded == name.as_bytes() || folded.ends_with(format!("/{name}").as_bytes());
        match default_roots().find(|root| named(root.glob)).map(|root| root.in_git) {
            Some(InGit::Nothing) => Some(self.policy.unwrap_or(Policy::NeverTracked)),
            Some(InGit::AllButRuntime) => Some(self.policy.unwrap_or(Policy::TrackedMinusRuntime)),
            Some(InGit::Everything) => None,
            None => self.policy,
        }
    }
}
