//! # sem/directive-by-agent
//!
//! ## What it flags
//!
//! A directive whose author is an agent of the team. An author that names a person as well, such as
//! `Keaton, asked by Brady` or `Brady (via Copilot)`, is fine.
//!
//! ## Why it matters
//!
//! Directives are rules that a person gave, and agents follow them without discussion. An agent that writes its own
//! opinion as a directive gives orders to other agents, and later it is unclear who wanted the rule.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-15T14:32:15-0800: directive: Never mock the database
//!
//! **author:** Keaton
//! ```
//!
//! ## How to fix
//!
//! Name the person who gave the directive as the author. If no person did, make it a `decision`.
//!
//! ## Source
//!
//! Squad Entry Markdown, "type":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#type>

use crate::diagnostic::{Finding, Severity};
use crate::formats::roster;
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/directive-by-agent",
    severity: Severity::Warning,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    if entry.entry_type() != Some(EntryType::Directive) {
        return;
    }
    let (Some(field), Some(author)) = (entry.field(FieldName::Author), entry.author()) else { return };
    let Some(team) = context.squad() else { return };
    let by_agent = roster::is_agent(author, &team.agents)
        && !roster::is_human(author, &team.humans)
        && !roster::is_coordinator(author);
    if by_agent {
        let span = field.first_line_span(entry.text());
        sink.report(
            Finding::at(span, format!("author of a directive is the agent `{author}`, expected a person"))
                .label("an agent of this team")
                .help("write the name of the person who gave the directive")
                .help("if no person gave it, make it a `decision`"),
        );
    }
}
