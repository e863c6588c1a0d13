//! Which entries say what another one says.

use std::collections::HashMap;

use super::form::Forms;
use super::points::Scored;
use crate::memory::list::text::day;
use crate::memory::record::{Format, Record};

/// So many more words may be in the longer one of two titles that name one subject.
const TITLE: usize = 3;

/// Words without which a text says the same.
const SMALL: [&str; 24] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in", "is", "it", "its", "of", "on",
    "that", "the", "this", "to", "was", "with",
];

/// Words that turn what a text says into its opposite.
const NEGATIONS: [&str; 17] = [
    "no", "not", "never", "none", "nothing", "neither", "nor", "without", "cannot", "t", "avoid", "stop", "instead",
    "unless", "except", "only", "longer",
];

/// The entries that a brief has so far, by what they say.
#[derive(Default)]
pub(super) struct Said<'c, 'r, 'd> {
    texts: HashMap<&'c str, Vec<&'r Record<'d>>>,
    days: HashMap<String, Vec<Saying<'r, 'd>>>,
}

/// What an entry says.
struct Saying<'r, 'd> {
    record: &'r Record<'d>,
    title: Vec<String>,
    /// The words that matter, in their order.
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
    one.sections.are_rejected() == other.sections.are_rejected()
}

/// Whether two entries are two by their timestamps.
fn are_two(one: &Record<'_>, other: &Record<'_>) -> bool {
    let is_sem = |record: &Record<'_>| record.format == Format::Sem;
    is_sem(one) && is_sem(other) && one.when.unix() != other.when.unix()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

impl<'r, 'd> Saying<'r, 'd> {
    fn of(record: &'r Record<'d>, said: &str) -> Self {
        let matters = |word: &String| !SMALL.contains(&word.as_str());
        Self {
            record,
            title: words(&record.summary).collect(),
            words: words(said).filter(matters).collect(),
            signs: said.chars().filter(|c| "<>=!≤≥≠~±".contains(*c)).collect(),
        }
    }

    /// Whether `other` says all of this of the same subject: it has all words of this one in their order, with the same numbers,
    /// signs and negations.
    fn is_said_by(&self, other: &Self) -> bool {
        let turns = |word: &&String| word.contains(|c: char| c.is_numeric()) || NEGATIONS.contains(&word.as_str());
        !are_two(self.record, other.record)
            && are_of_one_kind(self.record, other.record)
            && are_of_one_subject(&self.title, &other.title)
            && self.signs == other.signs
            && self.words.iter().filter(turns).eq(other.words.iter().filter(turns))
            && is_within(&self.words, &other.words)
    }
}

/// Whether one title has all words of the other one, and few more.
fn are_of_one_subject(one: &[String], other: &[String]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.iter().all(|word| long.contains(word)) && long.len() <= short.len() + TITLE
}

/// Whether `words` are in `others`, in their order.
fn is_within(words: &[String], others: &[String]) -> bool {
    let mut others = others.iter();
    words.iter().all(|word| others.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_within_another_word_by_word() {
        let is_within = |one: &str, other: &str| {
            let all = |text: &str| words(text).collect::<Vec<_>>();
            super::is_within(&all(one), &all(other))
        };
        assert!(is_within("use tabs", "We use tabs, and no spaces"));
        assert!(is_within("", "use tabs"));
        for (one, other) in [("tabs use", "use tabs"), ("use use", "use"), ("use tabs always", "use tabs")] {
            assert!(!is_within(one, other), "{one} / {other}");
        }
    }
}
