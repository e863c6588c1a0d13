//! `memory archive`: the fix of `memory/file-too-large` as a command. The oldest entries of files over their limit go to an archive.

use std::io::Write;
use std::path::Path;

use bstr::BString;

use crate::diagnostic::{Applicability, Severity};
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::engine::{Progress, RuleSet};
use crate::errors::CliError;
use crate::fix::left_alone::LeftAlone;
use crate::fix::passes::{self, Fixed};
use crate::fix::problems::Problems;
use crate::fix::{diff, work_tree};
use crate::memory::health::over::{Over, why};
use crate::project::Project;
use crate::rules::memory::file_too_large;
use crate::select::input::Overlay;
use crate::terminal::{Terminal, display_path, escape};

/// What archiving comes to; nothing is written by then.
pub struct Plan {
    /// The files over their limits.
    pub over: Vec<Over>,
    alone: LeftAlone,
    fixed: Fixed,
}

/// The rule that finds what to archive, whatever the configuration makes of it.
pub fn rules() -> RuleSet {
    RuleSet::new([(&file_too_large::RULE, Severity::Warning)])
}

/// Plans to archive what a session by [`rules`] finds. In a work tree at `root` links are left alone.
pub fn plan(session: &mut Session<'_>, root: Option<&Path>) -> Plan {
    let found = session.check(&Overlay::new());
    let alone = LeftAlone::find(&found, root, Applicability::Unsafe);
    let diagnostics = found.diagnostics.clone();
    let check = |overlay: &Overlay| session.check(overlay);
    let fixed = passes::run(found, Applicability::Unsafe, &alone.all(), true, check);
    let leaves = |path: &BString| fixed.files.iter().any(|file| file.path == *path);
    let over = diagnostics.into_iter().map(|diagnostic| Over { moves: leaves(&diagnostic.path), diagnostic }).collect();
    Plan { over, alone, fixed }
}

/// Archives, or shows what archiving comes to. Whether all of it could be done.
///
/// # Errors
/// When the files cannot be selected, and what standard output says.
pub fn run(project: &Project, is_diff: bool, terminal: Terminal) -> Result<bool, CliError> {
    let progress = Progress::default();
    let mut session = Session::new(project, Target::Paths(Vec::new()), rules(), &progress)?;
    let root = &project.repository.root;
    let mut problems = Problems::default();
    let Plan { alone, fixed: Fixed { files, unsettled, outcome }, .. } = plan(&mut session, Some(root));
    let mut is_complete = !alone.tell(&unsettled, &mut problems);
    let sizes: Vec<_> =
        files.iter().map(|file| (file.path.clone(), file.old.as_ref().map_or(0, Vec::len), file.new.len())).collect();
    if is_diff {
        diff::print(&files).map_err(CliError::Output)?;
    } else {
        is_complete &= !work_tree::write(files, root, "archived", &mut problems).failed;
    }
    problems.show(terminal);
    let write = |out: &mut dyn Write| {
        for (path, before, after) in &sizes {
            writeln!(out, "{}: {after} bytes, {before} before", display_path(path))?;
        }
        for left in &outcome.diagnostics {
            writeln!(out, "{}: {}", display_path(&left.path), escape(&left.message))?;
            for reason in &left.notes {
                writeln!(out, "  {}", escape(&why(&reason.text)))?;
            }
        }
        match sizes.is_empty() && outcome.diagnostics.is_empty() {
            true => writeln!(out, "no file is over its limit"),
            false => Ok(()),
        }
    };
    terminal.summary(is_diff, write).map_err(CliError::Output)?;
    Ok(is_complete)
}
