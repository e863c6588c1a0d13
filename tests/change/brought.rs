//! A change that breaks a file without adding a line to it, or a file that it leaves as it is.

use super::printed;
use crate::support::repo::Repo;

const INDEX: &str = ".squad/memory/index.json";
const AUDIT: &str = ".squad/memory/audit.jsonl";
const TEAM: &str = ".squad/team.md";
const REGISTRY: &str = ".squad/casting/registry.json";

/// An entry of the index, with `more` fields.
fn listed(id: &str, status: &str, more: &str) -> String {
    format!(
        r#"  {{"id": "{id}", "class": "LOCAL", "loadGuidance": "ON-DEMAND", "title": "{id}", "path": ".squad/memory/local/{id}.md",
   "status": "{status}", "createdAt": "2026-01-02T09:00:00Z", "updatedAt": "2026-01-02T09:00:00Z"{more}}}"#
    )
}

fn index() -> String {
    let entries = [
        listed("m1", "active", ""),
        listed("m2", "superseded", ", \"supersededBy\": \"m3\""),
        listed("m3", "active", ", \"supersedes\": \"m2\""),
        listed("m4", "deleted", ""),
    ];
    format!("[\n{}\n]\n", entries.join(",\n"))
}

fn memory_entry(id: &str) -> String {
    format!(
        "---\nid: {id}\nclass: LOCAL\nloadGuidance: ON-DEMAND\ntitle: {id}\ncreatedAt: 2026-01-02T09:00:00Z\n---\nText.\n"
    )
}

fn team(agents: &[&str]) -> String {
    let row = |name: &&str| format!("| {name} | Work of {name} | `.squad/agents/{name}/charter.md` | Active |\n");
    let rows: String = agents.iter().map(row).collect();
    format!("# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n| --- | --- | --- | --- |\n{rows}")
}

fn registry(agents: &[&str]) -> String {
    let entry = |name: &&str| {
        format!("    \"{name}\": {{\n      \"persistent_name\": \"{name}\",\n      \"status\": \"active\"\n    }}")
    };
    format!("{{\n  \"agents\": {{\n{}\n  }}\n}}\n", agents.iter().map(entry).collect::<Vec<_>>().join(",\n"))
}

/// A team of these agents with a memory, in which nothing is wrong.
fn repo(agents: &[&str]) -> Repo {
    let repo = Repo::new();
    repo.write(TEAM, team(agents));
    repo.write(REGISTRY, registry(agents));
    for name in agents {
        repo.write(format!(".squad/agents/{name}/charter.md"), format!("# {name} — Tester\n\n## Identity\n\nText.\n"));
    }
    let routes: String = agents.iter().map(|name| format!("| Work | {name} | x |\n")).collect();
    let table = "## Routing Table\n\n| Work Type | Route To | Examples |\n| --- | --- | --- |\n";
    repo.write(".squad/routing.md", format!("# Routing\n\n{table}{routes}"));
    repo.write(INDEX, index());
    for id in ["m1", "m2", "m3"] {
        repo.write(format!(".squad/memory/local/{id}.md"), memory_entry(id));
    }
    let tombstone =
        "{\n\"id\": \"m4\",\n\"deletedAt\": \"2026-01-02T09:00:00Z\",\n\"path\": \".squad/memory/local/m4.md\"\n}\n";
    repo.write(".squad/memory/tombstones/m4.json", tombstone);
    let event = "{\"timestamp\": \"2026-01-02T09:00:00Z\", \"action\": \"write\", \"id\": \"m1\"}\n";
    repo.write(AUDIT, event.repeat(3));
    repo.write(".squad/skills/a/SKILL.md", "---\nname: a\ndescription: b\n---\n# A\n\nText.\n");
    repo.commit("first");
    assert_eq!(printed(&repo, &[]).1, Some(0), "{}", printed(&repo, &[]).0);
    repo
}

/// The findings about the staged change, which are those about the commit, too. Puts everything back.
fn found(repo: &Repo) -> Vec<String> {
    repo.git(&["add", "--all"]);
    let findings = |args: &[&str]| -> Vec<String> {
        let text = printed(repo, args).0;
        assert!(!text.contains("0 files"), "{text}");
        text.lines().filter(|line| line.ends_with(']')).map(str::to_owned).collect()
    };
    let staged = findings(&["--staged"]);
    repo.git(&["commit", "--quiet", "--message", "second"]);
    assert_eq!(findings(&["--from", "HEAD~1"]), staged);
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    staged
}

#[test]
fn a_file_that_a_change_cuts_off_or_empties() {
    let repo = repo(&["ada", "bob"]);
    let text = |path: &str| std::fs::read_to_string(repo.path.join(path)).unwrap();
    for (path, rule) in [
        (INDEX, "[memory/governed]"),
        (REGISTRY, "[roster/invalid-registry]"),
        (AUDIT, "[memory/governed]"),
        (".squad/memory/tombstones/m4.json", "[memory/governed]"),
        (".squad/memory/local/m1.md", "[memory/governed]"),
        (".squad/skills/a/SKILL.md", "[memory/skill-front-matter]"),
        (TEAM, "[roster/"),
    ] {
        let all = text(path);
        let lines: Vec<&str> = all.split_inclusive('\n').collect();
        let (start, end) = (lines[..lines.len() / 2].concat(), lines[lines.len() / 2..].concat());
        let parts = match path {
            // A table begins with its header.
            TEAM => vec![start, String::new()],
            _ => vec![start, end, String::new()],
        };
        for part in parts {
            repo.write(path, &part);
            let found = found(&repo);
            assert!(found.iter().any(|line| line.contains(rule)), "{path} with {part:?}: {found:?}");
        }
    }
}

#[test]
fn what_a_change_breaks_in_files_that_it_leaves_as_they_are() {
    type Break = fn(&Repo);
    let cases: [(Break, &str); 8] = [
        (
            |repo| drop(repo.git(&["rm", "--quiet", ".squad/memory/local/m1.md"])),
            "index.json:2:86: warning: file of an active entry does not exist [memory/governed]",
        ),
        (
            |repo| drop(repo.git(&["rm", "--quiet", ".squad/memory/tombstones/m4.json"])),
            "warning: entry is deleted, but has no tombstone [memory/governed]",
        ),
        (
            |repo| repo.write(INDEX, index().replace("\"id\": \"m3\"", "\"id\": \"m5\"")),
            "warning: `supersededBy` names no entry of the index [memory/governed]",
        ),
        (
            |repo| repo.write(".squad/memory/local/m1.md", memory_entry("m9")),
            "warning: `id` of the entry is `m9` in its file [memory/governed]",
        ),
        (
            |repo| repo.write(INDEX, index().replace(&(listed("m1", "active", "") + ",\n"), "")),
            "index.json: warning: this change removes the entry `m1` from the index [memory/governed]",
        ),
        (
            |repo| drop(repo.git(&["rm", "--quiet", ".squad/agents/bob/charter.md"])),
            "team.md:8:3: error: agent `bob` has no folder in `agents/` [roster/drift]",
        ),
        (
            |repo| repo.write(TEAM, team(&["ada"])),
            "registry.json:7:5: error: agent `bob` has no row in `team.md` [roster/drift]",
        ),
        (
            |repo| {
                repo.write(TEAM, team(&["ada"]));
                repo.write(REGISTRY, registry(&["ada"]));
                repo.git(&["rm", "--quiet", ".squad/agents/bob/charter.md"]);
            },
            "routing.md:8:10: warning: work is routed to `bob`, who is not on the team [roster/unknown-routing]",
        ),
    ];
    let repo = repo(&["ada", "bob"]);
    for (break_it, expected) in cases {
        break_it(&repo);
        let found = found(&repo);
        assert!(found.iter().any(|line| line.contains(expected)), "{expected}: {found:?}");
    }
}

#[test]
fn an_entry_that_leaves_the_index_is_one_finding() {
    let repo = repo(&["ada", "bob"]);
    let policy = memory_entry("p1").replace("LOCAL", "POLICY");
    let listed_policy = listed("p1", "active", "").replace("LOCAL", "POLICY").replace("local/p1", "policy-inbox/p1");
    let all = index().replace("\n]", &format!(",\n{listed_policy}\n]"));
    repo.write(INDEX, &all);
    repo.write(".squad/memory/policy-inbox/p1.md", policy);
    repo.commit("policy");
    let without = |ids: &[&str]| {
        let mut entries: Vec<serde_json::Value> = serde_json::from_str(&all).unwrap();
        entries.retain(|entry| !ids.contains(&entry["id"].as_str().unwrap()));
        format!("{:#}", serde_json::Value::from(entries))
    };
    let expected =
        |what: &str| [format!("{INDEX}: warning: this change removes the {what} from the index [memory/governed]")];
    let cases: [(&[&str], &[&str], &str); 6] = [
        (&["p1"], &[], "entry `p1`"),
        (&["p1"], &["policy-inbox/p1.md"], "entry `p1`"),
        (&["m1"], &["local/m1.md"], "entry `m1`"),
        (&["m1"], &[], "entry `m1`"),
        (&["m4"], &["tombstones/m4.json"], "entry `m4`"),
        (&["m4"], &[], "entry `m4`"),
    ];
    for (ids, files, what) in cases {
        repo.write(INDEX, without(ids));
        for file in files {
            repo.git(&["rm", "--quiet", &format!(".squad/memory/{file}")]);
        }
        assert_eq!(found(&repo), expected(what), "{ids:?} {files:?}");
    }
    repo.write(INDEX, "[]\n");
    assert_eq!(found(&repo), expected("entries `m1`, `m2`, `m3` and 2 more"));
    // One that is deleted as Squad does it, one under another name, and one that Squad does not keep.
    let tombstone = std::fs::read_to_string(repo.path.join(".squad/memory/tombstones/m4.json")).unwrap();
    repo.write(".squad/memory/tombstones/m1.json", tombstone.replace("m4", "m1"));
    repo.write(INDEX, all.replacen("\"active\"", "\"deleted\"", 1));
    repo.git(&["rm", "--quiet", ".squad/memory/local/m1.md"]);
    assert_eq!(found(&repo), [""; 0]);
    repo.write(INDEX, all.replace("\"id\": \"p1\"", "\"id\": \"p2\""));
    assert!(!found(&repo).iter().any(|line| line.contains("removes")));
    repo.write(INDEX, all.replace("POLICY", "TRANSIENT"));
    repo.commit("transient");
    repo.write(INDEX, without(&["p1"]));
    assert_eq!(found(&repo), [""; 0]);
}

#[test]
fn an_entry_that_a_change_empties() {
    let repo = repo(&["ada", "bob"]);
    repo.write(".squad/memory/local/m1.md", memory_entry("m1").replace("Text.\n", ""));
    let expected = ".squad/memory/local/m1.md:7:1: warning: entry has no text below its front matter [memory/governed]";
    assert_eq!(found(&repo), [expected]);
    // Nothing says that a text must stay as it is.
    repo.write(".squad/memory/local/m1.md", memory_entry("m1").replace("Text.", "Another text."));
    assert_eq!(found(&repo), [""; 0]);
}

#[test]
fn a_line_of_the_audit_that_is_cut_off_is_one_finding() {
    let repo = repo(&["ada", "bob"]);
    let all = std::fs::read_to_string(repo.path.join(AUDIT)).unwrap();
    repo.write(AUDIT, &all[..all.len() - 20]);
    let message = "line 3 of the audit was removed or rewritten, expected only new lines";
    assert_eq!(found(&repo), [format!("{AUDIT}:3:1: error: {message} [memory/governed]")]);
    // What is wrong with another line is said.
    repo.write(AUDIT, format!("{}\noops\n", &all[..all.len() - 20]));
    let found = found(&repo);
    assert!(found.len() == 2 && found[1].contains("audit.jsonl:4:1: error: invalid JSON"), "{found:?}");
}

#[test]
fn what_readers_no_longer_find() {
    let repo = repo(&["ada", "bob"]);
    let text = |path: &str| std::fs::read_to_string(repo.path.join(path)).unwrap();
    let (charter, registry) = (".squad/agents/ada/charter.md", text(REGISTRY));
    let no_section = "`team.md` has no section `## Members`, so Squad's coordinator and workflows find no member";
    let of_name = |name: &str, title: &str| {
        let message = format!("`persistent_name` of `ada` is `{name}`, but its charter is called `{title}`");
        format!("{REGISTRY}:4:26: warning: {message} [roster/drift]")
    };
    for (path, new, expected) in [
        (
            TEAM,
            text(TEAM).replace("## Members", "## Team"),
            format!("{TEAM}:3:1: warning: {no_section} [roster/empty-members]"),
        ),
        (
            REGISTRY,
            registry.replacen("\"persistent_name\": \"ada\"", "\"persistent_name\": \"Eve\"", 1),
            of_name("Eve", "ada — Tester"),
        ),
        (charter, text(charter).replace("# ada", "# Eve"), of_name("ada", "Eve — Tester")),
    ] {
        repo.write(path, new);
        assert_eq!(found(&repo), [expected], "{path}");
    }
}

#[test]
fn a_charter_that_becomes_a_link() {
    let repo = repo(&["ada", "bob"]);
    let charter = ".squad/agents/bob/charter.md";
    let link = |target: &str| {
        std::fs::remove_file(repo.path.join(charter)).unwrap();
        std::os::unix::fs::symlink(target, repo.path.join(charter)).unwrap();
    };
    let message = "found a symbolic link that leads nowhere, expected a file";
    let expected = format!("{charter}: error: {message} [lint/unreadable-file]");
    link("nowhere.md");
    assert!(printed(&repo, &[]).0.contains(&expected));
    assert_eq!(found(&repo), std::slice::from_ref(&expected));
    // As it is in a commit, it is the same.
    link("../nowhere/x.md");
    repo.commit("broken");
    let text = printed(&repo, &["--rev", "HEAD"]).0;
    assert!(text.contains(&expected) && !text.contains("roster/"), "{text}");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    // One to a file of the repository, and one by way of another link.
    repo.write("docs/bob.md", "# bob — Tester\n\n## Identity\n\nText.\n");
    std::os::unix::fs::symlink("docs", repo.path.join("linked")).unwrap();
    for target in ["../../../docs/bob.md", "../../../linked/bob.md"] {
        link(target);
        assert_eq!(found(&repo), [""; 0], "{target}");
        repo.write("docs/bob.md", "# bob — Tester\n\n## Identity\n\nText.\n");
        std::os::unix::fs::symlink("docs", repo.path.join("linked")).unwrap();
        link(target);
        repo.commit("linked");
        let text = printed(&repo, &["--rev", "HEAD"]).0;
        assert!(!text.contains("roster/"), "{text}");
        repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
        repo.write("docs/bob.md", "# bob — Tester\n\n## Identity\n\nText.\n");
        std::os::unix::fs::symlink("docs", repo.path.join("linked")).unwrap();
    }
}

#[test]
fn what_was_wrong_before_is_not_of_the_change() {
    let repo = repo(&["ada", "bob"]);
    repo.git(&["rm", "--quiet", ".squad/memory/local/m1.md", ".squad/agents/bob/charter.md"]);
    repo.write(".squad/skills/a/SKILL.md", "# A\n\nText.\n\n## More\n\nText.\n");
    repo.commit("broken");
    repo.write(".squad/skills/a/SKILL.md", "# A\n\nText.\n\n## More\n\nOther text.\n");
    repo.write(".squad/memory/local/m3.md", memory_entry("m3") + "More.\n");
    repo.write(".squad/agents/ada/notes.md", "Text.\n");
    repo.write(TEAM, team(&["ada", "bob"]) + "\n## Notes\n\nText.\n");
    assert_eq!(found(&repo), [""; 0]);
    // What is wrong with another one is.
    repo.git(&["rm", "--quiet", ".squad/memory/local/m3.md"]);
    assert_eq!(found(&repo).len(), 1);
}

#[test]
fn the_next_of_several_places_is_not_new() {
    let repo = repo(&["ada", "bob"]);
    let path = ".squad/agents/ada/notes.md";
    let damaged = "# Notes\n\nThe \u{b}ault, of `a`.\n\n## More\n\nThe \u{c}ile.\n";
    repo.write(path, damaged);
    repo.commit("damaged");
    assert!(printed(&repo, &[]).0.contains("memory/shell-damage"));
    repo.write(path, damaged.replace("The \u{b}ault, of `a`.\n", ""));
    assert_eq!(found(&repo), [""; 0]);
}

#[test]
fn a_comment_in_a_file_that_is_left_as_it_is_holds() {
    let repo = repo(&["ada", "bob"]);
    let comment = "<!-- squad-lint: ignore-file roster -- moves -->\n";
    repo.write(TEAM, comment.to_owned() + &team(&["ada", "bob"]));
    repo.commit("second");
    repo.git(&["rm", "--quiet", ".squad/agents/bob/charter.md"]);
    assert_eq!(found(&repo), [""; 0]);
}

#[test]
fn the_only_agent_loses_its_charter() {
    let repo = repo(&["ada"]);
    repo.git(&["rm", "--quiet", ".squad/agents/ada/charter.md"]);
    assert_eq!(found(&repo).len(), 1);
}

#[test]
fn an_audit_that_is_too_large_to_be_checked() {
    let event = |number: usize| {
        format!("{{\"timestamp\": \"2026-01-02T09:00:00Z\", \"action\": \"write\", \"id\": \"m{number}\"}}\n")
    };
    let all: String = (0..500).map(event).collect();
    let repo = repo(&["ada", "bob"]);
    repo.write("squad-lint.toml", "max-file-bytes = 20_000\n");
    repo.write(AUDIT, &all);
    repo.commit("second");
    let message = |line: usize| {
        format!(
            "{AUDIT}: error: line {line} of the audit was removed or rewritten, expected only new lines [memory/governed]"
        )
    };
    for (text, line) in [
        (String::new(), 1),
        (all.replace(&event(300), ""), 301),
        (all.replace("m499", "m1000"), 500),
        (all.lines().take(20).map(|line| format!("{line}\n")).collect(), 21),
    ] {
        repo.write(AUDIT, text);
        assert!(found(&repo).contains(&message(line)), "{line}");
    }
    repo.git(&["rm", "--quiet", AUDIT]);
    assert_eq!(
        found(&repo),
        [format!("{AUDIT}: error: this change deletes the audit, expected only new lines in it [memory/governed]")]
    );
    // One that is full is moved, and one that grows is as it should be: it is only too large.
    let is_of_audit = |line: &String| line.contains("memory/governed");
    repo.write(AUDIT, all.clone() + &event(500));
    assert!(!found(&repo).iter().any(is_of_audit));
    repo.git(&["mv", AUDIT, ".squad/memory/audit.1.jsonl"]);
    repo.write(AUDIT, event(500));
    assert!(!found(&repo).iter().any(is_of_audit));
}

/// Deletes what is at `path` in the folder of the team, also where all of that is at the top of a state branch.
fn found_without(repo: &Repo, path: &str) -> Vec<String> {
    repo.git(&["rm", "-r", "--quiet", &format!(".squad/{path}")]);
    let of_folder = found(repo);
    repo.git(&["checkout", "--quiet", "-b", "squad-state"]);
    repo.git(&["mv", ".squad/memory", "memory"]);
    repo.git(&["rm", "-r", "--quiet", ".squad"]);
    repo.write("decisions.md", "# Decisions\n");
    repo.commit("state");
    if repo.path.join(path).exists() {
        repo.git(&["rm", "-r", "--quiet", path]);
        let of_branch: Vec<String> = of_folder.iter().map(|line| line.replace(".squad/memory", "memory")).collect();
        assert_eq!(found(repo), of_branch, "{path}");
    }
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    of_folder
}

#[test]
fn what_a_change_deletes_is_missed() {
    let audit =
        format!("{AUDIT}: error: this change deletes the audit, expected only new lines in it [memory/governed]");
    let index = format!(
        "{INDEX}: error: this change deletes the index of governed memory, without which Squad's tools find no entry \
         [memory/governed]"
    );
    let team = format!(
        "{TEAM}: error: this change deletes the list of members, so the coordinator has no team [roster/drift]"
    );
    let registry = format!(
        "{REGISTRY}: error: this change deletes the registry, so Squad knows no names of agents [roster/drift]"
    );
    let repo = repo(&["ada", "bob"]);
    for (path, expected) in [
        ("memory/audit.jsonl", vec![&audit]),
        ("memory/index.json", vec![&index]),
        // One finding, which says the other.
        ("memory", vec![&index]),
        ("team.md", vec![&team]),
        ("casting/registry.json", vec![&registry]),
        ("casting", vec![&registry]),
        ("routing.md", vec![]),
    ] {
        let found = found_without(&repo, path);
        assert!(found.iter().eq(expected), "{path}: {found:?}");
    }
    // One is enough to know the other is missed.
    repo.git(&["rm", "-r", "--quiet", ".squad/agents", ".squad/routing.md"]);
    repo.commit("no agents");
    assert_eq!(found_without(&repo, "casting"), [registry]);
    repo.git(&["rm", "-r", "--quiet", ".squad/casting"]);
    assert_eq!(found_without(&repo, "team.md"), [""; 0]);
}

#[test]
fn what_a_change_deletes_or_moves_is_not_always_missed() {
    let repo = repo(&["ada", "bob"]);
    for (from, to, rule) in [
        (TEAM, ".squad/old-team.md", "roster/drift"),
        (REGISTRY, ".squad/casting/old.json", "roster/drift"),
        (INDEX, ".squad/memory/old.json", "memory/governed"),
    ] {
        repo.git(&["mv", from, to]);
        let found = found(&repo);
        assert!(found.len() == 1 && found[0].contains("renames") && found[0].contains(rule), "{from}: {found:?}");
    }
    // What the team keeps all the same.
    let silent = |repo: &Repo| assert!(found(repo).iter().all(|line| !line.contains("this change")));
    repo.write("other/.squad/decisions.md", "# Decisions\n");
    repo.git(&["mv", ".squad/memory", "other/.squad/memory"]);
    silent(&repo);
    repo.git(&["mv", ".squad", "moved"]);
    repo.git(&["mv", "moved", ".ai-team"]);
    silent(&repo);
    // An index without entries, and a file without text.
    repo.write(INDEX, "[]\n");
    repo.write(AUDIT, "\n");
    repo.write(TEAM, "\n");
    repo.commit("empty");
    repo.git(&["rm", "-r", "--quiet", ".squad/memory", TEAM]);
    silent(&repo);
}

#[test]
fn what_moves_to_the_state_branch_is_not_missed() {
    let repo = repo(&["ada", "bob"]);
    repo.write(".squad/config.json", "{\"stateBackend\": \"orphan\"}\n");
    repo.commit("configured");
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["mv", ".squad/memory", "memory"]);
    repo.git(&["rm", "-r", "--quiet", "--force", ".squad"]);
    repo.git(&["rm", "--quiet", "--force", "memory/audit.jsonl"]);
    repo.commit("state");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["rm", "-r", "--quiet", ".squad/memory"]);
    let found = found(&repo);
    assert!(found.len() == 1 && found[0].contains("deletes the audit"), "{found:?}");
}
