//! What an export and an import say: where a finding is, what to do, what stays behind.

use std::fs;

use serde_json::json;

use super::{NOW, bundle, exported, portable, project_in, squad};
use crate::support::{squad_lint, stderr, stdout, write};

const TOKEN: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[test]
fn a_finding_of_an_export_is_in_the_squad() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    // Above it, lines stay, and escapes of JSON are longer than what they say.
    let history =
        format!("# Verbal\n\n## Project Context\n\n- Rust\n\n## Learnings\n\n- \"One\"\n- [local] Two\n- {TOKEN}\n");
    write(folder.path(), ".squad/agents/verbal/history.md", &history);
    let export = |args: &[&str]| {
        let output = bundle(folder.path(), &[&["export", "--out", "a.squad"], &NOW[..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        stderr(&output)
    };
    for args in [&[][..], &["--agents", "verbal"], &["--dialect", "cli"]] {
        let told = export(args);
        assert!(told.contains("--> .squad/agents/verbal/history.md:11:3"), "{told}");
        assert!(told.contains("nothing was exported: the squad has 1 error"), "{told}");
        assert!(!told.contains("squad-export."), "{told}");
    }
    fs::remove_file(folder.path().join(".squad/agents/verbal/history.md")).unwrap();
    let team = folder.path().join(".squad/team.md");
    let text = fs::read_to_string(&team).unwrap();
    fs::write(&team, format!("# Team\n\n## Project Context\n\n- One\n\n## Notes\n\n- {TOKEN}\n\n{}", &text[8..]))
        .unwrap();
    for args in [&[][..], &["--agents", "verbal"]] {
        let told = export(args);
        assert!(told.contains("--> .squad/team.md:9:3"), "{told}");
    }
    fs::write(&team, text).unwrap();
    write(folder.path(), ".squad/routing.md", format!("# Routing\n\n{TOKEN}\n"));
    write(folder.path(), ".squad/casting/policy.json", format!("{{\n  \"z\": 1,\n  \"key\": \"{TOKEN}\"\n}}"));
    let told = export(&[]);
    assert!(
        told.contains("--> .squad/routing.md:3:1") && told.contains("--> .squad/casting/policy.json:3:10"),
        "{told}"
    );
    write(folder.path(), ".squad/agents/con/charter.md", "# Con — Artist\n");
    let told = export(&[]);
    assert!(told.contains("--> .squad/agents/con\n = help: rename it, also in"), "{told}");
    // The same in a charter, after rows that stay.
    write(folder.path(), ".squad/agents/keaton/charter.md", format!("# Keaton — Lead\n\nDecides.\n\n{TOKEN}\n"));
    assert!(export(&["--agents", "keaton"]).contains("--> .squad/agents/keaton/charter.md:5:1"));
}

/// Scribe is known by its role, too, and an agent by the name of its folder alone.
#[test]
fn who_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    write(
        folder.path(),
        ".squad/agents/verbal/charter.md",
        "# Verbal — Session Logger\n\nWrites down what the others do.\n",
    );
    write(folder.path(), ".squad/agents/verbal/history.md", "# Verbal\n\n- Vault\n");
    let output = bundle(folder.path(), &[&["export", "--out", "-"], &NOW[..]].concat());
    let told = stderr(&output);
    assert!(told.contains("the history of `verbal`: it is about the sessions"), "{told}");
    assert!(!stdout(&output).contains("Vault"), "{told}");
    for name in ["../keaton", "agents/keaton", ".keaton"] {
        let output = bundle(folder.path(), &[&["export", "--out", "-", "--agents", name], &NOW[..]].concat());
        let told = stderr(&output);
        assert!(told.contains(&format!("`{name}` is not the name of an agent")), "{told}");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    }
}

#[test]
fn many_findings_name_no_option_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    whole["agents"]["keaton"]["history"] = json!("# Keaton\n\n- a\u{200b}b\n".repeat(40));
    write(folder.path(), "team.squad", whole.to_string());
    let project = project_in(folder.path());
    let output = bundle(&project, &["import", "../team.squad"]);
    let told = stderr(&output);
    assert!(told.contains(" more of security/hidden-unicode at ") && !told.contains("--show-all"), "{told}");
    let output = squad_lint(folder.path()).args(["check", "team.squad"]).output().unwrap();
    assert!(stdout(&output).contains("(--show-all shows them)"), "{}", stdout(&output));
}

#[test]
fn what_to_do_is_true() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let told = |args: &[&str]| {
        let output = bundle(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        stderr(&output)
    };
    let error = told(&["export", "--out", "."]);
    assert!(error.contains(". is a folder") && error.contains("such as `./squad-export.squad`"), "{error}");
    assert!(!error.contains("delete"), "{error}");
    write(folder.path(), "j.json", "{\n  \"a\": 1,\n}\n");
    let error = told(&["diff", "j.json", "j.json"]);
    assert!(error.contains("trailing comma (line 3, column 1)") && !error.contains("squad-lint check"), "{error}");
    fs::create_dir(folder.path().join("empty")).unwrap();
    let project = folder.path().join("empty");
    let import = |path: &str| stderr(&bundle(&project, &["import", path]));
    let error = import("../.squad");
    assert!(error.contains("it is a folder") && error.contains("name the file of the bundle"), "{error}");
    let error = import("../gone.squad");
    assert!(error.contains("check the spelling"), "{error}");
    for (json, help) in
        [("{\"a\": 18446744073709551616}", "write it in quotes"), ("{\"a\": 1, \"a\": 2}", "delete one of the two")]
    {
        write(folder.path(), ".squad/casting/registry.json", json);
        let error = told(&["export", "--out", "b.squad"]);
        assert!(error.contains(help), "{error}");
    }
    write(folder.path(), ".squad/casting/registry.json", "{");
    let error = told(&["export", "--out", "b.squad"]);
    assert!(error.contains("registry.json is not JSON") && error.contains("line 1 column 1"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_of_a_shell_is_read_and_another_one_is_not_waited_for() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.squad", portable().to_string());
    let script = "\"$0\" bundle diff a.squad <(cat a.squad) && mkfifo pipe && \"$0\" bundle diff a.squad pipe";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_squad-lint")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let error = stderr(&output);
    assert_eq!(stdout(&output), "no differences\n", "{error}");
    assert!(error.contains("it is a named pipe, not a file") && error.contains("name `-`"), "{error}");
}

#[test]
fn what_stays_in_the_project_is_named() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    write(folder.path(), ".squad/skills/release/SKILL.md", "---\nname: release\n---\n");
    write(folder.path(), ".squad/identity/now.md", "# Now\n");
    for dialect in ["seed", "cli"] {
        let output = bundle(folder.path(), &[&["export", "--out", "-", "--dialect", dialect], &NOW[..]].concat());
        let expected = "note: left out: `decisions.md`, `skills/` and `identity/`: for this project only\n";
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(!stdout(&output).contains("release"), "{}", stdout(&output));
    }
}

#[test]
fn an_import_says_which_skills_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let export = json!({
        "version": "1.0", "squad_version": "0.10.0", "casting": {}, "team_md": portable()["team"], "agents": portable()["agents"],
        "skills": ["---\nname: release\n---\n", "---\nname: Release It!\n---\n", "none\n"],
    });
    write(folder.path(), "squad-export.json", export.to_string());
    let project = project_in(folder.path());
    let output = bundle(&project, &["import", "../squad-export.json"]);
    let out = stdout(&output);
    assert!(out.starts_with("imported 2 agents and 3 skills from "), "{out}{}", stderr(&output));
    // The numbers are those of the folders.
    let expected = "note: renamed: skills[1] to skills/release-it/SKILL.md and skills[2] to skills/skill-2/SKILL.md\n";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

#[test]
fn an_import_says_what_it_makes_up() {
    let folder = tempfile::tempdir().unwrap();
    let agents = &portable()["agents"];
    let mut export = json!({ "version": "1.0", "casting": {}, "agents": agents, "skills": [] });
    let of_team = "note: the bundle has no text of `team.md`: the new one lists the agents without their roles\n";
    let of_project = "note: the bundle names no project: `imported_from` has the name of the file, `old app`\n";
    let notes = |name: &str, bundle_text: &str| {
        write(folder.path(), name, bundle_text);
        let project = project_in(&folder.path().join("new"));
        let output = bundle(&project, &["import", &format!("../../{name}")]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::remove_dir_all(project).unwrap();
        [of_team, of_project].map(|note| stderr(&output).contains(note))
    };
    assert_eq!(notes("old app.json", &export.to_string()), [true, true]);
    export["team_md"] = portable()["team"].clone();
    assert_eq!(notes("old app.json", &export.to_string()), [false, true]);
    assert_eq!(notes("old app.squad", &portable().to_string()), [false, false]);
}

#[test]
fn the_history_of_scribe_is_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    whole["agents"]["scribe"]["history"] = json!("# Scribe\n\n- The vault\n");
    write(folder.path(), "team.squad", whole.to_string());
    let project = project_in(folder.path());
    let output = bundle(&project, &["import", "../team.squad"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("note: left out: the history of scribe\n"), "{}", stderr(&output));
    let scribe = project.join(".squad/agents/scribe");
    assert!(scribe.join("charter.md").exists() && !scribe.join("history.md").exists());
}

#[test]
fn what_is_said_has_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (portable(), portable());
    let long = "k".repeat(100_000);
    one[&long] = json!(1);
    other["agents"]["keaton"]["history"] = json!(format!("# {long}\n"));
    write(folder.path(), "a.squad", one.to_string());
    write(folder.path(), "b.squad", other.to_string());
    let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
    assert!(output.status.code() == Some(1) && output.stdout.len() + output.stderr.len() < 10_000);
    let output = bundle(&project_in(folder.path()), &["import", "../a.squad"]);
    assert!(output.status.success() && output.stdout.len() + output.stderr.len() < 10_000, "{}", output.stderr.len());

    squad(folder.path());
    write(
        folder.path(),
        ".squad/agents/verbal/history.md",
        "# Verbal\n\n".to_owned() + &"- [local] A\n- B\n".repeat(5000),
    );
    let output = bundle(folder.path(), &[&["export", "--out", "-"], &NOW[..]].concat());
    let told = stderr(&output);
    assert!(told.contains("39, 41 and 4980 more of the history of `verbal`: marked as local"), "{told}");
    // Nothing of this changes what travels.
    let found = exported(folder.path(), &[]);
    assert_eq!(found["agents"]["verbal"]["history"].as_str().unwrap().matches("- B").count(), 5000);
}
