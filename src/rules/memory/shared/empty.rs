//! Files that have no entries.

use crate::archiving::is_container;
use crate::formats::entries::Block;
use crate::formats::legacy::day;
use crate::rule::Document;
use crate::text::{Span, lines};

/// Whether the lines have no entry, and no more than what a new file has: titles of sections, when it was written, and that it is empty.
pub fn has_nothing(document: &Document, moved: Span) -> bool {
    let text = document.text();
    let says_nothing = |line: Span| {
        let words = line.of(text).trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_written = || {
            let (name, day) = words.split_once(':').unwrap_or_default();
            ["last updated", "updated", "created"].contains(&name.trim_end_matches('*')) && day::find(day).is_some()
        };
        let is_remark = || line.of(text).trim_start().starts_with(['_', '*', '(', '<']);
        words.is_empty()
            || line.of(text).starts_with('#') && is_container(line.of(text))
            || is_written()
            || is_remark() && ["no decisions yet", "no entries yet", "none yet"].iter().any(|none| words.contains(none))
    };
    document.entries.blocks().all(|block| matches!(block, Block::Prose(_))) && lines(text, moved).all(says_nothing)
}
