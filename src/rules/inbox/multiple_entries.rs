//! # inbox/multiple-entries
//!
//! ## What it flags
//!
//! An inbox file that holds more than one entry. A document with one author and date that lists several decisions is
//! one entry.
//!
//! ## Why it matters
//!
//! Tools read and merge each file of the inbox as one entry, so the others lose their author and date, or are dropped.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-20: User directive — no tabs
//! **By:** Brady
//!
//! ### 2026-02-20: User directive — no spaces either
//! **By:** Brady
//! ```
//!
//! ## How to fix
//!
//! Put each entry into a separate file in the inbox. `squad-lint --fix --unsafe-fixes` does this if the file contains
//! nothing else between the entries.
//!
//! ## Source
//!
//! Squad folders, "Inbox":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#inbox>

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::dialects::squad;
use crate::facts::unused;
use crate::formats::entries::Block;
use crate::formats::legacy::{Signs, signs};
use crate::formats::markdown::{Mark, MarkKind};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule = Rule {
    name: "inbox/multiple-entries",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    if document.kind() != &squad::INBOX {
        return;
    }
    if unused::is_unused(context.run(), document.root()) {
        return;
    }
    let text = document.text();
    let has_sem = document.entries.sem(document.text()).next().is_some();
    let headings = if has_sem { blocks(document) } else { legacy(document) };
    let (Some(first), Some(second)) = (headings.first(), headings.get(1)) else { return };
    let finding = Finding::at(second.trim(text), format!("inbox file has {} entries, expected 1", headings.len()))
        .label("second one")
        .related(first.trim(text), "first one")
        .help("move each entry to its own file");
    sink.report(match super::splitting(document, context.run(), &headings) {
        Some(steps) => finding.fix(Applicability::Unsafe, steps),
        None => finding,
    });
}

/// The headings of the entries, where SEM tells where each begins.
fn blocks(document: &Document) -> Vec<Span> {
    let headings = document.entries.blocks().filter_map(|block| match block {
        Block::Sem(entry) => Some(entry.header.line),
        Block::Legacy(entry) => entry.identified.then_some(entry.heading),
        Block::Prose(_) => None,
    });
    headings.collect()
}

/// A heading above the one checked.
struct Ancestor {
    level: u8,
    line: Span,
    covers: bool,
}

/// A heading that opens an entry of its own.
struct Candidate {
    parent: Option<Span>,
    level: u8,
    mark: Mark,
}

/// The headings of the entries of a legacy file. One that has evidence of its own, and is below none that has,
/// begins an entry; only headings of the same parent are entries side by side.
fn legacy(document: &Document) -> Vec<Span> {
    let text = document.text();
    let marks = &document.entries.outline.marks;
    let mut stack: Vec<Ancestor> = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for (at, mark) in marks.iter().enumerate() {
        let MarkKind::Heading(level) = mark.kind else { continue };
        while stack.pop_if(|above| above.level >= level).is_some() {}
        let ends = |mark: &&Mark| matches!(mark.kind, MarkKind::Heading(_) | MarkKind::FenceOpen);
        let end = marks.iter().skip(at + 1).find(ends).map_or(text.len(), |mark| mark.line.start());
        let signs = signs(text, mark.line, Span::new(mark.next as usize, end));
        let evident = is_evident(signs, level, stack.is_empty());
        let covered = stack.iter().any(|above| above.covers);
        if evident && (!covered || signs.dated && signs.author) {
            let parent = stack.last().filter(|_| !covered).map(|above| above.line);
            candidates.push(Candidate { parent, level, mark: *mark });
        }
        let covers = evident || signs.author || signs.field_date || signs.title_date;
        stack.push(Ancestor { level, line: mark.line, covers });
    }
    candidates.sort_by_key(|candidate| candidate.parent);
    let groups = candidates.chunk_by(|a, b| a.parent == b.parent).map(|group| side_by_side(text, group));
    groups.max_by_key(Vec::len).unwrap_or_default()
}

fn is_evident(signs: Signs, level: u8, on_top: bool) -> bool {
    let identified = signs.field_date || signs.author || level == 1 && signs.named;
    signs.dated || signs.author && signs.says || on_top && identified && !signs.part
}

/// The entries among the candidates under one heading, where those of the highest level count, or under none. A title
/// that occurs twice is one.
fn side_by_side(text: &str, group: &[Candidate]) -> Vec<Span> {
    let highest = group.iter().map(|candidate| candidate.level).min();
    let mut last: Option<Mark> = None;
    let mut headings = Vec::new();
    for candidate in group {
        if candidate.parent.is_some() && Some(candidate.level) != highest {
            continue;
        }
        let mark = candidate.mark;
        let between = last.map(|last| Span::new(last.next as usize, mark.line.start()));
        let is_gap = |between| lines(text, between).all(|line| matches!(line.of(text).trim(), "" | "---"));
        if !between.is_some_and(is_gap) {
            headings.push(mark.line);
            last = Some(mark);
        }
    }
    headings
}
