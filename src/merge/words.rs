//! What entries say, word by word.

use super::parts::{Part, PartKind};

/// With so many of their words in common, in a hundred, two entries at the same place are versions of one.
pub const SIMILAR: usize = 50;

/// The same for entries that both sides added: they may be about one subject, and different all the same.
pub const SIMILAR_ADDED: usize = 60;

/// A longer text between `**` and `:**` is not a label, in bytes.
const LONGEST_LABEL: usize = 24;

/// Fields whose values say nothing of what an entry is about, in lower case.
const ABOUT_ITSELF: [&str; 8] = ["type", "timestamp", "date", "author", "by", "contributors", "scope", "tags"];

/// The name and the value of a field.
pub fn field(line: &str) -> Option<(&str, &str)> {
    let field = line.strip_prefix("**")?.split_once(":**")?;
    Some(field).filter(|(name, _)| name.len() < LONGEST_LABEL)
}

/// Whether a line is a field that says nothing of what an entry is about.
pub fn is_about_itself(line: &str) -> bool {
    field(line).is_some_and(|(name, _)| ABOUT_ITSELF.iter().any(|one| name.eq_ignore_ascii_case(one)))
}

/// The words of what an entry says, each once, as sorted hashes: its title may be new, and all entries of a file have the same fields.
pub fn words_of(part: &Part<'_>) -> Vec<u64> {
    let mut words = Vec::with_capacity(part.body.len() / 5);
    let has_title = matches!(part.kind, PartKind::Sem(_) | PartKind::Legacy | PartKind::Section);
    for line in part.body.lines().skip(usize::from(has_title)) {
        match field(line) {
            Some(_) if is_about_itself(line) => {}
            Some((_, value)) => add_words(value, &mut words),
            None => add_words(line, &mut words),
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Adds the words of a text as hashes. A character outside ASCII is a word by itself: some scripts have no blanks.
fn add_words(text: &str, words: &mut Vec<u64>) {
    let mut word = Word::default();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
            continue;
        }
        words.extend(word.take());
        if !c.is_ascii() && c.is_alphanumeric() {
            word.push(c);
            words.extend(word.take());
        }
    }
    words.extend(word.take());
}

/// A word as a hash (FNV-1a): far cheaper than the words themselves, and two that are mistaken for one do not matter.
#[derive(Default)]
struct Word(Option<u64>);

impl Word {
    fn push(&mut self, c: char) {
        let before = self.0.unwrap_or(0xcbf2_9ce4_8422_2325);
        self.0 = Some((before ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3));
    }

    fn take(&mut self) -> Option<u64> {
        self.0.take()
    }
}

/// How many of their words two texts have in common, in a hundred.
pub fn likeness(one: &[u64], other: &[u64]) -> usize {
    let (mut common, mut rest) = (0, other);
    for word in one {
        while let Some((first, behind)) = rest.split_first()
            && first <= word
        {
            common += usize::from(first == word);
            rest = behind;
        }
    }
    common * 100 / (one.len() + other.len() - common).max(1)
}
