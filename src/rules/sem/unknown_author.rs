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
use crate::facts::squads::Squad;
use crate::formats::roster;
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest_outlined};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/unknown-author",
    severity: Severity::Info,
    check: Check::Entry(check),
    compares_entries: true,
    ..Rule::NEW
};

/// A name is compared with this many others: no team has more, but a hostile `team.md` does.
const COMPARED: usize = 200;
/// Names beyond this many bytes are compared with none.
const NAME_MAX: usize = 64;

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (Some(field), Some(author)) = (entry.field(FieldName::Author), entry.author()) else { return };
    let Some(team) = context.squad().filter(|team| !team.agents.is_empty()) else { return };
    if roster::is_agent(author, &team.agents)
        || roster::is_human(author, &team.humans)
        || roster::is_coordinator(author)
    {
        return;
    }
    let names = roster::author_names(author);
    if names.iter().any(|name| is_login_of(name, team)) {
        return;
    }
    let known = || team.agents.outlined().take(COMPARED).chain(team.humans.outlined().take(COMPARED));
    let near = names.iter().find_map(|name| nearest_outlined(name, known(), Tolerance::Help));
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

/// People sign with the name of their account: `bradygaster` for `Brady`.
fn is_login_of(name: &str, team: &Squad) -> bool {
    (4..=NAME_MAX).filter_map(|len| name.get(..len)).any(|first| team.humans.has_first(first))
}
