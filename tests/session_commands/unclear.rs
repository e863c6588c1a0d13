//! Locks that cannot be read, that are somewhere else, or that cannot be written or printed as usual.

use std::fs;
use std::path::Path;

use super::{SESSION, run, session};
use crate::support::{files_below, squad_lint, stderr, stdout, write};

fn said(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = run(folder, args);
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

/// The names of the locks.
fn locks(folder: &Path) -> Vec<String> {
    let names = files_below(&folder.join(SESSION).join("locks"));
    let names = names.iter().filter(|path| path.extension().is_some_and(|end| end == "lock"));
    names.map(|path| path.display().to_string()).collect()
}

#[test]
fn an_expired_lock_is_not_renewed_beside_one_that_cannot_be_read() {
    let folder = session();
    let root = folder.path();
    assert_eq!(said(root, &["lock", "a", "--agent", "x", "--ttl", "60"]).0, 0);
    write(root, format!("{SESSION}/locks/a-y-1.lock"), "");
    // As long as the lock lasts, no other agent can have locked the file.
    assert_eq!(said(root, &["renew", "a", "--agent", "x", "--ttl", "60"]).0, 0);
    for verb in ["renew", "unlock"] {
        let (code, text) = said(root, &[verb, "a", "--agent", "x", "--now", "2024-01-15T10:45:00Z"]);
        assert!(code == 1 && text.contains("a may be held: cannot read the lock a-y-1.lock"), "{verb}: {text}");
    }
    fs::remove_file(root.join(SESSION).join("locks/a-y-1.lock")).unwrap();
    assert_eq!(said(root, &["renew", "a", "--agent", "x", "--now", "2024-01-15T10:45:00Z"]).0, 0);
}

#[test]
fn a_lock_that_readers_disagree_about_holds_all_that_it_names() {
    let fields = "locked_by: x\nlocked_at: 2024-01-15T10:30:00Z\nexpires_at: 2024-01-15T10:31:00Z\n";
    for text in [
        format!("file: one\nfile: src/two\n{fields}"),
        format!("file: one\n{fields}---\nfile: src/two\n"),
        format!("file: one\n<<<<<<< a\nfile: src/two\n=======\n{fields}>>>>>>> b\n"),
        format!("file: one\n{fields}\tx: [\nmore:\n  file: src/two\n"),
        format!("{{\"file\": \"one\", x: [, file: 'src/two'\n{fields}"),
        format!("file: >-\n  one\nfile: src/two # here\n{fields}x: ]"),
        format!("file: one\nexpires_at: {}{}\nfile: src/two\n", "[".repeat(127), "]".repeat(127)),
    ] {
        let folder = session();
        let root = folder.path();
        write(root, format!("{SESSION}/locks/three-x-1.lock"), &text);
        for (file, is_held) in [("one", true), ("src/two", true), ("three", true), ("two", false), ("other", false)] {
            let (code, said) = said(root, &["lock", file, "--agent", "y"]);
            assert_eq!(code, i32::from(is_held), "{file}, {text}: {said}");
        }
    }
    // Its end is not clear either.
    let folder = session();
    let root = folder.path();
    let text = format!("file: one\n{fields}expires_at: 2099-01-01T00:00:00Z\nexpires_at: 2024-01-15T10:31:00Z\n");
    write(root, format!("{SESSION}/locks/one-x-1.lock"), &text);
    assert_eq!(said(root, &["lock", "one", "--agent", "y"]).0, 1);
    assert_eq!(said(root, &["clean"]).0, 0);
    squad_lint(root).args(["check", "--fix", "--now", "2024-01-16"]).output().unwrap();
    assert_eq!(fs::read_to_string(root.join(SESSION).join("locks/one-x-1.lock")).unwrap(), text);
}

#[test]
fn a_lock_that_is_not_clear_holds_each_file_that_it_may_be_for() {
    let long = format!("{}.ts", "n".repeat(150));
    let long_lock = format!("{long}-web-1.lock");
    let utf_16: Vec<u8> = "\u{feff}file: src/é.rs\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = format!("file: src/a.rs\nx: [{}", "y ".repeat(1 << 16));
    let cases: &[(&str, &[u8], &str)] = &[
        ("b:c.ts-web-1.lock", b"", "src/b:c.ts"),
        ("50%.md-web-1.lock", b"", "50%.md"),
        (&long_lock, b"", &long),
        ("a.rs.lock", b"", "src/a.rs"),
        ("src_a.rs.lock", b"", "src/a.rs"),
        ("1.lock", b"file: [src/b.rs, src/a.rs]\n", "src/a.rs"),
        ("1.lock", b"file:\n  - src/b.rs\n  - ./src/a.rs\n", "src/a.rs"),
        ("1.lock", b"file: >-\n\n  src/a.rs\nx: [", "src/a.rs"),
        ("1.lock", b"x: &f src/a.rs\nfile: *f\ny: [", "src/a.rs"),
        ("1.lock", b"\"\\x66ile\": src/a.rs\rlocked_by", "src/a.rs"),
        ("1.lock", b"file: src\\a.rs\nx: [", "src/a.rs"),
        ("1.lock", b"file: src/a.rs\0\0", "src/a.rs"),
        ("1.lock", &utf_16, "src/é.rs"),
        ("1.lock", big.as_bytes(), "src/a.rs"),
    ];
    for (name, content, file) in cases {
        let folder = session();
        let root = folder.path();
        // Other systems have no such names.
        if fs::create_dir_all(root.join(SESSION).join("locks")).is_err()
            || fs::write(root.join(SESSION).join("locks").join(name), content).is_err()
        {
            continue;
        }
        assert_eq!(said(root, &["lock", file, "--agent", "x"]).0, 1, "{name}: {file}");
        assert_eq!(said(root, &["lock", "src/other.rs", "--agent", "x"]).0, 0, "{name}");
    }
}

#[test]
fn a_path_with_the_slashes_of_windows_holds_the_file() {
    let folder = session();
    let root = folder.path();
    let text = "file: src\\a.rs\nlocked_by: x\nexpires_at: 2024-01-15T10:59:00Z\n";
    write(root, format!("{SESSION}/locks/1.lock"), text);
    assert_eq!(said(root, &["lock", "src/a.rs", "--agent", "y"]).0, 1);
    assert_eq!(said(root, &["lock", "a.rs", "--agent", "y"]).0, 0);
}

#[cfg(unix)]
#[test]
fn an_empty_lock_holds_a_file_under_each_of_its_names() {
    let folder = session();
    let root = folder.path();
    write(root, "src/real.ts", "");
    std::os::unix::fs::symlink("real.ts", root.join("src/alias.ts")).unwrap();
    fs::hard_link(root.join("src/real.ts"), root.join("src/hard.ts")).unwrap();
    for name in ["real.ts", "alias.ts", "hard.ts"] {
        let lock = format!("{SESSION}/locks/{name}-web-1.lock");
        write(root, &lock, "");
        let (code, text) = said(root, &["lock", &format!("src/{name}"), "--agent", "x"]);
        assert_eq!(code, 1, "{name}: {text}");
        fs::remove_file(root.join(lock)).unwrap();
    }
}

#[test]
fn a_lock_never_ends_earlier_because_it_is_renewed() {
    let folder = session();
    let root = folder.path();
    assert_eq!(said(root, &["lock", "a", "--agent", "x", "--ttl", "3600"]).0, 0);
    let (code, text) = said(root, &["renew", "a", "--agent", "x", "--ttl", "60"]);
    assert!(code == 0 && text.contains("until 2024-01-15T11:37:00Z (60 minutes)"), "{text}");
    // In a session that has ended, no agent holds a file for longer.
    let path = root.join(SESSION).join("session-status.md");
    let status = fs::read_to_string(&path).unwrap().replace("status: active", "status: completed");
    fs::write(&path, status).unwrap();
    assert_eq!(said(root, &["renew", "a", "--agent", "x", "--session", SESSION]).0, 2);
    assert_eq!(said(root, &["unlock", "a", "--agent", "x", "--session", SESSION]).0, 0);
}

#[test]
fn a_lock_lasts_until_the_fraction_of_its_last_second() {
    for (fraction, is_held) in [(".9", true), (".001", true), (".000", false), ("", false)] {
        let folder = session();
        let root = folder.path();
        let text = format!("file: a\nlocked_by: x\nexpires_at: 2024-01-15T10:39:00{fraction}Z\n");
        write(root, format!("{SESSION}/locks/a-x-1.lock"), text);
        let (code, text) = said(root, &["lock", "a", "--agent", "y", "--now", "2024-01-15T10:39:00Z"]);
        assert_eq!(code, i32::from(is_held), "{fraction}: {text}");
        assert_eq!(said(root, &["lock", "a", "--agent", "z", "--now", "2024-01-15T10:41:01Z"]).0, 0);
    }
}

#[test]
fn names_that_are_too_long() {
    let folder = session();
    let root = folder.path();
    let agent = "a".repeat(300);
    let wide = "é".repeat(125);
    for file in ["f".repeat(250), wide.clone(), format!("{}.rs", "x".repeat(230))] {
        for agent in [&agent, &wide] {
            let (code, text) = said(root, &["lock", &file, "--agent", agent]);
            assert_eq!(code, 0, "{text}");
            assert!(locks(root).iter().all(|name| name.len() <= 255));
            let checked =
                squad_lint(root).args(["--select", "session/lock-name", "--now", super::NOW]).output().unwrap();
            assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
            assert_eq!(said(root, &["lock", &file, "--agent", "b"]).0, 1);
            assert_eq!(said(root, &["renew", &file, "--agent", agent]).0, 0);
            assert_eq!(said(root, &["unlock", &file, "--agent", agent]).0, 0);
        }
    }
    let file = "f".repeat(300);
    let (code, text) = said(root, &["lock", &file, "--agent", "x"]);
    assert!(code == 2 && text.contains("too long for the file system") && !text.contains("os error"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_instead_of_locks() {
    use std::os::unix::fs::symlink;
    let folder = session();
    let root = folder.path();
    let path = root.join(SESSION).join("locks");
    write(root, "x", "");
    for (target, expected) in [
        ("gone", "locks is a symbolic link that leads nowhere, expected a folder"),
        ("locks", "locks is a symbolic link that leads nowhere, expected a folder"),
        ("session-status.md", "locks is a symbolic link to a file, expected a folder"),
    ] {
        symlink(target, &path).unwrap();
        let (code, text) = said(root, &["lock", "a", "--agent", "x"]);
        assert!(code == 2 && text.contains(expected) && !text.contains("os error"), "{text}");
        let (_, text) = said(root, &["status"]);
        assert!(text.contains(&expected.replace("locks is", "locks: it is")), "{text}");
        fs::remove_file(&path).unwrap();
    }
    fs::create_dir(&path).unwrap();
    symlink("a-x-1.lock", path.join("a-x-1.lock")).unwrap();
    let (code, text) = said(root, &["lock", "a", "--agent", "x"]);
    assert!(code == 1 && text.contains("it is a symbolic link that leads nowhere"), "{text}");
}

#[cfg(unix)]
#[test]
fn sessions_behind_a_link_have_locks_of_their_own_files() {
    use crate::support::run_git;
    let folder = session();
    let root = folder.path();
    run_git(root, &["init", "-q"]);
    fs::rename(root.join(".squad/sessions"), root.join("shared")).unwrap();
    std::os::unix::fs::symlink("../shared", root.join(".squad/sessions")).unwrap();
    assert_eq!(said(root, &["lock", "a", "--agent", "x"]).0, 0);
    assert_eq!(said(root, &["lock", "a", "--agent", "y", "--root", "."]).0, 1);
    let (code, text) = said(root, &["lock", "shared/a", "--agent", "y"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_plan_that_is_nested_too_deep_is_reported() {
    let folder = session();
    let root = folder.path();
    write(root, format!("{SESSION}/role-plan-a-1.md"), "[".repeat(127) + &"]".repeat(127));
    let checked = squad_lint(root).args(["check", "--now", super::NOW]).output().unwrap();
    assert!(stdout(&checked).contains("nested more than 64 deep"), "{}", stdout(&checked));
    assert!(said(root, &["status"]).1.contains("role-plan-a-1.md: invalid YAML: lists and mappings are nested"));
}

#[cfg(target_os = "linux")]
#[test]
fn no_lock_is_left_that_its_agent_does_not_know_of() {
    let folder = session();
    let root = folder.path();
    let run = |verb: &str, agent: &str| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = squad_lint(root);
        let output = command.args(["session", verb, "a", "--agent", agent]).stdout(full).output().unwrap();
        (output.status.code(), stderr(&output))
    };
    let (code, text) = run("lock", "backend");
    assert!(code == Some(2) && text.contains("a is not locked: cannot write to standard output"), "{text}");
    assert_eq!(locks(root), Vec::<String>::new());
    assert_eq!(squad_lint(root).args(["session", "lock", "a", "--agent", "backend"]).status().unwrap().code(), Some(0));
    let (code, text) = run("lock", "backend");
    assert!(code == Some(2) && text.contains("a is not locked"), "{text}");
    // That of before stays.
    assert_eq!(locks(root).len(), 1);
    let (code, text) = run("renew", "backend");
    assert!(code == Some(2) && text.contains("a stays locked: cannot write to standard output"), "{text}");
    let (code, text) = run("unlock", "backend");
    assert!(code == Some(2) && text.contains("a is free: cannot write to standard output"), "{text}");
    assert_eq!(locks(root), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_success() {
    let folder = session();
    let root = folder.path();
    assert_eq!(squad_lint(root).args(["session", "lock", "a", "--agent", "x"]).status().unwrap().code(), Some(0));
    for (verb, agent, code) in [("lock", "y", 1), ("unlock", "y", 1), ("renew", "x", 0)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = squad_lint(root);
        let output = command.args(["session", verb, "a", "--agent", agent]).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{verb}: {}", stderr(&output));
    }
}
