//! A merge by lines, with git's markers around what both sides changed.

use super::fences::Fence;
use super::regions::{Region, regions, regions_of_git};
use super::versions::{Markers, Style, Versions};

/// As in git, conflicts with at most so many lines between them are one, if the base is not shown.
const NEAR: usize = 3;

/// In longer texts, conflicts are not looked at again.
const MOST_LINES: usize = 50_000;

/// Merges three texts by lines. Returns the text and the number of conflicts in it. `git merge` compares lines by their histogram, and
/// `git merge-file` in another way: where only the second one finds no conflict, there is none.
pub fn merge(texts: Versions<&[u8]>, markers: &Markers<'_>) -> (Vec<u8>, usize) {
    if let Some(same) = texts.trivial() {
        return (same.to_vec(), 0);
    }
    let lines = texts.map(|text| each_line(text));
    let lists = Versions { base: lines.base.as_slice(), ours: lines.ours.as_slice(), theirs: lines.theirs.as_slice() };
    let merged = merge_regions(&regions(&lists), &lists, markers);
    if merged.1 == 0 || lists.iter().map(|lines| lines.len()).sum::<usize>() > MOST_LINES {
        return merged;
    }
    Some(merge_regions(&regions_of_git(&lists), &lists, markers))
        .filter(|(_, conflicts)| *conflicts == 0)
        .unwrap_or(merged)
}

fn merge_regions(regions: &[Region], lists: &Versions<&[&[u8]]>, markers: &Markers<'_>) -> (Vec<u8>, usize) {
    let mut out = Output { bytes: Vec::new(), conflicts: 0, open: None, markers };
    for region in regions {
        let part = region.of(lists);
        match part.trivial() {
            Some(same) => out.same(same),
            None => out.conflict(&part),
        }
    }
    out.close();
    (out.bytes, out.conflicts)
}

/// A conflict between these texts, whatever a merge by lines would make of them. It has all lines behind a code fence of one side that
/// the other side lacks.
pub fn conflict(texts: Versions<&[u8]>, markers: &Markers<'_>) -> Vec<u8> {
    let lines = texts.map(|text| each_line(text));
    let lists = Versions { base: lines.base.as_slice(), ours: lines.ours.as_slice(), theirs: lines.theirs.as_slice() };
    let mut out = Vec::with_capacity(texts.ours.len() + texts.theirs.len());
    let whole = if is_one_in_code(&lists) { Whole::ToTheEnd } else { Whole::No };
    write_conflict(&mut out, &lists, whole, markers);
    out
}

/// Whether a conflict has the lines that both sides have at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    /// Only if the style says so.
    No,
    /// Whatever the style says.
    ToTheEnd,
}

/// Whether the lines that both sides have at the end are code in one of them alone.
fn is_one_in_code(lines: &Versions<&[&[u8]]>) -> bool {
    let same = lines.ours.iter().rev().zip(lines.theirs.iter().rev()).take_while(|(one, other)| one == other).count();
    let fence = |lines: &[&[u8]]| {
        let mut fence = Fence::default();
        lines.iter().take(lines.len() - same).for_each(|line| fence.pass(line));
        fence
    };
    fence(lines.ours) != fence(lines.theirs)
}

fn each_line(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The merged text so far.
struct Output<'a> {
    bytes: Vec<u8>,
    conflicts: usize,
    open: Option<Open<'a>>,
    markers: &'a Markers<'a>,
}

/// A conflict that the next one may join.
#[derive(Default)]
struct Open<'a> {
    lines: Versions<Vec<&'a [u8]>>,
    /// The lines after it.
    behind: Vec<&'a [u8]>,
}

impl<'a> Output<'a> {
    fn same(&mut self, lines: &[&'a [u8]]) {
        let near = if self.markers.style == Style::Merge { NEAR } else { 0 };
        match &mut self.open {
            Some(open) if open.behind.len() + lines.len() <= near => open.behind.extend(lines),
            _ => {
                self.close();
                self.bytes.extend(lines.iter().copied().flatten());
            }
        }
    }

    fn conflict(&mut self, part: &Versions<&[&'a [u8]]>) {
        let Open { lines, behind } = self.open.get_or_insert_default();
        let between = std::mem::take(behind);
        lines.base.extend(between.iter().chain(part.base));
        lines.ours.extend(between.iter().chain(part.ours));
        lines.theirs.extend(between.iter().chain(part.theirs));
    }

    fn close(&mut self) {
        if let Some(Open { lines, behind }) = self.open.take() {
            write_conflict(&mut self.bytes, &lines.map(Vec::as_slice), Whole::No, self.markers);
            for line in behind {
                self.bytes.extend_from_slice(line);
            }
            self.conflicts += 1;
        }
    }
}

/// Writes the lines of both sides, and of the base if the style shows it. Unless the style is `diff3`, the lines that both sides have
/// at the start and the end are not part of the conflict.
fn write_conflict(out: &mut Vec<u8>, lines: &Versions<&[&[u8]]>, whole: Whole, markers: &Markers<'_>) {
    let (mut ours, mut theirs) = (lines.ours, lines.theirs);
    let mut behind: &[&[u8]] = &[];
    if markers.style != Style::Diff3 {
        let start = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
        ours.iter().take(start).for_each(|line| out.extend_from_slice(line));
        (ours, theirs) = (ours.get(start..).unwrap_or_default(), theirs.get(start..).unwrap_or_default());
        let end = ours.iter().rev().zip(theirs.iter().rev()).take_while(|(one, other)| one == other).count();
        let end = if whole == Whole::ToTheEnd { 0 } else { end };
        (ours, behind) = ours.split_at(ours.len() - end);
        theirs = theirs.get(..theirs.len() - end).unwrap_or_default();
    }
    let has_cr = ours.iter().chain(theirs).any(|line| line.ends_with(b"\r\n"));
    let line_end: &[u8] = if has_cr { b"\r\n" } else { b"\n" };
    let marker = |out: &mut Vec<u8>, sign: u8, name: &str| {
        if out.last().is_some_and(|byte| *byte != b'\n') {
            out.extend_from_slice(line_end);
        }
        out.extend(std::iter::repeat_n(sign, markers.size));
        if !name.is_empty() {
            out.push(b' ');
            out.extend_from_slice(name.as_bytes());
        }
        out.extend_from_slice(line_end);
    };
    marker(out, b'<', markers.ours);
    out.extend(ours.iter().copied().flatten());
    if markers.style != Style::Merge {
        marker(out, b'|', markers.base);
        out.extend(lines.base.iter().copied().flatten());
    }
    marker(out, b'=', "");
    out.extend(theirs.iter().copied().flatten());
    marker(out, b'>', markers.theirs);
    out.extend(behind.iter().copied().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, usize) {
        let texts = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let (bytes, conflicts) = merge(texts, &Markers::default());
        (String::from_utf8(bytes).unwrap(), conflicts)
    }

    #[test]
    fn both_sides_are_kept() {
        assert_eq!(merged("a\nb\nc\n", "x\na\nb\nc\n", "a\nb\nc\ny\n"), ("x\na\nb\nc\ny\n".into(), 0));
        assert_eq!(merged("a\nb\nc\n", "a\nc\n", "a\nb\nC\n").1, 1);
        let (near, far) = ("1\n2\n3\n", "1\n2\n3\n4\n");
        let file = |one: &str, between: &str| format!("{one}\n{between}{one}\n");
        assert_eq!(merged(&file("a", near), &file("b", near), &file("c", near)).1, 1);
        assert_eq!(merged(&file("a", far), &file("b", far), &file("c", far)).1, 2);
        assert_eq!(merged("", "a\n", "a\n"), ("a\n".into(), 0));
    }

    #[test]
    fn a_conflict_has_only_what_differs() {
        let expected = "a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nc\n";
        assert_eq!(merged("", "a\nx\nc\n", "a\ny\nc\n"), (expected.into(), 1));
        let expected = "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n";
        assert_eq!(merged("a", "x", "y"), (expected.into(), 1));
    }
    #[test]
    fn the_base_is_shown_if_the_style_says_so() {
        let shown = |style| {
            let texts = Versions { base: &b"a\no\nc\n"[..], ours: b"a\np\nx\nc\n", theirs: b"a\np\ny\nc\n" };
            let (bytes, conflicts) = merge(texts, &Markers { size: 3, style, ..Markers::default() });
            assert_eq!(conflicts, 1);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(shown(Style::Diff3), "a\n<<< ours\np\nx\n||| base\no\n===\np\ny\n>>> theirs\nc\n");
        assert_eq!(shown(Style::Zdiff3), "a\np\n<<< ours\nx\n||| base\no\n===\ny\n>>> theirs\nc\n");
        assert_eq!(shown(Style::Merge), "a\np\n<<< ours\nx\n===\ny\n>>> theirs\nc\n");
    }
}
