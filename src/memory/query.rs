//! Which entries are asked for.

use super::people::{Agent, People};
use super::record::{Format, Record, When};
use super::records::mentions;
use crate::formats::sem::{EntryType, Scope};
use crate::formats::timestamp::Timestamp;
use crate::text::any_case::AnyCase;

/// Which entries are asked for. Of several values of one filter one has to fit, and all filters have to.
#[derive(Debug, Default)]
pub struct Query<'a> {
    /// Their types.
    pub types: &'a [EntryType],
    /// Their authors and contributors.
    pub authors: Vec<Author<'a>>,
    /// Their scopes.
    pub scopes: Vec<Scope<'a>>,
    /// The agent that should read them.
    pub reader: Option<Agent<'a>>,
    /// Their tags.
    pub tags: &'a [String],
    /// From this moment or day on.
    pub after: Option<When>,
    /// Before this moment or day.
    pub before: Option<When>,
    /// From this moment up to now, in seconds since 1970. A day counts as long as any of it does.
    pub since: Option<i64>,
    /// What they refer to.
    pub related: Vec<Reference<'a>>,
    /// What is in their text.
    pub texts: Vec<AnyCase>,
    /// Whether another entry replaces them, or whether they apply now.
    pub state: Option<State>,
    /// The moment that `since` and `state` are about.
    pub now: Option<Timestamp>,
}

/// An author that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Author<'a> {
    name: &'a str,
    /// Whether somebody writes under this very name: then who only has its first word is somebody else.
    is_known: bool,
}

impl<'a> Author<'a> {
    /// The author of that name among those of `all`.
    pub fn of(name: &'a str, all: &[Record<'_>], people: &People) -> Self {
        Self { name, is_known: all.iter().any(|record| Self { name, is_known: true }.has(record, people)) }
    }

    /// Whether some of `all` are only by an author whose name has the same first word. A part of the memory does not show whether
    /// another author has exactly that name.
    pub fn is_guessed(&self, all: &[Record<'_>], people: &People) -> bool {
        !self.is_known && all.iter().any(|record| self.has(record, people))
    }

    fn has(&self, record: &Record<'_>, people: &People) -> bool {
        let mut all = record.author.iter().chain(&record.contributors);
        all.any(|own| {
            people.is_same(record.home(), own, self.name)
                && !(self.is_known && people.is_guessed(record.home(), own, self.name))
        })
    }
}

/// The state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Another entry replaces it.
    Superseded,
    /// It applies: no other entry replaces it, it has not expired, and it is in a file that agents load.
    InForce,
}

/// What an entry refers to: `issue:18`, `pr:#42`, `skill:release-notes`, `2026-02-15T14:32:15-0800`, `18`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The type of the reference, if the question has one.
    pub kind: Option<&'a str>,
    /// The identifier, without `#` before it.
    pub identifier: &'a str,
    /// The moment of the entry that is meant.
    pub at: Option<Timestamp>,
}

impl<'a> Reference<'a> {
    /// Reads one.
    pub fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let named = text
            .split_once(':')
            .filter(|(kind, _)| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let (kind, identifier) = named.map_or((None, text), |(kind, rest)| (Some(kind), rest.trim()));
        Self { kind, identifier: without_hash(identifier), at: Timestamp::read(identifier) }
    }

    fn fits(&self, record: &Record<'_>) -> bool {
        // An older entry has no field for it.
        if record.format == Format::Legacy {
            return self.is_in(record.text());
        }
        if let Some(at) = self.at {
            return mentions(record, at);
        }
        record.references().any(|(kind, identifier)| {
            self.kind.is_none_or(|wanted| wanted.eq_ignore_ascii_case(kind))
                && without_hash(identifier).eq_ignore_ascii_case(self.identifier)
        })
    }
}

impl Reference<'_> {
    /// Whether a text names it: `issue:18`, or `#18` for an issue and for a pull request, whose numbers GitHub takes from one row, unless
    /// the word before says which of them it is.
    fn is_in(&self, text: &str) -> bool {
        let kind = self.kind.map(str::to_ascii_lowercase);
        let is_number = !self.identifier.is_empty() && self.identifier.bytes().all(|byte| byte.is_ascii_digit());
        let is_numbered = is_number && matches!(kind.as_deref(), None | Some("issue" | "pr"));
        let (text, identifier) = (text.to_lowercase(), self.identifier.to_lowercase());
        text.match_indices(&identifier).filter(|_| !identifier.is_empty()).any(|(at, found)| {
            let (before, behind) =
                (text.get(..at).unwrap_or_default(), text.get(at + found.len()..).unwrap_or_default());
            if behind.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                return false;
            }
            if is_numbered && let Some(before) = before.strip_suffix('#') {
                let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                let is_other = match kind.as_deref() {
                    Some("issue") => ["pr", "prs", "request"].iter().any(|other| word.eq_ignore_ascii_case(other)),
                    Some(_) => ["issue", "issues"].iter().any(|other| word.eq_ignore_ascii_case(other)),
                    None => false,
                };
                // `team/tool#18` is of another repository.
                return !is_other && !before.ends_with(|c: char| c.is_alphanumeric());
            }
            match &kind {
                Some(kind) => {
                    let label = before.strip_suffix('#').unwrap_or(before).trim_end().strip_suffix(':');
                    let word = label.and_then(|label| label.rsplit(|c: char| !c.is_alphanumeric()).next());
                    word.is_some_and(|word| word.eq_ignore_ascii_case(kind))
                }
                None => self.at.is_some() && !before.ends_with(|c: char| c.is_alphanumeric()),
            }
        })
    }
}

fn without_hash(identifier: &str) -> &str {
    identifier.strip_prefix('#').unwrap_or(identifier)
}

impl Query<'_> {
    /// Whether `record` is asked for.
    pub fn fits(&self, record: &Record<'_>, people: &People) -> bool {
        any(self.types, |kind| record.kind == Some(*kind))
            && any(self.tags, |tag| record.tags.iter().any(|own| own.to_lowercase() == tag.to_lowercase()))
            && self.is_in_time(record)
            && self.has_state(record)
            && any(&self.authors, |author| author.has(record, people))
            && any(&self.scopes, |scope| has_scope(record, *scope, people))
            && self.reader.as_ref().is_none_or(|agent| agent.reads(record))
            && any(&self.related, |reference| reference.fits(record))
            && any(&self.texts, |text| text.is_in(record.text()))
    }

    /// An entry without a date is in no time.
    fn is_in_time(&self, record: &Record<'_>) -> bool {
        is_between(record.when, self.after, self.before) && self.since.is_none_or(|since| self.is_recent(record, since))
    }

    /// A day to come is not recent, even if it begins earlier elsewhere on earth.
    fn is_recent(&self, record: &Record<'_>, since: i64) -> bool {
        let starts = |now: Timestamp| record.when.unix().is_some_and(|start| start <= now.unix());
        record.when.last_unix().is_some_and(|last| last >= since) && self.now.is_none_or(starts)
    }

    fn has_state(&self, record: &Record<'_>) -> bool {
        match (self.state, self.now) {
            (Some(State::Superseded), _) => record.superseded_by.is_some(),
            (Some(State::InForce), Some(now)) => record.is_in_force(now),
            _ => true,
        }
    }
}

/// Whether `when` is from `after` on, and before `before`. What has no date is in no time.
pub fn is_between(when: When, after: Option<When>, before: Option<When>) -> bool {
    let is_after = |bound: When| match (bound, when.day(), when.unix()) {
        (When::Day(first), Some(day), _) => day >= first,
        (bound, _, Some(own)) => bound.unix().is_some_and(|bound| own >= bound),
        _ => false,
    };
    after.is_none_or(is_after) && before.is_none_or(|bound| when != When::Unknown && !is_after(bound))
}

/// Whether one of the `wanted` fits, where any is.
fn any<T>(wanted: &[T], fits: impl Fn(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(fits)
}

/// Whether `name` made the entry, or had a part in it.
pub fn is_by(record: &Record<'_>, name: &str, people: &People) -> bool {
    let mut all = record.author.iter().chain(&record.contributors);
    all.any(|own| people.is_same(record.home(), own, name))
}

/// Whether an entry has this scope.
pub fn has_scope(record: &Record<'_>, wanted: Scope<'_>, people: &People) -> bool {
    match (record.scope, wanted) {
        (Some(Scope::Agent(own)), Scope::Agent(wanted)) => people.is_same(record.home(), own, wanted),
        (Some(Scope::Skill(own)), Scope::Skill(wanted)) => own.eq_ignore_ascii_case(wanted),
        (own, wanted) => own == Some(wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn an_older_entry_names_what_it_refers_to() {
        for (reference, text) in [
            ("issue:18", "Fixes #18."),
            ("issue:#18", "**Related:** issue:18"),
            ("pr:18", "See PR #18 and issue #7."),
            ("issue:7", "See PR #18 and issue #7."),
            ("18", "See pull request #18"),
            ("skill:release-notes", "**Related:** Skill: release-notes"),
            ("2026-02-10T10:18:00Z", "It replaces 2026-02-10T10:18:00Z."),
        ] {
            assert!(Reference::parse(reference).is_in(text), "{reference}: {text}");
        }
        for (reference, text) in [
            ("issue:18", "Fixes #180, and team/tool#18, and 18 more."),
            ("issue:18", "See PR #18."),
            ("pr:7", "See issue #7."),
            ("18", "In 18 days."),
            ("skill:release-notes", "We write release-notes."),
            ("2026-02-10T10:18:00Z", "On 2026-02-10."),
        ] {
            assert!(!Reference::parse(reference).is_in(text), "{reference}: {text}");
        }
    }
}
