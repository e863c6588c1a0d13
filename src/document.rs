//! One file as rules see it.

use bstr::BStr;

use crate::content::Content;
use crate::formats::entries::Entries;
use crate::formats::learnings::Learnings;
use crate::formats::manifest::Manifest;
use crate::formats::reflection::Reflection;
use crate::formats::team_decisions::TeamDecisions;
use crate::git::lines::Hunk;
use crate::layout::role::Role;
use crate::text::Source;

/// A file as it was before the checked change.
#[derive(Debug)]
pub struct Before {
    /// Its size in bytes; 0 where it was not there.
    pub size: u64,
    /// Its text; `None` if it was too large to be read.
    pub source: Option<Source>,
    /// Where it differs from what it is now; `None` if they were not compared.
    pub hunks: Option<Vec<Hunk>>,
}

/// What a cap makes of a file that exceeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ratchet {
    /// It is judged as any file, or the change took it over the cap.
    Over,
    /// It was over the cap already, and grows.
    Grows,
    /// It was over the cap already, and does not grow.
    Holds,
}

/// One file that was read.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its text.
    pub source: &'a Source,
    /// Its blocks.
    pub entries: &'a Entries,
    /// What it holds beside them.
    pub content: &'a Content,
    /// Its part in the team's memory.
    pub role: Role,
    /// The state root it is in; empty if it is in none.
    pub root: &'a BStr,
    /// What it was before the checked change; `None` without a change.
    pub before: Option<&'a Before>,
}

impl<'a> Document<'a> {
    /// The text.
    pub fn text(&self) -> &'a str {
        self.source.text()
    }

    /// What it holds where it is a `learnings.md` or an archive of one: [`Document::role`] tells which.
    pub fn learnings(&self) -> Option<&'a Learnings> {
        if let Content::Learnings(learnings) = self.content { Some(learnings) } else { None }
    }

    /// What it holds where it is the `decisions.md` of a learning team.
    pub fn team_decisions(&self) -> Option<&'a TeamDecisions> {
        if let Content::TeamDecisions(decisions) = self.content { Some(decisions) } else { None }
    }

    /// What it holds where it is a manifest.
    pub fn manifest(&self) -> Option<&'a Manifest> {
        if let Content::Manifest(manifest) = self.content { Some(manifest) } else { None }
    }

    /// What it holds where it is a reflection.
    pub fn reflection(&self) -> Option<&'a Reflection> {
        if let Content::Reflection(reflection) = self.content { Some(reflection) } else { None }
    }

    /// What a change makes of a file that has `now` of something and may have `cap`; `count` says how much of it a text has.
    /// A team with a file that is too large already can go on, and hears of it only when it makes it larger.
    pub fn ratchet(&self, cap: u64, now: u64, count: impl Fn(&Before) -> u64) -> Ratchet {
        match self.before.map(count) {
            Some(before) if before > cap && now > before => Ratchet::Grows,
            Some(before) if before > cap => Ratchet::Holds,
            _ => Ratchet::Over,
        }
    }
}
