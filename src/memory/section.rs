//! The titles of the sections that an entry is in, and what they say about it: below `Rejected ideas` nothing is a decision that applies.

use std::collections::BTreeMap;
use std::iter::successors;
use std::sync::Arc;

use crate::document::Document;
use crate::formats::learnings::{Learnings, Section};
use crate::formats::legacy::rejected::is_rejected;
use crate::formats::legacy::titles::HELD;
use crate::formats::team_decisions::TeamDecisions;
use crate::text::Span;
use crate::text::words::begins_with;

/// The sections of an entry. Entries of one section share them.
#[derive(Clone, Debug, Default)]
pub struct Sections<'d>(Option<Arc<Titles<'d>>>);

#[derive(Debug)]
struct Titles<'d> {
    /// From the outermost to the innermost.
    all: Vec<&'d str>,
    is_rejected: bool,
}

impl<'d> Sections<'d> {
    fn new(all: Vec<&'d str>) -> Self {
        let is_rejected = all.iter().any(|title| is_rejected(title));
        Self((!all.is_empty()).then(|| Arc::new(Titles { all, is_rejected })))
    }

    /// Their titles, from the outermost to the innermost.
    pub fn titles(&self) -> &[&'d str] {
        self.0.as_ref().map_or(&[], |titles| &titles.all)
    }

    /// Whether a title says that what is below it was rejected, disproved or replaced.
    pub fn are_rejected(&self) -> bool {
        self.0.as_ref().is_some_and(|titles| titles.is_rejected)
    }

    /// The titles that say more than that entries are below them, `A > B`; `None` if none does.
    pub fn said(&self) -> Option<String> {
        let said: Vec<&str> = self.titles().iter().copied().filter(|title| !says_nothing(title)).collect();
        (!said.is_empty()).then(|| said.join(" > "))
    }
}

/// What finds the sections of the entries of one file.
#[derive(Debug)]
pub(super) struct Finder<'d> {
    document: &'d Document,
    items: Option<&'d Learnings>,
    /// For each section of the items, the one that it is in.
    outer: Vec<Option<usize>>,
    /// By their innermost headings.
    known: BTreeMap<Option<usize>, Sections<'d>>,
}

impl<'d> Finder<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        let items = document.body::<Learnings>().or_else(|| Some(&document.body::<TeamDecisions>()?.items));
        let outer = items.map_or_else(Vec::new, |items| outer(&items.sections));
        Self { document, items, outer, known: BTreeMap::new() }
    }

    /// The sections of the entry that begins at the byte `start`.
    pub(super) fn at(&mut self, start: usize) -> Sections<'d> {
        let text = self.document.text();
        // From the innermost.
        let mut lines: Vec<Span> = if let Some(items) = self.items {
            let above = items.sections.partition_point(|section| section.heading.start() <= start).checked_sub(1);
            let around = successors(above, |at| self.outer.get(*at).copied().flatten());
            around.filter_map(|at| Some(items.sections.get(at)?.heading)).collect()
        } else {
            self.document.entries.sections_of(start).map(|section| section.line).collect()
        };
        lines.reverse();
        let sections = self.known.entry(lines.last().map(|line| line.start())).or_insert_with(|| {
            let titles = lines.iter().map(|line| (is_of_file(text, *line), title(line.of(text))));
            // The title of a file is not a section, unless it says that all of its entries were rejected.
            let counts = |(is_of_file, title): &(bool, &str)| !is_of_file || is_rejected(title);
            Sections::new(titles.filter(counts).map(|(_, title)| title).collect())
        });
        sections.clone()
    }
}

/// For each section, the one that it is in: the nearest above it of a higher level.
fn outer(sections: &[Section]) -> Vec<Option<usize>> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let around = |(at, section): (usize, &Section)| {
        while open.pop_if(|(_, level)| *level >= section.level).is_some() {}
        let outer = open.last().map(|(outer, _)| *outer);
        open.push((at, section.level));
        outer
    };
    sections.iter().enumerate().map(around).collect()
}

/// Whether a heading is the title of its file: of level 1, with nothing but front matter before it.
fn is_of_file(text: &str, line: Span) -> bool {
    let before = text.get(..line.start()).unwrap_or_default().trim_start_matches('\u{feff}').trim_start();
    let is_first = before.is_empty() || before.starts_with("---") && !before.contains("\n#");
    is_first && !line.of(text).trim_start().starts_with("##")
}

/// The text of a heading.
fn title(line: &str) -> &str {
    line.trim().trim_start_matches('#').trim_end_matches('#').trim()
}

/// Whether a title says no more than that a team's entries are below it: `Active decisions`, `Learnings`.
pub fn says_nothing(title: &str) -> bool {
    const PLAIN: [&str; 12] =
        ["team", "squad", "shared", "project", "agent", "active", "current", "key", "core", "all", "our", "the"];
    let is_one = |word: &str, of: &[&str]| of.iter().any(|one| one.eq_ignore_ascii_case(word));
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut last = words.next_back().unwrap_or_default();
    if is_one(last, &["log", "record"]) {
        last = words.next_back().unwrap_or_default();
    }
    !last.eq_ignore_ascii_case("archive") && is_one(last, &HELD) && words.all(|word| is_one(word, &PLAIN))
}

/// What a title says in brackets of its own entry, at their start.
const REPLACED: [&str; 9] = [
    "superseded",
    "obsolete",
    "withdrawn",
    "revoked",
    "rescinded",
    "retracted",
    "overruled",
    "no longer valid",
    "no longer applies",
];

/// The words before such brackets that speak of something else: `PR #195 closed (superseded)`.
const OF_OTHERS: [&str; 6] = ["closed", "marked", "labeled", "as", "was", "were"];

/// Whether the title of an entry says in brackets that the entry does not apply any more: `Version target [SUPERSEDED — see below]`.
/// `(rejected)` is often the result of a review, which is as true as before.
pub fn is_replaced(title: &str) -> bool {
    let mut rest = title;
    while let Some((before, inner)) = rest.split_once(['(', '[']) {
        let said = inner.trim_start_matches(|c: char| !c.is_alphanumeric() && c != ')' && c != ']');
        let last = before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty()).unwrap_or_default();
        let is_own = !OF_OTHERS.iter().any(|word| word.eq_ignore_ascii_case(last));
        if is_own && begins_with(said, &REPLACED) {
            return true;
        }
        rest = inner;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_that_its_entry_was_replaced() {
        for title in [
            "### 2026-03-02: Version target **[SUPERSEDED — see line 1046]**",
            "### 2026-02-10: Email templates (superseded — see below)",
            "[Obsolete] Use the old index",
            "Cache policy (v2) (⚠️ no longer applies)",
        ] {
            assert!(is_replaced(title), "{title}");
        }
        for title in [
            "PR #195 closed (superseded)",
            "PR #14 review (REJECTED)",
            "Remove the warning for superseded entries",
            "Superseding rules (how an entry replaces another one)",
            "Links ([superseding](x.md))",
            "",
        ] {
            assert!(!is_replaced(title), "{title}");
        }
    }

    #[test]
    fn some_titles_say_nothing() {
        for title in ["Decisions", "## Active Decisions", "Team learnings", "Core directives", "Decisions Log"] {
            assert!(says_nothing(title), "{title}");
        }
        for title in ["Archived decisions", "Rejected decisions", "Gotchas", "Phase 3 decisions", "Archive", "Log", ""]
        {
            assert!(!says_nothing(title), "{title}");
        }
    }
}
