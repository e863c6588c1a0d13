//! # learnings/tier-too-long
//!
//! ## What it flags
//!
//! A tier of a `learnings.md`, `Core` or `Task-Relevant`, of more than 30 lines. The count begins below the heading and
//! ends at the last line with text. `max-core-lines` and `max-task-relevant-lines` under `[learnings]` set the limits.
//!
//! With `--staged` and `--from`, the severity is that of the rule if the change takes the tier over its limit. It is
//! info if the tier was already over the limit and grows. If it does not grow, there is no finding.
//!
//! ## Why it matters
//!
//! Every task starts with `Core`. If everything is core, the entries that every task needs are hidden among those that
//! one task needed once.
//!
//! ## Example
//!
//! A `## Core — High-Reuse Fundamentals` of 45 lines.
//!
//! ## How to fix
//!
//! Move entries that few tasks need from `Core` to `Task-Relevant`, merge entries that say the same, and archive
//! entries that no task has needed for weeks.
//!
//! ## Source
//!
//! Learning teams, "Tiers":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#tiers>

use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Learnings, Section, Tier};
use crate::rule::{Check, Context, Ratchet, Rule, Sink};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule =
    Rule { name: "learnings/tier-too-long", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let Some(learnings) = document.loaded_learnings() else { return };
    let text = document.text();
    for tier in [Tier::Core, Tier::TaskRelevant] {
        let (cap, name) = match tier {
            Tier::Core => (options.learnings.max_core_lines.get(), "Core"),
            Tier::TaskRelevant => (options.learnings.max_task_relevant_lines.get(), "Task-Relevant"),
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
            Tier::Core => "merge similar entries, archive stale ones, and move rarely used ones to `Task-Relevant`",
            Tier::TaskRelevant => "merge similar entries, and archive stale ones",
        };
        let over = count - cap;
        let message = format!("section `{name}` has {count} lines, expected at most {cap}");
        let finding = match &document.before {
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
