//! Entries that a change wrote in other words: the blocks that it added to decisions files, and the words in them.

use std::collections::{HashMap, HashSet};

use bstr::BString;

use super::{Lost, Missing};
use crate::formats::entries::{Block, Entries};
use crate::formats::markdown::MarkKind;
use crate::text::Span;
use crate::text::shingles::words;

/// An entry is reworded if a block has so many of a hundred of its content words.
const REWORDED: usize = 30;
/// A block with so many times the words of an entry has the words of others, too.
const LONGER: usize = 3;
/// A word in more than one of so many blocks of a file is common there.
const COMMON_IN: usize = 10;
/// A word in so many blocks of a file is never common there.
const FEWEST_BLOCKS: usize = 3;
/// The words of a shorter entry are too few to recognise it by.
const FEWEST_WORDS: usize = 6;
/// A change that loses more entries is not searched for rewordings: the time would grow with the square of their number.
const MOST_ENTRIES: usize = 400;
/// The shortest content word, in characters.
const SHORTEST_WORD: usize = 4;
/// Words of so many characters that are in most texts.
const FUNCTION_WORDS: [&str; 44] = [
    "about", "after", "also", "before", "been", "being", "both", "could", "date", "decision", "does", "each", "from",
    "have", "into", "just", "more", "most", "must", "need", "only", "other", "over", "same", "should", "since", "some",
    "such", "than", "that", "their", "them", "then", "there", "these", "they", "this", "those", "through", "what",
    "when", "which", "will", "with",
];

/// Where an entry was written in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewording {
    /// The file.
    pub path: BString,
    /// The first line of the block, counted from 1.
    pub line: usize,
}

/// A block of a decisions file with lines that the change added.
struct AddedBlock {
    place: Rewording,
    words: HashSet<String>,
}

/// The blocks that a change added to decisions files.
#[derive(Default)]
pub(super) struct AddedBlocks {
    blocks: Vec<AddedBlock>,
    /// Words of so many blocks of a file that they say nothing of one of them.
    common: HashSet<String>,
}

impl AddedBlocks {
    /// Adds the blocks of `text`, the file at `path`, which are at `spans`, as far as their lines are not in `before`, but for
    /// `copies` of entries.
    pub(super) fn add(&mut self, path: &BString, text: &str, spans: &[Span], before: &HashSet<&str>, copies: &[Span]) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for word in spans.iter().flat_map(|block| content_words(block.of(text))) {
            *counts.entry(word).or_default() += 1;
        }
        let most = (spans.len() / COMMON_IN).max(FEWEST_BLOCKS);
        self.common.extend(counts.into_iter().filter(|(_, count)| *count > most).map(|(word, _)| word));
        let (mut line, mut at) = (1, 0);
        for block in spans.iter().copied() {
            line += text.get(at..block.start()).map_or(0, |gap| gap.matches('\n').count());
            at = block.start();
            if copies.contains(&block) {
                continue;
            }
            let added: Vec<&str> = block.of(text).lines().filter(|line| !before.contains(line.trim())).collect();
            let words = content_words(&added.join("\n"));
            if words.len() >= FEWEST_WORDS {
                self.blocks.push(AddedBlock { place: Rewording { path: path.clone(), line }, words });
            }
        }
    }

    /// Adds to each of `lost`, which is an entry of `missing`, where it was written in other words.
    pub(super) fn find(&self, missing: &[Missing], lost: &mut [(usize, Lost)]) {
        if self.blocks.is_empty() || lost.len() > MOST_ENTRIES {
            return;
        }
        let wanted: Vec<HashSet<String>> = lost
            .iter()
            .map(|(place, _)| missing.get(*place).map(|one| self.own_words(&one.parts.join("\n"))).unwrap_or_default())
            .collect();
        let mut having: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, words) in wanted.iter().enumerate().filter(|(_, words)| words.len() >= FEWEST_WORDS) {
            for word in words {
                having.entry(word).or_default().push(number);
            }
        }
        let mut best: Vec<(usize, Option<&Rewording>)> = vec![(0, None); lost.len()];
        for block in &self.blocks {
            let mut common = vec![0; lost.len()];
            for number in block.words.iter().filter_map(|word| having.get(word.as_str())).flatten() {
                if let Some(count) = common.get_mut(*number) {
                    *count += 1;
                }
            }
            for ((common, words), best) in common.into_iter().zip(&wanted).zip(&mut best) {
                let share = common * 100 / words.len().max(1);
                let is_alike = block.words.len() <= words.len() * LONGER;
                if share >= REWORDED && share > best.0 && is_alike {
                    *best = (share, Some(&block.place));
                }
            }
        }
        for ((_, lost), (_, place)) in lost.iter_mut().zip(best) {
            lost.reworded = place.cloned();
        }
    }

    fn own_words(&self, text: &str) -> HashSet<String> {
        content_words(text).into_iter().filter(|word| !self.common.contains(word)).collect()
    }
}

/// The entries of a file, and the sections of its prose, in order.
pub(super) fn blocks(entries: &Entries) -> Vec<Span> {
    let mut headings = entries.outline.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_))).peekable();
    let mut blocks = Vec::new();
    for block in entries.blocks() {
        let span = block.span();
        let is_prose = matches!(block, Block::Prose(_));
        let mut start = span.start();
        while let Some(heading) = headings.next_if(|heading| heading.line.start() < span.end()) {
            if is_prose && heading.line.start() > start {
                blocks.push(Span::new(start, heading.line.start()));
                start = heading.line.start();
            }
        }
        blocks.push(Span::new(start, span.end()));
    }
    blocks
}

/// The words of `text` that say what it is about, each once.
pub(super) fn content_words(text: &str) -> HashSet<String> {
    let is_content = |word: &String| {
        word.chars().count() >= SHORTEST_WORD
            && !word.starts_with(|c: char| c.is_ascii_digit())
            && !FUNCTION_WORDS.contains(&word.as_str())
    };
    words(text).into_iter().filter(is_content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_prose_are_blocks() {
        let text =
            "# Decisions\n\nIntro.\n\n## Tools\n\nText.\n\n### 2026-02-15: Tabs\n**By:** Wren\n\n#### Why\n\nx\n";
        let found: Vec<&str> =
            blocks(&crate::formats::entries::parse(text)).into_iter().map(|span| span.of(text)).collect();
        let entry = "### 2026-02-15: Tabs\n**By:** Wren\n\n#### Why\n\nx\n";
        assert_eq!(found, ["# Decisions\n\nIntro.\n\n", "## Tools\n\nText.\n\n", entry]);
    }
}
