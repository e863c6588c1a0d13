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
}

impl Kind {
    /// What it is called in a message.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tag => "tag character",
            Self::Direction => "direction control",
            Self::ZeroWidth => "zero-width character",
            Self::Selector => "variation selector",
        }
    }
}

/// What is hidden in `text`, in order. A byte order mark at its start is not.
pub fn find(text: &str) -> Vec<Hidden> {
    let bytes = text.as_bytes();
    let mut found: Vec<Hidden> = Vec::new();
    let mut passed = 0;
    // Each hidden character begins with one of three bytes. Most texts have few of them: dashes, arrows, emoji.
    for at in memchr::memchr3_iter(0xe2, 0xef, 0xf3, bytes) {
        if at < passed || !may_hide(bytes.get(at..at + 3).unwrap_or_default()) {
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
        match found.last_mut() {
            Some(last) if last.kind == kind && last.span.end() == at => last.span = Span::new(last.span.start(), end),
            _ => found.push(Hidden { span: Span::new(at, end), kind }),
        }
    }
    found
}

/// Whether `c` takes room or none and shows nothing, as in a name that looks like another one.
pub fn is_blank(c: char) -> bool {
    kind(c).is_some() || matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// The byte order mark, which is a zero-width character in the middle of a text.
const BOM: char = '\u{feff}';

/// Whether a character with these first bytes can be one that [`kind`] knows.
fn may_hide(bytes: &[u8]) -> bool {
    match *bytes {
        [0xe2, 0x80, last] => matches!(last, 0x8b..=0x8f | 0xaa..=0xae),
        [0xe2, 0x81, last] => last >= 0xa0,
        [0xef, middle, _] => matches!(middle, 0xb8 | 0xbb),
        [0xf3, 0xa0, _] => true,
        _ => false,
    }
}

fn kind(c: char) -> Option<Kind> {
    match c {
        '\u{e0000}'..='\u{e007f}' => Some(Kind::Tag),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Kind::Direction),
        '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | BOM => Some(Kind::ZeroWidth),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Some(Kind::Selector),
        _ => None,
    }
}

/// Whether `c`, from `at` to `end`, has a use that readers see: it joins emoji or letters, or chooses the look of a character.
fn belongs(c: char, text: &str, at: usize, end: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(end..).and_then(|after| after.chars().next());
    let is_one = |c: Option<char>, is: fn(char) -> bool| c.is_some_and(is);
    match c {
        // A joiner is between two emoji, or between or behind letters of a script that joins them. With a skin or a look, an emoji is two
        // characters.
        '\u{200d}' if is_one(before, is_of_emoji) => is_one(after, is_emoji),
        '\u{200c}' | '\u{200d}' => is_one(before, joins),
        // The marks of direction separate scripts that are written from the right from others.
        '\u{200e}' | '\u{200f}' => {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(end..).unwrap_or_default());
            before.chars().rev().take(NEAR).chain(after.chars().take(NEAR)).any(is_from_right)
        }
        '\u{fe00}'..='\u{fe0f}' => {
            is_one(before, |c| !c.is_ascii_alphanumeric() && !c.is_whitespace() && kind(c).is_none())
                || is_one(before, |c| c.is_ascii_digit()) && after == Some('\u{20e3}')
        }
        // Ideographs have variants by the hundred.
        '\u{e0100}'..='\u{e01ef}' => is_one(
            before,
            |c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'),
        ),
        _ => false,
    }
}

/// So many characters away can be what a mark of direction is about.
const NEAR: usize = 40;

/// The end of the flag whose first tag character is at `at`: a black flag is before it, and then come the letters of a region.
fn flag_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(..at).filter(|before| before.ends_with('\u{1f3f4}')).and_then(|_| text.get(at..))?;
    let letter = |c: char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let letters: usize = rest.chars().take_while(|c| letter(*c)).map(char::len_utf8).sum();
    let is_flag = (4 * 3..=4 * 6).contains(&letters) && rest.get(letters..)?.starts_with('\u{e007f}');
    is_flag.then_some(at + letters + 4)
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
        find(text).iter().map(|one| (one.span.of(text).escape_unicode().to_string(), one.kind)).collect()
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
            "\u{8fbb}\u{e0100}",
        ] {
            assert_eq!(found(text), [], "{text:?}");
        }
    }
}
