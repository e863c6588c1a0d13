//! The graph as a picture: one file of SVG that needs no other.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::layout::{self, BOX, Edge};
use super::{Graph, Node, NodeState};
use crate::report::xml::{self, Xml};
use crate::sessions::cut;

/// The colours, also for a dark screen. Each element has a class: some viewers know no other selectors.
const STYLE: &str = ".text,.id,.head{font:13px system-ui,sans-serif;fill:#1b1f24}.id{font-weight:600}\
.head{font-size:16px;font-weight:600}.paper{fill:#fff;stroke:none}.tip{fill:#77808a}\
.edge{fill:none;stroke:#77808a;stroke-width:1.4}.closes{fill:none;stroke:#c4314b;stroke-width:1.4;stroke-dasharray:5 4}\
.completed{fill:#d7f0dd;stroke:#2f7d46}.in_progress{fill:#d6e6fb;stroke:#2563a8}.blocked{fill:#f9d7dc;stroke:#c4314b}\
.ready{fill:#fdf0cd;stroke:#a87b12}.waiting{fill:#ececec;stroke:#77808a}\
.missing{fill:none;stroke:#77808a;stroke-dasharray:4 3}\
@media(prefers-color-scheme:dark){.text,.id,.head{fill:#e6e9ed}.paper{fill:#15181c}.waiting{fill:#2b3036}\
.completed{fill:#1d4029}.in_progress{fill:#1c3a5e}.blocked{fill:#55202a}.ready{fill:#4b3b12}}";

/// The height of the title and the legend.
const HEAD: i64 = 70;

/// How many columns of text fit a task.
const COLUMNS: usize = 27;

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let layout = layout::of(graph, HEAD);
    let states: Vec<NodeState> =
        NodeState::ALL.into_iter().filter(|state| graph.nodes.iter().any(|node| node.state == *state)).collect();
    let legend = 18 + 130 * i64::try_from(states.len()).unwrap_or(0);
    let (width, height) = (layout.size.0.max(legend).max(420), layout.size.1);
    let view = format!("0 0 {width} {height}");
    xml::document(out, |xml| {
        let svg = xml
            .create_element("svg")
            .with_attribute(("xmlns", "http://www.w3.org/2000/svg"))
            .with_attribute(("viewBox", view.as_str()))
            .with_attribute(("width", width.to_string().as_str()))
            .with_attribute(("height", height.to_string().as_str()))
            .with_attribute(("role", "img"));
        svg.write_inner_content(|xml| {
            xml.create_element("title").write_text_content(xml::content([graph.title.as_str()]))?;
            xml.create_element("style").write_text_content(xml::content([STYLE]))?;
            marker(xml)?;
            rect(xml, "paper", (0, 0), (width, height))?;
            text(xml, "head", (18, 28), &graph.title)?;
            for (at, state) in (0_i64..).zip(&states) {
                let x = 18 + 130 * at;
                rect(xml, state.as_str(), (x, 42), (14, 14))?;
                text(xml, "text", (x + 20, 54), state.words())?;
            }
            layout.edges.iter().try_for_each(|edge| path(xml, edge))?;
            graph.nodes.iter().zip(&layout.boxes).try_for_each(|(node, corner)| task(xml, node, *corner))
        })?;
        Ok(())
    })
}

/// The head of an arrow.
fn marker(xml: &mut Xml<'_>) -> io::Result<()> {
    xml.create_element("defs").write_inner_content(|xml| {
        let marker = xml
            .create_element("marker")
            .with_attribute(("id", "arrow"))
            .with_attribute(("viewBox", "0 0 8 8"))
            .with_attribute(("refX", "8"))
            .with_attribute(("refY", "4"))
            .with_attribute(("markerWidth", "8"))
            .with_attribute(("markerHeight", "8"))
            .with_attribute(("orient", "auto"));
        marker.write_inner_content(|xml| {
            xml.create_element("path")
                .with_attribute(("class", "tip"))
                .with_attribute(("d", "M0 0 8 4 0 8z"))
                .write_empty()?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn rect(xml: &mut Xml<'_>, class: &str, (x, y): (i64, i64), (width, height): (i64, i64)) -> io::Result<()> {
    xml.create_element("rect")
        .with_attribute(("class", class))
        .with_attribute(("x", x.to_string().as_str()))
        .with_attribute(("y", y.to_string().as_str()))
        .with_attribute(("width", width.to_string().as_str()))
        .with_attribute(("height", height.to_string().as_str()))
        .with_attribute(("rx", "6"))
        .write_empty()?;
    Ok(())
}

fn text(xml: &mut Xml<'_>, class: &str, (x, y): (i64, i64), line: &str) -> io::Result<()> {
    xml.create_element("text")
        .with_attribute(("class", class))
        .with_attribute(("x", x.to_string().as_str()))
        .with_attribute(("y", y.to_string().as_str()))
        .write_text_content(xml::content([line]))?;
    Ok(())
}

fn task(xml: &mut Xml<'_>, node: &Node, (x, y): (i64, i64)) -> io::Result<()> {
    let details = node.details();
    let whole = std::iter::once(node.id.as_str()).chain(details.iter().map(String::as_str));
    let whole = whole.collect::<Vec<_>>().join(", ");
    xml.create_element("g").write_inner_content(|xml| {
        // Shown where the mouse is: the lines in the box can be cut.
        xml.create_element("title").write_text_content(xml::content([whole.as_str()]))?;
        rect(xml, node.state.as_str(), (x, y), BOX)?;
        text(xml, "id", (x + 10, y + 19), &cut(&node.id, COLUMNS))?;
        for (line, down) in details.iter().zip([35, 50]) {
            text(xml, "text", (x + 10, y + down), &cut(line, COLUMNS))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn path(xml: &mut Xml<'_>, edge: &Edge) -> io::Result<()> {
    let mut curve = String::new();
    let low = edge.bottom();
    for (at, points) in edge.points.windows(2).enumerate() {
        let &[(x1, y1), (x2, y2)] = points else { continue };
        if at == 0 {
            let _ = write!(curve, "M{x1} {y1}");
        }
        let middle = i64::midpoint(x1, x2);
        let _ = match edge.closes {
            true if x1 == x2 => write!(curve, "C{} {low} {} {low} {x2} {y2}", x1 + 60, x1 - 60),
            true => write!(curve, "C{x1} {low} {x2} {low} {x2} {y2}"),
            // Over a layer it runs straight.
            false if y1 == y2 => write!(curve, "H{x2}"),
            false => write!(curve, "C{middle} {y1} {middle} {y2} {x2} {y2}"),
        };
    }
    xml.create_element("path")
        .with_attribute(("class", if edge.closes { "closes" } else { "edge" }))
        .with_attribute(("d", curve.as_str()))
        .with_attribute(("marker-end", "url(#arrow)"))
        .write_empty()?;
    Ok(())
}
