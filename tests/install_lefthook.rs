//! `install` beside lefthook, which overwrites its own hooks, moves any other hook to `pre-commit.old`, and brings that back.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::repo::Repo;
use crate::support::{git, squad_lint, stderr, stdout, write};

/// What lefthook writes, as far as it concerns others.
const LEFTHOOK: &str = "#!/bin/sh\n\nif [ \"$LEFTHOOK\" = \"0\" ]; then\n  exit 0\nfi\n\ncall_lefthook()\n{\n  echo lefthook >>ran\n}\n\n\
                        call_lefthook run \"pre-commit\" \"$@\"\n";

/// The hooks that are there before: none, one with room for a block, and one without.
const HOOKS: [Option<&str>; 3] =
    [None, Some("#!/bin/sh\necho own >>ran\n"), Some("#!/usr/bin/env python3\nopen('ran', 'a').write('own\\n')\n")];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    SquadInstall,
    SquadUninstall,
    LefthookInstall,
    LefthookForce,
    LefthookUninstall,
}

const STEPS: [Step; 5] =
    [Step::SquadInstall, Step::SquadUninstall, Step::LefthookInstall, Step::LefthookForce, Step::LefthookUninstall];

impl Step {
    fn run(self, repo: &Repo) {
        let hook = repo.git_path("hooks/pre-commit");
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

/// The text of each hook here that git or lefthook knows by name.
fn hooks(repo: &Repo) -> Vec<(String, String)> {
    let folder = repo.git_path("hooks");
    let mut hooks: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .filter(|(name, _)| name.starts_with("pre-commit") && !name.ends_with(".sample"))
        .collect();
    hooks.sort();
    hooks
}

#[test]
fn the_hook_of_before_comes_back_whatever_came_in_between() {
    for before in HOOKS {
        let repo = Repo::new();
        repo.commit("one");
        for steps in (0..125).map(|n| [STEPS[n % 5], STEPS[n / 5 % 5], STEPS[n / 25]]) {
            for end in
                [[Step::SquadUninstall, Step::LefthookUninstall], [Step::LefthookUninstall, Step::SquadUninstall]]
            {
                for (name, _) in hooks(&repo) {
                    fs::remove_file(repo.git_path("hooks").join(name)).unwrap();
                }
                if let Some(text) = before {
                    executable(&repo.git_path("hooks/pre-commit"), text);
                }
                for step in steps.into_iter().chain(end) {
                    step.run(&repo);
                }
                let expected: Vec<_> =
                    before.iter().map(|text| ("pre-commit".to_owned(), (*text).to_owned())).collect();
                assert_eq!(hooks(&repo), expected, "{before:?} {steps:?} {end:?}");
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
                executable(&repo.git_path("hooks/pre-commit"), text);
            }
            for step in steps.iter().chain([&Step::SquadInstall]) {
                step.run(&repo);
            }
            assert_eq!(ran(&repo), "lefthook\n", "{before:?} {steps:?}");
        }
    }
}
