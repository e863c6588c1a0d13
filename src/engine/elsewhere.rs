//! Where the state of a team is, if a run checked no file.

use crate::engine::target::Target;
use crate::formats::team_config::TeamConfig;
use crate::fs::read;
use crate::project::Project;
use crate::select::revision::Revision;
use crate::select::state_branch;
use crate::terminal::escape;

/// Where the state of the team of `project` is, and how to check it, if nothing was checked of `target`: in `revision`, or in the
/// work tree. `None` if no team is configured.
pub fn of(project: &Project, target: &Target, revision: Option<&Revision>) -> Option<String> {
    let branch = project.options.guard.state_branch.as_str();
    let config = config(project, revision);
    if let Some(TeamConfig { is_external: true, .. }) = &config {
        let why = "`.squad/config.json` has the `stateLocation` `external`";
        return Some(format!(
            "the state of the team is outside of this repository ({why}); `squad-lint --root DIR` checks it"
        ));
    }
    if let Some(root) = config.as_ref().and_then(|config| config.team_root.as_deref()) {
        let root = escape(root);
        return Some(format!("the team is in `{root}` (`teamRoot` in `.squad/config.json`); run `squad-lint` there"));
    }
    let has_branch = config.as_ref().is_some_and(|config| config.backend.has_branch());
    let is_of_branch = revision.is_some_and(|revision| state_branch::names(&revision.name, branch));
    match project.repository.git.as_ref().and_then(|git| state_branch::find(git, branch)) {
        Some(_) if is_of_branch => Some(format!("`{branch}` has no state of a team")),
        Some(name) => Some(format!("the state of the team is on `{name}`; `squad-lint --rev {name}` checks it")),
        None if has_branch => Some(format!(
            "the state of the team is on the branch `{branch}`, which this repository does not have; fetch it with \
             `git fetch origin {branch}:{branch}`, and check it with `squad-lint --rev {branch}`"
        )),
        None if matches!(target, Target::Paths(paths) if !paths.is_empty()) => {
            config.map(|_| "none of the paths is a file that squad-lint checks".to_owned())
        }
        None => config.map(|_| "`.squad/` has a `config.json` and no state".to_owned()),
    }
}

/// The configuration of the team, as the target of the run has it.
fn config(project: &Project, revision: Option<&Revision>) -> Option<TeamConfig> {
    let Project { repository, options, .. } = project;
    let cap = options.max_file_bytes.get();
    let path = ".squad/config.json";
    let bytes = match revision {
        Some(revision) => revision.read(path.into(), cap).ok()?,
        None => read::read_inside(&repository.root, &repository.root.join(path), cap).ok()?,
    };
    Some(TeamConfig::parse(&String::from_utf8_lossy(&bytes)))
}
