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
