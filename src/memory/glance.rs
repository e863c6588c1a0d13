//! What the bytes of a file tell of a question, before anything is parsed: most entries cannot be what is asked for, and those need
//! not be read.

use regex::Regex;

use super::query::{Reference, any_pattern, is_between};
use super::record::When;
use crate::formats::entries::Wanted;
use crate::formats::sem::{EntryType, Header};

/// The parts of a question that the bytes of an entry tell something about.
#[derive(Clone, Copy, Debug, Default)]
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
}

/// What an entry has that is asked for, or that says something of one that is.
#[derive(Debug)]
pub struct Glance<'q> {
    about: About<'q>,
    /// What is in the text of each entry that is asked for.
    text: Option<Regex>,
    /// The same, or what replaces another entry: whether an entry still applies is a part of the answer.
    text_or_successor: Option<Regex>,
    /// What replaces another entry.
    successor: Regex,
}

/// The field with which an entry replaces another one.
const SUCCESSOR: &str = "supersedes";

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
        let is_by_header = !about.types.is_empty() || about.after.is_some() || about.before.is_some();
        if words.is_empty() && !is_by_header {
            return Ok(None);
        }
        let pattern = |further: Option<&'static str>| match words.is_empty() {
            true => Ok(None),
            false => any_pattern(words.iter().copied().chain(further)).map(Some),
        };
        let (text, text_or_successor) = (pattern(None)?, pattern(Some(SUCCESSOR))?);
        Ok(Some(Self { about, text, text_or_successor, successor: any_pattern([SUCCESSOR])? }))
    }
}

impl Wanted for Glance<'_> {
    fn has(&self, text: &str) -> bool {
        self.text.as_ref().is_none_or(|pattern| pattern.is_match(text))
    }

    fn next(&self, text: &str, at: usize) -> Option<usize> {
        match &self.text_or_successor {
            Some(pattern) => pattern.find_at(text, at).map(|found| found.start()),
            None => Some(at).filter(|at| *at < text.len()),
        }
    }

    fn is_in(&self, header: &Header, one: &str) -> bool {
        let About { types, after, before, .. } = self.about;
        let is_of_type = types.is_empty() || header.entry_type.is_none_or(|kind| types.contains(&kind));
        let moment = header.reading.moment();
        let is_in_time = moment.is_none_or(|at| is_between(When::Moment(at), after, before));
        is_of_type && is_in_time || self.successor.is_match(one)
    }
}
