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
//! - Each family is a test, and `SQUAD_LINT_CASE=sem/missing-field` (or `…/fires`) leaves all cases but those of a rule out.
//! - `SQUAD_LINT_UPDATE=1 cargo test rules::` writes `expected.txt`; nothing else ever does.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{NOW, files_below, is_shown_by_default, project, run_git, squad_lint, stdout, write};
use rayon::prelude::*;
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

/// The folders in `folder`, in order.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for path in &folders {
        assert!(path.is_dir(), "{}: not in a case", path.display());
    }
    folders
}

/// The cases of a family: all of them, or those that `SQUAD_LINT_CASE` names.
fn fixtures(family: &str) -> Vec<Fixture> {
    let base = project().join("tests/rules");
    let chosen = std::env::var("SQUAD_LINT_CASE").unwrap_or_default();
    let chosen = Path::new(&chosen);
    let mut out = Vec::new();
    for rule in folders_in(&base.join(family)) {
        for folder in folders_in(&rule) {
            if !folder.strip_prefix(&base).unwrap().starts_with(chosen) {
                continue;
            }
            let text = fs::read_to_string(folder.join("case.toml")).unwrap_or_default();
            let case = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            let rule = format!("{family}/{}", rule.file_name().unwrap().to_str().unwrap());
            out.push(Fixture { folder, rule, case });
        }
    }
    let is_asked = chosen.iter().next().is_none_or(|first| first == family);
    assert!(!is_asked || !out.is_empty(), "no case of {family} is {}", chosen.display());
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

/// Checks every case of a family, on all cores: what it prints, and what its fixes give. A run changes nothing unless it is
/// told to fix, so that a repository is laid out once for the runs that only look, and again only where `--fix` has work.
fn check(family: &str) {
    let update = std::env::var_os("SQUAD_LINT_UPDATE").is_some();
    let fixtures = fixtures(family);
    let wrong: Vec<String> = fixtures
        .par_iter()
        .flat_map_iter(|fixture| {
            let mut wrong = Vec::new();
            for line_end in [LineEnd::AsIs, LineEnd::Crlf] {
                let repository = fixture.lay_out(line_end);
                wrong.extend(fixture.printed_otherwise(repository.path(), line_end, update));
                wrong.extend(fixture.fixed_otherwise(repository.path(), line_end));
            }
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{}\n{} things differ in {} cases", wrong.join("\n"), wrong.len(), fixtures.len());
}

impl Fixture {
    fn name(&self, line_end: LineEnd) -> String {
        let crlf = if line_end == LineEnd::Crlf { " with CRLF" } else { "" };
        format!("{}{crlf}", self.folder.display())
    }

    /// How what the program prints differs from `expected.txt`.
    fn printed_otherwise(&self, repository: &Path, line_end: LineEnd, update: bool) -> Vec<String> {
        let output = self.run(repository, &[]);
        let errors = crate::support::stderr(&output);
        let actual = format!("{}{errors}exit code {}\n", stdout(&output), output.status.code().unwrap());
        let path = self.folder.join("expected.txt");
        if update && line_end == LineEnd::AsIs {
            fs::write(&path, &actual).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|_| "no expected.txt\n".to_owned());
        if actual == expected {
            return Vec::new();
        }
        vec![format!("=== {}\n--- expected\n{expected}--- printed\n{actual}", self.name(line_end))]
    }

    /// How what the fixes make of `repository` differs from `fixed/`. The edits of the JSON output are applied until there
    /// are none, so they need no second look; `--fix` does.
    fn fixed_otherwise(&self, repository: &Path, line_end: LineEnd) -> Vec<String> {
        let name = self.name(line_end);
        let fixed = self.folder.join("fixed");
        let changed = apply_all(self, repository);
        if changed != fixed.is_dir() {
            return vec![format!("{name}: fixes change files: {changed}; has a folder `fixed`: {}", fixed.is_dir())];
        }
        let untouched = changed.then(|| self.lay_out(line_end));
        let by_program = untouched.as_ref().map_or(repository, tempfile::TempDir::path);
        let mut says = self.fix(by_program);
        let mut wrong = Vec::new();
        for path in if changed { files_below(&fixed) } else { Vec::new() } {
            // A file that the fix makes has the line ends of the program, or of the file that its text comes from.
            let moved = path.extension().is_some_and(|extension| extension == "md");
            let line_end = if self.has(&path) || moved { line_end } else { LineEnd::AsIs };
            let expected = converted(&fs::read(fixed.join(&path)).unwrap(), line_end);
            for (how, folder) in [("the edits of the JSON output", repository), ("--fix", by_program)] {
                let actual = fs::read(folder.join(&path)).unwrap_or_default();
                if actual != expected {
                    let (expected, actual) = (String::from_utf8_lossy(&expected), String::from_utf8_lossy(&actual));
                    let path = path.display();
                    wrong.push(format!("=== {name}/{path}, {how}\n--- expected\n{expected}\n--- fixed\n{actual}"));
                }
            }
        }
        if self.is_of_a_change() {
            return wrong;
        }
        // What says at once that nothing is to be fixed would say so again.
        if !says.contains("nothing to fix") {
            says = self.fix(by_program);
        }
        if !says.contains("nothing to fix") {
            wrong.push(format!("{name}: a second --fix says {says}"));
        }
        wrong
    }
}

/// A test a family: `cargo test rules::sem` runs the cases of one.
macro_rules! families {
    ($($family:ident)*) => {
        $(
            #[test]
            fn $family() {
                check(stringify!($family));
            }
        )*

        #[test]
        fn every_folder_is_a_family_that_is_checked() {
            let mut folders: Vec<_> = fs::read_dir(project().join("tests/rules")).unwrap().collect();
            folders.sort_by_key(|folder| folder.as_ref().unwrap().file_name());
            let names: Vec<_> = folders.into_iter().map(|folder| folder.unwrap().file_name()).collect();
            assert_eq!(names, [$(stringify!($family)),*]);
        }
    };
}

families! { bundle charter guard inbox learnings legacy lint markdown memory reflection roster security sem session team }

/// The text that these parts stand for, of which some are lines of `from`, with the line ends of `into`.
fn arriving(parts: &serde_json::Value, from: &str, into: &str) -> String {
    let end = if into.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = String::new();
    for part in parts.as_array().unwrap() {
        if let Some(new) = part["text"].as_str() {
            text += new;
            continue;
        }
        let line = |name: &str| usize::try_from(part["lines"][name].as_u64().unwrap()).unwrap();
        let lines = from.lines().take(line("last")).skip(line("first") - 1);
        lines.for_each(|line| text.extend([line, end]));
    }
    text
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
            let path = append["path"].as_str().unwrap();
            let there = fs::read_to_string(repository.join(path)).ok();
            assert!(there.is_none() || append["creates"] == false, "{}: {path} is there", fixture.rule);
            let arriving = arriving(&append["parts"], &text, there.as_deref().unwrap_or(&text));
            write(repository, path, there.unwrap_or_default() + &arriving);
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
