//! Locks, one after the other.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{SESSION, run, session, status};
use crate::support::{files_below, run_git, squad_lint, stderr, stdout, write};

/// The exit code and what is printed.
fn said(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = run(folder, args);
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

/// The names and texts of the locks.
fn locks(folder: &Path) -> Vec<(String, String)> {
    let locks = folder.join(SESSION).join("locks");
    if !locks.is_dir() {
        return Vec::new();
    }
    let names = files_below(&locks).into_iter().filter(|path| path.extension().is_some_and(|end| end == "lock"));
    names.map(|name| (name.display().to_string(), fs::read_to_string(locks.join(name)).unwrap())).collect()
}

#[test]
fn a_lock_is_taken_kept_and_let_go() {
    let folder = session();
    let root = folder.path();
    write(root, "src/App.tsx", "");
    let lock = ["lock", "src/App.tsx", "--agent", "frontend", "--instance", "1", "--task", "task_001", "--ttl", "120"];
    let (code, text) = said(root, &lock);
    assert_eq!(
        (code, text.as_str()),
        (0, "src/App.tsx is locked by frontend[1] until 2024-01-15T10:39:00Z (120 seconds)\n")
    );
    let expected = "file: src/App.tsx\nlocked_by: frontend[1]\nlocked_at: 2024-01-15T10:37:00Z\n\
                    expires_at: 2024-01-15T10:39:00Z\ntask_id: task_001\noperation: modify\n";
    assert_eq!(locks(root), [("App.tsx-frontend[1]-1705315020.lock".to_owned(), expected.to_owned())]);

    let (code, text) = said(root, &["lock", "src/App.tsx", "--agent", "backend"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("src/App.tsx is held by frontend[1] for task_001 until 2024-01-15T10:39:00Z"), "{text}");
    assert!(text.contains("--wait 121"), "{text}");
    // Another file is free.
    assert_eq!(said(root, &["lock", "src/Other.tsx", "--agent", "backend"]).0, 0);

    let renew = ["renew", "src/App.tsx", "--agent", "frontend[1]", "--ttl", "60", "--now", "2024-01-15T10:38:50Z"];
    let (code, text) = said(root, &renew);
    assert!(
        code == 0 && text.starts_with("src/App.tsx stays locked by frontend[1] until 2024-01-15T10:39:50Z"),
        "{text}"
    );
    assert_eq!(locks(root)[0].0, "App.tsx-frontend[1]-1705315020.lock");
    assert_eq!(locks(root)[0].1, expected.replace("10:39:00", "10:39:50"));

    let (code, text) = said(root, &["unlock", "src/App.tsx", "--agent", "frontend[2]"]);
    assert!(code == 1 && text.contains("is not held by frontend[2]: frontend[1] holds it"), "{text}");
    assert_eq!(
        said(root, &["unlock", "src/App.tsx", "--agent", "frontend[1]"]),
        (0, "src/App.tsx is free\n".to_owned())
    );
    let (code, text) = said(root, &["unlock", "src/App.tsx", "--agent", "frontend[1]"]);
    assert!(code == 1 && text.contains("no agent holds it"), "{text}");
    assert_eq!(locks(root).len(), 1);
}

#[test]
fn renewing_keeps_what_others_wrote_into_the_lock() {
    let folder = session();
    let root = folder.path();
    write(root, "a.ts", "");
    let text =
        "# why: the merge\nfile: a.ts\nlocked_by: backend\nreason: merge\nexpires_at: '2024-01-15T10:39:00Z' # soon\n";
    let path = root.join(SESSION).join("locks/a.ts-backend-1.lock");
    write(path.parent().unwrap(), "a.ts-backend-1.lock", text);
    let (code, said) = said(root, &["renew", "a.ts", "--agent", "backend", "--ttl", "300"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(fs::read_to_string(path).unwrap(), text.replace("'2024-01-15T10:39:00Z'", "2024-01-15T10:42:00Z"));
}

#[test]
fn a_lock_that_cannot_be_read_holds_the_file_that_it_names() {
    for (name, text, is_held) in [
        ("zzz.lock", "file: src/a.ts\nlocked_by: backend\nexpires_at: never\n", true),
        ("src_a.ts-backend-1.lock", "backend\n", true),
        ("a.ts-backend-1.lock", "file: other/a.ts\nlocked_by: backend\nexpires_at: never\n", false),
    ] {
        let folder = session();
        let root = folder.path();
        write(root, "src/a.ts", "");
        write(&root.join(SESSION).join("locks"), name, text);
        let (code, said) = said(root, &["lock", "src/a.ts", "--agent", "frontend"]);
        assert_eq!(code, i32::from(is_held), "{name}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_the_session_beside_it_is_no_second_session() {
    let folder = session();
    let root = folder.path();
    write(root, "a.ts", "");
    let path = root.join(SESSION);
    std::os::unix::fs::symlink(path.file_name().unwrap(), path.with_file_name("latest")).unwrap();
    let (code, text) = said(root, &["lock", "a.ts", "--agent", "backend"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(root, &["unlock", "a.ts", "--agent", "backend"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_file_is_the_same_whatever_it_is_called() {
    let folder = session();
    let root = folder.path();
    write(root, "sub/a", "");
    let absolute = root.join("sub/a");
    assert_eq!(said(root, &["lock", "sub/a", "--agent", "x"]).0, 0);
    for name in ["./sub/a", "sub/../sub/a", "new/../sub/a", "sub//a", absolute.to_str().unwrap()] {
        let (code, text) = said(root, &["lock", name, "--agent", "y"]);
        assert_eq!(code, 1, "{name}: {text}");
    }
    // From the folder of the file, too.
    assert_eq!(said(&root.join("sub"), &["lock", "a", "--agent", "y", "--root", ".."]).0, 1);
    // Other programs may write it in other ways.
    write(
        root,
        format!("{SESSION}/locks/b-z-1.lock"),
        "file: ./sub/../b\nlocked_by: z\nexpires_at: 2024-01-15T11:00:00Z\n",
    );
    assert_eq!(said(root, &["lock", "b", "--agent", "y"]).0, 1);
}

#[test]
fn an_expired_lock_is_free_and_its_holder_learns_of_it() {
    let folder = session();
    let root = folder.path();
    let at = |minute: u32| format!("2024-01-15T10:{minute:02}:00Z");
    assert_eq!(said(root, &["lock", "a", "--agent", "x", "--ttl", "60"]).0, 0);
    // Expired, and nobody took it: it can still be renewed, and let go.
    assert_eq!(said(root, &["renew", "a", "--agent", "x", "--ttl", "60", "--now", &at(40)]).0, 0);
    let (code, text) = said(root, &["unlock", "a", "--agent", "x", "--now", &at(45)]);
    assert!(code == 0 && text.contains("expired 4 minutes ago"), "{text}");
    assert_eq!(said(root, &["lock", "a", "--agent", "x", "--ttl", "60"]).0, 0);
    assert_eq!(said(root, &["lock", "a", "--agent", "y", "--ttl", "600", "--now", &at(39)]).0, 0);
    assert_eq!(locks(root).len(), 1);
    for verb in ["renew", "unlock"] {
        let (code, text) = said(root, &[verb, "a", "--agent", "x", "--now", &at(40)]);
        assert!(code == 1 && text.contains("is not held by x: y holds it until 2024-01-15T10:49:00Z"), "{text}");
    }
    assert_eq!(said(root, &["unlock", "a", "--agent", "y", "--now", &at(40)]).0, 0);
}

#[test]
fn an_agent_does_not_lock_twice() {
    let folder = session();
    assert_eq!(said(folder.path(), &["lock", "a", "--agent", "x"]).0, 0);
    let (code, text) = said(folder.path(), &["lock", "a", "--agent", "x"]);
    assert!(code == 1 && text.contains("that is this agent"), "{text}");
}

#[test]
fn json() {
    let folder = session();
    let json = |args: &[&str]| -> (i32, Value) {
        let output = run(folder.path(), args);
        (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
    };
    let (code, locked) = json(&["lock", "a", "--agent", "x", "--format", "json"]);
    assert_eq!((code, &locked["done"], &locked["lock"]["locked_by"]), (0, &Value::Bool(true), &"x".into()));
    assert_eq!((&locked["version"], &locked["lock"]["expires_at"]), (&1.into(), &"2024-01-15T10:39:00Z".into()));
    let (code, held) = json(&["lock", "a", "--agent", "y", "--format", "json"]);
    assert_eq!((code, &held["done"], &held["lock"]["locked_by"]), (1, &Value::Bool(false), &"x".into()));
    let (code, lost) = json(&["unlock", "a", "--agent", "y", "--format", "json"]);
    assert_eq!((code, &lost["lock"]["locked_by"]), (1, &"x".into()));
    let (code, free) = json(&["unlock", "a", "--agent", "x", "--format", "json"]);
    assert_eq!((code, &free["done"]), (0, &Value::Bool(true)));
}

#[test]
fn what_is_no_lock_is_in_the_way_if_it_may_be_one() {
    let folder = session();
    let root = folder.path();
    let locks = format!("{SESSION}/locks");
    fs::create_dir_all(root.join(&locks).join("a-x-1.lock")).unwrap();
    write(root, format!("{locks}/b-x-1.lock"), "");
    write(root, format!("{locks}/c-x-1.lock"), "file: c\n\tlocked_by: x\n");
    write(root, format!("{locks}/d-x-1.lock"), b"\xff\xfe");
    write(root, format!("{locks}/e-x-1.lock"), "file: e\nlocked_by: x\nexpires_at: 1705315080\n");
    for (file, reason) in [("a", "a folder"), ("b", "b-x-1.lock"), ("c", "YAML"), ("d", "UTF-8"), ("e", "expires_at")] {
        let (code, text) = said(root, &["lock", file, "--agent", "y"]);
        assert!(code == 1 && text.contains(reason) && text.contains("help: remove"), "{file}: {text}");
    }
    assert_eq!(said(root, &["lock", "f", "--agent", "y"]).0, 0);
    // A lock from tomorrow, of a machine whose clock is ahead, holds until it says.
    write(
        root,
        format!("{locks}/g-x-1.lock"),
        "file: g\nlocked_by: x\nlocked_at: 2024-01-16T00:00:00Z\nexpires_at: 2024-01-16T00:02:00Z\n",
    );
    assert_eq!(said(root, &["lock", "g", "--agent", "y"]).0, 1);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = session();
    let name = OsStr::from_bytes(b"a\xff.rs");
    write(folder.path(), Path::new(SESSION).join("locks").join(OsStr::from_bytes(b"\xff-x-1.lock")), "nothing");
    let output = squad_lint(folder.path()).args(["session", "lock", "--agent", "x"]).arg(name).output().unwrap();
    assert!(output.status.code() == Some(2) && stderr(&output).contains("not UTF-8"), "{}", stderr(&output));
    assert_eq!(said(folder.path(), &["lock", "b", "--agent", "x"]).0, 0);
}

#[test]
fn which_session() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let lock = ["lock", "a", "--agent", "x"];
    let (code, text) = said(root, &lock);
    assert!(code == 2 && text.contains("there is no session here"), "{text}");
    fs::create_dir_all(root.join(".squad/sessions")).unwrap();
    let (code, text) = said(root, &lock);
    assert!(code == 2 && text.contains("there is no session in"), "{text}");
    write(root, ".squad/sessions/1/session-status.md", status("completed"));
    let (code, text) = said(root, &lock);
    assert!(code == 2 && text.contains("no session is active") && text.contains("1 has ended"), "{text}");
    write(root, ".squad/sessions/2/session-status.md", status("active"));
    assert_eq!(said(root, &lock).0, 0);
    // Folders are what git leaves of a session.
    fs::create_dir_all(root.join(".squad/sessions/0/locks")).unwrap();
    assert_eq!(said(root, &["unlock", "a", "--agent", "x"]).0, 0);
    assert_eq!(said(root, &lock).0, 0);
    // A session without a status may be active.
    write(root, ".squad/sessions/3/role-comm-x-notes.md", "Notes.\n");
    let (code, text) = said(root, &lock);
    assert!(code == 2 && text.contains("several sessions are active") && text.contains("2, 3"), "{text}");
    for session in ["2", ".squad/sessions/2"] {
        assert_eq!(said(root, &["lock", "a", "--agent", "x", "--session", session]).0, 1);
    }
    assert_eq!(said(root, &["lock", "a", "--agent", "x", "--session", "3"]).0, 0);
    // The name is that of a session, whatever folder has the same.
    fs::create_dir_all(root.join("2/locks")).unwrap();
    assert_eq!(said(root, &["lock", "a", "--agent", "y", "--session", "2"]).0, 1);
    for other in [".", "./2", ".squad/sessions"] {
        let (code, text) = said(root, &["lock", "a", "--agent", "y", "--session", other]);
        assert!(code == 2 && text.contains("is not a session"), "{other}: {text}");
    }
    let (code, text) = said(root, &["lock", "a", "--agent", "x", "--session", "4"]);
    assert!(code == 2 && text.contains("cannot read"), "{text}");
}

#[test]
fn what_cannot_be_locked() {
    let folder = session();
    let root = folder.path();
    fs::create_dir(root.join("sub")).unwrap();
    for (args, expected) in [
        (&["lock", "sub", "--agent", "x"][..], "is a folder"),
        (&["lock", "nosuch/", "--agent", "x"], "a path that ends with `/` is a folder"),
        (&["lock", "../a", "--agent", "x"], "outside of"),
        (&["lock", "a", "--agent", "x y"], "cannot be the name of an agent"),
        (&["lock", "a", "--agent", "../x"], "cannot be the name of an agent"),
        (&["lock", "a", "--agent", "x[1]", "--instance", "2"], "has a different number"),
        (&["lock", "a", "--agent", "x", "--ttl", "0"], "--ttl"),
        (&["lock", "a", "--agent", "x", "--operation", "read"], "modify"),
        (&["lock", "a", "--agent", "x", "--task", " "], "cannot be the ID of a task"),
        (&["lock", "a", "--agent", "x", "--task", "task_[timestamp]"], "`task_[timestamp]` cannot be the ID of a task"),
        (&["lock", "a\nb", "--agent", "x"], "its name has a line break"),
        (&["lock", "a"], "--agent"),
        (&["lock", "a", "--agent", "x", "--now", "soon"], "soon"),
    ] {
        let (code, text) = said(root, args);
        assert!(code == 2 && text.contains(expected), "{args:?}: {text}");
    }
    assert_eq!(locks(root), []);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_leads_out() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir_all(outside.path().join("sessions/1")).unwrap();
    for (link, target) in [
        (".squad/sessions/1/locks", outside.path().join("sessions")),
        (".squad/sessions/1", outside.path().join("sessions/1")),
        (".squad/sessions", outside.path().join("sessions")),
        (".squad", outside.path().to_path_buf()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
        let (code, text) = said(folder.path(), &["lock", "a", "--agent", "x"]);
        assert!(code == 2 && text.contains("leads out of the repository"), "{link}: {text}");
    }
    assert_eq!(files_below(outside.path()), Vec::<std::path::PathBuf>::new());
}

#[test]
fn files_of_one_name_have_locks_of_their_own() {
    let folder = session();
    for file in ["a/mod.rs", "b/mod.rs"] {
        assert_eq!(said(folder.path(), &["lock", file, "--agent", "x"]).0, 0);
    }
    assert_eq!(locks(folder.path()).len(), 2);
}

#[test]
fn the_clock_counts_whatever_builds_say() {
    let folder = session();
    let run = || {
        let mut command = squad_lint(folder.path());
        command.args(["session", "lock", "a", "--agent", "x", "--ttl", "1"]).env("SOURCE_DATE_EPOCH", "1");
        command.output().unwrap().status.code()
    };
    assert_eq!(run(), Some(0));
    assert!(!locks(folder.path())[0].1.contains("1970"), "{:?}", locks(folder.path()));
}

#[test]
fn a_lock_that_cannot_be_read_is_told_by_each_command() {
    for (content, reason) in [
        ("", "file has no fields, expected the fields of a lock"),
        ("...\n", "file has no fields, expected the fields of a lock"),
        ("hello world\n", "content is text, expected the fields of a lock"),
        ("file: a.rs\n", "it has no valid `locked_by`"),
        ("file: [\n", "invalid YAML"),
    ] {
        let folder = session();
        let root = folder.path();
        write(root, format!("{SESSION}/locks/a.rs-web-1.lock"), content);
        for verb in ["lock", "unlock", "renew"] {
            let (code, text) = said(root, &[verb, "a.rs", "--agent", "web"]);
            let expected = "a.rs may be held: cannot read the lock a.rs-web-1.lock: ";
            assert!(code == 1 && text.starts_with(expected) && text.contains(reason), "{verb} {content:?}: {text}");
        }
        let (_, text) = said(root, &["unlock", "a.rs", "--agent", "web", "--format", "json"]);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["unreadable"], "a.rs-web-1.lock");
        assert!(said(root, &["status"]).1.contains(reason), "{content:?}");
        // Another file is free.
        assert_eq!(
            said(root, &["unlock", "b.rs", "--agent", "web"]).1.lines().next(),
            Some("b.rs is not held by web: no agent holds it")
        );
    }
}

/// Names that are hard to write, to find again and to compare.
#[cfg(unix)]
#[test]
fn a_lock_of_any_name_is_shown_renewed_released_and_cleaned() {
    use crate::support::rounds;
    use crate::support::sample::Rng;

    const PIECES: [&str; 34] = [
        "[id]",
        "[...slug]",
        "[user-id]",
        "[",
        "]",
        "{name}",
        "{",
        "}",
        "<id>",
        "<",
        ">",
        " ",
        "  ",
        "'",
        "\"",
        "#",
        " #",
        ":",
        ": ",
        "-",
        "- ",
        "*",
        "?",
        "!",
        "%",
        "%41",
        "&a",
        "|",
        "~",
        "é",
        "\u{1f600}",
        "\t",
        "\\",
        "null",
    ];
    let hard = [
        "  ",
        "app/[id]/page.tsx",
        "src/{name}/x.ts",
        "routes/<id>.ts",
        "[timestamp]",
        "[id]",
        "-x",
        "--agent",
        " a",
        "a ",
        "123",
        "1.10",
        "true",
        "~",
        "#a",
        "a#b",
        "a: b",
        "'",
        "\"",
        "[timestamp]_[hash].md",
        "ÄÖ.ts",
        "a,b",
        "@a",
        "`a`",
        "%",
        "%3A",
    ];
    let mut rng = Rng(19);
    let random = (0..rounds(500)).map(|_| {
        let name: String = (0..=rng.below(4)).map(|_| rng.pick(&PIECES)).collect();
        if rng.once_in(2) { format!("app/{name}/x{name}") } else { name }
    });
    let folder = session();
    let root = folder.path();
    for file in hard.into_iter().map(str::to_owned).chain(random.collect::<Vec<_>>()) {
        let given = format!("./{file}");
        let at = |minute: u32| format!("2024-01-15T10:{minute:02}:00Z");
        let act = |verb: &str, minute: u32| said(root, &[verb, &given, "--agent", "frontend[1]", "--now", &at(minute)]);
        let (code, text) = act("lock", 37);
        if file.trim().is_empty() {
            assert!(code == 2 && text.contains("its name has only spaces"), "{file:?}: {text}");
            continue;
        }
        assert_eq!(code, 0, "{file:?}: {text}");
        let output = run(root, &["status", "--format", "json"]);
        let shown: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(shown["sessions"][0]["locks"][0]["file"], file.as_str(), "{shown}");
        let checked = squad_lint(root).args(["--select", "session", "--now", &at(38)]).output().unwrap();
        assert_eq!(checked.status.code(), Some(0), "{file:?}: {}", stdout(&checked));
        let (code, text) = said(root, &["lock", &given, "--agent", "backend"]);
        assert!(code == 1 && text.contains("is held by frontend[1]"), "{file:?}: {text}");
        let before = locks(root);
        let (code, text) = act("renew", 37);
        assert_eq!((code, locks(root)), (0, before), "{file:?}: {text}");
        let (code, text) = act("unlock", 38);
        assert_eq!((code, locks(root).len()), (0, 0), "{file:?}: {text}");
        assert_eq!(act("lock", 37).0, 0, "{file:?}");
        let (code, text) = said(root, &["clean", "--now", &at(59)]);
        assert_eq!((code, locks(root).len()), (0, 0), "{file:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_may_be_a_lock() {
    let folder = session();
    let root = folder.path();
    fs::create_dir_all(root.join(SESSION).join("locks")).unwrap();
    std::os::unix::fs::symlink("gone", root.join(SESSION).join("locks/a.rs-web-1.lock")).unwrap();
    for verb in ["lock", "unlock", "renew"] {
        let (code, text) = said(root, &[verb, "a.rs", "--agent", "web"]);
        assert!(code == 1 && text.contains("it is a symbolic link that leads nowhere"), "{verb}: {text}");
    }
    assert!(said(root, &["status"]).1.contains("a.rs-web-1.lock: it is a symbolic link that leads nowhere"));
}

#[cfg(unix)]
#[test]
fn hard_links_are_one_file() {
    let folder = session();
    let root = folder.path();
    write(root, "a.rs", "");
    fs::hard_link(root.join("a.rs"), root.join("b.rs")).unwrap();
    assert_eq!(said(root, &["lock", "a.rs", "--agent", "x"]).0, 0);
    let (code, text) = said(root, &["lock", "b.rs", "--agent", "y"]);
    assert!(code == 1 && text.contains("b.rs is held by x"), "{text}");
    assert_eq!(said(root, &["unlock", "b.rs", "--agent", "x"]).0, 0);
    assert_eq!(said(root, &["lock", "b.rs", "--agent", "y"]).0, 0);
}

#[test]
fn instances_have_numbers_from_one() {
    let folder = session();
    for agent in [["web", "--instance", "0"].as_slice(), &["web[0]"]] {
        let (code, text) = said(folder.path(), &[&["lock", "a", "--agent"], agent].concat());
        assert!(code == 2 && text.contains("`web[0]` has the number 0") && text.contains("help"), "{text}");
    }
}

#[test]
fn no_file_is_locked_in_a_session_that_has_ended() {
    let folder = session();
    let root = folder.path();
    assert_eq!(said(root, &["lock", "a", "--agent", "x"]).0, 0);
    write(root, format!("{SESSION}/session-status.md"), status("completed"));
    let (code, text) = said(root, &["lock", "b", "--agent", "x", "--session", SESSION]);
    assert!(code == 2 && text.contains("session 2024-01-15T10-00-00 is completed") && text.contains("help"), "{text}");
    assert_eq!(said(root, &["unlock", "a", "--agent", "x", "--session", SESSION]).0, 0);
}

#[test]
fn the_time_that_is_left_is_counted_in_whole_seconds() {
    let folder = session();
    let root = folder.path();
    let lock = |ttl: &str| {
        let output = squad_lint(root).args(["session", "lock", ttl, "--agent", "x", "--ttl", ttl]).output().unwrap();
        stdout(&output)
    };
    let text = lock("120");
    assert!(text.contains("(120 seconds)") || text.contains("(119 seconds)"), "{text}");
    let text = lock("1");
    assert!(text.contains("(1 second)") || text.contains("(0 seconds)"), "{text}");
}

#[test]
fn the_instance_that_holds_the_file_is_named() {
    let folder = session();
    let root = folder.path();
    assert_eq!(said(root, &["lock", "a", "--agent", "frontend[1]"]).0, 0);
    for (agent, is_named) in [("frontend", true), ("frontend[2]", false), ("backend", false)] {
        let (code, text) = said(root, &["unlock", "a", "--agent", agent]);
        assert_eq!((code, text.contains("use `--agent 'frontend[1]'`")), (1, is_named), "{text}");
    }
    assert_eq!(said(root, &["unlock", "a", "--agent", "frontend[1]"]).0, 0);
}

#[test]
fn a_lock_that_check_would_report_is_doubted() {
    let folder = session();
    let root = folder.path();
    let plan = |task: &str, agent: &str| {
        format!(
            "meta:\n  task_id: {task}\n  agent: {agent}\n  created_at: 2024-01-15T10:05:00Z\n  priority: high\ninstruction: work\n"
        )
    };
    write(root, format!("{SESSION}/role-plan-backend-task_001.md"), plan("task_001", "backend"));
    let checked = || {
        let output = squad_lint(root).args(["check", "--now", super::NOW, "--format", "compact"]).output().unwrap();
        stdout(&output)
    };
    for (args, said, found) in [
        (&["--agent", "backend", "--task", "task_001"][..], "", ""),
        (&["--agent", "frontend[1]"], "", ""),
        (&["--agent", "supervisor"], "", ""),
        (&["--agent", "backnd"], "agent `backnd` is not in the session; did you mean `backend`?", "not in the session"),
        (&["--agent", "zoe"], "agent `zoe` is not in the session\n", "not in the session"),
        (
            &["--agent", "backend", "--task", "task_002"],
            "task `task_002` has no plan in the session\n",
            "has no plan in the session",
        ),
        (
            &["--agent", "backend", "--task", "tsk_001"],
            "task `tsk_001` has no plan in the session; did you mean `task_001`?",
            "has no plan in the session",
        ),
        (
            &["--agent", "frontend[1]", "--task", "task_001"],
            "task `task_001` has another agent, `backend`",
            "for a task of",
        ),
    ] {
        let output = run(root, &[&["lock", "a.rs", "--ttl", "60"], args].concat());
        assert_eq!(
            (output.status.code(), stderr(&output).is_empty()),
            (Some(0), said.is_empty()),
            "{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        let checked = checked();
        let about_locks = checked.lines().filter(|line| line.contains(".lock:")).collect::<Vec<_>>();
        assert_eq!(about_locks.is_empty(), found.is_empty(), "{args:?}: {checked}");
        assert!(found.is_empty() || about_locks[0].contains(found), "{checked}");
        assert_eq!(run(root, &["unlock", "a.rs", args[0], args[1]]).status.code(), Some(0));
    }
    // The plan that cannot be read may have the task, and name the agent.
    write(root, format!("{SESSION}/role-plan-zoe-task_009.md"), "meta: [");
    let output = run(root, &["lock", "a.rs", "--agent", "zoe", "--task", "task_009"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(!checked().lines().any(|line| line.contains(".lock:")), "{}", checked());
}

#[cfg(unix)]
#[test]
fn a_lock_is_respected_when_another_branch_does_not_have_the_file() {
    let folder = session();
    let root = folder.path();
    write(root, "real/a", "x");
    std::os::unix::fs::symlink("real/a", root.join("alias")).unwrap();
    assert_eq!(run(root, &["lock", "alias", "--agent", "frontend[1]"]).status.code(), Some(0));
    fs::remove_dir_all(root.join("real")).unwrap();
    for file in ["alias", "real/a"] {
        let output = run(root, &["lock", file, "--agent", "backend"]);
        assert_eq!(output.status.code(), Some(1), "{file}: {}", stdout(&output) + &stderr(&output));
    }
    // And so is one that was taken there.
    assert_eq!(run(root, &["unlock", "alias", "--agent", "frontend[1]"]).status.code(), Some(0));
    assert_eq!(run(root, &["lock", "alias", "--agent", "backend"]).status.code(), Some(0));
    write(root, "real/a", "x");
    assert_eq!(run(root, &["lock", "real/a", "--agent", "frontend[1]"]).status.code(), Some(1));
}

#[test]
fn a_file_has_one_name_whatever_the_root_of_a_run_is() {
    for with_git in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let path = format!("sub/{SESSION}");
        write(root, format!("{path}/session-status.md"), status("active"));
        write(root, "sub/f", "");
        if with_git {
            run_git(root, &["init", "--quiet"]);
        }
        let sub = root.join("sub");
        let runs: [(&Path, &[&str]); 4] = [
            (&sub, &["f"]),
            (&sub, &["f", "--root", "."]),
            (root, &["sub/f", "--session", &path]),
            (root, &["sub/f", "--root", ".", "--session", &path]),
        ];
        for (first, (cwd, args)) in runs.iter().enumerate() {
            assert_eq!(said(cwd, &[&["lock", "--agent", "a"], *args].concat()).0, 0, "{args:?}");
            for (cwd, args) in runs {
                let (code, text) = said(cwd, &[&["lock", "--agent", "b"], args].concat());
                assert!(code == 1 && text.contains("is held by a"), "git {with_git}, {first}, {args:?}: {text}");
            }
            let (cwd, args) = runs[(first + 1) % runs.len()];
            assert_eq!(said(cwd, &[&["unlock", "--agent", "a"], args].concat()).0, 0, "{args:?}");
        }
    }
}

#[test]
fn a_path_that_can_be_read_in_two_ways_holds_both_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let path = format!("sub/{SESSION}");
    write(root, format!("{path}/session-status.md"), status("active"));
    run_git(root, &["init", "--quiet"]);
    let lock = "file: f\nlocked_by: b\nlocked_at: 2024-01-15T10:00:00Z\nexpires_at: 2024-01-15T11:00:00Z\n";
    write(root, format!("{path}/locks/f-b-1.lock"), lock);
    for (file, code) in [("f", 1), ("sub/f", 1), ("sub/sub/f", 0)] {
        assert_eq!(said(root, &["lock", file, "--agent", "a", "--session", &path]).0, code, "{file}");
    }
}
