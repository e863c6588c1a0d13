//! A hundred labelled entries: real legacy entries of the corpus (`SQUAD_LINT_CORPUS`) rewritten as SEM, half of them with
//! one known defect. The program must find every defect once, by the right rule and on the right line, and nothing else.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use squad_lint::rules;
use support::sample::{Rng, Sample, folder_of, from_corpus};
use support::{is_shown_by_default, squad_lint, stderr, stdout, write};

/// How many entries have a label; every second one is broken.
const LABELLED: usize = 100;

/// Later than every entry of the corpus.
const NOW: &str = "2027-01-01T00:00:00+0000";

/// Where an entry stands, in turn. One that needs other files stands in the first place.
const PLACES: [&str; 4] =
    [".squad/decisions.md", ".squad/decisions/inbox/entry.md", ".ai-team/decisions.md", ".squad/decisions-archive.md"];

/// A team for the rules that ask for one; nobody of the corpus has such names.
const TEAM: &str = "# Team\n\n## Members\n\n| Name | Role |\n| --- | --- |\n| Quillon | Lead |\n| Tressa | Tester |\n\n\
                    - **Owner:** Odo Brandt\n";

/// One way to break an entry: the first `old` of its text becomes `new`, in which `¶` marks the line of the finding (the
/// header, where there is none). `{…}` stand for the parts of the entry; see `Case::fill`.
struct Defect {
    rule: &'static str,
    old: &'static str,
    new: &'static str,
    /// The type that the entry must have for it.
    kind: Option<&'static str>,
}

const fn defect(rule: &'static str, old: &'static str, new: &'static str) -> Defect {
    Defect { rule, old, new, kind: None }
}

impl Defect {
    const fn of(self, kind: &'static str) -> Self {
        Self { kind: Some(kind), ..self }
    }
}

const HEADER: &str = "### {stamp}: {kind}: {summary}\n";

const DEFECTS: [Defect; LABELLED / 2] = [
    defect("sem/malformed-header", HEADER, "## {stamp}: {kind}: {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {stamp} — {kind} — {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {stamp} {kind}: {summary}\n"),
    // Without the word in front, a title such as `Decision: …` would give the header a type.
    defect("sem/malformed-header", HEADER, "### {stamp}: About {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {date}: {kind}: {summary}\n"),
    defect("sem/timestamp-format", HEADER, "### {local}-08:00: {kind}: {summary}\n"),
    defect("sem/timestamp-format", "**timestamp:** {stamp}", "¶**timestamp:** {local}-08:00"),
    defect("sem/timestamp-format", "**tags:**", "¶**expires:** 2099-02-15 14:32Z  \n**tags:**"),
    defect("sem/invalid-timestamp", HEADER, "### {date}T25:61:00-0800: {kind}: {summary}\n"),
    defect("sem/invalid-timestamp", "**timestamp:** {stamp}", "¶**timestamp:** {local}"),
    defect("sem/invalid-timestamp", "**tags:**", "¶**expires:** 2099-02-30T14:32:15-0800  \n**tags:**"),
    defect(
        "sem/future-timestamp",
        "### {stamp}: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** {stamp}",
        "### 2099-02-15T14:32:15-0800: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** 2099-02-15T14:32:15-0800",
    ),
    defect("sem/header-field-mismatch", "**type:** decision", "¶**type:** directive").of("decision"),
    defect("sem/header-field-mismatch", "**timestamp:** {stamp}", "¶**timestamp:** {local}-0700"),
    defect("sem/missing-field", "**author:** {author}  \n", ""),
    defect("sem/missing-field", "**author:** {author}", "¶**author:**"),
    defect("sem/missing-field", "**summary:** {summary}", "¶**summary:**"),
    defect("sem/summary-too-long", HEADER, "### {stamp}: {kind}: {long}\n"),
    defect("sem/summary-too-long", "**summary:** {summary}", "¶**summary:** {long}"),
    defect("sem/unknown-type", HEADER, "### {stamp}: decison: {summary}\n").of("decision"),
    defect("sem/unknown-type", "**type:** {kind}", "¶**type:** idea"),
    defect("sem/unknown-field", "**author:**", "¶**auther:**"),
    defect("sem/unknown-field", "**tags:**", "¶**priority:** high  \n**tags:**"),
    defect("sem/duplicate-field", "**summary:**", "¶**scope:** team\n\n**summary:**"),
    defect("sem/duplicate-field", "**rationale:**", "¶**details:**\n\nOther ones.\n\n**rationale:**"),
    defect("sem/field-case", "**author:**", "¶**Author:**"),
    defect("sem/field-case", "**scope:**", "¶- **scope**:"),
    defect("sem/missing-terminator", "- issue: #18\n\n---\n\n", "- issue: #18\n\n¶{another}"),
    defect("sem/ambiguous-terminator", "**rationale:**", "¶---\n\nThe rest of it.\n\n**rationale:**"),
    defect("sem/invalid-scope", "**scope:** team", "¶**scope:** everyone"),
    defect("sem/invalid-scope", "**scope:** team", "¶**scope:** Agent: Quillon"),
    defect("sem/unknown-scope-target", "**scope:** team", "¶**scope:** agent:quilon"),
    defect("sem/malformed-tags", "memory, format", "¶memory,, format"),
    defect("sem/malformed-tags", "memory, format", "¶memory, format, Memory"),
    defect("sem/malformed-related", "- issue: #18", "¶* issue: #18"),
    defect("sem/malformed-related", "- issue: #18", "¶- ticket: 18"),
    defect("sem/malformed-related", "- issue: #18", "¶- issue:#18"),
    defect("sem/dangling-reference", "- issue: #18", "¶- decision: 2026-01-01T09:15:00-0800"),
    defect("sem/dangling-reference", "**tags:**", "¶**supersedes:** 2020-01-01T09:15:00-0800  \n**tags:**"),
    defect("sem/supersedes-order", "**tags:**", "¶**supersedes:** {stamp}  \n**tags:**"),
    defect("sem/supersedes-order", "**tags:**", "¶**supersedes:** {local}-0900  \n**tags:**"),
    defect("sem/expired", "**tags:**", "¶**expires:** {date}T23:59:59-0800  \n**tags:**"),
    defect("sem/expired", "**tags:**", "¶**expires:** 2026-12-31T00:00:00+0000  \n**tags:**"),
    defect("sem/expires-before-timestamp", "**tags:**", "¶**expires:** {local}-0700  \n**tags:**"),
    defect("sem/missing-rationale", "**rationale:** {rationale}\n\n", "").of("decision"),
    defect("sem/missing-rationale", "**rationale:** {rationale}", "¶**rationale:**").of("directive"),
    defect("sem/duplicate-entry", "- issue: #18\n\n---\n\n", "- issue: #18\n\n---\n\n¶{again}"),
    defect("sem/duplicate-entry", "- issue: #18\n\n---\n\n", "- issue: #18\n\n---\n\n{another}¶{again}"),
    defect("sem/directive-by-agent", "**author:** {author}", "¶**author:** Tressa").of("directive"),
    defect("sem/directive-by-agent", "**author:** {author}", "¶**author:** Quillon (Lead)").of("directive"),
];

/// An entry in its place.
struct Case {
    repository: String,
    sample: Sample,
    place: &'static str,
    /// Whether its lines end as on Windows.
    crlf: bool,
}

impl Case {
    /// `template` with the parts of the entry.
    fn fill(&self, template: &str) -> String {
        let Sample { timestamp, kind, author, summary, rationale, .. } = &self.sample;
        let local = &timestamp[.."YYYY-MM-DDTHH:MM:SS".len()];
        let missing = 121 - summary.chars().count();
        let other = |timestamp: &str, kind| Sample {
            timestamp: timestamp.to_owned(),
            kind,
            summary: "Another entry".to_owned(),
            details: "Other words.".to_owned(),
            ..self.sample.clone()
        };
        template
            .replace("{another}", &other("2026-01-01T12:00:00-0800", "note").print())
            .replace("{again}", &other(timestamp, kind).print())
            .replace("{stamp}", timestamp)
            .replace("{local}", local)
            .replace("{date}", &local[.."YYYY-MM-DD".len()])
            .replace("{kind}", kind)
            .replace("{author}", author)
            .replace("{rationale}", rationale)
            .replace("{long}", &format!("{summary}{}", "é".repeat(missing)))
            .replace("{summary}", summary)
    }

    /// The file's text, broken by `defect`, and the line on which that shows.
    fn text(&self, defect: Option<&Defect>) -> (String, usize) {
        let intro = if self.place.ends_with("decisions.md") { "# Team Decisions\n\n" } else { "" };
        let mut text = format!("{intro}{}", self.sample.print());
        let mut at = intro.len();
        if let Some(defect) = defect {
            let old = self.fill(defect.old);
            let start = text.find(&old).unwrap_or_else(|| panic!("{old:?} is not in\n{text}"));
            let marked = defect.new.split_once('¶');
            let (before, behind) = marked.unwrap_or(("", defect.new));
            let (before, behind) = (self.fill(before), self.fill(behind));
            if marked.is_some() {
                at = start + before.len();
            }
            text.replace_range(start..start + old.len(), &(before + &behind));
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
fn every_defect_is_found_once_and_nothing_else_is() {
    let Some(corpus) = folder_of("SQUAD_LINT_CORPUS") else { return };
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
