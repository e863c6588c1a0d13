//! `install`: writes the git hooks; a hook that is there already goes on running.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Found, HookError, HookFile, failed, folder, repository, shown, shown_in};
use crate::cli::{Hook, HooksArgs};
use crate::errors::CliError;
use crate::fs::atomic;
use crate::git::repository::Git;
use crate::terminal::{Terminal, escape};

/// Writes the hooks that `args` name, and prints what became of each.
///
/// # Errors
/// When a hook cannot be read or written, and the errors of standard output.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<(), CliError> {
    let (repository, git) = repository()?;
    let (folder, shared_by) = folder(&git, args.hooks_path.as_deref())?;
    for hook in &args.hook {
        refuse_husky(*hook, &folder)?;
    }
    if fs::symlink_metadata(&folder).is_ok() && !folder.is_dir() {
        return Err(HookError::NotAFolder { path: shown(&folder) }.into());
    }
    fs::create_dir_all(&folder).map_err(failed("make the folder", &folder))?;

    let mut out = terminal.stdout();
    let mut say = |line: String| match terminal.quiet {
        true => Ok(()),
        false => writeln!(out, "{line}").map_err(CliError::Output),
    };
    for hook in &args.hook {
        let file = HookFile::new(*hook, &folder);
        let done = install(&file)?;
        let (name, purpose, path) = (hook.name(), hook.purpose(), shown_in(&repository.root, &file.path));
        say(match done {
            Done::Same => format!("{name}: {path} is as it should be"),
            Done::Written => format!("{name}: {path} {purpose}"),
            Done::Renewed => format!("{name}: {path} was renewed"),
            Done::Chained => {
                let (kept, turn) = (file.kept_name(), hook.turn_of_other());
                format!("{name}: {path} {purpose}; the hook that was there is {kept} now, and runs {turn}")
            }
        })?;
    }
    for note in notes(args, &git, &folder, shared_by)? {
        say(note)?;
    }
    say(format!("`squad-lint uninstall{}` undoes this", options(args)))?;
    Ok(())
}

/// What became of a hook.
enum Done {
    Same,
    Written,
    Renewed,
    Chained,
}

fn install(file: &HookFile) -> Result<Done, HookError> {
    let done = match file.found()? {
        Found::Nothing => Done::Written,
        Found::Own if is_current(file) => return Ok(Done::Same),
        Found::Own => Done::Renewed,
        Found::Other if file.keeps() => {
            return Err(HookError::Both { path: shown(&file.path), kept: shown(&file.before) });
        }
        Found::Other => {
            fs::rename(&file.path, &file.before).map_err(failed("rename", &file.path))?;
            Done::Chained
        }
    };
    atomic::place(&file.path, file.hook.script().as_bytes(), 0o777).map_err(|source| {
        if matches!(done, Done::Chained) {
            // Nobody is left without the hook they had; where even that fails, its name says whose it is.
            let _ = fs::rename(&file.before, &file.path);
        }
        HookError::Write { path: shown(&file.path), source }
    })?;
    Ok(done)
}

/// Whether the hook is this version's, and git may run it.
fn is_current(file: &HookFile) -> bool {
    let is_same = fs::read(&file.path).is_ok_and(|bytes| bytes == file.hook.script().as_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        is_same && fs::metadata(&file.path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    is_same
}

fn refuse_husky(hook: Hook, folder: &Path) -> Result<(), HookError> {
    if !folder.ends_with(".husky/_") {
        return Ok(());
    }
    Err(HookError::Husky { path: shown(folder), hook: hook.name(), command: hook.command() })
}

/// What else is to be known of this folder and this machine.
fn notes(args: &HooksArgs, git: &Git, folder: &Path, shared_by: Option<PathBuf>) -> Result<Vec<String>, CliError> {
    let mut notes = Vec::new();
    if let Some(file) = shared_by {
        notes.push(format!("note: {} says so: these hooks run in every repository that it is for", shown(&file)));
    }
    if let Some(given) = &args.hooks_path {
        let (used, _) = super::folder(git, None)?;
        if used.canonicalize().ok() != folder.canonicalize().ok() {
            let (given, used) = (quoted(&given.display().to_string()), shown(&used));
            notes.push(format!("note: git looks in {used}; `git config core.hooksPath {given}` makes it look here"));
        }
    }
    // As it is reached: `..` and links lead out of the work tree, and into it.
    let (folder, root) = (folder.canonicalize().ok(), git.work_dir().and_then(|root| root.canonicalize().ok()));
    let is_in = |root: &Path| folder.as_ref().is_some_and(|folder| folder.starts_with(root));
    let is_own = is_in(&git.own_hooks_folder()) || is_in(&git.git_dir().canonicalize().unwrap_or_default());
    if root.is_some_and(|root| is_in(&root)) && !is_own {
        notes.push("note: the folder is part of the work tree; commit it, and everybody has the hooks".to_owned());
    }
    if !is_on_path() {
        notes.push(
            "note: there is no `squad-lint` on the PATH yet, and without it the hooks stop every commit".to_owned(),
        );
    }
    Ok(notes)
}

/// The options that lead `uninstall` to the same hooks.
fn options(args: &HooksArgs) -> String {
    let hook = match args.hook.as_slice() {
        [hook] => format!(" --hook {}", hook.name()),
        _ => String::new(),
    };
    let path = args.hooks_path.as_ref().map(|path| format!(" --hooks-path {}", quoted(&path.display().to_string())));
    hook + &path.unwrap_or_default()
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", escape(word).replace('\'', r"'\''")) }
}

/// Whether a shell finds this program.
fn is_on_path() -> bool {
    let name = format!("squad-lint{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}
