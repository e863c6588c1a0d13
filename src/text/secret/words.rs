//! Long words. Each secret has one, and most texts have few of them.

use std::ops::Range;

/// No secret is shorter, in bytes.
pub const SHORTEST: usize = 20;

/// The bytes that are looked at together.
const WINDOW: usize = 8;

/// Whether `byte` is between two words wherever it is: a control character, a blank, or one of `!"#$`.
fn ends(byte: u8) -> bool {
    byte < b'%'
}

/// Which of eight bytes are between words: the highest bit of each.
fn ends_in(window: [u8; WINDOW]) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    const HIGHEST: u64 = EACH << 7;
    /// `%`, as in [`ends`].
    const PERCENT: u64 = 0x25;
    let bytes = u64::from_le_bytes(window);
    !(((bytes & !HIGHEST) + EACH * (0x80 - PERCENT)) | bytes) & HIGHEST
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

/// Where the next [`SHORTEST`] bytes end that are in one word, if the ones up to `at` are the first that can be. Of all other bytes most
/// are not looked at: behind one that ends a word, so many are needed again.
fn next_window(bytes: &[u8], at: usize) -> Option<usize> {
    const FRONT: usize = SHORTEST - WINDOW;
    let mut rest = bytes.get(at.checked_sub(SHORTEST)?..)?;
    loop {
        let (front, last) = rest.split_first_chunk::<FRONT>()?;
        let ends = ends_in(*last.first_chunk()?);
        let passed = match ends {
            0 => match ends_in(*front.last_chunk()?) {
                0 => match rest.first_chunk::<SHORTEST>()?.iter().rposition(|byte| !is_in_word(*byte)) {
                    None => return Some(bytes.len() - rest.len() + SHORTEST),
                    Some(end) => end + 1,
                },
                ends => FRONT - WINDOW + 1 + last_of(ends),
            },
            ends => FRONT + 1 + last_of(ends),
        };
        rest = rest.get(passed..)?;
    }
}

/// The last byte of a window that [`ends_in`] has found.
fn last_of(ends: u64) -> usize {
    ends.ilog2() as usize / 8
}
