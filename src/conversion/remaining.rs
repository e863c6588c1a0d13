//! What a conversion leaves to do: the findings that the converted files have and the old ones had not, and files whose
//! attribute `merge=union` no longer suits them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bstr::{BString, ByteSlice};

use super::Changed;
use crate::diagnostic::Severity;
use crate::engine::Progress;
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::project::Project;
use crate::select::input::Overlay;

/// What is left to do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Remaining {
    /// How many more warnings and errors each rule has, in the order of their names.
    pub findings: Vec<(&'static str, usize)>,
    /// The converted files that git merges by `merge=union`.
    pub union: Vec<BString>,
}

/// Checks the files that `files` changes as they were and as they become. What cannot be checked adds nothing: the
/// conversion has said so already.
pub fn find(project: &Project, files: &[Changed]) -> Remaining {
    let converted = || files.iter().filter_map(|file| Some((file, file.new.as_ref()?)));
    let union = converted().filter(|(file, _)| file.merges_by_union).map(|(file, _)| file.path.clone()).collect();
    let old: Overlay = converted().map(|(file, _)| (file.path.clone(), file.old.clone())).collect();
    let new: Overlay = converted().map(|(file, new)| (file.path.clone(), new.clone())).collect();
    let findings = more(project, &old, &new).unwrap_or_default();
    Remaining { findings, union }
}

/// How many more findings the rules have in `new` than in `old`.
fn more(project: &Project, old: &Overlay, new: &Overlay) -> Option<Vec<(&'static str, usize)>> {
    if new.is_empty() {
        return None;
    }
    let rules = project.rules(&[], &[]).ok()?;
    let path = |path: &BString| Some(project.repository.root.join(path.to_path().ok()?));
    let paths: Vec<PathBuf> = new.keys().filter_map(path).collect();
    let progress = Progress::default();
    let mut session = Session::new(project, Target::Paths(paths), rules, &progress).ok()?;
    let mut count = |overlay: &Overlay| {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for finding in session.check(overlay).diagnostics.iter().filter(|found| found.severity >= Severity::Warning) {
            *counts.entry(finding.rule.name).or_default() += 1;
        }
        counts
    };
    let (before, after) = (count(old), count(new));
    let more = after.into_iter().filter_map(|(rule, count)| {
        let known = before.get(rule).copied().unwrap_or(0);
        (count > known).then(|| (rule, count - known))
    });
    Some(more.collect())
}
