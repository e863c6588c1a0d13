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
    for hook in &args.hook {
        for (at, folder) in folders.iter().flatten().enumerate() {
            // What lefthook moved gets its name back when lefthook goes; what it kept goes with it.
            let moved = HookFile::new(*hook, folder).moved_by_lefthook();
            let is_moved = || matches!(moved.found(), Ok(Found::Block { .. }));
            let by_lefthook = HookFile::new(*hook, folder).is_of_lefthook();
            let mut moved_done = (by_lefthook && is_moved()).then(|| uninstall(&moved)).transpose()?;

            let mut file = HookFile::new(*hook, folder).installed()?;
            let mut done = uninstall(&file)?;
            if matches!(done, Done::Restored) {
                // The hook that has its name back may be that of a manager which moved ours.
                let other = HookFile::new(*hook, folder).installed()?;
                if other.path != file.path && matches!(other.found()?, Found::Block { .. }) {
                    (done, file) = (uninstall(&other)?, other);
                }
            }
            if !by_lefthook && is_moved() {
                moved_done = Some(uninstall(&moved)?);
            }

            let none = || format!("{}: no hook in {}", hook.name(), shown_in(&repository.root, &folder.path));
            let line = done.line(&file, &repository.root).or_else(|| (at == 0).then(none));
            let moved_line = moved_done.and_then(|done| done.line(&moved, &repository.root));
            for line in line.into_iter().chain(moved_line) {
                say(line)?;
            }
        }
    }
    Ok(())
}

/// What became of a hook.
enum Done {
    Nothing,
    Removed,
    /// Only what another program wrote is left of it.
    Left,
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
            Self::Removed => format!("{name}: {path} is gone"),
            Self::Left => format!("{name}: {path} is as it was without squad-lint"),
            Self::Restored => format!("{name}: {path} is the hook again that was there before"),
            Self::Foreign => format!("{name}: {path} is another hook, and stays"),
            Self::Kept => format!("{name}: {path} is another hook, and stays; so does {}", file.kept_name()),
        })
    }
}

fn uninstall(file: &HookFile) -> Result<Done, HookError> {
    match (file.found()?, file.keeps()) {
        (Found::Block { text, rest, .. }, keeps) => match rest.without_block(file.hook.script()) {
            Some(left) if keeps => restore_with(file, &left),
            Some(left) => HookFile::replace(&file.path, &text, &left).map(|()| Done::Left),
            None if keeps => restore(file),
            None => fs::remove_file(&file.path).map_err(failed("remove", &file.path)).map(|()| Done::Removed),
        },
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

fn restore(file: &HookFile) -> Result<Done, HookError> {
    fs::rename(&file.before, &file.path).map_err(failed("rename", &file.before))?;
    Ok(Done::Restored)
}

/// Gives the other hook its name back, with what another program appended to our file meanwhile, `left`: as if our file had never
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
