//! Where the sessions of a repository are, and which of them is meant.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use bstr::ByteSlice;

use super::read::{Files, MOST_BYTES};
use crate::dialects::sessions::SESSIONS;
use crate::formats::session::field::SessionState;
use crate::formats::session::model::Status;
use crate::formats::session::{Named, SessionFile, Summary};
use crate::fs::read::FileError;
use crate::fs::{guard, read};
use crate::project::At;
use crate::select::repository::OpenError;
use crate::terminal::{display_path, escape};

/// Why there is no session to work with.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PlaceError {
    /// The repository cannot be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Open(#[from] OpenError),
    /// There is no folder of sessions.
    #[error("there is no session here: no `{}/` in {}", SESSIONS.join("/` and no `"), shown(root))]
    #[diagnostic(help(
        "a session is a folder such as `{}/2024-01-15T10-00-00/`; elsewhere, name it by its path; `--root DIR` names another repository",
        SESSIONS[0]
    ))]
    Nowhere {
        /// The root of the repository.
        root: PathBuf,
    },
    /// The folder that `--root` names has no folder of sessions.
    #[error("{} has no sessions: there is no `{}/` in it", shown(root), SESSIONS.join("/` and no `"))]
    #[diagnostic(help(
        "`--root` names the root of a repository; a session is named by its folder in `{}/`, without `--root`",
        SESSIONS[0]
    ))]
    NotARoot {
        /// The folder.
        root: PathBuf,
    },
    /// A folder cannot be read.
    #[error("cannot read {}", shown(path))]
    #[diagnostic(help("check that it exists, and that you have permission to read it"))]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A link leads out of the repository.
    #[error("cannot use {}: a symbolic link leads out of the repository", shown(path))]
    #[diagnostic(help("move the folder into the repository, or remove the link"))]
    Outside {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is not in the repository.
    #[error("cannot use {}: it is outside of {}", shown(path), shown(root))]
    #[diagnostic(help("`--root DIR` names the repository of the session"))]
    Elsewhere {
        /// The folder.
        path: PathBuf,
        /// The root of the repository.
        root: PathBuf,
    },
    /// The archive is in the folder of the sessions, or this is in the archive.
    #[error("cannot use {}: it leads to the folder of the sessions", shown(path))]
    #[diagnostic(help("remove the link; `session clean` creates the folder `archives`"))]
    SamePlace {
        /// The archive.
        path: PathBuf,
    },
    /// Another run cleans up.
    #[error("another process is cleaning up {}", shown(path))]
    #[diagnostic(help("run again when it has ended"))]
    Busy {
        /// The folder of the sessions.
        path: PathBuf,
    },
    /// The report on a session cannot be read.
    #[error("cannot read {}", shown(path))]
    #[diagnostic(help(
        "`session clean` writes its report at the top of this file; move the unreadable file elsewhere, and run again"
    ))]
    NoReport {
        /// The report.
        path: PathBuf,
        /// Why not.
        source: FileError,
    },
    /// The `locks` of a session is not a folder.
    #[error("{} is {what}, expected a folder", shown(path))]
    #[diagnostic(help("delete it; `session lock` creates the folder `locks`"))]
    NoLocks {
        /// Where the folder should be.
        path: PathBuf,
        /// What is in its place.
        what: &'static str,
    },
    /// The folder is not one of a session.
    #[error("{} is not a session: it has no file such as `session-status.md`", shown(path))]
    #[diagnostic(help("a session is a folder such as `{}/2024-01-15T10-00-00`", SESSIONS[0]))]
    NotASession {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has no sessions.
    #[error("there is no session in {}", shown(path))]
    #[diagnostic(help("a session is a folder there, such as `2024-01-15T10-00-00`"))]
    Empty {
        /// The folder of the sessions.
        path: PathBuf,
    },
    /// No session is active.
    #[error("no session is active in {}", shown(path))]
    #[diagnostic(help("{latest} has ended; name a session with `--session DIR`"))]
    NoneActive {
        /// The folder of the sessions.
        path: PathBuf,
        /// The name of the latest one.
        latest: String,
    },
    /// The session has ended, so that no agent works in it.
    #[error("session {name} is {state}: its agents cannot lock files")]
    #[diagnostic(help("name another session with `--session DIR`; a session with the `status` `active` continues"))]
    Ended {
        /// Its name.
        name: String,
        /// How it ended.
        state: &'static str,
    },
    /// The session was moved or removed meanwhile.
    #[error("session {name} no longer exists: its agents cannot lock files")]
    #[diagnostic(help("`session clean` moves a session to the archive after it has ended"))]
    Gone {
        /// Its name.
        name: String,
    },
    /// More than one session is active.
    #[error("several sessions are active in {}: {names}", shown(path))]
    #[diagnostic(help("name one of them: {option}"))]
    Several {
        /// The folder of the sessions.
        path: PathBuf,
        /// Their names.
        names: String,
        /// How a session is named.
        option: &'static str,
    },
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}

/// The sessions of a repository.
#[derive(Clone, Debug)]
pub struct Place {
    /// The root of the repository, canonical.
    pub root: PathBuf,
    /// The folder of the sessions, canonical.
    pub sessions: PathBuf,
    /// The state root: the folder that has the sessions, or the link to them.
    pub state: PathBuf,
}

/// One session.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its folder, canonical.
    pub path: PathBuf,
    /// How it is, if it says so.
    pub state: Option<SessionState>,
}

impl Place {
    /// The sessions of the current folder or of the nearest one above it that has some, in the repository at `root`, or in the
    /// one that git finds.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn open(root: Option<&Path>) -> Result<Self, PlaceError> {
        let repository = root.map_or(At::Here, At::Root).repository()?;
        let here = Path::new(".").canonicalize().unwrap_or_default();
        let starts = here.ancestors().take_while(|folder| root.is_none() && folder.starts_with(&repository.root));
        let folders = starts.chain([repository.root.as_path()]);
        let folders = folders.flat_map(|folder| SESSIONS.map(|sessions| folder.join(sessions)));
        let Some(path) = folders.into_iter().find(|path| path.is_dir()) else {
            let (at, is_given) = (repository.root, root.is_some());
            return Err(if is_given { PlaceError::NotARoot { root: at } } else { PlaceError::Nowhere { root: at } });
        };
        let sessions = inside(&repository.root, &path)?;
        let state = inside(&repository.root, path.parent().unwrap_or(&path))?;
        Ok(Self { root: repository.root, sessions, state })
    }

    /// The same for a command that has been `given` a session: one that is named by its path can lie in any folder of the repository.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn open_for(root: Option<&Path>, given: Option<&Path>) -> Result<Self, PlaceError> {
        let place = Self::open(root);
        let (Err(PlaceError::Nowhere { root } | PlaceError::NotARoot { root }), Some(given)) = (&place, given) else {
            return place;
        };
        let Some(sessions) = given.is_dir().then(|| given.join("..")) else { return place };
        let sessions =
            sessions.canonicalize().map_err(|source| PlaceError::Unreadable { path: given.into(), source })?;
        let state = sessions.parent().unwrap_or(&sessions).to_path_buf();
        Ok(Self { root: root.clone(), sessions, state })
    }

    /// The session in the folder `given`, by its path or its name.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn session(&self, given: &Path) -> Result<Folder, PlaceError> {
        let by_name = self.sessions.join(given);
        let is_name = matches!(given.components().collect::<Vec<_>>().as_slice(), [Component::Normal(_)]);
        let path = if by_name.is_dir() && (is_name || !given.is_dir()) { by_name } else { given.to_path_buf() };
        if let Err(source) = fs::read_dir(&path) {
            return Err(PlaceError::Unreadable { path, source });
        }
        let canonical = inside(&self.root, &path)?;
        let is_among_sessions = canonical.parent().is_some_and(|parent| parent.ends_with("sessions"));
        if is_among_sessions || has_session_file(&canonical) {
            Ok(Folder::read(&self.root, canonical))
        } else {
            Err(PlaceError::NotASession { path })
        }
    }

    /// All sessions, by their names, without those of [`Place::outside`].
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn all(&self) -> Result<Vec<Folder>, PlaceError> {
        let paths = self.paths()?.into_iter().filter(|path| !read::leads_out(&self.root, path));
        paths.map(|path| Ok(Folder::read(&self.root, inside(&self.root, &path)?))).collect()
    }

    /// The links that lead to sessions outside of the repository.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn outside(&self) -> Result<Vec<PathBuf>, PlaceError> {
        Ok(self.paths()?.into_iter().filter(|path| read::leads_out(&self.root, path)).collect())
    }

    /// Why there is none.
    fn empty(&self) -> PlaceError {
        match self.outside().ok().and_then(|mut paths| paths.pop()) {
            Some(path) => PlaceError::Outside { path },
            None => PlaceError::Empty { path: self.sessions.clone() },
        }
    }

    /// The paths of all sessions, in order.
    fn paths(&self) -> Result<Vec<PathBuf>, PlaceError> {
        let failed = |source| PlaceError::Unreadable { path: self.sessions.clone(), source };
        let sessions = self.sessions.canonicalize().map_err(failed)?;
        // `latest` often leads to the session beside it, which is there already.
        let is_beside = |path: &Path| {
            path.is_symlink() && path.canonicalize().is_ok_and(|target| target.parent() == Some(sessions.as_path()))
        };
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&self.sessions).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if !entry.file_name().as_encoded_bytes().starts_with(b".")
                && entry.path().is_dir()
                && !is_beside(&entry.path())
                && !is_left(&entry.path())
            {
                paths.push(entry.path());
            }
        }
        // The rest of a session that git leaves behind is not a session.
        if paths.iter().any(|path| has_file(path, None)) {
            paths.retain(|path| has_file(path, None));
        }
        paths.sort();
        Ok(paths)
    }

    /// The links beside the sessions, such as `latest`, each with the path of the session that it leads to, which need not exist.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn links(&self) -> Result<Vec<(PathBuf, PathBuf)>, PlaceError> {
        let failed = |source| PlaceError::Unreadable { path: self.sessions.clone(), source };
        let mut links = Vec::new();
        for entry in fs::read_dir(&self.sessions).map_err(failed)? {
            let link = entry.map_err(failed)?.path();
            let Ok(target) = fs::read_link(&link) else { continue };
            // Links lead to links.
            let target = link.canonicalize().unwrap_or_else(|_| self.sessions.join(target));
            let parent = target.parent().and_then(|parent| parent.canonicalize().ok());
            if let Some(name) = target.file_name().filter(|_| parent.as_ref() == Some(&self.sessions)) {
                links.push((link, self.sessions.join(name)));
            }
        }
        links.sort();
        Ok(links)
    }

    /// The session in the folder `given`, else the only one that has not ended.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn active(&self, given: Option<&Path>) -> Result<Folder, PlaceError> {
        if let Some(given) = given {
            return self.session(given);
        }
        let all = self.all()?;
        let latest = all.last().map(Folder::name);
        let (path, mut open) = (self.sessions.clone(), all.into_iter().filter(Folder::is_open).collect::<Vec<_>>());
        match (latest, open.len()) {
            (None, _) => Err(self.empty()),
            (Some(latest), 0) => Err(PlaceError::NoneActive { path, latest }),
            (_, 1) => Ok(open.remove(0)),
            _ => Err(self.several(&open, "`--session DIR`")),
        }
    }

    /// The sessions that have not ended; the latest one, if all have.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn current(&self) -> Result<Vec<Folder>, PlaceError> {
        let mut all = self.all()?;
        if all.iter().any(Folder::is_open) {
            all.retain(Folder::is_open);
            return Ok(all);
        }
        match all.pop() {
            Some(latest) => Ok(vec![latest]),
            None => Err(self.empty()),
        }
    }

    /// The session in the folder `given`, else the only current one.
    ///
    /// # Errors
    /// See [`PlaceError`].
    pub fn one(&self, given: Option<&Path>) -> Result<Folder, PlaceError> {
        if let Some(given) = given {
            return self.session(given);
        }
        let mut all = self.current()?;
        if all.len() > 1 {
            return Err(self.several(&all, "`session graph DIR`"));
        }
        Ok(all.remove(0))
    }

    /// The files of a session, and what they say together.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn read(&self, folder: &Folder) -> Result<(Files, Summary), PlaceError> {
        let mut files = Files::default();
        let read = files.refresh(&self.root, &folder.path);
        read.map_err(|source| PlaceError::Unreadable { path: folder.path.clone(), source })?;
        let all: Vec<&SessionFile> = files.files.values().map(AsRef::as_ref).collect();
        let summary = Summary::of(&all);
        Ok((files, summary))
    }

    /// The error that there are several of them.
    fn several(&self, folders: &[Folder], option: &'static str) -> PlaceError {
        let names: Vec<String> = folders.iter().map(Folder::name).collect();
        PlaceError::Several { path: self.sessions.clone(), names: names.join(", "), option }
    }
}

/// Whether no file is in `folder` but those that this program kept beside its locks: git moves and removes only what it knows.
fn is_left(folder: &Path) -> bool {
    let own = folder.join("locks").join(guard::OWN);
    own.is_dir() && !has_file(folder, Some(&own))
}

/// Whether a file or a link is below `folder`, and not in `except`. A folder that cannot be read may have one.
fn has_file(folder: &Path, except: Option<&Path>) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return true };
    let mut folders = Vec::new();
    for entry in entries {
        match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?.is_dir()))) {
            Ok((path, true)) if Some(path.as_path()) == except => {}
            Ok((path, true)) => folders.push(path),
            Ok((_, false)) | Err(_) => return true,
        }
    }
    folders.iter().any(|folder| has_file(folder, except))
}

/// Whether a file in `folder` has the name of one of a session.
fn has_session_file(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| Named::of(entry.file_name().as_encoded_bytes()).is_some())
}

/// The folder `path`, canonical, if it is in `root`.
///
/// # Errors
/// When it is not there, or elsewhere.
pub(super) fn inside(root: &Path, path: &Path) -> Result<PathBuf, PlaceError> {
    let canonical = path.canonicalize().map_err(|source| PlaceError::Unreadable { path: path.into(), source })?;
    match canonical.starts_with(root) {
        true => Ok(canonical),
        false if read::leads_out(root, path) => Err(PlaceError::Outside { path: path.into() }),
        false => Err(PlaceError::Elsewhere { path: path.into(), root: root.into() }),
    }
}

impl Folder {
    /// The session in the folder `path`, which is canonical, in the repository at `root`.
    pub fn read(root: &Path, path: PathBuf) -> Self {
        let state = status(root, &path).and_then(|status| Some(status.status?.value));
        Self { path, state }
    }

    /// Its name, for people.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        escape(&name.to_string_lossy())
    }

    /// Whether it has not ended, as far as it says.
    pub fn is_open(&self) -> bool {
        !self.state.is_some_and(has_ended)
    }

    /// Says so if its agents cannot lock files.
    ///
    /// # Errors
    /// [`PlaceError::Ended`], and [`PlaceError::Gone`] if its folder is no longer there.
    pub fn must_be_open(&self) -> Result<(), PlaceError> {
        match self.state.filter(|state| has_ended(*state)) {
            Some(state) => Err(PlaceError::Ended { name: self.name(), state: state.as_str() }),
            None if !self.path.is_dir() => Err(PlaceError::Gone { name: self.name() }),
            None => Ok(()),
        }
    }
}

/// Whether a session in this state has ended.
pub fn has_ended(state: SessionState) -> bool {
    matches!(state, SessionState::Completed | SessionState::Failed)
}

/// How often a status is read that is not whole.
const TRIES: usize = 5;

/// The status of the session in `folder`, if there is one that can be read.
fn status(root: &Path, folder: &Path) -> Option<Status> {
    let names = ["session-status.md", "session-status.yaml", "session-status.yml"];
    let path = names.iter().map(|name| folder.join(name)).find(|path| path.exists())?;
    // Its agent can be writing it: then it is whole in a moment.
    for _ in 0..TRIES {
        let bytes = read::read_inside(root, &path, MOST_BYTES).unwrap_or_default();
        let read = bytes.to_str().ok().map(|text| SessionFile::parse(text, Named::Status));
        if let Some(status) = read.and_then(|read| read.status().cloned())
            && status.status.is_some()
        {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
