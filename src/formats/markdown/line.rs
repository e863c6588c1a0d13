//! What one line is, by itself: the line-level rules of CommonMark, as byte tests.

/// What ends an open HTML block (CommonMark §4.6).
#[derive(Clone, Copy)]
pub(super) enum HtmlEnd {
    /// The line that holds this.
    At(&'static [u8]),
    /// A blank line.
    Blank,
}

/// The width of the white space at the start of a line, in columns (tabs stop every four), and in bytes.
pub fn indentation(line: &[u8]) -> (usize, usize) {
    columns(line, 0)
}

/// The column at which the text begins of `rest`, which is at `column` of a line, and its white space in bytes.
pub(super) fn columns(rest: &[u8], mut column: usize) -> (usize, usize) {
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 4 - column % 4,
            _ => return (column, at),
        }
    }
    (column, rest.len())
}

/// The level of an ATX heading: one to six `#` and a blank or the line's end after them.
pub fn heading_level(rest: &[u8]) -> Option<u8> {
    let level = run(rest, b'#');
    let blank = rest.get(level).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    u8::try_from(level).ok().filter(|level| (1..=6).contains(level) && blank)
}

/// How many times `byte` is at the start.
pub(super) fn run(rest: &[u8], byte: u8) -> usize {
    rest.iter().take_while(|&&other| other == byte).count()
}

/// The byte and length of a code fence that `rest` opens.
pub(super) fn opens_fence(rest: &[u8]) -> Option<(u8, usize)> {
    let &byte = rest.first()?;
    let len = run(rest, byte);
    let info = rest.get(len..)?;
    (len >= 3 && !(byte == b'`' && info.contains(&b'`'))).then_some((byte, len))
}

/// The length of a list marker at the start (`-`, `*`, `+`, `12.`, `12)`) that a blank or the line's end follows.
pub(super) fn list_marker(rest: &[u8]) -> Option<usize> {
    let len = match rest.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            (digits <= 9 && matches!(rest.get(digits), Some(b'.' | b')'))).then_some(digits + 1)?
        }
        _ => return None,
    };
    rest.get(len).is_none_or(|byte| matches!(byte, b' ' | b'\t')).then_some(len)
}

/// The length of the marker of the list item that `rest`, a line without its indentation, opens.
pub fn item_marker(rest: &[u8]) -> Option<usize> {
    list_marker(rest).filter(|_| !is_thematic_break(rest))
}

/// The underline of a setext heading.
pub(super) fn is_underline(rest: &[u8], byte: u8) -> bool {
    rest.get(run(rest, byte)..).is_some_and(|tail| tail.trim_ascii().is_empty())
}

/// Three or more of one byte, perhaps with blanks between (CommonMark §4.1).
pub fn is_thematic_break(rest: &[u8]) -> bool {
    let Some(&byte) = rest.first() else { return false };
    rest.iter().all(|&other| other == byte || matches!(other, b' ' | b'\t'))
        && rest.iter().filter(|&&other| other == byte).count() >= 3
}

/// Seven equal bytes and a blank or the line's end, as git writes conflicts.
pub(super) fn is_conflict(rest: &[u8]) -> bool {
    rest.first().is_some_and(|&byte| run(rest, byte) == 7) && rest.get(7).is_none_or(|&byte| byte == b' ')
}

/// Tags that open an HTML block of kind 6 are many; any tag does here, at the price of a tag alone on its line
/// interrupting a paragraph, which changes no entry.
pub(super) fn html_end(rest: &[u8]) -> Option<HtmlEnd> {
    let after = rest.get(1..)?;
    if after.starts_with(b"!--") {
        return Some(HtmlEnd::At(b"-->"));
    }
    if after.starts_with(b"?") {
        return Some(HtmlEnd::At(b"?>"));
    }
    if after.starts_with(b"![CDATA[") {
        return Some(HtmlEnd::At(b"]]>"));
    }
    let name = after.strip_prefix(b"/").unwrap_or(after);
    let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = name.get(..len)?;
    let delimited = matches!(after.get(len), None | Some(b' ' | b'\t' | b'>' | b'/')) || after.starts_with(b"/");
    if !delimited {
        return None;
    }
    for (tag, end) in [(&b"script"[..], &b"</script>"[..]), (b"pre", b"</pre>"), (b"style", b"</style>")] {
        if name.eq_ignore_ascii_case(tag) && !after.starts_with(b"/") {
            return Some(HtmlEnd::At(end));
        }
    }
    BLOCK_TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag)).then_some(HtmlEnd::Blank)
}

/// The block tags of CommonMark §4.6 that occur in prose.
const BLOCK_TAGS: [&[u8]; 24] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"center",
    b"dd",
    b"details",
    b"div",
    b"dl",
    b"dt",
    b"figure",
    b"footer",
    b"h1",
    b"h2",
    b"h3",
    b"header",
    b"hr",
    b"li",
    b"ol",
    b"p",
    b"section",
    b"summary",
    b"table",
    b"ul",
];
