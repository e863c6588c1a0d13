//! Words and phrases in a text, in any case of ASCII letters: what a pattern would say that takes long to compile.

/// Whether a character can be in a word.
pub fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether `text` begins with one of `phrases`, and no word continues after it.
pub fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let first = text.as_bytes().first().map(u8::to_ascii_lowercase);
    let is_here = |phrase: &str| {
        text.split_at_checked(phrase.len())
            .is_some_and(|(start, rest)| start.eq_ignore_ascii_case(phrase) && !rest.starts_with(is_in_word))
    };
    phrases.iter().any(|phrase| phrase.as_bytes().first() == first.as_ref() && is_here(phrase))
}

/// Whether one of `phrases` is in `text`, and no word goes on before or after it. Each begins with two ASCII letters.
pub fn has_any(text: &str, phrases: &[&str]) -> bool {
    // The letters of the alphabet have their numbers in the last five bits, in both cases. Few words begin as a phrase does.
    let letter = |byte: u8| usize::from(byte & 0x1f);
    let mut second = [0_u32; 32];
    for phrase in phrases {
        if let [first, next, ..] = phrase.as_bytes()
            && let Some(letters) = second.get_mut(letter(*first))
        {
            *letters |= 1 << letter(*next);
        }
    }
    let mut is_behind_word = false;
    text.as_bytes().windows(2).enumerate().any(|(at, pair)| {
        let &[byte, next] = pair else { return false };
        let is_behind_word = std::mem::replace(&mut is_behind_word, byte.is_ascii_alphanumeric());
        if is_behind_word
            || !byte.is_ascii_alphabetic()
            || second.get(letter(byte)).is_none_or(|letters| letters >> letter(next) & 1 == 0)
        {
            return false;
        }
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        begins_with(rest, phrases) && !before.ends_with(is_in_word)
    })
}

/// Whether `text` has `phrase`, whatever is around it.
pub fn contains(text: &str, phrase: &str) -> bool {
    let (bytes, phrase) = (text.as_bytes(), phrase.as_bytes());
    let Some(first) = phrase.first() else { return true };
    let is_here = |at: usize| bytes.get(at..at + phrase.len()).is_some_and(|here| here.eq_ignore_ascii_case(phrase));
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes).any(is_here)
}
