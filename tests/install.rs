//! `install` and `uninstall` in real repositories: what the hooks stop, what runs beside them, and that nothing of what was
//! there before is lost.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::repo::Repo;
use crate::support::{git, project, squad_lint, stderr, stdout, write};

const GOOD: &str = "### 2026-02-15T14:32:15+0000: note: One\n\n**type:** note\n**timestamp:** 2026-02-15T14:32:15+0000\n\
                    **author:** Kay\n\n**summary:** One.\n\n---\n";
const DECISIONS: &str = ".squad/decisions.md";

fn bad() -> String {
    GOOD.replacen("+0000", "Z", 1)
}

/// The folder of the program under test.
fn bin() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_squad-lint")).parent().unwrap().to_path_buf()
}

/// `git` where hooks find the program.
fn git_with_program(folder: &Path) -> Command {
    let mut command = git(folder);
    command.env("PATH", format!("{}:{}", bin().display(), std::env::var("PATH").unwrap())).env("NO_COLOR", "1");
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    git_with_program(folder).args(args).output().unwrap()
}

/// Runs git, and says whether it succeeded and what it said.
fn tried(folder: &Path, args: &[&str]) -> (bool, String) {
    let output = run(folder, args);
    (output.status.success(), format!("{}{}", stdout(&output), stderr(&output)))
}

fn commit(folder: &Path) -> (bool, String) {
    tried(folder, &["commit", "--quiet", "--message", "change"])
}

/// Runs the program, which has to succeed.
fn lint(folder: &Path, args: &[&str]) -> String {
    let output = squad_lint(folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// Runs the program, which has to refuse.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = squad_lint(folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}{}", stdout(&output), stderr(&output));
    stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes a hook with this mode.
fn write_hook(path: &Path, text: &str, mode: u32) {
    write(path.parent().unwrap(), path.file_name().unwrap(), text);
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The hook as this version writes it.
fn script(name: &str) -> String {
    fs::read_to_string(project().join("hooks").join(name)).unwrap()
}

#[test]
fn a_bad_commit_is_stopped_and_a_good_one_is_not() {
    let repo = Repo::new();
    write(&repo.path, "src/lib/a.txt", "a\n");
    let said = lint(&repo.path.join("src/lib"), &["install"]);
    let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("note: there is no `squad-lint`")).collect();
    assert_eq!(
        lines,
        [
            "pre-commit: .git/hooks/pre-commit checks what a commit changes",
            "pre-push: .git/hooks/pre-push guards the branches that are pushed to",
            "`squad-lint uninstall` undoes this",
        ]
    );
    repo.stage(DECISIONS, bad());
    let (passed, said) = commit(&repo.path);
    assert!(!passed && said.contains("error[sem/timestamp-format]") && said.contains("to keep it as it is"), "{said}");
    let last = said.trim_end().lines().last().unwrap();
    assert_eq!(
        last,
        "squad-lint stopped the commit: fix the finding above, `git add` the files, and commit again; \
         or skip this check with `git commit --no-verify`"
    );
    // What is staged counts, not what lies there.
    repo.write(DECISIONS, GOOD);
    assert!(!commit(&repo.path).0);
    repo.git(&["add", "--", DECISIONS]);
    repo.write(DECISIONS, bad());
    let (passed, said) = commit(&repo.path);
    assert!(passed, "{said}");
    // `-a` and a path have an index of their own.
    assert!(!tried(&repo.path, &["commit", "--quiet", "--all", "--message", "all"]).0);
    assert!(!tried(&repo.path, &["commit", "--quiet", "--message", "path", "--", DECISIONS]).0);
    assert!(tried(&repo.path, &["commit", "--quiet", "--all", "--no-verify", "--message", "forced"]).0);
    // From a subfolder, and where nothing of ours is in the commit.
    repo.git(&["add", "--all"]);
    let (passed, said) = commit(&repo.path.join("src"));
    assert!(passed && said.is_empty(), "{said}");
    lint(&repo.path, &["uninstall"]);
    assert!(!repo.git_path("hooks/pre-commit").exists() && !repo.git_path("hooks/pre-push").exists());
}

/// A repository with one commit, and the empty one that it is pushed to.
fn with_remote() -> (Repo, Repo) {
    let repo = Repo::new();
    repo.stage("README.md", "# Project\n");
    repo.commit("one");
    let remote = Repo::init(&["--bare"]);
    repo.git(&["remote", "add", "origin", remote.path.to_str().unwrap()]);
    (repo, remote)
}

#[test]
fn a_push_is_guarded() {
    let (repo, _remote) = with_remote();
    lint(&repo.path, &["install", "--hook", "pre-push"]);
    let (passed, said) = tried(&repo.path, &["push", "--quiet", "origin", "main"]);
    assert!(passed && said.is_empty(), "{said}");
    repo.stage(".ai-team/team.md", "# Team\n");
    repo.git(&["commit", "--quiet", "--message", "leak"]);
    let (passed, said) = tried(&repo.path, &["push", "--quiet", "origin", "main"]);
    assert!(!passed && said.contains("guard/protected-branch"), "{said}");
    repo.git(&["rm", "--quiet", "--cached", "-r", ".ai-team"]);
    repo.git(&["commit", "--quiet", "--message", "out again"]);
    let (passed, said) = tried(&repo.path, &["push", "--quiet", "origin", "main"]);
    assert!(passed, "{said}");
    // Nothing to push, and a branch that goes.
    assert!(tried(&repo.path, &["push", "--quiet", "origin", "main", "main:other"]).0);
    assert!(tried(&repo.path, &["push", "--quiet", "origin", "main"]).0);
    assert!(tried(&repo.path, &["push", "--quiet", "origin", ":other"]).0);
}

#[test]
fn a_hook_that_is_there_goes_on_running_and_comes_back_as_it_was() {
    let repo = Repo::new();
    let hook = repo.git_path("hooks/pre-commit");
    // It sees the arguments, and what it stages is checked.
    let before =
        format!("#!/bin/sh\necho \"$#\" >>ran\nprintf '%s' '{}' >{DECISIONS}\ngit add {DECISIONS}\n\n\n", bad());
    write_hook(&hook, &before, 0o750);
    let said = lint(&repo.path, &["install"]);
    assert!(said.contains("checks what a commit changes; the rest of the file runs first\n"), "{said}");
    for _ in 0..2 {
        let said = lint(&repo.path, &["install"]);
        assert!(said.starts_with("pre-commit: .git/hooks/pre-commit is already up to date\n"), "{said}");
    }
    repo.stage(DECISIONS, GOOD);
    let (passed, said) = commit(&repo.path);
    assert!(!passed && said.contains("sem/timestamp-format"), "{said}");
    assert_eq!(fs::read_to_string(repo.path.join("ran")).unwrap(), "0\n");

    let said = lint(&repo.path, &["uninstall"]);
    assert!(said.contains("pre-commit: removed squad-lint from .git/hooks/pre-commit; the rest stays\n"), "{said}");
    assert_eq!((fs::read_to_string(&hook).unwrap(), mode(&hook)), (before.clone(), 0o750));
    assert!(!repo.git_path("hooks/pre-commit.before-squad-lint").exists());
    let said = lint(&repo.path, &["uninstall"]);
    assert!(said.contains("pre-commit: .git/hooks/pre-commit is another hook, and stays"), "{said}");
    assert_eq!(fs::read_to_string(&hook).unwrap(), before);
}

#[test]
fn what_the_other_hook_says_counts() {
    let repo = Repo::new();
    let hook = repo.git_path("hooks/pre-commit");
    write_hook(&hook, "#!/bin/sh\necho no\nexit 7\n", 0o755);
    lint(&repo.path, &["install"]);
    repo.stage(DECISIONS, GOOD);
    assert_eq!(commit(&repo.path), (false, "no\n".to_owned()));
    lint(&repo.path, &["uninstall"]);
    // Git does not run what is not executable; nor does the hook that takes its place.
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    let said = lint(&repo.path, &["install"]);
    assert!(said.contains("does not run: it is not executable, so git did not run it either\n"), "{said}");
    assert!(commit(&repo.path).0);
    lint(&repo.path, &["uninstall"]);
    assert_eq!((fs::read_to_string(&hook).unwrap().as_str(), mode(&hook)), ("#!/bin/sh\necho no\nexit 7\n", 0o644));
}

#[test]
fn both_get_what_git_writes_to_a_pre_push_hook() {
    let (repo, remote) = with_remote();
    let script = "#!/bin/sh\nprintf '%s|' \"$@\" >seen\ncat >>seen\nexit \"$(cat code)\"\n";
    write_hook(&repo.git_path("hooks/pre-push"), script, 0o755);
    lint(&repo.path, &["install"]);
    let seen = || fs::read_to_string(repo.path.join("seen")).unwrap();
    let (url, zero) = (remote.path.display(), "0".repeat(40));
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("code", "1");
    assert!(!tried(&repo.path, &["push", "--quiet", "origin", "main", "main:other"]).0);
    let lines =
        format!("refs/heads/main {head} refs/heads/main {zero}\nrefs/heads/main {head} refs/heads/other {zero}\n");
    assert_eq!(seen(), format!("origin|{url}|{lines}"));
    repo.write("code", "0");
    assert!(tried(&repo.path, &["push", "--quiet", "origin", "main"]).0);
    // Nothing to push: nothing on standard input.
    assert!(tried(&repo.path, &["push", "--quiet", "origin", "main"]).0);
    assert_eq!(seen(), format!("origin|{url}|"));
    // What is stopped here never gets to the other.
    repo.write("seen", "nothing");
    repo.stage(".ai-team/team.md", "# Team\n");
    repo.git(&["commit", "--quiet", "--no-verify", "--message", "leak"]);
    assert!(!tried(&repo.path, &["push", "--quiet", "origin", "main"]).0);
    assert_eq!(seen(), "nothing");
    // One that reads nothing is no problem.
    lint(&repo.path, &["uninstall"]);
    write_hook(&repo.git_path("hooks/pre-push"), "#!/bin/sh\n", 0o755);
    lint(&repo.path, &["install"]);
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    assert!(tried(&repo.path, &["push", "--quiet", "origin", "main:third"]).0);
}

#[test]
fn the_configured_folder_is_used() {
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap();
    let absolute = outside.join("hooks").display().to_string();
    for (value, folder) in [(".githooks", ".githooks"), ("tools/../hooks dir", "hooks dir"), (&absolute, &absolute)] {
        let repo = Repo::new();
        write(&repo.path, "tools/x", "x\n");
        repo.git(&["config", "core.hooksPath", value]);
        let said = lint(&repo.path.join("tools"), &["install"]);
        let path = if folder.contains(' ') { format!("'{folder}'") } else { folder.to_owned() };
        let note = format!("commit it; each clone needs `git config core.hooksPath {path}`\n");
        assert_eq!(said.contains(&note), value != absolute, "{said}");
        let hook = repo.path.join(folder).join("pre-commit");
        assert_eq!(fs::read_to_string(&hook).unwrap(), script("pre-commit"));
        assert!(!repo.path.join(".git/hooks/pre-commit").exists());
        repo.stage(DECISIONS, bad());
        assert!(!commit(&repo.path.join("tools")).0, "{value}");
        lint(&repo.path, &["uninstall"]);
        assert!(!hook.exists());
        assert!(commit(&repo.path).0);
    }
}

#[test]
fn a_folder_is_where_its_path_leads() {
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap();
    let above = Repo::new();
    let below = above.path.join("inner");
    git(&above.path).args(["init", "--quiet", "inner"]).output().unwrap();
    symlink(&outside, below.join("link")).unwrap();
    symlink(&below, outside.join("back")).unwrap();
    let absolute = outside.join("hooks").display().to_string();
    let back = outside.join("back/hooks").display().to_string();
    for (path, is_part) in [
        ("../escape", false),
        ("link/hooks", false),
        (&absolute, false),
        (".git/other", false),
        ("a/../hooks", true),
        ("../inner/hooks", true),
        (&back, true),
    ] {
        fs::create_dir_all(below.join("a")).unwrap();
        let said = lint(&below, &["install", "--hooks-path", path]);
        assert_eq!(said.contains("the folder is part of the working tree"), is_part, "{path}: {said}");
    }
}

#[test]
fn a_given_folder_goes_before_the_configured_one() {
    let repo = Repo::new();
    let said = lint(&repo.path, &["install", "--hook", "pre-commit", "--hooks-path", "team's hooks"]);
    assert!(said.contains(r"`git config core.hooksPath 'team'\''s hooks'` makes it look here"), "{said}");
    assert!(
        said.ends_with("`squad-lint uninstall --hook pre-commit --hooks-path 'team'\\''s hooks'` undoes this\n"),
        "{said}"
    );
    assert!(!repo.path.join("team's hooks/pre-push").exists());
    repo.stage(DECISIONS, bad());
    repo.git(&["config", "core.hooksPath", "team's hooks"]);
    assert!(!commit(&repo.path).0);
    lint(&repo.path, &["uninstall", "--hook", "pre-commit", "--hooks-path", "team's hooks"]);
    assert!(commit(&repo.path).0);
}

#[test]
fn what_was_installed_before_the_folder_was_configured_is_found() {
    let repo = Repo::new();
    lint(&repo.path, &["install"]);
    repo.git(&["config", "core.hooksPath", ".githooks"]);
    let said = lint(&repo.path, &["uninstall"]);
    assert!(said.contains("pre-commit: no hook in .githooks\npre-commit: removed .git/hooks/pre-commit\n"), "{said}");
}

#[test]
fn work_trees_share_the_hooks() {
    let repo = Repo::new();
    repo.stage("README.md", "# Project\n");
    repo.commit("one");
    let folder = tempfile::tempdir().unwrap();
    let linked = folder.path().join("linked tree");
    repo.git(&["worktree", "add", "--quiet", "-b", "topic", linked.to_str().unwrap()]);
    let said = lint(&linked, &["install"]);
    let hooks = repo.path.join(".git/hooks");
    assert!(said.starts_with(&format!("pre-commit: {}/pre-commit checks", hooks.display())), "{said}");
    assert!(hooks.join("pre-commit").is_file());
    for tree in [&repo.path, &linked] {
        write(tree, DECISIONS, bad());
        assert!(tried(tree, &["add", "--all"]).0);
        let (passed, said) = commit(tree);
        assert!(!passed && said.contains("sem/timestamp-format"), "{said}");
        write(tree, DECISIONS, GOOD);
        assert!(tried(tree, &["add", "--all"]).0);
        assert!(commit(tree).0);
    }
    lint(&linked, &["uninstall"]);
    assert!(!hooks.join("pre-commit").exists());
}

#[test]
fn without_the_program_nothing_passes_and_the_way_out_is_named() {
    let repo = Repo::new();
    lint(&repo.path, &["install"]);
    let git_alone = |args: &[&str]| {
        let output = git(&repo.path).env("PATH", "/usr/bin:/bin").args(args).output().unwrap();
        (output.status.success(), stderr(&output))
    };
    repo.stage(DECISIONS, GOOD);
    let (passed, said) = git_alone(&["commit", "--quiet", "--message", "change"]);
    assert!(!passed && said.contains("squad-lint is not on the PATH"), "{said}");
    assert!(
        said.contains("git commit --no-verify") && said.ends_with("`squad-lint uninstall` removes the check.\n"),
        "{said}"
    );
    assert!(git_alone(&["commit", "--quiet", "--no-verify", "--message", "change"]).0);
    // A hook that is kept is named.
    lint(&repo.path, &["uninstall", "--hook", "pre-commit"]);
    write_hook(&repo.git_path("hooks/pre-commit"), "#!/usr/bin/env python3\n", 0o755);
    lint(&repo.path, &["install", "--hook", "pre-commit"]);
    let (_, said) = git_alone(&["commit", "--quiet", "--allow-empty", "--message", "change"]);
    let kept = "pre-commit.before-squad-lint, the hook that was there before, back to pre-commit.\n";
    assert!(said.ends_with(kept), "{said}");
    let remote = Repo::init(&["--bare"]);
    let (passed, said) = git_alone(&["push", "--quiet", remote.path.to_str().unwrap(), "main"]);
    assert!(!passed && said.contains("git push --no-verify"), "{said}");
    // Where cargo installs it, it is found without the PATH.
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".cargo/bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_squad-lint"), home.path().join(".cargo/bin/squad-lint")).unwrap();
    let mut push = git(&repo.path);
    push.env("PATH", "/usr/bin:/bin").env("HOME", home.path());
    let output = push.args(["push", "--quiet", remote.path.to_str().unwrap(), "main"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn an_older_block_is_renewed_alone_and_a_hook_that_is_gone_is_put_back() {
    let repo = Repo::new();
    let hook = repo.git_path("hooks/pre-commit");
    let mark = script("pre-commit").lines().nth(1).unwrap().to_owned();
    let older = format!("{mark}\nexit 0\n# <<< squad-lint <<<\n");
    write_hook(&hook, &format!("#!/bin/sh\n# theirs\n{older}echo theirs, too\n"), 0o755);
    let said = lint(&repo.path, &["install"]);
    assert!(said.starts_with("pre-commit: .git/hooks/pre-commit was renewed\n"), "{said}");
    repo.stage(DECISIONS, bad());
    let (passed, said) = commit(&repo.path);
    assert!(!passed && said.contains("theirs, too\n") && said.contains("sem/timestamp-format"), "{said}");
    let text = fs::read_to_string(&hook).unwrap();
    assert!(
        text.starts_with(&format!("#!/bin/sh\n{mark}\n")) && text.ends_with("\n# theirs\necho theirs, too\n"),
        "{text}"
    );
    lint(&repo.path, &["uninstall"]);
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\n# theirs\necho theirs, too\n");

    write_hook(&hook, &script("pre-commit"), 0o644);
    let said = lint(&repo.path, &["install"]);
    assert!(said.starts_with("pre-commit: .git/hooks/pre-commit was renewed\n"), "{said}");
    assert_eq!((fs::read_to_string(&hook).unwrap(), mode(&hook) & 0o111), (script("pre-commit"), 0o111));
    lint(&repo.path, &["uninstall"]);

    write_hook(&hook, "#!/usr/bin/env python3\n", 0o755);
    lint(&repo.path, &["install"]);
    fs::remove_file(&hook).unwrap();
    lint(&repo.path, &["uninstall"]);
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/usr/bin/env python3\n");
}

#[test]
fn a_manager_that_moves_the_hook_does_not_make_it_run_for_ever() {
    // As pre-commit does: what is there is moved, and run from the new hook.
    let manager = "#!/bin/sh\n# File generated by pre-commit\necho turn >>turns\n[ ! -x .git/hooks/pre-commit.legacy ] || .git/hooks/pre-commit.legacy\n";
    let repo = Repo::new();
    let hook = repo.git_path("hooks/pre-commit");
    write_hook(&hook, manager, 0o755);
    lint(&repo.path, &["install"]);
    fs::rename(&hook, repo.git_path("hooks/pre-commit.legacy")).unwrap();
    repo.stage(DECISIONS, bad());
    // The same manager is run once; where another version of it stands, each of the two, and ours between them.
    for (now, turns) in [(manager.to_owned(), "turn\n"), (format!("{manager}# newer\n"), "turn\nturn\n")] {
        write_hook(&hook, &now, 0o755);
        let (passed, said) = commit(&repo.path);
        assert!(!passed && said.matches("error[sem/timestamp-format]").count() == 1, "{said}");
        assert_eq!(fs::read_to_string(repo.path.join("turns")).unwrap(), turns);
        fs::remove_file(repo.path.join("turns")).unwrap();
    }
    // Which of two the user wants nobody knows.
    write_hook(&hook, "#!/usr/bin/env python3\n", 0o755);
    let said = refused(&repo.path, &["install"]);
    assert!(said.contains("is another hook, but squad-lint still keeps an older hook as"), "{said}");
    assert!(said.contains("help: remove ") && said.contains("pre-commit.before-squad-lint if "), "{said}");
    let said = lint(&repo.path, &["uninstall"]);
    assert!(said.contains("pre-commit.legacy is the previous hook again\n"), "{said}");
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/usr/bin/env python3\n");
}

#[test]
fn a_line_before_the_block_does_not_take_the_input_of_the_guard() {
    let (repo, _remote) = with_remote();
    let hook = repo.git_path("hooks/pre-push");
    let before = "#!/bin/sh\nread -r line || :\necho \"read $line\"\n";
    write_hook(&hook, "#!/bin/sh\n", 0o755);
    lint(&repo.path, &["install", "--hook", "pre-push"]);
    let text = fs::read_to_string(&hook).unwrap();
    let block = text.strip_prefix("#!/bin/sh\n").unwrap();
    fs::write(&hook, format!("{before}{block}echo after\n")).unwrap();
    let said = lint(&repo.path, &["install", "--hook", "pre-push"]);
    assert!(said.starts_with("pre-push: .git/hooks/pre-push was renewed\n"), "{said}");
    repo.stage(".ai-team/team.md", "# Team\n");
    repo.git(&["commit", "--quiet", "--message", "leak"]);
    let (passed, said) = tried(&repo.path, &["push", "--quiet", "origin", "main"]);
    assert!(!passed && said.contains("guard/protected-branch"), "{said}");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let (passed, said) = tried(&repo.path, &["push", "--quiet", "origin", "main"]);
    assert!(passed && said.matches("read refs/heads/main").count() == 1 && said.contains("after\n"), "{said}");
    lint(&repo.path, &["uninstall", "--hook", "pre-push"]);
    assert_eq!(fs::read_to_string(&hook).unwrap(), format!("{before}echo after\n"));
}

#[test]
fn the_block_of_another_tool_stays() {
    let repo = Repo::new();
    let hook = repo.git_path("hooks/pre-commit");
    let theirs = "# >>> squad-lint-extras >>>\necho extras\n# <<< squad-lint-extras <<<\n";
    write_hook(&hook, &format!("#!/bin/sh\n{theirs}"), 0o755);
    for _ in 0..2 {
        lint(&repo.path, &["install", "--hook", "pre-commit"]);
        assert!(fs::read_to_string(&hook).unwrap().ends_with(theirs));
    }
    lint(&repo.path, &["uninstall", "--hook", "pre-commit"]);
    assert_eq!(fs::read_to_string(&hook).unwrap(), format!("#!/bin/sh\n{theirs}"));
}

#[test]
fn what_a_hook_leaves_running_is_checked() {
    let repo = Repo::new();
    // As a hook that starts a daemon does: its variables outlive it.
    write_hook(&repo.git_path("hooks/pre-commit"), "#!/bin/sh\nexport -p | grep SQUAD_LINT >variables || :\n", 0o755);
    lint(&repo.path, &["install", "--hook", "pre-commit"]);
    repo.stage("README.md", "# Project\n");
    assert!(commit(&repo.path).0);
    let variables = fs::read_to_string(repo.path.join("variables")).unwrap();
    assert!(variables.contains("SQUAD_LINT_HOOK"), "{variables}");
    repo.stage(DECISIONS, bad());
    let line = ". ./variables; exec git commit --quiet --message later";
    let output = run(&repo.path, &["-c", &format!("alias.later=!{line}"), "later"]);
    assert!(!output.status.success() && stderr(&output).contains("sem/timestamp-format"), "{}", stderr(&output));
}

#[test]
fn a_linked_hook_stays_a_link() {
    let repo = Repo::new();
    write_hook(&repo.path.join("scripts/check"), "#!/bin/sh\nexit 3\n", 0o755);
    let hook = repo.git_path("hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    for (target, stops) in [("../../scripts/check", true), ("../../scripts/nothing", false)] {
        symlink(target, &hook).unwrap();
        let said = lint(&repo.path, &["install"]);
        assert_eq!(said.contains("does not run: it is a link to something that cannot be run"), !stops, "{said}");
        repo.stage(DECISIONS, GOOD);
        assert_eq!(!commit(&repo.path).0, stops, "{target}");
        assert!(repo.path.join("scripts/check").exists());
        lint(&repo.path, &["uninstall"]);
        assert_eq!(fs::read_link(&hook).unwrap(), Path::new(target));
        fs::remove_file(&hook).unwrap();
    }
}
