//! Files of a few lines, in which prose and entries change places, and of a few letters.

use proptest::prelude::*;

use super::*;

proptest! {
    /// Prose and entries change places in files so small that either may seem to have moved. What no side removed stays.
    #[test]
    fn what_moves_in_a_tiny_file_is_not_lost(
        count in 2usize..7,
        shapes in prop::collection::vec(0u8..4, 7),
        orders in [prop::collection::vec(0u32..9, 7), prop::collection::vec(0u32..9, 7), prop::collection::vec(0u32..9, 7)],
        gone in [prop::option::weighted(0.3, 0usize..7), prop::option::weighted(0.3, 0usize..7)],
    ) {
        let block = |at: usize| match shapes[at] {
            0 => format!("Prose number {at}.\n\n"),
            1 => format!("## Part number {at}\n\n"),
            2 => format!("### 2026-02-1{at}: Entry number {at}\n\nText of number {at}.\n\n"),
            _ => sem(10 + u32::try_from(at).unwrap(), &format!("Entry number {at}"), &format!("Text of number {at}.")),
        };
        let text = |side: usize| {
            let mut all: Vec<usize> = (0..count).filter(|at| gone.get(side).copied().flatten() != Some(*at)).collect();
            all.sort_by_key(|at| orders[side][*at]);
            all.into_iter().map(block).collect::<String>()
        };
        let (ours, theirs, base) = (text(0), text(1), text(2));
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge(versions, Some(&squad::DECISIONS), &Markers::default());
        let out = String::from_utf8(merged.bytes).unwrap();
        for line in base.lines().filter(|line| line.contains("number")) {
            let is_in = |text: &str| text.lines().any(|other| other == line);
            // Git's own merge of lines keeps what is in all three, but for what both sides moved.
            let kept = is_in(&ours) && is_in(&theirs);
            prop_assert!(!kept || is_in(&out) || merged.by_lines.is_some(), "lost: {line}\n{base}\n==== ours\n{ours}\n==== theirs\n{theirs}\n==== merged\n{out}");
        }
    }

    #[test]
    fn takes_any_text(base in "[-#*\\[\\]: a2026\n\r]{0,80}", ours in "[-#*\\[\\]: a2026\n\r]{0,80}", theirs in "[-#*\\[\\]: a2026\n\r]{0,80}") {
        let versions = Versions { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        for kind in [None, Some(&squad::DECISIONS), Some(&learnings::LEARNINGS)] {
            merge(versions, kind, &Markers::default());
        }
    }
}
