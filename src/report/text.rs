//! For people: each finding with the lines it is about.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;
use bstr::ByteSlice;

use super::Report;
use crate::diagnostic::{Diagnostic, Severity};
use crate::suppress::{By, Suppressed};
use crate::terminal::{display_path, escape, is_active, without_log_commands};
use crate::text::{ColumnUnit, Source, Span, bom_len};

/// How many findings of one rule in one file are printed in full.
const IN_FULL: usize = 5;
/// How many further positions one line names.
const POSITIONS: usize = 20;
/// A line longer than this, in bytes, is cut around its span before it is rendered.
const LONG_LINE: usize = 2_000;
/// Two spans this many bytes apart are shown in two windows.
const APART: usize = 4_000;

/// Writes the shown findings, file by file, then the suppressed ones.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(report.width);
    let shown: Vec<&Diagnostic> = report.shown().collect();
    for file in shown.chunk_by(|a, b| a.path == b.path) {
        let mut further: BTreeMap<&str, (usize, Vec<&Diagnostic>)> = BTreeMap::new();
        for diagnostic in file {
            let (count, rest) = further.entry(diagnostic.rule).or_default();
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
    format!("{path}: {} more of {rule} at {}{tail} (--all shows them)", rest.len(), named.join(", "))
}

fn render(report: Report<'_>, diagnostic: &Diagnostic, by: Option<&By>, renderer: &Renderer) -> String {
    let (level, name) = match diagnostic.severity {
        Severity::Error => (Level::ERROR, "suppressed error"),
        Severity::Warning => (Level::WARNING, "suppressed warning"),
        Severity::Info => (Level::INFO, "suppressed info"),
    };
    let level = if by.is_some() { level.with_name(name) } else { level };
    let title = level.primary_title(escape(&diagnostic.message)).id(diagnostic.rule);
    let group = places(report, diagnostic).into_iter().fold(Group::with_title(title), |group, place| match place {
        Place::Whole(path) => group.element(Origin::path(path)),
        Place::Window(window) => window.add_to(group),
    });
    let group = match (by, &diagnostic.help) {
        (Some(by), _) => group.element(Level::NOTE.message(silenced(by))),
        (None, Some(help)) => group.element(Level::HELP.message(escape(help))),
        (None, None) => group,
    };
    let rendered = renderer.render(&[group]);
    // Titles and paths are escaped; in the lines of the file the renderer replaces some characters. One column stays one.
    let rendered = without_log_commands(&rendered, "\u{fffd}");
    let rendered = rendered.replace(|c| is_active(c) && !matches!(c, '\n' | '\u{1b}'), "\u{fffd}");
    // Before lines whose place was told beforehand the renderer leaves an arrow without a place.
    let is_arrow = |line: &&str| strip_str(line).to_string().trim() == ":::";
    if !rendered.lines().any(|line| is_arrow(&line)) {
        return rendered;
    }
    rendered.lines().filter(|line| !is_arrow(line)).collect::<Vec<_>>().join("\n")
}

/// Why a finding is suppressed.
fn silenced(by: &By) -> String {
    match by {
        By::Comment { reason, .. } if reason.is_empty() => "by a comment without a reason".to_owned(),
        By::Comment { reason, .. } => format!("by a comment: {}", escape(reason)),
        By::Baseline => "by the baseline".to_owned(),
    }
}

/// A place as it is shown.
enum Place<'a> {
    /// A file without content.
    Whole(String),
    /// Lines of a file.
    Window(Window<'a>),
}

/// Some lines of a file with spans marked in them.
struct Window<'a> {
    source: &'a Source,
    path: String,
    lines: Span,
    marks: Vec<(AnnotationKind, Span, String)>,
}

fn places<'a>(report: Report<'a>, diagnostic: &'a Diagnostic) -> Vec<Place<'a>> {
    let path = display_path(&diagnostic.path);
    let own = report.outcome.source(diagnostic.path.as_bytes()).zip(diagnostic.span);
    let Some((source, span)) = own else { return vec![Place::Whole(path)] };
    let mut windows = vec![Window::new(source, path, AnnotationKind::Primary, span, &diagnostic.label)];
    for related in &diagnostic.related {
        let path = related.path.as_ref().unwrap_or(&diagnostic.path);
        let Some(source) = report.outcome.source(path.as_bytes()) else { continue };
        let near =
            windows.iter_mut().find(|window| window.source.path() == path.as_bstr() && window.is_near(related.span));
        if let Some(window) = near {
            window.add(AnnotationKind::Context, related.span, &related.message);
        } else {
            let path = display_path(path);
            windows.push(Window::new(source, path, AnnotationKind::Context, related.span, &related.message));
        }
    }
    windows.into_iter().map(Place::Window).collect()
}

impl<'a> Window<'a> {
    fn new(source: &'a Source, path: String, kind: AnnotationKind, span: Span, label: &str) -> Self {
        let lines = source.lines_around(Span::at(span.start()));
        let mut window = Self { source, path, lines, marks: Vec::new() };
        window.add(kind, span, label);
        window
    }

    fn is_near(&self, span: Span) -> bool {
        let line = self.source.lines_around(Span::at(span.start()));
        let together = self.marks.iter().all(|(_, mark, _)| mark.start().abs_diff(span.start()) < APART);
        together && line.end().abs_diff(self.lines.start()) < APART && line.start().abs_diff(self.lines.end()) < APART
    }

    /// Marks `span`, at most to the end of its first line.
    fn add(&mut self, kind: AnnotationKind, span: Span, label: &str) {
        let line = self.source.lines_around(Span::at(span.start()));
        let shown =
            Span::new(span.start(), span.end().min(line.end())).of(self.source.text()).trim_end_matches(['\r', '\n']);
        let span = Span::new(span.start(), span.start() + shown.len());
        self.lines = Span::new(self.lines.start().min(line.start()), self.lines.end().max(line.end()));
        self.marks.push((kind, span, escape(label)));
    }

    /// Adds the window for the renderer, which panics on a span outside its text or inside a character: both are made
    /// impossible here, and nowhere else.
    fn add_to(self, group: Group<'a>) -> Group<'a> {
        let text = self.source.text();
        let mut shown = self.lines;
        if shown.start() == 0 {
            shown = Span::new(bom_len(text), shown.end());
        }
        let line = self.source.position(shown.start(), ColumnUnit::Char).line;
        let window = cut(text, shown, &self.marks);
        // The renderer counts columns from the start of what it gets: behind a cut, the place is told beforehand.
        let told = self.marks.first().filter(|_| window.start() > shown.start()).map(|(_, span, _)| {
            let at = self.source.position(span.start(), ColumnUnit::Char);
            Origin::path(self.path.clone()).line(at.line).char_column(at.column)
        });
        let snap = |offset: usize| {
            let mut offset = offset.clamp(window.start(), window.end()) - window.start();
            while !window.of(text).is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let annotations: Vec<_> = self
            .marks
            .into_iter()
            .map(|(kind, span, label)| {
                let label = Some(label).filter(|label| !label.is_empty());
                kind.span(snap(span.start())..snap(span.end())).label(label)
            })
            .collect();
        let snippet = Snippet::source(window.of(text)).line_start(line).annotations(annotations);
        match told {
            Some(origin) => group.element(origin).element(snippet),
            None => group.element(snippet.path(self.path)),
        }
    }
}

/// The part of `shown` to hand to the renderer: all of it, or a stretch around the marks of one very long line.
fn cut(text: &str, shown: Span, marks: &[(AnnotationKind, Span, String)]) -> Span {
    let one_line = !shown.of(text).trim_end_matches(['\r', '\n']).contains('\n');
    if !one_line || shown.len() <= LONG_LINE {
        return shown;
    }
    let first = marks.iter().map(|(_, span, _)| span.start()).min().unwrap_or(shown.start());
    let last = marks.iter().map(|(_, span, _)| span.start()).max().unwrap_or(shown.start());
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = if first - shown.start() > LONG_LINE { boundary(first - LONG_LINE) } else { shown.start() };
    Span::new(start, boundary((last + LONG_LINE).min(shown.end())))
}
