//! For people: each finding with the lines it is about.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer};
use bstr::ByteSlice;

use super::window::{self, Window};
use super::{FormatSpec, Report, totals};
use crate::diagnostic::{Diagnostic, NoteKind, Severity};
use crate::suppress::{By, Suppressed};
use crate::terminal::{display_path, escape};
use crate::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "people",
    shows: "findings with their lines of source, and totals",
    has_statistics: true,
    has_colors: true,
    write: |report, out| totals::with_totals(report, out, write),
    has_notes: true,
    ..FormatSpec::NEW
};

/// How many findings of one rule in one file are printed in full.
const IN_FULL: usize = 5;
/// How many further positions one line names.
const POSITIONS: usize = 20;

/// Writes the shown findings, file by file, then the suppressed ones.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if report.colors { Renderer::styled() } else { Renderer::plain() }.term_width(report.width);
    let shown: Vec<&Diagnostic> = report.shown().collect();
    for file in shown.chunk_by(|a, b| a.path == b.path) {
        let mut further: BTreeMap<&str, (usize, Vec<&Diagnostic>)> = BTreeMap::new();
        for diagnostic in file {
            let (count, rest) = further.entry(diagnostic.rule.name).or_default();
            *count += 1;
            if report.all || *count <= IN_FULL {
                writeln!(out, "{}\n", render(report, diagnostic, None, &renderer))?;
            } else {
                rest.push(diagnostic);
            }
        }
        for (rule, (_, rest)) in further.iter().filter(|(_, (_, rest))| !rest.is_empty()) {
            writeln!(out, "{}\n", positions(report, rule, rest))?;
        }
    }
    for Suppressed { diagnostic, by } in report.suppressed() {
        writeln!(out, "{}\n", render(report, diagnostic, Some(by), &renderer))?;
    }
    Ok(())
}

/// `path: 12 more of rule at 10:1, 20:1 …`
fn positions(report: Report<'_>, rule: &str, rest: &[&Diagnostic]) -> String {
    let Some(first) = rest.first() else { return String::new() };
    let source = report.outcome.source(first.path.as_bytes());
    let place = |diagnostic: &&Diagnostic| {
        let at = source?.position(diagnostic.span?.start(), ColumnUnit::Char);
        Some(format!("{}:{}", at.line, at.column))
    };
    let named: Vec<String> = rest.iter().take(POSITIONS).filter_map(place).collect();
    let path = display_path(&first.path);
    let unnamed = rest.len() - named.len();
    let tail = if unnamed > 0 { format!(" and {unnamed} more places") } else { String::new() };
    let how = if report.has_show_all { " (--show-all shows them)" } else { "" };
    format!("{path}: {} more of {rule} at {}{tail}{how}", rest.len(), named.join(", "))
}

fn render(report: Report<'_>, diagnostic: &Diagnostic, by: Option<&By>, renderer: &Renderer) -> String {
    let (level, name) = match diagnostic.severity {
        Severity::Error => (Level::ERROR, "suppressed error"),
        Severity::Warning => (Level::WARNING, "suppressed warning"),
        Severity::Info => (Level::INFO, "suppressed info"),
    };
    let level = if by.is_some() { level.with_name(name) } else { level };
    let title = level.primary_title(escape(&diagnostic.message)).id(diagnostic.rule.name);
    let group = excerpts(report, diagnostic).into_iter().fold(Group::with_title(title), |group, shown| match shown {
        Excerpt::Whole(path) => group.element(Origin::path(path)),
        Excerpt::Window(window) => window.add_to(group),
    });
    let group = match by {
        Some(by) => group.element(Level::NOTE.message(silenced(by))),
        None => diagnostic.notes.iter().fold(group, |group, note| {
            let level = match note.kind {
                NoteKind::Help => Level::HELP,
                NoteKind::Note => Level::NOTE,
            };
            group.element(level.message(escape(&note.text)))
        }),
    };
    window::harmless(&renderer.render(&[group]))
}

/// Why a finding is suppressed.
fn silenced(by: &By) -> String {
    match by {
        By::Comment { reason, .. } if reason.is_empty() => "by a comment without a reason".to_owned(),
        By::Comment { reason, .. } => format!("by a comment: {}", escape(reason)),
        By::Baseline => "by the baseline".to_owned(),
    }
}

/// What is shown of a file.
enum Excerpt<'a> {
    /// A file without content.
    Whole(String),
    /// Lines of a file.
    Window(Window<'a>),
}

fn excerpts<'a>(report: Report<'a>, diagnostic: &'a Diagnostic) -> Vec<Excerpt<'a>> {
    let path = display_path(&diagnostic.path);
    let own = report.outcome.source(diagnostic.path.as_bytes()).zip(diagnostic.span);
    let Some((source, span)) = own else { return vec![Excerpt::Whole(path)] };
    let mut windows = vec![Window::new(source, path, AnnotationKind::Primary, span, &diagnostic.label)];
    for related in &diagnostic.related {
        let path = related.path.as_ref().unwrap_or(&diagnostic.path);
        let Some(source) = report.outcome.source(path.as_bytes()) else { continue };
        let near = windows.iter_mut().find(|window| window.is_of(path.as_bytes()) && window.is_near(related.span));
        if let Some(window) = near {
            window.add(AnnotationKind::Context, related.span, &related.message);
        } else {
            let path = display_path(path);
            windows.push(Window::new(source, path, AnnotationKind::Context, related.span, &related.message));
        }
    }
    windows.into_iter().map(Excerpt::Window).collect()
}
