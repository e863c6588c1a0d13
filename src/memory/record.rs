//! One entry of a team's memory, whatever its format.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::section::{self, Sections};
use crate::dialects::learnings::LEARNINGS_ARCHIVE;
use crate::dialects::squad;
use crate::document::Document;
use crate::formats::learnings::Date;
use crate::formats::sem::{EntryType, RelatedItem, Scope};
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// The format of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Squad Entry Markdown: `### 2026-02-15T14:32:15-0800: decision: …`.
    Sem,
    /// An entry from before SEM: `### 2026-02-15: …` with `**By:** …`.
    Legacy,
    /// An item of a `learnings.md` or of its archive: `- … (added: 2026-02-15)`.
    Learning,
    /// An item of a learning team's `decisions.md`: `- … (decided: 2026-02-15, by: backend)`.
    TeamDecision,
}

impl Format {
    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sem => "sem",
            Self::Legacy => "legacy",
            Self::Learning => "learning",
            Self::TeamDecision => "team-decision",
        }
    }
}

/// When an entry was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// To the second: `2026-02-15T14:32:15-0800`.
    Moment(Timestamp),
    /// On a day: `2026-02-15`.
    Day(Date),
    /// It does not say.
    Unknown,
}

impl When {
    /// The day, as it is written in the entry.
    pub fn day(self) -> Option<Date> {
        match self {
            Self::Moment(at) => Some(at.day()),
            Self::Day(day) => Some(day),
            Self::Unknown => None,
        }
    }

    /// The moment that it is sorted by, in seconds since 1970: midnight UTC for a day.
    pub fn unix(self) -> Option<i64> {
        match self {
            Self::Moment(at) => Some(at.unix()),
            Self::Day(day) => Some(Timestamp::of_day(day).unix()),
            Self::Unknown => None,
        }
    }

    /// The last moment that it can mean, in seconds since 1970.
    pub fn last_unix(self) -> Option<i64> {
        match self {
            Self::Day(_) => self.unix().map(|start| start + DAY - 1),
            Self::Moment(_) | Self::Unknown => self.unix(),
        }
    }

    /// The timestamp that identifies an entry of that moment.
    pub fn moment(self) -> Option<Timestamp> {
        if let Self::Moment(at) = self { Some(at) } else { None }
    }
}

/// Seconds.
pub const DAY: i64 = 24 * 60 * 60;

/// One entry.
#[derive(Clone, Debug)]
pub struct Record<'d> {
    /// The file that it is in.
    pub document: &'d Document,
    /// Its format.
    pub format: Format,
    /// The entry, without the blank lines at its end.
    pub span: Span,
    /// Its type; `None` if it does not say one.
    pub kind: Option<EntryType>,
    /// When it was made.
    pub when: When,
    /// Who made it, as written.
    pub author: Option<Cow<'d, str>>,
    /// Who else had a part in it.
    pub contributors: Vec<Cow<'d, str>>,
    /// Its scope, as written or by default; `None` if neither says who should read it.
    pub scope: Option<Scope<'d>>,
    /// Its tags.
    pub tags: Vec<&'d str>,
    /// What it says, on one line.
    pub summary: Cow<'d, str>,
    /// The entry that it replaces.
    pub supersedes: Option<Timestamp>,
    /// When it is to be reviewed.
    pub expires: Option<Timestamp>,
    /// What it refers to.
    pub related: &'d [RelatedItem],
    /// The entry that replaces it.
    pub superseded_by: Option<Timestamp>,
    /// Whether agents load its file: not one of an agent that left, nor one that another file took the place of.
    pub is_loaded: bool,
    /// Whether all or a part of it lies between the markers of an unresolved merge conflict.
    pub is_in_conflict: bool,
    /// The sections that it is in.
    pub sections: Sections<'d>,
}

impl<'d> Record<'d> {
    /// The whole entry, as it is in its file.
    pub fn text(&self) -> &'d str {
        self.span.of(self.document.text())
    }

    /// The first line of the entry, from 1.
    pub fn line(&self) -> usize {
        self.document.source.line(self.span.start())
    }

    /// The first and the last line of the entry, from 1.
    pub fn lines(&self) -> (usize, usize) {
        (self.line(), self.document.source.line(self.span.end().saturating_sub(1).max(self.span.start())))
    }

    /// Its place, as `PATH:LINE`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.document.path(), self.line())
    }

    /// Whether it is in an archive, which no agent loads.
    pub fn is_archived(&self) -> bool {
        self.document.kind() == &squad::ARCHIVE || self.document.kind() == &LEARNINGS_ARCHIVE
    }

    /// Whether agents load its file: no archive, and none that another file took the place of.
    pub fn is_read(&self) -> bool {
        self.is_loaded && !self.is_archived()
    }

    /// Whether it should have been reviewed before `now`. One that expired before it was written says nothing.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires.unix() < now.unix() && !self.is_before_itself(expires))
    }

    fn is_before_itself(&self, expires: Timestamp) -> bool {
        self.when.moment().is_some_and(|own| expires.unix() < own.unix())
    }

    /// Whether its section says that it was rejected, or its own title that it was replaced.
    pub fn is_rejected(&self) -> bool {
        self.sections.are_rejected() || self.says_replaced()
    }

    /// Whether its own title says that it was replaced.
    pub fn says_replaced(&self) -> bool {
        matches!(self.format, Format::Sem | Format::Legacy)
            && self.text().lines().next().is_some_and(section::is_replaced)
    }

    /// Whether it applies at `now`: it is neither replaced, nor expired, nor in a merge conflict, nor in a section of rejected entries,
    /// nor in an archive or another file that agents do not load.
    pub fn is_in_force(&self, now: Timestamp) -> bool {
        let is_disputed = self.superseded_by.is_some() || self.is_in_conflict || self.is_rejected();
        !is_disputed && !self.is_expired(now) && self.is_read()
    }

    /// The agent whose own file it is in.
    pub fn keeper(&self) -> Option<&'d str> {
        keeper(self.document)
    }

    /// The team that keeps it, by the folder of its memory.
    pub fn home(&self) -> &'d BStr {
        home(self.document)
    }

    /// The identifiers of what it refers to, each with its type: `("issue", "#18")`.
    pub fn references(&self) -> impl Iterator<Item = (&'d str, &'d str)> {
        let text = self.document.text();
        self.related.iter().map(move |item| (item.kind.of(text), item.identifier().of(text)))
    }
}

/// The agent whose own file `document` is: `keaton` for `agents/keaton/history.md`, `backend` for
/// `memory/agents/backend/learnings.md`.
pub fn keeper(document: &Document) -> Option<&str> {
    let path = document.path().to_str().ok()?;
    let folder = path.get(document.root().len()..)?.trim_start_matches('/');
    let inner = match document.root().ends_with(b"/agents") || document.root() == "agents" {
        true => folder,
        false => folder.strip_prefix("agents/")?,
    };
    let (name, rest) = inner.split_once('/')?;
    match name {
        "_alumni" => rest.split_once('/').map(|(name, _)| name),
        name => Some(name),
    }
}

/// The folder of the team of `document`: the state root of a squad, `memory` of a learning team.
pub fn home(document: &Document) -> &BStr {
    let root = document.root();
    let parts = ["/agents", "/team", "/reflections"];
    let folder =
        parts.iter().find_map(|part| root.strip_suffix(part.as_bytes()).filter(|rest| rest.ends_with(b"memory")));
    folder.map_or(root, ByteSlice::as_bstr)
}
