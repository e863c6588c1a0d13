//! New titles of sections above entries that are there already.

use super::picked::picked;
use super::{TITLE, ledger, legacy};

/// Whether an entry of one side is below a new title that the other side put above the entry next to it.
pub(super) fn is_beside_new_title(number: usize, title: &str, [base, ours, theirs]: [&str; 3]) -> bool {
    let list = |text: &str| {
        let (mut section, mut out) = (String::new(), Vec::new());
        for line in text.lines() {
            if line.starts_with("## ") {
                section = line.to_owned();
            } else if line.starts_with("### ") || line.starts_with("- Number ") {
                let number =
                    line.split("Number ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
                out.extend(number.map(|number| (number, section.clone())));
            }
        }
        out
    };
    let has_title = |text: &str| text.lines().any(|line| line == title);
    let is_beside = |own: &str, other: &str| {
        let (own_list, other_list) = (list(own), list(other));
        let Some(at) = own_list.iter().position(|(own, _)| *own == number) else { return false };
        let of_other = |(one, _): &&(usize, String)| other_list.iter().find(|(other, _)| other == one);
        let before = own_list[..at].iter().rev().find_map(|one| of_other(&one));
        let behind = own_list[at + 1..].iter().find_map(|one| of_other(&one));
        !has_title(own) && before.into_iter().chain(behind).any(|(_, section)| section == title)
    };
    !has_title(base) && (is_beside(ours, theirs) || is_beside(theirs, ours))
}

fn entry(number: u32) -> String {
    legacy(number, &format!("Number {number}"), &format!("What number {number} says."))
}

/// A ledger of the entries 1 to 6, with these texts before them.
fn file(added: &[(u32, &str)]) -> String {
    let before = |number: u32| added.iter().filter(move |(at, _)| *at == number).map(|(_, text)| *text);
    let entries = (1..=6).flat_map(|number| before(number).map(str::to_owned).chain([entry(number)]));
    TITLE.to_owned() + &entries.collect::<String>() + &before(7).collect::<String>()
}

const ONE: &str = "## Stores\n\n";
const OTHER: &str = "## Keeping\n\n";

#[test]
fn two_titles_above_the_same_entries_are_a_conflict() {
    let (eight, nine) = (entry(8), entry(9));
    let with = |title: &str, text: &str| format!("{title}{text}");
    for (one, other) in [
        (ONE.to_owned(), OTHER.to_owned()),
        (with(ONE, "Why we have it.\n\n"), with(OTHER, "What else.\n\n")),
        // With entries of their own.
        (with(ONE, &eight), with(OTHER, &nine)),
        (with(ONE, &eight), OTHER.to_owned()),
    ] {
        for at in [1, 3] {
            let (ours, theirs) = (file(&[(at, &one)]), file(&[(at, &other)]));
            for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
                let (text, conflicts) = ledger(&file(&[]), ours, theirs);
                assert_eq!(conflicts, 1, "{text}");
                assert_eq!((&picked(&text, true), &picked(&text, false)), (ours, theirs));
            }
        }
    }
    // At two places, before a section that is there, and at the end, nothing is below both.
    let known = "## Known\n\n";
    for (base, ours, theirs, expected) in [
        (file(&[]), file(&[(2, ONE)]), file(&[(3, OTHER)]), file(&[(2, ONE), (3, OTHER)])),
        (
            file(&[(3, known)]),
            file(&[(3, &with(ONE, &eight)), (3, known)]),
            file(&[(3, &with(OTHER, &nine)), (3, known)]),
            file(&[(3, &with(ONE, &eight)), (3, &with(OTHER, &nine)), (3, known)]),
        ),
        (
            file(&[]),
            file(&[(7, &with(ONE, &eight))]),
            file(&[(7, &with(OTHER, &nine))]),
            file(&[(7, &with(ONE, &eight)), (7, &with(OTHER, &nine))]),
        ),
    ] {
        assert_eq!(ledger(&base, &ours, &theirs), (expected, 0));
    }
}

#[test]
fn what_the_other_side_does_below_a_new_title_is_no_conflict() {
    let (eight, nine) = (entry(8), entry(9));
    // Both append below it.
    let (ours, theirs) = (file(&[(4, ONE), (7, &eight)]), file(&[(7, &nine)]));
    let expected = file(&[(4, ONE), (7, &eight), (7, &nine)]);
    assert_eq!(ledger(&file(&[]), &ours, &theirs), (expected.clone(), 0));
    assert_eq!(ledger(&file(&[]), &theirs, &ours), (expected, 0));
    // The other side removes an entry below it.
    let (titled, gone) = (file(&[(4, ONE)]), file(&[]).replace(&entry(5), ""));
    let expected = titled.replace(&entry(5), "");
    assert_eq!(ledger(&file(&[]), &titled, &gone), (expected.clone(), 0));
    assert_eq!(ledger(&file(&[]), &gone, &titled), (expected, 0));
}

#[test]
fn what_the_other_side_moves_below_a_new_title_is_no_conflict() {
    let base = file(&[]);
    let titled = file(&[(4, ONE)]);
    let moved = |text: &str, from: u32, before: u32| {
        let text = text.replace(&entry(from), "");
        text.replace(&entry(before), &format!("{}{}", entry(from), entry(before)))
    };
    for (from, before, expected) in [
        (2, 6, moved(&titled, 2, 6)),
        (6, 5, moved(&titled, 6, 5)),
        // An entry is in the section that a side gave it.
        (5, 2, titled.clone()),
    ] {
        let moved = moved(&base, from, before);
        assert_eq!(ledger(&base, &titled, &moved), (expected.clone(), 0));
        assert_eq!(ledger(&base, &moved, &titled), (expected, 0));
    }
}

#[test]
fn a_new_title_that_says_more_keeps_other_entries_out() {
    let (eight, nine) = (entry(8), entry(9));
    let rejected = "## Rejected ideas\n\n";
    let (ours, theirs) = (file(&[(4, rejected), (7, &eight)]), file(&[(7, &nine)]));
    let (text, conflicts) = ledger(&file(&[]), &ours, &theirs);
    assert!(conflicts > 0, "{text}");
    let (titled, gone) = (file(&[(4, rejected)]), file(&[]).replace(&entry(5), ""));
    let (text, conflicts) = ledger(&file(&[]), &titled, &gone);
    assert_eq!(conflicts, 1, "{text}");
}

#[test]
fn an_entry_that_both_sides_add_keeps_what_is_behind_it_out_of_the_new_section() {
    // Theirs has the new entry 8 before the title, and the entry 6 below it.
    let (eight, nine) = (entry(8), entry(9));
    let ours = file(&[(7, &eight), (7, &nine)]);
    let theirs = file(&[(6, &eight), (6, ONE)]) + OTHER;
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, _) = ledger(&file(&[]), one, other);
        for of_ours in [true, false] {
            let text = picked(&text, of_ours);
            let below = text.split_once(ONE).map(|(_, below)| below.split(OTHER).next().unwrap());
            assert!(below.is_none_or(|below| !below.contains("Number 9")), "{text}");
        }
    }
}
