//! `health`: what in a memory expired, is stale, weighs too much, or can leave.

use std::io::{BufWriter, Write};

use super::memory::asked::Asked;
use super::{CliError, Exit};
use crate::cli::health::{HealthArgs, HealthFormat};
use crate::engine::Progress;
use crate::memory::health::{Found, Health, RULES, report};
use crate::memory::record::DAY;
use crate::memory::records;
use crate::project::Project;
use crate::terminal::Terminal;
use crate::writing::archive;

/// Shows how healthy the memory is that `args` name.
pub fn run(args: &HealthArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let asked = Asked { project: &args.project, paths: &args.paths, rev: args.rev.as_deref() };
    let rules = RULES.map(|(rule, _)| rule.to_owned());
    asked.check(&rules, terminal, |project, run, outcome| {
        let records = records::of(run);
        let over = archiving(&asked, project)?.over;
        let found = Found { outcome, over: &over };
        let health = Health::of(run, &records, found, i64::from(args.soon) * DAY);
        let mut out = BufWriter::new(terminal.stdout());
        match args.format {
            HealthFormat::Text => report::text(&health, &mut out),
            HealthFormat::Json => report::json(&health, &mut out),
        }
        .and_then(|()| out.flush())
        .map_err(CliError::Output)?;
        let (fail_on, _) = project.options.severities(args.fail_on, None);
        let fails = health.worst().is_some_and(|worst| worst >= fail_on);
        Ok(if fails { Exit::Findings } else { Exit::Clean })
    })
}

/// What archiving the files comes to.
fn archiving(asked: &Asked<'_>, project: &Project) -> Result<archive::Plan, CliError> {
    let progress = Progress::default();
    let mut session = asked.session(project, archive::rules(), &progress)?;
    let root = asked.rev.is_none().then_some(project.repository.root.as_path());
    Ok(archive::plan(&mut session, root))
}
