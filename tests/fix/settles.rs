//! Random files: what leaves one is in another exactly once, one run does it all, and the next one changes nothing.

use bstr::BString;
use proptest::prelude::*;
use squad_lint::diagnostic::Applicability;
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::options::Options;
use squad_lint::select::input::Overlay;

use super::GOOD;
use crate::support::fixing::{Fixing, difference, forgotten, rules};
use crate::support::random::{cases, learnings, memory};

/// What moves text, and nothing else.
const MOVING: [&str; 5] = [
    "learnings/stale-entry",
    "learnings/unsettled-note",
    "learnings/too-many-lines",
    "memory/file-too-large",
    "inbox/multiple-entries",
];

/// Fixes with small caps: half of the files are over them.
fn fixing() -> Fixing {
    let mut options = Options::at(Timestamp::read("2026-03-22T00:00:00+0000").unwrap());
    options.settings.learnings.max_lines = 14.try_into().unwrap();
    options.settings.memory.max_decisions_bytes = 300.try_into().unwrap();
    options.settings.memory.max_history_bytes = 200.try_into().unwrap();
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
        let forgotten = forgotten(&files, &after);
        prop_assert!(forgotten.is_empty(), "{forgotten:?}\n{}\n{}", shown(&files), shown(&after));
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

#[test]
fn all_copies_go_in_one_run() {
    let fixing = fixing();
    let fixed = |path: &str, text: &str| {
        let files = Overlay::from([(path.into(), text.as_bytes().to_vec())]);
        let (after, fixed) = fixing.fix(&files, &rules(&[]), Applicability::Safe);
        assert_eq!(fixed.unsettled, []);
        String::from_utf8(after[&BString::from(path)].clone()).unwrap()
    };
    let entries = format!("{GOOD}\n").repeat(12);
    assert_eq!(fixed(".squad/decisions.md", &entries), format!("{GOOD}\n"));
    let author = "**author:** Verbal  \n";
    assert_eq!(fixed(".squad/decisions.md", &GOOD.replace(author, &author.repeat(12))), GOOD);
    let learnings = fixed("memory/agents/db/learnings.md", &"- Fonts load late here (added: 2026-03-20)\n".repeat(12));
    assert_eq!(learnings.matches("Fonts").count(), 1, "{learnings}");
}
