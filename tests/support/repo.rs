//! Real repositories, made by the real `git` in temporary folders.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use bstr::ByteSlice;
use squad_lint::git::change::{Blob, Change, Status};
use squad_lint::git::repository::Git;
use tempfile::TempDir;

use super::{git, write};

/// A repository of its own.
pub struct Repo {
    /// Keeps the folder for as long as the repository is in use.
    _folder: Option<TempDir>,
    /// The work tree, or the repository's folder where it is bare.
    pub path: PathBuf,
}

impl Repo {
    /// A new repository with the branch `main` and no commit.
    pub fn new() -> Self {
        Self::init(&[])
    }

    /// A new repository, made with further options of `git init`.
    pub fn init(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let repo = Self { _folder: Some(folder), path };
        repo.git(&[&["init", "--quiet", "--initial-branch", "main"], options].concat());
        repo
    }

    /// The repository in `path`, which another one keeps.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { _folder: None, path: path.into() }
    }

    /// A clone of this one.
    pub fn clone(&self, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let url = format!("file://{}", self.path.display());
        let output = git(&path).args(["clone", "--quiet"]).args(options).args([&url, "."]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { _folder: Some(folder), path }
    }

    /// What `git` prints; it has to succeed.
    pub fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?} in {}: {errors}", self.path.display());
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What `git` does, also when it fails.
    pub fn try_git(&self, args: &[&str]) -> Output {
        git(&self.path).args(["-c", "protocol.file.allow=always"]).args(args).output().unwrap()
    }

    /// Writes a file of the work tree.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        write(&self.path, path, content);
    }

    /// Writes a file and stages it, also where git ignores it.
    pub fn stage(&self, path: &str, content: impl AsRef<[u8]>) {
        self.write(path, content);
        self.git(&["add", "--force", "--", path]);
    }

    /// Stages everything and commits it.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--no-verify", "--allow-empty", "--message", message]);
    }

    /// A file of the repository's own folder.
    pub fn git_path(&self, name: &str) -> PathBuf {
        self.path.join(self.git(&["rev-parse", "--git-path", name]).trim())
    }

    /// The file of a loose object.
    pub fn object_path(&self, revision: &str) -> PathBuf {
        let id = self.git(&["rev-parse", revision]);
        let (folder, name) = id.trim().split_at(2);
        self.git_path("objects").join(folder).join(name)
    }

    /// Damages a loose object.
    pub fn damage(&self, revision: &str) {
        let path = self.object_path(revision);
        fs::remove_file(&path).unwrap();
        fs::write(path, b"no object").unwrap();
    }

    /// The repository as the program opens it.
    pub fn open(&self) -> Git {
        Git::discover(&self.path).unwrap().expect("a repository")
    }

    /// What `git diff` prints with `--raw`.
    pub fn raw_diff(&self, args: &[&str]) -> Vec<Row> {
        let options = ["diff", "--raw", "-z", "--no-abbrev", "-M100%", "-l0", "--ignore-submodules=none"];
        let output = self.try_git(&[&options, args].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        rows(&output.stdout)
    }
}

/// One change in the words of `git diff --raw`, so that both sides can be compared as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub path: Vec<u8>,
    pub previous: Option<Vec<u8>>,
    pub status: char,
    pub before: String,
    pub after: String,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, previous, status, before, after } = self;
        let previous = previous.as_ref().map(|path| path.as_bstr());
        write!(f, "{status} {previous:?} {:?} {before} {after}", path.as_bstr())
    }
}

/// Reads `git diff --raw -z`: `:mode mode id id status`, NUL, one path or two.
pub fn rows(output: &[u8]) -> Vec<Row> {
    let mut parts = output.split_str("\0");
    let mut rows = Vec::new();
    while let Some(head) = parts.next().filter(|head| !head.is_empty()) {
        let words: Vec<&str> = head.to_str().unwrap().trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old_id, new_id, status] = words.as_slice() else { panic!("{head:?}") };
        let status = status.chars().next().unwrap();
        let first = parts.next().unwrap().to_vec();
        let (previous, path) = match status {
            'R' => (Some(first), parts.next().unwrap().to_vec()),
            _ => (None, first),
        };
        let side = |mode: &str, id: &str| format!("{mode} {id}");
        let row = Row { path, previous, status, before: side(old_mode, old_id), after: side(new_mode, new_id) };
        rows.push(row);
    }
    rows.sort();
    rows
}

/// Our changes in the same words. `id_len` is the length of an id in hexadecimal digits.
pub fn as_rows(changes: &[Change], id_len: usize) -> Vec<Row> {
    let side = |blob: Option<Blob>| match blob {
        Some(blob) => format!("{:06o} {}", blob.kind as u16, blob.id),
        None => format!("000000 {}", "0".repeat(id_len)),
    };
    let of_change = |change: &Change| Row {
        path: change.path.to_vec(),
        previous: change.previous.as_ref().map(|path| path.to_vec()),
        status: match change.status {
            Status::Added => 'A',
            Status::Modified => 'M',
            Status::Deleted => 'D',
            Status::Renamed => 'R',
            Status::TypeChanged => 'T',
            Status::Unmerged => 'U',
        },
        before: side(change.before),
        after: side(change.after),
    };
    let mut rows: Vec<Row> = changes.iter().map(of_change).collect();
    rows.sort();
    rows
}
