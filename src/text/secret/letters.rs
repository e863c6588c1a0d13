//! The letters of a secret, also with what Markdown and JSON put between them.

/// The characters from `at` on as long as they are letters by `is`, at most `most` of them, and where each ends. A backslash before
/// one of them is skipped, and so are characters that take no room.
pub fn letters(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool, most: usize) -> (String, Vec<usize>) {
    let (mut text, mut ends) = (String::new(), Vec::new());
    let mut at = at;
    while text.len() < most {
        let rest = bytes.get(at..).unwrap_or_default();
        let skipped = match rest {
            [b'\\', b'_' | b'-' | b'/' | b'.' | b'+' | b'=', ..] => 1,
            _ => no_width(rest),
        };
        let Some(letter) = rest.get(skipped).filter(|byte| is(**byte)) else { break };
        at += skipped + 1;
        text.push(char::from(*letter));
        ends.push(at);
    }
    (text, ends)
}

/// The bytes of the character without width that `bytes` begin with.
pub fn no_width(bytes: &[u8]) -> usize {
    match bytes {
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        [0xc2, 0xad, ..] => 2,
        _ => 0,
    }
}

/// Whether no letter and no digit is before `at`. The letter of an escape such as `\n` is none.
pub fn is_edge(bytes: &[u8], at: usize) -> bool {
    match bytes.get(..at).unwrap_or_default() {
        // The digits of `%3D` or `\u003d`.
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'n' | b't' | b'r'] | [.., b'\\', b'u', b'0', b'0', _, _] | [] => true,
        [.., last] => !last.is_ascii_alphanumeric(),
    }
}
