//! An open repository: objects, `HEAD` and revisions, by gix. The `git` program never runs, and nothing is fetched.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::{Find, Kind};

use super::error::{Cause, GitError};
use super::open::{self, Opened};
use super::packed::{self, Bases};
use crate::text::suggest::{Tolerance, nearest};

pub use super::open::Unopened;

/// An object that is not in the repository.
#[derive(Debug, thiserror::Error)]
#[error("it is not in this repository")]
struct Missing;

/// An object of another kind than its place asks for.
#[derive(Debug, thiserror::Error)]
#[error("it is a {0}")]
struct OtherKind(Kind);

/// A repository for one thread, with room for an object.
type Local = (gix::Repository, Vec<u8>);

/// An open repository, for all threads.
#[derive(Clone)]
pub struct Git {
    shared: gix::ThreadSafeRepository,
    /// The file that `GIT_INDEX_FILE` names.
    index: Option<PathBuf>,
    /// Keeps the list of the object folders that the environment names.
    alternates: Option<Arc<tempfile::TempDir>>,
    /// What no thread uses: to make one costs more than to read a small object.
    spare: Arc<Mutex<Vec<Local>>>,
    bases: Bases,
    /// The folders of loose objects when one was first asked for, such as `b0`.
    loose: Arc<OnceLock<BTreeSet<OsString>>>,
}

impl fmt::Debug for Git {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Git").field(&self.git_dir()).finish()
    }
}

impl Git {
    /// The repository that holds the folder `at`, as git would find it: its variables in the environment count. `None`
    /// where there is none.
    ///
    /// # Errors
    /// When it is damaged or belongs to somebody else, and when a `.git` or a variable leads nowhere.
    pub fn discover(at: &Path) -> Result<Option<Self>, Unopened> {
        let opened = open::open(at)?;
        Ok(opened.map(|Opened { shared, index, alternates }| Self {
            shared,
            index,
            alternates,
            spare: Arc::default(),
            bases: Bases::default(),
            loose: Arc::default(),
        }))
    }

    /// The file of the index.
    pub(crate) fn index_path(&self) -> PathBuf {
        self.index.clone().unwrap_or_else(|| self.read(gix::Repository::index_path))
    }

    /// Whether the index has a file. One that was named has to be there.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn has_index(&self) -> Result<bool, GitError> {
        match (self.index_path().symlink_metadata().is_ok(), &self.index) {
            (false, Some(path)) => Err(GitError::NoIndex { path: path.clone() }),
            (there, _) => Ok(there),
        }
    }

    /// The index as it is now, decoded; an empty one where there is none.
    ///
    /// # Errors
    /// When it is damaged, or cannot be read.
    pub(crate) fn read_index(&self) -> Result<gix::index::File, GitError> {
        let repository = self.local();
        let (path, hash) = (self.index_path(), repository.object_hash());
        if !self.has_index()? {
            return Ok(gix::index::File::from_state(gix::index::State::new(hash), path));
        }
        let read = match path == repository.index_path() {
            true => repository.open_index(),
            false => gix::index::File::at(path, hash, true, gix::index::decode::Options::default()),
        };
        read.map_err(|error| GitError::Index { source: Box::new(error) })
    }

    /// Whether objects can be written to where git would write them.
    pub(crate) fn is_writable(&self) -> bool {
        self.alternates.is_none()
    }

    /// The repository for one thread.
    pub(crate) fn local(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// What `read` reads from the repository.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&gix::Repository) -> T) -> T {
        self.read_into(|repository, _| read(repository))
    }

    /// What `read` reads from the repository, with room for an object.
    fn read_into<T>(&self, read: impl FnOnce(&gix::Repository, &mut Vec<u8>) -> T) -> T {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (repository, mut buffer) = spare.unwrap_or_else(|| {
            let (mut repository, bases) = (self.local(), self.bases.clone());
            repository.objects.set_pack_cache(move || Box::new(bases.clone()));
            (repository, Vec::new())
        });
        let result = read(&repository, &mut buffer);
        if buffer.capacity() > MAX_ROOM {
            buffer = Vec::new();
        }
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push((repository, buffer));
        result
    }

    /// The folder of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.shared.work_dir()
    }

    /// The repository's own folder.
    pub fn git_dir(&self) -> &Path {
        self.shared.git_dir()
    }

    /// The folder that all work trees of the repository share.
    pub fn common_dir(&self) -> PathBuf {
        let common = self.read(|repository| repository.common_dir().to_path_buf());
        // From a linked work tree it is reached over `..`.
        common.canonicalize().unwrap_or(common)
    }

    /// The commit that `name` means, as a hexadecimal number; `None` if there is none.
    pub fn commit(&self, name: &str) -> Option<String> {
        self.read(|repository| commit_of(repository, name, false).ok()?.commit.map(|id| id.to_string()))
    }

    /// The tree without files, as a hexadecimal number: what was there before the first commit.
    pub(crate) fn empty_tree(&self) -> String {
        self.read(|repository| ObjectId::empty_tree(repository.object_hash()).to_string())
    }

    /// The ignore file of all work trees of the repository, which need not be there.
    pub(crate) fn exclude_file(&self) -> PathBuf {
        self.read(|repository| repository.common_dir().join("info/exclude"))
    }

    /// The ignore file of the user, for all repositories, which need not be there. A relative path is one in `root`, the top of the
    /// work tree.
    ///
    /// # Errors
    /// When `core.excludesFile` has no path.
    pub(crate) fn user_exclude_file(&self, root: &Path) -> Result<Option<PathBuf>, GitError> {
        let configured = self
            .read(|repository| repository.config_snapshot().trusted_path("core.excludesFile"))
            .map_err(|error| GitError::new("`core.excludesFile`", error))?;
        let usual = || gix::path::env::xdg_config("ignore", &mut |name| std::env::var_os(name));
        Ok(configured.map(|path: PathBuf| root.join(path)).or_else(usual))
    }

    /// The short name of the branch that is checked out, also where it has no commit yet; `None` for a detached HEAD.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn branch(&self) -> Result<Option<BString>, GitError> {
        let name = self.read(gix::Repository::head_name).map_err(|error| GitError::new("HEAD", error))?;
        Ok(name.map(|name| name.as_ref().shorten().to_owned()))
    }

    /// The branch that `name` means, here or of a remote: `main` for `origin/main`. `None` for what is no branch.
    pub fn branch_named(&self, name: &str) -> Option<BString> {
        self.read(|repository| {
            let reference = repository.try_find_reference(name).ok()??;
            short_branch(reference.name())
        })
    }

    /// The references to branches of that name: the own one, then those of remotes, such as `origin/squad-state`. None if
    /// they cannot be read.
    pub fn branches_named(&self, branch: &BStr) -> Vec<BString> {
        self.read(|repository| {
            let references = repository.references().ok();
            let all = references.iter().filter_map(|references| references.all().ok()).flatten().filter_map(Result::ok);
            let own = all.filter(|reference| short_branch(reference.name()).is_some_and(|name| name == branch));
            let mut names: Vec<BString> = own.map(|reference| reference.name().shorten().to_owned()).collect();
            names.sort_by_key(|name| name.len());
            names
        })
    }

    /// The references whose names begin with `prefix`, in full: `refs/notes/squad/keaton`. None if they cannot be read.
    pub fn references_below(&self, prefix: &str) -> Vec<BString> {
        self.read(|repository| {
            let references = repository.references().ok();
            let all = references.iter().filter_map(|references| references.prefixed(prefix).ok()).flatten();
            all.filter_map(Result::ok).map(|reference| reference.name().as_bstr().to_owned()).collect()
        })
    }

    /// Whether a merge is under way that the next commit ends.
    pub fn is_merging(&self) -> bool {
        self.read(|repository| repository.path().join("MERGE_HEAD")).is_file()
    }

    /// The bytes of the blob at `path`, at most `cap` of them.
    ///
    /// # Errors
    /// When it is too large, missing or damaged.
    pub fn blob(&self, id: ObjectId, path: &BStr, cap: u64) -> Result<Vec<u8>, BlobError> {
        self.read_into(|repository, buffer| {
            let fail = |source: Cause| BlobError::Git(object_error(repository, Kind::Blob, id, path, source));
            // What is too large is never inflated. To ask a loose object for its size means to begin inflating it: one whose
            // file is small enough cannot be too large.
            if self.loose_len(repository, id).is_none_or(|len| len.saturating_mul(DEFLATE_MAX) > cap) {
                let header = repository.try_find_header(id).map_err(|error| fail(Box::new(error)))?;
                let size = header.ok_or_else(|| fail(Box::new(Missing)))?.size();
                if size > cap {
                    return Err(BlobError::TooBig { size, cap });
                }
            }
            find(repository, Kind::Blob, id, path, buffer).map_err(BlobError::Git)?;
            // What it was made from was in the buffer, too: the next one finds room there, and this one gets what it needs. A large
            // one is not copied.
            if buffer.len() < MAX_ROOM {
                return Ok(buffer.clone());
            }
            let mut bytes = std::mem::take(buffer);
            bytes.shrink_to_fit();
            Ok(bytes)
        })
    }

    /// Sorts `items` into the order in which their objects are read fastest.
    pub fn sort_as_packed<T>(&self, items: &mut [T], id: impl Fn(&T) -> Option<ObjectId>) {
        self.read(|repository| packed::sort(repository, items, id));
    }

    /// The length of the file in which a loose object lies deflated; `None` where it is not loose here, or became so meanwhile.
    fn loose_len(&self, repository: &gix::Repository, id: ObjectId) -> Option<u64> {
        let objects = repository.objects.store_ref().path();
        // After `git gc` there are none: to ask for the file of each object would take longer than to read it.
        let folders = self.loose.get_or_init(|| {
            let entries = std::fs::read_dir(objects).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name()).filter(|name| name.len() == 2).collect()
        });
        let hex = id.to_string();
        let (folder, name) = hex.split_at_checked(2)?;
        folders.get(OsStr::new(folder))?;
        std::fs::metadata(objects.join(folder).join(name)).ok().map(|metadata| metadata.len())
    }
}

/// Why a blob could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// It is larger than the cap.
    #[error("it has {size} bytes, more than {cap}")]
    TooBig {
        /// Its size in bytes.
        size: u64,
        /// The cap in bytes.
        cap: u64,
    },
    /// It is missing or damaged.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The room for an object that is kept for the next one has so many bytes at most.
const MAX_ROOM: usize = 1 << 20;

/// How many times as large as a deflated stream that which it holds can be.
const DEFLATE_MAX: u64 = 1032;

/// Reads the object `id`, which has to be a `kind`, into `buffer`.
pub(crate) fn find(
    repository: &gix::Repository,
    kind: Kind,
    id: ObjectId,
    path: &BStr,
    buffer: &mut Vec<u8>,
) -> Result<(), GitError> {
    let fail = |source: Cause| object_error(repository, kind, id, path, source);
    let found = repository.try_find(&id, buffer).map_err(|error| fail(Box::new(error)))?;
    match found.map(|data| data.kind) {
        Some(found) if found == kind => Ok(()),
        Some(other) => Err(fail(Box::new(OtherKind(other)))),
        None => Err(fail(Box::new(Missing))),
    }
}

pub(crate) fn object_error(
    repository: &gix::Repository,
    kind: Kind,
    id: ObjectId,
    path: &BStr,
    source: Cause,
) -> GitError {
    let config = repository.config_snapshot();
    let partial = config.string("extensions.partialClone").is_some()
        || config
            .plumbing()
            .sections_by_name("remote")
            .into_iter()
            .flatten()
            .any(|remote| remote.value("promisor").is_some() || remote.value("partialclonefilter").is_some());
    GitError::Object { kind, id, path: path.into(), partial, source }
}

/// The tree of the commit that `HEAD` leads to; the empty tree where there is no commit yet.
///
/// # Errors
/// When `HEAD`, or the commit, is missing or damaged.
pub(crate) fn head_tree(repository: &gix::Repository) -> Result<ObjectId, GitError> {
    let head = |error| GitError::Head { name: "HEAD".into(), source: Box::new(error) };
    repository.head_tree_id_or_empty().map(gix::Id::detach).map_err(head)
}

/// The object that `name` means, as git reads it.
///
/// # Errors
/// When there is none, with the name that was probably meant.
pub(crate) fn revision(repository: &gix::Repository, name: &str) -> Result<ObjectId, GitError> {
    repository.rev_parse_single(name).map(gix::Id::detach).map_err(|error| {
        let (name, source) = (name.to_owned(), Box::new(error));
        let format = repository.config_snapshot().string("extensions.refStorage");
        if format.is_some_and(|format| format.eq_ignore_ascii_case(b"reftable")) {
            return GitError::Reftable { name };
        }
        if let Some(branch) = unborn(repository) {
            let (base, _) = name.split_at(name.find(['~', '^', '@', ':']).unwrap_or(name.len()));
            if ["HEAD", "", &branch, &format!("refs/heads/{branch}")].contains(&base) {
                return GitError::Unborn { name, branch };
            }
        }
        if repository.find_reference(&name).is_ok() {
            return GitError::Head { name, source };
        }
        let shallow = repository.is_shallow().unwrap_or(false);
        GitError::Revision { nearest: nearest_name(repository, &name), name, shallow, source }
    })
}

/// The name of a branch, without that of its remote.
fn short_branch(name: &gix::refs::FullNameRef) -> Option<BString> {
    match name.category_and_short_name()? {
        (gix::refs::Category::LocalBranch, name) => Some(name.to_owned()),
        (gix::refs::Category::RemoteBranch, name) => {
            name.find_byte(b'/').and_then(|at| name.get(at + 1..)).map(BString::from)
        }
        _ => None,
    }
}

/// The branch that is checked out, where it has no commit yet.
fn unborn(repository: &gix::Repository) -> Option<String> {
    let head = repository.head().ok().filter(gix::Head::is_unborn)?;
    head.referent_name().map(|name| name.shorten().to_string())
}

/// A tree, and the commit on the way to it.
pub(crate) struct Peeled {
    pub(crate) commit: Option<ObjectId>,
    pub(crate) tree: ObjectId,
}

/// The commit that `name` means, and its tree. The empty tree will do as well: it is what was there before the first commit. With
/// `or_tree` each tree will do that is not a folder of another one.
///
/// # Errors
/// When there is none, or it is something else.
pub(crate) fn commit_of(repository: &gix::Repository, name: &str, or_tree: bool) -> Result<Peeled, GitError> {
    let id = revision(repository, name)?;
    let fail = |error: gix::Error| object_error(repository, Kind::Commit, id, BStr::new(""), Box::new(error));
    let object = repository.find_object(id).map_err(fail)?;
    let tagged = object.kind == Kind::Tag;
    let object = object.peel_tags_to_end().map_err(fail)?;
    let is_folder =
        || repository.rev_parse(name).is_ok_and(|spec| spec.path_and_mode().is_some_and(|(path, _)| !path.is_empty()));
    let found = match (object.kind, tagged) {
        (Kind::Commit, _) => {
            let commit = object.try_into_commit().map_err(fail)?;
            return Ok(Peeled { commit: Some(commit.id), tree: commit.tree_id().map_err(fail)?.detach() });
        }
        (Kind::Tree, _) if object.id == ObjectId::empty_tree(repository.object_hash()) || or_tree && !is_folder() => {
            return Ok(Peeled { commit: None, tree: object.id });
        }
        (Kind::Tree, false) if or_tree => "the tree of a folder",
        (Kind::Tree, false) => "a tree",
        (Kind::Tree, true) => "the tag of a tree",
        (_, false) => "a file",
        (_, true) => "the tag of a file",
    };
    Err(GitError::OtherThing { name: name.to_owned(), found, or_tree })
}

/// The branch or tag whose name is nearest to `name`, followed by the `~2` that `name` ends with.
fn nearest_name(repository: &gix::Repository, name: &str) -> Option<String> {
    let (base, suffix) = name.split_at(name.find(['~', '^', '@', ':']).unwrap_or(name.len()));
    let references = repository.references().ok()?;
    let names = references.all().ok()?.filter_map(Result::ok).map(|found| found.name().shorten().to_string());
    let names: Vec<String> = names.chain(["HEAD".to_owned()]).filter(|known| known != base).collect();
    // In a new clone only the remote has the branch.
    let is_remote = |name: &&String| name.strip_suffix(base).is_some_and(|remote| remote.ends_with('/'));
    if let Some(remote) = names.iter().find(is_remote).filter(|_| !base.is_empty()) {
        return Some(format!("{remote}{suffix}"));
    }
    let nearest = nearest(base, names.iter().map(String::as_str), Tolerance::Help)?;
    Some(format!("{nearest}{suffix}"))
}
