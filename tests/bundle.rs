//! The subcommands of `bundle`, as their users meet them.

mod corpus;
mod hostile;
mod kept;
#[cfg(unix)]
mod killed;
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::support::{files_below, squad_lint, stderr, stdout, write};

/// A portable squad of two agents.
fn portable() -> Value {
    json!({
        "squad_format_version": "1.0",
        "exported_at": "2026-02-08T10:30:00Z",
        "exported_from": { "project": "app", "owner": "" },
        "casting": {
            "registry": { "agents": { "keaton": { "persistent_name": "Keaton", "status": "active" } } },
            "history": null,
            "policy": { "casting_policy_version": "1.1" },
        },
        "agents": {
            "keaton": { "charter": "# Keaton — Lead\n", "history": "# Keaton\n\n## Learnings\n\n- One\n- Two\n\n## Notes\n\nText.\n" },
            "scribe": { "charter": "# Scribe — Session Logger\n" },
        },
        "team": "# Team\n\n## Members\n\n| Name | Role |\n| --- | --- |\n| Keaton | Lead |\n",
        "routing": null,
        "ceremonies": null,
    })
}

fn bundle(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).arg("bundle").args(args).output().unwrap()
}

#[test]
fn what_differs_is_named_by_agent_and_section() {
    let folder = tempfile::tempdir().unwrap();
    let one = portable();
    let mut other = portable();
    other["exported_at"] = json!("2026-03-01T00:00:00Z");
    other["exported_from"]["owner"] = json!("Kim");
    other["agents"]["keaton"]["history"] =
        json!("# Keaton\n\n## Learnings\n\n- One\n- Three\n- Four\n\n## Later\n\nMore.\n");
    other["agents"]["verbal"] = json!({ "charter": "# Verbal — Tester\n" });
    other["casting"]["registry"]["agents"]["keaton"]["status"] = json!("retired");
    other["casting"]["policy"] = json!(null);
    other["routing"] = json!("# Routing\n");
    write(folder.path(), "a.squad", one.to_string());
    write(folder.path(), "b.squad", other.to_string());
    let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
    let expected = "\
changed  agent keaton, history.md, ## Learnings (+2 -1)
added    agent keaton, history.md, ## Later (+3)
removed  agent keaton, history.md, ## Notes (-3)
added    agent verbal
changed  agent keaton, casting/registry.json
removed  casting/policy.json
changed  exported_from
added    routing.md (+1)
8 differences: 3 added, 2 removed, 3 changed
";
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(1)), "{}", stderr(&output));

    let output = bundle(folder.path(), &["diff", "a.squad", "b.squad", "--format", "json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["from"], "a.squad");
    assert_eq!(
        printed["differences"][0],
        json!({ "change": "changed", "agent": "keaton", "file": "history.md", "section": "## Learnings", "added": 2, "removed": 1 })
    );

    let output = bundle(folder.path(), &["diff", "a.squad", "a.squad"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("no differences\n", Some(0)));
}

/// The last section of a text has no blank line behind it, and where it is now, it has.
#[test]
fn a_section_that_moves_is_one_difference() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, c] = ["## A\n\n- 1\n", "## B\n\n- 2\n", "## C\n\n- 3\n"];
    let differences = |one: &[&str], other: &[&str]| {
        for (name, sections) in [("a.squad", one), ("b.squad", other)] {
            let mut whole = portable();
            whole["agents"]["keaton"]["history"] = json!(sections.join("\n"));
            write(folder.path(), name, whole.to_string());
        }
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad", "--quiet"]);
        stdout(&output).replace("agent keaton, history.md", "history")
    };
    let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
    for one in &orders {
        for other in orders.iter().filter(|other| *other != one) {
            assert_eq!(differences(one, other), "changed  history\n");
        }
    }
    assert_eq!(differences(&[a, b], &[a, b, c]), "added    history, ## C (+3)\n");
    assert_eq!(differences(&[a, b, c], &[a, b]), "removed  history, ## C (-3)\n");
    // Of several with one title, those with the same text are the same.
    let same = ["## A\n\n- 1\n", "## A\n\n- 2\n", "## A\n\n- 3\n"];
    assert_eq!(differences(&same[1..], &same), "added    history, ## A (+4)\n");
    assert_eq!(differences(&same, &[same[0], same[2]]), "removed  history, ## A (-4)\n");
    assert_eq!(differences(&same, &[same[0], "## A\n\n- 4\n", same[2]]), "changed  history, ## A (+1 -1)\n");
    // What else differs is not hidden by that.
    assert_eq!(differences(&[a, b, c], &[c, b, "## A\n\n- 4\n"]), "changed  history, ## A (+1 -1)\nchanged  history\n");
    assert_eq!(differences(&[a, "## B\n\n- 2"], &[a, b]), "changed  history, ## B\n");
    assert_eq!(differences(&[a, b], &["## A\n\n- 1\n\n", b]), "changed  history, ## A (+1)\n");
}

#[test]
fn bundles_of_both_formats_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let one = portable();
    let export = json!({
        "version": "1.0",
        "casting": { "registry": one["casting"]["registry"], "policy": one["casting"]["policy"] },
        "agents": one["agents"],
        "team_md": one["team"],
        "skills": ["---\nname: release\n---\n\n# Release\n"],
    });
    write(folder.path(), "a.squad", one.to_string());
    write(folder.path(), "squad-export.json", export.to_string());
    let output = bundle(folder.path(), &["diff", "a.squad", "squad-export.json", "--quiet"]);
    assert_eq!(stdout(&output), "removed  exported_from\nadded    skills/release/SKILL.md (+5)\n");
}

#[test]
fn what_is_no_bundle_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.squad", portable().to_string());
    for (text, reason) in [
        (b"{}".as_slice(), "missing field `squad_format_version`"),
        (b"[team]", "invalid JSON"),
        (b"\xff", "line 1 is not UTF-8"),
    ] {
        write(folder.path(), "b.squad", text);
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason) && stdout(&output).is_empty(), "{}", stderr(&output));
    }
    assert_eq!(bundle(folder.path(), &["diff", "a.squad", "gone.squad"]).status.code(), Some(2));
}

/// A project with a squad of three agents.
fn squad(folder: &Path) {
    for (path, text) in [
        (
            "team.md",
            "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n| --- | --- | --- | --- |\n\
                     | Keaton | Lead | agents/keaton/charter.md | Active |\n| Verbal | Tester | agents/verbal/charter.md | Active |\n\
                     | Scribe | Session Logger | agents/scribe/charter.md | Silent |\n\n## Project Context\n\n- **Stack:** Rust\n",
        ),
        ("routing.md", "# Routing\n\n| Work Type | Route To |\n| --- | --- |\n| Architecture | Keaton |\n"),
        ("decisions.md", "# Decisions\n\n- Secret of the project\n"),
        ("log/2026-02-08.md", "# Log\n\nSecret of the project\n"),
        (
            "casting/registry.json",
            "{\"agents\": {\"verbal\": {\"persistent_name\": \"Verbal\", \"status\": \"active\"},\n\
                                   \"keaton\": {\"persistent_name\": \"Keaton\", \"status\": \"active\"}}, \"imported_from\": {}}",
        ),
        ("agents/keaton/charter.md", "# Keaton — Lead\n\nDecides.\n"),
        (
            "agents/keaton/history.md",
            "# History of Keaton\n\n## Portable Context\n\n- Small changes\n\n## Project Context\n\n- Port 3000\n\n\
                                      ## Learnings\n\n- Names matter\n- [local] src/app/main.rs\n",
        ),
        ("agents/verbal/charter.md", "# Verbal — Tester\n\nTests.\n"),
        ("agents/scribe/charter.md", "# Scribe — Session Logger\n\nLogs.\n"),
        ("agents/scribe/history.md", "# History of Scribe\n\nSecret of the project\n"),
        ("agents/_alumni/edie/charter.md", "# Edie — Builder\n"),
    ] {
        write(folder, Path::new(".squad").join(path), text);
    }
}

const NOW: [&str; 2] = ["--now", "2026-03-01T00:00:00+0000"];

fn exported(folder: &Path, args: &[&str]) -> Value {
    let output = bundle(folder, &[&["export", "--out", "-"], &NOW[..], args].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_export_has_the_squad_and_not_the_project() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &[]);
    assert_eq!(found["exported_at"], "2026-03-01T00:00:00Z");
    assert_eq!(found["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton", "scribe", "verbal"]);
    assert_eq!(found["agents"]["scribe"], json!({ "charter": "# Scribe — Session Logger\n\nLogs.\n" }));
    assert_eq!(
        found["agents"]["keaton"]["history"],
        "# History of Keaton\n\n## Portable Context\n\n- Small changes\n\n## Learnings\n\n- Names matter\n"
    );
    assert!(found["casting"]["registry"]["imported_from"].is_null() && found["casting"]["policy"].is_null());
    assert!(found["ceremonies"].is_null() && !found["team"].as_str().unwrap().contains("Rust"));
    assert!(!found.to_string().contains("Secret"));
    // What is exported has no findings.
    write(folder.path(), "team.squad", found.to_string());
    let output = squad_lint(folder.path()).arg("team.squad").output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
}

#[test]
fn a_part_of_a_squad_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &["--agents", "Keaton", "--portable-only"]);
    assert_eq!(found["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton"]);
    assert_eq!(found["agents"]["keaton"]["history"], "# History of Keaton\n\n## Portable Context\n\n- Small changes\n");
    assert_eq!(found["casting"]["registry"]["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton"]);
    let team = found["team"].as_str().unwrap();
    assert!(team.contains("Keaton") && !team.contains("Scribe") && !team.contains("Verbal"), "{team}");
    let output = bundle(folder.path(), &["export", "--agents", "edie"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("`keaton`"), "{}", stderr(&output));
}

#[test]
fn an_agent_that_squad_created_twice_travels_once() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let (upper, lower) = ("# Rai\n", "# Rai — RAI Reviewer\n");
    write(folder.path(), ".squad/agents/rai/charter.md", lower);
    // A system that ignores case has one of them.
    if !folder.path().join(".squad/agents/Rai").exists() {
        write(folder.path(), ".squad/agents/Rai/charter.md", upper);
        let output = bundle(folder.path(), &["export", "--out", "a.squad"]);
        assert!(
            stderr(&output).contains("not exported: `Rai` beside a folder of the same name"),
            "{}",
            stderr(&output)
        );
        let found = exported(folder.path(), &[]);
        assert!(found["agents"]["Rai"].is_null() && found["agents"]["rai"]["charter"] == lower, "{found}");
    }
    // The export of Squad has both.
    let mut both = portable();
    both["agents"]["Rai"] = json!({ "charter": upper });
    both["agents"]["rai"] = json!({ "charter": lower });
    write(folder.path(), "both.squad", both.to_string());
    let project = project_in(folder.path());
    let output = bundle(&project, &["import", "../both.squad"]);
    assert!(stderr(&output).contains("left out: agents.Rai"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(project.join(".squad/agents/rai/charter.md")).unwrap(), lower);
}

#[test]
fn an_export_for_the_tool_of_squad_has_its_fields() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &["--dialect", "cli"]);
    assert_eq!((&found["version"], &found["skills"]), (&json!("1.0"), &json!([])));
    assert_eq!(found["team"], found["team_md"]);
    assert_eq!(exported(folder.path(), &["--dialect", "squad"]), found);
    assert_eq!(exported(folder.path(), &["--dialect", "seed"]), exported(folder.path(), &["--dialect", "portable"]));
    assert!(!found.to_string().contains("Secret"));
    write(folder.path(), "squad-export.json", found.to_string());
    let output = squad_lint(folder.path()).arg("squad-export.json").output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
}

#[test]
fn an_export_replaces_nothing_and_refuses_errors() {
    let folder = tempfile::tempdir().unwrap();
    let output = bundle(folder.path(), &["export"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("there is no squad"), "{}", stderr(&output));
    squad(folder.path());
    let output = bundle(folder.path(), &[&["export"], &NOW[..]].concat());
    assert_eq!(stdout(&output), "exported 3 agents to squad-export.squad\n", "{}", stderr(&output));
    assert!(stderr(&output).contains("review the histories"));
    let output = bundle(folder.path(), &["export"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("is there already"), "{}", stderr(&output));
    write(folder.path(), ".squad/agents/con/charter.md", "# Con — Artist\n");
    let output = bundle(folder.path(), &["export", "--out", "b.squad"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("[bundle/unsafe-name]"), "{}", stderr(&output));
    assert!(!folder.path().join("b.squad").exists());
    assert!(bundle(folder.path(), &["export", "--out", "b.squad", "--allow-findings"]).status.success());
}

/// All files below `folder`, with what is in them.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(folder).into_iter().map(|path| (path.clone(), fs::read(folder.join(path)).unwrap())).collect()
}

/// An empty project in a folder of that name.
fn project_in(folder: &Path) -> PathBuf {
    let project = folder.join("app");
    fs::create_dir_all(&project).unwrap();
    project
}

#[test]
fn an_import_makes_a_squad() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut whole = portable();
    whole["decisions_of_old"] = json!("x");
    whole["casting"]["notes"] = json!({});
    whole["team"] = json!(format!("{}\n## Project Context\n\n- **Stack:** Rust\n", whole["team"].as_str().unwrap()));
    write(folder.path(), "team.squad", whole.to_string());
    let args = [&["import", "../team.squad"], &NOW[..]].concat();

    let shown = bundle(&project, &[&args[..], &["--diff"]].concat());
    assert!(stdout(&shown).contains("+++ b/.squad/agents/keaton/charter.md"), "{}", stderr(&shown));
    assert!(contents(&project).is_empty());

    let output = bundle(&project, &args);
    assert!(stdout(&output).starts_with("imported 2 agents from ../team.squad into .squad/: keaton and scribe\n"));
    assert!(stderr(&output).contains("left out: casting.notes and decisions_of_old"), "{}", stderr(&output));
    let files: Vec<_> = contents(&project).into_keys().map(|path| path.to_str().unwrap().replace('\\', "/")).collect();
    let expected = [
        ".squad/agents/keaton/charter.md",
        ".squad/agents/keaton/history.md",
        ".squad/agents/scribe/charter.md",
        ".squad/casting/policy.json",
        ".squad/casting/registry.json",
        ".squad/decisions.md",
        ".squad/team.md",
    ];
    assert_eq!(files, expected);
    for empty in ["decisions/inbox", "log", "orchestration-log"] {
        assert!(project.join(".squad").join(empty).is_dir(), "{empty}");
    }
    let read = |path: &str| fs::read_to_string(project.join(".squad").join(path)).unwrap();
    let team = read("team.md");
    assert!(
        team.ends_with("(to be filled on first session)\n- **Created:** 2026-03-01\n") && !team.contains("Rust"),
        "{team}"
    );
    let registry: Value = serde_json::from_str(&read("casting/registry.json")).unwrap();
    assert_eq!(
        registry["imported_from"],
        json!({ "project": "app", "exported_at": "2026-02-08T10:30:00Z", "imported_at": "2026-03-01T00:00:00Z" })
    );
    let checked = squad_lint(&project).args(["--select", "roster", "--min-severity", "info"]).output().unwrap();
    assert!(stdout(&checked).contains("[roster/imported-placeholder]"), "{}", stdout(&checked));

    // Squads are not merged.
    let before = contents(&project);
    let output = bundle(&project, &args);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("there is a squad already"),
        "{}",
        stderr(&output)
    );
    assert_eq!(contents(&project), before);
}

#[test]
fn an_export_of_squad_is_imported_with_its_skills_and_without_its_decisions() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let export = json!({
        "version": "1.0",
        "casting": {},
        "agents": { "keaton": { "charter": "# Keaton — Lead\n" }, "verbal": {} },
        "decisions_md": "# Decisions\n\n- Secret of the project\n",
        "skills": ["---\nname: \"How we Release\"\n---\n\n# Release\n", "---\nname: ../../x\n---\n\nx\n", "none"],
    });
    write(folder.path(), "old-team.json", export.to_string());
    let output = bundle(&project, &["import", "../old-team.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let files = contents(&project.join(".squad"));
    for path in ["skills/how-we-release/SKILL.md", "skills/x/SKILL.md", "skills/skill-2/SKILL.md"] {
        assert!(files.contains_key(Path::new(path)), "{path}: {:?}", files.keys());
    }
    assert_eq!(files[Path::new("decisions.md")], b"# Team Decisions\n");
    let registry: Value = serde_json::from_slice(&files[Path::new("casting/registry.json")]).unwrap();
    assert_eq!(registry["imported_from"]["project"], "old-team");
    assert!(String::from_utf8_lossy(&files[Path::new("team.md")]).contains("| keaton | | agents/keaton/charter.md |"));
}

/// An empty squad is not what anyone wants, and would be in the way of the right one.
#[test]
fn a_bundle_without_agents_is_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut none = portable();
    none["agents"] = json!({});
    let export = json!({ "version": "1.0", "casting": {}, "agents": {}, "team_md": none["team"], "skills": [] });
    let mut alumni = export.clone();
    alumni["agents"] = json!({ "_alumni": {} });
    for text in [none, export, alumni] {
        write(folder.path(), "team.squad", text.to_string());
        for more in [&[][..], &["--allow-findings"]] {
            let output = bundle(&project, &[&["import", "../team.squad"], more].concat());
            assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
            let expected = "error[bundle/missing-field]: bundle has no agents";
            assert!(stderr(&output).contains(expected), "{}", stderr(&output));
            assert!(!project.join(".squad").exists());
        }
    }
}

/// A reader that closed the pipe stops no command in the midst, and the exit code says what was done.
#[test]
fn a_reader_that_goes_away_stops_no_import() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    whole["decisions"] = json!("# Decisions\n");
    write(folder.path(), "team.squad", whole.to_string());
    let unread = |folder: &Path, args: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = squad_lint(folder);
        command.arg("bundle").args(args).stdout(writer.try_clone().unwrap()).stderr(writer);
        command.status().unwrap().code()
    };
    let project = project_in(&folder.path().join("project"));
    let file = folder.path().join("team.squad");
    let shown = bundle(&project, &["import", file.to_str().unwrap(), "--diff"]);
    assert!(stderr(&shown).contains("warning["), "{}", stderr(&shown));
    assert_eq!(unread(&project, &["import", file.to_str().unwrap()]), Some(0));
    assert!(project.join(".squad/team.md").is_file());
    assert_eq!(unread(folder.path(), &["diff", "team.squad", "team.squad"]), Some(0));
    whole["exported_from"] = json!({ "project": "another", "owner": "" });
    write(folder.path(), "other.squad", whole.to_string());
    assert_eq!(unread(folder.path(), &["diff", "team.squad", "other.squad"]), Some(1));
    write(folder.path(), "bad.squad", "{");
    let file = folder.path().join("bad.squad");
    assert_eq!(unread(&project_in(&folder.path().join("new")), &["import", file.to_str().unwrap()]), Some(2));
}

#[test]
fn a_bundle_under_any_name_is_checked_where_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    whole["agents"]["../x"] = json!({ "charter": "# X — Y\n" });
    let export = json!({ "version": "1.0", "agents": {}, "casting": 1 });
    for (name, text, code) in [
        ("team.json", whole.to_string(), 1),
        ("team", whole.to_string(), 1),
        ("export.json", export.to_string(), 1),
        // What is before the error tells what it is.
        ("broken.json", whole.to_string().replace("\"team\"", "\"team"), 1),
    ] {
        write(folder.path(), name, text);
        let output = squad_lint(folder.path()).args(["check", name]).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{name}: {}", stdout(&output));
        assert!(stdout(&output).contains("[bundle/"), "{name}: {}", stdout(&output));
    }
    // Others are files of other programs, and so are bundles under such names that are not named.
    write(folder.path(), "package.json", "{\"name\": \"x\", \"version\": \"1.0\"}");
    let output = squad_lint(folder.path()).args(["check", "package.json"]).output().unwrap();
    assert!(output.status.success() && stdout(&output).contains("0 files"), "{}", stdout(&output));
    let output = squad_lint(folder.path()).output().unwrap();
    assert!(!stdout(&output).contains("[bundle/"), "{}", stdout(&output));
}

#[test]
fn an_import_refuses_what_check_calls_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut listed = portable();
    listed["casting"]["registry"] = json!({ "agents": [{ "name": "Keaton" }] });
    let mut untitled = portable();
    untitled["agents"]["keaton"]["charter"] = json!("Decides.\n");
    let mut doubled = portable().to_string();
    doubled.insert_str(1, "\"team\":\"# Team\\n\",");
    for (name, text, rule, can_be_allowed) in [
        ("listed", listed.to_string(), "[roster/invalid-registry]", true),
        ("untitled", untitled.to_string(), "[charter/missing-title]", true),
        ("doubled", doubled, "[bundle/duplicate-key]", false),
    ] {
        let project = project_in(&folder.path().join(name));
        write(&project, "team.squad", text);
        let checked = squad_lint(&project).arg("team.squad").output().unwrap();
        assert!(checked.status.code() == Some(1) && stdout(&checked).contains(rule), "{}", stdout(&checked));
        let output = bundle(&project, &["import", "team.squad"]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(rule), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("--allow-findings"), can_be_allowed, "{}", stderr(&output));
        assert!(!project.join(".squad").exists());
        let output = bundle(&project, &["import", "team.squad", "--allow-findings"]);
        assert_eq!(
            (output.status.success(), project.join(".squad").exists()),
            (can_be_allowed, can_be_allowed),
            "{name}"
        );
    }
}

#[test]
fn a_bundle_comes_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    write(folder.path(), "team.squad", portable().to_string());
    let file = fs::File::open(folder.path().join("team.squad")).unwrap();
    let output = squad_lint(&project).args(["bundle", "import", "-"]).stdin(file).output().unwrap();
    assert!(stdout(&output).starts_with("imported 2 agents from standard input into .squad/"), "{}", stderr(&output));
}

#[test]
fn an_export_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let notes = |args: &[&str]| -> Vec<String> {
        let output = bundle(folder.path(), &[&["export", "--out", "-"], &NOW[..], args].concat());
        let notes = stderr(&output);
        notes.lines().filter_map(|line| line.strip_prefix("note: left out: ")).map(str::to_owned).collect()
    };
    let scribe = "lines 1-3 of the history of `scribe`: it is about the sessions of this project";
    let context = "`## Project Context` of `team.md`";
    let decisions = "`decisions.md`: for this project only";
    assert_eq!(
        notes(&[]),
        ["lines 7-10 and 14 of the history of `keaton`: marked as local", scribe, context, decisions]
    );
    assert_eq!(
        notes(&["--portable-only", "--agents", "keaton,"])[..2],
        [
            "lines 6-10 and 14 of the history of `keaton`: marked as local",
            "lines 11-13 of the history of `keaton`: not marked as portable"
        ]
    );
    let output = bundle(folder.path(), &["export", "--out", "-", "--agents", ","]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("`--agents` names no agent"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn secrets_and_hidden_characters_travel_only_if_they_are_allowed_and_are_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    // Put together here, so that no scanner takes it for one.
    let token = format!("gh{}_{}", "p", "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEi");
    let is_shown = |output: &Output| stdout(output).contains(&token) || stderr(output).contains(&token);
    for (text, rule) in [(token.as_str(), "[security/secret]"), ("a\u{200b}b", "[security/hidden-unicode]")] {
        let history = format!("# Verbal\n\n## Learnings\n\n- Said {text}\n");
        write(folder.path(), ".squad/agents/verbal/history.md", history);
        let name = format!("{}.squad", rule.trim_matches(['[', ']']).replace('/', "-"));
        let refused = bundle(folder.path(), &["export", "--out", &name]);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(rule) && !is_shown(&refused), "{}", stderr(&refused));
        assert!(!folder.path().join(&name).exists());
        assert!(bundle(folder.path(), &["export", "--out", &name, "--allow-findings"]).status.success());
        let project = project_in(&folder.path().join(rule.replace(['[', ']', '/'], "")));
        let file = folder.path().join(&name);
        let refused = bundle(&project, &["import", file.to_str().unwrap()]);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(rule), "{}", stderr(&refused));
        assert!(!is_shown(&refused) && !project.join(".squad").exists());
        let allowed = bundle(&project, &["import", "--allow-findings", file.to_str().unwrap()]);
        assert!(allowed.status.success() && !is_shown(&allowed), "{}", stderr(&allowed));
        let written = fs::read_to_string(project.join(".squad/agents/verbal/history.md")).unwrap();
        assert!(written.contains(text), "{written}");
    }
    // Nor in any format, though other rules quote the line.
    write(
        folder.path(),
        ".squad/decisions.md",
        format!("# Decisions\n\n### 2026-02-[current]: {token}\n**By:** Keaton\n"),
    );
    let mut naming = 0;
    for format in squad_lint::report::Format::all().iter().map(|format| format.name) {
        let args = ["check", "--format", format, "--min-severity", "info"];
        let output = squad_lint(folder.path()).args(args).output().unwrap();
        assert!(!is_shown(&output), "{format}: {}", stdout(&output));
        // A format may count findings alone.
        naming += usize::from(stdout(&output).contains("security/secret"));
    }
    assert!(naming > 5, "{naming}");
}

/// All that travels is in the bundle as it is on disk.
#[test]
fn an_export_has_the_texts_of_the_squad() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    write(folder.path(), ".squad/ceremonies.md", "\u{feff}# Ceremonies\r\n\r\nText \u{1f3d7}\u{fe0f} \"x\" \\n\r\n");
    write(folder.path(), ".squad/agents/verbal/history.md", "# Verbal\n\n## Learnings\n\n- Tab\there\n\n\n");
    write(folder.path(), ".squad/casting/policy.json", "{\"b\": [1e3, 0.1], \"a\": null}");
    let found = exported(folder.path(), &[]);
    let read = |path: &str| fs::read_to_string(folder.path().join(".squad").join(path)).unwrap();
    for (value, path) in [
        (&found["agents"]["keaton"]["charter"], "agents/keaton/charter.md"),
        (&found["agents"]["verbal"]["charter"], "agents/verbal/charter.md"),
        (&found["agents"]["verbal"]["history"], "agents/verbal/history.md"),
        (&found["agents"]["scribe"]["charter"], "agents/scribe/charter.md"),
        (&found["routing"], "routing.md"),
        (&found["ceremonies"], "ceremonies.md"),
    ] {
        assert_eq!(value.as_str().unwrap(), read(path), "{path}");
    }
    let (whole, context) = (read("team.md"), "\n## Project Context\n\n- **Stack:** Rust\n");
    assert_eq!(found["team"].as_str().unwrap(), whole.replace(context, ""));
    let policy: Value = serde_json::from_str(&read("casting/policy.json")).unwrap();
    assert_eq!(found["casting"]["policy"], policy);
    let mut registry: Value = serde_json::from_str(&read("casting/registry.json")).unwrap();
    registry.as_object_mut().unwrap().remove("imported_from");
    assert_eq!(found["casting"]["registry"], registry);
}

#[test]
fn what_was_imported_is_exported_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("1/app"), folder.path().join("2/app"));
    fs::create_dir_all(&second).unwrap();
    squad(&first);
    for path in ["casting/policy.json", "casting/history.json"] {
        write(&first, Path::new(".squad").join(path), "{\"z\": 1.5, \"a\": [1e3, null, \"\\u202e\"]}");
    }
    write(&first, ".squad/ceremonies.md", "# Ceremonies\r\n\r\n\u{feff}Text \u{1f3d7}\u{fe0f}\r\n");
    write(&first, ".squad/agents/verbal/history.md", "");
    for dialect in ["seed", "cli"] {
        let name = format!("{dialect}.squad");
        let export = [&["export", "--allow-findings", "--dialect", dialect, "--out", &name], &NOW[..]].concat();
        assert!(bundle(&first, &export).status.success());
        let output = bundle(&second, &["import", "--allow-findings", &format!("../../1/app/{name}")]);
        assert!(output.status.success(), "{}", stderr(&output));
        let output = bundle(&second, &export);
        assert!(output.status.success(), "{}", stderr(&output));
        let [one, other] = [&first, &second].map(|project| fs::read_to_string(project.join(&name)).unwrap());
        assert_eq!(one, other, "{dialect}");
        fs::remove_dir_all(second.join(".squad")).unwrap();
    }
}
