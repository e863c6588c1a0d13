//! `team reflect`: checks the reflection of a member, and writes its learnings to their files. See
//! `docs/formats/learning-teams.md`, "Life of a learning".

mod apply;
mod error;
mod judge;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use self::apply::{Plan, Route};
use self::error::NotLearned;
use super::is_folder_name;
use super::workspace::{Workspace, member};
use crate::dialects::reflection;
use crate::document::Document;
use crate::errors::CliError;
use crate::facts::learning_team::LearningTeam;
use crate::facts::staleness;
use crate::fix::diff;
use crate::formats::reflection::Reflection;
use crate::fs::atomic::WriteError;
use crate::fs::read;
use crate::select::selected::Selected;
use crate::select::stdin;
use crate::terminal::{display_path, escape};
use crate::text::Source;

/// How often files are read again that others have written meanwhile.
const ATTEMPTS: usize = 50;

/// What means the file on standard input.
const UNNAMED: &str = "stdin.json";

/// What became of a reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reflected {
    /// Its learnings are in their files, or were shown.
    Learned,
    /// It has findings that keep it from being learned from.
    Refused,
}

/// Checks the reflection in `file`, which `member` returned, and puts its learnings into their files; with `diff` it shows them.
///
/// # Errors
/// When a name or a file is not fit for it, and what standard output says.
pub fn run(workspace: &Workspace, file: &Path, member: Option<&str>, is_diff: bool) -> Result<Reflected, CliError> {
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let source = read_input(workspace, file)?;
    let member = reflecting(&team, member, &source)?;
    let file = Selected::on_disk(source.path().to_owned(), BString::default(), &reflection::REFLECTION, true, true);
    let document = Document::parse(file, Arc::new(source));
    let today = staleness::today(&workspace.project.options);

    let Some(reflection) = document.body::<Reflection>() else { return Ok(Reflected::Refused) };
    let (routes, refused) = Route::all(reflection, &member, today);
    let outcome = judge::judge(workspace, &run, &team, &document, refused)?;
    let is_refused = judge::is_refused(workspace, &outcome);
    judge::print(workspace, &outcome, is_refused).map_err(CliError::Output)?;
    if is_refused {
        return Ok(Reflected::Refused);
    }
    let mut attempt = 0;
    let plan = loop {
        attempt += 1;
        let plan = Plan::new(workspace, &team, &member, &routes)?;
        if is_diff {
            diff::print(plan.files()).map_err(CliError::Output)?;
            break plan;
        }
        match plan.write(&workspace.project.repository.root) {
            Ok(()) => break plan,
            // Members that end at the same moment write to each other's files: what they wrote counts, too.
            Err(WriteError::Changed { .. }) if attempt < ATTEMPTS => {}
            Err(source) => return Err(NotLearned::Write { source }.into()),
        }
    };
    let max_lines = workspace.project.options.learnings.max_lines.get();
    workspace.terminal.summary(is_diff, |out| plan.tell(is_diff, max_lines, out)).map_err(CliError::Output)?;
    Ok(Reflected::Learned)
}

/// The file that was named, or standard input.
fn read_input(workspace: &Workspace, file: &Path) -> Result<Source, NotLearned> {
    let cap = workspace.project.options.max_file_bytes.get();
    let shown = || display_path(file.as_os_str().as_encoded_bytes());
    let failed = |reason: String| NotLearned::Input { path: shown(), reason };
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let mut input = std::io::stdin().lock().take(cap.saturating_add(1));
        input.read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > cap {
            return Err(failed(format!("it has more than {cap} bytes, which is `max-file-bytes`")));
        }
        return Ok(Source::new(UNNAMED, bytes));
    }
    let bytes =
        read::read_inside(&workspace.project.repository.root, file, cap).map_err(|error| failed(error.to_string()))?;
    let inside = stdin::inside(&workspace.project.repository, file);
    let path = inside.unwrap_or_else(|_| BString::from(file.as_os_str().as_encoded_bytes()));
    Ok(Source::new(path, bytes))
}

/// The member whose reflection this is.
fn reflecting(team: &LearningTeam, given: Option<&str>, source: &Source) -> Result<String, CliError> {
    let name = match given {
        Some(name) => member(team, name).map(|_| name.to_owned())?,
        None => known(team, source).ok_or_else(|| {
            let members: Vec<String> = team.manifest.names().map(|name| format!("`{}`", escape(name))).collect();
            NotLearned::NoMember { members: members.join(", ") }
        })?,
    };
    if !is_folder_name(&name) {
        return Err(NotLearned::Name { name: escape(&name) }.into());
    }
    Ok(name)
}

/// The only member, or the one whose name that of the file is or begins with, as in `backend-2026-03-01.json`.
fn known(team: &LearningTeam, source: &Source) -> Option<String> {
    let names: Vec<&str> = team.manifest.names().collect();
    if let [only] = names.as_slice() {
        return Some((*only).to_owned());
    }
    let file = source.path().rsplit_str("/").next()?;
    let begins = |name: &&&str| {
        let rest = file.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.starts_with_str("-") || rest.starts_with_str(".") || rest.starts_with_str("_"))
    };
    names.iter().filter(begins).max_by_key(|name| name.len()).map(|name| (*name).to_owned())
}
