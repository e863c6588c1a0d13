//! A hundred labelled entries: real legacy entries of the corpus (`SQUAD_LINT_CORPUS`) rewritten as SEM, half of them with
//! one known defect. The program must find every defect once, by the right rule and on the right line, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::defects::{DEFECTS, Defect};
use crate::support::sample::{Rng, Sample, from_corpus};
use crate::support::{is_shown_by_default, needs, squad_lint, stderr, stdout, write};
use serde_json::Value;
use squad_lint::rules;

/// How many entries have a label; every second one is broken.
const LABELLED: usize = 2 * DEFECTS.len();

/// Later than every entry of the corpus.
const NOW: &str = "2027-01-01T00:00:00+0000";

/// Where an entry stands, in turn. One that needs other files stands in the first place.
const PLACES: [&str; 4] =
    [".squad/decisions.md", ".squad/decisions/inbox/entry.md", ".ai-team/decisions.md", ".squad/decisions-archive.md"];

/// A team for the rules that ask for one; nobody of the corpus has such names.
const TEAM: &str = "# Team\n\n## Members\n\n| Name | Role |\n| --- | --- |\n| Quillon | Lead |\n| Tressa | Tester |\n\n\
                    - **Owner:** Odo Brandt\n";

/// An entry in its place.
struct Case {
    repository: String,
    sample: Sample,
    place: &'static str,
    /// Whether its lines end as on Windows.
    crlf: bool,
}

impl Case {
    /// The file's text, broken by `defect`, and the line on which that shows.
    fn text(&self, defect: Option<&Defect>) -> (String, usize) {
        let intro = if self.place.ends_with("decisions.md") { "# Team Decisions\n\n" } else { "" };
        let mut text = format!("{intro}{}", self.sample.print());
        let mut at = intro.len();
        if let Some(defect) = defect {
            let shows = defect.damage(&self.sample, &mut text);
            at = shows.unwrap_or_else(|| panic!("{:?} is not in\n{text}", defect.old)).unwrap_or(at);
        }
        let line = text[..at].matches('\n').count() + 1;
        (if self.crlf { text.replace('\n', "\r\n") } else { text }, line)
    }

    /// What the program says of it: rule, path and line of each finding.
    fn run(&self, text: &str) -> Vec<(String, String, u64)> {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), self.place, text);
        if self.place == PLACES[0] {
            write(folder.path(), ".squad/team.md", TEAM);
        }
        let output = squad_lint(folder.path()).args(["--format", "json", "--now", NOW]).output().unwrap();
        assert!(stderr(&output).is_empty(), "{}", stderr(&output));
        let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let findings = json["diagnostics"].as_array().unwrap();
        let is_error = findings.iter().any(|finding| finding["severity"] == "error");
        assert_eq!(output.status.code(), Some(i32::from(is_error)), "{json:#}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let line = |finding: &Value| finding["range"]["start"]["line"].as_u64().unwrap_or_default();
        findings.iter().map(|finding| (text(&finding["rule"]), text(&finding["path"]), line(finding))).collect()
    }
}

/// Entries of every repository in turn, each repository's in an order that the seed gives.
fn cases(corpus: &Path) -> Vec<Case> {
    let mut rng = Rng(100);
    let mut repositories: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    let mut folders: Vec<_> = std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let name = folder.file_name().unwrap().to_string_lossy();
        // The corpus keeps the inboxes of a repository's past in a folder beside it: `owner+name.inbox`.
        let repository = name.split('.').next().unwrap_or_default().to_owned();
        repositories.entry(repository).or_default().extend(from_corpus(folder));
    }
    repositories.retain(|_, samples| !samples.is_empty());
    assert!(repositories.len() >= 10, "entries in {} repositories only", repositories.len());
    let mut out = Vec::new();
    while out.len() < LABELLED {
        let before = out.len();
        for (repository, samples) in repositories.iter_mut().filter(|(_, samples)| !samples.is_empty()) {
            let sample = samples.swap_remove(rng.below(samples.len()));
            let (place, crlf) = (PLACES[out.len() / 2 % PLACES.len()], rng.once_in(4));
            out.push(Case { repository: repository.clone(), sample, place, crlf });
        }
        assert!(out.len() > before, "the corpus has only {before} entries");
    }
    out.truncate(LABELLED);
    out
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn every_defect_in_real_entries_is_found_once_and_nothing_else_is() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let mut defects: Vec<&Defect> = DEFECTS.iter().collect();
    let mut rng = Rng(50);
    let mut wrong = Vec::new();
    for (number, mut case) in cases(&corpus).into_iter().enumerate() {
        let defect = (number % 2 == 1).then(|| defects.swap_remove(rng.below(defects.len())));
        if let Some(defect) = defect {
            case.sample.kind = defect.kind.unwrap_or(case.sample.kind);
            let needs_team = ["sem/unknown-scope-target", "sem/directive-by-agent"].contains(&defect.rule);
            // Expired entries of an archive are where they belong, and an inbox file holds one entry.
            if needs_team || defect.rule == "sem/expired" || defect.new.contains("{a") {
                case.place = PLACES[0];
            }
            if defect.rule == "sem/missing-rationale" {
                // The old text's own label `**Rationale:**` would be taken for the one that is missing.
                case.sample.details = case.sample.details.replace("ationale", "eason");
            }
        }
        let (text, line) = case.text(defect);
        let expected = defect.map(|defect| (defect.rule.to_owned(), case.place.to_owned(), line as u64));
        let found = case.run(&text);
        if found != expected.clone().into_iter().collect::<Vec<_>>() {
            let repository = &case.repository;
            wrong.push(format!("{number}, of {repository}: expected {expected:?}, found {found:?} in\n{text}\n"));
        }
    }
    assert!(defects.is_empty());
    assert!(wrong.is_empty(), "{}\n{} of {LABELLED} are wrong", wrong.concat(), wrong.len());
}

#[test]
fn every_rule_on_entries_has_a_label() {
    let labelled: BTreeSet<&str> = DEFECTS.iter().map(|defect| defect.rule).collect();
    let shown = rules::all().filter(|registered| registered.family() == "sem" && is_shown_by_default(registered));
    assert_eq!(labelled, shown.map(|registered| registered.rule.name).collect());
}
