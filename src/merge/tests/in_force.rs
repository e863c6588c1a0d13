//! Whether an entry applies is what a side says, and no side effect of what happens to titles.

use super::picked::picked;
use super::*;

/// The lines of a text, but for blank ones.
fn said(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty()).collect()
}

/// The merged file, whichever side is ours. With a side of each conflict, it is as that side has it.
fn each_way(base: &str, ours: &str, theirs: &str, is_conflict: bool) -> Vec<String> {
    let both = [(ours, theirs), (theirs, ours)];
    let merged = both.map(|(ours, theirs)| {
        let (text, conflicts) = ledger(base, ours, theirs);
        assert_eq!(conflicts > 0, is_conflict, "{text}");
        if is_conflict {
            assert_eq!(said(&picked(&text, true)), said(ours), "{text}");
            assert_eq!(said(&picked(&text, false)), said(theirs), "{text}");
        }
        text
    });
    merged.into()
}

const ACTIVE: &str = "## Active\n\n";
const REJECTED: &str = "## Rejected ideas\n\n";
const REJECTED_WITH_TEXT: &str = "## Rejected ideas\n\nWhat we looked at, and did not take.\n\n";

#[test]
fn a_new_entry_is_not_rejected_as_the_title_above_it_is_gone() {
    for [one, two, new] in [
        [legacy(1, "One", "a"), legacy(2, "Two", "b"), legacy(3, "New", "c")],
        [sem(1, "One", "a"), sem(2, "Two", "b"), sem(3, "New", "c")],
    ] {
        let of = |title: &str, entries: &[&str]| format!("{TITLE}{REJECTED}{one}{title}{}", entries.concat());
        let base = of(ACTIVE, &[&two]);
        for added in [of(ACTIVE, &[&two, &new]), of(ACTIVE, &[&new, &two])] {
            each_way(&base, &of("", &[&two]), &added, true);
            // With another title, it is where it was.
            for title in ["## In force\n\n", "## Notes\n\n"] {
                let expected = added.replace(ACTIVE, title);
                assert_eq!(each_way(&base, &of(title, &[&two]), &added, false), [&*expected, &*expected]);
            }
            each_way(&base, &of("## Superseded\n\n", &[&two]), &added, true);
        }
    }
}

#[test]
fn a_rejected_entry_does_not_come_into_force_as_its_title_is_gone() {
    for [one, two, new] in [
        [legacy(1, "One", "a"), legacy(2, "Two", "b"), legacy(3, "New", "c")],
        [sem(1, "One", "a"), sem(2, "Two", "b"), sem(3, "New", "c")],
    ] {
        let of = |title: &str, entries: &[&str]| format!("{TITLE}{ACTIVE}{one}{title}{}", entries.concat());
        for title in [REJECTED, REJECTED_WITH_TEXT] {
            let base = of(title, &[&two]);
            let untitled = of("", &[&two]);
            each_way(&base, &untitled, &of(title, &[&two, &new]), true);
            each_way(&base, &untitled, &of(title, &[&new, &two]), true);
            each_way(&base, &untitled, &base.replace("b\n", "other\n"), true);
            each_way(&base, &of("## In force\n\n", &[&two]), &of(title, &[&two, &new]), true);
            // What the other side did elsewhere says nothing of it.
            let elsewhere = base.replace("a\n", "other\n");
            let expected = untitled.replace("a\n", "other\n");
            assert_eq!(each_way(&base, &untitled, &elsewhere, false), [&*expected, &*expected]);
        }
    }
}

#[test]
fn an_entry_stays_above_a_title_that_is_the_name_of_a_part_now() {
    let [one, two, new] = [legacy(1, "One", "a"), legacy(20, "Two", "b"), legacy(3, "New", "c")];
    for text in ["", "What is built, and how.\n\n"] {
        let of = |new: &str, title: &str| format!("{TITLE}{ACTIVE}{one}{new}## {title}\n\n{text}{two}");
        let expected = of(&new, "Notes");
        let merged = each_way(&of("", "Builds"), &of("", "Notes"), &of(&new, "Builds"), false);
        assert_eq!(merged, [&*expected, &*expected]);
    }
}

#[test]
fn no_side_of_a_conflict_lacks_a_title() {
    let (one, new) = (legacy(3, "One", "a"), legacy(10, "New", "b"));
    let notes = "## Notes\n\nWhat is left to say.\n";
    let base = format!("{TITLE}## 2026-02-01\n\n{one}{notes}");
    let ours = base.replace(&one, "");
    let theirs = base.replace("## 2026-02-01\n\n", &format!("{new}## 2026-02-01\n\nWords.\n\nMore of them.\n\n"));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, _) = ledger(&base, ours, theirs);
        for of_ours in [true, false] {
            assert_eq!(picked(&text, of_ours).matches("## Notes").count(), 1, "{text}");
        }
    }
}

#[test]
fn a_title_at_the_level_of_the_entries_is_where_git_has_it() {
    let entry = |day: u32, words: &str| {
        format!("## 2026-02-{day:02}: Number {day}\n\n**By:** Keaton\n\n### Context\n\n{words} of {day}.\n\n")
    };
    let [one, two, three] = [1, 2, 3].map(|day| entry(day, "Words"));
    let glossary = "## Glossary\n\nA ledger is a list.\n\n";
    let base = format!("{TITLE}{one}{two}{three}## Tests\n\n{glossary}");
    let ours = format!("{TITLE}{three}{one}{two}## Tests\n\n{}", glossary.replace("Glossary", "Words"));
    let theirs = format!("{base}## Storage\n\n{}", entry(27, "New"));
    let texts = [&base, &ours, &theirs].map(Clone::clone);
    let of_git = super::git::merged_by_git(&texts);
    assert_eq!(ledger(&base, &ours, &theirs), (of_git.unwrap(), 0));
}
