//! Opening the repository as git would: where it is, what the variables of the environment say, and who may be trusted.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use gix::ThreadSafeRepository as Shared;
use gix::discover::upwards;
use tempfile::TempDir;

const DOT_GIT: &str = ".git";
const GIT_DIR: &str = "GIT_DIR";
const INDEX: &str = "GIT_INDEX_FILE";
const OBJECTS: &str = "GIT_OBJECT_DIRECTORY";
const ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";
const COMMON: &str = "GIT_COMMON_DIR";
/// Marks what was opened without the files that its configuration includes.
const GUARDED: &str = "squadlint.guarded";

/// Why an existing repository, or what looks like one, was not opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// It is damaged, or belongs to somebody else.
    #[error(transparent)]
    Git(Box<gix::Error>),
    /// A `.git` that leads to no repository.
    #[error("{} does not lead to a git repository: {reason}", path.display())]
    Nowhere {
        /// The `.git`.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A variable of the environment leads to nothing that is of use.
    #[error("`{name}` is `{}`, but {expected}", value.to_string_lossy())]
    Variable {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: std::ffi::OsString,
        /// What is wrong with it.
        expected: &'static str,
    },
    /// The folder for what `GIT_ALTERNATE_OBJECT_DIRECTORIES` says cannot be used.
    #[error("cannot read the object folders that the environment names")]
    Objects(#[source] std::io::Error),
}

/// A repository as the environment has it.
pub(super) struct Opened {
    pub(super) shared: Shared,
    /// The file that `GIT_INDEX_FILE` names.
    pub(super) index: Option<PathBuf>,
    /// Keeps the folder that lists the further object folders.
    pub(super) alternates: Option<Arc<TempDir>>,
}

/// The repository that holds the folder `at`; `None` where there is none. `at` is canonical.
pub(super) fn open(at: &Path) -> Result<Option<Opened>, Unopened> {
    let named = env::var_os(GIT_DIR);
    let mut shared = match trusted(at) {
        Ok(shared) => shared,
        Err(error) => match (named, missing(&error)) {
            (Some(value), _) if error.is_not_found() => {
                return Err(Unopened::Variable { name: GIT_DIR, value, expected: "there is no git repository" });
            }
            (None, Some(folders)) => {
                let broken = at.ancestors().take(folders).map(|folder| folder.join(DOT_GIT));
                let mut broken = broken.filter(|path| path.symlink_metadata().is_ok());
                return broken.next().map_or(Ok(None), |path| Err(nowhere(path)));
            }
            _ => return Err(Unopened::Git(Box::new(error))),
        },
    };
    if named.is_none() {
        check_files(at, &shared)?;
    }
    let here = current_dir()?;
    check_common_dir(&shared, &here)?;
    let local = shared.to_thread_local();
    let config = local.config_snapshot();
    let names_no_work_tree = named.is_some() && env::var_os("GIT_WORK_TREE").is_none();
    if names_no_work_tree && shared.work_dir().is_none() && config.boolean("core.bare") != Some(true) {
        shared.work_tree = Some(here.clone());
    }
    // Git goes to the top of the work tree before it looks a relative path up. Where `GIT_DIR` alone is set, it takes the
    // current folder for the top.
    let is_top_here = names_no_work_tree && config.string("core.worktree").is_none();
    let base = if is_top_here { here.clone() } else { base(at, &here, &shared) };
    let index = variable(INDEX).map(|path| base.join(path));
    let alternates = objects(&mut shared, &here, &base)?;
    Ok(Some(Opened { shared, index, alternates }))
}

/// The value of a variable; an empty one says nothing.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn current_dir() -> Result<PathBuf, Unopened> {
    env::current_dir().map_err(Unopened::Objects)
}

/// How many folders were looked at in vain; `None` where the error is another one.
fn missing(error: &gix::Error) -> Option<usize> {
    match error.downcast_any_ref::<upwards::Error>()? {
        upwards::Error::NoGitRepository { .. } => Some(usize::MAX),
        upwards::Error::NoGitRepositoryWithinCeiling { ceiling_height, .. } => Some(*ceiling_height),
        upwards::Error::NoGitRepositoryWithinFs { path, limit } => {
            Some(path.ancestors().take_while(|folder| *folder != limit).count())
        }
        _ => None,
    }
}

fn nowhere(path: PathBuf) -> Unopened {
    let reason = match path.metadata() {
        Err(error) if path.is_symlink() => format!("the link leads to nothing that can be read ({error})"),
        Err(error) => error.to_string(),
        Ok(found) if found.is_dir() => {
            let missing = ["HEAD", "objects", "refs"].into_iter().find(|name| !path.join(name).exists());
            format!("{} cannot be read in it", missing.unwrap_or("HEAD"))
        }
        // What the file says is nothing to print: it may be a link to another one.
        Ok(found) if found.is_file() => match gix::discover::path::from_gitdir_file(&path) {
            Ok(folder) => format!("it names {}, where there is no repository", folder.display()),
            Err(_) => "it does not say `gitdir: ` and a path".to_owned(),
        },
        Ok(_) => "it is neither a folder nor a file".to_owned(),
    };
    Unopened::Nowhere { path, reason }
}

/// A `.git` file below the repository that was found leads nowhere: git does not look above it.
fn check_files(at: &Path, shared: &Shared) -> Result<(), Unopened> {
    for folder in at.ancestors().take_while(|folder| Some(*folder) != shared.work_dir()) {
        let path = folder.join(DOT_GIT);
        if path.is_file() {
            return if gix::discover::is_git(&path).is_ok() { Ok(()) } else { Err(nowhere(path)) };
        }
    }
    Ok(())
}

/// Configuration, objects and references are read from where the repository says. Another place is not supported.
fn check_common_dir(shared: &Shared, here: &Path) -> Result<(), Unopened> {
    let Some(value) = variable(COMMON) else { return Ok(()) };
    let common = shared.common_dir.as_deref().unwrap_or(shared.git_dir());
    let same = here.join(&value).canonicalize().is_ok_and(|named| common.canonicalize().is_ok_and(|own| own == named));
    let expected = "the repository has its common folder elsewhere, which is not supported: unset it";
    if same { Ok(()) } else { Err(Unopened::Variable { name: COMMON, value, expected }) }
}

/// The folder from which git looks relative paths up: the top of the work tree, when it is started in that.
fn base(at: &Path, here: &Path, shared: &Shared) -> PathBuf {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let Some(top) = shared.work_dir().map(canonical) else { return here.into() };
    let is_inside = (here.starts_with(&top) || at.starts_with(&top)) && !here.starts_with(canonical(shared.git_dir()));
    if is_inside { top } else { here.into() }
}

/// Reads objects from where the environment says.
fn objects(shared: &mut Shared, here: &Path, base: &Path) -> Result<Option<Arc<TempDir>>, Unopened> {
    let (own, further) = (variable(OBJECTS), variable(ALTERNATES));
    if own.is_none() && further.is_none() {
        return Ok(None);
    }
    let folder = match &own {
        None => shared.objects.path().to_path_buf(),
        // Git asks before it goes to the top, and reads after.
        Some(value) if here.join(value).is_dir() && base.join(value).is_dir() => base.join(value),
        Some(value) => {
            let value = value.clone();
            return Err(Unopened::Variable { name: OBJECTS, value, expected: "there is no such folder" });
        }
    };
    let further: Vec<PathBuf> = further.iter().flat_map(env::split_paths).map(|path| base.join(path)).collect();
    // Missing folders are skipped, as git does.
    let further: Vec<PathBuf> = further.into_iter().filter(|path| path.is_dir()).collect();
    let list = if further.is_empty() { None } else { Some(Arc::new(list(&folder, &further)?)) };
    let path = list.as_ref().map_or(folder.as_path(), |list| list.path());
    let options = gix::odb::store::init::Options { current_dir: Some(here.into()), ..Default::default() };
    let hash = shared.to_thread_local().object_hash();
    let store = gix::odb::Store::at_opts(path.into(), hash, &mut std::iter::empty(), options);
    shared.objects = store.map_err(Unopened::Objects)?.into();
    Ok(list)
}

/// An empty object folder that refers to these: in files is the only way in which the object database takes them.
fn list(folder: &Path, further: &[PathBuf]) -> Result<TempDir, Unopened> {
    let all = std::iter::once(folder).chain(further.iter().map(PathBuf::as_path));
    let mut lines = Vec::new();
    for path in all {
        let path = path.canonicalize().map_err(Unopened::Objects)?;
        lines.extend_from_slice(path.as_os_str().as_encoded_bytes());
        lines.push(b'\n');
    }
    let made = tempfile::tempdir().and_then(|made| {
        std::fs::create_dir(made.path().join("info"))?;
        std::fs::write(made.path().join("info/alternates"), lines)?;
        Ok(made)
    });
    made.map_err(Unopened::Objects)
}

/// Opens the repository. In one of another user nothing that its configuration includes is read before `safe.directory`
/// is known to name it.
fn trusted(at: &Path) -> Result<Shared, gix::Error> {
    let guarded = discover(at, false);
    let is_safe = match &guarded {
        Ok(shared) => shared.to_thread_local().config_snapshot().boolean(GUARDED) == Some(true),
        // The user's own configuration may say so in a file that it includes.
        Err(error) => error.is_permission_denied() && is_declared_safe(at),
    };
    if is_safe { discover(at, true) } else { guarded }
}

/// `with_includes` is about repositories of other users.
fn discover(at: &Path, with_includes: bool) -> Result<Shared, gix::Error> {
    // To verify the hash over the index would cost ten times what reading it costs; git does not do it either.
    let all = ["index.skipHash=true", "squadlint.guarded=true"];
    let options = |overrides: &[&str]| {
        gix::open::Options::default().bail_if_untrusted(true).config_overrides(overrides.iter().copied())
    };
    let [hash, _] = all;
    let mut reduced = options(&[hash]);
    if !with_includes {
        let mut permissions = gix::open::Permissions::default();
        permissions.config.includes = false;
        reduced = options(&all).permissions(permissions);
    }
    let trust = gix::sec::trust::Mapping { full: options(&[hash]), reduced };
    Shared::discover_with_environment_overrides_opts(at, search(), trust)
}

fn search() -> upwards::Options<'static> {
    // A folder that the search never reaches is not an error for git.
    upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() }
}

/// Whether `safe.directory` in the configuration of the user or the system, or in what it includes, names the repository.
fn is_declared_safe(at: &Path) -> bool {
    let folder = match env::var_os(GIT_DIR) {
        Some(folder) => PathBuf::from(folder),
        None => match gix::discover::upwards_opts(at, search().apply_environment()) {
            Ok((found, _)) => {
                let (git_dir, work_dir) = found.into_repository_and_work_tree_directories();
                work_dir.unwrap_or(git_dir)
            }
            Err(_) => return false,
        },
    };
    let Ok(config) = gix::config::File::from_globals() else { return false };
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let folder = canonical(&folder);
    let names = |value: &BStr| {
        let home = gix::path::env::home_dir();
        let context = gix::config::path::interpolate::Context { home_dir: home.as_deref(), ..Default::default() };
        let Ok(path) = gix::config::Path::from(value).interpolate(context) else { return false };
        match path.file_name() == Some(OsStr::new("*")) {
            true => path.parent().is_some_and(|above| path.is_absolute() && folder.starts_with(canonical(above))),
            false => path.is_absolute() && canonical(&path) == folder,
        }
    };
    // An empty value takes back what was said before.
    let values = config.strings("safe.directory").unwrap_or_default();
    values.iter().fold(false, |is_safe, value| match value.as_bytes() {
        b"" => false,
        b"*" => true,
        _ => is_safe || names(value.as_bstr()),
    })
}
