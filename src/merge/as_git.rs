//! Where git shows what was added or removed, if it can be at several places: in `a-x-b` for `a-b`, both `-x` and `x-` can be new. git
//! moves it up, so that it joins what was changed before it, then as far down as it can be, and back to what the other list changed.

/// The places of the elements of `base` in `side`, where git has them.
pub fn slide<T: Eq>(places: &mut [Option<usize>], base: &[T], side: &[T]) {
    let mut old = List { items: base, is_changed: places.iter().map(Option::is_none).collect() };
    let mut new = List { items: side, is_changed: vec![true; side.len()] };
    for place in places.iter().flatten() {
        new.set(*place, false);
    }
    old.compact(&new);
    new.compact(&old);
    let mut common = new.is_changed.iter().enumerate().filter(|(_, is_changed)| !**is_changed).map(|(at, _)| at);
    for (place, is_changed) in places.iter_mut().zip(&old.is_changed) {
        *place = if *is_changed { None } else { common.next() };
    }
}

/// One of two lists, and which of its elements the other one lacks.
struct List<'a, T> {
    items: &'a [T],
    is_changed: Vec<bool>,
}

/// Elements that the other list lacks, all of them between two others. There may be none.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
}

impl Group {
    fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl<T: Eq> List<'_, T> {
    fn set(&mut self, at: usize, is_changed: bool) {
        if let Some(found) = self.is_changed.get_mut(at) {
            *found = is_changed;
        }
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        self.items.get(one).is_some_and(|item| self.items.get(other) == Some(item))
    }

    /// The group that starts there.
    fn group(&self, start: usize) -> Group {
        let len = self.is_changed.iter().skip(start).take_while(|is_changed| **is_changed).count();
        Group { start, end: start + len }
    }

    fn next(&self, group: Group) -> Option<Group> {
        (group.end < self.items.len()).then(|| self.group(group.end + 1))
    }

    fn previous(&self, group: Group) -> Option<Group> {
        let end = group.start.checked_sub(1)?;
        Some(Group { start: self.start(end), end })
    }

    /// The start of the group that ends there.
    fn start(&self, end: usize) -> usize {
        let before = self.is_changed.get(..end).unwrap_or_default();
        end - before.iter().rev().take_while(|is_changed| **is_changed).count()
    }

    fn slide_up(&mut self, group: Group) -> Option<Group> {
        let (start, end) = (group.start.checked_sub(1)?, group.end.checked_sub(1)?);
        if !self.is_same(start, end) {
            return None;
        }
        self.set(start, true);
        self.set(end, false);
        Some(Group { start: self.start(start), end })
    }

    fn slide_down(&mut self, group: Group) -> Option<Group> {
        if !self.is_same(group.start, group.end) {
            return None;
        }
        self.set(group.start, false);
        self.set(group.end, true);
        Some(Group { start: group.start + 1, end: self.group(group.end).end })
    }

    /// Moves each group to its place. Between two groups of this list is one element of the other one.
    fn compact(&mut self, other: &Self) {
        let (mut group, mut beside) = (self.group(0), other.group(0));
        loop {
            if !group.is_empty() {
                (group, beside) = self.place(group, beside, other);
            }
            let (Some(next), Some(next_beside)) = (self.next(group), other.next(beside)) else { return };
            (group, beside) = (next, next_beside);
        }
    }

    /// Moves a group to its place; `beside` is what the other list has there.
    fn place(&mut self, mut group: Group, mut beside: Group, other: &Self) -> (Group, Group) {
        let (mut highest, mut is_matched);
        loop {
            let len = group.end - group.start;
            while let Some(above) = other.previous(beside) {
                let Some(slid) = self.slide_up(group) else { break };
                (group, beside) = (slid, above);
            }
            (highest, is_matched) = (group.end, !beside.is_empty());
            while let Some(below) = other.next(beside) {
                let Some(slid) = self.slide_down(group) else { break };
                (group, beside) = (slid, below);
                is_matched |= !beside.is_empty();
            }
            // It may have joined another one.
            if group.end - group.start == len {
                break;
            }
        }
        while is_matched && group.end > highest && beside.is_empty() {
            let Some((slid, above)) = other.previous(beside).and_then(|above| Some((self.slide_up(group)?, above)))
            else {
                break;
            };
            (group, beside) = (slid, above);
        }
        (group, beside)
    }
}

#[cfg(test)]
mod tests {
    use super::slide;

    #[test]
    fn what_is_added_or_removed_is_where_git_shows_it() {
        let slid = |base: &[u8], side: &[u8], places: &[Option<usize>]| {
            let mut places = places.to_vec();
            slide(&mut places, base, side);
            places
        };
        assert_eq!(slid(b"a-b", b"a-x-b", &[Some(0), Some(3), Some(4)]), [Some(0), Some(1), Some(4)]);
        assert_eq!(
            slid(b"a-x-b", b"a-b", &[Some(0), None, None, Some(1), Some(2)]),
            [Some(0), Some(1), None, None, Some(2)]
        );
        assert_eq!(slid(b"aa", b"aaaa", &[Some(2), Some(3)]), [Some(0), Some(1)]);
        assert_eq!(slid(b"ab", b"xb", &[None, Some(1)]), [None, Some(1)]);
        // What was removed joins what was changed before it.
        assert_eq!(slid(b"p-h-", b"s-", &[None, Some(1), None, None]), [None, None, None, Some(1)]);
    }
}
