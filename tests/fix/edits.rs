//! Many fixes in one text: what `edits::apply` does is what its words say, for any fixes whatever.

use proptest::prelude::*;
use squad_lint::diagnostic::{Applicability, Edit, Fix};
use squad_lint::fix::edits;
use squad_lint::text::{Source, Span};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => "[a-z \n]{1,6}".prop_map(String::into_bytes),
        1 => Just("\u{1f680}é\u{feff}".as_bytes().to_vec()),
        1 => Just(b"\r\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn edit() -> impl Strategy<Value = Edit> {
    // Places beyond the end and inside characters as well; few different ones, so that edits meet.
    let content = prop::sample::select(vec!["", "", "X", "Y", "ZZ\n", "é"]);
    (0..48_usize, 0..6_usize, content)
        .prop_map(|(start, len, content)| Edit::replace(Span::new(start, start + len), content))
}

fn fix() -> impl Strategy<Value = Fix> {
    let applicability = prop::sample::select(vec![
        Applicability::Safe,
        Applicability::Safe,
        Applicability::Unsafe,
        Applicability::Manual,
    ]);
    (applicability, prop::collection::vec(edit(), 0..4), any::<bool>()).prop_map(
        |(applicability, mut edits, sorted)| {
            if sorted {
                edits.sort_by_key(|edit| edit.span);
            }
            Fix::of_edits(applicability, edits)
        },
    )
}

/// Whether two edits leave no doubt about what comes first: they do not overlap, and none inserts where the other begins
/// or ends.
fn apart(a: &Edit, b: &Edit) -> bool {
    let (first, second) = if a.span <= b.span { (a, b) } else { (b, a) };
    let touch = first.span.end == second.span.start && (first.span.is_empty() || second.span.is_empty());
    first.span.end <= second.span.start && !touch
}

/// The fixes that go in, told without any cleverness: in the order of their first edits, each if all its edits are apart
/// from all that are in, or are in already.
fn taken<'a>(text: &str, fixes: &'a [Fix], limit: Applicability) -> (Vec<&'a Edit>, usize) {
    let sound = |fix: &&Fix| {
        let edits: Vec<&Edit> = fix.edits().collect();
        let in_order = edits.windows(2).all(|two| two[0].span <= two[1].span && apart(two[0], two[1]));
        let inside = edits.iter().all(|edit| {
            let (start, end) = (edit.span.start(), edit.span.end());
            end <= text.len() && text.is_char_boundary(start) && text.is_char_boundary(end)
        });
        fix.applicability <= limit && !edits.is_empty() && in_order && inside
    };
    let mut fixes: Vec<&Fix> = fixes.iter().filter(sound).collect();
    fixes.sort_by_key(|fix| fix.edits().next().unwrap().span);
    let (mut taken, mut count): (Vec<&Edit>, usize) = (Vec::new(), 0);
    for fix in fixes {
        if fix.edits().all(|edit| taken.contains(&edit) || taken.iter().all(|other| apart(edit, other))) {
            count += 1;
            let new: Vec<&Edit> = fix.edits().filter(|edit| !taken.contains(edit)).collect();
            taken.extend(new);
        }
    }
    taken.sort_by_key(|edit| edit.span);
    (taken, count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_edit_that_goes_in_is_there_and_all_else_is_as_it_was(
        bytes in bytes(),
        fixes in prop::collection::vec(fix(), 0..10),
        with_unsafe in any::<bool>(),
    ) {
        let limit = if with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
        let source = Source::new("a.md", bytes.clone());
        let applied = edits::apply(&source, &fixes, limit);
        let (taken, count) = taken(source.text(), &fixes, limit);
        prop_assert_eq!(applied.fixes.len(), count);
        // From the front: a stretch of the old bytes, an edit's content, and so on, and nothing behind.
        let (mut rest, mut at) = (applied.bytes.as_slice(), 0);
        for edit in taken {
            for part in [&bytes[at..edit.span.start()], edit.content.as_bytes()] {
                prop_assert!(rest.starts_with(part), "{:?} is not at the front of {:?}", part, rest);
                rest = &rest[part.len()..];
            }
            at = edit.span.end();
        }
        prop_assert_eq!(rest, &bytes[at..]);
    }
}
