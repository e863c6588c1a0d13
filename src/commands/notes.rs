//! What is said on standard error beside the report.

use std::io::Write;

use crate::project::Project;
use crate::select::worktree::Selection;
use crate::terminal::{Terminal, escape};

/// The stream, and how much is said.
pub(super) struct Notes {
    pub(super) terminal: Terminal,
    pub(super) verbose: bool,
}

impl Notes {
    pub(super) fn say(&mut self, line: &str) {
        if self.verbose {
            self.always(line);
        }
    }

    pub(super) fn always(&mut self, line: &str) {
        // Notes are a courtesy: nobody reads them where standard error is closed.
        let _ = writeln!(self.terminal.stderr(), "{}", escape(line));
    }

    pub(super) fn project(&mut self, project: &Project) {
        let Project { repository, config, .. } = project;
        self.say(&match repository.has_git {
            true => format!("repository {}", repository.root.display()),
            false => format!("no git repository: checking the plain folder {}", repository.root.display()),
        });
        self.say(&match config {
            Some(path) => format!("configuration {}", path.display()),
            None => "no configuration".to_owned(),
        });
    }

    pub(super) fn selection(&mut self, selection: &Selection, rules: usize) {
        for note in &selection.notes {
            self.say(note);
        }
        let checked = selection.files.iter().filter(|file| file.checked).count();
        let context = selection.files.len() - checked;
        let excluded = selection.excluded;
        self.say(&format!(
            "{checked} files to check with {rules} rules, {context} read for context, {excluded} excluded"
        ));
    }
}
