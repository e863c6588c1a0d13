//! The order of entries in every answer.

use std::cmp::Reverse;

use bstr::BStr;

use super::record::Record;

/// The newest first; of one moment, by file and place. Entries without a date come last.
pub fn newest_first<'d>(record: &Record<'d>) -> (Reverse<Option<i64>>, &'d BStr, usize) {
    (Reverse(record.when.unix()), record.document.path(), record.span.start())
}
