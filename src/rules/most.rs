//! Many findings of one rule in one file: the first are described, the others counted. They usually come from one habit.

use crate::diagnostic::{Finding, Severity};
use crate::text::Span;
use crate::text::prose::plural;

/// So many findings of a file are described.
pub const MOST: usize = crate::formats::json_shape::MOST;

/// Hands the first findings of a file on, and counts the others.
pub struct Most<'r> {
    report: &'r mut dyn FnMut(Finding),
    described: usize,
    /// The first one that is not described, as mild as the worst of them.
    first: Option<Finding>,
    others: usize,
}

impl<'r> Most<'r> {
    /// None so far; `report` takes those that are described.
    pub fn new(report: &'r mut dyn FnMut(Finding)) -> Self {
        Self { report, described: 0, first: None, others: 0 }
    }

    /// Whether the next finding is described.
    pub fn describes_next(&self) -> bool {
        self.described < MOST && self.first.is_none()
    }

    /// Takes a finding.
    pub fn report(&mut self, finding: Finding) {
        if self.describes_next() {
            self.described += 1;
            (self.report)(finding);
        } else {
            self.count(finding, 1);
        }
    }

    /// Counts `count` problems without a finding of their own, the first of them at `span`.
    pub fn further(&mut self, span: Span, count: usize, is_mild: bool) {
        let finding = Finding::at(span, "");
        self.count(if is_mild { finding.at_most(Severity::Warning) } else { finding }, count);
    }

    fn count(&mut self, finding: Finding, count: usize) {
        self.others += count;
        match &mut self.first {
            None => self.first = Some(finding),
            Some(first) => first.at_most = first.at_most.zip(finding.at_most).map(|(one, other)| one.max(other)),
        }
    }

    /// Reports how many were not described.
    pub fn finish(self) {
        let Some(Finding { path, at_most, span, .. }) = self.first else { return };
        let message = format!("{} in this file", plural(self.others, "further problem"));
        let finding = Finding { path, at_most, span, message, ..Finding::default() };
        (self.report)(finding.label("the first of them").help("correct those above this one first"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(mild: impl Fn(usize) -> bool, count: usize) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut report = |finding| found.push(finding);
        let mut most = Most::new(&mut report);
        for at in 0..count {
            let finding = Finding::at(Span::at(at), format!("{at}"));
            most.report(if mild(at) { finding.at_most(Severity::Warning) } else { finding });
        }
        most.finish();
        found
    }

    #[test]
    fn those_behind_the_first_are_counted() {
        assert_eq!(reported(|_| false, MOST).len(), MOST);
        let found = reported(|_| true, MOST + 3);
        assert_eq!(found.len(), MOST + 1);
        let last = &found[MOST];
        assert_eq!((last.message.as_str(), last.span), ("3 further problems in this file", Some(Span::at(MOST))));
        assert_eq!(last.at_most, Some(Severity::Warning));
        // One grave problem among them is enough.
        assert_eq!(reported(|at| at != MOST + 2, MOST + 3)[MOST].at_most, None);
    }
}
