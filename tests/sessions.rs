//! Files of sessions that are damaged, strange or many, and their cost.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support::sample::Rng;
use crate::support::{NOW, files_below, project, rounds, squad_lint, stdout, write};
use squad_lint::formats::session::graph::TaskGraph;
use squad_lint::formats::session::locks::conflicts;
use squad_lint::formats::session::model::{Lock, Plan};
use squad_lint::formats::session::overlaps::overlaps;
use squad_lint::formats::session::{Named, SessionFile, Summary, name};

const SESSION: &str = ".squad/sessions/2026-02-28T22-00-00Z";

/// Valid files of every kind, with their paths in the session.
fn valid() -> Vec<(String, String)> {
    let folder = project().join("tests/rules/session/placeholder/silent").join(SESSION);
    let files = files_below(&folder).into_iter();
    let text = |path: &Path| fs::read_to_string(folder.join(path)).unwrap();
    files.map(|path| (path.to_str().unwrap().replace('\\', "/"), text(&path))).collect()
}

/// What is easily written wrong.
const PIECES: [&str; 40] = [
    "\t",
    "- ",
    ": ",
    "\n",
    "\r\n",
    "  ",
    "```",
    "~~~yaml\n",
    "---\n",
    "&a ",
    "*a",
    "<<: *a\n",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "|",
    "high|medium|low",
    "[timestamp]",
    "2026-02-28",
    "20260228",
    "2026-02-30T25:00:00Z",
    "-1",
    "1e999",
    "99999999999999999999",
    "null",
    "~",
    "true",
    "é",
    "\u{1f600}",
    "\u{feff}",
    "\u{0}",
    "**/*",
    "{a,b}/[!c]*",
    "../",
    "meta:\n",
    "task_id: task_001\n",
    "x[1]",
];

/// `text` with some changes: pieces, lines that are gone or there twice, other indentation, parts of another file.
fn mutated(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(5) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let first = rng.below(places.len());
        let last = (first + rng.below(30)).min(places.len() - 1);
        let (start, end) = (places[first], places[last]);
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line = rng.below(lines.len().max(1));
        text = match rng.below(6) {
            0 => [&text[..start], rng.pick(&PIECES), &text[start..]].concat(),
            1 => [&text[..start], rng.pick(&PIECES), &text[end..]].concat(),
            2 => [&text[..start], &text[end..]].concat(),
            3 if !lines.is_empty() => {
                lines.remove(line);
                lines.concat()
            }
            4 if !lines.is_empty() => {
                let from: Vec<&str> = other.split_inclusive('\n').collect();
                lines.insert(line, from[rng.below(from.len())]);
                lines.concat()
            }
            _ => text.replacen(": ", rng.pick(&PIECES), 1 + rng.below(3)),
        };
    }
    text
}

/// Everything that is made of a session.
fn look_at_all(files: &[(String, String)]) {
    const ALL: [Named; 7] =
        [Named::Status, Named::Plan, Named::Comm, Named::Broadcast, Named::Error, Named::Metrics, Named::Lock];
    let mut read = Vec::new();
    for (at, (path, text)) in files.iter().enumerate() {
        let named = Named::of(path.as_bytes()).unwrap_or(ALL[at % ALL.len()]);
        let file = SessionFile::parse(text, named);
        for problem in &file.problems {
            assert!(text.get(problem.span.start()..problem.span.end()).is_some(), "{problem:?} in {text:?}");
            assert!(!problem.message.is_empty() && !problem.help.is_empty(), "{problem:?}");
        }
        if let Some(content) = &file.content {
            let _ = name::mismatch(content, path.as_str().into());
        }
        read.push(file);
    }
    let read: Vec<&SessionFile> = read.iter().collect();
    let summary = Summary::of(&read);
    let plans: Vec<&Plan> = read.iter().filter_map(|file| file.plan()).collect();
    let locks: Vec<&Lock> = read.iter().filter_map(|file| file.lock()).collect();
    assert_eq!(summary.plans.len(), plans.len());
    for plan in &plans {
        let _ = plan.conflicts();
    }
    let _ = (overlaps(&plans, |_, _| true), conflicts(&locks), TaskGraph::new(&plans).cycles());
}

/// `SQUAD_LINT_CASES` says how many mutations are tried.
#[test]
fn no_mutation_of_valid_files_makes_it_panic() {
    let cases = std::env::var("SQUAD_LINT_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases: usize = cases.unwrap_or_else(|| rounds(100_000).max(2_000));
    let (valid, mut rng) = (valid(), Rng(19));
    assert_eq!(valid.len(), 10, "{valid:?}");
    for _ in 0..cases.div_ceil(valid.len()) {
        let mutate = |(path, text): &(String, String)| {
            let other = &valid[rng.below(valid.len())].1;
            (path.clone(), mutated(text, other, &mut rng))
        };
        look_at_all(&valid.iter().map(mutate).collect::<Vec<_>>());
    }
}

#[test]
fn valid_files_are_valid() {
    for (path, text) in valid() {
        let Some(named) = Named::of(path.as_bytes()) else { continue };
        let file = SessionFile::parse(&text, named);
        assert!(file.problems.is_empty() && file.content.is_some(), "{path}: {:?}", file.problems);
    }
}

fn lines(folder: &Path, args: &[&str]) -> String {
    stdout(&squad_lint(folder).args(["--format", "compact", "--now", NOW]).args(args).output().unwrap())
}

#[test]
fn a_lock_that_is_a_folder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let lock = format!("{SESSION}/locks/a.ts-web-1.lock");
    write(folder.path(), format!("{lock}/pid"), "7");
    write(folder.path(), ".squad/other.lock/pid", "7");
    let text = lines(folder.path(), &[]);
    assert!(text.contains(&format!("{lock}: error: ")) && text.contains("found a folder"), "{text}");
    assert!(!text.contains("other.lock"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_to_nowhere_or_out_is_told() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (outside, locks) = (tempfile::tempdir().unwrap(), folder.path().join(SESSION).join("locks"));
    write(outside.path(), "x", "secret");
    fs::create_dir_all(&locks).unwrap();
    symlink("gone", locks.join("a.ts-web-1.lock")).unwrap();
    symlink(outside.path().join("x"), locks.join("b.ts-web-1.lock")).unwrap();
    symlink("gone.md", folder.path().join(SESSION).join("role-plan-web-1.md")).unwrap();
    let text = lines(folder.path(), &[]);
    for expected in [
        "locks/a.ts-web-1.lock: error: found a symbolic link that leads nowhere",
        "locks/b.ts-web-1.lock: error: cannot read file: a symbolic link leads out of the repository",
        "role-plan-web-1.md: error: found a symbolic link that leads nowhere",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn an_expired_lock_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("{SESSION}/locks/a.ts-web-1.lock");
    let lock = "file: a.ts\nlocked_by: web\nlocked_at: 2026-02-28T23:37:00Z\nexpires_at: 2026-02-28T23:39:00Z\n";
    write(folder.path(), &path, lock);
    write(
        folder.path(),
        format!("{SESSION}/locks/b.ts-web-1.lock"),
        lock.replace("a.ts", "b.ts").replace("23:39", "23:59"),
    );
    let run = |args: &[&str]| stdout(&squad_lint(folder.path()).args(["--now", NOW]).args(args).output().unwrap());
    let diff = run(&["--diff"]);
    assert!(diff.contains("deleted file mode") && diff.contains("+++ /dev/null") && !diff.contains("b.ts"), "{diff}");
    assert!(folder.path().join(&path).exists());
    let text = run(&["--fix"]);
    assert!(text.contains("fixed 1 problem in 1 file") && text.contains("no problems"), "{text}");
    let left: Vec<_> = files_below(&folder.path().join(SESSION).join("locks"));
    assert_eq!(left, [Path::new(".squad-lint/guard"), Path::new("b.ts-web-1.lock")]);
    assert!(run(&["--fix"]).contains("nothing to fix"));
}

#[test]
fn a_lock_that_its_agent_renews_meanwhile_stays() {
    // The run fixes nothing, and is as good as one that found nothing.
    let folder = tempfile::tempdir().unwrap();
    let locks = folder.path().join(SESSION).join("locks");
    let lock = "file: a.ts\nlocked_by: web\nlocked_at: 2026-02-28T23:37:00Z\nexpires_at: 2026-02-28T23:39:00Z\n";
    write(&locks, "a.ts-web-1.lock", lock);
    write(&locks, ".squad-lint/guard", "");
    // What `session renew` does: nothing else changes a lock until the guard is free.
    let guard = fs::File::options().write(true).open(locks.join(".squad-lint/guard")).unwrap();
    guard.lock().unwrap();
    let mut command = squad_lint(folder.path());
    let mut child = command.args(["--now", NOW, "--fix"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(locks.join("a.ts-web-1.lock").exists(), "removed without the guard");
    let renewed = lock.replace("23:39", "23:59");
    fs::write(locks.join("a.ts-web-1.lock"), &renewed).unwrap();
    drop(guard);
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert!(said.contains("warning: ") && said.contains("was not changed: another program has changed"), "{said}");
    assert_eq!(fs::read_to_string(locks.join("a.ts-web-1.lock")).unwrap(), renewed);
}

#[cfg(target_os = "linux")]
#[test]
fn names_and_texts_that_are_not_utf8_are_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let locks = folder.path().join(SESSION).join("locks");
    fs::create_dir_all(&locks).unwrap();
    let lock = "file: a.ts\nlocked_by: web\nlocked_at: 2026-02-28T23:59:00Z\nexpires_at: 2026-03-01T00:01:00Z\n";
    fs::write(locks.join(OsStr::from_bytes(b"a.ts-w\xffb-1.lock")), lock).unwrap();
    write(folder.path(), format!("{SESSION}/locks/a.ts-web-2.lock"), b"file: a.ts\nlocked_by: w\xffb\nlocked_at: x\n");
    let text = lines(folder.path(), &[]);
    for rule in ["session/lock-name", "lint/invalid-utf8", "session/invalid-lock"] {
        assert!(text.contains(rule), "{rule}: {text}");
    }
}

#[test]
fn a_session_in_the_old_folder_is_one() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        ".ai-team/sessions/a/role-plan-web-1.md",
        "meta:\n  task_id: 1\n  agent: db\ninstruction: x\n",
    );
    let text = lines(folder.path(), &[]);
    assert!(text.contains("session/name-mismatch") && text.contains("session/missing-field"), "{text}");
}

/// A session of `count` tasks, each with a plan, a progress update and a lock; a part of them depends on another one.
fn large(folder: &Path, count: usize) {
    for at in 0..count {
        let mut plan = format!(
            "meta:\n  task_id: task_{at}\n  agent: agent-{at}\n  created_at: 2026-02-28T23:00:00Z\n  priority: high\n\ninstruction: |\n  \
             Do it.\nboundaries:\n  allowed:\n    - src/part{at}/**\n    - docs/{at}.md\n  forbidden:\n    - .env\nsuccess_criteria:\n  - Done\n"
        );
        if at % 3 > 0 {
            let _ = write!(plan, "dependencies:\n  requires:\n    - task_{}\n", at - 1);
        }
        write(folder, format!("{SESSION}/role-plan-agent-{at}-task_{at}.md"), plan);
        let progress = format!(
            "meta:\n  task_id: task_{at}\n  agent: agent-{at}\n  updated_at: 2026-02-28T23:30:00Z\nstatus: in_progress\nprogress_percentage: 7\n"
        );
        write(folder, format!("{SESSION}/role-comm-agent-{at}-task_{at}.md"), progress);
    }
}

#[test]
fn a_session_of_many_tasks_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    large(folder.path(), 300);
    write(folder.path(), format!("{SESSION}/role-plan-x-task_x.md"), {
        let plan = fs::read_to_string(folder.path().join(SESSION).join("role-plan-agent-7-task_7.md")).unwrap();
        plan.replace("task_7", "task_x")
            .replace("agent-7", "x")
            .replace("src/part7/**", "src/part7/a.ts")
            .replace("docs/7.md", "docs/x.md")
    });
    let text = lines(folder.path(), &[]);
    assert_eq!(text.matches("session/overlapping-boundaries").count(), 1, "{text}");
    assert!(
        text.contains("`task_x` and `task_7` can run at the same time, and both may change `src/part7/a.ts`"),
        "{text}"
    );
}

#[test]
fn globs_that_are_not_compared_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let long = ["*a*b*c*d*e*f*g*h*i*j*k".repeat(100), format!("*a{}", "?".repeat(40)).repeat(90)];
    let plan = |at: usize, forbidden: &str| {
        let allowed = &long[at];
        format!(
            "meta:\n  task_id: task_{at}\n  agent: web{at}\n  created_at: 2026-02-28T23:00:00Z\n  priority: high\n\ninstruction: x\n\
             boundaries:\n  allowed:\n    - \"{allowed}\"\n{forbidden}success_criteria:\n  - Done\n"
        )
    };
    let forbidden = format!("  forbidden:\n    - .env\n    - \"{}\"\n", long[1]);
    write(folder.path(), format!("{SESSION}/role-plan-web0-task_0.md"), plan(0, &forbidden));
    write(folder.path(), format!("{SESSION}/role-plan-web1-task_1.md"), plan(1, ""));
    let text = lines(folder.path(), &[]);
    assert!(text.contains("task_0.md:13:7: warning: the forbidden globs from here on were not compared"), "{text}");
    assert!(text.contains("task_1.md:10:7: warning: the plans from here on were not compared"), "{text}");
}
