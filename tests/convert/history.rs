//! Dates and authors that a text lacks, from the commits of a real repository.

use std::fs;

use super::{convert, json};
use crate::support::git;
use crate::support::repo::Repo;
use crate::support::{stderr, stdout};

const PATH: &str = ".squad/decisions.md";

/// Commits everything as `author` at `date`.
fn commit(repo: &Repo, author: &str, date: &str) {
    repo.git(&["add", "--all", "--force"]);
    let status = git(&repo.path)
        .args(["commit", "--quiet", "--allow-empty", "--message", "x"])
        .env("GIT_AUTHOR_NAME", author)
        .envs([("GIT_AUTHOR_DATE", date), ("GIT_COMMITTER_DATE", date)])
        .status();
    assert!(status.unwrap().success());
}

/// A repository whose first commit has no state.
fn repository() -> Repo {
    let repo = Repo::new();
    repo.write(
        ".squad/team.md",
        "# Team\n\n| Name | Role |\n|---|---|\n| Verbal | Lead |\n\n- **Owner:** Mike Linnen\n",
    );
    commit(&repo, "Somebody", "2026-01-01T00:00:00+0000");
    repo
}

fn reasons(repo: &Repo) -> String {
    json(&repo.path, &[])["entries"][0]["reasons"].to_string()
}

#[test]
fn the_commit_that_added_the_heading_gives_date_and_author() {
    let repo = repository();
    repo.write(PATH, "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    let entry = "## Decision: Use one database for all\n\nIt is there already.\n";
    repo.write(PATH, format!("# Team Decisions\n\n{entry}"));
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    repo.write(PATH, format!("# Team Decisions\n\nSome words.\n\n{entry}\nMore text.\n"));
    commit(&repo, "Verbal", "2026-02-03T09:00:00+0100");
    let output = convert(&repo.path, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    assert!(text.contains("### 2026-02-02T10:20:30-0800: decision: Use one database for all\n"), "{text}");
    assert!(text.contains("**author:** Mike Linnen  \n"), "{text}");
    assert!(stdout(&output).contains("(medium confidence)"), "{}", stdout(&output));
}

#[test]
fn the_inbox_file_that_an_entry_came_from_names_its_author() {
    let repo = repository();
    let entry = "Decision: Use one database for all\n\nIt is there already.\n";
    repo.write(".squad/agents/keaton/charter.md", "x\n");
    repo.write(".squad/decisions/inbox/keaton-database.md", format!("# {entry}"));
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    fs::remove_file(repo.path.join(".squad/decisions/inbox/keaton-database.md")).unwrap();
    repo.write(PATH, format!("# Team Decisions\n\n### {entry}"));
    commit(&repo, "Scribe", "2026-02-03T09:00:00+0100");
    assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    assert!(text.contains("### 2026-02-02T10:20:30-0800: decision: Use one database for all\n"), "{text}");
    assert!(text.contains("**author:** keaton  \n"), "{text}");
}

#[test]
fn what_a_text_says_itself_is_not_asked_of_git() {
    let repo = repository();
    repo.write(PATH, "### 2026-02-10: Use one database for all\n**By:** Keaton\n**What:** It is there already.\n");
    commit(&repo, "Mike Linnen", "2026-02-12T10:20:30-0800");
    assert!(!reasons(&repo).contains("commit"), "{}", reasons(&repo));
}

#[test]
fn who_commits_many_entries_collects_those_of_others() {
    let entries = |kind: &str, titles: &[&str]| -> String {
        titles.iter().map(|title| format!("## {kind}: Use {title} for all of it\n\nIt is there already.\n\n")).collect()
    };
    for (kind, titles, collects) in [
        ("Decision", &["one database", "one parser", "one queue"][..], false),
        ("Decision", &["one database", "one parser", "one queue", "one cache"], true),
        ("Directive", &["one database", "one parser", "one queue", "one cache"], false),
    ] {
        let repo = repository();
        repo.write(PATH, entries(kind, titles));
        commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
        assert_eq!(reasons(&repo).contains("collects many entries"), collects, "{kind} {titles:?}: {}", reasons(&repo));
        assert_eq!(reasons(&repo).contains("author `Mike Linnen` of commit"), !collects, "{kind} {titles:?}");
    }
}

#[test]
fn a_first_commit_knows_neither_when_nor_who() {
    let repo = Repo::new();
    repo.write(PATH, "## Decision: Use one database for all\n\nIt is there already.\n");
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    repo.write(PATH, "Words.\n\n## Decision: Use one database for all\n\nIt is there already.\n");
    commit(&repo, "Mike Linnen", "2026-02-03T10:20:30-0800");
    assert!(reasons(&repo).contains("no date") && reasons(&repo).contains("no author"), "{}", reasons(&repo));
    // In a shallow clone the commit at the end of what is known is none the wiser.
    let deep = repository();
    for text in ["## Decision: Use one database for all\n\nIt is there already.\n", "Other.\n"] {
        let old = fs::read_to_string(deep.path.join(PATH)).unwrap_or_default();
        deep.write(PATH, old + text);
        commit(&deep, "Mike Linnen", "2026-02-02T10:20:30-0800");
    }
    assert!(reasons(&deep).contains("of commit"), "{}", reasons(&deep));
    let shallow = deep.clone(&["--depth", "2"]);
    assert!(reasons(&shallow).contains("no date"), "{}", reasons(&shallow));
}

#[test]
fn machines_are_no_authors() {
    let repo = repository();
    repo.write(PATH, "## Decision: Use one database for all\n\nIt is there already.\n");
    commit(&repo, "github-actions[bot]", "2026-02-02T10:20:30-0800");
    assert!(reasons(&repo).contains("no author") && !reasons(&repo).contains("no date"), "{}", reasons(&repo));
}

#[test]
fn another_text_under_the_same_title_has_no_history() {
    let repo = repository();
    let entry = |text: &str| format!("## Decision: Use one database for all\n\n{text}\n\n");
    repo.write(PATH, entry("It is there already."));
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    repo.write(PATH, entry("It is there already.") + &entry("Another one."));
    commit(&repo, "Verbal", "2026-02-03T10:20:30-0800");
    let value = json(&repo.path, &[]);
    let reasons = |index: usize| value["entries"][index]["reasons"].to_string();
    assert!(reasons(0).contains("of commit"), "{}", reasons(0));
    assert!(reasons(1).contains("no date") && reasons(1).contains("no author"), "{}", reasons(1));
}

#[test]
fn history_can_be_left_out() {
    let repo = repository();
    repo.write(PATH, "## Decision: Use one database for all\n\nIt is there already.\n");
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    assert_eq!(json(&repo.path, &["--no-history"])["summary"]["converted"], 0);
    assert_eq!(json(&repo.path, &[])["summary"]["converted"], 1);
}

#[test]
fn what_a_merge_brings_stands_in_the_commit_that_it_merges() {
    let repo = repository();
    let entry = "## Decision: Use one database for all\n\nIt is there already.\n";
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.write(PATH, entry);
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    repo.git(&["checkout", "--quiet", "-"]);
    repo.write("README.md", "y\n");
    commit(&repo, "Verbal", "2026-02-03T10:20:30-0800");
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "side"]);
    assert!(reasons(&repo).contains("date 2026-02-02T10:20:30-0800"), "{}", reasons(&repo));
    assert!(reasons(&repo).contains("author `Mike Linnen`"), "{}", reasons(&repo));
}

#[test]
fn what_is_not_committed_has_no_history() {
    let repo = repository();
    repo.write(PATH, "## Decision: Use one database for all\n\nIt is there already.\n");
    assert!(reasons(&repo).contains("no date"), "{}", reasons(&repo));
    repo.git(&["add", "--all", "--force"]);
    assert!(reasons(&repo).contains("no date"), "{}", reasons(&repo));
}

#[test]
fn who_commits_is_an_author_only_on_the_team() {
    let repo = repository();
    repo.write(PATH, "## Decision: Use one database for all\n\nIt is there already.\n");
    commit(&repo, "Passer-by", "2026-02-02T10:20:30-0800");
    assert!(reasons(&repo).contains("`Passer-by`, who made commit"), "{}", reasons(&repo));
    assert_eq!(json(&repo.path, &[])["summary"]["converted"], 0);
}

#[test]
fn a_date_far_from_all_commits_is_doubtful() {
    for (date, doubt) in [
        ("2025-12-01", "doubtful date: the first commit is of 2026-01-01"),
        ("2025-12-30", ""),
        ("2026-02-03", ""),
        ("2026-07-22", "doubtful date: the last commit is of 2026-02-02"),
    ] {
        let repo = repository();
        repo.write(PATH, format!("### {date}: Tabs\n**By:** Verbal\n**What:** Use tabs.\n"));
        commit(&repo, "Verbal", "2026-02-02T10:20:30+0000");
        let value = json(&repo.path, &[]);
        assert_eq!(reasons(&repo).contains("doubtful"), !doubt.is_empty(), "{}", reasons(&repo));
        assert!(reasons(&repo).contains(doubt), "{}", reasons(&repo));
        assert_eq!(value["entries"][0]["confidence"], if doubt.is_empty() { "high" } else { "medium" });
        assert_eq!(json(&repo.path, &["--no-history"])["entries"][0]["confidence"], "high");
    }
}

#[test]
fn a_conversion_says_what_it_leaves() {
    let repo = repository();
    repo.write(".gitattributes", "decisions.md merge=union\n");
    repo.write(PATH, "### 2026-02-01: Tabs\n**By:** Verbal\n**What:** Use tabs.\n");
    commit(&repo, "Verbal", "2026-02-02T10:20:30+0000");
    for args in [&["--dry-run"][..], &[]] {
        let text = stdout(&convert(&repo.path, args));
        assert!(text.contains("The converted files have 1 new finding: 1 sem/missing-rationale.\n"), "{text}");
        assert!(text.contains("Remove the attribute from `.squad/decisions.md`, or review each merge.\n"), "{text}");
    }
}

/// Commits an entry of the ledger with this heading on 2026-02-02, after an earlier state of it.
fn entry_of_february(heading: &str) -> Repo {
    let repo = repository();
    repo.write(PATH, "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    let text = format!("# Team Decisions\n\n{heading}\n**By:** Verbal\n**What:** Use one database for all.\n");
    repo.write(PATH, text);
    commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
    repo
}

#[test]
fn a_date_that_the_history_refutes_gives_way_to_that_of_the_commit() {
    for (date, doubt) in [
        ("2025-07-18", "the first commit is of 2026-01-01"),
        ("2026-07-18", "the last commit is of 2026-02-03"),
        ("2026-02-05", "which added the heading, is of 2026-02-02"),
    ] {
        let repo = entry_of_february(&format!("### {date}: Decision: Use one database for all"));
        commit(&repo, "Verbal", "2026-02-03T09:00:00+0100");
        let said = reasons(&repo);
        assert!(said.contains(doubt) && said.contains("date 2026-02-02T10:20:30-0800 of commit"), "{said}");
        assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
        let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
        assert!(text.contains("### 2026-02-02T10:20:30-0800: decision: Use one database for all\n"), "{text}");
        // What the heading said is kept.
        assert!(text.contains(&format!("{date}: Decision: Use one database for all\n")), "{text}");
    }
}

#[test]
fn a_field_whose_date_the_history_refutes_stays() {
    let repo = entry_of_february("### Decision: Use one database for all\n**Date:** 2025-07-18");
    assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    assert!(text.contains("### 2026-02-02T10:20:30-0800: decision: Use one database for all\n"), "{text}");
    assert!(text.contains("**Date:** 2025-07-18"), "{text}");
}

#[test]
fn an_entry_under_a_title_of_before_has_its_own_date() {
    let repo = entry_of_february("### 2026-02-02: Decision: Use one database for all");
    let first = fs::read_to_string(repo.path.join(PATH)).unwrap();
    let second = first.replace("# Team Decisions\n\n", "").replace("2026-02-02", "2026-02-20");
    repo.write(PATH, format!("{first}\n{second}"));
    commit(&repo, "Verbal", "2026-02-20T09:00:00+0100");
    let entries = json(&repo.path, &[])["entries"].clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(2));
    assert!(!entries.to_string().contains("doubtful"), "{entries}");
}

#[test]
fn a_team_that_says_when_it_was_created_can_have_been_there_before() {
    let repo = repository();
    repo.write(".squad/decisions.md", "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    repo.write(".squad/agents/verbal/history.md", "# History\n\n- **Created:** 2026-03-13\n");
    repo.write(PATH, "# Team Decisions\n\n### 2026-03-01: Tabs\n**By:** Verbal\n**What:** Use tabs.\n");
    commit(&repo, "Verbal", "2026-03-14T09:00:00+0100");
    assert!(!reasons(&repo).contains("doubtful"), "{}", reasons(&repo));
}

#[test]
fn a_slip_of_the_year_gives_way_to_the_year_of_the_commit() {
    let repo = entry_of_february("### 2025-01-30: Decision: Use one database for all");
    let said = reasons(&repo);
    assert!(said.contains("year of commit") && said.contains("added the heading on 2026-02-02, instead"), "{said}");
    assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    assert!(text.contains("### 2026-01-30T00:00:00+0000: decision: Use one database for all\n"), "{text}");
    assert!(text.contains("2025-01-30: Decision: Use one database for all\n"), "{text}");
}

#[test]
fn a_log_under_one_title_has_the_author_of_each_entry() {
    let repo = repository();
    let entry =
        |date: &str| format!("### {date}: Decision: Boundary of the plan was synced\n\nUse the new boundary.\n\n");
    repo.write(PATH, "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    repo.write(PATH, format!("# Team Decisions\n\n{}", entry("2026-02-02")));
    commit(&repo, "Mike Linnen", "2026-02-02T10:20:30-0800");
    repo.write(PATH, format!("# Team Decisions\n\n{}{}", entry("2026-02-02"), entry("2026-02-12")));
    commit(&repo, "Verbal", "2026-02-12T10:20:30-0800");
    assert!(!json(&repo.path, &[]).to_string().contains("instead"));
    assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    let authors: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("**author:** ")).map(str::trim).collect();
    assert_eq!(authors, ["Mike Linnen", "Verbal"], "{text}");
}

#[test]
fn a_memory_that_was_kept_elsewhere_keeps_its_dates() {
    let repo = Repo::new();
    repo.write("README.md", "# Us\n");
    commit(&repo, "Somebody", "2026-06-01T10:00:00+0000");
    let entry = |date: &str, what: &str| format!("### {date}: {what}\n**By:** Verbal\n**What:** Use {what}.\n\n");
    let text = format!("# Team Decisions\n\n{}{}", entry("2026-02-10", "tabs"), entry("2026-03-11", "spaces"));
    repo.write(PATH, text);
    commit(&repo, "Verbal", "2026-06-01T10:05:00+0000");
    commit(&repo, "Verbal", "2026-06-02T10:05:00+0000");
    assert!(reasons(&repo).contains("the first commit is of 2026-06-01"), "{}", reasons(&repo));
    assert!(!json(&repo.path, &[]).to_string().contains("instead"));
}

#[test]
fn a_commit_that_was_amended_is_as_late_as_that() {
    let repo = repository();
    repo.write(PATH, "# Team Decisions\n\n### 2026-02-09: Tabs\n**By:** Verbal\n**What:** Use tabs.\n");
    repo.git(&["add", "--all", "--force"]);
    let status = git(&repo.path)
        .args(["commit", "--quiet", "--message", "x"])
        .env("GIT_AUTHOR_DATE", "2026-02-01T10:00:00+0000")
        .env("GIT_COMMITTER_DATE", "2026-02-10T10:00:00+0000")
        .status();
    assert!(status.unwrap().success());
    assert!(!reasons(&repo).contains("doubtful"), "{}", reasons(&repo));
}

#[test]
fn what_is_added_to_a_file_later_was_not_kept_elsewhere() {
    let repo = repository();
    repo.write(PATH, "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    let entry = |date: &str, what: &str| format!("### {date}: {what}\n**By:** Verbal\n**What:** Use {what}.\n\n");
    let text = format!("# Team Decisions\n\n{}{}", entry("2025-07-18", "tabs"), entry("2025-07-20", "spaces"));
    repo.write(PATH, text);
    commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
    let said = json(&repo.path, &[]).to_string();
    assert_eq!(said.matches("2026-02-02T10:20:30-0800 of commit").count(), 2, "{said}");
}

#[test]
fn a_second_team_that_was_kept_elsewhere_keeps_its_dates() {
    let repo = repository();
    repo.write(PATH, "# Team Decisions\n");
    commit(&repo, "Verbal", "2026-02-01T09:00:00+0100");
    let entry = |date: &str, what: &str| format!("### {date}: {what}\n**By:** Verbal\n**What:** Use {what}.\n\n");
    let text = format!("# Team Decisions\n\n{}{}", entry("2025-10-10", "tabs"), entry("2025-11-11", "spaces"));
    repo.write("web/.squad/decisions.md", text);
    commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
    let said = json(&repo.path, &[]).to_string();
    assert!(said.contains("the first commit is of 2026-01-01") && !said.contains("instead"), "{said}");
}

/// A history with an entry, and then with one of the day after, `new`, in its midst.
fn inserted(new: &str) -> Repo {
    let repo = repository();
    let (title, what, end) = (
        "# Team Decisions\n\n### 2026-02-02: Use one database for all services\n**By:** Verbal\n**What:** One database.\n\n",
        "It has the tables of every service of the team.\n\n",
        "Backups are made each night by the platform, and kept for a year.\n",
    );
    repo.write(PATH, format!("{title}{what}{end}"));
    commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
    repo.write(PATH, format!("{title}{what}{new}{end}"));
    commit(&repo, "Verbal", "2026-02-03T10:20:30-0800");
    repo
}

const NEW: &str = "### 2026-02-03: Use queues between the services\n**By:** Verbal\n**What:** Queues.\n\n\
                   Nobody calls another service directly any more.\n\n";

#[test]
fn an_entry_in_the_midst_of_an_older_one_takes_no_text_of_it() {
    let repo = inserted(NEW);
    let entry = json(&repo.path, &[])["entries"][1].to_string();
    assert!(entry.contains("Backups are made each night"), "{entry}");
    assert!(entry.contains("was under `2026-02-02: Use one database for all services` before"), "{entry}");
    let output = convert(&repo.path, &[]);
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
    assert!(text.contains(NEW), "{text}");
}

#[test]
fn a_list_that_got_titles_is_no_text_of_another() {
    // It has no line of its own above the older one.
    let repo = inserted("### 2026-02-03: Keep backups of all databases\n**By:** Verbal\n**What:** Backups.\n\n");
    assert!(!json(&repo.path, &[]).to_string().contains("was under"));
}

#[test]
fn a_day_that_had_not_begun_where_it_was_written_is_refuted() {
    // 2026-02-02T10:20:30-0800 is 18:20 in UTC: only in the east it is the third, and there it was not written.
    for day in ["2026-02-03", "2026-02-04"] {
        let repo = entry_of_february(&format!("### {day}: Decision: Use one database for all"));
        commit(&repo, "Verbal", "2026-02-09T09:00:00+0100");
        assert!(reasons(&repo).contains("date 2026-02-02T10:20:30-0800 of commit"), "{}", reasons(&repo));
    }
    let same = entry_of_february("### 2026-02-02: Decision: Use one database for all");
    assert!(!reasons(&same).contains("doubtful"), "{}", reasons(&same));
}

#[test]
fn a_date_that_was_elsewhere_first_is_refuted_by_the_commit_of_that_place() {
    let repo = repository();
    let entry =
        |date: &str| format!("### {date}: Use one database for all\n**By:** Verbal\n**What:** One database.\n\n");
    repo.write(PATH, format!("# Team Decisions\n\n{}", entry("2025-03-18")));
    commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
    // An archive that has several old days at once was kept elsewhere, but not this entry of it.
    repo.write(PATH, "# Team Decisions\n");
    let other = "### 2025-03-02: Use tabs in all of the files\n**By:** Verbal\n**What:** Tabs.\n\n";
    repo.write(".squad/decisions-archive.md", format!("# Archive\n\n{other}#{}", entry("2025-03-18")));
    commit(&repo, "Verbal", "2026-02-20T10:20:30-0800");
    let entries = json(&repo.path, &[])["entries"].to_string();
    assert!(
        entries.contains("date 2026-02-02T10:20:30-0800 of commit") || entries.contains("year of commit"),
        "{entries}"
    );
}

#[test]
fn the_first_commit_refutes_what_is_long_before_its_team() {
    for (created, is_refuted) in [("2026-03-12", true), ("2025-02-01", false)] {
        let repo = Repo::new();
        repo.write(
            ".squad/team.md",
            format!("# Team\n\n| Name | Role |\n|---|---|\n| Verbal | Lead |\n\n- **Created:** {created}\n"),
        );
        repo.write(
            PATH,
            "# Team Decisions\n\n### 2025-07-21: Use one database for all\n**By:** Verbal\n**What:** One database.\n",
        );
        commit(&repo, "Verbal", "2026-03-13T10:20:30-0800");
        commit(&repo, "Verbal", "2026-03-20T10:20:30-0800");
        let said = reasons(&repo);
        assert!(said.contains("doubtful date"), "{said}");
        assert_eq!(said.contains("date 2026-03-13T10:20:30-0800 of commit"), is_refuted, "{said}");
    }
}

#[test]
fn an_entry_in_the_midst_of_a_list_takes_nothing_of_it_and_one_from_the_inbox_is_whole() {
    let end = "- Backups are made each night by the platform, and kept for a year.\n";
    let entry = "### 2026-02-03: Queues between all of the services\n**By:** Verbal\n\nNobody calls another service directly any more.\n";
    let history = ".squad/agents/verbal/history.md";
    let list = "# Verbal\n\n## Learnings\n\n- The tables of every service are in one database.\n";
    for (inbox, is_older) in [(false, true), (true, false)] {
        let repo = repository();
        if inbox {
            repo.write(".squad/decisions/inbox/verbal-backups.md", end);
        } else {
            repo.write(history, format!("{list}{end}"));
        }
        commit(&repo, "Verbal", "2026-02-02T10:20:30-0800");
        repo.write(history, format!("{list}\n{entry}{end}"));
        commit(&repo, "Verbal", "2026-02-03T10:20:30-0800");
        let said = json(&repo.path, &[])["entries"].to_string();
        assert!(said.contains("2026-02-03: Queues") || said.contains("memory"), "{said}");
        assert_eq!(said.contains("is older than its heading"), is_older, "{said}");
    }
}

#[test]
fn a_month_gives_way_to_the_commit_of_that_month_or_where_it_cannot_be() {
    for (month, is_taken) in [("2026-02", true), ("2025-07", true), ("2026-01", false)] {
        let repo = entry_of_february(&format!("### Decision: Use one database for all\n**Date:** {month}"));
        commit(&repo, "Verbal", "2026-02-03T09:00:00+0100");
        assert_eq!(reasons(&repo).contains("date 2026-02-02T10:20:30-0800 of commit"), is_taken, "{}", reasons(&repo));
        assert!(reasons(&repo).contains(&format!("date `{month}` is perhaps not its day")), "{}", reasons(&repo));
        assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
        let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
        assert!(text.contains(&format!("**Date:** {month}\n")), "{text}");
    }
}

#[test]
fn a_time_without_an_offset_is_no_later_than_its_commit() {
    for (time, stamp, confidence) in
        [("16:58", "2026-02-02T16:58:00+0800", "high"), ("05:10", "2026-02-02T05:10:00+0000", "medium")]
    {
        let repo = repository();
        repo.write(PATH, "# Team Decisions\n");
        commit(&repo, "Verbal", "2026-02-01T09:00:00+0800");
        let entry = format!("### 2026-02-02T{time}: Decision: Use one database\n**By:** Verbal\n\nOne for all.\n");
        repo.write(PATH, format!("# Team Decisions\n\n{entry}"));
        commit(&repo, "Verbal", "2026-02-02T17:37:12+0800");
        assert_eq!(json(&repo.path, &[])["entries"][0]["confidence"], confidence);
        assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
        let text = fs::read_to_string(repo.path.join(PATH)).unwrap();
        assert!(text.contains(&format!("### {stamp}: decision: Use one database\n")), "{text}");
    }
}
