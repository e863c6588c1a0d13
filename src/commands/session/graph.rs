//! `session graph`: the tasks of a session as a picture.

use std::io::{BufWriter, Write};

use crate::cli::session::{GraphArgs, GraphFormat};
use crate::commands::{CliError, Exit};
use crate::sessions::clock::Clock;
use crate::sessions::folder::Place;
use crate::sessions::graph::{dot, mermaid, svg};
use crate::sessions::tasks::Tasks;
use crate::terminal::Terminal;

/// Prints the graph.
pub(super) fn run(args: &GraphArgs, terminal: Terminal) -> Result<Exit, CliError> {
    // A graph is the same at each moment; like the other subcommands, this one says what is wrong with `--now`.
    Clock::new(args.place.now.as_deref())?;
    let place = Place::open_for(args.place.root.as_deref(), args.session.as_deref())?;
    let folder = place.one(args.session.as_deref())?;
    let (files, summary) = place.read(&folder)?;
    let graph = Tasks::of(&files, &summary).graph(format!("session {}", folder.name()));
    if graph.nodes.is_empty() {
        terminal.note(&format!("warning: session {} has no tasks", folder.name()));
    }
    for (path, reason) in &files.unreadable {
        terminal.note(&format!("warning: skipped {path}: {reason}"));
    }
    let mut out = BufWriter::new(terminal.stdout());
    match args.format {
        GraphFormat::Dot => dot::write(&graph, &mut out),
        GraphFormat::Mermaid => mermaid::write(&graph, &mut out),
        GraphFormat::Svg => svg::write(&graph, &mut out),
    }
    .and_then(|()| out.flush())
    .map_err(CliError::Output)?;
    Ok(Exit::Clean)
}
