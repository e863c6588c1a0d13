//! Where git itself merges without a conflict, and loses and doubles no entry, there is no conflict.

use std::collections::BTreeMap;
use std::process::Command;

use proptest::prelude::*;

use super::acts::Mix;
use super::*;
use crate::formats::entries::Block;

const MIX: Mix = Mix {
    add: 5,
    add_section: 3,
    remove: 2,
    remove_section: 2,
    change: 3,
    moves: 0,
    most: 4,
    has_texts: true,
    items: 10,
};

/// What `git merge-file` makes of a file; `None` if that has a conflict.
pub(super) fn merged_by_git([base, ours, theirs]: &[String; 3]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut git = Command::new("git");
    let output = git.args(["merge-file", "-p", "ours", "base", "theirs"]).current_dir(folder.path()).output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

/// How often each entry is in a text: what it says, apart from blank lines and rules.
fn entries(kind: &FileKind, text: &str) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    let read = kind.entries(text);
    for block in read.blocks().filter(|block| !matches!(block, Block::Prose(_))) {
        let lines = block.span().of(text).lines().map(str::trim_end).filter(|line| !matches!(*line, "" | "---"));
        *out.entry(lines.collect::<Vec<_>>().join("\n")).or_default() += 1;
    }
    out
}

/// Whether each entry is in the merged text as the side has it that did something to it, and no other one is there.
fn is_right(kind: &FileKind, texts: &[String; 3], merged: &str) -> bool {
    let [base, ours, theirs, found] = [&*texts[0], &*texts[1], &*texts[2], merged].map(|text| entries(kind, text));
    let keys = base.keys().chain(ours.keys()).chain(theirs.keys()).chain(found.keys());
    keys.into_iter().all(|key| {
        let [base, ours, theirs, found] =
            [&base, &ours, &theirs, &found].map(|counts| counts.get(key).copied().unwrap_or(0));
        Versions { base, ours, theirs }.trivial() == Some(found)
    })
}

/// Whether each line is as often in the merged text as the sides demand.
fn has_all_lines(texts: &[String; 3], merged: &str) -> bool {
    let [base, ours, theirs, found] = [&*texts[0], &*texts[1], &*texts[2], merged].map(super::edits::count);
    let get = |counts: &BTreeMap<&str, usize>, line: &str| counts.get(line).copied().unwrap_or(0);
    let lines = base.keys().chain(ours.keys()).chain(theirs.keys()).chain(found.keys());
    lines.into_iter().all(|line| {
        let [base, ours, theirs, found] = [&base, &ours, &theirs, &found].map(|counts| get(counts, line));
        Versions { base, ours, theirs }.trivial().map_or(found + base == ours + theirs, |one| one == found)
    })
}

fn check(kind: &'static FileKind, texts: &[String; 3]) -> Result<(), TestCaseError> {
    let [base, ours, theirs] = texts.each_ref().map(String::as_str);
    let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let merged = merge(versions, Some(kind), &Markers::default());
    if merged.conflicts == 0 {
        return Ok(());
    }
    let Some(of_git) = merged_by_git(texts).filter(|text| is_right(kind, texts, text) && has_all_lines(texts, text))
    else {
        return Ok(());
    };
    let text = String::from_utf8(merged.bytes).unwrap();
    let of_lines = crate::merge::lines::merge(versions, &Markers::default()).1;
    let shown = format!(
        "{of_lines} by lines, {} conflicts, {:?}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{text}\n==== by git\n{of_git}",
        merged.conflicts, merged.by_lines
    );
    Err(TestCaseError::fail(shown))
}

proptest! {
    #[test]
    fn there_is_no_conflict_where_git_has_none(files in MIX.files()) {
        check(files.kind(), &files.texts)?;
    }

    #[test]
    fn there_is_no_conflict_where_git_has_none_with_moves(files in Mix { moves: 2, ..MIX }.files()) {
        check(files.kind(), &files.texts)?;
    }
}
