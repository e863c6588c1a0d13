//! Equal items in two sections are two items.

use super::*;

fn items(base: &str, ours: &str, theirs: &str) -> (String, usize) {
    merged(&learnings::LEARNINGS, base, ours, theirs)
}

const BASE: &str = "# Learnings: a\n\n## Core\n- Ports are below 1024\n- Locks are files\n\n## Builds\n- Locks are files\n- Caches are kept\n";

#[test]
fn an_item_is_the_one_of_its_section() {
    let gone = BASE.replacen("- Locks are files\n", "", 1);
    let changed = BASE.replace("- Locks are files\n- Caches", "- Locks are files\n  and never links\n- Caches");
    let expected = changed.replacen("- Locks are files\n", "", 1);
    assert_eq!(items(BASE, &gone, &changed), (expected.clone(), 0));
    assert_eq!(items(BASE, &changed, &gone), (expected, 0));
    // Its mark is new in the one section, and it is gone in the other.
    let marked = BASE.replace("- Locks are files\n- Caches", "- Locks are files (updated: 2026-02-09)\n- Caches");
    let both = marked.replacen("- Locks are files\n", "", 1);
    let ours = BASE.replace("- Ports are", "- Sockets and ports are");
    let expected = both.replace("- Ports are", "- Sockets and ports are");
    assert_eq!(items(BASE, &ours, &both), (expected.clone(), 0));
    assert_eq!(items(BASE, &both, &ours), (expected, 0));
}

#[test]
fn an_item_that_both_add_to_two_sections_is_there_twice() {
    let new = "- Links break\n";
    let ours = BASE.replace("## Core\n", &format!("## Core\n{new}"));
    let theirs = BASE.replace("## Builds\n", &format!("## Builds\n{new}"));
    let (text, conflicts) = items(BASE, &ours, &theirs);
    assert_eq!((text.matches(new).count(), conflicts), (2, 0), "{text}");
    let (text, conflicts) = items(BASE, &ours, &BASE.replace("1024\n", &format!("1024\n{new}")));
    assert_eq!((text.matches(new).count(), conflicts), (1, 0), "{text}");
}

#[test]
fn an_item_that_is_there_once_may_change_its_section() {
    let caches = "- Caches are kept\n";
    let moved = BASE.replace(caches, "").replace("## Core\n", &format!("## Core\n{caches}"));
    let changed = BASE.replace(caches, "- Caches are kept\n  for a day\n");
    let expected = moved.replace(caches, "- Caches are kept\n  for a day\n");
    assert_eq!(items(BASE, &moved, &changed), (expected, 0));
}

#[test]
fn a_line_does_not_come_back_in_the_item_before() {
    let item = "- Locks are held\n  by files of the system\n";
    let base = format!("# Learnings: a\n\n## Core\n- Ports are free\n{item}- Caches are kept\n");
    let gone = base.replace(item, "");
    let shortened = base.replace("- Locks are held\n", "");
    let expected = |inner: &str| format!("# Learnings: a\n\n## Core\n- Ports are free\n{inner}- Caches are kept\n");
    let inner = "<<<<<<< ours\n=======\n  by files of the system\n>>>>>>> theirs\n";
    assert_eq!(items(&base, &gone, &shortened), (expected(inner), 1));
    let inner = "<<<<<<< ours\n  by files of the system\n=======\n>>>>>>> theirs\n";
    assert_eq!(items(&base, &shortened, &gone), (expected(inner), 1));
    // An entry of its own has the line now.
    let changed = base.replace("- Locks are held\n", "- All of it is done\n");
    let (text, conflicts) = items(&base, &gone, &changed);
    assert_eq!((text.matches("by files").count(), conflicts), (1, 1), "{text}");
}

#[test]
fn text_that_both_sides_add_at_two_places_is_there_once() {
    let [one, two, three] =
        [(1, "One"), (2, "Two"), (3, "Three")].map(|(day, title)| sem(day, title, "Its own words."));
    let base = format!("{TITLE}{one}{two}{three}");
    let notes = "## Notes\n\nThe build is slow.\n\n- On Mondays\n\n";
    let add = |before: &str, text: &str| base.replace(before, &format!("{text}{before}"));
    for text in ["The build is slow.\n\n", notes] {
        let (ours, theirs) = (add(&two, text), add(&three, text));
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            assert_eq!(ledger(&base, ours, theirs), (add(&two, text), 0));
        }
    }
    // Another text below the same heading is another section.
    let (text, conflicts) = ledger(&base, &add(&two, notes), &add(&three, &notes.replace("slow", "quick")));
    assert_eq!((text.matches("## Notes").count(), conflicts), (2, 0), "{text}");
}

/// Merged by entries, or by lines where that is not possible.
fn either(kind: &FileKind, base: &str, ours: &str, theirs: &str) -> (String, usize) {
    let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let Merged { bytes, conflicts, .. } = merge(versions, Some(kind), &Markers::default());
    (String::from_utf8(bytes).unwrap(), conflicts)
}

#[test]
fn a_new_item_stays_in_the_section_that_it_was_added_to() {
    let theirs = BASE.replace("- Locks are files\n\n", "- Locks are files\n- Links break\n\n");
    let ours = BASE.replace("## Builds", "## Known builds");
    let expected = theirs.replace("## Builds", "## Known builds");
    assert_eq!(either(&learnings::LEARNINGS, BASE, &ours, &theirs), (expected.clone(), 0));
    assert_eq!(either(&learnings::LEARNINGS, BASE, &theirs, &ours), (expected, 0));
}

#[test]
fn a_new_decision_stays_in_the_section_that_it_was_added_to() {
    let entry =
        |title: &str| format!("### 2026-02-10: {title}\n\n**By:** Keaton\n\n**What:** {title} is what we use.\n\n");
    let base = format!("# Decisions\n\n{}## Notes\n\n{}", entry("Tabs"), entry("Spaces"));
    let ours = base.replace("## Notes", "## Rejected ideas");
    let theirs = base.replace("## Notes", &format!("{}## Notes", entry("Locks")));
    let (text, conflicts) = either(&squad::DECISIONS, &base, &ours, &theirs);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(conflicts > 0 || at("Locks") < at("## Rejected ideas"), "{text}");
}

#[test]
fn no_title_is_there_twice_beside_a_conflict() {
    let entry = |at: usize, more: &str| {
        let stamp = format!("2026-02-10T10:00:{at:02}+0000");
        format!(
            "### {stamp}: note: Number {at}\n\n**type:** note  \n**timestamp:** {stamp}  \n**author:** Verbal  \n\n**summary:** Number {at}.{more}\n\n"
        )
    };
    let notes = "## Notes\n\nWhat is left to say.\n\n";
    let of = |parts: &[&str]| format!("# Decisions\n\n{}", parts.concat());
    let [one, two, three, new] = [1, 2, 3, 4].map(|at| entry(at, ""));
    let base = of(&[&one, &two, notes, &three]);
    let ours = of(&[&two, &one, notes, &three]);
    let theirs = of(&[&one, &entry(2, " More of it."), &new, notes, &three]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, conflicts) = either(&squad::DECISIONS, &base, ours, theirs);
        let mut is_inside = false;
        let titles = text.lines().filter(|line| {
            is_inside = !line.starts_with(">>>>>>>") && (is_inside || line.starts_with("<<<<<<<"));
            !is_inside && *line == "## Notes"
        });
        assert!(titles.count() <= 1, "{conflicts} conflicts: {text}");
    }
}

#[test]
fn a_section_that_both_sides_add_with_one_more_entry_on_one_of_them_has_its_title_once() {
    let entry = |number: u32| legacy(number, &format!("Number {number}"), &format!("Text of number {number}."));
    let [one, two, new, more, other] = [1, 2, 10, 11, 12].map(entry);
    let (first, second) = (format!("## First part\n\n{one}"), format!("## Second part\n\n{two}"));
    let title = "## Tools of the team\n\n";
    let base = format!("{TITLE}{first}{second}");
    let put = |place: usize, entries: &str| {
        let mut all = vec![first.clone(), second.clone()];
        all.insert(place, format!("{title}{entries}"));
        format!("{TITLE}{}", all.concat())
    };
    for [our_entries, their_entries] in
        [[&[&new][..], &[&new, &more]], [&[&new, &other], &[&new, &more]], [&[&new], &[&more, &new]]]
    {
        let of = |entries: &[&String]| entries.iter().map(|entry| entry.as_str()).collect::<String>();
        for (at, place) in [(0, 2), (0, 1), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let (ours, theirs) = (put(at, &of(our_entries)), put(place, &of(their_entries)));
            for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
                let (text, conflicts) = ledger(&base, ours, theirs);
                assert_eq!((text.matches(title).count(), conflicts), (1, 0), "{text}");
                let (_, below) = text.split_once(title).unwrap();
                let below = below.split("\n## ").next().unwrap();
                for entry in our_entries.iter().chain(their_entries) {
                    assert_eq!(below.matches(entry.trim_end()).count(), 1, "{text}");
                }
            }
        }
    }
}

#[test]
fn a_text_that_both_sides_add_at_two_places_is_there_once_with_what_each_adds_below_it() {
    let entry = |number: u32| legacy(number, &format!("Number {number}"), &format!("Text of number {number}."));
    let [one, two, three, new, other] = [1, 2, 3, 10, 11].map(entry);
    let text = "## How we write\n\nShort sentences, and one fact in each.\n\n";
    let longer = format!("{text}Active words.\n\n");
    let file = |parts: &[&str]| format!("{TITLE}{}", parts.concat());
    let base = file(&[&one, &two, &three]);
    for (ours, theirs, below) in [
        (file(&[&one, &two, &three, text, &new]), file(&[&one, text, &two, &three]), vec![&new]),
        (file(&[&one, &two, &three, text, &new]), file(&[text, &one, &two, &three, &other]), vec![&new]),
        (file(&[&one, &two, &three, &longer]), file(&[&one, text, &two, &three]), vec![]),
        (file(&[&one, &two, &three, &longer, &new]), file(&[&one, text, &two, &three]), vec![&new]),
    ] {
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (merged, conflicts) = ledger(&base, ours, theirs);
            assert_eq!((merged.matches("Short sentences").count(), conflicts), (1, 0), "{merged}");
            assert_eq!(merged.contains("Active"), ours.contains("Active") || theirs.contains("Active"), "{merged}");
            let (_, found) = merged.split_once(text).unwrap();
            assert!(below.iter().all(|entry| found.contains(entry.as_str())), "{merged}");
        }
    }
}

#[test]
fn an_update_is_in_no_section() {
    let last = "## Filed (2026-03-07)\n\nOne issue.\n\n\n\n";
    let base = format!("# Keaton\n\n## Learnings\n\n## Planned (2026-03-05)\n\nTwo issues.\n\n{last}");
    let update = "📌 Team update (2026-03-08): Five issues are open.\n";
    let (ours, theirs) = (base.replace(last, ""), format!("{base}{update}"));
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, conflicts) = merged(&squad::HISTORY, &base, one, other);
        assert_eq!((text.contains("Filed"), text.matches("Five issues").count(), conflicts), (false, 1, 0), "{text}");
    }
}

#[test]
fn a_section_that_both_added_is_as_the_first_one_has_it_whichever_side_that_is() {
    let entries = [(1, "Old"), (2, "Last"), (10, "Common")];
    let [old, last, common] = entries.map(|(day, title)| sem(day, title, "Its own words."));
    let base = format!("{TITLE}{old}{last}");
    // The sides have the entry in different parts of the section, below the same nested titles.
    let first = format!("{TITLE}## Topic\n\n### Nested\n\n- A point.\n\n### Deeper\n\n{common}{old}{last}");
    let second = format!("{TITLE}{old}## Topic\n\n{common}### Nested\n\n- A point.\n\n### Deeper\n\n{last}");
    assert_eq!(ledger(&base, &first, &second), (first.clone(), 0));
    assert_eq!(ledger(&base, &second, &first), (first, 0));
}
