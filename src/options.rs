//! What a run hands to its rules: the settings, and what no configuration can say.

use std::ops::Deref;

use bstr::BStr;

pub use crate::settings::{Phase, Policy};

use crate::formats::timestamp::Timestamp;
use crate::layout::globs::Globs;
use crate::settings::Settings;

/// The settings of a run, with what comes from its command line and its environment.
#[derive(Clone, Debug)]
pub struct Options {
    /// The moment that dates are compared with. It is handed in, so that runs repeat.
    pub now: Timestamp,
    /// The settings; `options.learnings` is `options.settings.learnings`.
    pub settings: Settings,
    /// `guard.protected-branches`, compiled.
    protected_branches: Globs,
    /// Branch that the checked state is meant for, by its short name; `None` for the one that is checked out.
    pub target_branch: Option<String>,
    /// Whether rules may read the history of git. That walks through all commits, so only a run that writes or shows unsafe
    /// fixes does it.
    pub history: bool,
    /// Whether learnings without a date go before the dated ones, as `team prune` archives them. Otherwise they stay.
    pub archives_undated: bool,
    /// Whether the project has no configuration file, and the command line neither names nor refuses one: a fix may create
    /// one.
    pub may_create_config: bool,
}

impl Options {
    /// The default settings, at the moment `now`.
    pub fn at(now: Timestamp) -> Self {
        // The default globs always compile: a test runs with them.
        Self::new(Settings::default(), now).unwrap_or_else(|_| Self::with(Settings::default(), now, Globs::default()))
    }

    /// The options of a run with these settings, at the moment `now`.
    ///
    /// # Errors
    /// The first invalid glob in `guard.protected-branches`.
    pub fn new(settings: Settings, now: Timestamp) -> Result<Self, globset::Error> {
        let protected_branches = Globs::new(&settings.guard.protected_branches)?;
        Ok(Self::with(settings, now, protected_branches))
    }

    /// The same run with other settings, which came from a file.
    ///
    /// # Errors
    /// The first invalid glob in `guard.protected-branches`.
    pub fn with_settings(&self, settings: Settings) -> Result<Self, globset::Error> {
        let new = Self::new(settings, self.now)?;
        Ok(Self {
            target_branch: self.target_branch.clone(),
            history: self.history,
            archives_undated: self.archives_undated,
            ..new
        })
    }

    fn with(settings: Settings, now: Timestamp, protected_branches: Globs) -> Self {
        Self {
            now,
            settings,
            protected_branches,
            target_branch: None,
            history: false,
            archives_undated: false,
            may_create_config: false,
        }
    }

    /// Whether the branch with that short name is protected.
    pub fn is_protected(&self, branch: &BStr) -> bool {
        self.protected_branches.is_match(branch)
    }
}

impl Deref for Options {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}
