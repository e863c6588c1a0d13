//! What holds as text: a configuration file with the same effect, and after each value where it comes from.

use std::io::{self, Write};

use serde_json::Value;

use super::{Effective, Setting};
use crate::config::render;
use crate::diagnostic::Level;
use crate::value_source::ValueSource;

/// Comments after longer values follow them directly.
const WIDEST: usize = 48;

/// Writes it to `out`.
pub fn write(effective: &Effective, out: &mut impl Write) -> io::Result<()> {
    let file = effective.config.as_deref().unwrap_or_default();
    writeln!(out, "# effective configuration of {}", effective.path.as_deref().unwrap_or("the repository"))?;
    match &effective.config {
        Some(path) => writeln!(out, "# configuration: {path}")?,
        None => writeln!(out, "# configuration: none")?,
    }
    for path in &effective.not_read {
        writeln!(out, "# not read: {path}")?;
    }
    if effective.path.is_some() {
        match &effective.root {
            Some(root) => writeln!(out, "# in the state root {root}")?,
            None => writeln!(out, "# in no state root")?,
        }
    }
    if let Some(excluded) = &effective.excluded {
        writeln!(out, "# excluded by {}: {}", render::string(&excluded.glob), from(excluded.origin, file))?;
    }

    let mut table = "";
    let mut block = Block::default();
    for setting in &effective.settings {
        let (of, key) = parts(&setting.key);
        if of != table {
            block.write(table, out)?;
            table = of;
        }
        block.add(setting, key, file, effective.root.is_some());
    }
    block.write(table, out)?;
    rules(effective, file, out)?;
    overrides(effective, file, out)
}

/// The table and the name of a key.
fn parts(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}

/// The lines of a table, with what is said after them.
#[derive(Default)]
struct Block {
    lines: Vec<(String, String)>,
    /// `exclude` comes in parts.
    globs: Vec<(String, String)>,
}

impl Block {
    fn add(&mut self, setting: &Setting, key: &str, file: &str, in_root: bool) {
        let origin = from(setting.origin, file);
        match (key, &setting.value) {
            ("exclude", Value::Array(globs)) => {
                self.globs.extend(globs.iter().map(|glob| (format!("  {},", render::value(glob)), origin.clone())));
                return;
            }
            // The moment is not a key of the file.
            ("now", moment) => self.lines.push((format!("# now = {}", render::value(moment)), origin)),
            ("policy", Value::Null) if in_root => {
                self.lines.push(("# policy: none for this state root".to_owned(), origin));
            }
            ("policy", Value::Null) => self.lines.push(("# policy: by the name of the state root".to_owned(), origin)),
            (key, Value::Null) => self.lines.push((format!("# {key}: not set"), origin)),
            (key, value) => self.lines.push((format!("{key} = {}", render::value(value)), origin)),
        }
        if !self.globs.is_empty() {
            let at = self.lines.len() - 1;
            let mut list = vec![("exclude = [".to_owned(), String::new())];
            list.append(&mut self.globs);
            list.push(("]".to_owned(), String::new()));
            self.lines.splice(at..at, list);
        }
    }

    fn write(&mut self, table: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(out)?;
        if !table.is_empty() {
            writeln!(out, "[{table}]")?;
        }
        let width = |line: &str| line.chars().count();
        let widest = self.lines.iter().map(|(line, _)| width(line)).filter(|&wide| wide <= WIDEST).max().unwrap_or(0);
        for (line, origin) in self.lines.drain(..) {
            match origin.is_empty() {
                true => writeln!(out, "{line}")?,
                false => writeln!(out, "{line}{:gap$}  # {origin}", "", gap = widest.saturating_sub(width(&line)))?,
            }
        }
        Ok(())
    }
}

/// The rules that report otherwise than by default.
fn rules(effective: &Effective, file: &str, out: &mut impl Write) -> io::Result<()> {
    let differ = effective.rules.iter().filter(|rule| rule.level != rule.default);
    let line = |level: &str, rule: &str| format!("\"{rule}\" = \"{level}\"");
    let lines: Vec<(String, String)> = differ
        .map(|rule| {
            let origin = format!("{}; default: {}", from(rule.origin, file), rule.default.as_str());
            (line(rule.level.as_str(), rule.name), origin)
        })
        .collect();
    if lines.is_empty() {
        return writeln!(out, "\n# every rule is at its default");
    }
    Block { lines, ..Block::default() }.write("rules", out)
}

/// The overrides: with a path they are in the levels of the rules.
fn overrides(effective: &Effective, file: &str, out: &mut impl Write) -> io::Result<()> {
    for over in &effective.overrides {
        let files = over.files.iter().map(|glob| render::string(glob)).collect::<Vec<_>>().join(", ");
        if effective.path.is_some() {
            writeln!(out, "\n# the override for {files} is in these levels: {}", from(over.origin, file))?;
            continue;
        }
        writeln!(out, "\n[[overrides]]  # {}\nfiles = [{files}]", from(over.origin, file))?;
        let level = |(name, level): (&String, &Level)| format!("{} = \"{}\"", render::string(name), level.as_str());
        let levels: Vec<String> = over.rules.iter().map(level).collect();
        match levels.is_empty() {
            true => writeln!(out, "rules = {{}}")?,
            false => writeln!(out, "rules = {{ {} }}", levels.join(", "))?,
        }
    }
    Ok(())
}

/// An origin in words; `file` is the configuration.
fn from(origin: ValueSource, file: &str) -> String {
    match origin {
        ValueSource::Default | ValueSource::Member | ValueSource::Team => "default".to_owned(),
        ValueSource::File { line } => format!("{file}:{line}"),
        ValueSource::CommandLine { option } => format!("command line, {option}"),
        ValueSource::Environment { variable } => format!("environment, {variable}"),
    }
}
