//! Tree against tree: the same changes as `git diff A...B`.

use squad_lint::git::change::{Scope, Status};
use squad_lint::git::error::GitError;
use squad_lint::git::range;

use crate::support::repo::{Repo, as_rows};

/// `main` and `topic`, which part after the first commit.
fn repo() -> Repo {
    let repo = Repo::new();
    for path in ["a.md", "a/x.md", "c/d/e.md", ".squad/decisions.md"] {
        repo.write(path, format!("{path}\n"));
    }
    repo.commit("first");
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.write("a/x.md", "topic\n");
    repo.commit("on topic");
    repo.git(&["mv", "c/d/e.md", "e.md"]);
    repo.commit("rename");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("a.md", "main\n");
    repo.commit("on main");
    repo
}

fn paths(repo: &Repo, from: &str, to: Option<&str>) -> Result<(Vec<String>, Option<String>), GitError> {
    let git = repo.open();
    let range = range::resolve(&git, from, to)?;
    let changes = range::changes(&git, &range, &Scope::default())?;
    Ok((changes.iter().map(|change| change.path.to_string()).collect(), range.note))
}

#[test]
fn from_where_the_histories_meet() {
    let repo = repo();
    let git = repo.open();
    let range = range::resolve(&git, "main", Some("topic")).unwrap();
    let changes = range::changes(&git, &range, &Scope::default()).unwrap();
    assert_eq!(as_rows(&changes, 40), repo.raw_diff(&["main...topic"]));
    assert_eq!(range.note, None);
    assert_eq!(changes[1].status, Status::Renamed);
    assert_eq!(changes[1].old_path(), "c/d/e.md");
    assert_eq!(paths(&repo, "HEAD~1", None).unwrap().0, ["a.md"]);
    assert_eq!(paths(&repo, "topic", Some("main")).unwrap().0, ["a.md"]);
    assert_eq!(paths(&repo, "main", Some("main")).unwrap().0, [""; 0]);
    repo.git(&["tag", "--annotate", "--message", "x", "v1", "topic"]);
    assert_eq!(paths(&repo, "main", Some("v1")).unwrap().0, ["a/x.md", "e.md"]);
    // What was there before the first commit.
    let empty = repo.git(&["hash-object", "-t", "tree", "/dev/null"]);
    assert_eq!(
        paths(&repo, empty.trim(), Some("main~1")).unwrap().0,
        [".squad/decisions.md", "a.md", "a/x.md", "c/d/e.md"]
    );
}

#[test]
fn histories_that_do_not_meet() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "--orphan", "other"]);
    repo.commit("another first");
    let (paths, note) = paths(&repo, "topic", Some("other")).unwrap();
    assert_eq!(paths, ["a.md", "a/x.md", "c/d/e.md"]);
    assert_eq!(note.unwrap(), "`topic` and `other` have no common history: compared with `topic` itself");
}

#[test]
fn a_bare_repository() {
    let bare = repo().clone(&["--bare"]);
    assert_eq!(paths(&bare, "main", Some("topic")).unwrap().0, ["a/x.md", "e.md"]);
}

#[test]
fn a_shallow_clone_says_so() {
    let shallow = repo().clone(&["--depth=1", "--no-single-branch"]);
    let (found, note) = paths(&shallow, "origin/main", Some("origin/topic")).unwrap();
    assert_eq!(found, ["a.md", "a/x.md", "e.md"]);
    let expected = "the clone is shallow: compared with `origin/main` itself, not with the merge base";
    assert_eq!(note.as_deref(), Some(expected));
    let error = paths(&shallow, "HEAD~1", None).unwrap_err();
    assert!(matches!(error, GitError::Revision { shallow: true, .. }), "{error}");
}

#[test]
fn a_partial_clone_is_never_completed() {
    let origin = repo();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = origin.clone(&["--filter=blob:none", "--no-checkout"]);
    let objects = || partial.git(&["count-objects", "--verbose"]);
    let before = objects();
    assert_eq!(paths(&partial, "origin/main", Some("origin/topic")).unwrap().0, ["a/x.md", "e.md"]);
    let git = partial.open();
    let range = range::resolve(&git, "origin/main", Some("origin/topic")).unwrap();
    let changes = range::changes(&git, &range, &Scope::default()).unwrap();
    let blob = changes[0].after.unwrap();
    let error = git.blob(blob.id, changes[0].path.as_ref(), 1 << 20).unwrap_err();
    let squad_lint::git::repository::BlobError::Git(error) = error else { panic!("{error:?}") };
    assert_eq!(error.to_string(), format!("cannot read the blob `{}` of a/x.md", blob.id));
    assert!(matches!(error, GitError::Object { partial: true, .. }));
    assert_eq!(objects(), before);
}

#[test]
fn a_revision_that_is_not_there() {
    let repo = repo();
    let nearest = |name: &str| match paths(&repo, name, None).unwrap_err() {
        GitError::Revision { nearest, shallow: false, .. } => nearest,
        error => panic!("{error}"),
    };
    assert_eq!(nearest("mian").as_deref(), Some("main"));
    assert_eq!(nearest("topci~1").as_deref(), Some("topic~1"));
    assert_eq!(nearest("HAED~1").as_deref(), Some("HEAD~1"));
    assert_eq!(nearest("something-else"), None);
    assert_eq!(nearest("main~99"), None);
    assert_eq!(nearest(""), None);
    assert_eq!(nearest("main..topic"), None);
}

#[test]
fn a_tree_that_cannot_be_read() {
    let repo = repo();
    let id = repo.git(&["rev-parse", "topic:a"]);
    repo.damage("topic:a");
    let error = paths(&repo, "main", Some("topic")).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read the tree `{}` of a", id.trim()));
}
