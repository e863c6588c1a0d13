//! `explain RULE`: the rule's page.

use std::io::Write;

use super::{CliError, Exit};
use crate::cli::ExplainArgs;
use crate::formats::sem::schema::EXAMPLE;
use crate::project::rules::UnknownRule;
use crate::rule::{Registered, Rule};
use crate::rules;
use crate::terminal::Terminal;

/// Prints the page of a rule, or the pages of a family one after the other.
pub fn run(args: &ExplainArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let name = args.rule.as_str();
    let pages: Vec<&Registered> =
        rules::all().filter(|registered| registered.rule.name == name || registered.family() == name).collect();
    if pages.is_empty() {
        return Err(UnknownRule::new(name).into());
    }
    let mut out = terminal.stdout();
    if name == "sem" {
        let required = "An entry requires the header, `type`, `timestamp`, `author` and `summary`, and a `---` before the next \
                        entry.";
        let intro =
            format!("# sem\n\nA whole entry in Squad Entry Markdown:\n\n```markdown\n{EXAMPLE}```\n\n{required}\n\n");
        out.write_all(intro.as_bytes()).map_err(CliError::Output)?;
    }
    for (at, registered) in pages.into_iter().enumerate() {
        let gap = if at == 0 { "" } else { "\n" };
        write!(out, "{gap}{}\n{}\n", registered.page().trim_end(), facts(registered.rule)).map_err(CliError::Output)?;
    }
    Ok(Exit::Clean)
}

/// The line under a page: severity, fixes, version.
fn facts(rule: &Rule) -> String {
    let severity = if rule.enabled { rule.severity.to_string() } else { format!("off ({} when on)", rule.severity) };
    let fixes: Vec<_> = rule.fixes.iter().map(|fix| fix.as_str()).collect();
    let fixes = if fixes.is_empty() { "none".to_owned() } else { fixes.join(", ") };
    format!("\nSeverity: {severity}. Fix: {fixes}. Since {}.", rule.since)
}
