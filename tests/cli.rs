//! The command line as its users meet it: exit codes, options, streams.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::support::{NOW, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

/// An entry without a defect.
pub const GOOD: &str = "### 2026-02-15T14:32:15-0800: note: x\n\n**type:** note  \n**timestamp:** 2026-02-15T14:32:15-0800  \n\
                        **author:** Verbal  \n\n**summary:** A sentence.\n\n---\n";

/// The same with a timestamp that a rule finds wrong (error, fixable).
fn bad() -> String {
    GOOD.replacen("-0800", "-08:00", 1)
}

fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", bad());
    write(folder.path(), ".squad/agents/verbal/history.md", GOOD.replace("15T14", "16T14"));
    folder
}

fn code(command: &mut Command) -> i32 {
    command.output().unwrap().status.code().unwrap()
}

#[test]
fn exit_codes_say_what_happened() {
    let folder = repository();
    let run = |args: &[&str]| code(squad_lint(folder.path()).args(args));
    assert_eq!(run(&[]), 1);
    assert_eq!(run(&["--exit-zero"]), 0);
    assert_eq!(run(&[".squad/agents"]), 0);
    assert_eq!(run(&["check", ".squad/decisions.md"]), 1);
    assert_eq!(run(&["--ignore", "sem/timestamp-format"]), 0);
    assert_eq!(run(&["--select", "sem/timestamp-format", "--format", "json"]), 1);
    assert_eq!(run(&["--select", "legacy"]), 0);
    for wrong in [
        &["nowhere"][..],
        &["--select", "sem/nothing"],
        &["--ignore", "nothing"],
        &["--now", "today"],
        &["--exclude", "a{"],
        &["--config", "nowhere.toml"],
        &["--format", "yaml"],
        &["--root", "nowhere"],
        &["explain", "nothing"],
    ] {
        assert_eq!(run(wrong), 2, "{wrong:?}");
        assert_eq!(run(&[wrong, &["--exit-zero"]].concat()), 2, "{wrong:?} with --exit-zero");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_said() {
    let folder = repository();
    for args in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["help", "team"],
        &["check", "--help"],
        &["--version"],
        &["explain", "sem/timestamp-format"],
        &["rules"],
        &["rules", "--format", "json"],
        &["config"],
        &["schema", "config"],
        &["completions", "bash"],
        &["completions", "fish"],
        &["man"],
        &["convert"],
        &["json-value", "x.json"],
        &[],
    ] {
        write(folder.path(), "x.json", "1");
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = squad_lint(folder.path()).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("cannot write to standard output"), "{args:?}: {}", stderr(&output));
    }
    // A reader that goes away has seen enough.
    let mut child = squad_lint(folder.path()).arg("--help").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn values_of_json_are_printed_for_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let json = r#"{"a": {"b": "x y"}, "n": 7, "t": true, "z": null, "l": [{"p": "1"}, {"q": 2}, {"p": "3\n4"}]}"#;
    write(folder.path(), "x.json", json);
    write(folder.path(), "broken.json", "{");
    for (args, expected, code) in [
        (&["x.json", "a", "b"][..], "x y\n", 0),
        (&["x.json", "n"], "7\n", 0),
        (&["x.json", "t"], "true\n", 0),
        (&["x.json", "z"], "", 0),
        (&["x.json", "a"], "", 0),
        (&["x.json", "a", "b", "c"], "", 0),
        (&["x.json", "nothing"], "", 0),
        (&["--count", "x.json", "l", "*"], "3\n", 0),
        (&["--count", "x.json", "nothing", "*"], "0\n", 0),
        (&["--null", "x.json", "l", "*", "p"], "1\x003\n4\x00", 0),
        (&["x.json", "l", "*", "p"], "", 2),
        (&["broken.json"], "", 2),
        (&["nowhere.json"], "", 2),
    ] {
        let output = squad_lint(folder.path()).arg("json-value").args(args).output().unwrap();
        assert_eq!(
            (stdout(&output).as_str(), output.status.code()),
            (expected, Some(code)),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn entries_are_checked_wherever_they_stand() {
    let places = ["decisions.md", "decisions/inbox/keaton-x.md", "agents/keaton/history.md", "skills/release/SKILL.md"];
    for (root, place) in [".squad", ".ai-team", "app/.squad"].into_iter().flat_map(|root| places.map(|at| (root, at))) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), format!("{root}/{place}"), bad());
        let output = squad_lint(folder.path()).args(["--format", "compact"]).output().unwrap();
        let text = stdout(&output);
        assert!(text.contains(&format!("{root}/{place}:1:5: error: ")), "{root}/{place}: {text}");
    }
}

#[test]
fn fail_on_and_min_severity() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", GOOD.replace("note", "decision"));
    let run = |args: &[&str]| squad_lint(folder.path()).args(args).output().unwrap();
    let only = ["--select", "sem/missing-rationale"];
    assert_eq!(run(&only).status.code(), Some(0));
    assert!(stdout(&run(&only)).contains("warning[sem/missing-rationale]"));
    assert_eq!(run(&[&only[..], &["--fail-on", "warning"]].concat()).status.code(), Some(1));
    let hidden = run(&[&only[..], &["--min-severity", "error"]].concat());
    assert_eq!(stdout(&hidden), "no problems found in 1 file; 1 warning not shown (--min-severity warning)\n");
    let quiet = run(&[&only[..], &["--min-severity", "error", "--quiet"]].concat());
    assert_eq!(stdout(&quiet), "");
    // What is not shown is not among those that the fix would repair.
    let other = GOOD.replace("15T14", "16T14").replace("**type:** note  \n", "");
    write(folder.path(), ".squad/decisions.md", bad() + "\n" + &other);
    assert_eq!(
        stdout(&run(&["--select", "sem", "--format", "compact"])).lines().last(),
        Some("found 1 error in 1 file, 1 fixable with --fix --select sem; 1 info not shown (--min-severity info)")
    );
}

#[test]
fn unknown_names_say_what_was_meant() {
    let folder = repository();
    for (given, meant) in [
        ("sem/mising-field", "sem/missing-field"),
        ("missing-field", "sem/missing-field"),
        ("sme", "sem"),
        ("sem/missing_field", "sem/missing-field"),
    ] {
        let output = squad_lint(folder.path()).args(["explain", given]).output().unwrap();
        assert!(stderr(&output).contains(&format!("did you mean `{meant}`?")), "{given}: {}", stderr(&output));
    }
}

#[test]
fn a_path_chooses_what_is_reported_but_not_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let refers = GOOD.replacen("---\n", "**related:**\n- note: x\n- decision: 2026-02-10T09:15:00-0800\n\n---\n", 1);
    write(folder.path(), ".squad/decisions/inbox/a.md", refers);
    let target = GOOD.replace("2026-02-15T14:32:15-0800", "2026-02-10T09:15:00-0800").replace("note", "decision");
    write(folder.path(), ".squad/decisions.md", target);
    let run = |args: &[&str]| stdout(&squad_lint(folder.path()).args(args).output().unwrap());
    let only_inbox = run(&["--format", "compact", "--select", "sem/dangling-reference", ".squad/decisions/inbox"]);
    assert_eq!(only_inbox, "no problems found in 1 file\n");
}

#[test]
fn excludes_hold_for_named_paths_and_an_empty_run_says_so() {
    let folder = repository();
    let output = squad_lint(folder.path()).args(["--exclude", ".squad", ".squad/decisions.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "warning: checked no files: the only file is excluded\n");
    write(folder.path(), "squad-lint.toml", "exclude = [\"decisions.md\"]\n");
    assert_eq!(code(&mut squad_lint(folder.path())), 0);
    assert_eq!(code(squad_lint(folder.path()).arg("--no-config")), 1);
}

#[test]
fn verbose_tells_what_was_done_on_standard_error() {
    let folder = repository();
    let output = squad_lint(folder.path()).args(["--verbose", "--format", "json"]).output().unwrap();
    let errors = stderr(&output);
    assert!(errors.contains("no git repository: checking the plain folder"), "{errors}");
    assert!(errors.contains("2 files to check"), "{errors}");
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn statistics_count_by_rule() {
    let folder = repository();
    let output = squad_lint(folder.path()).arg("--statistics").output().unwrap();
    assert_eq!(
        stdout(&output),
        "1  sem/timestamp-format  (1 fixable)\nfound 1 error in 2 files, 1 fixable with --fix\n"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", bad().repeat(5_000));
    let mut child =
        squad_lint(folder.path()).arg("--show-all").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn colour_obeys_option_and_environment() {
    let folder = repository();
    let colored = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = squad_lint(folder.path());
        command.env_remove("NO_COLOR").args(args).envs(variables.iter().copied());
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!colored(&[], &[]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&[], &[("FORCE_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[("FORCE_COLOR", "1")]));
    assert!(!colored(&["--format", "json"], &[("FORCE_COLOR", "1")]));
}

#[test]
fn the_configuration_sets_levels() {
    let folder = repository();
    let with = |config: &str| {
        write(folder.path(), "squad-lint.toml", config);
        code(&mut squad_lint(folder.path()))
    };
    assert_eq!(with("[rules]\nsem = \"off\"\n"), 0);
    assert_eq!(with("[rules]\n\"sem/timestamp-format\" = \"warning\"\n"), 0);
    assert_eq!(with("[rules]\nsem = \"off\"\n\"sem/timestamp-format\" = \"error\"\n"), 1);
    assert_eq!(with("fail-on = \"warning\"\n[rules]\nsem = \"warning\"\n"), 1);
}

#[test]
fn overrides_hold_for_their_files() {
    let folder = repository();
    let lines = |config: &str, args: &[&str]| {
        write(folder.path(), "squad-lint.toml", config);
        let output = squad_lint(folder.path()).args(["--format", "compact", "-q"]).args(args).output().unwrap();
        assert_eq!(stderr(&output), "", "{config}");
        stdout(&output)
    };
    let before = lines("", &[]);
    assert!(before.contains(": error: ") && before.contains("[sem/timestamp-format]"), "{before}");
    let over = |rules: &str| format!("[[overrides]]\nfiles = [\".squad/*\"]\nrules = {{ {rules} }}\n");
    assert_eq!(lines(&over("sem = \"off\""), &[]), "");
    assert_eq!(lines(&over("sem = \"warning\""), &[]), before.replace("error", "warning"));
    // The last one that speaks counts; others do not match.
    let two = over("sem = \"off\"") + &over("\"sem/timestamp-format\" = \"info\"");
    assert_eq!(lines(&two, &["--min-severity", "info"]), before.replace("error", "info"));
    assert_eq!(lines(&over("sem = \"off\"").replace(".squad/*", "docs"), &[]), before);
    // On in these files only.
    let off = "[rules]\n\"sem/timestamp-format\" = \"off\"\n\n";
    assert_eq!(lines(off, &[]), "");
    assert_eq!(lines(&(off.to_owned() + &over("\"sem/timestamp-format\" = \"error\"")), &[]), before);
    assert_eq!(lines(&(off.to_owned() + &over("sem = \"error\"")), &[]), "");
    assert_eq!(
        lines(&(off.to_owned() + &over("\"sem/timestamp-format\" = \"error\"").replace(".squad/*", "x")), &[]),
        ""
    );
    // The command line comes before the configuration.
    assert_eq!(lines(off, &["--select", "sem/timestamp-format"]), before);
    assert_eq!(lines(&over("\"sem/timestamp-format\" = \"error\""), &["--ignore", "sem"]), "");
}

#[test]
fn rules_have_options() {
    let folder = repository();
    let config = "[rules.options]\n\"sem/summary-too-long\" = { max-characters = 3 }\n";
    write(folder.path(), "squad-lint.toml", config);
    let output = squad_lint(folder.path()).args(["--format", "compact"]).output().unwrap();
    assert!(stdout(&output).contains("[sem/summary-too-long]"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn rules_and_explain_come_from_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| stdout(&squad_lint(folder.path()).args(args).output().unwrap());
    let json: Vec<serde_json::Value> = serde_json::from_str(&run(&["rules", "--format", "json"])).unwrap();
    let table = run(&["rules"]);
    assert_eq!(json.len(), table.lines().count());
    for rule in &json {
        let name = rule["name"].as_str().unwrap();
        assert!(table.contains(name), "{name}");
        assert!(run(&["explain", name]).starts_with(&format!("# {name}\n")), "{name}");
    }
}

#[test]
fn the_same_input_gives_the_same_output() {
    let folder = tempfile::tempdir().unwrap();
    for at in 0..60 {
        let entry = bad().replace("14:32:15", &format!("14:{:02}:15", at % 30));
        write(folder.path(), format!(".squad/decisions/inbox/{at}.md"), entry);
    }
    let run = |threads: &str| {
        let mut command = squad_lint(folder.path());
        command.args(["--format", "json", "--now", NOW]).env("RAYON_NUM_THREADS", threads).output().unwrap().stdout
    };
    let first = run("1");
    assert!(first.len() > 1000);
    for threads in ["1", "2", "7", "7", "7"] {
        assert_eq!(run(threads), first, "{threads} threads");
    }
}

#[test]
fn now_comes_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", GOOD);
    let args = ["--select", "sem/future-timestamp", "--fail-on", "warning"];
    let at = |now: &str| code(squad_lint(folder.path()).args(args).args(["--now", now]));
    assert_eq!((at("2026-02-13"), at("2026-02-15T14:32:15-0800"), at("2026-02-15T22:00:00Z")), (1, 0, 0));
    let by_epoch = |epoch| code(squad_lint(folder.path()).args(args).env("SOURCE_DATE_EPOCH", epoch));
    assert_eq!((by_epoch("1000000000"), by_epoch("1800000000")), (1, 0));
    assert_eq!((by_epoch("0"), by_epoch("253402300799")), (1, 0));
    for wrong in ["", "abc", "-5", "+5", " 5", "1e9", "253402300800", "99999999999999999999"] {
        let output = squad_lint(folder.path()).env("SOURCE_DATE_EPOCH", wrong).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(stderr(&output).contains("`SOURCE_DATE_EPOCH` is"), "{wrong:?}: {}", stderr(&output));
        // Nothing asks for it where the moment is given.
        assert_eq!(code(squad_lint(folder.path()).args(["--now", NOW]).env("SOURCE_DATE_EPOCH", wrong)), 0);
    }
    for wrong in ["", "abc", "2026-13-01", "1771165935"] {
        assert_eq!(at(wrong), 2, "{wrong:?}");
    }
}

#[test]
fn the_root_is_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", GOOD);
    for args in [
        &["--root", ".squad/decisions.md"][..],
        &["--root", "nowhere"],
        &["team", "show", "--root", ".squad/decisions.md"],
    ] {
        let output = squad_lint(folder.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("cannot open") || args.contains(&"team"), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(code(squad_lint(folder.path()).args(["--root", ".", "--now", NOW])), 0);
}

#[test]
fn a_family_begins_with_a_whole_entry_that_has_no_problem() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |args: &[&str]| stdout(&squad_lint(folder.path()).args(["--color", "never"]).args(args).output().unwrap());
    let page = stdout(&squad_lint(folder.path()).args(["explain", "sem"]).output().unwrap());
    let example = page.split("```markdown\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    assert!(page.starts_with("# sem\n\nA whole entry") && page.contains("\n# sem/malformed-header\n"), "{page}");
    write(folder.path(), ".squad/decisions.md", &example);
    let said = run(&["--root", ".", "--min-severity", "info"]);
    assert_eq!(said, "no problems found in 1 file\n");
    let schema = stdout(&squad_lint(folder.path()).args(["schema", "entry"]).output().unwrap());
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert!(schema["description"].as_str().unwrap().ends_with(&example), "{schema}");
}

#[test]
fn an_inbox_file_without_an_entry_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions/inbox/wren-one.md", "---\nauthor: Wren\n---\n\nAuthor: Wren\n\nUse tabs.\n");
    let run = || stdout(&squad_lint(folder.path()).args(["--root", "."]).output().unwrap());
    assert_eq!(run(), "no problems found in 1 file; no entry recognised in 1 inbox file\n");
    let entry = "### 2026-02-15T14:32:15-0800: note: x\n\n**type:** note  \n**timestamp:** 2026-02-15T14:32:15-0800  \n\
                 author: Wren\n\n**summary:** A sentence.\n\n---\n";
    write(folder.path(), ".squad/decisions/inbox/wren-one.md", entry);
    let said = run();
    assert!(said.contains("you wrote `author: Wren`, expected `**author:** Wren`"), "{said}");
    assert!(!said.contains("no entry recognised"), "{said}");
}

#[test]
fn the_command_that_fixes_has_the_options_and_paths_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let entry = "### 2026-02-15T14:32:15-08:00: note: x\n\n**type:** note  \n**timestamp:** 2026-02-15T14:32:15-0800  \n\
                 **author:** Wren  \n\n**summary:** A sentence.\n\n---\n";
    write(folder.path(), ".squad/a b/decisions.md", entry);
    write(folder.path(), ".squad/decisions.md", entry);
    let run = |args: &[&str]| stdout(&squad_lint(folder.path()).args(args).output().unwrap());
    let said = run(&["--no-config", "--root", ".", "--select", "sem", ".squad/decisions.md"]);
    let command = ", 1 fixable with --fix --select sem --root . --no-config .squad/decisions.md\n";
    assert!(said.ends_with(command), "{said}");
    assert!(run(&[]).contains(" fixable with --fix\n"));
    assert!(run(&["--root", ".", "./.squad/a b/../decisions.md"]).contains("'./.squad/a b/../decisions.md'"));
}

#[test]
fn every_subcommand_takes_color_quiet_and_verbose() {
    let folder = repository();
    for args in [&["explain", "sem/missing-field"][..], &["rules"], &["config", "--now", NOW], &["schema", "entry"]] {
        let run = |options: &[&str]| squad_lint(folder.path()).args(args).args(options).output().unwrap();
        let plain = run(&[]);
        assert_eq!(plain.status.code(), Some(0), "{args:?}");
        for options in [&["--quiet"][..], &["--color", "never", "--verbose"]] {
            let output = run(options);
            assert_eq!((output.status.code(), &output.stdout), (Some(0), &plain.stdout), "{args:?} {options:?}");
            let before = squad_lint(folder.path()).args(options).args(args).output().unwrap();
            assert_eq!(before, output, "{options:?} {args:?}");
        }
        assert_eq!(run(&["--quiet", "--verbose"]).status.code(), Some(2), "{args:?}");
    }
    let init = squad_lint(folder.path()).args(["init", "--root", ".", "--quiet"]).output().unwrap();
    assert_eq!((init.status.code(), stdout(&init)), (Some(0), String::new()));
}

#[test]
fn no_help_has_an_escape() {
    use clap::CommandFactory;
    fn check(command: &mut clap::Command) {
        for help in [command.render_help().to_string(), command.render_long_help().to_string()] {
            let is_escape = |sign: &str| help.contains(sign);
            assert!(!["\\n", "\\t", "\\\""].into_iter().any(is_escape), "{}: {help}", command.get_name());
        }
        command.get_subcommands_mut().for_each(check);
    }
    let mut command = squad_lint::cli::Cli::command();
    command.build();
    check(&mut command);
}
