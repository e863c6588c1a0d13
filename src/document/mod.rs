//! One file that was read and parsed, as rules see it.

mod compare;
pub mod content;
mod known;
mod read;
pub mod store;
pub mod touched;

use std::sync::{Arc, OnceLock};

use bstr::{BStr, ByteSlice};

pub use self::known::KnownEntry;

use self::content::Content;
use self::touched::Touched;
use crate::formats::entries::{self, Entries};
use crate::formats::learnings::Learnings;
use crate::formats::manifest::Manifest;
use crate::formats::reflection::Reflection;
use crate::formats::team_decisions::TeamDecisions;
use crate::git::lines::Hunk;
use crate::layout::role::Role;
use crate::select::selected::Selected;
use crate::suppress::{self, Suppression};
use crate::text::Source;

/// A file as it was before the change that is checked.
#[derive(Debug)]
pub struct Before {
    /// Its size in bytes; 0 for a file that the change adds.
    pub size: u64,
    /// Its text; `None` for a file that was too large to read.
    pub source: Option<Arc<Source>>,
    /// Where it differs from the file after the change; `None` if the two were not compared.
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

/// One file that was read and parsed. It owns all its parts and never changes, so that checks can share it.
#[derive(Debug)]
pub struct Document {
    /// Which file it is.
    pub file: Selected,
    /// Its text.
    pub source: Arc<Source>,
    /// Its blocks.
    pub entries: Entries,
    /// Its content beside them: the learnings, the manifest, the reflection.
    pub content: Content,
    /// The file before the change that is checked; `None` for a file that is checked as it is.
    pub before: Option<Before>,
    /// What the change touched; `None` if every finding counts.
    pub touched: Option<Touched>,
    known: OnceLock<Vec<KnownEntry>>,
    suppressions: OnceLock<Vec<Suppression>>,
}

impl Document {
    /// Parses `source`, the text of `file`. No text is an error.
    pub fn parse(file: Selected, source: Arc<Source>) -> Self {
        let text = source.text();
        let entries = match file.role {
            role if role.holds_legacy() => entries::parse(text),
            role if role.holds_entries() => entries::parse(text).without_legacy(),
            role if !role.is_markdown() => Entries::default(),
            // Only the outline matters where no entries can be.
            _ => Entries::outline_of(text),
        };
        let content = Content::parse(text, file.role);
        Self {
            file,
            source,
            entries,
            content,
            before: None,
            touched: None,
            known: OnceLock::new(),
            suppressions: OnceLock::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The path, relative to the root of the repository.
    pub fn path(&self) -> &BStr {
        self.source.path()
    }

    /// The kind of file it is.
    pub fn role(&self) -> Role {
        self.file.role
    }

    /// The state root that it lies in; empty if it lies in none.
    pub fn root(&self) -> &BStr {
        self.file.root.as_bstr()
    }

    /// The comments in it that suppress findings, read once, however often it is checked.
    pub fn suppressions(&self) -> &[Suppression] {
        self.suppressions.get_or_init(|| match self.role().is_markdown() {
            true => suppress::in_markdown(self.text(), &self.entries),
            // JSON knows no comments.
            false if suppress::has_hash_comments(self.path()) => suppress::in_hash_comments(self.text()),
            false => Vec::new(),
        })
    }

    /// The learnings of a `learnings.md` or of an archive of one; [`Document::role`] tells which.
    pub fn learnings(&self) -> Option<&Learnings> {
        if let Content::Learnings(learnings) = &self.content { Some(learnings) } else { None }
    }

    /// The decisions of a learning team, from its `decisions.md`.
    pub fn team_decisions(&self) -> Option<&TeamDecisions> {
        if let Content::TeamDecisions(decisions) = &self.content { Some(decisions) } else { None }
    }

    /// The manifest of a learning team.
    pub fn manifest(&self) -> Option<&Manifest> {
        if let Content::Manifest(manifest) = &self.content { Some(manifest) } else { None }
    }

    /// The reflection of a member.
    pub fn reflection(&self) -> Option<&Reflection> {
        if let Content::Reflection(reflection) = &self.content { Some(reflection) } else { None }
    }

    /// What a change makes of a file that has `now` of something and may have `cap`; `count` says how much of it a text has.
    /// A team with a file that is too large already can go on, and hears of it only when it makes it larger.
    pub fn ratchet(&self, cap: u64, now: u64, count: impl Fn(&Before) -> u64) -> Ratchet {
        match self.before.as_ref().map(count) {
            Some(before) if before > cap && now > before => Ratchet::Grows,
            Some(before) if before > cap => Ratchet::Holds,
            _ => Ratchet::Over,
        }
    }
}
