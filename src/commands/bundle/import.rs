//! `bundle import`: a bundle becomes the squad of a project.

use std::collections::BTreeSet;
use std::io::Write;

use super::findings;
use crate::bundle::check::check;
use crate::bundle::import::{Plan, TARGET, refuse_existing};
use crate::bundle::load::Loaded;
use crate::cli::bundle::ImportArgs;
use crate::commands::{CliError, Exit};
use crate::fix::diff;
use crate::fix::passes::FixedFile;
use crate::formats::timestamp::Timestamp;
use crate::fs::new_folder;
use crate::project::{At, Project};
use crate::terminal::{Terminal, display_path, escape};
use crate::text::prose::{enumerated, plural};

/// The bundle has errors.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("nothing was imported: the bundle has {problems}")]
#[diagnostic(help("repair the bundle, or export the squad again"))]
struct NotImported {
    problems: String,
}

/// So many names are printed.
const SHOWN: usize = 20;

/// Imports the bundle, or shows what the import would write.
pub fn run(args: &ImportArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let project = Project::open_with(&args.project.open(At::Here))?;
    let root = &project.repository.root;
    if !args.diff {
        new_folder::sweep(root);
    }
    refuse_existing(root)?;
    let bytes = Loaded::bytes(&args.file, project.options.max_file_bytes.get())?;
    let name = args.file.as_os_str().as_encoded_bytes();
    let outcome = check(&project, name.into(), bytes.clone())?;
    let errors = findings::show(&outcome, terminal)?;
    if errors > 0 {
        return Err(NotImported { problems: plural(errors, "error") }.into());
    }
    let loaded = Loaded::parse(&args.file, bytes)?;
    let at = Timestamp::from_unix(project.options.now.unix()).to_string().replace("+0000", "Z");
    let stem = args.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let plan = Plan::of(&loaded, &stem, &at)?;
    if args.diff {
        let file = |(path, new): (String, Vec<u8>)| FixedFile {
            path: format!("{TARGET}/{path}").into(),
            old: None,
            new,
            count: 0,
            after: BTreeSet::new(),
        };
        let files: Vec<FixedFile> = plan.files.into_iter().map(file).collect();
        diff::print(&files).map_err(CliError::Output)?;
        return Ok(Exit::Clean);
    }
    plan.write(root)?;
    if !terminal.quiet {
        report(&plan, &display_path(name), &mut terminal.stdout()).map_err(CliError::Output)?;
    }
    if !plan.left_out.is_empty() {
        terminal.note(&format!("note: left out: {}", names(&plan.left_out)));
    }
    Ok(Exit::Clean)
}

fn report(plan: &Plan, file: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let agents = plural(plan.agents.len(), "agent");
    writeln!(out, "imported {agents} from {file} into {TARGET}/: {}", names(&plan.agents))?;
    writeln!(out, "next:")?;
    writeln!(out, "  1. review {TARGET}/, and commit it")?;
    writeln!(out, "  2. run `squad init` if the project does not have the coordinator of Squad yet")?;
    writeln!(out, "  3. tell the team about the project: `## Project Context` in {TARGET}/team.md is to be filled in")
}

/// The first of `names`, and how many others there are.
fn names(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| escape(name)).collect();
    if let Some(more) = names.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        shown.push(plural(more, "other"));
    }
    enumerated(&shown)
}
