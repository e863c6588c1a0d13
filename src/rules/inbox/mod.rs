//! The inbox, `decisions/inbox/`.

use std::collections::HashSet;

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Edit, Passage, Piece, Step};
use crate::document::Document;
use crate::facts::Run;
use crate::formats::markdown::{self, MarkKind};
use crate::text::Span;

crate::family! {
    multiple_entries unmerged_entry
}

/// How many names are tried for a new file.
const NAMES: usize = 100;

/// What gives each of the entries that begin with `headings`, except for the first, a file of its own beside this one. `None`
/// where something else may belong to all of them, or no name is free.
fn splitting(document: &Document, run: &Run<'_>, headings: &[Span]) -> Option<Vec<Step>> {
    let (first, rest) = headings.split_first()?;
    let marks = document.entries.outline.marks.iter();
    let leveled: Vec<(Span, u8)> = marks
        .filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((mark.line, level)),
            _ => None,
        })
        .collect();
    let heads: HashSet<u32> = headings.iter().map(|heading| heading.start).collect();
    let is_head = |line: Span| heads.contains(&line.start);
    let (_, level) = leveled.iter().find(|(line, _)| line.start == first.start)?;
    let side_by_side = leveled.iter().all(|(line, other)| match is_head(*line) {
        true => other == level,
        false => other > level || line.start < first.start,
    });
    if !side_by_side {
        return None;
    }
    let (text, end) = (document.text(), document.source.line_ending());
    let path = document.source.path();
    let stem = path.strip_suffix(b".md")?;
    let mut steps = Vec::new();
    let mut number = 1;
    let ends = rest.iter().skip(1).map(|next| next.start()).chain([text.len()]);
    for (start, stop) in rest.iter().map(|heading| heading.start()).zip(ends) {
        let entry = Passage { pieces: vec![Piece::Lines(Span::new(start, stop))], line_ending: end };
        // A file that holds it already was made by a run that was killed.
        let free = loop {
            number += 1;
            let path: BString = [stem, format!("-{number}.md").as_bytes()].concat().into();
            let there = run.read_or_new(path.as_bstr());
            if there.is_new() || markdown::holds(there.text(), &entry.of(text)) {
                break there.is_new().then_some(path);
            }
            if number > NAMES {
                return None;
            }
        };
        if let Some(path) = free {
            steps.push(Step::Create { path, text: entry });
        }
    }
    let kept = Span::new(0, rest.first()?.start()).of(text).trim_end().len();
    steps.push(Edit::replace(Span::new(kept, text.len()), end).into());
    Some(steps)
}
