//! What the bytes of a file tell of a question, before anything is parsed: most entries cannot be what is asked for, and those need
//! not be read.

use super::query::{Reference, is_between};
use super::record::When;
use crate::formats::entries::Wanted;
use crate::formats::roster::bare;
use crate::formats::sem::{EntryType, Header};
use crate::text::any_case::AnyCase;

/// The parts of a question that the bytes of an entry tell something about.
#[derive(Clone, Debug, Default)]
pub struct About<'q> {
    /// What is in its text.
    pub texts: &'q [String],
    /// Its tags.
    pub tags: &'q [String],
    /// What it refers to.
    pub related: &'q [String],
    /// Its types.
    pub types: &'q [EntryType],
    /// From this moment or day on.
    pub after: Option<When>,
    /// Before this moment or day.
    pub before: Option<When>,
    /// Whether another entry replaces it.
    pub is_superseded: bool,
    /// From this moment on, in seconds since 1970.
    pub since: Option<i64>,
    /// Its authors or contributors.
    pub people: Vec<Person>,
    /// Its scopes.
    pub scopes: Vec<Readers>,
}

/// The names of a person as they are compared: letters and digits alone, in lower case. A text that has one of them names the person.
#[derive(Clone, Debug)]
pub struct Person(Vec<String>);

impl Person {
    /// The one of these names; `None` if one of them has no letter, as then the bytes tell nothing.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Self> {
        let names: Vec<String> = names.into_iter().map(bare).collect();
        let is_plain = |name: &String| !name.is_empty() && name.chars().all(char::is_alphanumeric);
        names.iter().all(is_plain).then_some(Self(names))
    }

    fn is_in(&self, written: &str) -> bool {
        let written = bare(written);
        self.0.iter().any(|name| written.contains(name))
    }
}

/// A scope.
#[derive(Clone, Debug)]
pub enum Readers {
    /// `team`, also where the type of an entry says so.
    Team,
    /// `project`, or a skill of this name in lower case.
    Named(String),
    /// An agent, also one that wrote it.
    Agent(Person),
}

/// What an entry has that is asked for, or that says something of one that is.
#[derive(Debug)]
pub struct Glance<'q> {
    about: About<'q>,
    /// What is in the text of each entry that is asked for, and the same with [`Self::successor`]; without texts each entry is looked at.
    text: Option<[AnyCase; 2]>,
    /// What replaces another entry: whether an entry still applies is a part of the answer.
    successor: AnyCase,
}

/// The field with which an entry replaces another one, without its beginning: `supersedes`, `Supersedes`, `SUPERSEDES`.
const SUCCESSOR: [&str; 2] = ["persedes", "PERSEDES"];

impl<'q> Glance<'q> {
    /// What to look for; `None` if the bytes tell nothing.
    ///
    /// # Errors
    /// If the texts are too long.
    pub fn of(about: About<'q>) -> Result<Option<Self>, regex::Error> {
        // One of them is in the text.
        let related = || about.related.iter().map(|text| Reference::parse(text));
        let words: Vec<&str> = if !about.texts.is_empty() {
            about.texts.iter().map(String::as_str).collect()
        } else if !about.tags.is_empty() && about.tags.iter().all(|tag| tag.is_ascii()) {
            about.tags.iter().map(|tag| tag.trim()).collect()
        } else if related().all(|reference| reference.at.is_none()) {
            // A moment can be written in many ways.
            related().map(|reference| reference.identifier).collect()
        } else {
            Vec::new()
        };
        // An empty text is in every entry.
        let words: Vec<&str> = if words.iter().any(|word| word.is_empty()) { Vec::new() } else { words };
        let is_by_header = !about.types.is_empty()
            || about.after.is_some()
            || about.before.is_some()
            || about.since.is_some()
            || about.is_superseded
            || !about.people.is_empty()
            || !about.scopes.is_empty();
        if words.is_empty() && !is_by_header {
            return Ok(None);
        }
        let text = match words.as_slice() {
            [] => None,
            words => {
                let words = || words.iter().copied();
                Some([AnyCase::new(words())?, AnyCase::with_exact(words(), &SUCCESSOR)?])
            }
        };
        Ok(Some(Self { about, text, successor: AnyCase::with_exact([], &SUCCESSOR)? }))
    }
}

impl Wanted for Glance<'_> {
    fn has(&self, text: &str) -> bool {
        self.text.as_ref().is_none_or(|[words, _]| words.is_in(text))
    }

    fn next(&self, text: &str, at: usize) -> Option<usize> {
        match &self.text {
            Some([_, with_successor]) => with_successor.find_at(text, at),
            None => Some(at).filter(|at| *at < text.len()),
        }
    }

    fn has_older(&self) -> bool {
        // They have no such fields.
        self.about.tags.is_empty() && !self.about.is_superseded
    }

    fn is_in(&self, header: &Header, one: &str) -> bool {
        let About { types, after, before, since, people, scopes, .. } = &self.about;
        let is_of_type = types.is_empty() || header.entry_type.is_none_or(|kind| types.contains(&kind));
        let moment = header.reading.moment();
        let is_in_time = moment.is_none_or(|at| is_between(When::Moment(at), *after, *before))
            && moment.zip(*since).is_none_or(|(at, since)| at.unix() >= since);
        let says = is_of_type
            && is_in_time
            && (people.is_empty() || names_one(one, people))
            && (scopes.is_empty() || scopes.iter().any(|readers| readers.are_in(header, one)));
        says || self.successor.is_in(one)
    }
}

/// Whether a field of an entry that names people may name one of them.
fn names_one(one: &str, people: &[Person]) -> bool {
    let is_one = |value: &str| says_nothing(value) || people.iter().any(|person| person.is_in(value));
    fields(one).any(|(name, value)| (name.starts_with("au") || name.starts_with("co")) && is_one(value))
}

impl Readers {
    /// Whether an entry may have this scope.
    fn are_in(&self, header: &Header, one: &str) -> bool {
        let mut scopes = fields(one).filter(|(name, _)| name.starts_with("sc"));
        let by_default = || match self {
            Self::Team => matches!(header.entry_type, None | Some(EntryType::Decision | EntryType::Directive)),
            Self::Named(_) => false,
            Self::Agent(agent) => names_one(one, std::slice::from_ref(agent)),
        };
        match certain_scope(one) {
            Some(value) => self.may_be(value),
            // A text such as `**Scope creep**` is not a field: then the type says the scope.
            None => by_default() || scopes.any(|(_, value)| self.may_be(value)),
        }
    }

    fn may_be(&self, value: &str) -> bool {
        says_nothing(value)
            || match self {
                Self::Team => value.contains("team"),
                Self::Named(name) => value.to_ascii_lowercase().contains(name),
                Self::Agent(agent) => agent.is_in(value),
            }
    }
}

/// The value of the first label that looks like the field of a scope, if it is one for certain: at the start of its line, with nothing
/// before it that can make text of it.
fn certain_scope(one: &str) -> Option<&str> {
    const LABEL: &str = "\n**scope:** ";
    let at = memchr::memmem::find(one.as_bytes(), LABEL.as_bytes())?;
    let (before, rest) = one.split_at_checked(at)?;
    let is_plain = memchr::memchr3(b'`', b'~', b'<', before.as_bytes()).is_none();
    let has_other = fields(before).any(|(name, _)| name.starts_with("sc"));
    let value = rest.get(LABEL.len()..)?;
    let line = memchr::memchr(b'\n', value.as_bytes()).map_or(value, |end| value.get(..end).unwrap_or(value));
    (is_plain && !has_other && !says_nothing(line)).then_some(line)
}

/// Whether the value of a field may be on the next line.
fn says_nothing(value: &str) -> bool {
    !value.contains(char::is_alphanumeric)
}

/// What may be the fields for the author, the contributors and the scope of an entry, each by the first letters of its name in lower
/// case, with the rest of its line.
fn fields(one: &str) -> impl Iterator<Item = (String, &str)> {
    let labels = memchr::memmem::find_iter(one.as_bytes(), "**");
    labels.filter_map(move |at| {
        let rest = one.get(at + 2..)?.trim_start_matches([' ', '\t']);
        let name = rest.get(..2)?.to_ascii_lowercase();
        let line = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
        let label = ["author", "contributors", "scope"].into_iter().find(|label| label.starts_with(&name))?;
        let is_it = rest.get(..label.len())?.eq_ignore_ascii_case(label);
        is_it.then(|| (name, line.get(label.len()..).unwrap_or_default()))
    })
}
