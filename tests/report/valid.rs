//! What all fixtures give, format by format, against the specification of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::read::{Element, command, diagnostics, json as parse, reports, xml};
use crate::support::{files_below, project, squad_lint};

/// The cases of all fixtures, each a small repository, and the sample.
fn folders() -> Vec<PathBuf> {
    let base = project().join("tests/rules");
    let case = |path: PathBuf| base.join(path.iter().take(3).collect::<PathBuf>());
    let mut cases: Vec<_> = files_below(&base).into_iter().map(case).collect();
    cases.dedup();
    cases.push(project().join("tests/demo"));
    cases
}

/// A folder and what a run in it writes, by format.
pub type Written = (PathBuf, BTreeMap<&'static str, String>);

/// What all of them give; they are run once.
pub fn all() -> &'static [Written] {
    static ALL: OnceLock<Vec<Written>> = OnceLock::new();
    let args = ["--select", "all", "--min-severity", "info", "--show-suppressed", "--root", "."];
    ALL.get_or_init(|| folders().into_iter().map(|folder| (folder.clone(), reports(&folder, &args))).collect())
}

/// Asserts that `value` is what `schema` says.
pub fn assert_valid(schema: &Value, value: &Value, shown: &str) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<_> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{shown}\n{}", errors.join("\n"));
}

/// What GitLab reads of a code quality report.
fn gitlab_schema() -> Value {
    let line = json!({"type": "integer", "minimum": 1});
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "minLength": 1},
                "check_name": {"type": "string", "minLength": 1},
                "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "not": {"pattern": "^\\.?/"}},
                        "lines": {"type": "object", "required": ["begin"], "properties": {"begin": line, "end": line}},
                    },
                },
            },
        },
    })
}

/// The message `DiagnosticResult` of reviewdog, whose fields this program writes.
fn rdjson_schema() -> Value {
    let object = |required: &[&str], properties: Value| json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false});
    let text = json!({"type": "string"});
    let number = json!({"type": "integer", "minimum": 1});
    let position = object(&["line"], json!({"line": number, "column": number}));
    let range = object(&["start"], json!({"start": position, "end": position}));
    let location = object(&["path"], json!({"path": text, "range": range}));
    let severity = json!({"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]});
    let source = object(&["name"], json!({"name": text, "url": text}));
    let code = object(&["value"], json!({"value": text, "url": text}));
    let suggestion = object(&["range", "text"], json!({"range": range, "text": text}));
    let related = object(&["location"], json!({"message": text, "location": location}));
    let diagnostic = object(
        &["message", "location"],
        json!({
            "message": text, "location": location, "severity": severity, "source": source, "code": code,
            "suggestions": {"type": "array", "items": suggestion}, "original_output": text,
            "related_locations": {"type": "array", "items": related},
        }),
    );
    let diagnostics = json!({"type": "array", "items": diagnostic});
    object(&["diagnostics"], json!({"diagnostics": diagnostics, "source": source, "severity": severity}))
}

#[test]
fn gitlab_gets_an_issue_for_each_finding() {
    let mut issues = 0;
    for (folder, reports) in all() {
        let (report, found) = (parse(&reports["gitlab"]), diagnostics(reports));
        let shown = folder.display().to_string();
        assert_valid(&gitlab_schema(), &report, &shown);
        let list = report.as_array().unwrap();
        let fingerprints: BTreeSet<&str> = list.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(fingerprints.len(), list.len(), "{shown}");
        assert_eq!(list.len(), found.len(), "{shown}");
        for (issue, found) in list.iter().zip(&found) {
            assert_eq!(issue["check_name"], found["rule"]);
            assert_eq!(issue["location"]["path"], found["path"]);
            let line = found["range"]["start"]["line"].as_u64().unwrap_or(1);
            assert_eq!(issue["location"]["lines"]["begin"].as_u64(), Some(line), "{shown}");
        }
        issues += list.len();
    }
    assert!(issues > 300, "only {issues} issues");
}

#[test]
fn reviewdog_gets_places_in_bytes_and_suggestions_that_do_what_the_fix_does() {
    let mut suggested = 0;
    for (folder, reports) in all() {
        let (report, found) = (parse(&reports["rdjson"]), diagnostics(reports));
        let shown = folder.display().to_string();
        assert_valid(&rdjson_schema(), &report, &shown);
        let list = report["diagnostics"].as_array().unwrap();
        assert_eq!(list.len(), found.len(), "{shown}");
        for (item, found) in list.iter().zip(&found) {
            assert_eq!(item["code"]["value"], found["rule"]);
            assert_eq!(item["location"]["path"], found["path"]);
            let Ok(text) = fs::read_to_string(folder.join(found["path"].as_str().unwrap())) else { continue };
            let own = |place: &Value| offset(&text, place, |line, column| byte_column(line, column).unwrap());
            let theirs = |place: &Value| offset(&text, place, |_, column| column - 1);
            let (range, place) = (&found["range"], &item["location"]["range"]);
            if range.is_object() {
                assert_eq!(own(&range["start"]), theirs(&place["start"]), "{shown}: {item}");
                assert_eq!(own(&range["end"]), theirs(&place["end"]), "{shown}: {item}");
            }
            let Some(suggestion) = item["suggestions"].get(0) else { continue };
            let mut by_fix = text.clone();
            for edit in found["fix"]["edits"].as_array().unwrap().iter().rev() {
                let (start, end) = (own(&edit["range"]["start"]), own(&edit["range"]["end"]));
                by_fix.replace_range(start..end, edit["content"].as_str().unwrap());
            }
            let mut by_suggestion = text.clone();
            let place = &suggestion["range"];
            let (start, end) = (theirs(&place["start"]), theirs(&place["end"]));
            by_suggestion.replace_range(start..end, suggestion["text"].as_str().unwrap());
            assert_eq!(by_fix, by_suggestion, "{shown}: {item}");
            suggested += 1;
        }
    }
    assert!(suggested > 50, "only {suggested} suggestions");
}

/// The byte of a place in a file whose lines are counted as everybody does, and whose columns `column` turns into bytes.
pub fn offset(text: &str, place: &Value, column: impl Fn(&str, usize) -> usize) -> usize {
    let number = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap();
    let before: usize = text.split_inclusive('\n').take(number("line") - 1).map(str::len).sum();
    // A byte order mark takes no column.
    let before = before + if before == 0 && text.starts_with('\u{feff}') { 3 } else { 0 };
    before + column(&text[before..], number("column"))
}

/// The bytes before a column that counts characters.
pub fn byte_column(line: &str, column: usize) -> Option<usize> {
    line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column - 1)
}

/// What Jenkins' schema of `JUnit` reports lets an element have: attributes, required ones, children.
fn junit_element(name: &str) -> (&'static [&'static str], &'static [&'static str], &'static [&'static str]) {
    match name {
        "testsuites" => (&["name", "time", "tests", "failures", "disabled", "errors"], &[], &["testsuite"]),
        "testsuite" => (
            &[
                "name",
                "tests",
                "failures",
                "errors",
                "time",
                "disabled",
                "skipped",
                "timestamp",
                "hostname",
                "id",
                "package",
            ],
            &["name", "tests"],
            &["properties", "testcase", "system-out", "system-err"],
        ),
        "testcase" => (
            &["name", "assertions", "time", "classname", "status"],
            &["name", "classname"],
            &["skipped", "error", "failure", "system-out", "system-err"],
        ),
        "failure" | "error" | "skipped" => (&["type", "message"], &[], &[]),
        other => panic!("{other}"),
    }
}

fn assert_junit(element: &Element) {
    let (attributes, required, children) = junit_element(&element.name);
    for name in element.attributes.keys() {
        assert!(attributes.contains(&name.as_str()), "{}: `{name}`", element.name);
    }
    for name in required {
        assert!(element.attributes.contains_key(*name), "{}: no `{name}`", element.name);
    }
    for child in &element.children {
        assert!(children.contains(&child.name.as_str()), "{} in {}", child.name, element.name);
        assert_junit(child);
    }
    let count = |wanted: &str| element.all().iter().filter(|one| one.name == wanted).count().to_string();
    for (attribute, counted) in
        [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
    {
        if let Some(told) = element.attributes.get(attribute) {
            assert_eq!(*told, count(counted), "{}: {attribute}", element.name);
        }
    }
}

#[test]
fn junit_has_a_suite_for_each_file_and_a_case_for_each_finding() {
    for (folder, reports) in all() {
        let (report, found) = (xml(&reports["junit"]), diagnostics(reports));
        assert_eq!(report.name, "testsuites");
        assert_junit(&report);
        let all = report.all();
        let failures = all.iter().filter(|one| one.name == "failure").count();
        assert_eq!(failures, found.len(), "{}", folder.display());
        let suppressed = parse(&reports["json"])["suppressed"].as_array().unwrap().len();
        let unchecked = usize::from(reports["junit"].contains("\"checked no files\""));
        let skipped = all.iter().filter(|one| one.name == "skipped").count();
        assert_eq!(skipped, suppressed + unchecked, "{}", folder.display());
        assert!(all.iter().any(|one| one.name == "testcase"), "a report without a test is refused by its readers");
        let suites: Vec<&String> = report.children.iter().map(|suite| &suite.attributes["name"]).collect();
        let names: BTreeSet<&String> = suites.iter().copied().collect();
        assert_eq!(suites.len(), names.len(), "{suites:?}");
    }
}

#[test]
fn checkstyle_has_an_error_for_each_finding() {
    for (folder, reports) in all() {
        let (report, found) = (xml(&reports["checkstyle"]), diagnostics(reports));
        assert_eq!((report.name.as_str(), report.attributes["version"].as_str()), ("checkstyle", "4.3"));
        let mut errors = Vec::new();
        for file in &report.children {
            assert_eq!(file.name, "file");
            assert_eq!(file.attributes.keys().collect::<Vec<_>>(), ["name"]);
            errors.extend(file.children.iter().map(|error| (file.attributes["name"].clone(), error)));
        }
        assert_eq!(errors.len(), found.len(), "{}", folder.display());
        for ((file, error), found) in errors.iter().zip(&found) {
            assert_eq!(error.name, "error");
            assert_eq!(found["path"], **file);
            assert_eq!(found["severity"], *error.attributes["severity"]);
            let line = found["range"]["start"]["line"].as_u64().unwrap_or(1);
            assert_eq!(error.attributes["line"], line.to_string());
            let column = found["range"]["start"]["column"].as_u64().map(|column| column.to_string());
            assert_eq!(error.attributes.get("column"), column.as_ref());
            let rule = found["rule"].as_str().unwrap();
            assert_eq!(error.attributes["source"], format!("squad-lint.{rule}"));
            assert!(error.attributes["message"].starts_with(found["message"].as_str().unwrap()));
        }
    }
}

#[test]
fn the_runner_reads_a_command_for_each_finding() {
    for (folder, reports) in all() {
        let found = diagnostics(reports);
        let is_finding = |line: &&str| !line.starts_with("::notice ::squad-lint checked no files: ");
        let lines: Vec<&str> = reports["github"].lines().filter(is_finding).collect();
        assert_eq!(lines.len(), found.len(), "{}", folder.display());
        for (line, found) in lines.iter().zip(&found) {
            let command = command(line).unwrap_or_else(|| panic!("{line}"));
            let name = if found["severity"] == "info" { "notice" } else { found["severity"].as_str().unwrap() };
            assert_eq!(command.name, name);
            assert_eq!(found["path"], command.properties["file"]);
            assert_eq!(found["rule"], command.properties["title"]);
            let (start, end) = (&found["range"]["start"], &found["range"]["end"]);
            let number = |value: &Value| value.as_u64().map(|number| number.to_string());
            assert_eq!(command.properties.get("line"), number(&start["line"]).as_ref());
            assert_eq!(
                command.properties.contains_key("col"),
                found["range"].is_object() && start["line"] == end["line"]
            );
            assert!(command.data.starts_with(found["message"].as_str().unwrap()), "{line}");
        }
    }
}

/// What every format says of the sample, byte for byte.
#[test]
fn the_sample_gives_what_is_written_down() {
    let update = std::env::var_os("SQUAD_LINT_UPDATE").is_some();
    let folder = project().join("tests/demo");
    let again = reports(&folder, &["--root", "."]);
    for (format, actual) in reports(&folder, &["--root", "."]) {
        assert_eq!(again[format], actual, "{format} differs from run to run");
        let printed =
            squad_lint(&folder).args(["--format", format, "--root", ".", "--now", crate::support::NOW]).output();
        assert_eq!(String::from_utf8(printed.unwrap().stdout).unwrap(), actual, "{format} differs in a file");
        let path = project().join("tests/report/demo").join(format);
        if update {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &actual).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), actual, "{}", path.display());
    }
}
