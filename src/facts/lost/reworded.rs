//! Entries that are written in other words: the blocks of the memory, above all those that the change added, and the words in them.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::{Lost, Missing};
use crate::formats::entries::{Block, Entries};
use crate::formats::markdown::MarkKind;
use crate::text::Span;
use crate::text::shingles::words;

/// An entry is reworded if a block that the change added has so many of a hundred of its content words.
const REWORDED: usize = 30;
/// A block that was there before has more words by chance: there are many.
const SAID_BEFORE: usize = 45;
/// The words of a shorter entry are those of others like it, which were there before.
const FEWEST_BEFORE: usize = 24;
/// An entry of an agent is summarised if the change added a block with so many to the memory of the agent.
const SUMMARISED: usize = 5;
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

/// A block of the memory.
struct MemoryBlock {
    place: Rewording,
    /// Its content words, as far as some missing entry has them.
    words: HashSet<String>,
    /// How many content words it has.
    len: usize,
    /// Whether it is only the lines of the block that the change added.
    is_new: bool,
}

/// The blocks in which missing entries may be written in other words.
pub(super) struct MemoryBlocks {
    blocks: Vec<MemoryBlock>,
    /// The content words of all missing entries.
    wanted: HashSet<String>,
    /// Words of so many blocks of a file that they say nothing of one of them.
    common: HashSet<String>,
}

impl MemoryBlocks {
    /// Those for the entries `missing`, without any block.
    pub(super) fn of(missing: &[Missing]) -> Self {
        let wanted = missing.iter().flat_map(|one| content_words(&one.parts.join("\n"))).collect();
        Self { blocks: Vec::new(), wanted, common: HashSet::new() }
    }

    /// Adds the blocks of `text`, the file at `path`, which are at `spans`: as they are, and as far as their lines are not in
    /// `before`, the lines before the change. Left out are `copies` of entries, in their order.
    pub(super) fn add(
        &mut self,
        path: &BString,
        text: &str,
        spans: &[Span],
        before: Option<&HashSet<&str>>,
        copies: &[Span],
    ) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for word in spans.iter().flat_map(|block| content_words(block.of(text))) {
            *counts.entry(word).or_default() += 1;
        }
        let most = (spans.len() / COMMON_IN).max(FEWEST_BLOCKS);
        self.common.extend(counts.into_iter().filter(|(_, count)| *count > most).map(|(word, _)| word));
        let (mut line, mut at) = (1, 0);
        let mut copies = copies.iter().peekable();
        for block in spans.iter().copied() {
            line += text.get(at..block.start()).map_or(0, |gap| gap.matches('\n').count());
            at = block.start();
            if copies.next_if_eq(&&block).is_some() {
                continue;
            }
            let whole = block.of(text);
            let is_added = |line: &&str| before.is_some_and(|before| !before.contains(line.trim()));
            let added: Vec<&str> = whole.lines().filter(is_added).collect();
            let place = Rewording { path: path.clone(), line };
            for (said, is_new) in [(added.join("\n").as_str(), true), (whole, false)] {
                let mut words = content_words(said);
                let len = words.len();
                words.retain(|word| self.wanted.contains(word));
                if words.len() >= FEWEST_WORDS {
                    self.blocks.push(MemoryBlock { place: place.clone(), words, len, is_new });
                }
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
        // What is cut is not summarised elsewhere: its heading is still there.
        let folder = |lost: &Lost| agent_folder(lost.old_path.as_bstr()).filter(|_| !lost.is_cut).map(BStr::to_owned);
        let folders: Vec<Option<BString>> = lost.iter().map(|(_, lost)| folder(lost)).collect();
        let mut best: Vec<(usize, Option<&Rewording>)> = vec![(0, None); lost.len()];
        for block in &self.blocks {
            let mut common = vec![0; lost.len()];
            for number in block.words.iter().filter_map(|word| having.get(word.as_str())).flatten() {
                if let Some(count) = common.get_mut(*number) {
                    *count += 1;
                }
            }
            let folder = agent_folder(block.place.path.as_bstr()).filter(|_| block.is_new);
            for (((common, words), of_agent), best) in common.into_iter().zip(&wanted).zip(&folders).zip(&mut best) {
                let share = common * 100 / words.len().max(1);
                let is_summary = folder.is_some() && folder == of_agent.as_ref().map(|folder| folder.as_bstr());
                let least = match block.is_new {
                    true if is_summary => SUMMARISED,
                    true => REWORDED,
                    false => SAID_BEFORE,
                };
                let is_long = block.is_new || words.len() >= FEWEST_BEFORE;
                let is_alike = is_long && (is_summary || block.len <= words.len() * LONGER);
                if share >= least && share > best.0 && is_alike {
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

/// The folder of the agent whose memory the file at `path` is.
fn agent_folder(path: &BStr) -> Option<&BStr> {
    let at = path.find("agents/").filter(|at| *at == 0 || path.get(at - 1) == Some(&b'/'))? + "agents/".len();
    let end = at + path.get(at..)?.find_byte(b'/')?;
    path.get(..end).map(ByteSlice::as_bstr)
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
