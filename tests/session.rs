//! A session that is asked again says what a new one says, and reads only the files that changed.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use squad_lint::engine::Progress;
use squad_lint::engine::session::Session;
use squad_lint::engine::target::{Scope, Target};
use squad_lint::outcome::Outcome;
use squad_lint::project::{At, Open, Project};
use squad_lint::select::input::Overlay;

use crate::support::random::{cases, learnings, memory};
use crate::support::repo::Repo;
use crate::support::{NOW, write};

const TEAM: &str = "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Hicks | Lead |\n";
const MANIFEST: &str =
    "team: harbour\nmembers:\n  - name: db\n    role: \"Stores\"\n    tools: [Read]\n    owns: [\"**\"]\n";

/// All that an outcome says, and what it points into.
fn said(outcome: &Outcome) -> String {
    let sources = outcome.sources.iter().map(|source| (source.path(), source.text()));
    let Outcome { diagnostics, suppressed, files, failures, git_failure, .. } = outcome;
    let sources: Vec<_> = sources.collect();
    format!("{diagnostics:#?}\n{suppressed:#?}\n{files} {failures:?} {git_failure:?}\n{sources:#?}")
}

fn open(folder: &Path) -> Project {
    let at = if folder.join(".git").exists() { At::Path(folder) } else { At::Root(folder) };
    Project::open_with(&Open { at, now: Some(NOW), ..Open::default() }).unwrap()
}

fn session<'p>(project: &'p Project, target: &Target, progress: &'p Progress) -> Session<'p> {
    let rules = project.rules(&["all".to_owned()], &[]).unwrap();
    Session::new(project, target.clone(), rules, progress).unwrap()
}

/// What a repository can hold, and overlays over it.
fn files() -> impl Strategy<Value = (Overlay, Vec<Overlay>)> {
    let all = || (memory(), learnings()).prop_map(|(one, two)| one.into_iter().chain(two).collect::<Overlay>());
    let some = || {
        (all(), any::<u16>()).prop_map(|(files, bits)| {
            let kept = files.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            kept.map(|(_, file)| file).collect::<Overlay>()
        })
    };
    (all(), prop::collection::vec(some(), 1..5))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_is_asked_again_is_what_a_new_session_says((files, overlays) in files()) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/team.md", TEAM);
        write(folder.path(), ".claude/team.yaml", MANIFEST);
        for (path, bytes) in &files {
            write(folder.path(), path.to_string(), bytes);
        }
        let (project, progress) = (open(folder.path()), Progress::default());
        let only = Target::Paths(vec![folder.path().join(".squad/decisions.md")]);
        let text = Target::Text { name: folder.path().join(".squad/decisions.md"), bytes: b"# Decisions\n".to_vec() };
        for target in [Target::Paths(Vec::new()), only, text] {
            let mut kept = session(&project, &target, &progress);
            for overlay in &overlays {
                let again = kept.check(overlay);
                let new = session(&project, &target, &progress).check(overlay);
                prop_assert_eq!(said(&again), said(&new));
                // Nothing is left of an overlay in the next check.
                let again = kept.check(&Overlay::new());
                prop_assert_eq!(said(&again), said(&session(&project, &target, &progress).check_once()));
            }
        }
    }

    #[test]
    fn files_that_change_on_disk_are_read_again((files, overlays) in files()) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ".squad/team.md", TEAM);
        for (path, bytes) in &files {
            write(folder.path(), path.to_string(), bytes);
        }
        let (project, progress) = (open(folder.path()), Progress::default());
        let target = Target::Paths(Vec::new());
        let mut kept = session(&project, &target, &progress);
        for overlay in &overlays {
            for (path, bytes) in overlay {
                write(folder.path(), path.to_string(), bytes);
            }
            kept.refresh().unwrap();
            let again = kept.check(&Overlay::new());
            prop_assert_eq!(said(&again), said(&session(&project, &target, &progress).check_once()));
        }
    }

    #[test]
    fn a_staged_change_is_found_again((files, overlays) in files()) {
        let repo = Repo::new();
        repo.write(".squad/team.md", TEAM);
        repo.commit("team");
        for (path, bytes) in &files {
            repo.stage(&path.to_string(), bytes);
        }
        let (project, progress) = (open(&repo.path), Progress::default());
        let target = Target::Staged(Scope::default());
        let mut kept = session(&project, &target, &progress);
        for overlay in &overlays {
            let again = kept.check(overlay);
            prop_assert_eq!(said(&again), said(&session(&project, &target, &progress).check(overlay)));
            for (path, bytes) in overlay {
                repo.stage(&path.to_string(), bytes);
            }
            kept.refresh().unwrap();
            let again = kept.check(&Overlay::new());
            prop_assert_eq!(said(&again), said(&session(&project, &target, &progress).check_once()));
        }
    }
}

#[test]
fn only_the_file_that_changed_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |at: usize| format!(".squad/agents/a{at}/history.md");
    for at in 0..50 {
        write(folder.path(), path(at), format!("# History of a{at}\n\n## Learnings\n\n- one\n"));
    }
    // A file that has just changed could change again unseen.
    std::thread::sleep(Duration::from_millis(2100));
    let (project, progress) = (open(folder.path()), Progress::default());
    let mut kept = session(&project, &Target::Paths(Vec::new()), &progress);
    let first = kept.check(&Overlay::new());
    // As many bytes as before.
    let full = folder.path().join(path(7));
    fs::write(&full, fs::read_to_string(&full).unwrap().replace("one", "two")).unwrap();
    let overlay = Overlay::from([(path(9).into(), b"# History\n".to_vec())]);
    let second = kept.check(&overlay);
    let read: Vec<String> = first
        .sources
        .iter()
        .zip(&second.sources)
        .filter(|(before, after)| !Arc::ptr_eq(before, after))
        .map(|(_, after)| after.path().to_string())
        .collect();
    assert_eq!(read, [path(7), path(9)]);
}

#[test]
fn findings_follow_what_they_depend_on_in_other_files() {
    let entry = |at: &str, author: &str, related: &str| {
        format!(
            "### {at}: decision: One\n\n**type:** decision\n**timestamp:** {at}\n**author:** {author}\n**scope:** team\n\n\
             **summary:** One thing is done.\n\n**details:**\n\nIt is.\n\n{related}---\n"
        )
    };
    let (first, second) = ("2026-02-01T10:00:00+0000", "2026-02-02T10:00:00+0000");
    let history = entry(first, "Hicks", "");
    let decisions = entry(second, "Hicks", &format!("**related:**\n- decision: {first}\n\n"));
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/team.md", TEAM);
    write(folder.path(), ".squad/agents/hicks/history.md", format!("# History\n\n## Learnings\n\n{history}"));
    write(folder.path(), ".squad/decisions.md", format!("# Decisions\n\n{decisions}"));
    let (project, progress) = (open(folder.path()), Progress::default());
    let mut kept = session(&project, &Target::Paths(Vec::new()), &progress);
    let over = |path: &str, text: &str| Overlay::from([(path.into(), text.as_bytes().to_vec())]);
    let mut seen = Vec::new();
    for overlay in [
        Overlay::new(),
        // The entry that another file refers to is gone, is there again, is there twice.
        over(".squad/agents/hicks/history.md", "# History\n"),
        Overlay::new(),
        over(".squad/agents/vasquez/history.md", &history),
        Overlay::new(),
        // Another team.
        over(".squad/team.md", &TEAM.replace("Hicks", "Vasquez")),
        over(".squad/agents/vasquez/charter.md", "# Vasquez\n"),
        Overlay::new(),
    ] {
        let again = said(&kept.check(&overlay));
        assert_eq!(again, said(&session(&project, &Target::Paths(Vec::new()), &progress).check(&overlay)));
        seen.push(again);
    }
    assert!(seen.iter().step_by(2).take(3).all(|said| *said == seen[0]));
    assert!([1, 3, 5].iter().all(|at| seen[*at] != seen[0]));
}
