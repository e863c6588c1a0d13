//! Long words. Each secret has one, and most texts have few of them.

use std::ops::Range;

/// No secret is shorter, in bytes.
pub const SHORTEST: usize = 20;

/// The bytes that are examined together.
const WINDOW: usize = 8;

/// Whether `byte` is between two words wherever it is: a control character, a blank, or one of `!"#$`.
fn ends(byte: u8) -> bool {
    byte < b'%'
}

/// Whether one of these bytes is between words.
fn has_end(window: [u8; WINDOW]) -> bool {
    const EACH: u64 = u64::MAX / 255;
    /// `%`, as in [`ends`].
    const PERCENT: u64 = 0x25;
    // What a subtraction borrows makes more of the bytes after the one that it begins at, no other.
    let bytes = u64::from_le_bytes(window);
    bytes.wrapping_sub(EACH * PERCENT) & !bytes & (EACH << 7) != 0
}

/// Where the bytes without a blank or a quotation mark begin and end that are around `at`.
pub fn around(bytes: &[u8], at: usize) -> Range<usize> {
    let (before, after) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let start = before.iter().rposition(|byte| ends(*byte)).map_or(0, |end| end + 1);
    let end = after.iter().position(|byte| ends(*byte)).map_or(bytes.len(), |end| at + end);
    start..end
}

/// The letters of words: those of all secrets, the backslash that Markdown has before them, and all characters outside of ASCII, some
/// of which take no room. A dot or a colon ends a word, so that few names of files are long.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
static IN_WORDS: [bool; 256] = {
    let mut letters = [false; 256];
    let mut byte: u8 = 0;
    loop {
        let is_sign = matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'%' | b'\\');
        letters[byte as usize] = byte.is_ascii_alphanumeric() || is_sign || !byte.is_ascii();
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    letters
};

fn is_in_word(byte: u8) -> bool {
    IN_WORDS.get(usize::from(byte)).is_some_and(|is| *is)
}

/// The words of `bytes` with [`SHORTEST`] bytes or more, in order.
pub fn long(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let mut at = SHORTEST;
    std::iter::from_fn(move || {
        at = next_window(bytes, at)?;
        let end = at + bytes.get(at..)?.iter().take_while(|byte| is_in_word(**byte)).count();
        let word = at - SHORTEST..end;
        // The byte at `end` is in no word.
        at = end + 1 + SHORTEST;
        Some(word)
    })
}

/// Where the next [`SHORTEST`] bytes end that are in one word, if the ones up to `at` are the first that can be. So many bytes hold all
/// of a window, wherever they begin, if the windows are [`STEP`] bytes apart: the others are examined only around one without an end.
fn next_window(bytes: &[u8], at: usize) -> Option<usize> {
    let first = at.checked_sub(SHORTEST)?;
    let mut from = first;
    loop {
        let window = window_without_end(bytes, from)?;
        from = window + STEP;
        if !may_go_on(bytes, window) {
            continue;
        }
        // Most windows have a sign in them that is in no word, such as a dot.
        let rest = bytes.get(window..)?.iter().take(SHORTEST);
        let after = rest.take_while(|byte| is_in_word(**byte)).count();
        if after < WINDOW {
            continue;
        }
        let before = bytes.get(first..window)?.iter().rev().take(SHORTEST);
        let before = before.take_while(|byte| is_in_word(**byte)).count();
        if before + after >= SHORTEST {
            return Some(window - before + SHORTEST);
        }
        // The byte behind is in no word: the next one begins after it.
        from = from.max(window + after + 1);
    }
}

/// Where the next window begins without an end in it, from the one at `from` on.
fn window_without_end(bytes: &[u8], from: usize) -> Option<usize> {
    const TWO: usize = 2 * STEP;
    let rest = bytes.get(from..)?;
    let has_no_end = |at: usize| rest.get(at..).and_then(<[u8]>::first_chunk).is_some_and(|window| !has_end(*window));
    // Nearly all have one: two are looked at in one step.
    let has_none = |two: &[u8]| {
        let (first, second) = (two.first_chunk(), two.get(STEP..).and_then(<[u8]>::first_chunk));
        first.zip(second).is_some_and(|(first, second)| !(has_end(*first) && has_end(*second)))
    };
    let at = rest.chunks_exact(TWO).position(has_none).unwrap_or(rest.len() / TWO) * TWO;
    [at, at + STEP].into_iter().find(|at| has_no_end(*at)).map(|at| from + at)
}

/// Whether one word can have [`SHORTEST`] bytes with all of the window at `at` among them: half of the others are on one side of it.
/// Most windows without an end are in words that are longer than a window, and shorter than that.
fn may_go_on(bytes: &[u8], at: usize) -> bool {
    let has_no_end = |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).is_some_and(|window| !has_end(*window));
    has_no_end(at + STEP / 2) || at.checked_sub(STEP / 2).is_some_and(has_no_end)
}

/// From the start of one window to that of the next one.
const STEP: usize = SHORTEST - WINDOW;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn all_long_words_are_found(text in "([a-z]{0,30}|[ .%\u{e9}-]|[a-z]{19,21}){0,12}") {
            let bytes = text.as_bytes();
            let mut expected = Vec::new();
            let mut start = 0;
            for at in 0..=bytes.len() {
                if bytes.get(at).is_none_or(|byte| !is_in_word(*byte)) {
                    if at - start >= SHORTEST {
                        expected.push(start..at);
                    }
                    start = at + 1;
                }
            }
            prop_assert_eq!(long(bytes).collect::<Vec<_>>(), expected);
        }
    }
}
