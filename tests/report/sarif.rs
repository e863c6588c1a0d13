//! SARIF against the standard's schema, and what the schema does not say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::read::{diagnostics, json, reports};
use super::valid::{all, assert_valid, byte_column, offset};
use crate::support::{NOW, squad_lint, write};

fn run(log: &Value) -> &Value {
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    &log["runs"][0]
}

fn results(log: &Value) -> &Vec<Value> {
    run(log)["results"].as_array().unwrap()
}

/// The schema of the standard.
fn schema() -> Value {
    let path = crate::support::needs("SQUAD_LINT_SARIF_SCHEMA");
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    // Some copies have a pattern there that is no regular expression of JavaScript's. No report names a language.
    for owner in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{owner}/properties/language"));
        language.unwrap().as_object_mut().unwrap().remove("pattern");
    }
    schema
}

#[test]
#[ignore = "needs SQUAD_LINT_SARIF_SCHEMA"]
fn every_report_is_what_the_schema_of_the_standard_says() {
    let schema = schema();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let mut shapes = BTreeSet::new();
    for (folder, reports) in all() {
        let log = json(&reports["sarif"]);
        let errors: Vec<_> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}\n{}", folder.display(), errors.join("\n"));
        for result in results(&log) {
            shapes.extend(result.as_object().unwrap().keys().cloned());
            if result["locations"][0]["physicalLocation"]["region"].is_null() {
                shapes.insert("no region".to_owned());
            }
        }
    }
    for shape in ["fixes", "no region", "relatedLocations", "suppressions"] {
        assert!(shapes.contains(shape), "no report shows {shape}");
    }
    // A schema that lets everything through would prove nothing.
    assert!(!validator.is_valid(&serde_json::json!({"version": "2.1.0", "runs": [{"results": []}]})));
}

#[test]
fn findings_rules_and_places_are_those_of_the_json_output() {
    for (folder, reports) in all() {
        let shown = folder.display().to_string();
        let log = json(&reports["sarif"]);
        let main = json(&reports["json"]);
        let mut found = diagnostics(reports);
        found.extend(main["suppressed"].as_array().unwrap().iter().map(|one| one["diagnostic"].clone()));
        let (results, run) = (results(&log), run(&log));
        assert_eq!(results.len(), found.len(), "{shown}");
        assert_eq!(run["columnKind"], "utf16CodeUnits");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let used: BTreeSet<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
        assert_eq!(
            rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect::<Vec<_>>(),
            used.into_iter().collect::<Vec<_>>()
        );
        let mut fingerprints = BTreeSet::new();
        for (result, found) in results.iter().zip(&found) {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(result["ruleId"], found["rule"]);
            let level = if found["severity"] == "info" { "note" } else { found["severity"].as_str().unwrap() };
            assert_eq!(result["level"], level);
            assert!(fingerprints.insert(result["partialFingerprints"].to_string()), "{shown}: {result}");
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(decoded(&place["artifactLocation"]["uri"]), found["path"].as_str().unwrap().as_bytes());
            assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
            assert_eq!(place["region"].is_object(), found["range"].is_object(), "{shown}: {result}");
            let Ok(text) = fs::read_to_string(folder.join(found["path"].as_str().unwrap())) else { continue };
            assert_same(&text, &found["range"], &place["region"], &shown);
            let related = result["relatedLocations"].as_array().map_or(0, Vec::len);
            assert_eq!(related, found["related"].as_array().unwrap().len(), "{shown}");
            for (change, edit) in result["fixes"][0]["artifactChanges"][0]["replacements"]
                .as_array()
                .into_iter()
                .flatten()
                .zip(found["fix"]["edits"].as_array().into_iter().flatten())
            {
                assert_same(&text, &edit["range"], &change["deletedRegion"], &shown);
                assert_eq!(change["insertedContent"]["text"], edit["content"]);
            }
        }
    }
}

/// Asserts that a region, in UTF-16, is a range, in characters.
fn assert_same(text: &str, range: &Value, region: &Value, shown: &str) {
    if !range.is_object() {
        return;
    }
    let utf16 = |line: &str, column: usize| {
        let before = |at: usize| line[..at].encode_utf16().count() + 1;
        let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        ends.into_iter().find(|at| before(*at) == column).unwrap()
    };
    for (end, line, column) in [("start", "startLine", "startColumn"), ("end", "endLine", "endColumn")] {
        let place = serde_json::json!({"line": region[line], "column": region[column]});
        let expected = offset(text, &range[end], |line, column| byte_column(line, column).unwrap());
        assert_eq!(offset(text, &place, utf16), expected, "{shown}: {range} {region}");
    }
}

/// The bytes of a URI reference.
fn decoded(uri: &Value) -> Vec<u8> {
    let uri = uri.as_str().unwrap();
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        assert!(byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte), "{uri}");
        let digit = |byte: Option<u8>| u8::try_from(char::from(byte.unwrap()).to_digit(16).unwrap()).unwrap();
        bytes.push(if byte == b'%' { digit(rest.next()) * 16 + digit(rest.next()) } else { byte });
    }
    bytes
}

#[test]
fn rules_carry_their_pages() {
    let log = json(&reports(&crate::support::project().join("tests/demo"), &["--root", "."])["sarif"]);
    let driver = &run(&log)["tool"]["driver"];
    assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
    let rule = driver["rules"].as_array().unwrap().iter().find(|rule| rule["id"] == "sem/missing-field").unwrap();
    assert_eq!(rule["name"], "MissingField");
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## How to fix\n"));
    let text = rule["help"]["text"].as_str().unwrap();
    assert!(text.contains("\nHow to fix\n") && text.contains("\n### 2026-") && !text.contains("```"), "{text}");
    assert_eq!(rule["defaultConfiguration"]["level"], "error");
    assert_eq!(rule["properties"]["tags"][0], "sem");
    assert!(rule["helpUri"].as_str().unwrap().ends_with("/rules/sem/missing_field/"));
}

fn entry(hour: u8) -> String {
    format!("### 2026-02-15T{hour}:32:15Z: decision: Models\n\n**summary:** A sentence.\n\n---\n")
}

fn fingerprints(text: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", text);
    let log = json(&reports(folder.path(), &["--root", "."])["sarif"]);
    let both = |result: &Value| {
        (result["ruleId"].to_string(), result["partialFingerprints"]["squadLintFinding/v1"].to_string())
    };
    results(&log).iter().map(both).collect()
}

#[test]
fn fingerprints_stay_when_lines_move_and_tell_equal_findings_apart() {
    let before = fingerprints(&entry(10));
    assert!(!before.is_empty());
    let after = fingerprints(&format!("# Decisions\n\nText.\n\n{}", entry(10)));
    assert!(before.iter().all(|one| after.contains(one)), "{before:?} {after:?}");
    let twice = fingerprints(&format!("{0}\n{0}", entry(10)));
    assert!(twice.len() >= 2 * before.len());
    assert_eq!(twice.iter().collect::<BTreeSet<_>>().len(), twice.len());
    let others = fingerprints(&entry(11));
    assert!(others.iter().all(|one| !before.contains(one)), "{before:?} {others:?}");
}

#[test]
fn suppressed_findings_say_so_and_so_do_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("<!-- squad-lint: ignore sem/timestamp-format -- agreed -->\n{}\n{}", entry(10), entry(11));
    write(folder.path(), ".squad/decisions.md", text);
    let log = json(&reports(folder.path(), &["--root", ".", "--show-suppressed"])["sarif"]);
    let (mut suppressed, mut open) = (0, 0);
    for result in results(&log) {
        match result["suppressions"].as_array().unwrap().as_slice() {
            [] => open += 1,
            [one] => {
                assert_eq!((&one["kind"], &one["justification"]), (&"inSource".into(), &"agreed".into()));
                suppressed += 1;
            }
            more => panic!("{more:?}"),
        }
    }
    assert!(suppressed > 0 && open > 0, "{suppressed} {open}");
    let log = json(&reports(folder.path(), &["--root", "."])["sarif"]);
    assert_eq!(results(&log).len(), open);
    assert!(results(&log).iter().all(|result| result.get("suppressions").is_none()));

    let known = folder.path().join("known.json");
    let status = squad_lint(folder.path()).args(["--now", NOW, "--write-baseline"]).arg(&known).output().unwrap();
    assert_eq!(status.status.code(), Some(0));
    let args = ["--root", ".", "--show-suppressed", "--baseline", "known.json"];
    let log = json(&reports(folder.path(), &args)["sarif"]);
    assert!(results(&log).iter().any(|result| result["suppressions"][0]["kind"] == "external"), "{log}");
}

/// What all formats say where a file was not read.
#[cfg(unix)]
fn partly_read() -> BTreeMap<&'static str, String> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", entry(10));
    write(folder.path(), "squad-lint.toml", "max-file-bytes = 300\n");
    write(folder.path(), ".squad/agents/x/history.md", "x".repeat(400));
    let named = [".squad/decisions.md", ".squad/agents/x/history.md", "--root", "."];
    reports(folder.path(), &named)
}

#[cfg(unix)]
#[test]
#[ignore = "needs SQUAD_LINT_SARIF_SCHEMA"]
fn what_was_not_read_is_told_as_the_schema_says() {
    assert_valid(&schema(), &json(&partly_read()["sarif"]), "a file that was not read");
}

#[cfg(unix)]
#[test]
fn what_was_not_read_is_told_in_every_format_that_has_a_place_for_it() {
    let reports = partly_read();
    let log = json(&reports["sarif"]);
    let invocation = &run(&log)["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&false.into(), &2.into()));
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], ".squad/agents/x/history.md");
    assert!(!results(&log).is_empty(), "the other file is reported");
    for format in ["sarif", "github", "junit", "checkstyle", "summary"] {
        assert!(reports[format].contains("max-file-bytes"), "{format}: {}", reports[format]);
    }
}
