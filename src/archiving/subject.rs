//! Which sections have titles that name the same subject.

use std::collections::HashMap;

use crate::text::words::is_in_word;

/// Words of titles that name no subject, without a plural `s`, in their order: what kind of text it is, and what was done.
const GENERAL: [&str; 60] = [
    "about",
    "action",
    "add",
    "added",
    "after",
    "all",
    "and",
    "approved",
    "are",
    "audit",
    "before",
    "complete",
    "completed",
    "completion",
    "consolidated",
    "created",
    "decision",
    "directive",
    "done",
    "final",
    "fix",
    "fixe",
    "fixed",
    "for",
    "from",
    "full",
    "ha",
    "implementation",
    "implemented",
    "initial",
    "into",
    "issue",
    "learning",
    "memory",
    "new",
    "not",
    "note",
    "now",
    "phase",
    "plan",
    "report",
    "result",
    "review",
    "round",
    "session",
    "sprint",
    "statu",
    "summarized",
    "summary",
    "task",
    "team",
    "the",
    "thi",
    "update",
    "updated",
    "via",
    "wa",
    "wave",
    "with",
    "work",
];

/// A word of more titles than this names no subject of a few sections.
const MANY: usize = 8;

/// A word of this many letters that only two titles have names their subject alone.
const TELLING: usize = 6;

/// The subjects of some of the sections of a file.
pub struct Subjects {
    words: HashMap<u64, Word>,
}

/// A word of the titles.
#[derive(Default)]
struct Word {
    /// The sections with a subject that have it in their titles.
    sections: Vec<usize>,
    /// So many titles of the file have it.
    titles: usize,
}

impl Subjects {
    /// The subjects of the sections `of`, by the words of their titles. `all` are the titles of all sections of the file.
    pub fn new<'a>(of: impl Iterator<Item = (usize, &'a str)>, all: impl Iterator<Item = &'a str>) -> Self {
        let mut subjects = Self { words: HashMap::new() };
        for (place, title) in of {
            for word in words(title) {
                let sections = &mut subjects.words.entry(word.key).or_default().sections;
                if sections.last() != Some(&place) {
                    sections.push(place);
                }
            }
        }
        if subjects.words.is_empty() {
            return subjects;
        }
        for title in all {
            for word in words(title) {
                if let Some(known) = subjects.words.get_mut(&word.key) {
                    known.titles += 1;
                }
            }
        }
        subjects
    }

    /// The sections whose titles name the subject of `title`: they share two words, a number of an issue, or a long word that no
    /// third title has.
    pub fn shared_with(&self, title: &str) -> Vec<usize> {
        if self.words.is_empty() {
            return Vec::new();
        }
        let mut shared: Vec<(usize, u64, usize)> = Vec::new();
        for word in words(title) {
            let Some(known) = self.words.get(&word.key).filter(|known| known.sections.len() <= MANY) else { continue };
            let is_alone = word.is_number || known.titles == 2 && word.is_long;
            shared.extend(known.sections.iter().map(|place| (*place, word.key, if is_alone { 2 } else { 1 })));
        }
        shared.sort_unstable();
        shared.dedup();
        let of_one = shared.chunk_by(|(one, ..), (other, ..)| one == other);
        let is_same = |words: &&[(usize, u64, usize)]| words.iter().map(|(.., weight)| weight).sum::<usize>() > 1;
        of_one.filter(is_same).filter_map(|words| words.first().map(|(place, ..)| *place)).collect()
    }
}

/// A word of a title, or the number of an issue.
#[derive(Clone, Copy)]
struct TitleWord {
    /// What a word has in common with itself in capital letters and in the plural, and hardly with another one.
    key: u64,
    is_number: bool,
    is_long: bool,
}

impl TitleWord {
    fn new(word: &str, is_number: bool) -> Self {
        let letters = word.bytes().map(|byte| u64::from(byte.to_ascii_lowercase()));
        let key = letters.fold(u64::from(is_number), |key, letter| (key ^ letter).wrapping_mul(0x0100_0000_01b3));
        Self { key, is_number, is_long: word.chars().nth(TELLING - 1).is_some() }
    }
}

/// The words of a title that can name its subject.
fn words(title: &str) -> impl Iterator<Item = TitleWord> {
    let mut is_behind_hash = false;
    title.split_inclusive(|c| !is_in_word(c)).filter_map(move |word| {
        let is_number = std::mem::replace(&mut is_behind_hash, word.ends_with('#'));
        let word = word.trim_end_matches(|c| !is_in_word(c));
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return is_number.then(|| TitleWord::new(word, true));
        }
        // A dash or an arrow that was misread in another encoding.
        if word.starts_with(['Γ', 'â', 'Ô']) && word.chars().count() <= 3 {
            return None;
        }
        let one = word.strip_suffix(['s', 'S']).unwrap_or(word);
        let letters = || one.bytes().map(|byte| byte.to_ascii_lowercase());
        let is_general = || GENERAL.binary_search_by(|general| general.bytes().cmp(letters())).is_ok();
        (word.chars().nth(2).is_some() && !is_general()).then(|| TitleWord::new(one, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(held: &str, title: &str) -> bool {
        let all = [held, title, "## Other words of a third title"];
        let subjects = Subjects::new([(0, held)].into_iter(), all.into_iter());
        subjects.shared_with(title) == [0]
    }

    #[test]
    fn general_words_are_in_order() {
        assert!(GENERAL.is_sorted());
        assert!(!shared("### The Waves of work", "### All waves") && !shared("### Added via PR", "### added VIA x"));
    }

    #[test]
    fn titles_on_the_same_subject_share_words() {
        for (held, title) in [
            ("### 2026-02-10: Queue plugin test triage", "### 2026-02-11: Queue Plugin Tests — all fixed (summarized)"),
            ("## Login timeouts (#12)", "## 2026-02-11 Closed #12 and #14"),
            ("### Resolver fields are editable", "### 2026-02-12: Resolver dropdown"),
        ] {
            assert!(shared(held, title), "{held} {title}");
        }
        for (held, title) in [
            ("### 2026-02-10: Team update", "### 2026-02-10: Team update"),
            ("### 2026-02-10: Phase 1 complete", "### 2026-02-10: Phase 1 results"),
            ("### Queue first", "### Queue second"),
            ("### 2026-02-10: 12 tests", "### 2026-02-10: 12 pages"),
            ("### Queue ΓÇö first ΓåÆ one", "### Cache ΓÇö second ΓåÆ two"),
        ] {
            assert!(!shared(held, title), "{held} {title}");
        }
        // A word of three titles is not telling.
        let all = ["## Resolver one", "## Resolver two", "## Resolver three"];
        let subjects = Subjects::new([(0, all[0])].into_iter(), all.into_iter());
        assert!(subjects.shared_with(all[1]).is_empty());
    }
}
