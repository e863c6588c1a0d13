//! Every fixture: `tests/rules/<family>/<rule>/<case>/` is a small repository with `expected.txt`, what the program prints
//! there and its exit code, and perhaps `fixed/`, its files after the fixes.
//!
//! - `case.toml` may give `args` (instead of the default ones), `now`, `stdin`, and `unsafe-fixes = true`.
//! - `files` in it are further files: those that would hide the case from this repository, and those of `.git`.
//! - `steps` in it make the case a git repository: each is a `git` command, or `write PATH TEXT`, `link PATH TARGET` and
//!   `remove PATH`. `$(…)` in `args` and `stdin` stands for what `git rev-parse …` prints.
//! - Without `args` the run has all rules at their defaults, so that a defect shows whatever else it sets off; a rule that
//!   such a run does not show is selected alone.
//! - `--fix` for the rule alone must give `fixed/` as well.
//! - Each case runs a second time with CRLF line ends, and must print the same.
//! - `SQUAD_LINT_UPDATE=1 cargo test rules::` writes `expected.txt`; nothing else ever does.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{NOW, files_below, is_shown_by_default, project, run_git, squad_lint, stdout, write};
use serde::Deserialize;
use squad_lint::rules;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Case {
    args: Option<Vec<String>>,
    now: Option<String>,
    unsafe_fixes: bool,
    files: BTreeMap<String, String>,
    steps: Vec<String>,
    stdin: Option<String>,
}

const OWN_FILES: [&str; 2] = ["case.toml", "expected.txt"];

#[derive(Clone, Copy, PartialEq)]
enum LineEnd {
    AsIs,
    Crlf,
}

struct Fixture {
    folder: PathBuf,
    rule: String,
    case: Case,
}

fn fixtures() -> Vec<Fixture> {
    let base = project().join("tests/rules");
    let mut out = Vec::new();
    for expected_or_case in files_below(&base) {
        let parts: Vec<_> = expected_or_case.components().map(|part| part.as_os_str().to_str().unwrap()).collect();
        let [family, rule, case, ..] = parts.as_slice() else {
            panic!("{}: not in a case", expected_or_case.display())
        };
        let folder = base.join(family).join(rule).join(case);
        if out.iter().any(|fixture: &Fixture| fixture.folder == folder) {
            continue;
        }
        let text = fs::read_to_string(folder.join("case.toml")).unwrap_or_default();
        let case = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        out.push(Fixture { folder, rule: format!("{family}/{rule}"), case });
    }
    out
}

impl Fixture {
    fn args(&self) -> Vec<String> {
        if let Some(args) = &self.case.args {
            return args.clone();
        }
        let registered = rules::find(&self.rule).unwrap_or_else(|| panic!("{}: no such rule", self.rule));
        if is_shown_by_default(registered) {
            return Vec::new();
        }
        ["--select", &self.rule, "--min-severity", "info"].map(String::from).to_vec()
    }

    /// Whether the case starts out with that file.
    fn has(&self, path: &Path) -> bool {
        self.folder.join(path).exists() || path.to_str().is_some_and(|path| self.case.files.contains_key(path))
    }

    /// The repository of the case in a folder of its own.
    fn lay_out(&self, line_end: LineEnd) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in files_below(&self.folder) {
            let own = OWN_FILES.iter().any(|name| path.as_os_str() == *name) || path.starts_with("fixed");
            if !own {
                write(folder.path(), &path, converted(&fs::read(self.folder.join(&path)).unwrap(), line_end));
            }
        }
        if !self.case.steps.is_empty() {
            run_git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        }
        for (path, text) in &self.case.files {
            write(folder.path(), path, converted(text.as_bytes(), line_end));
        }
        for step in &self.case.steps {
            take(step, folder.path());
        }
        folder
    }

    /// Whether the case is one of a change: what is staged and what is committed is never fixed.
    fn is_of_a_change(&self) -> bool {
        self.args().iter().any(|arg| matches!(arg.as_str(), "--staged" | "--from"))
    }

    /// Has the program fix what this rule finds; what it says.
    fn fix(&self, repository: &Path) -> String {
        let now = self.case.now.as_deref().unwrap_or(NOW);
        // The arguments of the case but for its selection of rules.
        let mut args = self.args();
        if let Some(at) = args.iter().position(|arg| arg == "--select") {
            args.drain(at..at + 2);
        }
        args.extend(["--select", &self.rule, "--now", now, "--fix"].map(String::from));
        args.extend(self.case.unsafe_fixes.then(|| "--unsafe-fixes".to_owned()));
        let output = squad_lint(repository).args(args).output().unwrap();
        format!("{}{}", stdout(&output), crate::support::stderr(&output))
    }

    fn run(&self, repository: &Path, extra: &[&str]) -> std::process::Output {
        let now = self.case.now.as_deref().unwrap_or(NOW);
        let mut command = squad_lint(repository);
        command.args(self.args().iter().map(|arg| expanded(arg, repository))).args(["--now", now]).args(extra);
        let Some(stdin) = &self.case.stdin else { return command.output().unwrap() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(expanded(stdin, repository).as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}

/// Does one step of `case.toml`.
fn take(step: &str, repository: &Path) {
    let words: Vec<&str> = step.splitn(3, ' ').collect();
    match words.as_slice() {
        ["write", path, text] => write(repository, path, text),
        ["remove", path] => fs::remove_file(repository.join(path)).unwrap(),
        ["link", path, target] => link(&repository.join(path), target),
        _ => drop(run_git(repository, &step.split(' ').collect::<Vec<_>>())),
    }
}

#[cfg(unix)]
fn link(path: &Path, target: &str) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(path: &Path, target: &str) {
    panic!("{}: no link to {target} can be made here", path.display());
}

/// `text` with each `$(…)` replaced by what `git rev-parse …` prints.
fn expanded(text: &str, repository: &Path) -> String {
    let mut parts = text.split("$(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (revision, rest) = part.split_once(')').unwrap();
        out.push_str(run_git(repository, &["rev-parse", revision]).trim());
        out.push_str(rest);
    }
    out
}

fn converted(bytes: &[u8], line_end: LineEnd) -> Vec<u8> {
    if line_end == LineEnd::AsIs || bytes.contains(&b'\r') {
        return bytes.to_vec();
    }
    bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect()
}

#[test]
fn every_case_prints_what_is_expected() {
    let update = std::env::var_os("SQUAD_LINT_UPDATE").is_some();
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        for line_end in [LineEnd::AsIs, LineEnd::Crlf] {
            let repository = fixture.lay_out(line_end);
            let output = fixture.run(repository.path(), &[]);
            let errors = crate::support::stderr(&output);
            let actual = format!("{}{errors}exit code {}\n", stdout(&output), output.status.code().unwrap());
            let path = fixture.folder.join("expected.txt");
            if update && line_end == LineEnd::AsIs {
                fs::write(&path, &actual).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap_or_else(|_| "no expected.txt\n".to_owned());
            if actual != expected {
                let crlf = if line_end == LineEnd::Crlf { " with CRLF" } else { "" };
                wrong.push(format!(
                    "=== {}{crlf}\n--- expected\n{expected}--- printed\n{actual}",
                    fixture.folder.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{} cases differ", wrong.join("\n"), wrong.len());
}

#[test]
fn every_fix_gives_the_fixed_files_and_then_nothing_more() {
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        for line_end in [LineEnd::AsIs, LineEnd::Crlf] {
            let repository = fixture.lay_out(line_end);
            let fixed = fixture.folder.join("fixed");
            let changed = apply_all(&fixture, repository.path());
            let name = fixture.folder.display();
            if changed != fixed.is_dir() {
                wrong.push(format!("{name}: fixes change files: {changed}; has a folder `fixed`: {}", fixed.is_dir()));
                continue;
            }
            let by_program = fixture.lay_out(line_end);
            fixture.fix(by_program.path());
            for path in if changed { files_below(&fixed) } else { Vec::new() } {
                // A file that the fix makes has the line ends of the program, or of the file that its text comes from.
                let moved = path.extension().is_some_and(|extension| extension == "md");
                let line_end = if fixture.has(&path) || moved { line_end } else { LineEnd::AsIs };
                let expected = converted(&fs::read(fixed.join(&path)).unwrap(), line_end);
                for (how, folder) in [("the edits of the JSON output", &repository), ("--fix", &by_program)] {
                    let actual = fs::read(folder.path().join(&path)).unwrap_or_default();
                    if actual != expected {
                        let (expected, actual) = (String::from_utf8_lossy(&expected), String::from_utf8_lossy(&actual));
                        let path = path.display();
                        wrong.push(format!("=== {name}/{path}, {how}\n--- expected\n{expected}\n--- fixed\n{actual}"));
                    }
                }
            }
            if apply_all(&fixture, repository.path()) {
                wrong.push(format!("{name}: a second fix changes files again"));
            }
            if fixture.is_of_a_change() {
                continue;
            }
            let again = fixture.fix(by_program.path());
            if !again.contains("nothing to fix") {
                wrong.push(format!("{name}: a second --fix says {again}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{} cases differ", wrong.join("\n"), wrong.len());
}

/// Applies the edits of the JSON output until there are none, one finding after the other. Says whether any file changed.
fn apply_all(fixture: &Fixture, repository: &Path) -> bool {
    let mut changed = false;
    for _ in 0..20 {
        // Given twice, an option is refused.
        let shows_all = fixture.args().iter().any(|arg| arg == "--min-severity");
        let severity: &[&str] = if shows_all { &[] } else { &["--min-severity", "info"] };
        let output = fixture.run(repository, &[&["--format", "json"], severity].concat());
        let Ok(json) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else { return changed };
        let wanted = |fix: &serde_json::Value| match fix["applicability"].as_str() {
            Some("safe") => true,
            Some("unsafe") => fixture.case.unsafe_fixes,
            _ => false,
        };
        let of_rule = |item: &&serde_json::Value| item["rule"] == fixture.rule.as_str() && wanted(&item["fix"]);
        let Some(item) = json["diagnostics"].as_array().unwrap().iter().find(of_rule) else { return changed };
        let path = repository.join(item["path"].as_str().unwrap());
        // A fix can make a file.
        let text = fs::read_to_string(&path).unwrap_or_default();
        for append in item["fix"]["append"].as_array().unwrap() {
            let path = repository.join(append["path"].as_str().unwrap());
            let text = fs::read_to_string(&path).unwrap_or_default();
            write(repository, append["path"].as_str().unwrap(), text + append["content"].as_str().unwrap());
        }
        let mut edits: Vec<_> = item["fix"]["edits"].as_array().unwrap().iter().collect();
        let only_makes_files = edits.is_empty() && !item["fix"]["append"].as_array().unwrap().is_empty();
        assert!(!edits.is_empty() || only_makes_files, "{}: a fix without edits", fixture.rule);
        edits.reverse();
        let mut new = text.clone();
        for edit in edits {
            let start = offset(&text, &edit["range"]["start"]);
            let end = offset(&text, &edit["range"]["end"]);
            new.replace_range(start..end, edit["content"].as_str().unwrap());
        }
        assert!(new != text || only_makes_files, "{}: a fix that changes nothing", fixture.folder.display());
        fs::write(&path, new).unwrap();
        changed = true;
    }
    panic!("{}: the fixes do not come to an end", fixture.folder.display());
}

/// The byte of a line and column, both from 1, the column in characters, a byte order mark taking none.
fn offset(text: &str, place: &serde_json::Value) -> usize {
    let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
    let column = usize::try_from(place["column"].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let bom = if line == 1 && text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = &text[start + bom..];
    let inner: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
    start + bom + inner
}
