//! What is wrong with text that is not JSON, and what to do about it, in words for people.

/// How a message ends about text that is cut off.
const OPEN: &str = " is never closed";
const NO_VALUE: &str = "the text ends where a value is expected";

/// What is wrong with JSON after the text `before`, without the words of the parser.
pub(super) fn in_words<'m>(message: &'m str, before: &str) -> &'m str {
    // `\u12`: the parser stops after the place of the four digits.
    let is_unicode = before.rfind("\\u").is_some_and(|at| before.len() - at <= "\\u0000".len());
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
