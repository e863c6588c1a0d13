//! The search for entries that are missing in their file: moved, archived, merged, converted or edited ones are not lost.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use bstr::{BString, ByteSlice};
use gix::ObjectId;

use super::copies::Copies;
use super::kind::{Kind, STANDS_AGAIN, is_of_agent};
use super::near::Near;
use super::reworded::{MemoryBlocks, blocks};
use super::titled::{self, Before, Filter, Heading, OWN_TITLE, Verdict, Wanted, is_moment, meaning};
use super::{Lost, MAX_SEARCHED, Missing, loser, new_text, old_text, readable};
use crate::dialects::FileKind;
use crate::facts::{Run, state_branch};
use crate::formats::entries::{self, Entries};
use crate::formats::markdown::{self, Mark, MarkKind};
use crate::git::change::{Blob, Change};
use crate::layout::exclude::Excludes;
use crate::select::changes::Changes;
use crate::select::read_error::ReadError;
use crate::select::selected::{Origin, Selected};
use crate::text::Span;
use crate::text::shingles::{ShingleIndex, words};

/// With so many of a hundred runs of its words in some file, an entry is edited or moved and not lost.
const STANDS: usize = 40;

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

/// Where entries that are missing could be.
pub(super) struct Search<'a> {
    run: &'a Run<'a>,
    changes: &'a Changes,
    missing: Vec<Missing>,
    wanted: Vec<Wanted>,
    filter: Filter,
    /// Two texts of each of the missing: all of it, and its body.
    traces: ShingleIndex<Kind>,
    titles: ShingleIndex<Kind>,
    /// The headings of the missing, by their words.
    counts: HashMap<Vec<String>, Count>,
    headings: Vec<Heading>,
    /// What the missing may be written in with other words.
    blocks: MemoryBlocks,
    copies: Copies,
    /// The missing entries that the change added a copy of, by their places.
    copied: HashSet<usize>,
    searched: HashSet<ObjectId>,
    /// Whether something could not be read: nothing is known then.
    is_blind: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(missing: Vec<Missing>, run: &'a Run<'a>, changes: &'a Changes) -> Self {
        let mut search = Self {
            run,
            changes,
            wanted: missing.iter().map(Wanted::of).collect(),
            missing: Vec::new(),
            filter: Filter::default(),
            traces: ShingleIndex::default(),
            titles: ShingleIndex::default(),
            counts: HashMap::new(),
            headings: Vec::new(),
            blocks: MemoryBlocks::of(&missing),
            copies: Copies::of(&missing),
            copied: HashSet::new(),
            searched: HashSet::new(),
            is_blind: false,
        };
        for (place, one) in missing.iter().enumerate() {
            search.titles.add([one.lost.title.as_str()]);
            search.traces.add(one.parts.iter().map(String::as_str));
            search.traces.add(one.parts.iter().skip(1).map(String::as_str));
            search.counts.entry(words(&one.heading)).or_default().missing.push(place);
        }
        for (one, wanted) in missing.iter().zip(&search.wanted) {
            search.filter.add(one, wanted);
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
        let (stand, near) = (self.stand(), Near::of(&self.headings));
        let of = |(place, (one, stands)): (usize, (&Missing, bool))| {
            let is_cut = stands && self.is_cut(place, one, &near);
            (is_cut || !stands).then(|| (place, Lost { is_cut, ..one.lost.clone() }))
        };
        let mut lost: Vec<(usize, Lost)> = self.missing.iter().zip(stand).enumerate().filter_map(of).collect();
        self.blocks.find(&self.missing, &mut lost);
        // What it said was written elsewhere.
        lost.retain(|(_, lost)| !lost.is_cut || lost.reworded.is_none());
        lost.into_iter().map(|(_, lost)| lost).collect()
    }

    fn look_in_change(&mut self, change: &Change) {
        let is_text = |path: &BString| path.to_ascii_lowercase().ends_with(b".md");
        if !is_text(&change.path) {
            return;
        }
        let holds_entries = self.kind_at(&change.path).is_some_and(FileKind::holds_entries);
        let (mut before, mut lines_before) = (Before::default(), HashSet::new());
        let old;
        if holds_entries && change.before.is_some_and(Blob::is_file) {
            old = old_text(self.run, change, self.changes);
            self.is_blind |= old.is_none();
            let text = old.as_ref().map_or("", |old| old.get().text());
            lines_before.extend(text.lines().map(str::trim));
            before = Before::of(headings(text));
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
        let kind = Kind { of_agent: is_of_agent(&change.path), is_new: false };
        let entries = entries::parse(text);
        let spans = blocks(&entries);
        let copies = self.copies_in(text, &spans, kind);
        let rest = without(text, &copies);
        self.traces.scan(&rest, kind);
        // That a title is in the log of a session says that there was such an entry, and no more.
        if !holds_entries {
            self.add_keys(text, &entries, kind);
            return;
        }
        self.blocks.add(&change.path, text, &spans, Some(&lines_before), &copies);
        let filter = &self.filter;
        let change = Some((&change.path, &before));
        let found = titled::headings(text, &entries, kind, change, |heading| filter.takes(heading));
        self.headings.extend(found.into_iter().map(|heading| heading.with_copies(&copies)));
        let new_lines: Vec<&str> = rest.lines().filter(|line| !lines_before.contains(line.trim())).collect();
        let kind = Kind { is_new: true, ..kind };
        let new_lines = new_lines.join("\n");
        self.traces.scan(&new_lines, kind);
        self.titles.scan(&new_lines, kind);
        for heading in headings(text) {
            if let Some(count) = self.counts.get_mut(&heading) {
                count.after += 1;
            }
        }
    }

    /// The `blocks` of `text` that are missing entries, which are found so.
    fn copies_in(&mut self, text: &str, blocks: &[Span], kind: Kind) -> Vec<Span> {
        let mut copies = Vec::new();
        // What says that it is several entries is none of them.
        let is_of_one = |block: &str| !titled::is_consolidated(&words(block.lines().next().unwrap_or_default()));
        for block in blocks.iter().filter(|block| is_of_one(block.of(text))) {
            let owners = self.copies.owners(block.of(text));
            let can_hold = |place: &usize| self.missing.get(*place).is_some_and(|one| kind.can_hold(one));
            let owners: Vec<usize> = owners.into_iter().filter(can_hold).collect();
            copies.extend((!owners.is_empty()).then_some(*block));
            self.copied.extend(owners);
        }
        copies
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
        let entries = entries::parse(text);
        let spans = blocks(&entries);
        let copies = self.copies_in(text, &spans, kind);
        self.traces.scan(&without(text, &copies), kind);
        if !file_kind.holds_entries() {
            self.add_keys(text, &entries, kind);
            return;
        }
        self.blocks.add(path, text, &spans, None, &copies);
        let filter = &self.filter;
        let found = titled::headings(text, &entries, kind, None, |heading| filter.takes(heading));
        self.headings.extend(found.into_iter().map(|heading| heading.with_copies(&copies)));
        for heading in headings(text) {
            if let Some(count) = self.counts.get_mut(&heading) {
                count.elsewhere = true;
            }
        }
    }

    /// Notes the SEM entries of a file that is not meant for any.
    fn add_keys(&mut self, text: &str, entries: &Entries, kind: Kind) {
        let filter = &self.filter;
        if filter.has_keys() {
            self.headings.extend(titled::headings(text, entries, kind, None, |heading| filter.takes_key(heading)));
        }
    }

    /// Whether each of the missing is somewhere, perhaps edited.
    fn stand(&self) -> Vec<bool> {
        let shares: Vec<usize> =
            (0..self.missing.len()).map(|place| self.traces.coverage(2 * place, |_| true)).collect();
        let share = |place: usize| shares.get(place).copied().unwrap_or(0);
        let again = |text: usize, one: &Missing| self.traces.coverage(text, |kind| kind.is_new && kind.can_hold(one));
        let near = Near::of(&self.headings);
        let verdicts: Vec<Verdict> = self
            .missing
            .iter()
            .zip(&self.wanted)
            .enumerate()
            .map(|(place, (one, wanted))| {
                titled::judge(one, wanted, &near.to(one, wanted), share(place), again(2 * place, one))
            })
            .collect();
        let stands = |(place, (one, verdict)): (usize, (&Missing, &Verdict))| match verdict {
            _ if self.copied.contains(&place) => true,
            Verdict::Stands => true,
            Verdict::Open => {
                share(place) >= STANDS || again(2 * place, one) >= STANDS_AGAIN || self.is_said(place, one)
            }
            // The words of its title are those of the other one.
            Verdict::IsAnother => {
                let body = 2 * place + 1;
                self.traces.coverage(body, |_| true) >= STANDS || again(body, one) >= STANDS_AGAIN
            }
        };
        let mut stand: Vec<bool> = self.missing.iter().zip(&verdicts).enumerate().map(stands).collect();
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
                let is_another = verdicts.get(place) == Some(&Verdict::IsAnother);
                if let Some(stands) = stand.get_mut(place).filter(|_| !is_another && (is_edited || is_copy)) {
                    *stands = true;
                }
            }
        }
        stand
    }

    /// Whether nearly all that one of the missing, which stands below its heading, said is gone.
    fn is_cut(&self, place: usize, one: &Missing, near: &Near<'_>) -> bool {
        let Some(wanted) = self.wanted.get(place) else { return false };
        let mut own = near.to(one, wanted).into_iter().filter(|heading| wanted.has_heading(heading)).peekable();
        !self.copied.contains(&place)
            && self.traces.coverage(2 * place + 1, |_| true) < STANDS_AGAIN
            && own.peek().is_some()
            && own.all(|heading| wanted.is_cut_below(heading, &one.lost.path))
    }

    /// Whether a long title is word for word in what the change brought: there several entries were made one.
    fn is_said(&self, place: usize, one: &Missing) -> bool {
        let is_long = words(&one.lost.title).len() > OWN_TITLE + 1;
        is_long && self.titles.coverage(place, |kind| kind.is_new && kind.can_hold(one)) == 100
    }
}

/// `text` without its blocks that are `copies` of entries.
fn without<'a>(text: &'a str, copies: &[Span]) -> Cow<'a, str> {
    if copies.is_empty() {
        return Cow::Borrowed(text);
    }
    let ends = copies.iter().map(|copy| copy.start()).chain([text.len()]);
    let starts = [0].into_iter().chain(copies.iter().map(|copy| copy.end()));
    Cow::Owned(starts.zip(ends).map(|(start, end)| Span::new(start, end).of(text)).collect::<Vec<_>>().join("\n"))
}

/// The words of each heading.
fn headings(text: &str) -> impl Iterator<Item = Vec<String>> {
    let is_heading = |mark: &Mark| matches!(mark.kind, MarkKind::Heading(_));
    markdown::scan(text).marks.into_iter().filter(is_heading).map(|mark| words(mark.line.of(text)))
}
