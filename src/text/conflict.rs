//! Conflicts that a merge has left in a file, whatever its format.
//!
//! Git writes them from the very start of lines: `<<<<<<<` and the name of one side, `=======`, `>>>>>>>` and the name of
//! the other; in the styles diff3 and zdiff3 also `|||||||` before what both had. The attribute `conflict-marker-size` makes them longer.

use super::span::Span;

/// How long a marker is at least.
const LENGTH: usize = 7;

/// One conflict, by the lines of its first and its last marker, without their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// `<<<<<<<` and what follows it.
    pub start: Span,
    /// `>>>>>>>` and what follows it.
    pub end: Span,
}

/// The conflicts in `text`, in the order in which they end. Of two that begin before one ends, the second counts.
pub fn all(text: &[u8]) -> impl Iterator<Item = Conflict> {
    // Nearly every file has none, and costs one search for a byte that few have.
    let begins = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with(b"<<<<<<<"));
    let mut at = memchr::memchr_iter(b'<', text).find(begins).map_or(text.len(), |found| line_start(text, found));
    let mut seen: Option<(Span, usize, bool)> = None;
    std::iter::from_fn(move || {
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let span = Span::new(at, at + line.len());
            at += end + 1;
            let Some((byte, length)) = marker(line) else { continue };
            seen = match (byte, seen) {
                (b'<', _) => Some((span, length, false)),
                (b'=', Some((start, same, _))) if same == length => Some((start, same, true)),
                (b'>', Some((start, same, true))) if same == length => {
                    seen = None;
                    return Some(Conflict { start, end: span });
                }
                (_, seen) => seen,
            };
        }
        None
    })
}

/// The line, from 1, on which the first conflict in `text` begins. A program that writes such a file would keep one side
/// and lose the other, or make entries of both: a file for which this is not `None` is for its owner to repair.
pub fn first_line(text: &[u8]) -> Option<usize> {
    let first = all(text).map(|conflict| conflict.start.start()).min()?;
    Some(1 + memchr::memchr_iter(b'\n', text.get(..first)?).count())
}

fn line_start(text: &[u8], at: usize) -> usize {
    text.get(..at).and_then(|before| memchr::memrchr(b'\n', before)).map_or(0, |end| end + 1)
}

/// Whether a line, without its end, is a marker of git by itself: also an underline of seven `=` looks like one.
pub fn is_marker(line: &[u8]) -> bool {
    marker(line).is_some()
}

/// The byte that a marker line repeats, and how often.
fn marker(line: &[u8]) -> Option<(u8, usize)> {
    let byte = *line.first().filter(|byte| matches!(byte, b'<' | b'=' | b'>' | b'|'))?;
    let length = line.iter().take_while(|other| **other == byte).count();
    let is_marker = length >= LENGTH && line.get(length).is_none_or(|next| *next == b' ');
    is_marker.then_some((byte, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Option<usize> {
        first_line(text.as_bytes())
    }

    #[test]
    fn all_styles_of_git() {
        assert_eq!(lines("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"), Some(2));
        assert_eq!(lines("<<<<<<< HEAD\r\nb\r\n||||||| base\r\nx\r\n=======\r\nc\r\n>>>>>>> other\r\n"), Some(1));
        assert_eq!(lines("<<<<<<<\n=======\n>>>>>>>"), Some(1));
        assert_eq!(lines("<<<<<<<<<< a\n==========\n>>>>>>>>>> b\n"), Some(1));
        // The merge of two bases conflicts itself: a conflict in the part between.
        assert_eq!(lines("<<<<<<< a\n||||||| m\n<<<<<<<<< x\n=========\n>>>>>>>>> y\n=======\n>>>>>>> b\n"), Some(3));
    }

    #[test]
    fn other_lines_are_none() {
        for text in [
            "Heading\n=======\n",
            "<<<<<<< HEAD\nb\n>>>>>>> other\n=======\n",
            "> <<<<<<< HEAD\n=======\n>>>>>>> other\n",
            "<<<<<<<x\n=======\n>>>>>>> other\n",
            "<<<<<<< HEAD\n========\n>>>>>>> other\n",
            ">>>>>>> a\n=======\n<<<<<<< b\n",
        ] {
            assert_eq!(lines(text), None, "{text}");
        }
    }
}
