//! `squad-lint.toml`: what is accepted and what is refused, what the schemas say of it, what `init` writes.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{NOW, files_below, project, run_git, squad_lint, stderr, stdout, write};
use jsonschema::Validator;
use serde_json::{Value, json};
use squad_lint::config::keys::{self, Key, Takes};
use squad_lint::config::{render, schema};
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
    // The example of a baseline names no file here.
    let output = run(with(config).path(), &["--no-baseline"]);
    match output.status.code() {
        Some(0) => None,
        Some(2) => Some(stderr(&output)),
        _ => panic!("{}{}", stdout(&output), stderr(&output)),
    }
}

fn schema_of(of: &str) -> Value {
    serde_json::from_slice(&run(&project(), &["schema", of]).stdout).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

#[test]
fn the_schemas_are_checked_in() {
    for of in ["config", "entry", "reflection"] {
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
    "max-file-bytes = 0x1_000\n",
    "roots.state = [\".squad\", \"/notes\"]\n",
    "[rules]\nsem = \"off\"\n\"sem/expired\" = \"info\"\n",
    "[rules]\noptions.\"sem/summary-too-long\".max-characters = 1\n",
    "rules = { options = {} }\n",
    "[[overrides]]\nfiles = [\"a/**\", \"b\"]\nrules = { sem = \"warning\" }\n[[overrides]]\nfiles = []\nrules = {}\n",
    "[memory]\nmax-decisions-bytes = 1\nhard-max-decisions-bytes = 2\nmax-history-bytes = 9_223_372_036_854_775_807\n",
    "[guard]\npolicy = \"state-branch\"\nprotected-branches = [\"release/*\"]\nstate-branch = \"x\"\n",
];

/// Configurations whose shape is refused, the place of it, and words of what is said.
const REFUSED: [(&str, &str, &[&str]); 37] = [
    ("fail-onn = \"error\"\n", "1:1", &["unknown key `fail-onn`", "did you mean `fail-on`?"]),
    ("color = true\n", "1:1", &["unknown key `color`", "use one of baseline, "]),
    ("fail-on = 3\n", "1:11", &["found `3`, expected one of `info`, `warning`, `error`", "in quotes"]),
    ("fail-on = \"off\"\n", "1:11", &["found `off`, expected one of"]),
    ("min-severity = \"warn\"\n", "1:16", &["found `warn`", "did you mean `warning`?"]),
    ("min-severity = [\"error\"]\n", "1:16", &["found a list, expected one of"]),
    ("exclude = \"docs\"\n", "1:11", &["found `docs`, expected a list of globs", "write it as in `exclude = ["]),
    ("exclude = [\"a\", 3]\n", "1:17", &["found `3`, expected a glob", "write it as in `exclude = ["]),
    ("exclude = [[\"a\"]]\n", "1:12", &["found a list, expected a glob"]),
    ("phase = \"sem_only\"\n", "1:9", &["expected one of `dual`, `sem-only`", "did you mean `sem-only`?"]),
    ("phase = 1979-05-27\n", "1:9", &["found `1979-05-27`, expected one of"]),
    ("max-file-bytes = \"1 MB\"\n", "1:18", &["found `1 MB`, expected a whole number, at least 1", "4_000_000"]),
    ("max-file-bytes = 1.5\n", "1:18", &["found `1.5`, expected a whole number"]),
    ("max-file-bytes = 0\n", "1:18", &["found `0`, expected a whole number, at least 1"]),
    ("max-file-bytes = -1\n", "1:18", &["found `-1`, expected a whole number, at least 1"]),
    ("roots = [\".squad\"]\n", "1:9", &["found a list, expected a table", "roots = { manifests = "]),
    ("[roots]\nstates = [\".squad\"]\n", "2:1", &["did you mean `state`?"]),
    ("[rules]\nsem = \"loud\"\n", "2:7", &["found `loud`, expected one of `off`, `info`, `warning`, `error`"]),
    ("[rules]\nsem = { max = 3 }\n", "2:7", &["found a table, expected one of `off`"]),
    (
        "[rules]\n\"sem/expird\" = \"off\"\n",
        "2:1",
        &["unknown rule or family `sem/expird`", "did you mean `sem/expired`?"],
    ),
    ("[rules]\n\"zzzzzzzzzzzz\" = \"off\"\n", "2:1", &["`squad-lint rules` to list all rules"]),
    ("[rules.option]\n", "1:8", &["did you mean `options`?"]),
    ("[rules.options]\n\"sem/expired\" = {}\n", "2:1", &["unknown key `sem/expired`", "use one of sem/summary"]),
    (
        "[rules.options.\"sem/summary-too-long\"]\nmax-characters = 0\n",
        "2:18",
        &["expected a whole number, at least 1"],
    ),
    ("overrides = 3\n", "1:13", &["found `3`, expected a list of tables", "files = "]),
    ("overrides = [3]\n", "1:14", &["found `3`, expected a table", "write it as `[[overrides]]`"]),
    ("[overrides]\nfiles = []\nrules = {}\n", "1:1", &["found a table, expected a list of tables"]),
    ("\n[[overrides]]\nfiles = [\"a\"]\n", "2:1", &["missing key `rules` in `[[overrides]]`", "rules = { sem"]),
    ("[[overrides]]\nrules = {}\nfile = [\"a\"]\n", "3:1", &["did you mean `files`?"]),
    ("[[overrides]]\nfiles = [\"a\"]\nrules = { semm = \"off\" }\n", "3:11", &["did you mean `sem`?"]),
    ("[[overrides]]\nfiles = [\"a\"]\nrules = { sem = \"of\" }\n", "3:17", &["did you mean `off`?"]),
    ("[guard]\npolicy = \"never\"\n", "2:10", &["found `never`, expected one of `never-tracked`"]),
    ("baseline = \"\"\n", "1:12", &["expected a string that is not empty", "squad-lint-baseline.json"]),
    ("[learnings]\nsimilarity-threshold = 101\n", "2:24", &["found `101`, expected a whole number from 1 to 100"]),
    ("[[overrides]]\nfiles = [\"a\"]\nrules = [\"sem\"]\n", "3:9", &["found a list, expected a table", "sem = "]),
    ("[guard]\nstate-branch = \"\"\n", "2:16", &["expected a name that git takes for a branch", "\"state\""]),
    ("[guard]\nstate-branch = \"squad state\"\n", "2:16", &["expected a name that git takes for a branch"]),
];

/// What a schema cannot refuse, or what is no TOML.
const REFUSED_OTHERWISE: [(&str, &str, &[&str]); 15] = [
    ("max-file-bytes = 1e6\n", "1:18", &["found `1e6`, expected a whole number"]),
    ("phase = \n", "1:9", &["correct the TOML", "squad-lint init --stdout"]),
    ("{\"phase\": \"dual\"}\n", "1:1", &["correct the TOML"]),
    ("phase = \"dual\n", "1:14", &["expected `\"`"]),
    ("[rules]\nsem/expired = \"off\"\n", "2:4", &["put quotes around the name of a rule"]),
    ("exclude = [\"a\"]\nexclude = [\"b\"]\n", "2:1", &["duplicate key `exclude`", "delete one"]),
    ("[guard]\n[guard]\n", "2:2", &["duplicate key `guard`"]),
    ("[[overrides]]\nfiles = []\nfiles = []\n", "3:1", &["duplicate key `files`"]),
    ("max-file-bytes = 99999999999999999999\n", "1:18", &["from 1 to 9223372036854775807", "4_000_000"]),
    ("exclude = [\"a{\"]\n", "1:12", &["`a{` is not a glob: unclosed", "into brackets to match it literally"]),
    ("exclude = [\n  \"ok\",\n  \"[\",\n]\n", "3:3", &["`[` is not a glob: unclosed"]),
    ("[roots]\nstate = [\"[z-a]\"]\n", "2:10", &["`[z-a]` is not a glob: invalid range"]),
    ("[guard]\nprotected-branches = [\"main\", \"a}\"]\n", "2:31", &["`a}` is not a glob"]),
    (
        "[[overrides]]\nfiles = [\"a\"]\nrules = {}\n[[overrides]]\nfiles = [\"a{\"]\nrules = {}\n",
        "5:10",
        &["`a{` is not"],
    ),
    ("phase = \"\u{202e}\u{1b}[31m\"\n", "1:11", &["correct the TOML"]),
];

#[test]
fn what_is_refused_is_named_with_its_place_and_what_to_do() {
    for (config, place, words) in REFUSED.iter().chain(&REFUSED_OTHERWISE) {
        let said = refusal(config).unwrap_or_else(|| panic!("accepted: {config}"));
        assert!(said.contains(&format!("squad-lint.toml:{place}\n")), "{place}: {config}\n{said}");
        assert!(said.contains(" = help: "), "{config}\n{said}");
        for words in *words {
            assert!(said.contains(words), "`{words}`: {config}\n{said}");
        }
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let said = refusal(b"# caf\xc3\xa9\nexclude = [\"\xff\"]\n").unwrap();
    assert!(said.contains("is not UTF-8 (byte 20): found `FF`") && said.contains("squad-lint.toml:2:13\n"), "{said}");
    let utf16: Vec<u8> = "\u{feff}phase = \"dual\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(refusal(utf16).unwrap().contains("the configuration is UTF-16, expected UTF-8"));
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
        assert!(said.contains(&format!("squad-lint.toml:{place}\n")), "{place}: {config}\n{said}");
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
    let validator = validator(&schema_of("config"));
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
    let schema = schema_of("config");
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
    for rust in ["null", "uint", "Option<", "usize"] {
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
    let schema = schema_of("config");
    let mut written = as_json(&every_key(false));
    assert_eq!(refusal(every_key(false)), None);
    // Headers without a key below them.
    written["rules"].as_object_mut().unwrap().retain(|key, _| key == "options");
    written.as_object_mut().unwrap().retain(|_, table| *table != json!({}));
    let mut defaults = defaults(&schema, &schema);
    defaults.as_object_mut().unwrap().remove("overrides");
    assert_eq!(written, defaults);
    let all = as_json(&every_key(true));
    assert_eq!(refusal(every_key(true)), None);
    for key in schema["properties"].as_object().unwrap().keys() {
        assert!(all.get(key).is_some_and(|value| *value != json!({})), "`init` does not show `{key}`");
    }
    assert!(all["guard"]["policy"].is_string() && all["overrides"][0]["rules"].is_object());
}

/// The tables above a key, as a configuration that sets it to `value`.
fn set(path: &[&str], value: &str) -> String {
    format!("{} = {value}\n", render::dotted(path))
}

#[test]
fn every_key_has_an_example_is_checked_and_is_shown() {
    let schema = schema::base();
    let keys = keys::all(&schema);
    assert!(keys.len() > 20, "only {} found", keys.len());
    for Key { path, node } in keys {
        let key = render::dotted(&path);
        assert!(node.about().ends_with('.'), "{key}: no sentence about it");
        let example = node.example().unwrap_or_else(|| panic!("{key}: no example"));
        assert!(node.default() != Some(&example), "{key}: the example is the default");
        let text = set(&path, &render::value(&example));
        assert_eq!(refusal(&text), None, "{text}");
        if let Some(default) = node.default() {
            assert_eq!(refusal(set(&path, &render::value(default))), None, "{key}: the default");
        }

        // `config` shows the value and its line; rules and overrides it shows one by one.
        let folder = with(format!("\n\n{text}"));
        let all = effective(folder.path(), &[]);
        if !["rules", "overrides"].contains(&key.as_str()) {
            let found = all["settings"].as_array().unwrap().iter();
            let values: Vec<_> = found.filter(|s| s["key"] == key && s["origin"] == from_line(3)).collect();
            assert_eq!(values.len(), 1, "{key}\n{all}");
            assert_eq!(values[0]["value"], example, "{key}");
        }

        // A value of another kind is refused where it is, with the example as help.
        let wrong = set(&path, "[3.5]");
        let said = refusal(&wrong).unwrap_or_else(|| panic!("accepted: {wrong}"));
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_list = matches!(node.takes(), Takes::List(_));
        let place = format!("squad-lint.toml:1:{}\n", key.len() + 4 + usize::from(is_list));
        assert!(said.contains(&place) && flat.contains("expected "), "{place}\n{said}");
        let help = match node.takes() {
            Takes::Word(_) => "write one of these words, in quotes".to_owned(),
            takes if takes.is_list_of_tables() => format!("write it as `[[{key}]]`"),
            _ => format!("write it as in `{}`", set(&path[path.len() - 1..], &render::value(&example)).trim_end()),
        };
        assert!(flat.contains(&help), "{help}\n{said}");
        if let Takes::Number { min, .. } = node.takes() {
            assert!(min > 0, "{key}: no smallest value, so that 0 switches it off or breaks it");
            assert!(refusal(set(&path, &(min - 1).to_string())).is_some(), "{key}");
        }

        // A slip is answered with the key.
        let (name, tables) = path.split_last().unwrap();
        let slip = format!("{}x{}", &name[..name.len() - 1], &name[name.len() - 1..]);
        let said = refusal(set(&[tables, &[slip.as_str()]].concat(), "1")).unwrap();
        assert!(said.contains(&format!("did you mean `{name}`?")), "{slip}\n{said}");
    }
}

#[test]
fn earlier_names_are_answered_with_those_of_today() {
    for (path, today) in [
        (&["max-file-size"][..], "max-file-bytes"),
        (&["guard", "branches"], "protected-branches"),
        (&["learnings", "lines-max"], "max-lines"),
        (&["learnings", "core-max"], "max-core-lines"),
        (&["learnings", "task-relevant-max"], "max-task-relevant-lines"),
        (&["learnings", "stale-after"], "stale-after-days"),
        (&["learnings", "unsettled-after"], "unsettled-after-days"),
        (&["learnings", "promote-after"], "promote-after-sprints"),
        (&["learnings", "similarity"], "similarity-threshold"),
        (&["memory", "decisions-max"], "max-decisions-bytes"),
        (&["memory", "decisions-hard-max"], "hard-max-decisions-bytes"),
        (&["memory", "history-max"], "max-history-bytes"),
        (&["rules", "options", "sem/summary-too-long", "max"], "max-characters"),
    ] {
        let said = refusal(set(path, "1")).unwrap();
        assert!(said.contains(&format!("did you mean `{today}`?")), "{path:?}\n{said}");
    }
}

/// The rows of the table of keys.
fn rows() -> String {
    let schema = schema::base();
    let row = |Key { path, node }: Key<'_>| {
        let key = render::dotted(&path);
        let words = match node.takes() {
            Takes::Word(words) => format!(" One of `{}`.", words.join("`, `")),
            _ => String::new(),
        };
        let default = node.default().map_or_else(|| "none".to_owned(), |value| format!("`{}`", render::value(value)));
        let example = set(&path, &render::value(&node.example().unwrap()));
        format!("| `{key}` | {}{words} | {default} | `{}` |\n", node.about(), example.trim_end())
    };
    let rows: String = keys::all(&schema).into_iter().map(row).collect();
    format!("| key | what it sets | default | example |\n| --- | --- | --- | --- |\n{rows}")
}

#[test]
fn the_page_has_the_table_of_keys() {
    let path = project().join("docs/configuration.md");
    let page = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- made from src/settings.rs -->\n", "<!-- end -->\n");
    let (before, rest) = page.split_once(start).unwrap();
    let (table, after) = rest.split_once(end).unwrap();
    if std::env::var_os("SQUAD_LINT_UPDATE").is_some() {
        fs::write(&path, format!("{before}{start}{}{end}{after}", rows())).unwrap();
    } else {
        assert_eq!(table, rows(), "`SQUAD_LINT_UPDATE=1 cargo test config::` writes the table");
    }
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
        let said = stderr(&output);
        assert!(said.contains("a configuration already exists: ") && said.contains(&format!("/{name}\n")), "{said}");
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
    let schema = schema_of("entry");
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

/// What `config --format json` prints.
fn effective(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[&["config", "--format", "json", "--now", NOW], args].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

/// The value and the origin of a key; of a rule, its level.
fn of<'a>(effective: &'a Value, key: &str) -> (&'a Value, &'a Value) {
    let settings = effective["settings"].as_array().unwrap().iter();
    if let Some(setting) = settings.rev().find(|setting| setting["key"] == key) {
        return (&setting["value"], &setting["origin"]);
    }
    let rule = effective["rules"].as_array().unwrap().iter().find(|rule| rule["name"] == key);
    let rule = rule.unwrap_or_else(|| panic!("no `{key}`"));
    (&rule["level"], &rule["origin"])
}

fn from_default() -> Value {
    json!({ "kind": "default" })
}

fn from_line(line: usize) -> Value {
    json!({ "kind": "file", "line": line })
}

fn from_option(option: &str) -> Value {
    json!({ "kind": "command-line", "option": option })
}

const SAMPLE: &str = "fail-on = \"warning\"
exclude = [\"tests/rules\", \"drafts\"]
phase = \"sem-only\"

[roots]
state = [\".squad\", \"notes\"]

[rules]
markdown = \"info\"
sem = \"warning\"
\"sem/expired\" = \"off\"
\"sem/out-of-order\" = \"error\"
options = { \"sem/summary-too-long\" = { max-characters = 99 } }

[memory]
max-history-bytes = 7

[[overrides]]
files = [\".squad/agents\"]
rules = { sem = \"error\", \"sem/missing-field\" = \"info\" }

[[overrides]]
files = [\"history.md\"]
rules = { \"sem/missing-field\" = \"off\", \"sem/expired\" = \"info\" }

[guard]
policy = \"never-tracked\"
";

#[test]
fn config_tells_where_each_value_comes_from() {
    let folder = with(SAMPLE);
    let all = effective(folder.path(), &[]);
    assert_eq!((&all["config"], &all["path"], &all["root"]), (&json!("squad-lint.toml"), &Value::Null, &Value::Null));
    for (key, value, origin) in [
        ("fail-on", json!("warning"), from_line(1)),
        ("min-severity", json!("warning"), from_default()),
        ("exclude", json!(["tests/rules", "drafts"]), from_line(2)),
        ("phase", json!("sem-only"), from_line(3)),
        ("max-file-bytes", json!(16_777_216), from_default()),
        ("now", json!(NOW), from_option("--now")),
        ("roots.state", json!([".squad", "notes"]), from_line(6)),
        ("rules.options.\"sem/summary-too-long\".max-characters", json!(99), from_line(13)),
        ("memory.max-history-bytes", json!(7), from_line(16)),
        ("memory.max-decisions-bytes", json!(20_480), from_default()),
        ("guard.policy", json!("never-tracked"), from_line(27)),
        ("guard.state-branch", json!("squad-state"), from_default()),
        ("markdown/unclosed-fence", json!("info"), from_line(9)),
        ("sem/missing-field", json!("warning"), from_line(10)),
        ("sem/expired", json!("off"), from_line(11)),
        ("sem/out-of-order", json!("error"), from_line(12)),
        // A family switches no rule on.
        ("sem/label-layout", json!("off"), from_default()),
        ("guard/tracked-state", json!("error"), from_default()),
    ] {
        assert_eq!(of(&all, key), (&value, &origin), "{key}");
    }
    assert_eq!(all["overrides"].as_array().unwrap().len(), 2);

    let history = effective(folder.path(), &[".squad/agents/keaton/history.md"]);
    assert_eq!((&history["root"], &history["excluded"]), (&json!(".squad"), &Value::Null));
    for (rule, level, line) in
        [("sem/missing-field", "off", 24), ("sem/missing-terminator", "error", 20), ("sem/expired", "info", 24)]
    {
        assert_eq!(of(&history, rule), (&json!(level), &from_line(line)), "{rule}");
    }
    let decisions = effective(folder.path(), &[".squad/decisions.md"]);
    assert_eq!(of(&decisions, "sem/missing-field"), (&json!("warning"), &from_line(10)));
    assert_eq!(decisions["overrides"], json!([]));
    let draft = effective(folder.path(), &["notes/drafts/x.md"]);
    assert_eq!(draft["excluded"], json!({ "glob": "drafts", "origin": from_line(2) }));
    assert_eq!(draft["root"], "notes");

    // The command line goes before the file.
    let args = ["--fail-on", "info", "--ignore", "markdown", "--exclude", "x", ".squad/agents/x/history.md"];
    let given = effective(folder.path(), &args);
    assert_eq!(of(&given, "fail-on"), (&json!("info"), &from_option("--fail-on")));
    assert_eq!(of(&given, "min-severity"), (&json!("info"), &from_option("--fail-on")), "it follows");
    assert_eq!(of(&given, "exclude"), (&json!(["x"]), &from_option("--exclude")));
    assert_eq!(of(&given, "markdown/unclosed-fence"), (&json!("off"), &from_option("--ignore")));
    assert_eq!(given["excluded"], json!({ "glob": "x", "origin": from_option("--exclude") }));
    let selected = effective(folder.path(), &["--select", "sem/expired,markdown"]);
    assert_eq!(of(&selected, "sem/expired"), (&json!("warning"), &from_option("--select")));
    assert_eq!(of(&selected, "sem/missing-field"), (&json!("off"), &from_option("--select")));
    assert_eq!(of(&selected, "markdown/unclosed-fence"), (&json!("info"), &from_line(9)));
    let none = effective(folder.path(), &["--no-config"]);
    assert_eq!((&none["config"], &none["not-read"]), (&Value::Null, &json!(["squad-lint.toml"])));
    for rule in none["rules"].as_array().unwrap() {
        assert_eq!((&rule["level"], &rule["origin"]), (&rule["default"], &from_default()));
    }
}

#[test]
fn config_finds_the_file_and_the_environment() {
    let folder = with("fail-on = \"info\"\n");
    run_git(folder.path(), &["init", "--quiet"]);
    write(folder.path(), ".config/squad-lint.toml", "fail-on = \"error\"\n");
    write(folder.path(), "a/other.toml", "\n\nfail-on = \"warning\"\n");
    let inner = folder.path().join("a");
    let found = effective(&inner, &["."]);
    assert_eq!((&found["config"], &found["path"]), (&json!("squad-lint.toml"), &Value::Null));
    assert_eq!(found["not-read"], json!([".config/squad-lint.toml"]));
    assert_eq!(effective(&inner, &[".squad/nowhere.md"])["path"], "a/.squad/nowhere.md");
    let other = effective(&inner, &["--config", "other.toml"]);
    assert_eq!(of(&other, "fail-on"), (&json!("warning"), &from_line(3)));
    assert_eq!(other["config"], "a/other.toml");

    let mut command = squad_lint(folder.path());
    let output = command.args(["config", "--format", "json"]).env("SOURCE_DATE_EPOCH", "1000000000").output().unwrap();
    let of_epoch: Value = serde_json::from_slice(&output.stdout).unwrap();
    let variable = json!({ "kind": "environment", "variable": "SOURCE_DATE_EPOCH" });
    assert_eq!(of(&of_epoch, "now"), (&json!("2001-09-09T01:46:40+0000"), &variable));

    for wrong in [&["--root", ".", "../../x.md"][..], &["--select", "semm"], &["--exclude", "a{"], &["--now", "x"]] {
        let output = run(&inner, &[&["config"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?} {}", stdout(&output));
    }
    write(folder.path(), "squad-lint.toml", "fail-onn = 1\n");
    assert_eq!(run(&inner, &["config"]).status.code(), Some(2));
}

#[test]
fn config_prints_a_configuration_with_the_same_effect() {
    let levels = |effective: &Value| -> Vec<(Value, Value)> {
        let rules = effective["rules"].as_array().unwrap().iter();
        rules.map(|rule| (rule["name"].clone(), rule["level"].clone())).collect()
    };
    let values = |effective: &Value| -> Vec<(Value, Value)> {
        let settings = effective["settings"].as_array().unwrap().iter().filter(|setting| setting["key"] != "exclude");
        settings.map(|setting| (setting["key"].clone(), setting["value"].clone())).collect()
    };
    let history = ".squad/agents/keaton/history.md";
    for args in [&[][..], &[history], &["--select", "sem", history], &["--ignore", "sem/expired", "--fail-on", "info"]]
    {
        let folder = with(SAMPLE);
        let before = effective(folder.path(), args);
        let text = stdout(&run(folder.path(), &[&["config", "--now", NOW], args].concat()));
        write(folder.path(), "squad-lint.toml", &text);
        let path: Vec<&str> = args.iter().copied().filter(|arg| *arg == history).collect();
        let after = effective(folder.path(), &path);
        assert_eq!(levels(&after), levels(&before), "{args:?}\n{text}");
        assert_eq!(values(&after), values(&before), "{args:?}\n{text}");
        if path.is_empty() {
            let rules = |effective: &Value| -> Vec<Value> {
                effective["overrides"].as_array().unwrap().iter().map(|over| over["rules"].clone()).collect()
            };
            assert_eq!(rules(&after), rules(&before));
        }
    }
    // Globs that are odd, but globs.
    let folder = with("exclude = [\"a\\\"b\", \"\\u202E\\u001B#\", \"\\\\\\\\\"]\n");
    let before = effective(folder.path(), &[]);
    let text = stdout(&run(folder.path(), &["config"]));
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    write(folder.path(), "squad-lint.toml", &text);
    let after = effective(folder.path(), &[]);
    let (own, all) = (of(&before, "exclude").0.as_array().unwrap(), of(&after, "exclude").0.as_array().unwrap());
    assert!(all.ends_with(own) && own.len() == 3, "{text}");
}

#[test]
fn config_says_what_check_does() {
    let folder = tempfile::tempdir().unwrap();
    for path in files_below(&project().join("tests/demo")) {
        write(folder.path(), &path, fs::read(project().join("tests/demo").join(&path)).unwrap());
    }
    let mut compared = 0;
    for config in ["", SAMPLE, "[rules]\n\"sem/dangling-reference\" = \"off\"\nmarkdown = \"warning\"\n"] {
        write(folder.path(), "squad-lint.toml", config);
        for args in [&[][..], &["--select", "sem"], &["--ignore", "markdown"], &["--select", "all"]] {
            let check = [&["--format", "json", "--min-severity", "info", "--now", NOW], args].concat();
            let found: Value = serde_json::from_slice(&run(folder.path(), &check).stdout).unwrap();
            for finding in found["diagnostics"].as_array().unwrap() {
                let path = finding["path"].as_str().unwrap();
                let told = effective(folder.path(), &[&[path], args].concat());
                let (level, _) = of(&told, finding["rule"].as_str().unwrap());
                assert_eq!(*level, finding["severity"], "{args:?} {finding}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} findings");
}
