//! The guard in real repositories: what it says is what git does, and what it tells people to do works.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{NOW, git, run_git, squad_lint, stderr, stdout, write};
use bstr::ByteSlice;
use serde_json::Value;
use squad_lint::git::ignore::Ignores;
use squad_lint::git::index::Index;
use squad_lint::select::repository::Repository;
use tempfile::TempDir;

fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    run_git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    folder
}

fn lint(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(["--now", NOW, "--select", "guard"]).args(args).output().unwrap()
}

fn findings(folder: &Path, args: &[&str]) -> Vec<Value> {
    let output = lint(folder, &[&["--format", "json"], args].concat());
    let json: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    json["diagnostics"].as_array().unwrap().clone()
}

fn rules(folder: &Path, args: &[&str]) -> Vec<String> {
    findings(folder, args).iter().map(|item| item["rule"].as_str().unwrap().to_owned()).collect()
}

/// Does what the help says: runs the commands between backticks, adds the lines.
fn follow(folder: &Path, help: &str) {
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    for command in quoted.iter().filter(|text| text.starts_with("git ")) {
        let mut shell = Command::new("sh");
        let like_git = git(folder);
        shell.current_dir(folder).args(["-c", command]);
        for (name, value) in like_git.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let output = shell.output().unwrap();
        assert!(output.status.success(), "`{command}`: {}", stderr(&output));
    }
    let of_file = help.lines().find(|line| line.contains(".gitignore"));
    let Some((_, lines)) = of_file.and_then(|line| line.split_once("add ")) else { return };
    let lines: Vec<&str> = lines.split('`').skip(1).step_by(2).collect();
    let at = lines.iter().position(|text| text.ends_with(".gitignore")).unwrap();
    let path = folder.join(lines[at]);
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in &lines[..at] {
        text.push_str(line);
        text.push('\n');
    }
    fs::write(path, text).unwrap();
}

/// A leak: the rule that tells it, the files forced into git, the configuration, and a file to change after that.
type Leak = (&'static str, &'static [&'static str], &'static str, Option<&'static str>);

const NEVER: &str = "[guard]\npolicy = \"never-tracked\"\n";
const NOT_ON_MAIN: &str = "[guard]\npolicy = \"not-on-protected\"\n";
const STATE_BRANCH: &str = "[guard]\npolicy = \"state-branch\"\n";

const LEAKS: [Leak; 12] = [
    ("guard/tracked-state", &[".ai-team/team.md", ".ai-team/log/a.md"], "", None),
    ("guard/tracked-state", &[".ai-team/team.md"], "", Some(".ai-team/team.md")),
    ("guard/tracked-state", &["it's [here]/a b/.ai-team/team.md"], "", None),
    ("guard/tracked-state", &["docs/.AI-Team/team.md"], "", None),
    ("guard/tracked-state", &[".squad/team.md"], NEVER, None),
    ("guard/runtime-tracked", &[".squad/team.md", ".squad/log/a.md", ".squad/.first-run"], "", None),
    (
        "guard/runtime-tracked",
        &[".squad/.watch-pids/1", ".squad/Log/a.md", ".squad/team.md"],
        "",
        Some(".squad/.watch-pids/1"),
    ),
    ("guard/runtime-tracked", &[".squad/team.md", ".squad-workstream"], "", None),
    ("guard/runtime-tracked", &[".squad/team.md", ".squad-workstream"], "", Some(".squad-workstream")),
    ("guard/protected-branch", &[".squad/team.md"], NOT_ON_MAIN, None),
    ("guard/state-off-branch", &[".squad/decisions.md"], STATE_BRANCH, Some(".squad/decisions.md")),
    ("guard/symlink-escape", &[".ai-team"], "", None),
];

/// A repository with the leak, `committed` or only staged.
fn leak((_, files, config, changed): Leak, committed: bool) -> TempDir {
    let temporary = repository();
    let folder = temporary.path();
    write(folder, "squad-lint.toml", config);
    for file in files {
        match *file {
            ".ai-team" => link(&folder.join(file)),
            file => write(folder, file, "# Team\n"),
        }
        run_git(folder, &["add", "-f", "--", file]);
    }
    if committed {
        run_git(folder, &["commit", "--quiet", "-m", "leak"]);
    }
    if let Some(file) = changed {
        write(folder, file, "# Team\n\nchanged after it was staged\n");
        if committed {
            run_git(folder, &["add", "-f", "--", file]);
            write(folder, file, "# Team\n\nand again\n");
        }
    }
    temporary
}

/// The one finding of the rule.
fn told(folder: &Path, rule: &str) -> Value {
    let found = findings(folder, &[]);
    let of_rule: Vec<_> = found.iter().filter(|item| item["rule"] == rule).collect();
    assert_eq!(of_rule.len(), 1, "{rule}: {found:?}");
    of_rule[0].clone()
}

/// Nothing is told of the leak any more, what it was about is on disk, and where it is `kept_out` git ignores it.
fn is_repaired((rule, files, ..): Leak, folder: &Path, kept_out: bool) {
    run_git(folder, &["commit", "--quiet", "--allow-empty", "-m", "repaired"]);
    // A link that is no longer in git is still a link.
    let left = findings(folder, &[]);
    let left: Vec<_> = left.iter().filter(|item| item["rule"] == rule && rule != "guard/symlink-escape").collect();
    assert!(left.is_empty(), "{rule} {files:?}: {left:?}");
    // Where a branch is protected the next one may have it; a link is only taken out.
    let untracked = run_git(folder, &["ls-files", "-o", "--exclude-standard", "*team*", "*log/*", "*workstream"]);
    let may_stay = ["guard/protected-branch", "guard/symlink-escape"].contains(&rule);
    assert!(untracked.is_empty() || may_stay || !kept_out, "{rule} {files:?}: {untracked}");
    for file in files {
        assert!(folder.join(file).symlink_metadata().is_ok(), "{file} is no longer on disk");
    }
}

#[test]
fn what_the_help_says_repairs_it_word_for_word() {
    for leaked in LEAKS {
        for committed in [false, true] {
            let folder = leak(leaked, committed);
            let folder = folder.path();
            follow(folder, told(folder, leaked.0)["help"].as_str().unwrap());
            is_repaired(leaked, folder, true);
        }
    }
}

#[test]
fn the_fix_does_what_the_help_says() {
    for leaked in LEAKS {
        for committed in [false, true] {
            let (rule, files, config, changed) = leaked;
            if committed && rule == "guard/tracked-state" && config.is_empty() {
                // What a team commits, it may want to keep: see the next test.
                continue;
            }
            let folder = leak(leaked, committed);
            let folder = folder.path();
            let fix = told(folder, rule)["fix"].clone();
            // Its staged text would be nowhere any more.
            let would_lose = changed.is_some();
            let index = || run_git(folder, &["ls-files", "--stage"]);
            let bytes = || -> Vec<_> { files.iter().map(|file| fs::read(folder.join(file)).ok()).collect() };
            let before = (index(), bytes());
            if would_lose || rule == "guard/symlink-escape" {
                assert_eq!(fix, Value::Null, "{leaked:?}");
                lint(folder, &["--fix", "--unsafe-fixes"]);
                assert_eq!((index(), bytes()), before, "{leaked:?}");
                continue;
            }
            assert_eq!(fix["applicability"], "unsafe");
            let preview = lint(folder, &["--diff", "--unsafe-fixes"]);
            assert!(stderr(&preview).contains("would remove from the index and keep on disk: "), "{preview:?}");
            assert_eq!(lint(folder, &["--fix"]).status.code(), lint(folder, &[]).status.code());
            assert_eq!((index(), bytes()), before, "not asked for: {leaked:?}");

            let output = stdout(&lint(folder, &["--fix", "--unsafe-fixes"]));
            let taken = fix["untrack"].as_array().unwrap().len();
            let kept =
                if taken == 1 { "1 file from the index and kept it" } else { "files from the index and kept them" };
            assert!(output.contains(kept), "{output}");
            assert_eq!(bytes(), before.1);
            run_git(folder, &["fsck", "--strict"]);
            // What only git, not the disk, tells to be a root is not there to be ignored.
            is_repaired(leaked, folder, !files.iter().any(|file| file.contains("AI-Team")));
            let again = stdout(&lint(folder, &["--fix", "--unsafe-fixes"]));
            assert!(again.contains("nothing to fix"), "{again}");
        }
    }
}

#[test]
fn who_commits_the_state_may_keep_it() {
    let files = [".ai-team/team.md", ".ai-team/log/a.md", ".ai-team/decisions/inbox/wren-tabs.md"];
    for ignored in [false, true] {
        let temporary = repository();
        let folder = temporary.path();
        for file in files {
            write(folder, file, "# Team\n");
        }
        if ignored {
            write(folder, ".gitignore", ".ai-team/\n");
        }
        run_git(folder, &["add", "-f", "."]);
        run_git(folder, &["commit", "--quiet", "-m", "state"]);
        let fix = told(folder, "guard/tracked-state")["fix"].clone();
        let tracked = run_git(folder, &["ls-files"]);
        assert_eq!(fix["untrack"].as_array().unwrap().len(), if ignored { 3 } else { 0 }, "{fix}");
        lint(folder, &["--fix", "--unsafe-fixes"]);
        assert_eq!(run_git(folder, &["ls-files"]) == tracked, !ignored);
        assert_eq!(folder.join("squad-lint.toml").exists(), !ignored);
        assert_eq!(rules(folder, &[]), [""; 0]);
        let again = stdout(&lint(folder, &["--fix", "--unsafe-fixes"]));
        assert!(again.starts_with("nothing to fix"), "{again}");
    }
}

#[test]
fn a_configuration_is_not_changed_to_keep_state() {
    for (name, config) in [("squad-lint.toml", ""), (".squad-lint.toml", NEVER)] {
        let temporary = repository();
        let folder = temporary.path();
        write(folder, name, config);
        write(folder, ".ai-team/team.md", "# Team\n");
        run_git(folder, &["add", "-f", "."]);
        run_git(folder, &["commit", "--quiet", "-m", "state"]);
        let told = told(folder, "guard/tracked-state");
        assert!(told["fix"]["append"].as_array().is_none_or(Vec::is_empty), "{told}");
        assert_eq!(told["help"].as_str().unwrap().contains("keep this state in git"), config.is_empty(), "{told}");
        lint(folder, &["--fix", "--unsafe-fixes"]);
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), config);
    }
}

#[test]
fn a_locked_index_is_told_and_left_alone() {
    let folder = leak(LEAKS[0], false);
    let folder = folder.path();
    write(folder, ".git/index.lock", "");
    let output = lint(folder, &["--fix", "--unsafe-fixes"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("2 files were not removed from the index"), "{}", stderr(&output));
    assert!(stderr(&output).contains("index.lock"), "{}", stderr(&output));
    fs::remove_file(folder.join(".git/index.lock")).unwrap();
    assert_eq!(run_git(folder, &["ls-files"]), ".ai-team/log/a.md\n.ai-team/team.md\n");
}

#[cfg(unix)]
fn link(path: &Path) {
    std::os::unix::fs::symlink("/", path).unwrap();
}

#[test]
fn ignore_decisions_are_those_of_git() {
    let folder = repository();
    let root = folder.path();
    write(
        root,
        ".gitignore",
        "# state\n.ai-team/*\n!.ai-team/keep/\n*.log\r\n/only-top\n\\!odd\ntrailing \\ \n**/deep/**\nfoo/*/bar\n",
    );
    write(root, "sub/.gitignore", "!*.log\n.squad\n!.squad/team.md\n/anchored/\n");
    write(root, "sub/below/.gitignore", "*\n!.gitignore\n");
    write(root, ".git/info/exclude", "private/\n*.tmp\n");
    write(root, ".git/mine", "of-user\n*.log\n");
    run_git(root, &["config", "core.excludesFile", ".git/mine"]);
    let repository = Repository::discover(root).unwrap();
    let (opened, top) = (repository.git.as_ref().unwrap(), &repository.root);
    let ignores = Ignores::new(opened, top, &Index::of(opened).unwrap()).unwrap();
    let paths = [
        ".ai-team/a.md",
        ".ai-team/keep/a.md",
        ".ai-team/keep/x/y.md",
        "x.log",
        "sub/x.log",
        "sub/below/x.log",
        "only-top",
        "sub/only-top",
        "!odd",
        "trailing  ",
        "a/deep/b",
        "a/deep/b/c",
        "foo/x/bar",
        "foo/x/y/bar",
        "foo/bar",
        "sub/.squad/team.md",
        "sub/.squad/x/y",
        "sub/anchored/x",
        "sub/x/anchored/x",
        "sub/below/.gitignore",
        "sub/below/x",
        "private/x",
        "a/private/x",
        "x.tmp",
        "sub/x.tmp",
        "of-user",
        "sub/of-user/x",
        "plain",
        "sub/plain",
        ".gitignore",
        "a.ai-team/x",
        "sub/.ai-team/x",
        ".ai-team/keep",
        "é.log",
        "sub/é",
        "UPPER.LOG",
        "x.logs",
        "foo/.hidden/bar",
    ];
    for path in paths {
        let output = git(root).args(["check-ignore", "-v", "--no-index", "--", path]).output().unwrap();
        let expected = stdout(&output);
        let expected = expected.split_once('\t').map(|(place, _)| place.splitn(3, ':').collect::<Vec<_>>());
        let expected =
            expected.map(|place| (place[0].to_owned(), place[1].parse().unwrap(), !place[2].starts_with('!')));
        let actual = ignores.decide(path.as_bytes().as_bstr(), false).unwrap();
        let actual = actual.map(|decision| (decision.file.to_string(), decision.line, decision.ignored));
        // A folder that is brought back: git names nothing for what is in it, this names the line.
        if expected.is_some() || actual.as_ref().is_some_and(|(_, _, ignored)| *ignored) {
            assert_eq!(actual, expected, "{path}");
        }
    }
}

#[test]
fn the_fix_of_not_ignored_hides_the_root_from_git() {
    let ignores = [
        "",
        "*.log",
        "!.ai-team/\n",
        ".ai-team/*\n!.ai-team/team.md\n",
        ".ai-team/\n!.ai-team\n",
        "*.md\n!.ai-team/**\n",
    ];
    for text in ignores {
        let folder = repository();
        let folder = folder.path();
        write(folder, ".gitignore", text);
        write(folder, ".ai-team/team.md", "# Team\n");
        write(folder, ".ai-team/log/a.md", "# Log\n");
        let untracked = || run_git(folder, &["ls-files", "-o", "--exclude-standard", ".ai-team"]);
        let before = findings(folder, &[]);
        assert_eq!(before.len(), usize::from(!untracked().is_empty()), "{text:?}: {before:?}");
        follow(folder, before[0]["help"].as_str().unwrap().replace("the end", "end").as_str());
        assert_eq!(untracked(), "", "{text:?}");
        assert!(findings(folder, &[]).is_empty(), "{text:?}");
    }
}

#[test]
fn patterns_with_many_stars_come_to_an_end() {
    let folder = repository();
    write(folder.path(), ".ai-team/decisions.md", "# Decisions\n");
    for (pattern, code, says) in [
        (format!("{}x\n.ai-team/\n", "**/".repeat(40)), Some(0), ""),
        (format!("{}x\n", "**/".repeat(40)), Some(1), "guard/not-ignored"),
        (format!(".ai-team/\n{}\n", "**/a".repeat(40)), Some(2), "line 2 of `.gitignore`"),
    ] {
        write(folder.path(), ".gitignore", &pattern);
        let output = lint(folder.path(), &["--select", "guard"]);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), code, "{said}");
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn a_workflow_says_which_branch_a_pull_request_is_for() {
    let folder = repository();
    let folder = folder.path();
    write(folder, "squad-lint.toml", NOT_ON_MAIN);
    run_git(folder, &["add", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "first"]);
    run_git(folder, &["checkout", "--quiet", "-b", "work"]);
    write(folder, ".squad/team.md", "# Team\n");
    run_git(folder, &["add", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "state"]);
    let found = |base: &str, args: &[&str]| {
        let mut command = squad_lint(folder);
        command.args(["--now", NOW, "--select", "guard/protected-branch", "--format", "compact"]).args(args);
        stdout(&command.env("GITHUB_BASE_REF", base).output().unwrap())
    };
    let range = ["--from", "main", "--to", "HEAD"];
    assert!(found("main", &range).contains("would reach the protected branch `main`"));
    assert!(found("work-of-others", &range).starts_with("no problems found in 1 file"));
    assert!(found("", &range).starts_with("no problems found in 1 file"));
    // The command line counts more, and only a range is a pull request.
    assert!(found("main", &[&range[..], &["--target-branch", "other"]].concat()).starts_with("no problems"));
    assert!(found("main", &[]).starts_with("no problems"));
}

#[test]
fn a_hook_is_silent_where_the_commit_has_nothing_for_it() {
    let folder = repository();
    let folder = folder.path();
    write(folder, "a.txt", "x\n");
    run_git(folder, &["add", "."]);
    assert_eq!(stdout(&squad_lint(folder).arg("--staged").output().unwrap()), "");
    write(folder, ".squad/team.md", "# Team\n");
    run_git(folder, &["add", "."]);
    let output = squad_lint(folder).args(["--staged", "--ignore", "guard"]).output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
}

/// A hook that runs the program with `args`.
fn install(folder: &Path, name: &str, args: &str) {
    let program = env!("CARGO_BIN_EXE_squad-lint");
    write(folder, format!(".git/hooks/{name}"), format!("#!/bin/sh\nexec '{program}' --now {NOW} {args}\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(".git/hooks").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn a_commit_is_blocked_until_it_is_repaired() {
    let folder = repository();
    let folder = folder.path();
    write(folder, ".gitignore", ".ai-team/\n");
    write(folder, ".ai-team/team.md", "# Team\n");
    install(folder, "pre-commit", "");
    run_git(folder, &["add", "-f", ".ai-team/team.md", ".gitignore"]);
    // Git hands the index over in `GIT_INDEX_FILE`; with `-a` and with paths it is another file.
    let commits: [&[&str]; 3] = [&["-m", "x"], &["-a", "-m", "x"], &["-m", "x", ".ai-team/team.md"]];
    for args in commits {
        let output = git(folder).args(["commit", "--quiet"]).args(args).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert!(stderr(&output).contains("guard/tracked-state"), "{args:?}: {}", stderr(&output));
    }
    // A commit of another file alone: its index does not have the state.
    let output = git(folder).args(["commit", "--quiet", "-m", "x", ".gitignore"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    follow(folder, findings(folder, &[])[0]["help"].as_str().unwrap());
    run_git(folder, &["commit", "--quiet", "--allow-empty", "-m", "repaired"]);
    // What is in the history already may be removed.
    run_git(folder, &["add", "-f", ".ai-team/team.md"]);
    run_git(folder, &["commit", "--quiet", "--no-verify", "-m", "leak"]);
    run_git(folder, &["rm", "--quiet", "--cached", "-r", ".ai-team/"]);
    run_git(folder, &["commit", "--quiet", "-m", "removal"]);
}

#[test]
fn a_push_to_a_protected_branch_is_blocked() {
    let (origin, folder) = (tempfile::tempdir().unwrap(), repository());
    run_git(origin.path(), &["init", "--quiet", "--bare"]);
    let folder = folder.path();
    run_git(folder, &["remote", "add", "origin", origin.path().to_str().unwrap()]);
    install(folder, "pre-push", "--pre-push");
    run_git(folder, &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    run_git(folder, &["push", "--quiet", "origin", "HEAD:main"]);
    write(folder, ".ai-team/team.md", "# Team\n");
    run_git(folder, &["add", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "leak"]);
    for branch in ["HEAD:main", "HEAD:insider"] {
        let output = git(folder).args(["push", "--quiet", "origin", branch]).output().unwrap();
        assert!(!output.status.success(), "{branch}");
        assert!(stdout(&output).contains("guard/protected-branch"), "{branch}: {}", stderr(&output));
    }
    run_git(folder, &["rm", "--quiet", "--cached", "-r", ".ai-team/"]);
    run_git(folder, &["commit", "--quiet", "-m", "removal"]);
    run_git(folder, &["push", "--quiet", "origin", "HEAD:main"]);
}

#[test]
fn a_hook_manager_says_it_in_variables() {
    let folder = repository();
    let folder = folder.path();
    run_git(folder, &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    write(folder, ".ai-team/team.md", "# Team\n");
    run_git(folder, &["add", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "leak"]);
    let at = |revision: &str| run_git(folder, &["rev-parse", revision]).trim().to_owned();
    let run = |from: &str, to: &str, branch: &str| {
        let mut command = squad_lint(folder);
        command.args(["--now", NOW, "--pre-push"]).stdin(Stdio::null());
        command.env("PRE_COMMIT_FROM_REF", from).env("PRE_COMMIT_TO_REF", to).env("PRE_COMMIT_REMOTE_BRANCH", branch);
        command.output().unwrap().status.code()
    };
    assert_eq!(run(&at("HEAD~1"), &at("HEAD"), "refs/heads/main"), Some(1));
    assert_eq!(run(&at("HEAD"), &at("HEAD"), "main"), Some(0));
    assert_eq!(run("HEAD", &at("HEAD~1"), "main"), Some(0));
    assert_eq!(run("", &at("HEAD"), "main"), Some(1));
}

#[test]
fn what_git_cannot_read_never_looks_clean() {
    let folder = repository();
    let folder = folder.path();
    write(folder, ".ai-team/team.md", "# Team\n");
    run_git(folder, &["add", "-f", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "leak"]);
    let not_clean = |output: &Output, word: &str| {
        assert_eq!(output.status.code(), Some(2), "{word}: {}", stdout(output));
        assert!(stderr(output).contains(word), "{word}: {}", stderr(output));
        assert!(!stdout(output).contains("no problems"), "{word}");
    };
    not_clean(&lint(folder, &["--tree", "no-such-branch"]), "no-such-branch");
    let mut child = squad_lint(folder);
    child.args(["--pre-push"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"refs/heads/main\n").unwrap();
    not_clean(&child.wait_with_output().unwrap(), "line 1");
    let tree = run_git(folder, &["rev-parse", "HEAD:.ai-team"]);
    let (start, rest) = tree.trim().split_at(2);
    fs::remove_file(folder.join(".git/objects").join(start).join(rest)).unwrap();
    not_clean(&lint(folder, &["--tree", "HEAD"]), tree.trim());
    fs::write(folder.join(".git/index"), b"DIRC\0\0\0\x02\0\0\0\x09").unwrap();
    not_clean(&lint(folder, &[]), "the index");
    let plain = tempfile::tempdir().unwrap();
    not_clean(&lint(plain.path(), &["--tree", "HEAD"]), "no git repository");
}

#[test]
fn every_kind_of_repository() {
    let origin = repository();
    let folder = origin.path();
    write(folder, "a/b.txt", "x\n");
    write(folder, "far/.ai-team/team.md", "# Team\n");
    run_git(folder, &["add", "-f", "."]);
    run_git(folder, &["commit", "--quiet", "-m", "all"]);
    assert_eq!(rules(folder, &[]), ["guard/tracked-state"]);
    let state = ["guard/tracked-state"];

    // A linked worktree, with its own index and the repository's excludes.
    run_git(folder, &["worktree", "add", "--quiet", "linked", "-b", "linked"]);
    assert_eq!(rules(&folder.join("linked"), &[]), state);
    run_git(folder, &["worktree", "remove", "--force", "linked"]);

    // A sparse checkout, then a sparse index: what is not on disk is in git all the same.
    let sparse = tempfile::tempdir().unwrap();
    run_git(sparse.path(), &["clone", "--quiet", folder.to_str().unwrap(), "."]);
    for kind in ["--no-sparse-index", "--sparse-index"] {
        run_git(sparse.path(), &["sparse-checkout", "set", "--cone", kind, "a"]);
        assert!(!sparse.path().join("far").exists());
        let found = findings(sparse.path(), &[]);
        assert_eq!(found.len(), 1, "{kind}: {found:?}");
        assert!(found[0]["help"].as_str().unwrap().contains("git rm --cached -r --sparse far/.ai-team/"), "{found:?}");
    }
    follow(sparse.path(), findings(sparse.path(), &[])[0]["help"].as_str().unwrap());
    assert!(findings(sparse.path(), &[]).is_empty());

    // A submodule's state is the submodule's affair.
    let outer = repository();
    run_git(
        outer.path(),
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", folder.to_str().unwrap(), "inner"],
    );
    assert!(rules(outer.path(), &[]).is_empty());
    assert_eq!(rules(&outer.path().join("inner"), &[]), state);

    // A split index, a conflict, an entry that is only intended.
    run_git(folder, &["update-index", "--split-index"]);
    assert_eq!(rules(folder, &[]), state);
    run_git(folder, &["update-index", "--no-split-index"]);
    run_git(folder, &["checkout", "--quiet", "-b", "theirs"]);
    for (branch, text) in [("theirs", "# A\n"), ("main", "# B\n")] {
        run_git(folder, &["checkout", "--quiet", branch]);
        write(folder, "far/.ai-team/team.md", text);
        run_git(folder, &["commit", "--quiet", "-a", "-m", branch]);
    }
    assert!(!git(folder).args(["merge", "--quiet", "theirs"]).output().unwrap().status.success());
    let found = findings(folder, &[]);
    assert!(found[0]["message"].as_str().unwrap().starts_with("git tracks 1 file "), "{found:?}");
    let intended = repository();
    write(intended.path(), ".ai-team/team.md", "# Team\n");
    run_git(intended.path(), &["add", "--intent-to-add", ".ai-team/team.md"]);
    assert_eq!(rules(intended.path(), &[]), state);
}

#[test]
fn a_wrong_configuration_says_what_was_meant() {
    let folder = repository();
    let cases = [
        ("[guard]\npolicy = \"never-track\"\n", "did you mean `never-tracked`?"),
        ("[guard]\npolicy = \"strict\"\n", "`tracked-minus-runtime`"),
        ("[guard]\npolciy = \"never-tracked\"\n", "did you mean `policy`?"),
        ("[gaurd]\npolicy = \"never-tracked\"\n", "did you mean `guard`?"),
        ("[guard]\nprotected-branches = [\"release/[\"]\n", "is not a glob"),
        ("[guard]\nprotected-branches = \"main\"\n", "expected a list of globs"),
    ];
    for (config, expected) in cases {
        write(folder.path(), "squad-lint.toml", config);
        let output = lint(folder.path(), &[]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(stderr(&output).contains(expected), "{config}: {}", stderr(&output));
    }
}

#[test]
fn only_roots_that_the_paths_cover_are_guarded() {
    let folder = repository();
    let folder = folder.path();
    for path in ["a/.ai-team/team.md", "b/.ai-team/team.md", "b/.ai-team/agents/x/history.md"] {
        write(folder, path, "# Team\n");
    }
    run_git(folder, &["add", "-f", "."]);
    let paths = |args: &[&str]| -> Vec<String> {
        findings(folder, args).iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(paths(&[]), ["a/.ai-team", "b/.ai-team"]);
    assert_eq!(paths(&["b"]), ["b/.ai-team"]);
    assert_eq!(paths(&["b/.ai-team", "a"]), ["a/.ai-team", "b/.ai-team"]);
    assert!(paths(&["b/.ai-team/agents"]).is_empty());
    assert!(paths(&["b/.ai-team/team.md"]).is_empty());
    assert_eq!(paths(&["--exclude", "b"]), ["a/.ai-team"]);
    assert_eq!(paths(&["--exclude", "b/.ai-team/**"]), ["a/.ai-team"]);
    // To leave some files out is not to allow them.
    assert_eq!(paths(&["--exclude", "b/.ai-team/*.md"]), ["a/.ai-team", "b/.ai-team"]);
    assert!(paths(&["--root", "."]).is_empty());
}

#[test]
fn names_that_could_harm_a_terminal_are_shown_harmless() {
    let folder = repository();
    let folder = folder.path();
    write(folder, ".ai-team/a\u{1b}[31m\n::error::x.md", "# x\n");
    run_git(folder, &["add", "-f", "."]);
    let output = lint(folder, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!stdout(&output).contains('\u{1b}') && !stdout(&output).contains("\n::error"), "{}", stdout(&output));
}

/// Does what the help of the finding of `rule` says: untracks, adds the lines to `.gitignore`, and commits.
fn obey(folder: &Path, rule: &str) {
    let found = findings(folder, &[]);
    let finding = found.iter().find(|finding| finding["rule"] == rule).unwrap_or_else(|| panic!("{found:?}"));
    let helps = finding["help"].as_str().unwrap().lines().skip_while(|line| !line.contains("`git "));
    let help: Vec<&str> = helps.take_while(|line| !line.contains("`git add")).collect();
    let help = help.join("\n");
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let (command, rest) = quoted.split_first().unwrap();
    run_git(folder, &command.split(' ').skip(1).collect::<Vec<_>>());
    let (file, lines) = rest.split_last().unwrap();
    let old = fs::read_to_string(folder.join(file)).unwrap_or_default();
    fs::write(folder.join(file), old + &lines.join("\n") + "\n").unwrap();
    run_git(folder, &["add", file]);
    run_git(folder, &["commit", "--quiet", "--message", "obeyed"]);
}

#[test]
fn one_help_settles_it() {
    for (rule, files) in [
        ("guard/tracked-state", &[".ai-team/decisions.md", ".ai-team/log/a.md"][..]),
        ("guard/runtime-tracked", &[".squad/team.md", ".squad/log/a.md"]),
    ] {
        let repo = crate::support::repo::Repo::new();
        for file in files {
            repo.stage(file, "# Text\n");
        }
        repo.git(&["commit", "--quiet", "--message", "all"]);
        obey(&repo.path, rule);
        let said = stdout(&lint(&repo.path, &["--min-severity", "info"]));
        assert!(said.starts_with("no problems found"), "{said}");
    }
}

#[test]
fn a_commit_is_not_blamed_for_what_was_not_ignored_before() {
    let repo = crate::support::repo::Repo::new();
    repo.stage(".squad/team.md", "# Team\n");
    repo.stage(".squad/log/a.md", "# Log\n");
    repo.git(&["commit", "--quiet", "--message", "all"]);
    repo.stage(".squad/team.md", "# Team\n\nMore.\n");
    let said = stdout(&lint(&repo.path, &["--staged", "--min-severity", "info"]));
    assert!(said.starts_with("no problems found"), "{said}");
}

/// A team with files that belong to one machine in git, and lines in its ignore file.
fn with_runtime_files(ignored: &str, files: &[&str]) -> TempDir {
    let folder = repository();
    write(folder.path(), ".squad/team.md", "# Team\n");
    write(
        folder.path(),
        ".gitignore",
        format!("{ignored}.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n"),
    );
    for path in files {
        write(folder.path(), path, "{}\n");
    }
    run_git(folder.path(), &["add", "-f", "."]);
    run_git(folder.path(), &["commit", "--quiet", "-m", "all"]);
    folder
}

#[test]
fn the_diff_of_an_untracked_workstream_is_what_the_fix_writes() {
    for (ignored, files) in [
        (".squad/log/\n", &[".squad-workstream"][..]),
        ("", &[".squad-workstream", ".squad/log/a.md"]),
        // The team keeps its logs, and the file beside them goes.
        ("# .squad/log/\n", &[".squad-workstream", ".squad/log/a.md"]),
    ] {
        let folder = with_runtime_files(ignored, files);
        let shown = lint(folder.path(), &["--diff", "--unsafe-fixes"]);
        assert!(stdout(&shown).contains("+.squad-workstream\n"), "{ignored}: {}", stdout(&shown));
        lint(folder.path(), &["--fix", "--unsafe-fixes"]);
        let done = run_git(folder.path(), &["diff", ".gitignore"]);
        let lines =
            |diff: &str| diff.lines().filter(|line| line.starts_with('+')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&done), lines(&stdout(&shown)), "{ignored}");
        run_git(folder.path(), &["add", "."]);
        assert!(!run_git(folder.path(), &["ls-files"]).contains("workstream"));
    }
}

#[test]
fn a_change_untracks_no_file_that_git_would_add_again() {
    let audit = ".squad/memory/audit.jsonl";
    let folder = with_runtime_files(".squad/log/\n", &[]);
    write(folder.path(), audit, "{}\n");
    write(folder.path(), ".squad-workstream", "billing\n");
    run_git(folder.path(), &["add", "."]);
    let found = findings(folder.path(), &["--staged", "--min-severity", "info"]);
    assert_eq!(found.len(), 2, "{found:?}");
    lint(folder.path(), &["--staged", "--fix", "--unsafe-fixes"]);
    assert!(run_git(folder.path(), &["ls-files"]).contains("audit.jsonl"));
    // With their lines they go.
    write(folder.path(), ".gitignore", format!(".squad/log/\n{audit}\n.squad-workstream\n"));
    run_git(folder.path(), &["add", ".gitignore"]);
    lint(folder.path(), &["--staged", "--fix", "--unsafe-fixes"]);
    let left = run_git(folder.path(), &["ls-files"]);
    assert!(!left.contains("audit.jsonl") && !left.contains("workstream"), "{left}");
}
