//! The parts of a text by its headings.

use crate::formats::markdown::BlockLines;
use crate::text::Span;

/// The parts of a text, each from a heading of any level to the next one. Together they are the whole text. There can be millions, so
/// that the start of each is all that is kept.
#[derive(Debug)]
pub struct Sections<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Whether the first one has a heading.
    is_headed: bool,
}

impl<'t> Sections<'t> {
    /// Those of `text`.
    pub fn of(text: &'t str) -> Self {
        let headings = BlockLines::of(text).filter(|line| line.heading.is_some());
        let mut starts: Vec<u32> = headings.map(|heading| heading.line.start).collect();
        let is_headed = starts.first() == Some(&0);
        if !is_headed && !text.is_empty() {
            starts.insert(0, 0);
        }
        starts.shrink_to_fit();
        Self { text, starts, is_headed }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The text of the one with that number, its heading included.
    pub fn section(&self, number: usize) -> &'t str {
        let place = |number: usize| self.starts.get(number).map_or(self.text.len(), |start| *start as usize);
        Span::new(place(number), place(number + 1)).of(self.text)
    }

    /// The line of its heading; empty for the text before the first one.
    pub fn heading(&self, number: usize) -> &'t str {
        if number == 0 && !self.is_headed {
            return "";
        }
        let section = self.section(number);
        let end = section.find(['\n', '\r']).unwrap_or(section.len());
        section.get(..end).unwrap_or_default().trim_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_whole_text() {
        for (text, expected) in [
            ("", [].as_slice()),
            ("a\n# B \nb\n```\n# c\n```\r\n## D", &["", "# B", "## D"]),
            ("# A\r## B\n", &["# A", "## B"]),
            ("\u{feff}# A\n", &["\u{feff}# A"]),
        ] {
            let sections = Sections::of(text);
            let headings: Vec<_> = (0..sections.count()).map(|number| sections.heading(number)).collect();
            assert_eq!(headings, expected, "{text:?}");
            assert_eq!((0..sections.count()).map(|number| sections.section(number)).collect::<String>(), text);
        }
    }
}
