//! `--staged --fix`: what is staged and its copy in the working tree are fixed together, or neither is.

use std::collections::BTreeSet;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};

use super::applied::{Applied, Changes};
use super::left_alone::LeftAlone;
use super::not_fixed::not_written;
use super::passes::{self, Fixed, FixedFile};
use super::problems::Problems;
use super::untrack::{self, index_help};
use super::work_tree::write_file;
use crate::diagnostic::Applicability;
use crate::engine::session::{Session, TargetError};
use crate::fs::atomic;
use crate::git::repository::Git;
use crate::git::write::lock::IndexError;
use crate::git::write::restage::{NotStaged, OnDisk, Restage};
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::terminal::{display_path, escape};
use crate::text::prose::plural;

/// What was left as it was.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotFixed {
    #[error("{path} cannot be fixed")]
    #[diagnostic(help("{help}"))]
    File { path: String, help: String, source: NotStaged },
    #[error("{files} not fixed")]
    #[diagnostic(help("{help}"))]
    Index { files: String, help: &'static str, source: IndexError },
    #[error("{path} was fixed in the working tree and not in the index")]
    #[diagnostic(help("`git add` stages it"))]
    Half { path: String, source: atomic::WriteError },
}

/// Removes files from the index as the fixes in `found` say, and writes what they make of the staged files into the index and
/// the work tree.
///
/// # Errors
/// When the change cannot be found again.
pub(super) fn fix(
    session: &mut Session<'_>,
    found: Outcome,
    limit: Applicability,
    problems: &mut Problems,
) -> Result<Applied, TargetError> {
    let repository = &session.project().repository;
    let (untracked, kept) = untrack::run(&found, repository.git.as_ref(), limit, problems);
    let gone = if untracked > 0 { untrack::wanted(&found, limit) } else { BTreeSet::new() };
    let found = if untracked > 0 { check_again(session)? } else { found };
    let alone = LeftAlone::find(&found, None, limit);
    let left_out = gone.union(&alone.all()).cloned().collect();
    let check = |overlay: &Overlay| session.check(overlay);
    let Fixed { files, unsettled, outcome, .. } = passes::run(found, limit, &left_out, false, check);
    let left_out = alone.tell(&unsettled, problems);
    let wanted = files.len();
    let count = match &repository.git {
        Some(git) if wanted > 0 => write(files, git, &repository.root, problems),
        _ => FixCount::default(),
    };
    let outcome = if wanted > 0 { check_again(session)? } else { outcome };
    let incomplete = left_out || kept || count.files < wanted;
    Ok(Applied { outcome, count: FixCount { untracked, ..count }, incomplete, changes: Changes::default() })
}

/// What is left to find in what is staged now.
fn check_again(session: &mut Session<'_>) -> Result<Outcome, TargetError> {
    session.refresh()?;
    Ok(session.check(&Overlay::new()))
}

/// Writes `files`, and says which were left as they were.
///
/// The files of the work tree come first, while the index is locked: a run that is killed leaves fixed files beside an index
/// that is as it was, which git shows as changes that are not staged. The other way round the next commit would hold what
/// no file does.
fn write(files: Vec<FixedFile>, git: &Git, root: &Path, problems: &mut Problems) -> FixCount {
    let failed = |count: usize, source: IndexError, problems: &mut Problems| {
        let are = if count == 1 { "was" } else { "were" };
        let files = format!("{} {are}", plural(count, "file"));
        problems.push(NotFixed::Index { files, help: index_help(&source), source });
        FixCount::default()
    };
    let mut restage = match Restage::begin(git, root) {
        Ok(restage) => restage,
        Err(error) => return failed(files.len(), error, problems),
    };
    let mut staged: Vec<(FixedFile, OnDisk)> = Vec::new();
    for file in files {
        match restage.stage(file.path.as_bstr(), file.old.as_deref(), &file.new) {
            Ok(on_disk) => staged.push((file, on_disk)),
            Err(source) => {
                let help = escape(&help(&source, &argument(file.path.as_bstr(), root)));
                problems.push(NotFixed::File { path: display_path(&file.path), help, source });
            }
        }
    }
    if staged.is_empty() {
        return FixCount::default();
    }
    // Before the first file changes: it must not be the index that does not fit on the disk.
    if let Err(error) = restage.prepare() {
        return failed(staged.len(), error, problems);
    }
    let folders: BTreeSet<_> =
        staged.iter().filter_map(|(file, _)| file.path.to_path().ok()?.parent()).map(|path| root.join(path)).collect();
    staged.retain(|(file, on_disk)| {
        let path = file.path.as_bstr();
        match write_file(root, path, on_disk.old.as_deref(), &on_disk.new) {
            Ok(()) => restage.keep(path),
            Err(error) => {
                restage.take_back(path);
                not_written(&file.path, "fixed", error, problems);
                return false;
            }
        }
        true
    });
    let count = match restage.commit() {
        Ok(()) => FixCount {
            fixes: staged.iter().map(|(file, _)| file.count).sum(),
            files: staged.len(),
            ..FixCount::default()
        },
        Err(error) => {
            for (file, on_disk) in &staged {
                undo(&file.path, on_disk, root, problems);
            }
            failed(staged.len(), error, problems)
        }
    };
    for folder in folders {
        atomic::sweep(&folder);
    }
    count
}

/// Gives a file of the work tree its old bytes back.
fn undo(path: &BString, on_disk: &OnDisk, root: &Path, problems: &mut Problems) {
    let result = match (&on_disk.old, path.to_path()) {
        (None, Ok(path)) => atomic::remove(root, path, &on_disk.new),
        (old, _) => write_file(root, path.as_bstr(), Some(&on_disk.new), old.as_deref().unwrap_or_default()),
    };
    if let Err(source) = result {
        problems.push(NotFixed::Half { path: display_path(path), source });
    }
}

/// What to do; `path` is the file as an argument of a shell.
fn help(error: &NotStaged, path: &str) -> String {
    match error {
        NotStaged::Moved => "run again; the file is as the other program left it".into(),
        NotStaged::Differs => format!(
            "`git add -- {path}` stages the rest as well, `git stash push --keep-index` puts it aside; then run again"
        ),
        NotStaged::Gone => {
            format!(
                "`git restore -- {path}` brings it back, `git rm --cached -- {path}` removes it from the index; then run again"
            )
        }
        NotStaged::NotAFile | NotStaged::Untracked => {
            format!("`git add -- {path}` stages what is in the working tree; then run again")
        }
        NotStaged::Encoding(_) => {
            format!("remove the attribute and save the file as UTF-8, or repair it by hand; then `git add -- {path}`")
        }
        NotStaged::Filter(_) | NotStaged::Conversion => {
            format!("`squad-lint --fix -- {path}` fixes the copy in the working tree; then `git add -- {path}`")
        }
        NotStaged::Io(..) | NotStaged::Git(..) => "the file is unchanged; repair the cause, and run again".into(),
    }
}

/// `path`, which is relative to `root`, as an argument of a shell in the current folder.
fn argument(path: &BStr, root: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| Some(here.strip_prefix(root).ok()?.components().count()));
    let text = "../".repeat(below.unwrap_or(0)) + &path.to_str_lossy();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,@%".contains(&byte);
    if text.bytes().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
