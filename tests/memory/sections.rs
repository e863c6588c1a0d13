//! What the titles above entries say of them, and what a brief makes of it.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{entry, json, run};
use crate::support::{stderr, stdout, write};

/// A squad with this ledger.
fn squad(ledger: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    write(folder.path(), ".squad/decisions.md", ledger);
    folder
}

fn decision(at: &str, summary: &str) -> String {
    entry(at, "decision", "Keaton", summary, "")
}

fn brief(folder: &Path, args: &[&str]) -> (String, Value) {
    let brief = json(folder, &[&["memory", "brief", "--for", "keaton"], args].concat());
    (brief["markdown"].as_str().unwrap().to_owned(), brief)
}

/// The summaries of the entries that a brief took.
fn taken(brief: &Value) -> Vec<&str> {
    brief["taken"].as_array().unwrap().iter().map(|one| one["summary"].as_str().unwrap()).collect()
}

const LEDGER: &str = "# Team decisions\n\n## Active decisions\n\n";

#[test]
fn what_was_rejected_is_no_decision_in_force() {
    let unended = decision("2026-02-11T10:00:00+0000", "Use tabs").replace("---\n\n", "");
    for text in [
        // Below an entry with a terminator, and without one.
        decision("2026-02-10T10:00:00+0000", "Use spaces"),
        unended,
        // Below an entry from before SEM.
        "### 2026-02-12: Use tabs\n**By:** Keaton\n**What:** Tabs.\n\n".to_owned(),
        // With no blank line before the title.
        "### 2026-02-12: Use tabs\n**By:** Keaton\n**What:** Tabs.\n".to_owned(),
    ] {
        let rejected = decision("2026-02-20T10:00:00+0000", "Build a dark mode");
        let older = "### 2026-02-22: Build a cache\n**By:** Keaton\n**What:** Cache it.\n\n";
        // A text below the title changes nothing.
        let with_text = squad(&format!("{LEDGER}{text}## Rejected ideas\n\nNot these.\n\n{older}{rejected}"));
        let all = json(with_text.path(), &["memory", "--in-force"]);
        assert!(!all.to_string().contains("Build"), "{all}");
        let folder = squad(&format!("{LEDGER}{text}## Rejected ideas\n\n{rejected}{older}"));
        let at = folder.path();
        let all = json(at, &["memory", "--in-force"]);
        assert!(!all.to_string().contains("Build"), "{all}");
        let all = json(at, &["memory", "--after", "2026-02-20"]);
        for one in all["entries"].as_array().unwrap() {
            assert_eq!((&one["sections"], &one["in_force"]), (&serde_json::json!(["Rejected ideas"]), &false.into()));
        }
        let (markdown, brief) = brief(at, &[]);
        let (applies, rejected) = markdown.split_once("## Rejected, and not in force").unwrap();
        assert!(!applies.contains("Build") && !applies.contains("Rejected"), "{markdown}");
        assert_eq!(rejected.matches("in: Rejected ideas").count(), 2, "{markdown}");
        assert_eq!(taken(&brief)[1..], ["Build a cache", "Build a dark mode"]);
        for args in [
            &["memory"][..],
            &["memory", "--format", "md"],
            &["memory", "--format", "jsonl"],
            &["memory", "--format", "csv"],
            &["memory", "show", "2026-02-20T10:00:00+0000"],
            &["memory", "brief", "--for", "keaton", "--explain"],
        ] {
            let shown = stdout(&run(at, args));
            assert!(shown.contains("Rejected ideas"), "{args:?}: {shown}");
        }
    }
}

#[test]
fn the_parts_of_a_document_are_no_sections() {
    let one = decision("2026-02-10T10:00:00+0000", "Use spaces").replace("---\n\n", "");
    let text = format!("{LEDGER}{one}## Context\n\nWords.\n\n{}", decision("2026-02-11T10:00:00+0000", "Use tabs"));
    let folder = squad(&text);
    for found in json(folder.path(), &["memory"])["entries"].as_array().unwrap() {
        assert_eq!(found["sections"], serde_json::json!(["Active decisions"]), "{found}");
    }
    // They say nothing that a reader needs.
    assert!(!brief(folder.path(), &[]).0.contains("in:"));
}

#[test]
fn items_are_in_the_sections_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# Decisions\n\n## Architecture\n\n- One store (decided: 2026-02-10, by: lead)\n\n\
        ## Skipped Features (explicit decisions NOT to build)\n\n### Interface\n\n- Dark mode (decided: 2026-02-20, by: lead)\n";
    write(folder.path(), "memory/team/decisions.md", text);
    write(
        folder.path(),
        "memory/agents/lead/learnings.md",
        "# Learnings: lead\n\n## Gotchas\n\n- Locks (added: 2026-02-10)\n",
    );
    let all = json(folder.path(), &["memory"]);
    let sections = |summary: &str| {
        let all = all["entries"].as_array().unwrap();
        let one = all.iter().find(|one| one["summary"].as_str().unwrap().starts_with(summary)).unwrap();
        (one["sections"].clone(), one["in_force"].as_bool().unwrap())
    };
    let skipped = "Skipped Features (explicit decisions NOT to build)";
    assert_eq!(sections("Dark mode"), (serde_json::json!([skipped, "Interface"]), false));
    assert_eq!(sections("One store"), (serde_json::json!(["Architecture"]), true));
    assert_eq!(sections("Locks"), (serde_json::json!(["Gotchas"]), true));
    let brief = json(folder.path(), &["memory", "brief", "--for", "lead"]);
    let markdown = brief["markdown"].as_str().unwrap();
    let (_, rejected) = markdown.split_once("## Rejected, and not in force").unwrap();
    assert!(rejected.contains("Dark mode") && rejected.contains(&format!("in: {skipped} > Interface")), "{markdown}");
}

#[test]
fn entries_that_differ_are_not_joined() {
    let same_day = |minute: u32, summary: &str| decision(&format!("2026-02-20T10:{minute:02}:00+0000"), summary);
    for (one, other) in [
        ("Use the pool for the ledger", "Do not use the pool for the ledger"),
        ("Use the pool of 10 for the ledger", "Use the pool of 20 for the ledger"),
        ("Use the pool for the ledger", "Use the pool for the ledger of tests"),
        ("Keep p95 < 200", "Keep p95 > 200"),
        ("Use tabs instead of spaces", "Use spaces instead of tabs"),
    ] {
        let older = |summary: &str| format!("### 2026-02-20: The pool\n**By:** Keaton\n**What:** {summary}\n\n");
        for text in [same_day(1, one) + &same_day(2, other), older(one) + &older(other)] {
            let folder = squad(&format!("{LEDGER}{text}"));
            let (markdown, brief) = brief(folder.path(), &[]);
            assert_eq!(taken(&brief).len(), 2, "{one} / {other}: {markdown}");
        }
    }
    // Long ones that begin alike.
    let long = (0..90).fold(String::new(), |mut text, word| {
        let _ = write!(text, " word{word}");
        text
    });
    let text = same_day(1, &format!("It says{long} yes")) + &same_day(2, &format!("It says{long} now"));
    assert_eq!(taken(&brief(squad(&format!("{LEDGER}{text}")).path(), &[]).1).len(), 2);
}

#[test]
fn of_entries_that_say_the_same_the_newest_of_the_highest_type_stays() {
    let at = |day: u32| format!("2026-02-{day}T10:00:00+0000");
    let of = |day: u32, kind: &str| entry(&at(day), kind, "Keaton", "Never push to main", "**scope:** team  ");
    let text = [of(10, "directive"), of(12, "directive"), of(14, "decision"), of(16, "note")].concat();
    let folder = squad(&format!("{LEDGER}{text}"));
    let (markdown, brief) = brief(folder.path(), &[]);
    assert_eq!(taken(&brief).len(), 1, "{markdown}");
    assert!(markdown.contains("*directive by Keaton, 2026-02-12T10:00:00+0000,"), "{markdown}");
    let place = format!("{}:{}", brief["taken"][0]["path"].as_str().unwrap(), brief["taken"][0]["line"]);
    for left in brief["left_out"].as_array().unwrap() {
        assert_eq!((&left["reason"], &left["repeats"]), (&"repeated".into(), &place.as_str().into()));
    }
    let explained = stderr(&run(folder.path(), &["memory", "brief", "--for", "keaton", "--explain"]));
    assert_eq!(explained.matches(&format!("says the same as {place} Never push")).count(), 3, "{explained}");
    // What was rejected repeats nothing that applies.
    let rejected = format!("## Rejected\n\n{}", of(20, "directive"));
    let folder = squad(&format!("{LEDGER}{}{rejected}", of(10, "directive")));
    assert_eq!(taken(&self::brief(folder.path(), &[]).1).len(), 2);
}

#[test]
fn a_brief_names_each_entry_as_show_takes_it() {
    let at = "2026-02-20T10:00:00+0100";
    let folder = squad(&format!("{LEDGER}{}", decision(at, "Use tabs")));
    assert!(brief(folder.path(), &[]).0.contains(&format!("*decision by Keaton, {at}, .squad/decisions.md:5*")));
    assert_eq!(run(folder.path(), &["memory", "show", at]).status.code(), Some(0));
}

#[test]
fn a_day_that_is_to_come_is_no_age() {
    let text = decision("2027-02-20T10:00:00+0000", "Later") + &decision("2026-02-20T10:00:00+0000", "Earlier");
    let folder = squad(&format!("{LEDGER}{text}"));
    let (_, found) = brief(folder.path(), &[]);
    assert_eq!(taken(&found), ["Earlier", "Later"]);
    let explained = stderr(&run(folder.path(), &["memory", "brief", "--for", "keaton", "--explain"]));
    assert!(explained.contains("Later: decision, by this agent, dated in the future"), "{explained}");
}

#[test]
fn a_brief_says_nothing_twice() {
    let older = "### 2026-02-20: Use tabs\n**Status:** open\n**Date:** 2026-02-20\n**By:** Keaton\n**What:** Tabs.\n\n";
    let folder = squad(&format!("# Decisions\n\n{older}"));
    let (markdown, _) = brief(folder.path(), &[]);
    assert!(!markdown.contains("**By:**") && !markdown.contains("**Date:**"), "{markdown}");
    assert!(markdown.contains("**Status:** open\n**What:** Tabs."), "{markdown}");
    // Entries on one line, in two parts of a brief.
    let long = "Words of a long entry, said again and again, so that it fits no more. ".repeat(6);
    let many = |kind: &str, day: u32| {
        (10..25).fold(String::new(), |text, minute| {
            let at = format!("2026-02-{day}T10:{minute}:00+0000");
            text + &entry(&at, kind, "Keaton", &format!("Number {minute} {kind}"), "").replace("Because.", &long)
        })
    };
    let folder = squad(&format!("{LEDGER}{}{}", many("directive", 10), many("decision", 11)));
    let (markdown, _) = brief(folder.path(), &["--budget", "1500"]);
    let headings: Vec<&str> = markdown.lines().filter(|line| line.starts_with("### More")).collect();
    let mut once = headings.clone();
    once.sort_unstable();
    once.dedup();
    assert!(!headings.is_empty() && once.len() == headings.len(), "{markdown}");
}

#[test]
fn an_entry_whose_title_says_that_it_was_replaced_does_not_apply() {
    let replaced =
        "### 2026-02-10: Version target (superseded \u{2014} see below)\n**By:** Keaton\n**What:** Version 6.\n\n";
    let closed =
        "### 2026-02-11: The draft closed (superseded)\n**By:** Keaton\n**What:** The other one was merged.\n\n";
    let marked = decision("2026-02-12T10:00:00+0000", "Use tabs [OBSOLETE]");
    let folder = squad(&format!("{LEDGER}{replaced}{closed}{marked}"));
    let in_force = json(folder.path(), &["memory", "--in-force"]);
    let summaries: Vec<&str> =
        in_force["entries"].as_array().unwrap().iter().map(|one| one["summary"].as_str().unwrap()).collect();
    assert_eq!(summaries, ["The draft closed (superseded)"]);
    let (markdown, brief) = brief(folder.path(), &[]);
    let (applies, rejected) = markdown.split_once("## Rejected, and not in force").unwrap();
    assert!(applies.contains("The draft closed") && !applies.contains("Version 6"), "{markdown}");
    assert!(rejected.contains("Version target") && rejected.contains("Use tabs"), "{markdown}");
    assert!(brief.to_string().contains("replaced, according to its title"), "{brief}");
}

#[test]
fn what_another_agent_noted_down_is_not_for_this_one() {
    let folder = squad(LEDGER);
    let asked =
        "# History\n\n### 2026-02-10: User directive\n**By:** Dana (via Copilot)\n**What:** Always run the linter.\n";
    write(folder.path(), ".squad/agents/hockney/charter.md", "# Hockney\n");
    write(folder.path(), ".squad/agents/hockney/history.md", asked);
    let (markdown, _) = brief(folder.path(), &[]);
    assert!(!markdown.contains("linter"), "{markdown}");
    write(folder.path(), ".squad/agents/keaton/history.md", asked);
    let (markdown, _) = brief(folder.path(), &[]);
    // It is there once, and named by what it says.
    assert_eq!(markdown.matches("directive by Dana").count(), 1, "{markdown}");
    assert!(markdown.contains("### Always run the linter."), "{markdown}");
}

#[test]
fn the_beginning_of_another_entry_is_said_once() {
    let text = "We move the checks of the labels from the workflow into the command, for workflows surprise people with bills.";
    let header = "### 2026-02-10: Fewer workflows\n**By:** Keaton\n";
    let entry = |more: &str| format!("{header}**What:** {text}{more}\n\n");
    let short = "### 2026-02-10: Fewer workflows\n**By:** Keaton\n**What:** We move.\n\n";
    for (ledger, count) in [
        (format!("{}{}", entry(""), entry(" The owner agrees.")), 1),
        (format!("{}{}", entry(" The owner agrees."), entry("")), 1),
        // Another end says something else, and a short text begins others by chance.
        (format!("{}{}", entry(" The owner agrees."), entry(" The owner objects.")), 2),
        (format!("{short}{}", short.replace("We move.", "We move on.")), 2),
    ] {
        let folder = squad(&format!("{LEDGER}{ledger}"));
        let (_, brief) = brief(folder.path(), &[]);
        assert_eq!(taken(&brief).len(), count, "{brief}");
    }
}

#[test]
fn a_directive_in_a_brief_ends_where_the_next_section_begins() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    let said = "**By:** Brady (via Copilot)\n**What:** Fetch live games only. The rest can wait.\n\n**Why:** User request — captured for team memory\n";
    let plan = "## Plan for the cloud, by Keaton\n\n### Parts\n\n- A container\n- A store\n";
    let text = format!("# Decisions\n\n### 2026-02-13T14:52:40Z\n\n{said}\n---\n\n{plan}");
    write(folder.path(), ".squad/decisions.md", &text);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    let shown = brief["markdown"].as_str().unwrap();
    assert!(shown.contains("Fetch live games only") && !shown.contains("A container"), "{shown}");
    let left_out = "… (left out: the section `Plan for the cloud, by Keaton` behind it, .squad/decisions.md:12)\n";
    assert!(shown.contains(left_out), "{shown}");
    // A heading that is a moment alone names no subject.
    assert_eq!(brief["taken"][0]["summary"], "Fetch live games only.", "{brief}");
    // A part of what was said is no section behind it.
    write(folder.path(), ".squad/decisions.md", text.replace("## Plan for the cloud, by Keaton", "## Context"));
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    let shown = brief["markdown"].as_str().unwrap();
    assert!(shown.contains("A container") && !shown.contains("left out"), "{shown}");
}
