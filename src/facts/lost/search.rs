//! The search for entries that are missing in their file: moved, archived, merged, converted or edited ones are not lost.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use bstr::{BString, ByteSlice};
use gix::ObjectId;

use super::reworded::AddedBlocks;
use super::{Lost, MAX_SEARCHED, Missing, keys, loser, new_text, old_text, readable};
use crate::dialects::{FileKind, squad};
use crate::facts::{Run, state_branch};
use crate::formats::entries::{self, Block, Entries};
use crate::formats::markdown::{self, Mark, MarkKind};
use crate::formats::sem::EntryType;
use crate::git::change::{Blob, Change};
use crate::layout::exclude::Excludes;
use crate::select::changes::Changes;
use crate::select::read_error::ReadError;
use crate::select::selected::{Origin, Selected};
use crate::text::shingles::{ShingleIndex, words};

/// With so many of a hundred runs of its words in some file, an entry is edited or moved and not lost.
const STANDS: usize = 40;
/// The same where a title like its own is there as well, or where they came with the change.
const STANDS_AGAIN: usize = 15;
/// A title of fewer words is one that other entries could have.
const OWN_TITLE: usize = 3;
/// What a title shares with many others.
const EMPTY_WORDS: [&str; 18] = [
    "a", "an", "and", "as", "at", "by", "decision", "for", "from", "in", "is", "of", "on", "or", "the", "to", "via",
    "with",
];

/// The entries that the change removes from the files it touches, and that are in no file after it, in the order of files
/// and places. None without a change.
pub fn lost(run: &Run<'_>) -> Vec<Lost> {
    let Some(changes) = run.changes() else { return Vec::new() };
    let losers = changes.list().iter().filter_map(|change| loser(run, change, changes));
    let missing: Vec<Missing> = losers.flat_map(|loser| loser.missing()).collect();
    if missing.is_empty() { Vec::new() } else { Search::new(missing, run, changes).lost() }
}

/// How often a heading is in the files of the change, and whether in any other.
#[derive(Debug, Default)]
struct Count {
    before: usize,
    after: usize,
    elsewhere: bool,
    /// The missing entries with that heading, by their places.
    missing: Vec<usize>,
}

/// What a text is, in which a missing entry could be.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Whether it is a file of an agent.
    of_agent: bool,
    /// Whether it came with the change.
    is_new: bool,
}

/// A heading that the change brought, or one of a file that it does not touch.
#[derive(Debug)]
struct Heading {
    words: Vec<String>,
    meaning: HashSet<String>,
    kind: Kind,
    /// Whether it says that several entries were made one.
    is_consolidated: bool,
}

/// The day of an entry, and the words of its title.
type TitleOfDay = (String, Vec<String>);

/// Where entries that are missing could be.
pub(super) struct Search<'a> {
    run: &'a Run<'a>,
    changes: &'a Changes,
    missing: Vec<Missing>,
    traces: ShingleIndex<Kind>,
    titles: ShingleIndex<Kind>,
    keys: HashSet<(i64, EntryType)>,
    /// The headings of the missing, by their words.
    counts: HashMap<Vec<String>, Count>,
    headings: Vec<Heading>,
    /// The days and titles of the entries that files have; those of agents apart from the others.
    titles_by_day: HashSet<(bool, TitleOfDay)>,
    /// What the change added to decisions files.
    added: AddedBlocks,
    searched: HashSet<ObjectId>,
    /// Whether something could not be read: nothing is known then.
    is_blind: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(missing: Vec<Missing>, run: &'a Run<'a>, changes: &'a Changes) -> Self {
        let mut search = Self {
            run,
            changes,
            missing: Vec::new(),
            traces: ShingleIndex::default(),
            titles: ShingleIndex::default(),
            keys: HashSet::new(),
            counts: HashMap::new(),
            headings: Vec::new(),
            titles_by_day: HashSet::new(),
            added: AddedBlocks::default(),
            searched: HashSet::new(),
            is_blind: false,
        };
        for (place, one) in missing.iter().enumerate() {
            search.titles.add([one.lost.title.as_str()]);
            search.traces.add(one.parts.iter().map(String::as_str));
            search.counts.entry(words(&one.heading)).or_default().missing.push(place);
        }
        search.missing = missing;
        search
    }

    /// The entries that were found in no text.
    pub(super) fn lost(mut self) -> Vec<Lost> {
        // Most of what is moved is moved within the change; all other files are asked only for what is left then.
        for change in self.changes.list() {
            self.look_in_change(change);
        }
        if !self.is_blind && self.stand().contains(&false) {
            self.look_in_state();
        }
        if self.is_blind {
            return Vec::new();
        }
        let stand = self.stand();
        let of = |(place, (one, stands)): (usize, (&Missing, bool))| (!stands).then(|| (place, one.lost.clone()));
        let mut lost: Vec<(usize, Lost)> = self.missing.iter().zip(stand).enumerate().filter_map(of).collect();
        self.added.find(&self.missing, &mut lost);
        lost.into_iter().map(|(_, lost)| lost).collect()
    }

    fn look_in_change(&mut self, change: &Change) {
        let is_text = |path: &BString| path.to_ascii_lowercase().ends_with(b".md");
        if !is_text(&change.path) {
            return;
        }
        let holds_entries = self.kind_at(&change.path).is_some_and(FileKind::holds_entries);
        let (mut headings_before, mut lines_before) = (HashSet::new(), HashSet::new());
        let old;
        if holds_entries && change.before.is_some_and(Blob::is_file) {
            old = old_text(self.run, change, self.changes);
            self.is_blind |= old.is_none();
            let text = old.as_ref().map_or("", |old| old.get().text());
            lines_before.extend(text.lines().map(str::trim));
            headings_before.extend(headings(text));
            for heading in headings(text) {
                if let Some(count) = self.counts.get_mut(&heading) {
                    count.before += 1;
                }
            }
        }
        let Some(after) = change.after.filter(|blob| blob.is_file()) else { return };
        self.searched.insert(after.id);
        let Some(new) = new_text(self.run, change, self.changes) else {
            self.is_blind = true;
            return;
        };
        let text = new.get().text();
        self.scan(text, Kind { of_agent: is_of_agent(&change.path), is_new: false });
        // That a title is in the log of a session says that there was such an entry, and no more.
        if !holds_entries {
            return;
        }
        if self.kind_at(&change.path).is_some_and(is_of_decisions) {
            self.added.add(&change.path, text, &lines_before);
        }
        self.add_titles(text, is_of_agent(&change.path));
        let new_lines: Vec<&str> = text.lines().filter(|line| !lines_before.contains(line.trim())).collect();
        let kind = Kind { of_agent: is_of_agent(&change.path), is_new: true };
        let new_lines = new_lines.join("\n");
        self.traces.scan(&new_lines, kind);
        self.titles.scan(&new_lines, kind);
        for heading in headings(text) {
            if let Some(count) = self.counts.get_mut(&heading) {
                count.after += 1;
            }
            if !headings_before.contains(&heading) {
                self.headings.push(Heading::new(heading, kind));
            }
        }
    }

    fn look_in_state(&mut self) {
        let roots = self.run.input.roots;
        let files = self.run.git(|_| self.changes.files(roots, &Excludes::default(), None));
        self.look_in_files(&files.unwrap_or_default());
        let is_on_branch = |one: &Missing| {
            let root = roots.root_of(one.lost.old_path.as_bstr());
            root.is_some_and(|root| state_branch::holds(self.run, root.as_bstr()))
        };
        if self.stand().contains(&false) && self.missing.iter().any(is_on_branch) {
            let roots = roots.clone().with_top(true);
            for branch in state_branch::copies(self.run) {
                let selection = self.run.git(|_| branch.select(&roots, &Excludes::default()));
                self.is_blind |= selection.is_none();
                self.look_in_files(selection.as_ref().map_or(&[], |selection| &selection.files));
            }
        }
    }

    fn look_in_files(&mut self, files: &[Selected]) {
        let Some(git) = &self.run.input.repository.git else { return };
        for file in files {
            let Origin::Blob(id) = file.origin else { continue };
            if !self.searched.insert(id) {
                continue;
            }
            match readable(git.blob(id, file.path.as_bstr(), MAX_SEARCHED).map(Some).map_err(ReadError::from), self.run)
            {
                Some(bytes) => self.look_in_unchanged(&bytes.to_str_lossy(), &file.path, file.kind),
                None => self.is_blind = true,
            }
        }
    }

    fn kind_at(&self, path: &BString) -> Option<&'static FileKind> {
        self.run.input.roots.locate(path.as_bstr())?.kind
    }

    fn look_in_unchanged(&mut self, text: &str, path: &BString, file_kind: &FileKind) {
        let kind = Kind { of_agent: is_of_agent(path), is_new: false };
        self.scan(text, kind);
        if !file_kind.holds_entries() {
            return;
        }
        self.add_titles(text, kind.of_agent);
        for heading in headings(text) {
            if let Some(count) = self.counts.get_mut(&heading) {
                count.elsewhere = true;
            }
            self.headings.push(Heading::new(heading, kind));
        }
    }

    fn scan(&mut self, text: &str, kind: Kind) {
        self.traces.scan(text, kind);
        if self.missing.iter().any(|one| one.key.is_some()) {
            self.keys.extend(keys(text, &entries::parse(text)));
        }
    }

    /// Whether each of the missing is somewhere, perhaps edited.
    fn stand(&self) -> Vec<bool> {
        let shares: Vec<usize> = (0..self.missing.len()).map(|place| self.traces.coverage(place, |_| true)).collect();
        let share = |place: usize| shares.get(place).copied().unwrap_or(0);
        let stands = |(place, one): (usize, &Missing)| {
            let again = self.traces.coverage(place, |kind| kind.is_new && kind.can_hold(one));
            one.key.is_some_and(|key| self.keys.contains(&key))
                || share(place) >= STANDS
                || again >= STANDS_AGAIN
                || self.has_title_of_day(one)
                || self.is_said(place, one)
                || self.has_title(one, share(place), again)
        };
        let mut stand: Vec<bool> = self.missing.iter().enumerate().map(stands).collect();
        for (words, count) in &self.counts {
            let is_own = is_moment(words) || meaning(words).len() >= OWN_TITLE;
            // Of several entries with one heading those count that the change brought, or edited.
            let kept = count.before.saturating_sub(count.missing.len());
            let came = count.after.saturating_sub(kept);
            let mut nearest = count.missing.clone();
            nearest.sort_by_key(|place| Reverse(share(*place)));
            for (rank, place) in nearest.into_iter().enumerate() {
                let is_dated = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
                let is_edited = rank < came && (is_own || is_dated || share(place) >= STANDS_AGAIN);
                let is_copy = is_own && (count.elsewhere || kept > 0);
                if let Some(stands) = stand.get_mut(place).filter(|_| is_edited || is_copy) {
                    *stands = true;
                }
            }
        }
        stand
    }

    fn add_titles(&mut self, text: &str, of_agent: bool) {
        let entries = entries::parse(text);
        self.titles_by_day.extend(titles(text, &entries).map(|title| (of_agent, title)));
    }

    /// Whether a file has an entry of the same day with the same title.
    fn has_title_of_day(&self, one: &Missing) -> bool {
        let Some(title) = one.lost.date.as_deref().and_then(|date| title_of_day(date, &one.lost.title)) else {
            return false;
        };
        let is_there = |of_agent| self.titles_by_day.contains(&(of_agent, title.clone()));
        is_there(false) || is_of_agent(&one.lost.old_path) && is_there(true)
    }

    /// Whether a long title is word for word in what the change brought: there several entries were made one.
    fn is_said(&self, place: usize, one: &Missing) -> bool {
        let is_long = words(&one.lost.title).len() > OWN_TITLE + 1;
        is_long && self.titles.coverage(place, |kind| kind.is_new && kind.can_hold(one)) == 100
    }

    /// Whether some heading tells that the entry is below it, where `share` of a hundred runs of its words are in some
    /// file, and `again` came with the change.
    fn has_title(&self, one: &Missing, share: usize, again: usize) -> bool {
        let title = meaning(&words(&one.lost.title));
        let date = one.lost.date.as_deref().map(words).filter(|date| is_moment(date));
        self.headings.iter().filter(|heading| heading.kind.can_hold(one)).any(|heading| {
            let both = title.intersection(&heading.meaning).count();
            let (of_title, of_heading) = (both * 100 / title.len().max(1), both * 100 / heading.meaning.len().max(1));
            let is_own = title.len() >= OWN_TITLE;
            let is_like = of_title >= 50 && of_heading >= 50 && share >= STANDS_AGAIN;
            let is_same = is_own && of_title >= 80 && of_heading >= 50;
            let is_merged =
                heading.is_consolidated && (both >= 3 || both == 2 && (of_title >= 50 || again >= STANDS_AGAIN / 2));
            let is_then =
                |date: &Vec<String>| of_title >= 50 && heading.words.windows(date.len()).any(|it| it == *date);
            let stands = if heading.kind.is_new { is_same || is_merged } else { is_own && is_like };
            stands || date.as_ref().is_some_and(is_then)
        })
    }
}

impl Kind {
    /// Whether the entry could be kept in such a text. A note in the history of an agent about a decision is not the decision.
    fn can_hold(self, one: &Missing) -> bool {
        is_of_agent(&one.lost.old_path) || !self.of_agent
    }
}

impl Heading {
    fn new(words: Vec<String>, kind: Kind) -> Self {
        let is_consolidated = words.iter().any(|word| matches!(word.as_str(), "consolidated" | "merged" | "unified"));
        Self { meaning: meaning(&words), words, kind, is_consolidated }
    }
}

/// Whether a team keeps its decisions in such a file.
fn is_of_decisions(kind: &FileKind) -> bool {
    kind == &squad::DECISIONS
}

/// The day and the words of the title of each dated entry.
fn titles<'a>(text: &'a str, entries: &'a Entries) -> impl Iterator<Item = TitleOfDay> + 'a {
    let of_sem = entries.sem(text).filter_map(|entry| {
        let header = entry.header();
        title_of_day(header.timestamp.of(text), header.summary.of(text))
    });
    let of_legacy = entries.blocks().filter_map(|block| match block {
        Block::Legacy(entry) => title_of_day(entry.date?.of(text), entry.title.of(text)),
        Block::Prose(_) | Block::Sem(_) => None,
    });
    of_sem.chain(of_legacy)
}

/// The day in `date`, and the words of `title`; `None` for an entry without one of them.
fn title_of_day(date: &str, title: &str) -> Option<TitleOfDay> {
    let day = date.get(..10).filter(|day| day.starts_with(|c: char| c.is_ascii_digit()))?;
    let title = words(title);
    (!title.is_empty()).then(|| (day.to_owned(), title))
}

fn is_of_agent(path: &BString) -> bool {
    path.contains_str("/agents/") || path.starts_with(b"agents/")
}

/// The words of each heading.
fn headings(text: &str) -> impl Iterator<Item = Vec<String>> {
    let is_heading = |mark: &Mark| matches!(mark.kind, MarkKind::Heading(_));
    markdown::scan(text).marks.into_iter().filter(is_heading).map(|mark| words(mark.line.of(text)))
}

/// Whether the words hold a moment, and so are those of one entry.
fn is_moment(words: &[String]) -> bool {
    let is_time =
        |word: &String| word.len() >= 5 && word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('t');
    words.iter().any(is_time)
}

/// The words that tell what a title is about: no dates, no numbers.
fn meaning(words: &[String]) -> HashSet<String> {
    let tells =
        |word: &&String| !EMPTY_WORDS.contains(&word.as_str()) && !word.starts_with(|c: char| c.is_ascii_digit());
    words.iter().filter(tells).cloned().collect()
}
