//! Where an entry is in the merged file: in the section in which the side that added, moved or changed it has it, in the order of that side,
//! once, and without a conflict that git does not have. Sections are those of Markdown here, whatever `memory` reads as a part of an entry.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::merge::lines;

/// What an entry is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Sem,
    Legacy,
    /// An older entry that ends with a part of its own, which may say nothing.
    WithPart(bool),
}

/// An entry, with words that no other one has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: usize,
    shape: Shape,
    second: u32,
    version: String,
}

/// What is below the title of a section, before its first entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Intro {
    None,
    Prose,
    Bullet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    title: String,
    intro: Intro,
    rows: Vec<Row>,
}

/// What a side does to the sections of a file.
#[derive(Clone, Debug)]
enum Act {
    /// Adds an entry to a section: at its end, or at this place.
    Add(usize, Option<usize>, Shape, u32),
    /// Adds a section: at the end, or at this place.
    AddSection(Option<usize>, usize, Intro, Vec<(Shape, u32)>),
    Remove(usize, usize),
    Change(usize, usize),
    /// Moves an entry to a place in another section.
    Move(usize, usize, usize, usize),
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => Just(Shape::Sem),
        4 => Just(Shape::Legacy),
        1 => any::<bool>().prop_map(Shape::WithPart),
    ]
}

fn intro() -> impl Strategy<Value = Intro> {
    prop_oneof![2 => Just(Intro::None), 1 => Just(Intro::Prose), 1 => Just(Intro::Bullet)]
}

fn rows(most: usize) -> impl Strategy<Value = Vec<(Shape, u32)>> {
    prop::collection::vec((shape(), 0u32..28), 0..most)
}

fn acts(most: usize) -> impl Strategy<Value = Vec<Act>> {
    let place = || prop::option::weighted(0.3, 0usize..5);
    let act = prop_oneof![
        4 => (0usize..4, place(), shape(), 0u32..28).prop_map(|(section, at, shape, second)| Act::Add(section, at, shape, second)),
        2 => (place(), 0usize..8, intro(), rows(3)).prop_map(|(at, title, intro, rows)| Act::AddSection(at, title, intro, rows)),
        3 => (0usize..4, 0usize..4).prop_map(|(section, at)| Act::Remove(section, at)),
        1 => (0usize..4, 0usize..4).prop_map(|(section, at)| Act::Change(section, at)),
        3 => (0usize..4, 0usize..4, 0usize..4, 0usize..5).prop_map(|(section, at, to, place)| Act::Move(section, at, to, place)),
    ];
    prop::collection::vec(act, 0..most)
}

fn play(base: &[Section], acts: &[Act], side: usize) -> Vec<Section> {
    let mut all = base.to_vec();
    let row = |number: usize, shape: Shape, second: u32| Row { number, shape, second, version: "new".into() };
    for (count, act) in acts.iter().enumerate() {
        let number = 1000 * side + 10 * count;
        let sections = all.len();
        match act {
            Act::Add(section, at, shape, second) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                let at = at.unwrap_or(rows.len()).min(rows.len());
                rows.insert(at, row(number, *shape, *second));
            }
            Act::AddSection(at, title, intro, rows) => {
                let title = format!("Subject {title} of the team");
                if all.iter().any(|section| section.title == title) {
                    continue;
                }
                let rows = rows.iter().enumerate().map(|(step, (shape, second))| row(number + step, *shape, *second));
                let new = Section { title, intro: *intro, rows: rows.collect() };
                all.insert(at.unwrap_or(sections).min(sections), new);
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
            Act::Move(section, at, to, place) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                if *at < rows.len() {
                    let row = rows.remove(*at);
                    let rows = &mut all[to % sections].rows;
                    rows.insert((*place).min(rows.len()), row);
                }
            }
            _ => {}
        }
    }
    all
}

fn text_of(sections: &[Section]) -> String {
    let mut out = TITLE.to_owned();
    for Section { title, intro, rows } in sections {
        out.extend(["## ", title, "\n\n"]);
        match intro {
            Intro::None => {}
            Intro::Prose => out.extend(["Words on ", title, ", and more of them.\n\n"]),
            Intro::Bullet => out.extend(["- A point of ", title, "\n\n"]),
        }
        for Row { number, shape, second, version } in rows {
            let words: String = (0..12).map(|word| format!(" w{number}x{word}")).collect();
            let text = format!("Text of number {number}:{words}\n\nNumber {number} is {version}.");
            let title = format!("Number {number} of the ledger");
            let entry = match shape {
                Shape::Sem => sem(*second, &title, &text),
                Shape::Legacy => legacy(1 + second, &title, &text),
                Shape::WithPart(false) => format!("{}#### Context\n\n", legacy(1 + second, &title, &text)),
                Shape::WithPart(true) => {
                    format!("{}#### Context\n\nThe reason of number {number}.\n\n", legacy(1 + second, &title, &text))
                }
            };
            out.push_str(&entry);
        }
    }
    out
}

/// A file as the three versions have it, and whether a side moved something.
#[derive(Clone, Debug)]
pub(super) struct Files {
    texts: [String; 3],
    is_moved: bool,
}

/// A section as it is drawn: what is below its title, and each entry with its second.
type Drawn = (Intro, Vec<(Shape, u32)>);

pub(super) fn files() -> impl Strategy<Value = Files> {
    let section = prop::collection::vec((intro(), rows(4)), 1..4);
    // What both sides do, and each of them alone.
    let both = prop_oneof![2 => Just(Vec::new()), 1 => acts(3)];
    (section, both, acts(4), acts(4)).prop_map(|(sections, both, ours, theirs)| {
        let row = |at: usize, (step, (shape, second)): (usize, &(Shape, u32))| Row {
            number: 10 * at + step,
            shape: *shape,
            second: *second,
            version: "old".into(),
        };
        let section = |(at, (intro, rows)): (usize, &Drawn)| Section {
            title: format!("Part {at} of the file"),
            intro: *intro,
            rows: rows.iter().enumerate().map(|new| row(at, new)).collect(),
        };
        let base: Vec<Section> = sections.iter().enumerate().map(section).collect();
        let of_both = play(&base, &both, 3);
        let is_moved = [&both, &ours, &theirs].into_iter().flatten().any(|act| matches!(act, Act::Move(..)));
        let (ours, theirs) = (play(&of_both, &ours, 1), play(&of_both, &theirs, 2));
        Files { texts: [base, ours, theirs].map(|sections| text_of(&sections)), is_moved }
    })
}

/// The entries of a text, in its order, each with the nearest title above it.
fn entries(text: &str) -> Vec<(usize, &str)> {
    let (mut section, mut out) = ("", Vec::new());
    for line in text.lines() {
        if line.starts_with("## ") {
            section = line;
        } else if line.starts_with("### ") {
            let number = line.split("Number ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            out.push((number.unwrap(), section));
        }
    }
    out
}

/// The intros of sections, each with the nearest title above it.
fn intros(text: &str) -> BTreeSet<(&str, &str)> {
    let (mut section, mut out) = ("", BTreeSet::new());
    for line in text.lines() {
        if line.starts_with("## ") {
            section = line;
        } else if line.starts_with("Words on ") || line.starts_with("- A point of ") {
            out.insert((line, section));
        }
    }
    out
}

/// What the side that did something to an entry has. `None` if both did, and not the same.
fn merged_of<T: PartialEq + Clone>(base: &T, ours: &T, theirs: &T) -> Option<T> {
    Versions { base, ours, theirs }.trivial().cloned()
}

/// What is wrong in the merged text of a file that has no conflicts.
fn wrong(Files { texts, is_moved }: &Files, merged: &str) -> Vec<String> {
    let [base, ours, theirs, found] = [&texts[0], &texts[1], &texts[2], merged].map(entries);
    let mut out = Vec::new();
    let get = |list: &[(usize, &str)], number: usize| -> Vec<String> {
        list.iter().filter(|(other, _)| *other == number).map(|(_, section)| (*section).to_owned()).collect()
    };
    let numbers: BTreeSet<usize> = base.iter().chain(&ours).chain(&theirs).map(|(number, _)| *number).collect();
    for number in &numbers {
        let [base, ours, theirs, found] = [&base, &ours, &theirs, &found].map(|list| get(list, *number));
        match merged_of(&base, &ours, &theirs) {
            Some(expected) if found == expected => {}
            // Both added it.
            _ if base.is_empty() && (found == ours || found == theirs) => {}
            Some(expected) => out.push(format!("{number} is in {found:?}, and not in {expected:?}")),
            None => out.push(format!("{number} is in {found:?}, and both sides moved it: {ours:?}, {theirs:?}")),
        }
    }
    let count = |text: &str, line: &str| text.lines().filter(|other| *other == line).count();
    let lines: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    for line in lines
        .into_iter()
        .filter(|line| line.contains(" number ") || line.starts_with("Number ") || line.starts_with("## "))
    {
        let [base, ours, theirs] = texts.each_ref().map(|text| count(text, line));
        let kept = merged_of(&base, &ours, &theirs);
        let found = count(merged, line);
        // Sections with one title at two places are two.
        let is_two = line.starts_with("## ") && (base, ours, theirs, found) == (0, 1, 1, 2);
        if kept != Some(found) && !is_two {
            out.push(format!("{found} times, and not {kept:?}: {line}"));
        }
    }
    let [base, ours, theirs, intros_found] = [&texts[0], &texts[1], &texts[2], merged].map(intros);
    let all: BTreeSet<_> = base.iter().chain(&ours).chain(&theirs).collect();
    for intro in all {
        if !intros_found.contains(intro) {
            out.push(format!("not below its title: {intro:?}"));
        }
    }
    if !is_moved {
        let list = entries(merged);
        let places: BTreeMap<usize, usize> = list.iter().enumerate().map(|(at, (number, _))| (*number, at)).collect();
        for side in [&texts[1], &texts[2]] {
            let order: Vec<usize> =
                entries(side).iter().filter_map(|(number, _)| places.get(number)).copied().collect();
            if !order.is_sorted() {
                out.push(format!("another order than in {side}"));
            }
        }
    }
    out
}

/// Whether both sides did something to one entry that cannot be joined.
fn is_disputed(Files { texts, .. }: &Files) -> bool {
    let [base, ours, theirs] = texts.each_ref().map(|text| entries(text));
    let get = |list: &[(usize, &str)], number: usize| {
        list.iter().find(|(other, _)| *other == number).map(|(_, section)| (*section).to_owned())
    };
    let words = |text: &str, number: usize| {
        text.lines().find(|line| line.starts_with(&format!("Number {number} is "))).map(str::to_owned)
    };
    base.iter().any(|(number, section)| {
        let places =
            Versions { base: Some((*section).to_owned()), ours: get(&ours, *number), theirs: get(&theirs, *number) };
        let [base, ours, theirs] = texts.each_ref().map(|text| words(text, *number));
        let is_place = Versions { base: &places.base, ours: &places.ours, theirs: &places.theirs }.trivial().is_none();
        is_place || merged_of(&base, &ours, &theirs).is_none()
    })
}

proptest! {
    #[test]
    fn an_entry_is_where_the_side_has_it_that_put_it_there(files in files()) {
        let [base, ours, theirs] = files.texts.each_ref().map(String::as_str);
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        let text = String::from_utf8(merged.bytes).unwrap();
        let shown = format!(
            "{} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}",
            merged.conflicts, merged.by_lines
        );
        if merged.conflicts == 0 {
            prop_assert_eq!(wrong(&files, &text), Vec::<String>::new(), "{}", shown);
        } else {
            let (of_git, conflicts) = lines::merge(versions, &Markers::default());
            let of_git = String::from_utf8(of_git).unwrap();
            let is_right = || wrong(&files, &of_git).is_empty();
            prop_assert!(conflicts > 0 || is_disputed(&files) || !is_right(), "{shown}");
        }
    }
}

#[test]
fn a_move_stays_when_the_other_side_removes_the_neighbour() {
    let [one, two, three] =
        [(1, "One"), (2, "Two"), (3, "Three")].map(|(day, title)| sem(day, title, "Its own words."));
    let file = |first: &[&str], second: &[&str]| {
        format!("{TITLE}## Active\n\n{}## Rejected\n\n{}", first.concat(), second.concat())
    };
    let base = file(&[&one, &two], &[&three]);
    let (ours, theirs) = (file(&[&one], &[&three, &two]), file(&[&two], &[&three]));
    let expected = file(&[], &[&three, &two]);
    assert_eq!(ledger(&base, &ours, &theirs), (expected.clone(), 0));
    assert_eq!(ledger(&base, &theirs, &ours), (expected, 0));
}

#[test]
fn an_entry_that_both_sides_move_to_other_sections_is_a_conflict() {
    let [one, two] = [(1, "One"), (2, "Two")].map(|(day, title)| sem(day, title, "Its own words."));
    let file = |sections: [&[&str]; 3]| {
        let [active, rejected, done] = sections.map(<[&str]>::concat);
        format!("{TITLE}## Active\n\n{active}## Rejected\n\n{rejected}## Done\n\n{done}")
    };
    let base = file([&[&one, &two], &[], &[]]);
    let (ours, theirs) = (file([&[&one], &[&two], &[]]), file([&[&one], &[], &[&two]]));
    let (text, conflicts) = ledger(&base, &ours, &theirs);
    assert_eq!(conflicts, 2, "{text}");
    assert_eq!(super::picked::picked(&text, true), ours);
    assert_eq!(super::picked::picked(&text, false), theirs);
    // One side moved it to another section, and the other one within its section.
    let theirs = file([&[&two, &one], &[], &[]]);
    assert_eq!(ledger(&base, &ours, &theirs), (ours.clone(), 0));
    // One side removed it.
    let (text, conflicts) = ledger(&base, &ours, &file([&[&one], &[], &[]]));
    assert_eq!((text.matches("Two").count(), conflicts), (1, 1), "{text}");
}

#[test]
fn an_entry_is_not_below_a_new_title_behind_an_older_entry() {
    let (tabs, logs, ports) = (legacy(1, "Tabs", "We use tabs."), legacy(5, "Logs", "Short."), sem(9, "Ports", "Low."));
    let base = format!("{TITLE}## Active\n\n{tabs}");
    for text in ["## Glossary\n\nA ledger is a list.\n\n", "## Glossary\n\n- A ledger is a list\n\n"] {
        for new in [&logs, &ports] {
            let (ours, theirs) = (format!("{base}{text}"), format!("{base}{new}"));
            let expected = format!("{base}{new}{text}");
            assert_eq!(ledger(&base, &ours, &theirs), (expected.clone(), 0));
            assert_eq!(ledger(&base, &theirs, &ours), (expected, 0));
        }
        // Both add an entry, and one of them a section behind it.
        let (ours, theirs) = (format!("{base}{logs}{text}"), format!("{base}{logs}{ports}"));
        let expected = format!("{base}{logs}{ports}{text}");
        assert_eq!(ledger(&base, &ours, &theirs), (expected.clone(), 0));
        assert_eq!(ledger(&base, &theirs, &ours), (expected, 0));
    }
}

#[test]
fn an_empty_part_at_the_end_of_an_entry_is_no_section() {
    let entry = |text: &str| format!("{}#### Context\n\n", legacy(5, "Logs", text));
    let base = format!("{TITLE}## Active\n\n{}", entry("Short."));
    let ours = format!("{base}{}", sem(9, "Ports", "Low."));
    let theirs = format!("{TITLE}## Active\n\n{}", entry("Long."));
    assert_eq!(ledger(&base, &ours, &theirs), (ours.replace("Short.", "Long."), 0));
}
