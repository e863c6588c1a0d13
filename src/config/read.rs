//! Finding and reading the file, and what is wrong with it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, keys};
use crate::fs::read::leads_out;
use crate::terminal::{escape, masked, width};
use crate::text::{Source, is_utf16};

/// The names under which a configuration is looked for at the root, first come.
pub const FILE_NAMES: [&str; 3] = ["squad-lint.toml", ".squad-lint.toml", ".config/squad-lint.toml"];

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    #[diagnostic(help("check the spelling, and that you have permission to read it; `--no-config` does without"))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A commit can bring a link, which must not say what else is read.
    #[error("a symbolic link leads from the configuration {} out of the repository", path.display())]
    #[diagnostic(help("put the file itself in its place; `--no-config` does without"))]
    Outside {
        /// The file.
        path: PathBuf,
    },
    /// It says something that is not understood.
    #[error("{message}")]
    Content {
        /// What is there and what was expected.
        message: String,
        /// The file with its text.
        #[source_code]
        source_code: Box<Named>,
        /// The place.
        #[label]
        span: SourceSpan,
        /// What to do.
        #[help]
        help: String,
    },
}

/// The place in a file that an error shows: a part of one line, which fits the terminal. What stands around it is not shown: the
/// file may not be what its name says.
#[derive(Debug)]
pub struct Named {
    name: String,
    /// The part.
    text: String,
    /// Its line, from 0.
    line: usize,
    /// Where it begins in the line, in bytes.
    column: usize,
}

/// What the line's number and the frame take of the width.
const FRAME: usize = 12;
/// How many characters before the place are shown of a long line.
const BEFORE: usize = 20;

impl Named {
    /// The place `span` of `text`, which is the file `name`, and where it is in what is shown.
    pub fn new(name: String, text: &str, span: Range<usize>) -> (Self, SourceSpan) {
        let start = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (before, after) = text.split_at(start);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let rest = after.split(['\n', '\r']).next().unwrap_or_default();
        let head = before.get(line_start..).unwrap_or_default();
        let room = width().saturating_sub(FRAME);
        // A line that fits is shown from its beginning.
        let fits = head.chars().count() + rest.chars().take(room).count() <= room;
        let skipped = if fits { 0 } else { head.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at) };
        let head = head.get(skipped..).unwrap_or_default();
        let left = room.saturating_sub(head.chars().count());
        let rest = rest.char_indices().nth(left).and_then(|(at, _)| rest.get(..at)).unwrap_or(rest);
        let named = Self {
            name,
            // What is missing at the end is shown behind it.
            text: [head, rest, " "].concat(),
            line: before.lines().count().saturating_sub(usize::from(line_start < start)),
            column: skipped,
        };
        let len = span.len().min(rest.trim_end().len());
        (named, SourceSpan::from((head.len(), len)))
    }
}

impl SourceCode for Box<Named> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Without lines around it, the place itself is asked for: the head of the report names it.
        let range = if after == 0 { span.offset()..span.offset() + span.len() } else { 0..self.text.len() };
        let (start, column) = (range.start, self.column + range.start);
        let data = self.text.as_bytes().get(range).ok_or(MietteError::OutOfBounds)?;
        let span = SourceSpan::from((start, data.len()));
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, span, self.line, column, 1)))
    }
}

/// A parsed configuration, and where it came from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What it says.
    pub config: Config,
    /// Its file; `None` where there is none.
    pub path: Option<PathBuf>,
    /// Where it says what.
    pub places: Places,
}

/// The lines on which the keys of a file stand.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(Vec<String>, usize)>);

impl Places {
    /// The line, from 1, of the key that this way leads to: names of keys, and numbers, from 0, of tables in a list.
    pub fn line(&self, way: &[&str]) -> Option<usize> {
        self.0.iter().find(|(own, _)| own == way).map(|(_, line)| *line)
    }

    fn of(text: &str, document: &DeTable<'_>) -> Self {
        let mut places = Self::default();
        places.table(text, document, &mut Vec::new());
        places
    }

    fn table(&mut self, text: &str, table: &DeTable<'_>, way: &mut Vec<String>) {
        for (key, value) in table {
            way.push(key.get_ref().to_string());
            self.add(text, key.span(), way);
            match value.get_ref() {
                DeValue::Table(inner) => self.table(text, inner, way),
                DeValue::Array(items) => self.tables(text, items.iter(), way),
                _ => {}
            }
            way.pop();
        }
    }

    fn tables<'a>(&mut self, text: &str, items: impl Iterator<Item = &'a Spanned<DeValue<'a>>>, way: &mut Vec<String>) {
        for (at, item) in items.enumerate() {
            way.push(at.to_string());
            self.add(text, item.span(), way);
            if let DeValue::Table(inner) = item.get_ref() {
                self.table(text, inner, way);
            }
            way.pop();
        }
    }

    fn add(&mut self, text: &str, span: Range<usize>, way: &[String]) {
        let before = text.as_bytes().get(..span.start).unwrap_or_default();
        self.0.push((way.to_vec(), memchr::memchr_iter(b'\n', before).count() + 1));
    }
}

/// The first file at the root under one of [`FILE_NAMES`].
pub fn find(root: &Path) -> Option<PathBuf> {
    FILE_NAMES.iter().map(|name| root.join(name)).find(|path| path.is_file())
}

/// The configuration at the root, or the defaults where there is none. `rules` are the names that `[rules]` may hold.
///
/// # Errors
/// See [`ConfigError`].
pub fn discover(root: &Path, rules: &[&str]) -> Result<Loaded, ConfigError> {
    find(root).map_or_else(|| Ok(Loaded::default()), |path| load(root, &path, rules))
}

/// The configuration in the file at `path`, for the repository at `root`.
///
/// # Errors
/// See [`ConfigError`].
pub fn load(root: &Path, path: &Path, rules: &[&str]) -> Result<Loaded, ConfigError> {
    if leads_out(root, path) {
        return Err(ConfigError::Outside { path: path.into() });
    }
    let bytes = std::fs::read(path).map_err(|source| ConfigError::Read { path: path.into(), source })?;
    let source = Source::new("", bytes);
    let text = source.text().get(source.bom_len()..).unwrap_or_default();
    let read = match source.invalid().first() {
        Some(invalid) => Err(not_utf8(&source, invalid.start())),
        None => parse(text, rules),
    };
    let (config, places) = read.map_err(|problem| {
        // miette prints the text as it is.
        let shown = masked(text);
        let (source_code, span) = Named::new(path.display().to_string(), &shown, problem.span.unwrap_or(0..0));
        let (message, help) = (problem.message, problem.help);
        ConfigError::Content { message, source_code: Box::new(source_code), span, help }
    })?;
    Ok(Loaded { config, path: Some(path.into()), places })
}

/// What is wrong in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    message: String,
    span: Option<Range<usize>>,
    help: String,
}

impl Problem {
    /// The problem at `span`: what is there and what was expected, and what to do.
    pub(super) fn at(span: Range<usize>, message: String, help: impl Into<String>) -> Self {
        Self { message, span: Some(span), help: help.into() }
    }
}

fn not_utf8(source: &Source, at: usize) -> Problem {
    if at == 0 && is_utf16(source.bytes()) {
        let help = "save it as UTF-8: `iconv -f UTF-16 -t UTF-8`";
        return Problem::at(0..1, "the configuration is UTF-16, expected UTF-8".into(), help);
    }
    let byte = source.bytes().get(at).copied().unwrap_or_default();
    let message = format!("the configuration is not UTF-8 (byte {at}): found `{byte:02X}`");
    let shown = at - source.bom_len();
    Problem::at(shown..shown + 1, message, "save it as UTF-8")
}

pub(super) fn parse(text: &str, rules: &[&str]) -> Result<(Config, Places), Problem> {
    let problem = |error| syntax(&error, text);
    let document = DeTable::parse(text).map_err(problem)?;
    keys::check(document.get_ref(), rules)?;
    let config = toml::from_str(text).map_err(problem)?;
    Ok((config, Places::of(text, document.get_ref())))
}

fn syntax(error: &toml::de::Error, text: &str) -> Problem {
    let message = escape(error.message());
    let there = error.span().and_then(|span| text.get(span)).unwrap_or_default();
    let (message, help) = match message.as_str() {
        "duplicate key" => (
            format!("duplicate key `{}`, expected it once", escape(there)),
            "put both values into one key, or delete one",
        ),
        unquoted if unquoted.starts_with("invalid unquoted key") => {
            (message, "put quotes around the name of a rule, as in `\"sem/expired\" = \"off\"`")
        }
        _ => (message, "this is not TOML; `squad-lint init --stdout` prints a configuration to copy from"),
    };
    Problem { message, span: error.span(), help: help.to_owned() }
}
