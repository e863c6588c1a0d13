use std::iter;

use proptest::prelude::*;

use super::*;
use crate::dialects::squad;
use crate::formats::entries::Block;

fn put(text: &str, entries: &[&str]) -> (String, Vec<Placed>) {
    let mut sheet = Sheet::new(text, &squad::DECISIONS, Spot::InTime);
    let placed = entries.iter().map(|entry| sheet.put(entry, None)).collect();
    (sheet.text().unwrap(), placed)
}

fn sem(second: u32, body: &str) -> String {
    format!(
        "### 2026-02-10T10:00:{second:02}+0000: decision: Number {second}\n\n**author:** keaton  \n\n**summary:** {body}\n\n---\n\n"
    )
}

#[test]
fn entries_go_to_their_place() {
    let (one, two, three) = (sem(1, "a"), sem(2, "b"), sem(3, "c"));
    let file = |entries: &[&str]| format!("# Decisions\n\n{}", entries.concat()).trim_end().to_owned() + "\n";
    assert_eq!(put(&file(&[&one, &three]), &[&two]), (file(&[&one, &two, &three]), vec![Placed::Added]));
    assert_eq!(put(&file(&[&three, &two]), &[&one]).0, file(&[&three, &two, &one]));
    assert_eq!(put(&file(&[&one, &two]), &[&three, &two]).1, [Placed::Added, Placed::Known]);
    let rules = "## Governance\n\n- Ask.\n";
    let template = format!("# Decisions\n\n## Active Decisions\n\nNone yet.\n\n{rules}");
    let expected = format!("# Decisions\n\n## Active Decisions\n\nNone yet.\n\n{one}{rules}");
    assert_eq!(put(&template, &[&one]).0, expected);
    // A list in a section without entries is none of entries, however many the file has.
    let with = |entries: &[&str]| format!("# Decisions\n\n## Active Decisions\n\n{}{rules}", entries.concat());
    assert_eq!(put(&with(&[&one]), &[&two]).0, with(&[&one, &two]));
    assert_eq!(put(&template, &[&one, &two]).0, expected.replace(&one, &format!("{one}{two}")));
    let older = |day: u32| format!("### 2026-02-{day:02}: Number {day}\n**By:** Keaton\n**What:** It is.\n\n");
    assert_eq!(put(&with(&[&older(8)]), &[&older(9)]).0, with(&[&older(8), &older(9)]));
    assert_eq!(put(&with(&[&older(8)]), &[&two]).0, with(&[&older(8), &two]));
    assert_eq!(put(&with(&[&older(8)]), &[&older(7)]).0, with(&[&older(7), &older(8)]));
    // Without its rule, an entry would take in the next one.
    let open = file(&[&one]).replace("\n---\n", "");
    assert_eq!(put(&open, &[&two]).0, file(&[&one, &two]));
    let crlf = file(&[&one]).replace('\n', "\r\n");
    assert_eq!(put(&crlf, &[&two]).0, file(&[&one, &two]).replace('\n', "\r\n"));
    assert_eq!(put(&crlf, &[&one]).1, [Placed::Known]);
}

#[test]
fn versions_of_an_entry_are_one() {
    let short = "### 2026-02-10: Tabs\n\nWe use tabs.\n";
    let long = "### 2026-02-10: Tabs\n\nWe use tabs.\n\nAlso in tests.\n";
    assert_eq!(put(long, &[short]), (long.to_owned(), vec![Placed::Known]));
    assert_eq!(put(short, &[long]).1, [Placed::Extended]);
    assert_eq!(put(short, &[&short.replace("tabs", "blanks")]).1, [Placed::Added]);
    // The same entry at another level.
    assert_eq!(put(&format!("#{short}"), &[short]).1, [Placed::Known]);
    assert_eq!(put(short.get(1..).unwrap(), &[short]).1, [Placed::Known]);
}

#[test]
fn what_would_be_swallowed_is_refused() {
    let mut sheet = Sheet::new("# Decisions\n\n<!--\nopen\n", &squad::DECISIONS, Spot::InTime);
    assert_eq!(sheet.put(&sem(1, "a"), None), Placed::Added);
    assert_eq!(sheet.text(), Err(BTreeSet::from([0])));
}

/// The entries that readers find in a text, each without the blank lines and rules after it.
fn entries(text: &str) -> Vec<String> {
    let parsed = squad::DECISIONS.entries(text);
    let entries = parsed.blocks().filter(|block| !matches!(block, Block::Prose(_)));
    entries.map(|block| block.span().of(text).trim_end_matches(['-', '\n', ' ']).to_owned()).collect()
}

/// Puts an entry in where it, and all others, are read as they are; checks that they are.
fn put_checked(ledger: &str, entry: &str) -> Option<String> {
    let text = iter::successors(Some(Spot::InTime), |spot| spot.next()).find_map(|spot| {
        let mut sheet = Sheet::new(ledger, &squad::DECISIONS, spot);
        assert_eq!(sheet.put(entry, None), Placed::Added, "{ledger}");
        sheet.text().ok()
    })?;
    let (mut read, own) = (entries(&text), entries(entry));
    for wanted in entries(ledger).iter().chain(&own) {
        let at = read.iter().position(|one| one == wanted);
        assert!(at.map(|at| read.remove(at)).is_some(), "{wanted:?} is read otherwise in\n{text}");
    }
    Some(text)
}

#[test]
fn no_entry_is_put_into_another_one() {
    let entry = "### 2026-02-28: Links\n**By:** Fenster\n**What:** They are short.";
    let ledger =
        "# Decisions\n\n### 2026-02-15: Why\n**By:** Keaton\n**What:** A.\n\n---\n\n## Root Cause\n\nThe prompt.\n";
    // The title at its end is not made one of a section with the next entry in it.
    assert_eq!(put_checked(ledger, entry).unwrap(), format!("{ledger}\n---\n\n{entry}\n"));
    let later = sem(1, "a").replace("02-10", "02-28");
    assert_eq!(put_checked(ledger, &later).unwrap(), format!("{ledger}\n---\n\n{}\n", later.trim_end()));
    // Newest first: between the entry and its part, there is no place either.
    let ledger = format!("{ledger}\n---\n");
    let older = "### 2026-02-01: First\n**By:** Keaton\n**What:** B.\n";
    let ledger = format!("{ledger}\n{older}");
    let between = entry.replace("02-28", "02-10");
    assert_eq!(put_checked(&ledger, &between).unwrap(), ledger.replace(older, &format!("{between}\n\n{older}")));
}

#[test]
fn no_entry_is_put_before_text_that_would_become_its_own() {
    // `---` before a paragraph could be a rule between two parts of the entry.
    let ledger = "# Decisions\n\n### 2026-02-01T10:00:00+0000: note: A\n\n**author:** keaton\n\n---\n\nWe met.\n\n- twice\n\n## Rules\n\nAsk.\n";
    let entry = sem(1, "a");
    let expected = ledger.replace("## Rules", &format!("{entry}## Rules"));
    assert_eq!(put_checked(ledger, entry.trim_end()).unwrap(), expected);
    // It would take in the rules, which are not part of an entry.
    let entry = "### 2026-02-10: Links\n**By:** Fenster\n**What:** They are short.";
    assert_eq!(put_checked(ledger, entry).unwrap(), format!("{ledger}\n{entry}\n"));
    // The entry before would take in what has no date.
    let ledger = "# Decisions\n\n### 2026-02-01: First\n**By:** Keaton\n**What:** B.\n";
    let note = "### the build\n\nIt is slow.";
    let expected = format!("# Decisions\n\n{note}\n\n{}", &ledger["# Decisions\n\n".len()..]);
    assert_eq!(put_checked(ledger, note).unwrap(), expected);
}

#[test]
fn the_footer_of_a_file_stays_its_last_line() {
    let (old, new) = (
        "### 2026-02-01: First\n**By:** Keaton\n**What:** B.\n\n",
        "### 2026-02-28: Links\n**By:** Fenster\n**What:** A.\n",
    );
    let footer = "---\n\n*Last updated: 2026-02-01*\n";
    let (ledger, placed) = put(&format!("# Decisions\n\n{old}{footer}"), &[new]);
    assert_eq!((ledger.clone(), placed), (format!("# Decisions\n\n{old}{new}\n{footer}"), vec![Placed::Added]));
    assert_eq!(put(&ledger, &[new]), (ledger.clone(), vec![Placed::Known]));
    // An entry can have one of its own.
    let own = format!("{new}\n{footer}");
    let (ledger, _) = put(&format!("# Decisions\n\n{old}"), &[&own]);
    assert_eq!(ledger, format!("# Decisions\n\n{old}{own}"));
    assert_eq!(put(&ledger, &[&own]), (ledger.clone(), vec![Placed::Known]));
}

#[test]
fn what_is_behind_the_end_of_an_entry_goes_with_it() {
    let text = "### keaton lock\n\n**type:** decision\n**author:** Keaton\n**summary:** We lock the build\n\n---\n\nThe build takes an hour longer.";
    let (ledger, _) = put("# Decisions\n", &[text]);
    assert_eq!(ledger, format!("# Decisions\n\n{text}\n"));
    assert_eq!(put(&ledger, &[text]), (ledger.clone(), vec![Placed::Known]));
}

#[test]
fn a_known_version_counts_before_a_shorter_one() {
    let short = "### 2026-01-05: Sync\n**By:** Keaton\n";
    let long = format!("{short}**What:** We use ports, and nothing else.\n");
    let ledger = format!("# Decisions\n\n{short}\n{long}");
    assert_eq!(put(&ledger, &[&long]), (ledger.clone(), vec![Placed::Known]));
    // A rule at the end of a text is none of its lines.
    let front = "### inbox\n\n---\ntitle: x\n---";
    let (ledger, _) = put("# Decisions\n", &[front, &sem(1, "a")]);
    assert_eq!(put(&ledger, &[front]), (ledger.clone(), vec![Placed::Known]));
}

/// Parts of ledgers as people write them, by number; `at` makes them different.
fn piece(number: u8, at: usize) -> String {
    let (day, second) = (1 + at * 7 % 28, u32::try_from(at % 60).unwrap());
    match number {
        0 | 1 => sem(second, "text"),
        2 => sem(second, "no rule").replace("---\n\n", ""),
        3 | 4 => format!("### 2026-02-{day:02}: Number {at}\n**By:** Keaton\n**What:** It is.\n\n"),
        5 => format!("## 2026-02-{day:02}: Number {at}\n**By:** Keaton\n\nIt is.\n\n### Why\n\nSo.\n\n"),
        6 => format!("---\n\n## Root Cause {at}\n\nThe prompt.\n\n"),
        7 => format!("### Undated {at}\n\n**By:** Verbal\n\nIt is.\n\n"),
        8 => format!("### Part {at}\n\nText.\n\n"),
        9 => format!("Paragraph {at}\n\n- one\n- two\n\n"),
        10 => format!("📌 Team update (2026-02-{day:02}): number {at}\n\n"),
        11 => "## Decisions\n\n".to_owned(),
        12 => format!("# Document {at}\n\n**Date:** 2026-02-{day:02}\n\nText.\n\n## Context\n\nText.\n\n"),
        _ => format!("```\n## code {at}\n```\n\n"),
    }
}

proptest! {
    #[test]
    fn every_entry_is_read_as_it_was(
        pieces in prop::collection::vec(0u8..14, 0..9),
        new in prop::sample::select(vec![0u8, 3, 5, 7, 8, 12]),
        at in 20usize..60,
    ) {
        let pieces: String = pieces.iter().enumerate().map(|(at, number)| piece(*number, at)).collect();
        let ledger = format!("# Decisions\n\n{pieces}");
        put_checked(&ledger, &piece(new, at));
    }
}

#[test]
fn an_entry_goes_among_those_that_apply() {
    let [old, late, later, latest] =
        [1, 10, 20, 28].map(|day| format!("### 2026-01-{day:02}: Day {day}\n**By:** Keaton\n**What:** A.\n\n"));
    let new = "### 2026-01-15: New\n**By:** Keaton\n**What:** B.\n\n";
    let governance = "## Governance\n\n- Ask the team\n\n";
    for rejected in [
        format!("## Rejected ideas\n\n{latest}{late}{old}"),
        format!("## Rejected ideas\n\nNot these.\n\n{old}{later}"),
    ] {
        for (ledger, expected) in [
            // Their dates say nothing of the order of the others.
            (format!("{late}{later}{rejected}"), format!("{late}{new}{later}{rejected}")),
            (format!("{later}{late}{rejected}"), format!("{later}{new}{late}{rejected}")),
            (
                format!("{rejected}## Decisions\n\n{later}{late}"),
                format!("{rejected}## Decisions\n\n{later}{new}{late}"),
            ),
            (
                format!("{rejected}## Decisions\n\n{late}{later}"),
                format!("{rejected}## Decisions\n\n{late}{new}{later}"),
            ),
            // A section without entries holds none, whatever comes behind it.
            (format!("{late}{governance}{rejected}"), format!("{late}{new}{governance}{rejected}")),
            (
                format!("## Decisions\n\nNone yet.\n\n{governance}{rejected}"),
                format!("## Decisions\n\nNone yet.\n\n{new}{governance}{rejected}"),
            ),
            (format!("{governance}{rejected}"), format!("{new}{governance}{rejected}")),
            (format!("{governance}{late}{rejected}"), format!("{governance}{late}{new}{rejected}")),
        ] {
            let ledger = format!("# Team decisions\n\n{ledger}");
            let mut sheet = Sheet::new(&ledger, &squad::DECISIONS, Spot::InTime);
            sheet.enter(None);
            assert_eq!(sheet.put(new, None), Placed::Added);
            // What the file ends with stays.
            let end = if expected.ends_with(new) { "\n" } else { "\n\n" };
            let expected = format!("# Team decisions\n\n{}{end}", expected.trim_end());
            assert_eq!(sheet.text(), Ok(expected), "{ledger}");
        }
    }
}
