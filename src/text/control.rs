//! Characters that a terminal obeys instead of showing them.

use super::{Span, mojibake};

/// What a terminal obeys in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// All that is not shown.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of what a terminal obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// ESC and what follows, such as `ESC [31m`, or the same with one character.
    Sequence,
    /// One control character.
    Character,
}

/// Whether ESC begins a sequence before `next`. A shell that took `` `e `` for an escape leaves a letter there.
pub fn begins_sequence(next: u8) -> bool {
    matches!(next, b'[' | b']' | b'(' | b')' | b'^' | b'#' | b'=' | b'>')
}

/// The sequences in `text` for terminals, and the control characters from U+0080 to U+009F, in order. Of a text in the wrong encoding,
/// in which one character became several, none is reported.
pub fn sequences(text: &str) -> Vec<Control> {
    let mut found: Vec<Control> = Vec::new();
    let mut passed = 0;
    for at in memchr::memchr2_iter(0x1b, 0xc2, text.as_bytes()) {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let (kind, len) = match rest {
            _ if at < passed => continue,
            [0x1b, next, behind @ ..] if begins_sequence(*next) => (Kind::Sequence, 2 + behind_start(*next, behind)),
            [0xc2, 0x9b, behind @ ..] => (Kind::Sequence, 2 + behind_start(b'[', behind)),
            [0xc2, 0x90 | 0x98 | 0x9d..=0x9f, behind @ ..] => (Kind::Sequence, 2 + behind_start(b']', behind)),
            [0xc2, 0x80..=0x9f, ..] => (Kind::Character, 2),
            _ => continue,
        };
        // What ends like a sequence is one, whatever is before it.
        let is_read_wrongly = || is_misread(text, at) || len == 2 && mojibake::is_part(text, at);
        if rest.first() == Some(&0xc2) && is_read_wrongly() {
            continue;
        }
        passed = at + len;
        found.push(Control { span: Span::new(at, passed), kind });
    }
    found
}

/// The control characters in `text`, beside those of [`sequences`], that move the cursor or change what other characters mean.
pub fn characters(text: &str) -> impl Iterator<Item = Control> {
    let is_obeyed = |byte: u8| matches!(byte, 0x08 | 0x0b | 0x0c | 0x0e | 0x0f | 0x1b);
    let found = text.bytes().enumerate().filter(move |(_, byte)| is_obeyed(*byte));
    found.map(|(at, _)| Control { span: Span::new(at, at + 1), kind: Kind::Character })
}

/// The bytes of a sequence after the sign that it begins with.
fn behind_start(sign: u8, rest: &[u8]) -> usize {
    match sign {
        b'[' => {
            let parameters = rest.iter().take_while(|byte| matches!(byte, b' '..=b'?')).count();
            let is_ended = rest.get(parameters).is_some_and(|last| matches!(last, b'@'..=b'~'));
            if is_ended { parameters + 1 } else { 0 }
        }
        // A text for the terminal, such as its title, up to BEL or the end of a string.
        b']' | b'^' => {
            let line = rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            let line = rest.get(..line).unwrap_or_default();
            let end = |end: &[u8]| memchr::memmem::find(line, end).map(|at| at + end.len());
            [end(b"\x07"), end(b"\x1b\\"), end(b"\xc2\x9c")].into_iter().flatten().min().unwrap_or(0)
        }
        b'(' | b')' | b'#' => usize::from(rest.first().is_some_and(u8::is_ascii_alphanumeric)),
        _ => 0,
    }
}

/// Whether the character at `at` is one byte of a character that somebody read in the wrong encoding: `â`, U+0080 and U+0099 for `’`.
fn is_misread(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().chars().rev().take(3);
    let back = before.take_while(|c| ('\u{80}'..='\u{ff}').contains(c)).map(char::len_utf8);
    let starts = back.scan(at, |start, len| {
        *start -= len;
        Some(*start)
    });
    starts.into_iter().any(|start| {
        let latin =
            text.get(start..).unwrap_or_default().chars().take(4).map_while(|c| u8::try_from(u32::from(c)).ok());
        let bytes: Vec<u8> = latin.collect();
        let first = bytes.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        // The bytes of this one reach up to `at`, as each of them takes two bytes here.
        first.is_some_and(|c| !c.is_ascii() && !c.is_control() && start + 2 * c.len_utf8() > at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        sequences(text).iter().map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn what_a_terminal_obeys() {
        for (text, expected) in [
            ("a \u{1b}[31mred\u{1b}[0m", ["\u{1b}[31m", "\u{1b}[0m"].as_slice()),
            ("\u{1b}[2J\u{1b}[1;1H", &["\u{1b}[2J", "\u{1b}[1;1H"]),
            ("\u{1b}]0;title\u{7}x", &["\u{1b}]0;title\u{7}"]),
            (
                "\u{1b}]8;;https://a.b\u{1b}\\link\u{1b}]8;;\u{1b}\\",
                &["\u{1b}]8;;https://a.b\u{1b}\\", "\u{1b}]8;;\u{1b}\\"],
            ),
            ("\u{1b}]0;no end\nx\u{7}", &["\u{1b}]"]),
            ("\u{9b}31mred, \u{9d}0;t\u{9c}", &["\u{9b}31m", "\u{9d}0;t\u{9c}"]),
            ("\u{1b}(0 \u{1b}=", &["\u{1b}(0", "\u{1b}="]),
            ("a\u{85}b \u{c2}\u{9b}31m", &["\u{85}", "\u{9b}31m"]),
            // What a shell left, a text in the wrong encoding, and no control character.
            ("the \u{1b}dit tool, \u{e2}\u{80}\u{99}s, \u{f0}\u{9f}\u{9a}\u{80}, \u{c2}\u{a0} \u{e9}", &[]),
        ] {
            assert_eq!(found(text), expected, "{text:?}");
        }
        assert_eq!(characters("a\tb\r\n\u{8}\u{0}").map(|one| one.span.start).collect::<Vec<_>>(), [5]);
    }
}
