//! `squad-lint.toml`: what is accepted and what is refused, what the schemas say of it, what `init` writes.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use jsonschema::Validator;
use serde_json::{Value, json};
use support::{files_below, project, run_git, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

fn run(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(args).output().unwrap()
}

/// A folder with this configuration.
fn with(config: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "squad-lint.toml", config);
    folder
}

/// What the program says of a configuration that it refuses; nothing where it accepts it.
fn refusal(config: impl AsRef<[u8]>) -> Option<String> {
    let output = run(with(config).path(), &[]);
    match output.status.code() {
        Some(0) => None,
        Some(2) => Some(stderr(&output)),
        _ => panic!("{}{}", stdout(&output), stderr(&output)),
    }
}

fn schema(of: &str) -> Value {
    serde_json::from_slice(&run(&project(), &["schema", of]).stdout).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

#[test]
fn the_schemas_are_checked_in() {
    for of in ["config", "entry"] {
        let path = project().join(format!("docs/{of}.schema.json"));
        let printed = stdout(&run(&project(), &["schema", of]));
        if std::env::var_os("SQUAD_LINT_UPDATE").is_some() {
            fs::write(&path, &printed).unwrap();
        }
        let checked_in = fs::read_to_string(&path).unwrap_or_default();
        assert!(checked_in == printed, "docs/{of}.schema.json is not what `squad-lint schema {of}` prints");
    }
}

/// Configurations that are accepted, beside those of the fixtures.
const ACCEPTED: [&str; 12] = [
    "",
    "fail-on = \"info\"\nmin-severity = \"error\"\n",
    "exclude = []\n",
    "phase = \"sem-only\"\n",
    "max-file-size = 0x1_000\n",
    "roots.state = [\".squad\", \"/notes\"]\n",
    "[rules]\nsem = \"off\"\n\"sem/expired\" = \"info\"\n",
    "[rules]\noptions.\"sem/summary-too-long\".max = 1\n",
    "rules = { options = {} }\n",
    "[[overrides]]\nfiles = [\"a/**\", \"b\"]\nrules = { sem = \"warning\" }\n[[overrides]]\nfiles = []\nrules = {}\n",
    "[memory]\ndecisions-max = 1\ndecisions-hard-max = 2\nhistory-max = 9_223_372_036_854_775_807\n",
    "[guard]\npolicy = \"state-branch\"\nbranches = [\"release/*\"]\nstate-branch = \"x\"\n",
];

/// Configurations whose shape is refused, the place of it, and words of what is said.
const REFUSED: [(&str, &str, &[&str]); 33] = [
    ("fail-onn = \"error\"\n", "1:1", &["there is no key `fail-onn`", "did you mean `fail-on`?"]),
    ("color = true\n", "1:1", &["there is no key `color`", "the keys here are fail-on, "]),
    ("fail-on = 3\n", "1:11", &["found `3`, expected one of `info`, `warning`, `error`", "in quotes"]),
    ("fail-on = \"off\"\n", "1:11", &["found `off`, expected one of"]),
    ("min-severity = \"warn\"\n", "1:16", &["found `warn`", "did you mean `warning`?"]),
    ("min-severity = [\"error\"]\n", "1:16", &["found a list, expected one of"]),
    ("exclude = \"docs\"\n", "1:11", &["found `docs`, expected a list of globs", "write it as in `exclude = ["]),
    ("exclude = [\"a\", 3]\n", "1:17", &["found `3`, expected a glob", "write it as in `exclude = ["]),
    ("exclude = [[\"a\"]]\n", "1:12", &["found a list, expected a glob"]),
    ("phase = \"sem_only\"\n", "1:9", &["expected one of `dual`, `sem-only`", "did you mean `sem-only`?"]),
    ("phase = 1979-05-27\n", "1:9", &["found `1979-05-27`, expected one of"]),
    ("max-file-size = \"1 MB\"\n", "1:17", &["found `1 MB`, expected a whole number of bytes", "4_000_000"]),
    ("max-file-size = 1.5\n", "1:17", &["found `1.5`, expected a whole number of bytes"]),
    ("max-file-size = 0\n", "1:17", &["found `0`, expected a number of bytes, at least 1"]),
    ("max-file-size = -1\n", "1:17", &["found `-1`, expected a number of bytes, at least 1"]),
    ("roots = [\".squad\"]\n", "1:9", &["found a list, expected a table", "roots = { state = "]),
    ("[roots]\nstates = [\".squad\"]\n", "2:1", &["did you mean `state`?"]),
    ("[rules]\nsem = \"loud\"\n", "2:7", &["found `loud`, expected one of `off`, `info`, `warning`, `error`"]),
    ("[rules]\nsem = { max = 3 }\n", "2:7", &["found a table, expected one of `off`"]),
    ("[rules]\n\"sem/expird\" = \"off\"\n", "2:1", &["no rule or family `sem/expird`", "did you mean `sem/expired`?"]),
    ("[rules]\n\"zzzzzzzzzzzz\" = \"off\"\n", "2:1", &["`squad-lint rules` lists all rules"]),
    ("[rules.option]\n", "1:8", &["did you mean `options`?"]),
    ("[rules.options]\n\"sem/expired\" = {}\n", "2:1", &["there is no key `sem/expired`", "keys here are sem/summary"]),
    ("[rules.options.\"sem/summary-too-long\"]\nmax = 0\n", "2:7", &["expected a number of characters, at least 1"]),
    ("overrides = 3\n", "1:13", &["found `3`, expected a list of tables", "files = "]),
    ("overrides = [3]\n", "1:14", &["found `3`, expected a table", "write it as `[[overrides]]`"]),
    ("[overrides]\nfiles = []\nrules = {}\n", "1:1", &["found a table, expected a list of tables"]),
    ("\n[[overrides]]\nfiles = [\"a\"]\n", "2:1", &["`[[overrides]]` without the key `rules`", "rules = { sem"]),
    ("[[overrides]]\nrules = {}\nfile = [\"a\"]\n", "3:1", &["did you mean `files`?"]),
    ("[[overrides]]\nfiles = [\"a\"]\nrules = { semm = \"off\" }\n", "3:11", &["did you mean `sem`?"]),
    ("[[overrides]]\nfiles = [\"a\"]\nrules = { sem = \"of\" }\n", "3:17", &["did you mean `off`?"]),
    ("[guard]\npolicy = \"never\"\n", "2:10", &["found `never`, expected one of `never-tracked`"]),
    ("[guard]\nstate-branch = \"\"\n", "2:16", &["expected the name of a branch", "\"squad-state\""]),
];

/// What a schema cannot refuse, or what is no TOML.
const REFUSED_OTHERWISE: [(&str, &str, &[&str]); 15] = [
    ("max-file-size = 1e6\n", "1:17", &["found `1e6`, expected a whole number of bytes"]),
    ("phase = \n", "1:9", &["this is not TOML", "squad-lint init --stdout"]),
    ("{\"phase\": \"dual\"}\n", "1:1", &["this is not TOML"]),
    ("phase = \"dual\n", "1:14", &["expected `\"`"]),
    ("[rules]\nsem/expired = \"off\"\n", "2:4", &["put quotes around the name of a rule"]),
    ("exclude = [\"a\"]\nexclude = [\"b\"]\n", "2:1", &["duplicate key `exclude`, expected it once", "delete one"]),
    ("[guard]\n[guard]\n", "2:2", &["duplicate key `guard`"]),
    ("[[overrides]]\nfiles = []\nfiles = []\n", "3:1", &["duplicate key `files`"]),
    ("max-file-size = 99999999999999999999\n", "1:17", &["at most 9223372036854775807", "4_000_000"]),
    ("exclude = [\"a{\"]\n", "1:12", &["`a{` is not a glob: unclosed", "goes into brackets, as in `[{]`"]),
    ("exclude = [\n  \"ok\",\n  \"[\",\n]\n", "3:3", &["`[` is not a glob: unclosed"]),
    ("[roots]\nstate = [\"[z-a]\"]\n", "2:10", &["`[z-a]` is not a glob: invalid range"]),
    ("[guard]\nbranches = [\"main\", \"a}\"]\n", "2:21", &["`a}` is not a glob"]),
    (
        "[[overrides]]\nfiles = [\"a\"]\nrules = {}\n[[overrides]]\nfiles = [\"a{\"]\nrules = {}\n",
        "5:10",
        &["`a{` is not"],
    ),
    ("phase = \"\u{202e}\u{1b}[31m\"\n", "1:13", &["this is not TOML"]),
];

#[test]
fn what_is_refused_is_named_with_its_place_and_what_to_do() {
    for (config, place, words) in REFUSED.iter().chain(&REFUSED_OTHERWISE) {
        let said = refusal(config).unwrap_or_else(|| panic!("accepted: {config}"));
        assert!(said.contains(&format!("squad-lint.toml:{place}]")), "{place}: {config}\n{said}");
        assert!(said.contains("\n  help: "), "{config}\n{said}");
        // Long lines are wrapped.
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in *words {
            assert!(flat.contains(words), "`{words}`: {config}\n{said}");
        }
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let said = refusal(b"# caf\xc3\xa9\nexclude = [\"\xff\"]\n").unwrap();
    assert!(said.contains("is not UTF-8 (byte 20): found `FF`") && said.contains("squad-lint.toml:2:13]"), "{said}");
    let utf16: Vec<u8> = "\u{feff}phase = \"dual\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(refusal(utf16).unwrap().contains("is not UTF-8 (byte 0): found `FF`"));
    assert!(refusal(b"phase = \"dual\"\0\n").is_some());
}

#[test]
fn line_ends_and_marks_make_no_difference() {
    let crlf = |config: &str| config.replace('\n', "\r\n");
    for config in ACCEPTED {
        for config in [crlf(config), format!("\u{feff}{config}"), format!("\u{feff}{}", crlf(config))] {
            assert_eq!(refusal(&config), None, "{config:?}");
        }
    }
    for (config, place, _) in REFUSED {
        let said = refusal(format!("\u{feff}{}", crlf(config))).unwrap_or_else(|| panic!("accepted: {config}"));
        assert!(said.contains(&format!("squad-lint.toml:{place}]")), "{place}: {config}\n{said}");
    }
}

/// The configuration as JSON.
fn as_json(config: &str) -> Value {
    toml::from_str(config).unwrap_or_else(|error| panic!("{config}: {error}"))
}

/// The configurations of the fixtures, of this project, and what `init` writes.
fn fixtures() -> Vec<String> {
    let is_config = |path: &Path| path.file_name().is_some_and(|name| name == "squad-lint.toml");
    let tests = files_below(&project().join("tests/rules")).into_iter().filter(|path| is_config(path));
    let mut configs: Vec<String> =
        tests.map(|path| fs::read_to_string(project().join("tests/rules").join(path)).unwrap()).collect();
    configs.push(fs::read_to_string(project().join("squad-lint.toml")).unwrap());
    configs.push(init_text());
    configs
}

#[test]
fn the_schema_accepts_what_the_program_accepts() {
    let validator = validator(&schema("config"));
    let fixtures = fixtures();
    assert!(fixtures.len() > 20, "only {} found", fixtures.len());
    for config in fixtures.iter().map(String::as_str).chain(ACCEPTED) {
        assert_eq!(refusal(config), None, "{config}");
        let errors: Vec<_> = validator.iter_errors(&as_json(config)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{config}\n{}", errors.join("\n"));
    }
    for (config, ..) in REFUSED {
        assert!(!validator.is_valid(&as_json(config)), "the schema accepts what the program refuses: {config}");
    }
}

#[test]
fn the_schema_names_every_rule() {
    let schema = schema("config");
    let rules: Vec<Value> = serde_json::from_slice(&run(&project(), &["rules", "--format", "json"]).stdout).unwrap();
    for table in ["Rules", "Override"] {
        let table = &schema["$defs"][table];
        let levels = if table["properties"]["rules"].is_object() { &table["properties"]["rules"] } else { table };
        for rule in &rules {
            for name in [&rule["name"], &rule["family"]] {
                let level = &levels["properties"][name.as_str().unwrap()];
                assert_eq!(level["$ref"], "#/$defs/Level", "{name}");
            }
            let about = &levels["properties"][rule["name"].as_str().unwrap()]["description"];
            assert_eq!(*about, rule["summary"]);
        }
        assert_eq!(levels["additionalProperties"], false);
    }
    let text = schema.to_string();
    for rust in ["null", "uint", "Option", "usize"] {
        assert!(!text.contains(&format!("\"{rust}")), "{rust} is a word of Rust, not of TOML");
    }
}

fn init_text() -> String {
    stdout(&run(&project(), &["init", "--stdout"]))
}

/// The text of `init` with every key in it.
fn every_key(with_examples: bool) -> String {
    let mut example = false;
    let text = init_text();
    let lines = text.lines().map(|line| {
        let comment = line.strip_prefix('#');
        let prose = comment.is_some_and(|comment| comment.starts_with(' '));
        example = prose && (example || line.ends_with("For example:"));
        match comment {
            Some(key) if !prose => key.to_owned(),
            Some(key) if example && with_examples && !line.ends_with("For example:") => key.trim().to_owned(),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The keys of `schema` that have a default, with it.
fn defaults(schema: &Value, whole: &Value) -> Value {
    let resolved =
        schema["$ref"].as_str().and_then(|name| whole.pointer(name.trim_start_matches('#'))).unwrap_or(schema);
    if schema.get("default").is_some_and(|default| !default.is_object()) {
        return schema["default"].clone();
    }
    let properties = resolved["properties"].as_object().into_iter().flatten();
    let inner = properties.map(|(key, value)| (key.clone(), defaults(value, whole)));
    Value::Object(inner.filter(|(_, value)| !value.is_null() && *value != json!({})).collect())
}

#[test]
fn init_writes_every_key_with_its_default() {
    assert_eq!(as_json(&init_text().replace("\n[", "\n#[")), json!({}), "nothing but comments and headers");
    let schema = schema("config");
    let mut written = as_json(&every_key(false));
    assert_eq!(refusal(every_key(false)), None);
    // A header without a key below it.
    written["rules"].as_object_mut().unwrap().retain(|key, _| key == "options");
    assert_eq!(written, defaults(&schema, &schema));
    let all = as_json(&every_key(true));
    assert_eq!(refusal(every_key(true)), None);
    for key in schema["properties"].as_object().unwrap().keys() {
        assert!(all.get(key).is_some_and(|value| *value != json!({})), "`init` does not show `{key}`");
    }
    assert!(all["guard"]["policy"].is_string() && all["overrides"][0]["rules"].is_object());
}

#[test]
fn init_writes_to_the_root_and_never_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    run_git(folder.path(), &["init", "--quiet"]);
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    let inner = folder.path().join("a/b");
    let output = run(&inner, &["init"]);
    let path = folder.path().canonicalize().unwrap().join("squad-lint.toml");
    assert_eq!(stdout(&output), format!("wrote {}\n", path.display()), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), init_text());
    assert_eq!(run(folder.path(), &[]).status.code(), Some(0));
    fs::remove_file(&path).unwrap();

    for name in ["squad-lint.toml", ".squad-lint.toml", ".config/squad-lint.toml"] {
        write(folder.path(), name, "phase = \"dual\"\n");
        let output = run(&inner, &["init"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("there is a configuration already: ") && said.contains(&format!("/{name} help: ")),
            "{said}"
        );
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "phase = \"dual\"\n");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(!path.exists());
    fs::create_dir(&path).unwrap();
    assert_eq!(run(&inner, &["init"]).status.code(), Some(2), "a folder of that name");
    fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere.toml", &path).unwrap();
        assert_eq!(run(&inner, &["init"]).status.code(), Some(2), "a link that leads nowhere");
        assert!(!folder.path().join("elsewhere.toml").exists());
    }
    let left = files_below(folder.path()).into_iter().filter(|path| !path.starts_with(".git"));
    assert_eq!(left.collect::<Vec<_>>(), ["squad-lint.toml"].map(std::path::PathBuf::from));
}

#[cfg(unix)]
#[test]
fn init_says_why_it_cannot_write() {
    let output = run(&project(), &["init", "--root", "/proc/self"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("the configuration was not written") && said.contains("help: "), "{said}");
    assert_eq!(run(&project(), &["init", "--root", "nowhere"]).status.code(), Some(2));
}

#[test]
fn an_entry_is_what_its_schema_says() {
    let schema = schema("entry");
    let validator = validator(&schema);
    let entry = json!({
        "type": "decision",
        "timestamp": "2026-02-15T14:32:15-08:00",
        "author": "Keaton",
        "summary": "Per-agent models",
        "scope": "agent:verbal-2",
        "tags": "models, cost",
        "details": "Each agent has its own.",
        "rationale": "It is cheaper.",
        "related": [{ "type": "proposal", "identifier": "024" }, { "type": "skill", "identifier": "release" }],
        "supersedes": "2026-02-10T09:15:00-08:00",
        "expires": "2026-12-31T23:59:59Z",
        "contributors": "Verbal, Fenster",
    });
    let errors: Vec<_> = validator.iter_errors(&entry).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for key in entry.as_object().unwrap().keys() {
        let mut without = entry.clone();
        without.as_object_mut().unwrap().remove(key);
        let required = ["type", "timestamp", "author", "summary"].contains(&key.as_str());
        assert_eq!(validator.is_valid(&without), !required, "without {key}");
        let mut null = entry.clone();
        null[key] = Value::Null;
        assert!(!validator.is_valid(&null), "{key} is null");
    }
    assert_eq!(schema["properties"].as_object().unwrap().len(), entry.as_object().unwrap().len());
    for (key, wrong) in [
        ("type", json!("idea")),
        ("timestamp", json!("2026-02-15T14:32:15-0800")),
        ("timestamp", json!("2026-02-30T14:32:15Z")),
        ("author", json!("")),
        ("summary", json!("x".repeat(121))),
        ("scope", json!("agent:")),
        ("scope", json!("everyone")),
        ("tags", json!(["models"])),
        ("related", json!([{ "type": "proposal" }])),
        ("related", json!([{ "type": "ticket", "identifier": "9" }])),
        ("expires", json!("never")),
    ] {
        let mut entry = entry.clone();
        entry[key] = wrong.clone();
        assert!(!validator.is_valid(&entry), "{key} = {wrong}");
    }
    let mut long = entry;
    long["summary"] = json!("ä".repeat(120));
    assert!(validator.is_valid(&long), "characters, not bytes");
}
