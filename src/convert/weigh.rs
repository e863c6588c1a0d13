//! Decision or note: weighs what an entry says where no word of it gives the type alone.
//!
//! A decision says what holds from now on, a note what happened or was found. Most entries of a team's decisions have signs of
//! both. Each sign has a weight; only where one side clearly outweighs the other is it the type, and the signs are its reason.

use std::borrow::Cow;

use super::pattern::first;
use super::reason::Reason;
use super::subject::{Pattern, Subject, matches};
use super::{Confidence, Evidence, title};
use crate::formats::legacy::{Field, Meaning};
use crate::formats::markdown::MarkKind;
use crate::formats::sem::EntryType;
use crate::text::Span;

/// Where a sign is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Title,
    /// The titles of its parts.
    Parts,
    /// The same titles together: the parts of a record of a decision.
    Shape,
    /// The names of its fields.
    Labels,
    /// The first sentence, or the value of the field that says what.
    Beginning,
    /// The fields for state and verdict.
    Status,
    /// Anywhere in the text.
    Text,
}

struct Sign {
    place: Place,
    kind: EntryType,
    weight: u8,
    pattern: Pattern,
}

const fn decision(place: Place, weight: u8, pattern: &'static str) -> Sign {
    Sign { place, kind: EntryType::Decision, weight, pattern: Pattern::new(pattern) }
}

const fn note(place: Place, weight: u8, pattern: &'static str) -> Sign {
    Sign { place, kind: EntryType::Note, weight, pattern: Pattern::new(pattern) }
}

/// The signs. Each counts once, with the first words that match; of those of one place and type the heaviest counts most, and
/// the others one each.
static SIGNS: [Sign; 32] = [
    decision(
        Place::Title,
        3,
        r"(?i)\b(?:must|should|always|never|require[sd]?|policy|rules?|convention|standards?|mandatory|source of truth|canonical|ban(?:ned)?|prohibited|banned|deprecat(?:e|ed|ion)|confirms|normalized|formalized)\b",
    ),
    decision(
        Place::Title,
        3,
        r"(?i)^\W*(?:use|adopt|keep|switch|remove|replace|require|prefer|enforce|standardi[sz]e|move|rename|add|drop|split|make|treat|store|allow|avoid|defer|park|pin|restrict|limit|enable|disable|do not|don['’]t|no)\s",
    ),
    decision(
        Place::Title,
        3,
        r"(?i)\b(?:decisions?|design|contract|architecture|strategy|plan|policy|spec(?:ification)?|rulings?)\s*(?:$|[(:—–-]|\bdrop\b)",
    ),
    decision(
        Place::Title,
        2,
        r"(?i)\b(?:strategy|architecture|contract|approach|pattern|design|plan|scope|structure|conventions|guidelines|workflow|process|program|initiative|mechanism|loop|discipline|model|schema|taxonomy|over|instead of)\b",
    ),
    note(
        Place::Title,
        4,
        r"(?i)\b(?:audit|report|results?|findings|retrospective|retro|investigation|analysis|inventory|triage[ds]?|validation|verification|root cause|post-?mortem|recap|status update|status|diagnosis|research|learnings|lessons|answers|scout|spike|qa|probe|retest|inspection|walkthrough|summary|review|verdict|assessment|evaluation)\b(?:\s*$|\s*[(:—–-]|\s+(?:of|for|on|complete|results)\b|\s*#?\d)|^\W*(?:triage|audit|report|research|qa|status)\b",
    ),
    note(
        Place::Title,
        3,
        r"(?i)\b(?:reviews?|re-?review|assessment|evaluation|verdict|fix(?:es|ed)?|bug|complete[d]?|completion|implemented|shipped|delivered|verified|resolved|created|added|updated|documented|released|opened|merged|closed|landed|passed|failed|blocked|incident|crash|regression|recovery|milestone|test coverage)\b|\btests\s*(?:$|[(:—–-])",
    ),
    decision(
        Place::Parts,
        5,
        r"(?im)^(?:\d+\.\s*)?(?:the |final |key |core )?(?:decisions?|decisión|decisiones|what (?:we|i) decided|resolution|directive)(?: (?:made|taken|implemented|summary))?\s*(?:[:—–(-].*)?$",
    ),
    decision(
        Place::Parts,
        2,
        r"(?im)^(?:\d+\.\s*)?(?:alternatives?|options?|trade-?offs|consequences|rationale|policy|rules?|conventions?|guidelines|constraints|non-goals|out of scope|design decisions|locked decisions|approved \w+|rulings?|chosen approach)\b.*$",
    ),
    note(
        Place::Parts,
        3,
        r"(?im)^(?:\d+\.\s*)?(?:findings|results|test results|what happened|what (?:was|went|shipped|changed|i did)|root cause|executive summary|verdict|evidence|investigation|symptoms?|test coverage|coverage|issues? found|observations|lessons|timeline|gate results|overall (?:status|grade|assessment)|gaps?|strengths|weaknesses)\b.{0,24}$",
    ),
    note(
        Place::Parts,
        2,
        r"(?im)^(?:\d+\.\s*)?(?:files? (?:changed|modified|touched|created)|changes(?: made)?|build(?: status)?|verification|validation|fix(?:es)?|implementation summary|deliverables|work (?:done|completed)|completed|status|next steps|recommendations?|learnings|key insights?)\b.{0,48}$",
    ),
    decision(
        Place::Shape,
        3,
        r"(?ims)^(?:context|problem)\b.*^decisions?\b|^decisions?\b.*^(?:consequences|rationale|alternatives)\b",
    ),
    decision(
        Place::Labels,
        3,
        r"(?i)\bdecid(?:ed|er|ers)\b|\bdecision (?:maker|makers|by|made by|owner)\b|(?:^|; )decision(?:;|$)",
    ),
    decision(
        Place::Beginning,
        4,
        r"(?i)\b(?:we (?:have )?(?:decided|agreed|chose|will)|decided (?:to|that|on|against)|we['’]ll|team decided|decision[:;] |chose\s|is rescinded|going forward|from now on|from here on)\b",
    ),
    decision(
        Place::Beginning,
        4,
        r"(?i)^\W*(?:adopted|agreed|chose|codified|consolidated on|decided|established|formalized|standardi[sz]ed|switched)\b",
    ),
    decision(
        Place::Beginning,
        3,
        r"(?i)\b(?:must|should|shall|always|never|do not|don['’]t|will (?:be|use|not)|is required|are required|source of truth|canonical|prefer|instead of|rather than|now (?:includes?|requires?|uses?|has|have|is|are|follows?|runs?|supports?)|is now|are now|are to|is to)\b|(?:^|\s)only\b",
    ),
    decision(
        Place::Beginning,
        3,
        r"(?i)^\W*(?:use|adopt|keep|switch|require|prefer|enforce|standardi[sz]e|treat|allow|avoid|defer|park|all|every|each|no)\b",
    ),
    decision(
        Place::Beginning,
        2,
        r"(?i)^\W*(?:remove|replace|move|rename|establish|introduce|implement|create|add|define|run|write|split|store)\b",
    ),
    note(
        Place::Beginning,
        4,
        r"(?i)^\W*(?:(?:full|comprehensive|complete|deep|detailed|independent|second-pass|team|thorough|static|initial|final|three|two)\s+)*(?:(?:code|team|security|architecture|scope|coverage|gap|quality)\s+)*(?:review(?:ed)?|audit(?:ed)?|analy(?:sis|zed|sed)|investigat(?:ed|ion)|assess(?:ed|ment)|survey(?:ed)?|inspect(?:ed|ion)|evaluat(?:ed|ion)|research(?:ed)?|triaged?|examined|explored|read|found|discovered|identified|observed|confirmed that|verified|validated)\b",
    ),
    note(
        Place::Beginning,
        4,
        r"(?i)^.{0,60}\b(?:analysis|audit|assessment|improvement recommendations|review and|deep[- ]dive|findings)(?:[^/\w]|$)",
    ),
    note(
        Place::Beginning,
        3,
        r"(?i)^\W*(?:successfully )?(?:added|applied|built|closed|completed|converted|corrected|created|delivered|deleted|documented|enabled|executed|expanded|extended|extracted|fixed|implemented|improved|merged|migrated|modified|opened|published|refactored|renamed|resolved|ran|released|shipped|trimmed|updated|upgraded|wired|wrote)\b",
    ),
    note(
        Place::Beginning,
        2,
        r"(?i)\b(?:was|were|has been|have been|had|is (?:complete|done|ready)|are (?:complete|done)|all \d+ |tests? pass(?:ed|ing)?|attempted|returned|failed|caused|did not)\b",
    ),
    decision(
        Place::Status,
        3,
        r"(?i)\b(?:approved|accepted|adopted|decided|active|enforced|in effect|ratified|agreed|binding|in force|mandatory|confirmed|aprobad[oa]|^decision|ready for implementation)\b",
    ),
    note(
        Place::Status,
        3,
        r"(?i)\b(?:informational|information|analysis|findings|reference|report(?:ed)?|perspective|request(?:ed)? changes|changes requested|passed?|fail(?:ed)?|cleared|not ready|blocked|rejected?|all clear|conditional|verified|documented|investigation|findings)\b",
    ),
    note(
        Place::Status,
        2,
        r"(?i)\b(?:done|completed?|shipped|fixed|merged|executed|delivered|resolved|closed|implemented|implementado|published|green)\b",
    ),
    // A rule for all, whatever brought it.
    decision(
        Place::Text,
        8,
        r"(?i)\*\*(?:convention|rules?|policy)(?: going forward| \((?:now )?(?:binding|in force|mandatory|new)\))?\s*(?::\*\*|\*\*:)\s*(?:all|any|each|every|no)\b[^.\n]{0,120}\b(?:always|must|never)\b",
    ),
    decision(
        Place::Text,
        5,
        r"(?i)\*\*(?:the |final |key |design )?(?:decisions?|decided|decisión|resolution|rules?|convention|policy|directive|(?:chosen )?approach|design choice)(?: going forward| \((?:now )?(?:binding|in force|mandatory|new)\))?\s*(?::\*\*|\*\*:)",
    ),
    decision(
        Place::Text,
        2,
        r"(?i)\b(?:we (?:have )?(?:decided|agreed|chose|will)|decided (?:to|that|on|against)|going forward|from now on|no longer|do not|don['’]t|must (?:be|not|use|have)|should (?:be|not|use)|always|never)\b",
    ),
    decision(
        Place::Text,
        4,
        r"(?i)\*\*(?:rationale|alternatives?(?: considered| rejected)?|consequences?)\s*(?::\*\*|\*\*:)",
    ),
    decision(
        Place::Text,
        1,
        r"(?i)\*\*(?:why|trade-?offs?|reason|implications?|applies to|scope)[^*]{0,20}(?::\*\*|\*\*:)",
    ),
    note(
        Place::Text,
        2,
        r"(?i)\*\*(?:findings?|results?|verdict|root cause|what was (?:done|blocked|fixed)|outcome|evidence|tests?|coverage|verification|metrics|test coverage|gate results|severity)\s*(?::\*\*|\*\*:)",
    ),
    note(
        Place::Text,
        2,
        r"(?i)\b\d+(?:/\d+)? (?:\w+ )?tests? (?:pass|green|fail|added)|\ball (?:\d+ )?tests pass|\b0 errors\b|\bbuild (?:clean|passes|succeeded)",
    ),
    note(Place::Text, 1, r"(?i)\b(?:commit|PR|pull request) [`#]|\bfiles? (?:changed|modified|created)\b|✅"),
];

/// Texts that begin with what was done; of some works it is as good as decided that they stay so.
pub(super) static DID: Pattern = Pattern::new(
    r"(?i)^\W*(?:successfully )?(?:activated|added|analy[sz]ed|applied|audited|authored|built|bumped|changed|cleaned|committed|completed|conducted|configured|converted|corrected|created|deleted|documented|drafted|eliminated|enabled|executed|extended|extracted|fixed|filed|generated|identified|implemented|improved|investigated|merged|migrated|modified|performed|produced|recovered|reduced|refactored|removed|renamed|replaced|resolved|restored|reviewed|rewrote|ran|scaffolded|shipped|tested|triaged|trimmed|updated|upgraded|validated|verified|wired|wrote)\b",
);

/// Whether a text begins with what was done.
pub fn tells_what_was_done(text: &str) -> bool {
    matches(&DID, text)
}

/// How much more a decision has to weigh: most texts say somewhere what must be.
const DECISION_MARGIN: u8 = 3;

/// How much more a note has to weigh.
const NOTE_MARGIN: u8 = 2;

/// What a note has to weigh: that something is done is not enough.
const NOTE_WEIGHT: u8 = 3;

/// Whether the words that speak for a note weigh as much as those for a decision.
pub fn is_rather_note(subject: Subject<'_>) -> bool {
    let parts = Parts::of(subject);
    weigh(&parts, EntryType::Note).weight >= weigh(&parts, EntryType::Decision).weight
}

/// Whether no word of an entry speaks for a note.
pub fn tells_nothing(subject: Subject<'_>) -> bool {
    weigh(&Parts::of(subject), EntryType::Note).weight == 0
}

/// Whether words of a title speak for a note.
pub fn is_title_of_note(title: &str) -> bool {
    let title = own_words(title);
    let mut signs = SIGNS.iter().filter(|sign| sign.place == Place::Title && sign.kind == EntryType::Note);
    signs.any(|sign| matches(&sign.pattern, &title))
}

/// The words of an entry that speak for a decision or a note.
pub fn words(subject: Subject<'_>, kind: EntryType) -> Vec<String> {
    weigh(&Parts::of(subject), kind).words
}

/// The signs of both sides, which do not suffice.
pub fn unsure(subject: Subject<'_>) -> Evidence<EntryType> {
    let parts = Parts::of(subject);
    let (for_decision, for_note) = (weigh(&parts, EntryType::Decision), weigh(&parts, EntryType::Note));
    let reason = Reason::AmbiguousType(for_decision.words, for_note.words);
    Evidence::of(EntryType::Decision, Confidence::Low, reason)
}

/// What outweighs the other: a decision or a note. Low, where neither does, and where what `is_open` would be a decision.
pub fn infer(subject: Subject<'_>, is_open: bool) -> Evidence<EntryType> {
    use EntryType::{Decision, Note};
    let parts = Parts::of(subject);
    let (for_decision, for_note) = (weigh(&parts, Decision), weigh(&parts, Note));
    let outweighs = |one: &Side, other: &Side, margin| one.weight >= other.weight.saturating_add(margin);
    let (kind, winner, loser) = if !is_open && outweighs(&for_decision, &for_note, DECISION_MARGIN) {
        (Decision, for_decision, for_note)
    } else if for_note.weight >= NOTE_WEIGHT && outweighs(&for_note, &for_decision, NOTE_MARGIN) {
        (Note, for_note, for_decision)
    } else {
        return unsure(subject);
    };
    Evidence::of(kind, Confidence::Medium, Reason::TypeByWords(kind, winner.words, loser.words))
}

/// The texts that signs are looked for in.
struct Parts<'a> {
    title: String,
    headings: String,
    labels: String,
    beginning: String,
    status: String,
    text: Cow<'a, str>,
    /// Whether it begins with what was done.
    tells: bool,
}

impl<'a> Parts<'a> {
    fn of(subject: Subject<'a>) -> Self {
        let text = prose(subject);
        // A line of bold words alone is a title, too.
        let heading = |line: &str| {
            let line = line.trim();
            let bold = line.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
            let bold = bold.filter(|line| !line.contains("**"));
            Some(bold.or_else(|| line.strip_prefix('#'))?.trim_matches(['#', ' ', '*', ':']).to_owned())
        };
        let headings = text.lines().filter_map(heading);
        let headings = headings.collect::<Vec<_>>().join("\n");
        let labels = subject.fields().iter().map(|field| subject.of(field.name)).collect::<Vec<_>>().join("; ");
        let values = |meaning: Meaning| subject.fields().iter().filter(move |field| field.meaning == meaning);
        let of = |field: &Field| subject.of(field.value).to_owned();
        let summary = |field: &&Field| matches!(subject.of(field.name).to_lowercase().as_str(), "summary" | "resumen");
        let what = values(Meaning::What).chain(values(Meaning::Other).filter(summary));
        let what = what.map(of).find(|value| !value.is_empty());
        let beginning = what.or_else(|| title::sentence(subject, None)).unwrap_or_else(|| title::beginning(subject));
        let verdict = |field: &&Field| {
            let name = subject.of(field.name).to_lowercase();
            name.contains("verdict") || name.contains("outcome")
        };
        let others = values(Meaning::Other).filter(verdict).map(of);
        let status = values(Meaning::Status).map(of).chain(others).collect::<Vec<_>>().join("; ");
        // A long text has all words somewhere.
        let end = text.char_indices().nth(LOOKED_AT).map_or(text.len(), |(at, _)| at);
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(..end).unwrap_or(text)),
            Cow::Owned(mut text) => {
                text.truncate(end);
                Cow::Owned(text)
            }
        };
        let tells = tells_what_was_done(&beginning);
        Self { title: own_words(subject.of(subject.entry.title)), headings, labels, beginning, status, text, tells }
    }

    fn at(&self, place: Place) -> &str {
        match place {
            Place::Title => &self.title,
            Place::Parts | Place::Shape => &self.headings,
            Place::Labels => &self.labels,
            Place::Beginning => &self.beginning,
            Place::Status => &self.status,
            Place::Text => &self.text,
        }
    }
}

/// The text of an entry without its blocks of code: what a prompt or an example says is not what the entry says.
pub(super) fn prose(subject: Subject<'_>) -> Cow<'_, str> {
    let (marks, body) = (&subject.entries.outline.marks, subject.body());
    let first = marks.partition_point(|mark| mark.line.start() < body.start());
    let own = marks.get(first..).unwrap_or_default().iter().take_while(|mark| mark.line.start() < body.end());
    let (mut out, mut at, mut in_code) = (String::new(), body.start(), false);
    for mark in own {
        match mark.kind {
            MarkKind::FenceOpen if !in_code => {
                out.push_str(subject.of(Span::new(at, mark.line.start())));
                in_code = true;
            }
            MarkKind::FenceClose => (at, in_code) = ((mark.next as usize).min(body.end()), false),
            _ => {}
        }
    }
    if at == body.start() && !in_code {
        return Cow::Borrowed(subject.of(body));
    }
    if !in_code {
        out.push_str(subject.of(Span::new(at, body.end())));
    }
    Cow::Owned(out)
}

/// A title without what it came after or is meant for, and without paths: `revisions after the review`, `draft for review`,
/// `GET /events/{id}/report`.
fn own_words(title: &str) -> String {
    static PATH: Pattern = Pattern::new(r"(?:^|\s)`?(?:\w+://|/)\S+|\S+/\S+/\S+");
    static OTHER: Pattern = Pattern::new(
        r"(?i)\b(?:after|for|from|following|pending|under|post|ready for|requested in) (?:[\w-]+ ){0,3}(?:review|audit|analysis|assessment|triage|retro|retrospective|investigation)\b",
    );
    OTHER.replace_all(&PATH.replace_all(title, ""), "")
}

/// How many characters of a text are examined.
const LOOKED_AT: usize = 4_000;

/// What speaks for one side.
struct Side {
    weight: u8,
    words: Vec<String>,
}

fn weigh(parts: &Parts<'_>, kind: EntryType) -> Side {
    let mut side = Side { weight: 0, words: Vec::new() };
    let mut seen: Vec<Place> = Vec::new();
    for sign in SIGNS.iter().filter(|sign| sign.kind == kind) {
        // What was done may say "must" of anything.
        if sign.place == Place::Beginning && kind == EntryType::Decision && parts.tells && sign.weight < PLAIN {
            continue;
        }
        let Some(words) = first(&sign.pattern, parts.at(sign.place)) else { continue };
        // A second sign of one place says little more.
        let weight = if seen.contains(&sign.place) { 1 } else { sign.weight };
        seen.push(sign.place);
        side.weight = side.weight.saturating_add(weight);
        if side.words.len() < SHOWN && !words.is_empty() && !side.words.contains(&words) {
            side.words.push(words);
        }
    }
    side
}

/// The weight of the words that say at a beginning that something was decided, and not only what must be.
const PLAIN: u8 = 4;

/// How many words are shown for a side.
const SHOWN: usize = 3;
