//! What a session of an agent wrote, and how often it was kept from stopping: a small file in the folder of git,
//! `squad-lint/sessions/`, which all work trees share.
//!
//! Hooks can run at the same time. So nothing in the file is changed: each run appends a line, in one write.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::report::json_writer;

/// Where the records are, in the folder that all work trees of a repository share.
const FOLDER: &str = "squad-lint/sessions";

/// A larger file is not a record of a session, or of no use as one.
const MOST_BYTES: u64 = 1 << 20;

/// A record that was not written to for so long is removed.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

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
    /// The commit that was checked out before the first write; the empty tree if there was none.
    Base(String),
    /// The commit of the state branch before the first write.
    StateBase(String),
    /// A file that was written.
    File(PathBuf),
    /// A key of the state that was written.
    Key(String),
    /// The agent was kept from stopping.
    Blocked,
    /// The agent was let go.
    Passed,
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
        let mut text = String::new();
        match fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_file() || metadata.len() > MOST_BYTES => {
                return Err(io::ErrorKind::InvalidData.into());
            }
            Ok(_) => drop(File::open(&path)?.take(MOST_BYTES).read_to_string(&mut text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Self { path, agent: author.agent.clone(), lines, len: text.len() as u64 })
    }

    /// Appends `line`, unless the record says that already.
    ///
    /// # Errors
    /// When it cannot be written, or is full.
    pub(super) fn add(&mut self, line: Line) -> io::Result<()> {
        let is_stop = matches!(line, Line::Blocked | Line::Passed);
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

    /// The commit before the first write of the session.
    pub(super) fn base(&self) -> Option<&str> {
        self.lines.iter().find_map(|entry| if let Line::Base(id) = &entry.line { Some(id.as_str()) } else { None })
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

    /// How often the agent was kept from stopping since it was last let go.
    pub(super) fn blocks(&self) -> usize {
        let own = self.lines.iter().rev().filter(|entry| entry.agent == self.agent);
        let stops = own.map(|entry| &entry.line).filter(|line| matches!(line, Line::Blocked | Line::Passed));
        stops.take_while(|line| **line == Line::Blocked).count()
    }

    /// Removes the record. One that stays does no harm.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
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
        assert_eq!((record.base(), record.blocks(), record.written(None)), (None, 0, (vec![], vec![])));
        let file = PathBuf::from("/w/.squad/a\nb.md");
        for line in
            [Line::Base("abc".into()), Line::File(file.clone()), Line::File(file.clone()), Line::Key("k".into())]
        {
            record.add(line).unwrap();
        }
        assert_eq!(fs::read_to_string(&record.path).unwrap().lines().count(), 3);
        let mut record = open();
        assert_eq!((record.base(), record.written(None)), (Some("abc"), (vec![file], vec!["k".to_owned()])));
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
    fn what_is_not_a_record_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FOLDER).join(name("s"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{\"line\": {\"base\": \"abc\"}}\nnot JSON\n{\"line\": {\"other\": 1}}\n").unwrap();
        let author = Author { session: "s".into(), agent: None };
        assert_eq!(Record::open(folder.path(), &author).unwrap().base(), Some("abc"));
        fs::write(&path, vec![b' '; 2 << 20]).unwrap();
        assert!(Record::open(folder.path(), &author).is_err());
    }
}
