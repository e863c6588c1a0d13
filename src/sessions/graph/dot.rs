//! The graph for Graphviz: `dot -Tsvg`.

use std::io::{self, Write};

use super::{Graph, NodeState};
use crate::terminal::escape;

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(&[&graph.title]))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];")?;
    for node in &graph.nodes {
        let details = node.details();
        let lines: Vec<&str> = std::iter::once(node.id.as_str()).chain(details.iter().map(String::as_str)).collect();
        let (label, color) = (quoted(&lines), color(node.state));
        let dashed = if node.state == NodeState::Missing { ", style=\"rounded,dashed\"" } else { "" };
        writeln!(out, "  {} [label={label}, fillcolor=\"{color}\"{dashed}];", quoted(&[&node.id]))?;
    }
    let closing = graph.closing();
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (graph.nodes.get(edge.0), graph.nodes.get(edge.1)) else { continue };
        let closes = if closing.contains(edge) { " [color=\"#c4314b\", style=dashed, constraint=false]" } else { "" };
        writeln!(out, "  {} -> {}{closes};", quoted(&[&from.id]), quoted(&[&to.id]))?;
    }
    writeln!(out, "}}")
}

fn color(state: NodeState) -> &'static str {
    match state {
        NodeState::Completed => "#d7f0dd",
        NodeState::InProgress => "#d6e6fb",
        NodeState::Blocked => "#f9d7dc",
        NodeState::Ready => "#fdf0cd",
        NodeState::Waiting => "#ececec",
        NodeState::Missing => "#ffffff",
    }
}

/// `lines` as a string of Graphviz, in which a backslash begins a command.
fn quoted(lines: &[&str]) -> String {
    let line = |line: &&str| escape(line).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", lines.iter().map(line).collect::<Vec<_>>().join("\\n"))
}
