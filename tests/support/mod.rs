//! What the tests share: running the real program, and copying folders.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod damage;
pub mod defects;
pub mod fixing;
pub mod no_files;
pub mod oracle;
pub mod random;
pub mod repo;
pub mod sample;
#[cfg(unix)]
pub mod terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use squad_lint::diagnostic::Severity;
use squad_lint::rule::Registered;

/// The moment of every run, unless a test says another.
pub const NOW: &str = "2026-03-01T00:00:00+0000";

/// The program under test, in `folder`, with nothing of the environment that could change its output. `SQUAD_LINT_PROGRAM` names
/// another build of it: an optimised one, where large inputs are tried.
pub fn squad_lint(folder: &Path) -> Command {
    let built = env!("CARGO_BIN_EXE_squad-lint");
    let mut command = Command::new(std::env::var_os("SQUAD_LINT_PROGRAM").unwrap_or_else(|| built.into()));
    command.current_dir(folder).env("COLUMNS", "120").env("NO_COLOR", "1");
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE", "SOURCE_DATE_EPOCH"] {
        command.env_remove(name);
    }
    isolate(&mut command);
    command
}

/// Takes from `command` what the user, the system and the caller's repository would tell git.
fn isolate(command: &mut Command) {
    let inherited = [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_PREFIX",
        "GITHUB_BASE_REF",
    ];
    let of_clients = ["PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF", "PRE_COMMIT_REMOTE_BRANCH"];
    for name in inherited.into_iter().chain(of_clients) {
        command.env_remove(name);
    }
    // A home without a configuration: where git finds no file it looks there, too.
    let nowhere = project().join("tests/support/no-home");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("HOME", &nowhere).env("XDG_CONFIG_HOME", &nowhere);
    // No folder can be made below a file.
    command.env("XDG_STATE_HOME", project().join("Cargo.toml"));
}

/// The real git in `folder`, with a fixed author and moment.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    isolate(&mut command);
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Keaton").env(format!("GIT_{role}_EMAIL"), "keaton@example.com");
        command.env(format!("GIT_{role}_DATE"), "2026-02-15T14:32:15+0000");
    }
    command
}

/// Runs git with these arguments in `folder`; what it prints.
pub fn run_git(folder: &Path, args: &[&str]) -> String {
    let output = git(folder).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
    stdout(&output)
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The folder of this project.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder`, relative to it, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    fn walk(folder: &Path, base: &Path, out: &mut Vec<PathBuf>) {
        let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, base, out);
            } else {
                out.push(path.strip_prefix(base).unwrap().to_path_buf());
            }
        }
    }
    let mut out = Vec::new();
    walk(folder, folder, &mut out);
    out
}

/// Writes `content` to `folder/path`, making the folders on the way.
pub fn write(folder: &Path, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// What ignored tests need: the variables that name it, and the programs.
const NEEDED: ([&str; 6], [&str; 6]) = (
    [
        "SQUAD_LINT_CHARTER_CASES",
        "SQUAD_LINT_CORPUS",
        "SQUAD_LINT_HISTORY",
        "SQUAD_LINT_ORACLE",
        "SQUAD_LINT_RUAMEL",
        "SQUAD_LINT_SARIF_SCHEMA",
    ],
    ["npm", "node", "zsh", "fish", "groff", "python3"],
);

/// What a variable names. A test that asks for it is ignored; when it is run all the same it fails without the variable,
/// so that no test passes that has compared nothing.
pub fn needs(variable: &str) -> PathBuf {
    assert!(NEEDED.0.contains(&variable));
    let value = std::env::var_os(variable).filter(|value| !value.is_empty());
    let path =
        PathBuf::from(value.unwrap_or_else(|| panic!("{variable} is not set, and this test needs it: see .ci/run")));
    assert!(path.exists(), "{variable}: there is no {}", path.display());
    path
}

/// A program of this machine, likewise.
pub fn needs_program(name: &str) -> Command {
    assert!(NEEDED.1.contains(&name));
    let found = Command::new(name).arg("--version").output().is_ok();
    assert!(found, "{name} is not installed, and this test needs it");
    Command::new(name)
}

/// `SQUAD_LINT_REQUIRE=1` asks for a complete run: everything that tests need is here, and no test is ignored.
#[test]
fn a_run_that_has_to_be_complete_is() {
    if std::env::var_os("SQUAD_LINT_REQUIRE").is_none_or(|value| value != "1") {
        return;
    }
    for variable in NEEDED.0 {
        needs(variable);
    }
    for program in NEEDED.1 {
        needs_program(program);
    }
    let ignores_none = std::env::args().any(|arg| arg == "--include-ignored" || arg == "--exact");
    assert!(ignores_none, "run `cargo test -- --include-ignored`: without it tests are left out");
}

/// How often a test does what takes long: `all` times where `SQUAD_LINT_SLOW=1` asks for it, else some times.
pub fn rounds(all: usize) -> usize {
    if std::env::var_os("SQUAD_LINT_SLOW").is_some_and(|value| value == "1") { all } else { all.min(20) }
}

/// Whether a run without options shows what the rule finds.
pub fn is_shown_by_default(registered: &Registered) -> bool {
    registered.rule.enabled && registered.rule.severity >= Severity::Warning
}
