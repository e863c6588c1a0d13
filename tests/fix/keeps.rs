//! What fixing leaves as it is, and where it does not write.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{GOOD, bad, code, contents, git, run};
use crate::support::{NOW, squad_lint, stderr, stdout, write};

const PATH: &str = ".squad/decisions.md";

fn with(text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), PATH, text);
    folder
}

fn fixed(text: impl AsRef<[u8]>) -> Vec<u8> {
    let folder = with(text);
    run(folder.path(), &["--fix"]);
    assert_eq!(contents(folder.path()).len(), 1, "something is left beside the file");
    fs::read(folder.path().join(PATH)).unwrap()
}

#[test]
fn line_ends_and_the_byte_order_mark() {
    for (from, to) in [("\n", "\r\n"), ("", "\u{feff}")] {
        let turned = |text: &str| if from.is_empty() { format!("{to}{text}") } else { text.replace(from, to) };
        assert_eq!(fixed(turned(&bad())), turned(GOOD).as_bytes());
        // With lines that the fixes insert.
        let (less, more) = (GOOD.replace("**type:** note  \n", ""), GOOD);
        assert_eq!(fixed(turned(&less)), turned(more).as_bytes());
        let two = format!("{}{}", bad().replace("\n---\n", ""), GOOD.replace("14:32", "14:33"));
        let both = format!("{GOOD}\n{}", GOOD.replace("14:32", "14:33"));
        assert_eq!(fixed(turned(&two)), turned(&both).as_bytes());
    }
    // The ends of lines that no fix touches, whatever they are.
    let mixed = |text: &str| text.replace("A sentence.\n", "A\rsentence.\r\nMore.\n");
    assert_eq!(fixed(mixed(&bad())), mixed(GOOD).as_bytes());
}

#[test]
fn bytes_that_are_not_utf8() {
    let latin = |text: &str| [text.as_bytes(), b"\ncaf\xe9 \xff\xfe\n"].concat();
    assert_eq!(fixed(latin(&bad())), latin(GOOD));
    // A fix that would write such a byte anew is none: the tags hold one, the timestamp does not.
    let with_tags = |text: &str| {
        let (before, behind) = text.split_once("**author:**").unwrap();
        [before.as_bytes(), b"**tags:** caf\xe9,, b  \n**author:**", behind.as_bytes()].concat()
    };
    assert_eq!(fixed(with_tags(&bad())), with_tags(GOOD));
    let folder = with(with_tags(&bad()));
    let output = run(folder.path(), &["--format", "compact"]);
    assert!(
        stdout(&output).contains("[sem/malformed-tags]") && stdout(&output).ends_with("1 fixable with --fix\n"),
        "{output:?}"
    );
    // Two values that differ in such a byte alone look equal.
    let twice = [GOOD.replace("\n---\n", "").as_bytes(), b"**scope:** \xe9\n**scope:** \xe8\n\n---\n"].concat();
    assert_eq!(fixed(&twice), twice);
}

#[cfg(unix)]
#[test]
fn mode_and_owner() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    for mode in [0o600, 0o640, 0o755, 0o664] {
        let folder = with(bad());
        let path = folder.path().join(PATH);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        // Root may give it away.
        let _ = std::os::unix::fs::chown(&path, Some(12_345), Some(54_321));
        let before = fs::metadata(&path).unwrap();
        run(folder.path(), &["--fix"]);
        let after = fs::metadata(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), GOOD.as_bytes());
        let seen = |metadata: &fs::Metadata| (metadata.mode(), metadata.uid(), metadata.gid());
        assert_eq!(seen(&after), seen(&before));
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (with(GOOD), with(bad()));
    let target = outside.path().join(PATH);
    // A file that leads out is not followed, unless it is named: then it is refused.
    write(folder.path(), ".squad/agents/a/charter.md", "# A — Lead\n");
    symlink(&target, folder.path().join(".squad/agents/a/history.md")).unwrap();
    symlink(outside.path().join(".squad"), folder.path().join(".ai-team")).unwrap();
    for args in [&["--fix"][..], &["--fix", ".squad/agents/a/history.md"], &["--fix", ".ai-team"]] {
        let output = run(folder.path(), args);
        assert_eq!(fs::read_to_string(&target).unwrap(), bad(), "{args:?}");
        let refused = args.len() == 2;
        assert_eq!(code(&output), if refused { 2 } else { 0 }, "{args:?}: {}", stderr(&output));
        let says = if args.ends_with(&[".ai-team"]) { "is outside" } else { "a symbolic link leads out" };
        assert!(!refused || stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
    let diff = run(folder.path(), &["--diff", ".squad/agents/a/history.md"]);
    assert_eq!((code(&diff), stdout(&diff)), (2, String::new()), "{}", stderr(&diff));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_fixed_stays_a_link_and_is_no_error() {
    use std::os::unix::fs::symlink;
    let folder = with(bad());
    fs::create_dir_all(folder.path().join(".ai-team")).unwrap();
    let link = folder.path().join(".ai-team/decisions.md");
    symlink("../.squad/decisions.md", &link).unwrap();
    let diff = run(folder.path(), &["--diff"]);
    assert_eq!((code(&diff), stdout(&diff).matches("diff --git").count()), (1, 1), "{}", stdout(&diff));
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(stdout(&output), "fixed 1 problem in 1 file\nno problems found in 2 files\n", "{}", stderr(&output));
    assert_eq!(code(&output), 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&link).unwrap(), GOOD);
}

/// Whether root runs the tests, to whom nothing is denied.
#[cfg(unix)]
fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// The program in `folder`, as somebody who is not root.
#[cfg(unix)]
fn as_a_user(folder: &Path) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = squad_lint(folder);
    if is_root() {
        command.uid(65534).gid(65534);
    }
    command
}

#[cfg(unix)]
#[test]
fn read_only_files_and_folders_are_left_as_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // The file's mode, the folder's, what is said. The file is somebody else's where root runs the test.
    for (file, folder_mode, says) in
        [(0o444, 0o777, "is read-only"), (0o644, 0o777, "is read-only"), (0o666, 0o555, "cannot write beside")]
    {
        let folder = with(bad());
        write(folder.path(), ".ai-team/decisions.md", bad());
        let (path, inner) = (folder.path().join(PATH), folder.path().join(".squad"));
        mode(folder.path(), 0o755);
        mode(&folder.path().join(".ai-team"), 0o777);
        mode(&folder.path().join(".ai-team/decisions.md"), 0o666);
        mode(&path, file);
        mode(&inner, folder_mode);
        let is_own = !is_root();
        let output = as_a_user(folder.path()).args(["--now", NOW, "--fix"]).output().unwrap();
        mode(&inner, 0o755);
        if is_own && file == 0o644 {
            continue; // One's own file of that mode may be written.
        }
        assert_eq!(code(&output), 2, "{file:o}: {}", stderr(&output));
        assert!(stderr(&output).contains(".squad/decisions.md cannot be fixed"), "{}", stderr(&output));
        assert!(stderr(&output).contains(says), "{file:o}: {}", stderr(&output));
        // The other one is fixed, and what is left is told.
        assert!(stdout(&output).contains("fixed 1 problem in 1 file\nfound 1 error in 2 files"), "{}", stdout(&output));
        let files = contents(folder.path());
        assert_eq!(files.len(), 2, "something is left beside the file");
        assert_eq!(files[Path::new(PATH)], bad().as_bytes());
        assert_eq!(files[Path::new(".ai-team/decisions.md")], GOOD.as_bytes());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, file);
    }
}

#[test]
fn a_file_that_changes_while_it_is_fixed_stays_whole() {
    // Another program puts new versions in the file's place, one after the other. Whatever the timing, the file is one of
    // them in the end, with the fix or without it, and a run that says that it could not write has not written.
    let folder = with("");
    let path = folder.path().join(PATH);
    let version = |number: usize| format!("{}\nVersion {number}.\n", bad().repeat(200));
    let mut ends = std::collections::BTreeMap::new();
    for round in 0..60 {
        fs::write(&path, version(0)).unwrap();
        let mut child = squad_lint(folder.path())
            .args(["--now", NOW, "--fix", "--quiet", "--select", "sem/timestamp-format"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut number = 0;
        while child.try_wait().unwrap().is_none() {
            number += 1;
            let beside = folder.path().join("beside");
            fs::write(&beside, version(number)).unwrap();
            fs::rename(&beside, &path).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(round % 30));
        }
        let code = child.wait().unwrap().code().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let last = text.rsplit("Version ").next().unwrap().trim_end_matches(".\n").parse::<usize>().unwrap();
        let (old, new) = (version(last), version(last).replace("-08:00", "-0800"));
        assert!(text == old || text == new, "round {round}: the file is in pieces");
        assert!([0, 1, 2].contains(&code), "round {round}: exit code {code}");
        assert!(code != 2 || text == old, "round {round}: it was written all the same");
        *ends.entry((code, text == new)).or_insert(0) += 1;
    }
    eprintln!("(exit code, fixed) to rounds: {ends:?}");
    let names: Vec<_> = contents(folder.path()).into_keys().collect();
    assert_eq!(names, [Path::new(PATH)], "something is left beside the file");
}

#[test]
fn an_empty_file_and_a_large_one() {
    assert_eq!(fixed(""), b"");
    assert_eq!(fixed("\u{feff}"), "\u{feff}".as_bytes());
    // 50 MB: over the cap it is named and not read; under it, it is fixed.
    let filler = format!("Some prose of {}.\n", "words ".repeat(20)).repeat(50_000_000 / 140);
    let text = format!("{}\n# Notes\n\n{filler}", bad());
    let folder = with(&text);
    let output = run(folder.path(), &["--fix", "--format", "compact"]);
    assert!(stdout(&output).contains("[lint/file-too-large]"), "{}", stdout(&output));
    assert!(fs::read(folder.path().join(PATH)).unwrap() == text.as_bytes(), "it was changed");
    write(folder.path(), "squad-lint.toml", "max-file-bytes = 100_000_000\n");
    let output = run(folder.path(), &["--fix", "--format", "compact"]);
    assert!(stdout(&output).contains("fixed 1 problem in 1 file\n"), "{}", stdout(&output));
    let expected = text.replacen("-08:00", "-0800", 1);
    assert!(fs::read(folder.path().join(PATH)).unwrap() == expected.as_bytes(), "it was not fixed");
}

#[test]
fn without_git_with_git_and_where_git_ignores_it() {
    let plain = with(bad());
    assert_eq!(code(&run(plain.path(), &["--fix"])), 0);
    let ignored = with(bad());
    git(ignored.path(), &["init", "-q"]);
    write(ignored.path(), ".gitignore", ".squad/\n");
    assert_eq!(code(&run(ignored.path(), &["--fix"])), 0);
    for folder in [plain, ignored] {
        assert_eq!(fs::read(folder.path().join(PATH)).unwrap(), GOOD.as_bytes());
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_controls_a_terminal_is_shown_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = ".squad/decisions/inbox/a\u{1b}[2J\n::error::b.md";
    write(folder.path(), path, bad());
    fs::set_permissions(folder.path().join(path), std::os::unix::fs::PermissionsExt::from_mode(0o444)).unwrap();
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(text.contains("is read-only") && !text.contains('\u{1b}') && !text.contains("\n::error"), "{text:?}");
}
