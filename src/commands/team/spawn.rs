//! `team spawn`: the command that spawns a member.

use std::io::Write as _;

use bstr::{BStr, ByteSlice};

use super::{Workspace, member};
use crate::cli::team::{CommandFormat, SpawnArgs};
use crate::commands::{Exit, Stop};
use crate::formats::manifest::Text;
use crate::fs::read::{self, FileError};
use crate::report::json_writer;
use crate::team::spawn::{self, Member, Part, SpawnError};
use crate::team::{is_folder_name, shell};
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
    #[diagnostic(help("rename the member: small letters, digits, `-` and `_`"))]
    Name { name: String },
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("without what it has learned the member is not spawned; repair the file"))]
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
        SpawnError::Nul { .. } => "take it out",
        SpawnError::TooLong { part: Part::Learnings, .. } => {
            "archive what is old: learnings that are injected into every task are to have 60 lines at most"
        }
        SpawnError::TooLong { .. } => "shorten it",
    }
}

/// Prints the command.
pub fn run(args: &SpawnArgs) -> Result<Exit, Stop> {
    let workspace = Workspace::open(&args.files)?;
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let found = member(&team, &args.member)?;
    let manifest = || display_path(team.manifest_path());
    let name = escape(&args.member);
    if !is_folder_name(&args.member) {
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
    let path = team.learnings_of(&args.member);
    let learnings = learnings(&workspace, path.as_bstr())?;
    let member = Member {
        name: &args.member,
        role: &role.value,
        owns: texts(found.owns.as_deref()),
        tools: texts(found.tools.as_deref()),
        model: options.model.value,
        permission_mode: options.permission_mode.value,
        budget,
        learnings: learnings.as_ref().map(Source::text),
    };
    let task = args.task.join(" ");
    let groups = spawn::arguments(&member, Some(&task)).map_err(|error| match (&error, &learnings) {
        (SpawnError::Nul { part: Part::Learnings, at }, Some(source)) => {
            let reason = "a NUL byte, which no argument of a program can hold".to_owned();
            place(source, *at, reason)
        }
        _ => NotSpawned::Spawn(error),
    })?;
    // What stands there does nothing to a terminal, and has to arrive byte for byte: nothing is stripped.
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match args.format {
        CommandFormat::Shell => writeln!(out, "{}", shell::command(&groups)),
        CommandFormat::Json => json_writer::write(&groups.concat(), &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(Stop::Output)?;
    Ok(Exit::Clean)
}

fn texts(list: Option<&[Text]>) -> Vec<&str> {
    list.unwrap_or_default().iter().map(|text| text.value.as_str()).collect()
}

/// What the member has learned; `None` where it has no file yet.
fn learnings(workspace: &Workspace, path: &BStr) -> Result<Option<Source>, NotSpawned> {
    let root = &workspace.repository.root;
    let failed = |reason: String| NotSpawned::Unread { path: display_path(path), reason };
    let full = root.join(path.to_path().map_err(|error| failed(error.to_string()))?);
    let bytes = match read::read_inside(root, &full, workspace.options.max_file_bytes.get()) {
        Ok(bytes) => bytes,
        Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.to_string())),
    };
    let source = Source::new(path, bytes);
    match source.invalid().first() {
        Some(invalid) => Err(place(
            &source,
            invalid.start(),
            "bytes that are not UTF-8, which claude would not get as they are".into(),
        )),
        None => Ok(Some(source)),
    }
}

fn place(source: &Source, at: usize, reason: String) -> NotSpawned {
    let position = source.position(at, ColumnUnit::Char);
    NotSpawned::Learnings { path: display_path(source.path()), line: position.line, column: position.column, reason }
}
