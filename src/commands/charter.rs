//! `charter`: what a profile says about charters.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{CliError, Exit, stdin};
use crate::charters::{Found, report};
use crate::cli::charter::{CharterArgs, CharterFormat};
use crate::cli::request::stdin_name;
use crate::project::{At, Project};
use crate::settings::CharterProfile;
use crate::terminal::{Terminal, escape};
use crate::text::prose::plural;

/// Validates charters.
pub fn run(args: &CharterArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let stdin_name = stdin_name(args.stdin_filename.as_deref(), &args.files)?;
    let first = stdin_name.or(args.files.first().map(PathBuf::as_path));
    let project = Project::open_with(&args.project.open(first.map_or(At::Here, At::Path)))?;
    let configured = project.options.charter.profile.map(CharterProfile::as_str);
    let profile = args.profile.as_deref().or(configured);
    let found = match stdin_name {
        Some(name) => on_stdin(name, &project, terminal)?,
        None => Found::on_disk(&project, &args.files, terminal)?,
    };
    // A file that was named and is no Markdown was not validated.
    let other =
        args.files.iter().find(|_| found.charters.is_empty() && found.excluded == 0).filter(|file| file.is_file());
    if let Some(file) = other {
        let file = escape(&file.to_string_lossy());
        terminal.note(&format!("warning: `{file}` is not a charter, expected a Markdown file; nothing was validated"));
    } else if found.charters.is_empty() && !found.incomplete {
        terminal.note(&match found.excluded {
            0 => "warning: nothing was validated: there is no charter".to_owned(),
            count => format!("warning: nothing was validated: {} excluded", plural(count, "file")),
        });
    }
    let verdicts = found.verdicts(profile);
    let mut out = BufWriter::new(terminal.stdout());
    match args.format {
        CharterFormat::Json => report::json(&verdicts, profile, &mut out),
        CharterFormat::Text => report::text(&verdicts, terminal.quiet, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    let worst = verdicts.iter().filter_map(|(_, verdict)| verdict.severity()).max();
    Ok(match worst {
        _ if found.incomplete || other.is_some() => Exit::Incomplete,
        Some(severity) if severity >= project.options.fail_on => Exit::Findings,
        _ => Exit::Clean,
    })
}

/// The charter on standard input, under this name.
fn on_stdin(name: &Path, project: &Project, terminal: Terminal) -> Result<Found, CliError> {
    let bytes = stdin::read(project.options.max_file_bytes.get())?;
    let mut found = Found::default();
    found.add(name.as_os_str().as_encoded_bytes().into(), bytes, terminal);
    Ok(found)
}
