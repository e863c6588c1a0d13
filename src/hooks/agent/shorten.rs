//! A large event without the long texts in it that are not read, such as the text that was written: a parser of JSON looks at each of
//! their escapes, and most events of a harness are about files that are not state.

use std::borrow::Cow;

use memchr::memchr;

/// A shorter event is parsed as it is, in bytes.
const LARGE: usize = 16 << 10;

/// A shorter text stays, in bytes.
const LONG: usize = 1 << 10;

/// `json` with empty texts in place of the long values of keys that are not read.
pub(super) fn shortened(json: &[u8], is_read: impl Fn(&[u8]) -> bool) -> Cow<'_, [u8]> {
    if json.len() < LARGE {
        return Cow::Borrowed(json);
    }
    let (mut out, mut copied, mut at, mut key) = (Vec::new(), 0, 0, None);
    while let Some((start, end)) = next_text(json, at) {
        let text = json.get(start..end).unwrap_or_default();
        if text.len() > LONG && key.is_some_and(|key| !is_read(key)) {
            out.extend_from_slice(json.get(copied..start).unwrap_or_default());
            copied = end;
        }
        at = end + 1;
        let behind = json.get(at..).unwrap_or_default().trim_ascii_start();
        let is_key = behind.strip_prefix(b":").is_some_and(|value| value.trim_ascii_start().starts_with(b"\""));
        key = is_key.then_some(text);
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.extend_from_slice(json.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The inside of the next text in quotes from byte `at` on. Only quotes are looked for, for most escapes are line ends.
fn next_text(json: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at + memchr(b'"', json.get(at..)?)? + 1;
    let text = json.get(start..)?;
    let mut end = memchr(b'"', text)?;
    while is_escaped(text, end) {
        end += 1;
        end += skipped(text, end);
        end += memchr(b'"', text.get(end..)?)?;
    }
    Some((start, start + end))
}

/// Whether a backslash makes the quotation mark at byte `quote` a part of the text.
fn is_escaped(text: &[u8], quote: usize) -> bool {
    let before = text.get(..quote).unwrap_or_default().iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// How many bytes from byte `at` on hold no quotation mark but those after a lone backslash. JSON that is written into a file
/// has one every few bytes: a search that stops at each of them costs five times as much.
fn skipped(text: &[u8], at: usize) -> usize {
    const BLOCK: usize = 32;
    let block = |from: usize| text.get(from..).and_then(|text| text.first_chunk::<BLOCK>());
    let mut skipped = 0;
    // The compiler makes vector instructions of a loop without branches over blocks of one length.
    while let Some(from) = (at + skipped).checked_sub(2)
        && let (Some(before), Some(last), Some(own)) = (block(from), block(from + 1), block(from + 2))
    {
        let mut ends = 0;
        for ((own, last), before) in own.iter().zip(last).zip(before) {
            ends |= u8::from(*own == b'"') & (u8::from(*last != b'\\') | u8::from(*before == b'\\'));
        }
        if ends != 0 {
            break;
        }
        skipped += BLOCK;
    }
    skipped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn is_read(key: &[u8]) -> bool {
        key == b"path"
    }

    #[test]
    fn long_texts_that_are_not_read_go() {
        let long = "a \"quoted\" text\\\n".repeat(2_000);
        let event =
            json!({"path": long, "content": long, "list": [long], "content2": {"path": "p", "x": long}, "n": 3});
        let expected = json!({"path": long, "content": "", "list": [long], "content2": {"path": "p", "x": ""}, "n": 3});
        for text in [event.to_string(), format!("{event:#}")] {
            let short = shortened(text.as_bytes(), is_read);
            assert_eq!(serde_json::from_slice::<Value>(&short).unwrap(), expected);
        }
        // What ends in a text.
        let open = format!("{{\"content\": \"{}", "x".repeat(LARGE));
        assert_eq!(shortened(open.as_bytes(), is_read), open.as_bytes());
    }

    proptest! {
        /// All that is read stays, whatever the texts hold.
        #[test]
        fn what_is_read_stays(texts in prop::collection::vec("[\"\\\\:,{}\\[\\] \n\u{e9}a]{0,3}", 2..5), path in "[\"\\\\: a]{0,8}") {
            let long: String = texts.concat().repeat(LARGE);
            let event = json!({"a": texts, "content": long, "path": path, "b": {"content": texts.concat(), "path": [path]}});
            let short = serde_json::from_slice::<Value>(&shortened(event.to_string().as_bytes(), is_read)).unwrap();
            let expected = json!({"a": texts, "content": if long.is_empty() { &long } else { "" }, "path": path,
                "b": {"content": texts.concat(), "path": [path]}});
            prop_assert_eq!(short, expected);
        }
    }
}
