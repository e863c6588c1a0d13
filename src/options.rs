//! What rules are tuned with: plain data, filled by the configuration and the command line.

use bstr::BStr;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::formats::timestamp::Timestamp;
use crate::layout::globs::Globs;

/// Seed 001's migration phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// SEM and legacy entries stand side by side (phases 1 and 2).
    #[default]
    Dual,
    /// Legacy entries are errors (phase 3).
    SemOnly,
}

/// Caps of the memory family, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryCaps {
    /// `decisions.md` beyond this is worth archiving. Default 20 KB, upstream's archiver.
    pub decisions: u64,
    /// `decisions.md` beyond this is slow to parse. Default 100 KB, seed 000's best practice.
    pub decisions_hard: u64,
    /// An agent's `history.md` beyond this is worth archiving. Default 15 KB, upstream's archiver.
    pub history: u64,
}

impl Default for MemoryCaps {
    fn default() -> Self {
        Self { decisions: 20_000, decisions_hard: 100_000, history: 15_000 }
    }
}

/// What of a team's state may be in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Nothing. The default for `.ai-team/`.
    NeverTracked,
    /// All but what changes with every session. The default for `.squad/`.
    TrackedMinusRuntime,
    /// All, but not on protected branches.
    NotOnProtected,
    /// All, but on a branch of its own only.
    StateBranch,
}

/// What the guard is tuned with.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The policy for every state root; without it the root's name decides.
    pub policy: Option<Policy>,
    /// The protected branches, by glob over their short names.
    pub branches: Globs,
    /// The branch that holds state under [`Policy::StateBranch`], by its short name.
    pub state_branch: String,
    /// The branch that what is checked is meant for; without it the one that is checked out.
    pub target: Option<String>,
}

impl Guard {
    /// The protected branches by default.
    pub const BRANCHES: [&'static str; 3] = ["main", "preview", "insider"];
    /// The branch that holds state by default.
    pub const STATE_BRANCH: &'static str = "squad-state";

    /// The policy for the state root at `root`; `None` for one that nothing is asked of. The folders of learning teams
    /// are no such roots: they hold what their teams commit on purpose.
    pub fn policy_of(&self, root: &BStr) -> Option<Policy> {
        let folded = root.to_ascii_lowercase();
        let named = |name: &str| folded == name.as_bytes() || folded.ends_with(format!("/{name}").as_bytes());
        if named(".ai-team") {
            return Some(self.policy.unwrap_or(Policy::NeverTracked));
        }
        if named(".squad") {
            return Some(self.policy.unwrap_or(Policy::TrackedMinusRuntime));
        }
        if ["memory/agents", "memory/team", "memory/reflections", ".claude/tackline/memory"].into_iter().any(named) {
            return None;
        }
        self.policy
    }

    /// Whether the branch of that short name is protected.
    pub fn is_protected(&self, branch: &BStr) -> bool {
        self.branches.is_match(branch)
    }
}

impl Default for Guard {
    fn default() -> Self {
        // Names without a special character: they always make a set, and an empty one would protect nothing.
        let branches = Globs::new(Self::BRANCHES).unwrap_or_default();
        Self { policy: None, branches, state_branch: Self::STATE_BRANCH.to_owned(), target: None }
    }
}

/// How long learnings may become, and how old (seed 004, "Size Cap and Tiered Structure", "Consolidation Triggers").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningsCaps {
    /// The most lines of a `learnings.md`. Default 60.
    pub lines: u64,
    /// The most lines of its `Core`. Default 30.
    pub core: u64,
    /// The most lines of its `Task-Relevant`. Default 30.
    pub task_relevant: u64,
    /// The days after which an entry that nobody refers to is stale. Default 21.
    pub stale_after: u64,
    /// The days within which a note of another member is to be settled. Default 14.
    pub unsettled_after: u64,
    /// The sprints after which what was confirmed in each of them belongs to all. Default 3.
    pub promote_after: u64,
    /// How much of their words two entries have in common, in percent, when they are similar. Default 60.
    pub similarity: u64,
}

impl Default for LearningsCaps {
    fn default() -> Self {
        Self {
            lines: 60,
            core: 30,
            task_relevant: 30,
            stale_after: 21,
            unsettled_after: 14,
            promote_after: 3,
            similarity: 60,
        }
    }
}

/// Everything that rules are tuned with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The moment against which dates are judged; comes from outside, so that runs repeat.
    pub now: Timestamp,
    /// How legacy entries are judged.
    pub phase: Phase,
    /// The longest summary, in Unicode scalar values (seed 000: 120).
    pub summary_max: usize,
    /// Caps on file sizes.
    pub memory: MemoryCaps,
    /// Caps and ages of learnings.
    pub learnings: LearningsCaps,
    /// What may be in git.
    pub guard: Guard,
    /// Files beyond this many bytes are named, not read. Default 16 MiB.
    pub max_file_size: u64,
    /// Whether rules look up what only the history of git tells. It is a walk through all commits: worth it where unsafe
    /// fixes are written or shown.
    pub history: bool,
}

impl Options {
    /// The defaults, at the moment `now`.
    pub fn at(now: Timestamp) -> Self {
        Self {
            now,
            phase: Phase::default(),
            summary_max: 120,
            memory: MemoryCaps::default(),
            learnings: LearningsCaps::default(),
            guard: Guard::default(),
            max_file_size: 16 << 20,
            history: false,
        }
    }
}
