//! Which entries say what another one says.

use std::collections::{HashMap, HashSet};

use super::form::Forms;
use super::points::Scored;
use crate::formats::roster::bare;
use crate::formats::timestamp::Timestamp;
use crate::memory::list::text::day;
use crate::memory::record::{Format, Record};

/// Words without which a text says the same.
const SMALL: [&str; 6] = ["an", "are", "is", "the", "was", "were"];

/// So many words tell a text from others: a shorter one can be the beginning of another by chance.
const LONG: usize = 12;

/// The entries that a brief has so far, by what they say.
#[derive(Default)]
pub(super) struct Said<'c, 'r, 'd> {
    texts: HashMap<&'c str, Vec<&'r Record<'d>>>,
    days: HashMap<String, Vec<Saying<'r, 'd>>>,
}

/// What an entry says.
struct Saying<'r, 'd> {
    record: &'r Record<'d>,
    /// The words that matter, in their order: a word more, another number or a negation says something else.
    words: Vec<String>,
    /// The signs that compare or negate.
    signs: String,
}

impl<'c, 'r, 'd> Said<'c, 'r, 'd> {
    /// The entry that says what this one says; if none does, notes this one.
    pub(super) fn said_by(&mut self, scored: &Scored<'r, 'd>, forms: &'c Forms) -> Option<&'r Record<'d>> {
        let record = scored.record;
        let copies = self.texts.get(forms.said.as_str()).into_iter().flatten();
        let copy = copies.copied().find(|other| are_of_one_kind(record, other));
        if copy.is_some() {
            return copy;
        }
        let own = Saying::of(record, &forms.said);
        if record.when.day().is_some() {
            let others = self.days.entry(day(record.when)).or_default();
            if let Some(other) = others.iter().find(|other| own.is_said_by(other)) {
                return Some(other.record);
            }
            others.push(own);
        }
        self.texts.entry(&forms.said).or_default().push(record);
        None
    }
}

/// Whether both apply, or neither: what was rejected repeats nothing that was not.
fn are_of_one_kind(one: &Record<'_>, other: &Record<'_>) -> bool {
    one.is_rejected() == other.is_rejected()
}

/// Whether two entries are two by their timestamps.
fn are_two(one: &Record<'_>, other: &Record<'_>) -> bool {
    let is_sem = |record: &Record<'_>| record.format == Format::Sem;
    is_sem(one) && is_sem(other) && one.when.unix() != other.when.unix()
}

impl<'r, 'd> Saying<'r, 'd> {
    fn of(record: &'r Record<'d>, said: &str) -> Self {
        let words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self {
            record,
            words: words.filter(|word| !SMALL.contains(word)).map(str::to_owned).collect(),
            signs: said.chars().filter(|c| "<>=!≤≥≠~±".contains(*c)).collect(),
        }
    }

    /// Whether the other one says all of this one, and then more.
    fn begins(&self, other: &Self) -> bool {
        self.words.len() >= LONG && other.words.starts_with(&self.words) && other.signs.starts_with(&self.signs)
    }

    /// Whether both are versions of one entry: of one second, by one author, with one title, and with the same words in the first half of
    /// the shorter one, where the other one has all words of this one. Who asks for two things at once has two entries with one title.
    fn is_version_of(&self, other: &Self) -> bool {
        let (one, two) = (self.record, other.record);
        let moment = |record: &Record<'_>| record.when.moment().map(Timestamp::unix);
        let author = |record: &Record<'_>| record.author.as_deref().map(bare);
        let known: HashSet<&str> = other.words.iter().map(String::as_str).collect();
        let alike = self.words.iter().zip(&other.words).take_while(|(own, other)| own == other).count();
        alike >= LONG
            && 2 * alike >= self.words.len().min(other.words.len())
            && self.words.iter().all(|word| known.contains(word.as_str()))
            && moment(one).is_some()
            && moment(one) == moment(two)
            && author(one) == author(two)
            && bare(&one.summary) == bare(&two.summary)
    }

    fn is_said_by(&self, other: &Self) -> bool {
        !are_two(self.record, other.record)
            && are_of_one_kind(self.record, other.record)
            && (self.signs == other.signs && self.words == other.words
                || self.begins(other)
                || self.is_version_of(other))
    }
}
