//! Options that several subcommands have.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::project::{At, ConfigFile, Open};
use crate::terminal::{ColorWhen, Terminal};

/// The options of every subcommand.
#[derive(Clone, Copy, Debug, Args)]
pub struct GlobalArgs {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Output")]
    pub color: ColorWhen,
    /// Print results only: no totals, no notes
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Print to standard error which files are read and skipped, and why
    #[arg(short, long, global = true, help_heading = "Output")]
    pub verbose: bool,
}

impl GlobalArgs {
    /// The terminal that these options ask for.
    pub fn terminal(self) -> Terminal {
        Terminal::new(self.color).with_verbosity(self.quiet, self.verbose)
    }
}

/// The project: options of all subcommands that open one.
#[derive(Debug, Clone, Args)]
pub struct ProjectArgs {
    /// The root of the repository, or any folder to check without git [default: found from the paths, as git does]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub root: Option<PathBuf>,
    /// Skip files that match this glob, even if you name them
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub exclude: Vec<String>,
    /// The configuration file [default: squad-lint.toml at the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Files")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = "Files")]
    pub no_config: bool,
    /// Use this as the current time [default: `SOURCE_DATE_EPOCH`, otherwise the clock]
    #[arg(long, value_name = "TIMESTAMP", help_heading = "Files")]
    pub now: Option<String>,
}

impl ProjectArgs {
    /// How the project is opened; it is at `at`, if `--root` does not say otherwise.
    pub fn open<'a>(&'a self, at: At<'a>) -> Open<'a> {
        let Self { root, exclude, config, no_config, now } = self;
        Open { exclude, now: now.as_deref(), ..open(at, root.as_deref(), config.as_deref(), *no_config) }
    }
}

/// How a project is opened by `--root`, `--config` and `--no-config`; it is at `at`, if `--root` does not say otherwise.
pub fn open<'a>(at: At<'a>, root: Option<&'a Path>, config: Option<&'a Path>, no_config: bool) -> Open<'a> {
    let config = match config {
        _ if no_config => ConfigFile::Nothing,
        Some(path) => ConfigFile::File(path),
        None => ConfigFile::AtRoot,
    };
    Open { at: root.map_or(at, At::Root), config, exclude: &[], manifest: None, now: None }
}
