//! `install --agents`: our entries in the settings of agents' harnesses, and nothing else changed.

use std::fs;
use std::path::Path;

use crate::docs::page::Page;
use crate::support::repo::Repo;
use crate::support::{squad_lint, stderr, stdout};

const COPILOT: &str = ".github/hooks/squad-lint.json";
const CLAUDE: &str = ".claude/settings.json";

fn run(folder: &Path, command: &str) -> (i32, String) {
    let output = squad_lint(folder).args([command, "--agents"]).output().unwrap();
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

fn done(folder: &Path, command: &str) -> String {
    let (code, said) = run(folder, command);
    assert_eq!(code, 0, "{said}");
    said
}

fn refused(folder: &Path, command: &str) -> String {
    let (code, said) = run(folder, command);
    assert_eq!(code, 2, "{said}");
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(repo: &Repo, path: &str) -> String {
    fs::read_to_string(repo.path.join(path)).unwrap()
}

#[test]
fn new_files_come_and_go() {
    let repo = Repo::new();
    repo.write("src/a.txt", "a\n");
    let said = done(&repo.path.join("src"), "install");
    assert_eq!(
        said.lines().filter(|line| !line.starts_with("note: there is no `squad-lint`")).collect::<Vec<_>>(),
        [
            ".github/hooks/squad-lint.json: Copilot and VS Code check what their agents write",
            ".claude/settings.json: Claude Code checks what its agents write",
            "note: commit the files, and all agents of the team get the hooks",
            "`squad-lint uninstall --agents` undoes this",
        ]
    );
    // The page shows what is written.
    let page = Page::read("docs/hooks.md");
    for path in [COPILOT, CLAUDE] {
        let shown = page.blocks.iter().find(|block| block.marker("file: ") == Some(path)).unwrap();
        assert_eq!(read(&repo, path), shown.text, "{path}");
    }
    let again = done(&repo.path, "install");
    assert_eq!(again.matches(" is already up to date\n").count(), 2, "{again}");
    assert!(done(&repo.path, "uninstall").contains("removed .claude/settings.json\n"));
    assert!(!repo.path.join(".github").exists() && !repo.path.join(".claude").exists());
    assert!(done(&repo.path, "uninstall").contains(".claude/settings.json: there is no such file\n"));
}

#[test]
fn the_entries_and_the_formatting_of_others_stay() {
    for settings in [
        "{}\n",
        "{\"permissions\":{\"allow\":[\"Bash(ls:*)\"]}}",
        "{\r\n    \"hooks\": {\r\n        \"Stop\": [],\r\n        \"PostToolUse\": [\r\n            { \"matcher\": \"Write\",\r\n  \
         \"hooks\": [ {\"type\": \"command\",   \"command\": \"prettier\"} ] }\r\n        ]\r\n    },\r\n    \"model\": \"é\"\r\n}",
        "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]\n\t}\n}\n",
    ] {
        let repo = Repo::new();
        repo.write(CLAUDE, settings);
        repo.write(COPILOT, "{ \"version\": 1, \"hooks\": { \"sessionStart\": [] } }\n");
        done(&repo.path, "install");
        let new = read(&repo, CLAUDE);
        let value: serde_json::Value = serde_json::from_str(&new).unwrap();
        for event in ["PostToolUse", "Stop", "SubagentStop"] {
            let last = value["hooks"][event].as_array().unwrap().last().unwrap();
            assert_eq!(last["hooks"][0]["command"], "squad-lint hook --harness claude", "{new}");
        }
        let value: serde_json::Value = serde_json::from_str(&read(&repo, COPILOT)).unwrap();
        assert_eq!(value["hooks"]["postToolUse"][0]["bash"], "squad-lint hook");
        done(&repo.path, "install");
        assert_eq!(read(&repo, CLAUDE), new);
        done(&repo.path, "uninstall");
        assert_eq!(read(&repo, CLAUDE), settings);
        assert_eq!(read(&repo, COPILOT), "{ \"version\": 1, \"hooks\": { \"sessionStart\": [] } }\n");
    }
}

#[test]
fn a_command_beside_ours_stays() {
    let repo = Repo::new();
    done(&repo.path, "install");
    let theirs = "{ \"type\": \"command\", \"command\": \"theirs\" },\n          {\n            \"type\": \"command\",\n            \"command\": \"squad-lint";
    let text = read(&repo, CLAUDE).replacen(
        "{\n            \"type\": \"command\",\n            \"command\": \"squad-lint",
        theirs,
        1,
    );
    assert!(text.contains("theirs"), "{text}");
    repo.write(CLAUDE, &text);
    done(&repo.path, "uninstall");
    let left: serde_json::Value = serde_json::from_str(&read(&repo, CLAUDE)).unwrap();
    let expected = serde_json::json!({"hooks": {"PostToolUse": [{
        "matcher": "Write|Edit|MultiEdit|mcp__squad_state__.*",
        "hooks": [{"type": "command", "command": "theirs"}],
    }]}});
    assert_eq!(left, expected);
}

#[test]
fn what_is_not_understood_is_refused_and_nothing_is_written() {
    for (path, text, expected) in [
        (
            CLAUDE,
            "{\n  // ours\n  \"hooks\": {}\n}\n",
            "line 2 of .claude/settings.json is not JSON: expected a key in double quotes",
        ),
        (CLAUDE, "{\"hooks\": {},}", "line 1 of .claude/settings.json is not JSON: trailing comma"),
        (CLAUDE, "\u{feff}{}", ".claude/settings.json begins with a byte order mark"),
        (CLAUDE, "\n<<<<<<< ours\n{}\n", "is not JSON"),
        (CLAUDE, "[]", "the file in .claude/settings.json is a list, expected an object"),
        (
            CLAUDE,
            "{\"hooks\": {\"Stop\": \"x\"}}",
            "`hooks.Stop` in .claude/settings.json is a string, expected a list",
        ),
        (COPILOT, "{\"version\": 2, \"hooks\": {}}", "has version 2, expected version 1"),
        (COPILOT, "{\"hooks\": {}}", "has version none, expected version 1"),
    ] {
        let repo = Repo::new();
        repo.write(path, text);
        let said = refused(&repo.path, "install");
        assert!(said.contains(expected) && said.contains("= help: "), "{text}: {said}");
        assert_eq!(read(&repo, path), text);
        let other = if path == CLAUDE { COPILOT } else { CLAUDE };
        assert!(!repo.path.join(other).exists(), "{text}");
    }
    let repo = Repo::new();
    fs::create_dir_all(repo.path.join(CLAUDE)).unwrap();
    assert!(refused(&repo.path, "install").contains("cannot read .claude/settings.json"));
    let repo = Repo::new();
    repo.write(CLAUDE, vec![b' '; 2 << 20]);
    assert!(refused(&repo.path, "install").contains(".claude/settings.json has 2097152 bytes, more than 1048576"));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    for (link, target) in [(CLAUDE, "settings.json"), (".claude", "")] {
        let repo = Repo::new();
        fs::write(outside.path().join("settings.json"), "{}").unwrap();
        if link == CLAUDE {
            fs::create_dir(repo.path.join(".claude")).unwrap();
        }
        symlink(outside.path().join(target), repo.path.join(link)).unwrap();
        for command in ["install", "uninstall"] {
            let said = refused(&repo.path, command);
            assert!(said.contains(".claude/settings.json is a link, or is in a folder that is a link"), "{said}");
        }
        assert_eq!(fs::read_to_string(outside.path().join("settings.json")).unwrap(), "{}");
        assert!(!repo.path.join(COPILOT).exists());
    }
}

#[test]
fn an_entry_of_ours_that_the_team_changed_stays() {
    let tools = "Write|Edit|MultiEdit|mcp__squad_state__.*";
    for (old, new, left) in [
        (tools, "Write", 1),
        (": 20", ": 60", 3),
        (" --harness claude", "", 3),
        ("squad-lint hook", "npx squad-lint hook", 3),
    ] {
        let repo = Repo::new();
        done(&repo.path, "install");
        let changed = read(&repo, CLAUDE).replace(old, new);
        repo.write(CLAUDE, &changed);
        let said = done(&repo.path, "install");
        assert!(said.contains(".claude/settings.json is already up to date\n"), "{said}");
        assert_eq!(read(&repo, CLAUDE), changed);
        let said = done(&repo.path, "uninstall");
        assert_eq!(said.matches(": this command still runs squad-lint").count(), left, "{said}");
        assert_eq!(read(&repo, CLAUDE).matches("squad-lint hook").count(), left, "{new}");
    }
}

#[test]
fn an_empty_file_is_an_empty_object() {
    let repo = Repo::new();
    for blank in ["\n", ""] {
        repo.write(CLAUDE, blank);
        assert!(
            done(&repo.path, "uninstall")
                .contains(".claude/settings.json has no entry that `install --agents` writes\n")
        );
        assert_eq!(read(&repo, CLAUDE), blank);
        for _ in 0..2 {
            done(&repo.path, "install");
            assert!(read(&repo, CLAUDE).contains("squad-lint hook --harness claude"));
        }
        done(&repo.path, "uninstall");
        assert_eq!(read(&repo, CLAUDE), blank);
    }
}

#[test]
fn a_file_of_ours_goes_in_any_format() {
    let repo = Repo::new();
    done(&repo.path, "install");
    let own = [COPILOT, CLAUDE].map(|path| (path, read(&repo, path)));
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    let wide =
        |text: &str| format!("{:#}\n", serde_json::from_str::<serde_json::Value>(text).unwrap()).replace("  ", "\t");
    // As JavaScript writes it.
    let without_end = |text: &str| text.trim_end().to_owned();
    for format in [&crlf as &dyn Fn(&str) -> String, &compact, &wide, &without_end] {
        for (path, text) in &own {
            repo.write(path, format(text));
        }
        let said = done(&repo.path, "uninstall");
        assert_eq!(said.matches("removed .").count(), 2, "{said}");
        assert!(!repo.path.join(".github").exists() && !repo.path.join(".claude").exists());
    }
    // What is not ours stays.
    repo.write(CLAUDE, "{\"model\":\"opus\"}\n");
    done(&repo.path, "install");
    repo.write(CLAUDE, compact(&read(&repo, CLAUDE)));
    done(&repo.path, "uninstall");
    assert_eq!(read(&repo, CLAUDE), "{\"model\":\"opus\"}");
}

#[test]
fn a_command_that_the_team_runs_in_its_own_way_is_of_the_team() {
    for joined in [
        "squad-lint hook && ./notify.sh",
        "npx squad-lint hook --harness claude",
        "npx --yes squad-lint hook",
        "/usr/local/bin/squad-lint hook --harness claude",
        "pnpm exec squad-lint hook",
        "squad-lint hook --harness claude --color never",
        "squad-lint hook --harness=claude",
        "npx -p squad-lint squad-lint hook",
        "npx --package squad-lint@0.1.0 squad-lint hook",
        "uvx --from squad-lint squad-lint hook",
        "node_modules/.bin/squad-lint.cmd hook",
        "Squad-Lint.EXE hook",
        "squad-lint hook",
        "squad-lint hook --harness claude",
        "squad-lint hook | tee -a log",
        "squad-lint hook; ./other.sh",
        "cd tools && npx squad-lint hook",
        "timeout 5 squad-lint hook",
        "env NO_COLOR=1 node_modules/.bin/squad-lint hook --harness claude",
        "sh -c 'squad-lint hook'",
        "npx --no-install squad-lint@latest hook --harness claude",
        "mise x -- squad-lint --config a/b.toml hook",
        "uvx squad-lint --config=x.toml --quiet hook",
    ] {
        let repo = Repo::new();
        let text =
            format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "{joined}"}}]}}]}}}}"#) + "\n";
        repo.write(CLAUDE, &text);
        let said = done(&repo.path, "install");
        let new = read(&repo, CLAUDE);
        let value: serde_json::Value = serde_json::from_str(&new).unwrap();
        let stop = serde_json::json!([{"hooks": [{"type": "command", "command": joined}]}]);
        assert_eq!(value["hooks"]["Stop"], stop, "it runs once");
        assert!(value["hooks"]["PostToolUse"].is_array());
        assert!(said.contains("note: .claude/settings.json:1: this command already runs squad-lint"), "{said}");
        let said = done(&repo.path, "uninstall");
        assert!(
            said.contains("note: .claude/settings.json:1: this command still runs squad-lint; remove it"),
            "{said}"
        );
        assert_eq!(read(&repo, CLAUDE), text);
    }
}

#[test]
fn a_file_without_entries_of_ours_stays() {
    for text in ["{\"version\": 1}\n", "{}", "{\"version\": 1, \"hooks\": {}}"] {
        let repo = Repo::new();
        repo.write(COPILOT, text);
        for _ in 0..2 {
            assert!(
                done(&repo.path, "uninstall").contains("squad-lint.json has no entry that `install --agents` writes")
            );
            assert_eq!(read(&repo, COPILOT), text);
        }
    }
}

#[test]
fn a_command_of_the_team_for_other_tools_leaves_ours_to_do() {
    for (matcher, is_enough) in [
        ("Bash", false),
        ("NotebookEdit", false),
        ("Edit", true),
        ("Write|Bash", true),
        ("*", true),
        ("Ed.*", true),
        ("", true),
        ("mcp__squad_state__squad_state_write", true),
        ("^mcp__squad_state", true),
        ("^Multi", true),
        ("^(?!Bash).*", true),
    ] {
        let repo = Repo::new();
        let theirs = format!(
            r#"{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "timeout 5 squad-lint hook"}}]}}"#
        );
        let text = format!(r#"{{"hooks": {{"PostToolUse": [{theirs}]}}}}"#);
        repo.write(CLAUDE, &text);
        done(&repo.path, "install");
        let value: serde_json::Value = serde_json::from_str(&read(&repo, CLAUDE)).unwrap();
        let count = if is_enough { 1 } else { 2 };
        assert_eq!(value["hooks"]["PostToolUse"].as_array().unwrap().len(), count, "{matcher}");
        done(&repo.path, "uninstall");
        assert_eq!(read(&repo, CLAUDE), text);
    }
}

#[test]
fn what_the_team_changed_in_our_command_stays() {
    for hook in [
        r#""command": "squad-lint hook --harness claude", "timeout": 60"#,
        r#""command": "npx squad-lint hook", "timeout": 20"#,
        r#""command": "/opt/bin/squad-lint hook --harness claude", "timeout": 5"#,
        r#""command": "squad-lint hook --harness=claude""#,
        r#""command": "npx squad-lint@1 hook --harness claude""#,
        r#""command": "squad-lint --config x.toml hook --harness claude""#,
    ] {
        let repo = Repo::new();
        let stop = format!(r#"{{"hooks": [{{"type": "command", {hook}}}]}}"#);
        repo.write(CLAUDE, format!(r#"{{"hooks": {{"Stop": [{stop}]}}}}"#));
        for _ in 0..2 {
            done(&repo.path, "install");
            let new = read(&repo, CLAUDE);
            assert!(new.contains(&stop), "{new}");
            let new: serde_json::Value = serde_json::from_str(&new).unwrap();
            assert_eq!(new["hooks"]["Stop"].as_array().unwrap().len(), 1, "it runs once");
        }
    }
}

#[test]
fn a_version_that_was_there_stays() {
    let repo = Repo::new();
    for text in [
        "{\"version\": 1}",
        "{\n    \"version\": 1\n}\n",
        "{\n  \"version\": 1\n}\n",
        "{\n  \"version\": 1\n}",
        "{\r\n  \"version\": 1\r\n}",
        "\n{\n  \"version\": 1\n}\n\n",
        "{\n  \"version\": 1\n}\n\n\n",
        "{ \"version\": 1, \"hooks\": {} }\n",
    ] {
        repo.write(COPILOT, text);
        done(&repo.path, "install");
        done(&repo.path, "uninstall");
        assert_eq!(read(&repo, COPILOT), text);
    }
}

#[cfg(unix)]
#[test]
fn all_files_are_written_or_none() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::new();
    repo.write(CLAUDE, "{}\n");
    let make = |mode| fs::set_permissions(repo.path.join(CLAUDE), fs::Permissions::from_mode(mode)).unwrap();
    make(0o444);
    assert!(refused(&repo.path, "install").contains("read-only"));
    assert!(!repo.path.join(".github").exists());
    make(0o644);
    done(&repo.path, "install");
    let copilot = read(&repo, COPILOT);
    make(0o444);
    assert!(refused(&repo.path, "uninstall").contains("read-only"));
    assert_eq!(read(&repo, COPILOT), copilot);
    make(0o644);
    repo.write(CLAUDE, "{ // ours\n}");
    assert!(refused(&repo.path, "uninstall").contains("is not JSON"));
    assert_eq!(read(&repo, COPILOT), copilot);
}

/// The settings after `install`; a second one changes nothing.
fn installed(repo: &Repo, path: &str, text: &str) -> serde_json::Value {
    repo.write(path, text);
    done(&repo.path, "install");
    let new = read(repo, path);
    done(&repo.path, "install");
    assert_eq!(read(repo, path), new);
    serde_json::from_str(&new).unwrap()
}

#[test]
fn an_entry_with_more_than_ours_is_of_the_team() {
    let hook = r#"{"type": "command", "command": "squad-lint hook --harness claude", "timeout": 20}"#;
    for entry in [
        format!(r#"{{"description": "state", "hooks": [{hook}]}}"#),
        format!(r#"{{"hooks": [{hook}], "description": "state"}}"#),
        format!(r#"{{"hooks": [{hook}, {hook}]}}"#),
        r#"{"hooks": [{"type": "command", "exec": "squad-lint", "args": ["hook"]}]}"#.to_owned(),
        r#"{"hooks": [{"type": "command", "command": "x", "windows": "squad-lint.exe hook"}]}"#.to_owned(),
    ] {
        let repo = Repo::new();
        let text = format!("{{\"hooks\": {{\n\"Stop\": [{entry}]}}}}\n");
        repo.write(CLAUDE, &text);
        done(&repo.path, "install");
        let new: serde_json::Value = serde_json::from_str(&read(&repo, CLAUDE)).unwrap();
        assert_eq!(new["hooks"]["Stop"].as_array().unwrap().len(), 1, "{new}");
        let said = done(&repo.path, "uninstall");
        assert!(said.contains("note: .claude/settings.json:2: this command still runs squad-lint"), "{said}");
        assert_eq!(read(&repo, CLAUDE), text);
    }
}

#[test]
fn an_entry_under_the_other_name_of_an_event_is_of_the_team() {
    let repo = Repo::new();
    done(&repo.path, "install");
    let text = read(&repo, COPILOT).replace("\"agentStop", "\"Stop").replace("postToolUse", "PostToolUse");
    repo.write(COPILOT, &text);
    let said = done(&repo.path, "install");
    let line = 1 + text.lines().position(|line| line.contains("squad-lint hook")).unwrap();
    let noted = format!("note: .github/hooks/squad-lint.json:{line}: this command already runs squad-lint");
    assert!(said.contains(&noted), "{said}");
    assert_eq!(read(&repo, COPILOT), text);
    let said = done(&repo.path, "uninstall");
    assert!(said.contains("this command still runs squad-lint"), "{said}");
}

#[test]
fn a_file_of_other_blanks_is_no_json() {
    for blank in ["\u{a0}", "\u{c}", "\u{2028}\n"] {
        let repo = Repo::new();
        repo.write(CLAUDE, blank);
        assert!(refused(&repo.path, "install").contains(".claude/settings.json is not JSON"));
        assert_eq!(read(&repo, CLAUDE), blank);
    }
}

#[test]
fn copilot_has_two_names_for_an_event() {
    let repo = Repo::new();
    let text = r#"{"version": 1, "hooks": {"Stop": [{"type": "command", "command": "npx squad-lint hook"}]}}"#;
    let new = installed(&repo, COPILOT, text);
    assert!(new["hooks"]["agentStop"].is_null() && new["hooks"]["subagentStop"].is_array(), "{new}");
    done(&repo.path, "uninstall");
    assert_eq!(read(&repo, COPILOT), text);
}

#[test]
fn what_the_team_wrote_itself_stays_as_it_is() {
    let repo = Repo::new();
    let hook = r#"{"type":"command","command":"squad-lint hook"}"#;
    let theirs = r#"{"type":"command","command":"theirs"}"#;
    let text = format!(
        r#"{{"hooks":{{"PostToolUse":[{{"matcher":"Write","hooks":[{hook}]}},{{"matcher":"Edit","hooks":[{hook},{hook}]}}],
        "Stop":[{{"hooks":[{hook},{theirs}]}}],"PreToolUse":[{{"hooks":[{hook},{theirs}]}}]}}}}"#
    );
    let new = installed(&repo, CLAUDE, &text);
    let old: serde_json::Value = serde_json::from_str(&text).unwrap();
    for event in ["PostToolUse", "Stop", "PreToolUse"] {
        assert_eq!(new["hooks"][event], old["hooks"][event]);
    }
    assert_eq!(new["hooks"]["SubagentStop"][0]["hooks"][0]["command"], "squad-lint hook --harness claude");
    let said = done(&repo.path, "uninstall");
    assert_eq!(read(&repo, CLAUDE), text);
    let noted = |line| format!("note: .claude/settings.json:{line}: this command still runs squad-lint");
    assert!(said.contains(&noted(1)) && said.contains(&noted(2)), "{said}");
}

#[test]
fn a_command_of_others_for_another_system_stays() {
    let repo = Repo::new();
    let text = r#"{"version":1,"hooks":{"postToolUse":[{"type":"command","bash":"squad-lint hook","powershell":"their.ps1"}]}}"#;
    let new = installed(&repo, COPILOT, text);
    let old: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(new["hooks"]["postToolUse"], old["hooks"]["postToolUse"]);
    assert_eq!(new["hooks"]["agentStop"][0]["bash"], "squad-lint hook");
    done(&repo.path, "uninstall");
    assert_eq!(read(&repo, COPILOT), text);
}
