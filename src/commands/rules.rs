//! `rules`: the catalogue as a table or as JSON.

use std::io::Write;

use serde::Serialize;

use super::{CliError, Exit};
use crate::cli::{RulesArgs, RulesFormat};
use crate::diagnostic::{Applicability, Severity};
use crate::report::json_writer;
use crate::rule::Registered;
use crate::rules;
use crate::terminal::Terminal;

/// A rule in `rules --format json`.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    family: &'static str,
    severity: Severity,
    enabled: bool,
    fixes: &'static [Applicability],
    since: &'static str,
    summary: String,
}

impl From<&Registered> for Row {
    fn from(registered: &Registered) -> Self {
        let rule = registered.rule;
        Self {
            name: rule.name,
            family: registered.family(),
            severity: rule.severity,
            enabled: rule.enabled,
            fixes: rule.fixes,
            since: rule.since,
            summary: registered.headline(),
        }
    }
}

/// Lists all rules.
pub fn run(args: &RulesArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let rows: Vec<Row> = rules::all().map(Row::from).collect();
    let mut out = terminal.stdout();
    match args.format {
        RulesFormat::Json => json_writer::write(&rows, &mut out).map_err(CliError::Output)?,
        RulesFormat::Text => {
            let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
            for row in &rows {
                let severity = if row.enabled { row.severity.as_str() } else { "off" };
                let fixes: Vec<_> = row.fixes.iter().map(|fix| fix.as_str()).collect();
                let fixes = if fixes.is_empty() { "-".to_owned() } else { fixes.join(",") };
                let (name, summary) = (row.name, &row.summary);
                writeln!(out, "{name:width$}  {severity:7}  {fixes:11}  {summary}").map_err(CliError::Output)?;
            }
        }
    }
    Ok(Exit::Clean)
}
