//! The order of entries in every answer.

use std::cmp::{Ordering, Reverse};

use super::record::Record;

/// The newest first; of one moment, by file and place. Entries without a date come last.
pub fn newest_first(one: &Record<'_>, other: &Record<'_>) -> Ordering {
    let when = |record: &Record<'_>| Reverse(record.when.unix());
    let place = |record: &Record<'_>| record.span.start();
    when(one)
        .cmp(&when(other))
        .then_with(|| one.document.path().cmp(other.document.path()))
        .then_with(|| place(one).cmp(&place(other)))
}
