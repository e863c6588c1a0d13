//! A person who resolves all conflicts with one side gets the lines of that side, each once, and what the other side did elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::edits::{block, count, edited, edits};
use super::*;
use crate::merge::words::field;

/// The text with one side of each conflict.
pub(super) fn picked(text: &str, of_ours: bool) -> String {
    let (mut out, mut is_taken) = (String::new(), true);
    for line in text.split_inclusive('\n') {
        match line.get(..7) {
            Some("<<<<<<<") => is_taken = of_ours,
            Some("=======") => is_taken = !of_ours,
            Some(">>>>>>>") => is_taken = true,
            _ if is_taken => out += line,
            _ => {}
        }
    }
    out
}

/// The lines that are wrong in `picked`, of those that no version has twice. `own` is the side that was taken.
fn wrong(base: &str, own: &str, other: &str, picked: &str) -> Vec<String> {
    let counts = [base, own, other, picked].map(count);
    let get = |of: usize, line: &str| counts[of].get(line).copied().unwrap_or(0);
    let lines: BTreeSet<&str> = counts[..3].iter().flat_map(BTreeMap::keys).copied().collect();
    let is_wrong = |line: &&str| {
        let [base, own, other, found] = [0, 1, 2, 3].map(|of| get(of, line));
        if base.max(own).max(other) > 1 || field(line).is_some() {
            return false;
        }
        let allowed = match (base, own, other) {
            // Only the other side added it, or removed it.
            (0, 0, 1) | (1, 1, 0) => 0..=1,
            // Both added it: to one entry, or to two.
            (0, 1, 1) => 1..=2,
            _ => own..=own,
        };
        !allowed.contains(&found)
    };
    lines.into_iter().filter(is_wrong).map(str::to_owned).collect()
}

type Three = (String, String, String);

fn versions() -> impl Strategy<Value = (bool, Three)> {
    let blocks = prop::collection::vec(block(), 0..9);
    (any::<bool>(), blocks, edits(), edits()).prop_map(|(of_learnings, blocks, ours, theirs)| {
        let title = if of_learnings { "# Learnings: a\n\n" } else { TITLE };
        let base = format!("{title}{}", blocks.concat());
        let (ours, theirs) = (edited(&base, &ours), edited(&base, &theirs));
        (of_learnings, (base, ours, theirs))
    })
}

fn rewritten() -> impl Strategy<Value = (bool, Three)> {
    let blocks = prop::collection::vec((super::block(), 0u32..60), 0..9);
    (blocks, changes(), changes()).prop_map(|(blocks, ours, theirs)| {
        let base = blocks.into_iter().enumerate();
        let base: Vec<Written> =
            base.map(|(number, (block, second))| Written { block, number, second, version: "old".into() }).collect();
        let (ours, theirs) = (rewrite(&base, &ours, 1), rewrite(&base, &theirs, 2));
        (false, (file(&base), file(&ours), file(&theirs)))
    })
}

fn merge_of(of_learnings: bool, (base, ours, theirs): &Three) -> Merged {
    let kind = if of_learnings { &learnings::LEARNINGS } else { &squad::DECISIONS };
    let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    merge(versions, Some(kind), &Markers::default())
}

fn check(of_learnings: bool, texts: &Three) -> Result<(), String> {
    let merged = merge_of(of_learnings, texts);
    if merged.by_lines.is_some() {
        return Ok(());
    }
    let text = String::from_utf8(merged.bytes).unwrap();
    let (base, ours, theirs) = texts;
    let of_ours = wrong(base, ours, theirs, &picked(&text, true));
    let of_theirs = wrong(base, theirs, ours, &picked(&text, false));
    if of_ours.is_empty() && of_theirs.is_empty() {
        return Ok(());
    }
    Err(format!("{of_ours:?} {of_theirs:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}"))
}

/// Without a merge by lines of the whole file, in which git itself decides.
fn by_entries(texts: &[(bool, Three)]) -> usize {
    texts.iter().filter(|(of_learnings, texts)| merge_of(*of_learnings, texts).by_lines.is_none()).count()
}

/// So many random texts, always the same.
pub(super) fn random<T: std::fmt::Debug>(count: usize, strategy: &impl Strategy<Value = T>) -> Vec<T> {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn few_files_are_merged_by_lines() {
    const COUNT: usize = 300;
    for texts in [random(COUNT, &versions()), random(COUNT, &rewritten())] {
        let by_lines = COUNT - by_entries(&texts);
        assert!(by_lines * 100 <= COUNT * 4, "{by_lines} of {COUNT}");
    }
}

#[test]
fn a_title_that_one_side_removes_is_not_beside_the_conflict_of_its_entry() {
    let part = |title: &str, said: &str| format!("{title}What the part says{said}.\n\n");
    let of = |part: &str| format!("{TITLE}{}{part}{}", legacy(1, "One", "a"), legacy(9, "Last", "z"));
    let base = of(&part("### Part 5\n\n", ""));
    for other in ["", "### Part 6\n\n", "## Part 5\n\n"] {
        let (ours, theirs) = (of(&part(other, "")), of(&part("### Part 5\n\n", " now")));
        for texts in [(base.clone(), ours.clone(), theirs.clone()), (base.clone(), theirs.clone(), ours.clone())] {
            assert_eq!(check(false, &texts), Ok(()));
        }
    }
}

proptest! {
    #[test]
    fn the_lines_of_the_side_that_is_picked((of_learnings, texts) in versions()) {
        prop_assert_eq!(check(of_learnings, &texts), Ok(()));
    }

    #[test]
    fn the_entries_of_the_side_that_is_picked((of_learnings, texts) in rewritten()) {
        prop_assert_eq!(check(of_learnings, &texts), Ok(()));
    }
}
