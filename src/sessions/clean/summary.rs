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
use crate::sessions::folder::{Folder, PlaceError};
use crate::sessions::graph::NodeState;
use crate::sessions::read::{Files, MOST_BYTES};
use crate::sessions::tasks::Tasks;
use crate::terminal::escape;
use crate::text::Span;
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
    /// The report. Below it is what else was in its place.
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
        let old = read(&folder.path)?;
        let new = renewed(old.as_deref().unwrap_or_default(), self.archived_at, &self.text(folder, files, summary));
        Ok(Report { old, new })
    }

    /// The report without its head.
    fn text(&self, folder: &Folder, files: &Files, summary: &Summary) -> String {
        let status = summary.status.and_then(|at| files.files.values().nth(at)?.status());
        let started_at = status.and_then(|status| Some(status.started_at.as_ref()?.value));
        let tasks = Tasks::of(files, summary);
        let mut text = format!("# Session {}\n\n", cell(&folder.name()));
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

/// The bytes of the report in `folder`; `None` if there is none.
///
/// # Errors
/// When there is one that cannot be read.
fn read(folder: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match read::read_inside(folder, &folder.join(NAME), MOST_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        // A link that leads nowhere is there, too.
        Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound && !folder.join(NAME).is_symlink() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The report in `folder` cannot be read.
pub(super) fn unreadable(folder: &Path, error: FileError) -> PlaceError {
    PlaceError::NoReport { path: folder.join(NAME), source: error }
}

/// Since when the session in `folder` is in the archive; `None` if no report says so.
///
/// # Errors
/// When there is a report that cannot be read.
pub(super) fn archived_at(folder: &Path) -> Result<Option<Timestamp>, FileError> {
    Ok(read(folder)?.and_then(|bytes| Some(Head::of(&bytes)?.archived_at)))
}

/// `old` with this moment in its head, and with the report `text` below that. All else that is in `old` stays, once: nothing tells
/// a report that this program wrote from one that a team has changed since.
fn renewed(old: &[u8], archived_at: Timestamp, text: &str) -> Vec<u8> {
    let is_crlf = old.lines_with_terminator().next().is_some_and(|line| line.ends_with(b"\r\n"));
    let end = if is_crlf { "\r\n" } else { "\n" };
    let (archived_at, text) = (archived_at.in_utc(), text.replace('\n', end));
    // The team can have a front matter of its own.
    let extended = front_matter(old).filter(|_| Head::of(old).is_none()).map(|(inner, _)| {
        let (before, after) = old.split_at(inner.end());
        [before, format!("{ARCHIVED_AT}: {archived_at}{end}").as_bytes(), after].concat()
    });
    let (mut new, inner) = match Head::of(extended.as_deref().unwrap_or(old)) {
        Some(Head { before, after, body, .. }) => {
            let new = [before, archived_at.as_bytes(), after].concat();
            (new, body.strip_prefix(end.as_bytes()).unwrap_or(body))
        }
        None => (format!("---{end}{ARCHIVED_AT}: {archived_at}{end}---{end}").into_bytes(), old),
    };
    let is_there = inner.strip_prefix(text.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with_str(end));
    new.extend_from_slice(end.as_bytes());
    if !is_there {
        new.extend_from_slice(text.as_bytes());
        new.extend_from_slice(if inner.is_empty() { b"" } else { end.as_bytes() });
    }
    new.extend_from_slice(inner);
    new
}

/// The front matter of a report that says since when its session is in the archive.
struct Head<'a> {
    /// The bytes before the moment.
    before: &'a [u8],
    archived_at: Timestamp,
    /// The rest of the front matter, with its last line.
    after: &'a [u8],
    /// What is below.
    body: &'a [u8],
}

impl<'a> Head<'a> {
    fn of(report: &'a [u8]) -> Option<Self> {
        let (inner, end) = front_matter(report)?;
        // Only the front matter has to be UTF-8.
        let root = Yaml::parse(report.get(inner.start()..inner.end())?.to_str().ok()?).root?;
        let mut values = root.pairs()?.iter().filter(|(key, _)| key.as_str() == Some(ARCHIVED_AT));
        let (value, None) = (&values.next()?.1, values.next()) else { return None };
        let archived_at = Timestamp::read(value.as_str()?)?;
        let (start, stop) = (inner.start() + value.span.start(), inner.start() + value.span.end());
        Some(Self {
            before: report.get(..start)?,
            archived_at,
            after: report.get(stop..end)?,
            body: report.get(end..)?,
        })
    }
}

/// Where the lines between the two lines `---` at the start of `report` are, and where the second one ends.
fn front_matter(report: &[u8]) -> Option<(Span, usize)> {
    const MARK: &[u8] = b"---";
    let mut lines = report.lines_with_terminator();
    let first = lines.next().filter(|line| line.strip_prefix(BOM).unwrap_or(line).trim_end() == MARK)?;
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == MARK {
            return Some((Span::new(first.len(), end), end + line.len()));
        }
        end += line.len();
    }
    None
}

/// What some editors put at the beginning of a file.
const BOM: &[u8] = b"\xEF\xBB\xBF";
