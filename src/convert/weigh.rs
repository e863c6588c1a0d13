//! Decision or note: weighs what an entry says where no word of it gives the type alone.
//!
//! A decision says what holds from now on, a note what happened or was found. Most entries of a team's decisions have signs of
//! both. Each sign has a weight; only where one side clearly outweighs the other is it the type, and the signs are its reason.

use super::reason::Reason;
use super::subject::{Pattern, Subject};
use super::title;
use super::{Confidence, Evidence};
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::EntryType;

/// Where a sign is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Title,
    /// The titles of its parts.
    Parts,
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
static SIGNS: [Sign; 26] = [
    decision(
        Place::Title,
        3,
        r"(?i)\b(?:must|should|always|never|require[sd]?|policy|rules?|convention|standards?|mandatory|ban(?:ned)?|prohibited|banned|deprecat(?:e|ed|ion)|confirms|normalized|formalized)\b",
    ),
    decision(
        Place::Title,
        3,
        r"(?i)^\W*(?:use|adopt|keep|switch|remove|replace|require|prefer|enforce|standardi[sz]e|move|rename|add|drop|split|make|treat|store|allow|avoid|defer|park|pin|restrict|limit|enable|disable|do not|don['’]t|no)\s",
    ),
    decision(
        Place::Title,
        3,
        r"(?i)\b(?:decisions?|design|contract|architecture|strategy|plan|policy|spec(?:ification)?|proposal|rulings?)\s*(?:$|[(:—–-]|\bdrop\b)",
    ),
    decision(
        Place::Title,
        2,
        r"(?i)\b(?:strategy|architecture|contract|approach|pattern|design|plan|proposal|scope|structure|conventions|guidelines|workflow|process|program|initiative|mechanism|loop|discipline|model|schema|taxonomy|over|instead of)\b",
    ),
    note(
        Place::Title,
        4,
        r"(?i)\b(?:audit|report|results?|findings|retrospective|retro|investigation|analysis|inventory|triage[ds]?|validation|verification|root cause|post-?mortem|recap|status update|status|diagnosis|research|learnings|lessons|answers|scout|spike|qa|probe|retest|inspection|walkthrough|summary|review|verdict|assessment|evaluation)\b(?:\s*$|\s*[(:—–-]|\s+(?:of|for|on|complete|results)\b|\s*#?\d)|^\W*(?:triage|audit|report|research|qa|status)\b",
    ),
    note(
        Place::Title,
        3,
        r"(?i)\b(?:reviews?|re-?review|assessment|evaluation|verdict|fix(?:es|ed)?|bug|complete[d]?|completion|implemented|shipped|delivered|verified|resolved|created|added|updated|documented|released|opened|merged|closed|landed|passed|failed|blocked|incident|crash|regression|recovery|milestone|test coverage|tests)\b",
    ),
    decision(
        Place::Parts,
        5,
        r"(?im)^(?:\d+\.\s*)?(?:the |final |key |core )?(?:decisions?|decisión|decisiones|what (?:we|i) decided|resolution|directive)(?: (?:made|taken|implemented|summary))?\s*(?:[:—–(-].*)?$",
    ),
    decision(
        Place::Parts,
        2,
        r"(?im)^(?:\d+\.\s*)?(?:alternatives?|options?|trade-?offs|consequences|rationale|policy|rules?|conventions?|guidelines|constraints|non-goals|out of scope|design decisions|locked decisions|approved \w+|rulings?|proposal$|proposed (?:solution|approach)|chosen approach)\b.*$",
    ),
    note(
        Place::Parts,
        3,
        r"(?im)^(?:\d+\.\s*)?(?:findings|results|test results|what happened|what (?:was|went|shipped|changed|i did)|root cause|executive summary|verdict|evidence|investigation|symptoms?|test coverage|coverage|issues? found|observations|lessons|timeline|gate results|overall (?:status|grade|assessment)|gaps?|strengths|weaknesses)\b.*$",
    ),
    note(
        Place::Parts,
        2,
        r"(?im)^(?:\d+\.\s*)?(?:files? (?:changed|modified|touched|created)|changes(?: made)?|build(?: status)?|verification|validation|fix(?:es)?|implementation summary|deliverables|work (?:done|completed)|completed|status|next steps|recommendations?|learnings|key insights?)\b.*$",
    ),
    decision(
        Place::Beginning,
        4,
        r"(?i)\b(?:we (?:have )?(?:decided|agreed|chose|will)|decided (?:to|that|on|against)|we['’]ll|team decided|decision[:;] |chose to|is rescinded|going forward|from now on|from here on)\b",
    ),
    decision(
        Place::Beginning,
        3,
        r"(?i)\b(?:must|should|shall|always|never|do not|don['’]t|will (?:be|use|not)|is required|are required|prefer|only|instead of|rather than|now (?:includes?|requires?|uses?|has|have|is|are|follows?|runs?|supports?)|is now|are now|are to|is to)\b",
    ),
    decision(
        Place::Beginning,
        2,
        r"(?i)^\W*(?:use|adopt|keep|switch|remove|replace|require|prefer|enforce|standardi[sz]e|move|rename|establish|introduce|implement|create|add|define|run|write|split|treat|store|allow|avoid|defer|park|all|every|each|no)\b",
    ),
    note(
        Place::Beginning,
        4,
        r"(?i)^\W*(?:(?:full|comprehensive|complete|deep|detailed|independent|second-pass|team|thorough|static|initial|final|three|two)\s+)*(?:(?:code|team|security|architecture|scope|coverage|gap|quality)\s+)*(?:review(?:ed)?|audit(?:ed)?|analy(?:sis|zed|sed)|investigat(?:ed|ion)|assess(?:ed|ment)|survey(?:ed)?|inspect(?:ed|ion)|evaluat(?:ed|ion)|research(?:ed)?|triaged?|examined|explored|read|found|discovered|identified|observed|confirmed that|verified|validated)\b",
    ),
    note(
        Place::Beginning,
        4,
        r"(?i)^.{0,60}\b(?:analysis|audit|assessment|improvement recommendations|review and|deep[- ]dive|findings)\b",
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
        r"(?i)\b(?:approved|accepted|adopted|decided|active|enforced|in effect|ratified|agreed|binding|in force|mandatory|confirmed|aprobad[oa]|^decision|proposed|design|draft|awaiting|pending|ready for implementation)\b",
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
    decision(
        Place::Text,
        5,
        r"(?i)\*\*(?:the |final |key )?(?:decisions?|decided|decisión|resolution|rule|policy|directive)\s*(?::\*\*|\*\*:)",
    ),
    decision(
        Place::Text,
        2,
        r"(?i)\b(?:we (?:have )?(?:decided|agreed|chose|will)|decided (?:to|that|on|against)|going forward|from now on|no longer|do not|don['’]t|must (?:be|not|use|have)|should (?:be|not|use)|always|never)\b",
    ),
    decision(
        Place::Text,
        1,
        r"(?i)\*\*(?:why|rationale|alternatives?(?: considered)?|trade-?offs?|reason|implications?|applies to|scope)[^*]{0,20}(?::\*\*|\*\*:)",
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

/// How much more one side has to weigh.
const MARGIN: u8 = 1;

/// How much more a note has to weigh where the place speaks for a decision.
const FAR: u8 = 3;

/// Whether the signs of a note outweigh those of a decision by far.
pub fn is_rather_note(subject: Subject<'_>) -> bool {
    let parts = Parts::of(subject);
    let (for_decision, for_note) = (weigh(&parts, EntryType::Decision), weigh(&parts, EntryType::Note));
    for_note.weight >= for_decision.weight.saturating_add(FAR)
}

/// What outweighs the other: a decision or a note. Low, where neither does.
pub fn infer(subject: Subject<'_>) -> Evidence<EntryType> {
    use EntryType::{Decision, Note};
    let parts = Parts::of(subject);
    let (for_decision, for_note) = (weigh(&parts, Decision), weigh(&parts, Note));
    let (kind, winner, loser) = match for_decision.weight >= for_note.weight {
        true => (Decision, for_decision, for_note),
        false => (Note, for_note, for_decision),
    };
    if winner.weight < loser.weight.saturating_add(MARGIN) {
        return Evidence::of(Decision, Confidence::Low, Reason::AmbiguousType(Decision, Note));
    }
    Evidence::of(kind, Confidence::Medium, Reason::TypeByWords(kind, winner.words, loser.words))
}

/// The texts that signs are looked for in.
struct Parts<'a> {
    title: String,
    headings: String,
    beginning: String,
    status: String,
    text: &'a str,
}

impl<'a> Parts<'a> {
    fn of(subject: Subject<'a>) -> Self {
        let text = subject.of(subject.body());
        let headings =
            text.lines().filter_map(|line| Some(line.trim_start().strip_prefix('#')?.trim_matches(['#', ' ', '*'])));
        let headings = headings.collect::<Vec<_>>().join("\n");
        let values = |meaning: Meaning| subject.fields().iter().filter(move |field| field.meaning == meaning);
        let of = |field: &Field| subject.of(field.value).to_owned();
        let summary = |field: &&Field| matches!(subject.of(field.name).to_lowercase().as_str(), "summary" | "resumen");
        let what = values(Meaning::What).chain(values(Meaning::Other).filter(summary));
        let what = what.map(of).find(|value| !value.is_empty());
        let beginning = what.or_else(|| title::sentence(subject, None)).unwrap_or_default();
        let verdict = |field: &&Field| {
            let name = subject.of(field.name).to_lowercase();
            name.contains("verdict") || name.contains("outcome") || name.contains("vote")
        };
        let others = values(Meaning::Other).filter(verdict).map(of);
        let status = values(Meaning::Status).map(of).chain(others).collect::<Vec<_>>().join("; ");
        // A long text has all words somewhere.
        let end = text.char_indices().nth(LOOKED_AT).map_or(text.len(), |(at, _)| at);
        let text = text.get(..end).unwrap_or(text);
        Self { title: own_words(subject.of(subject.entry.title)), headings, beginning, status, text }
    }

    fn at(&self, place: Place) -> &str {
        match place {
            Place::Title => &self.title,
            Place::Parts => &self.headings,
            Place::Beginning => &self.beginning,
            Place::Status => &self.status,
            Place::Text => self.text,
        }
    }
}

/// A title without what it came after or is meant for: `revisions after the review`, `draft for review`.
fn own_words(title: &str) -> String {
    static OTHER: Pattern = Pattern::new(
        r"(?i)\b(?:after|for|from|following|pending|under|post|ready for|requested in) (?:[\w-]+ ){0,3}(?:review|audit|analysis|assessment|triage|retro|retrospective|investigation)\b",
    );
    OTHER.regex().map_or_else(|| title.to_owned(), |other| other.replace_all(title, "").into_owned())
}

/// How many characters of a text are looked at.
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
        let Some(found) = sign.pattern.regex().and_then(|regex| regex.find(parts.at(sign.place))) else { continue };
        // A second sign of one place says little more.
        let weight = if seen.contains(&sign.place) { 1 } else { sign.weight };
        seen.push(sign.place);
        side.weight = side.weight.saturating_add(weight);
        let words = found.as_str().trim_matches(|c: char| !c.is_alphanumeric()).chars().take(24).collect::<String>();
        if side.words.len() < SHOWN && !words.is_empty() && !side.words.contains(&words) {
            side.words.push(words);
        }
    }
    side
}

/// How many words are shown for a side.
const SHOWN: usize = 3;
