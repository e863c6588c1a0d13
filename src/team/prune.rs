//! Consolidates learnings by running the fixes of several rules. See `docs/formats/learning-teams.md`, "Consolidation".

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use bstr::{BString, ByteSlice};

use super::workspace::{TeamError, Workspace, folder_name, learnings_of};
use crate::diagnostic::{Applicability, NoteKind, Severity};
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::engine::{Progress, RuleSet, unread};
use crate::errors::CliError;
use crate::facts::staleness;
use crate::fix::left_alone::LeftAlone;
use crate::fix::passes::{self, Fixed, FixedFile};
use crate::fix::problems::Problems;
use crate::fix::{diff, work_tree};
use crate::formats::learnings::{Entry, Learnings};
use crate::outcome::Outcome;
use crate::rule::Rule;
use crate::rules::learnings::{
    duplicate_entry, promotable, similar_entry, stale_entry, tier_too_long, too_many_lines, unsettled_note,
};
use crate::select::input::Overlay;
use crate::terminal::{display_path, escape};
use crate::text::prose::plural;
use crate::text::{ColumnUnit, Source};

/// The steps: each runs the fixes of one rule, and later steps see the result of earlier ones. The limit is last: what has to go
/// anyway may be enough to keep it.
const STEPS: [&Rule; 4] = [&duplicate_entry::RULE, &stale_entry::RULE, &unsettled_note::RULE, &too_many_lines::RULE];

/// Those of them that are made only if stale entries are asked for: they archive also what a file has room for.
const STALE: [&Rule; 2] = [&stale_entry::RULE, &unsettled_note::RULE];

/// What is left to a person after them.
const LEFT: [&Rule; 7] = [
    &duplicate_entry::RULE,
    &similar_entry::RULE,
    &promotable::RULE,
    &stale_entry::RULE,
    &unsettled_note::RULE,
    &too_many_lines::RULE,
    &tier_too_long::RULE,
];

/// What to prune, and how.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The members; all where none are named.
    pub members: &'a [String],
    /// Whether stale entries and unsettled notes go even if the file is under its limit.
    pub stale: bool,
    /// Whether a diff is shown and nothing is written.
    pub diff: bool,
}

/// Prunes the learnings that are `wanted`, and says what was done, or would be done. Whether all of it could be done.
///
/// # Errors
/// When the team or the members cannot be found, and what standard output says.
pub fn run(workspace: &Workspace, wanted: Wanted<'_>) -> Result<bool, CliError> {
    let Wanted { members, stale, diff: is_diff } = wanted;
    let paths = files_of(workspace, members)?;
    let mut problems = Problems::default();
    let Pruned { files, outcome, steps, over, mut refused } = prune(workspace, &paths, stale, &mut problems)?;
    let mut complete = refused.is_empty() && outcome.git_failure.is_none() && outcome.failures.is_empty();
    let sizes: BTreeMap<BString, (usize, usize)> = files.iter().map(|file| (file.path.clone(), sizes(file))).collect();
    let mut pruned: BTreeSet<BString> = sizes.keys().cloned().collect();
    if is_diff {
        diff::print(&files).map_err(CliError::Output)?;
    } else {
        let written = work_tree::write(files, &workspace.project.repository.root, "pruned", &mut problems);
        complete &= !written.failed;
        pruned.retain(|path| written.overlay.contains_key(path));
        refused.extend(sizes.keys().filter(|path| !pruned.contains(*path)).cloned());
    }
    problems.show(workspace.terminal);
    unread::say(&outcome, workspace.terminal);
    let report =
        Report { steps: &steps, over: &over, outcome: &outcome, sizes: &sizes, refused: &refused, is_done: !is_diff };
    let is_pruned = |path: &BString| pruned.contains(path);
    workspace.terminal.summary(is_diff, |out| report.write(&paths, is_pruned, out)).map_err(CliError::Output)?;
    Ok(complete)
}

/// The learnings of `members`, or of all: of the team that is meant where there is one, else of everybody.
fn files_of(workspace: &Workspace, members: &[String]) -> Result<BTreeSet<BString>, CliError> {
    let run = workspace.run(&[]);
    let (memory, missing) = match workspace.team(&run) {
        Ok(team) => (Some(team.memory.clone()), None),
        Err(error @ TeamError::NoManifest { .. }) => (None, Some(error)),
        Err(error) => return Err(error.into()),
    };
    let all = workspace.learnings(memory.as_ref().map(|memory| memory.as_bstr()));
    if let Some(error) = missing.filter(|_| all.is_empty()) {
        return Err(error.into());
    }
    if members.is_empty() {
        return Ok(all);
    }
    let mut wanted = BTreeSet::new();
    for member in members {
        learnings_of(&all, member)?;
        let is_theirs = |path: &&BString| folder_name(path.as_bstr()) == member.as_bytes();
        wanted.extend(all.iter().filter(is_theirs).cloned());
    }
    Ok(wanted)
}

/// What pruning comes to; nothing is written by then.
struct Pruned {
    /// The files to write.
    files: Vec<FixedFile>,
    /// What is left to a person.
    outcome: Outcome,
    /// How many entries each of [`STEPS`] took out of each file.
    steps: BTreeMap<BString, [usize; STEPS.len()]>,
    /// The entries of each file that go because of its limit.
    over: BTreeMap<BString, Vec<String>>,
    /// The files that cannot be pruned, or not as far as they should; it has been said.
    refused: BTreeSet<BString>,
}

fn prune(
    workspace: &Workspace,
    paths: &BTreeSet<BString>,
    with_stale: bool,
    problems: &mut Problems,
) -> Result<Pruned, CliError> {
    let progress = Progress::default();
    let mut session = Session::new(&workspace.project, Target::Paths(Vec::new()), RuleSet::default(), &progress)?;
    session.narrow(|path| paths.contains(path));
    let mut files: BTreeMap<BString, FixedFile> = BTreeMap::new();
    let mut overlay = Overlay::new();
    let mut steps: BTreeMap<BString, [usize; STEPS.len()]> = BTreeMap::new();
    let (mut over, mut refused) = (BTreeMap::new(), BTreeSet::new());
    let is_wanted = |rule: &Rule| with_stale || STALE.iter().all(|stale| stale.name != rule.name);
    for (step, rule) in STEPS.into_iter().enumerate().filter(|(_, rule)| is_wanted(rule)) {
        session = session.by_rules(RuleSet::new([(rule, Severity::Warning)]));
        let check = |fixed: &Overlay| {
            let mut both = overlay.clone();
            both.extend(fixed.iter().map(|(path, bytes)| (path.clone(), bytes.clone())));
            session.check(&both)
        };
        let mut check = check;
        let found = check(&Overlay::new());
        let mut links = LeftAlone::find(&found, Some(&workspace.project.repository.root), Applicability::Unsafe);
        let Fixed { files: fixed, unsettled, .. } =
            passes::run(found, Applicability::Unsafe, &links.all(), true, check);
        // A link is reported once, whatever each step would do to the file that it leads to.
        links.forget(&refused);
        links.tell(&unsettled, problems);
        refused.extend(links.refused().chain(unsettled.into_iter().map(|left| left.path)));
        for file in fixed {
            if paths.contains(&file.path) {
                let went = entries(file.old.as_deref()).saturating_sub(entries(Some(&file.new)));
                if let Some(count) = steps.entry(file.path.clone()).or_default().get_mut(step) {
                    *count += went;
                }
                if rule.name == too_many_lines::RULE.name {
                    over.insert(file.path.clone(), leaving(file.old.as_deref(), &file.new));
                }
            }
            overlay.insert(file.path.clone(), file.new.clone());
            match files.get_mut(&file.path) {
                Some(known) => {
                    known.new = file.new;
                    known.after.extend(file.after);
                    known.count += file.count;
                }
                None => drop(files.insert(file.path.clone(), file)),
            }
        }
    }
    let outcome = session.by_rules(RuleSet::new(LEFT.map(|rule| (rule, Severity::Warning)))).check(&overlay);
    Ok(Pruned { files: files.into_values().collect(), outcome, steps, over, refused })
}

/// How many entries a `learnings.md` has.
fn entries(bytes: Option<&[u8]>) -> usize {
    let source = Source::new("", bytes.unwrap_or_default().to_vec());
    Learnings::parse(source.text()).real_entries().count()
}

/// The entries that a `learnings.md` no longer has, for a person: `2026-03-01, open note: Dates are stored as UTC`.
fn leaving(old: Option<&[u8]>, new: &[u8]) -> Vec<String> {
    let read = |bytes: &[u8]| Source::new("", bytes.to_vec());
    let (old, new) = (read(old.unwrap_or_default()), read(new));
    let (before, after) = (Learnings::parse(old.text()), Learnings::parse(new.text()));
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in after.real_entries() {
        *left.entry(entry.span.of(new.text()).trim_end()).or_default() += 1;
    }
    let goes = |entry: &&Entry| match left.get_mut(entry.span.of(old.text()).trim_end()) {
        Some(count @ 1..) => {
            *count -= 1;
            false
        }
        _ => true,
    };
    before.real_entries().filter(goes).map(|entry| described(&before, entry, old.text())).collect()
}

/// The date of an entry, whether it is an open note or says that it is settled, and its beginning.
fn described(learnings: &Learnings, entry: &Entry, text: &str) -> String {
    const SHOWN: usize = 72;
    let said = entry.text.of(text);
    let day = entry.newest().map_or_else(|| "no date".to_owned(), |day| day.to_string());
    let state = if staleness::is_settled(said) {
        ", settled"
    } else if staleness::is_open_note(learnings, entry, text) {
        ", open note"
    } else {
        ""
    };
    let line = said.trim().lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < said.trim().len() {
        shown.push('…');
    }
    format!("{day}{state}: {shown}")
}

/// The lines of a file before and after.
fn sizes(file: &FixedFile) -> (usize, usize) {
    let lines = |bytes: &[u8]| Source::new("", bytes.to_vec()).line_count();
    (lines(file.old.as_deref().unwrap_or_default()), lines(&file.new))
}

/// The text about the files.
struct Report<'a> {
    steps: &'a BTreeMap<BString, [usize; STEPS.len()]>,
    /// The entries that go because of the limit.
    over: &'a BTreeMap<BString, Vec<String>>,
    outcome: &'a Outcome,
    sizes: &'a BTreeMap<BString, (usize, usize)>,
    /// The files that stay as they are, or are not pruned as far as they should be.
    refused: &'a BTreeSet<BString>,
    /// Whether it was done.
    is_done: bool,
}

impl Report<'_> {
    /// Says of each of the files at `paths` what was done, or is to be done, and what is left to a person.
    fn write(
        &self,
        paths: &BTreeSet<BString>,
        pruned: impl Fn(&BString) -> bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut silent = 0;
        for path in paths {
            let left: Vec<_> = self.outcome.diagnostics.iter().filter(|left| left.path == *path).collect();
            let sizes = self.sizes.get(path).filter(|_| pruned(path));
            let is_refused = self.refused.contains(path);
            if sizes.is_none() && left.is_empty() && !is_refused {
                silent += 1;
                continue;
            }
            match sizes {
                Some((before, after)) if self.is_done => {
                    writeln!(out, "{}: {after} lines, {before} before", display_path(path))?;
                }
                Some((before, after)) => {
                    writeln!(out, "{}: {before} lines, {after} after pruning", display_path(path))?;
                }
                None if is_refused => writeln!(out, "{}: not pruned", display_path(path))?,
                None => writeln!(out, "{}: nothing to prune", display_path(path))?,
            }
            let counts = self.steps.get(path).filter(|_| sizes.is_some()).copied().unwrap_or_default();
            for ((count, said), rule) in counts.into_iter().zip(&SAID).zip(STEPS) {
                let done = if self.is_done { said.done } else { said.to_do };
                match count {
                    0 => {}
                    1 => writeln!(out, "  {done}: 1 {}", said.one)?,
                    _ => writeln!(out, "  {done}: {count} {}", said.many)?,
                }
                let over = self.over.get(path).filter(|_| count > 0 && rule.name == too_many_lines::RULE.name);
                for entry in over.into_iter().flatten() {
                    writeln!(out, "    {}", escape(entry))?;
                }
            }
            for diagnostic in left {
                let at = diagnostic.span.map(|span| {
                    let source = self.outcome.source(path.as_bytes());
                    source.map_or(0, |source| source.position(span.start(), ColumnUnit::Char).line)
                });
                let at = at.map_or_else(String::new, |line| format!("line {line}: "));
                writeln!(out, "  left to you: {at}{}", escape(&diagnostic.message))?;
                for note in diagnostic.notes.iter().filter(|note| note.kind == NoteKind::Note) {
                    writeln!(out, "    {}", escape(&note.text))?;
                }
            }
        }
        if paths.is_empty() {
            writeln!(out, "no learnings to prune")?;
        }
        if silent > 0 {
            writeln!(out, "{} with nothing to prune", plural(silent, "file"))?;
        }
        Ok(())
    }
}

/// The text about what a step removes.
struct Said {
    done: &'static str,
    to_do: &'static str,
    one: &'static str,
    many: &'static str,
}

/// The text about each of [`STEPS`].
const SAID: [Said; STEPS.len()] = [
    Said { done: "merged", to_do: "to merge", one: "duplicate entry", many: "duplicate entries" },
    Said { done: "archived", to_do: "to archive", one: "stale entry", many: "stale entries" },
    Said { done: "archived", to_do: "to archive", one: "unsettled note", many: "unsettled notes" },
    Said {
        done: "archived",
        to_do: "to archive",
        one: "oldest entry, to keep the limit",
        many: "oldest entries, to keep the limit",
    },
];
