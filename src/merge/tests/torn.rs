//! What `memory` reads as an entry stays one: no other entry comes between its heading and its end.

use proptest::prelude::*;

use super::*;

/// What is below an entry, and a part of it.
fn rest() -> impl Strategy<Value = u8> {
    prop_oneof![3 => Just(0u8), 2 => Just(1u8), 1 => Just(2u8), 1 => Just(3u8), 1 => Just(4u8), 1 => Just(5u8), 1 => Just(6u8)]
}

fn with_rest(number: usize, day: u32, rest: u8) -> String {
    let rest = match rest {
        0 => String::new(),
        1 => format!("---\n\n## Root cause of number {number}\n\nThe prompt of number {number} is at fault.\n\n"),
        2 => format!("## Steps of number {number}\n\n- First of number {number}\n- Then of number {number}\n\n"),
        3 => format!("### Details of number {number}\n\nMore of number {number}.\n\n"),
        4 => format!("📌 Team update (2026-02-{day:02}): number {number} is known.\n\n"),
        6 => format!("## Details of number {number}\n\nMore of number {number}.\n\n"),
        // A heading that begins another document.
        _ => format!(
            "#### Part of number {number}\n\nSome of number {number}.\n\n## End of number {number}\n\nAll of number {number}.\n\n"
        ),
    };
    format!("{}{rest}", legacy(day, &format!("Number {number} of all"), &format!("Text of number {number}.")))
}

/// The entries of a text by their first lines, as `memory` reads them.
fn entries(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut out = BTreeMap::new();
    for block in squad::DECISIONS.entries(text).blocks() {
        if !matches!(block, crate::formats::entries::Block::Prose(_)) {
            let lines = block.span().of(text).lines().map(str::trim_end).filter(|line| !matches!(*line, "" | "---"));
            let lines: Vec<String> = lines.map(str::to_owned).collect();
            out.insert(lines[0].clone(), lines);
        }
    }
    out
}

/// The first entry that one side alone added, or neither side changed, and that reads otherwise in the merged text.
fn torn(base: &str, ours: &str, theirs: &str, merged: &str) -> Option<String> {
    let [base, ours, theirs, merged] = [base, ours, theirs, merged].map(entries);
    let mut titles = base.keys().chain(ours.keys()).chain(theirs.keys());
    let found = titles.find(|title| {
        let expected = match (base.get(*title), ours.get(*title), theirs.get(*title)) {
            (None, Some(one), None) | (None, None, Some(one)) => one,
            (Some(base), Some(ours), Some(theirs)) if base == ours && base == theirs => base,
            _ => return false,
        };
        merged.get(*title) != Some(expected)
    });
    found.cloned()
}

#[test]
fn an_entry_keeps_what_is_below_a_rule() {
    let base = format!("{TITLE}{}", legacy(1, "Ports", "Below 1024."));
    let new = legacy(28, "Links", "The program checks them.");
    let old = format!("{}---\n\n## Root cause\n\nThe prompt is at fault.\n\n", legacy(15, "Why it skips", "A study."));
    let (ours, theirs) = (format!("{base}{new}"), format!("{base}{old}"));
    // To people, the new entry behind that text would be in its section.
    let expected = format!("{base}{new}{old}");
    assert_eq!(ledger(&base, &ours, &theirs), (expected.clone(), 0));
    assert_eq!(ledger(&base, &theirs, &ours), (expected, 0));
    // Both have such a text.
    let both = format!("{new}## Why\n\nLinks break.\n\n");
    assert_eq!(ledger(&base, &format!("{base}{both}"), &theirs), (format!("{base}{both}{old}"), 0));
}

#[test]
fn an_entry_that_the_other_side_moves_is_not_put_into_another_one() {
    let (one, two, three) = (with_rest(1, 1, 1), with_rest(2, 2, 0), with_rest(3, 3, 0));
    let base = format!("{TITLE}{one}{two}{three}");
    let changed = two.replace("Text of", "New text of");
    let (text, conflicts) = ledger(&base, &format!("{TITLE}{one}{three}"), &format!("{TITLE}{one}{changed}{three}"));
    assert_eq!(conflicts, 1, "{text}");
    assert!(text.starts_with(&format!("{TITLE}{one}<<<<<<<")), "{text}");
}

#[test]
fn an_entry_with_another_title_keeps_what_came_with_it() {
    let (one, two, new) = (with_rest(1, 1, 0), with_rest(2, 3, 0), with_rest(100, 1, 0));
    let other = with_rest(201, 3, 1);
    let (ours, theirs) = (format!("{TITLE}{one}{two}{new}"), format!("{TITLE}{one}{other}"));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, _) = ledger(&format!("{TITLE}{one}{two}"), ours, theirs);
        assert!(text.contains(other.trim_end()) && text.contains(new.trim_end()), "{text}");
    }
}

#[test]
fn no_conflict_cuts_a_code_fence() {
    let entries: [fn(u32, &str) -> String; 2] =
        [|at, body| sem(at, &format!("Number {at}"), body), |at, body| legacy(at, &format!("Number {at}"), body)];
    for entry in entries {
        let file = |bodies: [&str; 4]| {
            let entries = bodies.iter().zip(1..).map(|(body, at)| entry(at, body)).collect::<String>();
            format!("{TITLE}{entries}")
        };
        let last = "Last.\n\n```\ncode\n```";
        let base = file(["First.", "Second.", "Third.", last]);
        // The fence takes in all entries up to the last one.
        let ours = file(["First.\n\n```\nmake", "Second.", "Third.", last]);
        let theirs = file(["First.", "Second is other.", "Third.", last]);
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (text, conflicts) = ledger(&base, ours, theirs);
            assert_eq!(conflicts, 1, "{text}");
            let (before, rest) = text.split_once("<<<<<<< ours\n").unwrap();
            let (_, behind) = rest.split_once(">>>>>>> theirs\n").unwrap();
            assert!(!before.contains("```") && !behind.contains("```"), "{text}");
            assert_eq!(behind.matches("Number").count(), 0, "{text}");
        }
    }
    // A fence that both sides have is not cut.
    let file = |body: &str| format!("{TITLE}{}", sem(1, "One", &format!("```\n{body}\n```\n\nText.")));
    let (text, conflicts) = ledger(&file("a"), &file("b"), &file("c"));
    assert_eq!((text, conflicts), (file("<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs"), 1));
}

#[test]
fn an_entry_behind_which_a_section_was_removed_stays_out_of_a_new_one() {
    let (one, two, new) = (with_rest(1, 1, 0), with_rest(2, 1, 2), with_rest(100, 1, 0));
    let other = with_rest(200, 1, 1);
    let (base, ours, theirs) =
        (format!("{TITLE}{one}{two}"), format!("{TITLE}{one}{two}{new}"), format!("{TITLE}{one}{other}"));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (text, conflicts) = ledger(&base, ours, theirs);
        assert!(conflicts > 0 || torn(&base, ours, theirs, &text).is_none(), "{text}");
        assert!(text.contains(other.trim_end()) && text.contains(new.trim_end()), "{text}");
    }
}

#[test]
fn an_entry_beside_a_conflict_is_whole() {
    let first = |body: &str| sem(1, "First", body);
    let (one, two, three) = (with_rest(1, 1, 0), with_rest(2, 3, 0), with_rest(3, 1, 2));
    let new = with_rest(100, 1, 0);
    for (base, ours, theirs) in [
        (format!("{one}{two}"), format!("{one}{two}{new}"), format!("{one}{}", with_rest(201, 3, 1))),
        (format!("{one}{three}"), format!("{one}{three}{new}"), format!("{one}{}", with_rest(200, 1, 1))),
    ] {
        let file = |body: &str, rest: &str| format!("{TITLE}{}{rest}", first(body));
        let (base, ours, theirs) = (file("a", &base), file("b", &ours), file("c", &theirs));
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (text, conflicts) = ledger(&base, ours, theirs);
            assert!(conflicts > 0, "{text}");
            // What both sides append is in a conflict, or the end of the one is no part of the other.
            for of_ours in [true, false] {
                let found = entries(&super::picked::picked(&text, of_ours));
                let new_entry = entries(&new);
                assert!(
                    new_entry.iter().all(|(title, lines)| found.get(title).is_none_or(|found| found == lines)),
                    "{text}"
                );
            }
        }
    }
}

type Block = (u32, u8);

fn blocks(most: usize) -> impl Strategy<Value = Vec<Block>> {
    prop::collection::vec((1u32..28, rest()), 0..most)
}

proptest! {
    #[test]
    fn what_both_sides_append_is_whole(base in blocks(4), ours in blocks(4), theirs in blocks(4), at_top: bool) {
        let write = |side: usize, blocks: &[Block]| -> String {
            let write = |(at, (day, rest)): (usize, &Block)| with_rest(100 * side + at, *day, *rest);
            blocks.iter().enumerate().map(write).collect()
        };
        let (old, ours, theirs) = (write(0, &base), write(1, &ours), write(2, &theirs));
        let file = |new: &str| if at_top { format!("{TITLE}{new}{old}") } else { format!("{TITLE}{old}{new}") };
        let (base, ours, theirs) = (file(""), file(&ours), file(&theirs));
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        let out = String::from_utf8(merged.bytes).unwrap();
        let shown = format!("{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{out}");
        // The text after such a heading is not part of an entry, or is a section to people, and both sides may have it. Nor can an entry
        // come between a section and what another entry ends with.
        let has_section = |text: &str| ["\n## Root", "\n## Steps", "\n## Details"].iter().any(|title| text.contains(title));
        let may_conflict = shown.contains("## End") || has_section(&ours) && has_section(&theirs);
        prop_assert!(merged.conflicts == 0 || may_conflict, "{shown}");
        prop_assert!(merged.by_lines.is_none() || may_conflict, "{shown}");
        prop_assert!(merged.conflicts > 0 || torn(&base, &ours, &theirs, &out).is_none(), "{shown}");
    }

    #[test]
    fn no_entry_is_torn(
        base in blocks(6),
        ours in prop::collection::vec((0usize..8, 0u8..3, 1u32..28, rest()), 0..5),
        theirs in prop::collection::vec((0usize..8, 0u8..3, 1u32..28, rest()), 0..5),
    ) {
        let base: Vec<String> = base.iter().enumerate().map(|(at, (day, rest))| with_rest(at, *day, *rest)).collect();
        let play = |side: usize, acts: &[(usize, u8, u32, u8)]| {
            let mut all = base.clone();
            for (count, (at, act, day, rest)) in acts.iter().enumerate() {
                match act {
                    0 if *at < all.len() => drop(all.remove(*at)),
                    1 if *at < all.len() => all[*at] = all[*at].replace("**What:**", &format!("**What:** ({side})")),
                    _ => all.insert((*at).min(all.len()), with_rest(100 * side + count, *day, *rest)),
                }
            }
            format!("{TITLE}{}", all.concat())
        };
        let (base, ours, theirs) = (play(0, &[]), play(1, &ours), play(2, &theirs));
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        let out = String::from_utf8(merged.bytes).unwrap();
        let shown = format!("{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{out}");
        if merged.conflicts == 0 && merged.by_lines.is_none() {
            prop_assert_eq!(torn(&base, &ours, &theirs, &out), None, "{}", shown);
        }
    }
}
