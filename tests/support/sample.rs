//! SEM entries made for tests: from a seed, and from the legacy entries of the corpus.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fmt::Write as _;
use std::fs;

use squad_lint::formats::entries;
use squad_lint::formats::legacy::Meaning;

/// A small generator of numbers (SplitMix64): the same seed gives the same test.
pub struct Rng(pub u64);

impl Rng {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    /// One of `items`.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The parts of an entry.
#[derive(Clone, Debug)]
pub struct Sample {
    pub timestamp: String,
    pub kind: &'static str,
    pub author: String,
    pub summary: String,
    pub details: String,
    pub rationale: String,
}

impl Sample {
    /// The entry as the specification lays it out, with its `---` and a blank line.
    pub fn print(&self) -> String {
        let Self { timestamp, kind, author, summary, details, rationale } = self;
        let mut out = format!(
            "### {timestamp}: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** {timestamp}  \n**author:** {author}  \n\
             **scope:** team  \n**tags:** memory, format  \n\n**summary:** {summary}\n\n**details:**\n\n{details}\n\n"
        );
        if !rationale.is_empty() {
            let _ = write!(out, "**rationale:** {rationale}\n\n");
        }
        out.push_str("**related:**\n- proposal: 024\n- issue: #18\n\n---\n\n");
        out
    }
}

/// Words and signs that entries are made of.
const WORDS: [&str; 28] = [
    "cache",
    "the",
    "a",
    "tokens",
    "rotate",
    "every",
    "90 days",
    "`src/auth.rs`",
    "**bold:** text",
    "#18",
    "API",
    "v2",
    "and",
    "é",
    "🚀",
    "for",
    "pull requests",
    "https://example.com/a_b",
    "|",
    "\\*",
    "<b>",
    "`a",
    "(see",
    "above)",
    "1.",
    "tests",
    "&",
    "are",
];

/// A hundred entries made of [`WORDS`].
pub fn made_up(rng: &mut Rng) -> Vec<Sample> {
    let words = |rng: &mut Rng, least: usize| -> String {
        let words: Vec<&str> = (0..least + rng.below(8)).map(|_| rng.pick(&WORDS)).collect();
        words.join(" ")
    };
    let sample = |at: usize| {
        let lines: Vec<String> = (0..=rng.below(5)).map(|_| words(rng, 4)).collect();
        Sample {
            timestamp: format!("2026-{:02}-{:02}T14:32:{:02}-0800", 1 + at / 28 % 12, 1 + at % 28, at % 60),
            kind: ["decision", "memory", "note", "directive"][at % 4],
            author: ["Keaton", "Verbal", "Mc Manus", "Zoë"][rng.below(4)].to_owned(),
            summary: format!("Entry {at} on {}", words(rng, 1)),
            details: lines.join(["\n", "\n\n", "\n- "][rng.below(3)]),
            rationale: "The team asked for one form that people and tools can read.".to_owned(),
        }
    };
    (0..100).map(sample).collect()
}

/// The legacy entries of the corpus that have a date and an author, rewritten as SEM, in a fixed order. The bodies are the
/// real ones, but for lines that would end the entry (`---`) or open another one.
pub fn from_corpus(corpus: &std::path::Path) -> Vec<Sample> {
    let mut out = Vec::new();
    for path in super::files_below(corpus) {
        let name = path.to_string_lossy().replace('\\', "/");
        let is_memory = name.ends_with("decisions.md") || name.contains("/decisions/inbox/");
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        if !is_memory || !is_markdown || name.contains("/.git/") {
            continue;
        }
        let Ok(text) = fs::read_to_string(corpus.join(&path)) else { continue };
        let parsed = entries::parse(&text);
        for entry in parsed.legacy() {
            let fields = parsed.legacy_fields(entry);
            let Some(author) = fields.iter().find(|field| field.meaning == Meaning::Author) else { continue };
            let Some(date) = entry.date else { continue };
            let author = author.value.of(&text).split(['(', ',']).next().unwrap_or_default().trim();
            let author: String = author.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
            let title: String = entry.title.of(&text).chars().filter(|c| !c.is_control()).take(100).collect();
            let body = entry.span.of(&text);
            let body = body.split_once('\n').map_or("", |(_, body)| body);
            let details: String = body
                .lines()
                .filter(|line| !line.trim().starts_with("---") && !line.trim_start().starts_with('#'))
                .take(40)
                .map(|line| format!("{}\n", line.trim_end()))
                .collect();
            let title = title.trim().trim_end_matches('.').to_owned();
            if author.is_empty()
                || title.is_empty()
                || details.trim().is_empty()
                || details.matches("```").count() % 2 == 1
            {
                continue;
            }
            let second = out.len();
            out.push(Sample {
                timestamp: format!(
                    "{}T{:02}:{:02}:{:02}-0800",
                    &date.of(&text)[..10],
                    second / 3600 % 24,
                    second / 60 % 60,
                    second % 60
                ),
                kind: ["decision", "memory", "note", "directive"][second % 4],
                author,
                summary: title,
                details: details.trim().to_owned(),
                rationale: "The team asked for one form that people and tools can read.".to_owned(),
            });
        }
    }
    out
}
