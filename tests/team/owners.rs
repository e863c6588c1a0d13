use std::path::Path;

use serde_json::{Value, json};

use super::team;
use crate::support::repo::Repo;
use crate::support::{stderr, stdout, write};

const MANIFEST: &str = "\
team: shop
description: \"A shop\"

members:
  - name: logic
    role: \"Pure functions\"
    tools: [Read, Edit]
    owns: [\"src/lib/**\", src/main.ts]
  - name: tester
    role: \"Tests\"
    tools: [Read, Edit]
    owns: [\"src/lib/*.test.ts\", \"**/*.spec.ts\"]
";

const FILES: [&str; 8] = [
    "README.md",
    "docs/guide.md",
    "memory/agents/logic/learnings.md",
    "src/lib/a.spec.ts",
    "src/lib/a.test.ts",
    "src/lib/a.ts",
    "src/lib/deep/b.test.ts",
    "src/main.ts",
];

/// A repository that tracks the manifest and [`FILES`].
fn repository() -> Repo {
    let repo = Repo::new();
    repo.stage(".claude/team.yaml", MANIFEST);
    for path in FILES {
        repo.stage(path, path);
    }
    repo
}

fn owners(folder: &Path, args: &[&str]) -> String {
    let output = team(folder, &[&["owners"], args].concat());
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{args:?}");
    stdout(&output)
}

/// The whole line on standard error of a command that fails.
fn failure(folder: &Path, args: &[&str]) -> String {
    let output = team(folder, &[&["owners"], args].concat());
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{args:?}");
    stderr(&output)
}

#[test]
fn the_most_precise_glob_says_who_owns_a_file() {
    let repo = repository();
    let expected = "\
.claude/team.yaml                 -
README.md                         -
docs/guide.md                     -
memory/agents/logic/learnings.md  -
src/lib/a.spec.ts                 logic, tester  src/lib/**, **/*.spec.ts
src/lib/a.test.ts                 tester         src/lib/*.test.ts
src/lib/a.ts                      logic          src/lib/**
src/lib/deep/b.test.ts            logic          src/lib/**
src/main.ts                       logic          src/main.ts
";
    assert_eq!(owners(&repo.path, &[]), expected);
    // As seen from where it runs; a folder stands for what is in it, and a file need not be there yet.
    let src = repo.path.join("src");
    assert_eq!(
        owners(&src, &["lib/a.ts", "../new.spec.ts"]),
        "new.spec.ts   tester  **/*.spec.ts\nsrc/lib/a.ts  logic   src/lib/**\n"
    );
    assert_eq!(owners(&src, &["lib/deep", "lib/deep/b.test.ts"]), "src/lib/deep/b.test.ts  logic  src/lib/**\n");
    assert_eq!(owners(&repo.path, &["src/new/"]), "src/new  -\n");
}

#[test]
fn what_nobody_owns_is_listed_without_what_the_team_keeps() {
    let repo = repository();
    assert_eq!(owners(&repo.path, &["--unowned"]), "README.md\ndocs/guide.md\n");
    assert_eq!(owners(&repo.path, &["--unowned", "docs", "src"]), "docs/guide.md\n");
    assert_eq!(owners(&repo.path, &["--unowned", "src"]), "");
    // What is only on disk is not in git.
    write(&repo.path, "docs/new.md", "new");
    assert_eq!(owners(&repo.path, &["--unowned", "docs"]), "docs/guide.md\n");
}

#[test]
fn json_holds_every_glob_that_matches() {
    let repo = repository();
    let rows: Value = serde_json::from_str(&owners(&repo.path, &["--format", "json", "src/lib"])).unwrap();
    let logic = json!({"member": "logic", "glob": "src/lib/**", "line": 8});
    let spec = json!({"member": "tester", "glob": "**/*.spec.ts", "line": 12});
    let test = json!({"member": "tester", "glob": "src/lib/*.test.ts", "line": 12});
    let row = |path: &str, owners: Value, deciding: Value, others: Value| json!({"path": path, "manifest": ".claude/team.yaml", "owners": owners, "deciding": deciding, "others": others});
    let expected = json!([
        row("src/lib/a.spec.ts", json!(["logic", "tester"]), json!([logic, spec]), json!([])),
        row("src/lib/a.test.ts", json!(["tester"]), json!([test]), json!([logic])),
        row("src/lib/a.ts", json!(["logic"]), json!([logic]), json!([])),
        row("src/lib/deep/b.test.ts", json!(["logic"]), json!([logic]), json!([])),
    ]);
    assert_eq!(rows, expected);
    assert_eq!(owners(&repo.path, &["--format", "json", "--unowned", "src"]), "[]\n");
}

#[test]
fn a_file_belongs_to_the_innermost_team() {
    let repo = repository();
    let inner = MANIFEST.replace("src/lib/**", "**/*.md").replace("name: logic", "name: harbour");
    repo.stage("apps/port/.claude/team.yaml", inner);
    repo.stage("apps/port/docs/berths.md", "berths");
    repo.stage("apps/other/a.spec.ts", "a");
    let expected = "\
apps/other/a.spec.ts      tester   **/*.spec.ts (.claude/team.yaml)
apps/port/docs/berths.md  harbour  **/*.md (apps/port/.claude/team.yaml)
";
    assert_eq!(owners(&repo.path, &["apps/other", "apps/port/docs"]), expected);
    // From inside, too; and of one team alone.
    assert_eq!(owners(&repo.path.join("apps/port"), &["docs"]).lines().count(), 1);
    let outer = ["--manifest", ".claude/team.yaml", "apps/port/docs/berths.md"];
    assert_eq!(owners(&repo.path, &outer), "apps/port/docs/berths.md  -\n");
    let of_inner = failure(&repo.path, &["--manifest", "apps/port/.claude/team.yaml", "README.md"]);
    assert!(of_inner.contains("README.md is not in the folder of a team"), "{of_inner}");
}

#[test]
fn the_index_says_which_files_there_are() {
    let repo = repository();
    repo.commit("first");
    // An unmerged file counts once, a submodule as a folder, and what is outside of a sparse checkout, too.
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.stage("docs/guide.md", "side");
    repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.stage("docs/guide.md", "main");
    repo.commit("main");
    assert!(!repo.try_git(&["merge", "side"]).status.success());
    assert_eq!(owners(&repo.path, &["docs"]), "docs/guide.md  -\n");
    repo.git(&["reset", "-q", "--hard"]);
    let module = "160000,1234567890123456789012345678901234567890,src/lib/crane";
    repo.git(&["update-index", "--add", "--cacheinfo", module]);
    assert_eq!(owners(&repo.path, &["src/lib/crane"]), "src/lib/crane/  logic  src/lib/**\n");
    repo.git(&["update-index", "--force-remove", "src/lib/crane"]);
    let everything = owners(&repo.path, &[]);
    for cone in ["--cone", "--no-cone"] {
        repo.git(&["sparse-checkout", "set", "--sparse-index", cone, ".claude"]);
        assert!(!repo.path.join("src/lib").exists(), "{cone}");
        assert_eq!(owners(&repo.path, &[]), everything, "{cone}");
    }
}

#[test]
fn without_git_only_named_files_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", MANIFEST);
    let root = ["--root", "."];
    assert_eq!(owners(folder.path(), &[&root[..], &["src/main.ts"]].concat()), "src/main.ts  logic  src/main.ts\n");
    let failure = failure(folder.path(), &[&root[..], &["--unowned"]].concat());
    assert!(failure.contains("cannot list files without git"), "{failure}");
}

#[test]
fn nothing_foreign_reaches_the_terminal() {
    let repo = Repo::new();
    repo.stage(
        ".claude/team.yaml",
        MANIFEST.replace("name: logic", "name: \"lo\\e[31mgic\"").replace("src/lib/**", "\\\\::a*"),
    );
    repo.write("::a\u{1b}[2J.md", "x");
    repo.git(&["--literal-pathspecs", "add", "--", "::a\u{1b}[2J.md"]);
    assert_eq!(owners(&repo.path, &["::a\u{1b}[2J.md"]), "./::a\\u{1b}[2J.md  lo\\u{1b}[31mgic  \\::a*\n");
    assert!(!owners(&repo.path, &["--format", "json"]).contains('\u{1b}'));
}

#[test]
fn a_manifest_that_is_no_yaml_is_an_error() {
    let repo = repository();
    repo.write(".claude/team.yaml", "team: [");
    assert!(failure(&repo.path, &["README.md"]).contains(".claude/team.yaml:1:"));
    repo.git(&["rm", "-q", "-f", ".claude/team.yaml"]);
    assert!(failure(&repo.path, &[]).contains("there is no team here"));
}
