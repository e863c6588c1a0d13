//! Files between which text moves: they are written together or not at all.

use std::collections::BTreeMap;

use bstr::BString;

use super::passes::FixedFile;

/// `files` in groups between which no text moves; in each group, those first that take text in.
pub fn of(files: Vec<FixedFile>) -> Vec<Vec<FixedFile>> {
    let places: BTreeMap<&BString, usize> = files.iter().zip(0..).map(|(file, place)| (&file.path, place)).collect();
    let targets = |file: &FixedFile| file.after.iter().filter_map(|path| places.get(path).copied()).collect();
    let targets: Vec<Vec<usize>> = files.iter().map(targets).collect();
    // Each file points to another one of its group, the first one to itself.
    let mut near: Vec<usize> = (0..files.len()).collect();
    let mut order = Vec::with_capacity(files.len());
    let mut seen = vec![false; files.len()];
    for (place, of_file) in targets.iter().enumerate() {
        visit(place, &targets, &mut seen, &mut order);
        for target in of_file {
            let (one, other) = (first(&near, place), first(&near, *target));
            if let Some(near) = near.get_mut(one.max(other)) {
                *near = one.min(other);
            }
        }
    }
    let mut files: Vec<Option<FixedFile>> = files.into_iter().map(Some).collect();
    let mut groups: BTreeMap<usize, Vec<FixedFile>> = BTreeMap::new();
    for place in order {
        groups.entry(first(&near, place)).or_default().extend(files.get_mut(place).and_then(Option::take));
    }
    groups.into_values().collect()
}

/// Puts the targets of `place` into `order`, with all of theirs, and then `place`.
fn visit(place: usize, targets: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    if seen.get_mut(place).is_none_or(|seen| std::mem::replace(seen, true)) {
        return;
    }
    for target in targets.get(place).into_iter().flatten() {
        visit(*target, targets, seen, order);
    }
    order.push(place);
}

/// The first file of the group of `place`.
fn first(near: &[usize], mut place: usize) -> usize {
    while let Some(next) = near.get(place).filter(|next| **next != place) {
        place = *next;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_text_in_comes_first() {
        let file = |path: &str, after: &[&str]| FixedFile {
            path: path.into(),
            old: None,
            new: Vec::new(),
            count: 0,
            after: after.iter().map(|path| BString::from(*path)).collect(),
        };
        let files = vec![
            file("a", &["c"]),
            file("b", &[]),
            file("c", &["e"]),
            file("d", &["e", "elsewhere"]),
            file("e", &[]),
            file("f", &["f"]),
        ];
        let groups = of(files).into_iter().map(|group| group.into_iter().map(|file| file.path).collect());
        let groups: Vec<Vec<BString>> = groups.collect();
        assert_eq!(groups, [vec!["e", "c", "a", "d"], vec!["b"], vec!["f"]]);
    }
}
