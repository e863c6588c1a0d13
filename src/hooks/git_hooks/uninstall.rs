//! `uninstall`: removes the git hooks; a hook that was there before gets its name back.

use std::fs;
use std::io::Write;

use super::{Found, HookError, HookFile, failed, folder, repository, shown_in};
use crate::cli::HooksArgs;
use crate::errors::CliError;
use crate::terminal::Terminal;

/// Removes the hooks that `args` name, and prints what became of each.
///
/// # Errors
/// When a hook cannot be read or written, and the errors of standard output.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<(), CliError> {
    let (repository, git) = repository()?;
    let (used, _) = folder(&git, args.hooks_path.as_deref())?;
    // What was installed before `core.hooksPath` was set is still there.
    let own = git.own_hooks_folder();
    let both = args.hooks_path.is_none() && own.canonicalize().ok() != used.canonicalize().ok();
    let folders = [Some(used), Some(own).filter(|_| both)];

    let mut out = terminal.stdout();
    for hook in &args.hook {
        for (at, folder) in folders.iter().flatten().enumerate() {
            let file = HookFile::new(*hook, folder);
            let (name, path) = (hook.name(), shown_in(&repository.root, &file.path));
            let line = match uninstall(&file)? {
                Done::Nothing if at > 0 => continue,
                Done::Nothing => format!("{name}: no hook in {}", shown_in(&repository.root, folder)),
                Done::Removed => format!("{name}: {path} is gone"),
                Done::Restored => format!("{name}: {path} is the hook again that was there before"),
                Done::Foreign => format!("{name}: {path} is another hook, and stays"),
                Done::Kept => format!("{name}: {path} is another hook, and stays; so does {}", file.kept_name()),
            };
            if !terminal.quiet {
                writeln!(out, "{line}").map_err(CliError::Output)?;
            }
        }
    }
    Ok(())
}

/// What became of a hook.
enum Done {
    Nothing,
    Removed,
    Restored,
    /// It is somebody else's.
    Foreign,
    /// So it is, and what it replaced is there, too.
    Kept,
}

fn uninstall(file: &HookFile) -> Result<Done, HookError> {
    match (file.found()?, file.keeps()) {
        (Found::Nothing, false) => Ok(Done::Nothing),
        (Found::Other, false) => Ok(Done::Foreign),
        (Found::Other, true) => Ok(Done::Kept),
        (Found::Own, false) => {
            fs::remove_file(&file.path).map_err(failed("remove", &file.path))?;
            Ok(Done::Removed)
        }
        (Found::Own | Found::Nothing, true) => {
            fs::rename(&file.before, &file.path).map_err(failed("rename", &file.before))?;
            Ok(Done::Restored)
        }
    }
}
