//! Entries that one side or both gave another date.

use super::picked::picked;
use super::{TITLE, ledger, legacy, sem};

const OLD: &str = "Postgres for all that is to be kept.";
const NEW: &str = "Redis for what may be lost, and files for all else.";

/// A ledger whose second of three entries is of this day, and says this.
fn file(of: fn(u32, &str, &str) -> String, day: u32, text: &str) -> String {
    format!("{TITLE}{}{}{}", of(1, "One", "Its own words."), of(day, "Stores", text), of(20, "Last", "Its own words."))
}

/// What both sides make of a ledger, whichever of them is ours.
fn both_ways(base: &str, one: &str, other: &str, expected: &str) {
    assert_eq!(ledger(base, one, other), (expected.into(), 0));
    assert_eq!(ledger(base, other, one), (expected.into(), 0));
}

#[test]
fn an_entry_that_both_sides_change_alike_and_one_gives_another_date_is_there_once() {
    for of in [sem, legacy] {
        let (base, changed, dated) = (file(of, 2, OLD), file(of, 2, NEW), file(of, 4, NEW));
        both_ways(&base, &changed, &dated, &dated);
        // It stands elsewhere by its date.
        let entry = of(2, "Stores", NEW);
        let moved = format!("{}{}", changed.replace(&entry, ""), of(25, "Stores", NEW));
        both_ways(&base, &changed, &moved, &moved);
    }
}

#[test]
fn an_entry_may_have_another_date_and_another_text() {
    let says =
        |first: &str, last: &str| format!("{first}\n\nIt was easy to agree on that.\n\nNobody was against it, {last}.");
    for of in [sem, legacy] {
        let (base, dated) =
            (file(of, 2, &says("Postgres it is", "so far")), file(of, 4, &says("Redis it is", "so far")));
        let changed = file(of, 2, &says("Postgres it is", "at last"));
        both_ways(&base, &changed, &dated, &file(of, 4, &says("Redis it is", "at last")));
        // Both gave it the date, and one changed it.
        let (same, more) =
            (file(of, 4, &says("Postgres it is", "so far")), file(of, 4, &says("Redis it is", "at last")));
        both_ways(&base, &same, &more, &more);
    }
}

#[test]
fn a_new_entry_with_another_date_on_each_side_is_a_conflict_in_it_alone() {
    for of in [sem, legacy] {
        let base = format!("{TITLE}{}{}", of(1, "One", "Its own words."), of(2, "Two", "Its own words."));
        let with = |day: u32, text: &str| format!("{base}{}", of(day, "Stores", text));
        let (ours, theirs) = (with(9, NEW), with(10, NEW));
        let (text, conflicts) = ledger(&base, &ours, &theirs);
        assert_eq!((text.matches(NEW).count(), text.matches("<<<<<<<").count(), conflicts), (1, 1, 1), "{text}");
        assert_eq!((picked(&text, true), picked(&text, false)), (ours.clone(), theirs));
        // It is so at two places, and where the words differ a little.
        let early =
            base.replace(&of(2, "Two", ""), "").replacen(TITLE, &format!("{TITLE}{}", of(10, "Stores", NEW)), 1);
        let (text, conflicts) = ledger(&base, &ours, &early);
        assert_eq!((text.matches(NEW).count(), conflicts), (1, 1), "{text}");
        let (text, conflicts) = ledger(&base, &ours, &with(10, &NEW.replace("all else", "all of the rest")));
        assert_eq!((text.matches("<<<<<<<").count(), conflicts), (1, 1), "{text}");
    }
}

#[test]
fn what_says_little_alike_is_another_entry() {
    let base = format!("{TITLE}{}", legacy(1, "One", "Its own words."));
    let with = |day: u32, text: &str| format!("{base}{}", legacy(day, "Weekly notes", text));
    let (ours, theirs) = (with(9, "The build is quick now."), with(16, "A new member came from Rome."));
    let expected = format!("{ours}{}", legacy(16, "Weekly notes", "A new member came from Rome."));
    both_ways(&base, &ours, &theirs, &expected);
}

#[test]
fn an_item_with_another_date_is_there_once() {
    use super::{learnings, merged};
    let base = "# Learnings: a\n\n## Core\n\n- Ports are below 1024\n";
    let with = |day: u32| format!("{base}- 2026-02-{day:02}: Sockets are closed by the one who opened them\n");
    let (text, conflicts) = merged(&learnings::LEARNINGS, base, &with(9), &with(10));
    assert_eq!((text.matches("<<<<<<<").count(), conflicts), (1, 1), "{text}");
    assert_eq!(picked(&text, true), with(9));
}
