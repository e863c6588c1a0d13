//! Long runs of bytes without a blank or a quotation mark. Each secret is in one, and most texts have few of them.

use std::ops::Range;

/// No secret is shorter, in bytes.
pub const SHORTEST: usize = 20;

/// The bytes that are looked at together.
const WINDOW: usize = 8;

/// Of each run that is long enough, a window this many bytes behind another one lies in it as a whole, wherever the first one is.
const STRIDE: usize = SHORTEST - WINDOW + 1;

/// So many windows are looked at in one step.
const WINDOWS: usize = 4;

/// The bytes of one step.
const BLOCK: usize = (WINDOWS - 1) * STRIDE + WINDOW;

/// Whether `byte` ends a run: a control character, a blank, or one of `!"#$`.
fn ends(byte: u8) -> bool {
    byte < b'%'
}

/// Which of eight bytes end a run: the highest bit of each.
fn ends_in(window: [u8; WINDOW]) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    const HIGHEST: u64 = EACH << 7;
    let bytes = u64::from_le_bytes(window);
    !(((bytes & !HIGHEST) + EACH * (0x80 - b'%' as u64)) | bytes) & HIGHEST
}

/// Where the run ends in which `at` is.
pub fn end_of(bytes: &[u8], mut at: usize) -> usize {
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        let found = ends_in(*window);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += WINDOW;
    }
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| !ends(**byte)).count()
}

/// Where the run begins in which `at` is.
pub fn start_of(bytes: &[u8], mut at: usize) -> usize {
    while let Some(window) = bytes.get(..at).and_then(<[u8]>::last_chunk::<WINDOW>) {
        let found = ends_in(*window);
        if found != 0 {
            return at - found.leading_zeros() as usize / 8;
        }
        at -= WINDOW;
    }
    at - bytes.get(..at).unwrap_or_default().iter().rev().take_while(|byte| !ends(**byte)).count()
}

/// The runs of `bytes` with [`SHORTEST`] bytes or more, in order.
pub fn long_runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at = next_window(bytes, at)?;
            let (start, end) = (start_of(bytes, at), end_of(bytes, at));
            // The next run begins behind the byte that ends this one.
            at = end + STRIDE;
            if end - start >= SHORTEST {
                return Some(start..end);
            }
        }
    })
}

/// Whether `run` has a word as long as those of secrets are: most long runs are paths, links and lines of tables.
pub fn has_long_word(run: &[u8]) -> bool {
    has_word(run, SHORTEST, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        || has_word(run, LONG, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'%'))
}

/// A word of base64 in a secret is so long at least.
const LONG: usize = 40;

/// Whether `run` has `len` bytes that `is` is true for, one behind the other. Of other bytes most are not looked at.
fn has_word(run: &[u8], len: usize, is: impl Fn(u8) -> bool) -> bool {
    let mut end = len;
    while let Some(before) = run.get(..end) {
        let found = before.iter().rev().take(len).take_while(|byte| is(**byte)).count();
        if found == len {
            return true;
        }
        end += len - found;
    }
    false
}

/// The first window, from `at` on and one stride apart, in which no run ends.
fn next_window(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        let window = |number: usize| {
            let window = block.get(number * STRIDE..).and_then(<[u8]>::first_chunk::<WINDOW>);
            window.is_none_or(|window| ends_in(*window) != 0)
        };
        if window(0) && window(1) && window(2) && window(3) {
            at += WINDOWS * STRIDE;
            continue;
        }
        return (0..WINDOWS).find(|number| !window(*number)).map(|number| at + number * STRIDE);
    }
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        if ends_in(*window) == 0 {
            return Some(at);
        }
        at += STRIDE;
    }
    // A run at the end of the text can be behind the last window.
    let last = bytes.len().checked_sub(WINDOW).filter(|last| *last + STRIDE > at && *last < at)?;
    let window = bytes.get(last..)?.first_chunk::<WINDOW>()?;
    (ends_in(*window) == 0).then_some(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        for at in 0..=bytes.len() {
            if bytes.get(at).is_none_or(|byte| ends(*byte)) {
                if at - start >= SHORTEST {
                    found.push(start..at);
                }
                start = at + 1;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_same_runs_as_one_by_one(text in "([a ]{0,5}|[a\u{e9}]{10,30}|[-a% ]{0,40}|\n){0,12}") {
            let longest = |len: usize, is: &dyn Fn(u8) -> bool| {
                text.as_bytes().split(|byte| !is(*byte)).any(|word| word.len() >= len)
            };
            let is_letter = |byte: u8| byte == b'a';
            prop_assert_eq!(has_word(text.as_bytes(), 9, is_letter), longest(9, &is_letter));
            prop_assert_eq!(long_runs(text.as_bytes()).collect::<Vec<_>>(), one_by_one(text.as_bytes()));
        }
    }
}
