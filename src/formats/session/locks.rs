//! Who holds which file, and who held one that another agent held as well.

use std::collections::BTreeMap;

use super::field::Agent;
use super::model::Lock;
use crate::formats::timestamp::Timestamp;

/// How far the clocks of agents may differ, in seconds: nothing is overdue before that.
pub const CLOCK_SKEW_SECONDS: i64 = 300;

/// Two locks of one file, of two agents, for the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockConflict {
    /// The place of the lock that was taken while the other one was held.
    pub later: usize,
    /// The place of the lock that was held.
    pub earlier: usize,
}

impl Lock {
    /// The path of the locked file as others may write it, too: `./src\a.rs` is `src/a.rs`.
    pub fn path(&self) -> Option<String> {
        let path = self.file.as_ref()?.value.replace('\\', "/");
        let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        (!names.is_empty()).then(|| names.join("/"))
    }

    /// From when until when it is held, in seconds since 1970; `None` if one of both is missing, or it ends before it begins.
    fn held(&self) -> Option<(i64, i64)> {
        let (from, to) = (self.locked_at.as_ref()?.value.unix(), self.expires_at.as_ref()?.value.unix());
        (from < to).then_some((from, to))
    }

    /// Whether its time is over at `now`, even where the clock of its holder is `skew` seconds behind.
    pub fn is_expired(&self, now: Timestamp, skew: i64) -> bool {
        self.expires_at.as_ref().is_some_and(|expires| expires.value.unix().saturating_add(skew) < now.unix())
    }
}

/// The places of `locks` by the path of their file; those without a path are left out.
pub fn by_file<'l>(locks: impl IntoIterator<Item = &'l Lock>) -> BTreeMap<String, Vec<usize>> {
    let mut files: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, lock) in locks.into_iter().enumerate() {
        if let Some(path) = lock.path() {
            files.entry(path).or_default().push(at);
        }
    }
    files
}

/// The locks that were taken while another agent held the file: for each the one that was held.
pub fn conflicts(locks: &[&Lock]) -> Vec<LockConflict> {
    let mut conflicts = Vec::new();
    for places in by_file(locks.iter().copied()).into_values().filter(|places| places.len() > 1) {
        let held = |at: usize| {
            let lock = locks.get(at)?;
            let ((from, to), agent) = (lock.held()?, &lock.locked_by.as_ref()?.value);
            Some((from, to, at, agent))
        };
        let mut held: Vec<(i64, i64, usize, &Agent)> = places.into_iter().filter_map(held).collect();
        held.sort_by_key(|(from, to, at, _)| (*from, *to, *at));
        // Those that are held, one an agent.
        let mut open: Vec<(i64, usize, &Agent)> = Vec::new();
        for (from, to, at, agent) in held {
            open.retain(|(end, ..)| *end > from);
            if let Some((_, earlier, _)) = open.iter().find(|(_, _, other)| !agent.may_be(other)) {
                conflicts.push(LockConflict { later: at, earlier: *earlier });
            }
            match open.iter_mut().find(|(_, _, other)| *other == agent) {
                Some((end, place, _)) if *end < to => (*end, *place) = (to, at),
                Some(_) => {}
                None => open.push((to, at, agent)),
            }
        }
    }
    conflicts.sort_unstable();
    conflicts
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;
    use crate::text::Span;

    fn lock(file: &str, agent: &str, from: i64, to: i64) -> Lock {
        let at = |seconds| Some(Field::new(Span::at(0), Timestamp::from_unix(seconds)));
        Lock {
            file: Some(Field::new(Span::at(0), file.to_owned())),
            locked_by: Some(Field::new(Span::at(0), Agent::parse(agent))),
            locked_at: at(from),
            expires_at: at(to),
            ..Lock::default()
        }
    }

    #[test]
    fn a_file_has_one_holder_at_a_time() {
        let found = |locks: &[Lock]| -> Vec<(usize, usize)> {
            let found = conflicts(&locks.iter().collect::<Vec<_>>());
            found.into_iter().map(|conflict| (conflict.later, conflict.earlier)).collect()
        };
        assert_eq!(found(&[lock("a", "x", 0, 10), lock("./a", "y", 5, 15)]), [(1, 0)]);
        assert_eq!(found(&[lock("a", "y", 5, 15), lock("a", "x", 0, 10)]), [(0, 1)]);
        assert_eq!(found(&[lock("a", "x", 0, 10), lock("a", "y", 10, 15)]), []);
        assert_eq!(found(&[lock("a", "x", 0, 10), lock("b", "y", 5, 15)]), []);
        assert_eq!(found(&[lock("a", "x[1]", 0, 10), lock("a", "x[2]", 5, 15)]), [(1, 0)]);
        // It may be the same agent, which has renewed its lock.
        assert_eq!(found(&[lock("a", "x", 0, 10), lock("a", "x[2]", 5, 15), lock("a", "x", 8, 20)]), []);
        assert_eq!(found(&[lock("a", "x", 0, 10), lock("a", "x", 5, 30), lock("a", "y", 20, 25)]), [(2, 1)]);
        // A lock that ends before it begins has no holder.
        assert_eq!(found(&[lock("a", "x", 10, 0), lock("a", "y", 5, 15)]), []);
    }

    #[test]
    fn a_clock_may_be_behind() {
        let lock = lock("a", "x", 0, 100);
        assert!(lock.is_expired(Timestamp::from_unix(161), 60) && !lock.is_expired(Timestamp::from_unix(160), 60));
    }
}
