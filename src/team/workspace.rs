//! The project of a subcommand of `team`, and the team that it is run for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use crate::dialects::learnings;
use crate::engine::unread::NotRead;
use crate::errors::CliError;
use crate::facts::learning_team::LearningTeam;
use crate::facts::{Run, learning_team};
use crate::formats::manifest::Member;
use crate::fs::path::is_in;
use crate::outcome::Failure;
use crate::project::{Open, Project};
use crate::rule::Document;
use crate::select::changes::wanted;
use crate::select::input::{Input, Mode, Overlay};
use crate::select::selected::Selected;
use crate::select::worktree::{self, Selection};
use crate::terminal::{Terminal, display_path, escape};
use crate::text::ColumnUnit;
use crate::text::suggest::{Tolerance, nearest};

/// Why a subcommand of `team` cannot find its team.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum TeamError {
    /// The repository has no manifest.
    #[error("there is no team here: no `.claude/team.yaml` below {}", root.display())]
    #[diagnostic(help("write one, or name the manifest with `--manifest FILE`"))]
    NoManifest {
        /// The repository's root.
        root: std::path::PathBuf,
    },
    /// The file that was named is not there, or cannot be read.
    #[error("cannot read the manifest {path}")]
    #[diagnostic(help("check the spelling, and that you have permission to read it"))]
    Unreadable {
        /// Its path.
        path: String,
    },
    /// It has several.
    #[error("there are several teams here: {paths}")]
    #[diagnostic(help("run in the folder of one of them, or name its manifest with `--manifest FILE`"))]
    Several {
        /// Their manifests.
        paths: String,
    },
    /// The manifest is not valid YAML.
    #[error("{path}:{line}:{column}: {message}")]
    #[diagnostic(help("`squad-lint check {path}` shows the place"))]
    Invalid {
        /// Its path.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The file is another tool's.
    #[error("{path} is not a manifest of a learning team: it has no `team`, and no member with `tools` or `owns`")]
    #[diagnostic(help("name the manifest with `--manifest FILE`, or write one"))]
    Foreign {
        /// Its path.
        path: String,
    },
    /// No member of that name has learnings.
    #[error("`{name}` has no learnings")]
    #[diagnostic(help("{help}"))]
    NoLearnings {
        /// The name.
        name: String,
        /// The members that have.
        help: String,
    },
    /// No member of the team has that name.
    #[error("unknown member `{name}`, not in {path}")]
    #[diagnostic(help("{help}"))]
    UnknownMember {
        /// The name.
        name: String,
        /// The manifest.
        path: String,
        /// The members that exist, or the nearest name.
        help: String,
    },
}

/// A project with the files of its teams.
pub struct Workspace {
    /// The output.
    pub terminal: Terminal,
    /// The repository and its configuration.
    pub project: Project,
    /// The files of all teams.
    pub selection: Selection,
    overlay: Overlay,
    /// The manifest that was named, relative to the root.
    pub(super) manifest: Option<BString>,
    /// The current folder, relative to the root; `None` if it lies outside.
    here: Option<BString>,
}

impl Workspace {
    /// Finds the repository and the files of its teams.
    ///
    /// # Errors
    /// When there is none, or the configuration is not understood.
    pub fn open(open: &Open<'_>, terminal: Terminal) -> Result<Self, CliError> {
        let project = Project::open_with(open)?;
        let manifest = open.manifest;
        let Project { repository, roots, excludes, .. } = &project;
        let relative = |path: &Path| wanted(repository, &[path.to_path_buf()]).map(|paths| paths.into_iter().next());
        let manifest = manifest.map(relative).transpose()?.flatten();
        let here = std::env::current_dir().ok().and_then(|folder| relative(&folder).ok()?);
        let selection = worktree::select(repository, roots, excludes, &[])?;
        let overlay = Overlay::new();
        Ok(Self { terminal, project, selection, overlay, manifest, here })
    }

    /// What a run over these files takes.
    pub fn input(&self) -> Input<'_> {
        let Project { repository, roots, excludes, .. } = &self.project;
        let (selection, overlay) = (&self.selection, &self.overlay);
        Input { repository, roots, excludes, selection, overlay, mode: Mode::WorkTree }
    }

    /// The facts of the repository, with `documents` as the files to check.
    pub fn run<'a>(&'a self, documents: &'a [Arc<Document>]) -> Run<'a> {
        Run::new(self.input(), documents, &self.project.options, std::iter::empty())
    }

    /// The team that is meant: the one whose manifest was named, else the only one, else the one whose folder holds the
    /// current folder.
    ///
    /// # Errors
    /// When there is none, when it is not clear which one, or when its manifest is not valid YAML.
    pub fn team(&self, run: &Run<'_>) -> Result<Arc<LearningTeam>, TeamError> {
        let path = self.manifest_path(&learning_team::manifests(run))?;
        self.team_at(run, path.as_bstr())
    }

    /// The team whose manifest is at `path`.
    ///
    /// # Errors
    /// When its manifest is not valid YAML.
    pub fn team_at(&self, run: &Run<'_>, path: &BStr) -> Result<Arc<LearningTeam>, TeamError> {
        let shown = || display_path(path);
        let team = learning_team::of(run, path).ok_or_else(|| TeamError::Unreadable { path: shown() })?;
        if let Some(error) = &team.manifest.error {
            let position = team.source.position(error.span.start(), ColumnUnit::Char);
            let message = error.message.clone();
            return Err(TeamError::Invalid { path: shown(), line: position.line, column: position.column, message });
        }
        if team.manifest.is_foreign {
            return Err(TeamError::Foreign { path: shown() });
        }
        Ok(team)
    }

    /// The `learnings.md` of all members, of the team whose memory is in `memory` where one is given.
    pub(super) fn learnings(&self, memory: Option<&BStr>) -> BTreeSet<BString> {
        let files =
            self.selection.files.iter().filter(|file| file.kind == &learnings::LEARNINGS).map(|file| &file.path);
        files.filter(|path| memory.is_none_or(|memory| is_in(path.as_bstr(), memory))).cloned().collect()
    }

    /// The learnings at `path`, which are among the files of the teams.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn read(&self, path: &BStr) -> Result<Arc<Document>, CliError> {
        let root = self.project.roots.root_of(path).unwrap_or_default();
        let file = Selected::on_disk(path.to_owned(), root, &learnings::LEARNINGS, true, true);
        let document = Document::read(self.input(), &file, self.project.options.max_file_bytes.get());
        document.map(Arc::new).map_err(|reason| NotRead::from(&Failure { path: file.path, reason }).into())
    }

    fn manifest_path(&self, all: &[BString]) -> Result<BString, TeamError> {
        if let Some(path) = &self.manifest {
            return Ok(path.clone());
        }
        let holds = |path: &&BString| {
            let folder = path.rsplit_once_str("/").map_or(b"".as_slice(), |(folder, _)| folder);
            let folder = folder.strip_suffix(b".claude").unwrap_or(folder);
            let folder = folder.strip_suffix(b"/").unwrap_or(folder).as_bstr();
            self.here.as_ref().is_some_and(|here| here == folder || is_in(here.as_bstr(), folder))
        };
        match all {
            [] => Err(TeamError::NoManifest { root: self.project.repository.root.clone() }),
            [only] => Ok(only.clone()),
            _ => all.iter().filter(holds).max_by_key(|path| path.len()).cloned().ok_or_else(|| {
                let paths: Vec<String> = all.iter().map(|path| escape(&path.to_str_lossy())).collect();
                TeamError::Several { paths: paths.join(", ") }
            }),
        }
    }
}

/// The name of the folder that a member's file is in.
pub(super) fn folder_name(path: &BStr) -> &[u8] {
    path.rsplit_str("/").nth(1).unwrap_or_default()
}

/// The `learnings.md` of the member of that name among `all`.
///
/// # Errors
/// When there is none; says who has one.
pub(super) fn learnings_of<'a>(all: &'a BTreeSet<BString>, name: &str) -> Result<&'a BString, TeamError> {
    all.iter().find(|path| folder_name(path.as_bstr()) == name.as_bytes()).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|path| escape(&folder_name(path.as_bstr()).to_str_lossy())).collect();
        let help = match names.is_empty() {
            true => "there are no learnings here: no `memory/agents/*/learnings.md`".to_owned(),
            false => format!("there are learnings of {}", names.join(", ")),
        };
        TeamError::NoLearnings { name: escape(name), help }
    })
}

/// The member of that name.
///
/// # Errors
/// When there is none; says who there is.
pub fn member<'a>(team: &'a LearningTeam, name: &str) -> Result<&'a Member, TeamError> {
    team.manifest.member(name).ok_or_else(|| {
        let names: Vec<String> = team.manifest.names().map(escape).collect();
        let help = match nearest(name, team.manifest.names(), Tolerance::Help) {
            Some(near) => format!("did you mean `{}`?", escape(near)),
            None if names.is_empty() => "the team has no members".to_owned(),
            None => format!("its members are {}", names.join(", ")),
        };
        TeamError::UnknownMember { name: escape(name), path: display_path(team.manifest_path()), help }
    })
}
