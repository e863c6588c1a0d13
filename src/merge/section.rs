//! The sections that parts are in: equal items of two sections are two items.

use foldhash::HashMap;

use super::identity::Id;
use super::parts::Part;
use super::versions::Versions;
use crate::formats::legacy::rejected::is_rejected;

/// The headings above a place, each of a lower level than the next, and whether it or one above it says that entries do not apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Above<'a>(Vec<(u8, &'a str, bool)>);

impl<'a> Above<'a> {
    /// Goes below a heading of this level.
    pub fn enter(&mut self, level: u8, heading: &'a str) {
        self.leave(level);
        let is_rejected = self.is_rejected() || is_rejected(heading.trim_matches(['#', ' ']));
        self.0.push((level, heading, is_rejected));
    }

    fn leave(&mut self, level: u8) {
        self.0.retain(|(other, ..)| *other < level);
    }

    /// The nearest heading; empty before the first one.
    pub fn nearest(&self) -> &'a str {
        self.0.last().map_or("", |(_, heading, _)| *heading)
    }

    /// Whether a heading says that the entries below it do not apply.
    pub fn is_rejected(&self) -> bool {
        self.0.last().is_some_and(|(.., is_rejected)| *is_rejected)
    }
}

/// For each part, the heading of the section that it is in, which for a heading is that above it; empty before the first one.
pub fn sections<'a>(parts: &[Part<'a>]) -> Vec<&'a str> {
    let mut above = Above::default();
    let section = |part: &Part<'a>| {
        let Some(level) = part.level else { return above.nearest() };
        above.leave(level);
        let section = above.nearest();
        above.enter(level, part.body.trim_end());
        section
    };
    parts.iter().map(section).collect()
}

/// For each part, whether a section begins with it: it is a heading, and neither the title of the file nor a part of an entry.
pub fn begins(parts: &[Part<'_>]) -> Vec<bool> {
    let mut is_top = true;
    let begins = |part: &Part<'_>| {
        let begins = part.is_section() && part.level.is_some_and(|level| level > 1 || !is_top);
        is_top &= !begins && !part.is_entry();
        begins
    };
    parts.iter().map(begins).collect()
}

/// The titles of sections that all versions have once, and in one order, by their places: an entry that moves from section to section moves
/// across them, and they do not move across entries. None if they are in another order in a version.
pub fn anchors(parts: &Versions<Vec<Part<'_>>>, ids: &Versions<Vec<Id>>) -> Vec<Versions<usize>> {
    let (base, ours, theirs) =
        (titles(&parts.base, &ids.base), titles(&parts.ours, &ids.ours), titles(&parts.theirs, &ids.theirs));
    let of_all =
        |(id, base): (&Id, &usize)| Some(Versions { base: *base, ours: *ours.get(id)?, theirs: *theirs.get(id)? });
    let mut found: Vec<Versions<usize>> = base.iter().filter_map(of_all).collect();
    found.sort_unstable_by_key(|places| places.base);
    let is_one_order = found.is_sorted_by_key(|places| places.ours) && found.is_sorted_by_key(|places| places.theirs);
    if is_one_order { found } else { Vec::new() }
}

/// The titles of sections that a version has once, each with its place.
fn titles(parts: &[Part<'_>], ids: &[Id]) -> HashMap<Id, usize> {
    let begins = begins(parts);
    let mut found: HashMap<Id, usize> = HashMap::default();
    for (at, (id, begins)) in ids.iter().zip(&begins).enumerate() {
        if *begins {
            found.insert(*id, at);
        }
    }
    let mut counts: HashMap<Id, usize> = HashMap::default();
    ids.iter().filter(|id| found.contains_key(id)).for_each(|id| *counts.entry(*id).or_default() += 1);
    found.retain(|id, _| counts.get(id) == Some(&1));
    found
}

/// Puts the sections of all versions in the order that one side gave them: then the sides are compared section by section. Only the highest
/// sections count, whose titles all versions have once; others follow those before them. If both sides gave them another order, each
/// version keeps its own.
pub fn arrange(parts: &mut Versions<Vec<Part<'_>>>, ids: &mut Versions<Vec<Id>>) {
    let level = |parts: &[Part<'_>]| {
        let tops = parts.iter().zip(begins(parts)).filter(|(_, begins)| *begins);
        tops.filter_map(|(part, _)| part.level).min()
    };
    let Some(level) = parts.iter().filter_map(|parts| level(parts)).min() else { return };
    let tops = |parts: &[Part<'_>], ids: &[Id]| {
        let mut titles = titles(parts, ids);
        titles.retain(|_, at| parts.get(*at).is_some_and(|part| part.level == Some(level) && !part.is_read_on));
        titles
    };
    let all = Versions {
        base: tops(&parts.base, &ids.base),
        ours: tops(&parts.ours, &ids.ours),
        theirs: tops(&parts.theirs, &ids.theirs),
    };
    let order = |own: &HashMap<Id, usize>| {
        let in_all = |id: &Id| all.iter().all(|titles| titles.contains_key(id));
        let mut order: Vec<(usize, Id)> = own.iter().filter(|(id, _)| in_all(id)).map(|(id, at)| (*at, *id)).collect();
        order.sort_unstable();
        order
    };
    let orders = all.map(order);
    let of = |order: &[(usize, Id)]| order.iter().map(|(_, id)| *id).collect::<Vec<Id>>();
    let wanted = Versions { base: of(&orders.base), ours: of(&orders.ours), theirs: of(&orders.theirs) };
    let Some(order) = Versions { base: &wanted.base, ours: &wanted.ours, theirs: &wanted.theirs }.trivial() else {
        return;
    };
    let lists = [
        (&mut parts.base, &mut ids.base, &orders.base),
        (&mut parts.ours, &mut ids.ours, &orders.ours),
        (&mut parts.theirs, &mut ids.theirs, &orders.theirs),
    ];
    for (parts, ids, own) in lists {
        if of(own) != *order {
            reorder(parts, ids, own, order);
        }
    }
}

/// Puts the sections that begin at the places of `own` in this order, with what follows each of them.
fn reorder(parts: &mut Vec<Part<'_>>, ids: &mut Vec<Id>, own: &[(usize, Id)], order: &[Id]) {
    let ends = own.iter().skip(1).map(|(at, _)| *at).chain([parts.len()]);
    let ranges: HashMap<Id, std::ops::Range<usize>> =
        own.iter().zip(ends).map(|((at, id), end)| (*id, *at..end)).collect();
    let first = own.first().map_or(parts.len(), |(at, _)| *at);
    let of = order.iter().filter_map(|id| ranges.get(id).cloned());
    let places: Vec<usize> = (0..first).chain(of.flatten()).collect();
    // The last part of the file has its end.
    let (old_end, new_end) = (parts.len().checked_sub(1), places.last().copied());
    let tail = |at: Option<usize>| at.and_then(|at| parts.get(at)).map_or("", |part| part.tail);
    let tails = (tail(old_end), tail(new_end));
    let is_swapped = tails.0.trim_end() == tails.1.trim_end();
    let mut swap = |at: Option<usize>, tail| {
        if let Some(part) = at.and_then(|at| parts.get_mut(at)).filter(|_| is_swapped) {
            part.tail = tail;
        }
    };
    swap(old_end, tails.1);
    swap(new_end, tails.0);
    let (old_parts, old_ids) = (std::mem::take(parts), std::mem::take(ids));
    parts.extend(places.iter().filter_map(|at| old_parts.get(*at)));
    ids.extend(places.iter().filter_map(|at| old_ids.get(*at)));
}
