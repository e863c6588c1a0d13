//! Findings as people and programs read them. A renderer knows no rule: it gets diagnostics and the texts they point into.

mod fingerprint;
mod fix;
pub mod format;
pub mod json_writer;
pub mod statistics;
pub mod totals;
pub mod window;
pub mod xml;

use std::io::{self, Write};

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::outcome::Outcome;
use crate::suppress::Suppressed;
use crate::terminal::DEFAULT_WIDTH;
use crate::text::mask::Masked;
use crate::text::prose::plural;
use crate::text::{ColumnUnit, Position, Span};

format::formats! { text compact json sarif github gitlab junit checkstyle rdjson summary }

pub use format::{Format, FormatSpec};

/// What reports say about a rule.
#[derive(Clone, Debug)]
pub struct Page {
    /// What it flags, in one sentence.
    pub headline: String,
    /// All of it, in Markdown.
    pub text: String,
    /// Where it is on the web.
    pub url: String,
    /// The severity that it gives.
    pub severity: Severity,
    /// Whether the rule runs unless asked not to.
    pub enabled: bool,
}

/// Something that was not read, so that findings may be missing.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The file, where it is one.
    pub path: Option<BString>,
    /// What was not read, and why.
    pub message: String,
}

/// Where the program is on the web.
pub const HOME: &str = "https://crates.io/crates/squad-lint";

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
    /// Whether it is about what is staged: what fixes that is another option than what fixes the files.
    pub is_staged: bool,
    /// The options and paths to repeat so that `--fix` fixes what was checked: `--select sem .squad`.
    pub again: &'a str,
    /// Whether the text format prints every finding in full.
    pub all: bool,
    /// Whether the command has `--show-all`, which does that.
    pub has_show_all: bool,
    /// Whether the totals are left out.
    pub quiet: bool,
    /// Whether findings are counted by rule instead of shown.
    pub statistics: bool,
    /// Whether the text format is written with colours.
    pub colors: bool,
    /// The width of a line, in columns.
    pub width: usize,
    /// The page of a rule.
    pub page: fn(&str) -> Option<Page>,
    /// What was not read.
    pub unread: &'a [Unread],
    /// The exit code of the run.
    pub exit_code: u8,
}

impl<'a> Report<'a> {
    /// Errors and warnings of `outcome`, as a run without options prints them to what is no terminal. Other values of the fields
    /// say what else is wanted: `Report { all: true, ..Report::of(&outcome) }`.
    pub fn of(outcome: &'a Outcome) -> Self {
        Self {
            outcome,
            min_severity: Severity::Warning,
            fixed: None,
            ignored: None,
            show_suppressed: false,
            says_how_to_silence: false,
            is_hook: false,
            is_staged: false,
            again: "",
            all: false,
            has_show_all: true,
            quiet: false,
            statistics: false,
            colors: false,
            width: DEFAULT_WIDTH,
            page: |_| None,
            unread: &[],
            exit_code: 0,
        }
    }

    /// The findings that are shown.
    pub fn shown(self) -> impl Iterator<Item = &'a Diagnostic> {
        self.outcome.diagnostics.iter().filter(move |diagnostic| diagnostic.severity >= self.min_severity)
    }

    /// How many of the findings that are shown have a safe fix, and how many an unsafe one.
    pub fn fixable(self) -> (usize, usize) {
        let count = |applicability| self.shown().filter(|shown| has_fix(shown, applicability)).count();
        (count(Applicability::Safe), count(Applicability::Unsafe))
    }

    /// Why no file was checked.
    pub fn elsewhere(self) -> Option<&'a str> {
        self.outcome.elsewhere.as_deref().filter(|_| self.unread.is_empty())
    }

    /// The same, if a report in `format` on standard output does not say it. Most changes have no file of a team: without a finding, at
    /// each commit, that is no news.
    pub fn unsaid(self, format: Format) -> Option<&'a str> {
        let is_news = !self.is_hook || self.shown().next().is_some();
        self.elsewhere().filter(|_| is_news && !format.spec.has_notes && !self.quiet)
    }

    /// The suppressed findings that are shown.
    pub fn suppressed(self) -> impl Iterator<Item = &'a Suppressed> {
        let all = if self.show_suppressed { self.outcome.suppressed.as_slice() } else { &[] };
        all.iter().filter(move |suppressed| suppressed.diagnostic.severity >= self.min_severity)
    }

    /// The range of a finding; `None` if it is about the whole file.
    pub fn range(self, diagnostic: &Diagnostic, unit: ColumnUnit) -> Option<Range> {
        self.range_in(diagnostic.path.as_bstr(), diagnostic.span?, unit)
    }

    /// The range of `span` in the file at `path`.
    fn range_in(self, path: &BStr, span: Span, unit: ColumnUnit) -> Option<Range> {
        let source = self.outcome.source(path.as_bytes())?;
        Some(Range { start: source.position(span.start(), unit), end: source.position(span.end(), unit) })
    }

    /// The totals, over shown and hidden findings alike.
    pub fn summary(self) -> Summary {
        let count = |severity| self.outcome.diagnostics.iter().filter(|d| d.severity == severity).count();
        Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            fixable: self.outcome.diagnostics.iter().filter(|d| is_fixable(d)).count(),
            files: self.outcome.files,
        }
    }
}

/// A range of a text in lines and columns, such as 3:1 to 3:8 for seven characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The position of the first character.
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
}

impl Range {
    /// The last line with a character of the range.
    fn last_line(self) -> usize {
        if self.end.column == 1 && self.end.line > self.start.line { self.end.line - 1 } else { self.end.line }
    }
}

/// What was repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// How many fixes were applied.
    pub fixes: usize,
    /// In how many files.
    pub files: usize,
    /// The number of files that were also removed from the index.
    pub untracked: usize,
}

impl FixCount {
    /// As a line for people.
    pub fn line(self) -> String {
        let fixed = || format!("fixed {} in {}", plural(self.fixes, "problem"), plural(self.files, "file"));
        let untracked =
            || format!("removed {} from the index and kept {} on disk", plural(self.untracked, "file"), self.them());
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
            0 => "nothing that a comment can suppress".to_owned(),
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
    /// Files that were checked.
    pub files: usize,
}

/// The message of a finding with its notes in brackets, for formats that show one line.
fn in_one_line(diagnostic: &Diagnostic) -> String {
    let notes: Vec<String> = diagnostic.notes.iter().map(ToString::to_string).collect();
    match notes.is_empty() {
        true => diagnostic.message.clone(),
        false => format!("{} ({})", diagnostic.message, notes.join("; ")),
    }
}

/// The message of a finding with its notes, one line each.
fn in_lines(diagnostic: &Diagnostic) -> String {
    diagnostic.notes.iter().fold(diagnostic.message.clone(), |text, note| format!("{text}\n{note}"))
}

/// Whether a finding has edits that the program may apply.
pub fn is_fixable(diagnostic: &Diagnostic) -> bool {
    has_fix(diagnostic, Applicability::Safe) || has_fix(diagnostic, Applicability::Unsafe)
}

fn has_fix(diagnostic: &Diagnostic, applicability: Applicability) -> bool {
    diagnostic.fix.as_ref().is_some_and(|fix| fix.applicability == applicability)
}

/// Writes `report` in `format`, without secrets.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut out = Masked::new(out);
    (format.spec.write)(report, &mut out)?;
    out.flush()
}
