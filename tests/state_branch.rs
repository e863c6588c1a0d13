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
    // Without a name it is recognised by what is in it.
    let id = repo.git(&["rev-parse", "squad-state"]);
    says(&lint(&repo, &["--rev", id.trim()]), 1, &missing);
    says(&lint(&repo, &["--rev", "squad-state~1"]), 0, &["no problems found in 3 files"]);
    says(&lint(&repo, &["--rev", "main"]), 0, &["no problems found in 1 file"]);
    says(&lint(&repo, &["--rev", "no-such-branch"]), 2, &["no-such-branch"]);
    says(&lint(&repo, &["--rev", "squad-state", "--fix"]), 2, &["cannot be used with"]);
    let clone = repo.clone(&["--quiet"]);
    says(&lint(&clone, &["--rev", "origin/squad-state"]), 1, &missing);
    says(&lint(&clone, &["--rev", "squad-state"]), 2, &["did you mean `origin/squad-state`?"]);
    // A checkout under another name.
    clone.git(&["checkout", "--quiet", "-b", "work", "origin/squad-state"]);
    says(&lint(&clone, &[]), 1, &missing);
    clone.stage("decisions.md", DECISIONS.replace("**author:** Verbal  \n", "").replace("Nobody", "No one"));
    says(&lint(&clone, &["--staged"]), 1, &["error[sem/missing-field]", "in 1 file"]);
}

#[test]
fn state_under_another_name_is_known_by_two_signs() {
    let found = |files: &[&str]| {
        let repo = Repo::new();
        for file in files {
            repo.write(file, DECISIONS.replace("**author:** Verbal  \n", ""));
        }
        repo.commit("first");
        let whole = stdout(&lint(&repo, &[]));
        assert_eq!(whole.contains("[sem/missing-field]"), !whole.contains("in 0 files"), "{whole}");
        assert_eq!(stdout(&lint(&repo, &["--rev", "HEAD"])).contains("in 0 files"), whole.contains("in 0 files"));
        !whole.contains("in 0 files")
    };
    for state in [
        &["decisions.md", "agents/keaton/history.md"][..],
        &["decisions.md", "decisions/inbox/keaton-a.md"],
        &["decisions.md", "orchestration-log/a.md"],
        &["agents/keaton/history.md", "identity/now.md"],
        &["decisions.md", "decisions/inbox/a.md", "README.md", ".gitignore", "decisions-archive.md", "archive/a.json"],
    ] {
        assert!(found(state), "{state:?}");
    }
    for other in [
        &["decisions.md"][..],
        &["decisions.md", "agents/reviewer.md", "log/a.md", "sessions/a.md", "memory/a.md"],
        &["agents/keaton/history.md", "log/a.md"],
        &["identity/now.md", "orchestration-log/a.md", "README.md"],
        &["docs/decisions.md", "docs/orchestration-log/a.md"],
        // The files of another program, and a `README.md` that says nothing of state.
        &["decisions.md", "agents/keaton/history.md", "src/main.rs"],
        &["decisions.md", "agents/keaton/history.md", "README.md"],
        &["decisions.md", "agents/keaton/history.md", "identity/now.md", "package.json"],
        &["decisions.md", "orchestration-log/a.md", "docs/a.md"],
    ] {
        assert!(!found(other), "{other:?}");
    }
}

#[test]
fn a_ref_that_keeps_the_backend_from_its_own() {
    let repo = repo();
    let note = r#"{"agent":"Keaton","timestamp":"2026-02-02T09:00:00Z","type":"review","content":"ok"}"#;
    for agent in ["keaton", "o'hara/x"] {
        repo.git(&["notes", &format!("--ref=squad/{agent}"), "add", "-m", note, "HEAD"]);
    }
    let found = || {
        let text = stdout(&lint(&repo, &["--select", "memory/agent-note"]));
        text.contains("[memory/agent-note]: git refuses to write `refs/notes/squad`").then_some(text)
    };
    // The backend `orphan` keeps nothing in notes.
    assert_eq!(found(), None);
    repo.write(".squad/config.json", "{\"stateBackend\": \"two-layer\"}\n");
    let refused = squad_git(&repo, "git notes --ref=squad add -m x HEAD");
    assert!(!refused, "git has both");
    // The help of each finding is followed until there is none.
    for agent in ["keaton", "o-hara-x"] {
        let text = found().unwrap();
        let commands: Vec<&str> = text.split('`').filter(|part| part.starts_with("git update-ref")).collect();
        assert_eq!(commands.len(), 2, "{text}");
        for command in commands {
            assert!(squad_git(&repo, command), "{command}");
        }
        let kept = repo.git(&["notes", &format!("--ref=squad-{}", agent.replace("o-", "o'")), "show", "HEAD"]);
        assert_eq!(kept.trim(), note);
    }
    assert_eq!(found(), None);
    assert!(squad_git(&repo, "git notes --ref=squad add -m x HEAD"));
    assert_eq!(found(), None);
    // Packed refs can have both, whatever the backend.
    repo.write(".squad/config.json", "{\"stateBackend\": \"orphan\"}\n");
    repo.git(&["pack-refs", "--all"]);
    let packed = std::fs::read_to_string(repo.path.join(".git/packed-refs")).unwrap();
    let of_backend = packed.lines().find(|line| line.ends_with(" refs/notes/squad")).unwrap();
    let both = packed.replace(of_backend, &format!("{of_backend}\n{of_backend}/keaton"));
    std::fs::write(repo.path.join(".git/packed-refs"), both).unwrap();
    let text = found().unwrap();
    assert!(text.contains("`refs/notes/squad` and `refs/notes/squad/keaton`"), "{text}");
    repo.git(&["update-ref", "-d", "refs/notes/squad-keaton"]);
    for command in text.split('`').filter(|part| part.starts_with("git update-ref")) {
        assert!(squad_git(&repo, command), "{command}");
    }
    assert_eq!(found(), None);
}

/// Whether `command` succeeds in the repository.
fn squad_git(repo: &Repo, command: &str) -> bool {
    let output = std::process::Command::new("sh").args(["-c", command]).current_dir(&repo.path).output().unwrap();
    output.status.success()
}

#[test]
fn a_team_that_only_the_index_has_is_said() {
    let repo = repo();
    std::fs::remove_dir_all(repo.path.join(".squad")).unwrap();
    repo.write(".gitignore", "\n");
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    let said = "the files of the team in `.squad/` are in the index and not in the working tree; `git restore -- .squad` writes them there";
    let found = lint(&repo, &["--select", "sem"]);
    says(&found, 0, &["checked no files: ", said]);
    assert!(!stdout(&found).contains("no problems"));
    // Other files may be there.
    repo.write(".github/skills/a/SKILL.md", "---\nname: a\ndescription: b\n---\n\nText.\n");
    says(&lint(&repo, &["--select", "sem"]), 0, &[said]);
    repo.git(&["restore", "--", ".squad"]);
    assert!(!stderr(&lint(&repo, &["--select", "sem"])).contains("in the index"));
    // Outside of a sparse checkout it is meant to be gone, and a deletion that is staged is one.
    repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/.squad"]);
    assert!(!stderr(&lint(&repo, &["--select", "sem"])).contains("in the index"));
    repo.git(&["sparse-checkout", "disable"]);
    repo.git(&["rm", "-r", "--quiet", "--force", ".squad"]);
    assert!(!stderr(&lint(&repo, &["--select", "sem"])).contains("in the index"));
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
        let said = ["--> decisions.md:3:", "note: the working tree has files in `.squad/`, too"];
        says(&lint(&repo, &[]), 1, &said);
        says(&lint(&repo, &["--staged"]), 0, &["note: the index has files in `.squad/`, too"]);
        assert_eq!(stderr(&lint(&repo, &["-q"])), "");
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
        says(&across, 2, &["cannot compare `main` with `squad-state`", "`squad-lint --rev squad-state` check each"]);
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
    let names = ["checked no files: `--tree` checks only file names", "`squad-lint --rev main` checks the contents"];
    says(&lint(&repo, &["--tree", "main"]), 0, &names);
    for (config, words) in [
        ("{\"stateLocation\": \"external\", \"projectKey\": null}", "is outside of this repository"),
        ("{\"teamRoot\": \"../team\"}", "the team is in `../team`"),
        ("{\"teamRoot\": \"../team\"} // there", "has a `config.json` and no state"),
        ("{\"version\": 1}", "has a `config.json` and no state"),
        (
            "{\"squadSource\": \"owner/repo\", \"mode\": \"connect\"}",
            "`.squad/config.json` has the `squadSource` `owner/repo`, and `.squad/` has no state",
        ),
        ("{", "has a `config.json` and no state"),
    ] {
        repo.write(".squad/config.json", config);
        says(&lint(&repo, &["--select", "sem"]), 0, &["checked no files: ", words]);
    }
    repo.git(&["rm", "--quiet", "--force", ".squad/config.json"]);
    says(&lint(&repo, &[]), 0, &["no problems found in 0 files"]);
}

#[test]
fn a_change_without_state_files_is_not_called_clean() {
    let repo = repo();
    repo.write(".squad/config.json", "{\"version\": 1, \"stateBackend\": \"local\"}");
    repo.commit("local");
    repo.write("README.md", "# Shop\n");
    repo.commit("readme");
    let nothing = ["checked no files: the change has no file that squad-lint checks"];
    says(&lint(&repo, &["--from", "HEAD~1"]), 0, &nothing);
    repo.write("README.md", "# Store\n");
    repo.git(&["add", "-A"]);
    // A hook that has nothing to check says nothing.
    let staged = lint(&repo, &["--staged"]);
    assert_eq!((stdout(&staged).as_str(), staged.status.code()), ("", Some(0)));
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
    // Neither does a checkout of it, whose note is the same.
    repo.git(&["switch", "--quiet", "squad-state"]);
    let note = "note: the working tree has its state in `.squad/`, but Squad reads it at the top of the branch";
    says(&lint(&repo, &[]), 0, &["no problems found in 1 file", note]);
    repo.stage(".squad/decisions.md", DECISIONS);
    says(
        &lint(&repo, &["--staged"]),
        0,
        &["no problems found in 1 file", "note: the index has its state in `.squad/`"],
    );
    repo.git(&["switch", "--quiet", "main"]);
    says(&lint(&repo, &[]), 0, &["guard/not-ignored"]);
    assert_eq!(stderr(&lint(&repo, &[])), "");
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
    for format in ["json", "rdjson"] {
        let output = lint(&repo, &["--format", format]);
        assert!(stderr(&output).contains(note), "{format}: {}", stderr(&output));
    }
}

#[test]
fn quiet_prints_no_note() {
    let repo = repo();
    repo.git(&["rm", "--quiet", ".squad/team.md"]);
    for config in ["{\"stateBackend\": \"orphan\"}\n", "{\"version\": 1}\n", "{}\n"] {
        repo.stage(".squad/config.json", config);
        for args in [&["-q"][..], &["-q", "--staged"], &["-q", "--rev", "HEAD"], &["-q", "--format", "gitlab"]] {
            let output = lint(&repo, args);
            assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{config} {args:?}");
            let printed = stdout(&output);
            assert!(printed.is_empty() || args.contains(&"gitlab"), "{config} {args:?}: {printed}");
        }
    }
}

#[test]
fn what_a_change_deletes_is_found_on_a_checkout_of_a_state_branch() {
    let history = "# History\n\n### 2026-02-01: Set up\n\n**By:** Keaton\n\n**What:** All of it.\n";
    for files in [&["decisions.md"][..], &["agents/keaton/history.md"], &["decisions.md", "agents/keaton/history.md"]] {
        let repo = Repo::new();
        repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
        repo.write("README.md", "# State\n");
        for file in files {
            repo.write(file, if *file == "decisions.md" { DECISIONS } else { history });
        }
        repo.commit("state");
        for file in files {
            repo.git(&["rm", "--quiet", file]);
        }
        let lost = ["memory/entry-lost"];
        says(&lint(&repo, &["--staged"]), 1, &lost);
        repo.commit("gone");
        for from in ["HEAD~1", "@~1", "squad-state~1"] {
            says(&lint(&repo, &["--from", from]), 1, &lost);
            says(&lint(&repo, &["--from", from, "--to", "HEAD"]), 1, &lost);
            says(&lint(&repo, &["--rev", from]), 0, &[&format!("in {} files", files.len() + 1)]);
        }
        says(&lint(&repo, &[]), 0, &["checked no files: `squad-state` has no state of a team"]);
        repo.git(&["checkout", "--quiet", "--detach"]);
        assert!(!stdout(&lint(&repo, &["--from", "squad-state~1", "--to", "squad-state"])).contains("no problems"));
    }
    // A detached `HEAD` is known by what it has.
    let repo = repo();
    repo.git(&["checkout", "--quiet", "--detach", "squad-state"]);
    repo.git(&["rm", "-r", "--quiet", "."]);
    says(&lint(&repo, &["--staged"]), 1, &["memory/entry-lost", "decisions.md", "agents/keaton/history.md"]);
    // What moves into the folder of a team is not lost.
    let repo = self::repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.write(".squad/README.md", "# State\n");
    repo.git(&["mv", "decisions.md", ".squad/decisions.md"]);
    assert!(!stdout(&lint(&repo, &["--staged"])).contains("memory/entry-lost"));
}

#[test]
fn a_renamed_and_edited_skill_keeps_its_defects() {
    let skill = "---\nname: calm\ndescription: Use when: loud\n---\n\nBreathe in, and out, and in again.\nThen wait.\n";
    for folder in [".github/skills", ".copilot/skills", ".squad/skills"] {
        let repo = repo();
        repo.write(format!("{folder}/calm/SKILL.md"), skill);
        repo.commit("skill");
        repo.git(&["mv", &format!("{folder}/calm"), &format!("{folder}/quiet")]);
        let path = format!("{folder}/quiet/SKILL.md");
        repo.stage(&path, skill.replace("name: calm", "name: quiet") + "Wait longer.\n");
        let output = lint(&repo, &["--staged"]);
        assert!(!stdout(&output).contains("skill-front-matter"), "{}", stdout(&output));
        // A new defect is told.
        repo.stage(&path, skill.replace("name: calm\n", "").replace("when: loud", "when loud"));
        says(&lint(&repo, &["--staged"]), 0, &[&format!("--> {path}"), "missing field `name`"]);
    }
}

#[test]
fn skills_beside_a_team_are_checked_and_counted() {
    let repo = repo();
    let skill = "---\nname: calm\ndescription: Stay calm\n---\n\nBreathe.\n";
    repo.stage(".github/skills/calm/SKILL.md", skill);
    says(&lint(&repo, &["--staged"]), 0, &["no problems found in 1 file\n"]);
    repo.stage(".copilot/skills/mute/SKILL.md", "# Mute\n");
    let found = ["--> .copilot/skills/mute/SKILL.md", "found 1 warning in 2 files"];
    says(&lint(&repo, &["--staged"]), 0, &found);
    says(&lint(&repo, &["--staged", "--format", "json"]), 0, &["\"files\": 2"]);
    repo.commit("skills");
    says(&lint(&repo, &["--from", "HEAD~1"]), 0, &found);
    says(&lint(&repo, &["--from", "HEAD~1", "--to", "HEAD"]), 0, &found);
    for args in [&[][..], &["--rev", "HEAD"]] {
        says(&lint(&repo, args), 0, &["--> .copilot/skills/mute/SKILL.md", "found 1 warning in 3 files"]);
    }
    // Each way to name it.
    let of_file = ["--> .copilot/skills/mute/SKILL.md", "found 1 warning in 1 file"];
    for path in [".copilot/skills/mute/SKILL.md", ".copilot/skills/mute", ".copilot"] {
        says(&lint(&repo, &[path]), 0, &of_file);
    }
    says(&lint(&repo, &["--select", "sem", "--from", "HEAD~1"]), 0, &["checked no files"]);
    // Without a team they are those of other programs.
    repo.git(&["rm", "-r", "--quiet", ".squad"]);
    repo.stage(".github/skills/still/SKILL.md", "# Still\n");
    assert!(!stdout(&lint(&repo, &["--staged"])).contains("SKILL.md"));
}

#[test]
fn a_path_in_a_revision_is_refused_with_a_command_that_works() {
    let repo = repo();
    for (name, found) in [
        ("squad-state:agents", "`squad-state:agents` is the tree of a folder, expected a commit"),
        ("squad-state:decisions.md", "`squad-state:decisions.md` is a file, expected a commit"),
        ("squad-state~1:agents/keaton/history.md", "is a file, expected a commit"),
    ] {
        let output = lint(&repo, &["--rev", name]);
        says(&output, 2, &[found, "name the commit without a path"]);
        let said = stderr(&output);
        let command = said.split('`').find(|part| part.starts_with("squad-lint ")).unwrap().to_owned();
        let args: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
        let advised = lint(&repo, &args);
        assert!(stdout(&advised).contains("in 3 files"), "{command}: {}{}", stdout(&advised), stderr(&advised));
    }
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

/// The memory of a state branch, in which nothing is wrong.
fn with_memory() -> Repo {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.write("decisions.md", DECISIONS);
    let listed = |id: &str, status: &str| {
        format!(
            r#"{{"id": "{id}", "class": "LOCAL", "loadGuidance": "ON-DEMAND", "title": "T", "path": ".squad/memory/local/{id}.md",
"status": "{status}", "createdAt": "2026-01-02T09:00:00Z", "updatedAt": "2026-01-02T09:00:00Z"}}"#
        )
    };
    let (first, second) = (listed("m1", "active"), listed("m2", "deleted"));
    repo.write("memory/index.json", format!("[\n{first},\n{second}\n]\n"));
    let entry =
        "---\nid: m1\nclass: LOCAL\nloadGuidance: ON-DEMAND\ntitle: T\ncreatedAt: 2026-01-02T09:00:00Z\n---\nText.\n";
    repo.write("memory/local/m1.md", entry);
    repo.write("memory/tombstones/m2.json", TOMBSTONE);
    repo.commit("memory");
    says(&lint(&repo, &["--rev", "squad-state"]), 0, &["no problems found"]);
    repo
}

const TOMBSTONE: &str =
    "{\"id\": \"m2\", \"deletedAt\": \"2026-01-02T09:00:00Z\", \"path\": \".squad/memory/local/m2.md\"}\n";

#[test]
fn the_memory_of_a_state_branch_is_compared_with_itself() {
    let repo = with_memory();
    let text = |path: &str| std::fs::read_to_string(repo.path.join(path)).unwrap();
    let (index, entry) = (text("memory/index.json"), text("memory/local/m1.md"));
    let unlisted =
        format!("[\n{}\n", index.split_once(",\n{").map(|(_, rest)| format!("{{{rest}")).unwrap().trim_end());
    for (path, new, expected) in [
        ("memory/local/m1.md", None, "file of an active entry does not exist"),
        ("memory/tombstones/m2.json", None, "entry is deleted, but has no tombstone"),
        ("memory/index.json", Some(unlisted), "entry is not in `memory/index.json`"),
        ("memory/local/m1.md", Some(entry.replace("id: m1", "id: m9")), "`id` of the entry is `m9` in its file"),
        (
            "memory/tombstones/m2.json",
            Some(TOMBSTONE.replace("local/m2.md", "local/m7.md")),
            "`path` of the tombstone is not that of its entry",
        ),
        (
            "memory/tombstones/m1.json",
            Some(TOMBSTONE.replace("m2", "m1")),
            "entry is active, although it has a tombstone",
        ),
    ] {
        match new {
            Some(new) => repo.write(path, new),
            None => drop(repo.git(&["rm", "--quiet", path])),
        }
        repo.git(&["add", "--all"]);
        let expected = [expected, "warning[memory/governed]"];
        // A change says where it comes from.
        let of_change = match path {
            "memory/index.json" => ["this change removes the entry `m1` from the index", "warning[memory/governed]"],
            _ => expected,
        };
        says(&lint(&repo, &["--staged"]), 0, &of_change);
        repo.commit("broken");
        says(&lint(&repo, &["--from", "HEAD~1", "--to", "HEAD"]), 0, &of_change);
        says(&lint(&repo, &["--rev", "squad-state"]), 0, &expected);
        says(&lint(&repo, &[]), 0, &expected);
        repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    }
}

#[test]
fn a_change_that_only_deletes_on_a_state_branch_is_not_called_clean() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.write("identity/now.md", "# Now\n");
    repo.commit("now");
    repo.git(&["rm", "--quiet", "identity/now.md"]);
    repo.commit("gone");
    let said = ["checked no files: the change has no file that squad-lint checks"];
    says(&lint(&repo, &["--from", "HEAD~1", "--to", "HEAD"]), 0, &said);
    repo.git(&["checkout", "--quiet", "main"]);
    says(&lint(&repo, &["--from", "squad-state~1", "--to", "squad-state"]), 0, &said);
}

#[test]
fn a_state_branch_that_is_not_there_is_said() {
    let repo = repo();
    let note = "note: the state of the team is on the branch `squad-state`, which this repository does not have";
    let has_note = |args: &[&str]| stderr(&lint(&repo, args)).contains(note);
    assert!(!has_note(&[]));
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    says(&lint(&repo, &[]), 0, &["no problems found in 1 file", note]);
    assert!(has_note(&["--format", "json"]));
    for args in [&["-q"][..], &[".squad/team.md"], &["--staged"], &["--rev", "HEAD"]] {
        assert!(!has_note(args), "{args:?}");
    }
    repo.write(".squad/config.json", "{\"stateBackend\": \"local\"}\n");
    assert!(!has_note(&[]));
}

#[test]
fn a_bad_configuration_hides_no_state_branch() {
    let repo = repo();
    repo.git(&["rm", "--quiet", ".squad/team.md"]);
    for (config, finding) in [
        ("{\"stateBackend\": \"orphan\",}\n", "Squad cannot read this file: trailing comma"),
        ("// see docs\n{\"stateBackend\": \"orphan\"}\n", "Squad cannot read this file: expected a value"),
        ("\u{feff}{\"stateBackend\": \"orphan\"}\n", "Squad cannot read this file"),
        ("[]\n", "Squad cannot read this file: found a list, expected an object"),
        ("{\"stateBackend\": \"orphans\"}\n", "`stateBackend` is `orphans`"),
    ] {
        repo.stage(".squad/config.json", config);
        repo.commit("config");
        for args in [&[][..], &["--rev", "HEAD"]] {
            says(
                &lint(&repo, args),
                0,
                &["[guard/machine-path]", finding, "the state of the team is on `squad-state`"],
            );
        }
    }
    repo.stage(".squad/config.json", "");
    says(&lint(&repo, &[]), 0, &["checked no files: the state of the team is on `squad-state`"]);
    // Other programs have folders of this name, too.
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    repo.stage(".squad/config.json", "[]\n");
    assert!(!stdout(&lint(&repo, &[])).contains("machine-path"));
}

#[test]
fn an_odd_ref_of_notes_stops_no_run() {
    let repo = repo();
    let (missing, reference) = ("1234567890123456789012345678901234567890", "refs/notes/squad/keaton");
    let object = |kind: &str, text: &str| {
        std::fs::write(repo.path.join(".git/text"), text).unwrap();
        repo.git(&["hash-object", "-t", kind, "-w", "--literally", ".git/text"]).trim().to_owned()
    };
    let commit = |tree: &str| format!("tree {tree}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nnotes\n");
    let tag = |kind: &str, id: &str| format!("object {id}\ntype {kind}\ntag x\ntagger a <a@b> 1 +0000\n\nx\n");
    let blob = object("blob", "text\n");
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let odd = "git has no notes under this ref";
    for (target, finding) in [
        (blob.clone(), Some(odd)),
        (object("tag", &tag("blob", &blob)), Some(odd)),
        (object("commit", "nothing"), Some(odd)),
        (object("commit", &commit(missing)), Some(odd)),
        (object("commit", &commit(&object("tree", "nothing"))), Some(odd)),
        (missing.to_owned(), Some(odd)),
        ("ref: refs/notes/nowhere".to_owned(), Some(odd)),
        (format!("ref: {reference}"), Some(odd)),
        // A tree without notes, as a commit, by a tag, or alone.
        (head.clone(), None),
        (object("tag", &tag("commit", &head)), None),
        (repo.git(&["rev-parse", "HEAD^{tree}"]).trim().to_owned(), None),
    ] {
        let path = repo.path.join(".git").join(reference);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("{target}\n")).unwrap();
        let output = lint(&repo, &["--select", "memory/agent-note"]);
        says(&output, 0, &["in 1 file"]);
        let found = stdout(&output);
        assert_eq!(found.matches("[memory/agent-note]").count(), usize::from(finding.is_some()), "{target}: {found}");
        assert!(finding.is_none_or(|finding| found.contains(finding)), "{target}: {found}");
        std::fs::remove_file(&path).unwrap();
    }
    // One note of two.
    let tree = repo.git(&["ls-tree", "HEAD", ".gitignore"]).replace(".gitignore", &head);
    let listed = tree + &format!("100644 blob {missing}\t{}\n", "0".repeat(40));
    std::fs::write(repo.path.join(".git/text"), listed).unwrap();
    assert!(squad_git(&repo, &format!("git update-ref {reference} $(git mktree --missing <.git/text)")));
    let said = ["git note on `000000000000` cannot be read: its object is missing or damaged", "1 more note"];
    says(&lint(&repo, &["--select", "memory/agent-note"]), 0, &said);
}

#[test]
fn a_state_branch_without_state_is_not_said_to_have_it() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.git(&["rm", "-r", "--quiet", "."]);
    repo.commit("nothing");
    // Git leaves such folders where something ignored was in them.
    std::fs::create_dir_all(repo.path.join("decisions/inbox")).unwrap();
    let said = ["checked no files: `squad-state` has no state of a team"];
    says(&lint(&repo, &[]), 0, &said);
    says(&lint(&repo, &["--rev", "squad-state"]), 0, &said);
    repo.git(&["checkout", "--quiet", "--detach"]);
    says(&lint(&repo, &[]), 0, &said);
}

#[test]
fn a_sparse_checkout_has_the_configuration_of_the_index() {
    let repo = repo();
    let block = "# Squad: state owned by squad-state branch (two-layer/orphan backend)\n.squad/decisions.md\n\
                 .squad/agents/*/history.md\n# /Squad: state owned by squad-state branch\n";
    let ignored = std::fs::read_to_string(repo.path.join(".gitignore")).unwrap();
    repo.write(".gitignore", ignored + block);
    repo.git(&["add", "--force", "."]);
    repo.commit("block");
    repo.write(".squad/decisions.md", "# Decisions\n\nOthers.\n");
    let before = stdout(&lint(&repo, &[]));
    assert!(before.contains("[guard/two-authorities]"), "{before}");
    for pattern in
        [&["--no-cone", "/*", "!.squad/config.json"][..], &["--no-cone", "/*", "!/.squad/", "/.squad/team.md"]]
    {
        repo.git(&[&["sparse-checkout", "set"], pattern].concat());
        assert!(!repo.path.join(".squad/config.json").exists());
        assert_eq!(stdout(&lint(&repo, &[])), before);
    }
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    says(
        &lint(&repo, &[]),
        0,
        &["the state of the team is on the branch `squad-state`, which this repository does not have"],
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_a_state_branch_is_an_error() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "squad-state"]);
    repo.write("decisions.md", DECISIONS);
    std::os::unix::fs::symlink("keaton/history.md", repo.path.join("agents/inside.md")).unwrap();
    repo.commit("a link inside");
    says(&lint(&repo, &["--rev", "squad-state"]), 0, &["no problems found"]);
    let new = [
        "error[guard/symlink-escape]: symlink points outside the repository, to `/etc`",
        "--> log",
        "with a real file or folder",
    ];
    std::os::unix::fs::symlink("/etc", repo.path.join("log")).unwrap();
    says(&lint(&repo, &[]), 1, &new);
    assert!(!stdout(&lint(&repo, &[])).contains("git rm"));
    repo.git(&["add", "log"]);
    says(&lint(&repo, &["--staged"]), 1, &new);
    std::os::unix::fs::symlink("/etc/hosts", repo.path.join("agents/keaton/notes.md")).unwrap();
    repo.commit("links");
    let both = [
        "error[guard/symlink-escape]: symlink points outside the repository, to `/etc/hosts`, and so does 1 more link",
        "--> agents/keaton/notes.md",
        "then run `git rm --cached agents/keaton/notes.md`, and commit",
        "found 1 error",
    ];
    for args in [&[][..], &["--rev", "squad-state"], &["--rev", "HEAD"], &["--from", "HEAD~1"]] {
        says(&lint(&repo, args), 1, &both);
    }
    repo.git(&["checkout", "--quiet", "main"]);
    says(&lint(&repo, &["--rev", "squad-state"]), 1, &both);
    assert!(!stdout(&lint(&repo, &[])).contains("symlink"));
}
