//! What a session of an agent wrote, and how often it was kept from stopping: a small file in the folder of git,
//! `squad-lint/sessions/`, which all working trees share.
//!
//! Hooks can run at the same time. So nothing in the file is changed: each run appends a line, in one write. Stops are counted one
//! after the other, under a lock.
//!
//! An agent may stop in another folder than the one that it wrote to. So a second record, in the state folder of the person, says
//! in which repositories the session wrote.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::report::json_writer;

/// Where the records are, in the folder that all work trees of a repository share.
const FOLDER: &str = "squad-lint/sessions";

/// A larger file is not a record of a session, or of no use as one.
const MOST_BYTES: u64 = 1 << 20;

/// A record that was not written to for so long is removed.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// So often an agent that leaves errors is kept from stopping, one time after the other.
const MOST_BLOCKS: usize = 2;

/// Stops of an agent that come so soon after it was let go are one stop: a harness can run several hooks at once.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Author {
    /// The session, as the harness calls it.
    pub(super) session: String,
    /// The agent in it, as the harness calls it; `None` for the one that the session began with.
    pub(super) agent: Option<String>,
}

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Entry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    line: Line,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line {
    /// The commit that was checked out in a work tree before the first write to it; the empty tree if there was none.
    Base {
        /// The root of the work tree.
        root: PathBuf,
        /// The commit.
        commit: String,
    },
    /// The commit of the state branch before the first write.
    StateBase(String),
    /// A file that was written.
    File(PathBuf),
    /// A key of the state that was written.
    Key(String),
    /// The agent was kept from stopping.
    Blocked,
    /// The agent left no errors, and was let go.
    Passed,
    /// The agent was let go with the errors that it left, so many seconds after 1970 began.
    LetGo(u64),
    /// The root of a repository that was written to.
    Root(PathBuf),
}

/// The record of one session, for an agent in it.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    agent: Option<String>,
    lines: Vec<Entry>,
    len: u64,
}

impl Record {
    /// Whether there is one of `session` in the folder `common`.
    pub(super) fn is_there(common: &Path, session: &str) -> bool {
        common.join(FOLDER).join(name(session)).symlink_metadata().is_ok()
    }

    /// The record of the session of `author` in a repository whose work trees share the folder `common`; an empty one if there
    /// is none yet.
    ///
    /// # Errors
    /// When it cannot be read, or is not a file.
    pub(super) fn open(common: &Path, author: &Author) -> io::Result<Self> {
        let path = common.join(FOLDER).join(name(&author.session));
        let mut record = Self { path, agent: author.agent.clone(), lines: Vec::new(), len: 0 };
        record.read()?;
        Ok(record)
    }

    /// The record of the session of `author` that says in which repositories it wrote; `None` if this person has no state folder, or
    /// it cannot be read.
    pub(super) fn of_person(author: &Author) -> Option<Self> {
        Self::open(&state_folder()?, author).ok()
    }

    fn read(&mut self) -> io::Result<()> {
        let mut text = String::new();
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if !metadata.is_file() || metadata.len() > MOST_BYTES => {
                return Err(io::ErrorKind::InvalidData.into());
            }
            Ok(_) => drop(File::open(&self.path)?.take(MOST_BYTES).read_to_string(&mut text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        self.len = text.len() as u64;
        Ok(())
    }

    /// Appends `line`, unless the record says that already.
    ///
    /// # Errors
    /// When it cannot be written, or is full.
    pub(super) fn add(&mut self, line: Line) -> io::Result<()> {
        let is_stop = matches!(line, Line::Blocked | Line::Passed | Line::LetGo(_));
        let entry = Entry { agent: self.agent.clone(), line };
        if !is_stop && self.lines.contains(&entry) {
            return Ok(());
        }
        let mut json = Vec::new();
        json_writer::line(&entry, &mut json)?;
        if self.len + json.len() as u64 > MOST_BYTES {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if self.lines.is_empty()
            && let Some(folder) = self.path.parent()
        {
            fs::create_dir_all(folder)?;
            sweep(folder);
        }
        File::options().create(true).append(true).open(&self.path)?.write_all(&json)?;
        self.len += json.len() as u64;
        self.lines.push(entry);
        Ok(())
    }

    /// The commit before the first write of the session to the work tree at `tree`.
    pub(super) fn base(&self, tree: &Path) -> Option<&str> {
        self.lines.iter().find_map(|entry| match &entry.line {
            Line::Base { root, commit } if root == tree => Some(commit.as_str()),
            _ => None,
        })
    }

    /// The commit of the state branch before the first write of the session.
    pub(super) fn state_base(&self) -> Option<&str> {
        self.lines.iter().find_map(|entry| if let Line::StateBase(id) = &entry.line { Some(id.as_str()) } else { None })
    }

    /// The files and the keys that `agent` wrote; those of the whole session for `None`.
    pub(super) fn written(&self, agent: Option<&str>) -> (Vec<PathBuf>, Vec<String>) {
        let (mut files, mut keys) = (Vec::new(), Vec::new());
        for entry in self.lines.iter().filter(|entry| agent.is_none() || entry.agent.as_deref() == agent) {
            match &entry.line {
                Line::File(path) => files.push(path.clone()),
                Line::Key(key) => keys.push(key.clone()),
                _ => {}
            }
        }
        (files, keys)
    }

    /// The roots of the repositories that the session wrote to.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let root = |entry: &Entry| if let Line::Root(root) = &entry.line { Some(root.clone()) } else { None };
        self.lines.iter().filter_map(root).collect()
    }

    /// The stops of the agent, the last one first.
    fn stops(&self) -> impl Iterator<Item = &Line> {
        let own = self.lines.iter().rev().filter(|entry| entry.agent == self.agent).map(|entry| &entry.line);
        own.filter(|line| matches!(line, Line::Blocked | Line::Passed | Line::LetGo(_)))
    }

    /// How often the agent was kept from stopping since it was last let go.
    pub(super) fn blocks(&self) -> usize {
        self.stops().take_while(|line| **line == Line::Blocked).count()
    }

    /// A lock for the records in this folder, held until the file is closed.
    fn lock(&self) -> Option<File> {
        let path = self.path.parent()?.parent()?.join("lock");
        let file = File::options().create(true).append(true).open(path).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Removes the record. One that stays does no harm.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Counts a stop of an agent at `now`, at which it leaves errors, in all of its `records`; whether it is to be kept from stopping.
///
/// One record can be new, or have lost what the others know. What none can count could go on for ever, so that is no reason to keep
/// the agent.
pub(super) fn keeps(records: &mut [Record], now: SystemTime) -> bool {
    // Where files have no locks, a stop at the same time can be counted twice.
    let lock = records.iter().find_map(Record::lock);
    for record in &mut *records {
        // One that cannot be read any more keeps what it said.
        let _ = record.read();
    }
    let now = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let is_let_go = |record: &Record| match record.stops().next() {
        Some(Line::LetGo(then)) => now.abs_diff(*then) < AT_ONCE.as_secs(),
        _ => false,
    };
    if records.iter().any(is_let_go) {
        return false;
    }
    let keeps = records.iter().all(|record| record.blocks() < MOST_BLOCKS);
    let line = if keeps { Line::Blocked } else { Line::LetGo(now) };
    let mut is_counted = false;
    for record in records {
        is_counted |= record.add(line.clone()).is_ok();
    }
    drop(lock);
    keeps && is_counted
}

/// The folder for what programs of this person note.
fn state_folder() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || if cfg!(windows) { folder("LOCALAPPDATA") } else { folder("HOME") }.filter(|home| home.is_dir());
    let state = || home().map(|home| if cfg!(windows) { home } else { home.join(".local/state") });
    folder("XDG_STATE_HOME").or_else(state)
}

/// The name of the file for a session, whatever the harness calls it.
fn name(session: &str) -> String {
    let plain: String = session.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(60).collect();
    let mut hasher = DefaultHasher::new();
    session.hash(&mut hasher);
    format!("{plain}.{:016x}.jsonl", hasher.finish())
}

/// Removes the records of sessions that ended long ago.
fn sweep(folder: &Path) {
    let is_old = |path: &Path| {
        let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > KEPT))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "jsonl") && is_old(&path) {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let author = |agent: Option<&str>| Author { session: "../s 1\n".into(), agent: agent.map(str::to_owned) };
        let open = || Record::open(folder.path(), &author(None)).unwrap();
        let mut record = open();
        let tree = Path::new("/w");
        assert_eq!((record.base(tree), record.blocks(), record.written(None)), (None, 0, (vec![], vec![])));
        let base = |root: &str, commit: &str| Line::Base { root: root.into(), commit: commit.into() };
        let file = PathBuf::from("/w/.squad/a\nb.md");
        for line in [base("/w", "abc"), Line::File(file.clone()), Line::File(file.clone()), Line::Key("k".into())] {
            record.add(line).unwrap();
        }
        assert_eq!(fs::read_to_string(&record.path).unwrap().lines().count(), 3);
        let mut record = open();
        assert_eq!((record.base(tree), record.written(None)), (Some("abc"), (vec![file], vec!["k".to_owned()])));
        // Another work tree has another commit.
        assert_eq!(record.base(Path::new("/linked")), None);
        record.add(base("/linked", "def")).unwrap();
        assert_eq!((record.base(tree), record.base(Path::new("/linked"))), (Some("abc"), Some("def")));
        for (line, blocks) in [(Line::Blocked, 1), (Line::Blocked, 2), (Line::Passed, 0), (Line::Blocked, 1)] {
            record.add(line).unwrap();
            assert_eq!(open().blocks(), blocks);
        }
        // Another agent of the session counts for itself.
        let mut other = Record::open(folder.path(), &author(Some("a"))).unwrap();
        assert_eq!((other.blocks(), other.written(Some("a"))), (0, (vec![], vec![])));
        other.add(Line::Key("k".into())).unwrap();
        other.add(Line::Passed).unwrap();
        assert_eq!((open().blocks(), other.written(Some("a")).1.len()), (1, 1));
        record.remove();
        assert_eq!(open().blocks(), 0);
    }

    #[test]
    fn an_agent_is_kept_twice_and_then_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let author = Author { session: "s".into(), agent: None };
        let keeps = |second: u64| {
            let now = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
            super::keeps(&mut [Record::open(folder.path(), &author).unwrap()], now)
        };
        let seconds = [100, 101, 102, 103, 106, 107, 108, 109, 115];
        assert_eq!(seconds.map(keeps), [true, true, false, false, false, true, true, false, true]);
    }

    #[test]
    fn stops_are_counted_in_all_records_and_a_lost_one_changes_nothing() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let author = Author { session: "s".into(), agent: None };
        let open = || folders.each_ref().map(|folder| Record::open(folder.path(), &author).unwrap());
        for lost in 0..2 {
            let keeps = |second: u64| super::keeps(&mut open(), SystemTime::UNIX_EPOCH + Duration::from_secs(second));
            let mut kept = vec![keeps(100)];
            open()[lost].remove();
            kept.extend([101, 102, 103].map(keeps));
            assert_eq!(kept, [true, true, false, false]);
            open().iter().for_each(Record::remove);
        }
        assert!(!super::keeps(&mut [], SystemTime::now()));
    }

    #[test]
    fn stops_at_once_are_counted_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let author = Author { session: "s".into(), agent: None };
        Record::open(folder.path(), &author).unwrap().add(Line::Key("k".into())).unwrap();
        let now = SystemTime::now();
        let keeps = || super::keeps(&mut [Record::open(folder.path(), &author).unwrap()], now);
        let kept = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..10).map(|_| scope.spawn(keeps)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).filter(|kept| *kept).count()
        });
        assert_eq!(kept, 2);
    }

    #[test]
    fn what_is_not_a_record_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FOLDER).join(name("s"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(
            &path,
            "{\"line\": {\"base\": {\"root\": \"/w\", \"commit\": \"abc\"}}}\nnot JSON\n{\"line\": {\"other\": 1}}\n",
        )
        .unwrap();
        let author = Author { session: "s".into(), agent: None };
        assert_eq!(Record::open(folder.path(), &author).unwrap().base(Path::new("/w")), Some("abc"));
        fs::write(&path, vec![b' '; 2 << 20]).unwrap();
        assert!(Record::open(folder.path(), &author).is_err());
    }
}
