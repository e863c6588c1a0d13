//! State on a branch of its own: as a revision, as a checkout, as a change, and when a run finds no files.

use std::process::Output;

use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout};

const DECISIONS: &str = "# Decisions\n\n### 2026-02-15T14:32:15-0800: note: Main is protected\n\n**type:** note  \n\
    **timestamp:** 2026-02-15T14:32:15-0800  \n**author:** Verbal  \n\n**summary:** Nobody pushes to main.\n\n---\n";

/// A team with `team.md` on `main` and its memory on `squad-state`.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(".squad/team.md", "# Team\n");
    repo.write(".squad/config.json", "{\"stateBackend\": \"orphan\"}\n");
    repo.write(".gitignore", ".squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n");
    repo.commit("team");
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["rm", "-r", "--quiet", "--force", "."]);
    repo.write("README.md", "# State\n");
    repo.write("decisions.md", DECISIONS);
    repo.write(
        "agents/keaton/history.md",
        "# History\n\n### 2026-02-01: Set up\n\n**By:** Keaton\n\n**What:** All of it.\n",
    );
    repo.commit("state");
    repo.write("decisions.md", DECISIONS.replace("**author:** Verbal  \n", ""));
    repo.commit("no author");
    repo.git(&["checkout", "--quiet", "main"]);
    repo
}

fn lint(repo: &Repo, args: &[&str]) -> Output {
    squad_lint(&repo.path).args(["--now", NOW]).args(args).output().unwrap()
}

fn says(output: &Output, code: i32, words: &[&str]) {
    let text = format!("{}{}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_state_branch_is_checked_as_it_is() {
    let repo = repo();
    let missing = ["error[sem/missing-field]", "--> decisions.md:3:", "in 3 files"];
    says(&lint(&repo, &["--rev", "squad-state"]), 1, &missing);
    says(&lint(&repo, &["--rev", "refs/heads/squad-state"]), 1, &missing);
    // Without a name it is recognized by what is in it.
    let id = repo.git(&["rev-parse", "squad-state"]);
    says(&lint(&repo, &["--rev", id.trim()]), 1, &missing);
    says(&lint(&repo, &["--rev", "squad-state~1"]), 0, &["no problems found in 3 files"]);
    says(&lint(&repo, &["--rev", "main"]), 0, &["no problems found in 1 file"]);
    says(&lint(&repo, &["--rev", "no-such-branch"]), 2, &["no-such-branch"]);
    says(&lint(&repo, &["--rev", "squad-state", "--fix"]), 2, &["cannot be used with"]);
    let clone = repo.clone(&["--quiet"]);
    says(&lint(&clone, &["--rev", "origin/squad-state"]), 1, &missing);
}

#[test]
fn a_checkout_of_a_state_branch_is_checked_and_fixed() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    says(&lint(&repo, &[]), 1, &["error[sem/missing-field]", "--> decisions.md:3:", "in 3 files"]);
    says(&lint(&repo, &["--rev", "main"]), 0, &["no problems found in 1 file"]);
    repo.write("decisions.md", DECISIONS.replace("-0800: note", "Z: note").replace("-0800  ", "Z  "));
    says(&lint(&repo, &["--fix"]), 0, &["fixed 2 problems"]);
    assert!(std::fs::read_to_string(repo.path.join("decisions.md")).unwrap().contains("+0000: note"));
    repo.git(&["checkout", "--quiet", "--detach", "--force", "squad-state"]);
    says(&lint(&repo, &[]), 1, &["--> decisions.md:3:", "in 3 files"]);
    repo.write("decisions.md", "# Decisions\n");
    repo.git(&["add", "decisions.md"]);
    says(&lint(&repo, &["--staged"]), 1, &["memory/entry-lost", "--> decisions.md"]);
}

#[test]
fn ignored_files_that_another_branch_left_hide_no_state() {
    let repo = repo();
    repo.write(".squad/log/session.md", "# Session\n");
    repo.write(".squad/decisions/inbox/keaton-x.md", "# X\n");
    repo.git(&["checkout", "--quiet", "squad-state"]);
    says(&lint(&repo, &[]), 1, &["error[sem/missing-field]", "--> decisions.md:3:"]);
    repo.git(&["checkout", "--quiet", "--detach", "squad-state"]);
    says(&lint(&repo, &[]), 1, &["error[sem/missing-field]", "--> decisions.md:3:"]);
    // A branch with the folder of a team keeps its state there.
    repo.git(&["checkout", "--quiet", "--detach", "main"]);
    repo.write("decisions.md", DECISIONS.replace("**author:** Verbal  \n", ""));
    repo.write("agents/keaton/history.md", "# History\n");
    repo.git(&["add", "decisions.md", "agents"]);
    assert!(!stdout(&lint(&repo, &[])).contains("--> decisions.md"));
}

#[test]
fn a_stray_folder_hides_no_state() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    for stray in ["log/session.md", "decisions.md", "team.md"] {
        repo.write(format!(".squad/{stray}"), "# Stray\n");
        repo.git(&["add", "--force", ".squad"]);
        repo.commit("stray");
        let said = ["error[sem/missing-field]", "--> decisions.md:3:", "has files in `.squad/`, too"];
        says(&lint(&repo, &["--rev", "squad-state"]), 1, &said);
        says(&lint(&repo, &[]), 1, &["--> decisions.md:3:"]);
        says(&lint(&repo, &["--from", "squad-state~1", "--to", "squad-state"]), 0, &["has files in `.squad/`, too"]);
    }
}

#[test]
fn like_is_compared_with_like() {
    let repo = repo();
    let of_branch = lint(&repo, &["--from", "squad-state~1", "--to", "squad-state"]);
    says(&of_branch, 1, &["error[sem/missing-field]", "--> decisions.md:3:", "in 1 file"]);
    for (from, to) in [("main", "squad-state"), ("squad-state", "main")] {
        let across = lint(&repo, &["--from", from, "--to", to]);
        says(&across, 2, &["cannot compare `main` with `squad-state`", "`--rev squad-state` checks"]);
        assert!(!stdout(&across).contains("entry-lost"));
    }
    says(&lint(&repo, &["--from", "main", "--to", "main"]), 0, &["checked no files: the state of the team is on"]);
}

#[test]
fn a_run_without_files_says_where_the_state_is() {
    let repo = repo();
    repo.git(&["rm", "--quiet", ".squad/team.md"]);
    let elsewhere = lint(&repo, &[]);
    says(
        &elsewhere,
        0,
        &["checked no files: the state of the team is on `squad-state`", "`squad-lint --rev squad-state`"],
    );
    assert!(!stdout(&elsewhere).contains("no problems"));
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    says(&lint(&repo, &[]), 0, &["which this repository does not have", "`git fetch origin squad-state:squad-state`"]);
    repo.write(".squad/config.json", "{\"version\": 1}");
    let names =
        ["checked no files: `--tree` looks at their names alone", "`squad-lint --rev main` checks what is in them"];
    says(&lint(&repo, &["--tree", "main"]), 0, &names);
    for (config, words) in [
        ("{\"stateLocation\": \"external\", \"projectKey\": null}", "is outside of this repository"),
        ("{\"teamRoot\": \"../team\"}", "the team is in `../team`"),
        ("{\"teamRoot\": \"../team\"} // there", "has a `config.json` and no state"),
        ("{\"version\": 1}", "has a `config.json` and no state"),
        ("{", "has a `config.json` and no state"),
    ] {
        repo.write(".squad/config.json", config);
        says(&lint(&repo, &["--select", "sem"]), 0, &["checked no files: ", words]);
    }
    repo.git(&["rm", "--quiet", "--force", ".squad/config.json"]);
    says(&lint(&repo, &[]), 0, &["no problems found in 0 files"]);
}

#[test]
fn no_format_calls_a_run_without_files_clean() {
    let repo = repo();
    repo.git(&["rm", "--quiet", ".squad/team.md"]);
    repo.commit("no team");
    let (said, where_it_is) = ("hecked no files", "the state of the team is on `squad-state`");
    for format in ["text", "summary", "junit", "github", "sarif"] {
        let output = lint(&repo, &["--format", format]);
        says(&output, 0, &[said, where_it_is]);
        assert!(!stdout(&output).to_lowercase().contains("no problems"), "{format}");
    }
    for args in [&["--from", "HEAD"][..], &["--from", "HEAD~1", "--to", "HEAD"]] {
        says(&lint(&repo, args), 0, &[said, where_it_is]);
    }
    // Most changes have no file of a team: an annotation for each would be noise.
    assert_eq!(stdout(&lint(&repo, &["--from", "HEAD", "--format", "github"])), "");
    says(&lint(&repo, &["--exclude", "**", "--rev", "squad-state"]), 0, &[said, "all 3 files are excluded"]);
    // With another backend the branch is a leftover.
    repo.write(".squad/config.json", "{\"stateBackend\": \"local\"}\n");
    repo.commit("local");
    says(&lint(&repo, &[]), 0, &[said, "`.squad/` has a `config.json` and no state"]);
    says(&lint(&repo, &["--from", "HEAD"]), 0, &[said, "the change has no file that squad-lint checks"]);
    repo.git(&["rm", "--quiet", ".squad/config.json"]);
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    repo.write("a/.squad/config.json", "{\"teamRoot\": \"../../team\"}\n");
    let there = "the team is in `../../team` (`teamRoot` in `a/.squad/config.json`)";
    says(&lint(&repo, &[]), 0, &[said, there]);
    repo.commit("below");
    for args in [["--rev", "HEAD"], ["--from", "HEAD"]] {
        says(&lint(&repo, &args), 0, &[said, there]);
    }
}

#[test]
fn a_state_branch_with_a_prefix_is_no_state_branch() {
    let repo = repo();
    repo.git(&["branch", "--quiet", "--force", "squad-state", "main"]);
    says(&lint(&repo, &["--rev", "squad-state"]), 0, &["has its state in `.squad/`", "in 1 file"]);
    // A branch with the state alone needs no ignore file.
    repo.git(&["rm", "--quiet", ".gitignore"]);
    repo.commit("without");
    repo.git(&["branch", "--quiet", "--force", "squad-state", "main"]);
    says(&lint(&repo, &["--rev", "squad-state"]), 0, &["no problems found in 1 file"]);
}

#[test]
fn findings_hide_no_note() {
    let repo = repo();
    repo.git(&["rm", "--quiet", ".squad/team.md"]);
    let other = "# Decisions\n\n### 2026-02-20: Tabs in all files\n\n**By:** Verbal\n\n**What:** All files are indented with tabs.\n";
    repo.stage(".squad/decisions.md", other);
    repo.commit("no team, and an entry that is nowhere else");
    repo.git(&["rm", "--quiet", ".squad/decisions.md"]);
    let note = "hecked no files: the state of the team is on `squad-state`";
    for format in ["text", "compact", "summary", "junit", "sarif"] {
        let output = lint(&repo, &["--staged", "--format", format]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert!(stdout(&output).contains("entry-lost"), "{format}: {}", stdout(&output));
        let said = if format == "junit" { "the state of the team is on `squad-state`" } else { note };
        assert!(stdout(&output).contains(said) || stdout(&output).contains("**Checked no files**"), "{format}");
        assert!(!stderr(&output).contains(note), "{format}");
    }
    let staged = lint(&repo, &["--staged", "--format", "json"]);
    assert!(stderr(&staged).contains(note), "{}", stderr(&staged));
    repo.commit("gone");
    assert_eq!(stderr(&lint(&repo, &["--staged", "--format", "json"])), "");
    // What has no place for it is read by programs: standard error has it.
    for format in ["json", "gitlab", "checkstyle", "rdjson"] {
        let output = lint(&repo, &["--from", "HEAD~1", "--format", format]);
        assert!(stdout(&output).contains("entry-lost"), "{format}: {}", stdout(&output));
        assert!(stderr(&output).contains(note) && !stdout(&output).contains(note), "{format}: {}", stderr(&output));
    }
    for args in [&["-q"][..], &["--format", "json"], &["--format", "gitlab", "-q"], &["--format", "rdjson"]] {
        let output = lint(&repo, args);
        assert!(stderr(&output).contains(note), "{args:?}: {}", stderr(&output));
    }
    // Most changes have no file of a team.
    assert_eq!(stderr(&lint(&repo, &["--from", "HEAD", "-q"])), "");
}

#[test]
fn skills_beside_a_team_are_read_in_a_revision() {
    let repo = repo();
    for folder in [".github", ".copilot", "other/.github"] {
        repo.write(format!("{folder}/skills/mute/SKILL.md"), "# Mute\n");
    }
    repo.write(".github/skills/README.md", "# Skills\n");
    repo.commit("skills");
    repo.git(&["rm", "-r", "--quiet", ".github", ".copilot", "other"]);
    let of_revision = lint(&repo, &["--rev", "HEAD", "--select", "memory/skill-front-matter"]);
    says(
        &of_revision,
        0,
        &["--> .copilot/skills/mute/SKILL.md", "--> .github/skills/mute/SKILL.md", "found 2 warnings"],
    );
    says(&lint(&repo, &["--rev", "squad-state", "--select", "memory/skill-front-matter"]), 0, &["no problems found"]);
}

#[test]
fn a_registry_on_a_state_branch_is_checked() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.write("casting/registry.json", "{\"agents\": {}, \"agents\": {}}\n");
    repo.commit("registry");
    let broken = ["roster/invalid-registry", "casting/registry.json:1:16"];
    says(&lint(&repo, &[]), 1, &broken);
    says(&lint(&repo, &["--rev", "squad-state"]), 1, &broken);
}
