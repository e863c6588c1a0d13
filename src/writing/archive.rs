//! `memory archive`: the fix of `memory/file-too-large` as a command. The oldest entries of files over their limit go to an archive.

use std::io::Write;

use crate::diagnostic::{Applicability, Severity};
use crate::engine::session::Session;
use crate::engine::target::Target;
use crate::engine::{Progress, RuleSet};
use crate::errors::CliError;
use crate::fix::left_alone::LeftAlone;
use crate::fix::passes::{self, Fixed};
use crate::fix::problems::Problems;
use crate::fix::{diff, work_tree};
use crate::project::Project;
use crate::rules::memory::file_too_large;
use crate::select::input::Overlay;
use crate::terminal::{Terminal, display_path, escape};

/// Archives, or shows what archiving comes to. Whether all of it could be done.
///
/// # Errors
/// When the files cannot be selected, and what standard output says.
pub fn run(project: &Project, is_diff: bool, terminal: Terminal) -> Result<bool, CliError> {
    let progress = Progress::default();
    let rules = RuleSet::new([(&file_too_large::RULE, Severity::Warning)]);
    let mut session = Session::new(project, Target::Paths(Vec::new()), rules, &progress)?;
    let root = &project.repository.root;
    let mut problems = Problems::default();
    let found = session.check(&Overlay::new());
    let alone = LeftAlone::find(&found, Some(root), Applicability::Unsafe);
    let check = |overlay: &Overlay| session.check(overlay);
    let Fixed { files, unsettled, outcome } = passes::run(found, Applicability::Unsafe, &alone.all(), true, check);
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
                writeln!(out, "  {}", escape(&reason.text.replace("`--fix` cannot do this: ", "nothing is moved: ")))?;
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
