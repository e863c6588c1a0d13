//! An entry stays in a section in which a side has it, whatever sections and entries both sides add.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::picked::picked;
use super::*;
use crate::formats::entries::Block;
use crate::text::{Span, lines};

/// What an entry is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Sem,
    Legacy,
    Item,
}

/// An entry or an item, with words that no other one has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: usize,
    shape: Shape,
    second: u32,
    version: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    title: String,
    rows: Vec<Row>,
}

/// What a side does to the sections of a file.
#[derive(Clone, Debug)]
enum Act {
    /// Adds an entry to a section: at its end, or at this place.
    Add(usize, Option<usize>, Shape, u32),
    /// Adds a section with entries: at the end, or at this place.
    AddSection(Option<usize>, usize, Vec<(Shape, u32)>),
    Remove(usize, usize),
    Change(usize, usize),
    /// Moves an entry to another section.
    Move(usize, usize, usize),
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![Just(Shape::Sem), Just(Shape::Legacy)]
}

fn rows(most: usize) -> impl Strategy<Value = Vec<(Shape, u32)>> {
    prop::collection::vec((shape(), 0u32..28), 0..most)
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let place = || prop::option::weighted(0.3, 0usize..5);
    let act = prop_oneof![
        5 => (0usize..5, place(), shape(), 0u32..28).prop_map(|(section, at, shape, second)| Act::Add(section, at, shape, second)),
        4 => (place(), 0usize..8, rows(3)).prop_map(|(at, title, rows)| Act::AddSection(at, title, rows)),
        1 => (0usize..5, 0usize..5).prop_map(|(section, at)| Act::Remove(section, at)),
        1 => (0usize..5, 0usize..5).prop_map(|(section, at)| Act::Change(section, at)),
        1 => (0usize..5, 0usize..5, 0usize..5).prop_map(|(section, at, to)| Act::Move(section, at, to)),
    ];
    prop::collection::vec(act, 0..5)
}

fn play(base: &[Section], acts: &[Act], side: usize, items: bool) -> Vec<Section> {
    let mut all = base.to_vec();
    let row = |number: usize, shape: Shape, second: u32| Row {
        number,
        shape: if items { Shape::Item } else { shape },
        second,
        version: "new".into(),
    };
    for (count, act) in acts.iter().enumerate() {
        let number = 1000 * side + 10 * count;
        let sections = all.len();
        match act {
            Act::Add(section, at, shape, second) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                let at = at.unwrap_or(rows.len()).min(rows.len());
                rows.insert(at, row(number, *shape, *second));
            }
            Act::AddSection(at, title, rows) => {
                let title = format!("Subject {title} of the team");
                if all.iter().any(|section| section.title == title) {
                    continue;
                }
                let rows = rows.iter().enumerate().map(|(step, (shape, second))| row(number + step, *shape, *second));
                let rows = rows.collect();
                all.insert(at.unwrap_or(sections).min(sections), Section { title, rows });
            }
            Act::Remove(section, at) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                if *at < rows.len() {
                    rows.remove(*at);
                }
            }
            Act::Change(section, at) if sections > 0 => {
                if let Some(row) = all[section % sections].rows.get_mut(*at) {
                    row.version = format!("changed by {side}, {count}");
                }
            }
            Act::Move(section, at, to) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                if *at < rows.len() {
                    let row = rows.remove(*at);
                    all[to % sections].rows.push(row);
                }
            }
            _ => {}
        }
    }
    all
}

fn text_of(title: &str, sections: &[Section]) -> String {
    let mut out = title.to_owned();
    for section in sections {
        let heading = format!("## {}\n\n", section.title);
        out += &heading;
        for Row { number, shape, second, version } in &section.rows {
            let words: String = (0..12).map(|word| format!(" w{number}x{word}")).collect();
            let text = format!("Text of number {number}:{words}\n\nNumber {number} is {version}.");
            let entry = match shape {
                Shape::Sem => sem(*second, &format!("Number {number} of the ledger"), &text),
                Shape::Legacy => legacy(1 + second, &format!("Number {number} of the ledger"), &text),
                Shape::Item => format!("- Number {number} of the list is {version}:{words}\n"),
            };
            out += &entry;
        }
        if section.rows.last().is_some_and(|row| row.shape == Shape::Item) {
            out.push('\n');
        }
    }
    out
}

/// The nearest section heading of each entry, by its number. A heading that `memory` reads as a part of an entry begins no section.
fn sections_of(text: &str) -> BTreeMap<usize, Vec<String>> {
    let entries = squad::DECISIONS.entries(text);
    let entries: Vec<Span> =
        entries.blocks().filter(|block| !matches!(block, Block::Prose(_))).map(Block::span).collect();
    let mut out: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut section = "";
    for span in lines(text, Span::new(0, text.len())) {
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

/// The base, with our side and theirs, and whether they are of learnings.
fn files() -> impl Strategy<Value = (bool, [String; 3])> {
    let section = prop::collection::vec(rows(4), 0..4);
    (prop::bool::weighted(0.3), section, acts(), acts()).prop_map(|(items, sections, ours, theirs)| {
        let row = |at: usize, (step, (shape, second)): (usize, &(Shape, u32))| Row {
            number: 10 * at + step,
            shape: if items { Shape::Item } else { *shape },
            second: *second,
            version: "old".into(),
        };
        let section = |(at, rows): (usize, &Vec<(Shape, u32)>)| Section {
            title: format!("Part {at} of the file"),
            rows: rows.iter().enumerate().map(|new| row(at, new)).collect(),
        };
        let base: Vec<Section> = sections.iter().enumerate().map(section).collect();
        let (ours, theirs) = (play(&base, &ours, 1, items), play(&base, &theirs, 2, items));
        let title = if items { "# Learnings: a\n\n" } else { TITLE };
        (items, [base, ours, theirs].map(|sections| text_of(title, &sections)))
    })
}

proptest! {
    #[test]
    fn no_entry_is_in_a_foreign_section((items, [base, ours, theirs]) in files()) {
        let kind = if items { &learnings::LEARNINGS } else { &squad::DECISIONS };
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(kind), &Markers::default());
        let text = String::from_utf8(merged.bytes).unwrap();
        let shown = format!(
            "{} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}",
            merged.conflicts, merged.by_lines
        );
        for of_ours in [true, false] {
            prop_assert_eq!(foreign(&ours, &theirs, &picked(&text, of_ours)), vec![], "ours: {}\n{}", of_ours, shown);
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
    // The title is still there, and what it was above is in another section.
    let ours = format!("{TITLE}## Active\n\n## Old\n\n{tabs}");
    let theirs = format!("{base}{new}");
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let text = String::from_utf8(merge(versions, Some(&squad::DECISIONS), &Markers::default()).bytes).unwrap();
        for of_ours in [true, false] {
            let text = picked(&text, of_ours);
            let before = text.split("Logs").next().filter(|before| before.len() < text.len());
            assert!(before.is_none_or(|before| !before.contains("## Old")), "{text}");
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
