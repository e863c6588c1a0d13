//! Files over their limits, as `memory archive` sees them.

use crate::diagnostic::{Diagnostic, Severity};
use crate::outcome::Outcome;

/// A file over its limit.
#[derive(Debug)]
pub struct Over {
    /// What the rule says about it.
    pub diagnostic: Diagnostic,
    /// Whether entries leave it.
    pub moves: bool,
}

impl Over {
    /// The severity that the configuration gives to this finding, which is in `outcome` then; info if it turns the rule off.
    pub(super) fn severity(&self, outcome: &Outcome) -> Severity {
        let Self { diagnostic, .. } = self;
        let is_same = |one: &&Diagnostic| one.path == diagnostic.path && one.rule.name == diagnostic.rule.name;
        outcome.diagnostics.iter().find(is_same).map_or(Severity::Info, |one| one.severity)
    }

    /// How large it is, and why nothing leaves it.
    pub(super) fn message(&self) -> String {
        let Self { diagnostic, moves } = self;
        if *moves {
            return diagnostic.message.clone();
        }
        let notes = diagnostic.notes.iter().map(|note| why(&note.text));
        let reasons: Vec<String> = notes.filter(|note| note.starts_with(STAYS)).collect();
        let reasons = if reasons.is_empty() { STAYS.to_owned() } else { reasons.join("; ") };
        format!("{}; {reasons}", diagnostic.message)
    }
}

const STAYS: &str = "nothing is moved";

/// Why nothing is moved, from a note of the rule.
pub fn why(note: &str) -> String {
    note.replace("`--fix` cannot do this: ", &format!("{STAYS}: "))
}
