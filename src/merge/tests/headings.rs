//! An entry stays in a section in which a side has it, whatever sections and entries both sides add.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::acts::Mix;
use super::new_titles::is_beside_new_title;
use super::picked::picked;
use super::*;
use crate::formats::entries::Block;
use crate::merge::lines;
use crate::text::{Span, lines as each_line};

const MIX: Mix = Mix {
    add: 5,
    add_section: 4,
    remove: 1,
    remove_section: 0,
    change: 1,
    moves: 1,
    most: 5,
    has_texts: false,
    items: 30,
};

/// The nearest section heading of each entry, by its number. A heading that `memory` reads as a part of an entry begins no section.
fn sections_of(text: &str) -> BTreeMap<usize, Vec<String>> {
    let entries = squad::DECISIONS.entries(text);
    let entries: Vec<Span> =
        entries.blocks().filter(|block| !matches!(block, Block::Prose(_))).map(Block::span).collect();
    let mut out: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut section = "";
    for span in each_line(text, Span::new(0, text.len())) {
        let line = span.of(text);
        if line.starts_with("## ") && !entries.iter().any(|entry| entry.contains(span)) {
            section = line;
        } else if line.starts_with("### ") || line.starts_with("- Number") {
            let number = line.split("Number ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            out.entry(number.unwrap()).or_default().push(section.to_owned());
        }
    }
    out
}

/// The entries that are below a heading below which neither side has them.
fn foreign(ours: &str, theirs: &str, merged: &str) -> Vec<(usize, String)> {
    let [ours, theirs, merged] = [ours, theirs, merged].map(sections_of);
    let has = |side: &BTreeMap<usize, Vec<String>>, number: &usize, section: &String| {
        side.get(number).is_some_and(|sections| sections.contains(section))
    };
    let all =
        merged.into_iter().flat_map(|(number, sections)| sections.into_iter().map(move |section| (number, section)));
    all.filter(|(number, section)| !has(&ours, number, section) && !has(&theirs, number, section)).collect()
}

proptest! {
    #[test]
    fn no_entry_is_in_a_foreign_section(files in MIX.files()) {
        let kind = files.kind();
        let [base, ours, theirs] = files.texts;
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(kind), &Markers::default());
        let text = String::from_utf8(merged.bytes).unwrap();
        let shown = format!(
            "{} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}",
            merged.conflicts, merged.by_lines
        );
        // Where only a merge by lines has no conflict, or smaller ones, an entry may be where that puts it.
        if lines::merge(versions, &Markers::default()).0 == text.as_bytes() {
            return Ok(());
        }
        for of_ours in [true, false] {
            let mut found = foreign(&ours, &theirs, &picked(&text, of_ours));
            found.retain(|(number, title)| !is_beside_new_title(*number, title, [&base, &ours, &theirs]));
            prop_assert_eq!(found, vec![], "ours: {}\n{}", of_ours, shown);
        }
    }
}

fn both_ways(kind: &FileKind, base: &str, ours: &str, theirs: &str, expected: [String; 2]) {
    let [in_order, swapped] = expected;
    assert_eq!(merged(kind, base, ours, theirs), (in_order, 0));
    assert_eq!(merged(kind, base, theirs, ours), (swapped, 0));
}

#[test]
fn an_entry_is_not_put_into_the_new_section_of_the_other_side() {
    let base = format!("{TITLE}## Active\n\n{}", legacy(1, "Tabs", "We use tabs."));
    let (logs, cargo, spaces) = (legacy(5, "Logs", "Short."), legacy(6, "Cargo", "New."), legacy(3, "Spaces", "No."));
    let (tooling, rejected) = (format!("## Tooling\n\n{cargo}"), format!("## Rejected ideas\n\n{spaces}"));
    let (ours, theirs) = (format!("{base}{logs}{tooling}"), format!("{base}{rejected}"));
    let expected = [format!("{base}{logs}{tooling}{rejected}"), format!("{base}{logs}{rejected}{tooling}")];
    both_ways(&squad::DECISIONS, &base, &ours, &theirs, expected);
    // Theirs appends to the section that ours leaves.
    let ports = legacy(7, "Ports", "Below 1024.");
    let expected = format!("{base}{logs}{ports}{tooling}");
    both_ways(&squad::DECISIONS, &base, &ours, &format!("{base}{ports}"), [expected.clone(), expected]);
    // The heading has a text below it.
    let text = "## Glossary\n\nA ledger is a list of decisions.\n\n";
    let base = format!("{TITLE}## Active\n\n{}", sem(1, "Tabs", "We use tabs."));
    let new = sem(9, "Ports", "Below 1024.");
    let expected = format!("{base}{new}{text}");
    let (ours, theirs) = (format!("{base}{text}"), format!("{base}{new}"));
    both_ways(&squad::DECISIONS, &base, &ours, &theirs, [expected.clone(), expected]);
}

#[test]
fn new_sections_of_both_sides_follow_one_another() {
    let base = "# Learnings: a\n\n## Core\n- Ports are below 1024\n\n";
    let (one, two) = ("## Builds\n- Caches are kept\n- Locks are files\n\n", "## Tests\n- One thread runs them\n\n");
    let add = |sections: &[&str]| format!("{base}{}", sections.concat());
    let expected = [add(&[one, two]), add(&[two, one])];
    both_ways(&learnings::LEARNINGS, base, &add(&[one]), &add(&[two]), expected);
    let three = "## Builds\n- Links break\n\n";
    let (text, conflicts) = merged(&learnings::LEARNINGS, base, &add(&[one]), &add(&[two, three]));
    let joined = one.replace("files\n", "files\n- Links break\n");
    assert_eq!((text, conflicts), (add(&[two, &joined]), 0));
}

#[test]
fn a_new_section_may_have_the_place_of_one_with_another_title() {
    let tabs = legacy(1, "Tabs", "We use tabs.");
    let base = format!("{TITLE}## Active\n\n{tabs}");
    let new = legacy(2, "Logs", "Short.");
    // One side gave the section another title.
    let ours = base.replace("Active", "In force");
    let expected = format!("{ours}{new}");
    both_ways(&squad::DECISIONS, &base, &ours, &format!("{base}{new}"), [expected.clone(), expected]);
    // The title is still there, and what it was above is in another section: a merge by lines keeps together what is side by side. It does
    // not where the title says that the entries below it do not apply.
    for (title, is_conflict) in [("Old", false), ("Rejected", true)] {
        let ours = format!("{TITLE}## Active\n\n## {title}\n\n{tabs}");
        let theirs = format!("{base}{new}");
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let (text, conflicts) = ledger(&base, one, other);
            assert_eq!(conflicts > 0, is_conflict, "{text}");
            assert!(is_conflict || text == format!("{ours}{new}"), "{text}");
        }
    }
}

#[test]
fn an_empty_new_section_behind_a_new_entry_begins_where_both_sides_see_it() {
    let (tabs, ports) = (sem(1, "Tabs", "We use tabs."), sem(9, "Ports", "Below 1024."));
    let base = format!("{TITLE}## Active\n\n{tabs}");
    let logs = legacy(5, "Logs", "Short.");
    let ours = format!("{base}{logs}## Rejected\n\n");
    let (text, conflicts) = ledger(&base, &ours, &format!("{base}{ports}"));
    assert_eq!(
        (text.split("## Rejected").next().map(|text| text.contains("Ports")), conflicts),
        (Some(true), 0),
        "{text}"
    );
    // A heading below the entry's own level is a part of it, and so is one with a text.
    for end in ["#### Context\n\nWords of it.\n\n", "## Glossary\n\nA ledger is a list.\n\n"] {
        let ours = format!("{base}{logs}{end}");
        let (text, _) = ledger(&base, &ours, &format!("{base}{ports}"));
        assert!(text.contains(&format!("{logs}{end}")), "{text}");
    }
}

#[test]
fn a_section_behind_the_new_entry_of_one_side_is_one_for_both() {
    let section = |items: &str| format!("\n## Tools\n\n{items}");
    let entry = legacy(5, "Logs", "Short.");
    let file = |entry: &str, items: &str| format!("# Decisions\n\n{entry}{}{}", section(items), section("- One\n"));
    let (base, ours, theirs) = (file("", ""), file(&entry, ""), file("", "- One\n"));
    let expected = file(&entry, "- One\n");
    both_ways(&squad::DECISIONS, &base, &ours, &theirs, [expected.clone(), expected]);
}

#[test]
fn a_title_that_one_side_changes_and_the_other_removes_is_a_conflict() {
    for of in [sem, legacy] {
        let [one, two, three] =
            [(1, "One"), (2, "Two"), (3, "Three")].map(|(day, title)| of(day, title, "Its own words."));
        let file = |title: &str| format!("{TITLE}## Active\n\n{one}{title}{two}{three}");
        for title in ["## Later\n\n", "## Rejected ideas\n\n"] {
            let (base, ours, theirs) = (file("## Paused\n\n"), file(title), file(""));
            for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
                let (text, conflicts) = ledger(&base, ours, theirs);
                // The conflict is in the title alone.
                assert_eq!((conflicts, text.matches("Its own words.").count()), (1, 3), "{text}");
                assert_eq!(&super::picked::picked(&text, true), ours);
                assert_eq!(&super::picked::picked(&text, false), theirs);
            }
            // What one side moves out of the section is no conflict.
            let moved = format!("{TITLE}## Active\n\n{one}{two}## Paused\n\n{three}");
            let expected = format!("{TITLE}## Active\n\n{one}{two}{title}{three}");
            assert_eq!(ledger(&base, &ours, &moved), (expected.clone(), 0));
            assert_eq!(ledger(&base, &moved, &ours), (expected, 0));
        }
    }
}
