//! Characters that people do not see and programs read: what a text says to a model can differ from what a reviewer sees.

use super::Span;

/// What is hidden in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The characters, which follow each other.
    pub span: Span,
    /// What they are.
    pub kind: Kind,
}

/// The kinds of hidden characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// U+E0000 to U+E007F, a second ASCII that no font shows. The flags of England, Scotland and Wales are none.
    Tag,
    /// What changes the direction of a text, such as U+202E.
    Direction,
    /// What takes no room, such as U+200B. Joiners in emoji, and in the scripts that need them, are none.
    ZeroWidth,
    /// Variation selectors that change no character: each can stand for a byte.
    Selector,
    /// Letters that look like a blank, such as U+3164.
    Filler,
    /// U+2028 and U+2029: a line end for some programs only.
    LineEnd,
}

impl Kind {
    /// What it is called in a message.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tag => "tag character",
            Self::Direction => "bidi control character",
            Self::ZeroWidth => "zero-width character",
            Self::Selector => "variation selector",
            Self::Filler => "blank letter",
            Self::LineEnd => "line separator",
        }
    }
}

/// So many bytes are looked at at a time, and then so many of them.
const CHUNK: usize = 64;
const PART: usize = 8;

/// Calls `look` with what is hidden in `text`, in order. A byte order mark at its start is not. There can be millions: none is kept.
pub fn find(text: &str, mut look: impl FnMut(Hidden)) {
    let bytes = text.as_bytes();
    let mut last: Option<Hidden> = None;
    let mut passed = 0;
    // Most texts have few characters outside of ASCII: dashes, arrows, emoji.
    let chunks = bytes.chunks(CHUNK).zip((0..).step_by(CHUNK)).filter(|(chunk, _)| !chunk.is_ascii());
    let parts = chunks.flat_map(|(chunk, at)| chunk.chunks(PART).zip((at..).step_by(PART)));
    for at in parts.flat_map(|(part, at)| beginnings(part).map(move |inner| at + inner)) {
        if at < passed || !may_hide(bytes.get(at..).unwrap_or_default()) {
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        let end = at + c.len_utf8();
        if let Some(flag) = flag_end(text, at) {
            passed = flag;
            continue;
        }
        let Some(kind) = kind(c).filter(|_| at > 0 || c != BOM).filter(|_| !belongs(c, text, at, end)) else {
            continue;
        };
        match &mut last {
            Some(last) if last.kind == kind && last.span.end() == at => last.span = Span::new(last.span.start(), end),
            _ => last.replace(Hidden { span: Span::new(at, end), kind }).into_iter().for_each(&mut look),
        }
    }
    last.into_iter().for_each(look);
}

/// Where characters outside of ASCII begin in `part`, which has [`PART`] bytes or less.
fn beginnings(part: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let word = part.first_chunk().copied().unwrap_or_else(|| {
        let mut word = [0; PART];
        word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
        word
    });
    let word = u64::from_le_bytes(word);
    // The two highest bits of each such byte are set.
    let mut left = word & (word << 1) & (u64::MAX / 255 * 0x80);
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(bit as usize / 8)
    })
}

/// Whether anything is hidden in `text`.
pub fn is_in(text: &str) -> bool {
    let mut is_found = false;
    find(text, |_| is_found = true);
    is_found
}

/// Whether `c` takes room or none and shows nothing, as in a name that looks like another one.
pub fn is_blank(c: char) -> bool {
    kind(c).is_some()
}

/// The byte order mark, which is a zero-width character in the middle of a text.
const BOM: char = '\u{feff}';

/// Whether a character with these first bytes can be one that [`kind`] knows.
fn may_hide(bytes: &[u8]) -> bool {
    match *bytes {
        [0xc2, 0xad, ..] | [0xcd, 0x8f, ..] | [0xd8, 0x9c, ..] | [0xe3, 0x85, 0xa4, ..] | [0xf3, 0xa0, ..] => true,
        [0xe1, 0x85, last, ..] => matches!(last, 0x9f | 0xa0),
        [0xe1, 0x9e, last, ..] => matches!(last, 0xb4 | 0xb5),
        [0xe1, 0xa0, last, ..] => last == 0x8e,
        [0xe2, 0x80, last, ..] => matches!(last, 0x8b..=0x8f | 0xa8..=0xae),
        [0xe2, 0x81, last, ..] => last >= 0xa0,
        [0xef, middle, ..] => matches!(middle, 0xb8 | 0xbb | 0xbe | 0xbf),
        [0xf0, 0x9d, 0x85, last, ..] => last >= 0xb3,
        _ => false,
    }
}

fn kind(c: char) -> Option<Kind> {
    match c {
        '\u{e0000}'..='\u{e007f}' => Some(Kind::Tag),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Kind::Direction)
        }
        // The second line: a soft hyphen, a joiner of graphemes, vowels of Khmer that are not written, marks of notes for text and
        // music.
        '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | BOM
        | '\u{ad}'
        | '\u{34f}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' => Some(Kind::ZeroWidth),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Some(Kind::Selector),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some(Kind::Filler),
        '\u{2028}' | '\u{2029}' => Some(Kind::LineEnd),
        _ => None,
    }
}

/// Whether `c`, from `at` to `end`, has a use that readers see: it joins emoji or letters, or chooses the look of a character.
fn belongs(c: char, text: &str, at: usize, end: usize) -> bool {
    let (texts_before, texts_after) = (text.get(..at).unwrap_or_default(), text.get(end..).unwrap_or_default());
    let (before, after) = (texts_before.chars().next_back(), texts_after.chars().next());
    let is_one = |c: Option<char>, is: fn(char) -> bool| c.is_some_and(is);
    if is_one(before, |c| kind(c).is_some() && !is_of_emoji(c)) {
        // One has a use, a row of them has none. But the end of an isolate can be after a mark, and one isolate in another one.
        return matches!(c, '\u{2066}'..='\u{2069}') && is_isolate(c, texts_before, texts_after);
    }
    match c {
        // A joiner is between two emoji, or between or behind letters of a script that joins them. With a skin or a look, an emoji is two
        // characters.
        '\u{200d}' if is_one(before, is_of_emoji) => is_one(after, is_emoji),
        '\u{200d}' | '\u{17b4}' | '\u{17b5}' => is_one(before, joins),
        // In Persian, endings are parted from words of other scripts, and from quotation marks.
        '\u{200c}' => is_one(before, joins) || is_one(after, joins),
        // Scripts without blanks say where a line can end.
        '\u{200b}' => is_one(before, is_without_blanks) || is_one(after, is_without_blanks),
        '\u{180e}' => is_one(before, |c| matches!(c, '\u{1820}'..='\u{18aa}')),
        // The marks of direction separate scripts that are written from the right from others.
        '\u{200e}' | '\u{200f}' | '\u{61c}' => is_near_from_right(texts_before, texts_after),
        '\u{2066}'..='\u{2069}' => is_isolate(c, texts_before, texts_after),
        // The look of an emoji, or of a digit in a keycap.
        '\u{fe0e}' | '\u{fe0f}' => {
            is_one(before, |c| is_emoji(c) || has_variants(c))
                || is_one(before, |c| c.is_ascii_digit() || matches!(c, '#' | '*')) && after == Some('\u{20e3}')
        }
        '\u{fe00}'..='\u{fe0d}' => is_one(before, has_variants),
        // Ideographs have variants by the dozen.
        '\u{e0100}'..='\u{e011f}' => is_one(before, is_ideograph),
        // Syllables of Hangul with a part that is missing.
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => is_one(before, is_jamo) || is_one(after, is_jamo),
        _ => false,
    }
}

/// So many characters away can be what a mark of direction is about.
const NEAR: usize = 40;

/// So many characters are in an isolate at most.
const LONGEST_ISOLATE: usize = 200;

fn is_near_from_right(before: &str, after: &str) -> bool {
    before.chars().rev().take(NEAR).chain(after.chars().take(NEAR)).any(is_from_right)
}

/// Whether `c` begins or ends an isolate that is whole, on one line, and near letters that are written from the right.
fn is_isolate(c: char, before: &str, after: &str) -> bool {
    let is_end = c == '\u{2069}';
    let mut depth = 0_usize;
    let mut closes = |other: char| {
        let is_same = (other == '\u{2069}') == is_end;
        match other {
            '\u{2066}'..='\u{2069}' if is_same => depth += 1,
            '\u{2066}'..='\u{2069}' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(true),
            },
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' => return Some(false),
            _ => {}
        }
        None
    };
    let is_whole = match is_end {
        true => before.chars().rev().take(LONGEST_ISOLATE).find_map(&mut closes),
        false => after.chars().take(LONGEST_ISOLATE).find_map(&mut closes),
    };
    is_whole == Some(true) && is_near_from_right(before, after)
}

/// The end of the flag whose first tag character is at `at`: a black flag is before it, and then come the letters of a region: a
/// country of Great Britain, or a state of the USA.
fn flag_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(..at).filter(|before| before.ends_with('\u{1f3f4}')).and_then(|_| text.get(at..))?;
    let letter = |c: char| u8::try_from(u32::from(c).checked_sub(0xe0000)?).ok().filter(u8::is_ascii_lowercase);
    let letters: Vec<u8> = rest.chars().take(6).map_while(letter).collect();
    let is_region = matches!(letters.as_slice(), b"gbeng" | b"gbsct" | b"gbwls" | [b'u', b's', _, _]);
    let is_flag = is_region && rest.get(letters.len() * 4..)?.starts_with('\u{e007f}');
    is_flag.then_some(at + letters.len() * 4 + 4)
}

/// Whether `c` is of a script that is written without blanks between words.
fn is_without_blanks(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{1aad}')
        || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}')
        || is_ideograph(c)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
        || matches!(c, '\u{20000}'..='\u{3ffff}')
}

/// Whether a letter of Hangul is written in parts.
fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115e}' | '\u{1161}'..='\u{11ff}' | '\u{3131}'..='\u{3163}' | '\u{3165}'..='\u{318e}')
        || matches!(c, '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7fb}' | '\u{ffa1}'..='\u{ffdc}')
}

/// Whether there are variants of `c`: of symbols, ideographs, letters of Myanmar and Phags-pa.
fn has_variants(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2bff}' | '\u{3000}'..='\u{33ff}' | '\u{1000}'..='\u{109f}' | '\u{a840}'..='\u{a87f}')
        || matches!(c, '\u{ff01}'..='\u{ff60}')
        || is_ideograph(c)
}

/// A character that an emoji can end with before it is joined to another one.
fn is_of_emoji(c: char) -> bool {
    is_emoji(c) || matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2049}')
}

/// Whether `c` is of a script whose letters change when they are joined: Arabic and its kin, and those of India and its neighbours.
fn joins(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{1a20}'..='\u{1cff}' | '\u{a800}'..='\u{abff}')
        || matches!(c, '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{11fff}')
}

/// Whether `c` is of a script that is written from the right.
fn is_from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Kind)> {
        let mut all = Vec::new();
        find(text, |one| all.push((one.span.of(text).escape_unicode().to_string(), one.kind)));
        all
    }

    #[test]
    fn what_nobody_sees() {
        for (text, kind, hidden) in [
            ("a\u{200b}b", Kind::ZeroWidth, "\u{200b}"),
            ("a\u{200b}\u{2060}b", Kind::ZeroWidth, "\u{200b}\u{2060}"),
            ("a\u{200d}b", Kind::ZeroWidth, "\u{200d}"),
            ("a\u{feff}b", Kind::ZeroWidth, "\u{feff}"),
            ("x\u{202e}y", Kind::Direction, "\u{202e}"),
            ("if \u{2066}x\u{2069}", Kind::Direction, "\u{2066}"),
            ("a\u{200f}b", Kind::Direction, "\u{200f}"),
            ("a\u{e0069}\u{e0067}", Kind::Tag, "\u{e0069}\u{e0067}"),
            ("\u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e006f}", Kind::Tag, "\u{e0069}\u{e0067}\u{e006e}\u{e006f}"),
            ("a\u{fe01}\u{fe02}", Kind::Selector, "\u{fe01}\u{fe02}"),
            ("\u{1f600}\u{e0101}\u{e0102}", Kind::Selector, "\u{e0101}\u{e0102}"),
            ("\u{2764}\u{fe0f}\u{fe01}", Kind::Selector, "\u{fe01}"),
            ("-\u{fe01}.", Kind::Selector, "\u{fe01}"),
            ("\u{43f}\u{fe01}\u{440}", Kind::Selector, "\u{fe01}"),
            ("\u{1f600}\u{fe01}", Kind::Selector, "\u{fe01}"),
            ("\u{4e2d}\u{e0122}", Kind::Selector, "\u{e0122}"),
            ("pass\u{ad}word", Kind::ZeroWidth, "\u{ad}"),
            ("a\u{34f}b", Kind::ZeroWidth, "\u{34f}"),
            ("a\u{180e}b", Kind::ZeroWidth, "\u{180e}"),
            ("a\u{17b4}b", Kind::ZeroWidth, "\u{17b4}"),
            ("a\u{fff9}b\u{fffa}c\u{fffb}", Kind::ZeroWidth, "\u{fff9}"),
            ("a\u{1d173}b", Kind::ZeroWidth, "\u{1d173}"),
            ("a\u{61c}b", Kind::Direction, "\u{61c}"),
            ("\u{5d0}\u{200f}\u{200e}\u{200f}", Kind::Direction, "\u{200e}\u{200f}"),
            ("\u{5d0} \u{2066}a\nb\u{2069}", Kind::Direction, "\u{2066}"),
            ("\u{5d0} \u{2066}a \u{202e}b\u{2069}", Kind::Direction, "\u{2066}"),
            ("a\u{115f}b", Kind::Filler, "\u{115f}"),
            ("a\u{3164}b", Kind::Filler, "\u{3164}"),
            ("a\u{ffa0}b", Kind::Filler, "\u{ffa0}"),
            ("a\u{2028}b", Kind::LineEnd, "\u{2028}"),
            ("a\u{2029}b", Kind::LineEnd, "\u{2029}"),
            ("\u{645}\u{200c}\u{200d}\u{200c}", Kind::ZeroWidth, "\u{200d}\u{200c}"),
        ] {
            assert_eq!(found(text)[0], (hidden.escape_unicode().to_string(), kind), "{text:?}");
        }
    }

    #[test]
    fn what_has_a_use() {
        for text in [
            "\u{feff}# Title — with “quotes”… → and ✅",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308} \u{1f469}\u{1f3fd}\u{200d}\u{1f4bb}",
            "\u{26a0}\u{fe0f} 1\u{fe0f}\u{20e3} \u{2764}\u{fe0f}\u{200d}\u{1f525} \u{a9}\u{fe0f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645} \u{915}\u{94d}\u{200d}\u{937}",
            "\u{5d0}\u{200f}! C++\u{200e} \u{5d1}",
            "\u{8fbb}\u{e0100} \u{2229}\u{fe00} \u{3297}\u{fe0f} \u{203c}\u{fe0f} #\u{fe0f}\u{20e3} \u{2122}\u{fe0f}",
            "PDF\u{200c}\u{647}\u{627} 10\u{200c}\u{62a}\u{627} **\u{645}**\u{200c}\u{647} `main`\u{200c}\u{647}",
            "\u{1797}\u{17b6}\u{200b}\u{1781} \u{e20}\u{200b}\u{e44} \u{1019}\u{200b}\u{1005} \u{eaa}\u{200b}\u{ea5} \u{6771}\u{4eac}\u{200b}\u{90fd}",
            "\u{5e7}\u{5d5}\u{5d1} \u{2066}main.rs\u{2069} \u{5db}\u{5d0}\u{5df} \u{2067}\u{2066}a\u{2069}\u{2069}",
            "\u{645}\u{61c} 5 \u{1820}\u{180e}\u{1820} \u{1100}\u{1160}",
            "\u{1f3f4}\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}",
        ] {
            assert_eq!(found(text), [], "{text:?}");
        }
    }

    #[test]
    fn no_character_is_passed_over_by_its_first_bytes() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| kind(*c).is_some()) {
            let mut bytes = [0; 4];
            assert!(may_hide(c.encode_utf8(&mut bytes).as_bytes()), "{}", c.escape_unicode());
        }
    }
}
