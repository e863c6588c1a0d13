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

/// Whether one of eight bytes ends a run.
fn has_end(window: [u8; WINDOW]) -> bool {
    const EACH: u64 = u64::MAX / 255;
    let bytes = u64::from_le_bytes(window);
    bytes.wrapping_sub(EACH * b'%' as u64) & !bytes & (EACH << 7) != 0
}

/// The runs of `bytes` with [`SHORTEST`] bytes or more, in order.
pub fn long_runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at = next_window(bytes, at)?;
            let (before, after) = bytes.split_at_checked(at)?;
            let start = at - before.iter().rev().take_while(|byte| !ends(**byte)).count();
            let end = at + after.iter().take_while(|byte| !ends(**byte)).count();
            // The next run begins behind the byte that ends this one.
            at = end + STRIDE;
            if end - start >= SHORTEST {
                return Some(start..end);
            }
        }
    })
}

/// The first window, from `at` on and one stride apart, in which no run ends.
fn next_window(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        let window = |number: usize| {
            let window = block.get(number * STRIDE..).and_then(<[u8]>::first_chunk::<WINDOW>);
            window.is_none_or(|window| has_end(*window))
        };
        if window(0) && window(1) && window(2) && window(3) {
            at += WINDOWS * STRIDE;
            continue;
        }
        return (0..WINDOWS).find(|number| !window(*number)).map(|number| at + number * STRIDE);
    }
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        if !has_end(*window) {
            return Some(at);
        }
        at += STRIDE;
    }
    // A run at the end of the text can be behind the last window.
    let last = bytes.len().checked_sub(WINDOW).filter(|last| *last + STRIDE > at && *last < at)?;
    let window = bytes.get(last..)?.first_chunk::<WINDOW>()?;
    (!has_end(*window)).then_some(last)
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
            prop_assert_eq!(long_runs(text.as_bytes()).collect::<Vec<_>>(), one_by_one(text.as_bytes()));
        }
    }
}
