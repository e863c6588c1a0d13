//! From an event to its answer.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::answer::{Answer, to_stop, to_write};
use super::check::{self, Finding};
use super::event::{Event, What};
use super::record::{Line, Record};
use super::written::{Written, file, written};
use crate::cli::agents::Harness;
use crate::errors::CliError;
use crate::select::repository::Repository;

/// A longer event is not read to its end, and gets no answer. It holds the text that was written, and often the old one, too.
const MOST_BYTES: u64 = 64 << 20;

/// So often an agent that leaves errors is kept from stopping, one time after the other.
const MOST_BLOCKS: usize = 2;

/// Answers the event that `input` holds, of the harness `given` if it is known.
///
/// # Errors
/// When a repository or its configuration cannot be read.
pub fn answer(given: Option<Harness>, input: impl Read) -> Result<Answer, CliError> {
    let mut json = Vec::new();
    let is_read = input.take(MOST_BYTES + 1).read_to_end(&mut json).is_ok() && json.len() as u64 <= MOST_BYTES;
    let Some(event) = is_read.then(|| Event::parse(&json, given)).flatten() else { return Ok(Answer::Nothing) };
    drop(json);
    let here = || env::current_dir().unwrap_or_default();
    let folder = event.folder.clone().filter(|folder| folder.is_dir()).unwrap_or_else(here);
    match &event.what {
        What::Wrote(places) => {
            let (files, keys) = divided(written(&folder, places));
            let found = check(&folder, &files, &keys, event.session.as_deref())?;
            Ok(to_write(event.harness, &found))
        }
        What::Stops { is_subagent } => stops(&event, *is_subagent, &folder),
    }
}

fn divided(written: Vec<Written>) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut keys) = (Vec::new(), Vec::new());
    for one in written {
        match one {
            Written::File(path) => files.push(path),
            Written::Key(key) => keys.push(key),
        }
    }
    (files, keys)
}

fn check(folder: &Path, files: &[PathBuf], keys: &[String], session: Option<&str>) -> Result<Vec<Finding>, CliError> {
    let mut found = check::files(files, session)?;
    if !keys.is_empty() {
        found.extend(check::keys(folder, keys, session)?);
    }
    Ok(found)
}

/// Keeps the agent from stopping if its session left errors, twice at most.
fn stops(event: &Event, is_subagent: bool, folder: &Path) -> Result<Answer, CliError> {
    let session = event.session.as_deref().filter(|session| may_have_record(folder, session));
    let Some(session) = session else { return Ok(Answer::Nothing) };
    let Some(git) = Repository::discover(folder)?.git else { return Ok(Answer::Nothing) };
    let Ok(mut record) = Record::open(&git.common_dir(), session) else { return Ok(Answer::Nothing) };
    let (files, keys) = record.written();
    let files: Vec<PathBuf> = files.iter().filter_map(|path| file(path)).collect();
    let found = check(folder, &files, &keys, Some(session))?;
    if !found.iter().any(|finding| finding.is_error) {
        if !is_subagent {
            record.remove();
        }
        return Ok(Answer::Nothing);
    }
    let blocks = record.blocks() < MOST_BLOCKS;
    let is_noted = record.add(if blocks { Line::Blocked } else { Line::Passed }).is_ok();
    // What cannot be counted could go on for ever.
    Ok(if blocks && is_noted { to_stop(event.harness, is_subagent, &found) } else { Answer::Nothing })
}

/// Whether the repository that holds `folder` may have a record of `session`. Without opening it: most agents write no state.
fn may_have_record(folder: &Path, session: &str) -> bool {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.symlink_metadata().is_ok());
    // A linked work tree has a file there.
    git.is_none_or(|git| !git.is_dir() || Record::is_there(&git, session))
}
