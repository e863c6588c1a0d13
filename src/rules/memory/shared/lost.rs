//! What is said of an entry that a change removes.

use bstr::ByteSlice;

use crate::dialects::squad;
use crate::facts::lost::Lost;
use crate::facts::{Run, state_branch};
use crate::rules::shell::word;

/// The longest title in a message, in Unicode scalar values.
const MAX_TITLE: usize = 80;

/// The branch on which a team keeps its state.
#[derive(Clone, Copy)]
pub struct Branch<'r> {
    /// Its name.
    pub name: &'r str,
    /// Whether this repository has it, so that the entries were searched for there.
    pub is_here: bool,
}

impl<'r> Branch<'r> {
    /// That of the team that had the entry, if it has one.
    pub fn of(run: &'r Run<'_>, lost: &Lost) -> Option<Self> {
        let root = run.input.roots.root_of(lost.old_path.as_bstr())?;
        let (name, is_here) = (run.options.guard.state_branch.as_str(), run.state_branch().is_some());
        state_branch::holds(run, root.as_bstr()).then_some(Self { name, is_here })
    }
}

/// What does not contain the entry.
pub fn nothing(branch: Option<Branch<'_>>) -> String {
    match branch {
        Some(Branch { name, is_here: true }) => format!("neither an archive nor `{name}`"),
        _ => "no archive".to_owned(),
    }
}

/// How to get back what the file was.
pub fn restore_from(lost: &Lost, base: &str) -> String {
    if lost.with_file {
        let path = word(lost.old_path.as_slice().into());
        return format!("restore the file with `git checkout {} -- {path}`", word(base.into()));
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    format!("copy them from the output of `git show {object}` back into the file, or into an archive")
}

/// `decision "Tabs" of 2026-02-15T14:32:15-0800`
pub fn name(lost: &Lost) -> String {
    let kind = lost.kind.map_or("entry", crate::formats::sem::EntryType::as_str);
    let mut title: String = lost.title.chars().take(MAX_TITLE).collect();
    if title.len() < lost.title.len() {
        title.push('…');
    }
    match &lost.date {
        Some(date) if title.is_empty() => format!("the {kind} of `{date}`"),
        Some(date) => format!("{kind} `{title}` (`{date}`)"),
        None => format!("{kind} `{title}`"),
    }
}

/// What to do about an entry that is gone since the revision `base`.
pub fn helps(lost: &Lost, base: &str, branch: Option<Branch<'_>>) -> Vec<String> {
    let archive = match lost.file_kind == &squad::HISTORY {
        true => "`history-archive.md` beside it",
        false => "`decisions-archive.md`",
    };
    if lost.with_file {
        let target = match branch {
            Some(branch) => format!("the branch `{}`", branch.name),
            None if lost.file_kind == &squad::INBOX => "`decisions.md`".to_owned(),
            None => archive.to_owned(),
        };
        let again = format!("before you delete the file again, move the entry to {target}");
        return vec![restore_from(lost, base), again];
    }
    let object = word([base.as_bytes(), b":", lost.old_path.as_slice()].concat().as_slice().into());
    let (first, last) = lost.lines;
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
    vec![format!("copy {lines} of `git show {object}` back into the file, or into {archive}")]
}
