//! Escapes of halves of characters. A program that cuts text in the middle of an emoji writes one, and a parser of JSON refuses it.

use memchr::memchr;

/// The length of `\ud83d`.
const ESCAPE: usize = 6;

/// `json` with the character for what cannot be read in place of each half alone; `None` if there is none.
pub(super) fn replaced(json: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(backslash) = json.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        at += backslash;
        match (half(json, at), half(json, at + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 2 * ESCAPE,
            (Some(_), _) => {
                // The new escape is as long as the old one.
                if let Some(escape) = out.get_or_insert_with(|| json.to_vec()).get_mut(at..at + ESCAPE) {
                    escape.copy_from_slice(br"\ufffd");
                }
                at += ESCAPE;
            }
            // The character after the backslash may be one itself.
            (None, _) => at += 2,
        }
    }
    out
}

/// The half that is escaped at byte `at`.
fn half(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(br"\u")?;
    let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..=0xdfff).contains(&code).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_alone_are_replaced() {
        for (json, expected) in [
            (r#""a\ud83d""#, Some(r#""a\ufffd""#)),
            (r#""\uD83D\uDE00\udE00""#, Some(r#""\uD83D\uDE00\ufffd""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\\ud83d""#, None),
            (r#""\\\ud83d""#, Some(r#""\\\ufffd""#)),
            (r#""\ud83d\ude00 \u00e9 \n""#, None),
            (r#""\ud83""#, None),
            ("\"\\", None),
        ] {
            assert_eq!(replaced(json.as_bytes()).as_deref(), expected.map(str::as_bytes), "{json}");
        }
    }
}
