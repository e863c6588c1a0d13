//! What entries become.

use std::fs;
use std::path::Path;

use super::{THREE, convert};
use crate::support::{stderr, write};

/// What `convert` makes of a file with this text.
fn converted_at(path: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), path, text);
    let output = convert(folder.path(), &["--root", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    fs::read_to_string(folder.path().join(Path::new(path))).unwrap()
}

fn converted(text: &str) -> String {
    converted_at(".squad/decisions.md", text)
}

#[test]
fn by_what_and_why_find_their_fields() {
    let text = converted(THREE);
    let expected = "# Team Decisions

### 2026-02-10T00:00:00+0000: directive: model selection cost optimization

**type:** directive  
**timestamp:** 2026-02-10T00:00:00+0000  
**author:** Brady (via Copilot)  

**summary:** Agents should pick their own models.

**details:**

Agents should pick their own models. Cost counts.

**rationale:** User request — captured for team memory

---

### 2026-02-11: Use Postgres
**What:** One database for all.

### 2026-02-12T00:00:00+0000: decision: Tabs
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn everything_else_stays_in_its_order() {
    let text = converted(
        "## Caching (2026-02-10)\n\n**Author:** Verbal | **Status:** Accepted\n\n## Context\n\nslow\n\n---\n\n```md\n---\n\
         ### x\n```\n\n**summary:** no field\n\n## Decision\n\nA cache.\n\n---\n\n## 2026-02-11: Next\n",
    );
    let expected = "### 2026-02-10T00:00:00+0000: decision: Caching (2026-02-10)

**type:** decision  
**timestamp:** 2026-02-10T00:00:00+0000  
**author:** Verbal  

**summary:** Caching (2026-02-10)

**details:**

**Author:** Verbal | **Status:** Accepted

#### Context

slow

***

```md
---
### x
```

 **summary:** no field

#### Decision

A cache.

---

## 2026-02-11: Next
";
    assert_eq!(text, expected);
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    let text = converted(&format!("\u{feff}{}", THREE.replace('\n', "\r\n")));
    assert!(text.starts_with("\u{feff}# Team Decisions\r\n"));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(text.replace("\r\n", "\n").trim_start_matches('\u{feff}'), converted(THREE));
}

#[test]
fn the_dashes_of_an_option_are_no_separator() {
    let summary = |title: &str| {
        let text = converted(&format!("### 2026-02-10{title}\n**By:** Keaton\n**What:** x y\n"));
        text.lines().next().unwrap().split(": ").nth(2).unwrap().to_owned()
    };
    assert_eq!(summary(": --global flag"), "--global flag");
    assert_eq!(summary(" -- a title"), "a title");
    assert_eq!(summary(" — the --global flag"), "the --global flag");
}

#[test]
fn a_long_title_is_cut_and_kept() {
    let title = "word ".repeat(30);
    let title = title.trim();
    let text = converted(&format!("### 2026-02-10: {title}\n**By:** Keaton\n**What:** x y\n"));
    let header = text.lines().next().unwrap();
    let summary = header.split(": ").nth(2).unwrap();
    assert!(summary.chars().count() <= 120 && summary.ends_with("word…"), "{header}");
    assert!(text.contains(&format!("**details:**\n\n{title}\n\nx y\n")), "{text}");
}

#[test]
fn a_bare_title_gives_way_to_the_first_sentence() {
    let text = converted(
        "### 2026-02-10T14:47: User directive\n**By:** Mike (via Copilot)\n**What:** Never push to main. Use branches.\n",
    );
    assert!(text.starts_with("### 2026-02-10T14:47:00+0000: directive: Never push to main.\n"), "{text}");
}

#[test]
fn several_authors_become_author_and_contributors() {
    let text = converted("### 2026-02-10: Tabs\n**By:** Keaton (Lead), Fenster (Core Dev)\n**What:** No blanks.\n");
    assert!(text.contains("**author:** Keaton (Lead)  \n**contributors:** Fenster (Core Dev)  \n"), "{text}");
    assert!(
        text.contains("\n**By:** Keaton (Lead), Fenster (Core Dev)\n"),
        "the line stays, as no field has it whole: {text}"
    );
}

#[test]
fn histories_hold_memories_of_their_agent() {
    let text = converted_at(
        ".squad/agents/verbal/history.md",
        "# Verbal\n\n## Learnings\n\n### 2026-02-10: Spies\n\nRestore them.\n",
    );
    assert!(text.contains("### 2026-02-10T00:00:00+0000: memory: Spies\n"), "{text}");
    assert!(text.contains("**author:** verbal  \n"), "{text}");
    assert!(text.starts_with("# Verbal\n\n## Learnings\n\n"), "{text}");
    let told = format!(
        "{}### 2026-02-10: Review of tabs (Hockney)\n\nApproved.\n",
        "### 2026-02-09: x y\n**By:** Hockney\n\nIt is.\n\n".repeat(2)
    );
    // What others did is the memory of the agent who keeps it; only a directive is someone else's.
    let text = converted_at(".squad/agents/verbal/history.md", &told);
    assert_eq!(text.matches("**author:** verbal  \n").count(), 3, "{text}");
    let directive = "### 2026-02-10: User directive — tabs\n**From:** Brady\n**What:** Always use tabs.\n";
    let text = converted_at(".squad/agents/verbal/history.md", directive);
    assert!(text.starts_with("### 2026-02-10T00:00:00+0000: directive: tabs\n"), "{text}");
    assert!(text.contains("**author:** Brady  \n"), "{text}");
}

#[test]
fn what_is_not_certain_stays_as_it_is() {
    for text in [
        "### 2026-02-30: No such day\n**By:** Keaton\n**What:** x\n",
        "### 2026-02-14/15: Two days\n**By:** Keaton\n**What:** x\n",
        "### 2026-02-10: Nobody\n**By:** TBD\n**What:** x\n",
        "### 2026-02-10: A fence is open\n**By:** Keaton\n**What:** x\n\n```sh\nls\n",
        "### 2026-02-10: A comment is open\n**By:** Keaton\n**What:** x\n\n<!--\n",
        "### 2026-02-10: Nothing below\n**By:** Keaton\n",
        "### 2026-02-10: Parser crash\n**By:** Keaton\n\nTests only run.\n",
        "### Decision: No date\n**By:** Keaton\n**What:** x\n",
    ] {
        assert_eq!(converted(text), text);
    }
}

#[test]
fn a_comment_to_this_program_stays_before_the_entry_that_it_holds_for() {
    let comment = "<!-- squad-lint: ignore legacy/entry -->\n";
    let left = "### 2026-02-11: Nobody's\n**What:** y\n";
    let text = converted(&format!("### 2026-02-10: Tabs\n**By:** Keaton\n**What:** No blanks.\n\n{comment}{left}"));
    assert!(text.ends_with(&format!("No blanks.\n\n---\n\n{comment}{left}")), "{text}");
}

#[test]
fn a_heading_that_begins_something_else_stands_in_the_way() {
    for other in [
        "# release process\n\nWords.\n",
        "#### What\n\nx\n\n### Also today\n\nWords.\n",
        "#### Again (2026-02-11)\n\nWords.\n",
    ] {
        let text = format!("### 2026-02-10: Tabs\n**By:** Keaton\n**What:** No blanks.\n\n{other}");
        assert_eq!(converted(&text), text);
    }
}

#[test]
fn what_an_agent_keeps_ends_at_the_next_heading_of_its_level() {
    let rest = "### How we build\n\nWith make.\n\n## Notes\n\nNone.\n";
    let text = converted_at(
        ".squad/agents/verbal/history.md",
        &format!("## Learnings\n\n### 2026-02-10: Spies\n\nRestore them.\n\n#### Why\n\nThey stay.\n\n{rest}"),
    );
    assert!(text.ends_with(&format!("#### Why\n\nThey stay.\n\n---\n\n{rest}")), "{text}");
}

#[test]
fn why_goes_to_the_rationale_also_below_a_list() {
    let text = converted(
        "### 2026-02-10: Tabs\n**By:** Keaton\n**What:**\n- no blanks\n- no mix\n\n**Why:**\n- **One:** short\n- two\n\n\
         **Impact:** all\n",
    );
    assert!(text.contains("**details:**\n\n- no blanks\n- no mix\n\n**Impact:** all\n\n"), "{text}");
    assert!(text.contains("**rationale:**\n\n- **One:** short\n- two\n\n---\n"), "{text}");
}

#[test]
fn a_list_that_why_announces_goes_with_it() {
    let text = converted(
        "### 2026-02-11: Poll the scores\n**By:** Keaton\n\n**What:** We poll.\n\n**Why:** The feed cannot be used, for two reasons:\n\n\
         1. **Late** by a minute.\n   At night by two.\n\n2. No names.\n\n**Impact:** A small one.\n",
    );
    let (details, rationale) = text.split_once("**rationale:**").unwrap();
    assert!(details.contains("We poll.\n") && details.contains("\n**Impact:** A small one.\n"), "{text}");
    assert!(rationale.starts_with(" The feed cannot be used, for two reasons:\n\n1. **Late** by a minute.\n   At night by two.\n\n2. No names."), "{text}");
}

#[test]
fn only_what_would_change_another_entry_stays() {
    // What is below the first heading belongs to it as long as the next one is a title of the highest level.
    let near = "## 2026-03-10: Handoff of the hook\n\n```ts\n```\n\n## Fights by pairs\n\nTwo fight at a time.\n\n\
                # Decision: Close the issues\n\n**Author:** Brady (via Copilot)\n**Date:** 2026-03-07\n\n\
                Issues may be closed at any time.\n\n---\n\n";
    let text = converted(&format!("{near}### 2026-03-12: Use tabs\n**By:** Keaton\n**What:** We use tabs.\n"));
    let rest = text.strip_prefix(near).unwrap_or_else(|| panic!("{text}"));
    assert!(rest.starts_with("### 2026-03-12T00:00:00+0000: decision: Use tabs\n"), "{text}");
}

#[test]
fn a_source_alone_is_no_text() {
    let shell = "### 2026-03-10: Audit of the tokens\n**By:** Keaton\n**Source:** `inbox/keaton-audit.md`\n\n";
    let text = format!("{shell}# Findings of Keaton\n\n## What\n\nWe keep the tokens.\n");
    assert_eq!(converted(&text), text);
}

#[test]
fn what_is_around_an_entry_says_who_wrote_it() {
    let author = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
        write(folder.path(), ".squad/agents/fenster/charter.md", "# Fenster\n");
        write(folder.path(), ".squad/decisions.md", text);
        convert(folder.path(), &["--root", "."]);
        let text = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        let found = text.lines().find_map(|line| line.strip_prefix("**author:** "));
        found.map(|name| name.trim().to_owned())
    };
    let entry = |end: &str| format!("### 2026-02-11: Use one parser\n\n**Decision:** We use one parser.\n{end}");
    assert_eq!(author(&entry("")), None);
    assert_eq!(author(&entry("\nAuthor: Keaton\nDate: 2026-02-11\n")).as_deref(), Some("Keaton"));
    let source = "**Source:** Keaton inbox (`decisions/inbox/keaton-one-parser.md`)\n";
    assert_eq!(author(&entry(source)).as_deref(), Some("keaton"));
    // The file may be what the entry is about.
    assert_eq!(author(&entry("It reads `decisions/inbox/keaton-one-parser.md`.\n")), None);
    assert_eq!(author(&entry("**Source:** `decisions/inbox/parser-notes.md`\n")), None);
    for title in ["Decisions of the parser (Keaton)", "Parser \u{2014} Keaton"] {
        assert_eq!(author(&format!("## {title}\n\n{}", entry(""))).as_deref(), Some("Keaton"), "{title}");
    }
    // Its own signature says more than its section.
    assert_eq!(
        author(&format!("## Parser (Keaton)\n\n{}", entry("\n- Fenster, 2026-02-11\n"))).as_deref(),
        Some("Fenster")
    );
    for title in ["Parser (Squad)", "Parser (Kobayashi)", "Keaton reads the parser"] {
        assert_eq!(author(&format!("## {title}\n\n{}", entry(""))), None, "{title}");
    }
}

#[test]
fn paragraphs_without_a_label_after_why_go_to_the_rationale() {
    let head = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** No blanks.\n**Why:** One width.\n";
    let why = "One width.\n\nAll agree on it.\n\nEditors show it.\n";
    for rest in ["", "**Impact:** all\n", "Status: done\n", "- a list\n", "| a | table |\n", "#### Files\n\nSome.\n"] {
        let new = converted(&format!("{head}\nAll agree on it.\n\nEditors show it.\n\n{rest}"));
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        let expected = format!("**details:**\n\nNo blanks.\n{rest}\n**rationale:** {why}\n---\n");
        assert!(new.contains(&expected), "{new}");
    }
    // The only such label above the first heading, however far down.
    let list = "- a blank\n".repeat(20);
    let text =
        format!("### 2026-02-10: Tabs\n**By:** Keaton\n**What:** No blanks.\n\n{list}\n**Rationale:** One width.\n");
    let new = converted(&text);
    assert!(new.contains(&format!("No blanks.\n\n{list}\n**rationale:** One width.\n")), "{new}");
    // Each of several says why of its own part.
    let new = converted(&text.replace("- a blank\n", "**Why:** It is wide.\n"));
    assert!(new.contains("It is wide.\n\n**Rationale:** One width.\n"), "{new}");
    // Without a field for it, the text below says what was decided.
    let new = converted("### Decision: Tabs (2026-02-10)\n**By:** Keaton\n**Why:** One width.\n\nUse tabs.\n");
    assert!(new.contains("**details:**\n\nUse tabs.\n\n**rationale:** One width.\n"), "{new}");
}

#[test]
fn a_date_after_that_of_the_archive_is_doubtful() {
    let entry = "### 2026-04-18: Tabs\n**By:** Keaton\n**What:** Use tabs.\n";
    for (path, head, confidence) in [
        ("decisions-archive-2026-04-17.md", "", "medium"),
        ("decisions-archive-2026-04-18.md", "", "high"),
        ("decisions-archive.md", "> Archived on: 2026-04-17 by Keaton\n\n", "medium"),
        ("decisions-archive.md", "Archived on 2026-05-01T02:50Z\n\n", "high"),
        ("decisions.md", "", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), format!(".squad/{path}"), format!("# Archive\n\n{head}{entry}"));
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{path}: {value}");
        let doubted =
            value["entries"][0]["reasons"].to_string().contains("doubtful date: the archive is of 2026-04-17");
        assert_eq!(doubted, confidence == "medium", "{value}");
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn the_words_of_an_entry_give_its_type() {
    let first = |by: &str, title: &str, body: &str| {
        let text = converted(&format!("### 2026-02-10: {title}\n**By:** {by}\n{body}\n"));
        text.lines().next().unwrap().split(' ').nth(2).unwrap_or_default().to_owned()
    };
    for (by, title, body, kind) in [
        ("Keaton", "Decision: Tabs", "\nNo blanks.", "decision:"),
        ("Keaton", "Tabs", "**What:** No blanks.", "decision:"),
        ("Copilot (User Directive)", "Tabs", "**What:** No blanks.", "directive:"),
        ("Brady (via Copilot)", "Tabs", "**What:** No blanks.\n**Why:** User request — looks", "directive:"),
        ("Keaton", "Tabs", "**What:** No blanks.\n**Why:** User directive — captured for team memory", "directive:"),
        ("Keaton", "Coverage audit: all packages", "\n90 %.", "note:"),
        ("Keaton", "Parser crash", "**Status:** Fixed\n\n#### Root cause\n\nA null.", "note:"),
        ("Keaton", "Null safety", "**What:** Fixed a crash in the parser.", "note:"),
        ("Keaton", "Parser review", "**What:** Reviewed the parser.\n**Verdict:** Fine", "note:"),
        ("Keaton", "Parser review", "\n#### Decision\n\nWe do not merge it.", "decision:"),
        ("Keaton", "Revisions after the parser review", "**What:** Keep the parser.", "decision:"),
        ("Keaton", "Release freeze completed", "\nWe decided to freeze. Do not merge.", "decision:"),
        ("Keaton", "Decision: New parser", "**Status:** Open for feedback\n\nUse the new parser.", "note:"),
        // A report under the name of a decision, and one that decides.
        ("Keaton", "Decision: Parser tests complete", "**Status:** Complete\n\nCreated 20 tests.", "note:"),
        ("Keaton", "Decision: Parser review", "**Status:** Approved\n\nAll gates cleared.", "decision:"),
        ("Keaton", "Parser findings", "\n#### Decision\n\nUse the new parser.", "decision:"),
        ("Keaton", "Parser state", "**Status:** DECISION — new parser\n\nIt is faster.", "decision:"),
        ("Keaton", "New parser", "**Status:** Directive active\n\nAll have to use it.", "directive:"),
        ("Keaton", "New parser", "**Status:** Active (directive of Brady)\n\nAll have to use it.", "decision:"),
        // What calls itself a proposal, and what an example in code says.
        ("Keaton", "Decision: New parser", "\nThis is a proposal. Use the new parser.", "note:"),
        ("Keaton", "Decision: New parser", "\nUse it. This needs Brady's sign-off before implementing.", "note:"),
        ("Keaton", "New parser", "\n```md\n## Decision\n\nNever merge.\n```\n\nWe saw this.", "New"),
        ("Keaton", "New parser", "\n````md\n```\nx\n```\n## Decision\n\nNever merge.\n````\n\nWe saw this.", "New"),
        ("Keaton", "New parser", "**Status:** Directive implemented\n\nAll have used it.", "New"),
        // What was done, and what is to stay so.
        ("Keaton", "New parser", "**What:** Migrated to the new parser.\n**Status:** Complete", "note:"),
        ("Keaton", "New parser", "**What:** Added the new parser.\n**Why:** It is faster.", "decision:"),
        ("Brady (via Copilot)", "Parser", "**What:** Agents must use the new parser.", "directive:"),
        ("Brady (via Copilot)", "Parser", "**What:** The new parser comes with 2.0.", "decision:"),
        // What tells of one thing done, of something written, or of one thing to do.
        (
            "Keaton",
            "Sprint",
            "**What:** Ran the sprint. Created its board. Three tasks were closed.\n**Why:** It was late.\n\n**Note:** All should plan first.",
            "note:",
        ),
        (
            "Keaton",
            "Parser upgrade",
            "**What:** Added a guide for upgrades to the docs.\n**Why:** Users asked.",
            "note:",
        ),
        (
            "Keaton",
            "Parser checks formalized",
            "**What:** Added a guide to the docs. Formalized six.\n**Why:** One was missed.",
            "decision:",
        ),
        (
            "Keaton",
            "Parser conventions",
            "**What:** Documented the existing parser.\n**Why:** It is new to us.",
            "note:",
        ),
        (
            "Keaton",
            "Pages before the deploy",
            "**What:** The deploy fails with 404. Owner must go to the settings.\n**Why:** This is a one-time manual step.",
            "note:",
        ),
        (
            "Keaton",
            "Parser analysis",
            "**Requested by:** Brady\n\n#### Decision 1: Would it run?\n\n**Verdict:** Nearly.\n\n#### Decision 2: Is it fast?\n\nYes.",
            "note:",
        ),
        ("Keaton", "New parser", "**Status:** Proposed\n\n#### Decision\n\nUse the new parser.", "note:"),
        ("Keaton", "Parser strategy", "**Status:** Proposed\n\nUse the new one.", "note:"),
        ("Keaton", "Decision: New parser", "**Status:** Awaiting Brady's approval\n\nUse it.", "note:"),
        ("Keaton", "Decision: New parser", "**Status:** Proposed\n\nUse it.", "decision:"),
        ("Keaton", "Parser (Strategic Decision)", "**Status:** Proposed\n\nUse it.", "decision:"),
        ("Keaton", "Decision: New parser", "**Status:**  awaiting user decisionProposal\n\nUse it.", "note:"),
        // A verdict, a defect, and a title that the field only says once more.
        (
            "Keaton",
            "Parser verification — all green",
            "**Status:** Approved\n\nVerdict PASS. 49 tests.\n\n**Rationale:** Confirms it.",
            "note:",
        ),
        (
            "Keaton",
            "Parser verification",
            "**Status:** Approved\n\nAll must verify it.\n\n**Rationale:** It broke.",
            "decision:",
        ),
        (
            "Keaton",
            "Syntax fix of the parser",
            "**Status:** Resolved\n\n#### Root Cause\n\nA brace.\n\n#### Resolution\n\nRemoved the brace.\n\n#### Learnings\n\nBraces match.",
            "note:",
        ),
        (
            "Keaton",
            "Parser pages",
            "**What:** Parser pages\n**Status:** IMPLEMENTED (all builds pass)\n\nThree.",
            "note:",
        ),
        ("Keaton", "New parser", "**Status:** Propuesta — pendiente de la decisión del owner\n\nUse it.", "note:"),
        ("Keaton", "New parser", "**Status:** Proposed\n**Type:** Architecture decision\n\nUse it.", "note:"),
        (
            "Keaton",
            "New parser",
            "**Status:** Proposed\n\n#### Decision\n\nUse the new parser. The old one shipped last year.\n\n- [ ] Approved by Brady",
            "decision:",
        ),
        (
            "Keaton",
            "New parser",
            "**Status:** Proposed\n\n#### Decision\n\nUse the new parser. The old one shipped last year.\n\n- [ ] Approved",
            "note:",
        ),
        (
            "Keaton",
            "New parser",
            "**Decision:** Use the new parser.\n**Why:** It is faster.\n\n- Two tests\n\n**Status:** Confirmed; #2 is pending Brady's approval",
            "decision:",
        ),
        // A state below other text, and a part that tells of the end.
        (
            "Keaton",
            "Created a parser guide",
            "**What:** Created `guide.md` for the parser.\n**Why:** Users asked.\n\n**Parts:**\n- Rules\n- Names\n\n**Status:** Complete",
            "note:",
        ),
        ("Keaton", "New parser (recommended)", "**What:** Use the new parser.", "New"),
        ("Keaton", "Decision: User directive – parser", "\nUse the new one.", "directive:"),
        (
            "Keaton",
            "New parser",
            "**Status:** Proposed\n\n#### Decision\n\nUse the new parser. The team agreed.",
            "decision:",
        ),
        // As much on one side as on the other, and what is only proposed.
        ("Keaton", "Parser crash", "\nTests only run.", "Parser"),
        ("Keaton", "Parser", "**Status:** Decision required\n\nTwo are there.", "Parser"),
        ("Keaton", "Decision: Parser review", "\nThe tests should be faster.", "Decision:"),
    ] {
        assert_eq!(first(by, title, body), kind, "{title}");
    }
}

#[test]
fn what_is_not_certain_says_why() {
    for (title, body, kind, reason) in [
        // Finished work under `What`: why this type, and what speaks against it.
        (
            "New parser",
            "**What:** Added the new parser.\n**Why:** It is faster.",
            "decision",
            "type `decision`: the entry gives a reason for what was done; perhaps a note: it has `Added`",
        ),
        (
            "New parser",
            "**What:** Migrated to the new parser.\n**Status:** Complete",
            "note",
            "type `note`: its text and its status describe finished work; no label in it names its type",
        ),
        (
            "Always the new parser",
            "**What:** Added the new parser.",
            "decision",
            "type `decision`, from its field `What`; perhaps a note: it has `Added`",
        ),
        // A title that says decision.
        (
            "Decision: Parser tests complete",
            "**Status:** Complete\n\nCreated 20 tests.",
            "note",
            "against `Decision`; its title calls it a decision",
        ),
        (
            "Decision: New parser",
            "**Status:** Awaiting Brady's approval\n\nUse it.",
            "note",
            "type `note`, from its status `Awaiting Brady's approval`; it may have been decided since; its title calls it a decision",
        ),
        (
            "Decision: Parser implementation",
            "**Status:** Proposed\n\n#### Decision\n\n- Trees live in one file.",
            "decision",
            "type `decision`, from the words of its title; `Proposed`: perhaps it is not decided",
        ),
        (
            "Decision: New parser",
            "**Status:** Implemented\n\nAdded the new parser.\n\n#### What changed\n\nTwo files.",
            "decision",
            "type `decision`, from the words of its title; perhaps a note: it has `What changed`, `Added`",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("### 2026-02-10: {title}\n**By:** Keaton\n{body}\n");
        write(folder.path(), ".squad/decisions.md", text);
        let value = super::json(folder.path(), &["--root", "."]);
        let entry = &value["entries"][0];
        let reasons: Vec<_> = entry["reasons"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        let said = reasons.join("; ");
        assert_eq!((entry["status"].as_str(), entry["confidence"].as_str()), (Some("converted"), Some("medium")));
        assert!(said.contains(&format!("; type `{kind}`")) && said.contains(reason), "{said}");
    }
}

#[test]
fn thousands_of_entries_of_one_day_have_a_second_each() {
    let text = converted(&"### 2026-02-10: Tabs\n**By:** Keaton\n**What:** No blanks.\n\n".repeat(4_000));
    assert!(text.contains("### 2026-02-10T01:06:39+0000: decision: Tabs\n"));
}

#[test]
fn days_that_are_a_range_keep_their_meaning() {
    // The heading, the field `Date`, and the header and the first line of the text; none where it is left for a person.
    for (heading, date, header) in [
        ("2026-02-14/15: Skill identity", "2026-02-14", Some("Skill identity")),
        ("2026-02-14–16: Skill identity", "2026-02-14", Some("Skill identity")),
        ("2026-02-14 to 2026-02-16 — Skill identity", "2026-02-14", Some("Skill identity")),
        ("2026-02-14 & 15: Skill identity", "2026-02-14", Some("Skill identity")),
        ("2026-02-14/02-15 - Skill identity", "2026-02-14", Some("Skill identity")),
        ("[2026-02-14/15] Skill identity", "2026-02-14", Some("Skill identity")),
        ("**2026-02-14/15**: Skill identity", "2026-02-14", Some("Skill identity")),
        ("2026-02-14/15", "2026-02-14", Some("Agents choose one.")),
        ("2026-02-14b: Skill identity", "2026-02-14", Some("2026-02-14b: Skill identity")),
        ("2026-02-14b: Skill identity", "", Some("2026-02-14b: Skill identity")),
        ("February 14, 2026: Skill identity", "", Some("Skill identity")),
        ("Skill identity", "February 14, 2026", Some("Skill identity")),
        ("Skill identity (14th of February, 2026)", "", Some("Skill identity (14th of February, 2026)")),
        ("**2026-02-14**: Skill identity", "2026-02-14", Some("Skill identity")),
        ("**2026-02-14: Skill identity**", "2026-02-14", Some("**Skill identity**")),
        ("2026-02-14/15: Skill identity", "", None),
        ("2026-02-14 to 2026-02-16 — Skill identity", "", None),
        ("Feb 14-15, 2026: Skill identity", "", None),
        ("Skill identity", "2026-02-14/15", None),
        ("Skill identity", "2026-02-14 – 16", None),
    ] {
        let field = if date.is_empty() { String::new() } else { format!("**Date:** {date}\n") };
        let old = format!("### {heading}\n**By:** Brady\n{field}**What:** Agents choose one. Then another.\n");
        let text = converted(&old);
        let Some(title) = header else {
            assert_eq!(text, old);
            continue;
        };
        assert!(text.starts_with(&format!("### 2026-02-14T00:00:00+0000: decision: {title}\n")), "{text}");
        let is_range = heading.contains(['/', '–', '&']) || heading.contains(" to ");
        let details = text.split_once("**details:**").unwrap().1.trim_start();
        assert_eq!(details.starts_with(&format!("{heading}\n")), is_range, "{text}");
    }
}

#[test]
fn a_day_in_words_is_not_that_of_the_commit() {
    let repo = crate::support::repo::Repo::new();
    for heading in ["Feb 14-15, 2026: Skill identity", "Skills, 02/03/2026", "2026-02-30: Skill identity"] {
        let old = format!("### {heading}\n**By:** Brady\n**What:** Agents choose one.\n");
        repo.write(".squad/decisions.md", &old);
        repo.commit("a decision");
        assert_eq!(convert(&repo.path, &[]).status.code(), Some(0));
        assert_eq!(fs::read_to_string(repo.path.join(".squad/decisions.md")).unwrap(), old);
    }
}

#[test]
fn a_lone_cr_in_the_first_line_does_not_change_the_line_ends() {
    let text = converted("# De\rcisions\r\n\r\n### 2026-02-14: Tabs\r\n**By:** Kay\r\n**What:** Tabs.\r\n");
    assert!(text.starts_with("# De\rcisions\r\n\r\n### 2026-02-14T00:00:00+0000: decision: Tabs\r\n"), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

/// The headers of what a file becomes, with their authors.
fn headers(text: &str) -> Vec<(String, String)> {
    let converted = converted(text);
    let lines: Vec<&str> = converted.lines().collect();
    let is_header = |line: &str| line.starts_with("### 20") && line.contains("+0000: ");
    let author = |at: usize| lines.iter().skip(at).find_map(|line| line.strip_prefix("**author:** "));
    let entries = lines.iter().enumerate().filter(|(_, line)| is_header(line));
    entries.map(|(at, line)| ((*line).to_owned(), author(at).unwrap_or_default().trim_end().to_owned())).collect()
}

fn header(text: &str) -> (String, String) {
    headers(text).into_iter().next().unwrap_or_default()
}

#[test]
fn a_section_is_no_entry_and_its_date_holds_for_what_is_below_it() {
    for section in
        ["## Booking flow (2026-02-11)", "## 2026-02-11 — Booking flow", "## Booking flow, February 11, 2026"]
    {
        let text = format!(
            "{section}\n\n### Seats\n**By:** Keaton\n**What:** Use rows.\n\n### Prices\n**By:** Verbal\n**What:** Use euros.\n"
        );
        let new = converted(&text);
        assert!(new.starts_with(&format!("{section}\n\n### 2026-02-11T00:00:00+0000: decision: Seats\n")), "{new}");
        let expected = [
            ("### 2026-02-11T00:00:00+0000: decision: Seats", "Keaton"),
            ("### 2026-02-11T00:00:01+0000: decision: Prices", "Verbal"),
        ];
        assert_eq!(headers(&text), expected.map(|(header, author)| (header.to_owned(), author.to_owned())));
        assert_eq!(converted(&new), new);
    }
}

#[test]
fn the_date_of_a_section_ends_with_it() {
    let text = "## Booking flow (2026-02-11)\n\n### Seats\n**By:** Keaton\n**What:** Use rows.\n\n## Old ones\n\n### Prices\n**By:** Verbal\n**What:** Use euros.\n";
    assert_eq!(headers(text).len(), 1);
}

#[test]
fn an_entry_swallows_no_deeper_entry() {
    let text = "### 2026-02-10: Roles\n**By:** Keaton\n**What:** Two roles.\n\n#### Admins (2026-02-10)\n**Author:** Verbal\n\nUse one admin.\n";
    let authors: Vec<String> = headers(text).into_iter().map(|(_, author)| author).collect();
    assert_eq!(authors, ["Keaton", "Verbal"]);
    let new = converted(text);
    assert_eq!(converted(&new), new);
    let signed = "## 2026-02-10: Roles\n**By:** Keaton\n**What:** Two roles.\n\n### Sign-Off\n**Date:** 2026-02-10\n**Status:** Done\n";
    assert_eq!(headers(signed).len(), 1);
    // One that lacks something is left as it is, and the one above it ends before it.
    for other in ["### 2. Guests\n**Status:** Done\n**Date:** 2026-02-11\n", "### Guests — Verbal (2026-02-10)\n"] {
        let other = format!("{other}\nNo guests.\n");
        let new = converted(&format!("## 2026-02-10: Roles\n**By:** Keaton\n**What:** Two roles.\n\n{other}"));
        assert!(new.ends_with(&format!("Two roles.\n\n---\n\n{other}")), "{new}");
    }
}

#[test]
fn headings_in_an_entry_are_lowered_below_its_header() {
    let new = converted(
        "# Caching (2026-02-10)\n**By:** Keaton\n\n## Context\n\nslow\n\n```sh\n# a comment\n```\n\n### Numbers\n\n1\n\n##### Deep\n\n2\n\n## Decision\n\nA cache.\n",
    );
    let levels: Vec<&str> = new.lines().filter(|line| line.starts_with('#')).collect();
    let expected = [
        "### 2026-02-10T00:00:00+0000: decision: Caching (2026-02-10)",
        "#### Context",
        "# a comment",
        "##### Numbers",
        "###### Deep",
        "#### Decision",
    ];
    assert_eq!(levels, expected);
    assert_eq!(converted(&new), new);
}

#[test]
fn another_document_ends_an_entry() {
    for (entry, rest) in [
        ("# Tabs (2026-02-10)\n**By:** Keaton\n\nUse tabs.", "# Release Process\n\nWords.\n"),
        ("### Tabs (2026-02-10)\n**By:** Keaton\n\n#### Which\n\nUse tabs.", "## Also Today\n\nWords.\n"),
    ] {
        let new = converted(&format!("{entry}\n\n{rest}"));
        assert!(new.ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{new}");
    }
    // Its own parts do not.
    let parts = "### Tabs (2026-02-10)\n**By:** Keaton\n\n## Motivation\n\nUse tabs.\n\n## Context\n\nWords.\n";
    assert!(converted(parts).ends_with("Words.\n\n---\n"), "{}", converted(parts));
}

#[test]
fn a_heading_that_was_broken_in_two_ends_no_entry() {
    for (path, hashes) in
        [(".squad/decisions.md", "#"), (".squad/decisions.md", "##"), (".squad/agents/verbal/history.md", "#")]
    {
        let parts = format!("#### Decision\n\nUse tabs.\n\n{hashes}\n### Why\n\nWidth.\n\n#### How\n\nOnce.\n");
        let new = converted_at(path, &format!("### Tabs (2026-02-10)\n**By:** Verbal\n\n{parts}"));
        assert!(new.ends_with("Once.\n\n---\n") && new.matches("\n---\n").count() == 1, "{new}");
        let levels =
            new.lines().filter(|line| line.starts_with('#')).map(|line| line.split(' ').next().unwrap_or(line));
        assert!(levels.skip(1).all(|hashes| hashes.len() >= 4), "{new}");
        assert_eq!(converted_at(path, &new), new);
    }
}

#[test]
fn parts_of_the_levels_so_far_end_no_entry() {
    let old = "### Tabs (2026-02-10)\n**By:** Keaton\n\n## Findings\n\nFour.\n\n## 1. Width\n\n### Now\n\n#### Files\n\nSome.\n\n\
               ## 5. Cost\n\n### Hours\n\nTwo.\n\n## Summary for Brady\n\nUse tabs.\n\n— Keaton\n";
    let new = converted(&format!("{old}\n---\n\n# Release Process\n\nWords.\n"));
    assert!(new.contains("\n#### 5. Cost\n\n##### Hours\n"), "{new}");
    assert!(
        new.ends_with("\n#### Summary for Brady\n\nUse tabs.\n\n— Keaton\n\n---\n\n# Release Process\n\nWords.\n"),
        "{new}"
    );
}

#[test]
fn the_subjects_that_a_title_names_are_parts() {
    let old = "### 2026-02-10: Tab analysis — Issues #7 and #8\n\n**Author:** Keaton\n**Status:** Complete, see below\n\n---\n\n\
               ## Issue #7: Width\n\n**Reporter:** Brady\n**Date:** 2026-02-10\n\n### Findings\n\nFour.\n\n\
               ## Issue #8: Mix\n\n**Reporter:** Brady\n**Date:** 2026-02-10\n\nNone.\n";
    assert_eq!(headers(old).len(), 1);
    assert!(converted(old).ends_with("\nNone.\n\n---\n"), "{}", converted(old));
    // One of another day is another entry.
    let other = "## Issue #8: Mix\n\n**By:** Keaton\n**Date:** 2026-02-11\n\n#### Decision\n\nNo mix.\n";
    assert_eq!(
        headers(&old.replace("## Issue #8: Mix\n\n**Reporter:** Brady\n**Date:** 2026-02-10\n\nNone.\n", other)).len(),
        2
    );
}

#[test]
fn what_an_archiver_left_is_a_section() {
    let rest = "## Archived Detailed Entries (2026-02-10, for size)\n\n*All of them are in git.*\n\n";
    let old = format!("## 2026-02-09: Tabs\n\nUse tabs.\n\n{rest}## 2026-02-11: Spies\n\nRestore them.\n");
    let new = converted_at(".squad/agents/verbal/history.md", &old);
    assert_eq!(new.matches("+0000: memory: ").count(), 2, "{new}");
    assert!(new.contains(&format!("\n---\n\n{rest}###")), "{new}");
}

#[test]
fn what_follows_an_entry_stays_below_it() {
    for rest in ["## Open questions\n", "## Open questions\n\n---\n\n# ---\n", "### 3. Events\n\nWords.\n"] {
        let new = converted(&format!("### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n{rest}"));
        assert!(new.ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{new}");
    }
    let counted = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n### 1. Events\n\nWords.\n\n### 2. More\n\nWords.\n";
    assert!(converted(counted).ends_with("#### 2. More\n\nWords.\n\n---\n"), "{}", converted(counted));
    // A bold line with a date begins the next thing in a history, and a heading of another day everywhere.
    let rest = "**2026-02-11: Spaces**\n\nNone.\n";
    let old = format!("### 2026-02-10: Tabs\n\nUse tabs.\n\n---\n\n{rest}");
    let new = converted_at(".squad/agents/verbal/history.md", &old);
    assert!(new.ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{new}");
    let old = "## 2026-02-10: Tabs\n\nUse tabs.\n\n### Spaces (2026-02-11)\n\nNone.\n\n## Session: 2026-02-12 — More\n\nWords.\n";
    let new = converted_at(".squad/agents/verbal/history.md", old);
    assert_eq!(new.matches("+0000: memory: ").count(), 3, "{new}");
}

#[test]
fn the_log_of_an_agent_goes_on_behind_an_entry() {
    let new = |rest: &str| {
        let old = format!("## 2026-02-10: Tabs\n\nUse tabs.\n\n{rest}");
        converted_at(".squad/agents/verbal/history.md", &old)
    };
    for rest in [
        "- 2026-02-11: **Spaces** — none.\n",
        "- ✅ **2026-02-11T10:00Z** (Spaces): none.\n\n- 2026-02-12: More.\n",
        "📌 Team update (2026-02-11): spaces are gone — decided by Keaton\n",
        "📌 2026-02-11T10:00:00Z: **Spaces** are gone.\n",
        "📌 Team updates (2026-02-10, consolidated): spaces are gone.\n",
        "📌 **Team update (2026-02-11):** spaces are gone,\nand so are tabs\n— decided by Keaton\n",
        // Lines of the entry's own day, alone and before others, are of the same log.
        "- 2026-02-10: No spaces.\n",
        "- 2026-02-10T02:40:13Z: **SPACES GONE.** None.\n- 2026-02-10T05:00:00Z: **MORE.** None.\n\n- 2026-02-11: More.\n",
        // An update of the team is about the work of others, on any day.
        "📌 Team update (2026-02-10): spaces are gone — decided by Keaton\n\n📌 Team update (2026-02-11): so are tabs\n",
    ] {
        assert!(new(rest).ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{}", new(rest));
    }
    // What is of the entry's day in its list, below a label or a heading of the entry, in a list of something else, or code.
    for rest in [
        "- Asked the team.\n- 2026-02-10: No spaces.\n",
        "**Timeline:**\n\n- 2026-02-11: Asked.\n- 2026-02-12: Done.\n",
        "### Earlier\n\n- 2026-02-01: Asked.\n",
        "### Timeline\n\n- 2026-02-01: **Asked** the team.\n- 2026-02-10: **Done.**\n",
        "### Later\n\n- 2026-02-12: **Spaces** — none.\n",
        "- Days:\n  - 2026-02-11: Asked.\n",
        "```text\n- 2026-02-11: Asked.\n```\n",
        "- 2026-02-11 and later\n",
        // More text of the entry below.
        "📌 Team update (2026-02-11): spaces are gone\n\n**What is left:** the docs.\n",
        "- 2026-02-11: Asked.\n\n#### Answers\n\nNone.\n",
    ] {
        assert!(new(rest).ends_with(&format!("{}\n\n---\n", rest.trim_end())), "{}", new(rest));
    }
    // Titles of earlier days below a heading that the log had before, with the heading, whatever is below them.
    let rest = "### Architecture\n\n- 2026-02-01: **Spaces** — none.\n- Rows are few.\n";
    assert!(new(rest).ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{}", new(rest));
    // The first line may be such an update itself.
    let old = "## Parser roadmap (2026-02-12)\n\n📌 Team update (2026-02-11): spaces are gone\n";
    let text = converted_at(".squad/agents/verbal/history.md", old);
    assert!(text.ends_with("spaces are gone\n\n---\n"), "{text}");
}

#[test]
fn neighbours_of_one_shape_are_not_of_two_types() {
    let entry = |title: &str, body: &str| {
        format!("### 2026-02-10: Decision: {title}\n**By:** Keaton\n**Status:** Complete\n\n{body}\n\n")
    };
    let note = entry("Parser tests added", "Created 20 tests. All pass.\n\n#### Files changed\n\nTwo.");
    let decision =
        entry("Parser cache added", "Added a cache.\n\n#### Decision\n\nKeep 20 trees.\n\n#### Files changed\n\nTwo.");
    let other = decision.replace("cache added", "cache");
    assert!(converted(&note).contains("+0000: note: ") && converted(&decision).contains("+0000: decision: "));
    let both = [note.as_str(), decision.as_str()].concat();
    assert_eq!(converted(&both), both);
    assert_eq!(converted(&[note, other].concat()).matches("**type:** ").count(), 2);
}

#[test]
fn the_front_matter_of_another_document_ends_an_entry() {
    let entry = "### 2026-02-10: Decision: Tabs\n**By:** Keaton\n\nUse tabs.\n\n";
    let rest = "---\nauthor: Hicks\ntype: gate\n---\n\n# Gate: Parser\n\nIt blocks the parser.\n";
    let new = converted(&format!("{entry}{rest}"));
    assert!(new.ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{new}");
    // Right below the text, and above a heading that begins an entry.
    let rest = "---\ndate: 2026-02-11\nauthor: Hicks\n---\n\n# Decision: Gate\n\n## Context\n\nIt blocks the parser.\n";
    let new = converted(&format!("{}{rest}", entry.trim_end().to_owned() + "\n"));
    assert!(new.contains("Use tabs.\n\n---\n\n---\ndate: 2026-02-11\nauthor: Hicks\n---\n\n"), "{new}");
    // It says who and when of the entry below it.
    assert!(new.contains("### 2026-02-11T00:00:00+0000: decision: Gate\n"), "{new}");
    assert!(new.contains("**author:** Hicks  \n"), "{new}");
    // With both it ends an entry above a text, too.
    let rest = "---\ntitle: \"Gate\"\nauthor: Hicks\ncreated: 2026-02-11\n---\n\nProposal\n";
    let new = converted(&format!("{entry}{rest}"));
    assert!(new.ends_with(&format!("Use tabs.\n\n---\n\n{rest}")), "{new}");
    // What is left of another list, and the footer of the file.
    for rest in ["   - No spaces.\n4. Words\n", "3. Spaces\n", "*Last updated: 2026-02-10*\n"] {
        let new = converted(&format!("{entry}1. Lines\n\n---\n\n{rest}"));
        assert!(new.ends_with(&format!("1. Lines\n\n---\n\n---\n\n{rest}")), "{new}");
    }
    for rest in ["2. Spaces\n", "1. Spaces\n", "- Spaces\n", "*Updated often*\n\nYes.\n"] {
        let new = converted(&format!("{entry}1. Lines\n\n---\n\n{rest}"));
        assert!(new.ends_with(&format!("1. Lines\n\n***\n\n{rest}\n---\n")), "{new}");
    }
    // Two rules of the entry itself, around a text.
    let rest = "---\nSpaces: none.\nThey are wide.\n---\n\n#### Why\n\nThey are wide.\n";
    assert!(converted(&format!("{entry}{rest}")).ends_with("They are wide.\n\n---\n"));
}

#[test]
fn an_agent_keeps_an_entry_with_parts_of_its_own_level() {
    let new = |parts: &str| {
        let old = format!("### Session: Tabs (2026-02-10)\n**Task:** Choose.\n\nTabs it is.\n{parts}");
        converted_at(".squad/agents/verbal/history.md", &old)
    };
    let parts = "### Key Decisions\n1. Tabs\n### Files Created\n- `tabs.rs`\n";
    let lowered = parts.replace("### ", "#### ");
    assert!(new(parts).ends_with(&format!("Tabs it is.\n{lowered}\n---\n")), "{}", new(parts));
    // Up to a rule, and where the first one is called so.
    let behind = "---\n### Words\nAre short.\n";
    let both = format!("{parts}{behind}");
    assert!(new(&both).contains(&lowered) && new(&both).ends_with("\n### Words\nAre short.\n"), "{}", new(&both));
    assert!(new(&behind[4..]).ends_with("Tabs it is.\n\n---\n\n### Words\nAre short.\n"), "{}", new(&behind[4..]));
}

#[test]
fn a_name_of_a_zone_is_part_of_the_date() {
    let new = converted(
        "### 2026-02-10T17:37:39 PT — Tabs\n**By:** Keaton\n**Date:** 2026-02-10T17:37:39-08:00\n\nUse tabs.\n",
    );
    assert!(new.contains("### 2026-02-10T17:37:39-0800: decision: Tabs\n"), "{new}");
    let new = converted("### 2026-02-10T17:37:39 — PT boats\n**By:** Keaton\n**What:** Use boats.\n");
    assert!(new.contains("### 2026-02-10T17:37:39+0000: decision: PT boats\n"), "{new}");
}

#[test]
fn a_condensed_list_of_days_is_one_entry() {
    let new = |title: &str, list: &str| {
        converted_at(".squad/agents/verbal/history.md", &format!("### {title} (2026-02-10)\n\n{list}"))
    };
    let list = "- First measure.\n- 2026-02-09 — second measure.\n- 2026-02-11 — third measure.\n";
    assert!(new("[SUMMARY] Condensed entries", list).ends_with(&format!("{list}\n---\n")));
    assert!(!new("Measures", list).ends_with(&format!("{list}\n---\n")));
    // Other items below an update are of the same list.
    let list = "- First measure.\n- Team update (2026-02-11): a wall.\n- Second measure.\n";
    assert!(new("Measures", list).ends_with(&format!("{list}\n---\n")));
}

#[test]
fn a_number_before_the_type_and_a_status_of_review() {
    let entry = |title: &str, status: &str, text: &str| {
        converted(&format!(
            "### {title}\n**Author:** Kim Berry\n**Filed:** 2026-02-10T14:30Z\n**Status:** {status}\n\n{text}\n"
        ))
    };
    let new = entry("13. Directive: Ghosts", "Active", "Players of other worlds are ghosts.");
    assert!(new.contains("### 2026-02-10T14:30:00+0000: directive: "), "{new}");
    let new = entry(
        "3. Containment",
        "Ready for team review",
        "**Recommendation:** Use trees.\n\n**Rationale:** They are known.",
    );
    assert!(new.contains("+0000: note: "), "{new}");
    let new = entry("Kim decision inbox — Names", "Published", "#### Editorial decision\n\nUse short names.");
    assert!(new.contains("+0000: decision: "), "{new}");
    let new = entry("Phase 4", "Complete", "**Architecture Decisions (LOCKED):**\n\n- Use one queue.");
    assert!(new.contains("+0000: decision: "), "{new}");
}

#[test]
fn a_placeholder_at_the_end_of_the_file_is_no_part_of_its_last_entry() {
    let new = |rest: &str| {
        let old = format!("## 2026-02-10: Tabs\n\nUse tabs.\n\n{rest}\n");
        converted_at(".squad/agents/verbal/history.md", &old)
    };
    for rest in [
        "*Append new patterns and notes here as you work.*",
        "_Add new learnings below._",
        "*End of the log. Record new entries above.*",
        "---\n\n*Append new patterns as the team works.*",
    ] {
        assert!(new(rest).ends_with(&format!("Use tabs.\n\n---\n\n{rest}\n")), "{}", new(rest));
    }
    for rest in [
        "*Added here by Verbal.*",
        "*Record of tabs.*",
        "*Use tabs here.*",
        "Add tabs here.",
        "*Add* tabs here as you *work*",
        "*Append new patterns here.*\n\nSo says the template.",
    ] {
        assert!(new(rest).ends_with(&format!("Use tabs.\n\n{rest}\n\n---\n")), "{}", new(rest));
    }
    let next = "## 2026-02-11: Spaces\n\nNone.";
    assert!(new(&format!("*Add tabs here.*\n\n{next}")).contains("Use tabs.\n\n---\n\n*Add tabs here.*\n"));
}

#[test]
fn a_list_right_below_a_rule_perhaps_continues_another_entry() {
    for (body, confidence) in [
        ("Use tabs.\n\n---\n- Spaces: none.\n- Rows: few.", "low"),
        ("- Use tabs.\n\n---\n* Rows", "low"),
        ("Use tabs.\n\n---\nand no spaces.\n\n**Why:** Width.", "low"),
        ("**What:** Use tabs.\n**Why:** Width.\n\n---\n- Rows", "low"),
        // The entry announces it, or has nothing else, or it is a list below a rule as people write it.
        ("Use tabs. The rules:\n\n---\n- Spaces: none.", "high"),
        ("Use tabs.\n\n#### Rules\n\n---\n- Spaces: none.", "high"),
        ("**Rules:**\n\n---\n- Spaces: none.", "high"),
        ("Use tabs.\n\nRules\n---\n- Spaces: none.", "high"),
        ("**Status:** Done\n\n---\n- Use tabs.", "high"),
        ("Use tabs.\n\n---\n\n- Spaces: none.", "high"),
        ("Use tabs.\n\n---\nSpaces: none.", "high"),
        ("Use tabs.\n\n```text\n---\n- Spaces\n```", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("## 2026-02-10: Tabs\n\n{body}\n\n---\n");
        write(folder.path(), ".squad/agents/verbal/history.md", text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{body}: {value}");
        let said = value["entries"][0]["reasons"].to_string().contains("perhaps continues another entry");
        assert_eq!(said, confidence == "low", "{value}");
    }
}

#[test]
fn an_entry_without_a_heading_is_no_part_of_the_one_before() {
    let rest = "**By:** Hockney\n**What:** No spaces.\n**Why:** They are wide.\n";
    let old = format!("### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n**Why:** Width.\n\n{rest}");
    let text = converted(&old);
    assert!(text.ends_with(&format!("**rationale:** Width.\n\n---\n\n{rest}")), "{text}");
}

#[test]
fn what_is_below_recommendations_is_not_decided() {
    let entry = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** All files need tabs.\n";
    for (section, kept) in [("Improvement Recommendations", true), ("Proposals", true), ("Rules", false)] {
        let old = format!("## {section}\n\n{entry}");
        assert_eq!(converted(&old) == old, kept, "{section}");
    }
    let decided = "## Recommendations\n\n### 2026-02-10: Tabs\n**By:** Keaton\n\n#### Decision\n\nUse tabs.\n";
    assert!(converted(decided).contains(": decision: Tabs\n"), "{}", converted(decided));
}

#[test]
fn another_text_behind_what_and_why_makes_it_less_sure() {
    for (heading, confidence) in [
        ("## Background", "medium"),
        ("## Release 2", "medium"),
        // The end of a text whose beginning is lost.
        ("## Impact", "low"),
        ("---\n\n## Impact", "low"),
        ("#### Background", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let entry = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n**Why:** Width.\n";
        write(folder.path(), ".squad/decisions.md", format!("{entry}\n{heading}\n\nWords.\n"));
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{heading}: {value}");
        let said = value["entries"][0]["reasons"].to_string().contains("looks like the title of another entry");
        assert_eq!(said, confidence != "high", "{value}");
    }
}

#[test]
fn a_heading_of_its_level_behind_text_is_no_part_of_an_entry() {
    let entry = "### 2026-02-10: Decision: Tabs\n**By:** Keaton\n";
    for (body, confidence, ends) in [
        // Right below the fields it is the first part of a document with such parts.
        ("**What:** Use tabs.\n\n---\n\n### Plan\n\nWords.", "high", false),
        ("**What:** Use tabs\nin all files.\n\n*Note: it is new.*\n\n### Plan\n\nWords.", "high", false),
        ("\nUse tabs.\n\n### Plan\n\nWords.", "low", false),
        ("\nUse tabs.\n\n---\n\n### Plan\n\nWords.", "high", true),
        // A document goes on with a part of another level, or another one begins.
        ("\n#### Width\n\nUse tabs.\n\n---\n\n### Plan\n\nWords.", "low", false),
        ("\nUse tabs.\n\n---\n\n## Plan\n\nWords.", "low", false),
        // The part that the entry lacked, and one that it has.
        ("\n#### Width\n\nUse tabs.\n\n---\n\n### Why\n\nWords.", "high", false),
        ("\n#### Why\n\nWidth.\n\n### Why\n\nWords.", "low", false),
        ("\nUse tabs.\n\n#### Plan\n\nWords.", "high", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", format!("{entry}{body}\n"));
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{body}: {value}");
        let said = value["entries"][0]["reasons"].to_string().contains("looks like the title of another entry");
        assert_eq!(said, confidence == "low", "{value}");
        convert(folder.path(), &["--root", "."]);
        let text = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        assert_eq!(text.ends_with("---\n\n### Plan\n\nWords.\n") && text.contains("T00:"), ends, "{body}: {text}");
    }
}

#[test]
fn an_entry_of_the_same_list_is_no_part_of_an_entry() {
    let entry = |second: &str| {
        format!("## Tabs\n- **Date:** 2026-02-10\n- **Agent:** Keaton\n- **Decision:** Tabs.\n\n## Rows\n{second}\n")
    };
    for (second, confidence) in [("- **Awaiting:** Verbal", "low"), ("Words.", "high")] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", entry(second));
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{second}: {value}");
    }
}

#[test]
fn a_document_that_begins_again_is_perhaps_two() {
    for (parts, confidence) in [
        ("## Context\n\nWidth.\n\n## Plan\n\nWords.\n\n---\n\n## Overview\n\nRows.", "low"),
        ("## Context\n\nWidth.\n\n## Plan\n\nWords.\n\n## Overview\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n---\n\n## Overview\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n## Plan\n\nWords.\n\n---\n\n## Overview of rows\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n### Plan\n\nWords.\n\n### Use\n\nWords.\n\n---\n\n### Overview\n\nRows.", "high"),
        // The list that ends a document has no parts.
        ("## Context\n\nWidth.\n\n## Next Steps\n\n1. Use it.\n\n### 1. Rows\n\nRows.", "low"),
        ("## Context\n\nWidth.\n\n## Next Steps\n\nThere are two:\n\n### 1. Rows\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n## Next Steps\n\n1. Use it.\n\n### Testing\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n## Steps\n\n1. Use it.\n\n### 1. Rows\n\nRows.", "high"),
        // Between two rules were entries that somebody took out.
        ("## Context\n\nWidth.\n\n---\n\n---\n\n## Rows\n\nRows.", "low"),
        ("## Context\n\nWidth.\n\n---\n\nWords.\n\n---\n\n## Rows\n\nRows.", "high"),
        // A part need not say again when it was.
        ("## Context\n\nWidth.\n\n### Row audit \u{2014} 2026-02-10\n\nRows.", "low"),
        ("## Context\n\nWidth.\n\n### 2. Row audit \u{2014} 2026-02-10\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n### Implementation (2026-02-10)\n\nRows.", "high"),
        ("## Context\n\nWidth.\n\n### Open rows (as of 2026-02-10)\n\nRows.", "high"),
        // What a decision leads to ends its record.
        ("## Decision\n\nWidth.\n\n## Consequences\n\nRows.\n\n## Why\n\nWords.", "low"),
        ("## Decision\n\nWidth.\n\n## Consequences\n\n### Why\n\nRows.\n\n## Why not\n\nWords.", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("# Decision: Tabs\n\n**Date:** 2026-02-10\n**By:** Keaton\n\n{parts}\n");
        write(folder.path(), ".squad/decisions.md", text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{parts}: {value}");
        let said = value["entries"][0]["reasons"].to_string().contains("looks like the title of another entry");
        assert_eq!(said, confidence == "low", "{value}");
    }
}

#[test]
fn a_date_far_from_those_of_the_team_is_doubtful() {
    let entry = |date: &str| format!("### {date}: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n");
    for (count, date, confidence) in [
        (20, "2025-02-10", "medium"),
        (20, "2026-06-01", "medium"),
        (50, "2025-02-10", "medium"),
        (20, "2026-03-20", "high"),
        (8, "2025-02-10", "medium"),
        (1, "2025-02-10", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", entry("2026-02-10").repeat(count));
        write(folder.path(), ".squad/decisions/inbox/keaton-tabs.md", entry(date));
        let value = super::json(folder.path(), &["--root", "."]);
        let all = value["entries"].as_array().unwrap();
        let found = all.iter().find(|entry| entry["path"].as_str().unwrap().contains("inbox")).unwrap();
        assert_eq!(found["confidence"], confidence, "{date}: {found}");
        let said = "nearly all entries of the team are from 2026-02-10 to 2026-02-10";
        assert_eq!(found["reasons"].to_string().contains(said), confidence == "medium", "{found}");
    }
}

#[test]
fn a_year_that_less_than_half_of_the_team_has_is_doubtful() {
    let entry = |date: &str| format!("### {date}: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n");
    for (old, new, confidence) in [(1, 2, "medium"), (11, 32, "medium"), (3, 3, "high"), (32, 11, "high")] {
        let folder = tempfile::tempdir().unwrap();
        let text = entry("2025-07-24").repeat(old) + &entry("2026-03-01").repeat(new);
        write(folder.path(), ".squad/decisions.md", text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{old} and {new}: {value}");
    }
}

#[test]
fn what_is_only_about_a_decision_is_never_sure() {
    for (title, rest, kind, confidence) in [
        ("Naming directive", "**What:** Use tabs.", "directive", "high"),
        ("Issue-to-sprint assignment directive", "**What:** Use tabs.", "directive", "high"),
        ("User directive — tabs", "**What:** If rows are short, explore whether tabs do.", "directive", "medium"),
        ("User directive — tabs", "**What:** Always explore the code first.", "directive", "high"),
        ("Plan for the user's two directives", "**What:** Use tabs.", "decision", "high"),
        ("Tabs", "**What:** Proposal 16 is the first draft of a paper on tabs.", "decision", "medium"),
        ("Tabs don't reach old files", "**What:** Line 30 skips the files.", "decision", "medium"),
        ("Do not use tabs", "**What:** No tabs.", "decision", "high"),
        ("Industry trends — tabs", "**What:** Three trends to lead.", "decision", "medium"),
        ("Tabs", "**What:** Use tabs.\n\n#### Width\n\nWords.\n\n- Status: PROPOSED", "note", "medium"),
        (
            "Tabs",
            "## Context\n\nWidth.\n\n## Decision\n\nUse tabs.\n\n**Decision Status:** Awaiting team consensus",
            "note",
            "medium",
        ),
        ("Tabs", "## Context\n\nWidth.\n\n## Decision\n\nUse tabs.", "decision", "high"),
        (
            "Tabs",
            "## Context\n\nWidth.\n\n## Decision\n\nUse tabs.\n\n## Context\n\nRows.\n\n## Decision\n\nUse rows.",
            "decision",
            "medium",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("### 2026-02-10: {title}\n**By:** Keaton\n{rest}\n");
        write(folder.path(), ".squad/decisions.md", &text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{text}: {value}");
        convert(folder.path(), &["--root", "."]);
        let header = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        assert!(header.starts_with(&format!("### 2026-02-10T00:00:00+0000: {kind}: ")), "{text}: {header}");
    }
}

#[test]
fn an_answer_in_the_file_of_a_directive_is_not_sure() {
    for (title, what, confidence) in [
        ("Tabs", "Use tabs in all files.", "high"),
        ("Answers about tabs", "Use tabs in all files.", "medium"),
        ("Tabs", "Decisions on all open questions: tabs.", "medium"),
        ("Tabs", "Verbal chose option 2.", "medium"),
        ("Tabs", "Use tabs in all files. Verbal decided so.", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("### 2026-02-10: {title}\n**By:** Mike\n**What:** {what}\n**Why:** Width.\n");
        write(folder.path(), ".squad/decisions/inbox/copilot-directive-tabs.md", text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{title}: {what}: {value}");
        assert!(
            value["entries"][0]["reasons"].to_string().contains("type `directive`, from the file's name"),
            "{value}"
        );
    }
}

#[test]
fn what_a_user_says_in_a_list_counts_as_in_one_line() {
    for (what, kind) in [
        (" Do not change the old app.", "directive"),
        ("\n- Do not change the old app.\n- Use tabs.", "directive"),
        ("\n- The new app has tabs.", "decision"),
        ("\n- Use tabs.\n**Why:** Do not ask.", "directive"),
        (" Added tabs to the new app.", "note"),
    ] {
        let text = format!("### 2026-02-10: Tabs\n**By:** Mike (via Copilot)\n**What:**{what}\n");
        assert_eq!(header(&text).0, format!("### 2026-02-10T00:00:00+0000: {kind}: Tabs"), "{text}");
    }
}

#[test]
fn who_issues_a_directive_is_its_author() {
    let text = "### 2026-02-10: Tabs\n**Issued by:** Mike (via Copilot)\n**What:** All must use tabs.\n";
    let new = converted(text);
    assert!(new.starts_with("### 2026-02-10T00:00:00+0000: directive: Tabs\n"), "{new}");
    assert!(new.contains("\n**author:** Mike (via Copilot)  \n"), "{new}");
}

#[test]
fn a_date_before_the_team_was_created_is_doubtful() {
    let entry = "### 2026-02-01: Tabs\n**By:** Keaton\n**What:** Use tabs.\n";
    for (said, confidence) in [
        ("- **Created:** 2026-02-14", "medium"),
        ("**Created**: 2026-02-14", "medium"),
        ("- **Created:** 2026-02-05", "high"),
        ("The parser was created: 2026-02-14", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", entry);
        write(folder.path(), ".squad/agents/keaton/history.md", format!("# Keaton\n\n{said}\n"));
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][0]["confidence"], confidence, "{said}: {value}");
        let said = value["entries"][0]["reasons"].to_string().contains("say `Created: 2026-02-14`");
        assert_eq!(said, confidence == "medium", "{value}");
    }
}

#[test]
fn a_date_in_a_quotation_below_the_title_is_that_of_the_document() {
    let text = "# Tabs\n\n> **Fecha entrada:** 2026-02-10\n> **Autor:** Verbal\n\n## Decisión\n\nUse tabs.\n";
    assert_eq!(header(text), ("### 2026-02-10T00:00:00+0000: decision: Tabs".to_owned(), "Verbal".to_owned()));
}

#[test]
fn a_date_far_from_those_beside_it_is_doubtful() {
    let entry = |date: &str| format!("### {date}: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n");
    for (date, confidence) in [("2025-07-14", "medium"), ("2026-02-16", "high")] {
        let folder = tempfile::tempdir().unwrap();
        let text = [entry("2026-02-10"), entry(date), entry("2026-02-11")].concat();
        write(folder.path(), ".squad/decisions.md", &text);
        let value = super::json(folder.path(), &["--root", "."]);
        assert_eq!(value["entries"][1]["confidence"], confidence, "{value}");
        assert_eq!(value["entries"][0]["confidence"], "high", "{value}");
    }
    // One of those beside it has a wrong date, too.
    let text = ["2026-02-10", "2025-01-26", "2025-07-14", "2026-02-11", "2026-02-12"].map(entry).concat();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", &text);
    let value = super::json(folder.path(), &["--root", "."]);
    let confidences: Vec<_> = (0..5).map(|at| value["entries"][at]["confidence"].as_str().unwrap()).collect();
    assert_eq!(confidences, ["high", "medium", "medium", "high", "high"], "{value}");
}

#[test]
fn a_date_a_week_from_those_right_beside_it_is_doubtful() {
    let file = |path: &str, days: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let entry = |day: &&str| format!("### 2026-02-{day}: Tabs\n**By:** Keaton\n**What:** Use tabs.\n\n");
        write(folder.path(), path, days.iter().map(entry).collect::<String>());
        let value = super::json(folder.path(), &["--root", "."]);
        let doubted = |entry: &serde_json::Value| {
            let is_doubted = entry["reasons"].to_string().contains("doubtful date: the entries beside it are of about");
            assert_eq!(entry["confidence"] == "medium", is_doubted, "{entry}");
            is_doubted
        };
        value["entries"].as_array().unwrap().iter().map(doubted).collect::<Vec<_>>()
    };
    let decisions = ".squad/decisions.md";
    for (days, doubted) in [
        (&["20", "13", "22"][..], 1),
        (&["24", "13", "20"], 1),
        (&["10", "18", "11"], 1),
        // Less than a week, neighbors that are further apart, on both sides of it, or of its day, and the end of a file.
        (&["20", "14", "22"], 0),
        (&["25", "13", "20"], 0),
        (&["10", "18", "26"], 0),
        (&["20", "13", "13", "22"], 0),
        (&["20", "22", "13"], 0),
    ] {
        let found = file(decisions, days);
        assert_eq!(found.iter().filter(|found| **found).count(), doubted, "{days:?}");
        assert!(doubted == 0 || found[1]);
    }
    // The history of an agent is in no such order.
    assert_eq!(file(".squad/agents/keaton/history.md", &["20", "13", "22"]), [false; 3]);
}

#[test]
fn fields_that_state_it_again_below_a_rule_are_those_of_another_entry() {
    let head = "### 2026-02-10: Decision: Tabs\n**By:** Keaton\n**Status:** Done\n";
    let rest = "---\n\n**Coordinators:** Hicks\n**Status:** Checked\n\n**Summary:** Spaces are gone.\n";
    // Without them the entry has no text.
    let text = format!("{head}\n{rest}");
    assert_eq!(converted(&text), text);
    // Its own text stays with the entry, above the rule or below it.
    for (above, rest) in [("Use tabs.\n\n", rest), ("", "---\n\n**Scope:** all\n\nUse tabs.\n")] {
        let text = converted(&format!("{head}\n{above}{rest}"));
        assert!(text.ends_with(&format!("{}\n---\n", rest.replacen("---", "***", 1))), "{text}");
    }
}

#[test]
fn the_scribe_names_who_did_it() {
    let found = header("### 2026-02-10: Tabs\n**Author:** Scribe (from Wash / Kaylee)\n**What:** Use tabs.\n");
    assert_eq!(found.1, "Wash");
}

#[test]
fn counted_parts_of_a_proposal_are_no_entries() {
    let text = "### 2026-02-10: Proposal of features\n**By:** Keaton\n**What:** Use three of them.\n\n## Decision 1: Tabs\n**What:** Tabs.\n**Why:** Width.\n\n### 2. Rows\n- **Why:** short\n- **Agent:** Verbal\n";
    assert_eq!(headers(text).len(), 1);
}

#[test]
fn who_did_the_work_comes_before_who_committed() {
    let names = "### 2026-01-01: Names\n**By:** Hockney\n**What:** Use names.\n\n### 2026-01-02: More names\n**By:** Hockney\n**What:** Use names.\n\n";
    for (title, body, author) in [
        ("Tabs", "**Owner:** Verbal\n\n#### Decision\n\nUse tabs.", "Verbal"),
        ("Tabs", "**Owner:** Verbal, Hockney\n\n#### Decision\n\nUse tabs.", ""),
        ("Tabs", "**Conducted by:** Verbal (Lead)\n\nUse tabs.", "Verbal (Lead)"),
        ("Tabs", "**Triaged by:** Verbal\n\nUse tabs.", "Verbal"),
        ("Tabs", "\nUse tabs.\n\n- Verbal, 2026-02-28", "Verbal"),
        ("Tabs", "\nUse tabs.\n\n— Hockney", "Hockney"),
        ("Tabs (Hockney)", "\nUse tabs.", "Hockney"),
        ("Tabs — hockney", "\nUse tabs.", "hockney"),
        ("Hockney's decision: tabs", "\nUse tabs.", "Hockney"),
        ("Tabs (Hockney — 2026-02-10)", "\nUse tabs.", "Hockney"),
        // Who looked at it, reported or asked for it did not write it.
        ("Tabs", "**Reviewer:** Verbal\n\nUse tabs.", ""),
        ("Tabs", "**Reported by:** Verbal\n\nUse tabs.", ""),
        ("Tabs (requested by Hockney)", "\nUse tabs.", ""),
        ("Tabs", "\nUse tabs.\n\n- Verbal", ""),
    ] {
        let text = format!("{names}### 2026-02-10: {title}\n{body}\n");
        let found = headers(&text).into_iter().find(|(header, _)| header.starts_with("### 2026-02-10"));
        assert_eq!(found.map(|(_, author)| author).unwrap_or_default(), author, "{title}: {body}");
    }
}

#[test]
fn a_name_of_several_words_is_one_name_in_a_heading() {
    for (title, body, author) in [
        ("Mary Ann — tabs", "\nUse tabs.", "Mary Ann"),
        ("Decision on tabs - Mary Ann", "\nUse tabs.", "Mary Ann"),
        ("Tabs (Mary Ann — 2026-02-10)", "\nUse tabs.", "Mary Ann"),
        ("Mary Ann review: tabs", "**Reviewer:** Mary Ann\n\nUse tabs.", "Mary Ann"),
        ("Tabs", "\nUse tabs.\n\n— Mary Ann", "Mary Ann"),
        ("Mary Annabel — tabs", "\nUse tabs.", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/agents/mary-ann/charter.md", "# Mary Ann — Dev\n");
        write(folder.path(), ".squad/decisions.md", format!("### 2026-02-10: {title}\n{body}\n"));
        let output = convert(folder.path(), &["--root", "."]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        assert_eq!(headers(&text).into_iter().next().unwrap_or_default().1, author, "{title}: {body}");
    }
}

#[test]
fn the_key_decisions_of_an_entry_are_a_part_of_it() {
    let text = "### Decision: Boundary\n\n**Date:** 2026-02-10\n**Author:** Keaton\n**Status:** Decided\n\n## Key Decisions\n\n1. Tabs\n\n## Alignment\n- Small changes\n\n---\n\n### Decision: Pipeline\n\n**Date:** 2026-02-11\n**Author:** Keaton\n**Status:** Decided\n\n## Key Decisions\n\n- One graph\n";
    let found = converted(text);
    let first = found.split("Pipeline").next().unwrap_or_default();
    assert!(first.contains("#### Key Decisions"), "{found}");
}

#[test]
fn a_time_behind_the_author_is_the_time() {
    for (by, time, author) in [
        ("Brady (via Copilot, 2026-02-10T14:47Z)", "14:47:00", "Brady (via Copilot)"),
        ("Brady (14:47 UTC)", "14:47:00", "Brady"),
        // Another day, and the name of a file.
        ("Brady (2026-02-11T14:47Z)", "00:00:00", "Brady"),
        ("Brady (see directive-2026-02-10T14:47Z.md)", "00:00:00", "Brady (see directive-2026-02-10T14:47Z.md)"),
    ] {
        let found = header(&format!("### 2026-02-10: Tabs\n**By:** {by}\n**What:** The app has tabs.\n"));
        assert_eq!(found, (format!("### 2026-02-10T{time}+0000: decision: Tabs"), author.to_owned()), "{by}");
    }
}

#[test]
fn the_title_once_more_below_the_fields_of_a_merge_is_no_other_entry() {
    let text = "### 2026-02-10T14:47:00Z: Keaton dataset decisions\n**By:** Keaton\n\n_Source inbox:_ `keaton-dataset.md`\n\n# Keaton dataset decisions\n\n**By:** Keaton (Data)\n\n## Decision\n\nOne table.\n\n### 2026-02-11T14:47:00Z: Tabs\n**By:** Kim\n**What:** Use tabs.\n";
    let found = converted(text);
    assert_eq!(headers(&found).len(), 2, "{found}");
    let (first, second) = found.split_once("### 2026-02-11").unwrap_or_default();
    assert!(first.contains("One table.") && second.contains("Use tabs."), "{found}");
}

#[test]
fn what_an_agent_decided_or_reports_is_no_directive_by_its_section() {
    let kind = |by: &str, title: &str, says: &str| {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
        let text = format!("## Active Directives\n\n### 2026-02-10: {title}\n**By:** {by}\n\n{says}\n");
        write(folder.path(), ".squad/decisions.md", text);
        convert(folder.path(), &["--root", "."]);
        let text = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        text.lines().nth(2).and_then(|line| line.split(' ').nth(2)).unwrap_or_default().to_owned()
    };
    let decides = "**Decision:** Discovery replaces the list.";
    assert_eq!(kind("Keaton (Lead)", "Discovery", decides), "decision:");
    assert_eq!(kind("Brady", "Discovery", decides), "directive:");
    let reports = "Fixed the parser. All 12 tests pass.";
    assert_eq!(kind("Keaton (Lead)", "Parser fixes complete", reports), "note:");
    // Nor by the name that an agent gives to what it decided.
    assert_eq!(
        kind("Keaton (Lead)", "Decision: Revision Directive — parser", "Verbal repairs the parser."),
        "decision:"
    );
    assert_eq!(kind("Brady", "Decision: Revision Directive — parser", "Verbal repairs the parser."), "directive:");
}

#[test]
fn the_words_of_both_types_leave_the_title_of_a_directive() {
    let text = "### 2026-02-10: Decision: User directive — PR gate\n**By:** Brady\n**What:** Tests pass first.\n";
    assert!(converted(text).starts_with("### 2026-02-10T00:00:00+0000: directive: PR gate\n"), "{}", converted(text));
}

#[test]
fn what_a_person_says_through_an_agent_is_a_directive() {
    for (author, text, kind) in [
        ("Mike (via Copilot directive)", "Never use emoji in workflow files.", "directive"),
        ("Stefan (Product Owner, via Copilot)", "User directive: The harness comes first.", "directive"),
        ("Mike (via Copilot)", "Prefer the small model for all agents.", "directive"),
        ("Mike (via Copilot)", "The agents have the small model.", "decision"),
    ] {
        let entry = format!("### 2026-02-10: Models\n**Author:** {author}\n**Status:** Active\n\n{text}\n");
        assert_eq!(header(&entry).0, format!("### 2026-02-10T00:00:00+0000: {kind}: Models"), "{author}: {text}");
    }
}

#[test]
fn a_convention_that_holds_from_now_on_outweighs_the_fix_that_brought_it() {
    let text = "### 2026-02-10: Windows names fix — mandatory convention\n**By:** Keaton\n**Fix:**\n- Renamed six files.\n\n**Verification:** The run passed.\n\n**Convention (now mandatory):** All files MUST have names without colons.\n";
    assert!(header(text).0.contains(": decision: "), "{:?}", header(text));
}

#[test]
fn a_skill_that_was_written_is_no_decision_and_one_that_chooses_is() {
    for (why, kind) in
        [("Complements the other skill.", "note"), ("Agents use it instead of the old steps.", "decision")]
    {
        let text = format!(
            "### 2026-02-10: New skill — presets\n**By:** Keaton\n**What:** Created a skill for presets.\n**Why:** {why}\n"
        );
        assert!(header(&text).0.contains(&format!(": {kind}: ")), "{:?}", header(&text));
    }
}

#[test]
fn a_line_between_joined_files_ends_an_entry() {
    let text = "### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n**Why:** They are wide.\n\n--- fenster-spaces.md ---\n### 2026-02-11: Spaces\n**By:** Fenster\n**What:** Use spaces.\n";
    let new = converted(text);
    let (first, rest) = new.split_once("--- fenster-spaces.md ---\n").unwrap();
    assert!(first.trim_end().ends_with("\n---") && first.contains("**rationale:** They are wide.\n"), "{new}");
    assert!(rest.starts_with("### 2026-02-11T00:00:00+0000: decision: Spaces\n"), "{new}");
}

#[test]
fn a_comment_above_a_heading_belongs_to_what_follows() {
    let text = "<!-- Source: keaton-tabs.md -->\n### 2026-02-10: Tabs\n**By:** Keaton\n**What:** Use tabs.\n**Why:** They are wide.\n\n<!-- Source: fenster-spaces.md -->\n### 2026-02-11: Spaces\n**By:** Fenster\n**What:** Use spaces.\n<!-- They are narrow. -->\n\n## Governance\n\nText.\n";
    let new = converted(text);
    let (first, rest) = new.split_once("<!-- Source: fenster-spaces.md -->\n").unwrap();
    assert!(first.trim_end().ends_with("They are wide.\n\n---"), "{new}");
    assert!(rest.starts_with("### 2026-02-11T00:00:00+0000: decision: Spaces\n"), "{new}");
    assert!(rest.contains("<!-- They are narrow. -->\n\n---\n"), "{new}");
}

#[test]
fn a_member_who_is_the_origin_is_the_author() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/team.md", "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Morpheus | Lead |\n");
    for (origin, author) in [("Morpheus (Lead)", "**author:** Morpheus (Lead)  "), ("Bug 5 of the view", "")] {
        let entry = format!("### 2026-02-10: Decision: Tabs\n**Origin:** {origin}\n\nUse tabs.\n");
        write(folder.path(), ".squad/decisions.md", &entry);
        convert(folder.path(), &["--root", "."]);
        let text = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        assert_eq!(text.contains("**author:**"), !author.is_empty(), "{text}");
        assert!(text.contains(author), "{text}");
    }
}

#[test]
fn what_speaks_against_a_decision_is_never_sure() {
    for (by, title, body, confidence) in [
        ("Keaton", "Use queues", "**What:** Jobs are in queues now.\n**Why:** They are fast.", "high"),
        (
            "Keaton",
            "Use queues",
            "**What:** Jobs are in queues now.\n**Why:** They are fast.\n\nVerify: the build is clean. Committed in `7c10047`.",
            "medium",
        ),
        ("Keaton", "Use queues", "\n#### Decision\n\nJobs are in queues.", "high"),
        (
            "Keaton",
            "Use queues",
            "\n#### Decision\n\nJobs are in queues.\n\n#### Impact\n\nNone: a bug fix, not a design choice.",
            "medium",
        ),
        ("Keaton", "Decision: Use queues", "**What:** Jobs are in queues.", "high"),
        ("Keaton", "Decision: Use queues", "**What:** Jobs are in queues.\n**Status:** DEPLOYED", "medium"),
        ("Brady", "Decision: Use queues", "**What:** Jobs are in queues.", "high"),
        ("Brady (via Copilot)", "Decision: Use queues", "**What:** Jobs are in queues.", "medium"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", format!("### 2026-02-10: {title}\n**By:** {by}\n{body}\n"));
        let entry = super::json(folder.path(), &["--root", "."])["entries"][0].clone();
        assert_eq!(entry["confidence"], confidence, "{by}: {title}: {body}: {entry}");
    }
}

#[test]
fn what_was_measured_is_a_note_and_what_is_used_for_it_a_decision() {
    for (what, kind) in [
        ("The run reduced repetition from 0.93 to 0.31.", "note"),
        ("The benchmark identified the small model as the best, with 28.0 percent accuracy.", "note"),
        ("Use the small model: it reached 28.0 percent accuracy.", "decision"),
    ] {
        let text = format!(
            "### 2026-02-10: The small model\n**By:** Keaton\n**What:** {what}\n**Why:** Confirms what we saw before.\n"
        );
        assert!(header(&text).0.contains(&format!(": {kind}: ")), "{:?}", header(&text));
    }
}

#[test]
fn what_is_not_built_until_it_is_approved_is_not_decided() {
    let text = "### 2026-02-10: Design of the second phase\n**By:** Keaton\n**Status:** Proposed — do not build until approved\n\n#### Decision\n\nAdopt the queue in phase A.\n";
    assert!(header(text).0.contains(": note: "), "{:?}", header(text));
}

#[test]
fn a_reason_keeps_the_list_that_it_announces_last() {
    let text = "### 2026-02-10: Use queues\n**By:** Keaton\n**What:** Queues.\n**Why:** They are fast.\n\nThe run shows it (all pass):\n\n- one\n- two\n";
    let new = converted(text);
    assert!(new.contains("The run shows it (all pass):\n\n- one\n- two\n\n---"), "{new}");
}

#[test]
fn the_reviewer_is_the_author_of_the_review_alone() {
    let entry = |title: &str| {
        format!(
            "### 2026-02-10: {title}\n**Reviewer:** Keaton\n\nThe parser has no test for empty input. It returns an error.\n"
        )
    };
    assert!(converted(&entry("Code review of the parser")).contains("**author:** Keaton"));
    assert!(!converted(&entry("Empty input of the parser")).contains("**author:** Keaton"));
}

#[test]
fn two_fields_for_different_authors_are_never_sure() {
    let entry = |other: &str| {
        format!(
            "### 2026-02-10: Decision: Use queues\n**By:** Keaton\n**Author:** {other}\n\nWe use queues for all jobs.\n"
        )
    };
    for (other, confidence) in [("Keaton", "high"), ("Fenster", "medium")] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", entry(other));
        assert_eq!(super::json(folder.path(), &["--root", "."])["entries"][0]["confidence"], confidence);
    }
}

#[test]
fn a_part_that_was_merged_from_elsewhere_is_left_for_a_person() {
    let text = "### 2026-02-10: Use queues\n**By:** Keaton\n**What:** Queues.\n**Why:** They are fast.\n\n\n#### Contract of the queue (merged from inbox)\n\nFenster writes it.\n";
    assert_eq!(converted(text), text);
}

#[test]
fn what_lost_its_title_behind_an_entry_leaves_that_for_a_person() {
    let entry = |date: &str| {
        format!(
            "### 2026-02-10: Use queues\n**By:** Keaton\n**What:** Queues.\n**Why:** They are fast.\n\nThe code is in a file.\n\n**Date:** {date}\n**Requested by:** Brady\n\nThe package was updated.\n"
        )
    };
    assert_eq!(converted(&entry("2026-05-08")), entry("2026-05-08"));
    assert!(converted(&entry("2026-02-10")).starts_with("### 2026-02-10T00:00:00+0000: decision: Use queues\n"));
}

#[test]
fn what_is_to_be_done_with_a_reason_outweighs_the_noun_of_its_title() {
    for (title, fields, kind) in [
        (
            "Complete the scopes and the token diagnosis",
            "**What:** Add the scopes to the setup.\n**Why:** The calls fail without them.\n",
            "decision",
        ),
        (
            "Evaluation of the other engine",
            "**What:** Evaluated the other engine.\nDecision: do **not** replace ours.\n\n**Why:** It has no update.\n",
            "decision",
        ),
        (
            "Pop-out fixed",
            "**Root cause:** The page was blank.\n\n**Decision / fix:** Use the second constructor for all windows.\n",
            "decision",
        ),
        ("Tests mirror the setup of the tool", "- `tests/all.ts` must include the setup of the tool.\n", "decision"),
        (
            "Center the pages with wider caps",
            "**What:** Center the pages with wider analysis/map caps.\n**Why:** Design decision: fix the left gap by wider caps.\n",
            "decision",
        ),
        (
            "Created the test plan",
            "**What:** Created the test plan for the parser.\n**Why:** Prepared PLAN.md with ten cases.\n",
            "note",
        ),
        (
            "Created the test plan",
            "**What:** Created the test plan for the parser.\n**Why:** The parser needs one before it ships.\n",
            "decision",
        ),
        (
            "Fenster approved the parser",
            "**What:** APPROVE the parser with no findings.\n**Why:** All cases of the plan pass.\n",
            "note",
        ),
        (
            "Inbox finalized",
            "**What:** Merged the inbox decisions and recorded the final state.\n**Why:** The entries are kept.\n",
            "note",
        ),
    ] {
        let text = format!("### 2026-02-10: {title}\n**By:** Fenster\n{fields}");
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/agents/fenster/charter.md", "# Fenster\n");
        write(folder.path(), ".squad/decisions.md", &text);
        convert(folder.path(), &["--root", "."]);
        let new = fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap();
        assert!(new.starts_with(&format!("### 2026-02-10T00:00:00+0000: {kind}: ")), "{new}");
    }
}

#[test]
fn what_was_done_below_the_title_of_a_decision_is_not_sure() {
    for (text, confidence) in [
        ("Two files were created for the alerts.\n\nThey have one group.\n", "medium"),
        ("The alerts have one group.\n", "high"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let entry = format!("### 2026-02-10: Decision: Alerts\n**By:** Keaton\n\n{text}");
        write(folder.path(), ".squad/decisions.md", &entry);
        assert_eq!(super::json(folder.path(), &["--root", "."])["entries"][0]["confidence"], confidence, "{text}");
    }
}

#[test]
fn an_entry_that_was_pasted_behind_a_label_is_left_for_a_person() {
    let text = "### 2026-02-10: Python\n**By:** coordinator\n**What:** Python\n**Why:** ### 2026-02-10: Language\n**By:** Keaton\n**What:** Python for all.\n";
    assert_eq!(converted(text), text);
}

#[test]
fn what_was_decided_below_its_background_is_one_entry_with_it() {
    let text = "### 2026-02-10: Decision: Import after a crash\n**By:** Keaton\n\n## Context\n\nThe run stopped.\n\n## Decision: Use the import\n\nAlways import.\n";
    let new = converted(text);
    assert_eq!(new.matches("**type:**").count(), 1, "{new}");
    assert!(new.contains("#### Decision: Use the import\n\nAlways import.\n"), "{new}");
}

#[test]
fn the_version_of_an_interface_is_no_date_of_a_part() {
    let text = "### 2026-02-10: Decision: Fix the server\n**By:** Keaton\n\n## What\n\nIt was dropped.\n\n### Shape (api-version `2025-09-01-preview`)\n\nOne child.\n\n## Why\n\nIt works.\n";
    let new = converted(text);
    assert_eq!(new.matches("**type:**").count(), 1, "{new}");
    assert!(new.trim_end().ends_with("---") && new.contains("#### Why"), "{new}");
}

#[test]
fn a_reason_of_one_part_of_several_stays_with_it() {
    let text = "### 2026-02-10: Design of the packages\n**By:** Keaton\n\n**Decisions:**\n\n**Web:** One call.\n**Rationale:** It is short.\n\n**Data:** One query.\n**Rationale:** It is fast.\n";
    let new = converted(text);
    assert!(new.contains("**Web:** One call.\n**Rationale:** It is short.\n"), "{new}");
    assert!(!new.contains("**rationale:**"), "{new}");
}

#[test]
fn a_comment_about_the_file_is_no_part_of_the_last_entry() {
    let text = "# Keaton\n\n## Learnings\n\n### 2026-02-10: Tabs are wide\n\nThey take four columns.\n\n<!-- Append new learnings below. -->\n";
    let new = converted_at(".squad/agents/keaton/history.md", text);
    assert!(new.contains("---\n\n<!-- Append new learnings below. -->\n") || new.contains("---\n<!-- Append"), "{new}");
}

#[test]
fn the_profile_of_a_project_is_no_entry() {
    let text = "# Keaton\n\n## Session Context\n\n**Project:** Parser\n**Author:** Kim\n**License:** MIT\n\n## Learnings\n\nNone so far.\n";
    assert_eq!(converted_at(".squad/agents/keaton/history.md", text), text);
}

#[test]
fn learnings_of_a_day_are_one_entry_with_their_parts() {
    let text = "# Keaton\n\n## Learnings: 2026-02-10 — alerts\n\n### The form of an alert\n\nOne group.\n\n### Paths\n\nOne file.\n";
    let new = converted_at(".squad/agents/keaton/history.md", text);
    assert!(new.contains("### 2026-02-10T00:00:00+0000: memory: "), "{new}");
    assert!(new.contains("#### The form of an alert") && new.contains("#### Paths"), "{new}");
}

#[test]
fn a_file_that_is_named_by_its_hash_keeps_its_bytes() {
    let name = format!(".squad/decisions/archive/legacy-{}.md", "0123456789abcdef".repeat(4));
    let text = "### 2026-02-10: Use queues\n**By:** Keaton\n**What:** Queues.\n**Why:** They are fast.\n";
    assert_eq!(converted_at(&name, text), text);
    assert_ne!(converted_at(".squad/decisions/archive/legacy-2026.md", text), text);
}

#[test]
fn a_summary_is_not_what_failed() {
    let text = "### 2026-02-10: The hook installs its packages\n**By:** Keaton\n**What:** A fresh setup still failed at the hook. It installs them now.\n**Why:** Setups must not fail.\n";
    let new = converted(text);
    assert!(new.contains("**summary:** The hook installs its packages\n"), "{new}");
}

#[test]
fn a_field_can_say_more_exactly_when_it_was() {
    for (heading, field, stamp) in [
        ("2026-02-10T08:37:49Z", "2026-02-10T08:37:49-05:00", "2026-02-10T08:37:49-0500"),
        ("2026-02-10T13:48Z", "2026-02-10T13:48:19Z", "2026-02-10T13:48:19+0000"),
        ("2026-02-10T13:48:07Z", "2026-02-10T13:50:19Z", "2026-02-10T13:48:07+0000"),
    ] {
        let text = format!("### {heading}: Use queues\n**By:** Keaton\n**Timestamp:** {field}\n**What:** Queues.\n");
        assert!(converted(&text).starts_with(&format!("### {stamp}: decision: ")), "{}", converted(&text));
    }
}

#[test]
fn a_decision_that_a_user_asked_for_is_no_sure_directive() {
    for (title, confidence) in [("Rename the tool — lead decision", "medium"), ("Rename the tool", "high")] {
        let folder = tempfile::tempdir().unwrap();
        let entry = format!(
            "### 2026-02-10: {title}\n**By:** Brady (via Copilot)\n**What:** The tool has a new name.\n**Why:** User request, captured for team memory\n"
        );
        write(folder.path(), ".squad/decisions.md", &entry);
        assert_eq!(super::json(folder.path(), &["--root", "."])["entries"][0]["confidence"], confidence, "{title}");
    }
}

#[test]
fn the_reviewer_in_the_title_wrote_the_verdict() {
    let entry = |title: &str| {
        format!("### 2026-02-10: {title}\n**Reviewer:** Switch\n**Author:** Trinity\n\nThe parser is approved.\n")
    };
    assert!(converted(&entry("Switch decision — PR #18 approved")).contains("**author:** Switch"));
    assert!(converted(&entry("Decision: PR #18 approved")).contains("**author:** Trinity"));
}

#[test]
fn a_field_with_an_offset_is_of_the_day_of_the_heading_in_utc() {
    let entry = |field: &str| {
        format!("### 2026-06-30: Use queues\n**By:** Keaton\n**Date:** {field}\n**What:** Jobs are in queues.\n")
    };
    let new = converted(&entry("2026-06-29T18-15-00-07:00"));
    assert!(new.starts_with("### 2026-06-29T18:15:00-0700: decision: "), "{new}");
    // Another day.
    let new = converted(&entry("2026-06-29T12-15-00-07:00"));
    assert!(new.starts_with("### 2026-06-30T00:00:00+0000: decision: "), "{new}");
}

#[test]
fn what_has_the_moment_of_the_entry_is_in_it() {
    let history = |line: &str| {
        format!(
            "# History\n\n## Recent work (2026-03-14T18:14:59Z)\n\n- The bridge.\n\n**{line} — all done:**\n- The page.\n"
        )
    };
    let path = ".squad/agents/keaton/history.md";
    let is_in = |line: &str| converted_at(path, &history(line)).trim_end().ends_with("- The page.\n\n---");
    assert!(is_in("2026-03-14T18:14:59Z"), "{}", converted_at(path, &history("2026-03-14T18:14:59Z")));
    assert!(!is_in("2026-03-14T19:20:00Z"));
}

#[test]
fn a_note_about_the_file_is_not_of_its_last_entry() {
    for note in [
        "*(Earlier entries summarized 2026-05-19 by the scribe.)*",
        "---\n\n**Note:** This decision log has all entries of the inbox.",
    ] {
        let text = format!(
            "### 2026-02-10: Use queues\n**By:** Keaton\n**What:** Queues.\n**Why:** They are fast.\n\n{note}\n"
        );
        let new = converted(&text);
        assert!(new.contains("They are fast.\n\n---\n"), "{new}");
        assert!(new.trim_end().ends_with(note.trim_start_matches("---").trim()), "{new}");
    }
}

#[test]
fn an_outcome_of_one_word_is_no_text() {
    let entry = |outcome: &str| {
        format!("### 2026-02-10: Use queues\n**By:** Keaton\n**Scope:** jobs\n**Outcome:** {outcome}\n")
    };
    assert_eq!(converted(&entry("COMPLETE")), entry("COMPLETE"));
}
