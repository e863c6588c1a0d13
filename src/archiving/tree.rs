//! The sections of a memory file as a tree, and which of them may go.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::hold::{Hold, is_container, of_title};
use super::order::{FAR, contradicts, is_in_order};
use super::section::{Section, sections};
use super::subject::Subjects;
use crate::document::Document;
use crate::facts::Run;
use crate::facts::age::Ymd;
use crate::formats::timestamp::Timestamp;
use crate::text::Span;
use crate::text::words::contains;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// An entry younger than this stays where agents read it.
const FRESH: i64 = 7 * DAY;

/// The sections of a file, and when each may go.
pub struct Tree {
    pub(super) sections: Vec<Section>,
    /// What is in each of them, and last what is in the file.
    inside: Vec<Inside>,
    /// Whether the file grows at its end.
    is_ascending: bool,
}

/// What is in a section, its own text included.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    /// The moment of the newest text.
    newest: Option<i64>,
    /// Which section that may go is the newest.
    last: Option<usize>,
    /// Whether something would be left if all went that may.
    is_filled: bool,
}

impl Tree {
    /// The sections of `document`.
    pub fn of(document: &Document, run: &Run<'_>, now: Timestamp) -> Self {
        let sections = sections(document, run);
        let is_ascending = is_ascending(&sections);
        let inside = vec![Inside::default(); sections.len() + 1];
        let mut tree = Self { sections, inside, is_ascending };
        tree.hold_within(document.text());
        tree.place_in_day();
        tree.doubt(run.age().earliest.and_then(Ymd::midnight));
        for section in tree.sections.iter_mut().filter(|section| section.hold.is_none()) {
            section.find_newest(document.text());
        }
        tree.hold_newest();
        tree.hold_followers(document.text());
        for place in (0..tree.sections.len()).rev() {
            tree.judge(document.text(), place, now);
        }
        tree.hold_rest_of_day();
        for section in tree.sections.iter_mut().filter(|section| section.hold == Some(Hold::Undated)) {
            section.find_oldest(document.text());
        }
        tree
    }

    /// Gives each section without a time of day the latest time of that day before it, in the order of the file. Its day is that of
    /// who wrote it, which can reach into the first half of the next day in UTC.
    fn place_in_day(&mut self) {
        let is_whole_day = |section: &Section| section.at.is_some_and(|at| at.rem_euclid(DAY) == 0);
        if !self.sections.iter().any(is_whole_day) {
            return;
        }
        // Of each day, its latest time and the time of the section before: what is out of order is late, but not before.
        let mut times: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        let mut order: Vec<&mut Section> = self.sections.iter_mut().filter(|section| section.at.is_some()).collect();
        if !self.is_ascending {
            order.reverse();
        }
        for section in order {
            let Some(at) = section.at else { continue };
            let (day, next) = (at.div_euclid(DAY), at.div_euclid(DAY) + 1);
            if at.rem_euclid(DAY) == 0 {
                let in_next =
                    times.get(&next).map(|(_, before)| *before).filter(|time| time.rem_euclid(DAY) <= DAY / 2);
                section.at = in_next.or_else(|| times.get(&day).map(|(latest, _)| *latest)).or(section.at);
            } else {
                let (latest, before) = times.entry(day).or_insert((at, at));
                (*latest, *before) = (at.max(*latest), at);
            }
        }
    }

    /// Holds what is newer than a section that stays, and on the same subject: without it, the older one would be the last word.
    fn hold_followers(&mut self, text: &str) {
        let stays =
            |section: &Section| section.hold.is_some_and(Hold::is_said) || section.is_entry && section.at.is_none();
        let title = |section: &Section| section.heading.of(text);
        let of = self.sections.iter().enumerate().filter(|(_, section)| stays(section));
        let subjects =
            Subjects::new(of.map(|(place, section)| (place, title(section))), self.sections.iter().map(title));
        let is_ascending = self.is_ascending;
        let follows = |(place, section): &(usize, &Section)| {
            let may_go = section.hold.is_none() && section.at.is_some();
            let is_older = |older: &usize| {
                let is_later = if is_ascending { older < place } else { older > place };
                let contains = |outer: &Section, inner: &Section| {
                    outer.span.start() <= inner.span.start() && inner.span.end() <= outer.span.end()
                };
                self.sections.get(*older).is_some_and(|older| {
                    let is_apart = !contains(older, section) && !contains(section, older);
                    is_apart && (is_later || older.at.is_some_and(|older| section.at >= Some(older)))
                })
            };
            may_go && subjects.shared_with(title(section)).iter().any(is_older)
        };
        let followers: Vec<usize> = self.sections.iter().enumerate().filter(follows).map(|(place, _)| place).collect();
        for place in followers {
            if let Some(section) = self.sections.get_mut(place) {
                section.hold = Some(Hold::Follows);
            }
        }
    }

    /// Holds what is of the last day in the file.
    fn hold_newest(&mut self) {
        let day = |section: &Section| section.at.and(section.newest).map(|newest| newest.div_euclid(DAY));
        let last = self.sections.iter().filter(|section| section.hold.is_none()).filter_map(day).max();
        for section in self.sections.iter_mut().filter(|section| section.hold.is_none()) {
            if last.is_some() && day(section) == last {
                section.hold = Some(Hold::Newest);
            }
        }
    }

    /// The oldest section that stays although nothing in it says so, with its moment. Nothing newer goes: it would leave before it.
    fn barrier(&self) -> Option<(i64, &Section)> {
        let holds = |section: &&Section| {
            matches!(section.hold, Some(Hold::Unclear | Hold::Around | Hold::Newest | Hold::Doubtful))
        };
        let dated = self.sections.iter().filter(holds).filter_map(|section| Some((section.at?, section)));
        let undated = self.sections.iter().filter_map(|section| Some((section.oldest?, section)));
        dated.chain(undated).min_by_key(|(at, _)| *at)
    }

    /// Holds what was written after a section that stays although nothing in it says so, on the day of that one: next to each other, the
    /// order of the file is that of the day. It need not be the day of a section with a mistaken date.
    pub(super) fn hold_rest_of_day(&mut self) {
        let day = |at: i64| at.div_euclid(DAY);
        // A file has thousands of sections, each in one of them.
        let mut stays: Vec<Option<i64>> = vec![None; self.sections.len() + 1];
        let mut order: Vec<&mut Section> = self.sections.iter_mut().filter(|section| section.at.is_some()).collect();
        if !self.is_ascending {
            order.reverse();
        }
        for section in order {
            let (Some(at), Some(stays)) = (section.at, stays.get_mut(around(section))) else { continue };
            match section.hold {
                Some(Hold::Unclear | Hold::Around | Hold::Newest | Hold::Behind) => {
                    *stays = Some(at);
                }
                None if stays.is_some_and(|held| day(held) == day(at) && held <= at) => {
                    section.hold = Some(Hold::Behind);
                }
                _ => {}
            }
        }
        let mut is_behind: Vec<bool> = Vec::with_capacity(self.sections.len());
        for section in &mut self.sections {
            let is_in_one = section.parent.is_some_and(|parent| is_behind.get(parent) == Some(&true));
            is_behind.push(is_in_one || section.hold == Some(Hold::Behind));
            section.hold = section.hold.or(is_in_one.then_some(Hold::Behind));
        }
    }

    /// The heading of the section that keeps all newer ones, or of the first one in it that does not stay for another, and why it stays.
    pub fn keeps_newer(&self) -> Option<(Span, Option<Hold>)> {
        let (_, barrier) = self.barrier()?;
        let is_in =
            |inner: &&Section| barrier.span.start() <= inner.span.start() && inner.span.end() <= barrier.span.end();
        let is_reason = |inner: &&Section| inner.hold.is_some_and(Hold::is_said);
        let inner = self.sections.iter().filter(is_in).find(is_reason).filter(|_| barrier.hold == Some(Hold::Around));
        let section = inner.unwrap_or(barrier);
        Some((section.heading, section.hold))
    }

    /// Decides whether the section at `place` may go. Those in it have been decided: they come after it.
    fn judge(&mut self, text: &str, place: usize, now: Timestamp) {
        let Some(inside) = self.inside.get(place).copied() else { return };
        let Some(section) = self.sections.get_mut(place) else { return };
        let newest = inside.newest.max(section.newest);
        if section.hold.is_none() && section.at.is_some_and(|at| inside.newest > Some(at.saturating_add(FAR))) {
            // Its own date is not that of what is in it.
            (section.hold, section.at) = (Some(Hold::Doubtful), newest);
        }
        let is_fresh = section.newest.is_some_and(|newest| newest > now.unix().saturating_sub(FRESH));
        let hold = section.hold.or(is_fresh.then_some(Hold::Fresh));
        // A title alone announces what is elsewhere, and so does a date alone.
        let is_title = !section.is_entry || !section.heading.of(text).contains(char::is_alphabetic);
        let is_bare = is_title && inside.newest.is_none() && !inside.is_filled && !has_text(text, section);
        section.hold = hold.or((section.at.is_none() || is_bare).then_some(Hold::Undated));
        let may_go = section.hold.is_none();
        let is_empty = !may_go && !inside.is_filled && !has_text(text, section);
        let is_undated = section.hold == Some(Hold::Undated);
        let is_container = || section.level == 1 || is_container(section.heading.of(text));
        let kept = inside.last.filter(|_| is_empty && (section.is_entry || !is_undated || is_container()));
        if kept.is_some() && is_undated {
            section.hold = Some(Hold::Around);
        }
        let is_held = section.hold.is_some_and(|hold| hold != Hold::Undated);
        let parent = section.parent;
        if let Some(kept) = kept {
            self.keep(text, kept);
        }
        let last = if may_go { Some(place) } else { inside.last.filter(|_| kept.is_none()) };
        let is_filled = !may_go && (!is_empty || inside.last.is_none() || kept.is_some());
        let here = Inside { newest, last, is_filled };
        if let Some(inside) = self.inside.get_mut(place) {
            *inside = here;
        }
        if let Some(parent) = parent.filter(|_| is_held).and_then(|parent| self.sections.get_mut(parent)) {
            parent.hold = parent.hold.or(Some(Hold::Around));
        }
        let outer = parent.unwrap_or(self.sections.len());
        let known = self.inside.get(outer).and_then(|outer| outer.last);
        let is_last = here.last.is_some_and(|last| known.is_none_or(|known| self.key(last) > self.key(known)));
        if let Some(outer) = self.inside.get_mut(outer) {
            outer.newest = outer.newest.max(here.newest);
            outer.is_filled |= here.is_filled;
            outer.last = if is_last { here.last } else { outer.last };
        }
    }

    /// Keeps the section at `place`, which is the newest where it is; one without text of its own with all sections in it.
    fn keep(&mut self, text: &str, place: usize) {
        let Some((section, below)) = self.sections.get_mut(place..).and_then(|from| from.split_first_mut()) else {
            return;
        };
        section.hold = Some(Hold::Newest);
        if !has_text(text, section) {
            let inside = below.iter_mut().take_while(|inner| inner.span.start() < section.span.end());
            inside.for_each(|inner| inner.hold = inner.hold.or(Some(Hold::Newest)));
        }
    }

    /// Holds the entries with dates that contradict their places, or that are before the `earliest` moment that entries of the repository
    /// can have, where most are not.
    fn doubt(&mut self, earliest: Option<i64>) {
        let dated = |section: &(usize, &Section)| section.1.at.is_some();
        let dated = self.sections.iter().enumerate().filter(dated);
        let mut order: Vec<(usize, i64)> = dated.filter_map(|(place, section)| Some((place, section.at?))).collect();
        if !self.is_ascending {
            order.reverse();
        }
        let parents: Vec<Option<usize>> = self.sections.iter().map(|section| section.parent).collect();
        let is_early = |at: i64| earliest.is_some_and(|earliest| at < earliest);
        let is_evidence = order.iter().filter(|(_, at)| is_early(*at)).count() * 2 <= order.len();
        let is_in_order = is_in_order(&order);
        let mut last = None;
        for index in 0..order.len() {
            let Some(&(place, at)) = order.get(index) else { continue };
            let Some(section) = self.sections.get_mut(place) else { continue };
            let is_doubtful = !is_in_order && contradicts(&order, &parents, index, section.hold.is_some());
            if section.hold.is_none() && is_evidence && is_early(at) {
                // Nothing says when it was: it keeps nothing newer.
                (section.hold, section.at) = (Some(Hold::Doubtful), None);
            } else if is_doubtful {
                section.hold = section.hold.or(Some(Hold::Doubtful));
                // It is as old as its neighbours: what comes after it may correct it.
                section.at = last.or_else(|| order.get(index + 1).map(|(_, next)| *next));
            } else {
                last = Some(at);
            }
        }
    }

    /// What is in a section that is held for its title stays with it. What is said in its text is not said of all that is below.
    fn hold_within(&mut self, text: &str) {
        let mut held: Vec<Option<Hold>> = Vec::with_capacity(self.sections.len());
        for section in &mut self.sections {
            let above = section.parent.and_then(|parent| held.get(parent).copied().flatten());
            // `### Storage — SUPERSEDED`, below `## Active Decisions`, has ended.
            let has_ended = || contains(section.heading.of(text), "superseded");
            let above = above.filter(|above| *above != Hold::Active || !has_ended());
            section.hold = section.hold.or(above);
            // Few sections are held: most titles need no second look.
            let may_be = section.level > 1 && section.hold.is_some_and(Hold::is_said);
            held.push(above.or_else(|| if may_be { of_title(section.heading.of(text)) } else { None }));
        }
    }

    /// When a section goes: by the newest in it, and then as the file is ordered.
    fn key(&self, place: usize) -> (Option<i64>, Reverse<usize>, usize) {
        let newest = self.newest(place);
        if self.is_ascending { (newest, Reverse(0), place) } else { (newest, Reverse(place), 0) }
    }

    /// The moment of the newest text in a section.
    fn newest(&self, place: usize) -> Option<i64> {
        self.inside.get(place).and_then(|inside| inside.newest)
    }

    /// The sections that go until at most `cap` of `size` bytes are left, and how many are.
    pub fn oldest(&self, size: u64, cap: u64) -> (Vec<usize>, u64) {
        let barrier = self.barrier().map(|(at, _)| at);
        let may_go = |place: &usize| {
            let is_old = barrier.is_none_or(|barrier| self.newest(*place) <= Some(barrier));
            is_old && self.sections.get(*place).is_some_and(|section| section.hold.is_none())
        };
        let mut order: Vec<usize> = (0..self.sections.len()).filter(may_go).collect();
        order.sort_by_key(|place| self.key(*place));
        let mut gone: Vec<u64> = vec![0; self.sections.len()];
        let sizes = self.sizes();
        let size_of = |place: usize| sizes.get(place).copied();
        let (mut going, mut left) = (Vec::new(), size);
        for place in order {
            if left <= cap {
                break;
            }
            let around = || std::iter::successors(Some(place), |at| self.sections.get(*at)?.parent);
            // What is in one that goes has gone with it.
            if around().skip(1).any(|at| gone.get(at).copied() == size_of(at)) {
                continue;
            }
            let known = gone.get(place).copied().unwrap_or_default();
            let new = size_of(place).unwrap_or_default().saturating_sub(known);
            left = left.saturating_sub(new);
            for at in around() {
                if let Some(gone) = gone.get_mut(at) {
                    *gone += new;
                }
            }
            going.push(place);
        }
        (going, left)
    }

    /// How many bytes leave with each section: all of it but the comments that guide writers.
    fn sizes(&self) -> Vec<u64> {
        let mut guides = vec![0_usize; self.sections.len()];
        let mut sizes = vec![0_u64; self.sections.len()];
        for (place, section) in self.sections.iter().enumerate().rev() {
            let kept = guides.get(place).copied().unwrap_or_default() + section.guide.map_or(0, Span::len);
            if let Some(outer) = section.parent.and_then(|parent| guides.get_mut(parent)) {
                *outer += kept;
            }
            if let Some(size) = sizes.get_mut(place) {
                *size = section.span.len().saturating_sub(kept) as u64;
            }
        }
        sizes
    }

    /// The spans of the sections at `going`, in file order, each with its empty parents: the heading of a section leaves with the
    /// last entry in it. Comments that guide writers do not leave.
    pub fn with_emptied(&self, text: &str, going: &[usize]) -> Vec<Span> {
        let mut goes = vec![false; self.sections.len()];
        for place in going {
            if let Some(goes) = goes.get_mut(*place) {
                *goes = true;
            }
        }
        // How many sections in it stay, and how many go.
        let mut inside = vec![(0_usize, 0_usize); self.sections.len()];
        for (place, section) in self.sections.iter().enumerate().rev() {
            let (stay, go) = inside.get(place).copied().unwrap_or_default();
            let is_emptied = go > 0 && stay == 0 && !has_text(text, section);
            let Some(goes) = goes.get_mut(place) else { continue };
            *goes |= is_emptied;
            if let Some(outer) = section.parent.and_then(|parent| inside.get_mut(parent)) {
                *(if *goes { &mut outer.1 } else { &mut outer.0 }) += 1;
            }
        }
        let mut spans: Vec<Span> = Vec::new();
        let mut end = 0;
        for (section, goes) in self.sections.iter().zip(goes) {
            if goes && end <= section.span.start() {
                spans.push(section.span);
                end = section.span.end();
            }
            if let Some(guide) = section.guide.filter(|guide| guide.end() <= end) {
                let last = spans.pop().map(|last| [(last.start(), guide.start()), (guide.end(), last.end())]);
                let parts = last.into_iter().flatten().filter(|(start, end)| start < end);
                spans.extend(parts.map(|(start, end)| Span::new(start, end)));
            }
        }
        spans
    }

    /// Why what stays does, with how many sections and bytes.
    pub fn stays(&self) -> BTreeMap<Hold, (usize, u64)> {
        let mut stays: BTreeMap<Hold, (usize, u64)> = BTreeMap::new();
        let barrier = self.barrier().map(|(at, _)| at);
        for (place, section) in self.sections.iter().enumerate() {
            let is_behind = barrier.is_some_and(|barrier| self.newest(place) > Some(barrier));
            let hold = match section.hold {
                Some(Hold::Around) if !section.is_entry => Hold::Undated,
                Some(hold) => hold,
                None if is_behind => Hold::Behind,
                None => continue,
            };
            let (count, bytes) = stays.entry(hold).or_default();
            *count += 1;
            *bytes += section.own.len() as u64;
        }
        stays
    }

    /// Why sections stay that are older than the last one that goes.
    pub fn older(&self, going: &[usize]) -> BTreeMap<Hold, usize> {
        let last = going.iter().filter_map(|place| self.newest(*place)).max();
        let mut older = BTreeMap::new();
        for section in self.sections.iter().filter(|section| section.at.is_some() && section.at < last) {
            // A title alone is no entry.
            if let Some(hold) = section.hold.filter(|hold| *hold != Hold::Undated) {
                *older.entry(hold).or_default() += 1;
            }
        }
        older
    }
}

/// The number of the section that another one is in, from 1; 0 for one that is in none.
fn around(section: &Section) -> usize {
    section.parent.map_or(0, |parent| parent + 1)
}

/// Whether a file grows at its end, by the dates that follow each other in one section. A file that does not say so does.
fn is_ascending(sections: &[Section]) -> bool {
    let mut last: Vec<Option<i64>> = vec![None; sections.len() + 1];
    let (mut ups, mut downs) = (0_usize, 0_usize);
    for section in sections {
        let (Some(at), Some(last)) = (section.at, last.get_mut(around(section))) else { continue };
        match last.replace(at).map(|before| at.cmp(&before)) {
            Some(Ordering::Greater) => ups += 1,
            Some(Ordering::Less) => downs += 1,
            _ => {}
        }
    }
    ups >= downs
}

/// Whether a section has text of its own below its heading. A rule is none.
fn has_text(text: &str, section: &Section) -> bool {
    let below = Span::new(section.heading.end(), section.own.end()).of(text);
    let first = below.bytes().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'-'));
    first.is_some_and(|byte| byte.is_ascii_graphic())
        || below.lines().any(|line| !line.trim().trim_matches('-').is_empty())
}
