//! A runner of GitHub Actions, as far as `hooks/action.sh` sees one: an origin, a shallow clone, an event, and the files that a
//! step writes to. The program comes from a release with a checksum, over a `file://` address.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::repo::Repo;
use crate::support::{NOW, git, project, stderr, stdout, write};

/// The version of this project.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The action in a folder of its own, beside a release of it.
pub struct Action {
    folder: TempDir,
}

impl Action {
    /// The action as it is tagged: with the checksums of its release.
    pub fn released() -> Self {
        let action = Self { folder: tempfile::tempdir().unwrap() };
        for path in ["Cargo.toml", "action.yml", "hooks/action.sh"] {
            write(&action.path(), path, fs::read(project().join(path)).unwrap());
        }
        let name = Self::archive();
        let release = action.folder.path().join("releases").join(format!("v{VERSION}"));
        // What is unpacked stands for the program, and runs it.
        let stand_in = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_squad-lint"));
        write(&release, "squad-lint", stand_in);
        let archive = release.join(&name);
        let script = "mkdir folder && mv squad-lint folder && chmod 755 folder/squad-lint && tar -czf \"$1\" folder; \
                      (sha256sum \"$1\" || shasum -a 256 \"$1\") | cut -d ' ' -f 1";
        let output =
            Command::new("sh").current_dir(&release).args(["-c", script, "sh"]).arg(&archive).output().unwrap();
        let checksum = stdout(&output);
        assert_eq!(checksum.trim().len(), 64, "{}", stderr(&output));
        action.write_checksums(checksum.trim());
        action
    }

    /// Where the action is.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("action")
    }

    /// The name of the archive for this machine.
    fn archive() -> String {
        let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
        format!("squad-lint-{VERSION}-{}-{system}.tar.gz", std::env::consts::ARCH)
    }

    /// Says that this is the archive's checksum.
    pub fn write_checksums(&self, checksum: &str) {
        write(&self.path(), "hooks/checksums.txt", format!("# checksums\n{checksum}  {}\n", Self::archive()));
    }
}

/// What a step has done.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    /// Both streams: the runner reads commands from both.
    pub log: String,
    pub outputs: BTreeMap<String, String>,
    pub summary: String,
}

impl Ran {
    /// The lines that the runner makes annotations from.
    pub fn annotations(&self) -> Vec<&str> {
        self.log.lines().filter(|line| line.trim_start().starts_with("::")).collect()
    }

    /// Whether it ended with this code, which is an output, too.
    #[track_caller]
    pub fn ends_with(&self, code: i32) -> &Self {
        let told = self.outputs.get("exit-code").cloned().unwrap_or_default();
        assert_eq!((self.code, told), (code, code.to_string()), "{self:#?}");
        self
    }

    /// Whether the log says this.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.log.contains(text), "`{text}` is not in the log of {self:#?}");
        self
    }

    /// Whether the log does not say this.
    #[track_caller]
    pub fn says_not(&self, text: &str) -> &Self {
        assert!(!self.log.contains(text), "`{text}` is in the log of {self:#?}");
        self
    }
}

/// A repository on the server, and somebody's clone from which commits come.
pub struct Origin {
    pub server: Repo,
    pub author: Repo,
}

impl Origin {
    /// With one commit on `main`, in which an old entry is wrong.
    pub fn new() -> Self {
        let server = Repo::init(&["--bare"]);
        // As GitHub does.
        server.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let author = Repo::new();
        author.git(&["remote", "add", "origin", server.path.to_str().unwrap()]);
        author.write(".squad/decisions.md", entry("2026-02-01", "Z"));
        author
            .write(".gitignore", ".squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n");
        author.commit("as it was");
        let origin = Self { server, author };
        origin.push("main");
        origin
    }

    /// Pushes what is checked out; gives its name.
    pub fn push(&self, target: &str) -> String {
        self.author.git(&["push", "--quiet", "--force", "origin", &format!("HEAD:refs/{}", full(target))]);
        self.id("HEAD")
    }

    /// Adds an entry to the decisions and commits it; gives the commit.
    pub fn commit(&self, day: &str, zone: &str) -> String {
        let path = self.author.path.join(".squad/decisions.md");
        let text = fs::read_to_string(&path).unwrap();
        self.author.write(".squad/decisions.md", format!("{text}\n{}", entry(day, zone)));
        self.author.commit(day);
        self.id("HEAD")
    }

    /// The commit that a revision means.
    pub fn id(&self, revision: &str) -> String {
        self.author.git(&["rev-parse", revision]).trim().to_owned()
    }

    /// A clone of one commit, as a checkout step makes it.
    pub fn checkout(&self, commit: &str) -> Repo {
        let clone = Repo::new();
        clone.git(&["remote", "add", "origin", &format!("file://{}", self.server.path.display())]);
        clone.git(&["fetch", "--quiet", "--no-tags", "--depth=1", "origin", commit]);
        clone.git(&["checkout", "--quiet", "--detach", "FETCH_HEAD"]);
        clone
    }
}

fn full(name: &str) -> String {
    if name.contains('/') { name.to_owned() } else { format!("heads/{name}") }
}

/// An entry of that day; with the zone `+0000` it is right.
pub fn entry(day: &str, zone: &str) -> String {
    format!(
        "### {day}T14:32:15{zone}: note: One of {day}\n\n**type:** note\n**timestamp:** {day}T14:32:15+0000\n**author:** Kay\n\n\
         **summary:** One of {day}.\n\n---\n"
    )
}

/// A step to run.
pub struct Step<'a> {
    pub action: &'a Action,
    pub clone: &'a Repo,
    /// The event's name.
    pub name: &'a str,
    /// What it brings; `Null` for no file.
    pub event: Value,
    /// Inputs, as `INPUT_*`, and what else is not as usual; an empty value takes a variable away.
    pub variables: Vec<(&'a str, String)>,
}

impl<'a> Step<'a> {
    pub fn new(action: &'a Action, clone: &'a Repo, name: &'a str, event: Value) -> Self {
        Self { action, clone, name, event, variables: vec![("GITHUB_REF", "refs/heads/main".to_owned())] }
    }

    /// With this variable.
    pub fn with(mut self, name: &'a str, value: impl Into<String>) -> Self {
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value.into()));
        self
    }

    /// Runs the step.
    pub fn run(&self) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["output", "summary"] {
            fs::write(file(name), "").unwrap();
        }
        // What the project's own environment says of git holds for the script, too.
        let mut command = git(&self.clone.path);
        let mut shell = Command::new("bash");
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        command = shell;
        for name in std::env::vars_os().map(|(name, _)| name) {
            let shown = name.to_string_lossy();
            if ["GITHUB_", "INPUT_", "RUNNER_"].iter().any(|start| shown.starts_with(start)) {
                command.env_remove(&name);
            }
        }
        command.current_dir(&self.clone.path).arg(self.action.path().join("hooks/action.sh"));
        command.env("GITHUB_WORKSPACE", &self.clone.path).env("GITHUB_EVENT_NAME", self.name);
        command.env("GITHUB_ACTION_PATH", self.action.path()).env("RUNNER_TEMP", folder.path());
        command.env("GITHUB_OUTPUT", file("output")).env("GITHUB_STEP_SUMMARY", file("summary"));
        if self.event != Value::Null {
            fs::write(file("event.json"), self.event.to_string()).unwrap();
            command.env("GITHUB_EVENT_PATH", file("event.json"));
        }
        let releases = self.action.folder.path().join("releases");
        command.env("SQUAD_LINT_RELEASES", format!("file://{}", releases.display())).env("NO_COLOR", "1");
        command.env("SOURCE_DATE_EPOCH", epoch().to_string());
        for (name, value) in &self.variables {
            match value.as_str() {
                "" => command.env_remove(name),
                value => command.env(name, value),
            };
        }
        let output = command.output().unwrap();
        let written = fs::read_to_string(file("output")).unwrap();
        let outputs = written.lines().map(|line| line.split_once('=').unwrap_or_else(|| panic!("{line}")));
        assert_left_clean(folder.path());
        Ran {
            code: output.status.code().unwrap(),
            log: stdout(&output) + &stderr(&output),
            outputs: outputs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            summary: fs::read_to_string(file("summary")).unwrap(),
        }
    }
}

/// What the step unpacked and wrote for itself is gone.
fn assert_left_clean(folder: &Path) {
    let left: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let own = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("squad-lint");
    assert!(!left.iter().any(own), "{left:?}");
}

/// [`NOW`] in seconds.
fn epoch() -> u64 {
    assert!(NOW.starts_with("2026-03-01T00:00:00"));
    1_772_323_200
}
