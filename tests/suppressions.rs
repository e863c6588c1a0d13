//! Suppressions and baselines as their users meet them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::repo::Repo;
use crate::support::{NOW, files_below, project, squad_lint, stderr, stdout, write};
use rayon::prelude::*;
use tempfile::TempDir;

/// A decision without a rationale (warning), with a timestamp that is wrong where `zone` is (error).
fn entry(hour: u8, zone: &str) -> String {
    let at = format!("2026-02-15T{hour}:32:15{zone}");
    format!(
        "### {at}: decision: Models\n\n**type:** decision  \n**timestamp:** {at}  \n**author:** Verbal  \n\n\
         **summary:** A sentence.\n\n---\n"
    )
}

fn repository(content: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", content);
    folder
}

fn decisions(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap()
}

/// What the program prints in `folder` on both streams, and its exit code.
fn run(folder: &Path, args: &[&str]) -> (String, i32) {
    let output = squad_lint(folder).args(["--now", NOW]).args(args).output().unwrap();
    (stdout(&output) + &stderr(&output), output.status.code().unwrap())
}

#[test]
fn a_comment_holds_for_what_follows() {
    let comment = "<!-- squad-lint: ignore sem/missing-rationale -- agreed in the call -->\n";
    for (between, count) in [("", 1), ("\n", 1), ("<!-- squad-lint: ignore sem/expired -->\n", 1), ("## Models\n\n", 2)]
    {
        for line_end in ["\n", "\r\n"] {
            let text = format!("# Decisions\n\n{comment}{between}{}\n{}", entry(10, "+0000"), entry(11, "+0000"));
            let folder = repository(&text.replace('\n', line_end));
            let (printed, _) = run(folder.path(), &["--select", "sem/missing-rationale"]);
            assert!(printed.contains(&format!("found {count} warning")), "{between:?} {line_end:?}: {printed}");
        }
    }
}

#[test]
fn what_is_suppressed_never_counts_and_is_shown_when_asked_for() {
    let text = format!("<!-- squad-lint: ignore sem -- \u{1b}[31mimported -->\n{}", entry(10, "Z"));
    let folder = repository(&text);
    // The escape in the reason is a finding of its own, in the comment's own line.
    write(folder.path(), ".squad-lint.toml", "[rules]\n\"security/terminal-escape\" = \"off\"\n");
    let (printed, code) = run(folder.path(), &[]);
    assert_eq!((printed.as_str(), code), ("no problems found in 1 file; 3 suppressed (--show-suppressed)\n", 0));
    let (printed, code) = run(folder.path(), &["--show-suppressed", "--fail-on", "warning"]);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("suppressed error[sem/timestamp-format]"), "{printed}");
    assert!(printed.contains("note: by a comment: \\u{1b}[31mimported"), "{printed}");
    assert!(printed.ends_with("no problems found in 1 file; 3 suppressed\n"), "{printed}");
    let (printed, _) = run(folder.path(), &["--show-suppressed", "--format", "compact"]);
    assert!(printed.contains(".squad/decisions.md:2:5: suppressed error: "), "{printed}");
    let (printed, _) = run(folder.path(), &["--fix"]);
    assert!(printed.contains("nothing to fix"), "{printed}");
    let (printed, _) = run(folder.path(), &["--format", "json"]);
    assert!(!printed.contains("suppressed"), "{printed}");
}

#[test]
fn a_comment_in_a_manifest_holds_though_rules_on_learnings_read_the_manifest_too() {
    let comment = "# squad-lint: ignore-file team/missing-field -- later";
    let manifest = format!("{comment}\nteam: shop\ndescription: Books\nmembers:\n  - name: backend\n    owns: [src]\n");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", manifest);
    write(folder.path(), "memory/agents/backend/learnings.md", "# Learnings: backend\n");
    let (printed, code) = run(folder.path(), &["--select", "team,lint"]);
    assert_eq!(code, 0, "{printed}");
    assert!(!printed.contains("unused-suppression") && printed.contains("1 suppressed"), "{printed}");
}

#[test]
fn a_selection_of_rules_does_not_make_suppressions_useless() {
    let text = format!("<!-- squad-lint: ignore sem/missing-rationale, sem/expired -->\n{}", entry(10, "+0000"));
    let folder = repository(&text);
    for (select, count) in [("markdown", 0), ("sem/missing-rationale", 0), ("lint", 1), ("lint/unused-suppression", 1)]
    {
        let (printed, _) = run(folder.path(), &["--select", select, "--format", "compact", "--quiet"]);
        assert_eq!(printed.lines().count(), count, "{select}: {printed}");
        assert_eq!(printed.contains("`sem/expired` finds nothing here"), count == 1, "{select}: {printed}");
    }
}

#[test]
fn add_ignore_writes_a_comment_for_each_place() {
    let text = format!(
        "---\nname: x\n---\n# Decisions\n\n{}\n{}\n## Notes\n\n- one\n- two\n\n\
         ```text\n## in a fence\n",
        entry(10, "Z"),
        entry(11, "+0000")
    );
    for line_end in ["\n", "\r\n"] {
        let folder = repository(&text.replace('\n', line_end));
        let (printed, code) = run(folder.path(), &["--add-ignore=imported"]);
        assert!(code == 0 && printed.starts_with("suppressed 5 problems in 1 file\n"), "{printed}");
        let now = decisions(&folder);
        assert_eq!(now.matches("\r\n").count(), if line_end == "\n" { 0 } else { now.lines().count() });
        let now = now.replace('\r', "");
        for (comment, above) in [
            ("sem/missing-rationale, sem/timestamp-format", "### 2026-02-15T10"),
            ("sem/missing-rationale", "### 2026-02-15T11"),
        ] {
            let expected = format!("<!-- squad-lint: ignore {comment} -- imported -->\n{above}");
            assert!(now.contains(&expected), "{expected}\nis not in\n{now}");
        }
        assert_eq!(run(folder.path(), &[]).1, 0);
        let (printed, code) = run(folder.path(), &["--add-ignore"]);
        assert!(code == 0 && printed.starts_with("nothing that a comment can suppress\n"), "{printed}");
        assert_eq!(decisions(&folder).replace('\r', ""), now);
    }
}

#[test]
fn add_ignore_is_for_whole_files_too_and_extends_what_is_there() {
    let text = format!(
        "\u{feff}# Decisions\n\n<!-- squad-lint: ignore sem/missing-rationale -- agreed -->\n{}",
        entry(10, "Z")
    );
    let folder = repository(&text);
    write(folder.path(), "squad-lint.toml", "[memory]\nmax-decisions-bytes = 100\n");
    let (printed, code) = run(folder.path(), &["--add-ignore"]);
    assert_eq!(code, 0, "{printed}");
    let start = "\u{feff}<!-- squad-lint: ignore-file memory/file-too-large -->\n# Decisions\n\n\
                 <!-- squad-lint: ignore sem/missing-rationale, sem/timestamp-format -- agreed -->\n### ";
    assert!(decisions(&folder).starts_with(start), "{}", decisions(&folder));
}

#[test]
fn add_ignore_refuses_what_it_cannot_do() {
    let folder = repository(&entry(10, "Z"));
    for args in [
        &["--add-ignore", "--fix"][..],
        &["--add-ignore", "--diff"],
        &["--add-ignore=a --> b"],
        &["--add-ignore=a\nb"],
        &["--add-ignore", "-"],
        &["--add-ignore", "--write-baseline", "b.json"],
        // What git holds is checked there, and comments are written into files.
        &["--add-ignore", "--staged"],
        &["--add-ignore", "--from", "HEAD"],
        &["--add-ignore", "--hook-manager"],
        &["--add-ignore", "--tree", "HEAD"],
        &["--add-ignore", "--pre-push"],
    ] {
        let (printed, code) = run(folder.path(), args);
        assert_eq!(code, 2, "{args:?}: {printed}");
        assert!(!printed.contains("no git repository"), "{args:?} is refused whatever the folder is: {printed}");
    }
    assert_eq!(decisions(&folder), entry(10, "Z"));
}

/// Every case of every rule, as it is and with CRLF: comments silence all that stands in a file that can have them.
#[test]
fn after_add_ignore_the_fixtures_are_clean() {
    let base = project().join("tests/rules");
    let case = |path: &PathBuf| path.iter().take(3).collect::<PathBuf>();
    let mut cases: Vec<PathBuf> = files_below(&base).iter().map(case).collect();
    cases.dedup();
    cases.retain(|case| !case.starts_with("guard"));
    let runs: Vec<_> = cases.iter().flat_map(|case| [(case, false), (case, true)]).collect();
    let left_over = |(case, crlf): &(&PathBuf, bool)| {
        let folder = tempfile::tempdir().unwrap();
        for path in files_below(&base.join(case)).iter().filter(|path| !path.starts_with("fixed")) {
            let bytes = fs::read(base.join(case).join(path)).unwrap();
            let crlf = *crlf && !bytes.contains(&b'\r');
            let bytes =
                bytes.iter().flat_map(|&byte| if crlf && byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] });
            write(folder.path(), path, bytes.collect::<Vec<u8>>());
        }
        let all = ["--select", "all", "--min-severity", "info"];
        let (first, _) = run(folder.path(), &[&all[..], &["--add-ignore=fixture"]].concat());
        let (left, _) = run(folder.path(), &[&all[..], &["--format", "compact", "--quiet"]].concat());
        // A comment would be the text of what has none.
        let cannot = [
            "file is UTF-16",
            "[lint/unreadable-file]",
            "[lint/file-too-large]",
            "[guard/",
            "[charter/empty]",
            "entry has no text below",
            // It would be a part of what is torn.
            "content is text, expected the fields",
            // They are about what begins the file.
            "[memory/skill-front-matter]",
            "front matter has no end",
        ];
        // JSON has no comments.
        let json = [".json:", ".jsonl:", ".squad:"];
        let is_kept =
            |line: &&str| json.iter().any(|end| line.contains(end)) || cannot.iter().any(|rule| line.contains(rule));
        let left: Vec<&str> = left.lines().filter(|line| !is_kept(line)).collect();
        // Nothing writes a file with a conflict.
        let has_conflict = first.contains("unresolved merge conflict");
        // What says at once that nothing is to be suppressed would say so again.
        let again = match first.contains("nothing that a comment can suppress") {
            true => first,
            false => run(folder.path(), &[&all[..], &["--add-ignore"]].concat()).0,
        };
        let is_wrong = !has_conflict && (!left.is_empty() || !again.contains("nothing that a comment can suppress"));
        is_wrong.then(|| format!("{} crlf {crlf}: {left:#?}\n{again}", case.display()))
    };
    let wrong: Vec<String> = runs.par_iter().filter_map(left_over).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_baseline_knows_what_was_there() {
    let folder = repository(&format!("# Decisions\n\n{}\n{}", entry(10, "Z"), entry(11, "Z")));
    let (printed, code) = run(folder.path(), &["--write-baseline", "base.json"]);
    assert_eq!((printed.as_str(), code), ("wrote 6 findings in 1 file to base.json\n", 0));
    let (printed, code) = run(folder.path(), &["--baseline", "base.json"]);
    assert_eq!((printed.as_str(), code), ("no problems found in 1 file; 6 suppressed (--show-suppressed)\n", 0));
    let (printed, _) = run(folder.path(), &["--baseline", "base.json", "--show-suppressed"]);
    assert!(printed.contains("note: by the baseline"), "{printed}");

    // Moved, with other line ends, between new ones.
    let text = format!("# Decisions\n\nText.\n\n{}\n{}\n{}", entry(11, "Z"), entry(12, "Z"), entry(10, "Z"));
    write(folder.path(), ".squad/decisions.md", text.replace('\n', "\r\n"));
    let (printed, code) = run(folder.path(), &["--baseline", "base.json", "--format", "compact"]);
    assert_eq!(code, 1);
    assert!(printed.contains("2026-02-15T12:32:15Z"), "{printed}");
    assert!(printed.contains("found 2 errors and 1 warning in 1 file"), "{printed}");

    // What is repaired is told when asked for, but not when the rule did not run.
    write(folder.path(), ".squad/decisions.md", format!("# Decisions\n\n{}", entry(10, "Z")));
    let (printed, code) = run(folder.path(), &["--baseline", "base.json", "--verbose"]);
    assert_eq!(code, 0);
    assert!(printed.contains("baseline: 2 findings of sem/timestamp-format in .squad/decisions.md no longer there"));
    let (printed, _) = run(folder.path(), &["--baseline", "base.json", "--verbose", "--select", "legacy"]);
    assert!(!printed.contains("no longer there"), "{printed}");
    // Written again, it forgets them.
    assert_eq!(run(folder.path(), &["--write-baseline", "base.json", "--quiet"]), (String::new(), 0));
    let (printed, _) = run(folder.path(), &["--baseline", "base.json", "--verbose"]);
    assert!(!printed.contains("no longer there"), "{printed}");
}

#[test]
fn the_configuration_names_a_baseline() {
    let folder = repository(&entry(10, "Z"));
    let config = |text: &str| write(folder.path(), "squad-lint.toml", text);
    config("baseline = \"known/base.json\"\n");
    std::fs::create_dir(folder.path().join("known")).unwrap();
    let (printed, code) = run(folder.path(), &[]);
    assert!(code == 2 && printed.contains("`--no-baseline` uses none"), "{printed}");
    // Writing one does not read the one that the configuration names, or the second one would be empty.
    for _ in 0..2 {
        let (printed, code) = run(folder.path(), &["--write-baseline", "known/base.json"]);
        assert_eq!((printed.as_str(), code), ("wrote 3 findings in 1 file to known/base.json\n", 0));
    }
    let silent = ("no problems found in 1 file; 3 suppressed (--show-suppressed)\n".to_owned(), 0);
    assert_eq!(run(folder.path(), &[]), silent);
    // Relative to the root, wherever the program runs.
    assert_eq!(run(&folder.path().join(".squad"), &["--root", ".."]), silent);
    for other in [&["--no-baseline"][..], &["--no-config"]] {
        assert_eq!(run(folder.path(), other).1, 1, "{other:?}");
    }
    write(folder.path(), "empty.json", "{\"version\": 1, \"findings\": []}");
    assert_eq!(run(folder.path(), &["--baseline", "empty.json"]).1, 1, "the option takes precedence");
    assert_eq!(run(folder.path(), &["--baseline", "empty.json", "--no-baseline"]).1, 2);
    // No report overwrites what the run reads.
    for file in ["known/base.json", "squad-lint.toml"] {
        let before = std::fs::read(folder.path().join(file)).unwrap();
        let (printed, code) = run(folder.path(), &["--output", file]);
        assert!(code == 2 && printed.contains("write to the same file"), "{printed}");
        assert_eq!(std::fs::read(folder.path().join(file)).unwrap(), before);
    }
}

#[test]
fn a_baseline_of_the_configuration_lies_in_the_repository() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret", "password = 1\n");
    let folder = repository(&entry(10, "Z"));
    let secret = outside.path().join("secret");
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let mut paths =
        vec![secret.to_str().unwrap().to_owned(), format!("../{name}/secret"), format!("x/../../{name}/secret")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("linked")).unwrap();
        paths.extend(["link", "linked/secret"].map(str::to_owned));
    }
    for path in paths {
        write(folder.path(), "squad-lint.toml", format!("baseline = '{path}'\n"));
        let (printed, code) = run(folder.path(), &[]);
        assert!(code == 2 && printed.contains("is outside of the repository"), "{path}: {printed}");
        assert!(!printed.contains("password"), "{printed}");
    }
}

#[test]
fn a_bad_baseline_is_an_error_that_says_where() {
    let folder = repository(&entry(10, "Z"));
    for (content, expected) in [
        ("{\n  \"version\": 1,\n  \"findings\": [}\n", "base.json:3:16"),
        ("{\"version\": 9, \"findings\": []}", "has version 9, expected 1"),
        ("[]", "the baseline is not understood"),
        ("", "the baseline is not understood"),
    ] {
        write(folder.path(), "base.json", content);
        let (printed, code) = run(folder.path(), &["--baseline", "base.json"]);
        assert!(code == 2 && printed.contains(expected), "{content:?}: {printed}");
        assert!(printed.contains("--write-baseline base.json"), "{printed}");
    }
    assert_eq!(run(folder.path(), &["--baseline", "nowhere.json"]).1, 2);
    // A memory file is not overwritten.
    assert_eq!(run(folder.path(), &["--write-baseline", ".squad/decisions.md"]).1, 2);
    assert_eq!(run(folder.path(), &["--write-baseline", "nowhere/base.json"]).1, 2);
    assert_eq!(decisions(&folder), entry(10, "Z"));
}

#[test]
fn a_hook_says_how_to_silence_it() {
    let folder = repository(&entry(10, "Z"));
    let hook = |args: &[&str]| {
        let mut command = squad_lint(folder.path());
        let output = command.args(["--now", NOW]).args(args).env("GIT_INDEX_FILE", ".git/index").output().unwrap();
        stdout(&output)
    };
    let last = |printed: &str| printed.lines().last().unwrap_or_default().to_owned();
    assert_eq!(
        last(&hook(&["--select", "sem/timestamp-format"])),
        "to keep it as it is: `<!-- squad-lint: ignore sem/timestamp-format -- reason -->` on a line above it"
    );
    let advice = hook(&[]);
    assert!(advice.contains("ignore RULE --") || advice.contains("ignore sem/timestamp-format --"), "{advice}");
    for quiet in [&["--quiet"][..], &["--select", "legacy"], &["--format", "json"]] {
        assert!(!hook(quiet).contains("to keep it"), "{quiet:?}");
    }
    assert!(!run(folder.path(), &[]).0.contains("to keep it"));
    write(folder.path(), ".claude/team.yaml", "team: shop\ndescription: Books\nmembers:\n  - name: backend\n");
    assert_eq!(
        last(&hook(&["--select", "team/missing-field"])),
        "to keep it as it is: `# squad-lint: ignore team/missing-field -- reason` on a line above it"
    );
}

#[test]
fn the_advice_works_for_each_kind_of_finding() {
    use crate::support::repo::Repo;
    let advised = |repo: &Repo, args: &[&str]| {
        let mut command = squad_lint(&repo.path);
        let output = command.args(["--now", NOW]).args(args).env("GIT_INDEX_FILE", ".git/index").output().unwrap();
        let text = stdout(&output);
        let line = text.lines().last().unwrap_or_default().to_owned();
        let quoted = line.split('`').nth(1).unwrap_or_default().to_owned();
        (line, quoted)
    };
    let clean =
        |repo: &Repo, args: &[&str]| stdout(&squad_lint(&repo.path).args(["--now", NOW]).args(args).output().unwrap());
    let repo = Repo::new();
    // A hook always has an index.
    repo.git(&["read-tree", "--empty"]);
    let long = entry(10, "+0000") + &"An undated line.\n".repeat(2000);
    // A finding about a whole file.
    repo.write(".squad/decisions.md", &long);
    let select = ["--select", "memory/file-too-large"];
    let (line, comment) = advised(&repo, &select);
    assert!(line.ends_with("at the top of the file"), "{line}");
    repo.write(".squad/decisions.md", format!("{comment}\n\n{long}"));
    assert!(clean(&repo, &select).starts_with("no problems found"), "{}", clean(&repo, &select));
    // A finding about a folder.
    repo.stage(".ai-team/decisions.md", entry(10, "+0000"));
    repo.git(&["commit", "--quiet", "--message", "all"]);
    let (line, setting) = advised(&repo, &["--select", "guard/tracked-state"]);
    assert_eq!(line, "to turn a rule off: `\"guard/tracked-state\" = \"off\"` under `[rules]` in `squad-lint.toml`");
    repo.write("squad-lint.toml", format!("[rules]\n{setting}\n"));
    let said = clean(&repo, &[".ai-team"]);
    assert!(!said.contains("[guard/"), "{said}");
}

#[test]
fn the_comment_that_a_report_names_silences_what_it_is_about() {
    let head = "name: a\ndescription: b\n";
    let entry = "---\nid: m1\nclass: SHARED\nloadGuidance: ON-DEMAND\ntitle: One\ncreatedAt: 2026-01-02T09:00:00Z\n---\nText.\n";
    for (path, text) in [
        (".squad/skills/a/SKILL.md", "---\nname: a\ndescription: Use when: x\n---\nText.\n".to_owned()),
        (".squad/skills/a/SKILL.md", "---\ndescription: Use when: x\nname: a\n---\nText.\n".to_owned()),
        (".squad/skills/a/SKILL.md", "---\nname: a\n---\nText.\n".to_owned()),
        (".squad/skills/a/SKILL.md", format!("---\n{head}---\n")),
        (".squad/skills/a/SKILL.md", format!("---\n{head}")),
        (".squad/skills/a/SKILL.md", "# A\n\nText.\n".to_owned()),
        (".github/skills/a/SKILL.md", "---\nname: a\ndescription: Use when: x\n---\nText.\n".to_owned()),
        (".github/skills/a/SKILL.md", "---\nname: a\n---\nText.\n".to_owned()),
        (".squad/memory/local/m1.md", entry.to_owned()),
        (".squad/memory/local/m1.md", entry.replace("class: SHARED\n", "")),
        (".squad/memory/local/m1.md", "Text.\n".to_owned()),
    ] {
        for line_end in ["\n", "\r\n"] {
            let text = text.replace('\n', line_end);
            let repo = Repo::new();
            repo.stage(".squad/team.md", "# Team\n");
            repo.stage(path, &text);
            let args = ["--staged", "--select", "memory", "--format", "compact"];
            let (found, _) = run(&repo.path, &args);
            let line: usize = found.split(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(1);
            assert!(!found.contains("no problems found"), "{path} {text:?}");
            let (said, _) = run(&repo.path, &["--staged", "--select", "memory"]);
            let hint = said
                .lines()
                .find_map(|line| line.strip_prefix("to keep it as it is: `"))
                .unwrap_or_else(|| panic!("{said}"));
            let (comment, place) = hint.split_once("` ").unwrap();
            let mut lines: Vec<&str> = text.lines().collect();
            let at = match place {
                "on a line above it" => line - 1,
                "at the top of the file" => 0,
                "below the front matter" => lines.iter().rposition(|line| *line == "---").unwrap() + 1,
                _ => panic!("{place}"),
            };
            lines.insert(at, comment);
            repo.stage(path, lines.join(line_end) + line_end);
            let (after, code) = run(&repo.path, &args);
            assert_eq!(
                (after.contains("no problems found"), code),
                (true, 0),
                "{path} {text:?} {hint}: {found}{after}"
            );
        }
    }
}
