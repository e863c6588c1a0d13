//! From an event to its answer.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::answer::{Answer, to_stop, to_write};
use super::check;
use super::event::{Event, What};
use super::record::{Author, Line, Record, keeps};
use super::written::{Written, file, written};
use crate::cli::agents::Harness;
use crate::errors::CliError;
use crate::fs::read::read;
use crate::select::repository::Repository;

/// A longer event is not read to its end, and gets no answer. It holds the text that was written, and often the old one, too.
const MOST_BYTES: u64 = 64 << 20;

/// Few events are longer.
const USUAL_BYTES: usize = 256 << 10;

/// A file of git that names a folder is no longer, in bytes.
const LONGEST_LINK: u64 = 8 << 10;

/// Answers the event that `input` holds, of the harness `given` if it is known.
///
/// # Errors
/// When a repository or its configuration cannot be read.
pub fn answer(given: Option<Harness>, input: impl Read) -> Result<Answer, CliError> {
    // Room for nearly every event: what grows is copied.
    let mut json = Vec::with_capacity(USUAL_BYTES);
    let is_read = input.take(MOST_BYTES + 1).read_to_end(&mut json).is_ok() && json.len() as u64 <= MOST_BYTES;
    let Some(event) = is_read.then(|| Event::parse(&json, given)).flatten() else { return Ok(Answer::Nothing) };
    drop(json);
    let here = || env::current_dir().unwrap_or_default();
    let folder = event.folder.clone().filter(|folder| folder.is_dir()).unwrap_or_else(here);
    match &event.what {
        What::Wrote(places) => {
            let (files, keys) = divided(written(&folder, places));
            let author = event.author();
            let mut found = Vec::new();
            let files = check::files(&canonical(&folder), &files, author.as_ref(), &mut found);
            let keys = check::keys(&canonical(&folder), &folder, &keys, author.as_ref(), &mut found);
            match files.and(keys) {
                Err(error) if found.is_empty() => Err(error),
                _ => Ok(to_write(event.harness, &found)),
            }
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
    let roots = Record::of_person(&author).map(|person| person.roots()).unwrap_or_default();
    if has_record == Some(false) && roots.is_empty() {
        return Ok(Answer::Nothing);
    }
    let records = records(folder, has_record, &roots, &author)?;
    // The others name the agent that stops, but not the agent that writes.
    let writer = author.agent.as_deref().filter(|_| event.harness == Harness::Claude);
    let (mut found, mut failed) = (Vec::new(), None);
    for (place, record) in &records {
        let (files, keys) = record.written(writer);
        let files: Vec<PathBuf> = files.iter().filter_map(|path| file(path)).collect();
        // What is wrong with one repository does not keep the others from being checked.
        for checked in [
            check::files(&canonical(folder), &files, Some(&author), &mut found),
            check::keys(&canonical(folder), place, &keys, Some(&author), &mut found),
        ] {
            failed = failed.or(checked.err());
        }
    }
    let has_errors = found.iter().any(|finding| finding.is_error);
    if let Some(error) = failed.filter(|_| !has_errors) {
        return Err(error);
    }
    // Stops are counted in all records, wherever the agent is. The check may have made the first one.
    let person = Record::of_person(&author).filter(|person| !person.roots().is_empty());
    let mut counters: Vec<Record> = person.into_iter().chain(records.into_iter().map(|(_, record)| record)).collect();
    if has_errors {
        let keeps = keeps(&mut counters, SystemTime::now());
        return Ok(if keeps { to_stop(event.harness, is_subagent, &found) } else { Answer::Nothing });
    }
    for counter in &mut counters {
        if !is_subagent {
            counter.remove();
        } else if counter.blocks() > 0 {
            // The next time counts from the start. If that cannot be noted, the agent is let go sooner.
            let _ = counter.add(Line::Passed);
        }
    }
    Ok(Answer::Nothing)
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
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.symlink_metadata().is_ok())?;
    let common = if git.is_dir() { git } else { common_dir(&git)? };
    Some(Record::is_there(&common, session))
}

/// The folder of git that work trees share, for a linked one with this file `.git`.
fn common_dir(file: &Path) -> Option<PathBuf> {
    let line = |path: &Path| -> Option<String> {
        let text = String::from_utf8(read(path, LONGEST_LINK).ok()?).ok()?;
        Some(text.trim_end_matches(['\r', '\n']).to_owned())
    };
    let own = file.parent()?.join(line(file)?.strip_prefix("gitdir: ")?);
    // A submodule has none.
    let common = line(&own.join("commondir")).map_or_else(|| own.clone(), |common| own.join(common));
    common.is_dir().then_some(common)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_folder_of_git_is_found_by_its_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["main/.git/worktrees/a", "main/.git/modules/b", "a", "b", "c"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        fs::write(at("main/.git/worktrees/a/commondir"), "../..\n").unwrap();
        fs::write(at("a/.git"), format!("gitdir: {}\n", at("main/.git/worktrees/a").display())).unwrap();
        fs::write(at("b/.git"), "gitdir: ../main/.git/modules/b\n").unwrap();
        fs::write(at("c/.git"), "gitdir: ../nowhere\n").unwrap();
        let found = |path: &str| common_dir(&at(path)).map(|found| found.canonicalize().unwrap());
        let expected = |path: &str| Some(at(path).canonicalize().unwrap());
        assert_eq!(found("a/.git"), expected("main/.git"));
        assert_eq!(found("b/.git"), expected("main/.git/modules/b"));
        assert_eq!(found("c/.git"), None);
        assert_eq!(has_record(&at("a"), "s"), Some(false));
        let author = Author { session: "s".into(), agent: None };
        Record::open(&at("main/.git"), &author).unwrap().add(Line::Key("k".into())).unwrap();
        assert_eq!((has_record(&at("a"), "s"), has_record(&at("c"), "s")), (Some(true), None));
    }
}
