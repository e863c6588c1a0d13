//! How an operational error is shown: as findings are, with the line that it is about, its causes and what to do.

use std::io::{self, Write as _};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer};
use miette::{Diagnostic, LabeledSpan, SourceSpan};

use crate::report::window::{self, Window};
use crate::terminal::{Terminal, display_path, escape};
use crate::text::{Source, Span};

/// What stops a command.
#[derive(Debug)]
pub enum CliError {
    /// An error to show.
    Error(Box<dyn Diagnostic + Send + Sync>),
    /// Output could not be written.
    Output(io::Error),
}

impl<E: Diagnostic + Send + Sync + 'static> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Error(Box::new(error))
    }
}

/// What came of printing something. A reader that closed the pipe, as `head` does, has seen enough: the command goes on, and its exit
/// code says what it did.
///
/// # Errors
/// What the writer says otherwise.
pub fn shown(written: io::Result<()>) -> Result<(), CliError> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Shows an operational error on standard error.
pub fn show_error(terminal: Terminal, error: &dyn Diagnostic) {
    // When standard error is gone as well, there is no other way to say it.
    let _ = writeln!(terminal.stderr(), "{}\n", render(error, terminal.width));
}

/// The error, and those that it brings along.
fn render(error: &dyn Diagnostic, width: usize) -> String {
    let quote = Quote::of(error, width);
    let own = window::harmless(&Renderer::styled().term_width(width).render(&[group(error, quote.as_ref())]));
    let related = error.related().into_iter().flatten().map(|error| render(error, width));
    std::iter::once(own).chain(related).collect::<Vec<_>>().join("\n\n")
}

/// The error with what it quotes. All its texts are escaped: most name something of the repository.
fn group<'a>(error: &dyn Diagnostic, quote: Option<&'a Quote>) -> Group<'a> {
    let level = match error.severity() {
        Some(miette::Severity::Warning | miette::Severity::Advice) => Level::WARNING,
        Some(miette::Severity::Error) | None => Level::ERROR,
    };
    let mut group = Group::with_title(level.primary_title(escape(&error.to_string())));
    if let Some(quote) = quote {
        group = quote.add_to(group);
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        group = group.element(Level::NOTE.with_name("cause").message(escape(&error.to_string())));
        cause = error.source();
    }
    if let Some(help) = error.help() {
        group = group.element(Level::HELP.message(escape(&help.to_string())));
    }
    if let Some(url) = error.url() {
        group = group.element(Level::NOTE.with_name("see").message(escape(&url.to_string())));
    }
    group
}

/// The columns that the number of a line and what frames it take.
const FRAME: usize = 20;

/// What an error quotes of a file.
struct Quote {
    path: String,
    source: Source,
    marks: Vec<(Span, String)>,
}

impl Quote {
    fn of(error: &dyn Diagnostic, width: usize) -> Option<Self> {
        let start = SourceSpan::from((0, 0));
        let contents = error.source_code()?.read_span(&start, 0, usize::MAX).ok()?;
        let path = display_path(contents.name().unwrap_or_default().as_bytes());
        let source = Source::new("", contents.data().to_vec());
        let text = source.text();
        let boundary = |at: usize| {
            let mut at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let mark = |label: LabeledSpan| {
            let (start, end) = (boundary(label.offset()), boundary(label.offset().saturating_add(label.len())));
            // Only the place itself is shown, as far as it fits a line: the file may not be what its name says.
            let marked = text.get(start..end).unwrap_or_default();
            let line = marked.split(['\n', '\r']).next().unwrap_or_default();
            let fits = line.char_indices().nth(width.saturating_sub(FRAME)).map_or(line.len(), |(at, _)| at);
            let span = Span::new(start, start + fits);
            (span, label.label().unwrap_or_default().to_owned())
        };
        let marks = error.labels().into_iter().flatten().map(mark).collect();
        Some(Self { path, source, marks })
    }

    fn add_to<'a>(&'a self, group: Group<'a>) -> Group<'a> {
        let mut marks = self.marks.iter();
        let Some((span, label)) = marks.next() else { return group.element(Origin::path(self.path.as_str())) };
        let mut window = Window::new(&self.source, self.path.clone(), AnnotationKind::Primary, *span, label);
        for (span, label) in marks {
            window.add(AnnotationKind::Context, *span, label);
        }
        window.add_to(group)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use anstream::adapter::strip_str;

    use super::*;
    use crate::config::Named;

    #[derive(Debug, thiserror::Error, Diagnostic)]
    #[error("cannot use ##[error]a\u{1b}[31m")]
    #[diagnostic(help("write \u{202e}another"), url("https://example.com/errors"))]
    struct Whole {
        source: io::Error,
        #[source_code]
        text: Arc<Named>,
        #[label("here")]
        span: SourceSpan,
        #[related]
        related: Vec<Second>,
    }

    #[derive(Debug, thiserror::Error, Diagnostic)]
    #[error("and this")]
    struct Second;

    fn rendered(text: &str, at: usize, len: usize) -> String {
        let error = Whole {
            source: io::Error::other("the disk is full"),
            text: Arc::new(Named::new("a.toml".to_owned(), text.to_owned())),
            span: (at, len).into(),
            related: vec![Second],
        };
        strip_str(&render(&error, 60)).to_string()
    }

    #[test]
    fn it_has_the_look_of_a_finding_and_does_nothing_where_it_is_printed() {
        let expected = "\
error: cannot use ##\\u{5b}error]a\\u{1b}[31m
 --> a.toml:2:3
  |
2 | x \u{fffd}31m = ##\u{fffd}y] 1
  |   ^^ here
  |
  = cause: the disk is full
  = help: write \\u{202e}another
  = see: https://example.com/errors

error: and this
";
        let actual = rendered("before\nx \u{9b}31m = ##[y] 1\nafter\n", 9, 3);
        assert_eq!(actual.trim_end(), expected.trim_end(), "{actual}");
    }

    #[test]
    fn it_quotes_one_line_at_most_as_wide_as_the_terminal_whatever_the_place() {
        let text = format!("before\n{}é\nafter\n", "a = 1, ".repeat(2_000));
        for (at, len) in [(0, 0), (7, 3), (9_000, 20_000), (14_008, 1), (text.len(), 5), (usize::MAX / 2, 1)] {
            let actual = rendered(&text, at, len);
            assert!(actual.lines().all(|line| line.chars().count() <= 80), "{at} {len}: {actual}");
            assert!(!(actual.contains("before") && actual.contains("after")), "{at} {len}: {actual}");
        }
    }
}
