//! # sem/unknown-author
//!
//! ## What it flags
//!
//! An author who is not an agent of the team, not a person in `team.md`, and not `Coordinator`. The rule is silent if
//! the state root has no agents.
//!
//! ## Why it matters
//!
//! Readers judge an entry by its author, and the default scope of a memory depends on the author. An unknown name is
//! misspelt, or belongs to an agent that has left the team.
//!
//! ## Example
//!
//! ```markdown
//! **author:** Keeton
//! ```
//!
//! ## How to fix
//!
//! Write the name as it is in `team.md`. Add a person there as `- **Owner:** Brady`. For an agent that has left, keep
//! its folder under `agents/_alumni/`: the rule knows these names, too.
//!
//! ## Source
//!
//! Squad Entry Markdown, "author":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#author>
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use crate::diagnostic::{Finding, Severity};
use crate::facts::authors::Author;
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-author",
    severity: Severity::Info,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (Some(field), Some(author)) = (entry.field(FieldName::Author), entry.author()) else { return };
    let Some(Author::Unknown(near)) = context.author(author) else { return };
    let help = match near {
        Some(known) => format!("did you mean `{known}`?"),
        None => "for an agent, write the name as in `team.md`; for a person, add `- **Human:** NAME` to `team.md`"
            .to_owned(),
    };
    let span = field.first_line_span(entry.text());
    sink.report(
        Finding::at(span, format!("author `{author}` is not on the team"))
            .label("neither an agent, nor a person in `team.md`, nor `Coordinator`")
            .help(help),
    );
}
