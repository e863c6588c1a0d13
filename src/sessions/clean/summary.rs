//! The report on a session that has ended. It says since when the session is in the archive, too.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

use bstr::ByteSlice;

use crate::formats::session::Summary;
use crate::formats::session::field::SessionState;
use crate::formats::timestamp::Timestamp;
use crate::formats::yaml::Yaml;
use crate::fs::read::{self, FileError};
use crate::sessions::clock::lasted;
use crate::sessions::folder::Folder;
use crate::sessions::graph::NodeState;
use crate::sessions::read::{Files, MOST_BYTES};
use crate::sessions::tasks::Tasks;
use crate::terminal::escape;
use crate::text::prose::plural;

/// The name of the report in the folder of the session.
pub(super) const NAME: &str = "session-summary.md";

/// The key that says since when a session is in the archive.
const ARCHIVED_AT: &str = "archived_at";

/// A report, and what is in its place.
#[derive(Debug)]
pub struct Report {
    /// The bytes of the report that exists.
    pub(super) old: Option<Vec<u8>>,
    /// The report. Below it is the text of a report that another program wrote.
    pub(super) new: Vec<u8>,
}

/// What the report says beside what is in the files.
pub(super) struct Record {
    pub(super) state: Option<SessionState>,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) archived_at: Timestamp,
}

impl Record {
    /// The report on the session in `folder`.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub(super) fn report(&self, folder: &Folder, files: &Files, summary: &Summary) -> Result<Report, FileError> {
        let old = match read::read_inside(&folder.path, &folder.path.join(NAME), MOST_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut new = self.text(folder, files, summary).into_bytes();
        if let Some(old) = old.as_ref().filter(|old| moment_in(old).is_none()) {
            new.push(b'\n');
            new.extend_from_slice(old);
        }
        Ok(Report { old, new })
    }

    fn text(&self, folder: &Folder, files: &Files, summary: &Summary) -> String {
        let status = summary.status.and_then(|at| files.files.values().nth(at)?.status());
        let started_at = status.and_then(|status| Some(status.started_at.as_ref()?.value));
        let tasks = Tasks::of(files, summary);
        let mut text =
            format!("---\n{ARCHIVED_AT}: {}\n---\n\n# Session {}\n\n", self.archived_at.in_utc(), cell(&folder.name()));
        let mut line = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "- {name}: {value}");
            }
        };
        line("ID", status.and_then(|status| Some(cell(&status.session_id.as_ref()?.value))));
        line("Status", self.state.map(|state| state.as_str().to_owned()));
        line("Phase", status.and_then(|status| Some(status.phase.as_ref()?.value.as_str().to_owned())));
        line("Started", started_at.map(Timestamp::in_utc));
        line("Ended", self.ended_at.map(Timestamp::in_utc));
        line("Duration", started_at.zip(self.ended_at).map(|(from, to)| lasted(from, to)));
        let completed = tasks.count(NodeState::Completed);
        let count = tasks.tasks.len() - tasks.count(NodeState::Missing);
        line("Tasks", Some(format!("{completed} of {count} completed")));
        let messages = files.files.values().filter(|file| file.message().is_some()).count();
        let errors = files.files.values().filter(|file| file.error().is_some()).count();
        line("Messages", Some(plural(messages, "message")));
        line("Errors", Some(plural(errors, "error")));
        if !tasks.tasks.is_empty() {
            text.push_str("\n| task | agent | state |\n| --- | --- | --- |\n");
            for task in &tasks.tasks {
                let agent = task.node.agent.as_deref().map(cell).unwrap_or_default();
                let _ = writeln!(text, "| {} | {agent} | {} |", cell(&task.node.id), task.node.state.words());
            }
        }
        text
    }
}

/// `text` on one line, harmless, and without what ends a cell or begins markup.
fn cell(text: &str) -> String {
    escape(text).replace('|', "\\|").replace('<', "&lt;").replace('`', "\\`")
}

/// Since when the session in `folder` is in the archive; `None` if no report says so.
pub(super) fn archived_at(folder: &Path) -> Option<Timestamp> {
    moment_in(&read::read_inside(folder, &folder.join(NAME), MOST_BYTES).ok()?)
}

/// The moment that the head of a report says.
fn moment_in(bytes: &[u8]) -> Option<Timestamp> {
    let text = bytes.to_str().ok()?.strip_prefix("---\n")?;
    let (head, _) = text.split_once("\n---\n")?;
    let root = Yaml::parse(head).root?;
    let mut values = root.pairs()?.iter().filter(|(key, _)| key.as_str() == Some(ARCHIVED_AT));
    Timestamp::read(values.next()?.1.as_str()?)
}
