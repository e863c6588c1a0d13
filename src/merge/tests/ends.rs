//! How lines and files end.

use super::*;

#[test]
fn line_ends_of_one_side() {
    let base = format!("{TITLE}{}", sem(1, "One", "a"));
    let (ours, theirs) = (sem(2, "Two", "b"), sem(3, "Three", "c"));
    let crlf = format!("{base}{ours}").replace('\n', "\r\n");
    let expected = format!("{base}{ours}{theirs}").replace('\n', "\r\n");
    assert_eq!(ledger(&base, &crlf, &format!("{base}{theirs}")), (expected.clone(), 0));
    assert_eq!(ledger(&base, &format!("{base}{theirs}"), &crlf), (expected, 0));
}

#[test]
fn no_last_line_end_and_no_base() {
    let base = format!("{TITLE}{}", legacy(1, "Tabs", "We use tabs.").trim_end());
    let side = |day, title| format!("{base}\n\n{}", legacy(day, title, "Text.").trim_end());
    let (text, conflicts) = ledger(&base, &side(2, "Logs"), &side(3, "Caches"));
    let expected = format!("{}\n\n{}", side(2, "Logs"), legacy(3, "Caches", "Text.").trim_end());
    assert_eq!((text, conflicts), (expected, 0));
    let file = |day, title| format!("{TITLE}{}", legacy(day, title, "Text."));
    let (text, conflicts) = ledger("", &file(2, "Logs"), &file(1, "Caches"));
    assert_eq!((text, conflicts), (format!("{}{}", file(1, "Caches"), legacy(2, "Logs", "Text.")), 0));
}

#[test]
fn a_blank_line_stays_between_entries_that_both_sides_append() {
    let end = |text: &str| format!("{}\n", text.trim_end());
    let entries: [fn(u32) -> String; 3] = [
        |second| sem(second, &format!("Number {second}"), &format!("Text {second}.")),
        |day| legacy(day, &format!("Number {day}"), &format!("Text {day}.")),
        |day| format!("{}---\n\n", legacy(day, &format!("Number {day}"), &format!("Text {day}."))),
    ];
    for entry in entries {
        // With and without entries that show what is usual.
        for count in [0, 1, 3] {
            let file = |more: &[u32]| {
                let all = (1..=count).chain(more.iter().copied());
                end(&format!("{TITLE}{}", all.map(entry).collect::<String>()))
            };
            assert_eq!(ledger(&file(&[]), &file(&[5]), &file(&[6])), (file(&[5, 6]), 0));
            assert_eq!(ledger(&file(&[]), &file(&[5, 8]), &file(&[6, 7])), (file(&[5, 6, 7, 8]), 0));
        }
    }
}

#[test]
fn what_is_removed_and_changed_is_in_the_conflict_up_to_its_end() {
    let (one, two, three) = (sem(1, "One", "a"), sem(2, "Two", "b"), sem(3, "Three", "c"));
    let changed = sem(2, "Two", "other");
    for rest in ["", &*three] {
        let of = |entry: &str| format!("{}\n", format!("{TITLE}{one}{entry}{rest}").trim_end());
        let block = changed.trim_end();
        let expected = of(&format!("<<<<<<< ours\n{block}\n=======\n>>>>>>> theirs\n\n"));
        assert_eq!(ledger(&of(&two), &of(&changed), &of("")), (expected, 1));
        let expected = of(&format!("<<<<<<< ours\n=======\n{block}\n>>>>>>> theirs\n\n"));
        assert_eq!(ledger(&of(&two), &of(""), &of(&changed)), (expected, 1));
    }
}

#[test]
fn a_removed_entry_does_not_decide_where_an_item_stands() {
    let old = sem(9, "Tabs", "We use tabs.");
    let item = "- Ports are below 1024\n\n";
    let new = legacy(5, "Logs", "Short.");
    let (base, ours, theirs) = (format!("{TITLE}{old}"), format!("{TITLE}{new}"), format!("{TITLE}{old}{item}"));
    let both = [ledger(&base, &ours, &theirs), ledger(&base, &theirs, &ours)];
    assert_eq!(both[0], (format!("{TITLE}{item}{new}"), 0));
    assert_eq!(both[0], both[1]);
}
