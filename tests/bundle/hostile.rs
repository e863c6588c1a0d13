//! Bundles that somebody made to do harm: an import writes nothing at all.

use std::fs::{self, File};
use std::path::Path;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::{bundle, contents, portable, project_in};
use crate::support::{squad_lint, stderr, stdout, write};

/// Names that must not become names of files, on any system.
fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "",
        ".",
        "..",
        "../x",
        "../../x",
        "../../../../../../tmp/x",
        "..\\x",
        "..\\..\\x",
        "a/../../x",
        "a/b",
        "a\\b",
        "/x",
        "/etc/x",
        "\\x",
        "\\\\host\\share\\x",
        "//host/x",
        "\\\\?\\C:\\x",
        "C:",
        "C:x",
        "C:/x",
        "C:\\x",
        "x:stream",
        "file:///x",
        "a\0",
        "\0",
        "a\0/../x",
        "a\nb",
        "a\rb",
        "\u{1b}[31m",
        "\u{7f}",
        "a*",
        "a?",
        "a|b",
        "<a>",
        "\"a\"",
        "a.",
        "a ",
        " a",
        "...",
        "a..",
        "con",
        "CON",
        "prn",
        "aux",
        "nul",
        "Nul.txt",
        "com1",
        "LPT9.md",
        "com\u{b9}",
        "conin$",
        "__proto__",
        "a\u{200b}b",
        "\u{feff}a",
        "a\u{202e}b",
        "a\u{ad}b",
        "e\u{301}",
        "a\u{2044}b",
        "a\u{ff0f}b",
        "\u{2025}",
        ".git",
        ".GIT",
        ".gitattributes",
        "git~1",
        "a\u{3164}",
        "\u{115f}",
    ]
    .map(String::from)
    .to_vec();
    names.push("a".repeat(201));
    names.push("../".repeat(400) + "x");
    names.push("ä".repeat(150));
    names
}

/// An export of the tool of Squad.
fn export() -> Value {
    let whole = portable();
    json!({
        "version": "1.0",
        "casting": { "registry": whole["casting"]["registry"] },
        "agents": whole["agents"],
        "team_md": whole["team"],
        "skills": [],
    })
}

/// Each hostile bundle with a name for messages.
fn bundles() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for name in names() {
        for (format, whole) in [("portable", portable()), ("export", export())] {
            let mut of_agent = whole.clone();
            of_agent["agents"][&name] = json!({ "charter": "# X — Y\n", "history": "# X\n" });
            all.push((format!("agent {name:?} of {format}"), of_agent.to_string()));
            let mut of_casting = whole;
            of_casting["casting"][&name] = json!({ "agents": {} });
            all.push((format!("casting {name:?} of {format}"), of_casting.to_string()));
        }
    }
    let text = portable().to_string();
    let mut add = |name: &str, text: String| all.push((name.to_owned(), text));
    for (one, other) in [("x", "X"), ("straße", "STRASSE"), ("weiß", "WEI\u{1e9e}"), ("\u{212a}", "k")] {
        let mut whole = portable();
        whole["agents"][one] = json!({ "charter": "# One — X\n" });
        whole["agents"][other] = json!({ "charter": "# Other — X\n" });
        add(&format!("{one} and {other}"), whole.to_string());
    }
    let agents: serde_json::Map<String, Value> =
        (0..10_000).map(|number| (format!("a{number}"), json!({ "charter": "# A — B\n" }))).collect();
    let mut many = portable();
    many["agents"] = Value::Object(agents);
    add("10,000 agents", many.to_string());
    add(
        "depth 10,000",
        text.replacen("\"policy\":{", &format!("\"policy\":{{\"x\":{}{},", "[".repeat(10_000), "]".repeat(10_000)), 1),
    );
    add(
        "duplicate agents",
        text.replacen("\"agents\":{\"keaton\":{\"charter\"", "\"agents\":{\"keaton\":{},\"keaton\":{\"charter\"", 1),
    );
    add("duplicate version", text.replacen('{', "{\"squad_format_version\":\"1.0\",", 1));
    add("a reserved key in the registry", text.replacen("\"keaton\":{\"persistent", "\"__proto__\":{\"persistent", 1));
    add("a reserved key at the top", text.replacen('{', "{\"__proto__\":{\"team\":1},", 1));
    add("half of a pair", text.replacen("Keaton", "\\ud800", 1));
    add("an escape that is none", text.replacen("Keaton", "\\u12g4", 1));
    add("an escaped traversal", text.replacen("\"keaton\":{\"charter\"", "\"\\u002e\\u002e\\u002fx\":{\"charter\"", 1));
    add("a control character", text.replacen("Keaton", "\u{1}", 1));
    add("cut off", text.chars().take(200).collect());
    add("nothing", String::new());
    add("another language", "[team]\n".to_owned());
    add("another version", text.replacen("\"1.0\"", "\"9.0\"", 1));
    // Larger than a file may be; `a_string_of_100_mb_breaks_nothing` allows it.
    add("a string of 100 MB", text.replacen("# Keaton — Lead", &"a".repeat(100_000_000), 1));
    add("a blank team", text.replacen("\"team\":\"", "\"team\":\"\",\"x\":\"", 1));
    all
}

#[test]
fn nothing_is_written_and_each_is_refused_with_a_reason() {
    let all = bundles();
    assert!(all.len() >= 200, "{}", all.len());
    let wrong: Vec<String> = all
        .par_iter()
        .filter_map(|(name, text)| {
            let folder = tempfile::tempdir().unwrap();
            let project = project_in(&folder.path().join("a/b/c"));
            write(folder.path(), "team.squad", text);
            let before = contents(folder.path());
            let output = bundle(&project, &["import", "../../../../team.squad"]);
            let is_refused = output.status.code() == Some(2) && stdout(&output).is_empty();
            let is_named = ["[bundle/", "[lint/file-too-large]"].iter().any(|rule| stderr(&output).contains(rule))
                && stderr(&output).contains("error: ");
            let is_untouched = contents(folder.path()) == before && fs::read_dir(&project).unwrap().next().is_none();
            let is_harmless = !stderr(&output).contains(['\0', '\u{1b}', '\u{202e}']);
            let is_right = is_refused && is_named && is_untouched && is_harmless;
            (!is_right)
                .then(|| format!("{name}: {is_refused} {is_named} {is_untouched} {is_harmless}\n{}", stderr(&output)))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    // 100 MB, of which none is on the disk.
    File::create(folder.path().join("team.squad")).unwrap().set_len(100_000_000).unwrap();
    let output = bundle(&project, &["import", "../team.squad"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("max-file-bytes"), "{}", stderr(&output));
    assert!(stderr(&output).contains("error[lint/file-too-large]"), "{}", stderr(&output));
    assert!(is_empty(&project));
    let output = squad_lint(folder.path()).arg("team.squad").output().unwrap();
    assert!(stderr(&output).contains("max-file-bytes") && output.status.code() == Some(2), "{}", stderr(&output));
}

#[test]
fn skills_without_number_are_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let mut whole = export();
    whole["skills"] = json!(vec![""; 10_000]);
    write(folder.path(), "squad-export.json", whole.to_string());
    let output = bundle(&project, &["import", "../squad-export.json"]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("has more than 1000 skills"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("error[bundle/too-large]"), "{}", stderr(&output));
    assert!(is_empty(&project));
}

#[test]
fn a_string_of_100_mb_breaks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = portable().to_string();
    // Who allows such files gets an answer, too: control characters are no JSON, and a charter of blanks is no charter.
    for (filler, rule) in [("\u{1}", "[bundle/invalid-json]"), (" ", "[charter/empty]")] {
        let project = project_in(&folder.path().join(rule.trim_matches(['[', ']'])));
        write(&project, "squad-lint.toml", "max-file-bytes = 200000000\n");
        let long = filler.repeat(100_000_000);
        let whole = text.replacen("# Scribe — Session Logger\\n", &long, 1);
        assert!(whole.len() > 100_000_000);
        write(folder.path(), "team.squad", whole);
        let output = bundle(&project, &["import", folder.path().join("team.squad").to_str().unwrap()]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(rule), "{}", stderr(&output));
        assert!(stderr(&output).len() < 100_000 && !project.join(".squad").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_in_the_place_of_the_target_are_not_followed() {
    use std::os::unix::fs::symlink;
    for leads in ["../outside", "../nowhere", "."] {
        for place in [".squad", ".ai-team"] {
            let folder = tempfile::tempdir().unwrap();
            let project = project_in(folder.path());
            fs::create_dir(folder.path().join("outside")).unwrap();
            symlink(leads, project.join(place)).unwrap();
            write(folder.path(), "team.squad", portable().to_string());
            let output = bundle(&project, &["import", "../team.squad"]);
            assert!(stderr(&output).contains("there is a squad already"), "{}", stderr(&output));
            assert!(is_empty(&folder.path().join("outside")));
            assert_eq!(fs::read_dir(&project).unwrap().count(), 1);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_import_that_fails_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    write(folder.path(), "team.squad", portable().to_string());
    fs::set_permissions(&project, fs::Permissions::from_mode(0o555)).unwrap();
    let output = bundle(&project, &["import", "../team.squad"]);
    fs::set_permissions(&project, fs::Permissions::from_mode(0o755)).unwrap();
    // Root may write everywhere.
    if output.status.code() == Some(2) {
        assert!(stderr(&output).contains("cannot write the squad"), "{}", stderr(&output));
        assert!(is_empty(&project));
    }
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn a_text_with_nul_is_never_imported() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(&folder.path().join("app"));
    for pointer in ["/agents/keaton/history", "/agents/keaton/charter", "/team", "/routing"] {
        let mut whole = portable();
        *whole.pointer_mut(pointer).unwrap() = json!("# A\n\nText\0 and\0 more\n");
        write(&project, "team.squad", whole.to_string());
        let output = bundle(&project, &["import", "team.squad", "--allow-findings"]);
        assert_eq!(output.status.code(), Some(2), "{pointer}: {}", stderr(&output));
        let error = stderr(&output);
        assert!(
            error.contains("contains a NUL (U+0000) (1 more in this file)") && error.contains("[bundle/wrong-type]"),
            "{pointer}: {error}"
        );
        assert!(!project.join(".squad").exists(), "{pointer}");
    }
}

#[test]
fn many_escapes_are_deleted_in_one_pass() {
    let folder = tempfile::tempdir().unwrap();
    let history = format!("# Keaton\n\n{}", "a\u{1b}[8m\n".repeat(30_000));
    write(folder.path(), ".squad/agents/keaton/history.md", &history);
    let args = ["--select", "security/terminal-escape", "--fix", "--unsafe-fixes", "."];
    let output = squad_lint(folder.path()).arg("check").args(args).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let left = std::fs::read_to_string(folder.path().join(".squad/agents/keaton/history.md")).unwrap();
    assert!(!left.contains('\u{1b}') && left.lines().count() == 30_002, "{}", left.len());
    assert!(stdout(&output).contains("fixed 1 problem"), "{}", stdout(&output));
}

#[test]
fn many_hidden_characters_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = portable();
    whole["agents"]["keaton"]["history"] = json!("a\u{200b}b\u{202e}".repeat(3000));
    write(folder.path(), "team.squad", whole.to_string());
    let output = squad_lint(folder.path()).args(["check", "--format", "compact", "team.squad"]).output().unwrap();
    let text = stdout(&output);
    assert_eq!(text.matches("[security/hidden-unicode]").count(), 1001, "{}", text.len());
    assert!(text.contains("text contains hidden characters at 5000 more places"), "{}", text.len());
}
