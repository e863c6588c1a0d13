//! What rules are tuned with: plain data, filled by the configuration and the command line.

use serde::Deserialize;

use crate::formats::timestamp::Timestamp;

/// Seed 001's migration phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
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
    /// Files beyond this many bytes are named, not read. Default 16 MiB.
    pub max_file_size: u64,
}

impl Options {
    /// The defaults, at the moment `now`.
    pub fn at(now: Timestamp) -> Self {
        Self { now, phase: Phase::default(), summary_max: 120, memory: MemoryCaps::default(), max_file_size: 16 << 20 }
    }
}
