//! What is between the heading of an entry and one below it.

use super::titles::{is_doubled, same_title};
use crate::formats::label;
use crate::text::Span;

/// What is between two headings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Blank lines and rules.
    Nothing,
    /// A few field lines, such as those that a merge puts between its own heading and that of the file: `_Source inbox:_ a.md`.
    Fields,
    /// Anything else.
    Text,
}

/// How many lines of fields a merge writes at most. What is below a heading is looked at for each heading after it: this bounds it.
const MOST: usize = 12;

impl Gap {
    /// What `between` is.
    pub fn of(between: &str) -> Self {
        if is_nothing(between) {
            return Self::Nothing;
        }
        let mut lines = between.lines().take(MOST + 1);
        let are_fields = lines.by_ref().take(MOST).all(|line| is_nothing(line) || is_field(line));
        if are_fields && lines.next().is_none() { Self::Fields } else { Self::Text }
    }

    /// Whether a heading behind it, `title` at `level`, is that of an entry once more: its text begins with the title of the document
    /// that it was.
    pub(super) fn repeats(self, title: &str, level: u8, above: &str, above_level: u8) -> bool {
        match self {
            Self::Nothing => level <= above_level + 1 && same_title(title, above),
            Self::Fields => level < above_level && is_doubled(title, above),
            Self::Text => false,
        }
    }
}

/// Whether there is no text: a `---` between two headings is none.
fn is_nothing(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'-')
}

/// Whether a line is `**Label:** value`, perhaps behind a list marker, or `_Label:_ value`.
fn is_field(line: &str) -> bool {
    let is_slanted = || line.trim_start().strip_prefix('_').is_some_and(|rest| rest.contains(":_"));
    label::parse(line, Span::new(0, line.len())).is_some() || is_slanted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_told_from_text() {
        for (text, gap) in [
            ("", Gap::Nothing),
            ("\n\n---\n", Gap::Nothing),
            ("\n**By:** Kim\n_Source inbox:_ `a.md`\n- **Status**: open\n\n", Gap::Fields),
            ("\n**By:** Kim\n\nWe use tabs.\n", Gap::Text),
            ("\n**We use tabs**\n", Gap::Text),
            ("\n- tabs: always\n", Gap::Text),
        ] {
            assert_eq!(Gap::of(text), gap, "{text}");
        }
        assert_eq!(Gap::of(&"**By:** Kim\n".repeat(MOST)), Gap::Fields);
        assert_eq!(Gap::of(&"**By:** Kim\n".repeat(MOST + 1)), Gap::Text);
    }
}
