//! Headings of a learnings file: its title, its sections and its tiers.

use crate::text::Span;

/// A heading that names the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Title {
    /// The line, without its line end.
    pub line: Span,
    /// The text of the heading.
    pub text: Span,
    /// The text after `Learnings:` or `Archive:`; `None` if it is titled otherwise.
    pub name: Option<Span>,
}

/// A heading and what is under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The line of the heading, without its line end.
    pub heading: Span,
    /// The text of the heading.
    pub name: Span,
    /// The level of the heading, 1 to 6.
    pub level: u8,
    /// Which section it is; `None` for one of the team's own.
    pub kind: Option<SectionKind>,
    /// The kind of the nearest section around an entry in it that has one: its own, or that of a section it is in.
    pub within: Option<SectionKind>,
    /// The tier it is, or is in.
    pub tier: Option<Tier>,
    /// From the line below the heading to the next heading of any level: entries belong at its end.
    pub body: Span,
    /// From the heading to the next one of the same or a higher level: with all sections in it.
    pub span: Span,
}

/// The sections that seed files have, and the tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SectionKind {
    /// `Codebase Patterns`.
    CodebasePatterns,
    /// `Gotchas`.
    Gotchas,
    /// `Preferences`.
    Preferences,
    /// `Cross-Agent Notes`.
    CrossAgentNotes,
    /// `Core`, perhaps with words after a dash.
    Core,
    /// `Task-Relevant`, perhaps with words after a dash.
    TaskRelevant,
}

/// A part of the file with a cap of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// What every task needs.
    Core,
    /// What some tasks need.
    TaskRelevant,
}

impl SectionKind {
    /// All of them, in the order in which they are in a file.
    pub const ALL: [Self; 6] = [
        Self::Core,
        Self::TaskRelevant,
        Self::CodebasePatterns,
        Self::Gotchas,
        Self::Preferences,
        Self::CrossAgentNotes,
    ];

    /// The name as the heading has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CodebasePatterns => "Codebase Patterns",
            Self::Gotchas => "Gotchas",
            Self::Preferences => "Preferences",
            Self::CrossAgentNotes => "Cross-Agent Notes",
            Self::Core => "Core",
            Self::TaskRelevant => "Task-Relevant",
        }
    }

    /// The section that a heading's text names, whatever its case and punctuation: `Cross agent notes`, `Core — High-Reuse`,
    /// `Gotchas (new)`. A tier's name ends at a dash, a colon or a parenthesis; `Core Concepts` is none.
    pub fn read(text: &str) -> Option<Self> {
        let head = Self::head(text);
        Self::ALL.into_iter().find(|kind| same(head, kind.name()))
    }

    /// The part of a heading's text that names its section: the text before a dash, a colon or a parenthesis, without
    /// emphasis.
    pub fn head(text: &str) -> &str {
        let ends = [" — ", " – ", " - ", " -- ", ":", "(", "["];
        let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
        text.get(..end).unwrap_or_default().trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'))
    }

    /// The tier it is.
    pub fn tier(self) -> Option<Tier> {
        match self {
            Self::Core => Some(Tier::Core),
            Self::TaskRelevant => Some(Tier::TaskRelevant),
            _ => None,
        }
    }
}

impl Tier {
    /// The section that it is.
    pub fn kind(self) -> SectionKind {
        match self {
            Self::Core => SectionKind::Core,
            Self::TaskRelevant => SectionKind::TaskRelevant,
        }
    }
}

/// Whether two names have the same letters and digits.
fn same(text: &str, name: &str) -> bool {
    let letters = |text: &str| {
        let text: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
        text
    };
    // Most headings are longer or shorter than any name.
    text.len() <= 2 * name.len() && letters(text) == letters(name)
}

/// The text of the ATX heading at `line`: without its `#` at both ends.
pub(super) fn heading_text(text: &str, line: Span) -> Span {
    let line = line.trim(text);
    let content = line.of(text);
    let start = content.len() - content.trim_start_matches('#').len();
    let inner = Span::new(line.start() + start, line.end()).trim(text);
    let open = inner.of(text);
    let closed = open.trim_end_matches('#');
    // `C#` keeps its sign: the closing sequence is after a blank (CommonMark §4.2).
    match closed.is_empty() || closed.ends_with([' ', '\t']) {
        true => Span::new(inner.start(), inner.start() + closed.len()).trim(text),
        false => inner,
    }
}

impl Title {
    /// The title in the heading at `line`.
    pub(super) fn read(text: &str, line: Span) -> Self {
        let span = heading_text(text, line);
        let content = span.of(text);
        let name = content.split_once(':').filter(|(word, _)| {
            ["learnings", "learning", "archive"].iter().any(|known| word.trim().eq_ignore_ascii_case(known))
        });
        let name = name.map(|(_, name)| Span::new(span.end() - name.len(), span.end()).trim(text));
        Self { line, text: span, name: name.filter(|name| !name.is_empty()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_by_their_names() {
        for (text, kind) in [
            ("Codebase Patterns", SectionKind::CodebasePatterns),
            ("codebase-patterns", SectionKind::CodebasePatterns),
            ("Codebase Patterns (new)", SectionKind::CodebasePatterns),
            ("**Gotchas**", SectionKind::Gotchas),
            ("Cross Agent Notes:", SectionKind::CrossAgentNotes),
            ("Core — High-Reuse Fundamentals", SectionKind::Core),
            ("Core (30 lines max)", SectionKind::Core),
            ("Task-Relevant — Current Sprint Context", SectionKind::TaskRelevant),
            ("Task Relevant", SectionKind::TaskRelevant),
        ] {
            assert_eq!(SectionKind::read(text), Some(kind), "{text}");
        }
        for text in ["Core Concepts", "Lit Property Name Gotchas", "Storybook", "", "—", "Gotcha"] {
            assert_eq!(SectionKind::read(text), None, "{text}");
        }
    }

    #[test]
    fn titles_and_headings_without_their_signs() {
        let name = |text: &str| {
            let title = Title::read(text, Span::new(0, text.len()));
            (title.text.of(text).to_owned(), title.name.map(|name| name.of(text).to_owned()))
        };
        assert_eq!(name("# Learnings: core-dev"), ("Learnings: core-dev".to_owned(), Some("core-dev".to_owned())));
        assert_eq!(name(" #  archive : x ##"), ("archive : x".to_owned(), Some("x".to_owned())));
        assert_eq!(name("# Learnings"), ("Learnings".to_owned(), None));
        assert_eq!(name("# Learnings:"), ("Learnings:".to_owned(), None));
        assert_eq!(name("# C#"), ("C#".to_owned(), None));
        assert_eq!(name("# ##"), (String::new(), None));
    }
}
