//! `team reflect`: checks the reflection of a member, and writes its learnings to their files. See
//! `docs/formats/learning-teams.md`, "Life of a learning".

mod apply;
mod judge;

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use bstr::{BString, ByteSlice};

use self::apply::{Plan, Route};
use super::{Workspace, member};
use crate::cli::team::ReflectArgs;
use crate::commands::{Exit, Stop};
use crate::content::Content;
use crate::facts::learning_team::LearningTeam;
use crate::facts::staleness;
use crate::fix::diff;
use crate::fs::atomic::WriteError;
use crate::fs::read;
use crate::layout::role::Role;
use crate::select::stdin;
use crate::team::is_folder_name;
use crate::terminal::{display_path, escape};
use crate::text::Source;

/// Why nothing was learned.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum NotLearned {
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("check the spelling, and that you have permission to read it"))]
    Input { path: String, reason: String },
    #[error("cannot tell which member returned this reflection")]
    #[diagnostic(help("name it with `--member NAME`: {members}"))]
    NoMember { members: String },
    #[error("`{name}` is not a valid folder name, so it has no learnings")]
    #[diagnostic(help("rename the member: small letters, digits, `-` and `_`"))]
    Name { name: String },
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("no file was changed; repair this one, and run again"))]
    Target { path: String, reason: String },
    #[error("cannot add entries to {path}: {reason}")]
    #[diagnostic(help("no file was changed; close what is open in this one, and run again"))]
    Swallowed { path: String, reason: String },
    #[error("nothing was learned: {source}")]
    #[diagnostic(help("every file is as it was; repair the cause, and run again"))]
    Write { source: WriteError },
}

/// How often files are read again that others have written meanwhile.
const ATTEMPTS: usize = 50;

/// What stands for the file on standard input.
const UNNAMED: &str = "stdin.json";

/// Checks the reflection and routes its learnings.
pub fn run(args: &ReflectArgs) -> Result<Exit, Stop> {
    let workspace = Workspace::open(&args.files)?;
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let source = read_input(&workspace, &args.file)?;
    let member = reflecting(&team, args, &source)?;
    let content = Content::parse(source.text(), Role::Reflection);
    let today = staleness::today(&workspace.options);

    let Content::Reflection(reflection) = &content else { return Ok(Exit::Incomplete) };
    let (routes, refused) = Route::all(reflection, &member, today);
    let outcome = judge::judge(&workspace, &run, &team, source, &content, refused)?;
    let is_refused = judge::is_refused(&workspace, &outcome);
    judge::print(&workspace, &outcome, is_refused).map_err(Stop::Output)?;
    if is_refused {
        return Ok(Exit::Findings);
    }
    let mut attempt = 0;
    let plan = loop {
        attempt += 1;
        let plan = Plan::new(&workspace, &team, &member, &routes)?;
        if args.dry_run {
            show(&plan).map_err(Stop::Output)?;
            break plan;
        }
        match plan.write(&workspace.repository.root) {
            Ok(()) => break plan,
            // Members that end at the same moment write to each other's files: what they wrote counts, too.
            Err(WriteError::Changed { .. }) if attempt < ATTEMPTS => {}
            Err(source) => return Err(NotLearned::Write { source }.into()),
        }
    };
    // A diff is to go to `git apply`.
    let mut out: Box<dyn std::io::Write> = match args.dry_run {
        true => Box::new(workspace.terminal.stderr()),
        false => Box::new(workspace.terminal.stdout()),
    };
    plan.tell(args.dry_run, workspace.options.learnings.max_lines.get(), &mut out).map_err(Stop::Output)?;
    Ok(Exit::Clean)
}

/// The file that was named, or standard input.
fn read_input(workspace: &Workspace, file: &Path) -> Result<Source, NotLearned> {
    let cap = workspace.options.max_file_bytes.get();
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
    let bytes = read::read_inside(&workspace.repository.root, file, cap).map_err(|error| failed(error.to_string()))?;
    let inside = stdin::inside(&workspace.repository, file);
    let path = inside.unwrap_or_else(|_| BString::from(file.as_os_str().as_encoded_bytes()));
    Ok(Source::new(path, bytes))
}

/// The member whose reflection this is.
fn reflecting(team: &LearningTeam, args: &ReflectArgs, source: &Source) -> Result<String, Stop> {
    let name = match &args.member {
        Some(name) => member(team, name).map(|_| name.clone())?,
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

/// Prints what would change as a diff.
fn show(plan: &Plan) -> std::io::Result<()> {
    let stdout = std::io::stdout();
    let for_people = stdout.is_terminal();
    let mut out = std::io::BufWriter::new(stdout.lock());
    for file in plan.files() {
        let mut diff = Vec::new();
        diff::write(file, &mut diff)?;
        match for_people {
            // What controls a terminal is shown, not sent. Nobody applies a diff from there.
            true => diff.lines().try_for_each(|line| writeln!(out, "{}", escape(&line.to_str_lossy())))?,
            false => out.write_all(&diff)?,
        }
    }
    out.flush()
}
