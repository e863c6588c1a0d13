//! # memory/entry-lost
//!
//! ## What it flags
//!
//! x
//!
//! ## Why it matters
//!
//! x
//!
//! ## Example
//!
//! x
//!
//! ## How to fix
//!
//! x
//!
//! ## Source
//!
//! x

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::options::Options;
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/entry-lost",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Repository(check),
};

fn check(facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    for lost in facts.lost() {
        sink.report(Finding::whole_file(format!("{} {:?} {:?} lines {:?}", lost.debug, lost.date, lost.title, lost.lines)).in_file(lost.path.clone()));
    }
}
