//! Where a value comes from: a default, a file, the command line, a manifest.

use serde::Serialize;

/// Where the value of a setting, or of an option of a member, comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ValueSource {
    /// The program, as in `# default` after `fail-on = "error"`.
    #[default]
    Default,
    /// The configuration file.
    File {
        /// Its line, from 1.
        line: usize,
    },
    /// An option of the command line.
    CommandLine {
        /// With its dashes, as in `--fail-on`.
        option: &'static str,
    },
    /// An environment variable.
    Environment {
        /// Its name, as in `SOURCE_DATE_EPOCH`.
        variable: &'static str,
    },
    /// A member of a learning team, in its manifest.
    Member,
    /// `defaults` in the manifest of a learning team.
    Team,
}
