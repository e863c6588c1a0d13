//! Texts in which each character is one byte: those in ASCII, and those whose other characters are signs alone.
//!
//! A sign such as a dash, an arrow or an emoji is neither a letter nor a digit nor a blank, so a pattern cannot tell it from another
//! one, unless it names it.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The signs that patterns name: each has a byte of its own.
pub(super) const NAMED: [char; 8] = ['—', '–', '’', '→', '📌', '·', '”', '✅'];

/// The byte of the first one of [`NAMED`].
const FIRST: u8 = 0x80;

/// The byte of a sign that no pattern names.
const UNNAMED: u8 = 0xfe;

/// A byte that is in no text: that of a character in a pattern that is no sign.
const NONE: u8 = 0xff;

/// Other signs. None of them is a letter, a digit, a blank or a mark that goes on a character.
const SIGNS: [(char, char); 18] = [
    ('\u{a1}', '\u{a9}'),
    ('\u{ab}', '\u{ac}'),
    ('\u{ae}', '\u{b1}'),
    ('\u{b4}', '\u{b4}'),
    ('\u{b6}', '\u{b8}'),
    ('\u{bb}', '\u{bb}'),
    ('\u{bf}', '\u{bf}'),
    ('\u{d7}', '\u{d7}'),
    ('\u{f7}', '\u{f7}'),
    ('\u{2010}', '\u{2027}'),
    ('\u{2030}', '\u{203e}'),
    ('\u{20a0}', '\u{20bf}'),
    // Arrows, signs of mathematics and technology, boxes.
    ('\u{2190}', '\u{2426}'),
    ('\u{2500}', '\u{2775}'),
    ('\u{2794}', '\u{2bff}'),
    ('\u{1f300}', '\u{1f64f}'),
    ('\u{1f680}', '\u{1f6ff}'),
    ('\u{1f900}', '\u{1f9ff}'),
];

/// The byte of `c`; `None` if it is neither in ASCII nor a sign.
fn byte_of(c: char) -> Option<u8> {
    if c.is_ascii() {
        return u8::try_from(c).ok();
    }
    match NAMED.iter().position(|named| *named == c) {
        Some(at) => Some(FIRST + u8::try_from(at).ok()?),
        None => SIGNS.iter().any(|(first, last)| (*first..=*last).contains(&c)).then_some(UNNAMED),
    }
}

/// The byte that a character of a pattern is in the texts of this module.
pub(super) fn in_pattern(c: char) -> u8 {
    byte_of(c).unwrap_or(NONE)
}

/// A text with signs.
#[derive(Debug)]
pub(super) struct Signed {
    text: String,
    bytes: Vec<u8>,
    /// For each sign, the place after it in `bytes` and in `text`.
    places: Vec<(usize, usize)>,
}

impl Signed {
    /// `text`, if all of its characters are in ASCII or signs.
    fn new(text: &str) -> Option<Self> {
        // Most other texts have such a character soon.
        if text.chars().any(|c| byte_of(c).is_none()) {
            return None;
        }
        let mut signed = Self { text: text.to_owned(), bytes: Vec::with_capacity(text.len()), places: Vec::new() };
        let mut at = 0;
        for c in text.chars() {
            signed.bytes.push(byte_of(c)?);
            at += c.len_utf8();
            if !c.is_ascii() {
                signed.places.push((signed.bytes.len(), at));
            }
        }
        Some(signed)
    }

    /// Its bytes, one a character.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where this range of its bytes is in the text.
    pub(super) fn range(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let behind = self.places.partition_point(|(byte, _)| *byte <= at);
            let last = behind.checked_sub(1).and_then(|last| self.places.get(last));
            last.map_or(at, |(byte, place)| place + (at - byte))
        };
        place(range.start)..place(range.end)
    }
}

/// So many texts are kept: many patterns are looked for in each.
const KEPT: usize = 8;

thread_local! {
    /// The texts that were asked for last, and the place of the one that is forgotten next.
    static LAST: RefCell<(Vec<Rc<Signed>>, usize)> = const { RefCell::new((Vec::new(), 0)) };
}

/// `text`, which is not in ASCII, with a byte for each character; `None` if it has a character that is no sign.
pub(super) fn signed(text: &str) -> Option<Rc<Signed>> {
    LAST.with_borrow_mut(|(kept, next)| {
        if let Some(known) = kept.iter().find(|known| known.text == text) {
            return Some(known.clone());
        }
        let new = Rc::new(Signed::new(text)?);
        match kept.get_mut(*next) {
            Some(oldest) => *oldest = new.clone(),
            None => kept.push(new.clone()),
        }
        *next = (*next + 1) % KEPT;
        Some(new)
    })
}

#[cfg(test)]
mod tests {
    use regex_automata::meta::Regex;

    use super::*;

    #[test]
    fn a_sign_is_no_letter_digit_blank_or_other_form_of_a_character_in_ascii() {
        let of_words = Regex::new(r"(?i)[\w\s\d\p{L}\x00-\x7f]").unwrap();
        let ranges = SIGNS.iter().flat_map(|(first, last)| *first..=*last).chain(NAMED);
        for c in ranges {
            assert!(!of_words.is_match(&c.to_string()), "{c} {}", c.escape_unicode());
            // No pattern that names another sign finds it in upper or lower case.
            assert_eq!((c.to_lowercase().to_string(), c.to_uppercase().to_string()), (c.to_string(), c.to_string()));
        }
    }

    #[test]
    fn a_range_of_bytes_is_one_of_the_text() {
        let signed = signed("a — b 🎉✅").unwrap();
        assert_eq!(signed.bytes(), [b'a', b' ', 0x80, b' ', b'b', b' ', UNNAMED, 0x87]);
        let text = |range: Range<usize>| &signed.text[signed.range(&range)];
        assert_eq!([text(0..1), text(2..3), text(1..5), text(6..7), text(7..8)], ["a", "—", " — b", "🎉", "✅"]);
        assert_eq!([signed.range(&(8..8)), signed.range(&(3..3))], [15..15, 5..5]);
    }

    #[test]
    fn letters_and_marks_are_no_signs() {
        for text in ["é", "ß", "К", "🏗\u{fe0f}", "a\u{a0}b", "\u{2028}", "①", "²", "ſ", "\u{212a}", "👩\u{200d}"]
        {
            assert!(signed(text).is_none(), "{text}");
        }
    }
}
