//! Any edits of two sides to a file in which items and sections repeat: what no side removed stays, and what one removed does not come
//! back but in a conflict.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::merge::lines;
use crate::merge::words::field;

/// A block of a file, as text.
pub(super) fn block() -> impl Strategy<Value = String> {
    let number = 0u32..6;
    prop_oneof![
        4 => number.clone().prop_map(|number| format!("- Item {number} of the list\n")),
        2 => (number.clone(), number.clone()).prop_map(|(one, other)| {
            format!("- Item {one} of the list\n  with detail {other} of it\n")
        }),
        1 => (number.clone(), number.clone()).prop_map(|(one, other)| {
            format!("- Item {one} of the list\n  with detail {other} of it\n  and more of detail {other}\n")
        }),
        2 => (0u32..3).prop_map(|number| format!("\n## Section {number}\n\n")),
        2 => number.clone().prop_map(|number| format!("\nText {number} of the team.\n\n")),
        1 => (number.clone(), number.clone()).prop_map(|(one, other)| {
            format!("\nText {one} of the team.\nIt goes on with {other}.\n\n")
        }),
        2 => (number.clone(), number.clone()).prop_map(|(day, number)| format!("\n{}", legacy(day + 1, &format!("Title {number}"), &format!("What {number} says.")))),
        1 => (number.clone(), number.clone()).prop_map(|(second, number)| format!("\n{}", sem(second, &format!("Title {number}"), &format!("What {number} says.")))),
        1 => number.prop_map(|number| format!("\n### Part {number}\n\nWhat part {number} says.\n\n")),
    ]
}

/// What a side does to the lines of a file.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Adds a block.
    Add(usize, String),
    /// Removes some lines.
    Remove(usize, usize),
    /// Changes a line.
    Change(usize, u32),
    /// Removes the first word of a line.
    Shorten(usize),
    /// Moves some lines.
    Move(usize, usize, usize),
}

pub(super) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = || 0usize..40;
    let edit = prop_oneof![
        3 => (at(), block()).prop_map(|(at, block)| Edit::Add(at, block)),
        3 => (at(), 1usize..4).prop_map(|(at, count)| Edit::Remove(at, count)),
        2 => (at(), 0u32..3).prop_map(|(at, number)| Edit::Change(at, number)),
        1 => at().prop_map(Edit::Shorten),
        1 => (at(), 1usize..4, at()).prop_map(|(from, count, to)| Edit::Move(from, count, to)),
    ];
    prop::collection::vec(edit, 0..4)
}

pub(super) fn edited(base: &str, edits: &[Edit]) -> String {
    let mut lines: Vec<String> = base.split_inclusive('\n').map(str::to_owned).collect();
    for edit in edits {
        let len = lines.len();
        match edit {
            Edit::Add(at, block) => {
                let at = at % (len + 1);
                lines.splice(at..at, block.split_inclusive('\n').map(str::to_owned));
            }
            _ if len == 0 => {}
            Edit::Remove(at, count) => {
                let at = at % len;
                lines.drain(at..(at + count).min(len));
            }
            Edit::Change(at, number) => {
                let line = &mut lines[at % len];
                if !line.trim().is_empty() {
                    *line = format!("{} in version {number}\n", line.trim_end());
                }
            }
            Edit::Shorten(at) => {
                let line = &mut lines[at % len];
                if let Some((_, rest)) = line.trim_end().split_once(' ') {
                    *line = format!("{rest}\n");
                }
            }
            Edit::Move(from, count, to) => {
                let from = from % len;
                let moved: Vec<String> = lines.drain(from..(from + count).min(len)).collect();
                let to = to % (lines.len() + 1);
                lines.splice(to..to, moved);
            }
        }
    }
    lines.concat()
}

/// How often each line is in a text, apart from blank ones and rules.
pub(super) fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim_end).filter(|line| !matches!(line.trim_start(), "" | "---")) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// How often each list item is below each heading.
fn items(text: &str) -> BTreeMap<(&str, String), usize> {
    let (mut counts, mut heading) = (BTreeMap::new(), "");
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            heading = line;
        }
        if line.starts_with("- ") {
            let mut item = line.trim_end().to_owned();
            while let Some(more) = lines.next_if(|line| line.starts_with("  ")) {
                item += more.trim_end();
            }
            *counts.entry((heading, item)).or_default() += 1;
        }
    }
    counts
}

/// How often both sides have `line` as the first one of an item that the base lacks below this heading: added, moved or made of another
/// item. It is there once.
fn items_of_both(line: &str, [base, ours, theirs]: &[BTreeMap<(&str, String), usize>; 3]) -> usize {
    let of_both = |(item, ours): (&(&str, String), &usize)| {
        ours.min(theirs.get(item).unwrap_or(&0)).saturating_sub(base.get(item).copied().unwrap_or(0))
    };
    ours.iter().filter(|((_, item), _)| item.starts_with(line)).map(of_both).sum()
}

/// The text outside of conflicts, and the text of all.
fn outside(text: &str) -> (String, String) {
    let (mut out, mut all, mut is_inside) = (String::new(), String::new(), false);
    for line in text.split_inclusive('\n') {
        match line.get(..7) {
            Some("<<<<<<<") => is_inside = true,
            Some(">>>>>>>") => is_inside = false,
            Some("=======") if is_inside => {}
            _ => {
                all += line;
                out += if is_inside { "" } else { line };
            }
        }
    }
    (out, all)
}

proptest! {
    #[test]
    fn what_one_side_removed_is_back_in_conflicts_alone(
        blocks in prop::collection::vec(block(), 0..9),
        ours in edits(),
        theirs in edits(),
        of_learnings: bool,
    ) {
        let (kind, title) = if of_learnings { (&learnings::LEARNINGS, "# Learnings: a\n\n") } else { (&squad::DECISIONS, TITLE) };
        let base = format!("{title}{}", blocks.concat());
        let (ours, theirs) = (edited(&base, &ours), edited(&base, &theirs));
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let swapped = Versions { base: base.as_bytes(), ours: theirs.as_bytes(), theirs: ours.as_bytes() };
        let found = merge(versions, Some(kind), &Markers::default());
        let text = String::from_utf8(found.bytes).unwrap();
        let shown = || format!(
            "{} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}",
            found.conflicts, found.by_lines
        );
        let (of_git, conflicts_of_git) = lines::merge(versions, &Markers::default());
        let text_of_git = String::from_utf8(of_git).unwrap();
        let of_git = Some(count(&text_of_git)).filter(|_| conflicts_of_git == 0);
        let counts = [count(&base), count(&ours), count(&theirs)];
        let items = [items(&base), items(&ours), items(&theirs)];
        let (out, all) = outside(&text);
        let (out, all) = (count(&out), count(&all));
        let get = |counts: &BTreeMap<&str, usize>, line: &str| counts.get(line).copied().unwrap_or(0);
        for line in counts.iter().flat_map(BTreeMap::keys) {
            let [base, ours, theirs] = counts.each_ref().map(|counts| get(counts, line));
            let (most, both) = (ours.max(theirs), (ours + theirs).saturating_sub(base));
            let (found_outside, found_in_all) = (get(&out, line), get(&all, line));
            if let Some(of_git) = of_git.as_ref().filter(|_| ours.min(theirs) >= base) {
                let kept = get(of_git, line).min(most).saturating_sub(items_of_both(line, &items));
                prop_assert!(found_in_all >= kept, "lost: {line}\n{}", shown());
            }
            if found.conflicts == 0 {
                // Both sides may have taken a field from one entry, and given it to another one each.
                let most = if field(line).is_some() { ours + theirs } else { most };
                prop_assert!(found_outside <= most.max(both), "too often: {line}\n{}", shown());
            }
            let is_common = field(line).is_some() || base != 1;
            // Of the lines of a whole file, git itself decides.
            if !is_common && ours.min(theirs) < base && found.by_lines.is_none() {
                prop_assert!(found_outside <= both.max(ours.min(theirs)), "back: {line}\n{}", shown());
            }
        }
        // What both sides moved or what is merged by lines may make a conflict of another size.
        let other = merge(swapped, Some(kind), &Markers::default());
        if found.by_lines.is_none() && other.by_lines.is_none() {
            let other_text = String::from_utf8(other.bytes).unwrap();
            let shown = || format!("{}\n==== swapped\n{other_text}", shown());
            prop_assert_eq!(found.conflicts > 0, other.conflicts > 0, "{}", shown());
            prop_assert!(found.conflicts > 0 || count(&other_text) == all, "{}", shown());
        }
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let same = Versions { base: one.as_bytes(), ours: one.as_bytes(), theirs: other.as_bytes() };
            prop_assert_eq!(&merge(same, Some(kind), &Markers::default()).bytes, other.as_bytes());
            let same = Versions { base: one.as_bytes(), ours: other.as_bytes(), theirs: one.as_bytes() };
            prop_assert_eq!(&merge(same, Some(kind), &Markers::default()).bytes, other.as_bytes());
        }
    }
}

#[test]
fn an_item_that_one_side_added_and_the_other_made_of_another_one_is_there_once() {
    let file = |items: &str| format!("# Learnings: a\n\n## Core\n\n- Ports are below 1024\n{items}");
    let (long, short) = ("- Always run the tests with one thread\n", "- Run the tests with one thread\n");
    let (base, ours, theirs) = (file(long), file(&format!("{long}{short}")), file(short));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        assert_eq!(merged(&learnings::LEARNINGS, &base, ours, theirs), (file(short), 0));
    }
    // Their side moved the first line of an item to where ours added it.
    let (item, more) = ("- Item\n", "  with a detail\n");
    let (base, ours, theirs) = (
        format!("{TITLE}- One\n\n## Tools\n\n- Two\n{item}{more}"),
        format!("{TITLE}{item}- One\n\n## Tools\n\n- Two\n{item}{more}"),
        format!("{TITLE}{item}- One\n\n## Tools\n\n- Two\n{more}"),
    );
    for (ours, other) in [(&ours, &theirs), (&theirs, &ours)] {
        assert_eq!(ledger(&base, ours, other), (theirs.clone(), 0));
    }
}
