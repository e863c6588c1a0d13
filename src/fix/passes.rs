//! Fixing until nothing is left to fix: one repair can uncover the next.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::edits;
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::engine::Outcome;
use crate::select::input::{Overlay, is_gone};
use crate::text::Source;

/// After so many passes a file that still changes is examined: do its fixes undo each other?
const PASSES: usize = 10;

/// After so many passes a file that still changes is given up, whatever it became.
const MAX_PASSES: usize = 50;

/// A file that the fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// The path, relative to the root.
    pub path: BString,
    /// The bytes as they were read; `None` for a file that is not there yet.
    pub old: Option<Vec<u8>>,
    /// The bytes to write.
    pub new: Vec<u8>,
    /// How many fixes are in it.
    pub count: usize,
    /// The files that take in what leaves this one: where one of them cannot be written, this one must not be.
    pub after: BTreeSet<BString>,
}

impl FixedFile {
    /// Whether it is deleted.
    pub fn goes(&self) -> bool {
        self.old.is_some() && is_gone(&self.path, &self.new)
    }
}

/// Fixes that were left out of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// The file.
    pub path: BString,
    /// The rules whose fixes they are, in the order of their names.
    pub rules: Vec<&'static str>,
    /// Why.
    pub why: Why,
}

/// Why fixes were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// They undo each other, or each brings the next one.
    Endless,
    /// They cannot be applied as a whole.
    Unfit,
}

/// What fixing comes to; nothing is written by then.
#[derive(Debug)]
pub struct Fixed {
    /// The files to write, in the order of their paths.
    pub files: Vec<FixedFile>,
    /// What was left out, in the order of the paths.
    pub unsettled: Vec<Unsettled>,
    /// What is left to find after the fixes.
    pub outcome: Outcome,
}

/// Applies the fixes in `found` that may be trusted as far as `limit`, checks again, and so on until none is left.
///
/// The files in `left_out` stay as they are; text moves from file to file where `across` is set. `check` is handed the others
/// as they are by then, and looks at them instead of those on disk. Fixes that undo each other are left out, and no others.
pub fn run(
    found: Outcome,
    limit: Applicability,
    left_out: &BTreeSet<BString>,
    across: bool,
    mut check: impl FnMut(&Overlay) -> Outcome,
) -> Fixed {
    let mut outcome = found;
    let mut work = Work {
        limit,
        across,
        left_out,
        files: BTreeMap::new(),
        steps: BTreeMap::new(),
        endless: BTreeMap::new(),
        count: 0,
    };
    loop {
        let changed = work.pass(&outcome);
        if changed.is_empty() {
            break;
        }
        work.count += 1;
        if work.count.is_multiple_of(PASSES) {
            work.give_up(&changed);
        }
        let overlay = work.files.values().map(|file| (file.path.clone(), file.new.clone())).collect();
        outcome = check(&overlay);
    }
    let unsettled = work.unsettled(&outcome);
    let changed = |file: &FixedFile| file.old.as_ref() != Some(&file.new);
    Fixed { files: work.files.into_values().filter(changed).collect(), unsettled, outcome }
}

/// One change of a file by one pass.
struct Step {
    /// The bytes before it.
    before: Vec<u8>,
    /// The rules whose fixes it made.
    rules: BTreeSet<&'static str>,
    /// How many fixes it made.
    count: usize,
}

/// What is known between two passes.
struct Work<'a> {
    limit: Applicability,
    across: bool,
    left_out: &'a BTreeSet<BString>,
    files: BTreeMap<BString, FixedFile>,
    /// What was done to each file, by the file in which the findings were.
    steps: BTreeMap<BString, Vec<Step>>,
    /// The rules whose fixes are left out, by file.
    endless: BTreeMap<BString, BTreeSet<&'static str>>,
    /// How many passes there were since files were last given up.
    count: usize,
}

impl Work<'_> {
    /// Applies the fixes in `outcome`; those that move text only where there are no others. Says in which files something was
    /// found and fixed.
    fn pass(&mut self, outcome: &Outcome) -> Vec<BString> {
        let mut changed = self.edits(outcome);
        if changed.is_empty() && self.across {
            changed = self.moves(outcome);
        }
        changed
    }

    /// The fix of a finding, if it is to be made.
    fn fix<'d>(&self, diagnostic: &'d Diagnostic) -> Option<&'d Fix> {
        let is_endless =
            || self.endless.get(&diagnostic.path).is_some_and(|rules| rules.contains(diagnostic.rule.name));
        let fix = diagnostic.fix.as_ref().filter(|fix| fix.applicability <= self.limit)?;
        (!self.left_out.contains(&diagnostic.path) && !is_endless()).then_some(fix)
    }

    fn edits(&mut self, outcome: &Outcome) -> Vec<BString> {
        let mut changed = Vec::new();
        for of_file in outcome.diagnostics.chunk_by(|a, b| a.path == b.path) {
            let fixes: Vec<(&'static str, &Fix)> =
                of_file.iter().filter_map(|diagnostic| Some((diagnostic.rule.name, self.fix(diagnostic)?))).collect();
            let Some(path) = of_file.first().map(|diagnostic| &diagnostic.path).filter(|_| !fixes.is_empty()) else {
                continue;
            };
            let Some(source) = outcome.source(path.as_bytes()) else { continue };
            let applied = edits::apply(source, fixes.iter().map(|(_, fix)| *fix), self.limit);
            if applied.bytes == source.bytes() {
                continue;
            }
            let rules = applied.fixes.iter().filter_map(|number| fixes.get(*number)).map(|(rule, _)| *rule).collect();
            let step = Step { before: source.bytes().to_vec(), rules, count: applied.fixes.len() };
            let file = self.file(source);
            file.new = applied.bytes;
            file.count += step.count;
            self.steps.entry(path.clone()).or_default().push(step);
            changed.push(path.clone());
        }
        changed
    }

    /// Applies the fixes that move text to other files, at most one for each file.
    fn moves(&mut self, outcome: &Outcome) -> Vec<BString> {
        let mut changed: Vec<BString> = Vec::new();
        let mut touched: BTreeSet<BString> = BTreeSet::new();
        for diagnostic in &outcome.diagnostics {
            let Some(fix) = self.fix(diagnostic).filter(|fix| fix.reaches_beyond(diagnostic.path.as_bstr())) else {
                continue;
            };
            let path = &diagnostic.path;
            let targets: BTreeSet<BString> = fix.written().map(|(path, _)| path.clone()).collect();
            let is_free = |path: &BString| !self.left_out.contains(path) && !touched.contains(path);
            let is_free = |path: &BString| is_free(path) && path.to_path().is_ok();
            // A finding about a folder has no text.
            let folder = Source::new_file(path.as_bstr());
            let source = outcome.source(path).unwrap_or(&folder);
            if !targets.iter().chain([path]).all(is_free) {
                continue;
            }
            let into: Vec<&Source> = targets.iter().filter_map(|path| outcome.source(path)).collect();
            let Some(new) = edits::whole(source, fix, &into) else { continue };
            // A fix that only makes other files counts there.
            let counted = if fix.edits().next().is_none() { targets.first().unwrap_or(path) } else { path };
            for (path, bytes) in new {
                let Some(source) = outcome.source(&path) else { continue };
                let file = self.file(source);
                file.count += usize::from(path == *counted);
                file.new = bytes;
                if path == diagnostic.path {
                    file.after.extend(targets.iter().cloned());
                }
                touched.insert(path);
            }
            touched.insert(path.clone());
            let (before, rules) = (source.bytes().to_vec(), BTreeSet::from([diagnostic.rule.name]));
            let step = Step { before, rules, count: 1 };
            self.steps.entry(path.clone()).or_default().push(step);
            changed.push(path.clone());
        }
        changed
    }

    fn file(&mut self, source: &Source) -> &mut FixedFile {
        self.files.entry(source.path().to_owned()).or_insert_with(|| FixedFile {
            path: source.path().to_owned(),
            old: (!source.is_new()).then(|| source.bytes().to_vec()),
            new: source.bytes().to_vec(),
            count: 0,
            after: BTreeSet::new(),
        })
    }

    /// Leaves out, from here on, the fixes that would change one of `paths` for ever. What they did is taken back.
    fn give_up(&mut self, paths: &[BString]) {
        let is_last = self.count >= MAX_PASSES;
        for path in paths {
            let Some(steps) = self.steps.get_mut(path) else { continue };
            let moved = self
                .files
                .values()
                .any(|file| !file.after.is_empty() && (file.path == *path || file.after.contains(path)));
            let circle = match self.files.get(path) {
                Some(file) if !moved => circle(steps, &file.new),
                _ => None,
            };
            if let Some((first, next)) = circle {
                let rules = steps.iter().take(next).skip(first).flat_map(|step| step.rules.iter().copied());
                self.endless.entry(path.clone()).or_default().extend(rules);
                let undone = steps.split_off(first);
                if let Some(file) = self.files.get_mut(path) {
                    file.count -= undone.iter().map(|step| step.count).sum::<usize>().min(file.count);
                    file.new = undone.into_iter().next().map(|step| step.before).unwrap_or_default();
                }
            } else if is_last {
                let rules = steps.last().map(|step| step.rules.clone()).unwrap_or_default();
                self.endless.entry(path.clone()).or_default().extend(rules);
                // Text that was moved goes back to where it was.
                for path in moved_with(path.clone(), &self.files) {
                    self.files.remove(&path);
                    self.steps.remove(&path);
                }
            }
        }
        if is_last {
            self.count = 0;
        }
    }

    /// What was left out: fixes that would change a file for ever, and those in `outcome` that did not fit.
    fn unsettled(&self, outcome: &Outcome) -> Vec<Unsettled> {
        let mut unfit: BTreeMap<&BString, BTreeSet<&'static str>> = BTreeMap::new();
        for diagnostic in &outcome.diagnostics {
            let path = diagnostic.path.as_bstr();
            let is_left = |fix: &&Fix| {
                let beyond = fix.reaches_beyond(path);
                self.across && beyond || !beyond && fix.as_edits(path).is_some()
            };
            let is_free = |fix: &&Fix| !fix.written().any(|(path, _)| self.left_out.contains(path));
            if self.fix(diagnostic).filter(is_left).is_some_and(|fix| is_free(&fix)) {
                unfit.entry(&diagnostic.path).or_default().insert(diagnostic.rule.name);
            }
        }
        let left = |why: Why| {
            move |(path, rules): (&BString, &BTreeSet<&'static str>)| Unsettled {
                path: path.clone(),
                rules: rules.iter().copied().collect(),
                why,
            }
        };
        let unfit = unfit.iter().map(|(path, rules)| (*path, rules)).map(left(Why::Unfit));
        let mut unsettled: Vec<Unsettled> = self.endless.iter().map(left(Why::Endless)).chain(unfit).collect();
        unsettled.sort_by(|a, b| a.path.cmp(&b.path));
        unsettled
    }
}

/// The first of `steps` to whose beginning a later one leads back, and that later one; the last leads to `new`.
fn circle(steps: &[Step], new: &[u8]) -> Option<(usize, usize)> {
    let mut seen: BTreeMap<&[u8], usize> = BTreeMap::new();
    let befores = steps.iter().map(|step| step.before.as_slice());
    befores.chain([new]).enumerate().find_map(|(place, bytes)| Some((seen.insert(bytes, place)?, place)))
}

/// `path` and the files that text moves to or from when it is written: none of them without the others.
fn moved_with(path: BString, files: &BTreeMap<BString, FixedFile>) -> BTreeSet<BString> {
    let mut together = BTreeSet::from([path]);
    loop {
        let before = together.len();
        for file in files.values() {
            if together.contains(&file.path) || !file.after.is_disjoint(&together) {
                together.insert(file.path.clone());
                together.extend(file.after.iter().cloned());
            }
        }
        if together.len() == before {
            return together;
        }
    }
}

#[cfg(test)]
mod tests {
    use bstr::BStr;

    use super::*;
    use crate::diagnostic::{Edit, Passage, RuleId, Scope, Severity, Step};
    use crate::text::Span;

    /// Rules that write one word in the place of another; `^` is the end of the file.
    fn found(rules: &[(&'static str, &str, &str)], text: &str) -> Outcome {
        let finding = |&(rule, word, new): &(&'static str, &str, &str)| {
            let at = if word == "^" { text.len() } else { text.find(word)? };
            let end = if word == "^" { at } else { at + word.len() };
            Some(diagnostic(rule, Fix::of_edits(Applicability::Safe, [Edit::replace(Span::new(at, end), new)])))
        };
        let diagnostics = rules.iter().filter_map(finding).collect();
        Outcome { diagnostics, sources: vec![Source::new("a.md", text.into()).into()], ..Outcome::default() }
    }

    fn diagnostic(rule: &'static str, fix: Fix) -> Diagnostic {
        Diagnostic {
            standard: None,
            rule: RuleId { name: rule, scope: Scope::Document },
            severity: Severity::Warning,
            path: "a.md".into(),
            span: None,
            message: String::new(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            fix: Some(fix),
        }
    }

    fn fixed(rules: &[(&'static str, &str, &str)], text: &str) -> (String, usize, Vec<Unsettled>) {
        let check = |overlay: &Overlay| {
            let bytes = overlay.get(BStr::new("a.md")).map_or(text.as_bytes(), Vec::as_slice);
            found(rules, std::str::from_utf8(bytes).unwrap())
        };
        let fixed = run(check(&Overlay::new()), Applicability::Safe, &BTreeSet::new(), true, check);
        let file = fixed.files.into_iter().next();
        let count = file.as_ref().map_or(0, |file| file.count);
        let new = file.map_or_else(|| text.to_owned(), |file| String::from_utf8(file.new).unwrap());
        (new, count, fixed.unsettled)
    }

    fn left(rules: &[&'static str], why: Why) -> Vec<Unsettled> {
        vec![Unsettled { path: "a.md".into(), rules: rules.to_vec(), why }]
    }

    #[test]
    fn what_undoes_itself_is_left_out_and_nothing_else() {
        let rules = [("t/go", "one", "two"), ("t/back", "two", "one"), ("t/other", "bad", "good")];
        let unsettled = left(&["t/back", "t/go"], Why::Endless);
        assert_eq!(fixed(&rules, "bad one"), ("good two".into(), 2, unsettled.clone()));
        // The second run changes nothing.
        for text in ["good one", "good two"] {
            assert_eq!(fixed(&rules, text), (text.into(), 0, unsettled.clone()));
        }
        let three = [("t/a", "one", "two"), ("t/b", "two", "six"), ("t/c", "six", "one"), ("t/other", "bad", "good")];
        assert_eq!(fixed(&three, "good six"), ("good six".into(), 0, left(&["t/a", "t/b", "t/c"], Why::Endless)));
    }

    #[test]
    fn what_does_not_end_is_left_out() {
        let rules = [("t/more", "^", "!"), ("t/other", "bad", "good")];
        assert_eq!(fixed(&rules, "one bad"), ("one good".into(), 1, left(&["t/more"], Why::Endless)));
    }

    #[test]
    fn many_passes_are_no_circle() {
        let words: Vec<String> = (0..30).map(|number| format!("w{number}.")).collect();
        let rules: Vec<_> = words.iter().zip(words.iter().skip(1)).map(|(old, new)| ("t/on", &**old, &**new)).collect();
        assert_eq!(fixed(&rules, "w0."), ("w29.".into(), 29, Vec::new()));
    }

    #[test]
    fn a_removal_that_does_not_fit_appends_nothing() {
        let check = |overlay: &Overlay| {
            assert_eq!(overlay.len(), 0);
            let edits = [Edit::delete(Span::new(0, 2)), Edit::delete(Span::new(1, 3))];
            let mut fix = Fix::of_edits(Applicability::Safe, edits);
            fix.steps.push(Step::Append { path: "b.md".into(), text: Passage::new("one", "\n") });
            let sources = vec![Source::new("a.md", "one".into()).into(), Source::new("b.md", Vec::new()).into()];
            Outcome { diagnostics: vec![diagnostic("t/move", fix)], sources, ..Outcome::default() }
        };
        let fixed = run(check(&Overlay::new()), Applicability::Safe, &BTreeSet::new(), true, check);
        assert_eq!((fixed.files, fixed.unsettled), (Vec::new(), left(&["t/move"], Why::Unfit)));
    }
}
