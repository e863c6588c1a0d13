//! Which findings of one file its suppressions silence, and which suppressions silence none.

use std::collections::BTreeMap;

use super::{By, Suppressed, Suppression};
use crate::diagnostic::{Diagnostic, RuleId};
use crate::text::Span;

/// The suppressions of one file, and which of their names were of use so far.
#[derive(Debug)]
pub struct Filter<'a> {
    text: &'a str,
    list: &'a [Suppression],
    used: Vec<Vec<bool>>,
}

/// A name in a suppression: the index of the one in the other.
#[derive(Clone, Copy, Debug)]
struct Given {
    suppression: usize,
    name: usize,
}

/// The suppressions that give one name, as a walk through the file meets them.
#[derive(Debug)]
struct Lane<'a> {
    /// In the order of their targets' starts.
    ahead: std::iter::Peekable<std::vec::IntoIter<(&'a Suppression, Given)>>,
    /// Those met whose target may not have ended.
    open: Vec<(&'a Suppression, Given)>,
}

impl<'a> Filter<'a> {
    /// The suppressions `list` in `text`.
    pub fn new(text: &'a str, list: &'a [Suppression]) -> Self {
        let used = list.iter().map(|suppression| vec![false; suppression.names.len()]).collect();
        Self { text, list, used }
    }

    /// Splits `found`, all in this file, into reported and suppressed findings. Of several suppressions the nearest counts.
    pub fn split(&mut self, mut found: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Suppressed>) {
        found.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        let lane = |ahead: Vec<_>| Lane { ahead: ahead.into_iter().peekable(), open: Vec::new() };
        let mut lanes: BTreeMap<&str, Lane<'_>> =
            self.by_name(false).into_iter().map(|(name, ahead)| (name, lane(ahead))).collect();
        let files = self.by_name(true);
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for diagnostic in found {
            let keys = keys(diagnostic.rule);
            let near = diagnostic.span.and_then(|span| {
                let at = self.place(span);
                let open = keys.iter().filter_map(|&key| lanes.get_mut(key)?.open_at(at));
                open.max_by_key(|(suppression, _)| suppression.target.start)
            });
            let of_file = || keys.iter().rev().find_map(|&key| not_about(files.get(key)?, diagnostic.span));
            match near.or_else(of_file) {
                None => kept.push(diagnostic),
                Some((suppression, given)) => {
                    self.mark(given);
                    let reason = suppression.reason.of(self.text).to_owned();
                    gone.push(Suppressed { diagnostic, by: By::Comment { comment: suppression.comment, reason } });
                }
            }
        }
        (kept, gone)
    }

    /// The suppressions with unused names, and these names.
    pub fn unused(&self) -> impl Iterator<Item = (&'a Suppression, Vec<Span>)> {
        self.list.iter().zip(&self.used).filter_map(|(suppression, used)| {
            let unused = suppression.names.iter().zip(used).filter(|(_, used)| !**used);
            let names: Vec<Span> = unused.map(|(name, _)| *name).collect();
            (!names.is_empty()).then_some((suppression, names))
        })
    }

    /// The byte at which a finding counts: for one at the end of the text, the last byte.
    fn place(&self, span: Span) -> u32 {
        span.start.min(Span::at(self.text.len().saturating_sub(1)).start)
    }

    /// The suppressions for places, or those for the whole file, by the names they give.
    fn by_name(&self, whole_file: bool) -> BTreeMap<&'a str, Vec<(&'a Suppression, Given)>> {
        let mut by_name: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let sound = |one: &&Suppression| one.whole_file == whole_file && one.problem.is_none();
        for (index, suppression) in self.list.iter().enumerate().filter(|(_, one)| sound(one)) {
            for (name, span) in suppression.names.iter().enumerate() {
                let given = Given { suppression: index, name };
                by_name.entry(span.of(self.text)).or_default().push((suppression, given));
            }
        }
        by_name
    }

    fn mark(&mut self, given: Given) {
        if let Some(used) = self.used.get_mut(given.suppression).and_then(|names| names.get_mut(given.name)) {
            *used = true;
        }
    }
}

impl<'a> Lane<'a> {
    /// The nearest suppression that applies to the byte `at`, which does not lie before the one asked for last.
    fn open_at(&mut self, at: u32) -> Option<(&'a Suppression, Given)> {
        while let Some(met) = self.ahead.next_if(|(suppression, _)| suppression.target.start <= at) {
            self.open.push(met);
        }
        while self.open.pop_if(|(suppression, _)| suppression.target.end <= at).is_some() {}
        self.open.last().copied()
    }
}

/// The first suppression for the whole file that is not what the finding is about.
fn not_about<'a>(list: &[(&'a Suppression, Given)], span: Option<Span>) -> Option<(&'a Suppression, Given)> {
    let about = |own: Span| span.is_some_and(|span| own.start <= span.start && span.start < own.end);
    list.iter().find(|(suppression, _)| !about(suppression.comment)).copied()
}

/// The names by which a suppression can mean `rule`, the nearest last.
fn keys(rule: RuleId) -> [&'static str; 3] {
    ["all", rule.family(), rule.name]
}
