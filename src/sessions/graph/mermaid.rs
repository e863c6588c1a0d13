//! The graph for Mermaid, which GitHub shows in a block ```` ```mermaid ````.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Graph, NodeState};
use crate::terminal::escape;

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "flowchart LR")?;
    for (at, node) in graph.nodes.iter().enumerate() {
        let lines = std::iter::once(node.id.clone()).chain(node.details()).map(|line| text(&line));
        // The names of tasks can be words of Mermaid, such as `end`.
        writeln!(out, "  t{at}[\"{}\"]:::{}", lines.collect::<Vec<_>>().join("<br/>"), node.state.as_str())?;
    }
    let closing = graph.closing();
    for edge in &graph.edges {
        let arrow = if closing.contains(edge) { "-.->" } else { "-->" };
        writeln!(out, "  t{} {arrow} t{}", edge.0, edge.1)?;
    }
    for state in NodeState::ALL {
        if graph.nodes.iter().any(|node| node.state == state) {
            writeln!(out, "  classDef {} {}", state.as_str(), style(state))?;
        }
    }
    Ok(())
}

fn style(state: NodeState) -> &'static str {
    match state {
        NodeState::Completed => "fill:#d7f0dd,stroke:#2f7d46,color:#111",
        NodeState::InProgress => "fill:#d6e6fb,stroke:#2563a8,color:#111",
        NodeState::Blocked => "fill:#f9d7dc,stroke:#c4314b,color:#111",
        NodeState::Ready => "fill:#fdf0cd,stroke:#a87b12,color:#111",
        NodeState::Waiting => "fill:#ececec,stroke:#777,color:#111",
        NodeState::Missing => "fill:#fff,stroke:#777,color:#111,stroke-dasharray:4",
    }
}

/// `text` with a code for each character that Mermaid or HTML reads as more than text.
fn text(text: &str) -> String {
    escape(text).chars().fold(String::new(), |mut out, c| {
        let _ = match c {
            c if c.is_alphanumeric() || " _-.,:()%/+=!?[]".contains(c) => write!(out, "{c}"),
            c => write!(out, "#{};", u32::from(c)),
        };
        out
    })
}
