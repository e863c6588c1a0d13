//! What a bundle keeps, what stays in the project, and what is named because it does neither.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{NOW, bundle, contents, exported, portable, project_in, squad};
use crate::support::{squad_lint, stderr, stdout, write};

#[test]
fn only_what_certainly_is_portable_travels() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let history = "# Verbal\n\n- [portable] Tests first\n  always\n\n  ```\n  cargo test\n  ```\n\n```\nssh prod\n```\n\n> The vault\n\n\
                   - [portable] Names matter\n\n<!-- the vault -->\n\n| vault |\n";
    write(folder.path(), ".squad/agents/verbal/history.md", history);
    let found = exported(folder.path(), &["--portable-only"]);
    assert_eq!(
        found["agents"]["verbal"]["history"],
        "# Verbal\n\n- [portable] Tests first\n  always\n\n  ```\n  cargo test\n  ```\n\n- [portable] Names matter\n"
    );
}

#[test]
fn no_project_context_travels() {
    for context in [
        "<!-- not closed\n\n## Project Context\n\n- Vault\n",
        "```\nnot closed\n\n## Project Context\n\n- Vault\n",
        "### Project Context\n\n- Vault\n",
        "## Project Context (App)\n\n- Vault\n",
        "## Project Context\n\n- Vault\n\nText\n---\n\n- Vault\n",
        "> ## Project Context\n>\n> Vault\n",
        "**Project Context:**\n\n- Vault\n",
        "## Project Context\r\rVault\r",
    ] {
        let folder = tempfile::tempdir().unwrap();
        squad(folder.path());
        let team = folder.path().join(".squad/team.md");
        let text = fs::read_to_string(&team).unwrap().replace("## Project Context\n\n- **Stack:** Rust\n", context);
        assert!(text.contains("Vault"));
        fs::write(team, text).unwrap();
        write(
            folder.path(),
            ".squad/agents/verbal/history.md",
            format!("# Verbal\n\n## Learnings\n\n- One\n\n{context}"),
        );
        let found = exported(folder.path(), &["--allow-findings"]);
        assert!(!found.to_string().contains("Vault"), "{context:?}: {found:#}");
        assert!(found["team"].as_str().unwrap().contains("| Keaton |"), "{context:?}");
    }
}

#[test]
fn marks_in_files_that_travel_as_they_are_are_named() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    write(folder.path(), ".squad/routing.md", "# Routing\n\n- [local] The vault\n");
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton — Lead\n\n## Project Context\n\nThe vault\n");
    let output = bundle(folder.path(), &[&["export", "--out", "-"], &NOW[..]].concat());
    assert!(
        stderr(&output)
            .contains("marked as local, because marks count only in histories: routing.md and the charter of `keaton`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn casting_that_would_change_is_refused() {
    for (json, reason) in [
        ("{\"a\": 1, \"b\": {\"x\": 1, \"x\": 2}}", "policy.json has the key `x` twice"),
        (
            "{\"a\": [18446744073709551616]}",
            "policy.json has the number `18446744073709551616`, which programs do not keep",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        squad(folder.path());
        write(folder.path(), ".squad/casting/policy.json", json);
        let output = bundle(folder.path(), &["export"]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(reason), "{}", stderr(&output));
        assert!(!folder.path().join("squad-export.squad").exists());

        let project = project_in(folder.path());
        let whole = portable().to_string().replacen("{\"casting_policy_version\":\"1.1\"}", json, 1);
        assert!(whole.contains(json));
        write(folder.path(), "team.squad", whole);
        let output = bundle(&project, &["import", "../team.squad", "--allow-findings"]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains("error[bundle/"), "{}", stderr(&output));
        assert!(!project.join(".squad").exists());
    }
}

#[test]
fn casting_is_imported_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let policy = "{\"z\":[18446744073709551615,-1.5e-7,1e3,\"\\u202e\",null,{}],\"a\":{\"\":true}}";
    let whole = portable().to_string().replacen("{\"casting_policy_version\":\"1.1\"}", policy, 1);
    write(folder.path(), "team.squad", whole);
    let output = bundle(&project, &["import", "../team.squad", "--allow-findings"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let written = fs::read_to_string(project.join(".squad/casting/policy.json")).unwrap();
    let [found, expected] = [&written, policy].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(found, expected);
    assert!(written.contains("\\u202e"), "{written}");
}

#[test]
fn what_is_not_imported_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut whole = portable();
    whole["agents"]["keaton"]["notes"] = json!("x");
    write(folder.path(), "team.squad", whole.to_string());
    let output = bundle(&project, &["import", "../team.squad"]);
    assert!(stderr(&output).contains("note: left out: agents.keaton.notes"), "{}", stderr(&output));
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let export = json!({
        "version": "1.0", "exported_at": "2026-02-10T00:00:00Z", "squad_version": "0.5.0", "casting": {}, "skills": [],
        "agents": {"keaton": {"charter": "# Keaton\n"}}, "team_md": "# Team\n", "metadata": {"x": 1},
    });
    write(folder.path(), "export.json", export.to_string());
    let output = bundle(&project, &["import", "../export.json"]);
    assert!(stderr(&output).contains("note: left out: metadata\n"), "{}", stderr(&output));
}

/// What the tool of Squad writes: a folder of those who left, which has no charter of its own, and each text twice.
fn export() -> Value {
    let whole = portable();
    let decisions = "# Decisions\n\n### 2026-02-08: Colours\n**By:** Keaton\n**What:** a \u{8}old word\n";
    json!({
        "version": "1.0",
        "squad_version": "0.10.0",
        "casting": { "registry": whole["casting"]["registry"] },
        "agents": { "_alumni": {}, "keaton": whole["agents"]["keaton"], "scribe": whole["agents"]["scribe"] },
        "team_md": whole["team"],
        "team": whole["team"],
        "decisions_md": decisions,
        "decisions": decisions,
        "skills": [],
    })
}

#[test]
fn an_export_of_squad_has_its_texts_twice() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut export = export();
    write(folder.path(), "squad-export.json", export.to_string());
    let output = bundle(&project, &["import", "../squad-export.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("roster-mismatch"), "{}", stderr(&output));
    assert!(!contents(&project).keys().any(|path| path.to_str().unwrap().contains("_alumni")));
    // A second text that is another one is looked at, and named.
    export["decisions"] = json!("\u{8}");
    write(folder.path(), "other/squad-export.json", export.to_string());
    let output = squad_lint(folder.path()).arg("other/squad-export.json").output().unwrap();
    assert!(stdout(&output).contains("[security/terminal-escape]"), "{}", stdout(&output));
    export["decisions"] = json!("# Decisions\n");
    write(folder.path(), "other.json", export.to_string());
    let output = bundle(&project_in(&folder.path().join("2")), &["import", "../../other.json"]);
    assert!(stderr(&output).contains("left out: agents._alumni"), "{}", stderr(&output));
    assert!(stderr(&output).contains("decisions"), "{}", stderr(&output));
}

#[test]
fn skills_of_one_name_have_a_folder_each() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut export = export();
    export["skills"] =
        json!(["---\nname: skill-1\n---\nA\n", "no name\n", "---\nname: skill-1\n---\nB\n", "---\nname: con\n---\n"]);
    write(folder.path(), "squad-export.json", export.to_string());
    let output = bundle(&project, &["import", "../squad-export.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let files = contents(&project.join(".squad/skills"));
    let found: Vec<_> = files.keys().map(|path| path.to_str().unwrap().replace('\\', "/")).collect();
    assert_eq!(found, ["skill-1/SKILL.md", "skill-2/SKILL.md", "skill-3/SKILL.md", "skill-4/SKILL.md"]);
}

#[test]
fn every_difference_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let diff = |one: &Value, other: &Value| {
        write(folder.path(), "a.squad", one.to_string());
        write(folder.path(), "b.squad", other.to_string());
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad", "--quiet"]);
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    let history = |text: &str| {
        let mut whole = portable();
        whole["agents"]["keaton"]["history"] = json!(text);
        whole
    };
    let with = |pointer: &str, key: &str, value: Value| {
        let mut whole = portable();
        whole.pointer_mut(pointer).unwrap()[key] = value;
        whole
    };
    let skills = |skills: &[&str]| {
        let mut whole = export();
        whole["skills"] = json!(skills);
        whole
    };
    let (release, other) = ("---\nname: release\n---\nA\n", "---\nname: release\n---\nB\n");
    for (one, other, expected) in [
        (
            history("# A\n\n## B\nb\n## C\nc\n"),
            history("# A\n\n## C\nc\n## B\nb\n"),
            "changed  agent keaton, history.md\n",
        ),
        (portable(), with("/agents/keaton", "notes", json!("x")), "added    agent keaton, notes\n"),
        (portable(), with("", "notes", json!([])), "added    notes\n"),
        (with("/exported_from", "url", json!(1)), portable(), "changed  exported_from\n"),
        (
            portable(),
            with("/casting/registry", "agents", json!([])),
            "removed  agent keaton, casting/registry.json\nchanged  casting/registry.json\n",
        ),
        (portable(), with("/casting/registry", "x", json!(1)), "changed  casting/registry.json\n"),
        (skills(&[release]), skills(&[release, release]), "added    skills/skill-1/SKILL.md (+4)\n"),
        (
            skills(&[release, release]),
            skills(&[release, other]),
            "changed  skills/skill-1/SKILL.md, before the first heading (+1 -1)\n",
        ),
    ] {
        assert_eq!(diff(&one, &other), (expected.to_owned(), Some(1)));
    }
    // How it is written does not count.
    let text = portable().to_string();
    write(folder.path(), "a.squad", format!("{:#}", portable()));
    write(folder.path(), "b.squad", text.replace("Keaton", "\\u004beaton"));
    assert!(bundle(folder.path(), &["diff", "a.squad", "b.squad"]).status.success());
    // An invalid bundle is called so.
    for (from, to, reason) in [
        ("\"1.1\"", "18446744073709551616", "error[bundle/wrong-type]"),
        ("\"policy\":{", "\"policy\":{\"a\":1,\"a\":2,", "error[bundle/duplicate-key]"),
        ("\"routing\":null", "\"routing\":1", "error[bundle/wrong-type]"),
    ] {
        write(folder.path(), "b.squad", text.replacen(from, to, 1));
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
        assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)), "{to}");
        assert!(
            stderr(&output).contains(reason) && stderr(&output).contains("nothing was compared: b.squad has 1 error"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn an_import_names_its_place_as_seen_from_here() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let below = project.join("src/app");
    fs::create_dir_all(&below).unwrap();
    write(folder.path(), "team.squad", portable().to_string());
    let args = ["import", "../../../team.squad", "--root", "../.."];
    let output = bundle(&below, &args);
    assert!(
        stdout(&output).starts_with("imported 2 agents from ../../../team.squad into ../../.squad/: "),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    assert!(stdout(&output).contains("review ../../.squad/, and commit it"), "{}", stdout(&output));
    assert!(stderr(&bundle(&below, &args)).contains("there is a squad already: ../../.squad"));
}

#[test]
fn an_escape_without_its_digits_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (escape, reason) in [
        ("\\u12", "incomplete escape: `\\u` needs four hexadecimal digits"),
        ("\\u12g4", "incomplete escape: `\\u` needs four hexadecimal digits"),
        ("\\q", "backslash before a character that needs none"),
    ] {
        write(folder.path(), "team.squad", portable().to_string().replacen("Keaton", escape, 1));
        let output = squad_lint(folder.path()).arg("team.squad").output().unwrap();
        assert!(stdout(&output).contains(reason), "{escape}: {}", stdout(&output));
    }
}

#[test]
fn a_control_character_is_found_however_it_is_escaped() {
    let folder = tempfile::tempdir().unwrap();
    for escape in ["\\b", "\\f", "\\u000b"] {
        let text = portable().to_string().replace('—', "\\u2014").replacen(
            "\"owner\":\"",
            &format!("\"owner\":\"Kim{escape}"),
            1,
        );
        assert!(text.is_ascii() && text.contains(escape));
        write(folder.path(), "team.squad", text);
        let output = squad_lint(folder.path()).arg("team.squad").output().unwrap();
        assert!(stdout(&output).contains("[security/terminal-escape]"), "{escape}: {}", stdout(&output));
    }
}

/// The portable format has no squad without a registry, and that of Squad has.
#[test]
fn a_registry_that_is_missing_is_not_made_up() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    fs::remove_file(folder.path().join(".squad/casting/registry.json")).unwrap();
    assert_eq!(exported(folder.path(), &[])["casting"]["registry"], json!({ "agents": {} }));
    let found = exported(folder.path(), &["--dialect", "cli"]);
    assert_eq!(found["casting"], json!({}));
    let project = project_in(folder.path());
    write(&project, "squad-export.json", found.to_string());
    let output = bundle(&project, &["import", "squad-export.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(exported(&project, &["--dialect", "cli"]), found);
}

#[test]
fn an_export_makes_the_folder_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let output = bundle(folder.path(), &["export", "--out", "new/inner/team.squad"]);
    assert!(output.status.success() && folder.path().join("new/inner/team.squad").is_file(), "{}", stderr(&output));
}

#[test]
fn ceremonies_travel_or_are_named() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    write(folder.path(), ".squad/ceremonies.md", "# Ceremonies\n\n- [local] Daily\n");
    let run =
        |dialect: &str| bundle(folder.path(), &[&["export", "--out", "-", "--dialect", dialect], &NOW[..]].concat());
    let output = run("cli");
    assert!(
        stderr(&output).contains("left out: `ceremonies.md`: the format of Squad has no field"),
        "{}",
        stderr(&output)
    );
    assert!(!stdout(&output).contains("Daily") && !stderr(&output).contains("exported text that is marked"));
    let output = run("seed");
    assert!(stdout(&output).contains("Daily") && !stderr(&output).contains("no field"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_export_reads_no_link() {
    use std::os::unix::fs::symlink;
    for (link, to) in [
        ("agents/verbal/history.md", "../../../secret.txt"),
        ("agents/verbal/history.md", "gone.md"),
        ("agents/edie", "../../others"),
        ("ceremonies.md", "../secret.txt"),
        ("casting/policy.json", "../../secret.txt"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        squad(folder.path());
        write(folder.path(), "secret.txt", "{\"a\": \"the vault\"}");
        write(folder.path(), "others/charter.md", "# Edie \u{2014} the vault\n");
        symlink(to, folder.path().join(".squad").join(link)).unwrap();
        let output = bundle(folder.path(), &["export"]);
        let told = stderr(&output);
        let expected = format!(".squad/{link} is a symbolic link");
        assert!(output.status.code() == Some(2) && told.contains(&expected), "{told}");
        assert!(told.contains("put the file itself in its place") && !told.contains("vault"), "{told}");
        assert!(!folder.path().join("squad-export.squad").exists());
    }
    // One that is no part of the squad is nobody's business.
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    symlink("../README.md", folder.path().join(".squad/agents/README.md")).unwrap();
    assert!(bundle(folder.path(), &["export"]).status.success());
}

#[test]
fn texts_with_paths_of_the_old_folder_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    write(folder.path(), "new.squad", whole.to_string());
    whole["agents"]["keaton"]["history"] = json!("# Keaton\n\n- Read .ai-team/decisions.md first\n");
    write(folder.path(), "old.squad", whole.to_string());
    for (name, expected) in [
        ("new", None),
        ("old", Some("4. change `.ai-team/` to `.squad/`, where the files are now, in agents/keaton/history.md\n")),
    ] {
        let project = project_in(&folder.path().join(name));
        let output = bundle(&project, &["import", &format!("../../{name}.squad")]);
        assert!(output.status.success(), "{}", stderr(&output));
        match expected {
            Some(expected) => assert!(stdout(&output).ends_with(expected), "{}", stdout(&output)),
            None => assert!(!stdout(&output).contains(".ai-team"), "{}", stdout(&output)),
        }
    }
}

#[test]
fn a_registry_of_any_shape_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let with = |registry: Value| {
        let mut export = export();
        export["casting"]["registry"] = registry;
        export
    };
    let shapes = [
        json!(null),
        json!({}),
        json!({ "agents": {} }),
        json!({ "agents": null }),
        json!({ "agents": [] }),
        json!({ "agents": { "keaton": {} } }),
        json!({ "members": {} }),
        json!([]),
        json!("x"),
    ];
    for (one, other) in shapes.iter().flat_map(|one| shapes.iter().map(move |other| (one, other))) {
        write(folder.path(), "a.json", with(one.clone()).to_string());
        write(folder.path(), "b.json", with(other.clone()).to_string());
        let output = bundle(folder.path(), &["diff", "a.json", "b.json"]);
        let is_told = stdout(&output).contains("casting/registry.json");
        assert_eq!(is_told, one != other, "{one} and {other}: {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn what_is_hidden_in_a_name_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let history = |text: &str| {
        let mut whole = portable();
        whole["agents"]["keaton"]["history"] = json!(text);
        whole
    };
    write(folder.path(), "a.squad", history("# A\n").to_string());
    for hidden in ['\u{202e}', '\u{200b}', '\u{61c}', '\u{7}', '\u{e0041}', '\u{ad}', '\u{feff}'] {
        write(folder.path(), "b.squad", history(&format!("# A{hidden}\n")).to_string());
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
        let expected = format!("\nadded    agent keaton, history.md, # A\\u{{{:x}}} (+1)", u32::from(hidden));
        let shown = format!("\n{}", stdout(&output));
        assert!(shown.contains(&expected) && !shown.contains(hidden), "{shown}{}", stderr(&output));
    }
}

#[test]
fn one_of_two_bundles_is_read_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.squad", portable().to_string());
    let mut other = portable();
    other["routing"] = json!("# Routing\n");
    let diff = |args: &[&str]| {
        let mut command = squad_lint(folder.path());
        command.args(["bundle", "diff"]).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It may have ended without reading.
        child.stdin.take().unwrap().write_all(other.to_string().as_bytes()).ok();
        child.wait_with_output().unwrap()
    };
    for (args, expected) in
        [(["-", "a.squad"], "removed  routing.md (-1)\n"), (["a.squad", "-"], "added    routing.md (+1)\n")]
    {
        let output = diff(&args);
        assert!(stdout(&output).contains(expected), "{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(1));
    }
    let output = diff(&["-", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("both bundles are standard input"), "{}", stderr(&output));
}

#[test]
fn the_notes_and_the_histories_are_all_lines() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let history = "\n# Verbal\n\n## Portable Context\n\n- One\n\n- Two (local)\n\n- Three\n\n\n## Learnings\n\n- [local] Four\n- Five";
    write(folder.path(), ".squad/agents/verbal/history.md", history);
    let args = [&["export", "--out", "-", "--portable-only"], &NOW[..]].concat();
    let output = bundle(folder.path(), &args);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["agents"]["verbal"]["history"], "\n# Verbal\n\n## Portable Context\n\n- One\n\n- Three\n");
    let error = stderr(&output);
    for note in [
        "note: left out: line 15 of the history of `verbal`: marked as local\n",
        "note: left out: lines 8-9 of the history of `verbal`: perhaps about this project\n",
        "note: left out: lines 11-14 and 16 of the history of `verbal`: not marked as portable\n",
    ] {
        assert!(error.contains(note), "{note}{error}");
    }
}
