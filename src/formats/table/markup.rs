//! What a reader sees of a name in a cell: markup of Markdown and HTML is not part of it.

/// Elements of HTML that may be in a cell. Another word in angle brackets stands for something: `<agent>`.
const ELEMENTS: [&str; 19] = [
    "a", "b", "br", "code", "del", "em", "font", "i", "img", "ins", "kbd", "mark", "s", "small", "span", "strong",
    "sub", "sup", "u",
];

/// Characters by their names in HTML.
const NAMED: [(&str, &str); 10] = [
    ("nbsp", " "),
    ("ensp", " "),
    ("emsp", " "),
    ("thinsp", " "),
    ("zwj", "\u{200d}"),
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
];

/// Longer names of characters and of pictures are none.
const LONGEST: usize = 40;
/// What closes an element or a link is looked for in so many bytes.
const NEAR: usize = 1000;

/// The name in a cell as a reader sees it: without emphasis, code, links, images, footnotes and elements of HTML. A picture by its name,
/// such as `:robot:`, is left out, unless it is all there is.
pub fn shown(cell: &str) -> String {
    // Most names are one word without any of it.
    if cell.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'@')) {
        return cell.to_owned();
    }
    let mut out = String::with_capacity(cell.len());
    let (mut rest, mut pictures) = (cell, String::new());
    while let Some(next) = rest.chars().next() {
        let (text, after) = match next {
            '*' | '`' | '~' => (None, rest.get(1..)),
            '\\' => escaped(rest),
            '<' => element(rest),
            '&' => character(rest),
            '[' | '!' => link(rest),
            ':' => picture(rest, &mut pictures),
            _ => (None, None),
        };
        if let Some(after) = after {
            out.push_str(&text.unwrap_or_default());
            rest = after;
        } else {
            out.push(next);
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let out = out.trim_matches(['_', ' ']);
    if out.is_empty() { pictures } else { out.to_owned() }
}

/// Whether a cell is struck through.
pub fn is_struck(cell: &str) -> bool {
    let may_be = memchr::memchr2(b'~', b'<', cell.as_bytes()).is_some();
    may_be && ["~~", "<s>", "<del>", "<strike>"].iter().any(|mark| cell.contains(mark))
}

/// How many bytes of `text` are an element of HTML, other than a line break, or a character by its name; `None` if it begins with none.
pub fn html(text: &str) -> Option<usize> {
    let (shown, after) = match text.chars().next() {
        Some('<') => element(text),
        Some('&') => character(text),
        _ => return None,
    };
    let is_break = text.starts_with('<') && shown.is_some();
    after.filter(|_| !is_break).map(|after| text.len() - after.len())
}

/// What is shown of the markup that a text begins with, and the text behind it; neither if it begins with none.
type Read<'t> = (Option<String>, Option<&'t str>);

/// What is ahead of the first `sign`, which is ASCII and near, and what is behind it.
fn until(text: &str, sign: char) -> Option<(&str, &str)> {
    let at = text.bytes().take(NEAR).position(|byte| char::from(byte) == sign)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// A sign behind a backslash is itself.
fn escaped(text: &str) -> Read<'_> {
    let sign = text.chars().nth(1).filter(char::is_ascii_punctuation);
    (sign.map(String::from), sign.and_then(|_| text.get(2..)))
}

/// `<b>`, `</b>`, `<br/>`: a line break is a blank.
fn element(text: &str) -> Read<'_> {
    let Some((tag, after)) = text.get(1..).and_then(|rest| until(rest, '>')) else { return (None, None) };
    let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_ascii_lowercase();
    if !ELEMENTS.contains(&name.as_str()) {
        return (None, None);
    }
    ((name == "br").then(|| " ".to_owned()), Some(after))
}

/// `&nbsp;`, `&#160;`, `&#xa0;`.
fn character(text: &str) -> Read<'_> {
    let Some((name, after)) = text.get(1..).and_then(|rest| until(rest, ';')) else { return (None, None) };
    let number = match name.strip_prefix('#').map(|number| number.strip_prefix(['x', 'X']).ok_or(number)) {
        Some(Ok(hexadecimal)) => u32::from_str_radix(hexadecimal, 16).ok(),
        Some(Err(decimal)) => decimal.parse().ok(),
        None => None,
    };
    let shown = match number {
        Some(number) => char::from_u32(number).map(String::from),
        None => NAMED.iter().find(|(known, _)| *known == name).map(|(_, shown)| (*shown).to_owned()),
    };
    let after = shown.is_some().then_some(after);
    (shown, after)
}

/// `[Zed](x.md)`, `[Zed][z]`, `![a picture](x.png)`, `[^1]`.
fn link(text: &str) -> Read<'_> {
    let is_image = text.starts_with('!');
    let inner = text.strip_prefix('!').unwrap_or(text).strip_prefix('[');
    let Some((inner, after)) = inner.and_then(|inner| until(inner, ']')) else { return (None, None) };
    if inner.starts_with('^') {
        return (None, Some(after));
    }
    let closing = match after.chars().next() {
        Some('(') => ')',
        Some('[') => ']',
        _ => return (None, None),
    };
    let Some((_, after)) = until(after, closing) else { return (None, None) };
    ((!is_image).then(|| shown_once(inner)), Some(after))
}

/// The text of a link, which has no other link in it.
fn shown_once(text: &str) -> String {
    if text.contains('[') { text.to_owned() } else { shown(text) }
}

/// `:robot:`, which is added to `pictures`.
fn picture<'t>(text: &'t str, pictures: &mut String) -> Read<'t> {
    let Some((name, after)) = text.get(1..).and_then(|rest| until(rest, ':')) else { return (None, None) };
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '+');
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_letter) {
        return (None, None);
    }
    pictures.push_str(name);
    (Some(" ".to_owned()), Some(after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_as_a_reader_sees_it() {
        for (cell, expected) in [
            ("<b>Zed</b>", "Zed"),
            ("<a href=\"x\">Zed</a>", "Zed"),
            ("[Zed][z]", "Zed"),
            ("[Zed][]", "Zed"),
            ("**[Zed](x.md)** [^1]", "Zed"),
            ("[**Zed**](x.md) ⭐", "Zed ⭐"),
            ("![](zed.png) Zed", "Zed"),
            (":robot: Zed", "Zed"),
            (":robot:", "robot"),
            ("Zed[^1]", "Zed"),
            ("Mary<br>Ann", "Mary Ann"),
            ("Mary<BR />Ann", "Mary Ann"),
            ("Mary&nbsp;Ann&#160;&#xA0;", "Mary Ann"),
            ("`~~Zed~~`", "Zed"),
            ("_Zed_", "Zed"),
            ("Zed \\*", "Zed *"),
            ("R&D", "R&D"),
            ("<agent>", "<agent>"),
            ("{Name}", "{Name}"),
            ("A: B: C", "A: B: C"),
            ("[x", "[x"),
            ("Zed [lead]", "Zed [lead]"),
            ("", ""),
            ("<br>", ""),
        ] {
            assert_eq!(shown(cell), expected, "{cell}");
        }
        let lens: Vec<_> = ["<b>x", "</b>", "&nbsp;x", "<br>", "<x>", "& x;", ""].into_iter().map(html).collect();
        assert_eq!(lens, [Some(3), Some(4), Some(6), None, None, None, None]);
        assert!(is_struck("<del>Zed</del>") && is_struck("~~Zed~~") && !is_struck("Zed ~"));
    }

    proptest! {
        /// What is shown has no markup left that is taken away.
        #[test]
        fn a_plain_name_is_itself(name in "[A-Za-zäß🦊][A-Za-zäß0-9🦊.-]{0,12}") {
            prop_assert_eq!(shown(&name), name.as_str());
            for marked in [format!("<i>{name}</i>"), format!("[{name}][x]"), format!(":a_b: {name}[^2]"), format!("**{name}**&nbsp;")] {
                prop_assert_eq!(shown(&marked), name.as_str(), "{}", marked);
            }
        }

        #[test]
        fn any_cell_is_read(cell in "[\\[\\]()<>&;:!^\\\\*`~a-c#x0-9🦊 ]{0,40}") {
            let once = shown(&cell);
            prop_assert!(once.len() <= cell.len());
        }
    }
}
