//! Findings as people and programs read them. A renderer knows no rule: it gets diagnostics and the texts they point into.

pub mod compact;
pub mod json;
pub mod statistics;
pub mod text;

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::outcome::Outcome;
use crate::suppress::Suppressed;

/// The formats of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, with the source
    #[default]
    Text,
    /// One line a finding
    Compact,
    /// One JSON object (docs/json-output.md)
    Json,
}

/// What to print, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was found.
    pub outcome: &'a Outcome,
    /// The mildest severity that is shown; milder ones are counted.
    pub min_severity: Severity,
    /// What was repaired; `None` when nothing was to be.
    pub fixed: Option<FixCount>,
    /// What was suppressed by new comments; `None` when nothing was to be.
    pub ignored: Option<FixCount>,
    /// Whether suppressed findings are shown, too.
    pub show_suppressed: bool,
    /// Whether the text formats end with how to silence what was found: whoever is stopped by a hook wants to know.
    pub says_how_to_silence: bool,
    /// Whether a hook asks, at each commit: where nothing of the change was to be checked the text formats are silent.
    pub is_hook: bool,
    /// Whether the text format prints every finding in full.
    pub all: bool,
    /// Whether the totals are left out.
    pub quiet: bool,
    /// Whether findings are counted by rule instead of shown.
    pub statistics: bool,
    /// The width of a line, in columns.
    pub width: usize,
}

impl<'a> Report<'a> {
    /// The findings that are shown.
    pub fn shown(self) -> impl Iterator<Item = &'a Diagnostic> {
        self.outcome.diagnostics.iter().filter(move |diagnostic| diagnostic.severity >= self.min_severity)
    }

    /// The suppressed findings that are shown.
    pub fn suppressed(self) -> impl Iterator<Item = &'a Suppressed> {
        let all = if self.show_suppressed { self.outcome.suppressed.as_slice() } else { &[] };
        all.iter().filter(move |suppressed| suppressed.diagnostic.severity >= self.min_severity)
    }

    /// The totals, over shown and hidden findings alike.
    pub fn summary(self) -> Summary {
        let count = |severity| self.outcome.diagnostics.iter().filter(|d| d.severity == severity).count();
        Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            fixable: self.outcome.diagnostics.iter().filter(|d| is_fixable(d)).count(),
            unsafely_fixable: self.outcome.diagnostics.iter().filter(|d| has_fix(d, Applicability::Unsafe)).count(),
            files: self.outcome.files,
        }
    }
}

/// What was repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// How many fixes were applied.
    pub fixes: usize,
    /// In how many files.
    pub files: usize,
    /// How many files were taken out of the index besides.
    pub untracked: usize,
}

impl FixCount {
    /// As a line for people.
    pub fn line(self) -> String {
        let fixed = || format!("fixed {} in {}", plural(self.fixes, "problem"), plural(self.files, "file"));
        let untracked =
            || format!("took {} out of the index and kept {} on disk", plural(self.untracked, "file"), self.them());
        match (self.fixes, self.untracked) {
            (0, 0) => "nothing to fix".to_owned(),
            (_, 0) => fixed(),
            (0, _) => untracked(),
            _ => format!("{}; {}", fixed(), untracked()),
        }
    }

    fn them(self) -> &'static str {
        if self.untracked == 1 { "it" } else { "them" }
    }

    /// As a line for people, of suppressions.
    pub fn ignored(self) -> String {
        match self.fixes {
            0 => "nothing to suppress".to_owned(),
            count => format!("suppressed {} in {}", plural(count, "problem"), plural(self.files, "file")),
        }
    }
}

/// The totals of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity info.
    pub infos: usize,
    /// Findings with a fix that the program can apply, safe or unsafe.
    pub fixable: usize,
    /// Those of them that `--unsafe-fixes` alone applies.
    #[serde(skip)]
    pub unsafely_fixable: usize,
    /// Files that were checked.
    pub files: usize,
}

/// Whether a finding has edits that the program may apply.
pub fn is_fixable(diagnostic: &Diagnostic) -> bool {
    has_fix(diagnostic, Applicability::Safe) || has_fix(diagnostic, Applicability::Unsafe)
}

fn has_fix(diagnostic: &Diagnostic, applicability: Applicability) -> bool {
    diagnostic.fix.as_ref().is_some_and(|fix| fix.applicability == applicability)
}

/// Writes `report` in `format`.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => json::write(report, out),
        Format::Text | Format::Compact if report.statistics => {
            statistics::write(report, out)?;
            totals(report, out)
        }
        Format::Text => {
            text::write(report, out)?;
            totals(report, out)
        }
        Format::Compact => {
            compact::write(report, out)?;
            totals(report, out)
        }
    }
}

/// The last line: what was found, what was not shown.
fn totals(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
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
    let _ = match (fixable - unsafely_fixable, unsafely_fixable) {
        (0, 0) => Ok(()),
        (safe, 0) => write!(line, ", {safe} fixable with --fix"),
        (0, unsafely) => write!(line, ", {unsafely} fixable with --fix --unsafe-fixes"),
        (safe, more) => write!(line, ", {safe} fixable with --fix, {more} more with --unsafe-fixes"),
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
        report.outcome.source(&diagnostic.path).is_some() && diagnostic.path.to_ascii_lowercase().ends_with(b".md")
    };
    let mut shown = report.shown().filter(has_comments);
    let first = shown.next().filter(|_| report.says_how_to_silence)?;
    let (one_rule, one_place) = shown.fold((true, first.span.is_some()), |(rule, place), other| {
        (rule && other.rule == first.rule, place || other.span.is_some())
    });
    let rule = if one_rule { first.rule } else { "RULE" };
    Some(match one_place {
        true => format!("to keep it as it is: `<!-- squad-lint: ignore {rule} -- reason -->` on a line above it"),
        false => {
            format!("to keep it as it is: `<!-- squad-lint: ignore-file {rule} -- reason -->` at the top of the file")
        }
    })
}

/// `1 file`, `2 files`.
pub(crate) fn plural(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}
