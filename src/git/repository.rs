//! An open repository: objects, `HEAD` and revisions, by gix. The `git` program never runs, and nothing is fetched.

use std::fmt;
use std::path::Path;

use bstr::{BStr, BString};
use gix::ObjectId;
use gix::objs::{Find, Kind};

use super::error::{Cause, GitError};

use crate::fs::read::Unread;

/// An object that is not in the repository.
#[derive(Debug, thiserror::Error)]
#[error("it is not in this repository")]
struct Missing;

/// An object of another kind than its place asks for.
#[derive(Debug, thiserror::Error)]
#[error("it is a {0}")]
struct OtherKind(Kind);

/// An open repository, for all threads.
#[derive(Clone)]
pub struct Git {
    shared: gix::ThreadSafeRepository,
}

impl fmt::Debug for Git {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Git").field(&self.git_dir()).finish()
    }
}

impl Git {
    /// The repository that holds the folder `at`, as git would find it: `GIT_DIR`, `GIT_WORK_TREE` and `GIT_INDEX_FILE`
    /// count. `None` where there is none.
    ///
    /// # Errors
    /// When it is damaged, or belongs to somebody else.
    pub fn discover(at: &Path) -> Result<Option<Self>, Box<gix::Error>> {
        // To verify the hash over the index would cost ten times what reading it costs; git does not do it either.
        let options =
            || gix::open::Options::default().bail_if_untrusted(true).config_overrides(["index.skipHash=true"]);
        let trust = gix::sec::trust::Mapping { full: options(), reduced: options() };
        let upwards = gix::discover::upwards::Options::default();
        match gix::ThreadSafeRepository::discover_with_environment_overrides_opts(at, upwards, trust) {
            Ok(shared) => Ok(Some(Self { shared })),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(Box::new(error)),
        }
    }

    /// The repository for one thread.
    pub(crate) fn local(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// The folder of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.shared.work_dir()
    }

    /// The repository's own folder.
    pub fn git_dir(&self) -> &Path {
        self.shared.git_dir()
    }

    /// The short name of the branch that is checked out, also where it has no commit yet; `None` for a detached HEAD.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn branch(&self) -> Result<Option<BString>, GitError> {
        let name = self.local().head_name().map_err(|error| GitError::new("HEAD", error))?;
        Ok(name.map(|name| name.as_ref().shorten().to_owned()))
    }

    /// Whether a merge is under way that the next commit ends.
    pub fn is_merging(&self) -> bool {
        self.local().path().join("MERGE_HEAD").is_file()
    }

    /// The bytes of a blob, at most `cap` of them; `path` is where it stands.
    ///
    /// # Errors
    /// When it is too large, missing or damaged.
    pub fn blob(&self, id: ObjectId, path: &BStr, cap: u64) -> Result<Vec<u8>, Unread> {
        let repository = self.local();
        let fail = |source: Cause| Unread::Git(object_error(&repository, Kind::Blob, id, path, source));
        // What is too large is never inflated. To ask a loose object for its size means to begin inflating it: one whose
        // file is small enough cannot be too large.
        if loose_len(&repository, id).is_none_or(|len| len.saturating_mul(DEFLATE_MAX) > cap) {
            let header = repository.try_find_header(id).map_err(|error| fail(Box::new(error)))?;
            let size = header.ok_or_else(|| fail(Box::new(Missing)))?.size();
            if size > cap {
                return Err(Unread::TooBig { size, cap });
            }
        }
        let mut bytes = Vec::new();
        find(&repository, Kind::Blob, id, path, &mut bytes).map_err(Unread::Git)?;
        Ok(bytes)
    }
}

/// How many times as large as a deflated stream that which it holds can be.
const DEFLATE_MAX: u64 = 1032;

/// The length of the file in which a loose object lies deflated; `None` where it is not loose here.
fn loose_len(repository: &gix::Repository, id: ObjectId) -> Option<u64> {
    let hex = id.to_string();
    let (folder, name) = hex.split_at_checked(2)?;
    let path = repository.objects.store_ref().path().join(folder).join(name);
    std::fs::metadata(path).ok().map(|metadata| metadata.len())
}

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
        if repository.find_reference(&name).is_ok() {
            return GitError::Head { name, source };
        }
        let shallow = repository.is_shallow().unwrap_or(false);
        GitError::Revision { nearest: nearest_name(repository, &name), name, shallow, source }
    })
}

/// The branch or tag whose name is nearest to `name`, followed by the `~2` that `name` ends with.
fn nearest_name(repository: &gix::Repository, name: &str) -> Option<String> {
    let (base, suffix) = name.split_at(name.find(['~', '^', '@', ':']).unwrap_or(name.len()));
    let references = repository.references().ok()?;
    let names = references.all().ok()?.filter_map(Result::ok).map(|found| found.name().shorten().to_string());
    let names = names.chain(["HEAD".to_owned()]).filter(|known| known != base);
    let (distance, nearest) = names.map(|known| (strsim::damerau_levenshtein(base, &known), known)).min()?;
    (distance <= 1 + base.len() / 4).then(|| format!("{nearest}{suffix}"))
}
