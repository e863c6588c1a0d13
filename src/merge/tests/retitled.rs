//! When an entry with another title is a version of an entry.

use super::{TITLE, ledger, legacy, sem};

#[test]
fn another_timestamp_or_day_makes_another_entry() {
    let long =
        |word: &str| format!("{word}, and the team agreed on it after a long talk about all that speaks for it.");
    let (old, ours, theirs) =
        (sem(1, "Stores", &long("Postgres")), sem(2, "Caches", &long("Redis")), sem(3, "Queues", &long("Kafka")));
    // Both sides archive the old entry, and each adds one at its place.
    let file = |entry: &str| format!("{TITLE}{entry}");
    assert_eq!(ledger(&file(&old), &file(&ours), &file(&theirs)), (format!("{TITLE}{ours}{theirs}"), 0));
    // One of them changes the old entry: that it is removed and changed is a conflict, and the new one is whole.
    let changed = old.replace("long talk", "short talk");
    let (text, conflicts) = ledger(&file(&old), &file(&ours), &file(&changed));
    assert_eq!((text.contains(&ours), text.matches("Postgres").count(), conflicts), (true, 1, 1), "{text}");
    let (old, ours, theirs) = (
        legacy(1, "Stores", &long("Postgres")),
        legacy(2, "Caches", &long("Redis")),
        legacy(3, "Queues", &long("Kafka")),
    );
    assert_eq!(ledger(&file(&old), &file(&ours), &file(&theirs)), (format!("{TITLE}{ours}{theirs}"), 0));
    // The same entry with another title.
    let (title, body) = (sem(1, "Data stores", &long("Postgres")), format!("{}\n\nSince version 3.", long("Postgres")));
    let (base, changed) = (file(&sem(1, "Stores", &long("Postgres"))), file(&sem(1, "Stores", &body)));
    let (text, conflicts) = ledger(&base, &file(&title), &changed);
    assert_eq!((text, conflicts), (file(&sem(1, "Data stores", &body)), 0));
}

#[test]
fn an_entry_with_another_date_is_the_same_entry() {
    for of in [sem, legacy] {
        let (one, last) = (of(1, "One", "Its own words."), of(20, "Last", "Its own words."));
        for (one, last) in [("", ""), (&*one, &*last)] {
            let file = |day: u32, text: &str| format!("{TITLE}{one}{}{last}", of(day, "Stores", text));
            let (base, dated, changed) = (file(2, "Postgres."), file(4, "Postgres."), file(2, "Postgres 17."));
            assert_eq!(ledger(&base, &dated, &changed), (file(4, "Postgres 17."), 0));
            assert_eq!(ledger(&base, &changed, &dated), (file(4, "Postgres 17."), 0));
            let (text, conflicts) = ledger(&base, &file(4, "Postgres."), &file(5, "Postgres."));
            assert_eq!(
                (text.matches("Stores").count(), text.contains("Postgres."), conflicts > 0),
                (2, true, true),
                "{text}"
            );
        }
    }
}

#[test]
fn only_what_an_entry_says_makes_it_a_version_of_another_one() {
    // Two agents in one second: the fields are the same, and the words are not.
    let (old, new) = (sem(1, "Stores", "Postgres."), sem(1, "Caches", "Redis."));
    let file = |entry: &str| format!("{TITLE}{entry}");
    let changed = sem(1, "Stores", "Postgres 17.");
    let (text, conflicts) = ledger(&file(&old), &file(&new), &file(&changed));
    assert_eq!((text.contains(&new), text.matches("Postgres 17.").count(), conflicts), (true, 1, 1), "{text}");
}

#[test]
fn blank_lines_at_the_end_are_of_the_file() {
    let (one, two) = (legacy(1, "One", "a"), legacy(2, "Two", "b"));
    let file = |entries: &str, end: &str| format!("{TITLE}{}\n{end}", entries.trim_end());
    let both = format!("{one}{two}");
    for (base, changed, kept) in [("\n", "\n\n", "\n\n"), ("\n\n", "", ""), ("", "\n", "\n")] {
        // One side changes the end, the other adds or removes the last entry.
        let expected = (file(&both, kept), 0);
        assert_eq!(ledger(&file(&one, base), &file(&both, base), &file(&one, changed)), expected);
        assert_eq!(ledger(&file(&one, base), &file(&one, changed), &file(&both, base)), expected);
        assert_eq!(ledger(&file(&both, base), &file(&one, base), &file(&both, changed)), (file(&one, kept), 0));
    }
}
