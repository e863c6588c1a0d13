//! Headings of the files after a change, below which a missing entry could be, and whether what is below one is that entry. Two
//! decisions of one day can have one title: what they say tells them apart.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::BString;

use super::kind::{Kind, STANDS_AGAIN};
use super::reworded::content_words;
use super::{Key, Missing};
use crate::formats::entries::{Block, Entries};
use crate::formats::label;
use crate::formats::legacy::Meaning;
use crate::formats::markdown::MarkKind;
use crate::text::shingles::words;
use crate::text::{Span, lines};

/// The body of another decision has fewer of a hundred of the content words that the shorter one of the two has. One that came with
/// the change may be written in other words.
const ALIKE: usize = 50;
const ALIKE_IF_NEW: usize = 30;
/// Fewer content words of a body that came with the change tell nothing: `See the wiki.`
const FEWEST_IF_NEW: usize = 2;
/// So many characters of a word tell what it is about: `caches` and `cached` are one.
const STEM: usize = 5;
/// A title of fewer words is one that other entries could have.
pub(super) const OWN_TITLE: usize = 3;
/// An entry with so many content words is long, and it is cut if so many of a hundred of them are as many as it has then.
const LONG: usize = 12;
const CUT: usize = 20;
/// What a title shares with many others.
const EMPTY_WORDS: [&str; 18] = [
    "a", "an", "and", "as", "at", "by", "decision", "for", "from", "in", "is", "of", "on", "or", "the", "to", "via",
    "with",
];

/// The day of an entry, and the words of its title.
pub(super) type TitleOfDay = (String, Vec<String>);

/// A heading that the change brought, or another one of a file after it.
#[derive(Debug)]
pub(super) struct Heading {
    pub(super) words: Vec<String>,
    pub(super) meaning: HashSet<String>,
    /// Those of the entry that it is the heading of.
    pub(super) key: Option<Key>,
    pub(super) of_day: Option<TitleOfDay>,
    body: BTreeSet<String>,
    pub(super) kind: Kind,
    /// The file, if the change left the heading in it: what is below was edited there.
    edited_in: Option<BString>,
    /// Whether the change touches its file and did not bring it.
    pub(super) is_kept: bool,
    /// Where it is, and whether what is below is another removed entry, nearly word for word.
    line: Span,
    is_copy: bool,
    /// Whether it says that several entries were made one.
    is_consolidated: bool,
}

impl Heading {
    /// With what the `copies` of removed entries in its file tell of it.
    pub(super) fn with_copies(self, copies: &[Span]) -> Self {
        let next = copies.partition_point(|copy| copy.end() <= self.line.start());
        Self { is_copy: copies.get(next).is_some_and(|copy| copy.contains(self.line)), ..self }
    }
}

/// What is looked for in a heading.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) words: Vec<String>,
    pub(super) meaning: HashSet<String>,
    date: Option<Vec<String>>,
    pub(super) of_day: Option<TitleOfDay>,
    body: BTreeSet<String>,
}

/// What the headings tell of a missing entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is below one of them.
    Stands,
    /// Below the one with its title is another one.
    IsAnother,
    /// Nothing.
    Open,
}

/// The headings in the text of a file before a change, and how often each is there.
#[derive(Debug, Default)]
pub(super) struct Before(HashMap<Vec<String>, usize>);

impl Before {
    pub(super) fn of(headings: impl Iterator<Item = Vec<String>>) -> Self {
        let mut counts = HashMap::new();
        for heading in headings {
            *counts.entry(heading).or_default() += 1;
        }
        Self(counts)
    }
}

impl Wanted {
    pub(super) fn of(one: &Missing) -> Self {
        let title = words(&one.lost.title);
        let date = one.lost.date.as_deref();
        let below = one.parts.get(1..).unwrap_or_default().join("\n");
        Self {
            words: words(&one.heading),
            meaning: meaning(&title),
            date: date.map(words).filter(|date| is_moment(date)),
            of_day: date.and_then(|date| title_of_day(date, &one.lost.title)),
            body: body(&below),
        }
    }
}

/// The headings of `text`, which is parsed as `entries`, that are wanted. `change` has the path of the file and its headings before the
/// change, where it touches the file.
pub(super) fn headings(
    text: &str,
    entries: &Entries,
    kind: Kind,
    change: Option<(&BString, &Before)>,
    is_wanted: impl Fn(&Heading) -> bool,
) -> Vec<Heading> {
    let of_entries = entries_by_start(text, entries);
    let marks: Vec<(u8, Span)> = entries
        .outline
        .marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((level, mark.line)),
            _ => None,
        })
        .collect();
    let mut after: HashMap<Vec<String>, usize> = HashMap::new();
    if change.is_some() {
        for (_, line) in &marks {
            *after.entry(words(line.of(text))).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for (at, (level, line)) in marks.iter().enumerate() {
        let words = words(line.of(text));
        let meaning = meaning(&words);
        let (key, of_day) = of_entries.get(&line.start()).cloned().unwrap_or_default();
        let count = change.and_then(|(_, before)| before.0.get(&words)).copied();
        let is_edited = count.is_some_and(|count| after.get(&words).is_some_and(|after| *after >= count));
        let mut heading = Heading {
            is_consolidated: is_consolidated(&words),
            meaning,
            key,
            of_day,
            body: BTreeSet::new(),
            kind: Kind { is_new: change.is_some() && count.is_none(), ..kind },
            edited_in: change.filter(|_| is_edited).map(|(path, _)| path.clone()),
            is_kept: count.is_some(),
            line: *line,
            is_copy: false,
            words,
        };
        if is_wanted(&heading) {
            let end = marks.get(at + 1..).unwrap_or_default().iter().find(|(next, _)| next <= level);
            heading.body = body(Span::new(line.end(), end.map_or(text.len(), |(_, line)| line.start())).of(text));
            found.push(heading);
        }
    }
    found
}

/// What the headings of missing entries have, by which others are worth to be looked at.
#[derive(Debug, Default)]
pub(super) struct Filter {
    words: HashSet<Vec<String>>,
    meaning: HashSet<String>,
    keys: HashSet<Key>,
    of_days: HashSet<TitleOfDay>,
}

impl Filter {
    /// What `one` of the missing, which is `wanted`, has.
    pub(super) fn add(&mut self, one: &Missing, wanted: &Wanted) {
        self.words.insert(wanted.words.clone());
        self.meaning.extend(wanted.meaning.iter().cloned());
        self.keys.extend(one.key);
        self.of_days.extend(wanted.of_day.clone());
    }

    /// Whether one of the missing is an SEM entry.
    pub(super) fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether `heading` may be that of a missing entry.
    pub(super) fn takes(&self, heading: &Heading) -> bool {
        self.takes_key(heading)
            || self.words.contains(&heading.words)
            || heading.meaning.iter().any(|word| self.meaning.contains(word))
            || heading.of_day.as_ref().is_some_and(|of_day| self.of_days.contains(of_day))
    }

    /// Whether it is that of an SEM entry of the same moment and type.
    pub(super) fn takes_key(&self, heading: &Heading) -> bool {
        heading.key.is_some_and(|key| self.keys.contains(&key))
    }
}

/// The key, the day and the title of each entry, by its start.
fn entries_by_start(text: &str, entries: &Entries) -> HashMap<usize, (Option<Key>, Option<TitleOfDay>)> {
    let of_sem = entries.sem(text).map(|entry| {
        let header = entry.header();
        (header.line.start(), (super::key(&entry), title_of_day(header.timestamp.of(text), header.summary.of(text))))
    });
    let of_legacy = entries.blocks().filter_map(|block| match block {
        Block::Legacy(entry) => {
            Some((entry.heading.start(), (None, title_of_day(entry.date?.of(text), entry.title.of(text)))))
        }
        Block::Prose(_) | Block::Sem(_) => None,
    });
    of_sem.chain(of_legacy).collect()
}

/// Judges `one` by the `headings` near it. `share` is the percentage of its runs of words that are in some file, and `again` that of
/// those that came with the change.
pub(super) fn judge(one: &Missing, wanted: &Wanted, headings: &[&Heading], share: usize, again: usize) -> Verdict {
    let mut verdict = Verdict::Open;
    for heading in headings.iter().filter(|heading| heading.kind.can_hold(one)) {
        let is_of_day = wanted.of_day.is_some() && heading.of_day == wanted.of_day;
        let has_key = one.key.is_some() && heading.key == one.key;
        let has_words = heading.words == wanted.words && !wanted.words.is_empty();
        let has_title = is_of_day || has_words;
        let is_edited = has_words && heading.edited_in.as_ref() == Some(&one.lost.path);
        if has_key || has_title {
            // Two SEM entries of one second have titles that tell them apart.
            let is_alike = has_key && !has_title && wanted.shares_title(heading);
            if !is_edited && !is_alike && wanted.is_another(heading) {
                verdict = Verdict::IsAnother;
                continue;
            }
            if has_key || is_of_day {
                return Verdict::Stands;
            }
        }
        if !heading.is_kept && !heading.is_copy && wanted.is_below(heading, share, again) {
            return Verdict::Stands;
        }
    }
    verdict
}

impl Wanted {
    /// Whether `heading` is that of the entry in its file, at `path`, or in another one.
    pub(super) fn has_heading(&self, heading: &Heading) -> bool {
        self.of_day.is_some() && heading.of_day == self.of_day || heading.words == self.words
    }

    /// Whether the change left `heading` in the file at `path`, and nearly nothing below it of a long entry.
    pub(super) fn is_cut_below(&self, heading: &Heading, path: &BString) -> bool {
        let both = self.body.intersection(&heading.body).count();
        heading.words == self.words
            && heading.edited_in.as_ref() == Some(path)
            && self.body.len() >= LONG
            && heading.body.len().max(both * 2) * 100 <= self.body.len() * CUT
    }

    /// How many of a hundred words of the own title are in that of `heading`, and the other way round.
    fn shares(&self, heading: &Heading) -> (usize, usize, usize) {
        let both = self.meaning.intersection(&heading.meaning).count();
        (both, both * 100 / self.meaning.len().max(1), both * 100 / heading.meaning.len().max(1))
    }

    fn shares_title(&self, heading: &Heading) -> bool {
        self.shares(heading).1 >= ALIKE
    }

    /// Whether what is below `heading` says something else.
    fn is_another(&self, heading: &Heading) -> bool {
        let own = |body: &BTreeSet<String>| body.iter().filter(|word| !self.is_of_title(word)).count();
        let both = self.body.intersection(&heading.body).filter(|word| !self.is_of_title(word)).count();
        let shorter = own(&self.body).min(own(&heading.body));
        let (fewest, alike) = if heading.kind.is_new { (FEWEST_IF_NEW, ALIKE_IF_NEW) } else { (1, ALIKE) };
        shorter >= fewest && both * 100 / shorter < alike
    }

    /// Both have the words of their title in the body.
    fn is_of_title(&self, word: &str) -> bool {
        self.meaning.iter().any(|title| stem(title) == word)
    }

    /// Whether `heading` tells that the entry is below it, perhaps with another title.
    fn is_below(&self, heading: &Heading, share: usize, again: usize) -> bool {
        let (both, of_title, of_heading) = self.shares(heading);
        let is_own = self.meaning.len() >= OWN_TITLE;
        let is_like = of_title >= 50 && of_heading >= 50 && share >= STANDS_AGAIN;
        let is_same = is_own && of_title >= 80 && of_heading >= 50;
        let is_merged =
            heading.is_consolidated && (both >= 3 || both == 2 && (of_title >= 50 || again >= STANDS_AGAIN / 2));
        let is_then = |date: &Vec<String>| of_title >= 50 && heading.words.windows(date.len()).any(|it| it == *date);
        let stands = if heading.kind.is_new { is_same || is_merged } else { is_own && is_like };
        stands || self.date.as_ref().is_some_and(is_then)
    }
}

/// The stems of what `text` says. Who wrote it and when are in all entries of one day.
fn body(text: &str) -> BTreeSet<String> {
    use Meaning::{Author, Date, RequestedBy, Reviewer, Status};
    let said = |line: Span| {
        let Some(label) = label::parse(text, line) else { return Some(line) };
        let name = label.name.of(text).to_lowercase();
        let is_metadata = matches!(Meaning::of(&name), Author | Date | RequestedBy | Reviewer | Status)
            || matches!(name.as_str(), "type" | "scope" | "tags" | "contributors" | "expires" | "supersedes");
        (!is_metadata).then(|| Span::new(label.span.end(), line.end().max(label.span.end())))
    };
    let said = lines(text, Span::new(0, text.len())).filter_map(said);
    said.flat_map(|line| content_words(line.of(text))).map(|word| stem(&word).to_owned()).collect()
}

fn stem(word: &str) -> &str {
    word.char_indices().nth(STEM).and_then(|(end, _)| word.get(..end)).unwrap_or(word)
}

/// The day in `date`, and the words of `title`; `None` for an entry without one of them.
fn title_of_day(date: &str, title: &str) -> Option<TitleOfDay> {
    let day = date.get(..10).filter(|day| day.starts_with(|c: char| c.is_ascii_digit()))?;
    let title = words(title);
    (!title.is_empty()).then(|| (day.to_owned(), title))
}

/// Whether the words hold a moment, and so are those of one entry.
pub(super) fn is_moment(words: &[String]) -> bool {
    let is_time =
        |word: &String| word.len() >= 5 && word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('t');
    words.iter().any(is_time)
}

/// Whether a heading says that several entries were made one.
pub(super) fn is_consolidated(words: &[String]) -> bool {
    words.iter().any(|word| matches!(word.as_str(), "consolidated" | "merged" | "unified"))
}

/// The words that tell what a title is about: no dates, no numbers.
pub(super) fn meaning(words: &[String]) -> HashSet<String> {
    let tells =
        |word: &&String| !EMPTY_WORDS.contains(&word.as_str()) && !word.starts_with(|c: char| c.is_ascii_digit());
    words.iter().filter(tells).cloned().collect()
}
