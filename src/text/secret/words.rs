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

/// How many bytes are behind the last one of eight that is between words; `None` if none of them is.
fn behind_end(window: [u8; WINDOW]) -> Option<usize> {
    const EACH: u64 = u64::MAX / 255;
    /// `%`, as in [`ends`].
    const PERCENT: u64 = 0x25;
    // The last byte is the lowest one. What a subtraction borrows makes more of the bytes before the one that it begins at, no other.
    let bytes = u64::from_be_bytes(window);
    let ends = bytes.wrapping_sub(EACH * PERCENT) & !bytes & (EACH << 7);
    (ends != 0).then(|| ends.trailing_zeros() as usize / 8)
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
    let mut start = at.checked_sub(WINDOW)?;
    let last = bytes.len().checked_sub(WINDOW)?;
    while start <= last {
        start += match behind_end(*bytes.get(start..)?.first_chunk()?) {
            Some(behind) => SHORTEST - behind,
            None => match passed_before(bytes, start)? {
                0 => return Some(start + WINDOW),
                passed => passed,
            },
        };
    }
    None
}

/// So many bytes can be passed if the window at `start` has none that [`ends`] a word; 0 if all of the bytes up to its end are in one.
fn passed_before(bytes: &[u8], start: usize) -> Option<usize> {
    let front: &[u8; WINDOW] = bytes.get(..start)?.last_chunk()?;
    if let Some(behind) = behind_end(*front) {
        return Some(SHORTEST - WINDOW - behind);
    }
    let all: &[u8; SHORTEST] = bytes.get(..start + WINDOW)?.last_chunk()?;
    Some(all.iter().rposition(|byte| !is_in_word(*byte)).map_or(0, |end| end + 1))
}
