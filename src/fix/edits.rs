//! Many fixes, one text: in order, without overlap, all edits of a fix or none.

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;

use bstr::BString;

use crate::diagnostic::{Applicability, Edit, Fix, Step};
use crate::formats::markdown;
use crate::text::Source;

/// What one pass over a text made of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Applied {
    /// The new bytes: those that are not UTF-8 stay as they are.
    pub bytes: Vec<u8>,
    /// Which of the fixes are in it, by their places among those given. The others touch the same bytes; a next pass may
    /// find them again.
    pub fixes: Vec<usize>,
}

/// Applies those of `fixes` that are at least as trustworthy as `limit`, in the order of their first edits.
///
/// A fix with an edit that overlaps one that is already in, or is at the same position, waits for the next pass,
/// unless both are the same edit to the byte: two findings can ask for one repair. A fix whose edits are out of order,
/// outside the text or inside a character is left out; so is one that changes other files, too: see [`whole`].
pub fn apply<'a>(source: &Source, fixes: impl IntoIterator<Item = &'a Fix>, limit: Applicability) -> Applied {
    let in_file = |fix: &'a Fix| {
        // Edits that are in already are not added again.
        let makes_it = fix.written().next().is_some();
        fix.as_edits(source.path()).filter(|edits| (source.is_new() || !makes_it) && is_sound(source.text(), edits))
    };
    let fixes = fixes.into_iter().enumerate().filter(|(_, fix)| fix.applicability <= limit);
    let mut fixes: Vec<(usize, Vec<Cow<'a, Edit>>)> =
        fixes.filter_map(|(number, fix)| Some((number, in_file(fix)?))).collect();
    fixes.sort_by_key(|(_, edits)| edits.first().map(|edit| edit.span));
    // In file order; two never touch.
    let mut taken: BTreeMap<(u32, u32), &Edit> = BTreeMap::new();
    let mut applied = Vec::new();
    for (number, edits) in &fixes {
        if edits.iter().all(|edit| fits(&taken, edit)) {
            applied.push(*number);
            taken.extend(edits.iter().map(|edit| (key(edit), &**edit)));
        }
    }
    applied.sort_unstable();
    Applied { bytes: edited(source, taken.into_values()), fixes: applied }
}

/// What `fix` makes of all the files that it changes: first those among `targets` that take text in, then `source`, where it
/// changes. `None` where a part of it cannot be applied, or would change nothing: no text arrives that does not leave, but in
/// new files.
pub fn whole(source: &Source, fix: &Fix, targets: &[&Source]) -> Option<Vec<(BString, Vec<u8>)>> {
    let mut files: Vec<(BString, Vec<u8>)> =
        targets.iter().map(|target| (target.path().to_owned(), target.bytes().to_vec())).collect();
    let mut edits: Vec<&Edit> = Vec::new();
    for step in &fix.steps {
        let (path, text) = match step {
            Step::Edit(edit) => {
                edits.push(edit);
                continue;
            }
            Step::Untrack(_) => return None,
            Step::Append { path, text } | Step::Create { path, text } => (path, text),
        };
        let at = targets.iter().position(|target| target.path() == path).filter(|_| path != source.path())?;
        let (target, (_, bytes)) = targets.get(at).zip(files.get_mut(at))?;
        if matches!(step, Step::Create { .. }) && !target.is_new() {
            return None;
        }
        let content = text.of(source.text());
        // What a run wrote there that was killed before it took the text out of this file is not written again.
        if !markdown::holds(target.text(), &content) {
            bytes.extend_from_slice(content.as_bytes());
        }
    }
    if edits.is_empty() {
        return targets.iter().all(|target| target.is_new()).then_some(files);
    }
    let bytes = is_sound(source.text(), &edits).then(|| edited(source, edits))?;
    files.push((source.path().to_owned(), (bytes != source.bytes()).then_some(bytes)?));
    Some(files)
}

/// The bytes of `source` after `edits`, which are in order and do not overlap.
fn edited<'a>(source: &Source, edits: impl IntoIterator<Item = &'a Edit>) -> Vec<u8> {
    let bytes = source.bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(bytes.get(at..edit.span.start()).unwrap_or_default());
        out.extend_from_slice(edit.content.as_bytes());
        at = edit.span.end();
    }
    out.extend_from_slice(bytes.get(at..).unwrap_or_default());
    out
}

/// The order of edits in a file.
fn key(edit: &Edit) -> (u32, u32) {
    (edit.span.start, edit.span.end)
}

/// Whether `edit` is one of those that are taken, or apart from all of them.
fn fits(taken: &BTreeMap<(u32, u32), &Edit>, edit: &Edit) -> bool {
    let after = taken.range(key(edit)..).next();
    if after.is_some_and(|(_, other)| *other == edit) {
        return true;
    }
    let before = taken.range(..key(edit)).next_back();
    before.is_none_or(|(_, before)| apart(before, edit)) && after.is_none_or(|(_, after)| apart(edit, after))
}

/// Whether `first` ends before `second` begins; edits that only touch are ambiguous where one of them inserts.
fn apart(first: &Edit, second: &Edit) -> bool {
    let inserts = first.span.is_empty() || second.span.is_empty();
    first.span.end < second.span.start || first.span.end == second.span.start && !inserts
}

fn is_sound<E: Borrow<Edit>>(text: &str, edits: &[E]) -> bool {
    let inside = edits.iter().map(Borrow::borrow).all(|edit| text.get(edit.span.start()..edit.span.end()).is_some());
    let mut pairs = edits.iter().zip(edits.iter().skip(1));
    let ordered = pairs.all(|(first, second)| apart(first.borrow(), second.borrow()));
    inside && ordered && !edits.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Passage, Piece};
    use crate::text::Span;

    fn fix(applicability: Applicability, edits: &[(usize, usize, &str)]) -> Fix {
        let edits = edits.iter().map(|&(start, end, content)| Edit::replace(Span::new(start, end), content));
        Fix::of_edits(applicability, edits)
    }

    fn safe(edits: &[(usize, usize, &str)]) -> Fix {
        fix(Applicability::Safe, edits)
    }

    fn applied(text: &str, fixes: &[Fix]) -> (String, usize) {
        let applied = apply(&Source::new("a.md", text.into()), fixes, Applicability::Safe);
        (String::from_utf8(applied.bytes).unwrap(), applied.fixes.len())
    }

    #[test]
    fn edits_apply_in_file_order() {
        let fixes = [safe(&[(4, 5, "E")]), safe(&[(0, 1, "A"), (6, 6, "!")]), safe(&[(2, 3, "")])];
        assert_eq!(applied("abcdef", &fixes), ("AbdEf!".into(), 3));
    }

    #[test]
    fn what_overlaps_waits_whole() {
        let fixes = [safe(&[(1, 3, "x")]), safe(&[(2, 4, "y"), (5, 6, "z")])];
        assert_eq!(applied("abcdef", &fixes), ("axdef".into(), 1));
        let fixes = [safe(&[(1, 1, "x")]), safe(&[(1, 1, "y")]), safe(&[(1, 2, "B")])];
        assert_eq!(applied("abc", &fixes), ("axbc".into(), 1));
        let fixes = [safe(&[(0, 1, "A")]), safe(&[(1, 2, "B")])];
        assert_eq!(applied("abc", &fixes), ("ABc".into(), 2));
    }

    #[test]
    fn the_same_edit_twice_is_one() {
        let fixes = [safe(&[(1, 1, "x")]), safe(&[(1, 1, "x"), (3, 3, "!")])];
        assert_eq!(applied("abc", &fixes), ("axbc!".into(), 2));
    }

    #[test]
    fn the_limit_holds() {
        let fixes = [fix(Applicability::Unsafe, &[(0, 1, "A")]), fix(Applicability::Manual, &[(1, 2, "B")])];
        assert_eq!(applied("abc", &fixes), ("abc".into(), 0));
        assert_eq!(apply(&Source::new("a.md", b"abc\xff".to_vec()), &fixes, Applicability::Unsafe).bytes, b"Abc\xff");
    }

    #[test]
    fn text_arrives_only_where_it_leaves() {
        let pieces = vec![Piece::Text("x".into()), Piece::Lines(Span::new(1, 2))];
        let text = Passage { pieces, line_ending: "\r\n" };
        let moving = |edits: &[(usize, usize, &str)]| {
            let mut fix = safe(edits);
            fix.steps.push(Step::Append { path: "b.md".into(), text: text.clone() });
            fix
        };
        let (source, target) = (Source::new("a.md", b"abc".to_vec()), Source::new("b.md", b"old".to_vec()));
        let files = whole(&source, &moving(&[(1, 2, "")]), &[&target]).unwrap();
        assert_eq!(files, [("b.md".into(), b"oldxb\r\n".to_vec()), ("a.md".into(), b"ac".to_vec())]);
        let overlapping = moving(&[(0, 2, ""), (1, 3, "")]);
        let nothing = moving(&[(1, 2, "b")]);
        let outside = moving(&[(2, 9, "")]);
        for fix in [&overlapping, &nothing, &outside] {
            assert_eq!(whole(&source, fix, &[&target]), None, "{fix:?}");
            assert_eq!(apply(&source, [fix], Applicability::Manual).bytes, b"abc");
        }
        assert_eq!(whole(&source, &moving(&[(1, 2, "")]), &[]), None);
        assert_eq!(whole(&target, &moving(&[(1, 2, "")]), &[&target]), None);
        assert_eq!(apply(&source, [&moving(&[(1, 2, "")])], Applicability::Manual).bytes, b"abc");
        assert_eq!(whole(&source, &moving(&[]), &[&target]), None);
        let new = whole(&source, &moving(&[]), &[&Source::new_file("b.md")]).unwrap();
        assert_eq!(new, [("b.md".into(), b"xb\r\n".to_vec())]);
    }

    #[test]
    fn a_file_is_made_once_and_only_where_there_is_none() {
        let create = |path: &str, text: &str| {
            let text = Passage::new(text, "\n");
            Fix { applicability: Applicability::Safe, steps: vec![Step::Create { path: path.into(), text }] }
        };
        // Two findings that ask for one file, and a third that wants it otherwise.
        let fixes = [create("a.md", "x\n"), create("a.md", "x\n"), create("a.md", "y\n")];
        let made = apply(&Source::new_file("a.md"), &fixes, Applicability::Safe);
        assert_eq!((made.bytes, made.fixes), (b"x\n".to_vec(), vec![0, 1]));
        assert_eq!(applied("", &fixes), (String::new(), 0));
        let (source, there) = (Source::new("a.md", b"abc".to_vec()), Source::new("b.md", Vec::new()));
        assert_eq!(whole(&source, &create("b.md", "x\n"), &[&there]), None);
        let new = whole(&source, &create("b.md", "x\n"), &[&Source::new_file("b.md")]).unwrap();
        assert_eq!(new, [("b.md".into(), b"x\n".to_vec())]);
    }

    #[test]
    fn unsound_edits_are_left_out() {
        let fixes = [safe(&[(1, 2, "x")]), safe(&[(2, 9, "x")]), safe(&[(3, 3, "x"), (0, 0, "y")]), safe(&[])];
        assert_eq!(applied("\u{e9}abc", &fixes), ("\u{e9}abc".into(), 0));
    }
}
