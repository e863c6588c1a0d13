//! One pure parser per format. A parser takes text and gives spans into it; it knows no file system, no git, no rule.

pub mod agent_note;
pub mod archive;
pub mod audit;
pub mod bundle;
pub mod charter;
pub mod entries;
pub mod file_marker;
pub mod governed;
pub(crate) mod json;
pub(crate) mod json_shape;
pub mod label;
pub mod learnings;
pub mod legacy;
pub mod manifest;
pub mod markdown;
pub mod npm;
pub mod package;
pub mod placeholder;
pub mod records;
pub mod reflection;
pub mod roster;
pub mod sem;
pub mod session;
pub mod skill;
pub mod table;
pub mod team_config;
pub mod team_decisions;
pub mod timestamp;
pub mod yaml;

/// The place of some items in a list that holds those of a whole file, in 32 bits each: there are many such places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indices {
    start: u32,
    end: u32,
}

impl Indices {
    /// The items from `start` up to `end`; files are below 4 GiB, and so are their lists.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let small = |index| u32::try_from(index).unwrap_or(u32::MAX);
        Self { start: small(start), end: small(end) }
    }

    /// The items up to `end` as well.
    pub(crate) fn extend(&mut self, end: usize) {
        self.end = Self::new(0, end).end;
    }

    /// The items in `list`.
    pub fn of<T>(self, list: &[T]) -> &[T] {
        list.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}
