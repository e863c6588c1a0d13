//! Finds the parts of two versions that have the same text, or the same key. What occurs more than once is the same at the same place
//! among its neighbours, or else in the same section.

use std::collections::VecDeque;
use std::hash::Hash;

use foldhash::{HashMap, HashSet};

use super::parts::{Part, PartKind};
use super::regions::places_in;
use super::section::sections;

/// With so many entries, at most, is an entry compared.
const NEAR: usize = 16;

/// How parts are compared.
#[derive(Clone, Copy, Debug)]
pub struct Rule<F> {
    /// Whether two parts with the same key are the same.
    pub is_same: F,
    /// Whether an item may be in another section.
    pub items_move: bool,
}

/// For each part of `side`, the place in `base` of the part with its text, or else with its key.
pub fn pairs<F: Fn(&Part<'_>, &Part<'_>) -> bool>(
    base: &[Part<'_>],
    side: &[Part<'_>],
    rule: Rule<F>,
) -> Vec<Option<usize>> {
    let mut lists = Lists {
        base,
        side,
        of_base: sections(base),
        of_side: sections(side),
        items_move: rule.items_move,
        found: vec![None; side.len()],
    };
    lists.by_text();
    lists.by_key(rule.is_same);
    if rule.items_move {
        lists.by_first_line();
    }
    lists.found
}

struct Lists<'l, 'a> {
    base: &'l [Part<'a>],
    side: &'l [Part<'a>],
    /// The section of each part.
    of_base: Vec<&'a str>,
    of_side: Vec<&'a str>,
    items_move: bool,
    found: Vec<Option<usize>>,
}

/// The places of what may be the same, in both versions.
#[derive(Default)]
struct Places {
    base: Vec<usize>,
    side: Vec<usize>,
}

impl<'a> Lists<'_, 'a> {
    fn by_text(&mut self) {
        let groups = self.groups(|part| (part.kind, part.body), |_| true);
        let (once, often): (Vec<Places>, Vec<Places>) =
            groups.into_iter().partition(|group| group.base.len() == 1 && group.side.len() == 1);
        for group in once {
            self.pair_rest(&group);
        }
        if often.is_empty() {
            return;
        }
        let in_line = self.in_line();
        for mut group in often {
            let mut taken = HashSet::default();
            for place in &group.base {
                if let Some(at) = in_line.get(*place).copied().flatten().filter(|at| self.may_be(*place, *at)) {
                    self.set(at, *place);
                    taken.insert(*place);
                }
            }
            group.base.retain(|place| !taken.contains(place));
            group.side.retain(|at| self.found.get(*at).is_some_and(Option::is_none));
            let left = self.pair_in_sections(group, |_, _| true);
            self.pair_rest(&left);
        }
    }

    fn by_key(&mut self, is_same: impl Fn(&Part<'_>, &Part<'_>) -> bool) {
        let taken = self.taken();
        for group in self.groups(Part::key, |place| !taken.contains(&place)) {
            let (base, side) = (self.base, self.side);
            let same =
                |place: usize, at: usize| base.get(place).zip(side.get(at)).is_some_and(|(old, new)| is_same(new, old));
            let mut left = self.pair_in_sections(group, same);
            let is_item =
                left.side.first().and_then(|at| side.get(*at)).is_some_and(|part| part.kind == PartKind::Item);
            if is_item {
                self.pair_rest(&left);
                continue;
            }
            let mut rest: VecDeque<usize> = left.base.drain(..).collect();
            for at in left.side {
                let near = rest.iter().take(NEAR).position(|place| same(*place, at));
                if let Some(place) = near.and_then(|near| rest.remove(near)) {
                    self.set(at, place);
                }
            }
        }
    }

    /// Pairs the items that have one first line, and more or less below it, if there is one in a section of both versions.
    fn by_first_line(&mut self) {
        let taken = self.taken();
        let line = |part: &Part<'a>| part.body.lines().next().filter(|_| part.kind == PartKind::Item);
        for group in self.groups(line, |place| !taken.contains(&place)) {
            if group.side.first().and_then(|at| self.side.get(*at)).and_then(line).is_none() {
                continue;
            }
            let mut sections: HashMap<&str, Places> = HashMap::default();
            for place in group.base {
                sections.entry(self.of_base.get(place).copied().unwrap_or_default()).or_default().base.push(place);
            }
            for at in group.side {
                sections.entry(self.of_side.get(at).copied().unwrap_or_default()).or_default().side.push(at);
            }
            for group in sections.values() {
                self.pair_rest(group);
            }
        }
    }

    /// The places of the base that are found.
    fn taken(&self) -> HashSet<usize> {
        self.found.iter().flatten().copied().collect()
    }

    /// The entries of both versions without a place that are equal by `key`, where both have some. `is_open` says it of the base.
    fn groups<K: Eq + Hash>(&self, key: impl Fn(&Part<'a>) -> K, is_open: impl Fn(usize) -> bool) -> Vec<Places> {
        let mut groups: HashMap<K, Places> = HashMap::default();
        let base = self.base.iter().enumerate();
        for (place, part) in base.filter(|(place, part)| part.is_entry() && is_open(*place)) {
            groups.entry(key(part)).or_default().base.push(place);
        }
        let side = self.side.iter().zip(&self.found).enumerate();
        for (at, (part, _)) in side.filter(|(_, (part, found))| part.is_entry() && found.is_none()) {
            if let Some(group) = groups.get_mut(&key(part)) {
                group.side.push(at);
            }
        }
        groups.into_values().filter(|group| !group.side.is_empty()).collect()
    }

    /// For each part of the base, its place in the side in the longest common part of both.
    fn in_line(&self) -> Vec<Option<usize>> {
        let mut numbers: HashMap<(PartKind, &str), usize> = HashMap::default();
        let mut number = |part: &Part<'a>| {
            let next = numbers.len();
            *numbers.entry((part.kind, part.body)).or_insert(next)
        };
        let base: Vec<usize> = self.base.iter().map(&mut number).collect();
        let side: Vec<usize> = self.side.iter().map(&mut number).collect();
        places_in(&base, &side)
    }

    /// Pairs what is the same in the same section, in order. Returns what is left.
    fn pair_in_sections(&mut self, group: Places, is_same: impl Fn(usize, usize) -> bool) -> Places {
        let mut sections: HashMap<&str, VecDeque<usize>> = HashMap::default();
        for place in &group.base {
            sections.entry(self.of_base.get(*place).copied().unwrap_or_default()).or_default().push_back(*place);
        }
        let mut left = Places::default();
        for at in group.side {
            let section = self.of_side.get(at).copied().unwrap_or_default();
            let places = sections.get_mut(section);
            let found = places.and_then(|places| {
                let near = places.iter().take(NEAR).position(|place| is_same(*place, at))?;
                places.remove(near)
            });
            match found {
                Some(place) => self.set(at, place),
                None => left.side.push(at),
            }
        }
        left.base = sections.into_values().flatten().collect();
        left.base.sort_unstable();
        left
    }

    /// Pairs what is left once in both versions: it moved to another section.
    fn pair_rest(&mut self, group: &Places) {
        if let ([place], [at]) = (group.base.as_slice(), group.side.as_slice())
            && self.may_be(*place, *at)
        {
            self.set(*at, *place);
        }
    }

    /// Whether two equal parts may be the same, whatever their sections are.
    fn may_be(&self, place: usize, at: usize) -> bool {
        let is_item = self.side.get(at).is_some_and(|part| part.kind == PartKind::Item);
        self.items_move || !is_item || self.of_base.get(place) == self.of_side.get(at)
    }

    fn set(&mut self, at: usize, place: usize) {
        if let Some(found) = self.found.get_mut(at) {
            *found = Some(place);
        }
    }
}
