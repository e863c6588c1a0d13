//! `install` beside lefthook, which overwrites its own hooks, moves any other hook to `pre-commit.old`, and brings that back.
#![cfg(unix)]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::support::repo::Repo;
use crate::support::{files_below, git, squad_lint, stderr, stdout, write};

/// What lefthook writes, as far as it concerns others.
const LEFTHOOK: &str = "#!/bin/sh\n\nif [ \"$LEFTHOOK\" = \"0\" ]; then\n  exit 0\nfi\n\ncall_lefthook()\n{\n  echo lefthook >>ran\n}\n\n\
                        call_lefthook run \"pre-commit\" \"$@\"\n";

/// The hooks that are there before: none, one with room for a block, and one without.
const HOOKS: [Option<&str>; 3] =
    [None, Some("#!/bin/sh\necho own >>ran\n"), Some("#!/usr/bin/env python3\nopen('ran', 'a').write('own\\n')\n")];

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Step {
    SquadInstall,
    SquadUninstall,
    LefthookInstall,
    LefthookForce,
    LefthookUninstall,
}

const HOOK: &str = ".git/hooks/pre-commit";

const STEPS: [Step; 5] =
    [Step::SquadInstall, Step::SquadUninstall, Step::LefthookInstall, Step::LefthookForce, Step::LefthookUninstall];

impl Step {
    fn run(self, repo: &Repo) {
        let hook = repo.path.join(HOOK);
        let old = hook.with_extension("old");
        let is_own = fs::read_to_string(&hook).is_ok_and(|text| text.contains("LEFTHOOK"));
        match self {
            Self::SquadInstall | Self::SquadUninstall => {
                let command = if self == Self::SquadInstall { "install" } else { "uninstall" };
                let output = squad_lint(&repo.path).args([command, "--hook", "pre-commit"]).output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
            }
            Self::LefthookInstall | Self::LefthookForce => {
                if hook.exists() && !is_own {
                    if old.exists() && self == Self::LefthookInstall {
                        return;
                    }
                    fs::rename(&hook, &old).unwrap();
                }
                executable(&hook, LEFTHOOK);
            }
            Self::LefthookUninstall => {
                if is_own {
                    fs::remove_file(&hook).unwrap();
                }
                if old.exists() {
                    fs::rename(&old, &hook).unwrap();
                }
            }
        }
    }
}

fn executable(path: &Path, text: &str) {
    write(path.parent().unwrap(), path.file_name().unwrap(), text);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Who ran at a commit that squad-lint stops.
fn ran(repo: &Repo) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_squad-lint")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let _ = fs::remove_file(repo.path.join("ran"));
    repo.stage(".squad/decisions.md", "### 2026-02-15T14:32:15Z: note: One\n\n**type:** note\n");
    let commit = ["commit", "--quiet", "--message", "bad"];
    let output = git(&repo.path).env("PATH", &path).args(commit).output().unwrap();
    assert!(!output.status.success(), "{}{}", stdout(&output), stderr(&output));
    fs::read_to_string(repo.path.join("ran")).unwrap_or_default()
}

/// Each file of a repository, git's own included: whether it can be run, and its bytes.
type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn files(repo: &Repo) -> Files {
    let of_file = |path: PathBuf| {
        let file = repo.path.join(&path);
        (path, (fs::metadata(&file).unwrap().permissions().mode(), fs::read(&file).unwrap()))
    };
    files_below(&repo.path).into_iter().map(of_file).collect()
}

/// Makes these the files of the repository.
fn restore(repo: &Repo, wanted: &Files) {
    let now = files(repo);
    for path in now.keys().filter(|path| !wanted.contains_key(*path)) {
        fs::remove_file(repo.path.join(path)).unwrap();
    }
    for (path, file) in wanted.iter().filter(|(path, file)| now.get(*path) != Some(file)) {
        write(&repo.path, path, &file.1);
        fs::set_permissions(repo.path.join(path), fs::Permissions::from_mode(file.0)).unwrap();
    }
}

/// The text of each hook here that git or lefthook knows by name.
fn hooks(files: &Files) -> Vec<(&str, &str)> {
    let folder = Path::new(HOOK).parent().unwrap();
    let in_folder =
        files.iter().filter_map(|(path, file)| Some((path.strip_prefix(folder).ok()?.to_str().unwrap(), file)));
    let of_hooks = in_folder.filter(|(name, _)| name.starts_with("pre-commit") && !name.ends_with(".sample"));
    of_hooks.map(|(name, (_, bytes))| (name, std::str::from_utf8(bytes).unwrap())).collect()
}

/// What a step makes of these files is tried once: no step knows more than they say.
#[test]
fn the_hook_of_before_comes_back_whatever_came_in_between() {
    for before in HOOKS {
        let repo = Repo::new();
        repo.commit("one");
        if let Some(text) = before {
            executable(&repo.path.join(HOOK), text);
        }
        // All files that there were at some moment; where each step leads to from them.
        let (mut known, mut led) = (vec![files(&repo)], HashMap::new());
        for steps in (0..125).map(|n| [STEPS[n % 5], STEPS[n / 5 % 5], STEPS[n / 25]]) {
            for end in
                [[Step::SquadUninstall, Step::LefthookUninstall], [Step::LefthookUninstall, Step::SquadUninstall]]
            {
                let mut at = 0;
                for step in steps.into_iter().chain(end) {
                    at = *led.entry((at, step)).or_insert_with(|| {
                        restore(&repo, &known[at]);
                        step.run(&repo);
                        let after = files(&repo);
                        known.iter().position(|files| *files == after).unwrap_or_else(|| {
                            known.push(after);
                            known.len() - 1
                        })
                    });
                }
                let expected: Vec<_> = before.iter().map(|text| ("pre-commit", *text)).collect();
                assert_eq!(hooks(&known[at]), expected, "{before:?} {steps:?} {end:?}");
            }
        }
    }
}

#[test]
fn after_an_install_both_run() {
    for before in HOOKS {
        for steps in [
            &[Step::LefthookInstall][..],
            &[Step::SquadInstall, Step::LefthookInstall],
            &[Step::LefthookInstall, Step::SquadInstall, Step::LefthookForce],
            &[Step::LefthookInstall, Step::SquadInstall, Step::SquadInstall],
        ] {
            let repo = Repo::new();
            repo.stage(".gitignore", "ran\n");
            repo.commit("one");
            if let Some(text) = before {
                executable(&repo.path.join(HOOK), text);
            }
            for step in steps.iter().chain([&Step::SquadInstall]) {
                step.run(&repo);
            }
            assert_eq!(ran(&repo), "lefthook\n", "{before:?} {steps:?}");
        }
    }
}
