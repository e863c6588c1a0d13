//! Repositories with many state roots: one run repairs what all of them need, and the next one changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::{code, contents, run};
use crate::support::random::cases;
use crate::support::repo::Repo;
use crate::support::{stderr, stdout, write};

const ROOTS: &[&str] = &[
    ".ai-team",
    ".squad",
    "web/.ai-team",
    "web/.squad",
    "packages/a/.ai-team",
    "packages/b [x]/.squad",
    "packages/b [x]/.ai-team",
    "#odd/.ai-team",
];
const FILES: &[&str] = &[
    "decisions.md",
    "team.md",
    "config.json",
    "log/2026-01-01.md",
    "sessions/1.json",
    "decisions/inbox/hicks-x.md",
    "agents/hicks/history.md",
    "agents/hicks/charter.md",
    ".cache/x",
];
const IGNORED: &[&str] = &[
    ".ai-team/",
    ".ai-team/*",
    "!.ai-team/*.md",
    "!.ai-team/",
    "!web/.ai-team/",
    ".squad/log/",
    "!.squad/log/",
    "log/",
    "*.json",
    "!*.md",
    "web/",
    "# a comment",
    "/packages/*/.ai-team/",
    "",
];
const IGNORE_FILES: &[&str] =
    &[".gitignore", "web/.gitignore", "packages/.gitignore", ".squad/.gitignore", ".ai-team/.gitignore"];
const PACKAGES: &[(&str, &str)] = &[
    ("package.json", "{ \"name\": \"x\", \"files\": [\"*\"] }\n"),
    ("package.json", "{ \"name\": \"x\" }\n"),
    ("web/package.json", "{ \"name\": \"y\", \"files\": [\"**\"] }\n"),
    (".npmignore", "node_modules"),
    ("web/.npmignore", ""),
];
const POLICIES: &[&str] = &["", "never-tracked", "tracked-minus-runtime", "not-on-protected", "state-branch"];

/// What a repository holds, and what of it is in git.
#[derive(Clone, Debug)]
struct Layout {
    files: BTreeMap<String, String>,
    added: Vec<String>,
    has_commit: bool,
}

fn layout() -> impl Strategy<Value = Layout> {
    let state = prop::collection::vec(
        (prop::sample::select(ROOTS), prop::sample::select(FILES), prop::bool::weighted(0.3)),
        1..12,
    );
    let lines = prop::collection::vec(prop::sample::select(IGNORED), 0..5);
    let ignored = prop::collection::vec((prop::sample::select(IGNORE_FILES), lines, any::<bool>()), 0..3);
    let packages = prop::collection::vec(prop::sample::select(PACKAGES), 0..3);
    (state, ignored, packages, prop::sample::select(POLICIES), any::<bool>()).prop_map(
        |(state, ignored, packages, policy, has_commit)| {
            let (mut files, mut added) = (BTreeMap::new(), Vec::new());
            for (root, file, is_added) in state {
                let path = format!("{root}/{file}");
                added.extend(is_added.then(|| path.clone()));
                files.insert(path, "# Text\n".to_owned());
            }
            for (path, lines, crlf) in ignored {
                let end = if crlf { "\r\n" } else { "\n" };
                files.insert(path.to_owned(), lines.join(end) + if lines.len() % 2 == 0 { end } else { "" });
            }
            for (path, text) in packages {
                files.insert(path.to_owned(), text.to_owned());
            }
            if !policy.is_empty() {
                files.insert("squad-lint.toml".to_owned(), format!("[guard]\npolicy = \"{policy}\"\n"));
            }
            Layout { files, added, has_commit }
        },
    )
}

fn made(layout: &Layout) -> Repo {
    let repo = Repo::new();
    for (path, text) in &layout.files {
        write(&repo.path, path, text);
    }
    for path in &layout.added {
        repo.git(&["--literal-pathspecs", "add", "--force", "--", path]);
    }
    if layout.has_commit {
        repo.git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
    }
    repo
}

/// All files, and what is in the index.
fn state(repo: &Repo) -> (BTreeMap<PathBuf, Vec<u8>>, String) {
    (contents(&repo.path), repo.git(&["ls-files", "--stage"]))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_second_run_changes_nothing(layout in layout(), with_unsafe in any::<bool>()) {
        let repo = made(&layout);
        let fix: &[&str] = if with_unsafe { &["--fix", "--unsafe-fixes"] } else { &["--fix"] };
        let first = run(&repo.path, fix);
        prop_assert!(code(&first) < 2, "{layout:#?}\n{}", stderr(&first));
        let once = state(&repo);
        let second = run(&repo.path, fix);
        let twice = state(&repo);
        prop_assert!(once == twice, "{layout:#?}\n{}\n{}\n{once:#?}\n{twice:#?}", stdout(&first), stdout(&second));
        prop_assert!(!stdout(&second).starts_with("fixed"), "{layout:#?}\n{}", stdout(&second));
    }
}

#[test]
fn many_roots_are_ignored_by_one_run() {
    let repo = Repo::new();
    let roots = ["a", "b", "c"].map(|folder| format!("{folder}/.ai-team"));
    for root in &roots {
        write(&repo.path, format!("{root}/team.md"), "# Team\n");
    }
    write(&repo.path, ".squad/team.md", "# Team\n");
    repo.git(&["add", ".squad"]);
    write(&repo.path, ".squad/log/x.md", "# Log\n");
    let shown = run(&repo.path, &["--diff"]);
    let output = run(&repo.path, &["--fix"]);
    assert!(stdout(&output).contains("fixed 3 problems in 1 file"), "{}{}", stdout(&output), stderr(&output));
    let ignored = fs::read_to_string(repo.path.join(".gitignore")).unwrap();
    assert_eq!(
        ignored,
        "# squad-lint: runtime files of agents\na/.ai-team/\nb/.ai-team/\nc/.ai-team/\n# squad-lint: end\n"
    );
    let added: String = ignored.lines().map(|line| format!("+{line}\n")).collect();
    assert!(stdout(&shown).contains(&added), "{}", stdout(&shown));
    // Two kinds of fixes in one file: the second one sees what the first one made.
    fs::remove_file(repo.path.join(".gitignore")).unwrap();
    run(&repo.path, &["--fix", "--unsafe-fixes"]);
    let once = contents(&repo.path);
    let ignored = fs::read_to_string(repo.path.join(".gitignore")).unwrap();
    assert!(ignored.contains("c/.ai-team/\n") && ignored.contains(".squad/log/\n"), "{ignored}");
    run(&repo.path, &["--fix", "--unsafe-fixes"]);
    assert_eq!(contents(&repo.path), once);
}
