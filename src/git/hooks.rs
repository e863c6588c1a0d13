//! Where git looks for the hooks of a repository.

use std::path::PathBuf;

use crate::git::error::GitError;
use crate::git::repository::Git;

/// The folder of the hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HooksFolder {
    /// Where it is; it need not be there.
    pub path: PathBuf,
    /// The file outside of the repository that says so (`core.hooksPath`): its hooks run in other repositories, too.
    pub shared_by: Option<PathBuf>,
}

impl Git {
    /// The folder in which git looks for hooks: `core.hooksPath`, else [`Git::own_hooks_folder`]; `None` if that is empty, and git
    /// runs no hooks.
    ///
    /// # Errors
    /// When the value of `core.hooksPath` is not a path.
    pub fn hooks_folder(&self) -> Result<Option<HooksFolder>, GitError> {
        let repository = self.local();
        let config = repository.config_snapshot();
        let configured =
            config.trusted_path("core.hooksPath").map_err(|error| GitError::new("core.hooksPath", error))?;
        let Some(path) = configured else {
            let is_empty = config.string("core.hooksPath").is_some_and(|value| value.is_empty());
            return Ok((!is_empty).then(|| HooksFolder { path: self.own_hooks_folder(), shared_by: None }));
        };
        let sections: Vec<_> = config.plumbing().sections_by_name("core").into_iter().flatten().collect();
        let says_so = sections.iter().rev().find(|section| section.value("hooksPath").is_some());
        let is_outside =
            |kind| !matches!(kind, gix::config::source::Kind::Repository | gix::config::source::Kind::Override);
        let shared_by = says_so.filter(|section| is_outside(section.meta().source.kind()));
        let shared_by = shared_by.and_then(|section| section.meta().path.clone());
        // Git runs hooks in the work tree's root, and takes a relative path from there.
        Ok(Some(HooksFolder { path: self.work_dir().unwrap_or(self.git_dir()).join(path), shared_by }))
    }

    /// The repository's own folder for hooks, which all its work trees share.
    pub fn own_hooks_folder(&self) -> PathBuf {
        self.common_dir().join("hooks")
    }
}
