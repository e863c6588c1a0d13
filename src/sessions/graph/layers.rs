//! Which tasks are beside each other: a task is one layer after the last of those that it waits for.

use std::collections::HashSet;

/// The edges that close a circle, found from the first node on: without them there is none.
pub(super) fn closing(after: &[Vec<usize>]) -> HashSet<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Seen {
        No,
        /// On the way that led here.
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; after.len()];
    let mut closing = HashSet::new();
    for start in 0..after.len() {
        if seen.get(start) != Some(&Seen::No) {
            continue;
        }
        // No recursion: a chain can be as long as it likes.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        set(&mut seen, start, Seen::Open);
        while let Some((node, next)) = way.last_mut() {
            let Some(other) = after.get(*node).and_then(|after| after.get(*next)).copied() else {
                set(&mut seen, *node, Seen::Done);
                way.pop();
                continue;
            };
            *next += 1;
            match seen.get(other) {
                Some(Seen::No) => {
                    set(&mut seen, other, Seen::Open);
                    way.push((other, 0));
                }
                Some(Seen::Open) => drop(closing.insert((*node, other))),
                Some(Seen::Done) | None => {}
            }
        }
    }
    closing
}

/// The layer of each node, from 0; edges that close a circle do not count.
pub(super) fn layers(after: &[Vec<usize>], closing: &HashSet<(usize, usize)>) -> Vec<usize> {
    let open = |from: usize| {
        let all = after.get(from).into_iter().flatten().copied();
        all.filter(|to| !closing.contains(&(from, *to))).collect::<Vec<_>>()
    };
    let mut left = vec![0_usize; after.len()];
    for to in (0..after.len()).flat_map(open) {
        if let Some(left) = left.get_mut(to) {
            *left += 1;
        }
    }
    let mut layers = vec![0; after.len()];
    let mut free: Vec<usize> = (0..after.len()).filter(|node| left.get(*node) == Some(&0)).collect();
    while let Some(node) = free.pop() {
        let layer = layers.get(node).copied().unwrap_or(0) + 1;
        for to in open(node) {
            if let Some(of) = layers.get_mut(to) {
                *of = layer.max(*of);
            }
            if let Some(left) = left.get_mut(to) {
                *left -= 1;
                if *left == 0 {
                    free.push(to);
                }
            }
        }
    }
    layers
}

fn set<T>(all: &mut [T], at: usize, value: T) {
    if let Some(place) = all.get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_behind_all_that_it_waits_for() {
        // 0 → 1 → 3, 0 → 2 → 1, 4 alone.
        let after = [vec![1, 2], vec![3], vec![1], vec![], vec![]];
        assert_eq!(closing(&after), [].into());
        assert_eq!(layers(&after, &[].into()), [0, 2, 1, 3, 0]);
    }

    #[test]
    fn circles_are_opened() {
        let after = [vec![1], vec![2], vec![0, 2]];
        let closing = closing(&after);
        assert_eq!(closing, [(2, 0), (2, 2)].into());
        assert_eq!(layers(&after, &closing), [0, 1, 2]);
    }

    #[test]
    fn a_long_chain_is_no_recursion() {
        let count = 200_000;
        let after: Vec<Vec<usize>> =
            (0..count).map(|node| if node + 1 < count { vec![node + 1] } else { vec![0] }).collect();
        let closing = closing(&after);
        assert_eq!(closing, [(count - 1, 0)].into());
        assert_eq!(layers(&after, &closing).last(), Some(&(count - 1)));
    }
}
