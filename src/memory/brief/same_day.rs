//! Which of two entries of one day is the newer one: most entries from before SEM have no time of day, and a file grows at its end or
//! at its start.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use bstr::BStr;

use crate::memory::record::Record;

/// The files that grow at their start.
#[derive(Debug, Default)]
pub(super) struct Growth<'d> {
    /// Of the pairs of neighbours in a file, how many more have the newer entry first.
    first: BTreeMap<&'d BStr, i64>,
}

impl<'d> Growth<'d> {
    pub(super) fn of(all: &[Record<'d>]) -> Self {
        let mut files: BTreeMap<&BStr, Vec<(usize, i64)>> = BTreeMap::new();
        for record in all {
            if let Some(at) = record.when.unix() {
                files.entry(record.document.path()).or_default().push((record.span.start(), at));
            }
        }
        let turn = |entries: &mut Vec<(usize, i64)>| {
            entries.sort_unstable();
            let pairs = entries.iter().zip(entries.iter().skip(1));
            pairs.map(|((_, one), (_, next))| (one - next).signum()).sum()
        };
        Self { first: files.iter_mut().map(|(path, entries)| (*path, turn(entries))).collect() }
    }

    /// The order of two entries of one day: by their files, and then the newer one first. Where nothing tells, a file grows at its
    /// end, as agents write.
    pub(super) fn order(&self, one: &Record<'d>, other: &Record<'d>) -> Ordering {
        let path = one.document.path();
        let in_file = one.span.start().cmp(&other.span.start());
        let grows_at_start = self.first.get(path).is_some_and(|more| *more > 0);
        path.cmp(other.document.path()).then(if grows_at_start { in_file } else { in_file.reverse() })
    }
}
