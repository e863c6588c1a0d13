//! From an event to its answer.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::answer::{Answer, to_stop, to_write};
use super::check;
use super::event::{Event, What};
use super::record::{Author, Line, Record};
use super::written::{Written, file, written};
use crate::cli::agents::Harness;
use crate::errors::CliError;
use crate::select::repository::Repository;

/// A longer event is not read to its end, and gets no answer. It holds the text that was written, and often the old one, too.
const MOST_BYTES: u64 = 64 << 20;

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
            let author = event.author();
            let mut found = check::files(&canonical(&folder), &files, author.as_ref())?;
            found.extend(check::keys(&canonical(&folder), &folder, &keys, author.as_ref())?);
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

fn canonical(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())
}

/// Keeps the agent from stopping if it, or for the first agent its session, left errors; twice at most.
fn stops(event: &Event, is_subagent: bool, folder: &Path) -> Result<Answer, CliError> {
    let Some(author) = event.author() else { return Ok(Answer::Nothing) };
    let has_record = has_record(folder, &author.session);
    let mut person = Record::of_person(&author).filter(|person| !person.roots().is_empty());
    let roots = person.as_ref().map(Record::roots).unwrap_or_default();
    if has_record == Some(false) && roots.is_empty() {
        return Ok(Answer::Nothing);
    }
    let mut records = records(folder, has_record, &roots, &author)?;
    // The others name the agent that stops, but not the agent that writes.
    let writer = author.agent.as_deref().filter(|_| event.harness == Harness::Claude);
    let mut found = Vec::new();
    for (place, record) in &records {
        let (files, keys) = record.written(writer);
        let files: Vec<PathBuf> = files.iter().filter_map(|path| file(path)).collect();
        found.extend(check::files(&canonical(folder), &files, Some(&author))?);
        found.extend(check::keys(&canonical(folder), place, &keys, Some(&author))?);
    }
    let has_errors = found.iter().any(|finding| finding.is_error);
    if !has_errors && !is_subagent {
        // The check may have made one.
        let person = Record::of_person(&author);
        person.iter().chain(records.iter().map(|(_, record)| record)).for_each(Record::remove);
        return Ok(Answer::Nothing);
    }
    // Stops are counted in one place, wherever the agent is.
    let first = records.first_mut().map(|(_, record)| record);
    let Some(counter) = person.as_mut().or(first) else { return Ok(Answer::Nothing) };
    if !has_errors {
        if counter.blocks() > 0 {
            // The next time counts from the start. If that cannot be noted, the agent is let go sooner.
            let _ = counter.add(Line::Passed);
        }
        return Ok(Answer::Nothing);
    }
    // What cannot be counted could go on for ever.
    let keeps = counter.keeps(SystemTime::now()).unwrap_or(false);
    Ok(if keeps { to_stop(event.harness, is_subagent, &found) } else { Answer::Nothing })
}

/// The records of the session in the repository that holds `folder`, and in those at `roots`; each with a folder in its repository.
fn records(
    folder: &Path,
    has_record: Option<bool>,
    roots: &[PathBuf],
    author: &Author,
) -> Result<Vec<(PathBuf, Record)>, CliError> {
    let mut common_dirs = Vec::new();
    let mut records = Vec::new();
    let here = (has_record != Some(false)).then_some(folder);
    for folder in here.into_iter().chain(roots.iter().map(PathBuf::as_path)) {
        let git = match Repository::discover(folder) {
            Ok(repository) => repository.git,
            Err(error) if here == Some(folder) && has_record.is_some() => return Err(error.into()),
            // No agent writes state in a bare repository, or records it in one that cannot be opened. Another may be gone by now.
            Err(_) => None,
        };
        let Some(common) = git.map(|git| git.common_dir()).filter(|common| !common_dirs.contains(common)) else {
            continue;
        };
        records.extend(Record::open(&common, author).ok().map(|record| (folder.to_path_buf(), record)));
        common_dirs.push(common);
    }
    Ok(records)
}

/// Whether the repository that holds `folder` has a record of `session`, as far as that can be told without opening it: most
/// agents write no state.
fn has_record(folder: &Path, session: &str) -> Option<bool> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.symlink_metadata().is_ok());
    // A linked work tree has a file there.
    git.filter(|git| git.is_dir()).map(|git| Record::is_there(&git, session))
}
