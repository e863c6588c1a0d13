//! Where the state of a team is, if a run checked no file.

use bstr::{BStr, BString, ByteSlice};

use crate::engine::target::Target;
use crate::formats::team_config::TeamConfig;
use crate::fs::path::inner_path;
use crate::git::index::Index;
use crate::layout::roots::Roots;
use crate::options::Policy;
use crate::outcome::NONE_CHANGED;
use crate::project::Project;
use crate::rules::shell::word;
use crate::select::input::{Input, Mode};
use crate::select::selected::Selected;
use crate::select::worktree::Selection;
use crate::select::{skipped, state_branch, tracked};
use crate::terminal::{display_path, escape};

/// Where the state of the team of `project` is, and how to check it, if nothing was checked of `target`, which is `input`. `None` if no
/// team is configured. Whether something `is_found` all the same: a change can delete files.
pub fn of(project: &Project, target: &Target, input: Input<'_>, is_found: bool) -> Option<String> {
    match input.selection.excluded {
        0 => {}
        1 => return Some("the only file is excluded".to_owned()),
        count => return Some(format!("all {count} files are excluded")),
    }
    let branch = project.options.guard.state_branch.as_str();
    let is_change = matches!(input.mode, Mode::Change(_));
    let (path, config) = config(project, target, input).unzip();
    let path = path.map(|path| display_path(&path)).unwrap_or_default();
    if let Some(TeamConfig { is_external: true, .. }) = &config {
        return Some(format!(
            "the state of the team is outside of this repository (`{path}` has the `stateLocation` `external`); \
             `squad-lint --root DIR` checks it"
        ));
    }
    if let Some(root) = config.as_ref().and_then(|config| config.team_root.as_deref()) {
        return Some(format!("the team is in `{}` (`teamRoot` in `{path}`); run `squad-lint` there", escape(root)));
    }
    let has_branch = config.as_ref().and_then(TeamConfig::has_branch);
    let git = project.repository.git.as_ref();
    let is_of_branch = match input.mode {
        Mode::Revision(revision) => revision.is_named,
        // With state in `HEAD` the top is a root.
        Mode::WorkTree => !input.roots.has_top() && git.is_some_and(|git| state_branch::names(git, "HEAD", branch)),
        Mode::Change(_) | Mode::Tree(_) | Mode::Push(_) => false,
    };
    match git.and_then(|git| state_branch::find(git, branch)) {
        Some(_) if is_of_branch => return Some(format!("`{branch}` has no state of a team")),
        Some(name) if has_branch.unwrap_or(!is_change) && git.is_some_and(|git| state_branch::is_empty(git, &name)) => {
            return Some(format!("`{name}` has no state of a team"));
        }
        // With another backend the branch is a leftover.
        Some(name) if has_branch.unwrap_or(!is_change) => {
            return Some(format!("the state of the team is on `{name}`; `squad-lint --rev {name}` checks it"));
        }
        None if has_branch == Some(true) => return Some(without_branch(branch)),
        _ => {}
    }
    if let Some(said) = in_index_only(project, target, input) {
        return Some(said);
    }
    let is_team = config.is_some() || is_of_team(input);
    (is_team && !(is_change && is_found)).then(|| match (input.mode, target) {
        (Mode::Tree(name), _) => {
            format!("`--tree` checks only file names; `squad-lint --rev {}` checks the contents", escape(name))
        }
        (Mode::Push(_), _) => "for a push squad-lint checks only file names".to_owned(),
        _ if is_change => NONE_CHANGED.to_owned(),
        (_, Target::Paths(paths)) if !paths.is_empty() => {
            "none of the paths is a file that squad-lint checks".to_owned()
        }
        _ => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            match config.as_ref().and_then(|config| config.squad_source.as_deref()) {
                Some(source) => format!(
                    "`{path}` has the `squadSource` `{}`, and `{folder}/` has no state; run `squad-lint` in that repository",
                    escape(source)
                ),
                None => format!("`{folder}/` has a `config.json` and no state"),
            }
        }
    })
}

/// Says that the index has the files of a team and the work tree has none of them, if the whole team is checked.
fn in_index_only(project: &Project, target: &Target, input: Input<'_>) -> Option<String> {
    let is_whole = matches!(target, Target::Paths(paths) if paths.is_empty()) && matches!(input.mode, Mode::WorkTree);
    // Nearly always there is a team on disk, and the index need not be read.
    let has_team = input.selection.files.iter().any(|file| !file.root.is_empty());
    let git = project.repository.git.as_ref().filter(|_| is_whole && !has_team)?;
    let index = Index::of(git).ok()?;
    // Outside of a sparse checkout they are meant to be in the index alone.
    let is_state = |path: &BString| {
        input.roots.locate(path.as_bstr()).is_some_and(|it| it.kind.is_some())
            && !input.excludes.matches(path.as_bstr())
            && !index.is_skipped(path.as_bstr())
    };
    let roots = tracked::in_index(git, &index, input.roots).ok()?;
    // What must not be in git is reported as such.
    let may_be = |root: &BString| project.options.guard.policy_of(root.as_bstr()) != Some(Policy::NeverTracked);
    let mut roots = roots.iter().filter(|(root, _)| !root.is_empty() && may_be(root));
    let (root, _) = roots.find(|(_, files)| files.iter().any(|file| is_state(&file.path)))?;
    Some(format!(
        "the files of the team in `{}/` are in the index and not in the working tree; `git restore -- {}` writes them there",
        display_path(root),
        word(root.as_bstr())
    ))
}

/// Whether the change is that of a team without a configuration: on its state branch, or one that deletes its files.
fn is_of_team(input: Input<'_>) -> bool {
    let Mode::Change(changes) = input.mode else { return false };
    let is_state = |path| input.roots.locate(path).is_some_and(|it| it.kind.is_some());
    input.roots.has_top() || changes.list().iter().any(|change| is_state(change.old_path()))
}

/// The same where other files were checked: if the work tree lacks the files of a team, or this repository the branch that the
/// configuration names.
pub fn absent(project: &Project, target: &Target, input: Input<'_>) -> Option<String> {
    if let Some(said) = in_index_only(project, target, input) {
        return Some(said);
    }
    let branch = project.options.guard.state_branch.as_str();
    let git = project.repository.git.as_ref().filter(|git| state_branch::find(git, branch).is_none())?;
    let has_branch = config(project, target, input).is_some_and(|(_, config)| config.backend.has_branch());
    (has_branch && !state_branch::names(git, "HEAD", branch)).then(|| without_branch(branch))
}

fn without_branch(branch: &str) -> String {
    format!(
        "the state of the team is on the branch `{branch}`, which this repository does not have; fetch it with \
         `git fetch origin {branch}:{branch}`, and check it with `squad-lint --rev {branch}`"
    )
}

/// What the user ought to know of a checkout of the state branch that has files in `.squad/`: the selected ones, or those that are
/// staged.
pub fn checkout_note(project: &Project, roots: &Roots, selection: &Selection, is_staged: bool) -> Option<String> {
    let git = project.repository.git.as_ref()?;
    let is_named = || state_branch::names(git, "HEAD", project.options.guard.state_branch.as_str());
    if !roots.has_top() && !is_named() {
        return None;
    }
    let is_stray = |file: &Selected| state_branch::is_stray(file.root.as_bstr());
    let place = match selection.files.iter().any(is_stray) {
        true if !is_staged => "the working tree",
        _ => state_branch::has_stray(git).then_some("the index")?,
    };
    Some(if roots.has_top() { state_branch::stray_note(place) } else { state_branch::prefix_note(place) })
}

/// The configuration of the team, as the target of the run has it, and its path: that of the team at the top, else of the first one below.
fn config(project: &Project, target: &Target, input: Input<'_>) -> Option<(BString, TeamConfig)> {
    let is_config = |path: &BString| {
        let root = input.roots.root_of(path.as_bstr())?;
        let is_of_squad =
            [".squad", ".ai-team"].iter().any(|name| root.rsplit_str("/").next() == Some(name.as_bytes()));
        (is_of_squad && inner_path(path.as_bstr(), root.as_bstr()) == "config.json").then(|| path.clone())
    };
    let in_tree = |name: &str| {
        let git = project.repository.git.as_ref();
        let paths = git.and_then(|git| tracked::in_tree(git, input.roots, name).ok()).unwrap_or_default();
        paths.into_values().flatten().filter_map(|tracked| is_config(&tracked.path)).collect()
    };
    let below: Vec<BString> = match (input.mode, target) {
        (Mode::Revision(revision), _) => in_tree(&revision.name),
        (Mode::Change(_), Target::Range { to: Some(to), .. }) => in_tree(to),
        (Mode::Change(_), _) => in_tree("HEAD"),
        _ => input.selection.others.iter().filter_map(is_config).collect(),
    };
    let at_top = BStr::new(".squad/config.json").to_owned();
    let cap = project.options.max_file_bytes.get();
    let git = project.repository.git.as_ref().filter(|_| matches!(input.mode, Mode::WorkTree));
    let in_index = |path: &BStr| git.and_then(|git| skipped::read(git, &Index::of(git).ok()?, path, cap));
    std::iter::once(at_top).chain(below).find_map(|path| {
        let bytes = input.read(path.as_bstr(), cap).ok().or_else(|| in_index(path.as_bstr()))?;
        Some((path, TeamConfig::parse(&String::from_utf8_lossy(&bytes))))
    })
}
