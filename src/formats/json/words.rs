//! What is wrong with text that is not JSON, and what to do about it, in words for people.

/// How a message ends about text that is cut off.
const OPEN: &str = " is never closed";
const NO_VALUE: &str = "the text ends where a value is expected";

/// What is wrong with JSON where `rest` begins, without the words of the parser.
pub(super) fn in_words<'m>(message: &'m str, rest: &str) -> &'m str {
    let is_unicode = rest.starts_with("\\u");
    match message {
        "EOF while parsing an object" => "the object is never closed",
        "EOF while parsing a list" => "the list is never closed",
        "EOF while parsing a string" => "the string is never closed",
        "EOF while parsing a value" => NO_VALUE,
        "invalid escape" if is_unicode => "incomplete escape: `\\u` needs four hexadecimal digits",
        "number out of range" => "a number that is too large",
        "recursion limit exceeded" => "values nested deeper than 128 levels",
        "expected value" => "expected a value",
        "expected ident" => "expected `true`, `false` or `null`",
        "trailing characters" => "text after the end of the JSON",
        "key must be a string" => "expected a key in double quotes",
        "invalid escape" => "backslash before a character that needs none",
        "invalid unicode code point" => "escape of a character that does not exist",
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "incomplete escape: a character such as an emoji needs two `\\u` escapes"
        }
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "control character in a string, expected an escape"
        }
        message => message,
    }
}

/// Where the escape begins that `message` of the parser is about, and its length; `None` for another message. The parser stops at `end`,
/// which is in the escape or behind it.
pub(super) fn escape(message: &str, text: &str, end: usize) -> Option<(usize, usize)> {
    const MESSAGES: [&str; 4] = [
        "invalid escape",
        "invalid unicode code point",
        "lone leading surrogate in hex escape",
        "unexpected end of hex escape",
    ];
    if !MESSAGES.contains(&message) {
        return None;
    }
    let last = text.get(..end)?.rfind('\\')?;
    // The first half of a pair, with another escape behind it.
    let half = || last.checked_sub(6).filter(|half| is_first_half(text.get(*half..last).unwrap_or_default()));
    let start = if message == "invalid escape" { last } else { half().unwrap_or(last) };
    let rest = text.get(start..)?;
    let digits =
        rest.strip_prefix("\\u").map(|digits| digits.bytes().take(4).take_while(u8::is_ascii_hexdigit).count());
    let len = match digits {
        Some(digits) => "\\u".len() + digits,
        None => rest.chars().take(2).map(char::len_utf8).sum(),
    };
    Some((start, len))
}

/// Whether `text` is the escape of the first half of a pair.
fn is_first_half(text: &str) -> bool {
    let number = text.strip_prefix("\\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| (0xd800..0xdc00).contains(&number))
}

/// What to do about text that is not JSON, where the message says it.
pub(crate) fn correction(message: &str) -> Option<&'static str> {
    match message {
        "trailing comma" => Some("delete the comma before this place"),
        message if message.ends_with(OPEN) || message == NO_VALUE => Some("add the end of the JSON, which is cut off"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::json::{Node, Places};

    #[test]
    fn an_escape_that_is_none_is_shown_as_a_whole() {
        for (text, escape) in [
            ("[\"é \\q\"]", "\\q"),
            ("[\"\\n\\é\"]", "\\é"),
            ("[\"x \\u12g4\"]", "\\u12"),
            ("[\"\\uxyzw\"]", "\\u"),
            ("[\"\\u00e9\\ud800 x\"]", "\\ud800"),
            ("[\"\\ud83d\"]", "\\ud83d"),
            ("[\"é\\ud83d\\u0041\"]", "\\ud83d"),
            ("[\"\\uD83D\\n\"]", "\\uD83D"),
            ("[\"\\ud83d\\ud83d\"]", "\\ud83d"),
            ("[\"a\\udc00 b\"]", "\\udc00"),
            ("[\"\\ud83d\\udc00\\udc01\"]", "\\udc01"),
        ] {
            for before in ["", "\n\t"] {
                let text = [before, text].concat();
                let error = Node::parse(&text, &Places::from(0)).unwrap_err();
                assert_eq!(error.span.of(&text), escape, "{text}: {}", error.message);
                assert!(error.message.contains("escape") || error.message.contains("backslash"), "{}", error.message);
            }
        }
    }

    #[test]
    fn text_that_is_cut_off_is_not_told_in_the_words_of_the_parser() {
        for (text, message) in [
            ("{", "the object is never closed"),
            ("{\"a\"", "the object is never closed"),
            ("[1", "the list is never closed"),
            ("[\"", "the string is never closed"),
            ("{\"a\": \"b\\", "the string is never closed"),
            ("", NO_VALUE),
            ("{\"a\":", NO_VALUE),
            ("[1,", NO_VALUE),
            ("[tr", NO_VALUE),
        ] {
            let error = Node::parse(text, &Places::from(0)).unwrap_err();
            assert_eq!(error.message, message, "{text}");
            assert_eq!(correction(message), Some("add the end of the JSON, which is cut off"), "{text}");
        }
    }
}
