//! Entries that a change takes away: what is lost, what only stands elsewhere, and that the help brings it back.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::good;
use crate::support::repo::Repo;
use crate::support::{NOW, git, squad_lint, stderr};

pub const FILE: &str = ".squad/decisions.md";
pub const ARCHIVE: &str = ".squad/decisions-archive.md";
pub const INBOX: &str = ".squad/decisions/inbox/verbal-tabs.md";

const LEGACY: &str = "### 2026-02-10: Tabs in all files\n\n**By:** Verbal\n\n**What:** All files of the shell are \
                      indented with tabs, and never with blanks.\n\n**Why:** Blanks broke the here documents twice.\n\n";

/// One commit with three entries, and one in the inbox.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(FILE, [good(1), good(2), good(3)].concat());
    repo.write(INBOX, LEGACY);
    repo.commit("first");
    repo
}

pub fn findings(repo: &Repo, args: &[&str]) -> Vec<Value> {
    let fixed = ["--format", "json", "--now", NOW, "--select", "memory/entry-lost"];
    let output = squad_lint(&repo.path).args(fixed).args(args).output().unwrap();
    let json: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    json["diagnostics"].as_array().unwrap().clone()
}

fn count(repo: &Repo) -> usize {
    findings(repo, &["--staged"]).len()
}

/// The first command that the help names.
fn command(finding: &Value) -> String {
    finding["help"].as_str().unwrap().split('`').nth(1).unwrap().to_owned()
}

fn run(repo: &Repo, command: &str) -> String {
    let mut shell = Command::new("sh");
    shell.current_dir(&repo.path).args(["-c", command]);
    for (name, value) in git(&repo.path).get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.output().unwrap();
    assert!(output.status.success(), "`{command}`: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_entry_that_stands_nowhere_any_more() {
    let repo = repo();
    repo.stage(FILE, [good(1), good(3)].concat());
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["path"], FILE);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("this change removes note `Number 2` (`2026-02-15T14:02:15-0800`)"), "{message}");
    // The lines that the help names are the entry.
    let old = run(&repo, &command(&found[0]));
    let help = found[0]["help"].as_str().unwrap();
    assert!(help.contains("copy lines 11–19"), "{help}");
    let lines: Vec<&str> = old.lines().skip(10).take(9).collect();
    assert_eq!(lines.join("\n") + "\n", good(2).trim_end().to_owned() + "\n");
    repo.commit("second");
    assert_eq!(findings(&repo, &["--from", "HEAD~1"]).len(), 1);
    assert_eq!(findings(&repo, &["--from", "HEAD~1", "--all-lines"]).len(), 1);
    assert_eq!(findings(&repo, &[]).len(), 0);
}

#[test]
fn a_deleted_file_comes_back_word_for_word() {
    let repo = repo();
    repo.git(&["rm", "--quiet", INBOX]);
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["path"], INBOX);
    run(&repo, &command(&found[0]));
    assert_eq!(fs::read_to_string(repo.path.join(INBOX)).unwrap(), LEGACY);
    assert_eq!(count(&repo), 0);
    repo.git(&["rm", "--quiet", INBOX]);
    repo.git(&["commit", "--quiet", "--message", "second"]);
    // The branch that is compared with has moved on: the command names the commit in which they meet.
    repo.git(&["branch", "topic"]);
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    repo.git(&["rm", "--quiet", "-r", ".squad"]);
    repo.write(".squad/x.md", "# x\n");
    repo.commit("elsewhere");
    repo.git(&["switch", "--quiet", "topic"]);
    let found = findings(&repo, &["--from", "main"]);
    assert_eq!(found.len(), 1);
    run(&repo, &command(&found[0]));
    assert_eq!(fs::read_to_string(repo.path.join(INBOX)).unwrap(), LEGACY);
}

#[test]
fn what_stands_elsewhere_is_not_lost() {
    let repo = repo();
    let three = [good(1), good(2), good(3)];
    let of_one: [(&str, Vec<(&str, String)>); 6] = [
        ("moved in its file", vec![(FILE, [good(3), good(1), good(2)].concat())]),
        ("archived", vec![(FILE, [good(1), good(3)].concat()), (ARCHIVE, good(2))]),
        ("edited", vec![(FILE, three.concat().replace("Sentence 2.", "Another sentence altogether."))]),
        ("another time", vec![(FILE, three.concat().replace("14:02:15", "14:02:16"))]),
        ("another spelling", vec![(FILE, three.concat().replace("14:02:15-0800", "22:02:15Z"))]),
        ("moved out of the state", vec![(FILE, good(1)), ("docs/old.md", [good(2), good(3)].concat())]),
    ];
    for (what, files) in of_one {
        for (path, text) in files {
            repo.stage(path, text);
        }
        assert_eq!(count(&repo), 0, "{what}");
        repo.git(&["reset", "--quiet", "--hard"]);
    }
    // Merged from the inbox into decisions.md.
    repo.git(&["rm", "--quiet", INBOX]);
    repo.stage(FILE, three.concat() + LEGACY);
    assert_eq!(count(&repo), 0);
    // Rewritten on the way: the title and most of the words stay.
    repo.stage(FILE, three.concat() + &LEGACY.replace("### 2026-02-10: ", "## ").replace("**Why:** ", "> "));
    assert_eq!(count(&repo), 0);
    // It stood there before.
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.stage(ARCHIVE, LEGACY);
    repo.commit("second");
    repo.git(&["rm", "--quiet", INBOX]);
    assert_eq!(count(&repo), 0);
}

#[test]
fn what_leaves_git_and_not_the_disk_is_not_lost() {
    let repo = repo();
    repo.git(&["rm", "--quiet", "-r", "--cached", ".squad"]);
    assert_eq!(count(&repo), 0);
    repo.stage(".gitignore", ".squad/\n");
    repo.git(&["commit", "--quiet", "--message", "second"]);
    assert_eq!(findings(&repo, &["--from", "HEAD~1"]).len(), 0);
    let repo = self::repo();
    repo.git(&["rm", "--quiet", "-r", ".squad"]);
    assert_eq!(count(&repo), 4);
}

#[test]
fn a_renamed_root_loses_nothing_and_a_renamed_file_its_own_entries() {
    let repo = repo();
    repo.git(&["mv", ".squad", ".ai-team"]);
    assert_eq!(count(&repo), 0);
    repo.stage(".ai-team/decisions.md", [good(1), good(2)].concat());
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["path"], ".ai-team/decisions.md");
    assert!(run(&repo, &command(&found[0])).contains("Number 3"));
}

#[test]
fn of_several_entries_with_one_title_each_counts() {
    let repo = Repo::new();
    let of = |day: u8, what: &str| format!("### 2026-02-{day}: User directive\n\n**By:** Brady\n**What:** {what}\n\n");
    let (tabs, names) = (of(10, "All files are indented with tabs"), of(11, "Names of branches start with a number"));
    repo.write(FILE, [tabs.as_str(), &names].concat());
    repo.commit("first");
    repo.stage(FILE, &tabs);
    assert_eq!(count(&repo), 1);
}

#[test]
fn a_converted_entry_is_not_lost() {
    let repo = repo();
    repo.stage(FILE, [good(1), LEGACY.to_owned()].concat());
    repo.commit("second");
    let output = squad_lint(&repo.path).args(["convert", FILE]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let new = fs::read_to_string(repo.path.join(FILE)).unwrap();
    assert!(new.contains("### 2026-02-10T00:00:00+0000: "), "{new}");
    repo.git(&["rm", "--quiet", INBOX]);
    repo.git(&["add", FILE]);
    assert_eq!(count(&repo), 0);
}

#[test]
fn an_unreadable_object_is_no_clean_run() {
    let repo = repo();
    repo.stage(FILE, [good(1), good(3)].concat());
    repo.damage("HEAD:.squad/decisions.md");
    let args = ["--staged", "--select", "memory/entry-lost", "--all-lines"];
    let output = squad_lint(&repo.path).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

const ENTRY: &str = "### 2026-02-10: Cache answers of the registry\n\n**By:** Verbal\n\n**What:** The proxy keeps answers of the \
                     package registry for an hour, because the registry throttles parallel installs on build machines.\n\n\
                     **Why:** Three nightly builds failed with throttled installs last week.\n\n";

#[test]
fn an_entry_in_other_words_is_a_warning_with_its_place() {
    let repo = repo();
    repo.write(FILE, [good(1), ENTRY.into()].concat());
    repo.commit("second");
    let reworded = "### 2026-03-01: Proxy settings\n\n**By:** Wren\n\n**What:** Build machines reach the registry over a proxy. \
                    It caches packages, since throttled parallel installs made nightly builds fail.\n\n";
    repo.stage(FILE, [good(1), reworded.into()].concat());
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = found[0]["message"].as_str().unwrap();
    assert_eq!(
        (found[0]["severity"].as_str(), message),
        (
            Some("warning"),
            "this change removes entry `Cache answers of the registry` (`2026-02-10`); reworded in `.squad/decisions.md:11`?"
        )
    );
    // A block about something else is none.
    repo.stage(FILE, [good(1), reworded.replace("registry", "office").replace("installs", "meetings")].concat());
    let other = "### 2026-03-01: Lunch\n\n**By:** Wren\n\n**What:** The team orders lunch on Fridays at the shop next door, \
                 unless somebody objects before noon.\n\n";
    repo.stage(FILE, [good(1), other.into()].concat());
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found[0]["severity"], "error", "{found:?}");
}

#[test]
fn an_entry_of_the_same_day_and_title_is_that_entry() {
    let repo = repo();
    repo.write(FILE, [good(1), ENTRY.into()].concat());
    repo.commit("second");
    let rewritten =
        "### Cache answers of the registry\n\n**Date:** 2026-02-10\n**By:** Wren\n\n**What:** See the wiki.\n\n";
    repo.stage(FILE, [good(1), rewritten.into()].concat());
    assert_eq!(count(&repo), 0);
}

#[test]
fn a_file_that_lost_many_entries_has_one_finding() {
    let numbered = |number: usize| {
        let words = [
            "anchor", "bridge", "copper", "dragon", "ember", "falcon", "garden", "harbor", "island", "jungle", "kettle",
        ];
        let word = words[number % words.len()];
        format!(
            "### 2026-02-{:02}: The {word} of part {number}\n\n**By:** Verbal\n\n**What:** A {word} is {word}.\n\n",
            number + 1
        )
    };
    let repo = repo();
    let all: String = (0..11).map(numbered).collect();
    repo.write(FILE, good(1) + &all);
    repo.commit("second");
    repo.stage(FILE, good(1) + &numbered(0));
    assert_eq!(count(&repo), 10);
    repo.stage(FILE, good(1));
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["message"], "this change removes 11 entries, and no archive has them");
    let notes = found[0]["notes"].to_string();
    assert!(notes.contains("The anchor of part 0") && notes.contains("The jungle of part 9"), "{notes}");
    assert!(notes.contains("and 1 more") && !notes.contains("kettle"), "{notes}");
    assert!(run(&repo, &command(&found[0])).contains("The kettle of part 10"));
}

/// A team that is about to move its decisions to a branch of its own, which has `on_branch`. The next commit takes them out of `main`.
fn moved_to_branch(on_branch: &str, backend: &str) -> Repo {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    repo.git(&["rm", "-r", "--quiet", "--force", "."]);
    repo.write("README.md", "# State\n");
    repo.write("decisions.md", on_branch);
    repo.commit("state");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write(".squad/config.json", format!("{{\"version\": 1, \"stateBackend\": \"{backend}\"}}\n"));
    repo.write(".gitignore", ".squad/decisions.md\n.squad/decisions/inbox/\n");
    repo.git(&["rm", "-r", "--quiet", ".squad/decisions.md", ".squad/decisions"]);
    repo.git(&["add", "--all"]);
    repo
}

#[test]
fn what_moves_to_the_state_branch_is_not_lost() {
    let all = [good(1), good(2), good(3), LEGACY.to_owned()].concat();
    for backend in ["orphan", "two-layer", "git-notes"] {
        let repo = moved_to_branch(&all, backend);
        assert_eq!(findings(&repo, &["--staged"]), [Value::Null; 0], "{backend}");
        repo.commit("moved");
        assert_eq!(findings(&repo, &["--from", "HEAD~1"]), [Value::Null; 0], "{backend}");
    }
    // Its own copy may be behind that of a remote.
    let repo = moved_to_branch(&all, "orphan");
    repo.git(&["update-ref", "refs/remotes/origin/squad-state", "squad-state"]);
    repo.git(&["checkout", "--quiet", "--force", "squad-state"]);
    repo.write("decisions.md", good(1));
    repo.commit("behind");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["rm", "-r", "--quiet", ".squad/decisions.md", ".squad/decisions"]);
    repo.stage(".squad/config.json", "{\"stateBackend\": \"orphan\"}\n");
    assert_eq!(findings(&repo, &["--staged"]), [Value::Null; 0]);
}

#[test]
fn what_the_state_branch_does_not_have_is_lost() {
    let some = [good(1), good(3)].concat();
    let is_lost = |repo: &Repo, args: &[&str]| {
        let found = findings(repo, args);
        let messages: Vec<&str> = found.iter().map(|one| one["message"].as_str().unwrap()).collect();
        assert_eq!(messages.len(), 2, "{args:?} {messages:?}");
        assert!(messages[0].contains("Number 2") && messages[1].contains("Tabs in all files"), "{messages:?}");
        let end = "and neither an archive nor `squad-state` contains it";
        assert!(messages.iter().all(|message| message.ends_with(end)), "{messages:?}");
        assert!(found.iter().all(|one| one["severity"] == "error"));
        run(repo, &command(&found[0]));
    };
    let repo = moved_to_branch(&some, "orphan");
    is_lost(&repo, &["--staged"]);
    repo.git(&["rm", "--quiet", "--force", ".squad/decisions.md"]);
    repo.commit("moved");
    is_lost(&repo, &["--from", "HEAD~1"]);
    // A leftover branch of a team that has its state in its folder does not count, and an ignored file may be on disk.
    let repo = moved_to_branch(&[good(1), good(2), good(3), LEGACY.to_owned()].concat(), "local");
    assert_eq!(findings(&repo, &["--staged"]).len(), 4);
}

#[test]
fn without_the_state_branch_nobody_knows() {
    let repo = moved_to_branch("", "orphan");
    repo.git(&["branch", "--quiet", "-D", "squad-state"]);
    let found = findings(&repo, &["--staged"]);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|one| one["severity"] == "warning"));
    assert!(found[0]["help"].as_str().unwrap().contains("`git fetch origin squad-state:squad-state`"), "{found:?}");
    repo.commit("moved");
    assert_eq!(count(&repo), 0);
    // The ignored file may be on the branch that is not here.
    assert_eq!(findings(&repo, &["--from", "HEAD~1"]), [Value::Null; 0]);
}

const FRONT: &str = "---\nid: 9e496b6a\nclass: DECISION\nloadGuidance: [ALWAYS]\ntitle: \"Flags\"\nauthor: \"wren\"\n\
                     createdAt: 2026-02-10T13:27:25.436Z\nmetadata: {}\n---\n\nUse a feature flag for each risky change.\n";

/// What the file of an inbox can be, and the title of its entry.
const FORMS: [(&str, &str); 6] = [
    (FRONT, "entry `Flags` (`2026-02-10T13:27:25.436Z`)"),
    ("# Log rotation\n\nThe log rotates each night at two in the morning.\n", "entry `Log rotation`"),
    ("The log rotates each night at two.\n\nIt was too long.\n", "entry `The log rotates each night at two.`"),
    (
        "**By:** Wren\n**What:** The log rotates each night.\n**Why:** It was too long.\n",
        "entry `The log rotates each night.`",
    ),
    (
        "---\nagent: wren\ndate: 2026-02-10\n---\n\nIntro.\n\n# Log rotation\n\nEach night at two.\n",
        "entry `Log rotation` (`2026-02-10`)",
    ),
    ("---\ntopic: logs\n---\n\n- The log rotates each night at two.\n", "entry `- The log rotates each night at two.`"),
];

/// The files of a team in its folder, or at the top of its state branch.
fn with_inbox(prefix: &str, form: &str) -> Repo {
    let repo = Repo::new();
    if prefix.is_empty() {
        repo.git(&["checkout", "--quiet", "--orphan", "squad-state"]);
    }
    repo.write(format!("{prefix}decisions.md"), good(1));
    repo.write(format!("{prefix}decisions/inbox/wren-a.md"), form);
    repo.write(format!("{prefix}decisions/inbox/README.md"), "The inbox.\n");
    repo.commit("first");
    repo
}

#[test]
fn a_file_of_the_inbox_is_an_entry_in_any_form() {
    for prefix in [".squad/", ""] {
        for (form, name) in FORMS {
            let (file, decisions) = (format!("{prefix}decisions/inbox/wren-a.md"), format!("{prefix}decisions.md"));
            let repo = with_inbox(prefix, form);
            repo.git(&["rm", "--quiet", &file]);
            let found = findings(&repo, &["--staged"]);
            assert_eq!(found.len(), 1, "{form} {found:?}");
            let message = found[0]["message"].as_str().unwrap();
            assert_eq!(message, format!("this change removes {name}, and no archive contains it"), "{form}");
            run(&repo, &command(&found[0]));
            assert_eq!(fs::read_to_string(repo.path.join(&file)).unwrap(), form);
            repo.git(&["rm", "--quiet", &file]);
            repo.commit("second");
            assert_eq!(findings(&repo, &["--from", "HEAD~1", "--to", "HEAD"]).len(), 1, "{form}");
            // Merged as it is, or its text alone.
            let repo = with_inbox(prefix, form);
            repo.git(&["rm", "--quiet", &file]);
            let text = form.rsplit("---\n").next().unwrap();
            for merged in [form.to_owned(), format!("### 2026-02-10: About it\n\n**By:** Wren\n\n{text}")] {
                repo.stage(&decisions, good(1) + "\n" + &merged);
                assert_eq!(count(&repo), 0, "{merged}");
            }
            // Edited, but not emptied, and not overwritten by another entry.
            let repo = with_inbox(prefix, form);
            repo.stage(&file, form.replace("night", "week").replace("risky", "new") + "\nMore of it.\n");
            assert_eq!(count(&repo), 0, "{form}");
            repo.stage(&file, "\n");
            assert_eq!(count(&repo), 1, "{form}");
        }
    }
    let repo = with_inbox(".squad/", FRONT);
    let other = FRONT.replace("9e496b6a", "77aa01bc").replace("Flags", "Retries");
    repo.stage(
        ".squad/decisions/inbox/wren-a.md",
        other.replace("a feature flag for each risky", "three attempts on a"),
    );
    assert_eq!(count(&repo), 1);
    // The tools of Squad deleted it, or it is no entry.
    repo.git(&["rm", "--quiet", "--force", ".squad/decisions/inbox/wren-a.md"]);
    repo.stage(".squad/memory/tombstones/9e496b6a.json", "{\"id\": \"9e496b6a\"}\n");
    repo.git(&["rm", "--quiet", ".squad/decisions/inbox/README.md"]);
    assert_eq!(count(&repo), 0);
}

fn titled(title: &str, what: &str) -> String {
    format!("### 2026-02-10: {title}\n\n**By:** Wren\n**What:** {what}\n\n")
}

#[test]
fn two_decisions_with_one_day_and_title_are_two() {
    let (cache, clear) = ("The cache lives for ten minutes in memory.", "Each deployment clears everything first.");
    for title in ["Cache", "Cache policy", "How the cache of answers works"] {
        // One of two in a file.
        let repo = Repo::new();
        repo.write(FILE, [titled(title, cache), titled(title, clear)].concat());
        repo.write(INBOX, titled(title, "Nobody stores answers of failed requests."));
        repo.commit("first");
        repo.stage(FILE, titled(title, cache));
        assert_eq!(count(&repo), 1, "{title}");
        // Another one has its place, from elsewhere or with the change.
        repo.git(&["reset", "--quiet", "--hard"]);
        repo.git(&["rm", "--quiet", INBOX]);
        assert_eq!(count(&repo), 1, "{title}");
        repo.stage(FILE, [titled(title, cache), titled(title, clear), "\n".to_owned()].concat());
        assert_eq!(count(&repo), 1, "{title}");
        // Edited in its place, and written in other words.
        repo.git(&["reset", "--quiet", "--hard"]);
        repo.stage(FILE, [titled(title, cache), titled(title, "Nothing of it at all is true.")].concat());
        assert_eq!(count(&repo), 0, "{title}");
        repo.stage(
            FILE,
            [titled(title, cache), titled(title, "All is empty after each deployment, which clears it.")].concat(),
        );
        assert_eq!(count(&repo), 0, "{title}");
        repo.git(&["reset", "--quiet", "--hard"]);
        repo.git(&["rm", "--quiet", INBOX]);
        repo.stage(ARCHIVE, titled(title, "Requests that failed are not stored, nor their answers."));
        assert_eq!(count(&repo), 0, "{title}");
    }
    // Of two SEM entries of one second, too.
    let (one, two) =
        (good(1), good(1).replace("Number 1", "Retries").replace("Sentence 1.", "Three attempts are enough."));
    let repo = Repo::new();
    repo.write(FILE, [one.as_str(), &two].concat());
    repo.commit("first");
    repo.stage(FILE, &one);
    assert_eq!(count(&repo), 1);
    repo.stage(ARCHIVE, two.replace("enough", "all that is allowed"));
    assert_eq!(count(&repo), 0);
}

#[test]
fn among_many_similar_titles_the_own_one_is_found() {
    let entry = |title: &str, what: &str| format!("### {title}\n\n**By:** Verbal\n**What:** {what}\n\n");
    let old = |i: usize| entry(&format!("Keep the cache of module a{i}"), &format!("Part{i} is built once, at start."));
    let new = |i: usize| entry(&format!("Always keep the cache of module a{i}"), &format!("Lists{i} never change."));
    let repo = Repo::new();
    let keep = entry("Tabs", "Nothing else.");
    repo.write(FILE, (0..400).map(old).collect::<String>() + &keep);
    repo.commit("first");
    repo.stage(FILE, &keep);
    // The last entry is the only one that is not there under a similar title of its own.
    repo.stage(ARCHIVE, (0..399).map(new).collect::<String>());
    let found = findings(&repo, &["--staged"]);
    let messages: Vec<&str> = found.iter().filter_map(|one| one["message"].as_str()).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("a399"), "{messages:?}");
}
