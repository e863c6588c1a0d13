//! Which type an entry has: its words first, then the place it stands in (seed 000, "Conversion Strategy").

use super::reason::Reason;
use super::subject::{Pattern, Subject, matches, pattern};
use super::{Confidence, Evidence};
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::EntryType;
use crate::select::Role;

/// `User directive — …`, `Directives: …`, `… directive` at the end.
static DIRECTIVE: Pattern = Pattern::new(|| {
    pattern(r"(?i)^\W*(?:[\w'/&-]+ ){0,3}directives?\s*(?:$|[:—–(\-])|\bdirectives?\W*$|^\W*directiva\b")
});

/// `Decision: …`, `Architecture Decision — …`, `… Decision` at the end.
static DECISION: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)^\W*(?:[\w/&-]+ ){0,3}(?:decisions?|decisión|adr[ -]?\d*)\s*(?:#?\d+)?\s*[:—–-]\s*\S|\bdecisions?\W*$|\bdecisión\W*$|\bdecided\b",
    )
});

/// Titles of reports: what happened or was found, not what holds from now on.
static REPORT: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)\b(?:findings|audit|report|analysis|inventory|retrospective|retro|investigation|spike|research|session (?:log|notes|summary)|status update|results|test coverage|learnings|lessons|notes|recap|assessment|evaluation|root cause|diagnosis|postmortem|post-mortem)\b|\bsummary\s*(?:$|[(:—–-])",
    )
});

/// Titles of work: it may rest on a decision, or only be told of.
static WORK: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)\b(?:fix(?:es|ed)?|bugs?|bugfix(?:es)?|crash|leak|regression|incident|outage|complet(?:e|ed|ion)|implemented|initialized|shipped|delivered|milestone|perspective|review|recovery)\b|\b(?:implementation|opened|merged|updated)\s*(?:$|[(:—–-])|['’]s take\b",
    )
});

/// Values of a status that say something was decided.
static DECIDED: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)\b(?:approved|accepted|adopted|decided|active|enforced|in effect|ratified|agreed|binding|in force|mandatory|aprobad[oa])\b",
    )
});

/// Values of a status of what was decided and done.
static IMPLEMENTED: Pattern = Pattern::new(|| pattern(r"(?i)\b(?:implemented|final|implementad[oa])\b"));

/// Values of a status that say what was done, not what was decided.
static DONE: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)\b(?:done|complete|completed|shipped|fixed|merged|executed|delivered|resolved|closed|findings|perspective|documented|ready|passed?|required|blocked|published)\b",
    )
});

/// Headings in texts that tell of work.
static TOLD: Pattern = Pattern::new(|| {
    pattern(
        r"(?im)^\s{0,3}#{1,6}\s+(?:what (?:changed|was built|was done|shipped|happened|i did)|changes(?: made)?|files? (?:changed|modified|touched)|build(?: status)?|verification|(?:test )?results|root cause|symptoms?|findings|implementation summary|design shipped|fix(?:es)?|lessons?\b)",
    )
});

/// What a decision's text has: a section or a label that states it.
static STATES: Pattern = Pattern::new(|| {
    pattern(
        r"(?im)^\s{0,3}(?:#{1,6}\s+(?:\d+\.\s*)?(?:the |final |key |core )?(?:decisions?|decisión|decisiones|what (?:we|i) decided|resolution)(?: (?:made|taken|implemented|summary))?\s*(?:[:—–(-].*)?$|(?:[-*]\s+)?\*\*(?:the |final |key )?(?:decisions?|decided|decisión|resolution)\s*(?::\*\*|\*\*:))",
    )
});

/// How the template for captured directives says why.
static CAPTURED: Pattern = Pattern::new(|| {
    pattern(
        r"(?i)^user (?:directive|preference)\b|\buser (?:request|directive)\b.*(?:captured|team memory)|\bdirective from\b",
    )
});

/// The type of an entry.
pub fn judge(subject: Subject<'_>) -> Evidence<EntryType> {
    let title = subject.of(subject.entry.title);
    if let Some(found) = by_words(subject, title) {
        return found;
    }
    let place = subject.place;
    let history = subject.folder().is_some();
    match place.role {
        Role::History => of_file(EntryType::Memory, Confidence::High, "an agent's history"),
        Role::Archive if history => of_file(EntryType::Memory, Confidence::High, "an archive of an agent's history"),
        Role::Decisions | Role::Inbox | Role::Archive => in_decisions(subject, title),
        _ => Evidence::none(Reason::NoType),
    }
}

fn by_words(subject: Subject<'_>, title: &str) -> Option<Evidence<EntryType>> {
    use EntryType::{Decision, Directive, Memory};
    let strong = |kind, reason| Some(Evidence::of(kind, Confidence::High, reason));
    if subject.folder().is_some() && subject.place.role != Role::Inbox {
        return None; // What an agent keeps is a memory, whatever it tells of.
    }
    let fields = subject.fields();
    let value = |field: &Field| subject.of(field.value);
    if matches(&DIRECTIVE, title) {
        return strong(Directive, Reason::TypeInTitle(Directive));
    }
    if let Some(field) = fields.iter().find(|field| subject.of(field.name).eq_ignore_ascii_case("type")) {
        let words = value(field).to_lowercase();
        let name = subject.of(field.name).to_owned();
        for (word, kind) in [("directive", Directive), ("decision", Decision), ("memory", Memory)] {
            if words.contains(word) {
                return strong(kind, Reason::TypeInField(kind, name));
            }
        }
    }
    if let Some(field) =
        fields.iter().find(|field| subject.of(field.name).eq_ignore_ascii_case("directive") && !field.bulleted)
    {
        let says = value(field).len() > 40; // a reference to a directive is shorter
        if says && !value(field).contains(".md") {
            return strong(Directive, Reason::TypeInField(Directive, subject.of(field.name).to_owned()));
        }
    }
    let why = |field: &&Field| field.meaning == Meaning::Why && matches(&CAPTURED, value(field));
    if fields.iter().any(|field| why(&field)) {
        return strong(Directive, Reason::TypeInText(Directive, "its reason, a user's request"));
    }
    if subject.place.role == Role::Inbox && subject.file_name().to_lowercase().contains("directive") {
        return strong(Directive, Reason::TypeInFileName(Directive));
    }
    let lower = title.to_lowercase();
    if matches(&DECISION, title) && !lower.contains("decisions log") {
        return strong(Decision, Reason::TypeInTitle(Decision));
    }
    if matches(&DIRECTIVE, subject.section) {
        return Some(Evidence::of(Directive, Confidence::Medium, Reason::TypeOfSection(Directive)));
    }
    None
}

/// An entry of decisions.md or its inbox without words for its type in the title.
fn in_decisions(subject: Subject<'_>, title: &str) -> Evidence<EntryType> {
    use EntryType::{Decision, Note};
    let fields = subject.fields();
    let label = |field: &Field| subject.of(field.name).to_lowercase();
    let (report, work) = (matches(&REPORT, title), matches(&WORK, title));
    let states = |field: &&Field| matches!(label(field).as_str(), "what" | "decision" | "qué" | "decisión");
    let stated = match fields.iter().find(states) {
        Some(field) => Some(Reason::TypeInField(Decision, subject.of(field.name).to_owned())),
        None if matches(&STATES, subject.of(subject.body())) => {
            Some(Reason::TypeInText(Decision, "the part that states it"))
        }
        None => None,
    };
    match stated {
        Some(_) if report => return Evidence::of(Decision, Confidence::Low, Reason::AmbiguousType(Decision, Note)),
        Some(reason) if work => return Evidence::of(Decision, Confidence::Medium, reason),
        Some(reason) => return Evidence::of(Decision, Confidence::High, reason),
        None if report => return Evidence::of(Note, Confidence::Medium, Reason::TypeInTitle(Note)),
        None => {}
    }
    let status = fields.iter().find(|field| field.meaning == Meaning::Status);
    let value = status.map_or("", |field| subject.of(field.value));
    let by_status = || {
        let name = status.map_or("", |field| subject.of(field.name)).to_owned();
        Evidence::of(Decision, Confidence::Medium, Reason::TypeInField(Decision, name))
    };
    if !work && matches(&DECIDED, value) {
        return by_status();
    }
    if work || matches(&DONE, value) || matches(&TOLD, subject.of(subject.body())) {
        return Evidence::of(Decision, Confidence::Low, Reason::AmbiguousType(Decision, Note));
    }
    if matches(&IMPLEMENTED, value) {
        return by_status();
    }
    let what = if subject.place.role == Role::Inbox { "the inbox of decisions" } else { "a file of decisions" };
    of_file(Decision, Confidence::Medium, what)
}

fn of_file(kind: EntryType, strength: Confidence, what: &'static str) -> Evidence<EntryType> {
    Evidence::of(kind, strength, Reason::TypeOfFile(kind, what))
}
