//! `squad-lint.toml`: what it may say, and what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;
use toml::Spanned;

use crate::diagnostic::{Level, Severity};
use crate::options::Phase;

/// The names under which a configuration is looked for at the root, first come.
pub const FILE_NAMES: [&str; 3] = ["squad-lint.toml", ".squad-lint.toml", ".config/squad-lint.toml"];

/// The configuration of a repository. Every key is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// The mildest severity that makes the exit code 1.
    pub fail_on: Option<Severity>,
    /// The mildest severity that is shown.
    pub min_severity: Option<Severity>,
    /// Globs, relative to the root, of what is left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Seed 001's migration phase.
    pub phase: Option<Phase>,
    /// Files beyond this many bytes are named, not read.
    pub max_file_size: Option<u64>,
    /// Where state is kept.
    #[serde(default)]
    pub roots: Roots,
    /// A rule or family and its severity, or `off`.
    #[serde(default)]
    pub rules: BTreeMap<String, Level>,
    /// Caps of the memory family, in bytes.
    #[serde(default)]
    pub memory: Memory,
}

/// `[roots]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Roots {
    /// Globs of the folders that hold state, instead of the default ones.
    pub state: Option<Vec<String>>,
}

/// `[memory]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Memory {
    /// `decisions.md` is worth archiving beyond this.
    pub decisions_max: Option<u64>,
    /// `decisions.md` is slow to parse beyond this.
    pub decisions_hard_max: Option<u64>,
    /// `history.md` is worth archiving beyond this.
    pub history_max: Option<u64>,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not UTF-8.
    #[error("the configuration {} is not UTF-8 (byte {at})", path.display())]
    #[diagnostic(help("save it as UTF-8"))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is not, counted from 0.
        at: usize,
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
        span: Option<SourceSpan>,
        /// What to do.
        #[help]
        help: Option<String>,
    },
}

/// A file's text under its name, for the error that shows it.
#[derive(Debug)]
pub struct Named(NamedSource<String>);

impl Named {
    /// The text `text` of the file `name`.
    pub fn new(name: String, text: String) -> Self {
        Self(NamedSource::new(name, text))
    }
}

impl miette::SourceCode for Box<Named> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        self.0.read_span(span, before, after)
    }
}

/// A parsed configuration, and where it came from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What it says.
    pub config: Config,
    /// Its file; `None` where there is none.
    pub path: Option<PathBuf>,
}

/// The configuration at the root, or the defaults where there is none. `rules` are the names that `[rules]` may hold.
///
/// # Errors
/// See [`ConfigError`].
pub fn discover(root: &Path, rules: &[&str]) -> Result<Loaded, ConfigError> {
    match FILE_NAMES.iter().map(|name| root.join(name)).find(|path| path.is_file()) {
        Some(path) => load(&path, rules),
        None => Ok(Loaded::default()),
    }
}

/// The configuration in the file at `path`.
///
/// # Errors
/// See [`ConfigError`].
pub fn load(path: &Path, rules: &[&str]) -> Result<Loaded, ConfigError> {
    let bytes = std::fs::read(path).map_err(|source| ConfigError::Read { path: path.into(), source })?;
    let text = String::from_utf8(bytes)
        .map_err(|error| ConfigError::NotUtf8 { path: path.into(), at: error.utf8_error().valid_up_to() })?;
    let config = parse(&text, rules).map_err(|problem| {
        // miette prints the text as it is.
        let shown = text.replace(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'), "?");
        ConfigError::Content {
            message: problem.message,
            source_code: Box::new(Named::new(path.display().to_string(), shown)),
            span: problem.span.map(SourceSpan::from),
            help: problem.help,
        }
    })?;
    Ok(Loaded { config, path: Some(path.into()) })
}

/// What is wrong in a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Problem {
    message: String,
    span: Option<std::ops::Range<usize>>,
    help: Option<String>,
}

/// The keys of each table.
const KEYS: [(&str, &[&str]); 3] = [
    ("", &["fail-on", "min-severity", "exclude", "phase", "max-file-size", "roots", "rules", "memory"]),
    ("roots", &["state"]),
    ("memory", &["decisions-max", "decisions-hard-max", "history-max"]),
];

fn parse(text: &str, rules: &[&str]) -> Result<Config, Problem> {
    let tables: BTreeMap<Spanned<String>, toml::Value> = toml::from_str(text).map_err(|error| problem(&error))?;
    for (key, value) in &tables {
        known_key(key, KEYS.first().map_or(&[][..], |(_, keys)| keys), "key")?;
        let inner: Option<&[&str]> = match key.get_ref().as_str() {
            "rules" => Some(rules),
            name => KEYS.iter().find(|(table, _)| *table == name).map(|(_, keys)| *keys),
        };
        if let (Some(keys), true) = (inner, value.is_table()) {
            let what = if key.get_ref() == "rules" { "rule or family" } else { "key" };
            inner_keys(text, key.get_ref(), keys, what)?;
        }
    }
    toml::from_str(text).map_err(|error| problem(&error))
}

/// Checks the keys of the table `name`, with their spans.
fn inner_keys(text: &str, name: &str, keys: &[&str], what: &str) -> Result<(), Problem> {
    let Ok(document) = toml::de::DeTable::parse(text) else { return Ok(()) };
    let Some(toml::de::DeValue::Table(table)) = document.get_ref().get(name).map(Spanned::get_ref) else {
        return Ok(());
    };
    for key in table.keys() {
        let spanned = Spanned::new(key.span(), key.get_ref().to_string());
        known_key(&spanned, keys, what)?;
    }
    Ok(())
}

fn known_key(key: &Spanned<String>, keys: &[&str], what: &str) -> Result<(), Problem> {
    let name = key.get_ref().as_str();
    if keys.contains(&name) {
        return Ok(());
    }
    let nearest = keys.iter().min_by_key(|known| strsim::damerau_levenshtein(name, known));
    let near = nearest.filter(|known| strsim::damerau_levenshtein(name, known) <= 1 + name.len() / 3);
    Err(Problem {
        message: format!("there is no {what} `{}`", crate::terminal::escape(name)),
        span: Some(key.span()),
        help: Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if what == "key" => format!("the keys here are {}", keys.join(", ")),
            None => "`squad-lint rules` lists all rules".to_owned(),
        }),
    })
}

fn problem(error: &toml::de::Error) -> Problem {
    Problem { message: error.message().to_owned(), span: error.span(), help: None }
}
