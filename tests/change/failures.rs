//! Where git cannot tell, the exit code is 2 and the message says what to do.

use std::fs;

use super::{bad, good, printed};
use crate::support::repo::Repo;
use crate::support::write;

const FILE: &str = ".squad/decisions.md";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(FILE, good(1));
    repo.commit("first");
    repo.stage(FILE, [good(1), good(2)].concat());
    repo
}

#[track_caller]
fn fails(repo: &Repo, args: &[&str], parts: &[&str]) {
    let (text, code) = printed(repo, args);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(flat.contains(part), "{args:?} does not say {part:?}\n{text}");
    }
    assert_eq!(code, Some(2), "{text}");
    assert!(!text.contains("no problems found"), "{text}");
}

/// The same of `--tree`, which the guard alone looks at.
#[track_caller]
fn tree_fails(repo: &Repo, name: &str, parts: &[&str]) {
    let output = crate::support::squad_lint(&repo.path).args(["--tree", name]).output().unwrap();
    let text = crate::support::stderr(&output);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for part in parts {
        assert!(flat.contains(part), "{name} does not say {part:?}\n{text}");
    }
    assert_eq!(output.status.code(), Some(2), "{name}: {text}");
}

#[test]
fn no_repository() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), FILE, good(1));
    for args in [&["--staged"][..], &["--from", "HEAD~1"]] {
        fails(
            &Repo::at(folder.path()),
            args,
            &["this folder is not in a git repository", "`squad-lint PATH` checks a plain folder"],
        );
    }
}

#[test]
fn an_unknown_revision() {
    let repo = repo();
    fails(&repo, &["--from", "mian"], &["unknown revision `mian`", "did you mean `main`?"]);
    fails(&repo, &["--from", "main", "--to", "\u{1b}[31m"], &["unknown revision `\\u{1b}[31m`", "`git branch --all`"]);
    fails(&repo, &["--from", "main~7"], &["unknown revision `main~7`"]);
    fails(&repo, &["--from", &"0".repeat(40)], &["0000"]);
    repo.commit("second");
    let shallow = repo.clone(&["--depth=1"]);
    fails(&shallow, &["--from", "HEAD~1"], &["the clone is shallow: `git fetch --unshallow`"]);
}

#[test]
fn a_shallow_range_says_so_once() {
    let repo = repo();
    repo.commit("second");
    let shallow = repo.clone(&["--depth=1"]);
    shallow.write(FILE, [good(1), good(2), bad(3)].concat());
    shallow.commit("third");
    let (text, code) = printed(&shallow, &["--from", "HEAD~1"]);
    assert_eq!(text.matches("note: the clone is shallow: compared with `HEAD~1` itself").count(), 1, "{text}");
    assert_eq!((text.matches("[sem/missing-field]").count(), code), (1, Some(1)), "{text}");
    let (text, _) = printed(&shallow, &["--from", "HEAD~1", "--quiet"]);
    assert!(!text.contains("note:"), "{text}");
}

#[test]
fn a_bare_repository_has_commits_only() {
    let repo = repo();
    repo.write(FILE, [good(1), bad(2)].concat());
    repo.commit("second");
    let bare = repo.clone(&["--bare"]);
    assert_eq!(printed(&bare, &["--from", "HEAD~1"]).1, Some(1));
    fails(&bare, &["--staged"], &["is bare: it has no working tree to check", "`--from A --to B`"]);
    fails(&bare, &[], &["is bare"]);
}

#[test]
fn head_leads_to_nothing() {
    let repo = repo();
    fs::remove_file(repo.object_path("HEAD")).unwrap();
    fails(&repo, &["--staged"], &["`HEAD` does not point to a commit", "`git fsck` shows"]);
    fails(&repo, &["--from", "HEAD"], &["`HEAD` does not point to a commit", "`git fsck` shows"]);
}

#[test]
fn a_missing_and_a_damaged_object() {
    let repo = repo();
    let id = repo.git(&["rev-parse", ":.squad/decisions.md"]);
    repo.damage(":.squad/decisions.md");
    fails(&repo, &["--staged"], &[&format!("cannot read the blob `{}` of .squad/decisions.md", id.trim()), "git fsck"]);

    let repo = self::repo();
    let id = repo.git(&["rev-parse", "HEAD:.squad/decisions.md"]);
    fs::remove_file(repo.object_path("HEAD:.squad/decisions.md")).unwrap();
    fails(&repo, &["--staged"], &[&format!("cannot read the blob `{}`", id.trim()), "it is not in this repository"]);

    // One that is only looked up.
    let repo = self::repo();
    repo.write(".squad/agents/verbal/history.md", good(40));
    repo.commit("second");
    repo.stage(FILE, [good(1), good(2), good(3)].concat());
    fs::remove_file(repo.object_path(":.squad/agents/verbal/history.md")).unwrap();
    fails(&repo, &["--staged"], &["of .squad/agents/verbal/history.md"]);
}

#[test]
fn a_partial_clone_says_how_to_get_the_object() {
    let origin = repo();
    origin.commit("second");
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = origin.clone(&["--filter=blob:none", "--no-checkout"]);
    fails(
        &partial,
        &["--from", "HEAD~1"],
        &["this is a partial clone, and nothing is fetched here", "git cat-file -e"],
    );
}

#[test]
fn a_damaged_index() {
    let repo = repo();
    fs::write(repo.git_path("index"), "nothing").unwrap();
    fails(&repo, &["--staged"], &["cannot read the index of the git repository", "`git status`"]);
}

#[test]
fn a_locked_index_and_a_read_only_repository_can_be_read() {
    let repo = repo();
    fs::write(repo.git_path("index.lock"), "").unwrap();
    assert_eq!(printed(&repo, &["--staged"]).1, Some(0));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |mode| fs::set_permissions(repo.path.join(".git"), fs::Permissions::from_mode(mode)).unwrap();
        mode(0o555);
        let code = printed(&repo, &["--staged"]).1;
        mode(0o755);
        assert_eq!(code, Some(0));
    }
}

#[test]
fn reftable_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    // As a git that knows reftable makes it.
    crate::support::run_git(folder.path(), &["init", "--quiet"]);
    crate::support::run_git(folder.path(), &["config", "core.repositoryFormatVersion", "1"]);
    fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/.invalid\n").unwrap();
    let config = fs::read_to_string(folder.path().join(".git/config")).unwrap();
    fs::write(folder.path().join(".git/config"), config + "[extensions]\n\trefstorage = reftable\n").unwrap();
    fails(
        &Repo::at(folder.path()),
        &["--staged"],
        &["`HEAD` does not point to a commit", "reftable", "git refs migrate"],
    );
}

#[test]
fn reftable_is_refused_whatever_the_revision() {
    let folder = tempfile::tempdir().unwrap();
    let made = crate::support::git(folder.path()).args(["init", "--quiet", "--ref-format=reftable"]).output().unwrap();
    if !made.status.success() {
        return eprintln!("left out: this git knows no reftable");
    }
    let repo = Repo::at(folder.path());
    repo.commit("first");
    for name in ["HEAD", "main", "v1"] {
        let parts = ["cannot look up", "reftable", "git refs migrate"];
        fails(&repo, &["--from", name], &parts);
        tree_fails(&repo, name, &parts);
    }
}

#[test]
fn no_commit_yet() {
    let repo = Repo::new();
    repo.stage(FILE, good(1));
    for name in ["HEAD", "@", "HEAD~1", "main", "refs/heads/main", "main^{tree}", "HEAD:.squad"] {
        let parts = ["has no commit yet: the branch `main`", "`--staged`"];
        fails(&repo, &["--from", name], &parts);
        tree_fails(&repo, name, &parts);
    }
    fails(&repo, &["--from", "topic"], &["unknown revision `topic`"]);
    assert_eq!(printed(&repo, &["--staged"]).1, Some(0));
}

#[test]
fn a_revision_that_is_no_commit() {
    let repo = repo();
    repo.git(&["tag", "--annotate", "--message", "x", "tree-tag", "HEAD^{tree}"]);
    repo.git(&["tag", "--annotate", "--message", "x", "file-tag", "HEAD:.squad/decisions.md"]);
    repo.git(&["tag", "--annotate", "--message", "x", "commit-tag", "HEAD"]);
    let id = repo.git(&["rev-parse", "HEAD:.squad"]);
    for (name, found) in [
        ("HEAD:.squad", "a tree"),
        (id.trim(), "a tree"),
        ("HEAD^{tree}", "a tree"),
        ("HEAD:.squad/decisions.md", "a file"),
        ("tree-tag", "the tag of a tree"),
        ("file-tag", "the tag of a file"),
    ] {
        let said = format!("`{name}` is {found}, expected a commit");
        fails(&repo, &["--from", name], &[&said, "name a commit, a branch or a tag"]);
        fails(&repo, &["--from", "HEAD", "--to", name], &[&said]);
    }
    for (name, found) in [
        ("HEAD:.squad", "the tree of a folder"),
        ("HEAD:.squad/decisions.md", "a file"),
        ("file-tag", "the tag of a file"),
    ] {
        tree_fails(&repo, name, &[&format!("`{name}` is {found}, expected a commit, or the tree of one")]);
    }
    let empty = repo.git(&["hash-object", "-t", "tree", "/dev/null"]);
    for name in ["commit-tag", empty.trim()] {
        assert_eq!(printed(&repo, &["--from", name]).1, Some(0), "{name}");
    }
    for name in ["commit-tag", "tree-tag", "HEAD^{tree}", "HEAD:"] {
        let output = crate::support::squad_lint(&repo.path).args(["--tree", name]).output().unwrap();
        assert_ne!(output.status.code(), Some(2), "{name}: {}", crate::support::stderr(&output));
    }
}

#[cfg(unix)]
#[test]
#[ignore = "needs root"]
fn a_repository_of_somebody_else() {
    let repo = repo();
    let given = std::process::Command::new("chown").args(["-R", "65534"]).arg(&repo.path).status();
    assert!(given.is_ok_and(|status| status.success()), "only root can give a repository away");
    fails(&repo, &["--staged"], &["cannot open the git repository", "`safe.directory`"]);

    // What its configuration includes is no configuration: whoever reads it has another error.
    let included = repo.path.join("included");
    fs::write(&included, "[core\nhunter2").unwrap();
    fs::write(repo.path.join(".git/config"), format!("[include]\n\tpath = {}\n", included.display())).unwrap();
    for args in [&["--staged"][..], &[]] {
        fails(&repo, args, &["not owned by the current user"]);
    }
    fails(&repo, &["--staged"], &["cannot open the git repository", "`safe.directory`"]);
    fails(&repo, &[], &["cannot open the git repository", "`safe.directory`"]);

    // Whoever declares it safe has it read, in a file that is included as well; and an empty value takes it back.
    fs::write(&included, "[core]\n\tabbrev = 12\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    let top = repo.path.display().to_string();
    let above = repo.path.parent().unwrap().display().to_string();
    for (values, is_safe) in [
        (vec![top.as_str()], true),
        (vec!["*"], true),
        (vec!["/nowhere", &top], true),
        (vec!["*", ""], false),
        (vec!["", &top], true),
        (vec![&format!("{above}/*")], true),
        (vec!["/nowhere/*"], false),
        (vec![&above], false),
    ] {
        let lines: String = values.iter().map(|value| format!("\tdirectory = {value}\n")).collect();
        write(home.path(), "included", format!("[safe]\n{lines}"));
        write(home.path(), "direct", format!("[safe]\n{lines}"));
        write(home.path(), "indirect", "[include]\n\tpath = included\n");
        for name in ["direct", "indirect"] {
            let file = home.path().join(name);
            let theirs =
                crate::support::git(&repo.path).env("GIT_CONFIG_GLOBAL", &file).arg("status").output().unwrap();
            let mut ours = crate::support::squad_lint(&repo.path);
            let ours = ours.env("GIT_CONFIG_GLOBAL", &file).args(["--staged", "--ignore", "guard"]).output().unwrap();
            assert_eq!(theirs.status.success(), is_safe, "git: {values:?} {name}");
            assert_eq!(ours.status.code() == Some(0), is_safe, "{values:?} {name}: {}", crate::support::stderr(&ours));
        }
    }
}

#[test]
fn options_that_do_not_go_together() {
    let repo = repo();
    for args in [
        &["--staged", "--from", "main"][..],
        &["--to", "main"],
        &["--all-lines"],
        &["--from", "main", "--fix"],
        &["--from", "main", "--diff"],
        &["--staged", "--tree", "main"],
        &["--staged", "--stdin-filename", "a.md"],
    ] {
        assert_eq!(printed(&repo, args).1, Some(2), "{args:?}");
    }
}
