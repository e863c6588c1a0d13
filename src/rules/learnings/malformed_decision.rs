//! # learnings/malformed-decision
//!
//! ## What it flags
//!
//! Decisions in `memory/team/decisions.md` that do not end with their date and author,
//! `(decided: 2026-02-13, by: architect)`. One finding covers all decisions of a file that lack the same part. With
//! `--staged` and `--from`, only decisions in the change count. An invalid date and an author who is not a member of
//! the manifest are separate findings, and so is the date of a learning, `(added: 2026-02-13)`. The rule accepts
//! `user`, `team` and similar words as authors.
//!
//! ## Why it matters
//!
//! When two decisions contradict each other, the newer one is valid. Without dates you cannot tell which one is newer,
//! and without an author you do not know whom to ask.
//!
//! ## Example
//!
//! ```markdown
//! - REST over GraphQL for all public APIs (decided: 2026-02-13)
//! ```
//!
//! ## How to fix
//!
//! Add the missing part at the end of the item. `git log -S 'REST over GraphQL'` finds the commit that added it.
//!
//! ## Source
//!
//! Learning teams, "Team decisions":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#team-decisions>

use super::invalid_date::is_shaped;
use super::shared::{Touched, at_lines, expected, first_line, team, unknown_names};
use crate::diagnostic::{Finding, Severity};
use crate::formats::learnings::{Entry, MarkKind};
use crate::formats::team_decisions::TeamDecisions;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/malformed-decision",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

/// Which parts a decision lacks (date, author), what the message calls them, what it expects, and where that goes.
const LACKING: [(bool, bool, &str, &str, &str); 3] = [
    (
        true,
        true,
        "no date and no author",
        "(decided: YYYY-MM-DD, by: NAME)",
        "add `(decided: YYYY-MM-DD, by: NAME)` at the end",
    ),
    (true, false, "no date", "decided: YYYY-MM-DD", "write `decided: YYYY-MM-DD, ` before `by:`"),
    (false, true, "no author", "by: NAME", "write `, by: NAME` after the date"),
];

/// A date as a learning has it.
const ADDED: (bool, bool, &str, &str, &str) = (
    false,
    true,
    "`added`",
    "(decided: YYYY-MM-DD, by: NAME)",
    "write `decided` instead of `added`, and `, by: NAME` after the date",
);

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(decisions) = document.body::<TeamDecisions>() else { return };
    let (text, touched) = (document.text(), Touched::of(document));
    let all = decisions.decisions().count();
    let touched: Vec<_> = decisions.decisions().filter(|one| touched.holds(one.entry.span)).collect();
    let is_decided = |entry: &Entry| entry.marks_of(MarkKind::Decided).next().is_some();
    let is_added = |entry: &Entry| !is_decided(entry) && entry.marks_of(MarkKind::Added).next().is_some();
    let added = touched.iter().map(|one| one.entry).filter(|entry| is_added(entry)).collect();
    let lacking = LACKING.into_iter().map(|lacking| {
        let (no_date, no_author, ..) = lacking;
        let lacks = touched.iter().filter(|one| is_decided(one.entry) != no_date && one.by().is_none() == no_author);
        (lacking, lacks.map(|one| one.entry).filter(|entry| !is_added(entry)).collect::<Vec<&Entry>>())
    });
    for ((_, _, what, wanted, advice), lacks) in lacking.chain([(ADDED, added)]) {
        let Some(first) = lacks.first() else { continue };
        let place = first_line(text, first);
        sink.report(match lacks.len() {
            1 => Finding::at(place, format!("decision has {what}, expected `{wanted}`")).help(advice),
            count => {
                let places = at_lines(document, lacks.iter().map(|entry| entry.span));
                Finding::at(place, format!("{count} of {all} decisions have {what}, expected `{wanted}`"))
                    .label("first one")
                    .help(format!("{advice} ({places})"))
            }
        });
    }
    for mark in touched.iter().flat_map(|one| one.entry.marks_of(MarkKind::Decided)).filter(|mark| mark.day.is_none()) {
        let span = if mark.value.is_empty() { Span::new(mark.key.start(), mark.group.end()) } else { mark.value };
        sink.report(match mark.value.of(text) {
            "" => {
                Finding::at(span, "`decided` has no date, expected `YYYY-MM-DD`").help("write the date as `YYYY-MM-DD`")
            }
            value if is_shaped(value) => Finding::at(span, format!("decision date `{value}` does not exist"))
                .help("write the date of the decision"),
            value => Finding::at(span, format!("decision date `{value}` is not in the form `YYYY-MM-DD`"))
                .help("write the date as `YYYY-MM-DD`"),
        });
    }
    let names: Vec<Span> = touched.iter().filter_map(|one| one.by()).collect();
    let Some(team) = (!names.is_empty()).then(|| team(document, context.run())).flatten() else { return };
    for span in names.into_iter().flat_map(|name| unknown_names(text, name, &team)) {
        let name = span.of(text);
        let manifest = team.manifest_path();
        sink.report(
            Finding::at(span, format!("`by` names unknown member `{name}`, expected a member listed in `{manifest}`"))
                .help(expected(name, &team)),
        );
    }
}
