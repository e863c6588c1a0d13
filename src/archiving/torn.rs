//! Sections that were inserted in the midst of another one, and end with its text.

use std::collections::HashSet;

use super::hold::Hold;
use super::section::Section;
use super::tree::Tree;
use crate::document::Document;
use crate::facts::{Run, blame};
use crate::text::{Span, lines};

/// The places of the sections whose last line was committed before their headings, while other lines were not: that is the end of the
/// section before it.
pub fn torn(document: &Document, run: &Run<'_>, tree: &Tree) -> Vec<usize> {
    let is_torn = |pair: &[Section]| match pair {
        [before, section] => ends_with_older(document, run, before, section).unwrap_or_default(),
        _ => false,
    };
    tree.sections.windows(2).zip(1..).filter(|(pair, _)| is_torn(pair)).map(|(_, place)| place).collect()
}

/// Whether `section` ends with the text of the one `before` it.
fn ends_with_older(document: &Document, run: &Run<'_>, before: &Section, section: &Section) -> Option<bool> {
    let text = document.text();
    let said = |section: &Section| -> Vec<Span> {
        let below = Span::new(section.heading.end(), section.own.end());
        lines(text, below).skip(1).filter(|line| is_said(line.of(text).trim())).collect()
    };
    let own = said(section);
    let (last, others) = own.split_last()?;
    let at = |line: &Span| blame::second_of(run, document, line.start());
    let (heading, end) = (at(&section.heading)?, at(last)?);
    // What is as old as all of the text has only another title now.
    if end >= heading || !others.iter().any(|line| at(line) >= Some(heading)) {
        return Some(false);
    }
    // Where the one before has a newer title, somebody wrote all titles anew.
    Some(at(&before.heading)? <= end && said(before).iter().any(|line| at(line).is_some_and(|at| at <= end)))
}

/// Whether a line is text, and no rule or comment, which are of the file, nor a remark at its end.
fn is_said(line: &str) -> bool {
    let is_remark = line.len() > 1 && line.starts_with(['*', '_']) && line.ends_with(['*', '_']);
    line.contains(char::is_alphanumeric) && !line.starts_with("<!--") && !is_remark
}

impl Tree {
    /// Holds the sections at the places `torn`, and what is before each, where one of both would go and the other stay. Returns whether
    /// there are any.
    pub fn hold_torn(&mut self, torn: &[usize], going: &[usize]) -> bool {
        let going: HashSet<usize> = going.iter().copied().collect();
        let goes = |place: usize| {
            let mut around = std::iter::successors(Some(place), |at| self.sections.get(*at)?.parent);
            around.any(|at| going.contains(&at))
        };
        let parted = torn.iter().filter_map(|place| Some((*place, place.checked_sub(1)?)));
        let parted: Vec<usize> =
            parted.filter(|(one, other)| goes(*one) != goes(*other)).flat_map(<[usize; 2]>::from).collect();
        for place in &parted {
            let mut next = Some(*place);
            while let Some(section) = next.and_then(|at| self.sections.get_mut(at)) {
                section.hold = section.hold.or(Some(Hold::Unclear));
                next = section.parent;
            }
        }
        self.hold_rest_of_day();
        !parted.is_empty()
    }
}
