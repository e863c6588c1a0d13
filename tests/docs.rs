//! The README and the pages under `docs/` are true: their commands run, the outputs they show are the program's, the
//! configuration is accepted, the JSON output is what its schema says, the example of a rule compiles and fires.
//!
//! `SQUAD_LINT_UPDATE=1 cargo test docs::` rewrites the outputs that the pages show.

mod authors;
mod checklists;
pub mod page;
mod shouting_summary;
mod tsv;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::{NOW, files_below, project, run_git, squad_lint, stderr, stdout, write};
use page::{Block, Page, pages, words};
use serde_json::Value;
use squad_lint::diagnostic::{Finding, Severity};
use squad_lint::dialects::{Body, StatePath, default_roots};
use squad_lint::engine::{self, Outcome, Progress, RuleSet};
use squad_lint::facts::{Gather, Run};
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::layout::exclude::Excludes;
use squad_lint::layout::roots::Roots;
use squad_lint::options::Options;
use squad_lint::report::{self, Format, Report};
use squad_lint::rule::{Check, Context, Registered, Rule, Sink};
use squad_lint::rules;
use squad_lint::select::input::{Input, Mode, Overlay};
use squad_lint::select::repository::Repository;
use squad_lint::select::selected::Selected;
use squad_lint::select::worktree::{self, Selection};
use squad_lint::text::prose::enumerated;
use tempfile::TempDir;

/// What the pages show and this test does not run: builds of the whole project, and what needs the example rule.
const NOT_RUN: [&str; 11] = [
    "cargo test",
    "cargo test catalogue::",
    "SQUAD_LINT_CASE=sem/shouting-summary SQUAD_LINT_UPDATE=1 cargo test rules::",
    "cargo test rules::",
    "SQUAD_LINT_UPDATE=1 cargo test config::",
    "SQUAD_LINT_UPDATE=1 cargo test docs::",
    "SQUAD_LINT_UPDATE=1 cargo test report::",
    "cargo install --path . --locked",
    "cargo clippy --all-targets",
    "cargo run -- explain sem/shouting-summary",
    "rustfmt --check src/rules/sem/shouting_summary.rs",
];

/// What a clone has that the commands need: the sample and the configuration.
fn clone() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in files_below(&project().join("tests/demo")) {
        let path = Path::new("tests/demo").join(path);
        write(folder.path(), &path, fs::read(project().join(&path)).unwrap());
    }
    fs::copy(project().join("squad-lint.toml"), folder.path().join("squad-lint.toml")).unwrap();
    folder
}

/// The sample of a learning team, with what a member has just returned.
fn clone_of_team() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = project().join("tests/demo-team");
    for path in files_below(&sample) {
        write(folder.path(), &path, fs::read(sample.join(&path)).unwrap());
    }
    let returned = fs::read(sample.join("memory/reflections/backend-2026-02-28.json")).unwrap();
    write(folder.path(), "reflection.json", returned);
    folder
}

/// A project for commands on bundles: one with a squad to export, or one without a squad and with bundles.
fn project_for_bundles(command: Option<&&str>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        ".squad/team.md",
        "# Team\n\n| Name | Role |\n| --- | --- |\n| Keaton | Lead |\n| Verbal | Tester |\n",
    );
    for name in ["keaton", "verbal"] {
        write(folder.path(), format!(".squad/agents/{name}/charter.md"), format!("# {name} — Agent\n"));
    }
    if command != Some(&"export") {
        for (name, agents) in [("squad-export.squad", "keaton,verbal"), ("team.squad", "keaton")] {
            let args = ["bundle", "export", "--agents", agents, "--out", name];
            assert!(squad_lint(folder.path()).args(args).status().unwrap().success());
        }
        fs::remove_dir_all(folder.path().join(".squad")).unwrap();
    }
    folder
}

/// The sample of a running session.
fn clone_of_session() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = project().join("tests/demo-session");
    for path in files_below(&sample) {
        write(folder.path(), &path, fs::read(sample.join(&path)).unwrap());
    }
    folder
}

/// The sample of a memory to ask.
fn clone_of_memory() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = project().join("tests/demo-memory");
    for path in files_below(&sample) {
        write(folder.path(), &path, fs::read(sample.join(&path)).unwrap());
    }
    folder
}

/// The commands that ask it.
const OF_MEMORY: [&str; 3] = ["memory", "health", "stats"];

/// Makes `folder` a repository with the branch `main`, another one with a commit on it, and a staged change.
fn in_git(folder: &Path) {
    run_git(folder, &["init", "--quiet", "--initial-branch", "main"]);
    run_git(folder, &["add", "--all"]);
    run_git(folder, &["commit", "--quiet", "--message", "sample"]);
    run_git(folder, &["checkout", "--quiet", "-b", "topic"]);
    for (name, step) in [("one", "commit"), ("two", "stage")] {
        write(folder, format!("tests/demo/.squad/decisions/inbox/{name}.md"), "# Nothing\n");
        run_git(folder, &["add", "--all"]);
        if step == "commit" {
            run_git(folder, &["commit", "--quiet", "--message", name]);
        }
    }
}

/// The arguments that make a run the same everywhere: the clone has no git.
const FIXED: [&str; 4] = ["--root", ".", "--now", NOW];

#[test]
fn every_command_shown_works() {
    let mut wrong = Vec::new();
    let mut run = 0;
    for page in pages() {
        for line in page.blocks.iter().filter(|block| block.language == "sh").flat_map(|block| block.text.lines()) {
            let words = words(line).unwrap_or_else(|problem| panic!("{}: `{line}`: {problem}", page.name));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (clone, team, session) = (clone(), clone_of_team(), clone_of_session());
            let memory = clone_of_memory();
            let bundles = project_for_bundles(words.get(2));
            let (folder, args, may_find) = match words.as_slice() {
                [] => continue,
                known if NOT_RUN.contains(&known.join(" ").as_str()) => continue,
                ["cargo", "run", "--release", "--", args @ ..] => (clone.path().to_path_buf(), args, false),
                ["squad-lint", args @ ..] if page.name == "docs/teams.md" || args.first() == Some(&"team") => {
                    (team.path().to_path_buf(), args, true)
                }
                ["squad-lint", args @ ..] if args.first() == Some(&"bundle") => {
                    (bundles.path().to_path_buf(), args, true)
                }
                ["squad-lint", args @ ..] if args.first().is_some_and(|name| OF_MEMORY.contains(name)) => {
                    (memory.path().to_path_buf(), args, true)
                }
                ["squad-lint", args @ ..] if args.first() == Some(&"session") => {
                    (session.path().to_path_buf(), args, true)
                }
                ["squad-lint", args @ ..] => (clone.path().join("tests/demo"), args, true),
                _ => {
                    wrong.push(format!("{}: `{line}` is a command that this test does not know", page.name));
                    continue;
                }
            };
            run += 1;
            if ["--staged", "--from", "install", "uninstall"].iter().any(|word| args.contains(word)) {
                in_git(clone.path());
            }
            let output = squad_lint(&folder).args(args).output().unwrap();
            let code = output.status.code();
            if code != Some(0) && !(may_find && code == Some(1)) || output.stdout.is_empty() {
                let (out, errors) = (stdout(&output), stderr(&output));
                wrong.push(format!("{}: `{line}` ends with {code:?}\n{out}{errors}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(run > 10, "only {run} commands found");
}

#[test]
fn commands_that_are_not_run_name_what_exists() {
    let shown: Vec<String> = pages()
        .iter()
        .flat_map(|page| page.blocks.iter().filter(|block| block.language == "sh"))
        .flat_map(|block| block.text.lines().filter_map(|line| Some(words(line).ok()?.join(" "))))
        .collect();
    for command in NOT_RUN {
        assert!(shown.iter().any(|line| line == command), "no page shows `{command}` any more");
        if let Some((_, test)) = command.split_once("--test ") {
            assert!(project().join(format!("tests/{test}.rs")).is_file(), "`{command}`: there is no such test");
        }
    }
    for main in ["cargo run --release -- --exit-zero tests/demo", "cargo test"] {
        assert!(shown.iter().any(|line| line == main), "no page shows `{main}`");
    }
}

#[test]
fn outputs_shown_are_the_programs() {
    let update = std::env::var_os("SQUAD_LINT_UPDATE").is_some();
    let mut shown = 0;
    for page in pages() {
        let mut text = page.text.clone();
        // From the last, so that the places of the others stay.
        for block in page.blocks.iter().rev() {
            let Some(command) = block.marker("output of: ") else { continue };
            let words = words(command).unwrap();
            assert_eq!(words.first().map(String::as_str), Some("squad-lint"), "{}: `{command}`", page.name);
            let clone = match page.name.as_str() {
                "docs/teams.md" => clone_of_team(),
                "docs/sessions.md" => clone_of_session(),
                "docs/memory.md" | "docs/memory-write.md" => clone_of_memory(),
                _ => clone(),
            };
            let mut program = squad_lint(clone.path());
            let is_timeless = words.get(1..3).is_some_and(|words| words == ["session", "graph"]);
            let has_now = is_timeless || words.iter().any(|word| word == "--now");
            let fixed = if has_now { &FIXED[..2] } else { &FIXED };
            let output = program.env("COLUMNS", "100").args(&words[1..]).args(fixed).output().unwrap();
            assert_ne!(output.status.code(), Some(2), "{}: `{command}`: {}", page.name, stderr(&output));
            // Only the test passes `--root`: its copy of the project is in no repository.
            let actual = stdout(&output).replace(" --root .", "");
            shown += 1;
            if update {
                text.replace_range(block.place.clone(), &actual);
            } else {
                assert_eq!(block.text, actual, "{}: `{command}` prints something else", page.name);
            }
        }
        if text != page.text {
            fs::write(project().join(&page.name), text).unwrap();
        }
    }
    let markers: usize = pages().iter().map(|page| page.text.matches("<!-- output of: ").count()).sum();
    assert_eq!(shown, markers, "a marker without a block of output after it");
    assert!(shown > 10, "{shown} outputs");
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let folder = project().join(&page.name).parent().unwrap().to_path_buf();
        for target in page.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let leads = match target.split_once('#') {
                _ if target.contains("://") => true,
                Some(("", anchor)) => page.anchors.iter().any(|known| known == anchor),
                Some((path, anchor)) => has_anchor(&folder.join(path), anchor),
                None => folder.join(target).exists(),
            };
            assert!(leads, "{}: {target}", page.name);
        }
    }
}

/// Whether the page at that path has such a heading.
fn has_anchor(path: &Path, anchor: &str) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let root = project().canonicalize().unwrap();
    let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    Page::read(&name).anchors.iter().any(|known| known == anchor)
}

#[test]
fn pages_of_rules_link_to_headings_that_exist() {
    const HERE: &str = "https://github.com/squad-lint/squad-lint/blob/main/";
    let mut seen = 0;
    for registered in rules::all() {
        let (name, page) = (registered.rule.name, registered.page());
        let (_, source) = page.split_once("\n## Source\n").unwrap();
        for link in source.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            assert!(link.starts_with("https://"), "{name}: {link}");
            let Some(target) = link.strip_prefix(HERE) else { continue };
            let (path, anchor) = target.split_once('#').unwrap_or_else(|| panic!("{name}: {link} names no section"));
            assert!(has_anchor(&project().join(path), anchor), "{name}: {link}");
            // The words before a link are those of the page and of its heading.
            let quoted = source.split(&format!("\":\n<{link}>")).next().unwrap().rsplit('"').next().unwrap();
            assert_eq!(quoted.to_lowercase().replace(' ', "-"), anchor, "{name}: {link}");
            seen += 1;
        }
    }
    assert!(seen > 80, "only {seen} links");
}

#[test]
fn entries_and_files_on_the_pages_of_formats_have_no_defects() {
    let entries = Page::read("docs/formats/squad-entry-markdown.md");
    let entry = entries.blocks.iter().find(|block| block.marker("entry").is_some()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", &entry.text);
    let team = Page::read("docs/formats/learning-teams.md");
    let manifest = team.blocks.iter().find(|block| block.language == "yaml").unwrap();
    // The second member is named in the examples.
    let other = "  - name: frontend\n    role: Pages\n    tools: [Read]\n    owns: [\"web/**\"]\n";
    write(folder.path(), ".claude/team.yaml", format!("{}{other}", manifest.text));
    let files: Vec<&Block> = team.blocks.iter().filter(|block| block.marker("file: ").is_some()).collect();
    assert_eq!(files.len(), 2);
    for file in files {
        write(folder.path(), file.marker("file: ").unwrap(), &file.text);
    }
    let reflection = team.blocks.iter().find(|block| block.language == "json").unwrap();
    write(folder.path(), "memory/reflections/backend-2026-02-28.json", &reflection.text);
    let args = ["--select", "sem,legacy,markdown,memory,learnings,team,reflection,security", "--min-severity", "info"];
    let ignored = ["--ignore", "learnings/missing-file,sem/dangling-reference"];
    let output = squad_lint(folder.path()).args(args).args(ignored).args(FIXED).output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 5 files\n", "{}", stderr(&output));
}

#[test]
fn the_configuration_shown_is_accepted_key_by_key() {
    let page = Page::read("docs/configuration.md");
    let block = page.blocks.iter().find(|block| block.language == "toml").expect("the page shows a configuration");
    let run = |config: &str| {
        let clone = clone();
        fs::write(clone.path().join("squad-lint.toml"), config).unwrap();
        squad_lint(clone.path()).args(FIXED).output().unwrap()
    };
    let output = run(&block.text);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let mut keys = 0;
    let lines: Vec<&str> = block.text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        let other = match key.strip_suffix('"') {
            Some(key) => format!("{key}-x\""),
            None => format!("{key}-x"),
        };
        let renamed = format!("{other} = {value}");
        let mut changed = lines.clone();
        changed[at] = &renamed;
        let output = run(&changed.join("\n"));
        assert_eq!(output.status.code(), Some(2), "`{other}` is accepted, so `{key}` shows nothing");
        keys += 1;
    }
    assert!(keys >= 17, "only {keys} keys found");
}

#[test]
fn parts_of_files_that_pages_show_are_in_them() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    for page in pages() {
        for block in &page.blocks {
            let Some(file) = block.marker("part of: ") else { continue };
            let (shown, all) = (lines(&block.text), lines(&fs::read_to_string(project().join(file)).unwrap()));
            let is_there = all.windows(shown.len()).any(|part| part == shown);
            assert!(is_there, "{}: {file} does not have this part:\n{}", page.name, block.text);
        }
    }
}

/// The cases of all fixtures, each a small repository.
fn cases() -> Vec<PathBuf> {
    let base = project().join("tests/rules");
    let case = |path: PathBuf| base.join(path.iter().take(3).collect::<PathBuf>());
    let mut cases: Vec<_> = files_below(&base).into_iter().map(case).collect();
    cases.dedup();
    cases
}

#[test]
fn json_output_is_what_its_schema_says() {
    let schema = schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let clone = clone();
    let empty = tempfile::tempdir().unwrap();
    let every = ["--select", "all", "--min-severity", "info", "--show-suppressed"];
    let mut runs: Vec<(PathBuf, Vec<&str>)> = vec![
        (clone.path().to_path_buf(), vec![]),
        (clone.path().to_path_buf(), vec!["--statistics"]),
        (clone.path().to_path_buf(), vec!["--select", "lint", "--statistics"]),
        (empty.path().to_path_buf(), vec![]),
        (empty.path().to_path_buf(), vec!["--statistics"]),
    ];
    runs.extend(cases().into_iter().map(|case| (case, every.to_vec())));
    let mut seen = Seen::default();
    for (folder, args) in runs {
        let output = squad_lint(&folder).args(["--format", "json"]).args(&args).args(FIXED).output().unwrap();
        let shown = format!("{} {args:?}", folder.display());
        let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let errors: Vec<_> =
            validator.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{shown}\n{}", errors.join("\n"));
        assert_eq!(json.get("suppressed").is_some(), args.contains(&"--show-suppressed"), "{shown}");
        assert_eq!(json.get("statistics").is_some(), args.contains(&"--statistics"), "{shown}");
        seen.look_at(&json);
    }
    assert_eq!(seen, Seen::EVERYTHING, "the runs do not show each part of the output");
}

/// Which parts of the format the runs have shown.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    no_range: bool,
    related: bool,
    related_elsewhere: bool,
    safe: bool,
    r#unsafe: bool,
    statistics: bool,
    suppressed: bool,
    reason: bool,
}

impl Seen {
    const EVERYTHING: Self = Self {
        no_range: true,
        related: true,
        related_elsewhere: true,
        safe: true,
        r#unsafe: true,
        statistics: true,
        suppressed: true,
        reason: true,
    };

    fn look_at(&mut self, json: &Value) {
        self.statistics |= json["statistics"].as_array().is_some_and(|counts| !counts.is_empty());
        for item in json["suppressed"].as_array().into_iter().flatten() {
            self.suppressed |= item["by"] == "comment";
            self.reason |= item["reason"].is_string();
        }
        for item in json["diagnostics"].as_array().unwrap() {
            self.no_range |= item["range"].is_null();
            for related in item["related"].as_array().unwrap() {
                self.related = true;
                self.related_elsewhere |= related["path"] != item["path"];
            }
            self.safe |= item["fix"]["applicability"] == "safe";
            self.r#unsafe |= item["fix"]["applicability"] == "unsafe";
        }
    }
}

fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(project().join("docs/json-output.schema.json")).unwrap()).unwrap()
}

#[test]
fn the_schema_is_valid_and_lets_nothing_else_through() {
    let schema = schema();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    let mut objects = vec![("the whole", &schema)];
    objects.extend(schema["$defs"].as_object().unwrap().iter().map(|(name, def)| (name.as_str(), def)));
    for (name, object) in objects.into_iter().filter(|(_, object)| object["type"] == "object") {
        assert_eq!(object["additionalProperties"], false, "{name}");
        let required: Vec<&str> =
            object["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        for key in object["properties"].as_object().unwrap().keys() {
            assert!(
                required.contains(&key.as_str()) || ["standard", "statistics", "suppressed"].contains(&key.as_str()),
                "{name}: `{key}` may be left out"
            );
        }
    }
}

#[test]
fn the_page_on_json_names_every_member() {
    let page = Page::read("docs/json-output.md");
    let schema = schema();
    for object in [
        &schema,
        &schema["$defs"]["diagnostic"],
        &schema["$defs"]["count"],
        &schema["$defs"]["fix"],
        &schema["$defs"]["suppressed"],
    ] {
        for key in object["properties"].as_object().unwrap().keys() {
            let named = [format!("`{key}`"), format!("\"{key}\"")].iter().any(|name| page.text.contains(name));
            assert!(named, "docs/json-output.md does not name `{key}`");
        }
    }
}

/// The block of the page on rules that stands for that file.
fn example<'a>(page: &'a Page, marker: &str) -> &'a Block {
    let found = page.blocks.iter().find(|block| block.marker("") == Some(marker));
    found.unwrap_or_else(|| panic!("{}: no block `{marker}`", page.name))
}

#[test]
fn the_example_of_a_rule_is_the_one_that_compiles_here() {
    let page = Page::read("docs/how-to-add-a-rule.md");
    let shown = &example(&page, "file: src/rules/sem/shouting_summary.rs").text;
    let source = fs::read_to_string(project().join("tests/docs/shouting_summary.rs")).unwrap();
    assert_eq!(*shown, source.replace("squad_lint::", "crate::"));
    let rule = Registered { rule: &shouting_summary::RULE, module: "shouting_summary", source: shown.clone().leak() };
    assert!(rule.page().starts_with("# sem/shouting-summary\n"));
    assert!(rule.headline().starts_with("A summary in upper case"));

    let folder = "file: tests/rules/sem/shouting-summary";
    let fires = example(&page, &format!("{folder}/fires/.squad/decisions.md"));
    let silent = example(&page, &format!("{folder}/silent/.squad/decisions.md"));
    let expected = &example(&page, "expected").text;
    assert_eq!(&format!("{}exit code 0\n", run_example(&fires.text)), expected);
    assert_eq!(run_example(&silent.text), "no problems found in 1 file\n");
    for block in [fires, silent] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/decisions.md", &block.text);
        let output = squad_lint(folder.path()).args(["--format", "json"]).args(FIXED).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        // Whoever follows the page has the rule in the program, too.
        let others = json["diagnostics"].as_array().unwrap().iter().filter(|item| item["rule"] != rule.rule.name);
        assert_eq!(others.count(), 0, "the example has a second defect");
    }
}

#[test]
fn the_example_of_a_format_is_the_one_that_compiles_here() {
    let page = Page::read("docs/how-to-add-a-report-format.md");
    let shown = &example(&page, "file: src/report/tsv.rs").text;
    let source = fs::read_to_string(project().join("tests/docs/tsv.rs")).unwrap();
    assert_eq!(*shown, source.replace("squad_lint::", "crate::"));
    let rules = RuleSet::new(rules::all().map(|registered| registered.rule).filter(|rule| rule.enabled).map(on));
    let outcome = check(&project().join("tests/demo"), &rules);
    let format = Format { name: "tsv", spec: &tsv::FORMAT };
    let mut out = Vec::new();
    report::write(Report::of(&outcome), format, &mut out).unwrap();
    let expected = example(&page, "expected");
    if std::env::var_os("SQUAD_LINT_UPDATE").is_some() {
        let mut text = page.text.clone();
        text.replace_range(expected.place.clone(), std::str::from_utf8(&out).unwrap());
        fs::write(project().join(&page.name), text).unwrap();
    } else {
        assert_eq!(String::from_utf8(out).unwrap(), expected.text);
    }
}

#[test]
fn the_page_has_the_table_of_formats() {
    let path = project().join("docs/output-formats.md");
    let page = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- made from src/report/ -->\n", "<!-- end -->\n");
    let (before, rest) = page.split_once(start).unwrap();
    let (table, after) = rest.split_once(end).unwrap();
    let row = |format: &Format| format!("| `{}` | {} | {} |\n", format.name, format.spec.readers, format.spec.shows);
    let rows: String = Format::all().iter().map(row).collect();
    let rows = format!("| format | for | shows |\n| --- | --- | --- |\n{rows}");
    if std::env::var_os("SQUAD_LINT_UPDATE").is_some() {
        fs::write(&path, format!("{before}{start}{rows}{end}{after}")).unwrap();
    } else {
        assert_eq!(table, rows, "`SQUAD_LINT_UPDATE=1 cargo test docs::` writes the table");
        for format in Format::all() {
            assert!(after.contains(&format!("\n## {}\n", format.name)), "no section on `{}`", format.name);
        }
        // What the page says of `--statistics`, and of runs without a file.
        let named = |has: fn(&Format) -> bool| -> Vec<String> {
            Format::all().iter().filter(|format| has(format)).map(|format| format!("`{}`", format.name)).collect()
        };
        let page = before.split_whitespace().collect::<Vec<_>>().join(" ")
            + &after.split_whitespace().collect::<Vec<_>>().join(" ");
        let counting = enumerated(&named(|format| format.spec.has_statistics));
        assert!(page.contains(&format!("instead, in {counting}.")), "the formats with `has_statistics`: {counting}");
        let silent = enumerated(&named(|format| !format.spec.has_notes));
        assert!(
            page.contains(&format!("{silent} have no place for this")),
            "the formats without `has_notes`: {silent}"
        );
    }
}

/// A rule with the severity that its page gives.
fn on(rule: &'static Rule) -> (&'static Rule, Severity) {
    (rule, rule.severity)
}

/// What the example rule alone prints for a repository with these decisions.
fn run_example(decisions: &str) -> String {
    run_rule(&shouting_summary::RULE, decisions)
}

/// A rule that asks for the example of a fact.
static ENTRIES_BY_VERBAL: Rule = Rule { name: "sem/entries-by-verbal", check: Check::Repository(count), ..Rule::NEW };

fn count(run: &Run<'_>, sink: &mut Sink<'_>) {
    let authors = authors::Fact::gather(run);
    let message =
        format!("{} entries by Verbal, {} by Nobody", authors.entries_by("Verbal"), authors.entries_by("Nobody"));
    sink.report(Finding::whole_file(message).in_file(".squad/decisions.md"));
}

#[test]
fn the_example_of_a_fact_is_the_one_that_compiles_here() {
    let page = Page::read("docs/how-to-add-a-fact.md");
    let source = fs::read_to_string(project().join("tests/docs/authors.rs")).unwrap();
    assert_eq!(example(&page, "file: src/facts/authors.rs").text, source.replace("squad_lint::", "crate::"));
    let entry = |author: &str| {
        let header = "### 2026-02-15T14:32:15-0800: note: One";
        format!("{header}\n\n**type:** note  \n**author:** {author}  \n**summary:** One.\n\n---\n\n")
    };
    let printed = run_rule(&ENTRIES_BY_VERBAL, &[entry("Verbal"), entry("Keaton"), entry("Verbal")].concat());
    assert!(printed.contains("2 entries by Verbal, 0 by Nobody"), "{printed}");
}

/// A rule that asks for the example of a dialect.
static STEP: Rule = Rule { name: "squad/step", check: Check::Document(report_steps), ..Rule::NEW };

fn report_steps(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(checklist) = context.document.body::<checklists::Checklist>() else { return };
    for step in &checklist.steps {
        sink.report(Finding::at(step.span, format!("step `{}`", step.as_str().unwrap_or_default())));
    }
}

#[test]
fn the_example_of_a_dialect_is_the_one_that_compiles_here() {
    let page = Page::read("docs/how-to-add-a-dialect.md");
    let source = fs::read_to_string(project().join("tests/docs/checklists.rs")).unwrap();
    let shown = &example(&page, "file: src/dialects/checklists/mod.rs").text;
    assert_eq!(*shown, source.replace("squad_lint::", "crate::"));
    let path = "a/.squad/checklists/release.yaml";
    let kind = |path: &str| (checklists::DIALECT.kind_in_root)(StatePath::new(path.into(), "a/.squad".into()));
    assert_eq!(kind(path), Some(&checklists::CHECKLIST));
    assert_eq!(kind("a/.squad/checklists/README.md"), None);
    assert_eq!(kind("a/.squad/release.yaml"), None);

    let folder = tempfile::tempdir().unwrap();
    let text = "- Build\n# squad-lint: ignore squad/step -- known\n- Sign\n- Ship\n";
    write(folder.path(), path, text);
    let file = Selected::on_disk(path.into(), "a/.squad".into(), &checklists::CHECKLIST, true, false);
    let selection = Selection { files: Arc::new(vec![file]), ..Selection::everything() };
    let outcome = check_selected(&Repository::at(folder.path()).unwrap(), &selection, &RuleSet::new([on(&STEP)]));
    let messages: Vec<&str> = outcome.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["step `Build`", "step `Ship`"]);
    let starts = checklists::Checklist::parse(text).part_starts();
    assert!(
        starts.into_iter().eq(["Build", "Sign", "Ship"].map(|step| u32::try_from(text.find(step).unwrap()).unwrap()))
    );
}

/// What `rule` alone prints for a repository with these decisions.
fn run_rule(rule: &'static Rule, decisions: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", decisions);
    let outcome = check(folder.path(), &RuleSet::new([on(rule)]));
    let report = Report { min_severity: Severity::Info, width: 120, ..Report::of(&outcome) };
    let mut out = anstream::StripStream::new(Vec::new());
    report::write(report, Format::default(), &mut out).unwrap();
    String::from_utf8(out.into_inner()).unwrap()
}

/// What `rules` find in the repository at `folder`.
fn check(folder: &Path, rules: &RuleSet) -> Outcome {
    let repository = Repository::at(folder).unwrap();
    let roots = Roots::new(default_roots().map(|root| root.glob)).unwrap();
    let selection = worktree::select(&repository, &roots, &Excludes::default(), &[]).unwrap();
    check_selected(&repository, &selection, rules)
}

/// What `rules` find in these files of `repository`.
fn check_selected(repository: &Repository, selection: &Selection, rules: &RuleSet) -> Outcome {
    let roots = Roots::new(default_roots().map(|root| root.glob)).unwrap();
    let input = Input {
        repository,
        roots: &roots,
        excludes: &Excludes::default(),
        selection,
        overlay: &Overlay::new(),
        mode: Mode::WorkTree,
    };
    let options = Options::at(Timestamp::read(NOW).unwrap());
    engine::run(input, rules, &options, &Progress::default())
}

#[test]
fn no_floor_knows_one_above() {
    let floors = [
        "text",
        "terminal",
        "ownership",
        "fs",
        "value_source",
        "diagnostic",
        "formats",
        "git",
        "dialects",
        "layout",
        "select",
        "settings",
        "options",
        "config",
        "suppress",
        "document",
        "convert",
        "merge",
        "facts",
        "archiving",
        "outcome",
        "baseline",
        "report",
        "errors",
        "rule",
        "rule_set",
        "rules",
        "project",
        "engine",
        "fix",
        "memory",
        "writing",
        "cli",
        "reports",
        "team",
        "conversion",
        "charters",
        "bundle",
        "sessions",
        "hooks",
        "commands",
        "main",
    ];
    let mut wrong = Vec::new();
    for path in files_below(&project().join("src")) {
        let name = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        // The crate's root declares all floors.
        let Some(floor) = floors.iter().position(|floor| *floor == name) else {
            assert_eq!(name, "lib", "a module without a floor");
            continue;
        };
        let source = fs::read_to_string(project().join("src").join(&path)).unwrap();
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        for used in code.flat_map(|line| line.split("crate::").skip(1)) {
            let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            if floors.iter().skip(floor + 1).any(|above| *above == used) {
                wrong.push(format!("src/{}: knows `{used}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A renderer knows no rule.
    for path in files_below(&project().join("src/report")) {
        let source = fs::read_to_string(project().join("src/report").join(&path)).unwrap();
        for module in ["rule", "rules", "formats", "facts", "select", "config", "commands"] {
            assert!(!source.contains(&format!("crate::{module}::")), "src/report/{}: knows `{module}`", path.display());
        }
    }
}
