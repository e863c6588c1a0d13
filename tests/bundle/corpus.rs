//! Real squads (`SQUAD_LINT_CORPUS`): what is exported, imported and exported again is the same, or a finding says why it cannot be
//! imported. Real exports of Squad are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{NOW, bundle};
use crate::support::{files_below, needs, squad_lint, stderr, stdout};

/// The folders with a squad.
fn squads() -> Vec<PathBuf> {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let teams = files_below(&corpus)
        .into_iter()
        .filter(|path| [".squad/team.md", ".ai-team/team.md"].iter().any(|team| path.ends_with(team)));
    let mut squads: Vec<PathBuf> = teams.filter_map(|path| Some(corpus.join(path.parent()?.parent()?))).collect();
    squads.dedup();
    squads
}

/// Whether the squad in `folder` comes back as it was, or why it does not.
fn round(folder: &Path, dialect: &str) -> Result<(), String> {
    let temporary = tempfile::tempdir().unwrap();
    let copy = temporary.path().join("copy").join(folder.file_name().unwrap());
    fs::create_dir_all(&copy).unwrap();
    let run = |at: &Path, args: &[&str]| {
        let output = bundle(at, args);
        if output.status.success() { Ok(()) } else { Err(stderr(&output)) }
    };
    let export = [&["export", "--allow-findings", "--dialect", dialect], &NOW[..]].concat();
    let from = folder.to_str().unwrap();
    run(temporary.path(), &[&export[..], &["--root", from, "--out", "one.squad"]].concat())?;
    run(&copy, &["import", "--allow-findings", "../../one.squad"])?;
    run(&copy, &[&export[..], &["--out", "../../other.squad"]].concat())?;
    let [one, other] =
        ["one.squad", "other.squad"].map(|name| fs::read_to_string(temporary.path().join(name)).unwrap());
    assert_eq!(one, other, "{from} {dialect}");
    Ok(())
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_squads_come_back_as_they_were() {
    let squads = squads();
    assert!(squads.len() > 10, "{}", squads.len());
    // How many come back as they were, and how many do not for each reason.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for folder in &squads {
        for dialect in ["seed", "cli"] {
            let outcome = match round(folder, dialect) {
                Ok(()) => "the same".to_owned(),
                Err(reason) => reason.lines().find(|line| line.starts_with("error")).unwrap_or(&reason).to_owned(),
            };
            assert!(
                outcome == "the same" || outcome.contains("[bundle/") || outcome.contains("is not JSON"),
                "{}: {outcome}",
                folder.display()
            );
            *counts.entry(outcome).or_default() += 1;
        }
    }
    eprintln!("{counts:#?}");
    assert!(counts["the same"] > squads.len(), "{counts:#?}");
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_exports_are_bundles() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let exports: Vec<_> =
        files_below(&corpus).into_iter().filter(|path| path.to_str().unwrap().ends_with("squad-export.json")).collect();
    assert!(!exports.is_empty());
    for path in exports {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(corpus.join(&path), folder.path().join("squad-export.json")).unwrap();
        let output = squad_lint(folder.path()).args(["--select", "bundle", "--format", "compact"]).output().unwrap();
        let errors: Vec<String> =
            stdout(&output).lines().filter(|line| line.contains(": error: ")).map(str::to_owned).collect();
        // In some, `skills` is an object, which the import of Squad refuses.
        assert!(errors.iter().all(|error| error.contains("`skills` is an object")), "{}: {errors:#?}", path.display());
    }
}
