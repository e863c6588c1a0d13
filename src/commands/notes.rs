//! The notes of `--verbose` on the project and its files.

use crate::project::Project;
use crate::select::worktree::Selection;
use crate::terminal::Terminal;

/// Prints the root and the configuration.
pub(super) fn project(project: &Project, terminal: Terminal) {
    let Project { repository, config, .. } = project;
    terminal.detail(&match repository.has_git {
        true => format!("repository {}", repository.root.display()),
        false => format!("no git repository: checking the plain folder {}", repository.root.display()),
    });
    terminal.detail(&match config {
        Some(path) => format!("configuration {}", path.display()),
        None => "no configuration".to_owned(),
    });
}

/// Prints which files are checked by how many `rules`.
pub(super) fn selection(selection: &Selection, rules: usize, terminal: Terminal) {
    for note in &selection.notes {
        terminal.detail(note);
    }
    let checked = selection.files.iter().filter(|file| file.checked).count();
    let context = selection.files.len() - checked;
    let excluded = selection.excluded;
    terminal.detail(&format!(
        "{checked} files to check with {rules} rules, {context} read for context, {excluded} excluded"
    ));
}
