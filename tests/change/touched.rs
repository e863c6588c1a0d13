//! Findings are about what the change touched, and about nothing else.

use super::{bad, good, printed};
use crate::support::repo::Repo;

const FILE: &str = ".squad/decisions.md";

/// One commit with two entries without authors.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(FILE, [bad(1), good(2), bad(3)].concat());
    repo.write(".squad/agents/verbal/history.md", bad(40));
    repo.commit("first");
    repo
}

/// The lines with findings of the rule.
fn lines_of(text: &str, rule: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(&format!("[{rule}]")));
    lines.map(|line| line.split(": ").next().unwrap().to_owned()).collect()
}

const MISSING: &str = "sem/missing-field";

#[test]
fn entries_that_the_change_did_not_touch_are_left_out() {
    let repo = repo();
    repo.stage(FILE, [bad(1), good(2), bad(3), bad(4)].concat());
    let (text, code) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, MISSING), [".squad/decisions.md:29:37"], "{text}");
    assert_eq!(code, Some(1));
    let (text, _) = printed(&repo, &["--staged", "--all-lines"]);
    assert_eq!(lines_of(&text, MISSING).len(), 3, "{text}");
    repo.commit("second");
    assert_eq!(printed(&repo, &["--staged"]), (String::new(), Some(0)));
    let (text, code) = printed(&repo, &["--from", "HEAD~1"]);
    assert_eq!((lines_of(&text, MISSING).len(), code), (1, Some(1)), "{text}");
    let (text, code) = printed(&repo, &["--from", "HEAD~1", "--to", "HEAD", "--all-lines"]);
    assert_eq!((lines_of(&text, MISSING).len(), code), (3, Some(1)), "{text}");
}

#[test]
fn the_bytes_are_those_of_the_index_and_of_the_commit() {
    let repo = repo();
    repo.stage(FILE, [bad(1), good(2), bad(3), good(4)].concat());
    repo.write(FILE, [bad(1), good(2), bad(3), bad(4)].concat());
    assert_eq!(printed(&repo, &["--staged"]), ("no problems found in 1 file\n".to_owned(), Some(0)));
    repo.git(&["commit", "--quiet", "--message", "second"]);
    std::fs::remove_dir_all(repo.path.join(".squad")).unwrap();
    assert_eq!(printed(&repo, &["--from", "HEAD~1"]), ("no problems found in 1 file\n".to_owned(), Some(0)));
    repo.git(&["rm", "--quiet", "-r", "--cached", ".squad"]);
    assert_eq!(printed(&repo, &["--staged"]), (String::new(), Some(0)));
}

#[test]
fn a_duplicate_counts_wherever_the_first_one_stands() {
    let repo = repo();
    let rule = "sem/duplicate-entry";
    // The first one stands in a file that the change leaves alone, later in the order of paths.
    repo.write(".squad/decisions/inbox/verbal-two.md", good(20));
    repo.commit("second");
    repo.stage(FILE, [bad(1), good(2), bad(3), good(20)].concat());
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, rule), [".squad/decisions.md:29:1"], "{text}");
    // Above an entry of the same file.
    repo.stage(FILE, [good(3), bad(1), good(2), bad(3)].concat());
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, rule).len(), 1, "{text}");
}

#[test]
fn references_are_looked_up_in_what_will_be_committed() {
    let repo = repo();
    let with_reference = good(50).replace("\n---", "\n**related:**\n- memory: 2026-02-15T14:51:15-0800\n\n---");
    repo.stage(FILE, [bad(1), good(2), bad(3), with_reference].concat());
    // On disk only.
    repo.write(".squad/agents/verbal/history.md", [bad(40), good(51).replace("note", "memory")].concat());
    let rule = "sem/dangling-reference";
    assert_eq!(lines_of(&printed(&repo, &["--staged"]).0, rule).len(), 1);
    repo.git(&["add", ".squad/agents"]);
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, rule).len(), 0, "{text}");
    repo.commit("second");
    assert_eq!(lines_of(&printed(&repo, &["--from", "HEAD~1"]).0, rule).len(), 0);
}

#[test]
fn what_an_older_finding_compares_with_does_not_make_it_new() {
    let repo = Repo::new();
    let dangling = good(50).replace("\n---", "\n**related:**\n- decision: 2026-02-15T14:02:16-0800\n\n---");
    let near = good(2).replace("note", "decision");
    repo.write(FILE, [near.as_str(), &dangling].concat());
    repo.commit("first");
    // The finding of the second entry names the first one as the nearest in time.
    let rule = "sem/dangling-reference";
    assert_eq!(lines_of(&printed(&repo, &[]).0, rule).len(), 1);
    let broken = near.replace("**author:** Verbal  \n", "");
    repo.stage(FILE, [broken.as_str(), &dangling].concat());
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!((lines_of(&text, MISSING).len(), lines_of(&text, rule).len()), (1, 0), "{text}");
}

#[test]
fn a_deleted_entry_is_no_reason_to_look_at_its_neighbours() {
    let repo = repo();
    repo.stage(FILE, [bad(1), bad(3)].concat());
    let (text, code) = printed(&repo, &["--staged"]);
    assert_eq!((lines_of(&text, MISSING).len(), code), (0, Some(0)), "{text}");
    // What it loses of its end is.
    repo.stage(FILE, [bad(1), good(2), bad(3)].concat().replacen("---\n\n", "", 1));
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, "sem/missing-terminator").len(), 1, "{text}");
}

#[test]
fn renames_keep_what_was_there() {
    let repo = repo();
    std::fs::create_dir_all(repo.path.join("b")).unwrap();
    repo.git(&["mv", ".squad", "b/.squad"]);
    assert_eq!(lines_of(&printed(&repo, &["--staged"]).0, MISSING).len(), 0);
    repo.stage("b/.squad/decisions.md", [bad(1), good(2), bad(3), bad(4)].concat());
    let (text, _) = printed(&repo, &["--staged"]);
    assert_eq!(lines_of(&text, MISSING), ["b/.squad/decisions.md:29:37"], "{text}");
}

#[test]
fn paths_and_excludes_hold() {
    let repo = repo();
    repo.stage(FILE, [bad(1), good(2), bad(3), bad(4)].concat());
    repo.stage("a/.squad/decisions.md", bad(1));
    repo.stage("notes.md", bad(1));
    let found = |args: &[&str]| {
        let (text, _) = printed(&repo, &[&["--staged"], args].concat());
        lines_of(&text, MISSING).iter().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), [FILE, "a/.squad/decisions.md"]);
    assert_eq!(found(&["a"]), ["a/.squad/decisions.md"]);
    assert_eq!(found(&["notes.md", FILE]), [FILE, "notes.md"]);
    assert_eq!(found(&["--exclude", "a/**"]), [FILE]);
    let (text, code) = printed(&repo, &["--staged", "--exclude", ".squad"]);
    assert!(text.contains("warning: checked no files: all 2 files are excluded"), "{text}");
    assert_eq!(code, Some(0));
    std::fs::remove_file(repo.path.join("notes.md")).unwrap();
    assert_eq!(found(&["notes.md"]), ["notes.md"], "it is staged, on disk or not");
}

#[test]
fn caps_are_a_ratchet() {
    let repo = Repo::new();
    let text = |entries: usize| {
        (0..entries)
            .map(|at| good(at % 60).replace("2026-02-15", &format!("20{:02}-02-15", at / 60)))
            .collect::<String>()
    };
    let rule = "memory/file-too-large";
    let found = |args: &[&str]| {
        let (text, _) = printed(&repo, &[&["--min-severity", "info", "--select", rule], args].concat());
        let line = text.lines().find(|line| line.contains(rule)).map(str::to_owned);
        line.map(|line| line.split(": ").nth(1).unwrap().to_owned())
    };
    for (entries, expected) in [
        (10, None),
        // Over the cap of 20 KB.
        (140, Some("warning")),
        (150, Some("info")),
        (145, None),
        // Over the hard cap of 100 KB.
        (700, Some("warning")),
        (710, Some("info")),
        (705, None),
        (650, None),
    ] {
        repo.stage(".squad/decisions.md", text(entries));
        assert_eq!(found(&["--staged"]).as_deref(), expected, "{entries} staged");
        repo.commit("step");
        if repo.try_git(&["rev-parse", "--verify", "HEAD~1"]).status.success() {
            assert_eq!(found(&["--from", "HEAD~1"]).as_deref(), expected, "{entries} committed");
        }
        let whole = found(&["--staged", "--all-lines"]);
        assert_eq!(whole, None, "nothing is staged");
    }
    repo.stage(".squad/decisions.md", text(640));
    assert_eq!(found(&["--staged", "--all-lines"]).as_deref(), Some("warning"));
    assert_eq!(found(&[]).as_deref(), Some("warning"));
}

#[test]
fn suppressions_hold_and_those_of_untouched_entries_are_not_unused() {
    let repo = repo();
    let silent = format!("<!-- squad-lint: ignore {MISSING} -- of old -->\n{}", bad(1));
    repo.write(FILE, [silent.clone(), good(2)].concat());
    repo.commit("second");
    repo.stage(FILE, [silent, good(2), good(4)].concat());
    assert_eq!(printed(&repo, &["--staged"]), ("no problems found in 1 file\n".to_owned(), Some(0)));
}

#[test]
fn the_guard_counts_what_the_change_brings() {
    let repo = Repo::new();
    repo.write(".ai-team/decisions.md", good(1));
    repo.write(".gitignore", ".ai-team/\n");
    repo.git(&["add", "--force", ".ai-team"]);
    repo.commit("first");
    let guard = |args: &[&str]| {
        let output = crate::support::squad_lint(&repo.path)
            .args(["--select", "guard", "--format", "compact"])
            .args(args)
            .output();
        let output = output.unwrap();
        (crate::support::stdout(&output), output.status.code())
    };
    // What is in git already is not the change's.
    repo.stage("other.md", "x\n");
    assert_eq!(guard(&["--staged"]).1, Some(0));
    repo.stage(".ai-team/decisions.md", [good(1), good(2)].concat());
    let (text, code) = guard(&["--staged"]);
    assert!(text.contains("[guard/tracked-state]"), "{text}");
    assert_eq!(code, Some(1));
    repo.commit("second");
    assert_eq!(guard(&["--from", "HEAD~1"]).1, Some(1));
    // Removals are always fine.
    repo.git(&["rm", "--quiet", "-r", "--cached", ".ai-team"]);
    assert_eq!(guard(&["--staged"]).1, Some(0), "{}", guard(&["--staged"]).0);
    repo.git(&["commit", "--quiet", "--message", "third"]);
    assert_eq!(guard(&["--from", "HEAD~1"]).1, Some(0));
    // The line that keeps it out goes: judged by what is staged, not by what is on disk.
    repo.stage(".gitignore", "target/\n");
    repo.write(".gitignore", ".ai-team/\n");
    let (text, code) = guard(&["--staged"]);
    assert!(text.contains("[guard/not-ignored]"), "{text}");
    assert_eq!(code, Some(1));
}
