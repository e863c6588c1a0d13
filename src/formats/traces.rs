//! How much of some texts stands in others, whatever became of their line ends, marks and order: by runs of words.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many words make a run.
const RUN: usize = 4;

/// Texts that are looked for, and what has been found of them.
#[derive(Debug, Default)]
pub struct Traces {
    /// The texts in which each run stands, as long as it has not been found.
    wanted: HashMap<u64, Vec<usize>>,
    /// The texts that have each title, and how often the title was found.
    titles: HashMap<u64, usize>,
    texts: Vec<Text>,
}

#[derive(Debug, Default)]
struct Text {
    runs: usize,
    found: usize,
    title: u64,
}

impl Traces {
    /// Looks for `text`, which stands under `title`. Its place is the number of those before it.
    pub fn add(&mut self, title: &str, text: &str) {
        let place = self.texts.len();
        let mut runs: Vec<u64> = Vec::new();
        for_runs(text, |run| runs.push(run));
        runs.sort_unstable();
        runs.dedup();
        for run in &runs {
            self.wanted.entry(*run).or_default().push(place);
        }
        let title = hash(&words(title));
        self.titles.entry(title).or_default();
        self.texts.push(Text { runs: runs.len(), found: 0, title });
    }

    /// Notes what of the texts stands in `text`.
    pub fn look_in(&mut self, text: &str) {
        let Self { wanted, titles, texts } = self;
        for_runs(text, |run| {
            for place in wanted.remove(&run).unwrap_or_default() {
                if let Some(text) = texts.get_mut(place) {
                    text.found += 1;
                }
            }
        });
        for line in text.lines().filter(|line| line.trim_start().starts_with('#')) {
            let heading = words(line);
            // A date and a type can stand before the title.
            for from in 0..heading.len() {
                if let Some(count) = titles.get_mut(&hash(heading.get(from..).unwrap_or_default())) {
                    *count += 1;
                }
            }
        }
    }

    /// How many of a hundred runs of the text at `place` were found.
    pub fn share(&self, place: usize) -> usize {
        self.texts.get(place).map_or(0, |text| text.found * 100 / text.runs.max(1))
    }

    /// How often the title of the text at `place` was found as a heading, or at the end of one.
    pub fn titles(&self, place: usize) -> usize {
        self.texts.get(place).and_then(|text| self.titles.get(&text.title)).copied().unwrap_or(0)
    }
}

/// The words of `text`: letters and digits, in small letters.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn for_runs(text: &str, mut take: impl FnMut(u64)) {
    let words = words(text);
    if words.len() < RUN {
        return take(hash(&words));
    }
    for run in words.windows(RUN) {
        take(hash(run));
    }
}

fn hash(words: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_do_not_count() {
        let mut traces = Traces::default();
        traces.add("Tabs", "We use **tabs**, never blanks,\nin all files of the shell.");
        traces.add("Other", "Nothing of this stands anywhere in it.");
        traces.look_in("### 2026-02-10: Tabs\n\n- we use tabs never\n  blanks in all files of the shell\n");
        assert_eq!((traces.share(0), traces.share(1)), (100, 0));
        assert_eq!((traces.titles(0), traces.titles(1)), (1, 0));
    }
}
