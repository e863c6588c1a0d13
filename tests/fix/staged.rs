//! `--staged --fix`: what is staged and its copy in the working tree change together, or neither does; git agrees.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{GOOD, bad, code, run};
use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout};

const FILE: &str = ".squad/decisions.md";
const FIX: [&str; 4] = ["--staged", "--fix", "--ignore", "guard"];

/// A commit with a file of state, which is not damaged, and one beside it.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(FILE, "# Decisions\n");
    repo.write("other.md", "x\n");
    repo.commit("first");
    repo
}

fn fix(repo: &Repo) -> Output {
    run(&repo.path, &FIX)
}

/// Index and work tree hold `text`, git has nothing to say about it, and nothing is left behind.
#[track_caller]
fn holds(repo: &Repo, path: &str, text: &str) {
    assert_eq!(repo.git(&["show", &format!(":{path}")]), text);
    assert_eq!(fs::read_to_string(repo.path.join(path)).unwrap(), text);
    // Without reading the content: the times have to tell it.
    let status = repo.git(&["--no-optional-locks", "diff-files", "--name-status"]);
    assert_eq!(status, "");
    whole(repo);
}

#[track_caller]
fn whole(repo: &Repo) {
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    assert!(!repo.git_path("index.lock").exists());
    let left = super::contents(&repo.path).into_keys().filter(|path| path.to_str().unwrap().contains(".squad-lint-"));
    assert_eq!(left.count(), 0);
}

/// `fix` leaves index and work tree as they are, exits with 2, and says all of `words`.
#[track_caller]
fn leaves(repo: &Repo, words: &[&str]) -> String {
    leaves_in(repo, &repo.path, words)
}

#[track_caller]
fn leaves_in(repo: &Repo, folder: &Path, words: &[&str]) -> String {
    let before = (super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap());
    let output = squad_lint(folder).args(["--now", NOW]).args(FIX).env("COLUMNS", "400").output().unwrap();
    let text = stderr(&output);
    assert_eq!(code(&output), 2, "{}{text}", stdout(&output));
    for word in words {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
    assert!((super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap()) == before, "{text}");
    text
}

#[test]
fn equal_copies_are_fixed_together() {
    let repo = repo();
    repo.stage(FILE, bad());
    repo.stage("a/.ai-team/decisions.md", bad().replace('\n', "\r\n"));
    let output = fix(&repo);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "fixed 2 problems in 2 files\nno problems found in 2 files\n");
    assert_eq!(stderr(&output), "");
    holds(&repo, FILE, GOOD);
    holds(&repo, "a/.ai-team/decisions.md", &GOOD.replace('\n', "\r\n"));
    // A second time there is nothing to do, and the index is not written.
    let index = fs::read(repo.git_path("index")).unwrap();
    let output = fix(&repo);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert_eq!(fs::read(repo.git_path("index")).unwrap(), index);
    repo.git(&["commit", "--quiet", "--message", "second"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["show", &format!("HEAD:{FILE}")]), GOOD);
}

#[test]
fn every_kind_of_index_and_repository() {
    let kinds: [&[&str]; 5] =
        [&[], &["index.version=4"], &["core.untrackedCache=true"], &["index.skipHash=true"], &["core.splitIndex=true"]];
    for settings in kinds {
        let repo = repo();
        for setting in settings {
            let (key, value) = setting.split_once('=').unwrap();
            repo.git(&["config", key, value]);
        }
        repo.stage(FILE, bad());
        repo.git(&["write-tree"]);
        assert_eq!(code(&fix(&repo)), 0, "{settings:?}");
        holds(&repo, FILE, GOOD);
    }
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.stage(FILE, bad());
    assert_eq!(code(&fix(&repo)), 0);
    holds(&repo, FILE, GOOD);
}

/// The version of the index, and which of these extensions it has.
fn kind(repo: &Repo) -> (u8, Vec<&'static str>) {
    let bytes = fs::read(repo.git_path("index")).unwrap();
    let known = ["link", "UNTR", "REUC"];
    let has = |name: &&&str| bytes.windows(4).any(|four| four == name.as_bytes());
    (bytes[7], known.iter().filter(has).copied().collect())
}

/// A repository with an index of each kind that only git writes, and what it is.
fn of_git_alone() -> Vec<(Repo, u8, &'static [&'static str])> {
    let kinds: [(&[&str], u8, &[&str]); 5] = [
        (&["index.version=4"], 4, &[]),
        (&["core.splitIndex=true"], 2, &["link"]),
        (&["core.splitIndex=true", "index.version=4"], 4, &["link"]),
        (&["core.untrackedCache=true"], 2, &["UNTR"]),
        (&["feature.manyFiles=true"], 4, &["UNTR"]),
    ];
    let made = kinds.into_iter().map(|(settings, version, extensions)| {
        let repo = repo();
        for number in 0..30 {
            repo.write(format!("many/{number}.md"), format!("{number}\n"));
        }
        repo.commit("many");
        for setting in settings {
            let (key, value) = setting.split_once('=').unwrap();
            repo.git(&["config", key, value]);
        }
        repo.git(&["update-index", "--index-version", &version.to_string()]);
        if extensions.contains(&"link") {
            repo.git(&["update-index", "--split-index"]);
        }
        repo.stage(FILE, bad());
        repo.git(&["status"]);
        assert_eq!(kind(&repo), (version, extensions.to_vec()), "{settings:?}");
        (repo, version, extensions)
    });
    made.collect()
}

#[test]
fn version_and_extensions_stay() {
    for (repo, version, extensions) in of_git_alone() {
        repo.git(&["update-index", "--assume-unchanged", "other.md"]);
        repo.git(&["update-index", "--skip-worktree", "many/1.md"]);
        let others = repo.git(&["ls-files", "-v", "--stage"]).lines().filter(|line| !line.contains(FILE)).count();
        // Version 2 has no room for the last of these flags.
        let before = kind(&repo);
        assert!(before.0 >= version);
        // A hook of git's own is not run: it may look at the index.
        write_hook(&repo, "post-index-change", "touch ran");
        let output = fix(&repo);
        assert_eq!(code(&output), 0, "{version} {extensions:?}: {}", stderr(&output));
        assert_eq!(kind(&repo), before);
        assert!(!repo.path.join("ran").exists());
        fs::remove_file(repo.git_path("hooks/post-index-change")).unwrap();
        holds(&repo, FILE, GOOD);
        let flags = repo.git(&["ls-files", "-v"]);
        assert!(flags.contains("h other.md\n") && flags.contains("S many/1.md\n"), "{flags}");
        assert_eq!(flags.lines().count(), others + 1);
        let left = fs::read_dir(repo.path.join(".git")).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.filter(|name| name.to_str().unwrap().contains("squad-lint-index")).count(), 0);
        repo.git(&["commit", "--quiet", "--message", "second"]);
        assert_eq!(repo.git(&["show", &format!("HEAD:{FILE}")]), GOOD);
    }
}

#[cfg(unix)]
fn write_hook(repo: &Repo, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = repo.git_path("hooks").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn write_hook(repo: &Repo, name: &str, script: &str) {
    fs::write(repo.git_path("hooks").join(name), script).unwrap();
}

#[test]
fn without_git_an_index_that_only_git_writes_is_left() {
    for (repo, ..) in of_git_alone() {
        let before = (super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap());
        let mut command = squad_lint(&repo.path);
        command.args(["--now", NOW]).args(FIX).env("PATH", "").env("COLUMNS", "400");
        let output = command.output().unwrap();
        let text = stderr(&output);
        assert_eq!(code(&output), 2, "{text}");
        assert!(text.contains("1 file was not fixed") && text.contains("only git can write this index"), "{text}");
        assert!((super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap()) == before, "{text}");
        whole(&repo);
    }
}

#[test]
fn resolved_conflicts_are_remembered() {
    let repo = repo();
    repo.git(&["branch", "theirs"]);
    for (branch, text) in [("theirs", "a\n"), ("main", "b\n")] {
        repo.git(&["checkout", "--quiet", branch]);
        repo.write("other.md", text);
        repo.commit(branch);
    }
    assert!(!repo.try_git(&["merge", "--quiet", "theirs"]).status.success());
    repo.stage("other.md", "both\n");
    repo.stage(FILE, bad());
    assert_eq!(kind(&repo), (2, vec!["REUC"]));
    assert_eq!(code(&fix(&repo)), 0);
    assert_eq!(kind(&repo), (2, vec!["REUC"]));
    holds(&repo, FILE, GOOD);
    // Which lets git bring the conflict back.
    repo.git(&["checkout", "--merge", "other.md"]);
    assert!(fs::read_to_string(repo.path.join("other.md")).unwrap().contains("<<<<<<<"));
}

#[test]
fn what_differs_is_left_and_the_others_are_fixed() {
    let repo = repo();
    repo.stage("a/.squad/decisions.md", bad());
    repo.stage(FILE, bad());
    repo.write(FILE, bad() + "\nNot staged yet.\n");
    let output = fix(&repo);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).starts_with("error[sem/timestamp-format]"), "{}", stdout(&output));
    assert!(
        stdout(&output).contains(
            "fixed 1 problem in 1 file\nfound 1 error in 2 files, 1 fixable with --staged --fix --ignore guard\n"
        ),
        "{}",
        stdout(&output)
    );
    let expected = "its working copy differs from the staged version";
    assert!(stderr(&output).contains(&format!("{FILE} cannot be fixed")), "{}", stderr(&output));
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    holds_both(&repo, FILE, &bad(), &(bad() + "\nNot staged yet.\n"));
    holds_both(&repo, "a/.squad/decisions.md", GOOD, GOOD);
    // What the message says to do, does it.
    leaves(&repo, &["`git add -- .squad/decisions.md`", "`git stash push --keep-index`"]);
    repo.git(&["stash", "push", "--quiet", "--keep-index"]);
    assert_eq!(code(&fix(&repo)), 0);
    holds(&repo, FILE, GOOD);
}

#[track_caller]
fn holds_both(repo: &Repo, path: &str, staged: &str, on_disk: &str) {
    assert_eq!(repo.git(&["show", &format!(":{path}")]), staged);
    assert_eq!(fs::read_to_string(repo.path.join(path)).unwrap(), on_disk);
    whole(repo);
}

#[test]
fn what_is_not_staged_does_not_matter() {
    let repo = repo();
    // Only announced: nothing of it would be committed.
    repo.write(FILE, bad());
    repo.write("new/.squad/decisions.md", bad());
    repo.git(&["add", "--intent-to-add", "new"]);
    let before = (super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap());
    let output = fix(&repo);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert!(before == (super::contents(&repo.path), fs::read(repo.git_path("index")).unwrap()));
}

#[test]
fn an_encoding_of_the_work_tree_that_git_would_write_otherwise() {
    let repo = repo();
    repo.write(".gitattributes", "*.md working-tree-encoding=UTF-16\n");
    repo.git(&["rm", "--quiet", "--cached", FILE]);
    // Low bytes first, where git writes high bytes first.
    let units = String::from_utf8(bad().as_bytes().to_vec()).unwrap();
    let units: Vec<u8> = std::iter::once(0xfeff).chain(units.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    repo.stage(FILE, &units);
    repo.git(&["add", ".gitattributes"]);
    leaves(&repo, &["the attribute `working-tree-encoding=UTF-16`", "save the file as UTF-8"]);
    assert_eq!(fs::read(repo.path.join(FILE)).unwrap(), units);
}

#[test]
fn what_is_gone_from_the_work_tree() {
    let repo = repo();
    repo.stage(FILE, bad());
    fs::remove_file(repo.path.join(FILE)).unwrap();
    leaves(
        &repo,
        &["it is staged, but not in the working tree", "`git restore -- .squad/decisions.md` brings it back"],
    );
    fs::remove_dir(repo.path.join(".squad")).unwrap();
    leaves(&repo, &["it is staged, but not in the working tree"]);
    repo.git(&["restore", "--", FILE]);
    assert_eq!(code(&fix(&repo)), 0);
    holds(&repo, FILE, GOOD);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let repo = repo();
    // A link in the index is no file of state.
    repo.write("real.md", bad());
    fs::remove_file(repo.path.join(FILE)).unwrap();
    symlink("../real.md", repo.path.join(FILE)).unwrap();
    repo.git(&["add", "--all"]);
    let output = fix(&repo);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert_eq!(fs::read_to_string(repo.path.join("real.md")).unwrap(), bad());
    // A file there, and a link on disk.
    fs::remove_file(repo.path.join(FILE)).unwrap();
    repo.stage(FILE, bad());
    fs::remove_file(repo.path.join(FILE)).unwrap();
    symlink("../real.md", repo.path.join(FILE)).unwrap();
    leaves(&repo, &["it is not a regular file in the working tree"]);
    // And the folder a link.
    fs::remove_dir_all(repo.path.join(".squad")).unwrap();
    fs::create_dir(repo.path.join("elsewhere")).unwrap();
    repo.write("elsewhere/decisions.md", bad());
    symlink("elsewhere", repo.path.join(".squad")).unwrap();
    leaves(&repo, &[".squad/decisions.md cannot be fixed", "is reached through a symbolic link"]);
}

#[cfg(unix)]
#[test]
fn modes_stay() {
    use std::os::unix::fs::PermissionsExt;
    let repo = repo();
    let set = |mode: u32| fs::set_permissions(repo.path.join(FILE), fs::Permissions::from_mode(mode)).unwrap();
    let mode = || fs::metadata(repo.path.join(FILE)).unwrap().permissions().mode() & 0o777;
    let staged = || repo.git(&["ls-files", "--stage", "--", FILE])[..6].to_owned();
    repo.write(FILE, bad());
    set(0o755);
    repo.git(&["add", FILE]);
    assert_eq!(code(&fix(&repo)), 0);
    holds(&repo, FILE, GOOD);
    assert_eq!((mode(), staged().as_str()), (0o755, "100755"));
    // A mode that is not staged is not staged now.
    repo.stage(FILE, bad());
    set(0o644);
    assert_eq!(code(&fix(&repo)), 0);
    holds_both(&repo, FILE, GOOD, GOOD);
    assert_eq!((mode(), staged().as_str()), (0o644, "100755"));
    assert_eq!(repo.git(&["diff", "--summary"]).trim(), format!("mode change 100755 => 100644 {FILE}"));
}

#[test]
fn line_ends_are_converted_as_git_does() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    for (setting, attribute) in
        [("core.autocrlf=true", ""), ("x.y=z", "* text eol=crlf\n"), ("core.eol=crlf", "* text=auto\n")]
    {
        let repo = repo();
        let (key, value) = setting.split_once('=').unwrap();
        repo.git(&["config", key, value]);
        repo.write(".gitattributes", attribute);
        repo.write(FILE, crlf(&bad()));
        repo.git(&["add", "--all"]);
        let output = fix(&repo);
        assert_eq!(code(&output), 0, "{setting} {attribute}: {}", stderr(&output));
        holds_both(&repo, FILE, GOOD, &crlf(GOOD));
        assert_eq!(repo.git(&["diff-files", "--name-status"]), "");
        assert_eq!(repo.git(&["status", "--porcelain", "--", FILE]), format!("M  {FILE}\n"));
        // Written by a program that does not know of it.
        repo.write(FILE, bad());
        repo.git(&["add", "--all"]);
        assert_eq!(code(&fix(&repo)), 0);
        holds_both(&repo, FILE, GOOD, GOOD);
        assert_eq!(repo.git(&["diff-files", "--name-status"]), "");
        // Of both kinds: git would not bring it back.
        repo.write(FILE, bad().replacen('\n', "\r\n", 3));
        repo.git(&["add", "--all"]);
        leaves(&repo, &["line endings or encoding differ", "`squad-lint --fix -- .squad/decisions.md`"]);
        run(&repo.path, &["--fix", "--", FILE]);
        repo.git(&["add", "--", FILE]);
        assert_eq!((code(&fix(&repo)), repo.git(&["show", &format!(":{FILE}")])), (0, GOOD.to_owned()));
    }
}

#[test]
fn what_a_filter_makes_is_left() {
    let repo = repo();
    repo.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    repo.stage(".gitattributes", "*.md filter=shout\n");
    repo.stage(FILE, bad());
    let staged = repo.git(&["show", &format!(":{FILE}")]);
    assert!(staged.contains("VERBAL"));
    repo.git(&["config", "filter.shout.clean", "cat"]);
    repo.stage(FILE, bad());
    leaves(&repo, &["the attribute `filter=shout`", "then `git add -- .squad/decisions.md`"]);
}

#[test]
fn in_a_folder_below_and_in_a_linked_worktree() {
    let repo = repo();
    repo.stage("a b/.squad/decisions.md", bad());
    repo.write("a b/.squad/decisions.md", "other\n");
    leaves_in(&repo, &repo.path.join(".squad"), &["`git add -- '../a b/.squad/decisions.md'`"]);
    repo.stage("a b/.squad/decisions.md", bad());
    assert_eq!(code(&run(&repo.path.join(".squad"), &FIX)), 0);
    holds(&repo, "a b/.squad/decisions.md", GOOD);
    repo.commit("second");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("linked");
    repo.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    let linked = Repo::at(&path);
    linked.stage(FILE, bad());
    let index = fs::read(repo.git_path("index")).unwrap();
    assert_eq!(code(&fix(&linked)), 0);
    holds(&linked, FILE, GOOD);
    assert_eq!(fs::read(repo.git_path("index")).unwrap(), index);
}

#[test]
fn an_index_that_cannot_be_changed() {
    let repo = repo();
    repo.stage(FILE, bad());
    fs::write(repo.git_path("index.lock"), "").unwrap();
    leaves(&repo, &["1 file was not fixed", "cannot lock the index", "`index.lock`"]);
    fs::remove_file(repo.git_path("index.lock")).unwrap();
    repo.stage("x/y.md", "x");
    repo.git(&["commit", "--quiet", "--message", "x"]);
    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", ".squad"]);
    repo.stage(FILE, bad().repeat(2));
    leaves(&repo, &["1 file was not fixed", "the index is sparse", "`git sparse-checkout disable`"]);
    repo.git(&["sparse-checkout", "disable"]);
    assert_eq!(code(&fix(&repo)), 0);
}

#[test]
fn what_git_could_not_tell_from_a_change_it_still_tells() {
    let repo = repo();
    repo.git(&["config", "core.trustctime", "false"]);
    repo.stage(FILE, bad());
    repo.stage("other.md", "one\n");
    // Of the same length, in the second in which the index was written; only the content tells it.
    let set = |path: &str, nanos: u32| {
        let file = fs::File::options().write(true).open(repo.path.join(path)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::new(1_700_000_000, nanos)).unwrap();
    };
    set("other.md", 100);
    repo.git(&["update-index", "--refresh", "other.md"]);
    repo.write("other.md", "two\n");
    set("other.md", 300);
    let file = fs::File::options().write(true).open(repo.git_path("index")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::new(1_700_000_000, 200)).unwrap();
    drop(file);
    assert!(repo.git(&["--no-optional-locks", "status", "--porcelain"]).contains("MM other.md"));
    assert_eq!(code(&fix(&repo)), 0);
    assert!(repo.git(&["--no-optional-locks", "status", "--porcelain"]).contains("MM other.md"));
}

/// Fixes as a real hook does before every commit.
fn install(repo: &Repo) {
    let hook = repo.git_path("hooks").join("pre-commit");
    let program = env!("CARGO_BIN_EXE_squad-lint");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\n'{program}' --staged --fix --ignore guard --now 2026-03-01 2>&1\n")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn in_a_hook_the_commit_has_what_was_fixed() {
    let repo = repo();
    install(&repo);
    let committed = |args: &[&str]| {
        let output = repo.try_git(&[&["commit", "--quiet", "--message", "x"], args].concat());
        assert!(output.status.success(), "{args:?}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{args:?}");
        assert_eq!(repo.git(&["show", &format!("HEAD:{FILE}")]), fs::read_to_string(repo.path.join(FILE)).unwrap());
        whole(&repo);
    };
    repo.stage(FILE, bad());
    committed(&[]);
    repo.write(FILE, GOOD.to_owned() + &bad().replace("x\n", "y\n"));
    committed(&["--all"]);
    repo.stage(FILE, GOOD.to_owned() + &bad().replace("x\n", "z\n"));
    committed(&["--amend"]);
    repo.write(FILE, GOOD.to_owned() + &bad().replace("x\n", "w\n"));
    committed(&["--include", FILE]);
    assert!(!fs::read_to_string(repo.path.join(FILE)).unwrap().contains("-08:00"));
}

#[test]
fn a_commit_of_a_path_is_refused_where_it_would_leave_the_index_behind() {
    let repo = repo();
    install(&repo);
    let before = repo.git(&["rev-parse", "HEAD"]);
    repo.write(FILE, bad());
    let output = repo.try_git(&["commit", "--quiet", "--message", "x", "--", FILE]);
    assert!(!output.status.success());
    let text = stdout(&output) + &stderr(&output);
    assert!(text.contains("1 file was not fixed") && text.contains("`git commit PATH`"), "{text}");
    assert!(text.contains("commit without a path"), "{text}");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), before);
    assert_eq!(repo.git(&["status", "--porcelain"]), format!(" M {FILE}\n"));
    assert_eq!(fs::read_to_string(repo.path.join(FILE)).unwrap(), bad());
    whole(&repo);
    // Where there is nothing to fix, it goes on.
    repo.write(FILE, GOOD);
    repo.git(&["commit", "--quiet", "--message", "x", "--", FILE]);
}

#[test]
fn unsafe_fixes_untrack_and_write_ignore_files() {
    let repo = repo();
    repo.stage(".ai-team/log/a.md", "x\n");
    repo.stage(".ai-team/decisions.md", bad());
    let output = run(&repo.path, &["--staged", "--fix", "--unsafe-fixes"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert!(
        stdout(&output).starts_with("removed 2 files from the index and kept them on disk\n"),
        "{}",
        stdout(&output)
    );
    assert_eq!(repo.git(&["status", "--porcelain"]), "?? .ai-team/\n");
    assert_eq!(fs::read_to_string(repo.path.join(".ai-team/decisions.md")).unwrap(), bad());
    whole(&repo);
}

#[test]
fn a_new_ignore_file_is_staged_too() {
    let repo = repo();
    repo.stage(".gitignore", "target/\n");
    repo.git(&["commit", "--quiet", "--message", "ignored"]);
    repo.git(&["rm", "--quiet", ".gitignore"]);
    repo.stage("squad-lint.toml", "[guard]\npolicy = \"tracked-minus-runtime\"\n");
    repo.stage(FILE, bad());
    let output = run(&repo.path, &["--staged", "--fix", "--unsafe-fixes"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{}", stdout(&output));
    let ignored = fs::read_to_string(repo.path.join(".gitignore")).unwrap();
    assert!(ignored.contains(".squad/"), "{ignored}");
    holds(&repo, ".gitignore", &ignored);
    holds(&repo, FILE, GOOD);
    assert_eq!(repo.git(&["ls-files", "--stage", "--", ".gitignore"])[..6], *"100644");
    assert_eq!(repo.git(&["status", "--porcelain"]), format!("M  .gitignore\nM  {FILE}\nA  squad-lint.toml\n"));
    // One that is not staged is somebody's: it is left.
    repo.git(&["rm", "--quiet", "--cached", ".gitignore"]);
    repo.write(".gitignore", "mine\n");
    let output = run(&repo.path, &["--staged", "--fix", "--unsafe-fixes"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("it is in the working tree, but not staged"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(repo.path.join(".gitignore")).unwrap(), "mine\n");
}

#[test]
fn a_preview_applies_to_the_index() {
    let repo = repo();
    repo.stage(FILE, bad());
    let index = fs::read(repo.git_path("index")).unwrap();
    let output = run(&repo.path, &["--staged", "--diff", "--ignore", "guard"]);
    assert_eq!(code(&output), 1);
    assert_eq!(fs::read(repo.git_path("index")).unwrap(), index);
    repo.write("fix.patch", stdout(&output));
    repo.git(&["apply", "--index", "fix.patch"]);
    holds(&repo, FILE, GOOD);
}

#[test]
fn commits_are_not_fixed() {
    let repo = repo();
    for option in ["--fix", "--diff"] {
        let output = run(&repo.path, &["--from", "HEAD", option]);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()));
        assert!(stderr(&output).contains("cannot use `--fix` or `--diff` with `--from`"), "{}", stderr(&output));
        assert!(stderr(&output).contains("`--staged --fix`"), "{}", stderr(&output));
    }
}
