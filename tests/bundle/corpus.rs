//! Real squads (`SQUAD_LINT_CORPUS`): what is exported, imported and exported again is the same, or a finding says why it cannot be
//! imported. Real exports of Squad are read.

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
    run(&copy, &["import", "../../one.squad"])?;
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
    let mut reasons = Vec::new();
    for folder in &squads {
        for dialect in ["portable", "squad"] {
            if let Err(reason) = round(folder, dialect) {
                assert!(
                    reason.contains("[bundle/") || reason.contains("is not JSON"),
                    "{}: {reason}",
                    folder.display()
                );
                reasons.push(format!("{} {dialect}: {reason}", folder.display()));
            }
        }
    }
    assert!(reasons.len() < squads.len(), "{}", reasons.join("\n"));
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
