//! Nothing that a file, a path or a message holds does anything where a report is printed or read: one test a format.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;
use squad_lint::report::Format;

use super::read::{Command, command, json, reports, xml};

/// What would do something: to a runner's log, a terminal, Markdown, HTML, XML, JSON.
const EVIL: &str = "##[set-output name=evil]1 ##vso[task.setvariable variable=evil]1 @evil #1 </code></pre><img src=x onerror=evil()> \
     [evil](http://evil.example) ![evil](x) ](1) `evil`` ``` %0A::set-output name=evil::1 \" ' ]]> &evil; | \u{1b}[31m \u{9b}31m \u{202e} \u{7f} \u{fffe}";

/// The same for the name of a file, where it is not UTF-8, too.
const EVIL_NAME: &[u8] = b" ::error file=evil::1\n::set-output name=evil::1%0A##[set-output name=evil]1 \"'@evil <img src=x>[evil](x)`|&,:\x1b[31m\xc2\x9b\xff.md";

/// What all formats say of a repository in which everything is evil.
fn evil() -> &'static BTreeMap<&'static str, String> {
    static REPORTS: OnceLock<BTreeMap<&'static str, String>> = OnceLock::new();
    REPORTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let inbox = folder.path().join(".squad/decisions/inbox");
        fs::create_dir_all(&inbox).unwrap();
        let entry = format!(
            "### 2026-02-15T14:32:15Z: {EVIL}: {EVIL}\n\n**type:** {EVIL}\n**timestamp:** {EVIL}\n**author:** {EVIL}\n\n\
             **scope:** {EVIL}\n**tags:** {EVIL},,\n**{EVIL}:** x\n**related:**\n- {EVIL}\n- decision: {EVIL}\n\n---\n::error::evil\n\
             <!-- squad-lint: ignore {EVIL} -- {EVIL} -->\n"
        );
        for name in [OsStr::from_bytes(EVIL_NAME), OsStr::new("::set-output name=evil::1.md")] {
            fs::write(inbox.join(name), &entry).unwrap();
        }
        fs::write(folder.path().join(OsStr::from_bytes(b"##[set-output name=evil]1.md")), &entry).unwrap();
        fs::write(folder.path().join(".squad/decisions.md"), &entry).unwrap();
        let args = ["--select", "all", "--min-severity", "info", "--show-suppressed", "--show-all", "--root", "."];
        let found = reports(folder.path(), &args);
        assert!(found["json"].matches("evil").count() > 20, "{}", found["json"]);
        found
    })
}

/// Asserts what holds of every format: no character that a terminal obeys, and no command to a runner but `allowed` ones.
fn assert_quiet(format: &str, allowed: impl Fn(&Command) -> bool) -> &'static str {
    let text = &evil()[format];
    let active = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for line in text.lines() {
        assert!(!line.contains(active), "{format}: {line:?}");
        let command = command(line).filter(|command| !allowed(command));
        assert!(command.is_none(), "{format}: {line:?} is {command:?}");
        assert!(!line.contains("##vso["), "{format}: {line:?}");
    }
    text
}

fn none(_: &Command) -> bool {
    false
}

/// The name of the worst file, with `\u{fffd}` for what is not UTF-8.
fn evil_path() -> String {
    format!(".squad/decisions/inbox/{}", String::from_utf8_lossy(EVIL_NAME))
}

/// Each format has a test of its own below as well; a new one is held to this at once.
#[test]
fn every_format_is_quiet() {
    for format in Format::all() {
        // Workflow commands are what it is for.
        assert_quiet(format.name, |_| format.name == "github");
    }
}

#[test]
fn text() {
    assert_quiet("text", none);
}

#[test]
fn compact() {
    let text = assert_quiet("compact", none);
    let findings = json(&evil()["json"]);
    let count = |name: &str| findings[name].as_array().unwrap().len();
    // One line each, and one with the totals.
    assert_eq!(text.lines().count(), count("diagnostics") + count("suppressed") + 1);
}

#[test]
fn json_output() {
    let text = assert_quiet("json", none);
    let paths: Vec<Value> =
        json(text)["diagnostics"].as_array().unwrap().iter().map(|one| one["path"].clone()).collect();
    assert!(paths.contains(&evil_path().into()), "{paths:?}");
}

#[test]
fn gitlab() {
    let issues = json(assert_quiet("gitlab", none));
    assert!(issues.as_array().unwrap().iter().any(|issue| issue["location"]["path"] == evil_path()));
}

#[test]
fn rdjson() {
    let report = json(assert_quiet("rdjson", none));
    assert!(report["diagnostics"].as_array().unwrap().iter().any(|one| one["location"]["path"] == evil_path()));
}

#[test]
fn sarif() {
    let log = json(assert_quiet("sarif", none));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let uri = |result: &Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    assert!(results.iter().any(|result| uri(result).contains("%1B%5B31m%C2%9B%FF.md")), "bytes are kept in the URI");
    for result in results {
        assert!(uri(result).bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)));
        let mut messages = vec![&result["message"]["text"], &result["fixes"][0]["description"]["text"]];
        messages.extend(result["relatedLocations"].as_array().into_iter().flatten().map(|one| &one["message"]["text"]));
        // Plain text has links, too.
        assert!(messages.iter().all(|text| !text.to_string().contains("](")), "{messages:?}");
    }
    assert!(results.iter().any(|result| result["message"]["text"].as_str().unwrap().contains("[evil] (http")));
}

#[test]
fn github() {
    let names = ["error", "warning", "notice"];
    let properties = ["file", "line", "endLine", "col", "endColumn", "title"];
    let is_ours = |command: &Command| {
        names.contains(&command.name.as_str())
            && command.properties.keys().all(|key| properties.contains(&key.as_str()))
    };
    let text = assert_quiet("github", is_ours);
    let commands: Vec<Command> = text.lines().map(|line| command(line).unwrap()).collect();
    assert_eq!(commands.len(), json(&evil()["json"])["diagnostics"].as_array().unwrap().len());
    let shown = evil_path().replace('\u{1b}', "\\u{1b}").replace('\u{9b}', "\\u{9b}");
    assert!(commands.iter().any(|command| command.properties["file"] == shown), "{text}");
    // What a message holds is on its one line, also when the runner has decoded it.
    let is_note = |line: &str| line.starts_with("help: ") || line.starts_with("note: ");
    assert!(commands.iter().all(|command| command.data.lines().skip(1).all(is_note)), "{text}");
    assert!(commands.iter().any(|command| command.data.contains("%0A::set-output")), "{text}");
}

#[test]
fn junit() {
    let report = xml(assert_quiet("junit", none));
    let known = ["testsuites", "testsuite", "testcase", "failure", "skipped", "error"];
    assert!(report.all().iter().all(|element| known.contains(&element.name.as_str())));
    assert!(report.all().iter().any(|element| element.text.contains("<img src=x onerror=evil()>")), "{report:?}");
}

#[test]
fn checkstyle() {
    let report = xml(assert_quiet("checkstyle", none));
    let messages: Vec<_> = report.all().into_iter().filter_map(|element| element.attributes.get("message")).collect();
    assert!(messages.iter().any(|message| message.contains("<img src=x onerror=evil()>")), "{messages:?}");
    assert!(report.all().iter().all(|element| ["checkstyle", "file", "error"].contains(&element.name.as_str())));
}

#[test]
fn summary() {
    let text = assert_quiet("summary", none);
    assert!(text.contains("evil"));
    let mut code = false;
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => code = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(dest_url.starts_with("https://docs.rs/squad-lint/"), "{dest_url}");
            }
            Event::Start(Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => panic!("{event:?} in {text}"),
            // Neither a word of a file nor a mention of anybody stands outside of code.
            Event::Text(words) if !code => assert!(!words.contains("evil") && !words.contains('@'), "{words}"),
            _ => {}
        }
    }
    assert!(!code);
}

#[test]
fn commands_of_runners_are_known_here() {
    assert_eq!(command("\u{a0}::set-output name=x::1").unwrap().name, "set-output");
    assert_eq!(command("a ##[set-output name=x;]1").unwrap().name, "set-output");
    assert!(command("a::b::c").is_none() && command("## [x]").is_none());
    assert!(Path::new(OsStr::from_bytes(EVIL_NAME)).to_str().is_none());
}

/// What prints a part of the configuration, or of older entries, does as little.
#[test]
fn other_output_than_reports() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "##[error]a\u{9b}31m\u{202e}\u{7f}";
    let as_toml = "##[error]a\\u009b31m\\u202e\\u007f";
    let configuration = format!(
        "exclude = [\"{as_toml}\"]\n\n[[overrides]]\nfiles = [\"{as_toml}\"]\nrules = {{ \"sem/expired\" = \"off\" }}\n"
    );
    crate::support::write(folder.path(), "squad-lint.toml", configuration);
    let path = format!(".squad/decisions/inbox/{evil}.md");
    crate::support::write(folder.path(), &path, format!("### 2026-02-15: {evil}\n\n**By:** Keaton\n\n{evil}\n"));
    let run = |args: &[&str]| {
        let output = crate::support::squad_lint(folder.path()).args(args).output().unwrap();
        let text = crate::support::stdout(&output);
        let is_active = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(is_active) && !text.contains("##["), "{args:?}: {text}");
        text
    };
    let values = json(&run(&["config", "--format", "json"]));
    let exclude = |setting: &&Value| setting["key"] == "exclude" && setting["value"][0] == evil;
    assert_eq!(values["settings"].as_array().unwrap().iter().filter(exclude).count(), 1, "{values}");
    assert_eq!(values["overrides"][0]["files"][0], evil);

    let values: toml::Value = toml::from_str(&run(&["config"])).unwrap();
    assert!(values["exclude"].as_array().unwrap().contains(&evil.into()), "{values:?}");
    assert_eq!(values["overrides"][0]["files"][0].as_str(), Some(evil));

    let arguments = ["convert", "--dry-run", "--no-config"];
    let converted = json(&run(&[&arguments[..], &["--format", "json"]].concat()));
    assert_eq!(converted["entries"][0]["path"], path, "{converted}");
    assert!(run(&arguments).contains("decisions/inbox"));
    run(&["convert", "--no-config", "--log", "log.jsonl"]);
    let log = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert!(log.is_ascii() && !log.contains("##["), "{log}");
    assert_eq!(json(&log)["path"], path, "{log}");
}
