//! The index against `HEAD`: the same changes as `git diff --cached`.

use std::fs;

use squad_lint::git::change::{Scope, Status};
use squad_lint::git::error::GitError;
use squad_lint::git::staged;

use crate::support::repo::{Repo, as_rows};

/// Checks that the changes are those of `git diff --cached`, and gives the paths with the letters of their statuses.
pub fn same_as_git(repo: &Repo) -> Vec<String> {
    let changes = staged::changes(&repo.open(), &Scope::default()).unwrap();
    let id_len = repo.git(&["hash-object", "--stdin"]).trim().len();
    let expected: Vec<_> = repo.raw_diff(&["--cached"]);
    assert_eq!(as_rows(&changes, id_len), expected, "{}", repo.git(&["ls-files", "--stage"]));
    let letters = as_rows(&changes, id_len);
    letters.iter().map(|row| format!("{} {}", row.status, String::from_utf8_lossy(&row.path))).collect()
}

/// A repository with one commit of a few folders.
fn repo() -> Repo {
    let repo = Repo::new();
    for path in ["a.md", "a/x.md", "a/b/y.md", "a-b/z.md", "c/d/e/f.md", ".squad/decisions.md"] {
        repo.write(path, format!("{path}\n"));
    }
    repo.commit("first");
    repo
}

#[test]
fn nothing_is_staged() {
    assert!(same_as_git(&repo()).is_empty());
}

#[test]
fn additions_changes_deletions_and_renames() {
    let repo = repo();
    repo.stage("a.md", "new\n");
    repo.stage("new/deep/file.md", "new\n");
    repo.git(&["rm", "--quiet", "c/d/e/f.md"]);
    repo.git(&["mv", "a/b/y.md", "a-b/y.md"]);
    assert_eq!(same_as_git(&repo), ["R a-b/y.md", "M a.md", "D c/d/e/f.md", "A new/deep/file.md"]);
}

#[test]
fn a_file_becomes_a_folder_and_back() {
    let repo = repo();
    repo.git(&["rm", "--quiet", "a.md", "a/x.md", "a/b/y.md"]);
    repo.stage("a.md/inner.md", "x\n");
    repo.stage("a", "y\n");
    repo.stage("a.b", "y\n");
    assert_eq!(same_as_git(&repo).len(), 6);
}

#[test]
fn before_the_first_commit_everything_is_staged() {
    let repo = Repo::new();
    assert!(staged::changes(&repo.open(), &Scope::default()).unwrap().is_empty(), "there is no index yet");
    repo.stage(".squad/decisions.md", "x\n");
    repo.stage("b.md", "x\n");
    assert_eq!(same_as_git(&repo), ["A .squad/decisions.md", "A b.md"]);
}

#[test]
fn a_detached_head() {
    let repo = repo();
    repo.commit("second");
    repo.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    repo.stage("a.md", "x\n");
    assert_eq!(same_as_git(&repo), ["M a.md"]);
}

#[test]
fn modes_and_kinds() {
    let repo = repo();
    repo.git(&["update-index", "--chmod=+x", "a.md"]);
    let target = repo.git(&["hash-object", "-w", "a.md"]);
    repo.git(&["update-index", "--cacheinfo", &format!("120000,{},a/x.md", target.trim())]);
    let commit = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},.ai-team", commit.trim())]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{},b/.ai-team", target.trim())]);
    assert_eq!(same_as_git(&repo), ["A .ai-team", "M a.md", "T a/x.md", "A b/.ai-team"]);
    let changes = staged::changes(&repo.open(), &Scope::default()).unwrap();
    assert_eq!(changes[2].status, Status::TypeChanged);
    assert_eq!(changes[1].before.unwrap().id, changes[1].after.unwrap().id);
}

#[test]
fn a_submodule() {
    let (inner, outer) = (repo(), repo());
    outer.git(&["submodule", "--quiet", "add", &format!("file://{}", inner.path.display()), "inner"]);
    assert_eq!(same_as_git(&outer), ["A .gitmodules", "A inner"]);
    outer.commit("submodule");
    let submodule = Repo::at(outer.path.join("inner"));
    submodule.stage(".squad/decisions.md", "x\n");
    assert_eq!(same_as_git(&submodule), ["M .squad/decisions.md"]);
    submodule.commit("inside");
    outer.git(&["add", "inner"]);
    assert_eq!(same_as_git(&outer), ["M inner"]);
}

#[test]
fn a_linked_worktree_has_its_own_index() {
    let repo = repo();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("linked");
    repo.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    let linked = Repo::at(path);
    linked.stage("a.md", "x\n");
    assert_eq!(same_as_git(&linked), ["M a.md"]);
    assert!(same_as_git(&repo).is_empty());
}

#[test]
fn intent_to_add_is_not_staged() {
    let repo = repo();
    repo.write("later.md", "x\n");
    repo.write("c/later.md", "x\n");
    repo.git(&["add", "--intent-to-add", "later.md", "c/later.md"]);
    assert!(same_as_git(&repo).is_empty());
    repo.git(&["rm", "--quiet", "--cached", "a.md"]);
    repo.git(&["add", "--intent-to-add", "a.md"]);
    assert_eq!(same_as_git(&repo), ["D a.md"]);
}

#[test]
fn unmerged_entries_are_one_change_each() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "-b", "other"]);
    repo.write("a.md", "theirs\n");
    repo.write("both.md", "theirs\n");
    repo.git(&["rm", "--quiet", "a/x.md"]);
    repo.commit("theirs");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("a.md", "ours\n");
    repo.write("both.md", "ours\n");
    repo.write("a/x.md", "ours\n");
    repo.commit("ours");
    assert!(!repo.try_git(&["merge", "other"]).status.success());
    assert_eq!(same_as_git(&repo), ["U a.md", "U a/x.md", "U both.md"]);
}

#[test]
fn every_version_of_the_index_file() {
    for version in ["2", "3", "4"] {
        let repo = repo();
        repo.git(&["update-index", "--index-version", version]);
        repo.stage("a/new.md", "x\n");
        repo.write("later.md", "x\n");
        // Extended flags, which version 2 does not have.
        repo.git(&["add", "--intent-to-add", "later.md"]);
        repo.git(&["update-index", "--skip-worktree", "a/x.md"]);
        assert_eq!(same_as_git(&repo), ["A a/new.md"], "version {version}");
    }
}

#[test]
fn a_split_index() {
    let repo = repo();
    repo.git(&["update-index", "--split-index"]);
    repo.stage("a/new.md", "x\n");
    repo.git(&["rm", "--quiet", "a-b/z.md"]);
    assert_eq!(same_as_git(&repo), ["D a-b/z.md", "A a/new.md"]);
}

#[test]
fn a_sparse_checkout_and_a_sparse_index() {
    let origin = repo();
    for options in [&["--no-sparse-index"], &["--sparse-index"]] {
        let repo = origin.clone(&[]);
        repo.git(&[&["sparse-checkout", "set", "--cone"], &options[..], &["a"]].concat());
        repo.stage("a/x.md", "new\n");
        assert_eq!(same_as_git(&repo), ["M a/x.md"], "{options:?}");
        // A sparse folder whose tree is another one.
        let tree = repo.git(&["rev-parse", "HEAD:c"]);
        repo.git(&["rm", "--quiet", "--cached", "--sparse", "-r", "a-b"]);
        repo.git(&["read-tree", "--prefix=copy/", tree.trim()]);
        same_as_git(&repo);
    }
    let repo = origin.clone(&[]);
    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "a"]);
    assert!(repo.git(&["ls-files", "--sparse"]).lines().any(|line| line == "c/"), "the index is sparse");
    repo.git(&["reset", "--quiet", "--soft", "HEAD"]);
    origin.stage("c/d/e/f.md", "new\n");
    origin.stage("c/other.md", "new\n");
    origin.commit("second");
    repo.git(&["fetch", "--quiet"]);
    repo.git(&["merge", "--quiet", "--ff-only", "FETCH_HEAD"]);
    repo.git(&["reset", "--quiet", "--soft", "HEAD~1"]);
    assert!(repo.git(&["ls-files", "--sparse"]).lines().any(|line| line == "c/"), "the index is still sparse");
    assert_eq!(same_as_git(&repo), ["M c/d/e/f.md", "A c/other.md"]);
}

#[test]
fn a_sha256_repository() {
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.write("a/x.md", "x\n");
    repo.write("b.md", "x\n");
    repo.commit("first");
    repo.stage("a/x.md", "y\n");
    repo.git(&["mv", "b.md", "c.md"]);
    assert_eq!(same_as_git(&repo), ["M a/x.md", "R c.md"]);
}

#[cfg(target_os = "linux")]
#[test]
fn paths_are_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new();
    let names: [&[u8]; 5] =
        [b"caf\xe9.md", "Entscheid-ä.md".as_bytes(), b"new\nline.md", b"tab\t\"quote.md", b"\x01.md"];
    for name in names {
        repo.write(OsStr::from_bytes(&[b".squad/", name].concat()), "x\n");
    }
    repo.write(".AI-TEAM/Decisions.md", "x\n");
    repo.commit("first");
    for name in names {
        repo.write(OsStr::from_bytes(&[b".squad/", name].concat()), "y\n");
    }
    repo.git(&["mv", ".AI-TEAM/Decisions.md", ".AI-TEAM/decisions.md"]);
    repo.git(&["add", "--all"]);
    assert_eq!(same_as_git(&repo).len(), 6);
}

#[test]
fn long_paths() {
    let repo = repo();
    // Longer than the length in an entry's flags.
    let path = format!("{}/x.md", vec!["d".repeat(200); 25].join("/"));
    let blob = repo.git(&["hash-object", "-w", "a.md"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{},{path}", blob.trim())]);
    assert_eq!(same_as_git(&repo).len(), 1);
    repo.git(&["commit", "--quiet", "--message", "second"]);
    assert!(same_as_git(&repo).is_empty());
}

#[test]
fn a_scope_leaves_the_rest_closed() {
    let repo = repo();
    repo.stage("a/x.md", "new\n");
    repo.stage("c/d/new.md", "new\n");
    repo.stage("a.md", "new\n");
    let paths = |scope: &[&str]| -> Vec<String> {
        let scope = Scope::new(scope.iter().map(|path| (*path).into()));
        staged::changes(&repo.open(), &scope).unwrap().iter().map(|change| change.path.to_string()).collect()
    };
    assert_eq!(paths(&["a"]), ["a/x.md"]);
    assert_eq!(paths(&["c/d", "a.md"]), ["a.md", "c/d/new.md"]);
    // What is not asked for may be damaged.
    repo.damage("HEAD:c/d");
    assert_eq!(paths(&["a"]), ["a/x.md"]);
}

#[test]
fn equal_folders_are_never_opened() {
    let repo = repo();
    repo.git(&["write-tree"]);
    repo.stage("a/x.md", "new\n");
    for tree in ["HEAD:c", "HEAD:a/b", "HEAD:.squad"] {
        repo.damage(tree);
    }
    let changes = staged::changes(&repo.open(), &Scope::default()).unwrap();
    assert_eq!(changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>(), ["a/x.md"]);
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_it() {
    let repo = repo();
    let id = repo.git(&["rev-parse", "HEAD:a"]);
    repo.damage("HEAD:a");
    repo.stage("a.md", "new\n");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{},a/q.md", id.trim())]);
    let error = staged::changes(&repo.open(), &Scope::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read the tree `{}` of a", id.trim()));
    assert!(matches!(error, GitError::Object { partial: false, .. }));

    let repo = self::repo();
    fs::remove_file(repo.object_path("HEAD:c")).unwrap();
    repo.git(&["update-index", "--force-remove", "c/d/e/f.md"]);
    let error = staged::changes(&repo.open(), &Scope::default()).unwrap_err();
    assert!(matches!(error, GitError::Object { ref path, .. } if path == "c"), "{error}");

    let repo = self::repo();
    fs::remove_file(repo.object_path("HEAD")).unwrap();
    let error = staged::changes(&repo.open(), &Scope::default()).unwrap_err();
    assert!(matches!(error, GitError::Head { .. }), "{error}");

    let repo = self::repo();
    let bytes = fs::read(repo.git_path("index")).unwrap();
    for (name, content) in [("cut", &bytes[..bytes.len() / 2]), ("no index", b"nothing".as_slice()), ("empty", b"")] {
        fs::write(repo.git_path("index"), content).unwrap();
        let error = staged::changes(&repo.open(), &Scope::default()).unwrap_err();
        assert!(matches!(error, GitError::Index { .. }), "{name}: {error}");
    }
}

/// A generator that gives the same numbers each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn whatever_is_done_to_the_index() {
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let repo = Repo::new();
        repo.git(&["update-index", "--index-version", ["2", "4"][dice.roll(2)]]);
        for step in 0..40 {
            let part = |dice: &mut Dice| ["a", "a.b", "a-b", "b", "ab"][dice.roll(5)].to_owned();
            let depth = 1 + dice.roll(3);
            let path = (0..depth).map(|_| part(&mut dice)).collect::<Vec<_>>().join("/");
            let blob = || {
                repo.write("content", format!("{}\n", step % 7));
                repo.git(&["hash-object", "-w", "content"]).trim().to_owned()
            };
            let mode = ["100644", "100755", "120000"][dice.roll(3)];
            match dice.roll(8) {
                0..=3 => {
                    let entry = format!("{mode},{},{path}", blob());
                    repo.git(&["update-index", "--add", "--replace", "--cacheinfo", &entry]);
                }
                4 => drop(repo.git(&["rm", "-r", "--quiet", "--cached", "--ignore-unmatch", &path])),
                5 => drop(repo.git(&["write-tree"])),
                6 => {
                    repo.git(&["commit", "--quiet", "--allow-empty", "--message", "step"]);
                }
                _ => drop(repo.try_git(&["reset", "--quiet", "--", &path])),
            }
            if repo.try_git(&["rev-parse", "--quiet", "--verify", "HEAD"]).status.success() {
                same_as_git(&repo);
            }
        }
    }
}
