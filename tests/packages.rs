//! What is handed out: the crate holds what it takes to build it and nothing else, and the page on installing is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::support::{files_below, project, stderr, stdout};
use tempfile::TempDir;

/// What cargo would put into the crate.
fn packaged() -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--list", "--allow-dirty", "--offline"]).current_dir(project());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(|line| line.replace('\\', "/")).collect()
}

/// `path` without `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(part.as_os_str().to_str().unwrap().to_owned()),
        }
    }
    parts.join("/")
}

/// The files that the sources take in when they are compiled.
fn included() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in files_below(&project().join("src")) {
        let text = fs::read_to_string(project().join("src").join(&path)).unwrap();
        for start in ["include_str!(\"", "include_bytes!(\""] {
            for rest in text.split(start).skip(1) {
                let name = rest.split('"').next().unwrap();
                found.insert(plain(&Path::new("src").join(path.parent().unwrap()).join(name)));
            }
        }
    }
    found
}

#[test]
fn the_crate_holds_what_it_needs_and_nothing_else() {
    let packaged = packaged();
    let sources = files_below(&project().join("src"));
    let sources: BTreeSet<String> = sources.iter().map(|path| plain(&Path::new("src").join(path))).collect();
    let included = included();
    assert!(included.len() >= 2, "{included:?}");
    for file in sources.union(&included) {
        assert!(packaged.contains(file), "{file} is not in the crate");
    }
    let cargos_own = ["Cargo.toml", "Cargo.toml.orig", "Cargo.lock", ".cargo_vcs_info.json"];
    for file in packaged.difference(&sources) {
        let is_for_people =
            ["README.md", "LICENSE-APACHE", "LICENSE-MIT"].contains(&file.as_str()) || file.starts_with("docs/");
        assert!(
            included.contains(file) || is_for_people || cargos_own.contains(&file.as_str()),
            "{file} is in the crate, and nothing needs it"
        );
    }
    for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "docs/installing.md"] {
        assert!(packaged.contains(file), "{file} is not in the crate");
    }
}

#[test]
fn the_targets_are_the_same_everywhere() {
    let read = |name: &str| fs::read_to_string(project().join(name)).unwrap();
    let platforms: serde_json::Value = serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    let targets: Vec<&String> = platforms.as_object().unwrap().keys().collect();
    assert_eq!(targets.len(), 6, "{targets:?}");
    for name in [".github/workflows/release.yml", "docs/installing.md", "hooks/action.sh"] {
        let text = read(name);
        for target in &targets {
            assert!(text.contains(*target), "{name} does not name {target}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_page_on_installing_work() {
    let page = fs::read_to_string(project().join("docs/installing.md")).unwrap();
    let blocks: Vec<&str> = page.split("```bash\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    let home = TempDir::new().unwrap();
    let programs: PathBuf = Path::new(env!("CARGO_BIN_EXE_squad-lint")).parent().unwrap().into();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for block in blocks {
        let mut bash = Command::new("bash");
        bash.args(["-e", "-c", block]).current_dir(home.path()).env("HOME", home.path()).env("PATH", &path);
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{block}: {}", stderr(&output));
    }
    let written: Vec<String> = files_below(home.path()).iter().map(|path| plain(path)).collect();
    for file in [
        ".config/fish/completions/squad-lint.fish",
        ".local/share/bash-completion/completions/squad-lint",
        ".local/share/man/man1/squad-lint.1",
        ".zfunc/_squad-lint",
    ] {
        assert!(written.iter().any(|path| path == file), "{file} is not written: {written:?}");
    }
    let shells = page.split("completions SHELL`").nth(1).unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(shells.contains(&format!("`{shell}`")), "{shell} is not named");
    }
}
