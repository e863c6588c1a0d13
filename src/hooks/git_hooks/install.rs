//! `install`: writes the git hooks; a hook that was there before still runs.

use std::fs;
use std::io::Write;
use std::path::Path;

use bstr::{BString, ByteSlice};

use super::found::{self, Found, Why};
use super::script;
use super::{Folder, HookError, HookFile, MOST_BYTES, block, failed, folder, repository, shown, shown_in};
use crate::cli::HooksArgs;
use crate::errors::CliError;
use crate::fs::atomic;
use crate::fs::path::to_bytes;
use crate::fs::read::read;
use crate::git::attributes::Attributes;
use crate::git::index::Index;
use crate::git::repository::Git;
use crate::hooks::is_on_path;
use crate::terminal::{Terminal, display_path, escape};

/// Writes the hooks that `args` name, and prints what became of each.
///
/// # Errors
/// When a hook cannot be read or written, and the errors of standard output.
pub fn run(args: &HooksArgs, terminal: Terminal) -> Result<(), CliError> {
    let (repository, git) = repository()?;
    let folder = folder(&git, args.hooks_path.as_deref())?;
    if fs::symlink_metadata(&folder.path).is_ok() && !folder.path.is_dir() {
        return Err(HookError::NotAFolder { path: shown(&folder.path) }.into());
    }
    fs::create_dir_all(&folder.path).map_err(failed("make the folder", &folder.path))?;

    let mut out = terminal.stdout();
    let mut say = |line: String| match terminal.quiet {
        true => Ok(()),
        false => writeln!(out, "{line}").map_err(CliError::Output),
    };
    let (mut by_lefthook, mut errors) = (false, Vec::new());
    for hook in &args.hook {
        let done = HookFile::new(*hook, &folder).installed().and_then(|file| install(&file).map(|done| (file, done)));
        let (file, done) = match done {
            Ok(done) => done,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        by_lefthook |= matches!(done, Done::Inserted { by_lefthook: true });
        let (name, purpose, path) = (hook.name(), hook.purpose(), shown_in(&repository.root, &file.path));
        let (kept, turn) = (file.kept_name(), hook.turn_of_other());
        say(match done {
            Done::Same => format!("{name}: {path} is already up to date"),
            Done::Written => format!("{name}: {path} {purpose}"),
            Done::Renewed => format!("{name}: {path} was renewed"),
            Done::Inserted { .. } => format!("{name}: {path} {purpose}; the rest of the file runs {turn}"),
            Done::Chained(why @ (Why::NotRun | Why::LinkNotRun)) => {
                format!("{name}: {path} {purpose}; the existing hook is now {kept}, and does not run: {why}")
            }
            Done::Chained(why @ Why::CarriageReturn) if !folder.by_husky => {
                format!("{name}: {path} {purpose}; the existing hook is now {kept}, and fails, as before: {why}")
            }
            Done::Chained(why @ Why::LinkByName) => format!(
                "{name}: {path} {purpose}; the existing hook is now {kept}: {why}; if it depends on its own name, call `{}` from \
                 it instead",
                hook.command()
            ),
            Done::Chained(why) => {
                format!("{name}: {path} {purpose}; the existing hook is now {kept}, and runs {turn}: {why}")
            }
        })?;
        if finds_out_by_name(&done, &file) {
            let command = hook.command();
            say(format!("note: if {kept} depends on its own name, call `{command}` from it instead"))?;
        }
        for path in [&file.path, &file.before].into_iter().filter(|path| has_carriage_return(path)) {
            let path = shown_in(&repository.root, path);
            say(format!("note: the first line of {path} ends with a carriage return, so git cannot run it"))?;
        }
    }
    if errors.len() == args.hook.len() {
        return Ok(HookError::first_or_all(errors)?);
    }
    if by_lefthook {
        let jobs = "note: when `lefthook.yml` changes, lefthook overwrites its hooks, and squad-lint with them; a job that runs \
                    `squad-lint check --staged` in `lefthook.yml` stays";
        say(jobs.to_owned())?;
    }
    for note in notes(args, &git, &folder)? {
        say(note)?;
    }
    say(format!("`squad-lint uninstall{}` undoes this", options(args)))?;
    Ok(HookError::first_or_all(errors)?)
}

/// Whether git ran the hook that has another name now, and it may look at its name. A link says so itself.
fn finds_out_by_name(done: &Done, file: &HookFile) -> bool {
    let is_told = |why: &Why| matches!(why, Why::LinkByName | Why::LinkNotRun | Why::NotRun | Why::Generated(_));
    matches!(done, Done::Chained(why) if !is_told(why))
        && read(&file.before, MOST_BYTES).is_ok_and(|text| !text.contains(&0) && script::uses_name(&text))
}

/// What became of a hook.
enum Done {
    Same,
    Written,
    Renewed,
    /// Our block is in the file of another hook, which lefthook may have written.
    Inserted {
        by_lefthook: bool,
    },
    /// Another hook has another name now.
    Chained(Why),
}

fn install(file: &HookFile) -> Result<Done, HookError> {
    let script = file.hook.script();
    let done = match file.found()? {
        Found::Block { text, rest, is_run } => {
            let new = rest.renewed(script);
            let is_own = rest.without_block(script).is_none();
            return match (is_run, is_own) {
                (true, _) if new == text => Ok(Done::Same),
                (true, _) => HookFile::replace(&file.path, &text, &new).map(|()| Done::Renewed),
                (false, true) => place_new(file).map(|()| Done::Renewed),
                (false, false) => Err(HookError::NotRun { path: shown(&file.path) }),
            };
        }
        Found::Script(text) => {
            if script::looks_at_parent(&text) {
                return Err(looks_at_parent(file));
            }
            let is_same = file.keeps_same(&Found::Script(text.clone()));
            if file.keeps() && !is_same {
                // It made room for our file, which a manager has moved since. In its place, it comes back when the manager goes.
                let moved = file
                    .moved()
                    .into_iter()
                    .find(HookFile::is_made)
                    .ok_or_else(|| HookError::Both { path: shown(&file.path), kept: shown(&file.before) })?;
                fs::rename(&file.before, &moved.path).map_err(failed("rename", &file.before))?;
            }
            if is_same {
                fs::remove_file(&file.before).map_err(failed("remove", &file.before))?;
            }
            HookFile::replace(&file.path, &text, &block::inserted(&text, script))?;
            return Ok(Done::Inserted { by_lefthook: found::is_of_lefthook(&text) });
        }
        Found::Other(why) => {
            let is_run = !matches!(why, Why::NotRun | Why::LinkNotRun);
            if is_run && read(&file.path, MOST_BYTES).is_ok_and(|text| script::looks_at_parent(&text)) {
                return Err(looks_at_parent(file));
            }
            // The one that is kept goes if it is the same.
            if file.keeps() && !file.keeps_same(&Found::Other(why)) {
                return Err(HookError::Both { path: shown(&file.path), kept: shown(&file.before) });
            }
            fs::rename(&file.path, &file.before).map_err(failed("rename", &file.path))?;
            Done::Chained(why)
        }
        Found::Nothing | Found::NoFile | Found::Unclosed => Done::Written,
    };
    place_new(file).inspect_err(|_| {
        if matches!(done, Done::Chained(_)) {
            // No repository is left without the hook it had; where even that fails, its name says whose it is.
            let _ = fs::rename(&file.before, &file.path);
        }
    })?;
    Ok(done)
}

fn looks_at_parent(file: &HookFile) -> HookError {
    HookError::LooksAtParent { path: shown(&file.path), command: file.hook.command() }
}

fn place_new(file: &HookFile) -> Result<(), HookError> {
    let placed = atomic::place(&file.path, file.hook.script().as_bytes(), 0o777);
    placed.map_err(|source| HookError::unwritten(&file.path, source))
}

/// What else is to be known of this folder and this machine.
fn notes(args: &HooksArgs, git: &Git, folder: &Folder) -> Result<Vec<String>, CliError> {
    let mut notes = Vec::new();
    let Folder { path: folder, shared_by, by_husky } = folder;
    if let Some(file) = shared_by {
        notes.push(format!(
            "note: {} sets core.hooksPath: these hooks run in every repository that uses it",
            shown(file)
        ));
    }
    if let Some(given) = &args.hooks_path {
        let used = super::folder(git, None)?.path;
        if used.canonicalize().ok() != folder.canonicalize().ok() {
            let (given, used) = (quoted(&given.display().to_string()), shown(&used));
            notes.push(format!("note: git looks in {used}; `git config core.hooksPath {given}` makes it look here"));
        }
    }
    // As it is reached: `..` and links lead out of the work tree, and into it.
    let (folder, root) = (folder.canonicalize().ok(), git.work_dir().and_then(|root| root.canonicalize().ok()));
    let is_in = |root: &Path| folder.as_ref().is_some_and(|folder| folder.starts_with(root));
    let is_own = is_in(&git.own_hooks_folder()) || is_in(&git.git_dir().canonicalize().unwrap_or_default());
    if let (Some(root), Some(folder)) = (&root, &folder)
        && is_in(root)
        && !is_own
    {
        let inner = display_path(&to_bytes(folder.strip_prefix(root).unwrap_or(folder)));
        let path = quoted(if inner.is_empty() { "." } else { &inner });
        notes.push(match by_husky {
            // It sets the path in each clone.
            true => "note: the folder is part of the working tree; commit it, and everyone gets the hooks".to_owned(),
            false => format!(
                "note: the folder is part of the working tree; commit it; each clone needs `git config core.hooksPath {path}`"
            ),
        });
        notes.extend(line_ends(git, args, root, folder)?);
    }
    if is_own && root.is_some_and(|root| root.join(".husky").is_dir()) {
        notes.push("note: husky is not set up here yet; when it is, run `squad-lint install` again".to_owned());
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

/// A note if git can give the hooks in `folder` of the work tree at `root` other line ends, with which they do not run.
fn line_ends(git: &Git, args: &HooksArgs, root: &Path, folder: &Path) -> Result<Option<String>, CliError> {
    let failed = |source| HookError::Attributes { source };
    let attributes = Attributes::new(git, &Index::of(git).map_err(failed)?).map_err(failed)?;
    let inner = to_bytes(folder.strip_prefix(root).unwrap_or(folder));
    let lead = if inner.is_empty() { inner } else { [inner.as_bytes(), b"/"].concat().into() };
    for hook in &args.hook {
        let path = BString::from([lead.as_bytes(), hook.name().as_bytes()].concat());
        if !attributes.keeps_line_feeds(path.as_bstr()).map_err(failed)? {
            // A pattern ends at a blank.
            let lead = display_path(&lead).replace(' ', "?");
            return Ok(Some(format!(
                "note: `/{lead}pre-* text eol=lf` in .gitattributes keeps the line endings of the hooks, so that they also run \
                 where git writes carriage returns"
            )));
        }
    }
    Ok(None)
}

/// Whether the first line of the hook at `path` ends with a carriage return.
fn has_carriage_return(path: &Path) -> bool {
    let text = read(path, MOST_BYTES).unwrap_or_default();
    text.starts_with(b"#!") && text.lines_with_terminator().next().is_some_and(|line| line.ends_with(b"\r\n"))
}
