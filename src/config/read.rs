//! Finding and reading the file, and what is wrong with it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Diagnostic, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::validate;
use crate::fs::read::leads_out;
use crate::settings::Settings;
use crate::terminal::escape;
use crate::text::{Source, is_utf16};

/// The names under which a configuration is looked for at the root, first come.
pub const FILE_NAMES: [&str; 3] = ["squad-lint.toml", ".squad-lint.toml", ".config/squad-lint.toml"];

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    #[diagnostic(help("check its path and permissions, or pass `--no-config`"))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A commit can bring a link, which must not say what else is read.
    #[error("the configuration {} is a symbolic link that leads out of the repository", path.display())]
    #[diagnostic(help("replace the link with the file itself, or pass `--no-config`"))]
    Outside {
        /// The file.
        path: PathBuf,
    },
    /// It says something that is not understood.
    #[error("{message}")]
    Content {
        /// The value that was found, and the value that was expected.
        message: String,
        /// The file with its text.
        #[source_code]
        source_code: Arc<Named>,
        /// The place.
        #[label]
        span: Option<SourceSpan>,
        /// What to do.
        #[help]
        help: String,
    },
}

/// A file's text under its name, for the error that quotes it.
#[derive(Debug)]
pub struct Named {
    name: String,
    text: String,
}

impl Named {
    /// The text `text` of the file `name`.
    pub fn new(name: String, text: String) -> Self {
        Self { name, text }
    }
}

impl SourceCode for Named {
    /// The whole text: which lines of it are quoted is decided where errors are shown.
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from((0, self.text.len()));
        let lines = self.text.lines().count();
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), self.text.as_bytes(), whole, 0, 0, lines)))
    }
}

/// A parsed configuration, and where it came from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What it says.
    pub config: Settings,
    /// Its file; `None` if there is none.
    pub path: Option<PathBuf>,
    /// Where it says what.
    pub places: Places,
}

/// The lines of the keys in a file.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(Vec<String>, usize)>);

impl Places {
    /// The line, from 1, of the key that this way leads to: names of keys, and numbers, from 0, of tables in a list.
    pub fn line(&self, way: &[&str]) -> Option<usize> {
        self.0.iter().find(|(own, _)| own == way).map(|(_, line)| *line)
    }

    fn of(text: &str, document: &DeTable<'_>) -> Self {
        let starts: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).collect();
        let mut places = Self::default();
        places.table(&starts, document, &mut Vec::new());
        places
    }

    /// Adds the keys of `table`; `starts` are the places at which the lines after the first one start.
    fn table(&mut self, starts: &[usize], table: &DeTable<'_>, way: &mut Vec<String>) {
        for (key, value) in table {
            way.push(key.get_ref().to_string());
            self.add(starts, key.span(), way);
            match value.get_ref() {
                DeValue::Table(inner) => self.table(starts, inner, way),
                DeValue::Array(items) => self.tables(starts, items.iter(), way),
                _ => {}
            }
            way.pop();
        }
    }

    fn tables<'a>(
        &mut self,
        starts: &[usize],
        items: impl Iterator<Item = &'a Spanned<DeValue<'a>>>,
        way: &mut Vec<String>,
    ) {
        for (at, item) in items.enumerate() {
            way.push(at.to_string());
            self.add(starts, item.span(), way);
            if let DeValue::Table(inner) = item.get_ref() {
                self.table(starts, inner, way);
            }
            way.pop();
        }
    }

    fn add(&mut self, starts: &[usize], span: Range<usize>, way: &[String]) {
        self.0.push((way.to_vec(), 1 + starts.partition_point(|start| *start <= span.start)));
    }
}

/// The first file at the root under one of [`FILE_NAMES`].
pub fn find(root: &Path) -> Option<PathBuf> {
    FILE_NAMES.iter().map(|name| root.join(name)).find(|path| path.is_file())
}

/// The configuration at the root, or the defaults if there is none. `rules` are the names that `[rules]` may hold.
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
    let (config, places) = read.map_err(|problem| ConfigError::Content {
        message: problem.message,
        source_code: Arc::new(Named::new(path.display().to_string(), text.to_owned())),
        span: problem.span.map(SourceSpan::from),
        help: problem.help,
    })?;
    Ok(Loaded { config, path: Some(path.into()), places })
}

/// The settings in `text`, which a fix made; `None` if it is not a configuration.
pub fn settings(text: &[u8]) -> Option<Settings> {
    toml::from_slice(text).ok()
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

fn parse(text: &str, rules: &[&str]) -> Result<(Settings, Places), Problem> {
    let problem = |error| syntax(&error, text);
    let document = DeTable::parse(text).map_err(problem)?;
    let places = |settings| (settings, Places::of(text, document.get_ref()));
    match toml::from_str::<Settings>(text) {
        Ok(settings) if settings.levels().all(|name| rules.contains(&name)) => Ok(places(settings)),
        // The schema says more about it. It is made for that alone.
        read => {
            validate::check(document.get_ref(), rules)?;
            read.map(places).map_err(problem)
        }
    }
}

fn syntax(error: &toml::de::Error, text: &str) -> Problem {
    let message = escape(error.message());
    let there = error.span().and_then(|span| text.get(span)).unwrap_or_default();
    let (message, help) = match message.as_str() {
        "duplicate key" => {
            (format!("duplicate key `{}`", escape(there)), "put both values into one key, or delete one")
        }
        unquoted if unquoted.starts_with("invalid unquoted key") => {
            (message, "put quotes around the name of a rule, as in `\"sem/expired\" = \"off\"`")
        }
        _ => (message, "correct the TOML (`squad-lint init --stdout` prints an example)"),
    };
    Problem { message, span: error.span(), help: help.to_owned() }
}
