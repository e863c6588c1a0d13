//! Infers the type of an entry: from its words first, then from its section and file.

use super::reason::Reason;
use super::subject::{Pattern, Subject, matches};
use super::{Confidence, Evidence, body, title, weigh};
use crate::dialects::squad;
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::EntryType;

/// `User directive — …`, `Directives: …`, `… directive` at the end.
static DIRECTIVE: Pattern =
    Pattern::new(r"(?i)^\W*(?:[\w'/&-]+ ){0,3}directives?\s*(?:$|[:—–(\-])|\bdirectives?\W*$|^\W*directiva\b");

/// `Decision: …`, `Architecture Decision — …`, `… Decision` at the end.
static DECISION: Pattern = Pattern::new(
    r"(?i)^\W*(?:[\w/&-]+ ){0,3}(?:decisions?|decisión|adr[ -]?\d*)\s*(?:#?\d+)?\s*[:—–-]\s*\S|\bdecisions?\W*$|\bdecisión\W*$|\bdecided\b",
);

/// Titles of reports: what happened or was found, not what holds from now on.
static REPORT: Pattern = Pattern::new(
    r"(?i)\b(?:findings|audit|report|analysis|inventory|retrospective|retro|triage|retest|verdict|investigation|spike|research|session (?:log|notes|summary)|status update|results|test coverage|learnings|lessons|notes|recap|assessment|evaluation|root cause|diagnosis|postmortem|post-mortem|qa|answers|code review|deep[- ]dive)\b|^\W*pr #\d+|\bsummary\s*(?:$|[(:—–-])",
);

/// The same words where they say what the entry is: at the title's end, or before what it is about.
static IS_REPORT: Pattern = Pattern::new(
    r"(?i)\b(?:findings|audit|report|analysis|inventory|retrospective|investigation|spike|results|recap|assessment|evaluation|diagnosis|postmortem|post-mortem|summary)\s*(?:$|[(:—–-]|of\b|for\b|on\b)",
);

/// Titles of work: it may rest on a decision, or only be told of.
static WORK: Pattern = Pattern::new(
    r"(?i)\b(?:fix(?:es|ed)?|bugs?|bugfix(?:es)?|crash|leak|regression|incident|outage|complet(?:e|ed|ion)|implemented|initialized|shipped|delivered|milestone|perspective|review|recovery|verified|verification|attempt|blocked|blocker|risk|friction|documented|published|written)\b|^\W*triage\b|\b(?:implementation|opened|merged|updated|created|released|added|test suite)\s*(?:$|[(:—–-])|\badded (?:as|to)\b|['’]s take\b",
);

/// Values of a status that say something was decided.
static DECIDED: Pattern = Pattern::new(
    r"(?i)\b(?:approved|accepted|adopted|decided|active|enforced|in effect|ratified|agreed|binding|in force|mandatory|aprobad[oa])\b",
);

/// Values of a status of what was decided and done.
static IMPLEMENTED: Pattern = Pattern::new(r"(?i)\b(?:implemented|final|implementad[oa])\b");

/// Values of a status that say what was done, not what was decided.
static DONE: Pattern = Pattern::new(
    r"(?i)\b(?:done|complete|completed|shipped|fixed|merged|executed|delivered|resolved|closed|findings|perspective|documented|ready|passed?|required|blocked|published)\b",
);

/// Texts that begin with what was done; of some works it is as good as decided that they stay so.
static DID: Pattern = Pattern::new(
    r"(?i)^\W*(?:successfully )?(?:added|analy[sz]ed|applied|audited|built|changed|completed|converted|corrected|created|deleted|documented|enabled|executed|extended|extracted|fixed|identified|implemented|improved|investigated|migrated|modified|refactored|removed|renamed|replaced|resolved|reviewed|shipped|triaged|trimmed|updated|upgraded|validated|verified|wired|wrote)\b",
);

/// What leaves nothing that holds from now on.
static DID_ONCE: Pattern = Pattern::new(
    r"(?i)^\W*(?:successfully )?(?:analy[sz]ed|audited|completed|corrected|documented|executed|fixed|identified|investigated|resolved|reviewed|shipped|triaged|updated|validated|verified|wrote)\b",
);

/// Titles that say what holds.
static RULE: Pattern = Pattern::new(
    r"(?i)\b(?:must|should|always|never|only|required?|requires|not|every|each|policy|rule|convention|standard|pattern|strategy)\b",
);

/// Values of a status that say it is there to be known.
static TELLS: Pattern =
    Pattern::new(r"(?i)\b(?:informational|information|analysis|findings|reference|report(?:ed)?)\b");

/// Headings in texts that tell of work.
static TOLD: Pattern = Pattern::new(
    r"(?im)^\s{0,3}#{1,6}\s+(?:what (?:changed|was built|was done|shipped|happened|i did)|changes(?: made)?|files? (?:changed|modified|touched)|build(?: status)?|verification|(?:test )?results|root cause|symptoms?|findings|implementation summary|design shipped|fix(?:es)?|lessons?\b)",
);

/// The section of a text that states what was decided.
static SECTION: Pattern = Pattern::new(
    r"(?im)^\s{0,3}#{1,6}\s+(?:\d+\.\s*)?(?:the |final |key |core )?(?:decisions?|decisión|decisiones|what (?:we|i) decided|resolution)(?: (?:made|taken|implemented|summary))?\s*(?:[:—–(-].*)?$",
);

/// The label that does so.
static LABEL: Pattern = Pattern::new(
    r"(?im)^\s{0,3}(?:[-*]\s+)?\*\*(?:the |final |key )?(?:decisions?|decided|decisión|resolution)\s*(?::\*\*|\*\*:|\*\*[ \t]*$)",
);

/// `Copilot (User Directive)`, `Jeffrey T. Fritz (directive)`
static OF_USER: Pattern = Pattern::new(r"(?i)\buser directive\b|\(directive\)");

/// How the template for captured directives says why.
static CAPTURED: Pattern = Pattern::new(
    r"(?i)^user (?:directive|preference)\b|\buser (?:request|directive)\b.*(?:captured|team memory)|\bdirective from\b",
);

/// The type of an entry.
pub fn infer(subject: Subject<'_>) -> Evidence<EntryType> {
    let title = subject.of(subject.entry.title);
    if let Some(found) = by_words(subject, title) {
        return found;
    }
    let place = subject.place;
    let history = subject.folder().is_some();
    let is = |kind| place.file_kind == kind;
    if is(&squad::HISTORY) {
        of_file(EntryType::Memory, Confidence::High, "an agent's history")
    } else if is(&squad::ARCHIVE) && history {
        of_file(EntryType::Memory, Confidence::High, "an archive of an agent's history")
    } else if is(&squad::DECISIONS) || is(&squad::INBOX) || is(&squad::ARCHIVE) {
        in_decisions(subject, title)
    } else {
        Evidence::none(Reason::NoType)
    }
}

fn by_words(subject: Subject<'_>, title: &str) -> Option<Evidence<EntryType>> {
    use EntryType::{Decision, Directive, Memory};
    let strong = |kind, reason| Some(Evidence::of(kind, Confidence::High, reason));
    if subject.folder().is_some() && subject.place.file_kind != &squad::INBOX {
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
    // `By: Copilot (User Directive)`, or `By: Brady (via Copilot)` with a user's request for a reason
    let mut authors = fields.iter().filter(|field| field.meaning == Meaning::Author);
    if let Some(field) = authors.clone().find(|field| matches(&OF_USER, value(field))) {
        return strong(Directive, Reason::TypeInField(Directive, subject.of(field.name).to_owned()));
    }
    let through = authors.any(|field| value(field).contains("(via "));
    let captured = |text: &str| matches(&CAPTURED, text) || through && text.to_lowercase().starts_with("user request");
    if body::why(subject).is_some_and(|field| captured(subject.of(field.value))) {
        return strong(Directive, Reason::TypeInText(Directive, "its reason, a user's request"));
    }
    if subject.place.file_kind == &squad::INBOX && subject.file_name().to_lowercase().contains("directive") {
        return strong(Directive, Reason::TypeInFileName(Directive));
    }
    let lower = title.to_lowercase();
    if matches(&DECISION, title) && !lower.contains("decisions log") {
        let (report, tells) = (matches(&REPORT, title), matches(&TELLS, value_of_status(subject)));
        if report && tells {
            return Some(weigh::infer(subject));
        }
        let told = report || tells || matches(&WORK, title);
        let strength = if told { Confidence::Medium } else { Confidence::High };
        return Some(Evidence::of(Decision, strength, Reason::TypeInTitle(Decision)));
    }
    if matches(&DIRECTIVE, subject.section) {
        return Some(Evidence::of(Directive, Confidence::Medium, Reason::TypeOfSection(Directive)));
    }
    None
}

/// An entry of decisions.md or its inbox without words for its type in the title.
fn in_decisions(subject: Subject<'_>, title: &str) -> Evidence<EntryType> {
    use EntryType::{Decision, Note};
    let decision = |strength, reason| Evidence::of(Decision, strength, reason);
    let ambiguous = || weigh::infer(subject);
    let (report, work) = (matches(&REPORT, title), matches(&WORK, title));
    let states = |field: &&Field| {
        matches!(subject.of(field.name).to_lowercase().as_str(), "what" | "decision" | "qué" | "decisión")
    };
    let stated = subject.fields().iter().find(states);
    if let Some(field) = stated {
        let (name, mut value) = (subject.of(field.name), subject.of(field.value));
        let below = title::sentence(subject, None).unwrap_or_default();
        if value.is_empty() {
            value = &below;
        }
        // `What` may also tell what was done.
        let what = !name.to_lowercase().starts_with("deci");
        let once = work || matches(&DID_ONCE, value) || matches(&DID, title);
        if report || what && once && !matches(&RULE, title) {
            return ambiguous();
        }
        let did = once || matches(&DID, value);
        let strength = if did { Confidence::Medium } else { Confidence::High };
        return decision(strength, Reason::TypeInField(Decision, name.to_owned()));
    }
    let body = subject.of(subject.body());
    let (section, label) = (matches(&SECTION, body), matches(&LABEL, body));
    if section || label {
        let done = work || matches(&DID, title);
        let strength = if done { Confidence::Medium } else { Confidence::High };
        // A report on work has decisions in its midst, too.
        let unclear = report || done;
        let reason = Reason::TypeInText(Decision, "the part that states it");
        return if unclear { ambiguous() } else { decision(strength, reason) };
    }
    if matches(&IS_REPORT, title) {
        return Evidence::of(Note, Confidence::Medium, Reason::TypeInTitle(Note));
    }
    let status = value_of_status(subject);
    let by_status = || decision(Confidence::Medium, Reason::TypeInField(Decision, "Status".to_owned()));
    if !report && !work && matches(&DECIDED, status) {
        return by_status();
    }
    let told = title::sentence(subject, None).is_some_and(|sentence| matches(&DID, &sentence)) || matches(&DID, title);
    let signs = [report, work, matches(&DONE, status), matches(&TOLD, body), told];
    match signs.into_iter().filter(|sign| *sign).count() {
        0 if weigh::is_rather_note(subject) => ambiguous(),
        0 if matches(&IMPLEMENTED, status) => by_status(),
        0 if subject.place.file_kind == &squad::INBOX => {
            of_file(Decision, Confidence::Medium, "the inbox of decisions")
        }
        0 => of_file(Decision, Confidence::Medium, "a file of decisions"),
        1 => ambiguous(),
        _ if matches(&RULE, title) => ambiguous(),
        _ => Evidence::of(Note, Confidence::Medium, Reason::TypeInText(Note, "its contents")),
    }
}

fn value_of_status(subject: Subject<'_>) -> &str {
    let status = subject.fields().iter().find(|field| field.meaning == Meaning::Status);
    status.map_or("", |field| subject.of(field.value))
}

fn of_file(kind: EntryType, strength: Confidence, what: &'static str) -> Evidence<EntryType> {
    Evidence::of(kind, strength, Reason::TypeOfFile(kind, what))
}
