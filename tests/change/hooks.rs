//! As a real hook, and in every kind of repository: `GIT_DIR` and `GIT_INDEX_FILE` are what git sets.

use std::fs;
use std::path::Path;

use super::{bad, good, printed};
use crate::support::repo::Repo;

const FILE: &str = ".squad/decisions.md";

/// Installs the program as the hook `name` of `repo`; it writes what it prints to the file `hook.log`.
fn install(repo: &Repo, name: &str) {
    let hook = repo.git_path("hooks").join(name);
    let log = repo.path.join("hook.log");
    let script = format!(
        "#!/bin/sh\nenv | grep ^GIT_INDEX_FILE >> '{log}'\n'{program}' --staged --ignore guard --format compact \
         --now 2026-03-01 >> '{log}' 2>&1\n",
        log = log.display(),
        program = env!("CARGO_BIN_EXE_squad-lint"),
    );
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, script).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(FILE, good(1));
    repo.write("other.md", "x\n");
    repo.commit("first");
    install(&repo, "pre-commit");
    repo
}

/// Runs `git` with these arguments: whether it succeeds, and what the hook printed.
fn commit(repo: &Repo, args: &[&str]) -> (bool, String) {
    let log = repo.path.join("hook.log");
    let _ = fs::remove_file(&log);
    let output = repo.try_git(args);
    (output.status.success(), fs::read_to_string(log).unwrap_or_else(|_| format!("no hook: {output:?}")))
}

#[track_caller]
fn blocked(repo: &Repo, args: &[&str]) {
    let (done, log) = commit(repo, args);
    assert!(!done && log.contains("[sem/missing-field]"), "{log}");
}

#[track_caller]
fn passes(repo: &Repo, args: &[&str]) -> String {
    let (done, log) = commit(repo, args);
    // Where no state is committed it says nothing at all.
    assert!(done && log.starts_with("GIT_INDEX_FILE=") && !log.contains("sem/"), "{log}");
    log
}

#[test]
fn commit_of_what_is_staged_of_all_and_of_a_path() {
    let repo = repo();
    repo.stage(FILE, [good(1), bad(2)].concat());
    blocked(&repo, &["commit", "--message", "x"]);
    // Of all and of a path: git hands over another index file.
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.write(FILE, [good(1), bad(2)].concat());
    blocked(&repo, &["commit", "--all", "--message", "x"]);
    blocked(&repo, &["commit", "--message", "x", "--", FILE]);
    repo.write("other.md", "y\n");
    let log = passes(&repo, &["commit", "--message", "x", "--", "other.md"]);
    assert!(log.contains("GIT_INDEX_FILE=") && log.contains("next-index"), "{log}");
    repo.stage(FILE, [good(1), bad(2)].concat());
    repo.write("other.md", "z\n");
    passes(&repo, &["commit", "--message", "x", "--", "other.md"]);
    repo.write(FILE, [good(1), good(2)].concat());
    passes(&repo, &["commit", "--all", "--message", "x"]);
}

#[test]
fn amend_merge_rebase_and_cherry_pick() {
    let repo = repo();
    repo.stage(FILE, [good(1), bad(2)].concat());
    blocked(&repo, &["commit", "--amend", "--no-edit"]);
    repo.stage(FILE, [good(1), good(2)].concat());
    passes(&repo, &["commit", "--amend", "--no-edit"]);

    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.stage(FILE, [good(1), good(2), bad(3)].concat());
    repo.git(&["commit", "--quiet", "--no-verify", "--message", "topic"]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.stage(FILE, [good(1), good(2), good(4)].concat());
    repo.git(&["commit", "--quiet", "--message", "main"]);

    for args in [&["merge", "--no-commit", "topic"][..], &["cherry-pick", "topic"], &["rebase", "topic"]] {
        assert!(!repo.try_git(args).status.success(), "{args:?} stops at the conflict");
        let (text, code) = printed(&repo, &["--staged"]);
        assert!(text.contains("cannot read .squad/decisions.md: it is unmerged"), "{args:?}: {text}");
        assert_eq!(code, Some(2), "{args:?}");
        if args[0] == "rebase" {
            // Upstream's defect is not this commit's.
            repo.stage(FILE, [good(1), good(2), bad(3), bad(4)].concat());
            let (text, code) = printed(&repo, &["--staged"]);
            assert_eq!((text.matches("[sem/missing-field]").count(), code), (1, Some(1)), "{text}");
            repo.git(&["rebase", "--abort"]);
            continue;
        }
        repo.stage(FILE, [good(1), good(2), bad(3), good(4)].concat());
        blocked(&repo, &["commit", "--message", "x"]);
        repo.stage(FILE, [good(1), good(2), good(3), good(4)].concat());
        passes(&repo, &["commit", "--message", "x"]);
        repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    }
}

#[test]
fn the_first_commit() {
    let repo = Repo::new();
    install(&repo, "pre-commit");
    repo.stage(FILE, bad(1));
    blocked(&repo, &["commit", "--message", "x"]);
    repo.stage(FILE, good(1));
    passes(&repo, &["commit", "--message", "x"]);
}

#[test]
fn a_linked_worktree_and_a_submodule() {
    let outer = repo();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("linked");
    outer.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    let linked = Repo::at(&path);
    install(&linked, "pre-commit");
    linked.stage(FILE, [good(1), bad(2)].concat());
    blocked(&linked, &["commit", "--message", "x"]);

    let inner = self::repo();
    outer.git(&["submodule", "--quiet", "add", &format!("file://{}", inner.path.display()), "inner"]);
    let submodule = Repo::at(outer.path.join("inner"));
    install(&submodule, "pre-commit");
    submodule.stage(FILE, [good(1), bad(2)].concat());
    blocked(&submodule, &["commit", "--message", "x"]);
    // To the outer repository it is one entry.
    assert_eq!(printed(&outer, &["--staged"]), (String::new(), Some(0)));
}

#[test]
fn from_a_folder_and_with_the_variables_of_git() {
    let repo = repo();
    repo.stage(FILE, [good(1), bad(2)].concat());
    let inside = Repo::at(repo.path.join(".squad"));
    assert_eq!(printed(&inside, &["--staged"]).1, Some(1));
    assert_eq!(printed(&inside, &["--staged", "decisions.md"]).1, Some(1));
    let elsewhere = tempfile::tempdir().unwrap();
    let run = |work_tree: &Path| {
        let mut command = crate::support::squad_lint(elsewhere.path());
        command.env("GIT_DIR", repo.path.join(".git")).env("GIT_WORK_TREE", work_tree);
        command.args(["--staged", "--ignore", "guard", "--now", "2026-03-01"]).output().unwrap().status.code()
    };
    assert_eq!(run(&repo.path), Some(1));
}

#[test]
fn what_a_clone_lacks_does_not_matter_until_it_is_needed() {
    let origin = repo();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    for options in [&["--depth=1"][..], &["--filter=blob:none"], &["--filter=blob:none", "--sparse"]] {
        let repo = origin.clone(options);
        if options.contains(&"--sparse") {
            repo.git(&["sparse-checkout", "add", ".squad"]);
        }
        repo.stage(FILE, [good(1), bad(2)].concat());
        let (text, code) = printed(&repo, &["--staged"]);
        assert_eq!(code, Some(1), "{options:?}: {text}");
    }
}
