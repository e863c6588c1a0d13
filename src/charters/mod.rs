//! Charters, each with what its profile says about it.

pub mod report;

use std::path::PathBuf;

use bstr::BString;
use rayon::prelude::*;

use crate::dialects::squad::CHARTER;
use crate::engine::unread::NotRead;
use crate::errors::show_error;
use crate::formats::charter::verdict::Verdict;
use crate::outcome::Failure;
use crate::project::Project;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::selected::Selected;
use crate::select::worktree::{self, SelectError};
use crate::terminal::{Terminal, display_path};
use crate::text::{ColumnUnit, Source};

/// The charters that were asked for, and whether one of them could not be read.
#[derive(Debug, Default)]
pub struct Found {
    /// The charters, by their paths.
    pub charters: Vec<Source>,
    /// Whether one could not be read; it has been said which.
    pub incomplete: bool,
    /// How many files the configuration leaves out.
    pub excluded: usize,
}

/// A charter that is not text.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot validate {path}: line {line} is not UTF-8")]
#[diagnostic(help("write it in UTF-8; the other charters were validated"))]
struct NotUtf8 {
    path: String,
    line: usize,
}

impl Found {
    /// The charters of `project` among `paths`, or all of them if there are no paths. A file that is named is a charter, whatever
    /// its name.
    ///
    /// # Errors
    /// When a path cannot be reached.
    pub fn on_disk(project: &Project, paths: &[PathBuf], terminal: Terminal) -> Result<Self, SelectError> {
        let Project { repository, roots, excludes, options, .. } = project;
        let selection = worktree::select(repository, roots, excludes, paths)?;
        let (selection, overlay, mode) = (&selection, &Overlay::new(), Mode::WorkTree);
        let input = Input { repository, roots, excludes, selection, overlay, mode };
        let cap = options.max_file_bytes.get();
        let is_wanted = |file: &&Selected| file.checked && (file.named || file.kind == &CHARTER);
        let files: Vec<&Selected> = selection.files.iter().filter(is_wanted).collect();
        let read = |file: &&Selected| (file.path.clone(), input.read_selected(file, cap));
        let results: Vec<_> = files.par_iter().map(read).collect();
        let mut found = Self { excluded: selection.excluded, ..Self::default() };
        for (path, result) in results {
            match result {
                Ok(bytes) => found.add(path, bytes, terminal),
                Err(reason) => {
                    found.incomplete = true;
                    show_error(terminal, &NotRead::from(&Failure { path, reason }));
                }
            }
        }
        Ok(found)
    }

    /// Adds the charter at `path`, if its `bytes` are text.
    pub fn add(&mut self, path: BString, bytes: Vec<u8>, terminal: Terminal) {
        let source = Source::new(path, bytes);
        match source.invalid().first() {
            None => self.charters.push(source),
            Some(span) => {
                self.incomplete = true;
                let line = source.position(span.start(), ColumnUnit::Char).line;
                show_error(terminal, &NotUtf8 { path: display_path(source.path()), line });
            }
        }
    }

    /// What `profile` says about each charter.
    pub fn verdicts(&self, profile: Option<&str>) -> Vec<(&Source, Verdict)> {
        let verdict = |source: &'_ Source| Verdict::of(source.text(), source.path(), profile);
        self.charters.par_iter().map(|source| (source, verdict(source))).collect()
    }
}
