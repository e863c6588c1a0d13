//! The lines in which two versions of a file differ, as `git diff --histogram` sees them.

use std::ops::Range;

use gix::diff::blob::{Algorithm, InternedInput, diff_with_slider_heuristics};

/// Lines of the one version, and those of the other that replace them; both counted from 1, one of them perhaps none.
pub type Hunk = (Range<u32>, Range<u32>);

/// Where the two differ, in order.
pub fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let input = InternedInput::new(before, after);
    let diff = diff_with_slider_heuristics(Algorithm::Histogram, &input);
    let from_one = |lines: Range<u32>| lines.start + 1..lines.end + 1;
    diff.hunks().map(|hunk| (from_one(hunk.before), from_one(hunk.after))).collect()
}

/// The lines of `after` that are not in `before`, counted from 1, in order. Where lines are gone and none came, an empty
/// range at the line that is now there (one past the last line at the end of the file).
pub fn changed(before: &[u8], after: &[u8]) -> Vec<Range<u32>> {
    hunks(before, after).into_iter().map(|(_, after)| after).collect()
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "a list of ranges is what is meant")]
    fn additions_changes_and_deletions() {
        let lines = |before: &str, after: &str| changed(before.as_bytes(), after.as_bytes());
        assert_eq!(lines("a\nb\n", "a\nb\n"), []);
        assert_eq!(lines("a\nb\n", "a\nx\nb\n"), vec![2..3]);
        assert_eq!(lines("a\nb\nc\n", "a\nB\nc\nd\n"), [2..3, 4..5]);
        assert_eq!(lines("a\nb\nc\n", "a\nc\n"), vec![2..2]);
        assert_eq!(lines("a\nb\n", "a\n"), vec![2..2]);
        assert_eq!(lines("a\n", "a"), vec![1..2]);
        assert_eq!(lines("", "a\r\nb\r\n"), vec![1..3]);
        assert_eq!(lines("a\r\nb\r\n", "a\nb\n"), vec![1..3]);
    }
}
