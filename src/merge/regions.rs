//! The regions in which three lists are equal, or differ: the frame of every three-way merge.

use foldhash::HashSet;
use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::as_git;
use super::versions::Versions;

/// A region of three lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Whether all three are equal here.
    pub equal: bool,
    /// Its places in each list.
    pub places: Versions<Range<usize>>,
}

impl Region {
    /// The parts of the lists that are in it.
    pub fn of<'a, T>(&self, lists: &Versions<&'a [T]>) -> Versions<&'a [T]> {
        let part = |list: &'a [T], range: &Range<usize>| list.get(range.clone()).unwrap_or_default();
        Versions {
            base: part(lists.base, &self.places.base),
            ours: part(lists.ours, &self.places.ours),
            theirs: part(lists.theirs, &self.places.theirs),
        }
    }
}

/// The regions of three lists, in order. They tile each list; equal ones and others take turns.
pub fn regions<T: Ord + Hash>(lists: &Versions<&[T]>) -> Vec<Region> {
    tiled(lists, places_in(lists.base, lists.ours), places_in(lists.base, lists.theirs))
}

/// The same where the lists are equal at the places of the `anchors`, which are in order: what is before and behind each is compared alone.
pub fn regions_between<T: Ord + Hash>(lists: &Versions<&[T]>, anchors: &[Versions<usize>]) -> Vec<Region> {
    let ends = Versions { base: lists.base.len(), ours: lists.ours.len(), theirs: lists.theirs.len() };
    let mut out = Vec::new();
    let mut from = Versions { base: 0, ours: 0, theirs: 0 };
    for to in anchors.iter().copied().chain([ends]) {
        let places = Versions { base: from.base..to.base, ours: from.ours..to.ours, theirs: from.theirs..to.theirs };
        let behind = |at: Versions<usize>| Versions {
            base: from.base + at.base,
            ours: from.ours + at.ours,
            theirs: from.theirs + at.theirs,
        };
        for Region { equal, places } in regions(&Region { equal: false, places }.of(lists)) {
            let (start, end) = (places.map(|range| range.start), places.map(|range| range.end));
            push(&mut out, equal, behind(start), behind(end));
        }
        from = if to == ends { ends } else { to.map(|place| place + 1) };
        push(&mut out, true, to, from);
    }
    out
}

/// The regions as `git merge-file` finds them: with Myers' algorithm, and with what a side added or removed
/// where git shows it.
pub fn regions_of_git<T: Ord + Hash>(lists: &Versions<&[T]>) -> Vec<Region> {
    let of = |side: &[T]| {
        let mut places = common_places(Algorithm::Myers, lists.base, side);
        as_git::slide(&mut places, lists.base, side);
        places
    };
    tiled(lists, of(lists.ours), of(lists.theirs))
}

/// The regions of three lists, by the places of the elements of the base in both sides.
fn tiled<T>(lists: &Versions<&[T]>, ours: Vec<Option<usize>>, theirs: Vec<Option<usize>>) -> Vec<Region> {
    let mut out: Vec<Region> = Vec::new();
    let mut at = Versions { base: 0, ours: 0, theirs: 0 };
    for (base, pair) in ours.into_iter().zip(theirs).enumerate() {
        let (Some(ours), Some(theirs)) = pair else { continue };
        let found = Versions { base, ours, theirs };
        push(&mut out, false, at, found);
        at = found.map(|place| place + 1);
        push(&mut out, true, found, at);
    }
    push(&mut out, false, at, Versions { base: lists.base.len(), ours: lists.ours.len(), theirs: lists.theirs.len() });
    out
}

/// The regions between the `anchors`, with one for each element that is equal in all lists.
pub fn single<T: Ord + Hash>(lists: &Versions<&[T]>, anchors: &[Versions<usize>]) -> Vec<Region> {
    let mut out = Vec::new();
    for region in regions_between(lists, anchors) {
        let Versions { base, ours, theirs } = region.places.map(|range| range.start);
        match region.equal {
            true => out.extend((0..region.places.base.len()).map(|step| {
                let at = |start: usize| start + step..start + step + 1;
                Region { equal: true, places: Versions { base: at(base), ours: at(ours), theirs: at(theirs) } }
            })),
            false => out.push(region),
        }
    }
    out
}

/// Adds the region between two places, or joins it with the one before. An empty one is left out.
fn push(out: &mut Vec<Region>, equal: bool, from: Versions<usize>, to: Versions<usize>) {
    if from == to {
        return;
    }
    let places = Versions { base: from.base..to.base, ours: from.ours..to.ours, theirs: from.theirs..to.theirs };
    match out.last_mut().filter(|last| last.equal && equal) {
        Some(last) => {
            last.places.base.end = to.base;
            last.places.ours.end = to.ours;
            last.places.theirs.end = to.theirs;
        }
        None => out.push(Region { equal, places }),
    }
}

/// For each element of `base`, its place in `side`, if it is in the longest common part.
pub fn places_in<T: Ord + Hash>(base: &[T], side: &[T]) -> Vec<Option<usize>> {
    common_places(Algorithm::Histogram, base, side)
}

fn common_places<T: Ord + Hash>(algorithm: Algorithm, base: &[T], side: &[T]) -> Vec<Option<usize>> {
    let start = base.iter().zip(side).take_while(|(one, other)| one == other).count();
    let mut places: Vec<Option<usize>> = (0..base.len()).map(|place| Some(place).filter(|at| *at < start)).collect();
    // What only one of them has costs the algorithm much, and changes nothing.
    let (old, new) = (common(base, side, start), common(side, base, start));
    let (old_values, new_values): (Vec<&T>, Vec<&T>) =
        (old.iter().map(|(_, value)| *value).collect(), new.iter().map(|(_, value)| *value).collect());
    for op in capture_diff_slices(algorithm, &old_values, &new_values) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for (from, to) in old.iter().skip(old_index).zip(new.iter().skip(new_index)).take(len) {
                if let Some(place) = places.get_mut(from.0) {
                    *place = Some(to.0);
                }
            }
        }
    }
    places
}

/// The elements of `list` from `start` on that `other` has there, too, each with its place.
fn common<'a, T: Eq + Hash>(list: &'a [T], other: &[T], start: usize) -> Vec<(usize, &'a T)> {
    let known: HashSet<&T> = other.iter().skip(start).collect();
    list.iter().enumerate().skip(start).filter(|(_, value)| known.contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_tile_the_lists() {
        let lists = Versions { base: b"abcd".as_slice(), ours: b"axbcd".as_slice(), theirs: b"abd".as_slice() };
        let found = regions(&lists);
        let shown: Vec<_> = found
            .iter()
            .map(|region| {
                let of = region.of(&lists).map(|part| String::from_utf8_lossy(part).into_owned());
                (region.equal, of.base, of.ours, of.theirs)
            })
            .collect();
        let row = |equal, base: &str, ours: &str, theirs: &str| (equal, base.into(), ours.into(), theirs.into());
        assert_eq!(
            shown,
            [
                row(true, "a", "a", "a"),
                row(false, "", "x", ""),
                row(true, "b", "b", "b"),
                row(false, "c", "c", ""),
                row(true, "d", "d", "d"),
            ]
        );
        let ones = Versions { base: b"abcd".as_slice(), ours: b"abxcd".as_slice(), theirs: b"abcd".as_slice() };
        let bases = |found: Vec<Region>| found.into_iter().map(|region| region.places.base).collect::<Vec<_>>();
        assert_eq!(bases(regions(&ones)), [0..2, 2..2, 2..4]);
        // What moved across an anchor is compared on both sides of it.
        let moved = Versions { base: b"xayb".as_slice(), ours: b"xyab".as_slice(), theirs: b"xaby".as_slice() };
        let anchors = [Versions { base: 0, ours: 0, theirs: 0 }, Versions { base: 2, ours: 1, theirs: 3 }];
        let shown = regions_between(&moved, &anchors).into_iter().map(|region| (region.equal, region.places.base));
        assert_eq!(shown.collect::<Vec<_>>(), [(true, 0..1), (false, 1..2), (true, 2..3), (false, 3..4)]);
        assert_eq!(bases(single(&ones, &[])), [0..1, 1..2, 2..2, 2..3, 3..4]);
    }
}
