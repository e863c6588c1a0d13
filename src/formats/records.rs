//! The records of a team's sprints, `memory/team/retro-history.md` and `memory/sessions/*.md`, and the entries that they
//! mention. See `docs/formats/learning-teams.md`, "Retrospectives and sessions".

use std::collections::HashMap;

use jiff::civil::Date;

use super::learnings::{Entry, Learnings, MarkKind};
use super::markdown::items::{self, LineKind};
use crate::text::Span;
use crate::text::similarity;

/// A part of a record that has a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The day.
    pub day: Date,
    /// What was written down on it.
    pub text: &'a str,
}

/// The retrospectives in `text`: `## Retro: 2026-02-28 (Sprint 4)` and what is under it. What has no day is none.
pub fn retros(text: &str) -> Vec<Record<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(Date, usize)> = None;
    for line in items::lines(text) {
        if let LineKind::Heading(1 | 2) = line.kind {
            found.extend(open.take().map(|(day, start)| (day, start, line.line.start())));
            open = day_in(line.line.of(text)).map(|day| (day, line.next as usize));
        }
    }
    found.extend(open.map(|(day, start)| (day, start, text.len())));
    found.into_iter().map(|(day, start, end)| Record { day, text: Span::new(start, end).of(text) }).collect()
}

/// What was written down of the session in the file `name`: its day is in the name or in one of the first lines.
pub fn session<'a>(name: &str, text: &'a str) -> Option<Record<'a>> {
    let day = day_in(name).or_else(|| text.lines().take(5).find_map(day_in))?;
    Some(Record { day, text })
}

/// The first day in a text: `2026-02-28`, no digit before and after it.
pub fn day_in(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let dashes = memchr::memchr_iter(b'-', bytes);
    dashes.filter_map(|dash| dash.checked_sub(4)).find_map(|start| {
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let apart = !start.checked_sub(1).is_some_and(is_digit) && !is_digit(start + 10);
        text.get(start..start + 10).filter(|_| apart)?.parse().ok()
    })
}

/// What an entry is known by: none of it is in another entry of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Names in code spans: `elk.aspectRatio`, not `run`.
    pub names: Vec<String>,
    /// The tasks that it comes from: `a6r.12`.
    pub tasks: Vec<String>,
    /// Its long words, in small letters, each once.
    pub words: Vec<String>,
}

/// A line that mentions an entry by its words has as many of them, and at least [`WORDS_PART`] in a hundred.
const WORDS_MIN: usize = 5;
const WORDS_PART: usize = 60;
/// Shorter words say little.
const WORD_LEN: usize = 6;
/// Shorter names mean too much.
const NAME_LEN: usize = 5;

impl Traits {
    /// What each entry of `learnings` is known by.
    pub fn of_all(learnings: &Learnings, text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = learnings.entries.iter().map(|entry| Self::of(entry, text)).collect();
        let mut times = HashMap::<String, usize>::new();
        for entry in &all {
            for name in entry.names.iter().chain(&entry.tasks) {
                *times.entry(name.clone()).or_default() += 1;
            }
        }
        for entry in &mut all {
            entry.names.retain(|name| times.get(name) == Some(&1));
            entry.tasks.retain(|name| times.get(name) == Some(&1));
        }
        all
    }

    fn of(entry: &Entry, text: &str) -> Self {
        let mut traits = Self::default();
        let what = entry.text.of(text);
        let names = what.split('`').skip(1).step_by(2).map(str::trim).filter(|name| is_name(name));
        traits.names.extend(names.map(str::to_owned));
        for mark in entry.marks.iter().filter(|mark| mark.kind == MarkKind::Other) {
            if mark.key.of(text).eq_ignore_ascii_case("dispatch") {
                let tasks = mark.value.of(text).split(['+', ' ', '/']).filter(|task| is_task(task));
                traits.tasks.extend(tasks.map(str::to_owned));
            }
        }
        similarity::words(what, |word| {
            if word.len() >= WORD_LEN {
                traits.words.push(word.to_owned());
            }
        });
        for list in [&mut traits.names, &mut traits.tasks, &mut traits.words] {
            list.sort();
            list.dedup();
        }
        traits
    }

    /// The records that mention the entry, by their places in order: by a name, by a task, or by most of its words in one line.
    pub fn mentions(&self, index: &Index) -> Vec<usize> {
        let mut found = Vec::new();
        for name in self.names.iter().chain(&self.tasks) {
            // A path of its own begins with a word of the line: few lines have one.
            let mut first = String::new();
            similarity::words(name, |word| {
                if first.is_empty() {
                    word.clone_into(&mut first);
                }
            });
            let lines = index.with(&first);
            found.extend(lines.filter(|line| stands_in(name, &line.text)).map(|line| line.record));
        }
        let needed = WORDS_MIN.max((self.words.len() * WORDS_PART).div_ceil(100));
        if self.words.len() >= needed {
            let mut counts: HashMap<usize, usize> = HashMap::new();
            for place in self.words.iter().flat_map(|word| index.places(word)) {
                *counts.entry(*place).or_default() += 1;
            }
            let lines = counts.into_iter().filter(|(_, count)| *count >= needed);
            found.extend(lines.filter_map(|(place, _)| index.lines.get(place)).map(|line| line.record));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Records in which entries are looked up, however many there are of both.
#[derive(Debug, Default)]
pub struct Index {
    days: Vec<Date>,
    lines: Vec<Line>,
    /// The places of the lines that have a word, in order.
    words: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Line {
    record: usize,
    text: String,
}

impl Index {
    /// Adds a record, at the next place.
    pub fn add(&mut self, record: Record<'_>) {
        for text in record.text.lines() {
            let place = self.lines.len();
            similarity::words(text, |word| {
                let places = match self.words.get_mut(word) {
                    Some(places) => places,
                    None => self.words.entry(word.to_owned()).or_default(),
                };
                if places.last() != Some(&place) {
                    places.push(place);
                }
            });
            self.lines.push(Line { record: self.days.len(), text: text.to_owned() });
        }
        self.days.push(record.day);
    }

    /// The days of the records.
    pub fn days(&self) -> &[Date] {
        &self.days
    }

    fn places(&self, word: &str) -> &[usize] {
        self.words.get(word).map(Vec::as_slice).unwrap_or_default()
    }

    fn with(&self, word: &str) -> impl Iterator<Item = &Line> {
        self.places(word).iter().filter_map(|place| self.lines.get(*place))
    }
}

/// Whether a code span names a thing, and is not a word that anyone would use: it has a sign or a digit in it, or a capital
/// letter after a small one.
fn is_name(code: &str) -> bool {
    let mut before_small = false;
    let is_special = |c: char| {
        let special = !c.is_alphabetic() && !c.is_whitespace() || before_small && c.is_uppercase();
        before_small = c.is_lowercase();
        special
    };
    code.len() >= NAME_LEN && code.contains(is_special) && code.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Whether a value of `dispatch` is distinguished from a word by itself.
fn is_task(value: &str) -> bool {
    value.len() >= 3 && value.contains(|c: char| c.is_ascii_digit() || c == '-')
}

/// Whether `name` is in `text` by itself, and not as a part of a longer name.
fn stands_in(name: &str, text: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    memchr::memmem::find_iter(text.as_bytes(), name).any(|at| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let mut after = text.get(at + name.len()..).unwrap_or_default().chars();
        let next = after.next();
        // A task has tasks below it: `a6r.1` is not `a6r.12`, nor `a6r` a mention of `a6r.1`.
        let dotted = next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
        let starts = name.starts_with(goes_on) && before.is_some_and(|c| goes_on(c) || c == '.' || c == '/');
        !starts && !(name.ends_with(goes_on) && (dotted || next.is_some_and(goes_on)))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LEARNINGS: &str = "# Learnings: logic\n\n## Gotchas\n\
        - ELK ignores `elk.aspectRatio` for disconnected components (added: 2026-02-28, dispatch: x42)\n\
        - Tests live in `src/lib`, run them with `run` (added: 2026-02-28, dispatch: a6r.1)\n\
        - Types live in `src/lib`, too (added: 2026-02-28, dispatch: a6r.1)\n\
        - Build shared components first, apply cross-cutting accessibility changes last\n";

    fn mentioned(record: &str) -> Vec<usize> {
        let all = Traits::of_all(&Learnings::parse(LEARNINGS), LEARNINGS);
        let mut index = Index::default();
        index.add(Record { day: Date::constant(2026, 3, 1), text: "" });
        index.add(Record { day: Date::constant(2026, 3, 2), text: record });
        let found = (0..all.len()).filter(|at| !all[*at].mentions(&index).is_empty()).collect();
        assert!(all.iter().all(|traits| traits.mentions(&index).iter().all(|place| *place == 1)));
        found
    }

    #[test]
    fn a_mention_names_what_only_that_entry_names() {
        assert_eq!(mentioned("Key insight: layered ignores elk.aspectRatio"), [0]);
        assert_eq!(mentioned("Tasks completed: 2 (a6r.12, x42)"), [0]);
        assert_eq!(
            mentioned("- components first; accessibility changes are cross-cutting and apply to shared ones"),
            [3]
        );
        for silent in [
            "in src/lib we run tests",
            "see elk.aspectRatioMax",
            "my-elk.aspectRatio",
            "x421 and a-x42",
            "components\nfirst\naccessibility changes\ncross-cutting",
            "",
        ] {
            assert_eq!(mentioned(silent), [0usize; 0], "{silent}");
        }
    }

    #[test]
    fn records_have_a_day() {
        let text = "# Retrospective History\n\n## Retro: 2026-02-28 (Sprint 4)\n- one\n\n### Inner\n- two\n\
            ```\n## Retro: 2026-03-05\n```\n## Notes\nx\n## Retro: 2026-03-01\nthree";
        let found: Vec<(String, &str)> =
            retros(text).iter().map(|record| (record.day.to_string(), record.text)).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, "2026-02-28");
        assert!(found[0].1.contains("two") && !found[0].1.contains("Notes"));
        assert_eq!(found[1], ("2026-03-01".to_owned(), "three"));
        let day = |name, text| session(name, text).map(|record| record.day.to_string());
        assert_eq!(day("2026-03-02T05-25-49Z.md", "").as_deref(), Some("2026-03-02"));
        assert_eq!(day("last.md", "## Session: 2026-03-02T06-33-23Z\n").as_deref(), Some("2026-03-02"));
        assert_eq!(day("last.md", "no day"), None);
        assert_eq!(day_in("12026-03-02 2026-13-01 2026-03-021").map(|day| day.to_string()), None);
    }

    proptest! {
        #[test]
        fn takes_any_text(text in any::<String>(), record in "[-a-z0-9#`. \n:é]{0,200}", name in "[-a-z`é.]{0,8}") {
            retros(&text);
            session(&text, &record);
            let learnings = Learnings::parse(&record);
            for traits in Traits::of_all(&learnings, &record) {
                let mut index = Index::default();
                index.add(Record { day: Date::constant(2026, 3, 1), text: &text });
                traits.mentions(&index);
            }
            stands_in(&name, &record);
        }
    }
}
