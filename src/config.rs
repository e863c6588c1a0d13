//! `squad-lint.toml`: what it may say, and what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::diagnostic::{Level, Severity};
use crate::options::{Phase, Policy};
use crate::terminal::escape;

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
    /// Which rules run, and how.
    #[serde(default)]
    pub rules: Rules,
    /// Other severities for some files. Of several that match a file and name a rule, the last one counts.
    #[serde(default)]
    pub overrides: Vec<Override>,
    /// Caps of the memory family, in bytes.
    #[serde(default)]
    pub memory: Memory,
    /// What of the state may be in git.
    #[serde(default)]
    pub guard: Guard,
}

/// `[roots]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Roots {
    /// Globs of the folders that hold state, instead of the default ones.
    pub state: Option<Vec<String>>,
}

/// `[rules]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Rules {
    /// What some rules are tuned with.
    #[serde(default)]
    pub options: RuleOptions,
    /// A rule or family and its severity, or `off`.
    #[serde(flatten)]
    pub levels: BTreeMap<String, Level>,
}

/// `[rules.options]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleOptions {
    /// Options of `sem/summary-too-long`.
    #[serde(default, rename = "sem/summary-too-long")]
    pub summary_too_long: SummaryTooLong,
}

/// `[rules.options."sem/summary-too-long"]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SummaryTooLong {
    /// The longest summary, in characters.
    pub max: Option<usize>,
}

/// `[[overrides]]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Override {
    /// Globs, relative to the root, of the files it holds for.
    pub files: Vec<String>,
    /// A rule or family and its severity there, or `off`.
    pub rules: BTreeMap<String, Level>,
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

/// `[guard]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Guard {
    /// The policy for every state root, instead of the one that its name stands for.
    pub policy: Option<Policy>,
    /// Globs of the protected branches, instead of the default ones.
    pub branches: Option<Vec<String>>,
    /// The branch that holds state under `policy = "state-branch"`.
    pub state_branch: Option<String>,
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
const KEYS: [(&str, &[&str]); 5] = [
    (
        "",
        &[
            "fail-on",
            "min-severity",
            "exclude",
            "phase",
            "max-file-size",
            "roots",
            "rules",
            "overrides",
            "memory",
            "guard",
        ],
    ),
    ("roots", &["state"]),
    ("memory", &["decisions-max", "decisions-hard-max", "history-max"]),
    ("overrides", &["files", "rules"]),
    ("guard", &["policy", "branches", "state-branch"]),
];

fn parse(text: &str, rules: &[&str]) -> Result<Config, Problem> {
    let document = DeTable::parse(text).map_err(|error| problem(&error))?;
    for (key, value) in document.get_ref() {
        known_key(key, keys_of(""), "key")?;
        let name = key.get_ref().as_ref();
        match value.get_ref() {
            DeValue::Table(table) if name == "rules" => levels(table, rules, &["options"])?,
            DeValue::Table(table) => each_key(table, keys_of(name), "key")?,
            DeValue::Array(tables) if name == "overrides" => {
                for table in tables.iter().filter_map(|table| table.get_ref().as_table()) {
                    each_key(table, keys_of(name), "key")?;
                    table
                        .get("rules")
                        .and_then(|rules| rules.get_ref().as_table())
                        .map_or(Ok(()), |table| levels(table, rules, &[]))?;
                }
            }
            _ => {}
        }
    }
    toml::from_str(text).map_err(|error| problem(&error))
}

/// The keys of the table `name`.
fn keys_of(name: &str) -> &'static [&'static str] {
    KEYS.iter().find(|(table, _)| *table == name).map_or(&[], |(_, keys)| keys)
}

fn each_key(table: &DeTable<'_>, keys: &[&str], what: &str) -> Result<(), Problem> {
    table.keys().try_for_each(|key| known_key(key, keys, what))
}

/// Checks a table of rules and their levels; `others` are keys of another kind.
fn levels(table: &DeTable<'_>, rules: &[&str], others: &[&str]) -> Result<(), Problem> {
    for (key, value) in table.iter().filter(|(key, _)| !others.contains(&key.get_ref().as_ref())) {
        known_key(key, rules, "rule or family")?;
        let word = value.get_ref().as_str();
        if word.is_none_or(|word| word.parse::<Level>().is_err()) {
            let found =
                word.map_or_else(|| value.get_ref().type_str().to_owned(), |word| format!("`{}`", escape(word)));
            return Err(Problem {
                message: format!("found {found}, expected one of `{}`", Level::WORDS.join("`, `")),
                span: Some(value.span()),
                help: word.and_then(|word| nearest(word, &Level::WORDS)).map(|near| format!("did you mean `{near}`?")),
            });
        }
    }
    Ok(())
}

/// The one of `words` that `word` was probably meant to be.
fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(word, known);
    words.iter().copied().min_by_key(|known| distance(known)).filter(|known| distance(known) <= 1 + word.len() / 3)
}

fn known_key(key: &Spanned<DeString<'_>>, keys: &[&str], what: &str) -> Result<(), Problem> {
    let name = key.get_ref().as_ref();
    if keys.contains(&name) {
        return Ok(());
    }
    Err(Problem {
        message: format!("there is no {what} `{}`", escape(name)),
        span: Some(key.span()),
        help: Some(match nearest(name, keys) {
            Some(near) => format!("did you mean `{near}`?"),
            None if what == "key" => format!("the keys here are {}", keys.join(", ")),
            None => "`squad-lint rules` lists all rules".to_owned(),
        }),
    })
}

fn problem(error: &toml::de::Error) -> Problem {
    let message = error.message();
    Problem { message: message.to_owned(), span: error.span(), help: nearest_variant(message) }
}

/// The help for a value that is none of the known ones: serde names it first and the known ones after it.
fn nearest_variant(message: &str) -> Option<String> {
    let mut words = message.strip_prefix("unknown variant ")?.split('`').skip(1).step_by(2);
    let given = words.next()?;
    let known: Vec<&str> = words.collect();
    let nearest = nearest(given, &known)?;
    Some(format!("did you mean `{nearest}`?"))
}
