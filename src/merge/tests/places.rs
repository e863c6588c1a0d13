//! Where an entry is in the merged file: in the section in which the side that added, moved or changed it has it, in the order of that side,
//! once, and without a conflict that git does not have. Sections are those of Markdown here, whatever `memory` reads as a part of an entry.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::acts::{Files, Mix};
use super::git::merged_by_git;
use super::new_titles::is_beside_new_title;
use super::*;
use crate::merge::lines;

pub(super) const MIX: Mix = Mix {
    add: 4,
    add_section: 2,
    remove: 3,
    remove_section: 0,
    change: 1,
    moves: 3,
    most: 4,
    has_texts: true,
    items: 0,
};

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
fn wrong(Files { texts, is_moved, .. }: &Files, merged: &str) -> Vec<String> {
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
            _ if found.len() == 1
                && found
                    .iter()
                    .all(|title| is_beside_new_title(*number, title, texts.each_ref().map(String::as_str))) => {}
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
        let twice = at_two_places(texts);
        for side in [&texts[1], &texts[2]] {
            // What is in a section at two places is in order there, and all else is.
            let mut orders: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
            for (number, section) in entries(side) {
                orders.entry(twice.get(section).copied()).or_default().extend(places.get(&number));
            }
            if !orders.values().all(|order| order.is_sorted()) {
                out.push(format!("another order than in {side}"));
            }
        }
    }
    out
}

/// The titles that both sides added, each of them on another side of a title that both have: a section is there once, and so what is in it
/// cannot be where both sides have it.
fn at_two_places([base, ours, theirs]: &[String; 3]) -> BTreeSet<&str> {
    fn titles(text: &str) -> impl Iterator<Item = &str> {
        text.lines().filter(|line| line.starts_with("## "))
    }
    fn before<'t>(title: &str, side: &'t str, other: &str) -> BTreeSet<&'t str> {
        let before = titles(side).take_while(|own| *own != title);
        before.filter(|own| titles(other).any(|title| title == *own)).collect()
    }
    let is_added = |title: &&str| !titles(base).any(|old| old == *title) && titles(theirs).any(|own| own == *title);
    titles(ours).filter(is_added).filter(|title| before(title, ours, theirs) != before(title, theirs, ours)).collect()
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
    fn an_entry_is_where_the_side_has_it_that_put_it_there(files in MIX.files()) {
        let [base, ours, theirs] = files.texts.each_ref().map(String::as_str);
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        let text = String::from_utf8(merged.bytes).unwrap();
        let shown = format!(
            "{} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}",
            merged.conflicts, merged.by_lines
        );
        let of_lines = lines::merge(versions, &Markers::default()).0;
        if merged.conflicts > 0 {
            let of_git = merged_by_git(&files.texts).filter(|text| wrong(&files, text).is_empty());
            prop_assert!(of_git.is_none() || is_disputed(&files), "{shown}");
        } else if text.as_bytes() != of_lines {
            // Where only a merge by lines has no conflict, an entry may be where that puts it.
            prop_assert_eq!(wrong(&files, &text), Vec::<String>::new(), "{}", shown);
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
fn an_entry_that_changed_places_with_its_neighbour_can_be_removed() {
    let entries = [(1, "One"), (2, "Two"), (3, "Three"), (4, "Four")];
    let [one, two, three, four] = entries.map(|(day, title)| sem(day, title, "Its own words."));
    let file = |entries: &[&str]| format!("{TITLE}{}", entries.concat());
    let base = file(&[&one, &two, &three, &four]);
    let swapped = file(&[&one, &three, &two, &four]);
    for (removed, left) in [(&two, &three), (&three, &two)] {
        let theirs = base.replacen(removed, "", 1);
        let expected = (file(&[&one, left, &four]), 0);
        assert_eq!(ledger(&base, &swapped, &theirs), expected);
        assert_eq!(ledger(&base, &theirs, &swapped), expected);
    }
    // Two entries are between its places: this one was moved.
    let moved = file(&[&one, &three, &four, &two]);
    assert_eq!(ledger(&base, &moved, &base.replacen(&two, "", 1)).1, 1);
}

/// The titles of a text, and those of its entries.
fn titles(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| line.rsplit(' ').next().unwrap()).collect()
}

#[test]
fn opposite_moves_are_both_made() {
    for of in [sem, legacy] {
        let [one, two, three, four] =
            [(1, "One"), (2, "Two"), (3, "Three"), (4, "Four")].map(|(day, title)| of(day, title, "Its own words."));
        for (three, four) in [("", ""), (&*three, &*four)] {
            let file = |first: &[&str], second: &[&str]| {
                format!("{TITLE}## Active\n\n{}{three}## Rejected\n\n{}{four}", first.concat(), second.concat())
            };
            let base = file(&[&one], &[&two]);
            let (ours, theirs) = (file(&[], &[&one, &two]), file(&[&one, &two], &[]));
            let both = (file(&[&two], &[&one]), 0);
            assert_eq!(ledger(&base, &ours, &theirs), both);
            assert_eq!(ledger(&base, &theirs, &ours), both);
            // One side makes both of them, and the other one of them.
            for side in [&ours, &theirs] {
                assert_eq!(ledger(&base, &both.0, side), both);
                assert_eq!(ledger(&base, side, &both.0), both);
            }
        }
    }
}

#[test]
fn sections_move_with_what_the_other_side_does_in_them() {
    for of in [sem, legacy] {
        let [one, two, three, new] =
            [(1, "One"), (2, "Two"), (3, "Three"), (4, "New")].map(|(day, title)| of(day, title, "Its own words."));
        let file = |sections: &[(&str, &[&str])]| {
            let sections = sections.iter().map(|(title, entries)| format!("## {title}\n\n{}", entries.concat()));
            format!("{TITLE}{}", sections.collect::<String>())
        };
        let base = file(&[("Active", &[&one, &two]), ("Rejected", &[&three])]);
        let swapped = file(&[("Rejected", &[&three]), ("Active", &[&one, &two])]);
        let changed = base.replace("Its own words.", "Other words.");
        assert_eq!(ledger(&base, &swapped, &changed), (swapped.replace("Its own words.", "Other words."), 0));
        for (theirs, expected) in [
            (
                file(&[("Active", &[&one, &two, &new]), ("Rejected", &[&three])]),
                ["Decisions", "Rejected", "Three", "Active", "One", "Two", "New"].as_slice(),
            ),
            (
                file(&[("Active", &[&one, &two]), ("Rejected", &[&three, &new])]),
                &["Decisions", "Rejected", "Three", "New", "Active", "One", "Two"],
            ),
            (
                file(&[("Active", &[&two]), ("Rejected", &[&three, &one])]),
                &["Decisions", "Rejected", "Three", "One", "Active", "Two"],
            ),
            (
                file(&[("Active", &[&two]), ("Rejected", &[&three])]),
                &["Decisions", "Rejected", "Three", "Active", "Two"],
            ),
        ] {
            for (text, conflicts) in [ledger(&base, &swapped, &theirs), ledger(&base, &theirs, &swapped)] {
                assert_eq!((titles(&text).as_slice(), conflicts), (expected, 0), "{text}");
                // Each title has a blank line above it.
                assert_eq!(text.matches("\n\n#").count(), expected.len() - 1, "{text}");
            }
        }
    }
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

#[test]
fn an_entry_that_both_sides_add_at_two_places_is_there_once() {
    for of in [sem, legacy] {
        let [one, two] = [(1, "One"), (2, "Two")].map(|(day, title)| of(day, title, "Its own words."));
        let file = |first: &str, second: &str| format!("{TITLE}## Active\n\n{one}{first}## Done\n\n{two}{second}");
        let (new, other) = (of(9, "New", "We keep it."), of(9, "New", "We keep it, and more."));
        let base = file("", "");
        assert_eq!(ledger(&base, &file(&new, ""), &file("", &new)), (file(&new, ""), 0));
        // Where the texts differ, the conflict is in the entry.
        for (text, conflicts) in
            [ledger(&base, &file(&new, ""), &file("", &other)), ledger(&base, &file("", &other), &file(&new, ""))]
        {
            let titles = text.lines().filter(|line| line.starts_with('#') && line.ends_with("New")).count();
            assert_eq!((titles, conflicts), (1, 1), "{text}");
        }
    }
}

#[test]
fn an_entry_before_a_section_with_words_moves_as_the_other_side_appends() {
    for new in [sem(9, "New", "Its own words."), legacy(9, "New", "Its own words.")] {
        let words = "## Done\n\nWords on what is done.\n\n";
        let [zero, one, two] =
            [sem(3, "Zero", "Its own words."), legacy(1, "One", "Its own words."), legacy(2, "Two", "Its own words.")];
        let base = format!("{TITLE}## Active\n\n{zero}{one}{two}{words}");
        let moved = format!("{TITLE}## Active\n\n{two}{zero}{one}{words}");
        let added = format!("{base}{new}");
        let expected = format!("{moved}{new}");
        assert_eq!(ledger(&base, &moved, &added), (expected.clone(), 0));
        assert_eq!(ledger(&base, &added, &moved), (expected, 0));
        // It moves below another section, which says nothing.
        let base = format!("{TITLE}## Active\n\n{one}## Empty\n\n{words}");
        let moved = format!("{TITLE}## Active\n\n## Empty\n\n{one}{words}");
        let added = format!("{base}{new}");
        let expected = format!("{moved}{new}");
        assert_eq!(ledger(&base, &moved, &added), (expected.clone(), 0));
        assert_eq!(ledger(&base, &added, &moved), (expected, 0));
    }
}

#[test]
fn a_section_that_both_sides_add_at_two_places_is_in_the_order_of_one_of_them() {
    let [one, new, other] =
        [(1, "One"), (2, "New"), (3, "Other")].map(|(day, title)| sem(day, title, "Its own words."));
    let (part, subject) = (format!("## Part\n\n{one}"), "## Subject\n\nWords on the subject.\n\n");
    let base = format!("{TITLE}{part}");
    let (ours, theirs) = (format!("{base}{subject}{new}"), format!("{TITLE}{subject}{other}{part}"));
    // The new entry is behind the old one in ours, and the other entry is before it in theirs.
    let expected = format!("{TITLE}{subject}{new}{other}{part}");
    assert_eq!(ledger(&base, &ours, &theirs), (expected.clone(), 0));
    assert_eq!(ledger(&base, &theirs, &ours), (expected, 0));
}

#[test]
fn what_one_side_moves_behind_the_next_title_and_the_other_removes_is_a_conflict() {
    let [zero, one, two] =
        [sem(3, "Zero", "Its own words."), legacy(1, "One", "Its own words."), sem(2, "Two", "Its own words.")];
    let (subject, part) = ("## Subject\n\nWords on the subject.\n\n", "## Part\n\n");
    let base = format!("{TITLE}## Active\n\n{zero}{one}{two}{part}");
    let removed = base.replace(&two, "");
    let moved = format!("{removed}{two}{subject}");
    for (ours, theirs) in [(&removed, &moved), (&moved, &removed)] {
        let (text, conflicts) = ledger(&base, ours, theirs);
        assert_eq!((text.matches("DECISION: Two").count(), conflicts), (1, 1), "{text}");
    }
}
