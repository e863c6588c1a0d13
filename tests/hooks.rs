//! The scripts of `hooks/` that people take into other tools, and `--hook-manager`, with which hook managers call the program.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::repo::Repo;
use crate::support::{project, squad_lint, stderr, stdout};

const GOOD: &str = "### 2026-02-15T14:32:15+0000: note: One\n\n**type:** note\n**timestamp:** 2026-02-15T14:32:15+0000\n\
                    **author:** Kay\n\n**summary:** One.\n\n---\n";
const DECISIONS: &str = ".squad/decisions.md";

fn bad() -> String {
    GOOD.replacen("+0000", "Z", 1)
}

#[test]
fn the_scripts_for_managers_run_what_install_runs() {
    let of_manager = |name: &str| fs::read_to_string(project().join("hooks").join(name)).unwrap();
    for (command, hook) in [("squad-lint check --staged", "pre-commit"), ("squad-lint check --pre-push", "pre-push")] {
        assert!(of_manager(hook).contains(command.replace("squad-lint", "\"$squad_lint\"").as_str()));
        assert!(of_manager("lefthook.yml").contains(&format!("run: {command}\n")));
    }
}

/// Runs `--hook-manager` with these variables of the manager and these files.
fn managed(repo: &Repo, variables: &[(&str, &str)], files: &[&str]) -> (Option<i32>, String) {
    let mut command = squad_lint(&repo.path);
    command.args(["check", "--format", "compact", "--hook-manager", "--"]).args(files);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    (output.status.code(), stdout(&output) + &stderr(&output))
}

/// A repository with an old entry that is wrong, and one more.
fn adopted() -> Repo {
    let repo = Repo::new();
    repo.stage(DECISIONS, bad());
    repo.stage(".squad/old.md", "# Old\n\n```\n");
    repo.stage(".gitignore", "*.log\n");
    repo.commit("as it was");
    repo
}

fn later(entry: &str) -> String {
    entry.replace("02-15T14", "02-16T14")
}

#[test]
fn what_is_staged_is_checked_where_it_was_touched() {
    let repo = adopted();
    repo.stage(DECISIONS, format!("{}\n{}", bad(), later(GOOD)));
    assert_eq!(managed(&repo, &[], &[DECISIONS]).0, Some(0));
    // All files: also what nobody touched.
    let (code, said) = managed(&repo, &[], &[DECISIONS, ".squad/old.md", ".gitignore"]);
    assert!(code == Some(1) && said.contains("decisions.md:1:5") && said.contains("markdown/unclosed-fence"), "{said}");
    repo.stage(DECISIONS, format!("{}\n{}", bad(), later(&bad())));
    let (code, said) = managed(&repo, &[], &[DECISIONS]);
    assert!(code == Some(1) && said.contains("decisions.md:11:5") && !said.contains("decisions.md:1:5"), "{said}");
    // What is left out by the manager stays out.
    repo.stage(".squad/agents/kay/history.md", bad());
    let (_, said) = managed(&repo, &[], &[DECISIONS]);
    assert!(!said.contains("kay"), "{said}");
}

#[test]
fn a_renamed_file_is_compared_with_what_it_was() {
    let repo = adopted();
    let old = format!("{}\n{}\n{}", bad(), GOOD.replace(":32:", ":33:"), GOOD.replace(":32:", ":34:"));
    repo.stage(DECISIONS, &old);
    repo.commit("more");
    repo.git(&["mv", DECISIONS, ".squad/decisions-archive.md"]);
    assert_eq!(managed(&repo, &[], &[".squad/decisions-archive.md"]).0, Some(0));
    repo.stage(".squad/decisions-archive.md", format!("{old}\n{}", later(GOOD)));
    let (code, said) = managed(&repo, &[], &[".squad/decisions-archive.md"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn between_two_commits_only_the_change_counts() {
    let repo = adopted();
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.stage(DECISIONS, format!("{}\n{}", bad(), later(&bad())));
    repo.commit("one more");
    let range = [("PRE_COMMIT_FROM_REF", "main"), ("PRE_COMMIT_TO_REF", "HEAD")];
    let (code, said) = managed(&repo, &range, &[DECISIONS]);
    assert!(code == Some(1) && said.contains("decisions.md:11:5") && !said.contains("decisions.md:1:5"), "{said}");
    // What is on disk does not matter, nor do empty variables.
    repo.write(DECISIONS, GOOD);
    assert_eq!(managed(&repo, &range, &[DECISIONS]).0, Some(1));
    assert_eq!(managed(&repo, &[("PRE_COMMIT_FROM_REF", ""), ("PRE_COMMIT_TO_REF", "")], &[DECISIONS]).0, Some(0));
    let (code, said) =
        managed(&repo, &[("PRE_COMMIT_FROM_REF", "nothing"), ("PRE_COMMIT_TO_REF", "HEAD")], &[DECISIONS]);
    assert!(code == Some(2) && said.contains("unknown revision `nothing`"), "{said}");
}

#[test]
fn the_guard_knows_the_branch_that_is_pushed_to() {
    let repo = adopted();
    repo.stage(".ai-team/team.md", "# Team\n");
    repo.commit("leak");
    let range = [("PRE_COMMIT_FROM_REF", "HEAD~1"), ("PRE_COMMIT_TO_REF", "HEAD")];
    for (branch, is_protected) in [("refs/heads/main", true), ("refs/heads/topic", false)] {
        let mut variables = range.to_vec();
        variables.push(("PRE_COMMIT_REMOTE_BRANCH", branch));
        let (code, said) = managed(&repo, &variables, &[]);
        assert!(code == Some(1) && said.contains("guard/protected-branch") == is_protected, "{branch}: {said}");
    }
    // Without names and without a commit under way it is the whole repository, also where something is staged.
    for path in ["README.md", "notes.md"] {
        let (code, said) = managed(&repo, &[], &[]);
        assert!(code == Some(1) && said.contains("guard/tracked-state"), "{said}");
        repo.stage(path, "# Project\n");
        let index = repo.git_path("index").display().to_string();
        assert_eq!(managed(&repo, &[("GIT_INDEX_FILE", &index)], &[]), (Some(0), String::new()));
    }
    // An empty commit, or another message for the last.
    repo.commit("more");
    let index = repo.git_path("index").display().to_string();
    assert_eq!(managed(&repo, &[("GIT_INDEX_FILE", &index)], &[]), (Some(0), String::new()));
}

#[test]
fn names_tell_the_guard_where_to_look() {
    let repo = adopted();
    let leak = [".ai-team/team.txt", ".ai-team/log/a.txt"];
    for path in leak {
        repo.stage(path, "x\n");
    }
    repo.stage("README.md", "# Project\n");
    // Of a commit what it brings, as far as it is named.
    let (code, said) = managed(&repo, &[], &[leak[0], "README.md"]);
    assert!(code == Some(1) && said.contains("git tracks 1 file under `.ai-team/`"), "{said}");
    assert_eq!(managed(&repo, &[], &["README.md"]).0, Some(0));
    repo.commit("leak");
    // Of all files what is in git in the roots that are named, also while something else is staged.
    repo.stage("README.md", "# The project\n");
    let (code, said) = managed(&repo, &[], &[leak[0], "README.md", ".gitignore"]);
    assert!(code == Some(1) && said.contains("git tracks 2 files under `.ai-team/`"), "{said}");
    assert_eq!(managed(&repo, &[], &["README.md", ".gitignore"]).0, Some(0));
    // A manager does not name what is gone.
    repo.git(&["rm", "--quiet", "--cached", "-r", ".ai-team"]);
    repo.stage(".squad/old.md", "# Old\n");
    repo.git(&["rm", "--quiet", "--force", ".gitignore"]);
    let (_, said) = managed(&repo, &[], &[".squad/old.md"]);
    assert!(said.contains("`.ai-team/` is not ignored") && !said.contains("git tracks"), "{said}");
}

#[test]
fn a_link_that_leads_nowhere_stops_no_run() {
    let repo = adopted();
    symlink("nowhere", repo.path.join(".squad/lost.md")).unwrap();
    symlink("nowhere", repo.path.join(".squad/lost.txt")).unwrap();
    repo.git(&["add", "--all"]);
    repo.commit("links");
    let names = [DECISIONS, ".squad/lost.md", ".squad/lost.txt"];
    let (code, said) = managed(&repo, &[], &names);
    assert!(code == Some(1) && said.contains("lost.md") && said.contains("lint/unreadable-file"), "{said}");
    assert!(said.contains("decisions.md:1:5") && !said.contains("old.md"), "{said}");
}

#[test]
fn what_is_staged_is_fixed_where_it_is_staged() {
    let repo = adopted();
    let staged = format!("{}\n{}", bad(), later(&bad()));
    repo.stage(DECISIONS, &staged);
    let (code, said) = managed(&repo, &[], &[DECISIONS]);
    assert!(code == Some(1) && said.contains(", 1 fixable with --staged --fix\n"), "{said}");
    let mut command = squad_lint(&repo.path);
    let output = command.args(["check", "--hook-manager", "--fix", "--", DECISIONS]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output) + &stderr(&output));
    // What was there before is as it was.
    let fixed = format!("{}\n{}", bad(), later(GOOD));
    assert_eq!(fs::read_to_string(repo.path.join(DECISIONS)).unwrap(), fixed);
    assert_eq!(repo.git(&["show", &format!(":{DECISIONS}")]), fixed);
    // Of all files it is the files.
    let (_, said) = managed(&repo, &[], &[DECISIONS, ".squad/old.md"]);
    assert!(said.contains(" fixable with --fix, "), "{said}");
}

#[test]
fn a_merge_is_a_commit_whatever_else_is_named() {
    let repo = adopted();
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.stage(DECISIONS, format!("{}\n{}", bad(), later(GOOD)));
    repo.commit("theirs");
    repo.git(&["checkout", "--quiet", "main"]);
    let ours = format!("{}\n{}", bad(), later(GOOD).replace(":32:", ":33:"));
    repo.stage(DECISIONS, &ours);
    repo.commit("ours");
    assert!(!repo.try_git(&["merge", "topic"]).status.success());
    repo.stage(DECISIONS, ours);
    repo.stage("notes.md", "# Notes\n");
    let index = repo.git_path("index").display().to_string();
    // It named what was in conflict, which is as it was.
    assert_eq!(managed(&repo, &[("GIT_INDEX_FILE", &index)], &[DECISIONS, "notes.md"]).0, Some(0));
    assert_eq!(managed(&repo, &[], &[DECISIONS, "notes.md"]).0, Some(1));
}

#[test]
fn the_mirror_has_the_same_hooks_and_this_version() {
    let read = |path: &str| fs::read_to_string(project().join(path)).unwrap();
    let hooks = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    let own = hooks(&read(".pre-commit-hooks.yaml"));
    assert_eq!(own.matches("\n- id: ").count() + 1, 3);
    let mirror = "packaging/pre-commit-mirror";
    let mirrored = hooks(&read(&format!("{mirror}/.pre-commit-hooks.yaml")));
    assert_eq!(mirrored, own.replace("language: rust", "language: python"));
    let version = env!("CARGO_PKG_VERSION");
    assert!(read(&format!("{mirror}/pyproject.toml")).contains(&format!("\"squad-lint=={version}\"")));
    for page in ["README.md", "docs/hooks.md", &format!("{mirror}/README.md")] {
        assert!(read(page).contains(&format!("    rev: v{version}\n")), "{page} names another version");
    }
    for page in ["README.md", "docs/hooks.md"] {
        assert!(read(page).contains(&format!("squad-lint/squad-lint@v{version} ")), "{page} names another version");
    }
}

#[test]
fn the_patterns_of_the_hooks_are_the_state_roots() {
    let text = fs::read_to_string(project().join(".pre-commit-hooks.yaml")).unwrap();
    let patterns: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix("files: ")).collect();
    let patterns: Vec<_> = patterns.iter().map(|line| regex::Regex::new(line.trim_matches('\'')).unwrap()).collect();
    let [check, fix] = patterns.as_slice() else { panic!("{patterns:?}") };
    for root in squad_lint::dialects::default_roots().map(|root| root.glob) {
        for (path, is_checked, is_fixed) in [
            (format!("{root}/a/b.md"), true, true),
            (format!("sub/{}/a.MD", root.to_uppercase()), true, true),
            (format!("{root}/a.txt"), true, false),
            (format!("sub/{root}"), true, false),
            (format!("x{root}/a.md"), false, false),
            (format!("{root}x/a.md"), false, false),
        ] {
            assert_eq!((check.is_match(&path), fix.is_match(&path)), (is_checked, is_fixed), "{path}");
        }
    }
    for manifest in squad_lint::dialects::manifest::DEFAULT_MANIFESTS {
        for path in [manifest.to_owned(), format!("sub/{manifest}")] {
            assert!(check.is_match(&path) && fix.is_match(&path), "{path}");
        }
        assert!(!check.is_match(&format!("x{manifest}")) && !check.is_match(&format!("{manifest}x")), "{manifest}");
    }
    let skills = [".github/skills/a/SKILL.md", "sub/.copilot/skills/a/SKILL.md"];
    for path in [".gitignore", "sub/.npmignore", ".gitattributes", "package.json"].into_iter().chain(skills) {
        assert!(check.is_match(path) && !fix.is_match(path), "{path}");
    }
}
