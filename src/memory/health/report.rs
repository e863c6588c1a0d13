//! How healthy a memory is, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::{Health, Item, Topic};
use crate::memory::list::json::VERSION;
use crate::report::json_writer;
use crate::terminal::{display_path, escape};

/// So many items of a topic are shown to people.
const SHOWN: usize = 20;
/// The longest line of a bar, in characters.
const BAR: u64 = 20;

/// Writes it for people.
///
/// # Errors
/// What the writer says.
pub fn text(health: &Health, out: &mut dyn Write) -> io::Result<()> {
    let (applies, all) = health.entries;
    writeln!(out, "{applies} of {all} entries apply")?;
    for topic in Topic::ALL {
        let items: Vec<&Item> = health.items.iter().filter(|item| item.topic == topic).collect();
        if items.is_empty() {
            continue;
        }
        writeln!(out, "\n{} ({})", topic.heading(), items.len())?;
        for item in items.iter().take(SHOWN) {
            let line = item.line.map(|line| format!(":{line}")).unwrap_or_default();
            writeln!(out, "  {}{line}: {}", display_path(&item.path), escape(&item.message))?;
        }
        if items.len() > SHOWN {
            writeln!(out, "  and {} more; `--format json` has all", items.len() - SHOWN)?;
        }
    }
    for (root, loads) in &health.loads {
        let root = if root.is_empty() { "the top".to_owned() } else { display_path(root) };
        writeln!(out, "\ntokens that each agent of {root} loads at start (limit: {})", health.most)?;
        let name = |load: &crate::facts::loaded::Load| escape(load.name());
        let width = loads.iter().map(|load| name(load).chars().count()).max().unwrap_or(0).min(24);
        for load in loads {
            let filled = (load.tokens.saturating_mul(BAR) / health.most).min(BAR);
            let bar: String = (0..BAR).map(|at| if at < filled { '█' } else { '·' }).collect();
            let mark = if load.tokens > health.most { " too many" } else { "" };
            let most = load.files.first().map(|(path, tokens)| format!("{} {tokens}", display_path(path)));
            writeln!(out, "  {:width$}  {bar} {:>7}{mark}  {}", name(load), load.tokens, most.unwrap_or_default())?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    entries: usize,
    in_force: usize,
    max_context_tokens: u64,
    items: Vec<ItemLine<'a>>,
    loads: Vec<LoadLine<'a>>,
}

#[derive(Serialize)]
struct ItemLine<'a> {
    topic: &'static str,
    severity: &'static str,
    path: String,
    line: Option<usize>,
    message: &'a str,
}

#[derive(Serialize)]
struct LoadLine<'a> {
    root: String,
    agent: Option<&'a str>,
    tokens: u64,
    files: Vec<FileLine>,
}

#[derive(Serialize)]
struct FileLine {
    path: String,
    tokens: u64,
}

/// Writes one object.
///
/// # Errors
/// What the writer says.
pub fn json(health: &Health, out: &mut dyn Write) -> io::Result<()> {
    let items = health.items.iter().map(|item| ItemLine {
        topic: item.topic.as_str(),
        severity: item.severity.as_str(),
        path: item.path.to_string(),
        line: item.line,
        message: &item.message,
    });
    let loads = health.loads.iter().flat_map(|(root, loads)| loads.iter().map(move |load| (root, load)));
    let file = |(path, tokens): &(bstr::BString, u64)| FileLine { path: path.to_string(), tokens: *tokens };
    let loads = loads.map(|(root, load)| LoadLine {
        root: root.to_string(),
        agent: load.agent.as_deref(),
        tokens: load.tokens,
        files: load.files.iter().map(file).collect(),
    });
    let output = Output {
        version: VERSION,
        entries: health.entries.1,
        in_force: health.entries.0,
        max_context_tokens: health.most,
        items: items.collect(),
        loads: loads.collect(),
    };
    json_writer::write(&output, out)
}
