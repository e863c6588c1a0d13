//! Whom the work is routed to: members, people, and words for any of them.

use std::collections::BTreeSet;

use crate::facts::roster::Roster;
use crate::formats::roster::{bare, is_built_in, is_of_signs};
use crate::formats::table::{self, markup, plain};

/// Words for those whom the coordinator chooses, and for people: `Both`, `Whole Team`, `Product Owner`.
const ANYONE: &str = "\
    lead all any anyone anybody everyone everybody each both either someone whole entire team squad crew \
    group other others human humans user users person people owner owners author manager sponsor \
    stakeholder stakeholders client customer maintainer maintainers reviewer reviewers requester \
    reporter named varies depends rotating you self escalate specialist";

/// Words behind a name that is a person's: `Devon (owner)`.
const PEOPLE: [&str; 4] = ["owner", "human", "user", "person"];

/// The words by which people call members.
pub struct Words {
    /// Those of all names: one is enough.
    names: BTreeSet<String>,
    /// Those of all roles: `Frontend Dev` is the `Senior Frontend Developer`.
    roles: BTreeSet<String>,
    /// Whether a member has a name without letters.
    has_signs: bool,
}

impl Words {
    /// Those of the members of `roster`.
    pub fn of(roster: &Roster) -> Self {
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
pub fn is_known(name: &str, roster: &Roster, of_members: &Words) -> bool {
    let (name, role) = name.split_once('(').unwrap_or((name, ""));
    // `Prompt Architect "Raziel"`: the role says who it is.
    let role_of = name.split_once(['"', '\u{201c}']).map(|(role, _)| role);
    let name = role_of.filter(|role| role.contains(char::is_alphabetic)).unwrap_or(name);
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
