//! A page of Markdown for the summary of a job: what was found, by rule and by file, and how to fix it.
//!
//! Text from files appears only in code blocks and code spans, where Markdown has no markup, links or mentions.

use std::io::{self, Write};

use super::statistics::counts;
use super::{FixCount, FormatSpec, Report, Summary};
use crate::diagnostic::{Diagnostic, Severity};
use crate::terminal::{display_path, escape};
use crate::text::ColumnUnit;
use crate::text::prose::plural;

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "the summary page of a job",
    shows: "counts, findings by file, how to fix",
    write,
    has_notes: true,
    ..FormatSpec::NEW
};

/// The maximum number of findings: GitHub shows a page of at most 1 MiB.
const TOLD: usize = 500;
/// The longest line of what comes from a file, in characters.
const LONG: usize = 600;

/// Writes the page.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## squad-lint\n")?;
    totals(report, out)?;
    if !report.unread.is_empty() {
        writeln!(out, "\n### Not read\n")?;
        block(out, report.unread.iter().map(|unread| format!("error: {}", line(&unread.message))))?;
    }
    let shown: Vec<&Diagnostic> = report.shown().collect();
    if !shown.is_empty() {
        rules(report, out)?;
        writeln!(out, "\n### Files")?;
    }
    for file in shown.get(..TOLD).unwrap_or(&shown).chunk_by(|a, b| a.path == b.path) {
        let Some(first) = file.first() else { continue };
        writeln!(out, "\n#### {}\n", code(&line(&display_path(&first.path))))?;
        block(out, file.iter().flat_map(|found| told(report, found)))?;
    }
    if let Some(more) = shown.len().checked_sub(TOLD).filter(|more| *more > 0) {
        writeln!(out, "\n{more} more are not shown here.")?;
    }
    let suppressed: Vec<_> = report.suppressed().take(TOLD).collect();
    if !suppressed.is_empty() {
        writeln!(out, "\n### Suppressed\n")?;
        block(
            out,
            suppressed.iter().map(|one| {
                format!("{}: {}", line(&display_path(&one.diagnostic.path)), headline(report, &one.diagnostic))
            }),
        )?;
    }
    if shown.is_empty() { Ok(()) } else { how_to_fix(report, out) }
}

fn totals(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Summary { errors, warnings, infos, files, .. } = report.summary();
    let counted = [(errors, "error"), (warnings, "warning"), (infos, "info")];
    let found: Vec<String> =
        counted.iter().filter(|(count, _)| *count > 0).map(|&(count, name)| plural(count, name)).collect();
    if let Some(elsewhere) = report.elsewhere() {
        writeln!(out, "**Checked no files**: {}", line(elsewhere))?;
        if found.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
    }
    let found = if found.is_empty() { "No problems".to_owned() } else { found.join(", ") };
    let fixed = [report.fixed.map(FixCount::line), report.ignored.map(FixCount::ignored)];
    let fixed: String = fixed.into_iter().flatten().map(|line| format!("; {line}")).collect();
    let complete = if report.unread.is_empty() { "" } else { " **Files that could not be read are not counted.**" };
    writeln!(out, "**{found}** in {}{fixed}.{complete}", plural(files, "file"))
}

/// The table of rules that fired.
fn rules(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n| rule | severity | findings | fixable |\n| --- | --- | ---: | ---: |")?;
    for count in counts(report) {
        let worst = report.shown().filter(|found| found.rule.name == count.rule).map(|found| found.severity).max();
        let severity = worst.unwrap_or(Severity::Info);
        let name = match (report.page)(count.rule) {
            Some(page) => format!("[`{}`]({})", count.rule, page.url),
            None => format!("`{}`", count.rule),
        };
        writeln!(out, "| {name} | {severity} | {} | {} |", count.count, count.fixable)?;
    }
    Ok(())
}

fn how_to_fix(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n### How to fix\n")?;
    let (safely, unsafely) = report.fixable();
    if safely > 0 {
        writeln!(out, "- `squad-lint --fix` repairs {safely} of them.")?;
    }
    if unsafely > 0 {
        writeln!(out, "- `squad-lint --fix --unsafe-fixes` repairs {unsafely} more; look at the result.")?;
    }
    writeln!(out, "- `squad-lint explain RULE` explains a rule and how to fix its findings.")?;
    writeln!(out, "- To suppress a finding, put `<!-- squad-lint: ignore RULE -- reason -->` on a line above it.")
}

/// A finding, and below it what to do.
fn told<'a>(report: Report<'a>, found: &'a Diagnostic) -> impl Iterator<Item = String> + 'a {
    let notes = found.notes.iter().map(|note| format!("  {}", line(&note.to_string())));
    std::iter::once(headline(report, found)).chain(notes)
}

fn headline(report: Report<'_>, found: &Diagnostic) -> String {
    let start = report.range(found, ColumnUnit::Char).map(|range| range.start);
    let start = start.map(|at| format!("{}:{}: ", at.line, at.column)).unwrap_or_default();
    format!("{start}{}: {} [{}]", found.severity, line(&found.message), found.rule.name)
}

/// A block of code with these lines. None of them is a fence: they begin with a word, a number, or a path.
fn block(out: &mut dyn Write, lines: impl Iterator<Item = String>) -> io::Result<()> {
    // No line begins with what closes the block.
    let lines: Vec<_> = lines.collect();
    let longest = lines.iter().map(|line| run_of_backticks(line)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "{fence}text")?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "{fence}")
}

/// A span of code, which ends at a run of as many backticks as it begins with.
fn code(text: &str) -> String {
    let ticks = "`".repeat(run_of_backticks(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The length of the longest run of backticks.
fn run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// One harmless line that is not too long.
fn line(text: &str) -> String {
    let line = escape(text);
    match line.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
