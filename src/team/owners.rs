//! `team owners`: who owns which file, and which files have no owner.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use serde::Serialize;

use super::workspace::{TeamError, Workspace};
use crate::engine::git_failure::GitFailure;
use crate::errors::CliError;
use crate::facts::learning_team::LearningTeam;
use crate::facts::survey::{Claim, claims, ownership};
use crate::facts::{Run, learning_team, tracked_files};
use crate::fs::path::is_in;
use crate::report::json_writer;
use crate::select::changes::wanted;
use crate::terminal::{display_path, escape};
use crate::text::ColumnUnit;

/// Why there is no list.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotListed {
    #[error("cannot list files without git")]
    #[diagnostic(help("name the files: `squad-lint team owners PATH`"))]
    NoGit,
    #[error("{path} is not in the folder of a team")]
    #[diagnostic(help("the teams here have their manifests at {manifests}"))]
    NoTeam { path: String, manifests: String },
}

/// A glob under `owns`.
#[derive(Debug, Serialize)]
struct Glob<'a> {
    member: &'a str,
    glob: &'a str,
    /// The line of the manifest, from 1.
    line: usize,
}

/// A file with those who own it.
#[derive(Debug, Serialize)]
struct Row<'a> {
    path: String,
    manifest: String,
    /// The members: none, the owner, or several members of whom each could be it.
    owners: Vec<&'a str>,
    /// The globs that decide.
    deciding: Vec<Glob<'a>>,
    /// The globs that match it, too, and are less precise, or of the same member.
    others: Vec<Glob<'a>>,
}

/// Prints who owns the files at `paths`, or all files; only those without an owner if `unowned`.
///
/// # Errors
/// When the files or the teams cannot be found, and what the writer says.
pub fn write(
    workspace: &Workspace,
    paths: &[PathBuf],
    unowned: bool,
    json: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let run = workspace.run(&[]);
    let teams = teams(workspace, &run)?;
    let files = files(paths, workspace, &run)?;
    let mut rows: Vec<Row<'_>> = Vec::new();
    let claims: Vec<Vec<Claim<'_>>> = teams.iter().map(|team| claims(&team.manifest)).collect();
    let mut of_teams: Vec<Vec<&BStr>> = vec![Vec::new(); teams.len()];
    for file in &files {
        let holds = |(_, team): &(usize, &Arc<LearningTeam>)| is_in(file.as_bstr(), team.folder.as_bstr());
        let innermost = teams.iter().enumerate().filter(holds).max_by_key(|(_, team)| team.folder.len());
        match innermost.and_then(|(at, _)| of_teams.get_mut(at)) {
            Some(files) => files.push(file.as_bstr()),
            // Who asks for everything asks for what belongs to teams.
            None if paths.is_empty() => {}
            None => {
                let manifests: Vec<String> = teams.iter().map(|team| display_path(team.manifest_path())).collect();
                return Err(NotListed::NoTeam { path: display_path(file), manifests: manifests.join(", ") }.into());
            }
        }
    }
    for ((team, claims), files) in teams.iter().zip(&claims).zip(of_teams) {
        let is_listed = |path: &BStr| !unowned || workspace.project.roots.locate(path).is_none();
        let files: Vec<&BStr> = files.into_iter().filter(|path| is_listed(path)).collect();
        rows.extend(rows_of(team, claims, &files));
    }
    rows.retain(|row| !unowned || row.owners.is_empty());
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let several = teams.len() > 1;
    if let (_, Some(failure)) = run.into_parts() {
        return Err(GitFailure::from(&failure).into());
    }
    match json {
        true => json_writer::write(&rows, out),
        false if unowned => rows.iter().try_for_each(|row| writeln!(out, "{}", display_path(row.path.as_bytes()))),
        false => write_text(&rows, several, out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)
}

/// The team whose manifest was named, or all of them.
fn teams(workspace: &Workspace, run: &Run<'_>) -> Result<Vec<Arc<LearningTeam>>, TeamError> {
    let manifests = learning_team::manifests(run);
    if workspace.manifest.is_some() || manifests.len() < 2 {
        return Ok(vec![workspace.team(run)?]);
    }
    manifests.iter().map(|path| workspace.team_at(run, path.as_bstr())).collect()
}

/// The files to list, relative to the root, each once, in order.
fn files(paths: &[PathBuf], workspace: &Workspace, run: &Run<'_>) -> Result<BTreeSet<BString>, CliError> {
    let asked = wanted(&workspace.project.repository, paths)?;
    let mut files = BTreeSet::new();
    let Some(tracked) = tracked_files::all(run) else {
        if paths.is_empty() && workspace.project.repository.git.is_none() {
            return Err(NotListed::NoGit.into());
        }
        files.extend(asked.into_iter().filter(|path| !path.is_empty()));
        return Ok(files);
    };
    let tracked: Vec<&BStr> = tracked.collect();
    // A folder means what is tracked in it; any other path is a file, also if there is none yet.
    for path in asked {
        let folder = if path.is_empty() { Vec::new() } else { [path.as_bytes(), b"/"].concat() };
        let from = tracked.partition_point(|file| file.as_bytes() < folder.as_slice());
        let inside = tracked.iter().skip(from).take_while(|file| file.starts_with(&folder));
        let known = files.len();
        files.extend(inside.map(|file| BString::from(*file)));
        if files.len() == known && !path.is_empty() {
            files.insert(path);
        }
    }
    Ok(files)
}

fn rows_of<'a>(team: &LearningTeam, claims: &[Claim<'a>], files: &[&BStr]) -> Vec<Row<'a>> {
    let inside = if team.folder.is_empty() { Vec::new() } else { [team.folder.as_bytes(), b"/"].concat() };
    let inner = |file: &&'_ BStr| file.strip_prefix(inside.as_slice()).unwrap_or_default().to_owned();
    let inner: Vec<Vec<u8>> = files.iter().map(inner).collect();
    let owners = ownership(claims).owners(inner.iter().map(|path| path.as_bstr()));
    let glob = |number: &usize| {
        let claim = claims.get(*number)?;
        let line = team.source.position(claim.glob.span.start(), ColumnUnit::Byte).line;
        Some(Glob { member: claim.name, glob: &claim.glob.value, line })
    };
    let row = |(file, owners): (&&BStr, crate::ownership::Owners)| {
        let deciding: Vec<Glob<'a>> = owners.deciding.iter().filter_map(glob).collect();
        // Any number of members can own the same files.
        let mut named: HashSet<&'a str> = HashSet::new();
        let decides: HashSet<usize> = owners.deciding.iter().copied().collect();
        Row {
            path: file.to_str_lossy().into_owned(),
            manifest: team.manifest_path().to_str_lossy().into_owned(),
            owners: deciding.iter().map(|glob| glob.member).filter(|member| named.insert(member)).collect(),
            others: owners.matching.iter().filter(|glob| !decides.contains(glob)).filter_map(glob).collect(),
            deciding,
        }
    };
    files.iter().zip(owners).map(row).collect()
}

/// A line a file: the path, who owns it, and the glob that says so.
fn write_text(rows: &[Row<'_>], several: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let joined = |texts: Vec<&str>| texts.iter().map(|text| escape(text)).collect::<Vec<_>>().join(", ");
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let owners = if row.owners.is_empty() { "-".to_owned() } else { joined(row.owners.clone()) };
            let mut globs = joined(row.deciding.iter().map(|glob| glob.glob).collect());
            if several {
                let blank = if globs.is_empty() { "" } else { " " };
                let _ = write!(globs, "{blank}({})", display_path(row.manifest.as_bytes()));
            }
            [display_path(row.path.as_bytes()), owners, globs]
        })
        .collect();
    let width = |column: fn(&[String; 3]) -> &String| cells.iter().map(|cells| column(cells).chars().count()).max();
    let (first, second) = (width(|cells| &cells[0]).unwrap_or(0), width(|cells| &cells[1]).unwrap_or(0));
    for [path, owners, globs] in &cells {
        let line = format!("{path:first$}  {owners:second$}  {globs}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
