//! What a format of findings is: its module declares it, and everything else is made from that.

use std::fmt;
use std::io::{self, Write};

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::{FORMATS, Report};

/// What a format's module declares of it.
#[derive(Debug)]
pub struct FormatSpec {
    /// Who reads it: a few words that complete "for".
    pub readers: &'static str,
    /// What they find in it, in a few words.
    pub shows: &'static str,
    /// Whether it can count the findings by rule instead of showing them, for `--statistics`.
    pub has_statistics: bool,
    /// Whether it shows what fixes change: only then are fixes computed that need the history of git.
    pub shows_fixes: bool,
    /// Whether it has colours on a terminal, which are taken out of a file.
    pub has_colors: bool,
    /// Whether it has a place for what is about no finding, such as where the state of a team is.
    pub has_notes: bool,
    /// Writes the report. It returns the error of the writer.
    pub write: fn(Report<'_>, &mut dyn Write) -> io::Result<()>,
}

impl FormatSpec {
    /// The values that most formats share, for `..FormatSpec::NEW`.
    pub const NEW: Self = Self {
        readers: "",
        shows: "",
        has_statistics: false,
        shows_fixes: false,
        has_colors: false,
        has_notes: false,
        write: |_, _| Ok(()),
    };
}

/// A format of findings, by the name of its module.
#[derive(Clone, Copy)]
pub struct Format {
    /// The name in `--format` and `--report`: that of the module.
    pub name: &'static str,
    /// What the module declares.
    pub spec: &'static FormatSpec,
}

impl Format {
    /// Every format, in the order of the list.
    pub fn all() -> &'static [Self] {
        FORMATS
    }
}

/// The first of the list: `text`.
impl Default for Format {
    fn default() -> Self {
        let [first, ..] = FORMATS;
        *first
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let FormatSpec { readers, shows, .. } = self.spec;
        Some(PossibleValue::new(self.name).help(format!("For {readers}: {shows}")))
    }
}

/// Declares the formats, one module each, in the order in which help and documentation list them. The first is the default.
macro_rules! formats {
    ($($module:ident)*) => {
        $(pub mod $module;)*

        /// Every format.
        const FORMATS: &[format::Format; [$(stringify!($module)),*].len()] =
            &[$(format::Format { name: stringify!($module), spec: &$module::FORMAT }),*];
    };
}

pub(super) use formats;
