//! Lines of a file with marked places, as findings and operational errors show them.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Origin, Snippet};
use anstream::adapter::strip_str;
use bstr::ByteSlice;

use crate::terminal::{escape, is_active, without_log_commands};
use crate::text::{ColumnUnit, Source, Span, bom_len};

/// A line longer than this, in bytes, is cut around its span before it is rendered.
const LONG_LINE: usize = 2_000;
/// Two spans this many bytes apart are shown in two windows.
const APART: usize = 4_000;

/// What the renderer made, in characters that do nothing where it is printed. Titles and paths are escaped before; in the
/// lines of a file the renderer itself replaces some characters only. One column stays one.
pub fn harmless(rendered: &str) -> String {
    let mut rendered = without_log_commands(rendered, "\u{fffd}");
    let is_kept = |c: char| matches!(c, '\n' | '\u{1b}');
    // Nearly all of it is ASCII, and one look at each byte tells that nothing in it is active.
    let may_be_active = |byte: u8| !matches!(byte, b' '..=b'~' | b'\n' | 0x1b);
    let is_plain = !rendered.bytes().fold(false, |found, byte| found | may_be_active(byte));
    if !is_plain && rendered.chars().any(|c| is_active(c) && !is_kept(c)) {
        rendered = Cow::Owned(rendered.replace(|c| is_active(c) && !is_kept(c), "\u{fffd}"));
    }
    // Before lines whose place was told beforehand the renderer leaves an arrow without a place.
    let is_arrow = |line: &&str| line.contains(":::") && strip_str(line).to_string().trim() == ":::";
    let may_have_arrow = memchr::memmem::find(rendered.as_bytes(), b":::").is_some();
    if !may_have_arrow || !rendered.lines().any(|line| is_arrow(&line)) {
        return rendered.into_owned();
    }
    rendered.lines().filter(|line| !is_arrow(line)).collect::<Vec<_>>().join("\n")
}

/// Some lines of a file with spans marked in them.
pub struct Window<'a> {
    source: &'a Source,
    path: String,
    lines: Span,
    marks: Vec<(AnnotationKind, Span, String)>,
}

impl<'a> Window<'a> {
    /// The line in which `span` of `source` begins, shown under `path`.
    pub fn new(source: &'a Source, path: String, kind: AnnotationKind, span: Span, label: &str) -> Self {
        let lines = source.lines_around(Span::at(span.start()));
        let mut window = Self { source, path, lines, marks: Vec::new() };
        window.add(kind, span, label);
        window
    }

    /// Whether it shows the file at `path`.
    pub fn is_of(&self, path: &[u8]) -> bool {
        self.source.path() == path.as_bstr()
    }

    /// Whether `span` lies near enough to be shown in the same window.
    pub fn is_near(&self, span: Span) -> bool {
        let line = self.source.lines_around(Span::at(span.start()));
        let together = self.marks.iter().all(|(_, mark, _)| mark.start().abs_diff(span.start()) < APART);
        together && line.end().abs_diff(self.lines.start()) < APART && line.start().abs_diff(self.lines.end()) < APART
    }

    /// Marks `span`, at most to the end of its first line.
    pub fn add(&mut self, kind: AnnotationKind, span: Span, label: &str) {
        let line = self.source.lines_around(Span::at(span.start()));
        let shown =
            Span::new(span.start(), span.end().min(line.end())).of(self.source.text()).trim_end_matches(['\r', '\n']);
        let span = Span::new(span.start(), span.start() + shown.len());
        self.lines = Span::new(self.lines.start().min(line.start()), self.lines.end().max(line.end()));
        self.marks.push((kind, span, escape(label)));
    }

    /// Adds the window for the renderer, which panics on a span outside its text or inside a character: both are made
    /// impossible here, and nowhere else.
    pub fn add_to(self, group: Group<'a>) -> Group<'a> {
        let text = self.source.text();
        let mut shown = self.lines;
        if shown.start() == 0 {
            shown = Span::new(bom_len(text), shown.end());
        }
        let line = self.source.position(shown.start(), ColumnUnit::Char).line;
        let window = cut(text, shown, &self.marks);
        // The renderer counts columns from the start of its text: after a cut, the position is printed before the window.
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
