//! The last lines for people: the totals, and how to silence what was found.

use std::fmt::Write as _;
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{Report, Summary, statistics};
use crate::diagnostic::{Diagnostic, Severity};
use crate::outcome::NONE_CHANGED;
use crate::suppress::{Place, Suppressed, has_hash_comments, place_of};
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
    let Summary { errors, warnings, infos, files, .. } = report.summary();
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
    let elsewhere = report.outcome.elsewhere.as_ref().map(|elsewhere| format!("checked no files: {elsewhere}"));
    let mut line = match (found.is_empty(), &elsewhere) {
        (true, Some(elsewhere)) => elsewhere.clone(),
        (true, None) if files == 0 && report.outcome.is_change => format!("checked no files: {NONE_CHANGED}"),
        (true, None) => format!("no problems found in {}", plural(files, "file")),
        // What a change deletes is no file any more.
        (false, _) if files == 0 => format!("found {}", found.join(" and ")),
        (false, _) => format!("found {} in {}", found.join(" and "), plural(files, "file")),
    };
    let fix = |unsafely: &str| {
        let staged = if report.is_staged { "--staged " } else { "" };
        let gap = if report.again.is_empty() { "" } else { " " };
        format!("{staged}--fix{unsafely}{gap}{}", report.again)
    };
    let _ = match report.fixable() {
        (0, 0) => Ok(()),
        (safe, 0) => write!(line, ", {safe} fixable with {}", fix("")),
        (0, unsafely) => write!(line, ", {unsafely} fixable with {}", fix(" --unsafe-fixes")),
        (safe, more) => write!(line, ", {safe} fixable with {}, {more} more with --unsafe-fixes", fix("")),
    };
    let hidden = list(false);
    let without = report.outcome.without_entries;
    if without > 0 {
        let _ = write!(line, "; no entry recognised in {}", plural(without, "inbox file"));
    }
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
    if let Some(elsewhere) = elsewhere.filter(|_| !found.is_empty()) {
        writeln!(out, "{elsewhere}")?;
    }
    how_to_silence(report).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// What hides a finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Silence {
    /// A comment on a line above its place.
    Line,
    /// A comment of YAML on a line above its place, which is in front matter.
    FrontMatter,
    /// A comment at the top of its file, which it is about as a whole.
    File,
    /// The same in a file that begins with front matter.
    BelowFrontMatter,
    /// The configuration: it is about a folder, or about a file without comments.
    Configuration,
}

impl Silence {
    fn of(diagnostic: &Diagnostic, report: Report<'_>) -> Self {
        let source = report.outcome.source(&diagnostic.path);
        match source.and_then(|source| place_of(source, diagnostic.span)) {
            Some(Place::Above) => Self::Line,
            Some(Place::InFrontMatter) => Self::FrontMatter,
            Some(Place::Top) => Self::File,
            Some(Place::BelowFrontMatter) => Self::BelowFrontMatter,
            None => Self::Configuration,
        }
    }
}

/// How to silence what is shown: a line for each kind of finding, with the rule's name where there is only one.
fn how_to_silence(report: Report<'_>) -> Vec<String> {
    if !report.says_how_to_silence {
        return Vec::new();
    }
    let kinds = [Silence::Line, Silence::FrontMatter, Silence::File, Silence::BelowFrontMatter, Silence::Configuration];
    let of_kind = |kind| report.shown().filter(move |diagnostic| Silence::of(diagnostic, report) == kind);
    let is_one = kinds.iter().filter(|kind| of_kind(**kind).next().is_some()).count() == 1;
    let advice = |kind: Silence| {
        let first = of_kind(kind).next()?;
        let one_rule = of_kind(kind).all(|other| other.rule.name == first.rule.name);
        let rule = if one_rule { first.rule.name } else { "RULE" };
        let (open, close) = if has_hash_comments(first.path.as_bstr()) { ("#", "") } else { ("<!--", " -->") };
        Some(match kind {
            Silence::Line => {
                let what = if is_one { "it" } else { "a line" };
                format!(
                    "to keep {what} as it is: `{open} squad-lint: ignore {rule} -- reason{close}` on a line above it"
                )
            }
            Silence::FrontMatter => {
                let what = if is_one { "it" } else { "a line of front matter" };
                format!("to keep {what} as it is: `# squad-lint: ignore {rule} -- reason` on a line above it")
            }
            Silence::BelowFrontMatter => {
                let what = if is_one { "it" } else { "a file with front matter" };
                format!(
                    "to keep {what} as it is: `<!-- squad-lint: ignore-file {rule} -- reason -->` below the front matter"
                )
            }
            Silence::File => {
                let what = if is_one { "it" } else { "a file" };
                format!(
                    "to keep {what} as it is: `{open} squad-lint: ignore-file {rule} -- reason{close}` at the top of the file"
                )
            }
            Silence::Configuration => {
                format!("to turn a rule off: `\"{rule}\" = \"off\"` under `[rules]` in `squad-lint.toml`")
            }
        })
    };
    kinds.into_iter().filter_map(advice).collect()
}
