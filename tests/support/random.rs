//! Random files for properties.
#![allow(dead_code, reason = "each test file uses a part of it")]

use proptest::prelude::*;
use squad_lint::select::input::Overlay;

/// The lines of learnings: entries old and new, what may be in them and between them, and what is left open.
const LEARNINGS: &[&str] = &[
    "# Learnings: db",
    "# Another title",
    "## Codebase Patterns",
    "## Gotchas",
    "## Cross-Agent Notes",
    "## Core",
    "## Task-Relevant",
    "## Own",
    "### Inner",
    "#### Deep",
    "## Own",
    "- old one (added: 2026-01-01)",
    "- old two (added: 2026-01-02, updated: 2026-01-05)",
    "- old three (added: 2026-01-03)",
    "* new four (added: 2026-03-20)",
    "- no date at all",
    "1. a numbered one (added: 2026-01-04)",
    "- (from api) note to settle (added: 2026-01-06)",
    "- (from api) fresh note (added: 2026-03-21)",
    "  - nested (added: 2026-01-07)",
    "\t- nested by a tab",
    "  goes on",
    "lazily goes on",
    "- (none yet)",
    "-",
    "Prose.",
    "```",
    "  ```",
    "~~~",
    "<!-- comment -->",
    "<!--",
    "-->",
    "| a | b |",
    "---",
    "> quoted",
    "    code",
    "",
    "",
    " ",
];

/// The lines of decisions, histories and inboxes.
const MEMORY: &[&str] = &[
    "# Decisions",
    "## Learnings",
    "### 2026-01-10T14:32:15-0800: decision: One",
    "### 2026-01-11T14:32:15-0800: note: Two",
    "### 2026-03-21T14:32:15-0800: note: Fresh",
    "### 2026-01-12T14:32:15-0800: directive: Stays",
    "**type:** decision  ",
    "**timestamp:** 2026-01-10T14:32:15-0800  ",
    "**author:** Verbal  ",
    "**summary:** A sentence.",
    "**details:**",
    "**related:**",
    "- proposal: 024",
    "### 2026-01-13: A legacy entry",
    "## 2026-01-14: Another one",
    "### 2026-01-15 - a third",
    "**By:** Keaton",
    "**What:** It is done",
    "- item",
    "  - inner",
    "Prose.",
    "---",
    "---",
    "```",
    "~~~",
    "<!--",
    "-->",
    "",
    "",
    " ",
    "\t",
];

const ENDS: &[&str] = &["\n", "\n", "\n", "\n\n", "\n\n\n", "\r\n", "\r\n\r\n", " \n", "\r"];

/// A text of less than `most` of these lines.
pub fn text(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    let line = (prop::sample::select(pieces), prop::sample::select(ENDS));
    let lines = prop::collection::vec(line.prop_map(|(line, end)| format!("{line}{end}")), 0..most);
    // Most files have ends of one kind; some have no last one, or begin with a byte order mark.
    (lines, 0..4_u8, any::<bool>(), prop::bool::weighted(0.1)).prop_map(|(lines, ends, whole, bom)| {
        let text = lines.concat();
        let text = match ends {
            0 => text,
            1 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            _ => text.replace("\r\n", "\n"),
        };
        let text = if whole { text } else { text.trim_end_matches(['\r', '\n']).to_owned() };
        if bom { format!("\u{feff}{text}") } else { text }
    })
}

/// The learnings of two members, and an archive.
pub fn learnings() -> impl Strategy<Value = Overlay> {
    let archive = prop_oneof![3 => Just(None), 1 => text(LEARNINGS, 6).prop_map(Some)];
    (text(LEARNINGS, 24), text(LEARNINGS, 8), archive).prop_map(|(own, other, archive)| {
        let mut files = Overlay::from([
            ("memory/agents/db/learnings.md".into(), own.into_bytes()),
            ("memory/agents/api/learnings.md".into(), other.into_bytes()),
        ]);
        files.extend(archive.map(|text| ("memory/agents/db/archive.md".into(), text.into_bytes())));
        files
    })
}

/// Decisions, a history and an inbox file, and archives.
pub fn memory() -> impl Strategy<Value = Overlay> {
    let archive = prop_oneof![2 => Just(None), 1 => text(MEMORY, 6).prop_map(Some)];
    (text(MEMORY, 40), text(MEMORY, 40), text(MEMORY, 20), archive.clone(), archive).prop_map(
        |(decisions, history, inbox, first, second)| {
            let mut files = Overlay::from([
                (".squad/decisions.md".into(), decisions.into_bytes()),
                (".squad/agents/hicks/history.md".into(), history.into_bytes()),
                (".squad/decisions/inbox/hicks-x.md".into(), inbox.into_bytes()),
            ]);
            files.extend(first.map(|text| (".squad/decisions-archive.md".into(), text.into_bytes())));
            files.extend(second.map(|text| (".squad/agents/hicks/history-archive.md".into(), text.into_bytes())));
            files
        },
    )
}

/// How many cases are tried: `SQUAD_LINT_CASES`, or these.
pub fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("SQUAD_LINT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
