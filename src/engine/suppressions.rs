//! What the suppressions in the files leave of the findings, and what is wrong with the suppressions themselves.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

use super::RuleSet;
use crate::diagnostic::{Diagnostic, Severity};
use crate::formats::entries::Entries;
use crate::rule::{Check, Document, Rule, Sink};
use crate::suppress::{self, Filter, Suppressed, Suppression, Unused, covers};
use crate::text::Source;

/// A file with suppressions, and what was found in it.
struct File<'a> {
    path: &'a BStr,
    text: &'a str,
    list: Cow<'a, [Suppression]>,
    /// Whether findings about the suppressions are wanted.
    checked: bool,
    found: Vec<Diagnostic>,
}

/// What is reported of `found`, with findings about the suppressions in `documents`, and what is not. Rules looked at the documents
/// `beside` them, too; `further` are files that were read for what they tell about the repository.
pub(super) fn settle(
    found: Vec<Diagnostic>,
    documents: &[Arc<Document>],
    beside: &[Arc<Document>],
    further: &[Arc<Source>],
    rules: &RuleSet,
) -> (Vec<Diagnostic>, Vec<Suppressed>) {
    // To wake other threads for one or two files costs more than they take.
    let mut files: Vec<File<'_>> = match documents.len() {
        0..=2 => documents.iter().filter_map(File::new).collect(),
        _ => documents.par_iter().filter_map(File::new).collect(),
    };
    let unchecked = |file| File { checked: false, ..file };
    files.extend(beside.iter().filter_map(File::new).map(unchecked));
    let is_in = |all: &[Arc<Document>], path: &BStr| {
        all.binary_search_by(|document| document.source.path().cmp(path)).is_ok() //
    };
    let with_findings: HashSet<&BStr> = found.iter().map(|found| found.path.as_bstr()).collect();
    for source in further {
        let (path, text) = (source.path(), source.text());
        let is_markdown = path.ends_with(b".md") && with_findings.contains(path);
        if !is_markdown && !suppress::has_hash_comments(path) {
            continue;
        }
        // Rules may have read what is checked as well: its suppressions are known already.
        if is_in(documents, path) || is_in(beside, path) {
            continue;
        }
        let list = match is_markdown {
            true => suppress::in_markdown(text, &Entries::outline_of(text)),
            false => suppress::in_hash_comments(text),
        };
        if !list.is_empty() {
            files.push(File { path, text, list: list.into(), checked: false, found: Vec::new() });
        }
    }
    if files.is_empty() {
        return (found, Vec::new());
    }
    files.sort_by_key(|file| file.path);
    let (mut kept, mut gone) = (Vec::new(), Vec::new());
    for diagnostic in found {
        let at = files.binary_search_by_key(&diagnostic.path.as_bstr(), |file| file.path);
        match at.ok().and_then(|at| files.get_mut(at)) {
            Some(file) => file.found.push(diagnostic),
            None => kept.push(diagnostic),
        }
    }
    for file in files {
        let (reported, silent) = file.settle(rules);
        kept.extend(reported);
        gone.extend(silent);
    }
    (kept, gone)
}

impl<'a> File<'a> {
    /// The document with its suppressions; `None` where it has none.
    fn new(document: &'a Arc<Document>) -> Option<Self> {
        let (path, text, list) = (document.path(), document.text(), document.suppressions());
        (!list.is_empty()).then(|| Self { path, text, list: list.into(), checked: true, found: Vec::new() })
    }

    fn settle(self, rules: &RuleSet) -> (Vec<Diagnostic>, Vec<Suppressed>) {
        let mut filter = Filter::new(self.text, &self.list);
        let (mut kept, mut gone) = filter.split(self.found);
        if !self.checked {
            return (kept, gone);
        }
        let mut about = Vec::new();
        for (rule, severity) in &rules.rules {
            if let Check::Suppression(check) = rule.check {
                let mut sink = Sink::new(rule, *severity, self.path, &mut about);
                self.list.iter().for_each(|suppression| check(self.text, suppression, &mut sink));
            }
        }
        rules.adjust(&mut about);
        let (reported, silent) = filter.split(about);
        kept.extend(reported);
        gone.extend(silent);
        for (rule, severity) in &rules.rules {
            // A suppression of this very rule is judged when it has had its chance.
            let (reported, silent) =
                filter.split(unused(&filter, self.path, self.text, (rule, *severity), false, rules));
            kept.extend(reported);
            gone.extend(silent);
            kept.extend(unused(&filter, self.path, self.text, (rule, *severity), true, rules));
        }
        (kept, gone)
    }
}

/// What `rule` says about the suppressions that were of no use; of those that name the rule itself, or of the others.
fn unused(
    filter: &Filter<'_>,
    path: &BStr,
    text: &str,
    (rule, severity): (&'static Rule, Severity),
    itself: bool,
    rules: &RuleSet,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Check::Unused(check) = rule.check else { return found };
    let ran = |name: &str| rules.rules.iter().any(|(rule, _)| rule.name == name);
    for (suppression, mut names) in filter.unused() {
        names.retain(|name| covers(name.of(text), rule.name) == itself);
        let unused = Unused { text, suppression, names: &names, ran: &ran };
        if !names.is_empty() {
            check(unused, &mut Sink::new(rule, severity, path, &mut found));
        }
    }
    rules.adjust(&mut found);
    found
}
