//! The decisions of a learning team: `memory/team/decisions.md`. See `docs/formats/learning-teams.md`, "Team decisions".
//!
//! Headings and list items as in learnings files; the marks on them say when and by whom: `(decided: 2026-02-13, by:
//! architect)`.

use super::learnings::{Date, Entry, Learnings, MarkKind};
use crate::text::Span;

/// A parsed file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TeamDecisions {
    /// Its title, sections and items. All spans refer to the text it was parsed from.
    pub items: Learnings,
}

impl TeamDecisions {
    /// Parses `text`. Nothing fails: what is not understood is between what is.
    pub fn parse(text: &str) -> Self {
        Self { items: Learnings::parse(text) }
    }

    /// The decisions in file order, without placeholders.
    pub fn decisions(&self) -> impl Iterator<Item = Decision<'_>> {
        self.items.real_entries().map(|entry| Decision { entry })
    }
}

/// One decision.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The item: its span, its text and all its marks.
    pub entry: &'a Entry,
}

impl Decision<'_> {
    /// The day it was decided; `None` without a readable mark.
    pub fn decided(self) -> Option<Date> {
        self.entry.day(MarkKind::Decided)
    }

    /// The name of who decided it.
    pub fn by(self) -> Option<Span> {
        self.entry.marks_of(MarkKind::By).map(|mark| mark.value).find(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_say_when_and_by_whom() {
        let text = "# Team Decisions\n\n## Architecture\n- REST (decided: 2026-02-13, by: architect)\n- GraphQL (decided: \
                    2026-02-13)\n- gRPC (by: db)\n\n## Conventions\n- (none yet)\n";
        let decisions = TeamDecisions::parse(text);
        let found: Vec<_> = decisions
            .decisions()
            .map(|one| (one.entry.text.of(text), one.decided().is_some(), one.by().map(|by| by.of(text))))
            .collect();
        assert_eq!(found, [("REST", true, Some("architect")), ("GraphQL", true, None), ("gRPC", false, Some("db"))]);
    }
}
