//! Who made an entry: its fields, its heading, its folder, its file's name, its commit.

use super::around;
use super::author::{self, Author};
use super::names::{EVERYONE, NO_NAMES, doubt_of_name, has_agent, is_agent, joined, of_inbox};
use super::reason::Reason;
use super::subject::{EntryFile, FirstSeen, Pattern, Subject, matches};
use super::{Confidence, Evidence};
use crate::dialects::squad;
use crate::formats::legacy::{Field, Meaning, find_date};
use crate::formats::roster::{author_names, same};
use crate::formats::sem::EntryType;
use crate::text::{Span, lines};

/// The author of an entry, and the others who had a part in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authors {
    /// The author.
    pub name: String,
    /// The others.
    pub others: Vec<String>,
}

/// The author of an entry of the type `kind`: a field for authors, the heading, the place, a field for those who did the work, a
/// signature, the file that it came from, its section, and at last the commit.
pub fn infer(subject: Subject<'_>, kind: Option<EntryType>, origin: Option<&FirstSeen>) -> Evidence<Authors> {
    let mut fields: Vec<&Field> =
        subject.fields().iter().filter(|field| field.meaning == Meaning::Author && !field.value.is_empty()).collect();
    fields.sort_by_key(|field| rank(subject.of(field.name)));
    if kind == Some(EntryType::Memory)
        && let Some(name) = subject.folder()
    {
        return of_keeper(subject, &name, fields.first().copied());
    }
    let unclear = fields.first().map(|field| subject.of(field.value).to_owned());
    if let Some(found) = in_fields(subject, &fields) {
        return found;
    }
    if let Some((key, value)) = subject.in_front_matter(Meaning::Author)
        && let Some(Author { name, others, .. }) = author::read(subject.of(value))
    {
        let mut found = one(name.clone(), Confidence::High, Reason::AuthorInField(key.to_owned(), name.clone()));
        found.value = Some(Authors { name, others });
        return found;
    }
    if let Some(name) = in_heading(subject) {
        return one(name.clone(), Confidence::Medium, Reason::AuthorInHeading(name));
    }
    if let Some(name) = subject.folder() {
        let mut found = one(name.clone(), Confidence::Medium, Reason::AuthorOfFolder(name));
        found.reasons.push(Reason::OnlyRecorded);
        return found;
    }
    let named = |(name, known): (String, bool)| {
        let doubt = if known {
            doubt_of_name(&subject.file_name(), &name, &subject.place)
        } else {
            Some(Reason::UnknownMember)
        };
        let strength = if doubt.is_none() { Confidence::High } else { Confidence::Medium };
        let mut found = one(name.clone(), strength, Reason::AuthorInFileName(name));
        found.reasons.extend(doubt);
        found
    };
    let of_file = Some(subject).filter(|subject| subject.place.file_kind == &squad::INBOX);
    let of_file = of_file.and_then(|subject| of_inbox(&subject.file_name(), &subject.place));
    let signed = signature(subject).map(|(name, _)| name).or_else(|| around::in_last_lines(subject));
    if let Some(found) = of_file.clone().filter(|(_, known)| *known) {
        // What the entry says of itself counts more than the name of its file.
        let is_it = |name: &String| author_names(name).iter().any(|one| same(one, &found.0));
        return match signed.filter(|name| !is_it(name)) {
            Some(name) => one(name.clone(), Confidence::Medium, Reason::AuthorInSignature(name)),
            None => named(found),
        };
    }
    if let Some((field, author)) = responsible(subject) {
        let mut evidence = of_field(subject, field, author);
        // One of several who did it need not be who decided.
        let is_one = |name: &String| !EVERYONE.contains(&name.to_lowercase().as_str());
        let several = evidence.value.as_ref().is_some_and(|authors| authors.others.iter().any(is_one));
        evidence.strength = if several { Confidence::Low } else { Confidence::Medium };
        let name = evidence.value.as_ref().map(|authors| authors.name.clone()).unwrap_or_default();
        let of_author = |reason: &Reason| !matches!(reason, Reason::AuthorInField(..));
        if ACTS.contains(&subject.of(field.name).to_lowercase().as_str()) {
            evidence.reasons.retain(of_author);
            evidence.reasons.push(Reason::AuthorActed(subject.of(field.name).to_owned(), name));
        } else {
            evidence.reasons.push(Reason::OnlyDid);
        }
        // Who did the work is more than who wrote of it: the line stays.
        evidence.used.clear();
        return evidence;
    }
    if let Some(name) = signed {
        return one(name.clone(), Confidence::Medium, Reason::AuthorInSignature(name));
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
    if let Some(found) = of_file {
        return named(found);
    }
    if let Some((name, path)) = around::in_source(subject) {
        return one(name.clone(), Confidence::Medium, Reason::AuthorOfInbox(name, path));
    }
    if let Some(name) = around::in_section(subject) {
        return one(name.clone(), Confidence::Medium, Reason::AuthorOfSection(name));
    }
    // `Origin: Morpheus (Lead)`, and not where a pattern comes from.
    let is_origin = |field: &&Field| subject.of(field.name).eq_ignore_ascii_case("origin");
    if let Some(field) = subject.fields().iter().find(is_origin)
        && let Some(author) = author::read(subject.of(field.value))
        && subject.place.is_member(author.name.split('(').next().unwrap_or_default().trim())
    {
        let mut found = of_field(subject, field, author);
        found.strength = found.strength.min(Confidence::Medium);
        return found;
    }
    of_origin(subject, kind, origin)
}

/// The author that readers show, and that is written where the name of the file gets lost: not one that the name of the file alone says
/// in doubt. In a team without members, the first word of the name is an agent, as in `<agent>-<slug>.md`.
pub fn stated(found: &Evidence<Authors>, place: &EntryFile<'_>) -> Option<Authors> {
    let is_doubt = |reason: &Reason| match reason {
        Reason::NameIsWord(_) | Reason::OtherInFileName(_) => true,
        Reason::UnknownMember => !place.has_no_members(),
        _ => false,
    };
    found.value.clone().filter(|_| !found.reasons.iter().any(is_doubt))
}

fn one(name: String, strength: Confidence, reason: Reason) -> Evidence<Authors> {
    Evidence { value: Some(Authors { name, others: Vec::new() }), strength, reasons: vec![reason], used: Vec::new() }
}

/// The agent who keeps the entry, also one that tells what others did.
fn of_keeper(subject: Subject<'_>, name: &str, field: Option<&Field>) -> Evidence<Authors> {
    let author = field.and_then(|field| author::read(subject.of(field.value)));
    if let (Some(field), Some(author)) = (field, author)
        && is_same(&author.name, name)
    {
        return of_field(subject, field, author);
    }
    let mut evidence = one(name.to_owned(), Confidence::High, Reason::AuthorOfFolder(name.to_owned()));
    let is_update = subject.of(subject.entry.heading).to_lowercase().contains("team update");
    let of_other = in_heading(subject).is_some_and(|found| !is_same(&found, name));
    if field.is_some() || is_update || of_other || by_somebody(subject, name) {
        evidence.strength = Confidence::Medium;
        evidence.reasons.push(Reason::ToldByOthers);
    }
    evidence
}

/// Whether a field names an author who is not the agent in whose folder the entry is.
pub(super) fn is_of_another(subject: Subject<'_>) -> bool {
    let Some(folder) = subject.folder() else { return false };
    let fields = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    let mut authors = fields.filter_map(|field| author::read(subject.of(field.value)));
    authors.next().is_some_and(|author| !is_same(&author.name, &folder))
}

/// Whether a field names an agent of the team as the author.
pub(super) fn names_an_agent(subject: Subject<'_>) -> bool {
    let fields = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    let mut authors = fields.filter_map(|field| author::read(subject.of(field.value)));
    let bare = |name: &str| name.split('(').next().unwrap_or_default().trim().to_owned();
    authors.next().is_some_and(|author| is_agent(&bare(&author.name), subject.place.agents))
}

/// Whether a person spoke through an agent, as in `(Product Owner, via Copilot)`. An agent speaks for itself, whoever passed it on.
pub(super) fn is_through(subject: Subject<'_>) -> bool {
    static THROUGH: Pattern = Pattern::new(r"(?i)\((?:[^()]*,\s*)?via ");
    let mut authors = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    authors.any(|field| matches(&THROUGH, subject.of(field.value))) && !names_an_agent(subject)
}

/// Whether a name, perhaps with a role, is that of an agent's folder: `Keaton (Lead)`, `Mary Ann` of `mary-ann`.
fn is_same(name: &str, folder: &str) -> bool {
    let name = name.trim_start_matches('@');
    let first = name.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let whole = name.split('(').next().unwrap_or_default().trim().replace(' ', "-");
    first.eq_ignore_ascii_case(folder) || whole.eq_ignore_ascii_case(folder)
}

/// What the history of the repository says: the inbox file that the entry came from, and the commit, where a member of the team
/// made it. Who commits many entries at once collects those of others, but for orders, which come from who commits.
fn of_origin(subject: Subject<'_>, kind: Option<EntryType>, origin: Option<&FirstSeen>) -> Evidence<Authors> {
    let Some(origin) = origin else { return Evidence::none(Reason::NoAuthor) };
    if let Some(path) = &origin.inbox {
        let file = path.rsplit('/').next().unwrap_or_default();
        if let Some((name, _)) = of_inbox(file, &subject.place) {
            return one(name.clone(), Confidence::Medium, Reason::AuthorOfInbox(name, path.clone()));
        }
    }
    match &origin.author {
        Some(name) if origin.among > FEW && kind != Some(EntryType::Directive) && subject.place.is_member(name) => {
            Evidence::none(Reason::CommitOfMany(origin.commit.clone(), name.clone()))
        }
        Some(name) if subject.place.is_member(name) => {
            one(name.clone(), Confidence::Medium, Reason::AuthorFromCommit(origin.commit.clone(), name.clone()))
        }
        Some(name) => Evidence::none(Reason::CommitterUnknown(origin.commit.clone(), name.clone())),
        None => Evidence::none(Reason::NoAuthor),
    }
}

/// `found`, the author in `field`, with a doubt if one more field names someone else.
fn doubting_others(subject: Subject<'_>, field: &Field, mut found: Evidence<Authors>) -> Evidence<Authors> {
    if found.strength == Confidence::High && is_another_named(subject, field, &found) {
        found.strength = Confidence::Medium;
        found.reasons.push(Reason::OtherField);
    }
    found
}

/// Whether one more field for the author, beside `field`, names someone else than those in `found`.
fn is_another_named(subject: Subject<'_>, field: &Field, found: &Evidence<Authors>) -> bool {
    let Some(authors) = &found.value else { return false };
    let is_known = |name: &str| {
        std::iter::once(&authors.name).chain(&authors.others).any(|known| same(known, name) || is_same(name, known))
    };
    // Who wrote it down is no other author.
    let level = rank(subject.of(field.name));
    let is_other = |other: &&Field| other.meaning == Meaning::Author && other.name != field.name;
    let others = subject.fields().iter().filter(is_other).filter(|other| rank(subject.of(other.name)) == level);
    let mut others = others.filter_map(|other| author::read(subject.of(other.value)));
    others.any(|other| author::is_plain_name(&other.name) && !is_known(&other.name))
}

/// Whether a field names someone else than the agent `keeper` who did something: `Review by: Fenster`.
fn by_somebody(subject: Subject<'_>, keeper: &str) -> bool {
    let of_other = |value: &str| !value.is_empty() && !author::read(value).is_some_and(|by| is_same(&by.name, keeper));
    let by = |field: &&Field| {
        subject.of(field.name).to_lowercase().ends_with(" by") && of_other(subject.of(field.value).trim())
    };
    subject.fields().iter().filter(|field| field.meaning == Meaning::Other).any(|field| by(&field))
}

/// Whether the title says that the entry is a review.
fn is_review(subject: Subject<'_>) -> bool {
    static REVIEW: Pattern = Pattern::new(
        r"(?i)\b(?:re-?)?(?:review|verdict|audit|qa|quality gate)\b\s*(?:$|[#(:—–-]|(?:of|for|on|results?|report|verdict|complete)\b)",
    );
    matches(&REVIEW, subject.of(subject.entry.title))
}

/// The author whom one of `fields` names, the best first.
fn in_fields(subject: Subject<'_>, fields: &[&Field]) -> Option<Evidence<Authors>> {
    reviewer_in_title(subject).or_else(|| {
        let (field, author) = fields.iter().find_map(|field| Some((field, author::read(subject.of(field.value))?)))?;
        Some(doubting_others(subject, field, of_field(subject, field, author)))
    })
}

/// The reviewer whose name the title begins with, `Switch decision — PR #18 approved`: the field `Author` names whose work it is.
fn reviewer_in_title(subject: Subject<'_>) -> Option<Evidence<Authors>> {
    let title = subject.of(subject.entry.title);
    let mut reviewers = subject.fields().iter().filter(|field| field.meaning == Meaning::Reviewer);
    reviewers.find_map(|field| {
        let name = author::read(subject.of(field.value))?.name;
        let first = name.split([' ', '(']).next().filter(|first| !first.is_empty())?;
        let behind = title.get(..first.len()).filter(|start| start.eq_ignore_ascii_case(first));
        let is_word = !title.get(first.len()..)?.starts_with(char::is_alphanumeric);
        let reason = Reason::AuthorInField(subject.of(field.name).to_owned(), name.clone());
        (behind.is_some() && is_word && author::is_plain_name(&name)).then(|| one(name, Confidence::Medium, reason))
    })
}

/// The first field that names who did the work: `Owner`, `Lead`, `Conducted by`, `Triaged by`. Who was asked, or asked, or
/// only looked at it is not its author.
fn responsible(subject: Subject<'_>) -> Option<(&Field, Author)> {
    const DOES: [&str; 21] = [
        "owner",
        "owners",
        "lead",
        "leads",
        "auditor",
        "tester",
        "analyst",
        "investigator",
        "validator",
        "voter",
        "facilitator",
        "coordinator",
        "coordinators",
        "agents",
        "verifier",
        "executor",
        "scout",
        "respondent",
        "signed",
        "signed off",
        "responsable",
    ];
    const DOES_NOT: [&str; 16] = [
        "requested",
        "reported",
        "reviewed",
        "approved",
        "required",
        "superseded",
        "blocked",
        "merged",
        "triggered",
        "caused",
        "inspired",
        "unblocked",
        "affected",
        "closed",
        "used",
        "asked",
    ];
    // Who reviewed it is not its author, unless it is the review.
    let is_review = is_review(subject);
    let does = |name: &str| {
        DOES.contains(&name)
            || is_review && matches!(name, "reviewer" | "reviewed by")
            || name.strip_suffix(" by").is_some_and(|verb| {
                let verb = verb.rsplit(' ').next().unwrap_or_default();
                !DOES_NOT.contains(&verb) && verb.chars().all(char::is_alphabetic) && !verb.is_empty()
            })
    };
    let is_other = |meaning| meaning == Meaning::Other || is_review && meaning == Meaning::Reviewer;
    let others = subject.fields().iter().filter(|field| is_other(field.meaning) && !field.value.is_empty());
    let mut found = others.filter(|field| does(&subject.of(field.name).to_lowercase()));
    found.find_map(|field| {
        let author = author::read(subject.of(field.value)).filter(|author| author::is_plain_name(&author.name))?;
        Some((field, author))
    })
}

/// The name in the last line, and the date after it: `- Keaton, 2026-02-28`, `— Keaton (Lead)`.
pub(super) fn signature(subject: Subject<'_>) -> Option<(String, Option<Span>)> {
    static SIGNED: Pattern = Pattern::new(
        r"^[*_]{0,2}(?:-{1,2}|—|–|[Ss]igned(?:[ -]off)?(?: by)?:?)\s*[*_]{0,2}(@?\p{Lu}[\p{L}\d_-]+(?: \p{Lu}[\p{L}.]*){0,2})(?: \([^)]*\))?[*_]{0,2}(?:,\s*|\s+[—–-]\s+|$)(.*)$",
    );
    let (text, body) = (subject.text, subject.body());
    let says = |line: &Span| {
        let line = line.of(text).trim();
        !line.is_empty() && line != "---" && line != "***"
    };
    let line = lines(text, body).filter(says).last()?.trim(text);
    let joined = joined(line.of(text), subject.place.agents);
    let found = SIGNED.groups(&joined)?;
    let (one, rest) = (found.get(1)?, found.range(2)?);
    let name = line.of(text).get(found.range(1)?)?;
    let rest = Span::new(line.start() + rest.start, line.start() + rest.end);
    let date = find_date(text, rest).filter(|date| date.start() == rest.start());
    let ends = rest.of(text).trim_matches(['*', '_', ' ']).is_empty();
    let known = has_agent(subject.place.agents, &one.trim_start_matches('@').to_lowercase());
    // A list ends with a line like it.
    (date.is_some() || known && ends).then(|| (name.to_owned(), date))
}

/// So many entries has a commit at most whose author can be theirs.
const FEW: usize = 3;

/// Labels of those who act for it, and perhaps did not write it.
const ACTS: [&str; 6] = ["owner", "owners", "coordinator", "coordinators", "agents", "responsable"];

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
    } else if !sure {
        reasons.push(Reason::OnlyRecorded);
    }
    let used = if whole { vec![*field] } else { Vec::new() };
    Evidence { value: Some(Authors { name, others }), strength, reasons, used }
}

/// How surely a label names the author: the usual ones, those that say the same in a field's midst, other parts.
fn rank(label: &str) -> u8 {
    match label.trim().to_lowercase().as_str() {
        "by" | "author" | "authors" | "author(s)" | "autor" | "autores" | "decided by" | "decided-by"
        | "decision by" | "decision made by" | "autora" => 0,
        "from" | "captured by" | "logged by" | "recorded by" | "documented by" => 2,
        _ => 1,
    }
}

/// The agent in a heading, where the team knows the name: `… — decided by Keaton`, `… (by Keaton)`, `… — Keaton (2026-02-22)`,
/// `… (Keaton)`, `… (2026-04-29, Keaton)` at its end; `Keaton — …`, `Keaton's take: …` or `Keaton triage decision …` at its start. With
/// the date behind it, as in `… - Keaton, 2026-02-10`, it may also be a human, and any name in a team without members.
fn in_heading(subject: Subject<'_>) -> Option<String> {
    static BY: Pattern = Pattern::new(r"(?:\b[Bb]y|[—–-])\s+@?(\p{L}[\p{L}\d_-]+)(?:\s+\([^()]*\))?\)?\s*$");
    static IN_BRACKET: Pattern = Pattern::new(
        r"\((?:[\d-]{10}[^,()]*,\s*)?@?(\p{Lu}[\p{L}\d_-]+)(?:(?:,|\s+[—–-]\s)[^()]*)?\)\s*(?:\([^()]*\))?\s*$",
    );
    static FIRST: Pattern = Pattern::new(
        r"^(?:Decision:\s+)?(\p{Lu}[\p{L}\d_-]+)(?:['’]s\s+(?:take|analysis|vote|review|view|assessment|proposal|report|decision|findings)\b|\s*[:—–]|\s+-|\s+→)",
    );
    static TITLE: Pattern = Pattern::new(
        r"(?i)^(\p{L}[\p{L}\d_-]+)(?:['’]s)?\s+(?:[\w./#-]+\s+){0,4}(?:decision|triage|audit|report|verdict|review|recommendation|analysis|assessment|findings|retest|drop|proposal|plan|contract)\b",
    );
    static ASKED: Pattern = Pattern::new(
        r"(?i)\b(?:requested|reported|asked|approved|reviewed|triggered|inspired|flagged|suggested)(?:\s+by)?\s+@?$",
    );
    let title = subject.of(subject.entry.title);
    let joined = joined(title, subject.place.agents);
    let known = |pattern: &Pattern| {
        let found = pattern.groups(&joined)?;
        let (name, range) = (found.get(1)?, found.range(1)?);
        if matches(&ASKED, title.get(..range.start)?.trim_end_matches("by ")) {
            return None;
        }
        title.get(range).filter(|_| is_agent(name, subject.place.agents)).map(str::to_owned)
    };
    // What an agent keeps may tell of another one.
    let elsewhere = || known(&IN_BRACKET).or_else(|| known(&FIRST)).or_else(|| known(&TITLE));
    known(&BY).or_else(|| signed_heading(subject)).or_else(|| elsewhere().filter(|_| subject.folder().is_none()))
}

/// The name in a heading that ends as a last line does: `… - Keaton, 2026-02-10`.
fn signed_heading(subject: Subject<'_>) -> Option<String> {
    static SIGNED: Pattern =
        Pattern::new(r"\s[—–-]{1,2}\s+@?(\p{Lu}[\p{L}\d_-]+)(?:\s+\([^()]*\))?(?:,|\s[—–-]{1,2})\s*\(?$");
    let (title, place) = (subject.entry.title, &subject.place);
    let date = find_date(subject.text, title)?;
    let behind = subject.of(Span::new(date.end(), title.end()));
    let before = subject.of(Span::new(title.start(), date.start()));
    let joined = joined(before, place.agents);
    let found = SIGNED.groups(&joined)?;
    let (name, lower) = (before.get(found.range(1)?)?, found.get(1)?.to_lowercase());
    let is_word = EVERYONE.contains(&lower.as_str()) || NO_NAMES.contains(&lower.as_str());
    let is_known = has_agent(place.agents, &lower) || place.is_member(name) || place.has_no_members();
    (is_known && !is_word && !behind.contains(char::is_alphanumeric)).then(|| name.to_owned())
}

/// Whether the name of an inbox file says that a directive is in it: the word is behind a day and those who gave it, or is the first
/// one. Elsewhere it may be what the file is about: `keaton-parser-of-directives.md`, `directives-parser.md`.
pub(super) fn names_a_directive(subject: Subject<'_>) -> bool {
    let name = subject.file_name().to_lowercase();
    let words = name.strip_suffix(".md").unwrap_or(&name).split(['-', '_', '.']).filter(|word| !word.is_empty());
    let before: Vec<&str> = words.clone().take_while(|word| !matches!(*word, "directive" | "directives")).collect();
    let word = words.clone().nth(before.len());
    let is_of_day = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
    let names: Vec<&str> = before.iter().skip_while(is_of_day).copied().collect();
    let authors = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    let authors: Vec<String> = authors.flat_map(|field| author_names(subject.of(field.value))).collect();
    let is_giver = |word: &&str| {
        EVERYONE.contains(word)
            || subject.place.agents.contains(*word)
            || subject.place.is_member(word)
            || authors.iter().any(|author| author == word)
    };
    let is_given = names.iter().all(is_giver) || subject.place.is_member(&names.join(" "));
    is_given && (word == Some("directive") || word.is_some() && !names.is_empty())
}
