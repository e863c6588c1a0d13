//! Whether a bundle is safe to pass on or to take over. The configuration of the project has no say in this.

use std::sync::Arc;

use bstr::BString;

use crate::dialects::bundle::EXPORT;
use crate::engine::{self, Progress};
use crate::layout::exclude::Excludes;
use crate::outcome::Outcome;
use crate::project::Project;
use crate::project::rules::{RuleSetError, resolve};
use crate::select::input::{Input, Mode, Overlay};
use crate::select::selected::Selected;
use crate::select::worktree::Selection;
use crate::settings::Settings;

/// What a bundle must pass: it is sound itself, has nothing that harms whoever reads it, and no agent without a text.
const RULES: [&str; 3] = ["bundle", "security", "charter/empty"];

/// What the rules for bundles find in `bytes`, a bundle that is called `name`.
///
/// # Errors
/// When the rules cannot be told.
pub fn check(project: &Project, name: BString, bytes: Vec<u8>) -> Result<Outcome, RuleSetError> {
    let rules = resolve(&RULES.map(str::to_owned), &[], &Settings::default())?;
    let file = Selected::on_disk(name.clone(), BString::default(), &EXPORT, true, true);
    let selection = Selection { files: Arc::new(vec![file]), ..Selection::default() };
    let (overlay, excludes) = (Overlay::from([(name, bytes)]), Excludes::default());
    let Project { repository, roots, options, .. } = project;
    let input = Input {
        repository,
        roots,
        excludes: &excludes,
        selection: &selection,
        overlay: &overlay,
        mode: Mode::WorkTree,
    };
    let mut outcome = engine::run(input, &rules, options, &Progress::default());
    // Whoever made the bundle wrote the comments in it, too.
    let suppressed = std::mem::take(&mut outcome.suppressed);
    outcome.diagnostics.extend(suppressed.into_iter().map(|suppressed| suppressed.diagnostic));
    outcome.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Ok(outcome)
}
