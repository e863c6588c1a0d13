//! The variables by which git tells its hooks about the repository: each way in which they can be set is read as git reads it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::repo::Repo;
use crate::support::{NOW, git, squad_lint, stderr, stdout, write};

const VARIABLES: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];

/// A file in which something is found.
fn bad(text: &str) -> String {
    format!("### 2026-02-15T14:32:15-0800: note: {text}\n\n**type:** note  \n\n---\n")
}

/// A repository in which two files are staged, one of them in a subfolder.
fn repo() -> Repo {
    let repo = Repo::new();
    fill(&repo);
    repo
}

fn fill(repo: &Repo) {
    repo.write(".squad/decisions.md", bad("One"));
    repo.commit("first");
    stage(repo);
}

fn stage(repo: &Repo) {
    repo.write("front/deep/notes.txt", "notes");
    repo.stage("front/.squad/decisions.md", bad("Two"));
    repo.stage(".squad/agents/verbal/history.md", bad("Three"));
}

fn with(mut command: Command, variables: &[(&str, &str)]) -> Output {
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

/// The files that are staged, as git says; `None` when it fails.
fn of_git(folder: &Path, variables: &[(&str, &str)]) -> Option<BTreeSet<String>> {
    let mut command = git(folder);
    // Outside of a repository `git diff` compares files.
    command.args(["diff-index", "--cached", "--name-only", "--no-relative", "--diff-filter=d", "HEAD"]);
    let output = with(command, variables);
    output.status.success().then(|| stdout(&output).lines().map(str::to_owned).collect())
}

/// The files in which something is found that is staged; `None` when the program fails.
fn of_ours(folder: &Path, variables: &[(&str, &str)]) -> Option<BTreeSet<String>> {
    let mut command = squad_lint(folder);
    command.args(["--staged", "--format", "compact", "--now", NOW, "--select", "sem/missing-field"]);
    let output = with(command, variables);
    match output.status.code() {
        Some(0 | 1) => {
            let text = stdout(&output);
            Some(text.lines().filter_map(|line| Some(line.split_once(".md:")?.0.to_owned() + ".md")).collect())
        }
        Some(2) => None,
        code => panic!("{code:?}: {}", stderr(&output)),
    }
}

/// Compares every combination of the values, in every folder. Git takes an index that it cannot find for an empty one.
fn compare(top: &Path, git_dir: &Path, folders: &[&Path]) -> [usize; 3] {
    let relative = |path: &Path| path.strip_prefix(top).ok().map(|path| path.to_str().unwrap().to_owned());
    let up = |name: Option<String>| name.map(|name| format!("../{name}"));
    let ways = |path: &Path| {
        let all = [relative(path), up(relative(path)), Some(path.to_str().unwrap().to_owned())];
        std::iter::once(None).chain(all.into_iter().flatten().map(Some)).collect::<Vec<_>>()
    };
    let (dirs, indexes) = (ways(git_dir), ways(&git_dir.join("index")));
    let tops = [None, Some("."), Some(".."), Some(top.to_str().unwrap())];
    let mut counts = [0; 3];
    for folder in folders {
        for dir in &dirs {
            for work_tree in tops {
                for index in &indexes {
                    let all = [
                        ("GIT_DIR", dir.as_deref()),
                        ("GIT_WORK_TREE", work_tree),
                        ("GIT_INDEX_FILE", index.as_deref()),
                    ];
                    let set: Vec<(&str, &str)> =
                        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
                    let (theirs, ours) = (of_git(folder, &set), of_ours(folder, &set));
                    let is_lost = theirs.as_ref().is_some_and(BTreeSet::is_empty);
                    assert!(
                        ours == theirs || is_lost && ours.is_none(),
                        "in {} with {set:?}\ngit: {theirs:?}\nours: {ours:?}",
                        folder.display()
                    );
                    counts[if theirs.is_none() { 0 } else { 1 + usize::from(is_lost) }] += 1;
                }
            }
        }
    }
    counts
}

#[test]
fn in_a_work_tree_of_its_own() {
    let repo = repo();
    let outside = tempfile::tempdir().unwrap();
    let folders = [repo.path.clone(), repo.path.join("front"), repo.path.join("front/deep")];
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).chain([outside.path()]).collect();
    let [failed, read, lost] = compare(&repo.path, &repo.path.join(".git"), &folders);
    assert!(failed > 40 && read > 60 && lost > 20, "{failed} {read} {lost}");
}

#[test]
fn in_a_linked_work_tree() {
    let repo = repo();
    repo.commit("second");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("linked");
    repo.git(&["worktree", "add", "--quiet", "-b", "other", path.to_str().unwrap(), "HEAD~1"]);
    stage(&Repo::at(&path));
    let [failed, read, _] = compare(&path, &repo.path.join(".git/worktrees/linked"), &[&path, &path.join("front")]);
    assert!(failed + read >= 16 && read > 8, "{failed} {read}");
}

#[test]
fn in_a_submodule() {
    let (origin, repo) = (Repo::new(), Repo::new());
    origin.commit("first");
    repo.git(&["submodule", "--quiet", "add", origin.path.to_str().unwrap(), "sub"]);
    repo.commit("a submodule");
    let sub = Repo::at(repo.path.join("sub"));
    fill(&sub);
    let [failed, read, _] =
        compare(&sub.path, &repo.path.join(".git/modules/sub"), &[&sub.path, &sub.path.join("front")]);
    assert!(failed + read >= 16 && read > 8, "{failed} {read}");
}

#[test]
fn a_hook_that_goes_to_a_subfolder() {
    for commit in [&["commit", "-m", "x"][..], &["commit", "-a", "-m", "x"], &["commit", "-m", "x", "--", "front"]] {
        let repo = repo();
        repo.write("front/.squad/decisions.md", bad("Other"));
        let program = env!("CARGO_BIN_EXE_squad-lint");
        let hook = repo.path.join(".git/hooks/pre-commit");
        fs::create_dir_all(hook.parent().unwrap()).unwrap();
        fs::write(&hook, format!("#!/bin/sh\ncd front && exec '{program}' check --staged --format compact\n")).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let output = repo.try_git(commit);
        let text = stdout(&output) + &stderr(&output);
        assert!(!output.status.success() && text.contains("front/.squad/decisions.md:"), "{commit:?}: {text}");
    }
}

#[test]
fn an_index_that_is_named_and_not_there() {
    let repo = repo();
    let mut command = squad_lint(&repo.path);
    command.args(["--staged"]);
    let output = with(command, &[("GIT_INDEX_FILE", "nowhere")]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("`GIT_INDEX_FILE` is"), "{}", stderr(&output));
    // One that is not named need not be there.
    fs::remove_file(repo.path.join(".git/index")).unwrap();
    assert_eq!(of_ours(&repo.path, &[]), of_git(&repo.path, &[]));
    // Git makes one even for a first commit without files.
    let fresh = Repo::new();
    let hook = fresh.path.join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\nexec '{}' --staged\n", env!("CARGO_BIN_EXE_squad-lint"))).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fresh.git(&["commit", "--allow-empty", "--quiet", "--message", "nothing"]);
}

#[test]
fn objects_in_other_folders() {
    let repo = repo();
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().canonicalize().unwrap();
    // What is staged now lies in a quarantine, as for the hooks of a server.
    let objects = repo.path.join(".git/objects");
    let quarantine = objects.join("incoming");
    fs::create_dir(&quarantine).unwrap();
    repo.write("front/.squad/decisions.md", bad("Quarantined"));
    let names = [
        ("GIT_OBJECT_DIRECTORY", quarantine.to_str().unwrap()),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects.to_str().unwrap()),
    ];
    let mut add = git(&repo.path);
    add.args(["add", "front/.squad"]);
    assert!(with(add, &names).status.success());
    let moved = elsewhere.join("objects");
    fs::rename(&quarantine, &moved).unwrap();
    let (moved, objects) = (moved.to_str().unwrap(), objects.to_str().unwrap());
    let both = format!("/nowhere:{moved}");
    for variables in [
        &[][..],
        &[("GIT_OBJECT_DIRECTORY", moved)],
        &[("GIT_OBJECT_DIRECTORY", moved), ("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects)],
        &[("GIT_OBJECT_DIRECTORY", moved), ("GIT_ALTERNATE_OBJECT_DIRECTORIES", ".git/objects")],
        &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", moved)],
        &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", &both)],
        &[("GIT_OBJECT_DIRECTORY", "nowhere")],
    ] {
        for folder in [repo.path.clone(), repo.path.join("front")] {
            // `git diff-index` reads no blob; `git diff` does.
            let mut show = git(&folder);
            show.args(["cat-file", "-p", ":front/.squad/decisions.md"]);
            let is_read = with(show, variables).status.success();
            let theirs = of_git(&folder, variables).filter(|_| is_read);
            assert_eq!(of_ours(&folder, variables), theirs, "{variables:?} in {}", folder.display());
        }
    }
    // Nothing is written to a place where git would not look for it.
    let mut fix = squad_lint(&repo.path);
    fix.args(["--staged", "--fix", "--unsafe-fixes", "--now", NOW]);
    let before = fs::read(repo.path.join(".git/index")).unwrap();
    with(fix, &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", moved)]);
    assert_eq!(fs::read(repo.path.join(".git/index")).unwrap(), before);
}

#[test]
fn a_common_folder_elsewhere_is_refused() {
    let (repo, other) = (repo(), self::repo());
    let run = |value: &Path| squad_lint(&repo.path).arg("--staged").env("GIT_COMMON_DIR", value).output().unwrap();
    assert_eq!(run(&repo.path.join(".git")).status.code(), run(Path::new("")).status.code());
    let output = run(&other.path.join(".git"));
    assert!(output.status.code() == Some(2) && stderr(&output).contains("`GIT_COMMON_DIR`"), "{}", stderr(&output));
}

#[test]
fn folders_that_bound_the_search() {
    let repo = repo();
    let sub = repo.path.join("front");
    for bound in ["/nowhere", repo.path.parent().unwrap().to_str().unwrap()] {
        let variables = [("GIT_CEILING_DIRECTORIES", bound)];
        assert_eq!(of_ours(&sub, &variables), of_git(&sub, &variables), "{bound}");
    }
}

/// What makes a `.git` lead nowhere: its name, how it is made, and a part of what is said of it.
#[cfg(unix)]
type Broken = (&'static str, fn(&Path), &'static str);

#[cfg(unix)]
fn nowhere() -> Vec<Broken> {
    fn init(path: &Path, without: &str) {
        let init = git(path.parent().unwrap()).args(["init", "--quiet"]).output().unwrap();
        assert!(init.status.success());
        let path = path.join(without);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
    vec![
        (
            "a file to a folder that is not there",
            |path| fs::write(path, "gitdir: /nowhere\n").unwrap(),
            "names /nowhere",
        ),
        ("a file of something else", |path| fs::write(path, "hunter2\n").unwrap(), "does not say `gitdir: `"),
        ("an empty file", |path| fs::write(path, "").unwrap(), "does not say `gitdir: `"),
        ("an empty folder", |path| fs::create_dir(path).unwrap(), "HEAD cannot be read"),
        ("a link to nothing", |path| std::os::unix::fs::symlink("nowhere", path).unwrap(), "leads to nothing"),
        ("no HEAD", |path| init(path, "HEAD"), "HEAD cannot be read"),
        ("no objects", |path| init(path, "objects"), "objects cannot be read"),
        ("no references", |path| init(path, "refs"), "refs cannot be read"),
    ]
}

#[cfg(unix)]
#[test]
fn a_git_that_leads_nowhere() {
    for (name, make, said) in nowhere() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "sub/.squad/decisions.md", "");
        make(&folder.path().join(".git"));
        for place in [folder.path().to_path_buf(), folder.path().join("sub")] {
            assert_eq!(of_git(&place, &[]), None, "{name}");
            for args in [&["--staged"][..], &[], &["--from", "HEAD"], &["--tree", "HEAD"], &["team", "show"]] {
                let output = squad_lint(&place).args(args).output().unwrap();
                let text = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
                assert_eq!(output.status.code(), Some(2), "{name} {args:?}: {text}");
                assert!(
                    text.contains("does not lead to a git repository") && text.contains(said),
                    "{name} {args:?}: {text}"
                );
                assert!(!text.contains("hunter2"), "{text}");
            }
            // Who asks for it has it checked without git.
            let output = squad_lint(&place).args(["--root", "."]).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_git_that_leads_nowhere_within_a_repository() {
    for (name, make, said) in nowhere() {
        let repo = repo();
        let folder = repo.path.join("front");
        make(&folder.join(".git"));
        let theirs = of_git(&folder, &[]);
        assert_eq!(of_ours(&folder, &[]), theirs, "{name}");
        let output = squad_lint(&folder).output().unwrap();
        assert_eq!(stderr(&output).contains(said), theirs.is_none(), "{name}: {}", stderr(&output));
        // From above it is a folder as any other: what lies in it is git's, and checked.
        let args = ["--format", "compact", "--now", NOW, "--select", "sem/missing-field"];
        let text = stdout(&squad_lint(&repo.path).args(args).output().unwrap());
        assert!(text.contains("front/.squad/decisions.md:"), "{name}: {text}");
    }
}

#[test]
fn a_variable_that_leads_nowhere() {
    let repo = repo();
    for value in ["nowhere", "", "front"] {
        for args in [&["--staged"][..], &[]] {
            let output = squad_lint(&repo.path).args(args).env("GIT_DIR", value).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{value:?}: {}", stdout(&output));
            assert!(stderr(&output).contains("`GIT_DIR` is"), "{value:?}: {}", stderr(&output));
        }
    }
}
