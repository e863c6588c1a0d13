//! `convert`: legacy entries become SEM entries; what is not certain stays as it is and is listed.

mod report;
mod write;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use self::write::Output;
use super::unread::NotRead;
use super::{Exit, Stop};
use crate::cli::{ConvertArgs, ConvertFormat};
use crate::convert::Confidence;
use crate::convert::file::{self, Item};
use crate::convert::origin::{self, Origins};
use crate::engine::Failure;
use crate::errors::show_error;
use crate::facts::{Run, conversion};
use crate::formats::timestamp::Timestamp;
use crate::fs::atomic::WriteError;
use crate::layout::role::Roots;
use crate::options::Options;
use crate::project::{At, ConfigFile, Open, Project};
use crate::rule::Document;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::repository::Repository;
use crate::select::selected::Selected;
use crate::select::worktree;
use crate::terminal::{Terminal, escape};
use crate::text::conflict;
use crate::text::{ColumnUnit, Source};

/// A legacy entry, and what became of it.
pub struct Row {
    path: BString,
    line: usize,
    heading: String,
    confidence: Confidence,
    reasons: Vec<String>,
    /// The few words for what stands in the way.
    obstacle: &'static str,
    /// The new header line.
    header: Option<String>,
    /// Why its file could not be written.
    failure: Option<String>,
}

/// A file with legacy entries.
pub struct Changed {
    path: BString,
    old: Vec<u8>,
    /// What it becomes; `None` where nothing in it is converted.
    new: Option<Vec<u8>>,
    rows: Vec<Row>,
}

/// Converts, or says what would be converted.
pub fn run(args: &ConvertArgs) -> Result<Exit, Stop> {
    let terminal = Terminal::new(args.output.color);
    let project = Project::open_with(&Open {
        at: match (&args.root, args.paths.first()) {
            (Some(root), _) => At::Root(root),
            (None, Some(path)) => At::Path(path),
            (None, None) => At::Here,
        },
        config: match &args.config {
            _ if args.no_config => ConfigFile::Nothing,
            Some(path) => ConfigFile::File(path),
            None => ConfigFile::AtRoot,
        },
        exclude: &args.exclude,
        ..Open::default()
    })?;
    let Project { repository, roots, excludes, options, .. } = &project;
    let selection = worktree::select(repository, roots, excludes, &args.paths)?;
    let overlay = Overlay::new();
    let input = Input { repository, roots, excludes, selection: &selection, overlay: &overlay, mode: Mode::WorkTree };

    let log = args.log.as_deref().map(Output::log).transpose()?;
    let review = args.review.as_deref().map(Output::review).transpose()?;
    let read = |file: &Selected| (file.clone(), Document::read(input, file, options.max_file_bytes.get()));
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
    let history = History { repository, roots, cap: options.max_file_bytes.get(), terminal };
    let mut files = convert(input, options, &documents, args, &history);
    for file in &mut files {
        let Some(line) = conflict::first_line(&file.old).filter(|_| file.new.is_some()) else { continue };
        write::keep(file, WriteError::Conflict { path: file.path.to_str_lossy().as_ref().into(), line }, terminal);
        incomplete = true;
    }
    if !args.dry_run {
        incomplete |= write::all(repository, &mut files, terminal)?;
        if let Some(log) = log {
            write::log(log, &files)?;
        }
    }
    if let Some(review) = review {
        write::review(review, &files)?;
    }
    let mut out = std::io::BufWriter::new(terminal.stdout());
    match args.format {
        ConvertFormat::Json => report::json(&files, &mut out),
        ConvertFormat::Text => report::text(&files, args, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(Stop::Output)?;
    Ok(if incomplete { Exit::Incomplete } else { Exit::Clean })
}

/// What becomes of the files with legacy entries that are to be looked at.
fn convert(
    input: Input<'_>,
    options: &Options,
    documents: &[Arc<Document>],
    args: &ConvertArgs,
    history: &History<'_>,
) -> Vec<Changed> {
    let run = Run::new(input, documents, options, std::iter::empty());
    let origins: OnceCell<Origins> = OnceCell::new();
    let origins = || origins.get_or_init(|| if args.no_history { Origins::default() } else { history.read() });
    let checked: BTreeMap<&BStr, &Source> = documents
        .iter()
        .filter(|file| file.file.checked)
        .map(|file| (file.source.path(), file.source.as_ref()))
        .collect();
    let converted = conversion::convert(
        &run,
        |document| checked.contains_key(document.source.path()),
        args.min_confidence,
        |subject| origins().of(subject),
        || origins().agents().clone(),
    );
    let changed = converted.into_iter().filter_map(|(path, items)| {
        let source = checked.get(path.as_bstr())?;
        let rows = items.iter().map(|item| row(source, item)).collect();
        Some(Changed { path, old: source.bytes().to_vec(), new: file::apply(source, &items), rows })
    });
    changed.collect()
}

fn row(source: &Source, item: &Item) -> Row {
    let obstacle = item.reasons.iter().find_map(crate::convert::Reason::obstacle);
    Row {
        path: source.path().to_owned(),
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
    /// The whole history; nothing where there is none. One that cannot be read is said, and the text has to do.
    fn read(&self) -> Origins {
        let mut origins = Origins::default();
        let Some(git) = &self.repository.git else { return origins };
        let result = git.versions(self.roots, self.cap, |version| {
            let commit = version.commit;
            origins.add(origin::Version {
                role: version.file.role,
                inner: version.file.inner_path(),
                text: &version.bytes.to_str_lossy(),
                commit: &commit.id,
                at: Timestamp::new(commit.seconds, commit.offset),
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
