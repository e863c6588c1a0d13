//! Entries that a change takes away while one like them moves: each needs a place of its own.

use serde_json::Value;

use super::good;
use super::lost::{ARCHIVE, FILE, INBOX, findings};
use crate::support::repo::Repo;

fn entry(date: &str, title: &str, what: &str) -> String {
    format!("### {date}: {title}\n\n**By:** Wren\n\n**What:** {what}\n\n")
}

/// Two decisions about one thing: the second replaced the first.
fn pair() -> (String, String) {
    let of = |date, time: &str| {
        let title = format!("Cache answers of the registry for {time}");
        let what = format!(
            "The proxy keeps answers of the package registry for {time}, because it throttles parallel installs."
        );
        entry(date, &title, &what)
    };
    (of("2026-02-10", "an hour"), of("2026-02-17", "a day"))
}

fn messages(repo: &Repo, args: &[&str]) -> Vec<String> {
    let text = |one: &Value| format!("{}: {}", one["severity"].as_str().unwrap(), one["message"].as_str().unwrap());
    findings(repo, args).iter().map(text).collect()
}

/// The decisions, the archive and the file of the inbox before a change and after it; no file where the text is empty.
fn found(before: [&str; 3], after: [&str; 3]) -> Vec<String> {
    let repo = Repo::new();
    for (files, is_before) in [(before, true), (after, false)] {
        for (path, text) in [FILE, ARCHIVE, INBOX].into_iter().zip(files) {
            if text.is_empty() {
                drop(std::fs::remove_file(repo.path.join(path)));
            } else {
                repo.write(path, text);
            }
        }
        repo.write("README.md", "x\n");
        repo.git(&["add", "--all"]);
        if is_before {
            repo.commit("first");
        }
    }
    let staged = messages(&repo, &["--staged"]);
    repo.commit("second");
    assert_eq!(messages(&repo, &["--from", "HEAD~1"]), staged);
    staged
}

#[test]
fn the_archive_of_another_entry_is_no_copy() {
    let (hour, day) = pair();
    let tabs = entry("2026-02-18", "Tabs", "All files of the shell are indented with tabs.");
    let all = |parts: &[&str]| parts.concat();
    let lost = "error: this change removes entry `Cache answers of the registry for an hour` (`2026-02-10`), and no archive contains it";
    let before = all(&[&hour, &day, &tabs]);
    for moved in [
        day.clone(),
        // The marks of the heading, and a word or two, change on the way.
        day.replace("###", "##"),
        day.replace("**By:** Wren", "**By:** Wren (archived)"),
        format!("# Archive\n\nOld decisions.\n\n{tabs}{day}").replacen(&tabs, "", 1),
    ] {
        assert_eq!(found([&before, "", ""], [&tabs, &moved, ""]), [lost], "{moved}");
    }
    // Merged from the inbox, and moved between files that both were there.
    assert_eq!(found([&all(&[&hour, &tabs]), "", &day], [&all(&[&tabs, &day]), "", ""]), [lost]);
    assert_eq!(found([&before, &tabs, ""], [&tabs, &all(&[&tabs, &day]), ""]), [lost]);
    // Each has a place of its own, in whatever order.
    let none: [&str; 0] = [];
    for archive in [all(&[&hour, &day]), all(&[&day, &hour])] {
        assert_eq!(found([&before, "", ""], [&tabs, &archive, ""]), none);
    }
    // The other one is written in other words, and two that say the same are one.
    let consolidated = hour
        .replace("for an hour\n", "for an hour (consolidated)\n")
        .replace("parallel installs", "installs that run in parallel");
    assert_eq!(found([&before, "", ""], [&tabs, &all(&[&day, &consolidated]), ""]), none);
    assert_eq!(found([&all(&[&day, &tabs]), "", &day], [&tabs, &day, ""]), none);
    // Of two removed entries in one block each is there.
    let both = format!(
        "### 2026-02-20: Cache answers of the registry (consolidated)\n\n{}{}",
        hour.replace("### ", ""),
        day.replace("### ", "")
    );
    assert_eq!(found([&before, "", ""], [&tabs, &both, ""]), none);
}

#[test]
fn an_entry_that_is_cut_to_a_word_is_a_warning() {
    let long = "The proxy keeps answers of the package registry for an hour, because the registry throttles parallel installs on \
                build machines. Nightly builds failed three times last week, and nobody noticed before lunch. Retries made the \
                throttling worse, since every machine asked again within seconds.";
    let tabs = entry("2026-02-18", "Tabs", "All files of the shell are indented with tabs.");
    let of = |what: &str| entry("2026-02-10", "Cache answers of the registry", what);
    let name = "entry `Cache answers of the registry` (`2026-02-10`)";
    let cut = format!("warning: this change leaves nearly nothing of {name}, and no archive contains the rest");
    let before = [of(long), tabs.clone()].concat();
    let none: [&str; 0] = [];
    for (after, archive, expected) in [
        (of("Done."), String::new(), &[cut.as_str()][..]),
        (of("See above."), tabs.clone(), &[cut.as_str()]),
        // Shortened, written in other words, and moved to an archive.
        (
            of("The proxy keeps answers of the package registry for an hour, because builds failed."),
            String::new(),
            &none,
        ),
        (
            of(
                "Nothing of it is true any more: the office has no network, and people write letters, which arrive on Fridays.",
            ),
            String::new(),
            &none,
        ),
        (of("See the archive."), of(long), &none),
        (of("See the archive."), entry("2026-03-01", "Network", long), &none),
    ] {
        assert_eq!(
            found([&before, "", ""], [&[after.clone(), tabs.clone()].concat(), &archive, ""]),
            expected,
            "{after}{archive}"
        );
    }
    // A short one has not much to lose.
    let short = [of("Answers are kept for an hour."), tabs.clone()].concat();
    assert_eq!(found([&short, "", ""], [&[of("Done."), tabs.clone()].concat(), "", ""]), none);
    // An SEM entry, too.
    let sem = |what: &str| good(1).replace("Sentence 1.", what);
    let found = found([&sem(long), "", ""], [&sem("Done."), "", ""]);
    assert!(matches!(found.as_slice(), [one] if one.contains("nearly nothing of note `Number 1`")), "{found:?}");
}
