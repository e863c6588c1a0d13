//! # learnings/tier-too-long
//!
//! ## What it flags
//!
//! A tier of a `learnings.md`, `Core` or `Task-Relevant`, of more than 30 lines: those below its heading, up to its last line with
//! text. The caps are `core-max` and `task-relevant-max` under `[learnings]`.
//!
//! Where a change is looked at, one that takes the tier over its cap is flagged like any other; one that makes a tier longer
//! that was over it already, as info; one that does not, not at all.
//!
//! ## Why it matters
//!
//! `Core` is what every task starts with. When all is core, nothing is: what each task needs is lost among what one needed once.
//!
//! ## Example
//!
//! A `## Core — High-Reuse Fundamentals` of 45 lines.
//!
//! ## How to fix
//!
//! Move from `Core` to `Task-Relevant` what few tasks need; merge what says the same; archive what nobody has needed for weeks.
//!
//! ## Source
//!
//! Seed 004, "Size Cap and Tiered Structure": 30 lines at most in each.

use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Learnings, Section, Tier};
use crate::layout::role::Role;
use crate::options::Options;
use crate::rule::{Check, Document, Ratchet, Rule, Sink};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/tier-too-long",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::Document(check),
};

fn check(document: &Document<'_>, options: &Options, sink: &mut Sink<'_>) {
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let text = document.text();
    for tier in [Tier::Core, Tier::TaskRelevant] {
        let (cap, name) = match tier {
            Tier::Core => (options.learnings.core, "Core"),
            Tier::TaskRelevant => (options.learnings.task_relevant, "Task-Relevant"),
        };
        let Some(section) = learnings.section(tier.kind()) else { continue };
        let count = length(text, section);
        if count <= cap {
            continue;
        }
        let before = |text: &str| {
            let learnings = Learnings::parse(text);
            learnings.section(tier.kind()).map_or(0, |section| length(text, section))
        };
        let ratchet = document.ratchet(cap, count, |old| old.source.as_ref().map_or(0, |source| before(source.text())));
        if ratchet == Ratchet::Holds {
            continue;
        }
        let help = match tier {
            Tier::Core => {
                "move what few tasks need to `Task-Relevant`, merge what says the same, archive what is stale"
            }
            Tier::TaskRelevant => "merge what says the same, archive what is stale",
        };
        let over = count - cap;
        let message = format!("`{name}` of {count} lines, expected at most {cap}");
        let finding = match document.before {
            // A change makes it longer elsewhere than in its heading.
            Some(_) => Finding::whole_file(message),
            None => Finding::at(section.heading.trim(text), message).label(format!("{over} too many")),
        };
        let finding = finding.help(help);
        sink.report(if ratchet == Ratchet::Grows { finding.at_most(Severity::Info) } else { finding });
    }
}

/// The lines below the heading of a section, up to the last one with text.
fn length(text: &str, section: &Section) -> u64 {
    let below = Span::new(section.body.start(), section.span.end());
    let content = Span::new(below.start(), below.start() + below.of(text).trim_end().len());
    lines(text, content).count() as u64
}
