//! What a command line says and cannot mean.

/// What the command line says and cannot mean. The configuration is checked when it is read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SettingsError {
    /// A glob.
    #[error("`{glob}` is not a glob")]
    #[diagnostic(help(
        "`*`, `?`, `[…]` and `{{…}}` are special; put one into brackets to match it literally, as in `[{{]`"
    ))]
    Glob {
        /// The glob.
        glob: String,
        /// Why not.
        source: globset::Error,
    },
    /// A moment.
    #[error("`{text}` is not a timestamp")]
    #[diagnostic(help("write it as 2026-02-15T14:32:15-0800, or only the day"))]
    Now {
        /// What was given.
        text: String,
    },
    /// `SOURCE_DATE_EPOCH`.
    #[error("`{EPOCH}` is `{text}`, expected seconds since 1970, as in `1771165935`")]
    #[diagnostic(help(
        "`date +%s` prints the current time in seconds; after `unset {EPOCH}`, squad-lint uses the clock"
    ))]
    Epoch {
        /// What it is.
        text: String,
    },
}

pub(super) const EPOCH: &str = "SOURCE_DATE_EPOCH";
