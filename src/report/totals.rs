//! The last lines for people: the totals, and how to silence what was found.

use std::fmt::Write as _;
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{Report, Summary, statistics};
use crate::diagnostic::{Diagnostic, Severity};
use crate::suppress::{Suppressed, has_hash_comments};
use crate::text::prose::plural;

/// Writes the findings as `list` does, or their counts by rule where these are asked for, and then the totals.
///
/// # Errors
/// What the writer says.
pub(super) fn with_totals(
    report: Report<'_>,
    out: &mut dyn Write,
    list: fn(Report<'_>, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if report.statistics {
        statistics::write(report, out)?;
    } else {
        list(report, out)?;
    }
    write(report, out)
}

/// The last line: what was found, what was not shown.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.quiet {
        return Ok(());
    }
    if let Some(fixed) = report.fixed {
        writeln!(out, "{}", fixed.line())?;
    }
    if let Some(ignored) = report.ignored {
        writeln!(out, "{}", ignored.ignored())?;
    }
    let Summary { errors, warnings, infos, fixable, unsafely_fixable, files } = report.summary();
    let counted = [(errors, "error"), (warnings, "warning"), (infos, "info")];
    let shown = |name: &str| match name {
        "error" => true,
        "warning" => report.min_severity <= Severity::Warning,
        _ => report.min_severity == Severity::Info,
    };
    let list = |wanted: bool| -> Vec<String> {
        let parts = counted.iter().filter(|(count, name)| *count > 0 && shown(name) == wanted);
        parts.map(|&(count, name)| plural(count, name)).collect()
    };
    let found = list(true);
    let mut line = match found.is_empty() {
        true => format!("no problems found in {}", plural(files, "file")),
        false => format!("found {} in {}", found.join(" and "), plural(files, "file")),
    };
    let fix = if report.is_staged { "--staged --fix" } else { "--fix" };
    let _ = match (fixable - unsafely_fixable, unsafely_fixable) {
        (0, 0) => Ok(()),
        (safe, 0) => write!(line, ", {safe} fixable with {fix}"),
        (0, unsafely) => write!(line, ", {unsafely} fixable with {fix} --unsafe-fixes"),
        (safe, more) => write!(line, ", {safe} fixable with {fix}, {more} more with --unsafe-fixes"),
    };
    let hidden = list(false);
    if report.is_hook && files == 0 && found.is_empty() && hidden.is_empty() && report.fixed.is_none() {
        return Ok(());
    }
    if !hidden.is_empty() {
        let mildest = if infos > 0 { "info" } else { "warning" };
        let _ = write!(line, "; {} not shown (--min-severity {mildest})", hidden.join(" and "));
    }
    let is_shown = |one: &&Suppressed| one.diagnostic.severity >= report.min_severity;
    let suppressed = report.outcome.suppressed.iter().filter(is_shown).count();
    if suppressed > 0 {
        let option = if report.show_suppressed { "" } else { " (--show-suppressed)" };
        let _ = write!(line, "; {suppressed} suppressed{option}");
    }
    writeln!(out, "{line}")?;
    match how_to_silence(report) {
        Some(line) => writeln!(out, "{line}"),
        None => Ok(()),
    }
}

/// How to silence what is shown, where a comment can; with the rule's name where there is only one.
fn how_to_silence(report: Report<'_>) -> Option<String> {
    let has_comments = |diagnostic: &&Diagnostic| {
        let (path, is_read) = (&diagnostic.path, report.outcome.source(&diagnostic.path).is_some());
        is_read && (path.to_ascii_lowercase().ends_with(b".md") || has_hash_comments(path.as_bstr()))
    };
    let mut shown = report.shown().filter(has_comments);
    let first = shown.next().filter(|_| report.says_how_to_silence)?;
    let (one_rule, one_place) = shown.fold((true, first.span.is_some()), |(rule, place), other| {
        (rule && other.rule.name == first.rule.name, place || other.span.is_some())
    });
    let rule = if one_rule { first.rule.name } else { "RULE" };
    let (word, place) =
        if one_place { ("ignore", "on a line above it") } else { ("ignore-file", "at the top of the file") };
    let (open, close) = if has_hash_comments(first.path.as_bstr()) { ("#", "") } else { ("<!--", " -->") };
    Some(format!("to keep it as it is: `{open} squad-lint: {word} {rule} -- reason{close}` {place}"))
}
