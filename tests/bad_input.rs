//! Input that a linter meets once and must survive: each gets a clear message, and one bad file never stops the others.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};

use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout, write};
use squad_lint::fs::read::{FileError, read};
use tempfile::TempDir;

const GOOD: &str = "### 2026-02-15T14:32:15-0800: note: x\n\n**type:** note  \n**timestamp:** 2026-02-15T14:32:15-0800  \n\
                    **author:** Verbal  \n\n**summary:** A sentence.\n\n---\n";

/// A folder with one file that has a finding, to see that it is found whatever else lies there.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/verbal/history.md", GOOD.replacen("-0800", "-08:00", 1));
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(["--format", "compact", "--now", NOW]).args(args).output().unwrap()
}

/// Runs and checks that the other file was checked as well.
fn lines(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let text = stdout(&output);
    assert!(text.contains("verbal/history.md:1:5: error"), "{text}{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
    text
}

#[test]
fn a_path_that_is_not_there() {
    let output = run(repository().path(), &["nowhere.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot open nowhere.md") && stderr(&output).contains("No such file"));
}

#[test]
fn a_path_outside() {
    let (inside, outside) = (repository(), repository());
    let path = outside.path().join(".squad/agents/verbal/history.md");
    let output = run(inside.path(), &[".squad", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is outside"), "{}", stderr(&output));
}

#[test]
fn a_folder_named_like_a_file() {
    let folder = repository();
    write(folder.path(), ".squad/decisions.md/inner.md", GOOD);
    let text = lines(folder.path(), &[]);
    assert!(text.contains(".squad/decisions.md: error: ") && text.contains("a folder"), "{text}");
}

#[test]
fn a_file_of_two_gibibytes_is_named_and_not_read() {
    let folder = repository();
    let path = folder.path().join(".squad/decisions.md");
    File::create(&path).unwrap().set_len(2 << 30).unwrap();
    let text = lines(folder.path(), &[]);
    assert!(text.contains(".squad/decisions.md: warning: ") && text.contains("[lint/file-too-large]"), "{text}");
    let output = run(folder.path(), &[".squad/decisions.md", ".squad/agents"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read .squad/decisions.md: it has 2147483648 bytes"));
    assert!(stdout(&output).contains("verbal/history.md:1:5: error"));
}

#[cfg(unix)]
#[test]
fn a_pipe_does_not_block() {
    let folder = repository();
    let pipe = folder.path().join(".squad/decisions.md");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = lines(folder.path(), &[]);
    assert!(text.contains(".squad/decisions.md: error: ") && text.contains("a named pipe"), "{text}");
    let output = run(folder.path(), &[".squad/decisions.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it is a named pipe, not a file"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_file_and_a_folder_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = repository();
    let deny = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let allow = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    write(folder.path(), ".squad/decisions.md", GOOD);
    write(folder.path(), ".squad/decisions/inbox/a.md", GOOD);
    let (file, inbox) = (folder.path().join(".squad/decisions.md"), folder.path().join(".squad/decisions/inbox"));
    allow(folder.path());
    deny(&file);
    deny(&inbox);
    // Root may read everything: run as somebody else.
    let as_root = fs::read(&file).is_ok();
    let run = |args: &[&str]| {
        let mut command = squad_lint(folder.path());
        if as_root {
            command.uid(65534).gid(65534);
        }
        command.args(["--format", "compact"]).args(args).output().unwrap()
    };
    let walked = run(&[]);
    let named = run(&[".squad/decisions.md", ".squad/agents"]);
    allow(&file);
    allow(&inbox);
    let text = stdout(&walked);
    for path in [".squad/decisions.md", ".squad/decisions/inbox"] {
        let line = text.lines().find(|line| line.starts_with(&format!("{path}: error: ")));
        assert!(line.is_some_and(|line| line.contains("permission denied")), "{text}{}", stderr(&walked));
    }
    assert!(text.contains("verbal/history.md:1:5: error"), "{text}");
    assert_eq!(named.status.code(), Some(2));
    assert!(stderr(&named).contains("cannot read .squad/decisions.md: Permission denied"), "{}", stderr(&named));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_never_holds_still_is_not_read() {
    // Its size on disk never equals what is read: to a reader it changes all the time.
    assert!(matches!(read(Path::new("/proc/version"), 1 << 20), Err(FileError::Changing)));
}

#[test]
fn a_file_that_is_written_meanwhile_ends_the_run_well() {
    use std::io::Write;
    let folder = repository();
    let path = folder.path().join(".squad/decisions.md");
    fs::write(&path, GOOD.repeat(2000)).unwrap();
    let writer = std::thread::spawn(move || {
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        for _ in 0..20_000 {
            file.write_all(b"one more line\n").unwrap();
        }
    });
    for _ in 0..3 {
        lines(folder.path(), &["--ignore", "memory,sem/duplicate-entry"]);
    }
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_repository() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (repository(), repository());
    fs::create_dir_all(folder.path().join("b")).unwrap();
    symlink(outside.path().join(".squad/agents/verbal/history.md"), folder.path().join(".squad/decisions.md")).unwrap();
    symlink(outside.path().join(".squad"), folder.path().join("b/.squad")).unwrap();
    symlink("agents/verbal/history.md", folder.path().join(".squad/team.md")).unwrap();
    symlink("nowhere", folder.path().join(".squad/routing.md")).unwrap();
    symlink(".", folder.path().join(".squad/loop")).unwrap();
    let output = run(folder.path(), &["--verbose"]);
    let (text, notes) = (stdout(&output), stderr(&output));
    assert!(notes.contains(".squad/decisions.md: leads out of the repository"), "{notes}");
    assert!(notes.contains("b/.squad: leads out of the repository"), "{notes}");
    assert!(!text.contains("decisions.md"), "{text}");
    assert!(text.contains(".squad/routing.md: error: "), "{text}");
}

#[test]
fn odd_bytes() {
    let folder = repository();
    write(folder.path(), ".squad/decisions/inbox/nul.md", GOOD.replace("A sentence", "A\0 \u{1b}[31msentence\u{b}"));
    write(folder.path(), ".squad/decisions/inbox/cr.md", GOOD.replace('\n', "\r"));
    write(folder.path(), ".squad/decisions/inbox/empty.md", "");
    write(folder.path(), ".squad/decisions/inbox/bom.md", "\u{feff}");
    write(folder.path(), ".squad/decisions/inbox/latin.md", [GOOD.as_bytes(), b"caf\xe9\n"].concat());
    let text = lines(folder.path(), &["--ignore", "sem/duplicate-entry,sem/ambiguous-terminator"]);
    assert!(text.contains("latin.md:10:4: error: byte 0xE9 is not valid UTF-8"), "{text}");
    assert!(
        text.contains("nul.md:7:15: warning: text contains a NUL (U+0000) (1 more in this file) [memory/shell-damage]"),
        "{text}"
    );
    assert!(!text.contains("cr.md") && !text.contains("empty.md") && !text.contains("bom.md"), "{text}");
}

#[test]
fn what_a_file_says_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "\u{1b}]8;;http://x\u{7}::error::x%0A\u{202e}";
    write(folder.path(), ".squad/decisions.md", GOOD.replace("**type:** note", &format!("**type:** {evil}")));
    #[cfg(unix)]
    write(folder.path(), ".squad/decisions/inbox/a\u{1b}[2J\n::error::b.md", GOOD.replacen("-0800", "-08:00", 1));
    for format in ["text", "compact", "json"] {
        let output = squad_lint(folder.path()).args(["--format", format]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = stdout(&output);
        let active = text.chars().find(|&c| c.is_control() && c != '\n' || matches!(c, '\u{202e}'));
        // JSON escapes what controls a terminal; what only reorders text is data there.
        assert!(active.is_none() || format == "json" && active == Some('\u{202e}'), "{format}: {active:?}\n{text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::error")), "{format}:\n{text}");
    }
}

#[test]
fn large_and_deep() {
    let folder = repository();
    let inbox = |name: &str, text: String| write(folder.path(), format!(".squad/decisions/inbox/{name}.md"), text);
    inbox("long-line", GOOD.replace("A sentence.", &"word ".repeat(200_000)));
    inbox("deep", format!("{}x\n\n{GOOD}", "- ".repeat(10_000)));
    inbox("deeper", (0..10_000).map(|level| format!("{}- x\n", "  ".repeat(level % 500))).collect());
    inbox("quotes", format!("{}\n{}\n", ">".repeat(100_000), "*".repeat(100_000)));
    inbox("labels", "**a:** b | ".repeat(20_000));
    inbox("fence", format!("{GOOD}\n```\n{}", "x\n".repeat(100_000)));
    let headers: String = (0..100_000).map(|at| format!("### 2026-02-15T14:32:15Z: note: {at}\n")).collect();
    write(folder.path(), ".squad/decisions.md", headers);
    let text = lines(folder.path(), &["--show-all", "--ignore", "sem/duplicate-entry"]);
    assert!(text.contains("long-line.md") && text.contains("[sem/summary-too-long]"));
    assert!(text.contains("fence.md:11:1: error"), "the fence");
    let in_text = squad_lint(folder.path()).args(["--now", NOW]).output().unwrap();
    let text = stdout(&in_text);
    assert!(text.contains("more of sem/timestamp-format at"), "{}", &text[..2000]);
    assert!(text.len() < 100_000 && text.lines().all(|line| line.chars().count() < 500), "{} bytes", text.len());
}

/// How many there are of everything: what costs the square of it takes minutes.
const MANY: usize = 30_000;

/// An entry of second `at` with further lines among its fields.
fn entry(at: usize, kind: &str, further: &str) -> String {
    let time = stamp(at);
    format!(
        "### {time}: {kind}: x\n\n**type:** {kind}  \n**timestamp:** {time}  \n**author:** Verbal  \n{further}\n\
         **summary:** A sentence.\n\n**rationale:** So.\n\n---\n\n"
    )
}

fn stamp(at: usize) -> String {
    let (day, rest) = (at / 86_400, at % 86_400);
    format!("2026-01-{:02}T{:02}:{:02}:{:02}+0000", day + 1, rest / 3600, rest / 60 % 60, rest % 60)
}

/// How many findings of each rule a run over one `decisions.md` has.
fn counts(decisions: String, team: String) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", decisions);
    write(folder.path(), ".squad/team.md", team);
    let args = ["--statistics", "--format", "json", "--min-severity", "info", "--ignore", "memory", "--now", NOW];
    let output = squad_lint(folder.path()).args(args).output().unwrap();
    let json: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let of_rule =
        |count: &serde_json::Value| (count["rule"].as_str().unwrap().to_owned(), count["count"].as_u64().unwrap());
    json["statistics"].as_array().unwrap().iter().map(of_rule).collect()
}

fn check(decisions: impl IntoIterator<Item = String>, expected: &[(&str, usize)]) {
    let found = counts(decisions.into_iter().collect(), String::new());
    let found: Vec<_> = found.iter().map(|(rule, count)| (rule.as_str(), usize::try_from(*count).unwrap())).collect();
    assert_eq!(found, expected);
}

#[test]
fn very_many_entries_that_replace_one() {
    let supersedes = format!("**supersedes:** {}  \n", stamp(1));
    let target = || entry(1, "decision", "");
    check(
        (2..MANY).map(|at| entry(at, "decision", &supersedes)).chain([target()]),
        &[("sem/supersedes-order", MANY - 3)],
    );
    let copies = (0..MANY).map(|_| entry(2, "decision", &supersedes));
    check(copies.chain([target()]), &[("sem/duplicate-entry", MANY - 1)]);
}

#[test]
fn very_many_records_of_governed_memory() {
    let folder = repository();
    let record = |at: usize| {
        format!(
            "{{\"id\":\"{at}\",\"class\":\"LOCAL\",\"loadGuidance\":\"ALWAYS\",\"title\":\"A\",\"path\":\".squad/decisions/inbox/{at}.md\",\
             \"status\":\"active\",\"createdAt\":\"2026-02-02T09:00:00Z\",\"updatedAt\":\"2026-02-02T09:00:00Z\"}}"
        )
    };
    let records: Vec<String> = (0..MANY).map(record).collect();
    write(folder.path(), ".squad/memory/index.json", format!("[{}]", records.join(",")));
    let line = "{\"timestamp\":\"2026-02-02T09:00:00Z\",\"action\":\"serch\"}\n";
    write(folder.path(), ".squad/memory/audit.jsonl", line.repeat(MANY));
    let text = lines(folder.path(), &["--show-all"]);
    assert_eq!(text.matches("[memory/governed]").count(), 101, "{text}");
    assert!(text.contains(&format!("{} further lines with problems", MANY - 100)), "{text}");
}

#[test]
fn very_many_empty_records_and_keys_of_one_name() {
    let folder = repository();
    write(folder.path(), ".squad/memory/index.json", format!("[{}]", vec!["{}"; MANY].join(",")));
    let agents = vec!["\"a\":{\"persistent_name\":\"A\",\"status\":\"active\"}"; MANY];
    write(folder.path(), ".squad/casting/registry.json", format!("{{\"agents\":{{{}}}}}", agents.join(",")));
    let text = lines(folder.path(), &["--show-all"]);
    assert_eq!(text.matches("[memory/governed]").count(), 101, "{text}");
    assert!(text.contains(&format!("{} further problems in this file", 8 * MANY - 100)), "{text}");
    assert_eq!(text.matches("[roster/invalid-registry]").count(), 101, "{text}");
    assert!(text.contains(&format!("{} further problems in this file", MANY - 1 - 100)), "{text}");
}

#[test]
fn very_many_rows_that_name_nobody() {
    let folder = repository();
    let rows = |row: fn(usize) -> String| (0..MANY).map(row).collect::<String>();
    let team = rows(|at| format!("| Agent{at} | x | agents/agent{at}/charter.md |\n"));
    write(
        folder.path(),
        ".squad/team.md",
        format!("# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n{team}"),
    );
    let routing = rows(|at| format!("| w{at} | Nobody{at} | x |\n"));
    write(
        folder.path(),
        ".squad/routing.md",
        format!("# Routing\n\n| Work Type | Route To | x |\n|---|---|---|\n{routing}"),
    );
    write(folder.path(), ".squad/agents/agent0/charter.md", "# Agent0 — x\n");
    let text = lines(folder.path(), &["--show-all"]);
    for (rule, more) in [("roster/unknown-routing", MANY - 100), ("roster/drift", MANY - 1 - 100)] {
        assert_eq!(text.matches(&format!("[{rule}]")).count(), 101, "{rule}: {text}");
        assert!(text.contains(&format!("{more} further problems in this file")), "{rule}: {text}");
    }
}

#[test]
fn very_many_entries_in_circles() {
    let to = |at: usize| format!("**supersedes:** {}  \n", stamp(at));
    let forward = (0..MANY).map(|at| entry(at, "decision", &to((at + 1) % MANY)));
    check(forward, &[("sem/supersedes-order", MANY - 1)]);
    let one_moment = (0..MANY).map(|at| entry(3, "decision", &to(4 + at % 2)));
    let other = (0..MANY).map(|_| entry(4, "note", ""));
    check(one_moment.chain(other), &[("sem/duplicate-entry", 2 * MANY - 2), ("sem/supersedes-order", MANY)]);
}

#[test]
fn very_many_copies_and_references_to_them() {
    let references: String = (0..MANY).map(|_| format!("- decision: {}\n", stamp(5))).collect();
    let copies = (0..MANY).map(|_| entry(5, "memory", ""));
    let last = entry(6, "note", &format!("**related:**\n{references}"));
    check(copies.chain([last]), &[("sem/dangling-reference", MANY), ("sem/duplicate-entry", MANY - 1)]);
}

#[test]
fn very_many_parts_of_one_entry() {
    let many =
        |part: fn(usize) -> String| -> [String; 1] { [entry(7, "note", &(0..MANY).map(part).collect::<String>())] };
    check(many(|at| format!("**f{at}:** x  \n")), &[("sem/unknown-field", MANY)]);
    check(many(|_| "**sumary:** x  \n".to_owned()), &[("sem/unknown-field", MANY)]);
    check(
        many(|at| format!("**related:**\n* pr:#{at}\n")),
        &[("sem/malformed-related", MANY), ("sem/duplicate-field", MANY - 1)],
    );
    check(many(|at| format!("{}t{at}", if at == 0 { "**tags:** " } else { ", " })), &[]);
    check(many(|at| format!("{}, ,t{at}", if at == 0 { "**tags:** a" } else { ", " })), &[("sem/malformed-tags", 1)]);
}

#[test]
fn very_many_agents_and_authors_that_nobody_knows() {
    let team: String = (0..MANY).map(|at| format!("| Agent{at} | x |\n")).collect();
    let scope = |at: usize| format!("**scope:** agent:Agent{}  \n", 2 * at);
    let entries =
        (0..MANY / 10).map(|at| entry(at, "note", &scope(at * 10)).replace("Verbal", &format!("Agent{}", 2 * at * 10)));
    let found =
        counts(entries.collect(), format!("# Team\n\n| Name | Role |\n|---|---|\n{team}\n- **Owner:** Brady\n"));
    let half = u64::try_from(MANY / 20).unwrap();
    assert_eq!(found, [("sem/unknown-author".to_owned(), half), ("sem/unknown-scope-target".to_owned(), half)]);
}

#[test]
fn very_long_lines() {
    // With lone carriage returns a whole file is one line to editors, and each finding has its column in it.
    let text: String = (0..MANY / 5).map(|at| entry(at, "note", "").replacen("+0000", "Z", 1)).collect();
    let text = text.replace('\n', "\r");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", &text);
    let shown = stdout(&squad_lint(folder.path()).args(["--now", NOW, "--ignore", "memory"]).output().unwrap());
    for second in ["01-01T00:00:04Z", "01-01T00:00:03Z"] {
        let column = text.find(second).unwrap() + 1 - "2026-".len();
        assert!(shown.contains(&format!("\n --> .squad/decisions.md:1:{column}\n  |\n1 | ...")), "{column}: {shown}");
    }
    check([text], &[("sem/timestamp-format", MANY / 5)]);
    let summary = entry(8, "note", "").replace("A sentence.", &"e.g. A ".repeat(MANY));
    write(folder.path(), ".squad/decisions.md", summary);
    let layout = run(folder.path(), &["--select", "sem/label-layout", "--min-severity", "info"]);
    assert!(stdout(&layout).starts_with("no problems found"), "{}", stdout(&layout));
    check([format!("{}x\n", "- ".repeat(MANY))], &[]);
}

#[test]
fn a_long_audit_is_read_line_by_line_with_the_same_findings() {
    let repo = Repo::new();
    repo.write(".squad/team.md", "# Team\n");
    let good = "{\"timestamp\": \"2026-02-01T09:00:00Z\", \"action\": \"write\", \"reason\": \"Gr\u{fc}\u{df}e\"}\n"
        .repeat(4_000);
    let others = [
        "{\"timestamp\": \"soon\", \"action\": \"write\"}\n",
        "{\"timestamp\": \"2026-02-01T09:00:00Z\", \"action\": \"write\", \"actor\": \"kim.doe@acme.io\"}\n",
        "{\"timestamp\": \"2026-02-01T09:00:00Z\", \"action\": \"write\", \"reason\": \"a\u{200b}b\"}\n",
        "{\"timestamp\": \"2026-02-01T09:00:00Z\", \"action\": \"write\", \"reason\": \"\\u001b[31m\"}\n",
        "no JSON\n",
    ];
    let text: String = others.iter().flat_map(|line| [good.as_str(), line]).collect();
    repo.write(".squad/memory/audit.jsonl", &text);
    repo.commit("audit");
    let args = ["--select", "memory/governed,security", "--min-severity", "info", "--format", "compact", "--now", NOW];
    let of = |more: &[&str]| squad_lint(&repo.path).args(args).args(more).output().unwrap();
    // A revision is read as a whole, and so is what may be fixed.
    let (by_line, whole, fixable) = (of(&[]), of(&["--rev", "HEAD"]), of(&["--diff"]));
    for line in [4_001, 8_002, 12_003, 16_004, 20_005] {
        assert!(
            stdout(&by_line).contains(&format!(".squad/memory/audit.jsonl:{line}:")),
            "{line}: {}",
            stdout(&by_line)
        );
    }
    let findings = |output: &Output| {
        stdout(output).lines().filter(|line| line.contains("audit.jsonl")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(findings(&by_line), findings(&whole));
    assert!(
        !stdout(&fixable)
            .contains("-{\"timestamp\": \"2026-02-01T09:00:00Z\", \"action\": \"write\", \"reason\": \"Gr")
    );
    // What a change adds at its end is read alone, with the same findings and places.
    repo.stage(".squad/memory/audit.jsonl", format!("{text}{good}{}{good}{}", others[4], others[1]));
    let added = of(&["--staged"]);
    let places: Vec<String> =
        findings(&added).iter().filter_map(|line| Some(line.split(':').nth(1)?.to_owned())).collect();
    assert_eq!(places, ["24006", "28007"], "{}", stdout(&added));
    repo.stage(".squad/memory/audit.jsonl", format!("{}{text}", others[1]));
    assert!(stdout(&of(&["--staged"])).contains("line 1 was inserted into the audit"));
    repo.stage(".squad/memory/audit.jsonl", &text);
    squad_lint(&repo.path).args(args).args(["--fix", "--unsafe-fixes"]).output().unwrap();
    let left = std::fs::read_to_string(repo.path.join(".squad/memory/audit.jsonl")).unwrap();
    assert_eq!(left.lines().count(), text.lines().count());
}
