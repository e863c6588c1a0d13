//! The YAML of a file: all of it, or one fenced block.

use std::borrow::Cow;

use crate::text::{Span, bom_len, line_end, lines};

/// Where the YAML of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The lines of YAML.
    pub(super) yaml: Span,
    /// The opening line of a second block of YAML, which nothing reads.
    pub(super) second: Option<Span>,
    /// The opening line of the block, if its end is missing.
    pub(super) unclosed: Option<Span>,
    /// Whether it is a block that is called YAML.
    pub(super) is_named: bool,
}

/// A fence of at least three backticks or tildes at the start of `line`: the character, how many, and what follows.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    (count >= 3 && !(mark == '`' && rest.contains('`'))).then(|| (mark, count, rest.trim()))
}

impl Block {
    /// The YAML of `text`. A fence counts only at the start of its line: inside of YAML, text is indented.
    pub(super) fn of(text: &str) -> Self {
        let whole = Span::new(0, text.len());
        let none = Self::only(whole);
        if !text.contains("```") && !text.contains("~~~") {
            return none;
        }
        // The first block that is called YAML; if there is none, the first without a name.
        let (mut named, mut unnamed): (Option<Self>, Option<Self>) = (None, None);
        let mut open: Option<(char, usize, &str, Span)> = None;
        for line in lines(text, Span::new(bom_len(text), text.len())) {
            let found = fence(line.of(text).trim_end_matches(['\n', '\r']));
            match (open, found) {
                (None, Some((mark, count, info))) => open = Some((mark, count, info, line)),
                (Some((mark, count, info, opening)), Some((other, more, ""))) if other == mark && more >= count => {
                    let found = Self::only(Span::new(below(text, opening), line.start()));
                    add(&mut named, &mut unnamed, info, found, opening.trim(text));
                    open = None;
                }
                _ => {}
            }
        }
        if let Some((_, _, info, opening)) = open {
            let opening_line = opening.trim(text);
            let yaml = Span::new(below(text, opening), text.len());
            add(
                &mut named,
                &mut unnamed,
                info,
                Self { unclosed: Some(opening_line), ..Self::only(yaml) },
                opening_line,
            );
        }
        named.or(unnamed).unwrap_or(none)
    }

    /// Whether only blanks and the fence are before the YAML in `text`.
    pub(super) fn begins(self, text: &str) -> bool {
        let before = text.get(bom_len(text)..self.yaml.start()).unwrap_or_default().trim();
        !before.contains('\n') && (before.is_empty() || fence(before).is_some())
    }

    /// Whether it is one block of several lines of `text`, without the name YAML, and there is text for people around it: more than
    /// titles.
    pub(super) fn is_in_prose(self, text: &str) -> bool {
        let is_said =
            |line: &str| !matches!(line.trim_start().chars().next(), None | Some('#')) && fence(line).is_none();
        let before = text.get(bom_len(text)..self.yaml.start()).unwrap_or_default();
        let after = text.get(self.yaml.end()..).unwrap_or_default();
        !self.is_named && self.yaml.len() < text.len() && before.lines().chain(after.lines()).any(is_said)
    }

    /// `text` with blanks in place of all that is not YAML, so that spans stay correct.
    pub(super) fn masked(self, text: &str) -> Cow<'_, str> {
        if self.yaml.len() == text.len() {
            return text.into();
        }
        let mut masked = String::with_capacity(self.yaml.end());
        let before = text.get(..self.yaml.start()).unwrap_or_default();
        masked.extend(before.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        masked.push_str(self.yaml.of(text));
        masked.into()
    }
}

/// The front matter of `text`: the lines between a first line `---` and the next one, if what follows is text for people and no
/// second document.
pub(super) fn front_matter(text: &str) -> Option<Span> {
    let mut all = lines(text, Span::new(bom_len(text), text.len()));
    let is_mark = |line: &Span| line.of(text).trim_end() == "---";
    let first = all.find(|line| !line.of(text).trim().is_empty()).filter(is_mark)?;
    let end = all.find(is_mark)?;
    let is_said = |line: &Span| !matches!(line.of(text).trim_start().chars().next(), None | Some('#'));
    let is_yaml = all.find(is_said).is_some_and(|line| {
        let line = line.of(text);
        let key = line.split_once(':').map_or("", |(key, _)| key);
        line.starts_with(['{', '%']) || !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    });
    (!is_yaml).then(|| Span::new(below(text, first), end.start()))
}

impl Block {
    /// The lines at `yaml`, and nothing else.
    pub(super) fn only(yaml: Span) -> Self {
        Self { yaml, second: None, unclosed: None, is_named: false }
    }
}

/// Where the line after that at `line` begins.
fn below(text: &str, line: Span) -> usize {
    line_end(text.as_bytes(), line.start()).1
}

/// Adds the block `found`, whose opening line says `info` and is at `opening`.
fn add(named: &mut Option<Block>, unnamed: &mut Option<Block>, info: &str, found: Block, opening: Span) {
    let language = info.split([' ', '{', ',']).next().unwrap_or_default();
    let is_yaml = language.eq_ignore_ascii_case("yaml") || language.eq_ignore_ascii_case("yml");
    match (is_yaml, named) {
        (true, Some(first)) => {
            first.second.get_or_insert(opening);
        }
        (true, named) => *named = Some(Block { is_named: true, ..found }),
        // JSON is YAML.
        (false, _) if info.is_empty() || language.eq_ignore_ascii_case("json") => {
            unnamed.get_or_insert(found);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_is_the_file_or_a_block() {
        for (text, expected) in [
            ("a: 1\n", "a: 1\n"),
            ("# T\n\n```yaml\na: 1\n```\nend\n", "a: 1\n"),
            ("```\na: 1\n```\n", "a: 1\n"),
            ("\u{feff}```yaml\na: 1\n```\n", "a: 1\n"),
            ("```sh\nls\n```\n~~~yml\na: 1\n~~~\n", "a: 1\n"),
            ("```\nx\n```\n```YAML title=x\na: 1\n```\n", "a: 1\n"),
            ("````yaml\na: |\n  x\n```\n````\n", "a: |\n  x\n```\n"),
            ("```yaml\na: |\n  ```\n  x\n  ```\n```\n", "a: |\n  ```\n  x\n  ```\n"),
            ("a: |\n  ```\n  x\n  ```\n", "a: |\n  ```\n  x\n  ```\n"),
            ("```yaml\na: 1\n", "a: 1\n"),
            ("```yaml\r\na: 1\r\n```\r\n", "a: 1\r\n"),
            ("", ""),
            ("# T\n\n```json\n{\"a\": 1}\n```\n", "{\"a\": 1}\n"),
        ] {
            let block = Block::of(text);
            assert_eq!(block.yaml.of(text), expected, "{text:?}");
            assert_eq!(block.masked(text).get(block.yaml.start()..), Some(expected), "{text:?}");
            assert_eq!(block.masked(text).matches('\n').count(), text[..block.yaml.end()].matches('\n').count());
        }
    }

    #[test]
    fn front_matter_is_before_text() {
        for (text, expected) in [
            ("---\na: 1\n---\n# T\n\nText.\n", Some("a: 1\n")),
            ("\u{feff}\n---\r\na: 1\r\n---\r\n- x\r\n", Some("a: 1\r\n")),
            ("---\na: 1\n---\n", Some("a: 1\n")),
            ("---\na: 1\n---\n# c\nb: 1\n", None),
            ("---\na: 1\n---\n{b: 1}\n", None),
            ("---\na: 1\n", None),
            ("a: 1\n---\nb\n", None),
            ("", None),
        ] {
            assert_eq!(front_matter(text).map(|front| front.of(text)), expected, "{text:?}");
        }
    }

    #[test]
    fn prose_is_more_than_titles() {
        for (text, expected) in [
            ("# T\n\n```\na: 1\n```\n", false),
            ("# T\n\nHere:\n\n```\na: 1\n```\n", true),
            ("```json\na: 1\n```\nThat is all.\n", true),
            ("Here:\n```yaml\na: 1\n```\n", false),
            ("Here:\na: 1\n", false),
        ] {
            assert_eq!(Block::of(text).is_in_prose(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_second_block_and_a_missing_end_are_found() {
        let text = "```yaml\na: 1\n```\n```yaml\nb: 1\n```\n";
        assert_eq!(Block::of(text).second, Some(Span::new(17, 24)));
        assert_eq!(Block::of("```yaml\na: 1\n").unclosed, Some(Span::new(0, 7)));
    }
}
