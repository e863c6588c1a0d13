//! # roster/unknown-routing
//!
//! ## What it flags
//!
//! A name in `routing.md` that is neither in `team.md` nor in the registry nor a folder in `agents/`. The rule reads
//! the columns `Route To`, `Agent`, `Primary`, `Secondary` and `Owner` of the table of work types and of
//! `## Module Ownership`. It accepts roles of members, also in short, people, `@…`, labels such as `squad:mary-ann`, one word of a
//! member's name, `N/A`, emoji where no member has such a name, and words such as `Lead`, `Both` or `Whole team`. It does not read the table `## Issue Routing`, which names roles.
//!
//! ## Why it matters
//!
//! The coordinator finds no agent for this work, and assigns it to another agent or invents one.
//!
//! ## Example
//!
//! ```markdown
//! | Work Type | Route To | Examples |
//! | --- | --- | --- |
//! | Code review | Keeton | Pull requests |
//! ```
//!
//! where the team has a Keaton.
//!
//! ## How to fix
//!
//! Write the name of a member, or add the member to the team.
//!
//! ## Source
//!
//! Squad folders, "Routing":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#routing>

use std::collections::BTreeSet;

use super::shared::squad;
use crate::diagnostic::Finding;
use crate::facts::roster::Roster;
use crate::formats::roster::{self, bare, is_built_in, is_of_signs};
use crate::formats::table::{self, markup, plain};
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Rule, Sink};
use crate::rules::most::Most;
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "roster/unknown-routing", looks_beside: true, check: Check::Document(check), ..Rule::NEW };

/// Words for those whom the coordinator chooses, and for people: `Both`, `Whole Team`, `Product Owner`.
const ANYONE: &str = "\
    lead all any anyone anybody everyone everybody each both either someone whole entire team squad crew \
    group other others human humans user users person people owner owners author manager sponsor \
    stakeholder stakeholders client customer maintainer maintainers reviewer reviewers requester \
    reporter named varies depends rotating you self escalate specialist";

/// Words behind a name that is a person's: `Devon (owner)`.
const PEOPLE: [&str; 4] = ["owner", "human", "user", "person"];

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if inner_path(document.path(), document.root()) != "routing.md" {
        return;
    }
    let names = roster::routed(document.text(), &document.entries.outline.marks);
    if names.is_empty() {
        return;
    }
    let Some(roster) =
        squad(context.run(), context.document.root()).filter(|roster| roster.known.rows || roster.known.entries)
    else {
        return;
    };
    let words = Words::of(&roster);
    let mut report = |finding| sink.report(finding);
    let mut most = Most::new(&mut report);
    for span in names.into_iter().filter(|name| !is_known(name.of(document.text()), &roster, &words)) {
        let name = span.of(document.text());
        // With all rows, the time would grow with their number times that of the members.
        let near = most.describes_next().then(|| {
            let known = roster.agents().map(|agent| agent.name.as_str());
            nearest(name, known, Tolerance::Help)
        });
        let help = match near.flatten() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of a member, or add one to `team.md`".into(),
        };
        most.report(
            Finding::at(span, format!("work is routed to `{name}`, who is not on the team"))
                .label("not on the team")
                .help(help),
        );
    }
    most.finish();
}

/// The words by which people call members.
struct Words {
    /// Those of all names: one is enough.
    names: BTreeSet<String>,
    /// Those of all roles: `Frontend Dev` is the `Senior Frontend Developer`.
    roles: BTreeSet<String>,
    /// Whether a member has a name without letters.
    has_signs: bool,
}

impl Words {
    fn of(roster: &Roster) -> Self {
        fn words<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
            let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
            words.filter(|word| !word.is_empty()).map(bare).collect()
        }
        let rows = roster.team.iter().flat_map(|team| &team.rows);
        let names = roster.members.iter().map(|member| member.name.as_str());
        let has_signs = roster.members.iter().any(|member| is_of_signs(&member.name));
        Self { names: words(names), roles: words(rows.map(|row| row.role.as_str())), has_signs }
    }

    /// Whether `words` are one word of a name, or all begin words of roles.
    fn mean(&self, words: &[&str]) -> bool {
        let begins = |word: &&str| {
            let word = bare(word);
            let role = self.roles.range(word.clone()..).next();
            role.is_some_and(|role| *role == word || word.len() > 2 && role.starts_with(&word))
        };
        matches!(words, [word] if self.names.contains(&bare(word))) || words.iter().all(begins)
    }
}

/// Whether `name` is that of a member, or of a person, or none at all.
fn is_known(name: &str, roster: &Roster, of_members: &Words) -> bool {
    let (name, role) = name.split_once('(').unwrap_or((name, ""));
    let raw = plain(name);
    let shown = markup::shown(raw);
    // The label of a member's issues: `squad:mary-ann`.
    let name = shown.strip_prefix("squad:").unwrap_or(&shown);
    let words: Vec<&str> = name.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).collect();
    // Signs are names where members have such names, and decorate others.
    let Some(first) = words.first() else {
        return !is_of_signs(name) || !of_members.has_signs || roster.find(name).is_some();
    };
    // A name has a capital letter in each word, or is one word: `Escalate to someone` is none.
    let is_prose = words.len() > 3 || words.len() > 1 && words.iter().any(|word| word.starts_with(char::is_lowercase));
    let is_anyone = |word: &&str| {
        let word = bare(word);
        ANYONE.split(' ').any(|anyone| anyone == word)
    };
    let is_person = role.split(|c: char| !c.is_alphanumeric()).any(|word| PEOPLE.contains(&bare(word).as_str()));
    is_prose
        || table::is_none(name)
        || raw.contains('*')
        || name.contains(['{', '<', '@'])
        || words.iter().any(is_anyone)
        || is_person
        || is_built_in(name)
        || is_built_in(first)
        || roster.find(name).is_some()
        || of_members.mean(&words)
        || roster.roles.contains(&bare(name))
}
