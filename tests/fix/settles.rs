//! Files as nobody would write them: what leaves one is in another exactly once, one run does it all, and the next one
//! changes nothing.

use proptest::prelude::*;
use squad_lint::diagnostic::Applicability;
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::options::Options;
use squad_lint::select::Overlay;

use crate::support::fixing::{Fixing, difference, rules};

/// What moves text, and nothing else.
const MOVING: [&str; 5] = [
    "learnings/stale-entry",
    "learnings/unsettled-note",
    "learnings/file-too-long",
    "memory/file-too-large",
    "inbox/multiple-entries",
];

/// The lines of learnings: entries old and new, what may stand in them and between them, and what is left open.
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

const ENDS: &[&str] = &["\n", "\n", "\n", "\n\n", "\n\n\n", "\r\n", "\r\n\r\n", " \n"];

fn text(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
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

fn learnings() -> impl Strategy<Value = Overlay> {
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

fn memory() -> impl Strategy<Value = Overlay> {
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
fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("SQUAD_LINT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Fixes with small caps: half of the files are over them.
fn fixing() -> Fixing {
    let mut options = Options::at(Timestamp::read("2026-03-22T00:00:00+0000").unwrap());
    options.learnings.lines = 14;
    options.memory.decisions = 300;
    options.memory.history = 200;
    Fixing::new(options)
}

fn shown(files: &Overlay) -> String {
    files.iter().map(|(path, bytes)| format!("--- {path}\n{:?}\n", String::from_utf8_lossy(bytes))).collect()
}

/// Fixes `files` with the rules of these names, and again; what it came to.
fn settled(files: &Overlay, names: &[&str], limit: Applicability) -> Result<Overlay, TestCaseError> {
    let fixing = fixing();
    let rules = rules(names);
    let (after, fixed) = fixing.fix(files, &rules, limit);
    prop_assert!(fixed.unsettled.is_empty(), "{:?}\n{}\n{}", fixed.unsettled, shown(files), shown(&after));
    let (again, _) = fixing.fix(&after, &rules, limit);
    prop_assert!(again == after, "{}\nonce: {}\ntwice: {}", shown(files), shown(&after), shown(&again));
    Ok(after)
}

fn moved(files: &Overlay, names: &[&str]) -> Result<(), TestCaseError> {
    let after = settled(files, names, Applicability::Unsafe)?;
    let difference = difference(files, &after);
    prop_assert!(difference.is_empty(), "{difference:#?}\n{}\n{}", shown(files), shown(&after));
    for (path, old) in files.iter().filter(|(path, _)| path.ends_with(b"archive.md")) {
        prop_assert!(after.get(path).is_some_and(|new| new.starts_with(old)), "{path}: {}", shown(&after));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn learnings_that_leave_arrive(files in learnings()) {
        moved(&files, &MOVING)?;
    }

    #[test]
    fn learnings_that_are_archived_for_one_reason_arrive(files in learnings(), rule in prop::sample::select(&MOVING[..3])) {
        moved(&files, &[rule])?;
    }

    #[test]
    fn entries_that_leave_arrive(files in memory()) {
        moved(&files, &MOVING)?;
    }

    #[test]
    fn one_of_equal_learnings_stays(files in learnings()) {
        let after = settled(&files, &["learnings/duplicate-entry"], Applicability::Safe)?;
        for difference in difference(&files, &after) {
            // Marks go to the one that stays, and nothing goes that has no equal.
            let line = difference.split('"').nth(1).unwrap_or_default();
            let said = line.split(" (added").next().unwrap_or_default().trim_start_matches(['-', '*', ' ', '1', '.']);
            let is_known = String::from_utf8_lossy(&after.values().flatten().copied().collect::<Vec<u8>>()).contains(said);
            prop_assert!(is_known, "{difference}\n{}\n{}", shown(&files), shown(&after));
        }
    }

    #[test]
    fn safe_fixes_settle(files in prop_oneof![learnings(), memory()]) {
        settled(&files, &[], Applicability::Safe)?;
    }

    #[test]
    fn all_fixes_settle(files in prop_oneof![learnings(), memory()]) {
        settled(&files, &[], Applicability::Unsafe)?;
    }
}
