//! The files of a squad in `.squad/`, or in `.ai-team/` as it was called before. See `docs/formats/squad-folders.md`.
//!
//! This dialect knows all Markdown in state roots and on the command line, and so every other one goes before it.

use bstr::{BStr, ByteSlice};

use super::{Body, Dialect, EntryFormats, FileKind, InGit, Root, StatePath, Syntax, has_extension};
use crate::formats::charter::Charter;
use crate::formats::roster::Team;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    roots: &[
        Root { glob: ".ai-team", in_git: InGit::Nothing, merged: MERGED },
        Root { glob: ".squad", in_git: InGit::AllButRuntime, merged: MERGED },
    ],
    kind_in_root,
    kind_by_name,
    ..Dialect::NEW
};

/// The files of a squad with entries that are not skills.
pub const MERGED: &[&str] = &[
    "decisions.md",
    "decisions*-archive*.md",
    "decisions/**/*.md",
    "agents/**/history.md",
    "agents/**/history*-archive*.md",
    "archive/**/*-archive*.md",
    "archive/**/archive*.md",
    "archive/**/*decisions*.md",
    "archive/**/*history*.md",
];

/// The decisions of the squad: `decisions.md`, and what is in `decisions/`, such as `decisions/2026-Q1.md`.
pub static DECISIONS: FileKind = FileKind { name: "decisions", ..WITH_ENTRIES };

/// A file of the inbox, one entry on its way into `decisions.md`: `decisions/inbox/keaton-retries.md`.
pub static INBOX: FileKind = FileKind { name: "inbox", ..WITH_ENTRIES };

/// What an agent remembers: `agents/keaton/history.md`.
pub static HISTORY: FileKind = FileKind { name: "history", ..WITH_ENTRIES };

/// Entries that are no longer loaded: `decisions-archive.md`, `agents/keaton/history-archive.md`.
pub static ARCHIVE: FileKind = FileKind { name: "archive", ..WITH_ENTRIES };

/// A skill, prose that may contain SEM entries: `skills/release/SKILL.md`.
pub static SKILL: FileKind =
    FileKind { name: "skill", syntax: Syntax::Markdown(EntryFormats::Sem), ..FileKind::MARKDOWN };

/// The roster of the squad: `team.md`.
pub static TEAM: FileKind = FileKind { name: "team", parse: |text| Box::new(Team::parse(text)), ..FileKind::MARKDOWN };

/// Each row is a part.
impl Body for Team {
    fn part_starts(&self) -> Vec<u32> {
        self.rows.iter().map(|row| row.name.span.start).collect()
    }
}

/// Who an agent is and what it does: `agents/keaton/charter.md`.
pub static CHARTER: FileKind =
    FileKind { name: "charter", parse: |text| Box::new(Charter::parse(text)), ..FileKind::MARKDOWN };

/// Any other Markdown: `routing.md`.
pub static PROSE: FileKind = FileKind { name: "prose", ..FileKind::MARKDOWN };

/// Markdown outside every state root that was named on the command line: `notes/meeting.md`. It may contain any entries.
pub static NAMED: FileKind = FileKind { name: "named", ..WITH_ENTRIES };

/// Markdown with entries of every format.
const WITH_ENTRIES: FileKind = FileKind { syntax: Syntax::Markdown(EntryFormats::SemAndLegacy), ..FileKind::MARKDOWN };

impl Body for Charter {
    fn part_starts(&self) -> Vec<u32> {
        self.fields.iter().map(|field| field.line.start).collect()
    }
}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let name = path.name();
    if !has_extension(name, ".md") {
        return None;
    }
    let is_archive = || name.contains_str("-archive") || name.starts_with(b"archive");
    let Some((folder, rest)) = path.inner.split_once_str("/") else {
        return Some(match name.as_bytes() {
            b"decisions.md" => &DECISIONS,
            b"team.md" => &TEAM,
            name if name.starts_with(b"decisions") && is_archive() => &ARCHIVE,
            _ => &PROSE,
        });
    };
    Some(match folder {
        b"decisions" => match rest.split_once_str("/") {
            // A folder of the inbox counts, too: git ignores it with the inbox, so its entries have to be merged.
            Some((b"inbox", _)) => &INBOX,
            Some((folder, _)) if is_past(folder) => &ARCHIVE,
            None if is_archive() => &ARCHIVE,
            _ => &DECISIONS,
        },
        b"agents" if name == "history.md" => &HISTORY,
        b"agents" if rest.split_once_str("/").is_some_and(|(_, name)| name == b"charter.md") => &CHARTER,
        b"agents" if name.starts_with(b"history") && is_archive() => &ARCHIVE,
        b"skills" if name == "SKILL.md" => &SKILL,
        b"archive" if is_archive() || name.contains_str("decisions") || name.contains_str("history") => &ARCHIVE,
        _ => &PROSE,
    })
}

/// Whether a folder has entries that were merged or archived, by its name.
fn is_past(folder: &[u8]) -> bool {
    matches!(folder, b"archive" | b"archives" | b"archived" | b"inbox-archive" | b"processed" | b"merged")
}

fn kind_by_name(name: &BStr) -> Option<&'static FileKind> {
    match name.as_bytes() {
        b"decisions.md" => Some(&DECISIONS),
        b"history.md" => Some(&HISTORY),
        _ => has_extension(name, ".md").then_some(&NAMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_kind() {
        for (inner, expected) in [
            ("decisions.md", Some(&DECISIONS)),
            ("decisions/decisions.md", Some(&DECISIONS)),
            ("decisions/archive.md", Some(&ARCHIVE)),
            ("decisions/archive-2026-04-26--decisions.md", Some(&ARCHIVE)),
            ("decisions/index.md", Some(&DECISIONS)),
            ("decisions/inbox/keaton-x.md", Some(&INBOX)),
            ("decisions/inbox/a/b.md", Some(&INBOX)),
            ("decisions/inbox/x.txt", None),
            ("decisions/inbox/archive/b.md", Some(&INBOX)),
            ("decisions/archive/2026-Q1.md", Some(&ARCHIVE)),
            ("decisions/processed/x.md", Some(&ARCHIVE)),
            ("decisions/inbox-archive/x.md", Some(&ARCHIVE)),
            ("decisions-archive-2026.md", Some(&ARCHIVE)),
            ("archive.md", Some(&PROSE)),
            ("archive/2026-06-30-decisions-archive.md", Some(&ARCHIVE)),
            ("archive/decisions-2026-Q1.md", Some(&ARCHIVE)),
            ("archive/plan.md", Some(&PROSE)),
            ("agents/keaton/history.md", Some(&HISTORY)),
            ("agents/history.md", Some(&HISTORY)),
            ("agents/_alumni/keaton/history.md", Some(&HISTORY)),
            ("agents/keaton/history-archive.md", Some(&ARCHIVE)),
            ("agents/keaton/charter.md", Some(&CHARTER)),
            ("agents/_alumni/keaton/charter.md", Some(&PROSE)),
            ("agents/charter.md", Some(&PROSE)),
            ("skills/x/SKILL.md", Some(&SKILL)),
            ("skills/x/README.MD", Some(&PROSE)),
            ("team.md", Some(&TEAM)),
            ("a/team.md", Some(&PROSE)),
            ("config.json", None),
        ] {
            let path = StatePath { root: ".squad".into(), inner: inner.into() };
            assert_eq!(kind_in_root(path), expected, "{inner}");
        }
    }
}
