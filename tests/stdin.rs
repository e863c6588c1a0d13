//! `-` and `--stdin-filename`: what is not saved yet is checked where it will lie.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::support::{NOW, project, squad_lint, stderr, stdout, write};

const ENTRY: &str = "### 2026-02-15T14:32:15Z: note: One\n\n**type:** note\n**timestamp:** 2026-02-15T14:32:15+0000\n\
                     **author:** Kay\n\n**summary:** One.\n\n---\n";

fn run(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = squad_lint(folder);
    command.args(args).args(["--now", NOW]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn the_name_decides_the_part_and_the_bytes_are_those_given() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", "# nothing here\n");
    for name in [".squad/decisions.md", ".squad/decisions/inbox/not-there-yet.md", "./.squad/../.squad/decisions.md"] {
        let output = run(folder.path(), &["--stdin-filename", name, "--format", "compact"], ENTRY.as_bytes());
        let path = name.trim_start_matches("./.squad/../");
        let expected = format!("{path}:1:5: error: timestamp `2026-02-15T14:32:15Z` is not in the form");
        assert!(stdout(&output).starts_with(&expected), "{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(1));
    }
    let output = run(folder.path(), &["-", "--format", "compact"], ENTRY.as_bytes());
    assert!(stdout(&output).starts_with("stdin.md:1:5: error: timestamp"), "{}", stdout(&output));
}

#[test]
fn the_rest_of_the_repository_is_known_and_not_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", ENTRY.replace("15Z", "15+0000"));
    write(folder.path(), ".squad/agents/kay/history.md", "```\n");
    let later = ENTRY.replace("14:32:15Z", "15:00:00+0000").replace("14:32:15+0000", "15:00:00+0000");
    let related = |stamp: &str| later.replace("\n---", &format!("\n**related:**\n- decision: {stamp}\n\n---"));
    let name = ["--stdin-filename", ".squad/decisions/inbox/kay-two.md", "--format", "compact"];
    let output = run(folder.path(), &name, related("2026-02-15T14:32:15+0000").as_bytes());
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
    let output = run(folder.path(), &name, related("2026-02-15T14:32:16+0000").as_bytes());
    assert!(stdout(&output).contains("sem/dangling-reference"), "{}", stdout(&output));
}

#[test]
fn fix_prints_the_fixed_text() {
    let folder = tempfile::tempdir().unwrap();
    let name = ["--stdin-filename", ".squad/decisions.md", "--format", "compact"];
    let output = run(folder.path(), &[&name[..], &["--fix"]].concat(), ENTRY.as_bytes());
    assert_eq!(stdout(&output), ENTRY.replace("15Z", "15+0000"));
    assert_eq!(stderr(&output), "fixed 1 problem in 1 file\nno problems found in 1 file\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(!folder.path().join(".squad").exists());
    let clean = ENTRY.replace("15Z", "15+0000");
    let output = run(folder.path(), &[&name[..], &["--fix"]].concat(), clean.as_bytes());
    assert_eq!(stdout(&output), clean);
    let output = run(folder.path(), &[&name[..], &["--diff"]].concat(), ENTRY.as_bytes());
    assert!(
        stdout(&output).starts_with("diff --git a/.squad/decisions.md b/.squad/decisions.md\n"),
        "{}",
        stdout(&output)
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn excludes_hold_and_bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let name = ["--stdin-filename", ".squad/decisions.md"];
    let output = run(folder.path(), &[&name[..], &["--exclude", ".squad/*"]].concat(), ENTRY.as_bytes());
    assert!(stderr(&output).contains("checked no files: the only file is excluded"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
    // What is left out comes back as it was.
    let output = run(folder.path(), &[&name[..], &["--exclude", ".squad/*", "--fix"]].concat(), ENTRY.as_bytes());
    assert_eq!(stdout(&output), ENTRY);

    let output = run(folder.path(), &["-", "src"], b"");
    assert!(stderr(&output).contains("cannot check standard input and other paths"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    write(folder.path(), "small.toml", "max-file-bytes = 10\n");
    let output = run(folder.path(), &["-", "--config", "small.toml"], ENTRY.as_bytes());
    assert!(stderr(&output).contains("more than 10 bytes"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let output = run(&project(), &["--stdin-filename", "../elsewhere/x.md", "--root", "."], b"");
    assert!(stderr(&output).contains("is outside"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    for bytes in [&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"a\rb\0"] {
        let output = run(folder.path(), &[&name[..], &["--fix"]].concat(), bytes);
        assert_eq!(output.stdout, bytes);
    }
}

#[test]
fn a_skill_beside_a_team_is_checked_before_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--stdin-filename", ".copilot/skills/new/SKILL.md", "-"];
    let skipped = "skill has no front matter";
    assert!(!stdout(&run(folder.path(), &args, b"# New\n")).contains(skipped));
    write(folder.path(), ".squad/team.md", "# Team\n");
    let output = run(folder.path(), &args, b"# New\n");
    assert!(stdout(&output).contains(skipped), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("found 1 warning in 1 file"), "{}", stdout(&output));
    let output = run(folder.path(), &args, b"---\nname: new\ndescription: New\n---\n\nGo.\n");
    assert!(stdout(&output).contains("no problems found in 1 file"), "{}", stdout(&output));
}
