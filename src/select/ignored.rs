//! Which folders of a working tree git ignores: by `.gitignore` files, `info/exclude`, and the file of the user.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::repository::Repository;

/// The ignore files that decide about what lies in a folder, the last word first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ignored(Option<Arc<File>>);

#[derive(Debug)]
struct File {
    patterns: Gitignore,
    above: Ignored,
}

impl Ignored {
    /// By the files that lie in no folder of `repository`; without git, also by those above its root.
    pub(super) fn around(repository: &Repository) -> Self {
        let root = repository.root.as_path();
        if let Some(git) = &repository.git {
            // A value that is not a path is an error of whatever asks git which files it ignores.
            let user_file = git.user_exclude_file(root).ok().flatten();
            let ignored = user_file.into_iter().fold(Self::default(), |ignored, file| ignored.with_file(root, file));
            return ignored.with_file(root, git.exclude_file());
        }
        let exclude = |folder: &Path| folder.join(".git/info/exclude");
        let ignored = Self::default().with(GitignoreBuilder::new(root).build_global().0);
        let outer = root.ancestors().find(|folder| folder.join(".git").exists());
        let ignored = outer.into_iter().fold(ignored, |ignored, folder| ignored.with_file(folder, exclude(folder)));
        ignored.with_folders(root.parent())
    }

    /// With the `.gitignore` files of `folder` and of all folders above.
    fn with_folders(self, folder: Option<&Path>) -> Self {
        let mut folders: Vec<_> = folder.into_iter().flat_map(Path::ancestors).collect();
        folders.reverse();
        folders.into_iter().fold(self, |ignored, folder| ignored.with_folder(folder))
    }

    /// With the `.gitignore` of `folder`.
    pub(super) fn with_folder(&self, folder: &Path) -> Self {
        self.with_file(folder, folder.join(".gitignore"))
    }

    /// With the patterns in the file at `path`, which are relative to `folder`. Of a file that cannot be read no pattern counts.
    fn with_file(&self, folder: &Path, path: PathBuf) -> Self {
        if !path.exists() {
            return self.clone();
        }
        let mut patterns = GitignoreBuilder::new(folder);
        // A pattern that is none is left out, as by git.
        patterns.add(path);
        patterns.build().map_or_else(|_| self.clone(), |patterns| self.with(patterns))
    }

    fn with(&self, patterns: Gitignore) -> Self {
        if patterns.is_empty() { self.clone() } else { Self(Some(Arc::new(File { patterns, above: self.clone() }))) }
    }

    /// Whether the folder at `path`, right in the one that the files are for, is ignored.
    pub(super) fn ignores(&self, path: &Path) -> bool {
        let mut at = self;
        while let Some(file) = &at.0 {
            match file.patterns.matched(path, true) {
                Match::None => at = &file.above,
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}
