//! Input of a run that looks at one document alone.

use std::path::PathBuf;
use std::sync::LazyLock;

use squad_lint::dialects::default_roots;
use squad_lint::layout::exclude::Excludes;
use squad_lint::layout::roots::Roots;
use squad_lint::select::input::{Input, Mode, Overlay};
use squad_lint::select::repository::Repository;
use squad_lint::select::worktree::Selection;

/// A run's input without any file or repository: for what looks at one document alone.
pub fn no_files() -> Input<'static> {
    struct NoFiles(Repository, Roots, Excludes, Selection, Overlay);
    static NO_FILES: LazyLock<NoFiles> = LazyLock::new(|| {
        let repository = Repository { root: PathBuf::from("/no/such/folder"), has_git: false, git: None };
        let roots = Roots::new(default_roots().map(|root| root.glob)).expect("the default roots are globs");
        NoFiles(repository, roots, Excludes::default(), Selection::default(), Overlay::default())
    });
    let NoFiles(repository, roots, excludes, selection, overlay) = &*NO_FILES;
    Input { repository, roots, excludes, selection, overlay, mode: Mode::WorkTree }
}
