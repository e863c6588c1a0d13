//! `uninstall`: removes the git hooks; what another program wrote stays as it is, and a hook that had to make room gets its name
//! back.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::found::{self, Found, Why};
use super::{Folder, HookError, HookFile, failed, folder, repository, shown, shown_in};
use crate::cli::HooksArgs;
use crate::errors::CliError;
use crate::terminal::Terminal;

/// Removes the hooks that `args` name, and prints what became of each.
///
/// # Errors
/// When a hook cannot be read or written, and the errors of standard output.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<(), CliError> {
    let (repository, git) = repository()?;
    // What was installed before `core.hooksPath` was set is still there.
    let own = Folder { path: git.own_hooks_folder(), shared_by: None, by_husky: false };
    let used = match folder(&git, args.hooks_path.as_deref()) {
        Err(HookError::NoHooksPath) => own.clone(),
        used => used?,
    };
    let both = args.hooks_path.is_none() && own.path.canonicalize().ok() != used.path.canonicalize().ok();
    let folders = [Some(used), Some(own).filter(|_| both)];

    let mut out = terminal.stdout();
    let mut say = |line: String| match terminal.quiet {
        true => Ok(()),
        false => writeln!(out, "{line}").map_err(CliError::Output),
    };
    let mut errors = Vec::new();
    for hook in &args.hook {
        for (at, folder) in folders.iter().flatten().enumerate() {
            let (mut lines, failed) = (Vec::new(), errors.len());
            for (file, done) in in_folder(&HookFile::new(*hook, folder)) {
                match done {
                    Ok(done) => lines.extend(done.line(&file, &repository.root)),
                    Err(error) => errors.push(error),
                }
            }
            if lines.is_empty() && at == 0 && errors.len() == failed {
                lines.push(format!("{}: no hook in {}", hook.name(), shown_in(&repository.root, &folder.path)));
            }
            for line in lines {
                say(line)?;
            }
        }
    }
    Ok(HookError::first_or_all(errors)?)
}

/// Removes the block from the file of a hook, and from those that managers gave another name; what became of each.
fn in_folder(file: &HookFile) -> Vec<(HookFile, Result<Done, HookError>)> {
    let moved = file.moved().into_iter().filter(|file| matches!(file.found(), Ok(Found::Block { .. })));
    let mut files: Vec<HookFile> = std::iter::once(file.clone()).chain(moved).collect();
    // The kept hook gets back the name of the file that was made in its place.
    files.sort_by_key(|file| !file.is_made());
    let is_alone = files.len() == 1;
    let done = files.into_iter().map(|file| {
        let done = uninstall(&file);
        (file, done)
    });
    // Of a manager that moved ours there is nothing to say.
    done.filter(|(_, done)| is_alone || !matches!(done, Ok(Done::Foreign | Done::Nothing))).collect()
}

/// What became of a hook.
enum Done {
    Nothing,
    Removed,
    /// Only what another program wrote is left of it.
    Left,
    /// So it is; a hook that is kept was replaced by that program, and is there, too.
    LeftBoth,
    Restored,
    /// It is somebody else's.
    Foreign,
    /// So it is, and what it replaced is there, too.
    Kept,
}

impl Done {
    /// What the user reads of `file`, in a repository at `root`; `None` if there is no hook.
    fn line(&self, file: &HookFile, root: &Path) -> Option<String> {
        let (name, path) = (file.hook.name(), shown_in(root, &file.path));
        Some(match self {
            Self::Nothing => return None,
            Self::Removed => format!("{name}: removed {path}"),
            Self::Left => format!("{name}: removed squad-lint from {path}; the rest stays"),
            Self::LeftBoth => {
                let kept = file.kept_name();
                format!(
                    "{name}: removed squad-lint from {path}; the rest stays, and so does {kept}, the hook that squad-lint replaced"
                )
            }
            Self::Restored => format!("{name}: {path} is the previous hook again"),
            Self::Foreign => format!("{name}: {path} is another hook, and stays"),
            Self::Kept => format!("{name}: {path} is another hook, and stays; so does {}", file.kept_name()),
        })
    }
}

fn uninstall(file: &HookFile) -> Result<Done, HookError> {
    match (file.found()?, file.keeps()) {
        (Found::Block { text, rest, .. }, keeps) => {
            let is_made = rest.is_made;
            let left = rest.without_block(file.hook.script());
            let keeps = keeps && !(is_made && forgotten(file)?);
            match left {
                Some(left) if keeps && is_made => restore_with(file, &left),
                Some(left) => {
                    HookFile::replace(&file.path, &text, &left)?;
                    Ok(if keeps { Done::LeftBoth } else { Done::Left })
                }
                None if keeps => restore(file),
                None => fs::remove_file(&file.path).map_err(failed("remove", &file.path)).map(|()| Done::Removed),
            }
        }
        (Found::Script(_) | Found::Other(_), false) => Ok(Done::Foreign),
        (found @ (Found::Script(_) | Found::Other(_)), true) if file.keeps_same(&found) => {
            // The manager wrote its hook again.
            fs::remove_file(&file.before).map_err(failed("remove", &file.before)).map(|()| Done::Foreign)
        }
        (Found::Script(_) | Found::Other(_), true) => Ok(Done::Kept),
        (Found::Nothing | Found::NoFile | Found::Unclosed, true) => restore(file),
        (Found::Nothing | Found::NoFile | Found::Unclosed, false) => Ok(Done::Nothing),
    }
}

/// Whether the kept hook is that of a manager which wrote it again, and moved `file`: then it goes.
fn forgotten(file: &HookFile) -> Result<bool, HookError> {
    let path = file.path.with_file_name(file.hook.name());
    let now = HookFile { path, ..file.clone() };
    let is_forgotten = now.path != file.path && now.found().is_ok_and(|found| now.keeps_same(&found));
    if is_forgotten {
        fs::remove_file(&file.before).map_err(failed("remove", &file.before))?;
    }
    Ok(is_forgotten)
}

fn restore(file: &HookFile) -> Result<Done, HookError> {
    fs::rename(&file.before, &file.path).map_err(failed("rename", &file.before))?;
    Ok(Done::Restored)
}

/// Renames the other hook back, with what another program appended to our file meanwhile, `left`: as if our file had never
/// been there.
fn restore_with(file: &HookFile, left: &[u8]) -> Result<Done, HookError> {
    let first = file.hook.script().split_inclusive('\n').next().unwrap_or_default();
    let found = found::find(&file.before, file.by_husky).map_err(failed("read", &file.before))?;
    let is_script = matches!(found, Found::Script(_) | Found::Other(Why::Generated(_)));
    let Some(appended) = left.strip_prefix(first.as_bytes()).filter(|_| is_script) else {
        return Err(HookError::Grown { path: shown(&file.path), kept: shown(&file.before) });
    };
    let text = fs::read(&file.before).map_err(failed("read", &file.before))?;
    HookFile::replace(&file.before, &text, &[&text, appended].concat())?;
    restore(file)?;
    Ok(Done::Left)
}
