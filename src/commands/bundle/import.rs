//! `bundle import`: a bundle becomes the squad of a project.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use super::findings::{self, Errors};
use crate::bundle::check::{check, unread};
use crate::bundle::import::{Plan, TARGET, place, refuse_existing};
use crate::bundle::load::{LoadError, Loaded};
use crate::cli::bundle::ImportArgs;
use crate::commands::{CliError, Exit, stdin};
use crate::fix::diff;
use crate::fix::passes::FixedFile;
use crate::formats::bundle::shortened;
use crate::formats::timestamp::Timestamp;
use crate::fs::new_folder;
use crate::fs::read::FileError;
use crate::project::Project;
use crate::terminal::{Terminal, display_path, escape};
use crate::text::prose::{enumerated, plural};

/// The bundle has errors.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("nothing was imported: the bundle has {}", plural(*errors, "error"))]
#[diagnostic(help("{help}"))]
struct NotImported {
    errors: usize,
    help: &'static str,
}

/// What to do about a bundle that is never imported, and about one that can be.
const REPAIR: &str = "repair the bundle, or export the squad again";
const ALLOW: &str = "repair the bundle, or import it anyway with `--allow-findings`";

/// So many names are printed.
const SHOWN: usize = 20;

/// Imports the bundle, or shows what the import would write.
pub fn run(args: &ImportArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(args.now.as_deref()))?;
    let root = &project.repository.root;
    if !args.diff {
        new_folder::sweep(root);
    }
    refuse_existing(root)?;
    let cap = project.options.max_file_bytes.get();
    let is_stdin = args.file.as_os_str() == "-";
    let path = if is_stdin { Path::new("standard input") } else { &args.file };
    let name = path.as_os_str().as_encoded_bytes();
    let bytes = match is_stdin {
        true => stdin::read(cap)?,
        false => match Loaded::bytes(path, cap) {
            Err(LoadError::Read { source, .. }) if matches!(source, FileError::TooBig { .. }) => {
                let errors = findings::show(&unread(name.into(), &source.into()), terminal)?.all;
                return Err(NotImported { errors, help: REPAIR }.into());
            }
            bytes => bytes?,
        },
    };
    let outcome = check(&project, name.into(), bytes.clone())?;
    match findings::show(&outcome, terminal)? {
        Errors { all: 0, .. } => {}
        Errors { of_bundle: 0, .. } if args.allow_findings => {}
        Errors { all, of_bundle } => {
            let help = if of_bundle > 0 { REPAIR } else { ALLOW };
            return Err(NotImported { errors: all, help }.into());
        }
    }
    let loaded = Loaded::parse(path, bytes)?;
    let at = Timestamp::from_unix(project.options.now.unix()).to_string().replace("+0000", "Z");
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let plan = Plan::of(&loaded, &stem, &at)?;
    if args.diff {
        let file = |(path, new): (String, Vec<u8>)| {
            let path = format!("{TARGET}/{path}").into();
            FixedFile { path, old: None, new, count: 0, after: BTreeSet::new() }
        };
        let files: Vec<FixedFile> = plan.files.into_iter().map(file).collect();
        diff::print(&files).map_err(CliError::Output)?;
        return Ok(Exit::Clean);
    }
    plan.write(root)?;
    if !terminal.quiet {
        report(&plan, (&display_path(name), &place(root, TARGET)), &mut terminal.stdout()).map_err(CliError::Output)?;
    }
    let lists = [("left out", plan.left_out), ("renamed", plan.renamed)].into_iter();
    let lists = lists.filter(|(_, list)| !list.is_empty()).map(|(what, list)| format!("{what}: {}", names(&list)));
    lists.chain(plan.made_up).for_each(|note| terminal.note(&format!("note: {note}")));
    Ok(Exit::Clean)
}

fn report(plan: &Plan, (file, target): (&str, &str), out: &mut dyn Write) -> std::io::Result<()> {
    let agents = plural(plan.agents.len(), "agent");
    let skills = if plan.skills > 0 { format!(" and {}", plural(plan.skills, "skill")) } else { String::new() };
    let list = if plan.agents.is_empty() { String::new() } else { format!(": {}", names(&plan.agents)) };
    writeln!(out, "imported {agents}{skills} from {file} into {target}/{list}\nnext:")?;
    writeln!(out, "  1. review {target}/, and commit it")?;
    writeln!(out, "  2. run `squad init` if the project does not have the coordinator of Squad yet")?;
    writeln!(out, "  3. fill in `## Project Context` in {target}/team.md, or let the team ask you about the project")?;
    match plan.of_old_folder().as_slice() {
        [] => Ok(()),
        old => writeln!(out, "  4. change `.ai-team/` to `.squad/`, where the files are now, in {}", names(old)),
    }
}

/// The first of `names`, and how many others there are.
fn names(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| escape(&shortened(name))).collect();
    if let Some(more) = names.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        shown.push(plural(more, "other"));
    }
    enumerated(&shown)
}
