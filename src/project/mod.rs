//! A project: the repository, its configuration, and where it keeps state. That is all that a run knows before it reads the
//! first file, and this is the only place that finds it out.

pub mod effective;
mod error;
pub mod globs;
pub mod now;
pub mod rules;

use std::path::{Path, PathBuf};

use bstr::BStr;

use self::globs::SettingsError;
use crate::config::{self, ConfigError, Loaded, Places};
use crate::layout::exclude::Excludes;
use crate::layout::roots::Roots;
use crate::options::Options;
use crate::rules::{all, families};
use crate::select::changes::wanted;
use crate::select::input::Overlay;
use crate::select::repository::{OpenError, Repository};
use crate::select::state_branch;
use crate::select::worktree::SelectError;

/// A repository, or a folder without git, with its configuration.
#[derive(Debug)]
pub struct Project {
    /// Where the files are.
    pub repository: Repository,
    /// The settings of the configuration, and the moment that dates are compared with.
    pub options: Options,
    /// Where state is kept.
    pub roots: Roots,
    /// Which files are left out.
    pub excludes: Excludes,
    /// The configuration file that was read.
    pub config: Option<PathBuf>,
    /// The lines of that file on which its keys are.
    pub places: Places,
}

/// How to open a project: what the command line can say about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open<'a> {
    /// Where it is.
    pub at: At<'a>,
    /// Which configuration it has.
    pub config: ConfigFile<'a>,
    /// Globs of files to leave out, beside those of the configuration.
    pub exclude: &'a [String],
    /// A file that is the manifest of a team, whatever its name.
    pub manifest: Option<&'a Path>,
    /// The moment that dates are compared with; `SOURCE_DATE_EPOCH`, else the clock, if it is not given.
    pub now: Option<&'a str>,
}

/// Where a project is.
#[derive(Clone, Copy, Debug, Default)]
pub enum At<'a> {
    /// The repository of the current folder, as git finds it.
    #[default]
    Here,
    /// The same, or a bare repository.
    HereOrBare,
    /// The repository of this file or folder. Without git the current folder counts as one if the path lies in it, else the
    /// folder that the state root lies in.
    Path(&'a Path),
    /// This very folder, without git (`--root`).
    Root(&'a Path),
}

/// Which configuration file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfigFile<'a> {
    /// The one at the root, if there is one.
    #[default]
    AtRoot,
    /// This one.
    File(&'a Path),
    /// None: all settings have their defaults.
    Nothing,
}

/// Why a project cannot be opened.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ProjectError {
    /// The folder or the repository cannot be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Open(#[from] OpenError),
    /// The configuration cannot be read, or has a mistake.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Config(#[from] ConfigError),
    /// A glob or a moment is not valid.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] SettingsError),
    /// A path lies outside of the repository.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Path(#[from] SelectError),
}

impl Project {
    /// Opens the project that the file or folder `path` belongs to.
    ///
    /// # Errors
    /// See [`ProjectError`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ProjectError> {
        Self::open_with(&Open { at: At::Path(path.as_ref()), ..Open::default() })
    }

    /// Opens a project as `open` says.
    ///
    /// # Errors
    /// See [`ProjectError`].
    pub fn open_with(open: &Open<'_>) -> Result<Self, ProjectError> {
        let repository = open.at.repository()?;
        let names: Vec<&str> = all().map(|registered| registered.rule.name).chain(families()).collect();
        let Loaded { config: settings, path, places } = match open.config {
            ConfigFile::Nothing => Loaded::default(),
            ConfigFile::File(path) => config::load(&repository.root, path, &names)?,
            ConfigFile::AtRoot => config::discover(&repository.root, &names)?,
        };
        let (mut roots, excludes) = globs::of(&settings, open.exclude)?;
        if let Some(manifest) = open.manifest {
            for path in wanted(&repository, &[manifest.to_path_buf()])? {
                roots = globs::compile(&[format!("/{path}")], |globs| roots.with_manifests(globs))?;
            }
        }
        let state_branch = settings.guard.state_branch.as_str();
        let is_state = |git| state_branch::is_checked_out(git, &repository.root, state_branch);
        if repository.git.as_ref().is_some_and(is_state) {
            roots = roots.with_top(true);
        }
        let mut options = Options::new(settings, now::moment(open.now)?.0).map_err(globs::invalid)?;
        options.may_create_config = path.is_none() && open.config == ConfigFile::AtRoot;
        Ok(Self { repository, options, roots, excludes, config: path, places })
    }

    /// The options with the settings of the configuration that a fix created in `overlay`; `None` if none did.
    pub fn options_in(&self, overlay: &Overlay) -> Option<Options> {
        let name = config::FILE_NAMES.first().filter(|_| self.options.may_create_config)?;
        let settings = config::settings(overlay.get(BStr::new(name))?)?;
        self.options.with_settings(settings).ok()
    }
}

impl At<'_> {
    /// The repository that is there, or the folder that counts as one.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn repository(self) -> Result<Repository, OpenError> {
        let here = Path::new(".");
        let path = match self {
            Self::Here => return Repository::discover(here),
            Self::HereOrBare => return Repository::discover_bare(here),
            Self::Root(root) => return Repository::at(root),
            Self::Path(path) => path,
        };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(here);
        let folder = if path.is_dir() { path } else { parent };
        if !folder.is_dir() {
            return Repository::discover(here);
        }
        let found = Repository::discover(folder)?;
        if found.has_git {
            return Ok(found);
        }
        let current = Repository::discover(here)?;
        if found.root.starts_with(&current.root) {
            return Ok(current);
        }
        let is_root = |folder: &&Path| folder.file_name().is_some_and(|name| name == ".squad" || name == ".ai-team");
        let above = found.root.ancestors().find(is_root).and_then(Path::parent);
        Ok(Repository { root: above.unwrap_or(&found.root).to_path_buf(), ..found })
    }
}
