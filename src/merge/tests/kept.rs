//! Lines that neither side removed, whatever a side makes of them.

use super::*;

fn any(kind: &FileKind, base: &str, ours: &str, theirs: &str) -> (String, Merged) {
    let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let merged = merge(versions, Some(kind), &Markers::default());
    (String::from_utf8(merged.bytes.clone()).unwrap(), merged)
}

const ITEMS: &str = "# Learnings: a\n\n## Core\n- Ports are below 1024 (added: 2026-02-01)\n\
    - Locks are held by files (added: 2026-02-01)\n\n## Other\n- Builds take an hour (added: 2026-02-02)\n";

#[test]
fn items_that_become_text_of_a_comment_stay() {
    for open in ["<!-- TODO: sort", "```"] {
        let ours = ITEMS.replace(": a\n", &format!(": a\n{open}\n"));
        let theirs = ITEMS.replace("Core\n", "Core\n\nThese are about the network.\n\n");
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (text, merged) = any(&learnings::LEARNINGS, ITEMS, ours, theirs);
            for line in ours.lines().chain(theirs.lines()).filter(|line| !line.is_empty()) {
                assert_eq!(text.lines().filter(|other| *other == line).count(), 1, "{line}\n{text}");
            }
            assert_eq!(merged.conflicts, 0, "{text}");
        }
    }
}

#[test]
fn an_item_that_one_side_removes_does_not_come_back_as_text() {
    let ours = ITEMS.replace(": a\n", ": a\n<!-- TODO: sort\n");
    let theirs = ITEMS.replace("- Locks are held by files (added: 2026-02-01)\n", "");
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, merged) = any(&learnings::LEARNINGS, ITEMS, ours, theirs);
        assert!(merged.conflicts > 0 || !text.contains("Locks"), "{text}");
        assert!(text.contains("Ports") && text.contains("TODO"), "{text}");
    }
}

#[test]
fn an_entry_that_loses_its_date_keeps_its_lines() {
    let (one, two) = (legacy(1, "One", "The first words of it."), legacy(2, "Two", "Other words of the second."));
    let base = format!("{TITLE}{one}{two}");
    let ours = base.replace("### 2026-02-01: One", "One");
    let theirs = format!("{TITLE}All of it in short.\n\n{one}{two}");
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, merged) = any(&squad::DECISIONS, &base, ours, theirs);
        let count = |words: &str| text.matches(words).count();
        assert!(count("first words") >= 1 && count("second") >= 1 && count("in short") >= 1, "{text}");
        assert!(merged.conflicts > 0 || count("first words") == 1, "{text}");
    }
}

#[test]
fn text_that_one_side_removes_does_not_come_back_in_an_entry() {
    let note = "A note of the team about ports.\n\n";
    let one = legacy(1, "One", "The first words of it.");
    let (base, ours) = (format!("{TITLE}{note}{one}"), format!("{TITLE}{one}"));
    let theirs = format!("{TITLE}{one}{note}");
    let (_, merged) = any(&squad::DECISIONS, &base, &ours, &theirs);
    assert!(merged.conflicts > 0 || merged.by_lines == Some(ByLines::Lost), "{merged:?}");
}

#[test]
fn a_part_that_both_sides_take_out_of_its_entry_does_not_come_twice() {
    let head = "## Rules of the build\n\n**Date:** 2026-03-18\n\nTests come first.\n\n";
    let part = format!("### Context\n\nQueues of caches.\n\n{}", legacy(9, "Last", "The end of the file."));
    let open = sem(1, "Notes", "A rule.").replace("A rule.", "<!--\nA rule.");
    let base = format!("{TITLE}{head}{part}");
    let (ours, theirs) = (format!("{open}{TITLE}-->\n{part}"), format!("{TITLE}{part}"));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, merged) = any(&squad::DECISIONS, &base, ours, theirs);
        assert!(merged.conflicts > 0 || text.matches("Queues of caches").count() == 1, "{text}");
    }
}

#[test]
fn text_that_one_side_removes_from_an_entry_does_not_come_back_in_another_one() {
    let [one, two, last] =
        [(1, "One"), (5, "Two"), (9, "Last")].map(|(day, title)| legacy(day, title, "Its own words."));
    let note = "The locks are held by files.\n\n";
    let (base, ours) = (format!("{TITLE}{one}{note}{two}{last}"), format!("{TITLE}{one}{two}{last}"));
    let theirs = format!("{TITLE}{one}{two}{note}{last}");
    let (_, merged) = any(&squad::DECISIONS, &base, &ours, &theirs);
    assert!(merged.conflicts > 0 || merged.by_lines == Some(ByLines::Lost), "{merged:?}");
}

#[test]
fn a_return_in_a_line_stays() {
    let base = format!("{TITLE}progress 10%\n\nprogress 10%\rprogress 100%\n\n{}", legacy(1, "One", "a"));
    let (ours, theirs) = (format!("{base}{}", legacy(2, "Two", "b")), base.replace(TITLE, "# All decisions\n\n"));
    let expected = ours.replace(TITLE, "# All decisions\n\n");
    assert_eq!(ledger(&base, &ours, &theirs), (expected, 0));
}
