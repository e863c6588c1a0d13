//! A repository of any size with the state of a team in it: the same number of files makes the same repository.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{run, sample};

pub const WORDS: [&str; 13] = [
    "auth", "billing", "cache", "deploy", "events", "gateway", "health", "index", "ledger", "mail", "orders", "search",
    "worker",
];
const AREAS: [&str; 7] = ["apps", "docs", "infra", "libs", "packages", "services", "tools"];
const EXTENSIONS: [&str; 5] = ["ts", "py", "go", "rs", "json"];

const MANIFEST: &str = ".claude/team.yaml";

/// How many of the files its last commit changes, in a repository that has as many.
pub const CHANGED: usize = 100;

/// A repository in a temporary folder, with two commits.
pub struct Monorepo {
    folder: tempfile::TempDir,
    files: Vec<String>,
    /// What stands in the file at a path that comes at a place in the list.
    text: fn(&str, usize) -> String,
}

impl Monorepo {
    /// One with `count` tracked files in about an eighth as many folders. The first files are the learnings of a team, and its
    /// manifest; these are the only ones that rules read.
    pub fn new(count: usize) -> Self {
        let learnings = (0..members(count)).map(|at| format!("memory/agents/{}/learnings.md", member(at)));
        let mut files: Vec<String> = learnings.chain([MANIFEST.to_owned()]).collect();
        files.extend((files.len()..count - 1).map(source_path));
        Self::of(files, text)
    }

    /// One with these files, and a `.gitignore`.
    pub fn of(files: Vec<String>, text: fn(&str, usize) -> String) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = Self { folder, files, text };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.import();
        repository.reset();
        repository
    }

    /// Writes the two commits.
    fn import(&self) {
        let mut command = git(self.path());
        command.args(["-c", "core.compression=1", "fast-import", "--quiet"]).stdin(Stdio::piped());
        let mut import = command.spawn().expect("git fast-import");
        let mut stream = BufWriter::new(import.stdin.take().expect("its input"));
        let mut write = |text: &str| stream.write_all(text.as_bytes()).expect("git reads the stream");
        let file = |path: &str, text: &str| format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len());
        let commit = "commit refs/heads/main\ncommitter Keaton <keaton@example.com> 1771200000 +0000\ndata 2\nx\n";
        write(commit);
        write(&file(".gitignore", "node_modules/\n.ai-team/\n.squad/\n"));
        for (at, path) in self.files.iter().enumerate() {
            write(&file(path, &(self.text)(path, at)));
        }
        write(commit);
        for (at, path) in self.some(CHANGED) {
            write(&file(path, &((self.text)(path, at) + "- changed (added: 2026-02-15)\n")));
        }
        drop(stream);
        assert!(import.wait().is_ok_and(|status| status.success()), "git fast-import");
    }

    /// `count` of the files: a learning, and others from everywhere.
    fn some(&self, count: usize) -> impl Iterator<Item = (usize, &str)> {
        let step = (self.files.len() / count).max(1);
        let picked = (0..self.files.len()).step_by(step).take(count);
        picked.filter_map(|at| Some((at, self.files.get(at)?.as_str())))
    }

    /// Adds the state that git ignores: about 2 MB of it, 500 files of sessions, and 1,000 files of packages.
    pub fn add_ignored(&self) {
        let write = |path: &str, text: &str| {
            let path = self.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write(".ai-team/decisions.md", &(0..1000).map(sample).collect::<String>());
        for agent in 0..20 {
            let entries: String = (0..50).map(|at| sample(1000 + agent * 50 + at)).collect();
            write(&format!(".ai-team/agents/agent-{agent}/history.md"), &entries);
        }
        for at in 0..200 {
            write(&format!(".ai-team/decisions/inbox/verbal-{at}.md"), &sample(2000 + at));
        }
        write(".squad/decisions.md", &(0..100).map(sample).collect::<String>());
        for at in 0..500 {
            write(
                &format!(".squad/sessions/2026-02-{:02}/role-plan-{at}.md", 1 + at % 28),
                "# Plan\n\nRead the tests.\n",
            );
        }
        for at in 0..1000 {
            write(&format!("node_modules/package-{}/lib/{at}.js", at / 10), "module.exports = 1;\n");
        }
    }

    /// Takes back what is staged.
    pub fn reset(&self) {
        self.git(&["reset", "--quiet", "--hard"]);
    }

    /// Stages changes of `count` files, and nothing else.
    pub fn stage(&self, count: usize) {
        self.reset();
        let mut paths = String::new();
        for (_, path) in self.some(count) {
            let full = self.path().join(path);
            let text = fs::read_to_string(&full).expect("a file");
            fs::write(full, text + "- staged (added: 2026-02-16)\n").expect("a file");
            let _ = writeln!(paths, "{path}");
        }
        let list = self.path().join(".git/staged");
        fs::write(&list, paths).expect("a file");
        self.git(&["add", "--pathspec-from-file", ".git/staged"]);
        // What has the index's own moment would be read again by every `git status`.
        std::thread::sleep(Duration::from_millis(1100));
        self.git(&["update-index", "-q", "--really-refresh"]);
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The size of its index in bytes.
    pub fn index_len(&self) -> u64 {
        fs::metadata(self.path().join(".git/index")).expect("an index").len()
    }

    fn git(&self, args: &[&str]) {
        run(git(self.path()).args(args));
    }
}

/// Git in `folder`, or another program that reads its configuration, without that of the user and the system.
pub fn alone(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GITHUB_BASE_REF"] {
        command.env_remove(name);
    }
    command
}

fn git(folder: &Path) -> Command {
    alone("git", folder)
}

/// The file that comes at a place in the list: eight to a folder.
pub fn source_path(at: usize) -> String {
    let (one, extension) = (WORDS[at / 8 / 7 % 13], EXTENSIONS[at % 5]);
    format!("{}/{}_{one}{at}.{extension}", source_folder(at / 8), WORDS[at % 13])
}

/// The folder at a place in the list of folders: four deep.
pub fn source_folder(folder: usize) -> String {
    let word = |step: usize| WORDS[folder / step % 13];
    let (one, two, three) = (word(7), word(7 * 13), folder / (7 * 13 * 13));
    format!("{}/{one}/{two}/{two}-{three}", AREAS[folder % 7])
}

/// How many members the team has in a repository of `count` files.
fn members(count: usize) -> usize {
    50.min(count / 5)
}

fn member(at: usize) -> String {
    format!("{}-{at}", WORDS[at % 13])
}

fn text(path: &str, at: usize) -> String {
    if path == MANIFEST {
        return manifest(at);
    }
    let mut text = format!("# {path}\n\n## Gotchas\n");
    for line in 0..5 + at % 30 {
        let _ = writeln!(text, "- the {} waits for part {line} of {at} (added: 2026-02-14)", WORDS[line % 13]);
    }
    text
}

fn manifest(members: usize) -> String {
    let mut text = "team: monorepo\ndescription: \"A team for each area\"\nmembers:\n".to_owned();
    for at in 0..members {
        let folder = source_folder(at);
        let _ =
            writeln!(text, "  - name: {}\n    role: \"What is in {folder}\"\n    owns: [\"{folder}/**\"]", member(at));
    }
    text
}
