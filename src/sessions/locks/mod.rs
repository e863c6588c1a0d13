//! Locks on files: one agent at a time changes a file.
//!
//! Each change of a lock is made by one process at a time, which the operating system sees to (`fs/guard.rs`). So the lock that is
//! found expired is the one that is replaced, and a holder that renews either comes before that or sees it. A lock appears whole
//! and goes whole, so that others can read locks without a guard. The guard is free when its process ends, however it ends.

mod doubt;
mod named;
mod queue;
mod read;
pub mod report;
mod subject;
mod text;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use self::doubt::Doubt;
use self::queue::{Line, Ticket};
pub use self::read::{Lock, Unreadable, all, names};
use self::subject::{Bases, Same};
pub use self::subject::{Subject, SubjectError};
use self::text::Content;
use crate::formats::session::field::{Agent, Operation};
use crate::formats::timestamp::Timestamp;
use crate::fs::atomic::{self, WriteError};
use crate::fs::guard::{Guard, GuardError, OWN};
use crate::fs::read::instead_of_folder;
use crate::sessions::clock::{Clock, Moment};
use crate::sessions::folder::{Folder, Place, PlaceError, inside};

/// The locks of one session.
#[derive(Clone, Debug)]
pub struct Locks {
    /// The root of the repository, canonical.
    pub root: PathBuf,
    /// The folder of the session, canonical.
    pub session: PathBuf,
    /// The folder `locks` of the session; its parent is canonical.
    pub folder: PathBuf,
}

/// Who asks for a lock, and for what.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The file.
    pub file: Subject,
    /// Who asks.
    pub agent: Agent,
    /// For how many seconds.
    pub ttl: u32,
    /// For which task.
    pub task_id: Option<String>,
    /// What happens to the file.
    pub operation: Operation,
}

/// Why a file is not locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// An agent holds it.
    Held(Lock),
    /// A lock cannot be read: it may be for this file.
    Unreadable(Unreadable),
    /// Others have waited for longer.
    Queue,
}

/// Why an agent no longer holds a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Another agent holds the file now.
    Taken(Lock),
    /// A lock cannot be read: it may be for this file.
    Unreadable(Unreadable),
    /// No agent holds the file.
    Free,
}

/// Why the locks could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process is in the way, or the file system has no locks.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// The folder cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A lock cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The session has ended.
    #[error(transparent)]
    Place(Box<PlaceError>),
}

impl LockError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Guard(GuardError::Stuck { .. }) => {
                "a stopped process may hold it; it is free as soon as that process continues or ends"
            }
            Self::Guard(GuardError::Io(error)) if error.kind() == io::ErrorKind::Unsupported => {
                "this file system has no locks, without which two agents could hold one file"
            }
            Self::Guard(GuardError::Io(_)) | Self::Io(_) => {
                "check that the folder `locks` of the session can be read and written, and run again"
            }
            Self::Write(error) => error.help(),
            Self::Place(_) => "`--session DIR` names another session",
        }
    }
}

impl Locks {
    /// The locks of the session in `folder`.
    ///
    /// # Errors
    /// When they are a file or a link that leads nowhere, or when a link leads out of the repository.
    pub fn of(place: &Place, folder: &Folder) -> Result<Self, PlaceError> {
        let path = folder.path.join("locks");
        if path.is_symlink() && path.exists() {
            inside(&place.root, &path)?;
        }
        if let Some(what) = instead_of_folder(&path) {
            return Err(PlaceError::NoLocks { path, what });
        }
        let (root, session) = (place.root.clone(), folder.path.clone());
        Ok(Self { root, session, folder: path.canonicalize().unwrap_or(path) })
    }

    /// The file `file`, as the user gave it.
    ///
    /// # Errors
    /// See [`SubjectError`].
    pub fn subject(&self, file: &Path) -> Result<Subject, SubjectError> {
        let here = Path::new(".").canonicalize();
        let here = here.map_err(|source| SubjectError::Unreachable { path: file.into(), source })?;
        self.bases().subject(&here, file)
    }

    fn bases(&self) -> Bases<'_> {
        Bases::of(&self.root, &self.folder)
    }

    /// Locks the file that is `wanted`. Waits in line for at most `patience`, if another agent holds it.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn lock(&self, wanted: &Wanted, patience: Duration, clock: Clock) -> Result<Result<Lock, Blocked>, LockError> {
        let start = Instant::now();
        let line = self.line(&wanted.file);
        let mut ticket: Option<Ticket> = None;
        let mut blocked = Blocked::Queue;
        let mut waited = Duration::ZERO;
        loop {
            self.must_be_open()?;
            let before = ticket.as_ref().map_or(Ok(0), Ticket::before)?;
            if before == 0 {
                let guard = self.guard()?;
                // Whoever ends the session and then takes the guard finds no later lock.
                self.must_be_open()?;
                // Another program can have removed the ticket; then it is of no use.
                ticket = ticket.filter(Ticket::is_there);
                let is_next = ticket.is_some() || line.is_empty(&guard)?;
                blocked = match self.take(wanted, is_next, clock.moment(waited), &guard)? {
                    Ok(lock) => return Ok(Ok(lock)),
                    Err(blocked) => blocked,
                };
                if ticket.is_none() && !patience.is_zero() {
                    ticket = Some(line.draw(&wanted.agent.to_string(), &guard)?);
                }
            }
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() {
                if before > 0 {
                    // Who holds the file now, and not when this began to wait.
                    let guard = self.guard()?;
                    blocked = self.take(wanted, false, clock.moment(start.elapsed()), &guard)?.err().unwrap_or(blocked);
                }
                return Ok(Err(blocked));
            }
            std::thread::sleep(pause(before).min(left));
            waited = start.elapsed();
        }
    }

    /// Says so if the session has ended, or is no longer there.
    fn must_be_open(&self) -> Result<(), LockError> {
        let session = Folder::read(&self.root, self.session.clone());
        session.must_be_open().map_err(|error| LockError::Place(Box::new(error)))
    }

    /// Locks the file, if it is free.
    fn take(
        &self,
        wanted: &Wanted,
        is_next: bool,
        moment: Moment,
        guard: &Guard,
    ) -> Result<Result<Lock, Blocked>, LockError> {
        let (locks, unreadable) = read::all(&self.root, &self.folder)?;
        let now = moment.now;
        let mut expired = Vec::new();
        let same = Same::of(self.bases(), &wanted.file);
        for lock in locks.into_iter().filter(|lock| same.is(&lock.written)) {
            if !lock.is_expired(now) {
                return Ok(Err(Blocked::Held(lock)));
            }
            expired.push(lock);
        }
        if let Some(unreadable) = unreadable.into_iter().find(|unreadable| unreadable.may_lock(&same)) {
            return Ok(Err(Blocked::Unreadable(unreadable)));
        }
        if !is_next {
            return Ok(Err(Blocked::Queue));
        }
        for lock in expired {
            fs::remove_file(self.folder.join(lock.name))?;
        }
        let lock = Lock {
            name: std::ffi::OsString::new(),
            file: wanted.file.name.clone(),
            written: wanted.file.name.clone(),
            locked_by: wanted.agent.clone(),
            locked_at: Some(now),
            expires_at: moment.after(wanted.ttl),
            task_id: wanted.task_id.clone(),
            operation: Some(wanted.operation),
        };
        self.create(lock, guard).map(Ok)
    }

    /// Writes a new lock.
    fn create(&self, lock: Lock, _guard: &Guard) -> Result<Lock, LockError> {
        // What a process that was killed left here: only who has the guard writes.
        atomic::sweep(&self.folder);
        let locked_by = lock.locked_by.to_string();
        let content = content(&lock, &locked_by);
        let text = content.text();
        for number in 0.. {
            let name = content.name(number);
            match atomic::create(&self.folder, Path::new(&name), text.as_bytes()) {
                Ok(()) => return Ok(Lock { name: name.into(), ..lock }),
                // A file of the same name in another folder.
                Err(WriteError::Changed { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists).into())
    }

    /// Lets go of the lock of `agent` on `file`; what it was.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn unlock(&self, file: &Subject, agent: &Agent, clock: Clock) -> Result<Result<Lock, Lost>, LockError> {
        let _guard = self.guard()?;
        let own = self.own(file, agent, clock)?;
        for lock in own.iter().flatten() {
            fs::remove_file(self.folder.join(&lock.name))?;
        }
        Ok(own.map(|mut own| own.remove(0)))
    }

    /// Keeps the lock of `agent` on `file` for at least `ttl` more seconds.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn renew(
        &self,
        file: &Subject,
        agent: &Agent,
        ttl: u32,
        clock: Clock,
    ) -> Result<Result<Lock, Lost>, LockError> {
        let _guard = self.guard()?;
        self.must_be_open()?;
        let own = match self.own(file, agent, clock)? {
            Ok(own) => own,
            Err(lost) => return Ok(Err(lost)),
        };
        let mut renewed = None;
        for lock in own {
            let end = clock.moment(Duration::ZERO).after(ttl);
            // To let go earlier is `unlock`.
            let lock = if end.unix() > lock.expires_at.unix() { Lock { expires_at: end, ..lock } } else { lock };
            let (path, locked_by) = (self.folder.join(&lock.name), lock.locked_by.to_string());
            // What others wrote into it stays.
            let text = fs::read_to_string(&path).ok().and_then(|text| read::with_end(&text, lock.expires_at));
            let text = text.unwrap_or_else(|| content(&lock, &locked_by).text());
            atomic::place(&path, text.as_bytes(), 0o666)?;
            renewed.get_or_insert(lock);
        }
        Ok(renewed.ok_or(Lost::Free))
    }

    /// The locks of `agent` on `file`, at least one. An expired one counts: while it is there, no other agent has the file.
    fn own(&self, file: &Subject, agent: &Agent, clock: Clock) -> Result<Result<Vec<Lock>, Lost>, LockError> {
        let now = clock.now();
        let (locks, unreadable) = read::all(&self.root, &self.folder)?;
        let same = Same::of(self.bases(), file);
        let (own, others): (Vec<_>, Vec<_>) =
            locks.into_iter().filter(|lock| same.is(&lock.written)).partition(|lock| lock.locked_by == *agent);
        if own.iter().any(|lock| !lock.is_expired(now)) {
            return Ok(Ok(own));
        }
        // As when a file is locked: either may have been written after the own lock expired.
        if let Some(lock) = others.into_iter().find(|lock| !lock.is_expired(now)) {
            return Ok(Err(Lost::Taken(lock)));
        }
        if let Some(unreadable) = unreadable.into_iter().find(|unreadable| unreadable.may_lock(&same)) {
            return Ok(Err(Lost::Unreadable(unreadable)));
        }
        Ok(if own.is_empty() { Err(Lost::Free) } else { Ok(own) })
    }

    /// Removes the lock of that name, if its time is over at `now`.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn remove_expired(&self, name: &OsStr, now: Timestamp) -> Result<(), LockError> {
        let guard = self.guard()?;
        // It can have been renewed since it was read.
        let (locks, _) = read::all(&self.root, &self.folder)?;
        if locks.iter().any(|lock| lock.name == name && lock.is_expired(now)) {
            fs::remove_file(self.folder.join(name))?;
        }
        queue::sweep(&self.folder, &guard);
        Ok(())
    }

    /// Keeps other processes of this program from changing the locks, until it is dropped.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn guard(&self) -> Result<Guard, LockError> {
        Guard::take(&self.folder).map_err(|error| match self.session.is_dir() {
            true => error.into(),
            // It was archived a moment ago.
            false => self.must_be_open().err().unwrap_or_else(|| error.into()),
        })
    }

    /// The agents that wait for `file`, in order.
    pub fn waiting(&self, file: &Subject) -> Vec<String> {
        self.line(file).agents()
    }

    /// The agents that wait for the file of `lock`, in order.
    pub fn waiting_for(&self, lock: &Lock) -> Vec<String> {
        self.bases().of_lock(&lock.file).map_or_else(|_| Vec::new(), |file| self.waiting(&file))
    }

    /// The waiting line for `file`.
    fn line(&self, file: &Subject) -> Line {
        Line::of(&self.folder, &file.identity(&self.folder))
    }
}

/// Removes what this program keeps in the folder `locks` of a session that has ended, and the folder if it is empty then.
pub fn remove_own(locks: &Path) {
    if locks.is_symlink() {
        return;
    }
    // What stays does no harm.
    let _ = fs::remove_dir_all(locks.join(OWN));
    atomic::sweep(locks);
    let _ = fs::remove_dir(locks);
}

fn content<'a>(lock: &'a Lock, locked_by: &'a str) -> Content<'a> {
    Content {
        file: &lock.file,
        locked_by,
        locked_at: lock.locked_at.unwrap_or(lock.expires_at),
        expires_at: lock.expires_at,
        task_id: lock.task_id.as_deref(),
        operation: lock.operation.unwrap_or(Operation::Modify).as_str(),
    }
}

/// How long to wait with `before` processes ahead: the next one looks often.
fn pause(before: usize) -> Duration {
    const NEXT: Duration = Duration::from_millis(20);
    const FAR: Duration = Duration::from_millis(500);
    NEXT.saturating_mul(u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)).min(FAR)
}
