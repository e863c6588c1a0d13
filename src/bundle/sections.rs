//! What differs between two texts, section by section. A text can have millions of sections and lines: of each, its place is kept.

use super::difference::{Change, Difference, whole};
use crate::formats::bundle::Sections;

/// If more sections differ, the text differs as a whole.
const MOST: usize = 1000;

/// Adds the differences between two texts of `file`.
pub(super) fn compare(
    agent: Option<&str>,
    file: &str,
    (one, other): (Option<&str>, Option<&str>),
    found: &mut Vec<Difference>,
) {
    let add = |change, section: Option<&str>, texts: (&str, &str)| {
        let (added, removed) = lines(texts);
        Difference { section: section.map(str::to_owned), added, removed, ..whole(change, agent, file) }
    };
    match (one, other) {
        (Some(one), Some(other)) if one != other => {
            let start = found.len();
            let is_few = for_each_difference(&Sections::of(one), &Sections::of(other), |change, heading, texts| {
                let is_few = found.len() - start < MOST;
                if is_few {
                    found.push(match heading {
                        Some(heading) => add(change, Some(heading), texts),
                        None => whole(change, agent, file),
                    });
                }
                is_few
            });
            if !is_few {
                found.truncate(start);
                found.push(add(Change::Changed, None, (one, other)));
            }
        }
        (Some(_), Some(_)) | (None, None) => {}
        (Some(one), None) => found.push(add(Change::Removed, None, (one, ""))),
        (None, Some(other)) => found.push(add(Change::Added, None, ("", other))),
    }
}

/// Calls `look` with each difference of two texts, its heading, and the texts below that: in the order of the second text, then those
/// that only the first one has, and without a heading if the order differs. Stops where `look` says so, and says whether it went on.
fn for_each_difference<'t>(
    one: &Sections<'t>,
    other: &Sections<'t>,
    mut look: impl FnMut(Change, Option<&'t str>, (&'t str, &'t str)) -> bool,
) -> bool {
    let twins = twins(one, other);
    let mut is_common = vec![false; one.count()];
    let (mut last, mut is_in_order) = (0, true);
    for (number, twin) in twins.iter().enumerate() {
        let heading = Some(other.heading(number));
        let text = other.section(number);
        let goes_on = match usize::try_from(*twin).ok().filter(|twin| *twin < one.count()) {
            None => look(Change::Added, heading, ("", text)),
            Some(twin) => {
                is_in_order &= last <= twin;
                last = twin;
                if let Some(is_common) = is_common.get_mut(twin) {
                    *is_common = true;
                }
                // The last section of a text has no blank lines behind it, wherever it was before.
                let is_moved = (twin + 1 == one.count()) != (number + 1 == other.count());
                let compared = |section: &'t str| if is_moved { without_blank(section) } else { section };
                let (earlier, text) = (compared(one.section(twin)), compared(text));
                earlier == text || look(Change::Changed, heading, (earlier, text))
            }
        };
        if !goes_on {
            return false;
        }
    }
    let gone = is_common.iter().enumerate().filter(|(_, is_common)| !**is_common);
    for (number, _) in gone {
        if !look(Change::Removed, Some(one.heading(number)), (one.section(number), "")) {
            return false;
        }
    }
    is_in_order || look(Change::Changed, None, ("", ""))
}

/// `section` without the blank lines at its end.
fn without_blank(section: &str) -> &str {
    section.trim_end_matches(['\n', '\r'])
}

/// Of each section of `other`, the number of the one in `one` with the same heading: of several, one with the same text, and of the
/// others the next in order. `u32::MAX` for none.
fn twins(one: &Sections<'_>, other: &Sections<'_>) -> Vec<u32> {
    let mut twins = vec![u32::MAX; other.count()];
    let mut is_taken = vec![false; one.count()];
    pair((one, other), &mut twins, &mut is_taken, |sections, number| {
        (sections.heading(number), without_blank(sections.section(number)))
    });
    pair((one, other), &mut twins, &mut is_taken, |sections, number| (sections.heading(number), ""));
    twins
}

/// Pairs the sections that have no twin so far, those with the same key in their order.
fn pair<'t>(
    (one, other): (&Sections<'t>, &Sections<'t>),
    twins: &mut [u32],
    is_taken: &mut [bool],
    key: impl Fn(&Sections<'t>, usize) -> (&'t str, &'t str),
) {
    let sorted = |sections: &Sections<'t>, is_open: &dyn Fn(usize) -> bool| {
        let mut numbers: Vec<u32> = (0..).take(sections.count()).filter(|number| is_open(*number as usize)).collect();
        numbers.sort_by_key(|number| key(sections, *number as usize));
        numbers
    };
    let ours = sorted(one, &|number| is_taken.get(number) == Some(&false));
    let theirs = sorted(other, &|number| twins.get(number) == Some(&u32::MAX));
    let mut ours = ours.into_iter().peekable();
    for number in theirs {
        let wanted = key(other, number as usize);
        while ours.next_if(|own| key(one, *own as usize) < wanted).is_some() {}
        let Some(own) = ours.next_if(|own| key(one, *own as usize) == wanted) else { continue };
        if let (Some(twin), Some(is_taken)) = (twins.get_mut(number as usize), is_taken.get_mut(own as usize)) {
            (*twin, *is_taken) = (own, true);
        }
    }
}

/// How many lines only the second text has, and how many only the first one has, wherever they are.
fn lines((one, other): (&str, &str)) -> (usize, usize) {
    let (ours, theirs) = (sorted_lines(one), sorted_lines(other));
    let (mut ours, mut theirs) = (ours.into_iter().peekable(), theirs.into_iter().peekable());
    let (mut added, mut removed) = (0, 0);
    loop {
        match (ours.peek().map(|at| line(one, *at)), theirs.peek().map(|at| line(other, *at))) {
            (None, None) => return (added, removed),
            (Some(own), Some(their)) if own == their => {
                ours.next();
                theirs.next();
            }
            (Some(own), Some(their)) if own < their => {
                ours.next();
                removed += 1;
            }
            (Some(_), None) => {
                ours.next();
                removed += 1;
            }
            (_, Some(_)) => {
                theirs.next();
                added += 1;
            }
        }
    }
}

/// Where the lines of `text` begin, sorted by what they say.
fn sorted_lines(text: &str) -> Vec<u32> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1).filter(|end| *end < text.len());
    let starts = (!text.is_empty()).then_some(0).into_iter().chain(ends);
    let mut starts: Vec<u32> = starts.filter_map(|start| u32::try_from(start).ok()).collect();
    starts.sort_unstable_by_key(|start| line(text, *start));
    starts
}

/// The line of `text` at `start`.
fn line(text: &str, start: u32) -> &str {
    text.get(start as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}
