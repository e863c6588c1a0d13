//! Text in UTF-8 that was read as Windows-1252 or in code page 850, that of old consoles, and written again: `â€”` or `ÔÇö` for a dash.

/// The bytes from 0x80 on that Windows-1252 has for characters of other values.
const OTHERS: [(char, u8); 27] = [
    ('€', 0x80),
    ('‚', 0x82),
    ('ƒ', 0x83),
    ('„', 0x84),
    ('…', 0x85),
    ('†', 0x86),
    ('‡', 0x87),
    ('ˆ', 0x88),
    ('‰', 0x89),
    ('Š', 0x8a),
    ('‹', 0x8b),
    ('Œ', 0x8c),
    ('Ž', 0x8e),
    ('‘', 0x91),
    ('’', 0x92),
    ('“', 0x93),
    ('”', 0x94),
    ('•', 0x95),
    ('–', 0x96),
    ('—', 0x97),
    ('˜', 0x98),
    ('™', 0x99),
    ('š', 0x9a),
    ('›', 0x9b),
    ('œ', 0x9c),
    ('ž', 0x9e),
    ('Ÿ', 0x9f),
];

/// The characters that code page 850 has for the bytes from 0x80 on.
const CONSOLE: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// The longest run that is looked at, in characters on either side.
const NEAR: usize = 3;

/// The bytes that Windows-1252 has no character for: programs keep them as they are.
const KEPT: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// Whether the character at byte `at` of `text` is one of three or four that were one visible character before somebody read them wrongly.
/// Pairs do not count: a hidden character behind a letter looks like one.
pub fn is_part(text: &str, at: usize) -> bool {
    is_part_in(text, at, byte, false) || is_part_in(text, at, console_byte, true)
}

/// The same in the encoding that has a `byte` for a character, that of a console or not.
fn is_part_in(text: &str, at: usize, byte: fn(char) -> Option<u8>, is_console: bool) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    let mut run: Vec<u8> = before.chars().rev().map_while(byte).take(NEAR).collect();
    run.reverse();
    let own = run.len();
    run.extend(after.chars().map_while(byte).take(NEAR + 1));
    (0..=own).any(|start| {
        (3..=4).any(|len| {
            let bytes = run.get(start..start + len).unwrap_or_default();
            let mut read = std::str::from_utf8(bytes).unwrap_or_default().chars();
            let is_one = read.next().is_some_and(is_visible) && read.next().is_none();
            // An emoji; four others that look like a character are seldom one.
            let is_likely = len < 4 || !is_console || bytes.get(1) == Some(&0x9f);
            is_one && is_likely && start + len > own
        })
    })
}

/// Whether a character that was three bytes or four is none of those that hide something: marks of direction, joiners, tags.
fn is_visible(c: char) -> bool {
    !matches!(u32::from(c), 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..)
}

/// The byte that Windows-1252 has for a character that is not in ASCII.
fn byte(c: char) -> Option<u8> {
    let other = || OTHERS.iter().find(|(other, _)| *other == c).map(|(_, byte)| *byte);
    u8::try_from(u32::from(c)).ok().filter(|byte| *byte >= 0xa0 || KEPT.contains(byte)).or_else(other)
}

/// The byte that code page 850 has for a character that is not in ASCII.
fn console_byte(c: char) -> Option<u8> {
    let place = CONSOLE.chars().position(|other| other == c)?;
    u8::try_from(0x80 + place).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads the bytes of `text` as Windows-1252.
    fn misread(text: &str) -> String {
        let read = |byte: u8| OTHERS.iter().find(|(_, other)| *other == byte).map_or(char::from(byte), |(c, _)| *c);
        text.bytes().map(read).collect()
    }

    proptest! {
        #[test]
        fn what_was_read_wrongly_is_found(before in "[a-z ]{0,3}", c in "[\u{800}-\u{1fff}\u{2070}-\u{d7ff}\u{10000}-\u{1f9ff}]", after in "[a-z ]{0,3}") {
            let text = misread(&format!("{before}{c}{after}"));
            for (at, found) in text.char_indices() {
                prop_assert_eq!(is_part(&text, at), !found.is_ascii(), "{:?} at {}", text, at);
            }
        }

        #[test]
        fn any_text_and_place_is_looked_at(text in any::<String>(), at in 0_usize..40) {
            is_part(&text, at);
        }
    }

    #[test]
    fn what_a_console_read_wrongly_is_found() {
        assert_eq!(CONSOLE.chars().count(), 0x80);
        // Yellow and red circles, a check mark and a dash.
        for text in ["\u{ad}ƒƒí", "\u{ad}ƒö┤", "Ô£à", "ÔÇö"] {
            assert!(text.char_indices().all(|(at, _)| is_part(text, at)), "{text:?}");
        }
    }

    #[test]
    fn what_hides_something_is_not() {
        for text in ["pass\u{ad}word", "é\u{ad}", "\u{9b}31m", "Û\u{9b}", "Ã\u{ad}", "â‚\u{9b}2J", "â€\u{ad}\u{200b}"]
        {
            assert!(text.char_indices().all(|(at, _)| !is_part(text, at)), "{text:?}");
        }
    }
}
