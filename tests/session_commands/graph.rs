//! The tasks as a graph, in three formats.

use std::path::Path;

use super::{SESSION, run, session};
use crate::support::{stderr, stdout, write};

fn plan(folder: &Path, name: usize, task: &str, requires: &[&str]) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let requires: Vec<String> = requires.iter().map(|task| quoted(task)).collect();
    let text = format!(
        "meta:\n  task_id: {}\n  agent: a\n  created_at: 2024-01-15T10:05:00Z\n  priority: high\ndependencies:\n  \
         requires: [{}]\ninstruction: work\n",
        quoted(task),
        requires.join(", ")
    );
    write(folder, format!("{SESSION}/role-plan-a-{name:04}.md"), text);
}

fn graph(folder: &Path, format: &str) -> String {
    let output = super::squad_lint(folder).args(["session", "graph", "--format", format]).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{format}");
    stdout(&output)
}

/// Names that mean something in each of the formats.
const NAMES: [&str; 7] =
    ["end", "a\"b", "<script>alert(1)</script>", "x\\", "a & b", "graph [\"x\"] --> y; %%", "\u{202e}]]>"];

#[test]
fn names_are_names_in_every_format() {
    let folder = session();
    for (at, name) in NAMES.iter().enumerate() {
        plan(folder.path(), at, name, if at == 0 { &[] } else { &NAMES[at - 1..at] });
    }
    let dot = graph(folder.path(), "dot");
    for expected in [
        "\"a\\\"b\" [label=\"a\\\"b\\na\\nwaiting\"",
        "\"x\\\\\" [label=",
        "\"a\\\"b\" -> \"<script>alert(1)</script>\";",
    ] {
        assert!(dot.contains(expected), "{expected}\n{dot}");
    }
    let mermaid = graph(folder.path(), "mermaid");
    assert!(mermaid.starts_with("flowchart LR\n  t0[\"end<br/>a<br/>ready\"]:::ready\n"), "{mermaid}");
    for line in mermaid.lines().filter(|line| line.contains(":::")) {
        let inner = line.split_once("[\"").unwrap().1.rsplit_once("\"]").unwrap().0.replace("<br/>", "");
        assert!(!inner.contains(['"', '<', '>', '`', '\u{202e}']), "{line}");
    }
    assert!(mermaid.contains("  t0 --> t1\n"), "{mermaid}");
    let svg = graph(folder.path(), "svg");
    assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script") && !svg.contains('\u{202e}'), "{svg}");
    // One file: nothing is fetched.
    assert_eq!(svg.matches("http").count(), 1, "{svg}");
    assert!(svg.contains("xmlns=\"http://www.w3.org/2000/svg\""));
}

#[test]
fn a_picture_is_xml_with_all_tasks_and_edges() {
    let folder = session();
    for at in 0..40 {
        let before: Vec<String> =
            [at * 3 / 4, at / 2].iter().filter(|other| **other != at).map(|at| format!("t{at}")).collect();
        plan(folder.path(), at, &format!("t{at}"), &before.iter().map(String::as_str).collect::<Vec<_>>());
    }
    plan(folder.path(), 40, "circle", &["circle", "gone"]);
    let svg = graph(folder.path(), "svg");
    // What opens closes, in order.
    let (mut open, mut rest) = (Vec::new(), svg.as_str());
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, behind) = after.split_once('>').unwrap();
        let name = tag.split([' ', '/']).next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.starts_with('?') || tag.ends_with('/') => {}
            None => open.push(name),
        }
        rest = behind;
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(svg.matches("<g>").count(), 42);
    let edges = graph(folder.path(), "mermaid").lines().filter(|line| line.contains("->")).count();
    assert_eq!(svg.matches("marker-end").count(), edges);
    assert_eq!(svg.matches("class=\"closes\"").count(), 1);
    assert!(svg.contains(">missing</text>"));
}

#[test]
fn a_thousand_tasks() {
    let folder = session();
    for at in 0..1_000 {
        let before: Vec<String> =
            [1, 7, 50].iter().filter(|step| at >= **step).map(|step| format!("t{}", at - step)).collect();
        plan(folder.path(), at, &format!("t{at}"), &before.iter().map(String::as_str).collect::<Vec<_>>());
    }
    assert_eq!(graph(folder.path(), "svg").matches("<g>").count(), 1_000);
    let output = run(folder.path(), &["status"]);
    assert!(stdout(&output).contains("999 waiting"));
}

#[test]
fn without_tasks_or_without_a_session() {
    let folder = session();
    let output = super::squad_lint(folder.path()).args(["session", "graph"]).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "flowchart LR\n"));
    assert!(stderr(&output).contains("has no tasks"), "{}", stderr(&output));
    write(folder.path(), ".squad/sessions/other/session-status.md", super::status("active"));
    let output = super::squad_lint(folder.path()).args(["session", "graph"]).output().unwrap();
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("several sessions are active"),
        "{}",
        stderr(&output)
    );
}
