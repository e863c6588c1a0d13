mod acts;
mod edits;
mod ends;
mod git;
mod headings;
mod in_force;
mod kept;
mod new_titles;
mod picked;
mod places;
mod redated;
mod retitled;
mod sections;
mod tiny;
mod torn;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::dialects::{learnings, squad};

fn merged(kind: &FileKind, base: &str, ours: &str, theirs: &str) -> (String, usize) {
    let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let Merged { bytes, conflicts, by_lines } = merge(versions, Some(kind), &Markers::default());
    assert_eq!(by_lines, None, "{base}\n====\n{ours}\n====\n{theirs}");
    (String::from_utf8(bytes).unwrap(), conflicts)
}

const TITLE: &str = "# Decisions\n\n";
fn ledger(base: &str, ours: &str, theirs: &str) -> (String, usize) {
    merged(&squad::DECISIONS, base, ours, theirs)
}
fn sem(second: u32, summary: &str, body: &str) -> String {
    format!(
        "### [2026-02-10T10:00:{second:02}Z] DECISION: {summary}\n**type:** decision\n**timestamp:** 2026-02-10T10:00:{second:02}Z\n\
         **author:** keaton\n\n**decision:**\n{body}\n\n---\n\n"
    )
}

fn legacy(day: u32, title: &str, body: &str) -> String {
    format!("### 2026-02-{day:02}: {title}\n**By:** Keaton\n**What:** {body}\n\n")
}

#[test]
fn both_sides_append() {
    let base = format!("{TITLE}{}", legacy(1, "Tabs", "We use tabs."));
    let (ours, theirs) = (legacy(3, "Caches", "Keep them."), legacy(2, "Logs", "Short ones."));
    let (text, conflicts) = ledger(&base, &format!("{base}{ours}"), &format!("{base}{theirs}"));
    assert_eq!((text, conflicts), (format!("{base}{theirs}{ours}"), 0));
}

#[test]
fn the_newest_comes_first_where_it_did() {
    let old = format!("{}{}", legacy(5, "Tabs", "We use tabs."), legacy(1, "Logs", "Short ones."));
    let side = |day, title| format!("{TITLE}{}{old}", legacy(day, title, "Text."));
    let (text, conflicts) = ledger(&format!("{TITLE}{old}"), &side(7, "Caches"), &side(8, "Colours"));
    let expected = format!("{TITLE}{}{}{old}", legacy(8, "Colours", "Text."), legacy(7, "Caches", "Text."));
    assert_eq!((text, conflicts), (expected, 0));
}

#[test]
fn one_side_changes_and_the_other_removes_or_moves() {
    let (one, two, three) = (sem(1, "One", "a"), sem(2, "Two", "b"), sem(3, "Three", "c"));
    let base = format!("{TITLE}{one}{two}{three}");
    let changed = sem(2, "Two", "other");
    let ours = format!("{TITLE}{one}{changed}{three}");
    let theirs = format!("{TITLE}{two}{one}{three}");
    assert_eq!(ledger(&base, &ours, &theirs), (format!("{TITLE}{changed}{one}{three}"), 0));
    let theirs = format!("{TITLE}{one}{two}");
    assert_eq!(ledger(&base, &ours, &theirs), (format!("{TITLE}{one}{changed}"), 0));
    let (text, conflicts) = ledger(&base, &ours, &format!("{TITLE}{one}{three}"));
    assert_eq!(conflicts, 1, "{text}");
    assert!(text.starts_with(&format!("{TITLE}{one}<<<<<<< ours\n")) && text.ends_with(&three), "{text}");
}

#[test]
fn a_conflict_is_in_its_entry_alone() {
    let (one, three) = (sem(1, "One", "a"), sem(3, "Three", "c"));
    let file = |body: &str, more: &str| format!("{TITLE}{one}{}{three}{more}", sem(2, "Two", body));
    let (text, conflicts) = ledger(&file("b", ""), &file("x", &sem(4, "Four", "d")), &file("y", &sem(5, "Five", "e")));
    let inner = "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs";
    let expected = format!("{}{}{}", file(inner, ""), sem(4, "Four", "d"), sem(5, "Five", "e"));
    assert_eq!((text, conflicts), (expected, 1));
}

#[test]
fn two_agents_in_one_second() {
    let base = format!("{TITLE}{}", sem(1, "One", "a"));
    let (ours, theirs) = (sem(2, "Two", "b"), sem(2, "Another", "c"));
    let (text, conflicts) = ledger(&base, &format!("{base}{ours}"), &format!("{base}{theirs}"));
    assert_eq!((text, conflicts), (format!("{base}{ours}{theirs}"), 0));
    let (text, conflicts) = ledger(&base, &format!("{base}{ours}"), &format!("{base}{ours}{theirs}"));
    assert_eq!((text, conflicts), (format!("{base}{ours}{theirs}"), 0));
}

#[test]
fn both_sides_add_the_file() {
    let side = |title: &str, entries: &str| format!("# {title}\n\n## Learnings\n\n{entries}");
    let (ours, theirs) = ("### Caches\n\nKeep them.\n", "### Logs\n\nShort ones.\n");
    let (text, conflicts) = merged(&squad::HISTORY, "", &side("Control", ours), &side("Control: history", theirs));
    let lines = "<<<<<<< ours\n# Control\n=======\n# Control: history\n>>>>>>> theirs\n";
    assert_eq!((text, conflicts), (format!("{lines}\n## Learnings\n\n{ours}\n{theirs}"), 1));
    let (text, conflicts) =
        merged(&squad::HISTORY, "", &side("Control", ours), &side("Control", &format!("{ours}More.\n")));
    assert_eq!((text, conflicts), (side("Control", &format!("{ours}More.\n")), 0));
}

#[test]
fn what_one_side_moves_and_the_other_removes_is_a_conflict() {
    let (one, two, three) = (sem(1, "One", "a"), sem(2, "Two", "b"), sem(3, "Three", "c"));
    let base = format!("{TITLE}{one}{two}{three}");
    let (moved, removed) = (format!("{TITLE}{two}{three}{one}"), format!("{TITLE}{two}{three}"));
    for (ours, theirs) in [(&moved, &removed), (&removed, &moved)] {
        let (text, conflicts) = ledger(&base, ours, theirs);
        assert_eq!((text.matches("One").count(), conflicts), (1, 1), "{text}");
    }
    // The same for a learning that was moved and changed.
    let learned = |number: u32| format!("- Number {number} is what we learned about caches and ports\n");
    let file = |items: &[&str]| format!("# Learnings: logic\n\n## Core\n{}", items.concat());
    let (one, two, three) = (learned(1), learned(2), learned(3));
    let changed = format!("{one}  and more of it\n");
    let (base, ours) = (file(&[&one, &two, &three]), file(&[&two, &three, &changed]));
    let (text, conflicts) = merged(&learnings::LEARNINGS, &base, &ours, &file(&[&two, &three]));
    assert_eq!((text.matches("Number 1").count(), conflicts), (1, 1), "{text}");
}

#[test]
fn prose_that_one_side_moves_is_a_conflict_if_the_other_does_not_keep_it() {
    let prose = "## How we write\n\nShort sentences, and one fact in each.\n\n";
    let entry = |day| legacy(day, &format!("Day {day}"), "Text.");
    let (start, end) = ((1..4).map(entry).collect::<String>(), (4..7).map(entry).collect::<String>());
    let first = format!("{TITLE}{prose}{start}{end}");
    let middle = format!("{TITLE}{start}{prose}{end}");
    let last = format!("{TITLE}{start}{end}{prose}");
    let none = format!("{TITLE}{start}{end}");
    for (ours, theirs, times) in [(&last, &none, 1), (&none, &last, 1), (&middle, &last, 2)] {
        let (text, conflicts) = ledger(&first, ours, theirs);
        assert_eq!((text.matches("Short sentences").count(), conflicts), (times, times), "{text}");
    }
    assert_eq!(ledger(&first, &last, &first), (last.clone(), 0));
    assert_eq!(ledger(&first, &last, &last), (last, 0));
}

#[test]
fn updates_and_sections_of_histories() {
    let base = "# Control\n\n## Learnings\n\n### 2026-02-10: Tabs\n\nWe use tabs.\n";
    let (ours, theirs) = ("\n📌 Team update (2026-02-12): Caches stay.\n", "\n### Logs\n\nShort ones.\n");
    let (text, conflicts) = merged(
        &squad::HISTORY,
        base,
        &format!("{base}{ours}"),
        &format!("{base}\n📌 Team update (2026-02-11): Logs.\n"),
    );
    assert_eq!((text, conflicts), (format!("{base}\n📌 Team update (2026-02-11): Logs.\n{ours}"), 0));
    let base = base.replace("### 2026-02-10: ", "### ");
    let (text, conflicts) = merged(&squad::HISTORY, &base, &format!("{base}{ours}"), &format!("{base}{theirs}"));
    assert_eq!((text, conflicts), (format!("{base}{theirs}{ours}"), 0));
}

#[test]
fn a_section_ends_where_the_next_one_starts() {
    let base = "# Control\n\n## Learnings\n\nNow in release 8, with 3931 tests.\n";
    let section = "### Sprint pattern\n\nBugs come first.\n\n";
    let add = |section: &str| base.replace("Now", &format!("{section}Now"));
    // A dated entry before the section does not take it in, nor does the section the prose after it.
    let ours = add(section);
    let theirs = add(&format!("### 2026-02-10: Directives\n\nKeep to them.\n\n{section}"));
    assert_eq!(merged(&squad::HISTORY, base, &ours, &theirs), (theirs.clone(), 0));
    let theirs = base.replace("release 8", "release 9");
    let (text, conflicts) = merged(&squad::HISTORY, base, &ours, &theirs);
    let count = |words: &str| text.matches(words).count();
    assert_eq!((conflicts, count("release 8"), count("release 9"), count("Bugs")), (0, 0, 1, 1), "{text}");
}

#[test]
fn a_new_title_makes_no_new_entry() {
    let words: String = (0..30).map(|word| format!("w{word} ")).collect();
    let entry = |title: &str, end: &str| format!("### {title}\n\n{words}{end}\n\n");
    let base = "# Control\n\n## Learnings\n\n";
    let (old, new) = (entry("Release 8 (blocked)", "a"), entry("Release 8 (2026-03-07)", "b"));
    let file = |entry: &str| format!("{base}{entry}");
    let (text, conflicts) =
        merged(&squad::HISTORY, &file(&old), &file(&new), &file(&entry("Release 8 (blocked)", "a")));
    assert_eq!((text, conflicts), (file(&new), 0));
    let (text, conflicts) = merged(&squad::HISTORY, base, &file(&old), &file(&new));
    assert_eq!((text.matches(&words).count(), conflicts), (2, 1), "{text}");
}

#[test]
fn learnings_are_items() {
    let file = |core: &str, more: &str| format!("# Learnings: logic\n\n## Core\n{core}\n## Gotchas\n{more}");
    let one = "- Run the tests with one thread (added: 2026-02-01)\n";
    let newer = "- Run the tests with one thread (added: 2026-02-01, updated: 2026-02-09)\n";
    let (ours, theirs) = ("- ELK ignores ratios (added: 2026-02-12)\n", "- Ports are taken (added: 2026-02-11)\n");
    let (text, conflicts) = merged(
        &learnings::LEARNINGS,
        &file(one, ""),
        &file(&format!("{one}{ours}"), ""),
        &file(&format!("{newer}{theirs}"), "- Links break\n"),
    );
    assert_eq!((text, conflicts), (file(&format!("{newer}{theirs}{ours}"), "- Links break\n"), 0));
}

#[test]
fn what_is_not_read_as_entries_is_merged_by_lines() {
    let reason = |base: &[u8], ours: &[u8], kind| {
        merge(Versions { base, ours, theirs: b"c\n" }, kind, &Markers::default()).by_lines
    };
    let unresolved = b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    assert_eq!(reason(b"", unresolved, Some(&squad::DECISIONS)), Some(ByLines::Unresolved));
    assert_eq!(reason(b"", b"\xff\n", Some(&squad::DECISIONS)), Some(ByLines::NotUtf8));
    assert_eq!(reason(b"", b"a\n", None), Some(ByLines::NoEntries));
    assert_eq!(reason(b"a\n", b"a\n", None), None);
}

/// What a side does to a ledger.
#[derive(Clone, Debug)]
enum Act {
    Add(u32, bool),
    Remove(usize),
    Change(usize),
    Move(usize, usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0u32..60, any::<bool>()).prop_map(|(second, at_end)| Act::Add(second, at_end)),
        1 => (0usize..12).prop_map(Act::Remove),
        2 => (0usize..12).prop_map(Act::Change),
        1 => (0usize..12, 0usize..12).prop_map(|(from, to)| Act::Move(from, to)),
    ];
    prop::collection::vec(act, 0..6)
}

/// One entry: its number in all ledgers, its second, and how often it was changed and by which side.
type Row = (usize, u32, String);

fn play(base: &[Row], acts: &[Act], side: usize) -> Vec<Row> {
    let mut rows = base.to_vec();
    for (count, act) in acts.iter().enumerate() {
        match *act {
            Act::Add(second, at_end) => {
                let at =
                    if at_end { rows.len() } else { rows.iter().position(|row| row.1 > second).unwrap_or(rows.len()) };
                rows.insert(at, (1000 * side + count, second, "new".into()));
            }
            Act::Remove(at) if at < rows.len() => drop(rows.remove(at)),
            Act::Change(at) if at < rows.len() => rows[at].2 = format!("changed by {side}, {count}"),
            Act::Move(from, to) if from < rows.len() && to < rows.len() => {
                let row = rows.remove(from);
                rows.insert(to, row);
            }
            Act::Remove(_) | Act::Change(_) | Act::Move(..) => {}
        }
    }
    rows
}

fn write(rows: &[Row], shape: u8) -> String {
    let mut out = TITLE.to_owned();
    for (number, second, body) in rows {
        // Entries have words of their own.
        let words: String = (0..20).map(|word| format!(" w{number}x{word}")).collect();
        let body = &format!("{body}{words}");
        let entry = match shape + u8::from(number % 3 == 0 && shape == 0) {
            0 => sem(*second, &format!("Number {number} of the ledger"), body),
            1 => legacy(1 + second % 28, &format!("Number {number} of the ledger"), body),
            _ => {
                format!("- Learned number {number} of the file (added: 2026-02-{:02}, note: {body})\n", 1 + second % 28)
            }
        };
        out += &entry;
    }
    out
}

/// How the lines of a version end, and whether the last one does.
fn line_ends() -> impl Strategy<Value = (&'static str, bool)> {
    (prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]), prop::bool::weighted(0.7))
}

/// A text with these line ends.
fn with_line_ends(text: &str, (line_end, has_last): (&str, bool)) -> String {
    let text = if has_last { text } else { text.trim_end() };
    text.replace('\n', line_end)
}

/// Whether something was glued to the end of a rule: no text here has a longer one.
fn is_glued(text: &str) -> bool {
    text.split(['\r', '\n']).any(|line| line.starts_with("---") && line != "---")
}

/// How often each entry is in a merged text, by its number.
fn count(text: &str) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for number in text.split("umber ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok()) {
        *counts.entry(number).or_default() += 1;
    }
    counts
}

/// What a memory file is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Sem,
    Legacy,
    Section,
    Update,
    Item,
    Prose,
    Fenced,
}

fn block() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => Just(Shape::Sem),
        3 => Just(Shape::Legacy),
        2 => Just(Shape::Section),
        1 => Just(Shape::Update),
        1 => Just(Shape::Item),
        2 => Just(Shape::Prose),
        1 => Just(Shape::Fenced),
    ]
}

/// A block of a file, with words that no other one has.
#[derive(Clone, Debug)]
struct Written {
    block: Shape,
    number: usize,
    second: u32,
    version: String,
}

/// What a side does to a file of blocks.
#[derive(Clone, Debug)]
enum Change {
    Add(Shape, u32, usize),
    Remove(usize),
    Rewrite(usize),
    Move(usize, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (block(), 0u32..60, 0usize..12).prop_map(|(block, second, at)| Change::Add(block, second, at)),
        1 => (0usize..12).prop_map(Change::Remove),
        2 => (0usize..12).prop_map(Change::Rewrite),
        1 => (0usize..12, 0usize..12).prop_map(|(from, to)| Change::Move(from, to)),
    ];
    prop::collection::vec(change, 0..6)
}

fn rewrite(base: &[Written], changes: &[Change], side: usize) -> Vec<Written> {
    let mut blocks = base.to_vec();
    for (count, change) in changes.iter().enumerate() {
        match *change {
            Change::Add(block, second, at) => {
                let new = Written { block, number: 1000 * side + count, second, version: "new".into() };
                blocks.insert(at.min(blocks.len()), new);
            }
            Change::Remove(at) if at < blocks.len() => drop(blocks.remove(at)),
            Change::Rewrite(at) if at < blocks.len() => blocks[at].version = format!("changed by {side}, {count}"),
            Change::Move(from, to) if from.max(to) < blocks.len() => {
                let block = blocks.remove(from);
                blocks.insert(to, block);
            }
            Change::Remove(_) | Change::Rewrite(_) | Change::Move(..) => {}
        }
    }
    blocks
}

fn file(blocks: &[Written]) -> String {
    let mut out = TITLE.to_owned();
    for Written { block, number, second, version } in blocks {
        let words: String = (0..12).map(|word| format!(" w{number}x{word}")).collect();
        let text = format!("Text of number {number}:{words}\n\nNumber {number} is {version}.");
        let entry = match block {
            Shape::Sem => sem(*second, &format!("Number {number} of the ledger"), &text),
            Shape::Legacy => legacy(1 + second % 28, &format!("Number {number} of the ledger"), &text),
            Shape::Section => format!("### Number {number} of the file\n{text}\n\n"),
            Shape::Update => {
                format!("📌 Team update (2026-02-{:02}): number {number} is {version}:{words}\n\n", 1 + second % 28)
            }
            // Without a heading, they would be the end of the entry before.
            Shape::Item => format!("## Part number {number} of all\n\n- Number {number} is {version}:{words}\n\n"),
            Shape::Prose => format!("## Part number {number} of all\n\n{text}\n\n"),
            Shape::Fenced => {
                format!("## Part number {number} of all\n\n```\n### Number {number} of the code\n{text}\n```\n\n")
            }
        };
        out += &entry;
    }
    out
}

proptest! {
    #[test]
    fn no_entry_is_lost_and_none_is_there_twice(
        seconds in prop::collection::vec(0u32..60, 0..8),
        ours in acts(),
        theirs in acts(),
        shape in 0u8..3,
        ends in [line_ends(), line_ends(), line_ends()],
    ) {
        let base: Vec<Row> = seconds.iter().enumerate().map(|(at, second)| (at, *second, "old".into())).collect();
        let (ours, theirs) = (play(&base, &ours, 1), play(&base, &theirs, 2));
        let text = |rows: &[Row], of: usize| with_line_ends(&write(rows, shape), ends[of]);
        let texts = (text(&base, 0), text(&ours, 1), text(&theirs, 2));
        let (out, conflicts) = ledger(&texts.0, &texts.1, &texts.2);
        prop_assert!(!is_glued(&out), "{out}");
        let counts = count(&out);
        let get = |rows: &[Row], number| rows.iter().find(|row| row.0 == number).cloned();
        let mut numbers: Vec<usize> = base.iter().chain(&ours).chain(&theirs).map(|row| row.0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut expected_conflicts = false;
        let moved = |texts: (&[Row], &[Row])| {
            let places = |row: &Row| texts.0.iter().position(|other| other.0 == row.0);
            !texts.1.iter().filter_map(places).is_sorted()
        };
        let (ours_moved, theirs_moved) = (moved((&base, &ours)), moved((&base, &theirs)));
        let mut may_conflict = false;
        for number in numbers {
            let versions = Versions { base: get(&base, number), ours: get(&ours, number), theirs: get(&theirs, number) };
            may_conflict |= versions.base.is_some()
                && (ours_moved && versions.theirs.is_none() || theirs_moved && versions.ours.is_none());
            let kept = match versions.base {
                Some(_) if versions.ours == versions.base => versions.theirs.is_some(),
                Some(_) if versions.theirs == versions.base => versions.ours.is_some(),
                _ => {
                    expected_conflicts |= versions.base.is_some() && versions.ours != versions.theirs;
                    versions.ours.is_some() || versions.theirs.is_some()
                }
            };
            let found = counts.get(&number).copied().unwrap_or(0);
            prop_assert!(found >= usize::from(kept), "{number} is lost:\n{out}");
            prop_assert!(conflicts > 0 || found == usize::from(kept), "{number} is there {found} times:\n{out}");
        }
        prop_assert!(may_conflict || (conflicts > 0) == expected_conflicts, "{out}");
        let (other, _) = ledger(&texts.0, &texts.2, &texts.1);
        if !may_conflict {
            prop_assert_eq!(count(&other), counts);
        }
        prop_assert_eq!(ledger(&texts.0, &texts.1, &texts.0), (texts.1.clone(), 0));
        prop_assert_eq!(ledger(&texts.0, &texts.0, &texts.2), (texts.2.clone(), 0));
    }

    #[test]
    fn no_line_is_lost_and_none_is_there_twice(
        base in prop::collection::vec((block(), 0u32..60), 0..9),
        ours in changes(),
        theirs in changes(),
        ends in [line_ends(), line_ends(), line_ends()],
    ) {
        let base: Vec<Written> = base.into_iter().enumerate().map(|(number, (block, second))| Written {
            block, number, second, version: "old".into(),
        }).collect();
        let (ours, theirs) = (rewrite(&base, &ours, 1), rewrite(&base, &theirs, 2));
        let texts = [&base, &ours, &theirs].map(|blocks| file(blocks));
        let [base, ours, theirs] = texts.each_ref().map(std::string::String::as_str);
        let [of_base, of_ours, of_theirs] = ends;
        let written = (with_line_ends(base, of_base), with_line_ends(ours, of_ours), with_line_ends(theirs, of_theirs));
        let versions =
            Versions { base: written.0.as_bytes(), ours: written.1.as_bytes(), theirs: written.2.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        // An older entry may be the last one before a heading now, as another entry moved away.
        prop_assume!(merged.by_lines.is_none());
        let out = String::from_utf8(merged.bytes).unwrap();
        prop_assert!(!is_glued(&out), "{out}");
        let out = out.replace("\r\n", "\n").replace('\r', "\n");
        let shown = format!("{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{out}");
        let count = |text: &str, line: &str| text.lines().filter(|other| *other == line).count();
        let lines: std::collections::BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        for line in lines.into_iter().filter(|line| line.contains("umber ")) {
            let [base, ours, theirs] = texts.each_ref().map(|text| count(text, line));
            // As git merges lines.
            let kept = if base > 0 { ours > 0 && theirs > 0 } else { ours + theirs > 0 };
            let found = count(&out, line);
            prop_assert!(found >= usize::from(kept), "lost: {line}\n{shown}");
            prop_assert!(merged.conflicts > 0 || found == usize::from(kept), "{found} times: {line}\n{shown}");
        }
    }
}
