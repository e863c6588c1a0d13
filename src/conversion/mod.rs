//! The conversion of a project: legacy entries become SEM entries, and charters get the form of their profile. What is not certain
//! stays as it is and is listed.

pub mod backup;
mod charter;
pub mod remaining;
pub mod report;
mod row;
pub mod write;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

pub use self::row::{Changed, Row};

use crate::convert::file::{self, Item};
use crate::convert::origin::{self, Origins};
use crate::convert::{Confidence, Lifetime};
use crate::engine::unread::NotRead;
use crate::errors::show_error;
use crate::facts::{Run, attributes, conversion as entries};
use crate::fix::passes::FixedFile;
use crate::formats::timestamp::Timestamp;
use crate::fs::atomic::WriteError;
use crate::layout::roots::Roots;
use crate::options::Options;
use crate::outcome::Failure;
use crate::project::Project;
use crate::rule::Document;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::repository::Repository;
use crate::select::selected::Selected;
use crate::select::worktree::{self, SelectError};
use crate::terminal::{Terminal, escape};
use crate::text::conflict;
use crate::text::{ColumnUnit, Source};

/// What a conversion is to do.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// The files and folders to convert; all of them if there are none.
    pub paths: &'a [PathBuf],
    /// Entries with less confidence stay as they are.
    pub min_confidence: Confidence,
    /// Whether git's history is asked for dates and authors that the text lacks.
    pub history: bool,
}

/// The legacy entries and charters of a project, and the files that could not be read.
#[derive(Debug)]
pub struct Found {
    /// The files with legacy entries, and the charters.
    pub files: Vec<Changed>,
    /// How many charters have their canonical form already.
    pub canonical: usize,
    /// Whether a file could not be read or must not be written; the problems say which.
    pub incomplete: bool,
}

/// Finds the legacy entries of `project` and what becomes of them; nothing is written.
///
/// # Errors
/// When a path cannot be reached.
pub fn find(project: &Project, conversion: Conversion<'_>, terminal: Terminal) -> Result<Found, SelectError> {
    let Project { repository, roots, excludes, options, .. } = project;
    let selection = worktree::select(repository, roots, excludes, conversion.paths)?;
    let (selection, overlay, mode) = (&selection, &Overlay::new(), Mode::WorkTree);
    let input = Input { repository, roots, excludes, selection, overlay, mode };
    let cap = options.max_file_bytes.get();
    let read = |file: &Selected| (file.clone(), Document::read(input, file, cap));
    let results: Vec<_> = selection.files.par_iter().map(read).collect();
    let mut incomplete = false;
    let mut documents = Vec::new();
    for result in results {
        match result {
            (_, Ok(document)) => documents.push(Arc::new(document)),
            (file, Err(reason)) if file.checked => {
                incomplete = true;
                show_error(terminal, &NotRead::from(&Failure { path: file.path, reason }));
            }
            (_, Err(_)) => {}
        }
    }
    let history = History { repository, roots, cap, terminal };
    let mut files = convert(input, options, &documents, conversion, &history);
    let (charters, canonical) = charter::convert(&documents, options.charter.profile.is_some());
    files.extend(charters);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for file in &mut files {
        let Some(line) = conflict::first_line(&file.old).filter(|_| file.new.is_some()) else { continue };
        write::keep(file, WriteError::Conflict { path: file.path.to_str_lossy().as_ref().into(), line }, terminal);
        incomplete = true;
    }
    Ok(Found { files, canonical, incomplete })
}

/// The files that are converted, with their new bytes.
pub fn fixed(files: Vec<Changed>) -> Vec<FixedFile> {
    let fixed = files.into_iter().filter_map(|file| {
        let count = file.rows.iter().filter(|row| report::is_converted(row)).count();
        Some(FixedFile { path: file.path, old: Some(file.old), new: file.new?, count, after: BTreeSet::new() })
    });
    fixed.collect()
}

/// What becomes of the files with legacy entries that are to be examined.
fn convert(
    input: Input<'_>,
    options: &Options,
    documents: &[Arc<Document>],
    conversion: Conversion<'_>,
    history: &History<'_>,
) -> Vec<Changed> {
    let run = Run::new(input, documents, options, std::iter::empty());
    let origins: OnceCell<Origins> = OnceCell::new();
    let origins = || origins.get_or_init(|| if conversion.history { history.read() } else { Origins::default() });
    let checked: BTreeMap<&BStr, &Source> = documents
        .iter()
        .filter(|file| file.file.checked)
        .map(|file| (file.source.path(), file.source.as_ref()))
        .collect();
    let past = entries::Past {
        origin: &|subject| origins().of(subject),
        agents: &|| origins().agents().clone(),
        begin: &|| origins().begin(),
        lifetime: conversion.history.then(|| history.lifetime(options.now)).flatten(),
    };
    let converted = entries::convert(
        &run,
        |document| checked.contains_key(document.source.path()),
        conversion.min_confidence,
        past,
    );
    let changed = converted.into_iter().filter_map(|(path, items)| {
        let source = checked.get(path.as_bstr())?;
        let rows = items.iter().map(|item| row(source, item)).collect();
        let new = file::apply(source, &items);
        let merges_by_union = new.is_some() && attributes::merges_by_union(&run, path.as_bstr());
        Some(Changed { path, old: source.bytes().to_vec(), new, rows, merges_by_union })
    });
    changed.collect()
}

fn row(source: &Source, item: &Item) -> Row {
    let obstacle = item.reasons.iter().find_map(crate::convert::Reason::obstacle);
    Row {
        path: source.path().to_owned(),
        noun: "Entry",
        line: source.position(item.heading.start(), ColumnUnit::Char).line,
        heading: source.slice(item.heading).trim().to_owned(),
        confidence: item.confidence,
        reasons: item.reasons.iter().map(ToString::to_string).collect(),
        obstacle: obstacle.unwrap_or("low confidence"),
        header: item.converted.as_ref().map(|converted| converted.header.clone()),
        failure: None,
    }
}

/// Where dates and authors are looked up that a text lacks.
struct History<'a> {
    repository: &'a Repository,
    roots: &'a Roots,
    cap: u64,
    terminal: Terminal,
}

impl History<'_> {
    /// From the first commit to the last; `None` where there is no history.
    fn lifetime(&self, now: Timestamp) -> Option<Lifetime> {
        let (first, last) = self.repository.git.as_ref()?.lifetime().ok()??;
        let at = |seconds| Timestamp::from_unix(seconds);
        Some(Lifetime { first: first.map(at), last: at(last), now })
    }

    /// The whole history; nothing where there is none. One that cannot be read is said, and the text has to do.
    fn read(&self) -> Origins {
        let mut origins = Origins::default();
        let Some(git) = &self.repository.git else { return origins };
        let result = git.versions(self.roots, self.cap, |version| {
            let commit = version.commit;
            origins.add(origin::Version {
                file_kind: version.file.kind,
                root: version.file.root.as_bstr(),
                inner: version.file.inner_path(),
                text: &version.bytes.to_str_lossy(),
                commit: &commit.id,
                at: Timestamp::new(commit.seconds, commit.offset),
                committed: commit.committed,
                author: &commit.author.to_str_lossy(),
                unknown: commit.first,
            });
        });
        if let Err(error) = result {
            let _ = writeln!(self.terminal.stderr(), "warning: {}; converting without it", escape(&error.to_string()));
        }
        origins
    }
}
