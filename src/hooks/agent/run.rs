//! From an event to its answer.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::answer::{Answer, to_stop, to_write};
use super::check::{self, Finding};
use super::event::{Event, What};
use super::record::{Author, Line, Record};
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
            let found = check(&folder, &files, &keys, event.author().as_ref())?;
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

fn check(folder: &Path, files: &[PathBuf], keys: &[String], author: Option<&Author>) -> Result<Vec<Finding>, CliError> {
    let mut found = check::files(&folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()), files, author)?;
    if !keys.is_empty() {
        found.extend(check::keys(folder, keys, author)?);
    }
    Ok(found)
}

/// Keeps the agent from stopping if it, or for the first agent its session, left errors; twice at most.
fn stops(event: &Event, is_subagent: bool, folder: &Path) -> Result<Answer, CliError> {
    let Some(author) = event.author() else { return Ok(Answer::Nothing) };
    let has_record = has_record(folder, &author.session);
    if has_record == Some(false) {
        return Ok(Answer::Nothing);
    }
    let git = match Repository::discover(folder) {
        Ok(repository) => repository.git,
        Err(error) if has_record.is_some() => return Err(error.into()),
        // No agent writes state in a bare repository, or records it in one that cannot be opened.
        Err(_) => None,
    };
    let Some(git) = git else { return Ok(Answer::Nothing) };
    let Ok(mut record) = Record::open(&git.common_dir(), &author) else { return Ok(Answer::Nothing) };
    // The others name the agent that stops, but not the agent that writes.
    let writer = author.agent.as_deref().filter(|_| event.harness == Harness::Claude);
    let (files, keys) = record.written(writer);
    let files: Vec<PathBuf> = files.iter().filter_map(|path| file(path)).collect();
    let found = check(folder, &files, &keys, Some(&author))?;
    if !found.iter().any(|finding| finding.is_error) {
        if !is_subagent {
            record.remove();
        } else if record.blocks() > 0 {
            // The next time counts from the start. If that cannot be noted, the agent is let go sooner.
            let _ = record.add(Line::Passed);
        }
        return Ok(Answer::Nothing);
    }
    let blocks = record.blocks() < MOST_BLOCKS;
    let is_noted = record.add(if blocks { Line::Blocked } else { Line::Passed }).is_ok();
    // What cannot be counted could go on for ever.
    Ok(if blocks && is_noted { to_stop(event.harness, is_subagent, &found) } else { Answer::Nothing })
}

/// Whether the repository that holds `folder` has a record of `session`, as far as that can be told without opening it: most
/// agents write no state.
fn has_record(folder: &Path, session: &str) -> Option<bool> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.symlink_metadata().is_ok());
    // A linked work tree has a file there.
    git.filter(|git| git.is_dir()).map(|git| Record::is_there(&git, session))
}
