//! What `npm pack` would publish: the list of the program against the list of the real npm, on the same folders.
//!
//! All folders of a test go to one run of npm. Without npm the tests are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::{files_below, needs_program, project, squad_lint, write};
use bstr::{BStr, ByteSlice};
use serde_json::Value;
use squad_lint::facts::packages::OnDisk;
use squad_lint::formats::npm::{Kind, PackList, Tree, ignore_file, is_workspace};
use squad_lint::formats::package::Package;

/// The files in each case beside those that it gives itself.
const COMMON: [&str; 30] = [
    ".squad/decisions.md",
    ".squad/team.md",
    ".squad/config.json",
    ".squad/agents/keaton/history.md",
    ".squad/agents/keaton/charter.md",
    ".squad/agents/Fenster/history.md",
    ".squad/decisions/inbox/keaton-x.md",
    ".squad/log/a.orig",
    ".squad/log/.DS_Store",
    ".squad/log/._x",
    ".squad/README.md",
    ".squad/skills/x/SKILL.md",
    ".ai-team/decisions.md",
    ".ai-team/agents/keaton/history.md",
    "packages/a/.squad/decisions.md",
    "packages/a/.squad/agents/x/history.md",
    "packages/a/package.json",
    "packages/a/index.js",
    "packages/b/lib/.squad/decisions.md",
    "lib/index.js",
    "lib/sub/x.test.js",
    "lib/sub/deep/y.js",
    "docs/guide.md",
    "docs/.hidden/z.md",
    "index.js",
    ".env",
    "README.md",
    "LICENCE.txt",
    "package-lock.json",
    "CHANGELOG.md",
];

type Files = BTreeMap<String, String>;

/// A package: its package.json, and files with their text.
fn case(manifest: &str, files: &[(&str, &str)]) -> (String, Files) {
    (manifest.to_owned(), files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
}

fn lay_out(folder: &Path, name: &str, manifest: &str, files: &Files) {
    for path in COMMON {
        write(folder, path, if path.ends_with("package.json") { "{\"name\": \"nested\"}" } else { "x" });
    }
    for (path, text) in files {
        write(folder, path, text);
    }
    let manifest = manifest.trim().strip_prefix('{').unwrap();
    let gap = if manifest.starts_with('}') { "" } else { ", " };
    write(folder, "package.json", format!("{{\"name\": \"{name}\", \"version\": \"1.0.0\"{gap}{manifest}"));
}

/// What npm packs in each of `folders`, which lie in `base`.
fn by_npm(base: &Path, folders: &[String]) -> Vec<BTreeSet<String>> {
    let mut command = needs_program("npm");
    command.current_dir(base).args(["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"]);
    command.args(folders).env("npm_config_update_notifier", "false");
    let output = command.output().unwrap();
    assert!(output.status.success(), "npm: {}", String::from_utf8_lossy(&output.stderr));
    let packages: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = |package: &Value| {
        let paths = package["files"].as_array().unwrap().iter();
        paths.map(|file| file["path"].as_str().unwrap().trim_start_matches("./").to_owned()).collect()
    };
    packages.as_array().unwrap().iter().map(files).collect()
}

fn on_disk(folder: &Path) -> OnDisk {
    OnDisk { folder: folder.to_path_buf(), max_file_size: 1 << 20 }
}

/// What the program says that npm packs.
fn by_us(folder: &Path, outer: &[String]) -> BTreeSet<String> {
    let package = Package::parse(&fs::read_to_string(folder.join("package.json")).unwrap()).unwrap();
    let tree = on_disk(folder);
    let mut list = PackList::new(&package, &tree, outer);
    let paths = files_below(folder).into_iter().map(|path| path.to_str().unwrap().to_owned());
    paths
        .filter(|path| {
            list.packs(path.as_bytes().as_bstr()) && tree.kind(path.as_bytes().as_bstr()) == Some(Kind::File)
        })
        .collect()
}

fn compare(cases: &[(String, Files)]) {
    let base = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..cases.len()).map(|index| format!("case-{index}")).collect();
    let folders: Vec<String> = names.iter().map(|name| format!("./{name}")).collect();
    for (name, (manifest, files)) in names.iter().zip(cases) {
        lay_out(&base.path().join(name), name, manifest, files);
    }
    let mut wrong = Vec::new();
    let mut with_state = 0;
    for (folders, cases) in folders.chunks(100).zip(cases.chunks(100)) {
        let lists = by_npm(base.path(), folders);
        assert_eq!(lists.len(), folders.len());
        for ((name, expected), (manifest, files)) in folders.iter().zip(lists).zip(cases) {
            let actual = by_us(&base.path().join(name), &[]);
            let is_state = |path: &&String| path.contains(".squad/") || path.contains(".ai-team/");
            with_state += usize::from(expected.iter().any(|path| is_state(&path)));
            if actual != expected {
                let missing: Vec<_> = expected.difference(&actual).collect();
                let extra: Vec<_> = actual.difference(&expected).collect();
                wrong.push(format!("{name}: {manifest} {files:?}\n  npm alone: {missing:?}\n  we alone: {extra:?}"));
            }
        }
    }
    eprintln!("{} packages, {with_state} with state", cases.len());
    assert!(with_state > 0 && with_state < cases.len(), "all or none of the packages carry state");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

const STAR: &str = r#"{"files": ["**"]}"#;

#[test]
#[ignore = "needs npm"]
fn what_files_lists() {
    let lists = [
        r#"["lib"]"#,
        r#"["lib/"]"#,
        r#"["./lib"]"#,
        r#"["/lib"]"#,
        r#"["lib/*"]"#,
        r#"["lib/**"]"#,
        r#"["lib/**/*"]"#,
        r#"["lib/*.js"]"#,
        r#"["**/*.js"]"#,
        r#"["*"]"#,
        r#"["**"]"#,
        r#"["**/*"]"#,
        r#"["."]"#,
        r#"["./"]"#,
        r#"[""]"#,
        r#"["/"]"#,
        r#"["./*"]"#,
        r#"["./**"]"#,
        r#"["*.md"]"#,
        r#"["*.MD"]"#,
        r#"["LIB"]"#,
        "[]",
        "null",
        "false",
        r#"[".*"]"#,
        r#"[".squad"]"#,
        r#"[".squad/"]"#,
        r#"[".squad/**"]"#,
        r#"[".squad/*"]"#,
        r#"[".squad/decisions.md"]"#,
        r#"["./.squad/decisions.md"]"#,
        r#"["/.squad/decisions.md"]"#,
        r#"[".squad/decisions.md/"]"#,
        r#"["decisions.md"]"#,
        r#"["history.md"]"#,
        r#"["agents"]"#,
        r#"["**/agents"]"#,
        r#"["**/agents/**"]"#,
        r#"["*", "!.squad"]"#,
        r#"["**", "!.squad"]"#,
        r#"["**/*", "!.squad"]"#,
        r#"["**", "!.squad/"]"#,
        r#"["**", "!.squad/**"]"#,
        r#"["**", "!**/.squad"]"#,
        r#"["**", "!**/.squad/**"]"#,
        r#"["!.squad", "**"]"#,
        r#"["**", "!/.squad"]"#,
        r#"["**", "!.squad/*"]"#,
        r#"["**", "!.squad/agents"]"#,
        r#"["**", "!./.squad"]"#,
        r#"["**", "!.squad", ".squad/agents"]"#,
        r#"["**", "!.squad", "!!.squad/agents"]"#,
        r#"["**", "!.squad/decisions.md"]"#,
        r#"[".squad/decisions.md", "!.squad"]"#,
        r#"["packages"]"#,
        r#"["packages/a"]"#,
        r#"["packages", "!packages/a/.squad"]"#,
        r#"["packages/*/.squad"]"#,
        r#"["packages/**", "!**/.squad"]"#,
        r#"["packages/{a,b}"]"#,
        r#"["packages/{a/.squad,b}"]"#,
        r#"["{lib,.squad}"]"#,
        r#"["{lib,.squad}/**"]"#,
        r#"["lib/!(sub)"]"#,
        r#"["!(lib)/**"]"#,
        r#"["lib/**/!(*.test).js"]"#,
        r#"["@(lib|.squad)/**"]"#,
        r#"["+(lib|docs)"]"#,
        r#"[".[st]quad"]"#,
        r#"[".[!x]quad/**"]"#,
        r#"[".squ?d"]"#,
        r#"["../x"]"#,
        r#"["lib/../.squad"]"#,
        r#"["lib/../.squad/**"]"#,
        r#"["nothing"]"#,
        r#"["nothing/**"]"#,
        r#"["**", "!nothing"]"#,
        r##"["#x", "lib"]"##,
        r#"[" lib "]"#,
        r#"["lib\n.squad"]"#,
        r#"["*/"]"#,
        r#"["**/"]"#,
        r#"["*/**"]"#,
        r#"["*/*"]"#,
        r#"[".squad/*/**"]"#,
        r#"[".squad/**/keaton"]"#,
        r#"[".squad/**/keaton/**"]"#,
        r#"[".squad/agents/*/history.md"]"#,
        r#"["package-lock.json", ".env", ".npmrc", ".git"]"#,
        r#"["link", "link-to-folder"]"#,
    ];
    let cases: Vec<_> = lists.iter().map(|list| case(&format!("{{\"files\": {list}}}"), &[])).collect();
    compare(&cases);
}

#[test]
#[ignore = "needs npm"]
fn what_ignore_files_say() {
    let lines = [
        ".squad",
        ".squad/",
        "/.squad",
        "/.squad/",
        ".squad/**",
        ".squad/*",
        "**/.squad",
        "**/.squad/",
        "*squad*",
        ".SQUAD",
        ".squad\n!.squad/decisions.md",
        ".squad/*\n!.squad/decisions.md",
        ".squad/**\n!.squad/agents/**",
        "*\n!.squad",
        "*\n!.squad/**",
        "*\n!lib\n!lib/**",
        "*.md",
        "*.md\n!history.md",
        "agents",
        "agents/",
        "/agents",
        ".squad/agents",
        "decisions.md",
        "/decisions.md",
        "# .squad",
        "#.squad\n.squad",
        "\\#x",
        "  .squad  ",
        ".squad # x",
        "!.squad",
        "",
        "\n\n",
        "{.squad,.ai-team}",
        ".{squad,ai-team}/",
        "[.]squad",
        "\\.squad",
        ".squad\\",
        "packages/*/.squad",
        "packages/**/.squad",
        "/packages/a",
        "node_modules",
        "**",
        "*",
        "!*",
        "!**",
        "!.env\n!.npmrc",
        "!*.orig\n!.DS_Store",
        "!**/._*",
        "log/*",
        ".squad/log",
        ".squad/agents/*/history.md",
        ".squad/agents/keaton/",
        "\u{feff}.squad",
        ".squad/**/history.md",
        "**/keaton/**",
        "?squad",
        ".squad/./agents",
        ".squad//agents",
        "./.squad",
        "./.squad/**",
    ];
    let mut cases = Vec::new();
    for line in lines {
        cases.push(case("{}", &[(".gitignore", line)]));
        cases.push(case("{}", &[(".npmignore", line), (".gitignore", "lib\n.ai-team")]));
        cases.push(case("{}", &[(".squad/.gitignore", line)]));
        cases.push(case(STAR, &[(".npmignore", line)]));
        cases.push(case(STAR, &[(".squad/.npmignore", line), (".squad/.gitignore", "*")]));
    }
    compare(&cases);
}

#[test]
#[ignore = "needs npm"]
fn what_else_decides() {
    let files = [("a.js", "x"), (".squad/bin.js", "x"), (".squad/.npmignore", "decisions.md")];
    compare(&[
        case("{}", &[]),
        case("{}", &[(".squad/.npmignore", "*\n!team.md"), ("packages/.gitignore", ".squad")]),
        case("{}", &[(".gitignore", ".squad"), (".npmignore", "")]),
        case("{}", &[(".gitignore", ".squad/"), (".squad/.gitignore", "!*")]),
        case("{}", &[(".gitignore", ".squad/*"), (".squad/.gitignore", "!agents")]),
        case("{}", &[(".gitignore", "*\n!.squad"), (".squad/.gitignore", "agents\n!agents/keaton")]),
        case(r#"{"files": ["lib"], "main": ".squad/bin.js"}"#, &files),
        case(r#"{"files": ["lib"], "main": "./.squad/bin.js"}"#, &files),
        case(r#"{"files": ["lib"], "main": ".squad"}"#, &files),
        case(r#"{"files": ["lib"], "browser": ".squad/bin.js"}"#, &files),
        case(r#"{"files": ["lib"], "browser": {"a": ".squad/bin.js"}}"#, &files),
        case(r#"{"files": ["lib"], "bin": "./.squad/bin.js"}"#, &files),
        case(r#"{"files": ["lib"], "bin": {"x": "../.squad/bin.js"}}"#, &files),
        case(r#"{"files": ["lib"], "bin": [".squad/bin.js", "a.js"]}"#, &files),
        case(r#"{"main": ".squad/bin.js"}"#, &[(".npmignore", ".squad"), (".squad/bin.js", "")]),
        case(r#"{"files": [".squad/bin.js"]}"#, &[(".squad/.npmignore", "bin.js"), (".squad/bin.js", "")]),
        case(r#"{"files": [".squad/x/bin.js"]}"#, &[(".squad/.npmignore", "bin.js"), (".squad/x/bin.js", "")]),
        case(r#"{"files": [".squad"]}"#, &[(".squad/.gitignore", "agents\n*.json"), (".npmignore", ".squad")]),
        case(r#"{"files": ["lib"]}"#, &[("lib/.npmignore", "sub"), ("lib/.squad/a.md", "")]),
        case(r#"{"workspaces": ["packages/*"]}"#, &[(".gitignore", "packages/a/index.js")]),
        case(r#"{"workspaces": ["packages/*"]}"#, &[("packages/a/.gitignore", ".squad"), ("packages/.gitignore", "b")]),
        case(r#"{"workspaces": ["packages/*"], "files": ["**"]}"#, &[("packages/a/.npmignore", ".squad")]),
        case(r#"{"workspaces": []}"#, &[("packages/a/.npmignore", ".squad")]),
        case(r#"{"workspaces": {"packages": ["packages/a"]}}"#, &[("packages/a/.npmignore", ".squad")]),
        case(
            r#"{"workspaces": ["packages/*"]}"#,
            &[("packages/a/package.json", "{\n\"name\": \"a\",\n\"version\": \"1.0.0\"\n}"), ("packages/a/}", "")],
        ),
        case("{}", &[("packages/a/.npmignore", ".squad")]),
        case(STAR, &[("readme", ""), ("README.md~", ""), ("license.x", ""), (".squad/LICENSE", ""), ("copying", "")]),
        case("{}", &[(".npmignore", "*.md\nLICEN*"), ("a*b/c", ""), (".squad/x*y.md", ""), (".squad/@x.md", "")]),
        case("{}", &[("archived-packages/x", ""), (".squad/archived-packages/x", ""), ("build/config.gypi", "")]),
        case("{}", &[(".squad/CVS/x", ""), (".squad/.svn/x", ""), (".squad/.a.swp", ""), (".squad/npm-debug.log", "")]),
        case("{}", &[(".squad/node_modules/x/y.js", ""), ("node_modules/z/y.js", ""), (".squad/.npmrc", "")]),
        case("{}", &[(".Squad/decisions.md", ""), (".gitignore", "/.squad/team.md")]),
        case("{}", &[(".squad/ä.md", ""), (".squad/Ö.md", ""), (".gitignore", "Ä.md\nö.md")]),
    ]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs npm"]
fn links_are_left_out() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("x");
    lay_out(&folder, "x", r#"{"files": ["link.md", "folder", ".squad"]}"#, &Files::new());
    std::os::unix::fs::symlink("README.md", folder.join("link.md")).unwrap();
    std::os::unix::fs::symlink("decisions.md", folder.join(".squad/link.md")).unwrap();
    fs::remove_file(folder.join("docs/guide.md")).unwrap();
    std::os::unix::fs::symlink("../.squad/team.md", folder.join("docs/guide.md")).unwrap();
    let lists = by_npm(base.path(), &["./x".to_owned()]);
    assert_eq!(by_us(&folder, &[]), lists[0]);
}

#[test]
#[ignore = "needs npm"]
fn a_workspace_obeys_the_ignore_files_above_it() {
    let base = tempfile::tempdir().unwrap();
    write(base.path(), "package.json", r#"{"name": "top", "private": true, "workspaces": ["packages/*"]}"#);
    write(base.path(), ".gitignore", "/.squad/agents\nlog\n");
    write(base.path(), "packages/.npmignore", "skills\n");
    let folder = base.path().join("packages/a");
    lay_out(&folder, "a", "{}", &Files::from([(".gitignore".into(), "team.md".into())]));
    let globs = ["packages/*".to_owned()];
    assert!(is_workspace(&globs, BStr::new("packages/a")));
    assert!(!is_workspace(&globs, BStr::new("packages/a/b")));
    let outer = [base.path(), &base.path().join("packages")];
    let outer: Vec<String> = outer.iter().filter_map(|folder| ignore_file(&on_disk(folder), BStr::new(""))).collect();
    let lists = by_npm(&folder, &[".".to_owned()]);
    assert_eq!(by_us(&folder, &outer), lists[0]);
    assert!(!lists[0].contains(".squad/agents/keaton/history.md"));
}

/// The fixtures of the rule: it reports what npm packs, and after its fixes npm packs no state.
#[test]
#[ignore = "needs npm"]
fn what_the_rule_repairs_npm_no_longer_packs() {
    let fixtures = project().join("tests/rules/guard/npm-leak");
    let (mut reported, mut repaired) = (0, 0);
    for case in ["files-glob", "files-names-it", "files-one-line", "main", "nested-package", "no-files", "npmignore"] {
        let folder = tempfile::tempdir().unwrap();
        let own =
            |path: &Path| path.starts_with("fixed") || path.ends_with("expected.txt") || path.ends_with("case.toml");
        for path in files_below(&fixtures.join(case)).into_iter().filter(|path| !own(path)) {
            write(folder.path(), &path, fs::read(fixtures.join(case).join(&path)).unwrap());
        }
        let state = || {
            let lists = by_npm(folder.path(), &[".".to_owned()]);
            lists[0].iter().filter(|path| path.contains(".squad/")).count()
        };
        let before = state();
        let mut fix = squad_lint(folder.path());
        let output = fix.args(["--select", "guard/npm-leak", "--fix", "--unsafe-fixes"]).output().unwrap();
        let is_repaired = output.status.code() == Some(0);
        let after = state();
        assert!(before > 0, "{case}: npm packs no state");
        assert_eq!(after, if is_repaired { 0 } else { before }, "{case}: {}", crate::support::stdout(&output));
        assert_eq!(is_repaired, fixtures.join(case).join("fixed").is_dir(), "{case}");
        reported += 1;
        repaired += usize::from(is_repaired);
    }
    assert_eq!((reported, repaired), (7, 4));
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

fn pattern(dice: &mut Dice) -> String {
    let name = |dice: &mut Dice| {
        let words = [
            ".squad",
            ".ai-team",
            "agents",
            "keaton",
            "history.md",
            "decisions.md",
            "*",
            "**",
            "*.md",
            ".s*",
            "packages",
            "a",
            "lib",
            "decisions",
            "inbox",
            "*squad",
            "{.squad,lib}",
            "?squad",
            ".[a-s]*",
            "@(agents|decisions)",
            "log",
            "H*.MD",
            "index.js",
            "!(agents)",
            "team.m?",
            "**x",
        ];
        dice.of(&words).to_owned()
    };
    let mut out = dice.of(&["", "", "", "", "!", "!", "!!"]).to_owned();
    out.push_str(dice.of(&["", "", "", "/", "./", "**/"]));
    out.push_str(&name(dice));
    for _ in 0..dice.below(4) {
        out.push('/');
        out.push_str(&name(dice));
    }
    out.push_str(dice.of(&["", "", "", "/", "/*", "/**"]));
    out
}

#[test]
#[ignore = "needs npm"]
fn generated_packages() {
    let mut dice = Dice(11);
    let folders = ["", "", ".squad/", ".squad/agents/", "packages/", "packages/a/", "lib/", ".ai-team/"];
    let cases: Vec<_> = (0..250)
        .map(|_| {
            let patterns = |dice: &mut Dice| (0..=dice.below(4)).map(|_| pattern(dice)).collect::<Vec<_>>();
            let manifest = match dice.below(3) {
                0 => "{}".to_owned(),
                _ => format!("{{\"files\": {}}}", Value::from(patterns(&mut dice))),
            };
            let files = (0..dice.below(4)).map(|_| {
                let path = format!("{}{}", dice.of(&folders), dice.of(&[".npmignore", ".gitignore"]));
                (path, patterns(&mut dice).join("\n"))
            });
            (manifest, files.collect())
        })
        .collect();
    compare(&cases);
}
