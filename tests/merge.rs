//! `merge` as a merge driver of the real git, and real histories merged again.

mod replay;
mod without;

use std::fs;

use bstr::ByteSlice;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::repo::Repo;
use crate::support::{git, rounds, squad_lint, stderr, stdout, write};

const DRIVER: &str = "merge --marker-size %L --conflict-style \"$(git config merge.conflictStyle)\" --base-name %S --ours-name %X \
    --theirs-name %Y %O %A %B %P";

fn entry(second: u32, summary: &str, body: &str) -> String {
    format!(
        "### [2026-02-10T10:00:{second:02}Z] DECISION: {summary}\n**type:** decision\n**timestamp:** 2026-02-10T10:00:{second:02}Z\n\
         **author:** keaton\n\n**decision:**\n{body}\n\n---\n\n"
    )
}

/// A repository with the driver and a base; `ours` on `main`, `theirs` on `other`.
fn repository(base: &str, ours: &str, theirs: &str) -> Repo {
    let repo = Repo::new();
    let driver = format!("'{}' {DRIVER}", env!("CARGO_BIN_EXE_squad-lint"));
    repo.git(&["config", "merge.squad-lint.driver", &driver]);
    write(&repo.path, ".gitattributes", ".squad/decisions.md merge=squad-lint\n");
    let commit = |text: &str, message: &str| {
        write(&repo.path, ".squad/decisions.md", text);
        repo.git(&["add", "--all"]);
        repo.git(&["commit", "--quiet", "--message", message]);
    };
    commit(base, "base");
    repo.git(&["switch", "--quiet", "--create", "other"]);
    commit(theirs, "theirs");
    repo.git(&["switch", "--quiet", "main"]);
    commit(ours, "ours");
    repo
}

fn ledger(repo: &Repo) -> String {
    fs::read_to_string(repo.path.join(".squad/decisions.md")).unwrap()
}

#[test]
fn git_merges_entries() {
    let base = format!("# Decisions\n\n{}", entry(1, "One", "a"));
    let (ours, theirs) = (entry(3, "Three", "c"), entry(2, "Two", "b"));
    let repo = repository(&base, &format!("{base}{ours}"), &format!("{base}{theirs}"));
    repo.git(&["merge", "--quiet", "--no-edit", "other"]);
    assert_eq!(ledger(&repo), format!("{base}{theirs}{ours}"));
}

#[test]
fn git_reports_a_conflict() {
    let file = |body: &str, more: &str| format!("# Decisions\n\n{}{more}", entry(1, "One", body));
    let repo = repository(&file("a", ""), &file("x", &entry(2, "Two", "b")), &file("y", &entry(3, "Three", "c")));
    write(&repo.path, ".git/info/attributes", ".squad/decisions.md conflict-marker-size=9\n");
    let output = repo.try_git(&["merge", "--quiet", "--no-edit", "other"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let inner = "<<<<<<<<< HEAD\nx\n=========\ny\n>>>>>>>>> other";
    assert_eq!(ledger(&repo), file(inner, &format!("{}{}", entry(2, "Two", "b"), entry(3, "Three", "c"))));
    assert_eq!(repo.git(&["diff", "--name-only", "--diff-filter=U"]), ".squad/decisions.md\n");
}

/// The ledger as one side has it, which git puts in the place of the conflict.
fn taken(repo: &Repo, side: &str) -> String {
    repo.git(&["checkout", "--quiet", side, ".squad/decisions.md"]);
    ledger(repo)
}

#[test]
fn an_entry_with_another_date_is_there_once() {
    let (old, new) = ("Postgres for all that is to be kept.", "Redis for what may be lost, and files for all else.");
    let file = |second: u32, body: &str| {
        format!("# Decisions\n\n{}{}{}", entry(1, "One", "a"), entry(second, "Stores", body), entry(50, "Last", "z"))
    };
    // Both sides change it alike, and one of them corrects its date.
    for (ours, theirs) in [(file(2, new), file(4, new)), (file(4, new), file(2, new))] {
        let repo = repository(&file(2, old), &ours, &theirs);
        repo.git(&["merge", "--quiet", "--no-edit", "other"]);
        assert_eq!(ledger(&repo), file(4, new));
    }
    // Both sides add it, with two dates: git asks for one of them.
    let (base, ours, theirs) = (file(2, old).replace(&entry(2, "Stores", old), ""), file(2, new), file(4, new));
    let repo = repository(&base, &ours, &theirs);
    assert_eq!(repo.try_git(&["merge", "--quiet", "--no-edit", "other"]).status.code(), Some(1));
    let text = ledger(&repo);
    assert_eq!((text.matches("Redis").count(), text.matches("<<<<<<<").count()), (1, 1), "{text}");
    assert_eq!((taken(&repo, "--ours"), taken(&repo, "--theirs")), (ours, theirs));
}

#[test]
fn new_titles_of_sections_are_in_conflict_where_git_has_one() {
    let file = |first: &str, last: &str| {
        let [one, two, three] = [(1, "One"), (2, "Two"), (3, "Three")].map(|(second, title)| entry(second, title, "a"));
        format!("# Decisions\n\n{one}{first}{two}{three}{last}")
    };
    let repo = repository(&file("", ""), &file("## Stores\n\n", ""), &file("## Keeping\n\n", ""));
    assert_eq!(repo.try_git(&["merge", "--quiet", "--no-edit", "other"]).status.code(), Some(1));
    let titles = "<<<<<<< HEAD\n## Stores\n=======\n## Keeping\n>>>>>>> other\n\n";
    assert_eq!(ledger(&repo), file(titles, ""));
    // What the other side appends is below the new title, and no conflict.
    let (eight, nine) = (entry(8, "Eight", "b"), entry(9, "Nine", "c"));
    let repo = repository(&file("", ""), &file("## Stores\n\n", &eight), &file("", &nine));
    repo.git(&["merge", "--quiet", "--no-edit", "other"]);
    assert_eq!(ledger(&repo), file("## Stores\n\n", &format!("{eight}{nine}")));
}

#[test]
fn the_conflict_style_is_that_of_git() {
    let file = |body: &str| format!("# Decisions\n\n{}", entry(1, "One", body));
    let sides = (file("same\nx"), file("same\ny"));
    for (style, inner) in [
        ("merge", "same\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other"),
        ("diff3", "<<<<<<< HEAD\nsame\nx\n||||||| BASE\na\n=======\nsame\ny\n>>>>>>> other"),
        ("zdiff3", "same\n<<<<<<< HEAD\nx\n||||||| BASE\na\n=======\ny\n>>>>>>> other"),
    ] {
        let repo = repository(&file("a"), &sides.0, &sides.1);
        repo.git(&["config", "merge.conflictStyle", style]);
        assert_eq!(repo.try_git(&["merge", "--quiet", "--no-edit", "other"]).status.code(), Some(1));
        let (ledger, expected) = (ledger(&repo), file(inner));
        let name = ledger.lines().find_map(|line| line.strip_prefix("||||||| ")).unwrap_or("BASE");
        assert_eq!(ledger, expected.replace("BASE", name), "{style}");
        assert!(!name.contains('%'), "{name}");
    }
}

#[test]
fn install_and_uninstall() {
    let repo = Repo::new();
    write(&repo.path, ".gitattributes", "*.png binary");
    let run = |command: &str| {
        let output = squad_lint(&repo.path).args([command, "--merge-driver"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let said = run("install");
    assert!(said.starts_with(".gitattributes names the driver for memory files\n"), "{said}");
    assert!(run("install").starts_with(".gitattributes is already up to date\n"));
    let attribute = |path: &str| repo.git(&["check-attr", "merge", path]);
    assert_eq!(attribute(".squad/decisions.md"), ".squad/decisions.md: merge: squad-lint\n");
    assert_eq!(attribute("a/memory/agents/b/learnings.md"), "a/memory/agents/b/learnings.md: merge: squad-lint\n");
    assert_eq!(attribute("README.md"), "README.md: merge: unspecified\n");
    // A hunk is in an entry, not in a part of it.
    let text = format!("# Decisions\n\n{}\n#### Part\n\n1\n2\n3\n4\nold\n", entry(1, "One", "a"));
    write(&repo.path, ".squad/decisions.md", &text);
    repo.git(&["add", "--all"]);
    write(&repo.path, ".squad/decisions.md", text.replace("old", "new"));
    let diff = repo.git(&["diff"]);
    assert!(diff.contains("@@ ### [2026-02-10T10:00:01Z] DECISION: One\n"), "{diff}");
    // Commands that name an entry.
    repo.git(&["commit", "--quiet", "--all", "--message", "one"]);
    let text = text.replace("old", "new") + &entry(2, "Two", "b");
    write(&repo.path, ".squad/decisions.md", &text);
    repo.git(&["commit", "--quiet", "--all", "--message", "two"]);
    write(&repo.path, ".squad/decisions.md", text.replace("**decision:**\nb\n", "**decision:**\nb, not c\n"));
    let words = repo.git(&["diff", "--word-diff=porcelain"]);
    assert!(words.contains("\n b\n+, not c\n"), "{words}");
    repo.git(&["commit", "--quiet", "--all", "--message", "three"]);
    let log = |title: &str| repo.git(&["log", "--format=%s", "--no-patch", &format!("-L:{title}:.squad/decisions.md")]);
    assert_eq!(log("Two"), "three\ntwo\n");
    assert_eq!(log("One"), "one\n");
    assert!(run("uninstall").contains(".gitattributes no longer names the driver; the rest stays\n"));
    assert_eq!(fs::read_to_string(repo.path.join(".gitattributes")).unwrap(), "*.png binary");
    assert!(!repo.try_git(&["config", "--get-regexp", "squad-lint"]).status.success());
}

#[test]
fn roots_of_the_configuration_have_the_driver() {
    let repo = Repo::new();
    write(&repo.path, "squad-lint.toml", "[roots]\nstate = [\".squad\", \"/notes/team\", \"crew\"]\n");
    let output = squad_lint(&repo.path).args(["install", "--merge-driver"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let driver =
        |path: &str| repo.git(&["check-attr", "merge", path]).trim_end().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(driver("notes/team/decisions.md"), "squad-lint");
    assert_eq!(driver("a/notes/team/decisions.md"), "unspecified");
    assert_eq!(driver("a/crew/agents/b/history.md"), "squad-lint");
    assert_eq!(driver(".ai-team/decisions.md"), "unspecified");
}

#[test]
fn exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let merge = |ours: &str| {
        write(folder.path(), "ours", ours);
        write(folder.path(), "base", "a\n");
        write(folder.path(), "theirs", "b\n");
        let output = squad_lint(folder.path()).args(["merge", "base", "ours", "theirs", "team.yaml"]).output().unwrap();
        (output.status.code(), fs::read_to_string(folder.path().join("ours")).unwrap(), stderr(&output))
    };
    let (code, text, said) = merge("c\n");
    assert_eq!((code, &*text), (Some(1), "<<<<<<< ours\nc\n=======\nb\n>>>>>>> theirs\n"));
    assert_eq!(said, "team.yaml: merged by lines: such a file has no entries\n");
    assert_eq!(merge("a\n"), (Some(0), "b\n".into(), String::new()));
    fs::remove_file(folder.path().join("base")).unwrap();
    let output = squad_lint(folder.path()).args(["merge", "base", "ours", "theirs", "team.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_link_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["base", "target", "theirs"] {
        write(folder.path(), name, name);
    }
    std::os::unix::fs::symlink("target", folder.path().join("ours")).unwrap();
    let output = squad_lint(folder.path()).args(["merge", "base", "ours", "theirs", "decisions.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "target");
}

/// Random lines of which few differ, so that they repeat, move and change, each perhaps with an entry of a ledger.
fn random_lines() -> impl Strategy<Value = [String; 3]> {
    let block = (0u32..12, 0u32..4).prop_map(|(number, shape)| match shape {
        0 => entry(number, &format!("Number {number}"), &format!("What {number} says.")),
        1 => format!("## Part {number}\n\n"),
        2 => "\n".to_owned(),
        _ => format!("- Item {number}\n"),
    });
    let edits = || prop::collection::vec((0usize..60, 0usize..4, 0usize..60, prop::option::of(0u32..9)), 0..5);
    (prop::collection::vec(block, 0..14), edits(), edits(), any::<bool>()).prop_map(
        |(blocks, ours, theirs, has_end)| {
            let base = blocks.concat();
            let edited = |edits: &[(usize, usize, usize, Option<u32>)]| {
                let mut lines: Vec<String> = base.split_inclusive('\n').map(str::to_owned).collect();
                for (from, count, to, new) in edits {
                    let from = from % (lines.len() + 1);
                    let moved: Vec<String> = lines.drain(from..(from + count).min(lines.len())).collect();
                    let to = to % (lines.len() + 1);
                    match new {
                        Some(number) => lines.insert(to, format!("- Item {number} is new\n")),
                        None => drop(lines.splice(to..to, moved)),
                    }
                }
                if has_end { lines.concat() } else { lines.concat().trim_end().to_owned() }
            };
            let (ours, theirs) = (edited(&ours), edited(&theirs));
            [base, ours, theirs]
        },
    )
}

#[test]
fn a_merge_by_lines_is_that_of_git() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[20; 32]));
    let strategy = (random_lines(), 0usize..3, any::<bool>());
    let (folder, mut conflicts) = (tempfile::tempdir().unwrap(), 0);
    for _ in 0..rounds(2_000).max(100) {
        let ([base, ours, theirs], style, is_wide) = strategy.new_tree(&mut runner).unwrap().current();
        // A driver is not asked where only one side changed.
        if ours == theirs || ours == base || theirs == base {
            continue;
        }
        let (style, flag) = [("merge", None), ("diff3", Some("--diff3")), ("zdiff3", Some("--zdiff3"))][style];
        let size = if is_wide { "9" } else { "7" };
        for (name, text) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            write(folder.path(), name, text);
        }
        let mut of_git = git(folder.path());
        of_git.args(["merge-file", "-p", "--marker-size", size, "-L", "HEAD", "-L", "base", "-L", "other"]).args(flag);
        let of_git = of_git.args(["ours", "base", "theirs"]).output().unwrap();
        let mut command = squad_lint(folder.path());
        command.args(["merge", "--marker-size", size, "--conflict-style", style, "--ours-name", "HEAD"]);
        command.args(["--theirs-name", "other", "base", "ours", "theirs", "team.yaml"]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code().unwrap() > 0, of_git.status.code().unwrap() > 0, "{}", stderr(&output));
        let found = fs::read(folder.path().join("ours")).unwrap();
        assert_eq!(found.as_bstr(), of_git.stdout.as_bstr(), "{base}\n==== ours\n{ours}\n==== theirs\n{theirs}");
        conflicts += i32::from(of_git.status.code() != Some(0));
    }
    assert!(conflicts > 10, "{conflicts}");
}

/// The setting of the repository is not what the driver was told.
#[test]
fn a_merge_by_lines_has_the_style_that_is_asked_for() {
    let repo = Repo::new();
    repo.git(&["config", "merge.conflictStyle", "diff3"]);
    for (name, text) in [("base", "a\n"), ("ours", "b\n"), ("theirs", "c\n")] {
        write(&repo.path, name, text);
    }
    let output = squad_lint(&repo.path).args(["merge", "base", "ours", "theirs", "team.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = fs::read_to_string(repo.path.join("ours")).unwrap();
    assert_eq!(text, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
}
