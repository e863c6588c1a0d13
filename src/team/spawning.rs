//! The command that spawns a member, from its manifest and its learnings.

use bstr::{BStr, ByteSlice};

use super::is_folder_name;
use super::spawn::{self, Member, Part, SpawnError};
use super::workspace::{Workspace, member};
use crate::errors::CliError;
use crate::formats::manifest::Text;
use crate::fs::read::{self, FileError};
use crate::terminal::{display_path, escape};
use crate::text::{ColumnUnit, Source};

/// Why no command was printed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotSpawned {
    #[error("the member `{name}` has no `{key}`")]
    #[diagnostic(help("`squad-lint check {manifest}` shows the place"))]
    Missing { name: String, key: &'static str, manifest: String },
    #[error("the budget of `{name}` is {budget}, expected an amount above 0")]
    #[diagnostic(help("`squad-lint check {manifest}` shows the place"))]
    Budget { name: String, budget: f64, manifest: String },
    #[error("`{name}` is not a valid folder name, so it has no learnings")]
    #[diagnostic(help("rename the member, with lower-case letters, digits, `-` and `_`"))]
    Name { name: String },
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("repair the file; the member is not spawned without its learnings"))]
    Unread { path: String, reason: String },
    #[error("{path}:{line}:{column}: {reason}")]
    #[diagnostic(help("remove it; `squad-lint check {path}` shows the place"))]
    Learnings { path: String, line: usize, column: usize, reason: String },
    #[error(transparent)]
    #[diagnostic(help("{}", help(.0)))]
    Spawn(SpawnError),
}

fn help(error: &SpawnError) -> &'static str {
    match error {
        SpawnError::Nul { .. } => "remove it",
        SpawnError::TooLong { part: Part::Learnings, .. } => {
            "archive old entries: learnings go into every task, and should have at most 60 lines"
        }
        SpawnError::TooLong { .. } => "shorten it",
    }
}

/// The command that spawns the member `given` of a team for `task`, in groups of arguments.
///
/// # Errors
/// When the team, the member or its learnings are not fit for it.
pub fn command(workspace: &Workspace, given: &str, task: &str) -> Result<Vec<Vec<String>>, CliError> {
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let found = member(&team, given)?;
    let manifest = || display_path(team.manifest_path());
    let name = escape(given);
    if !is_folder_name(given) {
        return Err(NotSpawned::Name { name }.into());
    }
    let Some(role) = &found.role else {
        return Err(NotSpawned::Missing { name, key: "role", manifest: manifest() }.into());
    };
    let options = team.manifest.effective(found);
    let budget = options.budget.value;
    if !(budget.is_finite() && budget > 0.0) {
        return Err(NotSpawned::Budget { name, budget, manifest: manifest() }.into());
    }
    let path = team.learnings_of(given);
    let learnings = learnings(workspace, path.as_bstr())?;
    let member = Member {
        name: given,
        role: &role.value,
        owns: texts(found.owns.as_deref()),
        tools: texts(found.tools.as_deref()),
        model: options.model.value,
        permission_mode: options.permission_mode.value,
        budget,
        learnings: learnings.as_ref().map(Source::text),
    };
    let groups = spawn::arguments(&member, Some(task)).map_err(|error| match (&error, &learnings) {
        (SpawnError::Nul { part: Part::Learnings, at }, Some(source)) => {
            let reason = "a NUL byte, which no argument of a program can hold".to_owned();
            place(source, *at, reason)
        }
        _ => NotSpawned::Spawn(error),
    })?;
    Ok(groups)
}

fn texts(list: Option<&[Text]>) -> Vec<&str> {
    list.unwrap_or_default().iter().map(|text| text.value.as_str()).collect()
}

/// What the member has learned; `None` if it has no file yet.
fn learnings(workspace: &Workspace, path: &BStr) -> Result<Option<Source>, NotSpawned> {
    let root = &workspace.project.repository.root;
    let failed = |reason: String| NotSpawned::Unread { path: display_path(path), reason };
    let full = root.join(path.to_path().map_err(|error| failed(error.to_string()))?);
    let bytes = match read::read_inside(root, &full, workspace.project.options.max_file_bytes.get()) {
        Ok(bytes) => bytes,
        Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.to_string())),
    };
    let source = Source::new(path, bytes);
    match source.invalid().first() {
        Some(invalid) => Err(place(
            &source,
            invalid.start(),
            "bytes that are not UTF-8, which claude would not receive unchanged".into(),
        )),
        None => Ok(Some(source)),
    }
}

fn place(source: &Source, at: usize, reason: String) -> NotSpawned {
    let position = source.position(at, ColumnUnit::Char);
    NotSpawned::Learnings { path: display_path(source.path()), line: position.line, column: position.column, reason }
}
