//! Other bytes for files that are staged: those in the index and those in the working tree change together, or neither does.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::attrs::StateRef;
use gix::filter::plumbing::pipeline::convert::to_worktree;
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::index::{Entry, fs::Metadata};
use gix::objs::{Kind, compute_hash};
use gix::worktree::stack::state::attributes::Source;

use crate::git::repository::Git;
use crate::git::write::lock::{IndexError, Rewrite};

/// Why a file stays as it is, in the index and in the work tree.
#[derive(Debug, thiserror::Error)]
pub enum NotStaged {
    /// The index holds other bytes by now, or none.
    #[error("another program staged it in the meantime")]
    Moved,
    /// The work tree holds other bytes: changes that are not staged.
    #[error("its working copy differs from the staged version")]
    Differs,
    /// The work tree does not hold it.
    #[error("it is staged, but not in the working tree")]
    Gone,
    /// The work tree holds a link or a folder in its place.
    #[error("it is not a regular file in the working tree")]
    NotAFile,
    /// It is in the work tree and not in the index.
    #[error("it is in the working tree, but not staged")]
    Untracked,
    /// A program makes one of the other.
    #[error("the attribute `filter={0}` converts it when it is staged")]
    Filter(String),
    /// The attributes or the configuration convert it, and not back to the same bytes.
    #[error("its working copy cannot be derived from the staged version: line endings or encoding differ")]
    Conversion,
    /// The attributes give it another encoding in the work tree, from which git would not make the same bytes again.
    #[error(
        "with the attribute `working-tree-encoding={0}`, git would check out other bytes than its working copy has"
    )]
    Encoding(String),
    /// The operating system says no.
    #[error("cannot {0} it")]
    Io(&'static str, #[source] std::io::Error),
    /// Git's objects or attributes cannot be read or written.
    #[error("git cannot {0}")]
    Git(&'static str, #[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The bytes of a file of the work tree.
#[derive(Debug, PartialEq, Eq)]
pub struct OnDisk {
    /// As they are; `None` where there is no file yet.
    pub old: Option<Vec<u8>>,
    /// As they are to become.
    pub new: Vec<u8>,
}

/// What is being staged anew. The index is locked; dropped, it is as it was.
pub struct Restage {
    rewrite: Rewrite,
    repository: gix::Repository,
    /// Whether objects get to where git would write them.
    is_writable: bool,
    root: PathBuf,
    /// What the entries were; `None` for new ones.
    before: BTreeMap<BString, Option<(ObjectId, Stat)>>,
}

impl fmt::Debug for Restage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restage").field("root", &self.root).field("before", &self.before.keys()).finish_non_exhaustive()
    }
}

impl Restage {
    /// Locks the index of `git`, whose work tree is at `root`.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn begin(git: &Git, root: &Path) -> Result<Self, IndexError> {
        let repository = git.local();
        let rewrite = Rewrite::begin(git)?;
        Ok(Self { rewrite, repository, is_writable: git.is_writable(), root: root.into(), before: BTreeMap::new() })
    }

    /// Stages `new` in the place of `old`, which the index holds at `path` (`None`: nothing), and writes it to the object
    /// database. The caller is to write what the answer says to the work tree, and then to call [`Restage::keep`], or
    /// [`Restage::take_back`] where that failed.
    ///
    /// # Errors
    /// See [`NotStaged`]; nothing has changed.
    pub fn stage(&mut self, path: &BStr, old: Option<&[u8]>, new: &[u8]) -> Result<OnDisk, NotStaged> {
        let on_disk = match old {
            Some(old) => self.known(path, old, new)?,
            None => self.unknown(path, new)?,
        };
        if !self.is_writable {
            let reason = "`GIT_ALTERNATE_OBJECT_DIRECTORIES` is set";
            return Err(NotStaged::Git("write an object", reason.into()));
        }
        let written =
            self.repository.write_blob(new).map_err(|error| NotStaged::Git("write an object", error.into()))?;
        let (id, stat) = (written.detach(), Stat::default());
        // With a size of 0, until the file is in its place: git would have to look at its content.
        if let Some(entry) = self.entry(path) {
            let before = (std::mem::replace(&mut entry.id, id), std::mem::replace(&mut entry.stat, stat));
            self.before.insert(path.into(), Some(before));
        } else {
            self.rewrite.index.dangerously_push_entry(stat, id, Flags::empty(), Mode::FILE, path);
            self.rewrite.index.sort_entries();
            self.before.insert(path.into(), None);
        }
        Ok(on_disk)
    }

    /// Writes the index beside the old one, where all of it has to fit.
    ///
    /// # Errors
    /// When the disk is full, for one.
    pub fn prepare(&mut self) -> Result<(), IndexError> {
        self.rewrite.write(&self.before.keys().map(AsRef::as_ref).collect())
    }

    /// The file at `path` is in its place: git can tell by its times that it is the one that is staged.
    pub fn keep(&mut self, path: &BStr) {
        let metadata = path.to_path().ok().and_then(|path| Metadata::from_path_no_follow(&self.root.join(path)).ok());
        let stat = metadata.and_then(|metadata| Stat::from_fs(&metadata).ok());
        if let (Some(stat), Some(entry)) = (stat, self.entry(path)) {
            entry.stat = stat;
        }
    }

    /// Leaves `path` in the index as it was.
    pub fn take_back(&mut self, path: &BStr) {
        match self.before.remove(path) {
            Some(Some((id, stat))) => {
                if let Some(entry) = self.entry(path) {
                    (entry.id, entry.stat) = (id, stat);
                }
            }
            Some(None) => self.rewrite.index.remove_entries(|_, other, _| other == path),
            None => {}
        }
    }

    /// Puts the new index into the old one's place; leaves that where nothing was staged.
    ///
    /// # Errors
    /// When it cannot be written; the index is then as it was.
    pub fn commit(mut self) -> Result<(), IndexError> {
        if self.before.is_empty() {
            return Ok(());
        }
        self.prepare()?;
        self.rewrite.commit()
    }

    fn entry(&mut self, path: &BStr) -> Option<&mut Entry> {
        self.rewrite.index.entry_mut_by_path_and_stage(path, Stage::Unconflicted)
    }

    /// For a file that is in the index and in the work tree.
    fn known(&mut self, path: &BStr, old: &[u8], new: &[u8]) -> Result<OnDisk, NotStaged> {
        let hash = compute_hash(self.repository.object_hash(), Kind::Blob, old);
        let hash = hash.map_err(|error| NotStaged::Git("name the object", error.into()))?;
        let is_as_read = |entry: &mut Entry| entry.id == hash && !entry.flags.contains(Flags::INTENT_TO_ADD);
        if !self.entry(path).is_some_and(is_as_read) {
            return Err(NotStaged::Moved);
        }
        let full = self.root.join(native(path)?);
        match fs::symlink_metadata(&full) {
            Ok(metadata) if !metadata.is_file() => return Err(NotStaged::NotAFile),
            Err(error) if is_absent(&error) => return Err(NotStaged::Gone),
            _ => {}
        }
        let disk = fs::read(&full).map_err(|error| NotStaged::Io("read", error))?;
        let there = if disk == old {
            // No conversion there; nor in the new one, or it cannot be written as it is.
            new.to_vec()
        } else {
            if self.to_git(path, &disk)? != old {
                return Err(NotStaged::Differs);
            }
            if self.to_disk(path, old)? != disk {
                return Err(self.encoding(path)?.map_or(NotStaged::Conversion, NotStaged::Encoding));
            }
            self.to_disk(path, new)?
        };
        if self.to_git(path, &there)? != new {
            return Err(NotStaged::Conversion);
        }
        Ok(OnDisk { old: Some(disk), new: there })
    }

    /// For a file that is neither in the index nor in the work tree.
    fn unknown(&mut self, path: &BStr, new: &[u8]) -> Result<OnDisk, NotStaged> {
        if self.rewrite.index.entry_by_path(path).is_some() {
            return Err(NotStaged::Moved);
        }
        match fs::symlink_metadata(self.root.join(native(path)?)) {
            Err(error) if is_absent(&error) => {}
            _ => return Err(NotStaged::Untracked),
        }
        let there = self.to_disk(path, new)?;
        if self.to_git(path, &there)? != new {
            return Err(NotStaged::Conversion);
        }
        Ok(OnDisk { old: None, new: there })
    }

    /// What `git add` would store of these bytes of the work tree.
    fn to_git(&self, path: &BStr, disk: &[u8]) -> Result<Vec<u8>, NotStaged> {
        let mut pipeline = self.pipeline(path)?;
        let outcome = pipeline.convert_to_git(disk, native(path)?, &self.rewrite.index);
        let mut bytes = Vec::new();
        // What would not come back as it is, as `core.safecrlf` may demand, is an error here.
        let read =
            outcome.map_err(|_| NotStaged::Conversion).map(|mut it| std::io::Read::read_to_end(&mut it, &mut bytes));
        read?.map_err(|error| NotStaged::Io("convert", error))?;
        Ok(bytes)
    }

    /// What `git checkout` would make of these bytes of the index.
    fn to_disk(&self, path: &BStr, stored: &[u8]) -> Result<Vec<u8>, NotStaged> {
        let mut pipeline = self.pipeline(path)?;
        let outcome = pipeline.convert_to_worktree(stored, path, to_worktree::Options::default());
        let mut bytes = Vec::new();
        let read =
            outcome.map_err(|_| NotStaged::Conversion).map(|mut it| std::io::Read::read_to_end(&mut it, &mut bytes));
        read?.map_err(|error| NotStaged::Io("convert", error))?;
        Ok(bytes)
    }

    /// The encoding that the attributes give the file in the work tree.
    fn encoding(&self, path: &BStr) -> Result<Option<String>, NotStaged> {
        self.attribute(path, "working-tree-encoding").map(|(name, _)| name)
    }

    /// The value of an attribute, and what is needed to ask for others.
    fn attribute(&self, path: &BStr, name: &str) -> Result<(Option<String>, gix::AttributeStack<'_>), NotStaged> {
        let failed = |error: gix::Error| NotStaged::Git("read the attributes", error.into());
        let stack = self.repository.attributes_only(&self.rewrite.index, Source::WorktreeThenIdMapping);
        let mut stack = stack.map_err(failed)?;
        let mut found = stack.selected_attribute_matches([name]);
        let platform = stack.at_path(native(path)?, Some(Mode::FILE));
        platform.map_err(|error| NotStaged::Git("read the attributes", error.into()))?.matching_attributes(&mut found);
        let value = found.iter_selected().find_map(|found| match found.assignment.state {
            StateRef::Value(name) => Some(name.as_bstr().to_string()),
            _ => None,
        });
        Ok((value, stack))
    }

    /// The conversions that git does itself; no program runs.
    fn pipeline(&self, path: &BStr) -> Result<gix::filter::Pipeline<'_>, NotStaged> {
        let failed = |error: gix::Error| NotStaged::Git("read the attributes", error.into());
        match self.attribute(path, "filter")? {
            (Some(name), _) => Err(NotStaged::Filter(name)),
            (None, stack) => gix::filter::Pipeline::new(&self.repository, stack.detach()).map_err(failed),
        }
    }
}

fn native(path: &BStr) -> Result<&Path, NotStaged> {
    path.to_path().map_err(|_| NotStaged::Io("name", std::io::ErrorKind::InvalidFilename.into()))
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
