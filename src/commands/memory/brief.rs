//! `memory brief`: what one agent needs most of the memory.

use std::io::{BufWriter, Write};

use super::asked::Asked;
use crate::cli::memory::{BriefArgs, BriefFormat};
use crate::commands::{CliError, Exit};
use crate::memory::brief::{self, About, BudgetError, Wish, report};
use crate::memory::people::People;
use crate::memory::records;
use crate::terminal::Terminal;

/// Prints the brief that `args` ask for.
pub(super) fn run(args: &BriefArgs, terminal: Terminal) -> Result<Exit, CliError> {
    if args.budget == 0 {
        return Err(BudgetError::Zero.into());
    }
    let asked = Asked { project: &args.project, paths: &[], rev: args.rev.as_deref() };
    asked.answer(
        |file| records::are_in(file.kind),
        terminal,
        |project, run| {
            let people = People::of(run);
            let agent = people.agent(&args.reader)?;
            let all = records::of(run);
            let about: Vec<About> = args.about.iter().map(|path| About::new(&path.to_string_lossy())).collect();
            let wish = Wish { agent: &agent, budget: args.budget, about: &about, now: project.options.now };
            let brief = brief::make(&all, &wish)?;
            let mut out = BufWriter::new(terminal.stdout());
            match args.format {
                BriefFormat::Md => out.write_all(brief.text.as_bytes()),
                BriefFormat::Json => report::json(&brief, &wish, &mut out),
            }
            .and_then(|()| out.flush())
            .map_err(CliError::Output)?;
            if args.explain {
                let mut said = BufWriter::new(terminal.stderr());
                // A closed standard error does not take the brief back.
                let _ = report::text(&brief, &mut said).and_then(|()| said.flush());
            }
            terminal.note(&report::total(&brief, &wish));
            Ok(Exit::Clean)
        },
    )
}
