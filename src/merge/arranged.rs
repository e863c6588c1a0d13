//! The sections of three versions beside each other: in one order, and compared one by one.

use foldhash::HashMap;

use super::identity::Id;
use super::parts::Part;
use super::section::begins;
use super::versions::Versions;

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
