//! The words of a text, and its pieces between the signs that part it.

/// Whether `local` is in `text`. Nearly all lines end here.
pub(super) fn may_say_local(text: &str) -> bool {
    has(text, "local", b'c')
}

/// Whether `portable` is in `text`.
pub(super) fn may_say_portable(text: &str) -> bool {
    has(text, "portable", b'b')
}

/// Whether `context` is in `text`.
pub(super) fn may_say_context(text: &str) -> bool {
    has(text, "context", b'x')
}

/// Whether `word` is in `text`, in any case. `rare` is a letter that is in it once.
pub(super) fn has(text: &str, word: &str, rare: u8) -> bool {
    let before = word.bytes().position(|byte| byte == rare).unwrap_or_default();
    memchr::memchr2_iter(rare, rare.to_ascii_uppercase(), text.as_bytes()).any(|at| {
        let found = at.checked_sub(before).and_then(|start| text.as_bytes().get(start..start + word.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// The words of `text`, without all signs.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Likewise, with the place of each.
pub(super) fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let is_sign = |c: char| !c.is_alphanumeric();
    let mut at = 0;
    text.split_inclusive(is_sign).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end_matches(is_sign);
        (!word.is_empty()).then_some((start, word))
    })
}

/// Whether `word` is `known`, in any case.
pub(super) fn is(word: &str, known: &str) -> bool {
    word.eq_ignore_ascii_case(known)
}

/// Whether `word` is one of `known`.
pub(super) fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| is(word, known))
}

/// Whether `word` begins with `start`.
pub(super) fn begins_with(word: &str, start: &str) -> bool {
    word.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// A part of a text between signs that part it.
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    /// Whether it is in brackets or a label: what it says is about what is around it.
    pub(super) is_set_off: bool,
    /// Whether it is behind brackets: it goes on with the sentence before these.
    pub(super) goes_on: bool,
    /// Whether it ends with `?`.
    pub(super) asks: bool,
}

/// The parts of `text` between the ends of sentences, brackets, the limits of cells, colons, and dashes with blanks around them.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = Some(text);
    let mut begin = ' ';
    std::iter::from_fn(move || {
        let text = rest?;
        let mut before = ' ';
        let end = text.char_indices().find(|(at, c)| {
            let last = std::mem::replace(&mut before, *c);
            let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
            match c {
                // `a|b` is a pattern.
                '|' => *at == 0 || last.is_whitespace() || behind.trim_start().is_empty(),
                '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '→' | '\u{b7}' | '•' => true,
                '.' | '!' | '?' | ';' | ':' => !behind.starts_with(|c: char| c.is_alphanumeric() || "/:_".contains(c)),
                '—' | '–' | '-' => {
                    last.is_whitespace() && behind.starts_with(|c: char| c.is_whitespace() || c == '-')
                }
                _ => false,
            }
        });
        let (at, sign) = end.unwrap_or((text.len(), ' '));
        let piece = text.get(..at).unwrap_or_default();
        rest = end.and_then(|_| text.get(at + sign.len_utf8()..));
        let begins = std::mem::replace(&mut begin, sign);
        let is_set_off = matches!(begins, '(' | '[' | '{' | '|') && matches!(sign, ')' | ']' | '}' | '|')
            || matches!(sign, ':' | '—' | '–' | '-');
        let goes_on = begins == ')' && !is_set_off;
        Some(Piece { text: piece, is_set_off, goes_on, asks: sign == '?' })
    })
}

/// The parts of `text` in brackets or in bold.
pub(super) fn set_off(text: &str) -> impl Iterator<Item = &str> {
    let mut open = None;
    let brackets = text.match_indices(['(', ')', '[', ']', '{', '}']).filter_map(move |(at, sign)| {
        let is_open = matches!(sign, "(" | "[" | "{");
        let start = std::mem::replace(&mut open, is_open.then_some(at + 1));
        start.filter(|_| !is_open).and_then(|start| text.get(start..at))
    });
    let bold = ["**", "__"].into_iter().flat_map(|sign| text.split(sign).skip(1).step_by(2));
    brackets.chain(bold)
}
