//! The GitHub Action's script under a runner's conditions: what it compares for each event, in clones of one commit, what it
//! writes, and what it does where something is missing or hostile.
#![cfg(unix)]

mod runner;

use std::fs;

use crate::support::project;
use crate::support::repo::Repo;
use runner::{Action, Origin, Step, VERSION, entry};
use serde_json::{Value, json};

const ZERO: &str = "0000000000000000000000000000000000000000";

/// The finding in an entry of that day.
fn finding(day: &str) -> String {
    format!("timestamp `{day}T14:32:15Z` is not in the form")
}

/// A pull request of the branch that is checked out: its merge with `main`, as the server makes it, and the event.
fn pull_request(origin: &Origin) -> (String, Value) {
    let (head, base) = (origin.push("pull/7/head"), origin.id("main"));
    origin.author.git(&["checkout", "--quiet", "--detach", "main"]);
    origin.author.git(&["merge", "--quiet", "--no-ff", "--no-edit", &head]);
    let merge = origin.push("pull/7/merge");
    let event = json!({"pull_request": {"number": 7, "base": {"ref": "main", "sha": base}, "head": {"sha": head}}});
    (merge, event)
}

#[test]
fn a_pull_request_is_what_its_merge_brings() {
    let (action, origin) = (Action::released(), Origin::new());
    let old_base = origin.id("main");
    origin.author.git(&["checkout", "--quiet", "-b", "topic"]);
    origin.commit("2026-02-03", "+0000");
    // Meanwhile something wrong comes into the base branch. That is not the pull request's.
    origin.author.git(&["checkout", "--quiet", "main"]);
    origin.author.write(".squad/agents/kay/history.md", entry("2026-02-02", "Z"));
    origin.author.commit("on main");
    origin.push("main");
    origin.author.git(&["checkout", "--quiet", "topic"]);
    let (merge, mut event) = pull_request(&origin);
    let clone = origin.checkout(&merge);
    let ran = Step::new(&action, &clone, "pull_request", event.clone()).run();
    ran.ends_with(0).says("comparing").says_not("2026-02-0");
    assert_eq!((ran.outputs["findings"].as_str(), ran.annotations().len()), ("0", 0), "{ran:#?}");
    // What the event says of the base may be older than the merge.
    event["pull_request"]["base"]["sha"] = json!(old_base);
    Step::new(&action, &origin.checkout(&merge), "pull_request", event).run().ends_with(0).says_not("2026-02-02");

    origin.author.git(&["checkout", "--quiet", "topic"]);
    origin.commit("2026-02-04", "Z");
    let (merge, event) = pull_request(&origin);
    let clone = origin.checkout(&merge);
    let ran = Step::new(&action, &clone, "pull_request", event.clone()).run();
    ran.ends_with(1).says(&finding("2026-02-04")).says_not(&finding("2026-02-02")).says_not(&finding("2026-02-01"));
    assert_eq!(ran.outputs["findings"], "1");
    let [annotation] = ran.annotations()[..] else { panic!("{ran:#?}") };
    assert!(annotation.starts_with("::error file=.squad/decisions.md,line="), "{annotation}");
    assert!(ran.summary.contains("sem/timestamp-format"), "{}", ran.summary);
    // The other severity is the user's to choose.
    let ran =
        Step::new(&action, &clone, "pull_request", event).with("INPUT_ARGS", "--ignore sem/timestamp-format").run();
    ran.ends_with(0);
}

#[test]
fn a_pull_requests_head_will_do_as_well() {
    let (action, origin) = (Action::released(), Origin::new());
    origin.author.git(&["checkout", "--quiet", "-b", "topic"]);
    let head = origin.commit("2026-02-03", "Z");
    let (_, event) = pull_request(&origin);
    for clone in [origin.checkout(&head), origin.server.clone(&[])] {
        clone.git(&["fetch", "--quiet", "origin", &head]);
        clone.git(&["checkout", "--quiet", "--detach", &head]);
        let shallow = clone.git(&["rev-parse", "--is-shallow-repository"]);
        let ran = Step::new(&action, &clone, "pull_request", event.clone()).run();
        ran.ends_with(1).says(&finding("2026-02-03")).says_not(&finding("2026-02-01"));
        assert_eq!(clone.git(&["rev-parse", "--is-shallow-repository"]), shallow);
    }
}

#[test]
fn nothing_of_a_pull_request_runs_under_pull_request_target() {
    let (action, origin) = (Action::released(), Origin::new());
    origin.author.git(&["checkout", "--quiet", "-b", "topic"]);
    // All that a program could take for its configuration, and the clean-up of what is found.
    origin.author.write("squad-lint.toml", "[rules]\nsem = \"off\"\n");
    origin.author.write(".cargo/config.toml", "[build]\nrustc-wrapper = \"false\"\n");
    origin.author.write("Cargo.toml", "[package]\nname = \"x\"\n");
    let head = origin.commit("2026-02-03", "Z");
    let (_, event) = pull_request(&origin);
    let base = origin.id("main");
    let clone = origin.checkout(&base);
    let ran = Step::new(&action, &clone, "pull_request_target", event.clone()).run();
    ran.ends_with(1).says(&finding("2026-02-03")).says_not(&finding("2026-02-01"));
    assert_eq!(clone.git(&["rev-parse", "HEAD"]).trim(), base);
    assert_eq!(clone.git(&["status", "--porcelain"]), "");
    // Where there is no merge, or that of another push, its head is read.
    for merge in [None, Some("main")] {
        match merge {
            None => origin.author.git(&["push", "--quiet", "origin", ":refs/pull/7/merge"]),
            Some(other) => origin.author.git(&["push", "--quiet", "origin", &format!("{other}:refs/pull/7/merge")]),
        };
        let clone = origin.checkout(&base);
        let ran = Step::new(&action, &clone, "pull_request_target", event.clone()).run();
        ran.ends_with(1).says(&finding("2026-02-03")).says(&format!("comparing {head} with {base}"));
    }
}

/// The line of a result in SARIF.
fn line_of(result: &Value) -> Option<u64> {
    result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64()
}

#[test]
fn a_push_is_what_came_since_the_last_one() {
    let (action, origin) = (Action::released(), Origin::new());
    let before = origin.id("main");
    origin.commit("2026-02-02", "Z");
    origin.commit("2026-02-03", "+0000");
    let after = origin.push("main");
    let event = json!({"before": before, "after": after, "forced": false, "deleted": false, "repository": {"default_branch": "main"}});
    let clone = origin.checkout(&after);
    let ran = Step::new(&action, &clone, "push", event.clone()).run();
    ran.ends_with(1).says(&finding("2026-02-02")).says_not(&finding("2026-02-01"));
    // Code scanning takes what is missing for repaired, and gets all there is.
    let step = Step::new(&action, &clone, "push", event.clone());
    let ran = step.with("INPUT_SARIF_FILE", "out.sarif").with("INPUT_ARGS", "--all-lines --exclude none").run();
    ran.ends_with(1).says_not("was not written");
    let sarif: Value = serde_json::from_slice(&fs::read(clone.path.join("out.sarif")).unwrap()).unwrap();
    let lines: Vec<_> = sarif["runs"][0]["results"].as_array().unwrap().iter().filter_map(line_of).collect();
    assert!(lines.contains(&1) && lines.len() > 1, "{lines:?}");
    fs::remove_file(clone.path.join("out.sarif")).unwrap();

    // The first push is everything; a new branch what the default branch has not.
    let first = |branch: &str, commit: &str| {
        let mut event = event.clone();
        event["before"] = json!(ZERO);
        Step::new(&action, &origin.checkout(commit), "push", event)
            .with("GITHUB_REF", format!("refs/heads/{branch}"))
            .run()
    };
    first("main", &after).ends_with(1).says("checking all files").says(&finding("2026-02-01"));
    origin.author.git(&["checkout", "--quiet", "-b", "topic"]);
    let topic = origin.commit("2026-02-04", "Z");
    origin.push("topic");
    first("topic", &topic).ends_with(1).says(&finding("2026-02-04")).says_not(&finding("2026-02-02"));

    // A branch that goes has nothing to check.
    let mut gone = event.clone();
    gone["deleted"] = json!(true);
    gone["after"] = json!(ZERO);
    let ran = Step::new(&action, &clone, "push", gone).run();
    ran.ends_with(0).says("there is nothing to check");
    // What a tag is compared with nobody knows.
    let ran = Step::new(&action, &clone, "push", event).with("GITHUB_REF", "refs/tags/v1").run();
    ran.ends_with(1).says("checking all files");
}

#[test]
fn a_force_push_is_compared_with_what_was_there() {
    let (action, origin) = (Action::released(), Origin::new());
    origin.author.git(&["checkout", "--quiet", "-b", "topic"]);
    let before = origin.commit("2026-02-02", "Z");
    origin.push("topic");
    origin.author.git(&["reset", "--quiet", "--hard", "main"]);
    let after = origin.commit("2026-02-03", "Z");
    origin.push("topic");
    let mut event =
        json!({"before": before, "forced": true, "deleted": false, "repository": {"default_branch": "main"}});
    let run = |event: &Value| {
        let clone = origin.checkout(&after);
        Step::new(&action, &clone, "push", event.clone()).with("GITHUB_REF", "refs/heads/topic").run()
    };
    run(&event).ends_with(1).says(&finding("2026-02-03")).says_not(&finding("2026-02-01"));
    // What the server has forgotten is told, and the default branch stands in.
    event["before"] = json!("1234567890123456789012345678901234567890");
    let ran = run(&event);
    ran.ends_with(1).says("cannot be fetched any more").says(&finding("2026-02-03")).says_not(&finding("2026-02-01"));
    event["repository"]["default_branch"] = json!("nothing");
    run(&event).ends_with(1).says("checking all files").says(&finding("2026-02-01"));
}

#[test]
fn merge_queues_and_runs_by_hand() {
    let (action, origin) = (Action::released(), Origin::new());
    let base = origin.id("main");
    let head = origin.commit("2026-02-03", "Z");
    origin.author.write(".ai-team/team.md", "# Team\n");
    origin.author.commit("leak");
    origin.push("gh-readonly-queue/main/pr-7");
    let leak = origin.id("HEAD");
    let event = json!({"merge_group": {"base_sha": base, "base_ref": "refs/heads/main", "head_sha": head}});
    let ran = Step::new(&action, &origin.checkout(&leak), "merge_group", event).run();
    ran.ends_with(1).says(&finding("2026-02-03")).says_not(&finding("2026-02-01")).says("guard/protected-branch");
    for name in ["workflow_dispatch", "schedule"] {
        let ran = Step::new(&action, &origin.checkout(&base), name, json!({})).run();
        ran.ends_with(1).says("checking all files").says(&finding("2026-02-01"));
    }
}

/// A clone of one commit, the push that made it, and what it takes to run the action on it.
fn pushed(text: &str) -> (Origin, Repo, Value) {
    let origin = Origin::new();
    let before = origin.id("main");
    origin.author.write(".squad/decisions/new.md", text);
    origin.author.commit("new");
    let after = origin.push("main");
    let clone = origin.checkout(&after);
    (
        origin,
        clone,
        json!({"before": before, "forced": false, "deleted": false, "repository": {"default_branch": "main"}}),
    )
}

#[test]
fn inputs_reach_the_program_as_they_are() {
    let action = Action::released();
    let (_origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    clone.write("a b/.squad/decisions.md", entry("2026-02-05", "Z"));
    clone.write("strict.toml", "fail-on = \"warning\"\n[rules]\n\"sem/timestamp-format\" = \"warning\"\n");
    let step = || Step::new(&action, &clone, "workflow_dispatch", event.clone());
    let ran = step().with("INPUT_PATHS", "a b\n\n.squad/decisions/new.md\r\n").with("INPUT_ARGS", "--select sem").run();
    ran.ends_with(1).says(&finding("2026-02-05")).says(&finding("2026-02-03")).says_not(&finding("2026-02-01"));
    assert_eq!(ran.outputs["findings"], "2");
    let ran = step().with("INPUT_CONFIG", "strict.toml").with("INPUT_PATHS", "a b").run();
    ran.ends_with(1).says("warning[sem/timestamp-format]");
    ran.says("\n::warning file=a b/.squad/decisions.md,");
    let ran =
        step().with("INPUT_CONFIG", "strict.toml").with("INPUT_FAIL_ON", "error").with("INPUT_PATHS", "a b").run();
    ran.ends_with(0);
    let ran =
        step().with("INPUT_ANNOTATIONS", "false").with("INPUT_ARGS", "--select sem\n--ignore sem/missing-field").run();
    ran.ends_with(1).says("error[sem/timestamp-format]");
    assert!(ran.annotations().is_empty(), "{ran:#?}");
    let ran = step().with("INPUT_WORKING_DIRECTORY", "a b").with("INPUT_SARIF_FILE", "out.sarif").run();
    assert_eq!(ran.outputs["sarif-file"], "a b/out.sarif");
    let sarif: Value = serde_json::from_slice(&fs::read(clone.path.join("a b/out.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(step().with("INPUT_VERSION", VERSION).run().code, 1);
}

#[test]
fn the_summary_shows_the_fixes_when_asked_for() {
    let action = Action::released();
    let text = entry("2026-02-03", "Z").replace("**summary:**", "```\n````\n::error::x\n```\n````\n\n**summary:**");
    let (_origin, clone, event) = pushed(&text);
    let ran = Step::new(&action, &clone, "push", event.clone()).with("INPUT_FIX_DIFF", "true").run();
    let (_, diff) = ran.ends_with(1).summary.split_once("diff\n").unwrap_or_else(|| panic!("{ran:#?}"));
    assert!(diff.contains("\n+### 2026-02-03T14:32:15+0000: note: One of 2026-02-03\n"), "{diff}");
    let fence = ran.summary.lines().find(|line| line.ends_with("`diff")).unwrap().trim_end_matches("diff");
    assert_eq!(diff.lines().filter(|line| line.contains(fence)).count(), 1, "{diff}");
    assert!(ran.annotations().iter().all(|line| line.starts_with("::error file=")), "{ran:#?}");
    assert_eq!(clone.git(&["status", "--porcelain"]), "");
    let ran = Step::new(&action, &clone, "push", event).run();
    assert!(!ran.summary.contains("+### "), "{}", ran.summary);
}

#[test]
fn ten_annotations_of_a_kind_and_the_rest_in_the_summary() {
    let action = Action::released();
    let entries: Vec<String> = (10..25).map(|day| entry(&format!("2026-01-{day}"), "Z")).collect();
    let (_origin, clone, event) = pushed(&entries.join("\n"));
    let ran = Step::new(&action, &clone, "push", event).run();
    assert_eq!(ran.ends_with(1).outputs["findings"], "15");
    assert_eq!(ran.annotations().len(), 10, "{ran:#?}");
    assert!(ran.summary.contains("5 more are here and not at their lines"), "{}", ran.summary);
}

#[test]
fn what_is_missing_is_said_and_never_clean() {
    let action = Action::released();
    let (_origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    let pull = json!({"pull_request": {"number": 7, "base": {"ref": "main"}, "head": {"sha": ZERO}}});
    let unknown = json!({"before": "1234567890123456789012345678901234567890"});
    let cases = [
        ("push", json!({}), "the event has no `before`"),
        ("push", unknown.clone(), "is not in the clone and cannot be fetched"),
        ("push", unknown, "`fetch-depth: 0` at actions/checkout gets it"),
        ("push", json!([1]), "the event has no `before`"),
        ("push", json!("x"), "the event has no `before`"),
        ("pull_request", pull.clone(), "the event has no `pull_request.base.sha`"),
        ("pull_request_target", pull, "the event has no `pull_request.base.sha`"),
        ("pull_request", json!({"pull_request": 3}), "the event has no `pull_request.base.sha`"),
        ("merge_group", json!({}), "the event has no `merge_group.base_sha`"),
        ("push", Value::Null, "GITHUB_EVENT_PATH names no file"),
    ];
    for (name, event, message) in cases {
        let ran = Step::new(&action, &clone, name, event).run();
        ran.ends_with(2).says("::error title=squad-lint::").says(message);
    }
    let run = |variable, value: &str| Step::new(&action, &clone, "push", event.clone()).with(variable, value).run();
    run("GITHUB_EVENT_NAME", "").ends_with(2).says("GITHUB_EVENT_NAME is not set");
    run("GITHUB_WORKSPACE", "/nowhere").ends_with(2).says("cannot be entered; does a checkout come before this step?");
    run("INPUT_WORKING_DIRECTORY", "nowhere").ends_with(2).says("`nowhere` cannot be entered");
    run("INPUT_FAIL_ON", "eror").ends_with(2).says("invalid value 'eror'");
    run("INPUT_ANNOTATIONS", "yes").ends_with(2).says("the input `annotations` is `yes`, expected true or false");
    let nothing = tempfile::tempdir().unwrap();
    run("GITHUB_WORKSPACE", nothing.path().to_str().unwrap()).ends_with(2).says("there is no git repository");
    // Without the runner's files there is the log, and the exit code.
    for name in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"] {
        let ran = run(name, "");
        ran.says(&format!("{name} is not set")).says(&finding("2026-02-03"));
        assert_eq!(ran.code, 1);
    }
    let broken = Step::new(&action, &clone, "push", Value::Null).with("GITHUB_EVENT_PATH", "README.broken");
    clone.write("README.broken", "{\"before\": ");
    broken.run().ends_with(2).says("the event in GITHUB_EVENT_PATH cannot be read");
}

#[test]
fn nothing_hostile_becomes_a_command() {
    let action = Action::released();
    let (origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    let step = || Step::new(&action, &clone, "push", event.clone());
    let canary = clone.path.join("canary");
    let paths = "--help\n$(touch canary)\n`touch canary`\n; touch canary\n*";
    let ran = step().with("INPUT_PATHS", paths).run();
    assert!(!ran.log.contains("Usage"), "{ran:#?}");
    for (name, value) in [
        ("INPUT_ARGS", "--exclude $(touch${IFS}canary) --exclude `touch${IFS}canary`"),
        ("INPUT_CONFIG", "$(touch canary)"),
        ("INPUT_CONFIG", "a\nb"),
        ("INPUT_SARIF_FILE", "out\nexit-code=0"),
        ("INPUT_WORKING_DIRECTORY", ".\r\nx"),
        ("INPUT_FAIL_ON", "error --exit-zero"),
        ("INPUT_VERSION", "1.0.0; touch canary"),
        ("INPUT_VERSION", "../../x"),
        ("GITHUB_REF", "refs/heads/$(touch canary)"),
    ] {
        let ran = step().with(name, value).run();
        assert!(ran.code == 1 || ran.code == 2, "{name}: {ran:#?}");
        assert_eq!(ran.outputs["exit-code"], ran.code.to_string(), "{name}: {ran:#?}");
        assert!(!canary.exists(), "{name}");
    }
    for (commit, message) in [
        ("--upload-pack=touch canary", "`before` of the event is no commit"),
        ("HEAD; touch canary", "`before` of the event is no commit"),
        ("0000\n::set-output name=a::b", "has a control character"),
        ("main", "`before` of the event is no commit"),
    ] {
        let mut event = event.clone();
        event["before"] = json!(commit);
        let ran = Step::new(&action, &clone, "push", event).run();
        ran.ends_with(2).says(message);
        assert!(!canary.exists() && !ran.log.contains("\n::set-output"), "{ran:#?}");
    }
    // A path in the repository that the runner could take for a command.
    origin.author.write(".squad/decisions/a%0A::set-output name=x::y,z.md", entry("2026-02-06", "Z"));
    origin.author.commit("a name");
    let after = origin.push("main");
    let ran = Step::new(&action, &origin.checkout(&after), "push", event.clone()).run();
    ran.ends_with(1).says("file=.squad/decisions/a%250A%3A%3Aset-output name=x%3A%3Ay%2Cz.md");
    assert!(ran.annotations().iter().all(|line| line.starts_with("::error file=.squad/")), "{ran:#?}");
}

#[test]
fn only_a_known_program_is_run() {
    let action = Action::released();
    let (_origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    let run = |version: &str| Step::new(&action, &clone, "push", event.clone()).with("INPUT_VERSION", version).run();
    run("9.9.9").ends_with(2).says("squad-lint 9.9.9 is not known to this action").says("the action's tag v9.9.9");
    run("v1").ends_with(2).says("`v1` is no version of squad-lint");
    action.write_checksums(&"0".repeat(64));
    run("").ends_with(2).says("expected 0000").says("it is not run").says_not("error[");
    let gone = Step::new(&action, &clone, "push", event.clone()).with("SQUAD_LINT_RELEASES", "file:///nowhere");
    gone.run().ends_with(2).says("cannot download file:///nowhere/v");
    // Without a release the source is built, and where that cannot be it is said.
    fs::write(action.path().join("hooks/checksums.txt"), "# none\n").unwrap();
    let tools = tools(&["jq", "python3"]);
    let step = Step::new(&action, &clone, "push", event.clone()).with("PATH", tools.path().to_str().unwrap());
    step.run().ends_with(2).says("and no cargo here to build it with");
}

/// A folder with what a small runner has, and with these.
fn tools(more: &[&str]) -> tempfile::TempDir {
    let tools = tempfile::tempdir().unwrap();
    for tool in ["bash", "git", "sed", "head", "grep", "mktemp", "rm", "dirname", "cat", "cut", "tr"].iter().chain(more)
    {
        let folders = std::env::var_os("PATH").unwrap();
        let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(tool));
        if let Some(path) = paths.find(|path| path.is_file()) {
            std::os::unix::fs::symlink(path, tools.path().join(tool)).unwrap();
        }
    }
    tools
}

#[test]
fn neither_jq_nor_python_is_needed() {
    let action = Action::released();
    let tools = tools(&["sh", "uname", "awk", "curl", "tar", "gzip", "sha256sum", "shasum", "perl"]);
    let path = tools.path().to_str().unwrap();
    let (origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    let ran = Step::new(&action, &clone, "push", event).with("PATH", path).with("INPUT_FIX_DIFF", "true").run();
    assert_eq!(ran.ends_with(1).outputs["findings"], "1");
    assert!(ran.summary.contains("\n+### 2026-02-03T14:32:15+0000"), "{ran:#?}");
    // A tag, on a clean repository: nothing of the event is asked for, and there is nothing to count.
    origin.author.write(".squad/decisions/new.md", entry("2026-02-03", "+0000"));
    origin.author.write(".squad/decisions.md", entry("2026-02-01", "+0000"));
    origin.author.commit("clean");
    let clone = origin.checkout(&origin.push("main"));
    let tag = || Step::new(&action, &clone, "push", json!({})).with("GITHUB_REF", "refs/tags/v1").with("PATH", path);
    let ran = tag().with("INPUT_FIX_DIFF", "true").run();
    assert_eq!(ran.ends_with(0).outputs["findings"], "0");
    clone.write("README.broken", "{\"before\": ");
    let broken = Step::new(&action, &clone, "push", Value::Null).with("GITHUB_EVENT_PATH", "README.broken");
    broken.with("PATH", path).run().ends_with(2).says("the event in GITHUB_EVENT_PATH cannot be read");
}

#[test]
fn a_sarif_file_that_was_there_is_not_this_runs() {
    let action = Action::released();
    let (_origin, clone, event) = pushed(&entry("2026-02-03", "Z"));
    clone.write("out.sarif", "{\"version\": \"2.1.0\", \"runs\": []}");
    for name in ["push", "workflow_dispatch"] {
        let step = || Step::new(&action, &clone, name, event.clone()).with("INPUT_SARIF_FILE", "out.sarif");
        let ran = step().with("INPUT_FAIL_ON", "eror").run();
        assert_eq!(ran.ends_with(2).outputs.get("sarif-file"), None, "{ran:#?}");
        assert_eq!(step().run().ends_with(1).outputs["sarif-file"], "./out.sarif");
    }
    // Where only the second run, that of the whole branch, comes to nothing, it was not written either.
    fs::remove_file(clone.path.join("out.sarif")).unwrap();
    fs::create_dir(clone.path.join("out.sarif")).unwrap();
    clone.write("out.sarif/x", "x");
    let ran = Step::new(&action, &clone, "push", event).with("INPUT_SARIF_FILE", "out.sarif").run();
    ran.ends_with(1).says("the SARIF file was not written");
    assert_eq!(ran.outputs.get("sarif-file"), None, "{ran:#?}");
}

#[test]
fn every_input_is_handed_over_and_read() {
    let text = fs::read_to_string(project().join("action.yml")).unwrap();
    let script = fs::read_to_string(project().join("hooks/action.sh")).unwrap();
    let of_section = |name: &str| -> Vec<String> {
        let section = text.split(&format!("\n{name}:\n")).nth(1).unwrap().split("\n\n").next().unwrap();
        let keys = section.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        keys.map(|line| line.trim().trim_end_matches(':').to_owned()).collect()
    };
    let inputs = of_section("inputs");
    let expected =
        ["paths", "args", "config", "fail-on", "sarif-file", "annotations", "version", "working-directory", "fix-diff"];
    assert_eq!(inputs, expected);
    for input in inputs {
        let variable = format!("INPUT_{}", input.to_uppercase().replace('-', "_"));
        assert!(text.contains(&format!("{variable}: ${{{{ inputs.{input} }}}}\n")), "{input} is not handed over");
        assert!(script.contains(&format!("{variable}:-")), "{input} is not read");
    }
    for output in of_section("outputs") {
        assert!(text.contains(&format!("steps.check.outputs.{output} }}}}")), "{output} has no value");
        assert!(script.contains(&format!("output {output} ")), "{output} is never set");
    }
    // Expressions stand in `env`, `if`, `with` and `value` alone: nothing is written into a script.
    let run: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("run:")).collect();
    assert_eq!(run, ["      run: bash \"$GITHUB_ACTION_PATH/hooks/action.sh\""]);
}
