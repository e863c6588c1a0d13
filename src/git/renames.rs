//! Renames that change the content, too: a file that is gone and a new one that holds half of it.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use crate::git::change::{Change, Status};
use crate::git::repository::Git;

/// More pairs than these are not compared: a change that moves so many files is read without renames.
const MAX_PAIRS: usize = 10_000;
/// Larger files are not compared.
const MAX_BYTES: u64 = 4 << 20;

/// Joins each added file that `wanted` names with the deleted Markdown file that it is most like, if half of the larger one
/// is in both. What cannot be read is like nothing.
pub(crate) fn join_renames(git: &Git, changes: &mut Vec<Change>, wanted: impl Fn(&BStr) -> bool) {
    let of_status = |status: Status, wanted: &dyn Fn(&BStr) -> bool| -> Vec<usize> {
        let fits = |(_, change): &(usize, &Change)| change.status == status && wanted(change.path.as_bstr());
        changes.iter().enumerate().filter(fits).map(|(at, _)| at).collect()
    };
    let added = of_status(Status::Added, &wanted);
    if added.is_empty() {
        return;
    }
    let deleted = of_status(Status::Deleted, &|path| path.to_lowercase().ends_with(b".md"));
    if deleted.is_empty() || added.len() * deleted.len() > MAX_PAIRS {
        return;
    }
    let text = |at: usize| -> Option<Vec<u8>> {
        let change = changes.get(at)?;
        let blob = change.after.or(change.before).filter(|blob| blob.is_file())?;
        git.blob(blob.id, change.path.as_bstr(), MAX_BYTES).ok()
    };
    let sources: Vec<(usize, Vec<u8>)> = deleted.iter().filter_map(|&at| Some((at, text(at)?))).collect();
    let mut pairs = Vec::new();
    for target in added {
        let Some(new) = text(target) else { continue };
        let lines = count(&new);
        for (source, old) in &sources {
            let (common, larger) = (in_both(&lines, old), new.len().max(old.len()));
            if common * 2 >= larger && larger > 0 {
                pairs.push((common * 1000 / larger, std::cmp::Reverse((target, *source))));
            }
        }
    }
    pairs.sort_unstable();
    let mut gone = Vec::new();
    while let Some((_, std::cmp::Reverse((target, source)))) = pairs.pop() {
        pairs.retain(|(_, std::cmp::Reverse(pair))| pair.0 != target && pair.1 != source);
        let old = changes.get(source).map(|old| (old.path.clone(), old.before));
        if let (Some((previous, before)), Some(change)) = (old, changes.get_mut(target)) {
            *change = Change { previous: Some(previous), status: Status::Renamed, before, ..change.clone() };
            gone.push(source);
        }
    }
    let mut at = 0..;
    changes.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
}

fn count(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut lines = HashMap::new();
    for line in text.lines_with_terminator() {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

/// The bytes of the lines of `old` that are among `lines`.
fn in_both(lines: &HashMap<&[u8], usize>, old: &[u8]) -> usize {
    let of_old = count(old);
    of_old.iter().map(|(line, count)| line.len() * lines.get(line).map_or(0, |new| (*new).min(*count))).sum()
}
