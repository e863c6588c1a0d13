//! `charter` as its users meet it, and the conformance suite of the profile.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use squad_lint::formats::charter::section::{FieldName, SectionKind, SectionName};
use squad_lint::formats::charter::{Charter, canonical, title_parts};

use crate::support::random::cases as cases_of;
use crate::support::{files_below, needs, squad_lint, stderr, stdout, write};

const PROFILE: &str = "squad-charter/v0.1";

const WHOLE: &str = "# Keaton — Lead\n\n## Identity\n- **ID:** `keaton`\n- **Purpose:** Decides.\n\n\
                     ## Accountable Responsibilities\n- Scope.\n\n## Non-Responsibilities\n- Tests.\n\n\
                     ## Collaboration and Review Authority\n- Reviews all.\n";

fn run(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = squad_lint(folder);
    command.arg("charter").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The verdict on `text`, as the program prints it.
fn verdict(text: &str, path: &str, profile: Option<&str>) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut args = vec!["--format", "json", "--stdin-filename", path, "-"];
    args.extend(profile.into_iter().flat_map(|profile| ["--profile", profile]));
    let output = run(folder.path(), &args, text.as_bytes());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(printed["version"], 1);
    let verdict = printed["charters"][0].clone();
    assert_eq!((&verdict["path"], &verdict["profile"]), (&json!(path), &json!(profile)));
    assert_eq!(output.status.code(), Some(i32::from(verdict["accepted"] == false)));
    verdict
}

#[test]
fn diagnostics_are_in_order_of_place_and_code() {
    for mark in ["", "\u{feff}"] {
        let verdict = verdict(&format!("{mark}## Identity\n- **Name:** X\n"), "foo.md", Some(PROFILE));
        let diagnostics = verdict["diagnostics"].as_array().unwrap();
        let codes: Vec<&str> = diagnostics.iter().filter_map(|one| one["code"].as_str()).collect();
        assert_eq!(codes, ["SQC002", "SQC102", "SQC103", "SQC104", "SQC104", "SQC104", "SQC107"]);
        let lines: Vec<u64> = diagnostics.iter().filter_map(|one| one["start"]["line"].as_u64()).collect();
        assert_eq!(lines, [1, 1, 1, 1, 1, 1, 2]);
    }
}

fn cases() -> Value {
    let text = fs::read(needs("SQUAD_LINT_CHARTER_CASES")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Asserts that `verdict` has what `expected` has.
fn assert_verdict(id: &Value, verdict: &Value, expected: &Value) {
    for member in ["accepted", "conforms", "classification", "diagnostics"] {
        assert_eq!(verdict[member], expected[member], "{id}: {member}");
    }
}

/// What the model says of `text`, in the words of the suite.
fn parsed(text: &str) -> Value {
    let charter = Charter::parse(text);
    let value = |name| charter.field(name).map(|field| field.value.of(text));
    let of_title = || title_parts(charter.title()?.name.of(text));
    let body = |name| Some(charter.section(name)?.body().of(text).trim().replace("\r\n", "\n"));
    let authored = |name| value(name).map(str::to_lowercase);
    let chosen = |name| authored(name).filter(|value| value != "auto");
    let expertise = value(FieldName::Expertise).map(|list| list.split(',').map(str::trim).collect::<Vec<_>>());
    json!({
        "identity": {
            "id": charter.id(text),
            "purpose": value(FieldName::Purpose),
            "name": value(FieldName::Name).or(of_title().map(|(name, _)| name)),
            "role": value(FieldName::Role).or(of_title().map(|(_, role)| role)),
            "expertise": expertise,
            "style": value(FieldName::Style),
        },
        "ownership": body(SectionName::Responsibilities),
        "boundaries": body(SectionName::NonResponsibilities),
        "collaboration": body(SectionName::Collaboration),
        "modelPreference": value(FieldName::Preferred),
        "modelRationale": value(FieldName::Rationale),
        "modelFallback": value(FieldName::Fallback),
        "reasoningEffort": chosen(FieldName::ReasoningEffort),
        "authoredReasoningEffort": authored(FieldName::ReasoningEffort),
        "contextTier": chosen(FieldName::ContextTier),
        "authoredContextTier": authored(FieldName::ContextTier),
    })
}

#[test]
#[ignore = "needs SQUAD_LINT_CHARTER_CASES"]
fn the_real_suite_of_the_profile_agrees() {
    let suite = cases();
    let cases = suite["cases"].as_array().unwrap();
    for case in cases {
        let text = case["text"].as_str().unwrap();
        // A case without a path is one that says nothing about the agent.
        let path = case["path"].as_str().unwrap_or("charter.md");
        assert_verdict(&case["id"], &verdict(text, path, case["profile"].as_str()), &case["expected"]);
        if let Some(expected) = case.get("parsed") {
            assert_eq!(&parsed(text), expected, "{}", case["id"]);
        }
    }
    assert_eq!(cases.len(), 28);
}

#[test]
#[ignore = "needs SQUAD_LINT_CHARTER_CASES"]
fn the_edits_of_the_real_suite_agree() {
    let suite = cases();
    let cases = suite["edit_cases"].as_array().unwrap();
    for case in cases {
        let id = &case["id"];
        let mut text = case["text"].as_str().unwrap().to_owned();
        let edits = case["edits"].as_array().unwrap();
        for edit in edits {
            assert_eq!(edit["field"], "identity.purpose", "{id}: another field");
            let value = Charter::parse(&text).field(FieldName::Purpose).unwrap().value;
            text.replace_range(value.start()..value.end(), edit["value"].as_str().unwrap());
        }
        let charter = Charter::parse(&text);
        let new = match edits.is_empty() {
            true => canonical::canonical(&text, &charter).unwrap().unwrap_or(text),
            false => canonical::render(&text, &charter).unwrap(),
        };
        assert_eq!(new, case["output"].as_str().unwrap(), "{id}");
        let path = case["path"].as_str().unwrap();
        assert_verdict(id, &verdict(&new, path, Some(PROFILE)), &case["output_expected"]);
    }
    assert_eq!(cases.len(), 5);
}

#[test]
fn every_charter_gets_a_line_and_each_problem_too() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", WHOLE);
    write(folder.path(), ".squad/agents/verbal/charter.md", WHOLE.replace("## Non-", "## Boundaries\n\n## Non-"));
    write(
        folder.path(),
        ".squad/agents/hockney/charter.md",
        "# Hockney\n\n## Identity\n- **ID:** hockney\n- **Purpose:** Tests.\n\n## What I Own\n\n## Boundaries\n\n## Collaboration\n",
    );
    write(folder.path(), ".squad/routing.md", "# Routing\n");
    let output = run(folder.path(), &["--profile", PROFILE], b"");
    let expected = "\
.squad/agents/hockney/charter.md: noncanonical-compatible
.squad/agents/hockney/charter.md:1:1: warning: title is `Hockney`, expected `Name — Role` [SQC003]
.squad/agents/hockney/charter.md:1:1: warning: missing section `Accountable Responsibilities` [SQC104]
.squad/agents/hockney/charter.md:1:1: warning: missing section `Non-Responsibilities` [SQC104]
.squad/agents/hockney/charter.md:1:1: warning: missing section `Collaboration and Review Authority` [SQC104]
.squad/agents/hockney/charter.md:7:1: warning: legacy heading `What I Own`, expected `Accountable Responsibilities` [SQC105]
.squad/agents/hockney/charter.md:9:1: warning: legacy heading `Boundaries`, expected `Non-Responsibilities` [SQC105]
.squad/agents/hockney/charter.md:11:1: warning: legacy heading `Collaboration`, expected `Collaboration and Review Authority` [SQC105]
.squad/agents/keaton/charter.md: canonical
.squad/agents/verbal/charter.md: invalid
.squad/agents/verbal/charter.md:4:3: error: ID is `keaton`, but folder is `verbal` [SQC010]
.squad/agents/verbal/charter.md:10:1: warning: legacy heading `Boundaries`, expected `Non-Responsibilities` [SQC105]
.squad/agents/verbal/charter.md:12:1: error: `Non-Responsibilities` and `Boundaries` name the same section [SQC011]
1 canonical, 1 noncanonical-compatible, 1 invalid
";
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(1)), "{}", stderr(&output));
    let one = run(folder.path(), &["--profile", PROFILE, "-q", ".squad/agents/keaton"], b"");
    assert_eq!((stdout(&one).as_str(), one.status.code()), (".squad/agents/keaton/charter.md: canonical\n", Some(0)));
    let named = run(folder.path(), &["--profile", PROFILE, "-q", ".squad/routing.md"], b"");
    assert!(stdout(&named).starts_with(".squad/routing.md: noncanonical-compatible\n"), "{}", stdout(&named));
    assert_eq!(named.status.code(), Some(0));
}

#[test]
fn the_configuration_can_name_the_profile() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", WHOLE.replace("Keaton — Lead", "Keaton"));
    let output = run(folder.path(), &[], b"");
    let line = ".squad/agents/keaton/charter.md:1:1: error: missing profile, expected `squad-charter/v0.1` [SQC014]\n";
    assert!(stdout(&output).contains(line), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
    write(folder.path(), "squad-lint.toml", "[charter]\nprofile = \"squad-charter/v0.1\"\n");
    let output = run(folder.path(), &["-q"], b"");
    assert!(stdout(&output).contains(": noncanonical-compatible\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
    let output = run(folder.path(), &["--profile", "squad-charter/v9"], b"");
    assert!(stdout(&output).contains("unknown profile `squad-charter/v9`"), "{}", stdout(&output));
    write(folder.path(), "squad-lint.toml", "fail-on = \"warning\"\n[charter]\nprofile = \"squad-charter/v0.1\"\n");
    assert_eq!(run(folder.path(), &[], b"").status.code(), Some(1));
    write(folder.path(), "squad-lint.toml", "[charter]\nprofile = \"squad-charter/v1\"\n");
    let output = run(folder.path(), &[], b"");
    assert!(stderr(&output).contains("squad-charter/v0.1"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_validated_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["--profile", PROFILE], b"");
    assert_eq!(stderr(&output), "warning: nothing was validated: there is no charter\n");
    assert_eq!(output.status.code(), Some(0));
    for args in [&["missing.md"][..], &["-", "charter.md"], &["--format", "yaml"]] {
        assert_eq!(run(folder.path(), args, b"").status.code(), Some(2), "{args:?}");
    }
    write(folder.path(), ".squad/agents/keaton/charter.md", WHOLE);
    write(folder.path(), ".squad/agents/verbal/charter.md", b"# V \xff\n");
    let output = run(folder.path(), &["--profile", PROFILE, "-q"], b"");
    assert_eq!(stdout(&output), ".squad/agents/keaton/charter.md: canonical\n");
    assert!(stderr(&output).contains("cannot validate .squad/agents/verbal/charter.md: line 1 is not UTF-8"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn strange_texts_get_a_verdict() {
    for (text, code) in [
        ("", Some("SQC001")),
        ("\u{feff}", Some("SQC001")),
        (" \t\r\n\r\r", Some("SQC001")),
        ("<!-- never closed\n# A — B\n", Some("SQC002")),
        ("```\n# A — B\n", Some("SQC002")),
        (&WHOLE.replace('\n', "\r"), None),
        (&format!("\u{feff}{WHOLE}"), None),
        (&WHOLE.replace("- **", "-\t**"), None),
    ] {
        let verdict = verdict(text, "charter.md", Some(PROFILE));
        let expected = code.map_or(Value::Null, |code| json!(code));
        assert_eq!(verdict["diagnostics"][0]["code"], expected, "{text:?}");
    }
    let many = (0..10_000).fold(WHOLE.to_owned(), |text, number| format!("{text}\n## X-acme-s{number}\n"));
    assert_eq!(verdict(&many, "charter.md", Some(PROFILE))["classification"], "canonical");
    let many = format!("{WHOLE}{}", "\n## Model\n- **Preferred:**\n".repeat(10_000));
    assert_eq!(verdict(&many, "charter.md", Some(PROFILE))["diagnostics"].as_array().unwrap().len(), 19_999);
}

/// On real charters: what they are is told, and their canonical form keeps every word and is written once.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn the_canonical_form_of_real_charters_keeps_all_words() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let (mut seen, mut rewritten) = (0, 0);
    for path in files_below(&corpus).iter().filter(|path| path.ends_with("charter.md")) {
        let text = fs::read_to_string(corpus.join(path)).unwrap();
        seen += 1;
        let Ok(Some(new)) = canonical::canonical(&text, &Charter::parse(&text)) else { continue };
        rewritten += 1;
        assert_eq!(canonical::canonical(&new, &Charter::parse(&new)), Ok(None), "{}", path.display());
        let words = |text: &str| {
            let renamed =
                ["What I Own", "Boundaries", "Accountable", "Responsibilities", "Non-", "and Review Authority"];
            let text = renamed.iter().fold(text.to_owned(), |text, name| text.replace(name, ""));
            let mut words: Vec<String> =
                text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(words(&new), words(&text), "{}", path.display());
    }
    assert!(seen > 100 && rewritten > 50, "{rewritten} of {seen}");
}

const OLD: &str = "# Keaton - Lead\n\n## Identity\n- **Name:** Keaton\n\n## What I Own\n- Scope.\n\n## Model\n- **Preferred:** auto\n\n## Boundaries\n- Tests.\n";
const NEW: &str = "# Keaton — Lead\n\n## Identity\n\n- **Name:** Keaton\n\n## Accountable Responsibilities\n\n- Scope.\n\n## Non-Responsibilities\n\n- Tests.\n\n## Model\n\n**Preferred:** auto\n";

fn convert(folder: &Path, args: &[&str]) -> String {
    let output = squad_lint(folder).arg("convert").args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn convert_writes_the_canonical_form_of_charters() {
    const FILE: &str = ".squad/agents/keaton/charter.md";
    let folder = tempfile::tempdir().unwrap();
    let read = || fs::read_to_string(folder.path().join(FILE)).unwrap();
    write(folder.path(), FILE, OLD);
    write(folder.path(), ".squad/agents/verbal/charter.md", format!("{OLD}## Model\n"));
    // Without a profile only those that are named.
    assert_eq!(convert(folder.path(), &[]), "No legacy entries to convert.\n");
    let named = convert(folder.path(), &["--dry-run", FILE]);
    assert!(
        named.contains("Charter 1: Would be converted (high confidence)\n     line 1: # Keaton — Lead\n"),
        "{named}"
    );
    assert_eq!(read(), OLD);
    write(folder.path(), "squad-lint.toml", "[charter]\nprofile = \"squad-charter/v0.1\"\n");
    let diff = convert(folder.path(), &["--diff"]);
    assert!(diff.contains("+## Accountable Responsibilities\n"), "{diff}");
    assert_eq!(read(), OLD);
    let said = convert(folder.path(), &[]);
    assert!(said.contains("Charter 1: Needs review (the charter has errors)\n"), "{said}");
    assert!(
        said.contains("1 of 2 entries and charters converted automatically.\n1 of them need manual review.\n"),
        "{said}"
    );
    assert_eq!(read(), NEW);
    let again = convert(folder.path(), &[FILE]);
    assert_eq!(again, "Nothing to convert: the charter has its canonical form already.\n");
    convert(folder.path(), &["--undo"]);
    assert_eq!(read(), OLD);
}

#[test]
fn convert_leaves_bytes_alone_that_are_not_text() {
    let folder = tempfile::tempdir().unwrap();
    let old = [OLD.as_bytes(), b"\xff\n"].concat();
    write(folder.path(), ".squad/agents/keaton/charter.md", &old);
    let said = convert(folder.path(), &[".squad/agents/keaton/charter.md"]);
    assert!(said.contains("Needs review (the charter is not UTF-8)"), "{said}");
    assert_eq!(fs::read(folder.path().join(".squad/agents/keaton/charter.md")).unwrap(), old);
}

#[test]
fn reports_for_programs_have_the_code() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", WHOLE.replace("`keaton`", "`Kea Ton`"));
    let report = |format| -> Value {
        let output = squad_lint(folder.path()).args(["--format", format]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (json, sarif) = (report("json"), report("sarif"));
    let found = json["diagnostics"].as_array().unwrap();
    let names: Vec<_> = found.iter().map(|found| (&found["rule"], &found["standard"], &found["severity"])).collect();
    assert_eq!(names, [(&json!("charter/invalid-id"), &json!("SQC005"), &json!("error"))]);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["properties"]), (&names[0].0.clone(), &json!({ "standard": "SQC005" })));
}

/// Lines of which charters are made, and some that only look so.
const LINES: [&str; 30] = [
    "# Keaton — Lead\n",
    "# Keaton - Lead\r\n",
    "# Keaton\r",
    "## Identity\n",
    "## identity ##\n",
    "## What I Own\n",
    "## Boundaries\n",
    "## Non-Responsibilities\n",
    "## Collaboration\r\n",
    "## Model\n",
    "## Voice\n",
    "## X-acme-deploy\n",
    "## X-Deploy\n",
    "- **ID:** keaton\n",
    "**Purpose:** `a` b\n",
    "- **Name:** Keaton\n",
    "* **Role:** Lead\n",
    "- **Preferred:**   auto  \n",
    "- **Fallback:** none",
    "- **Other:** text\n",
    "```\n",
    "~~~~ md\n",
    "<!--\n",
    "-->\n",
    "<!-- squad-lint: ignore sem -->\n",
    "> ## Model\n",
    "    ## Model\n",
    "\n",
    " \r\n",
    "words é 日本\n",
];

proptest::proptest! {
    #![proptest_config(cases_of(2000))]

    #[test]
    fn a_canonical_form_is_written_once_and_keeps_all_text(
        lines in proptest::collection::vec(proptest::sample::select(&LINES[..]), 0..25),
        has_title in proptest::bool::ANY,
    ) {
        let text = format!("{}{}", if has_title { LINES[0] } else { "" }, lines.concat());
        let charter = Charter::parse(&text);
        if let Ok(Some(new)) = canonical::canonical(&text, &charter) {
            proptest::prop_assert_eq!(canonical::canonical(&new, &Charter::parse(&new)), Ok(None), "{:?}\n{}", text, new);
            for word in ["words é 日本", "**Other:** text", "## Voice", "squad-lint: ignore", "> ## Model", "    ## Model"] {
                proptest::prop_assert_eq!(new.matches(word).count(), text.matches(word).count(), "{:?}\n{}", text, new);
            }
            let tail = |text: &str| {
                let charter = Charter::parse(text);
                let first = charter.sections.iter().find(|section| {
                    section.kind == SectionKind::Extension
                });
                first.map(|section| text[section.heading.line.start()..].to_owned())
            };
            proptest::prop_assert_eq!(tail(&new), tail(&text));
        }
    }
}

#[test]
fn a_named_file_that_is_no_charter_is_not_called_validated() {
    let repo = crate::support::repo::Repo::new();
    repo.write("a/foo.txt", "hello\n");
    let output = crate::support::squad_lint(&repo.path).args(["charter", "a/foo.txt"]).output().unwrap();
    let said = "warning: `a/foo.txt` is not a charter, expected a Markdown file; nothing was validated\n";
    assert_eq!((output.status.code(), crate::support::stderr(&output).as_str()), (Some(2), said));
}
