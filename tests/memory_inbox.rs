//! `memory merge-inbox` beside itself and links, and `memory supersede` where a timestamp names several entries.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{files_below, rounds, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

const LEDGER: &str = ".squad/decisions.md";

fn squad() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), LEDGER, "# Decisions\n");
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    folder
}

fn memory(folder: &Path, args: &[&str]) -> Command {
    let mut command = squad_lint(folder);
    command.arg("memory").args(args).stdin(Stdio::null());
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    memory(folder, args).output().unwrap()
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn several_runs_at_once_merge_the_inbox_once() {
    for round in 0..rounds(40) {
        let folder = squad();
        let path = folder.path();
        for number in 0..12 {
            let entry =
                format!("### 2026-02-{:02}: Number {number} of all\n**By:** Keaton\n**What:** It is.\n", number + 1);
            write(path, format!(".squad/decisions/inbox/keaton-{number}.md"), entry);
        }
        let start = |_| memory(path, &["merge-inbox"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let children: Vec<_> = (0..4).map(start).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{round}: {}{}", stdout(&output), stderr(&output));
        }
        let ledger = text(path, LEDGER);
        for number in 0..12 {
            assert_eq!(
                ledger.matches(&format!(": Number {number} of all\n")).count(),
                1,
                "{round}: {number}\n{ledger}"
            );
        }
        assert!(files_below(&path.join(".squad/decisions/inbox")).is_empty());
    }
}

#[test]
fn what_is_passed_over_is_named() {
    let folder = squad();
    let folder = folder.path();
    let inbox = ".squad/decisions/inbox";
    write(folder, format!("{inbox}/a.txt"), "We use tabs.\n");
    write(folder, format!("{inbox}/.gitkeep"), "");
    write(folder, format!("{inbox}/b.md"), "We use tabs.\n");
    let mut expected = vec![format!("kept {inbox}/a.txt: it is not a Markdown file\n")];
    let elsewhere = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        write(elsewhere.path(), "c.md", "We use blanks.\n");
        symlink(elsewhere.path().join("c.md"), folder.join(inbox).join("c.md")).unwrap();
        symlink(folder, folder.join(inbox).join("d")).unwrap();
        expected.push(format!("kept {inbox}/c.md: it is a link that leads out of the repository\n"));
        expected.push(format!("kept {inbox}/d: it is a link to a folder\n"));
    }
    for (args, said) in [(&["merge-inbox", "--diff"][..], "would merge"), (&["merge-inbox"], "merged")] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(2));
        for line in &expected {
            assert!(stderr(&output).contains(line), "{line}{}", stderr(&output));
        }
        assert!(!stderr(&output).contains(".gitkeep"), "{}", stderr(&output));
        let summary = stdout(&output) + &stderr(&output);
        assert!(summary.contains(&format!("{said} 1 file: 1 new entry\n")), "{summary}");
    }
    assert!(text(folder, LEDGER).contains("We use tabs."));
    drop(elsewhere);
}

#[test]
fn a_timestamp_of_several_entries_names_none() {
    const AT: &str = "2026-02-10T10:00:00+0000";
    let entry = |summary: &str| {
        format!(
            "### {AT}: decision: {summary}\n\n**type:** decision  \n**timestamp:** {AT}  \n**author:** keaton  \n\
             **scope:** team  \n**summary:** {summary}\n\n**rationale:** Because.\n\n---\n"
        )
    };
    let folder = squad();
    let folder = folder.path();
    let ledger = format!("# Decisions\n\n{}\n{}", entry("We use tabs"), entry("We use Postgres"));
    write(folder, LEDGER, &ledger);
    let new = ["--author", "keaton", "--summary", "We use blanks", "--rationale", "They fit."];
    let second = 1 + ledger.lines().position(|line| line.ends_with("decision: We use Postgres")).unwrap();
    let places = format!("several entries have the timestamp {AT}: {LEDGER}:3 and {LEDGER}:{second}");
    for args in [&["supersede", AT][..], &["add", "decision", "--supersedes", AT]] {
        let output = run(folder, &[args, &new].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(&places), "{}", stderr(&output));
        assert_eq!(text(folder, LEDGER), ledger);
    }
    // A copy, as a merge of the inbox that was killed leaves it, is the same entry.
    write(folder, LEDGER, format!("# Decisions\n\n{}", entry("We use tabs")));
    write(folder, ".squad/decisions/inbox/keaton-tabs.md", entry("We use tabs"));
    let output = run(folder, &[&["supersede", AT][..], &new].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
