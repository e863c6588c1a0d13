//! `install --merge-driver` and `uninstall --merge-driver`: git merges memory files entry by entry.
//!
//! `.gitattributes` names the driver for the files, and belongs to the repository. What the driver is, only the configuration of
//! each clone can say. Where it says nothing, git merges these files as all others.

mod block;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bstr::ByteSlice;

use super::{is_on_path, repository};
use crate::errors::CliError;
use crate::fs::atomic::{self, Rewrite, WriteError};
use crate::fs::read::{FileError, read_unlinked};
use crate::project::{Open, Project};
use crate::terminal::{Terminal, escape};

const FILE: &str = ".gitattributes";

/// Larger files are not changed, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The configuration. Without the program, and after an error of it, the driver merges by lines, as git does itself. A git from before
/// 2.44 leaves `%X`, `%S` and `%Y` as they are, and so the markers get other names. A hunk's
/// heading is an entry's, and not that of one of its parts. A word is a run of letters and digits, or a sign.
const SETTINGS: [(&str, &str); 4] = [
    ("merge.squad-lint.name", "squad-lint: memory, entry by entry"),
    (
        "merge.squad-lint.driver",
        "squad-lint merge --marker-size %L --conflict-style \"$(git config merge.conflictStyle)\" --base-name %S --ours-name %X \
         --theirs-name %Y %O %A %B %P; status=$?; \
         test $status -le 1 && exit $status; a=%X o=%S b=%Y; case \"$a\" in %[A-Z]) a=ours o=base b=theirs;; esac; \
         git merge-file --marker-size=%L -L \"$a\" -L \"$o\" -L \"$b\" %A %O %B",
    ),
    ("diff.squad-lint.xfuncname", "^ ? ? ?(#{1,3}[ \t].*)$"),
    ("diff.squad-lint.wordRegex", "[^[:space:][:punct:]]+|[[:punct:]]"),
];

/// Why the driver was not installed or removed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum DriverError {
    #[error("this folder is not in a git repository")]
    #[diagnostic(help("create one with `git init`; the merge driver is a setting of git"))]
    NoGit,
    #[error("cannot run git")]
    NotRun { source: io::Error },
    #[error("git cannot change its configuration: {said}")]
    Refused { said: String },
    #[error("cannot read .gitattributes")]
    Unread { source: FileError },
    #[error(".gitattributes is a link, and git does not follow it")]
    #[diagnostic(help("replace it with a file, and run again"))]
    Link,
    #[error(".gitattributes has the first line of squad-lint's block, but not the last one, `{end}`", end = block::END)]
    #[diagnostic(help("remove the rest of the block, or add the last line where the block ends, and run again"))]
    Unclosed,
    #[error("cannot write .gitattributes")]
    Unwritten { source: WriteError },
    #[error("cannot remove .gitattributes")]
    Unremoved { source: io::Error },
}

/// Writes the block of `.gitattributes` and the configuration of this clone, and prints what was done.
///
/// # Errors
/// When one of them cannot be read or written, and the errors of standard output.
pub fn install(terminal: Terminal) -> Result<(), CliError> {
    let root = root()?;
    let old = attributes(&root)?;
    let project = Project::open_with(&Open::default())?;
    let new = block::with(old.as_deref().unwrap_or_default(), project.roots.globs()).ok_or(DriverError::Unclosed)?;
    if old.as_ref() != Some(&new) {
        let rewrite = Rewrite { path: Path::new(FILE), old: old.as_deref(), new: &new };
        atomic::together(&root, &[rewrite]).map_err(|source| DriverError::Unwritten { source })?;
    }
    for (key, value) in SETTINGS {
        configured(&git(&root, &[key, value])?)?;
    }
    if terminal.quiet {
        return Ok(());
    }
    let mut out = terminal.stdout();
    let done = if old.as_ref() == Some(&new) { "is already up to date" } else { "names the driver for memory files" };
    let mut text = format!("{FILE} {done}\n.git/config: git merges these files entry by entry\n");
    text.push_str("note: commit .gitattributes, and run this command in every clone\n");
    if !is_on_path() {
        text.push_str(
            "note: there is no `squad-lint` on the PATH yet, and without it git merges these files by lines\n",
        );
    }
    text.push_str("`squad-lint uninstall --merge-driver` undoes this\n");
    out.write_all(text.as_bytes()).map_err(CliError::Output)
}

/// Removes both, and prints what was done.
///
/// # Errors
/// See [`install`].
pub fn uninstall(terminal: Terminal) -> Result<(), CliError> {
    let root = root()?;
    let old = attributes(&root)?.unwrap_or_default();
    let new = block::without(&old).ok_or(DriverError::Unclosed)?;
    let changed = new != old;
    if changed && new.is_empty() {
        std::fs::remove_file(root.join(FILE)).map_err(|source| DriverError::Unremoved { source })?;
    } else if changed {
        let rewrite = Rewrite { path: Path::new(FILE), old: Some(&old), new: &new };
        atomic::together(&root, &[rewrite]).map_err(|source| DriverError::Unwritten { source })?;
    }
    let mut removed = false;
    for section in ["merge.squad-lint", "diff.squad-lint"] {
        // Where there is no such section, git fails.
        removed |= git(&root, &["--remove-section", section])?.status.success();
    }
    if terminal.quiet {
        return Ok(());
    }
    let attributes = match (changed, new.is_empty()) {
        (false, _) => "does not name the driver",
        (true, true) => "was removed",
        (true, false) => "no longer names the driver; the rest stays",
    };
    let configuration = if removed { "removed the driver" } else { "does not define the driver" };
    writeln!(terminal.stdout(), "{FILE} {attributes}\n.git/config: {configuration}").map_err(CliError::Output)
}

/// The root of the repository here.
fn root() -> Result<PathBuf, CliError> {
    let repository = repository()?;
    match repository.git {
        Some(_) => Ok(repository.root),
        None => Err(DriverError::NoGit.into()),
    }
}

/// The content of `.gitattributes`, if there is one.
fn attributes(root: &Path) -> Result<Option<Vec<u8>>, DriverError> {
    let path = root.join(FILE);
    if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let read = read_unlinked(&path, MOST_BYTES).map_err(|source| DriverError::Unread { source })?;
    read.map(Some).ok_or(DriverError::Link)
}

/// Runs `git config` on the configuration of this clone.
fn git(root: &Path, args: &[&str]) -> Result<Output, DriverError> {
    let mut command = Command::new("git");
    command.args(["config", "--local"]).args(args).current_dir(root).env("LC_ALL", "C").stdin(Stdio::null());
    command.output().map_err(|source| DriverError::NotRun { source })
}

fn configured(output: &Output) -> Result<(), DriverError> {
    if output.status.success() {
        return Ok(());
    }
    let said = output.stderr.lines().next().unwrap_or_default().to_str_lossy().into_owned();
    Err(DriverError::Refused { said: escape(&said) })
}
