//! # sem/unknown-author
//!
//! ## What it flags
//!
//! An author who is neither an agent of the team, nor a person that `team.md` names, nor `Coordinator`. Silent where
//! the state root has no agents.
//!
//! ## Why it matters
//!
//! An entry counts for as much as its author, and `agent:` scopes follow from it. A name that nobody bears is misspelt,
//! or the agent has left the team.
//!
//! ## Example
//!
//! ```markdown
//! **author:** Keeton
//! ```
//!
//! ## How to fix
//!
//! Write the name as `team.md` has it. A person belongs there as `- **Owner:** Brady`; an agent that left stays known
//! through its folder under `agents/_alumni/`.
//!
//! ## Source
//!
//! Seed 000, "author": the name of an agent or a human, or `Coordinator`.

use crate::diagnostic::{Finding, Severity};
use crate::facts::squads::Squad;
use crate::formats::roster;
use crate::formats::sem::{Entry, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::suggest::{Tolerance, nearest};

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
    let Context { document, run, .. } = *context;
    let (Some(field), Some(author)) = (entry.field(FieldName::Author), entry.author()) else { return };
    let Some(team) = run.squads().at(document.root).filter(|team| !team.agents.is_empty()) else { return };
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
    let known = || team.agents.iter().take(COMPARED).chain(team.humans.iter().take(COMPARED));
    let near = names.iter().find_map(|name| nearest(name, known(), Tolerance::Help));
    let help = match near {
        Some(known) => format!("did you mean `{known}`?"),
        None => "write the name as `team.md` has it, or add a person there as `- **Owner:** Name`".to_owned(),
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
