//! Runs that are killed, disks that are full, and two runs at once: every file is the old or the new one, whole.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{bad, code, contents, run};
use crate::support::repo::Repo;
use crate::support::sample::Rng;
use crate::support::{NOW, git, rounds, squad_lint, stderr, stdout, write};

/// How many entries the files hold: from some hundred bytes to some hundred thousand.
const SIZES: [usize; 14] = [1, 2500, 3, 40, 400, 1, 1200, 10, 80, 5, 700, 2, 150, 20];

/// Only this rule, whose fix tells the old file from the new.
const ONE_RULE: [&str; 3] = ["--quiet", "--select", "sem/timestamp-format"];

/// A repository with something to fix in every file, and its files before and after that.
fn repository() -> (TempDir, BTreeMap<PathBuf, [Vec<u8>; 2]>) {
    let folder = tempfile::tempdir().unwrap();
    let mut files = BTreeMap::new();
    for (at, entries) in SIZES.into_iter().enumerate() {
        // Two to a folder.
        let path = PathBuf::from(format!(".squad/decisions/archive/{}/{at:02}.md", at / 2));
        let old = bad().repeat(entries);
        let new = old.replace("-08:00", "-0800");
        write(folder.path(), &path, &old);
        files.insert(path, [old.into_bytes(), new.into_bytes()]);
    }
    (folder, files)
}

fn start(folder: &Path) -> Child {
    let mut command = squad_lint(folder);
    command.args(["--now", NOW, "--fix"]).args(ONE_RULE);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The files that are neither the old nor the new one, and how many are new. What is left behind is not counted.
fn judge(folder: &Path, files: &BTreeMap<PathBuf, [Vec<u8>; 2]>) -> (Vec<String>, usize) {
    let (mut wrong, mut new) = (Vec::new(), 0);
    for (path, [before, after]) in files {
        match fs::read(folder.join(path)) {
            Ok(bytes) if bytes == *before => {}
            Ok(bytes) if bytes == *after => new += 1,
            Ok(bytes) => wrong.push(format!("{}: {} bytes", path.display(), bytes.len())),
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    (wrong, new)
}

fn is_leftover(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.starts_with(".squad-lint-") && path.extension().is_some_and(|extension| extension == "tmp")
}

#[test]
fn killed_at_any_moment() {
    let (folder, files) = repository();
    let started = Instant::now();
    assert!(start(folder.path()).wait().unwrap().success());
    let whole_run = started.elapsed();
    let mut rng = Rng(500);
    let (mut partly, mut left, mut killed) = (0, 0, 0);
    let rounds = rounds(200);
    for round in 0..rounds {
        for (path, [old, _]) in &files {
            fs::write(folder.path().join(path), old).unwrap();
        }
        let mut child = start(folder.path());
        // Every moment of a run, those after its end included.
        let delay = whole_run.as_micros() as usize * rng.below(1100) / 1000;
        std::thread::sleep(Duration::from_micros(delay as u64));
        // SIGKILL on Unix.
        let _ = child.kill();
        killed += usize::from(!child.wait().unwrap().success());
        let (wrong, new) = judge(folder.path(), &files);
        assert!(wrong.is_empty(), "round {round}: {wrong:?}");
        partly += usize::from(0 < new && new < files.len());
        let others: Vec<_> = contents(folder.path()).into_keys().filter(|path| !files.contains_key(path)).collect();
        assert!(others.iter().all(|path| is_leftover(path)), "round {round}: {others:?}");
        left += others.len();
        if !others.is_empty() {
            // What was left is no state file, and the next run that writes there removes it.
            let output = run(folder.path(), &["--format", "json", "--select", "lint"]);
            let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(json["summary"]["files"], files.len(), "round {round}");
            // It writes into every folder: a run can die when the new file is in its place, before the old one is gone.
            for (path, [old, _]) in &files {
                fs::write(folder.path().join(path), old).unwrap();
            }
            let output = run(folder.path(), &[&["--fix"], &ONE_RULE[..]].concat());
            assert_eq!(code(&output), 0, "round {round}: {}", stderr(&output));
            assert_eq!(judge(folder.path(), &files), (Vec::new(), files.len()), "round {round}");
            let still = contents(folder.path()).into_keys().filter(|path| !files.contains_key(path));
            // One that holds nothing yet looks like one that another run has just made.
            for path in still {
                assert_eq!(
                    fs::metadata(folder.path().join(&path)).unwrap().len(),
                    0,
                    "round {round}: {}",
                    path.display()
                );
                fs::remove_file(folder.path().join(path)).unwrap();
            }
        }
    }
    eprintln!("{killed} runs died, {partly} of them with a part of the files written; {left} files were left behind");
    assert!(killed > rounds / 5, "only {killed} of {rounds} runs were killed before they ended");
}

/// `args` on a repository that `stage` has staged, killed again and again: after each, `judge` is handed the bytes of the index,
/// and the files are whole. Says how many runs died.
fn kill_in_git(args: &[&str], files: &BTreeMap<PathBuf, [Vec<u8>; 2]>, judge_index: impl Fn(&Repo, usize)) -> usize {
    let repo = Repo::new();
    repo.commit("first");
    for (path, [old, _]) in files {
        repo.stage(path.to_str().unwrap(), old);
    }
    let index = fs::read(repo.git_path("index")).unwrap();
    let start = || {
        let mut command = squad_lint(&repo.path);
        command.args(["--now", NOW]).args(args).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let started = Instant::now();
    assert!(start().wait().unwrap().code().is_some_and(|code| code < 2));
    let whole_run = started.elapsed();
    let (mut rng, mut killed) = (Rng(100), 0);
    for round in 0..rounds(100) {
        for (path, [old, _]) in files {
            fs::write(repo.path.join(path), old).unwrap();
        }
        fs::write(repo.git_path("index"), &index).unwrap();
        let mut child = start();
        std::thread::sleep(Duration::from_micros((whole_run.as_micros() as usize * rng.below(1100) / 1000) as u64));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
        let (wrong, _) = judge(&repo.path, files);
        assert!(wrong.is_empty(), "round {round}: {wrong:?}");
        // Git reads it, lock or no lock, and every object that it names is there.
        repo.git(&["--no-optional-locks", "status", "--porcelain"]);
        repo.git(&["ls-files", "--stage"]);
        if round % 10 == 0 {
            assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "", "round {round}");
        }
        judge_index(&repo, round);
        // As git says to do when one of its own was killed.
        let _ = fs::remove_file(repo.git_path("index.lock"));
    }
    killed
}

/// The bytes that are staged of these files, by one run of git.
fn staged<'a>(repo: &Repo, paths: impl Iterator<Item = &'a PathBuf>) -> Vec<Vec<u8>> {
    let asked: Vec<String> = paths.map(|path| format!(":{}\n", path.display())).collect();
    let mut git = git(&repo.path);
    git.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = git.spawn().unwrap();
    // Dropped here: git ends where its input does.
    child.stdin.take().unwrap().write_all(asked.concat().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let mut rest = &output.stdout[..];
    let mut next = || {
        // `ID blob SIZE`, the bytes, an end of line.
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let head = std::str::from_utf8(&rest[..end]).unwrap();
        let size: usize = head.rsplit_once(" blob ").unwrap_or_else(|| panic!("{head}")).1.parse().unwrap();
        let bytes = rest[end + 1..][..size].to_vec();
        rest = &rest[end + 1 + size + 1..];
        bytes
    };
    asked.iter().map(|_| next()).collect()
}

#[test]
fn killed_while_what_is_staged_is_fixed() {
    let (_folder, files) = repository();
    let killed =
        kill_in_git(&["--staged", "--fix", "--quiet", "--select", "sem/timestamp-format"], &files, |repo, round| {
            for ((path, [old, new]), staged) in files.iter().zip(staged(repo, files.keys())) {
                let (path, on_disk) = (path.display(), fs::read(repo.path.join(path)).unwrap());
                assert!(staged == *old || staged == *new, "round {round}: {path}");
                // Never ahead of the file: a commit holds nothing that no file does.
                assert!(staged == *old || on_disk == *new, "round {round}: {path}");
            }
        });
    eprintln!("{killed} runs died");
    assert!(killed > rounds(100) / 5, "only {killed} runs were killed before they ended");
}

#[test]
fn killed_while_state_is_untracked() {
    let (_folder, files) = repository();
    let count = files.len();
    let args = ["--fix", "--unsafe-fixes", "--quiet", "--select", "guard/runtime-tracked,guard/tracked-state"];
    let killed = kill_in_git(&args, &files, |repo, round| {
        let left = repo.git(&["ls-files"]).lines().count();
        assert!(left == 0 || left == count, "round {round}: {left} of {count} files");
    });
    eprintln!("{killed} runs died");
    assert!(killed > rounds(100) / 5, "only {killed} runs were killed before they ended");
}

#[test]
fn killed_while_legacy_entries_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let entry =
        |at: usize| format!("### 2026-02-12: Title {at}\n**By:** Keaton\n**What:** This is what was decided.\n\n");
    let mut files = BTreeMap::new();
    for (at, entries) in [1, 400, 3, 90].into_iter().enumerate() {
        let old: String = (0..entries).map(entry).collect();
        files.insert(PathBuf::from(format!("{at}/.squad/decisions.md")), [old.into_bytes(), Vec::new()]);
    }
    let write_old = |files: &BTreeMap<PathBuf, [Vec<u8>; 2]>| {
        for (path, [old, _]) in files {
            write(folder.path(), path, old);
        }
    };
    let start = || {
        let mut command = squad_lint(folder.path());
        command.args(["convert", "--root", "."]).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    write_old(&files);
    let started = Instant::now();
    start().wait().unwrap();
    let whole_run = started.elapsed();
    for (path, [old, new]) in &mut files {
        *new = fs::read(folder.path().join(path)).unwrap();
        assert!(old != new, "{}", path.display());
    }
    let (mut rng, mut killed) = (Rng(7), 0);
    for round in 0..rounds(100) {
        for path in contents(folder.path()).into_keys() {
            fs::remove_file(folder.path().join(path)).unwrap();
        }
        write_old(&files);
        let mut child = start();
        std::thread::sleep(Duration::from_micros((whole_run.as_micros() as usize * rng.below(1100) / 1000) as u64));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
        let (wrong, _) = judge(folder.path(), &files);
        assert!(wrong.is_empty(), "round {round}: {wrong:?}");
        // What was changed has its copy beside it.
        for (path, [old, new]) in &files {
            let backup = folder.path().join(format!("{}.backup", path.display()));
            let changed = fs::read(folder.path().join(path)).unwrap() == *new;
            assert!(!changed || fs::read(&backup).unwrap() == *old, "round {round}: {}", path.display());
        }
    }
    eprintln!("{killed} runs died");
    assert!(killed > rounds(100) / 5, "only {killed} runs were killed before they ended");
}

/// Two inbox files that hold more than one entry, one of them with something to repair first, and a file in the way.
fn inbox(folder: &Path) {
    let entry = |number: usize| bad().replace("14:32:15", &format!("14:32:{number:02}")) + "\n";
    let many: String = (10..16).map(entry).collect();
    let legacy = |number| format!("### 2026-02-20: Title {number}\n**By:** Mike\n**What:** What {number} says.\n\n");
    write(folder, ".squad/decisions/inbox/a.md", format!("# From a\n\n{many}"));
    write(folder, ".squad/decisions/inbox/b.md", (1..5).map(legacy).collect::<String>());
    write(folder, ".squad/decisions/inbox/b-3.md", legacy(9));
}

const SPLIT: [&str; 4] = ["--fix", "--unsafe-fixes", "--select", "sem,inbox"];

#[test]
fn an_inbox_that_was_split_in_part_is_split_once() {
    let whole = tempfile::tempdir().unwrap();
    inbox(whole.path());
    let output = run(whole.path(), &SPLIT);
    assert!(stdout(&output).starts_with("fixed "), "{}{}", stdout(&output), stderr(&output));
    let after = contents(whole.path());
    assert_eq!(after.len(), 11, "{:?}", after.keys());
    let start = tempfile::tempdir().unwrap();
    inbox(start.path());
    let before = contents(start.path());
    let new: Vec<&PathBuf> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    // Any of the new files may be there when a run dies.
    for there in 0_u32..1 << new.len() {
        let folder = tempfile::tempdir().unwrap();
        inbox(folder.path());
        for (_, path) in new.iter().enumerate().filter(|(bit, _)| there & (1 << bit) != 0) {
            write(folder.path(), path, &after[*path]);
        }
        let output = run(folder.path(), &SPLIT);
        assert!(code(&output) < 2, "{there:b}: {}", stderr(&output));
        assert!(contents(folder.path()) == after, "{there:b}: {:?}", contents(folder.path()).keys());
    }
}

#[test]
fn killed_while_an_inbox_is_split() {
    let whole = tempfile::tempdir().unwrap();
    inbox(whole.path());
    let started = Instant::now();
    run(whole.path(), &SPLIT);
    let whole_run = started.elapsed();
    let after = contents(whole.path());
    let (mut rng, mut killed) = (Rng(11), 0);
    for round in 0..60 {
        let folder = tempfile::tempdir().unwrap();
        inbox(folder.path());
        let mut command = squad_lint(folder.path());
        command.args(["--now", NOW]).args(SPLIT).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_micros((whole_run.as_micros() as usize * rng.below(1100) / 1000) as u64));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
        assert!(code(&run(folder.path(), &SPLIT)) < 2, "round {round}");
        // What was left behind is removed by a run that writes there.
        let mut left = contents(folder.path());
        left.retain(|path, _| !is_leftover(path));
        assert!(left == after, "round {round}: {:?}", left.keys());
    }
    eprintln!("{killed} runs died");
    assert!(killed > 10, "only {killed} of 60 runs were killed before they ended");
}

#[test]
fn what_is_in_the_archive_already_is_not_archived_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = super::moves::too_large(folder.path());
    run(folder.path(), &super::moves::ARCHIVE);
    let after = contents(folder.path());
    assert_eq!(after.len(), 3);
    // The archive is written first.
    write(folder.path(), ".squad/decisions.md", text);
    run(folder.path(), &super::moves::ARCHIVE);
    assert!(contents(folder.path()) == after);
}

#[test]
fn what_another_run_is_writing_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", bad());
    let (left, in_use) = (".squad/.squad-lint-aaaaaa.tmp", ".squad/.squad-lint-bbbbbb.tmp");
    let not_ours = ".squad/.squad-lint-notes.md";
    for path in [left, in_use, not_ours] {
        write(folder.path(), path, "x");
    }
    let file = fs::File::open(folder.path().join(in_use)).unwrap();
    file.lock().unwrap();
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let names: Vec<_> = contents(folder.path()).into_keys().collect();
    let expected = if cfg!(unix) { vec![in_use, not_ours] } else { vec![left, in_use, not_ours] };
    assert_eq!(names, [&expected[..], &[".squad/decisions.md"]].concat().iter().map(PathBuf::from).collect::<Vec<_>>());
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs unshare, and the right to mount"]
fn a_full_disk_leaves_everything_as_it_was() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "disk/x", "");
    write(outside.path(), "small.md", bad());
    write(outside.path(), "large.md", bad().repeat(300));
    // A disk of 128 KB of its own, with a few KB left: enough for the small file, not for a second large one.
    let script = r#"
        mount -t tmpfs -o size=128k tmpfs disk || exit 77
        mkdir -p disk/.squad disk/.ai-team
        cp large.md disk/.squad/decisions.md
        cp small.md disk/.ai-team/decisions.md
        head -c 1000000 /dev/zero > disk/filler 2>/dev/null
        head -c $(( $(stat -c %s disk/filler) - 12288 )) /dev/zero > disk/filler
        "$@" --root disk --fix --select sem/timestamp-format > out 2> err
        echo $? > code
        find disk -type f | sort > names
        cp disk/.squad/decisions.md large.after
        cp disk/.ai-team/decisions.md small.after
    "#;
    let program = squad_lint(outside.path()).get_program().to_owned();
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh"]).arg(program).current_dir(outside.path()).env("NO_COLOR", "1");
    let output = command.output().expect("unshare runs");
    assert!(output.status.success(), "nothing can be mounted here: {}", stderr(&output));
    let read = |name: &str| fs::read_to_string(outside.path().join(name)).unwrap();
    assert_eq!(read("code"), "2\n", "{}{}", read("out"), read("err"));
    let errors = read("err");
    assert!(errors.contains(".squad/decisions.md cannot be fixed") && errors.contains("No space left"), "{errors}");
    assert!(read("out").contains("fixed 1 problem in 1 file\nfound 300 errors"), "{}", read("out"));
    assert_eq!(read("large.after"), read("large.md"));
    assert_eq!(read("small.after"), read("small.md").replace("-08:00", "-0800"));
    assert_eq!(read("names"), "disk/.ai-team/decisions.md\ndisk/.squad/decisions.md\ndisk/filler\n");
}

#[test]
fn two_runs_at_once_both_end_and_leave_whole_files() {
    let (folder, files) = repository();
    for round in 0..rounds(60) {
        for (path, [old, _]) in &files {
            fs::write(folder.path().join(path), old).unwrap();
        }
        let mut children: Vec<Child> = (0..2 + round % 2).map(|_| start(folder.path())).collect();
        let codes: Vec<i32> = children.iter_mut().map(|child| child.wait().unwrap().code().unwrap()).collect();
        // Whatever one run could not write, because another one had, is written: nobody is killed here.
        assert_eq!(judge(folder.path(), &files), (Vec::new(), files.len()), "round {round}: {codes:?}");
        assert_eq!(contents(folder.path()).len(), files.len(), "round {round}: something is left behind");
        // What one run finds as it would have written it is done: no file is left for anybody to fix.
        assert!(codes.iter().all(|&code| code == 0), "round {round}: {codes:?}");
    }
    let output = run(folder.path(), &["--fix", "--select", "sem/timestamp-format"]);
    assert!(stdout(&output).starts_with("nothing to fix\n"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn a_file_that_another_program_has_locked_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/decisions.md", bad());
    let file = fs::File::open(folder.path().join(".squad/decisions.md")).unwrap();
    file.lock().unwrap();
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("is locked by another program"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap(), bad());
}
