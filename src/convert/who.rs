//! Who made an entry: its fields, its heading, its folder, its file's name, its commit.

use super::author::{self, Author};
use super::reason::Reason;
use super::subject::{FirstSeen, Pattern, Subject};
use super::{Confidence, Evidence};
use crate::dialects::squad;
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::EntryType;

/// The author of an entry, and the others who had a part in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authors {
    /// The author.
    pub name: String,
    /// The others.
    pub others: Vec<String>,
}

/// The author of an entry of the type `kind`.
pub fn infer(subject: Subject<'_>, kind: Option<EntryType>, origin: Option<&FirstSeen>) -> Evidence<Authors> {
    let mut fields: Vec<&Field> =
        subject.fields().iter().filter(|field| field.meaning == Meaning::Author && !field.value.is_empty()).collect();
    if subject.folder().is_some() {
        // What someone says of an agent's work is still the agent's memory.
        fields.retain(|field| !matches!(subject.of(field.name).to_lowercase().as_str(), "reviewer" | "revisor"));
    }
    fields.sort_by_key(|field| rank(subject.of(field.name)));
    let unclear = fields.first().map(|field| subject.of(field.value).to_owned());
    if let Some((field, author)) = fields.iter().find_map(|field| Some((field, author::read(subject.of(field.value))?)))
    {
        return of_field(subject, field, author);
    }
    let one = |name: String, strength, reason| Evidence {
        value: Some(Authors { name, others: Vec::new() }),
        strength,
        reasons: vec![reason],
        used: Vec::new(),
    };
    if let Some(name) = in_heading(subject) {
        return one(name.clone(), Confidence::Medium, Reason::AuthorInHeading(name));
    }
    if let Some(name) = subject.folder() {
        let mut evidence = one(name.clone(), Confidence::High, Reason::AuthorOfFolder(name));
        if by_somebody(subject).is_some() {
            evidence.strength = Confidence::Medium;
        }
        if subject.of(subject.entry.heading).to_lowercase().contains("team update") {
            if let Some(told) = told(subject) {
                return told;
            }
            evidence.strength = Confidence::Low;
            evidence.reasons.push(Reason::ToldByOthers);
        }
        return evidence;
    }
    if let Some(value) = unclear {
        return Evidence::none(Reason::UnclearAuthor(value.chars().take(60).collect()));
    }
    let mut asked = subject.fields().iter().filter(|field| field.meaning == Meaning::RequestedBy);
    if kind == Some(EntryType::Directive)
        && let Some((field, author)) = asked.find_map(|f| Some((f, author::read(subject.of(f.value))?)))
    {
        let mut evidence = of_field(subject, field, author);
        evidence.strength = Confidence::Medium;
        let name = evidence.value.as_ref().map(|authors| authors.name.clone()).unwrap_or_default();
        evidence.reasons = vec![Reason::AuthorAsked(name)];
        return evidence;
    }
    if subject.place.file_kind == &squad::INBOX
        && let Some((name, known)) = of_inbox(&subject.file_name(), |name| subject.place.agents.contains(name))
    {
        let strength = if known { Confidence::High } else { Confidence::Medium };
        return one(name.clone(), strength, Reason::AuthorInFileName(name));
    }
    if let Some(field) = by_somebody(subject) {
        return Evidence::none(Reason::UnclearAuthor(subject.of(field.value).chars().take(60).collect()));
    }
    let Some(origin) = origin else { return Evidence::none(Reason::NoAuthor) };
    if let Some(path) = &origin.inbox {
        let file = path.rsplit('/').next().unwrap_or_default();
        if let Some((name, _)) = of_inbox(file, |name| subject.place.agents.contains(name)) {
            return one(name.clone(), Confidence::Medium, Reason::AuthorOfInbox(name, path.clone()));
        }
    }
    match &origin.author {
        Some(name) => {
            one(name.clone(), Confidence::Medium, Reason::AuthorFromCommit(origin.commit.clone(), name.clone()))
        }
        None => Evidence::none(Reason::NoAuthor),
    }
}

/// A field that names someone who did something: `Review by: Fenster`.
fn by_somebody(subject: Subject<'_>) -> Option<&Field> {
    let by = |field: &&Field| subject.of(field.name).to_lowercase().ends_with(" by") && !field.value.is_empty();
    subject.fields().iter().filter(|field| field.meaning == Meaning::Other).find(by)
}

fn of_field(subject: Subject<'_>, field: &Field, author: Author) -> Evidence<Authors> {
    let Author { name, others, whole } = author;
    let mut reasons = vec![Reason::AuthorInField(subject.of(field.name).to_owned(), name.clone())];
    // `Scribe — work by Zoe`: who wrote it down.
    let told = subject.of(field.value).contains(" by ") || name.to_lowercase().starts_with("scribe");
    let sure = rank(subject.of(field.name)) < 2 && !told;
    let mut strength = if sure { Confidence::High } else { Confidence::Medium };
    if !others.is_empty() {
        strength = Confidence::Medium;
        reasons.push(Reason::SeveralAuthors);
    }
    let used = if whole { vec![*field] } else { Vec::new() };
    Evidence { value: Some(Authors { name, others }), strength, reasons, used }
}

/// How surely a label names the author: the usual ones, those that say the same in a field's midst, other parts.
fn rank(label: &str) -> u8 {
    match label.trim().to_lowercase().as_str() {
        "by" | "author" | "authors" | "author(s)" | "autor" | "autores" | "decided by" | "decided-by"
        | "decision by" | "decision made by" | "autora" => 0,
        "reviewer" | "revisor" | "reporter" | "from" | "captured by" | "logged by" | "recorded by"
        | "documented by" => 2,
        _ => 1,
    }
}

/// `… — decided by Keaton`, `… (by Keaton)` or `… — Keaton` at the end of a heading, `Keaton — …` or `Keaton's take: …` at
/// its start: names that the team knows.
fn in_heading(subject: Subject<'_>) -> Option<String> {
    static BY: Pattern = Pattern::new(r"(?:\b[Bb]y|[—–-])\s+@?(\p{Lu}[\p{L}\d_-]+)(?:\s+\((?:Issue )?#\d+\))?\)?\s*$");
    static FIRST: Pattern = Pattern::new(
        r"^(?:Decision:\s+)?(\p{Lu}[\p{L}\d_-]+)(?:['’]s\s+(?:take|analysis|vote|review|view|assessment|proposal)\b|\s*[:—–]|\s+-)",
    );
    let title = subject.of(subject.entry.title);
    let known = |pattern: &Pattern| {
        let name = pattern.regex()?.captures(title)?.get(1)?.as_str();
        subject.place.agents.contains(&name.to_lowercase()).then(|| name.to_owned())
    };
    known(&BY).or_else(|| known(&FIRST).filter(|_| subject.folder().is_none()))
}

/// Who decided what an agent was told: `… — decided by Keaton`, once or more.
fn told(subject: Subject<'_>) -> Option<Evidence<Authors>> {
    static DECIDED: Pattern = Pattern::new(r"[Dd]ecided by (\p{Lu}[\p{L}_-]+(?: (?:\p{Lu}\. )?\p{Lu}[\p{L}_-]+)?)");
    let body = subject.of(subject.body());
    let mut names: Vec<&str> = Vec::new();
    for found in DECIDED.regex()?.captures_iter(body).filter_map(|found| found.get(1)) {
        if !names.contains(&found.as_str()) {
            names.push(found.as_str());
        }
    }
    let (name, others) = names.split_first()?;
    let mut reasons = vec![Reason::AuthorInText((*name).to_owned())];
    reasons.extend((!others.is_empty()).then_some(Reason::SeveralAuthors));
    let others = others.iter().map(|name| (*name).to_owned()).collect();
    let value = Some(Authors { name: (*name).to_owned(), others });
    Some(Evidence { value, strength: Confidence::Medium, reasons, used: Vec::new() })
}

/// Words at the start of an inbox file's name that name no author.
const NO_NAMES: [&str; 40] = [
    "decision",
    "decisions",
    "team",
    "user",
    "directive",
    "update",
    "draft",
    "note",
    "notes",
    "inbox",
    "the",
    "new",
    "sprint",
    "phase",
    "session",
    "release",
    "fix",
    "feature",
    "issue",
    "pr",
    "test",
    "tests",
    "review",
    "proposal",
    "adr",
    "design",
    "architecture",
    "build",
    "ci",
    "docs",
    "api",
    "data",
    "copilot",
    "squad",
    "coordinator",
    "merge",
    "import",
    "wave",
    "scribe",
    "readme",
];

/// The author in the name of an inbox file, `keaton-shell-design.md`, and whether the team knows the name.
fn of_inbox(file: &str, known: impl Fn(&str) -> bool) -> Option<(String, bool)> {
    let name = file.strip_suffix(".md").unwrap_or(file);
    let (first, rest) = name.split_once('-')?;
    let lower = first.to_lowercase();
    if known(&lower) && lower != "copilot" && lower != "scribe" {
        return Some((first.to_owned(), true));
    }
    let plausible = first.len() >= 2
        && first.chars().all(char::is_alphabetic)
        && !rest.is_empty()
        && !NO_NAMES.contains(&lower.as_str());
    plausible.then(|| (first.to_owned(), false))
}
