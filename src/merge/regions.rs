//! The regions in which three lists are equal, or differ: the frame of every three-way merge.

use foldhash::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::as_git;
use super::rising::rising;
use super::versions::Versions;

/// Two lists with more elements are first cut at those that both have once. The histogram cuts a list at one element after the
/// other: where each cut leaves nearly all of the list on one side, its cost grows with the square.
const LONG: usize = 4000;

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
    for (from, to) in equal_places(algorithm, &old_values, &new_values) {
        if let (Some((from, _)), Some((to, _))) = (old.get(from), new.get(to))
            && let Some(place) = places.get_mut(*from)
        {
            *place = Some(*to);
        }
    }
    places
}

/// The places of the equal elements of two lists.
fn equal_places<T: Ord + Hash>(algorithm: Algorithm, old: &[&T], new: &[&T]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut todo = vec![(0..old.len(), 0..new.len())];
    while let Some((in_old, in_new)) = todo.pop() {
        let (from, to) = (in_old.start, in_new.start);
        let (old, new) = (old.get(in_old).unwrap_or_default(), new.get(in_new).unwrap_or_default());
        let is_long = algorithm == Algorithm::Histogram && old.len() + new.len() > LONG;
        let fixed = if is_long { once_in_both(old, new) } else { Vec::new() };
        if fixed.is_empty() {
            for op in capture_diff_slices(algorithm, old, new) {
                if let DiffOp::Equal { old_index, new_index, len } = op {
                    out.extend((0..len).map(|step| (from + old_index + step, to + new_index + step)));
                }
            }
            continue;
        }
        let (mut old_start, mut new_start) = (0, 0);
        for (at, place) in fixed.into_iter().chain([(old.len(), new.len())]) {
            if old_start < at && new_start < place {
                todo.push((from + old_start..from + at, to + new_start..to + place));
            }
            if at < old.len() {
                out.push((from + at, to + place));
            }
            (old_start, new_start) = (at + 1, place + 1);
        }
    }
    out
}

/// The places of the elements that both lists have once: as many as are in one order.
fn once_in_both<T: Eq + Hash>(old: &[&T], new: &[&T]) -> Vec<(usize, usize)> {
    let places = places_of_once(new);
    let of_old = places_of_once(old);
    let mut pairs: Vec<(usize, usize)> =
        of_old.iter().filter_map(|(value, at)| Some(((*at)?, places.get(value).copied().flatten()?))).collect();
    pairs.sort_unstable();
    let rising = rising(&pairs.iter().map(|(_, place)| *place).collect::<Vec<usize>>());
    rising.into_iter().filter_map(|at| pairs.get(at).copied()).collect()
}

/// The place of each element that a list has once, `None` for others.
fn places_of_once<'a, T: Eq + Hash>(list: &[&'a T]) -> HashMap<&'a T, Option<usize>> {
    let mut places: HashMap<&T, Option<usize>> = HashMap::default();
    for (at, value) in list.iter().enumerate() {
        places.entry(value).and_modify(|place| *place = None).or_insert(Some(at));
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
    fn long_lists_are_compared_as_short_ones_are() {
        // Each second element moves to the end, and all that stay have an equal element between them.
        let list = |len: usize| -> (Vec<usize>, Vec<usize>) {
            let base: Vec<usize> = (1..=len).flat_map(|value| [value, 0]).collect();
            let (odd, even): (Vec<usize>, Vec<usize>) = (1..=len).partition(|value| value % 2 == 1);
            (base, odd.into_iter().flat_map(|value| [value, 0]).chain(even.into_iter().rev()).collect())
        };
        for len in [40, LONG] {
            let (base, side) = list(len);
            let places = places_in(&base, &side);
            assert!((0..len).step_by(2).all(|value| places.get(2 * value) == Some(&Some(value))), "{len}");
            let found: Vec<usize> = places.iter().flatten().copied().collect();
            assert!(found.is_sorted_by(|one, other| one < other));
            assert!(places.iter().zip(&base).all(|(place, value)| place.is_none_or(|at| side.get(at) == Some(value))));
        }
        assert_eq!(once_in_both(&[&1, &2, &3, &3, &4], &[&4, &1, &3, &2, &5]), [(0, 1), (1, 3)]);
    }

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
