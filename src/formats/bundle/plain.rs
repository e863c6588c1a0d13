//! A text as people read it: without the signs and elements of its markup, with each letter that only looks like one of ASCII as that.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::work;
use crate::text::hidden;

/// `text` as people read it.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_markup = |byte: u8| matches!(byte, b'<' | b'&' | b'*' | b'_' | b'`' | b'~' | b'\\' | 0x80..);
    if !text.bytes().any(is_markup) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    // Behind the last `>`, no element ends.
    let last = text.rfind('>').map_or(usize::MAX, |last| text.len() - last);
    while let Some(at) = rest.bytes().position(is_markup) {
        let (before, from) = rest.split_at(at);
        shown.push_str(before);
        let mut chars = from.chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
        match c {
            '<' => match (from.len() > last).then(|| element(from)).flatten() {
                Some((name, behind)) => {
                    // What is a block of its own parts words.
                    if !INLINE.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                        shown.push_str(PARTS);
                    }
                    rest = behind;
                }
                None => shown.push(c),
            },
            '&' => match entity(rest) {
                Some((c, behind)) => {
                    push(c, &mut shown);
                    rest = behind;
                }
                None => shown.push(c),
            },
            // Between two words, it is a sign.
            '_' => shown.push(' '),
            '*' | '`' | '~' | '\\' => {}
            c if c.is_ascii() => shown.push(c),
            c => push(c, &mut shown),
        }
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// What stands for the limits of an element, as between cells of a table.
const PARTS: &str = " | ";

/// The elements that are in the midst of words.
const INLINE: [&str; 21] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "small", "span",
    "strong", "sub", "sup", "u",
];

/// The name of the element with which `text` begins, and what is behind its tag. Of a comment, the text in it counts.
fn element(text: &str) -> Option<(&str, &str)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return Some(("!", comment));
    }
    let inner = text.get(1..)?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    let (name, rest) = name.split_at_checked(end)?;
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(())?;
    let end = rest.find('>');
    work::step(end.unwrap_or(rest.len()));
    Some((name, rest.get(end? + 1..)?))
}

/// The character of the reference whose `&` is before `text`, and what is behind it.
fn entity(text: &str) -> Option<(char, &str)> {
    const LONGEST: usize = 32;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let (name, behind) = (text.get(..end)?, text.get(end + 1..)?);
    let number = |text: &str, radix| u32::from_str_radix(text, radix).ok().and_then(char::from_u32);
    let c = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16)?,
            None => number(digits, 10)?,
        },
        None if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => return None,
        None => match name {
            "shy" | "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak" => '\u{200b}',
            "lsqb" | "lbrack" => '[',
            "rsqb" | "rbrack" => ']',
            "lpar" => '(',
            "rpar" => ')',
            "colon" => ':',
            "vert" | "verbar" => '|',
            "period" => '.',
            // Nearly all others are blanks and signs.
            _ => ' ',
        },
    };
    Some((c, behind))
}

/// Adds `c` as people read it.
fn push(c: char, shown: &mut String) {
    if c.is_ascii() {
        return shown.push(c);
    }
    if let Some(bracket) = bracket(c) {
        return shown.push(bracket);
    }
    // Some are decomposed to what does not look the same.
    let c = like(c);
    for c in std::iter::once(c).nfkd() {
        match c {
            '\u{2028}' | '\u{2029}' | '\u{3164}' | '\u{ffa0}' | '\u{115f}' | '\u{1160}' => shown.push(' '),
            c if c.is_ascii() => shown.push(c),
            c if is_combining_mark(c) || hidden::is_blank(c) => {}
            c => shown.push(like(c)),
        }
    }
}

/// The bracket of ASCII for one of another script.
fn bracket(c: char) -> Option<char> {
    match c {
        '【' | '〔' | '〖' | '〘' | '〚' | '⟦' | '⟨' | '⟪' | '⦅' | '⦋' | '⦍' | '⦗' | '❨' | '❪' | '❬' | '❮' | '❲'
        | '❴' | '「' | '『' | '《' | '〈' | '⁅' => Some('['),
        '】' | '〕' | '〗' | '〙' | '〛' | '⟧' | '⟩' | '⟫' | '⦆' | '⦌' | '⦎' | '⦘' | '❩' | '❫' | '❭' | '❯' | '❳'
        | '❵' | '」' | '』' | '》' | '〉' | '⁆' => Some(']'),
        _ => None,
    }
}

/// Letters of other scripts, and what is shown like a letter of ASCII.
const ALIKE: [(char, &str); 26] = [
    ('a', "аАαΑɑᴀ"),
    ('b', "вВΒʙЬƄƅ"),
    ('c', "ςсСϲϹᴄⅽƈ"),
    ('d', "ԁԀᴅɗđ"),
    ('e', "еЕεΕᴇєҽɛ"),
    ('f', "ƒꜰϝ"),
    ('g', "ɡɢցԍ"),
    ('h', "һНΗʜհħн"),
    ('i', "іІιΙıɩɪӀ"),
    ('j', "јЈϳᴊ"),
    ('k', "кКκΚᴋ"),
    ('l', "ӏɫłʟǀḷ∣Ɩ"),
    ('m', "мМΜᴍ"),
    ('n', "пΝηɴոռ"),
    ('o', "оОοΟσᴏօø"),
    ('p', "рРρΡᴘ"),
    ('q', "ԛԚզǫ"),
    ('r', "гʀᴦɾ"),
    ('s', "ѕЅꜱʂ"),
    ('t', "тТτΤᴛŧ"),
    ('u', "υսᴜцʋ"),
    ('v', "νѵᴠ"),
    ('w', "ԝԜωᴡш"),
    ('x', "хХχΧ"),
    ('y', "уУγΥүʏ"),
    ('z', "ᴢΖʐ"),
];

/// The letter of ASCII that `c` looks like; else `c` itself.
fn like(c: char) -> char {
    let enclosed =
        |first: char| u8::try_from(u32::from(c) - u32::from(first)).ok().map(|number| char::from(b'a' + number));
    let letter = match c {
        '\u{1f150}'..='\u{1f169}' => enclosed('\u{1f150}'),
        '\u{1f170}'..='\u{1f189}' => enclosed('\u{1f170}'),
        '\u{1f1e6}'..='\u{1f1ff}' => enclosed('\u{1f1e6}'),
        c if c.is_alphabetic() || c == '∣' => {
            ALIKE.iter().find(|(_, letters)| letters.contains(c)).map(|(letter, _)| *letter)
        }
        _ => None,
    };
    letter.unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::super::work::steps;
    use super::*;

    #[test]
    fn a_text_as_people_read_it() {
        for (text, read) in [
            ("a local text", "a local text"),
            ("**Project** `Context`", "Project Context"),
            ("Project&nbsp;Context", "Project Context"),
            ("Project&#160;C&#x6f;ntext", "Project Context"),
            ("&lsqb;local\\]", "[local]"),
            ("a & b &c; &", "a & b   &"),
            ("lo<b>c</b>al", "local"),
            ("<div><h2>Project</h2>", " |  | Project | "),
            ("<!-- local -->", " |  local -->"),
            ("1 < 2 <", "1 < 2 <"),
            ("ｌｏｃａｌ ［ｌｏｃａｌ］", "local [local]"),
            ("lo\u{200b}c\u{ad}al", "local"),
            ("\u{4cf}о\u{441}а\u{4cf}", "local"),
            ("𝐥𝗼𝒄𝓪𝚕 ⓛⓞⓒⓐⓛ 🄻🄾🄲🄰🄻 🅻🅾🅲🅰🅻", "local local LOCAL local"),
            ("【local】", "[local]"),
            ("ʟᴏᴄᴀʟ", "local"),
            ("l\u{301}ocal ﬁle", "local file"),
        ] {
            assert_eq!(plain(text), read, "{text}");
        }
    }

    #[test]
    fn the_cost_is_that_of_the_length() {
        for text in ["<a", "<a <b ", "<", "&", "&a", "<!--", "< "] {
            for end in ["", ">"] {
                let text = text.repeat(1 << 18) + end;
                let steps = steps(|| assert!(plain(&text).len() <= 2 * text.len()));
                assert!(steps <= text.len(), "{steps} steps");
            }
        }
    }
}
