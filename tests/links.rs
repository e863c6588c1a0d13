//! What a commit can bring must not say which other files are read: no file of ours is read through a link that leads out of
//! the repository, and what an error shows of a file is the place itself.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::repo::Repo;
use crate::support::{squad_lint, stderr, stdout, write};

/// A file outside of the repository, with a secret on each of its lines.
const SECRET: &str = "hunter1 = 1\n[[hunter2\nhunter3: &hunter3 [\n### 2026-02-15T14:32:15-08:00: hunter4: hunter5\n";

/// What a run prints, and its exit code.
fn run(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = squad_lint(folder).args(args).env("SOURCE_DATE_EPOCH", "1772323200").output().unwrap();
    (stdout(&output) + &stderr(&output), output.status.code())
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "")
}

#[test]
fn no_configuration_through_a_link() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, SECRET).unwrap();
    for name in ["squad-lint.toml", ".squad-lint.toml", ".config/squad-lint.toml"] {
        let repo = Repo::new();
        write(&repo.path, ".squad/decisions.md", "");
        write(&repo.path, ".config/empty", "");
        write(&repo.path, "config/inner.toml", "fail-on = \"info\"\n");
        symlink(&secret, repo.path.join(name)).unwrap();
        for args in [&[][..], &["config"], &["convert"], &["check", "--config", name]] {
            let (text, code) = run(&repo.path, args);
            assert_eq!(code, Some(2), "{name} {args:?}: {text}");
            assert!(flat(&text).contains("that leads out of the repository"), "{name} {args:?}: {text}");
            assert!(!text.contains("hunter"), "{name} {args:?}: {text}");
        }
        assert_eq!(run(&repo.path, &["--no-config"]).1, Some(0));
        // One that stays inside is fine, over another link as well.
        fs::remove_file(repo.path.join(name)).unwrap();
        symlink(repo.path.join("config"), repo.path.join("link")).unwrap();
        symlink(repo.path.join("link/inner.toml"), repo.path.join(name)).unwrap();
        let (text, code) = run(&repo.path, &["config"]);
        assert!(code == Some(0) && text.contains("info"), "{name}: {text}");
    }
}

#[test]
fn a_folder_on_the_way_that_is_a_link() {
    let (repo, outside) = (Repo::new(), tempfile::tempdir().unwrap());
    write(outside.path(), "secret", SECRET);
    write(outside.path(), "squad-lint.toml", SECRET);
    symlink(outside.path(), repo.path.join("door")).unwrap();
    symlink(outside.path(), repo.path.join(".config")).unwrap();
    for args in [
        &["--config", "door/secret"][..],
        &["--config", "door/../door/secret"],
        &["--baseline", "door/secret"],
        &[],
        &["team", "reflect", "door/secret"],
    ] {
        let (text, code) = run(&repo.path, args);
        assert!(code == Some(2) && !text.contains("hunter"), "{args:?}: {text}");
    }
    // The user may name a file that lies elsewhere from the start.
    fs::remove_file(repo.path.join(".config")).unwrap();
    let path = outside.path().join("secret");
    for option in ["--config", "--baseline"] {
        let (text, code) = run(&repo.path, &[option, path.to_str().unwrap()]);
        assert!(code == Some(2) && flat(&text).contains("hunter"), "{option}: {text}");
    }
}

#[test]
fn no_other_file_of_ours_through_a_link() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, SECRET).unwrap();
    for name in [
        ".claude/team.yaml",
        ".squad/decisions.md",
        ".squad/team.md",
        ".squad/agents/verbal/history.md",
        ".gitattributes",
        ".gitignore",
        ".squad/.gitignore",
        "package.json",
        ".npmignore",
        "memory/agents/a/learnings.md",
        "memory/team/decisions.md",
        "memory/team/retro-history.md",
        "memory/sessions/2026-01-01.md",
    ] {
        let repo = Repo::new();
        write(&repo.path, ".squad/log/x.md", "");
        write(&repo.path, "memory/agents/b/learnings.md", "# Learnings: b\n\n## Core\n\n- One. (2020-01-01)\n");
        if name != ".claude/team.yaml" {
            write(
                &repo.path,
                ".claude/team.yaml",
                "name: t\nmembers:\n  - name: a\n    role: r\n  - name: b\n    role: r\n",
            );
        }
        let path = repo.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(&secret, &path).unwrap();
        repo.git(&["add", "--all", "--force"]);
        for args in [
            &["--show-all", "--min-severity", "info", "--select", "all"][..],
            &["check", "--min-severity", "info", name],
            &["check", "--hook-manager", "--min-severity", "info", "--", name],
            &["--staged", "--min-severity", "info"],
            &["--diff", "--unsafe-fixes"],
            &["convert", "--diff"],
            &["team", "show"],
            &["team", "prune"],
        ] {
            let (text, _) = run(&repo.path, args);
            assert!(!text.contains("hunter"), "{name} {args:?}: {text}");
        }
        assert_eq!(fs::read_to_string(&secret).unwrap(), SECRET, "{name}");
    }
}

#[test]
fn an_ignore_file_without_an_end() {
    for name in [".gitignore", "sub/.gitignore", "sub/deep/.gitignore"] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", "\u{feff}### nothing\n");
        write(folder.path(), "sub/deep/.squad/decisions.md", b"\xff\n");
        symlink("/dev/zero", folder.path().join(name)).unwrap();
        let (text, code) = run(folder.path(), &["--format", "compact"]);
        assert!(code == Some(1) && text.contains("sub/deep/.squad/decisions.md:1:1"), "{name}: {text}");
    }
}

#[test]
fn an_error_shows_the_place_alone() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(3000);
    let blanks = " ".repeat(3000);
    for (text, shown) in [
        ("x = 1\n# hunter\n".to_owned(), "x = 1"),
        ("# hunter\n\nfail-on = 3 # place\n# hunter\n".to_owned(), "fail-on = 3 # place"),
        ("# hunter\r\nfail-on = 3\r\n# hunter\r\n".to_owned(), "fail-on = 3"),
        ("exclude = [\n\"hunter\",\n3,\n\"hunter\"]\n".to_owned(), "3,"),
        ("rules = [\n\"hunter\",\n\"hunter\"]\n".to_owned(), "rules = ["),
        ("[rules]\nx = \"\"\"\nhunter\nhunter\"\"\"\n".to_owned(), "x = \"\"\""),
        (format!("fail-on = \"{long}hunter\"\n"), "fail-on = \"aaa"),
        (format!("{blanks}nope = 1{blanks}# hunter\n"), "nope = 1"),
        ("exclude = [\n \"place\",".to_owned(), "\"place\","),
        ("# hunter\n# \u{e9}\u{e9}\n\"\u{e9}\" = 1\n".to_owned(), "\"\u{e9}\" = 1"),
        (String::from("fail-on"), "fail-on"),
    ] {
        fs::write(folder.path().join("squad-lint.toml"), &text).unwrap();
        let output = squad_lint(folder.path()).env("COLUMNS", "80").output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        assert!(said.contains(shown) && !said.contains("hunter"), "{text:?}: {said}");
        let snippets = said.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(snippets.clone().count(), 1, "{said}");
        assert!(snippets.clone().all(|line| line.chars().count() <= 80), "{said}");
    }
}
