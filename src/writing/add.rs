//! `memory add` and `memory supersede`: one new entry.

use std::path::Path;

use bstr::{BString, ByteSlice};

use super::entry::{Misread, NewEntry};
use super::open_block::OpenBlock;
use super::sheet::{Sheet, Spot};
use super::squad::{Named, Squad, SquadError};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialects::{FileKind, squad};
use crate::engine::Progress;
use crate::engine::session::{Session, TargetError};
use crate::engine::target::Target;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::fs::atomic::{self, UpdateError, WriteError};
use crate::fs::path::join;

use crate::project::rules::RuleSetError;
use crate::rules::sem::{duplicate_entry, unknown_author};
use crate::select::input::Overlay;
use crate::terminal::{display_path, escape};
use crate::text::prose::{enumerated, plural};

/// What to add.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The entry; its timestamp is the earliest that it may have.
    pub entry: NewEntry,
    /// Whether it goes to a file of its own in the inbox.
    pub inbox: bool,
    /// Whether it is added even if `check` warns of it.
    pub allow_findings: bool,
}

/// What was added.
#[derive(Debug)]
pub struct Added {
    /// The file that it is in.
    pub path: BString,
    /// Its timestamp.
    pub at: Timestamp,
}

/// Why no entry was added.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum AddError {
    /// The squad cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Squad(#[from] SquadError),
    /// What is given is not one entry.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Misread(#[from] Misread),
    /// The author is more than one.
    #[error("`--author` names several: {names}")]
    #[diagnostic(help(
        "an entry has one author; name one of them with `--author`, and the others in the text of the entry"
    ))]
    Authors {
        /// The members.
        names: String,
    },
    /// The entry would be a part of what is before it.
    #[error("{path}: the new entry would become part of the entry before it")]
    #[diagnostic(help("nothing was added"))]
    Swallowed {
        /// The file.
        path: String,
    },
    /// What is put after it would be a part of something that the file does not close.
    #[error("{path}: {open}")]
    #[diagnostic(help("close it; nothing was added"))]
    Open {
        /// The file.
        path: String,
        /// What it does not close.
        open: OpenBlock,
    },
    /// A check warns of the entry.
    #[error("nothing was added: the entry has {problems}")]
    #[diagnostic(help("repair it, or add it anyway with `--allow-findings`"))]
    Findings {
        /// How many.
        problems: String,
        /// What is wrong with it.
        found: Vec<String>,
    },
    /// The entry that it supersedes is not in the memory.
    #[error("no entry has the timestamp {at}")]
    #[diagnostic(help(
        "`squad-lint memory --format json` lists the entries; an entry that is not in SEM gets a timestamp with `squad-lint convert`"
    ))]
    Unknown {
        /// The timestamp.
        at: Timestamp,
    },
    /// The entry that it supersedes is an older one.
    #[error("the entry of {at}, at {place}, is not in SEM: no entry can supersede it")]
    #[diagnostic(help("`squad-lint convert {path}` converts it; then supersede the timestamp that it has there"))]
    Older {
        /// The timestamp.
        at: Timestamp,
        /// Its file.
        path: String,
        /// Where it is.
        place: String,
    },
    /// Several entries have the timestamp of the one that it supersedes.
    #[error("several entries have the timestamp {at}: {places}")]
    #[diagnostic(help("a new entry would supersede all of them; first give each a different timestamp"))]
    Several {
        /// The timestamp.
        at: Timestamp,
        /// Where they are.
        places: String,
    },
    /// The file cannot be written.
    #[error("{path} was not written")]
    #[diagnostic(help("nothing was added"))]
    Write {
        /// The file.
        path: String,
        /// Why.
        source: WriteError,
    },
    /// The rules of the configuration cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rules(#[from] RuleSetError),
    /// The files cannot be checked.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Target(#[from] TargetError),
}

/// Adds the entry. While it reads and writes, other runs wait that add entries to the same squad.
///
/// # Errors
/// See [`AddError`]; nothing is written then.
pub fn run(squad: &Squad<'_>, wanted: &Wanted) -> Result<Added, AddError> {
    let mut wanted = wanted.clone();
    wanted.entry.author = author(squad, &wanted.entry.author)?;
    let wanted = &wanted;
    let (path, kind) = target(squad, wanted);
    if let Some(at) = wanted.entry.supersedes {
        superseded(squad, at)?;
    }
    let is_checked = !wanted.allow_findings;
    render(squad, wanted, &path, kind, squad.text(&path)?.as_deref(), is_checked)?;
    // What another run supersedes meanwhile is only known under the lock; all else is settled, and takes time.
    let is_checked = is_checked && wanted.entry.supersedes.is_some();
    let ledger = squad.ledger();
    let is_ledger = path == ledger;
    let mut added = None;
    let root = &squad.project.repository.root;
    // The lock of the ledger is that of the squad.
    let result = atomic::update(root, Path::new(&*ledger.to_path_lossy()), |old| {
        let squad = Squad::find(squad.project, Some(&squad.root.to_path_lossy()))?;
        if let Some(at) = wanted.entry.supersedes {
            superseded(&squad, at)?;
        }
        if is_ledger {
            let old = old.map(|old| String::from_utf8(old.to_vec())).transpose();
            let old = old.map_err(|_| SquadError::NotUtf8 { path: display_path(&ledger) })?;
            let (at, bytes) = render(&squad, wanted, &path, kind, old.as_deref(), is_checked)?;
            added = Some(Added { path: path.clone(), at });
            return Ok(Some(bytes));
        }
        added = Some(beside(&squad, wanted, &path, kind, is_checked)?);
        Ok(None)
    });
    match (result, added) {
        (Ok(_), Some(added)) => {
            atomic::sweep(squad.full(&added.path).parent().unwrap_or(root));
            squad.sweep();
            Ok(added)
        }
        (Ok(_), None) => Err(Misread::Text.into()),
        (Err(UpdateError::Change(error)), _) => Err(error),
        (Err(UpdateError::Write(source)), _) => Err(AddError::Write { path: display_path(&ledger), source }),
    }
}

/// The author as the format has it: the name of a member without the role behind it. `Brady (via Verbal)` is as it should be.
fn author(squad: &Squad<'_>, written: &str) -> Result<String, AddError> {
    let team = squad.members()?;
    let is_member = |name: &str| team.agents.contains_bare(name) || team.humans.contains_bare(name);
    if let Some((name, role)) = written.strip_suffix(')').and_then(|rest| rest.split_once('('))
        && is_member(name.trim())
        && !role.trim_start().starts_with("via ")
    {
        return Ok(name.trim().to_owned());
    }
    // What is behind a name says whose role it has, or who asked: `Brady (via Keaton and Verbal)`.
    let outside = written.split('(').next().unwrap_or_default();
    let names: Vec<&str> =
        outside.split(" and ").flat_map(|part| part.split([',', ';', '&', '+', '/'])).map(str::trim).collect();
    let is_several = names.len() > 1 && !is_member(written) && names.iter().all(|name| !name.is_empty());
    if is_several && (outside.contains(" and ") || names.iter().all(|name| is_member(name))) {
        return Err(AddError::Authors { names: enumerated(&names.into_iter().map(str::to_owned).collect::<Vec<_>>()) });
    }
    Ok(written.to_owned())
}

/// Adds the entry to another file than the ledger.
fn beside(
    squad: &Squad<'_>,
    wanted: &Wanted,
    path: &BString,
    kind: &'static FileKind,
    is_checked: bool,
) -> Result<Added, AddError> {
    let root = &squad.project.repository.root;
    let failed = |path: &BString| {
        let path = display_path(path);
        move |source| AddError::Write { path, source }
    };
    if !wanted.inbox {
        let old = squad.text(path)?;
        let (at, bytes) = render(squad, wanted, path, kind, old.as_deref(), is_checked)?;
        let full = path.to_path_lossy();
        let old = old.unwrap_or_default();
        atomic::replace(root, &full, old.as_bytes(), &bytes).map_err(failed(path))?;
        return Ok(Added { path: path.clone(), at });
    }
    let (at, bytes) = render(squad, wanted, path, kind, None, is_checked)?;
    let stem = path.strip_suffix(b".md").unwrap_or(path).as_bstr();
    for number in 1_u32.. {
        let path = if number == 1 { path.clone() } else { BString::from(format!("{stem}-{number}.md")) };
        match atomic::create(root, &path.to_path_lossy(), &bytes) {
            Ok(()) => return Ok(Added { path, at }),
            Err(WriteError::Changed { .. }) => {}
            Err(source) => return Err(failed(&path)(source)),
        }
    }
    Err(Misread::Text.into())
}

/// The only entry of that moment, which a new one can supersede.
///
/// # Errors
/// If no SEM entry has this timestamp, or several have it.
pub fn superseded(squad: &Squad<'_>, at: Timestamp) -> Result<Named, AddError> {
    let mut found = squad.entries_at(at);
    match (found.pop(), found.is_empty()) {
        (Some(one), true) => Ok(one),
        (None, _) => Err(match squad.older_at(at) {
            Some((path, place)) => AddError::Older { at, path, place },
            None => AddError::Unknown { at },
        }),
        (Some(last), false) => {
            let places: Vec<String> = found.into_iter().chain([last]).map(|entry| entry.place).collect();
            Err(AddError::Several { at, places: enumerated(&places) })
        }
    }
}

/// The file that the entry goes to: decisions, directives and notes are the team's, a memory is its author's.
fn target(squad: &Squad<'_>, wanted: &Wanted) -> (BString, &'static FileKind) {
    let entry = &wanted.entry;
    if wanted.inbox {
        let name = format!("decisions/inbox/{}-{}.md", slug(&entry.author), slug(&entry.summary));
        return (join(squad.root.as_bstr(), &name), &squad::INBOX);
    }
    match squad.history(&entry.author).filter(|_| entry.kind == EntryType::Memory) {
        Some(history) => (history, &squad::HISTORY),
        None => (squad.ledger(), &squad::DECISIONS),
    }
}

/// The first words of a text as a part of a file name.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.take(6).map(str::to_lowercase).collect::<Vec<_>>().join("-");
    if slug.is_empty() { "entry".to_owned() } else { slug }
}

/// The moment of the entry, and the bytes of its file with it, which a check warns of nothing in if it `is_checked`.
fn render(
    squad: &Squad<'_>,
    wanted: &Wanted,
    path: &BString,
    kind: &'static FileKind,
    old: Option<&str>,
    is_checked: bool,
) -> Result<(Timestamp, Vec<u8>), AddError> {
    let (at, bytes) = put(squad, wanted, path, kind, old)?;
    if is_checked {
        check(squad, path, at, &bytes)?;
    }
    Ok((at, bytes))
}

/// The moment of the entry, and the bytes of its file with it.
fn put(
    squad: &Squad<'_>,
    wanted: &Wanted,
    path: &BString,
    kind: &'static FileKind,
    old: Option<&str>,
) -> Result<(Timestamp, Vec<u8>), AddError> {
    let taken = squad.moments();
    let mut entry = wanted.entry.clone();
    while taken.contains(&entry.at.unix()) {
        entry.at = entry.at.plus_seconds(1);
    }
    let text = entry.text()?;
    if wanted.inbox {
        return Ok((entry.at, text.into_bytes()));
    }
    let old = old.unwrap_or("# Decisions\n");
    let with = |spot: Spot| {
        let mut sheet = Sheet::new(old, kind, spot);
        if kind == &squad::DECISIONS {
            // A section that says something, such as `Rejected ideas`, says it of this entry as well.
            sheet.enter(None);
        }
        sheet.put(&text, None);
        sheet.text().ok()
    };
    let path = || display_path(path);
    let swallowed = || match OpenBlock::find(old) {
        Some(open) => AddError::Open { path: path(), open },
        None => AddError::Swallowed { path: path() },
    };
    let spots =
        std::iter::successors(Some(Spot::InTime), |spot| spot.next().filter(|_| OpenBlock::find(old).is_none()));
    let new = spots.map(with).find_map(|new| new).ok_or_else(swallowed)?;
    Ok((entry.at, new.into_bytes()))
}

/// Checks the file as it would be. What a check says about other entries, and of the file as a whole, is not about the new one.
fn check(squad: &Squad<'_>, path: &BString, at: Timestamp, bytes: &[u8]) -> Result<(), AddError> {
    let progress = Progress::default();
    let rules = squad.project.rules(&[], &[])?;
    let mut session = Session::new(squad.project, Target::Paths(Vec::new()), rules, &progress)?;
    session.narrow(|other| other == path);
    let outcome = session.check(&Overlay::from([(path.clone(), bytes.to_vec())]));
    let text = String::from_utf8_lossy(bytes).into_owned();
    let parsed = crate::formats::entries::parse(&text);
    let own = parsed.sem(&text).find(|entry| entry.timestamp().is_some_and(|other| other.unix() == at.unix()));
    // Whether a timestamp is taken is decided under the lock: other runs add entries meanwhile.
    let is_settled = |found: &&Diagnostic| found.rule.name != duplicate_entry::RULE.name;
    let is_own = |diagnostic: &&Diagnostic| {
        let own = own.map(super::super::formats::sem::Entry::span);
        diagnostic.path == *path && own.zip(diagnostic.span).is_some_and(|(own, span)| own.contains(span))
    };
    let found = outcome
        .diagnostics
        .iter()
        // Whoever writes an entry should have a name that others know, however little it matters in an old one.
        .filter(|found| found.severity >= Severity::Warning || found.rule.name == unknown_author::RULE.name)
        .filter(is_own)
        .filter(is_settled);
    let found: Vec<String> = found
        .map(|found| {
            // An instruction is a line of its own there, and all of them are on one line here.
            let help = found.help().map(|help| format!(" ({})", escape(&help.replace('\n', "; ")))).unwrap_or_default();
            format!("{}[{}]: {}{help}", found.severity.as_str(), found.rule.name, escape(&found.message))
        })
        .collect();
    match found.len() {
        0 => Ok(()),
        count => Err(AddError::Findings { problems: plural(count, "finding"), found }),
    }
}
