//! Infers the type of an entry: from its words first, then from its section and file.

use std::cell::OnceCell;

use super::pattern::first;
use super::reason::Reason;
use super::status::{DECIDED, IMPLEMENTED, IS_DECISION, OPEN, RULED};
use super::subject::{Pattern, Subject, matches};
use super::told::{Part, Told};
use super::work::{chooses, confirms, denies_choice, ends_with_checks, is_left_to_do, is_result, is_verdict};
use super::work::{keeps_records, orders, rejects, retells, tells_first, tells_state, tells_throughout, tells_verdict};
use super::{Confidence, Evidence, body, status, weigh, who};
use crate::dialects::squad;
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::EntryType;
use crate::text::{Span, lines};

/// `User directive — …`, `Directives: …`, `… directive` at the end, also with a number before it.
static DIRECTIVE: Pattern = Pattern::new(
    r"(?i)^\W*(?:[a-z]{0,2}-?\d+[.:)]\s+)?(?:decision:\s+)?(?:[\w'/&-]+ ){0,3}directives?\s*(?:$|[:—–(\-])|\bdirectives?\W*$|^\W*directiva\b",
);

/// Titles of what follows from directives: `Sprint plan amendments for Brady's session 5 directives`.
static OF_DIRECTIVES: Pattern = Pattern::new(
    r"(?i)\w\s+(?:about|after|against|following|for|from|implementing|of|on|per|to|under|with)\s.*\bdirectives?\W*$",
);

/// `Decision: …`, `12. Architecture Decision — …`, `Decision note: …`, `… Decision` at the end.
static DECISION: Pattern = Pattern::new(
    r"(?i)^\W*(?:[a-z]{0,2}-?\d+[.:)]\s+)?(?:[\w/&-]+ ){0,3}(?:decisions?|decisión|adr[ -]?\d*)(?: (?:inbox|note|record|drop))?\s*(?:#?\d+)?\s*[:—–-]\s*\S|\bdecisions?\W*$|\bdecisión\W*$|\bdecided\b",
);

/// Words that make a report even of what is called a decision.
static REPORTED: Pattern = Pattern::new(
    r"(?i)\b(?:status|analysis|verdict|complet(?:e|ed|ion)|audit|execution|reports?|results|reviews?|bugs?|bugfix(?:es)?|fixes|verified|verification|opened|merged|updated|updates|published|shipped|delivered|added|applied|test suite|milestone)\b",
);

/// The same where they say what the entry is: at the title's end, or before what it is about.
static IS_REPORT: Pattern = Pattern::new(
    r"(?i)\b(?:findings|audit|report|analysis|inventory|retrospective|investigation|results|recap|assessment|evaluation|diagnosis|feasibility|research|scout|deep[- ]dive|post-?mortem|reviews?)\s*(?:$|[(:—–-])",
);

/// Titles of what was examined for others.
static REVIEW: Pattern = Pattern::new(r"(?i)\b(?:re-?)?reviews?\b|\bgate\b");

/// Titles of verdicts: `Keaton approved Verbal's revision`, `Approve the parser`.
static VERDICT: Pattern = Pattern::new(r"(?i)\b(?:approve[ds]?|re-?reviews?|reviews?|gate|verdict)\b");

/// Titles of the parts that decisions have.
static REASONED: Pattern =
    Pattern::new(r"(?im)^\s{0,3}(?:#{1,6}\s+|\*\*)(?:rationale|alternatives|consequences|trade-?offs)\b");

/// Texts that tell of what was written about something.
static WROTE: Pattern = Pattern::new(
    r"(?i)^\W*(?:added|authored|created|drafted|expanded|extended|rewrote|wrote)\b[^.]{0,60}\b(?:docs?|documentation|guides?|guidance|readme|changelog)\b",
);

/// Words of what was made a rule.
static RULED_SO: Pattern = Pattern::new(r"(?i)\b(?:formali[sz]ed|codified|standardi[sz]ed|established|adopted)\b");

/// Texts that tell of what was there before.
static EXISTING: Pattern = Pattern::new(r"(?i)^\W*documented\s+(?:\w+\s+){0,2}(?:existing|current)\b");

/// Titles that say what holds, or what to do.
static RULE: Pattern = Pattern::new(
    r"(?i)\b(?:must|should|always|never|only|required?|requires|not|no|every|each|policy|rule|conventions?|standards?|pattern|strategy|over|instead of)\b|^\W*(?:use|adopt|keep|switch|remove|replace|require|prefer|enforce|standardi[sz]e|move|rename|add|drop|split|make|treat|store|allow|avoid|defer|park|pin|restrict|limit|enable|disable|broaden|extract|expose|migrate)\s|\b(?:architecture|design)\s*$",
);

/// Titles of what is proposed.
static PROPOSED: Pattern = Pattern::new(
    r"(?i)\b(?:proposals?|draft|recommendations?|propuesta)\s*(?:$|[(:—–-]\s)|^\W*(?:proposal|propuesta)\b",
);

/// Texts of what is only proposed: `Proposal 12 recommends …`.
static RECOMMENDS: Pattern = Pattern::new(r"(?i)^[^.]{0,60}\b(?:recommends?|proposes?|suggests?)\b");

/// Texts of a proposal by its number: `Proposal 16 is the first draft of …`.
static NUMBERED: Pattern = Pattern::new(r"(?i)^\W*proposal\s+#?\d");

/// Titles of what is wrong, or of what was seen: `Mitigations don't reach old installations`, `Industry trends`.
static SEEN: Pattern = Pattern::new(
    r"(?i)\w\W+(?:do(?:es)?n['’]t|do(?:es)? not|fails?|lacks?|(?:is|are) (?:broken|missing|needed)|needed|missing|broken)\b|\b(?:trends|insights|observations|ideas|concerns)\b",
);

/// Words of what holds from now on, for a user's directive.
static COMMANDS: Pattern = Pattern::new(r"(?i)\b(?:must|always|never|do not|don['’]t|shall)\b");

/// Texts of what a user decided about one thing.
static ANSWERS: Pattern = Pattern::new(r"(?i)\b(?:answers|answered)\b|^[^.:]{0,30}\b(?:decisions?|decided|chose)\b");

/// Texts of what a user wants to know: no rule follows from them so far.
static EXPLORES: Pattern =
    Pattern::new(r"(?i)^[^.]{0,60}\b(?:explore|investigate|look into|research)\b|^\W*(?:consider|evaluate)\b");

/// The same for the usual labels, below other text.
static WHAT: Pattern = Pattern::new(r"(?ims)^\*\*what:\*\*\s.*^\*\*why:\*\*\s");

/// `Copilot (User Directive)`, `Jeffrey T. Fritz (directive)`
static OF_USER: Pattern = Pattern::new(r"(?i)\buser directive\b|\(directive\)|\bvia (?:\w+ )?directive\b");

/// Text that begins by calling itself a directive.
static IS_ORDER: Pattern = Pattern::new(r"(?i)^\W*(?:user|owner)(?:['’]s)? directive\**\s*[:—–-]");

/// Texts of what to do or to use, for a user's words.
static ASKS: Pattern = Pattern::new(
    r"(?i)^\W*(?:adopt|allow|ask|avoid|default to|defer|enforce|follow|include|keep|make|prefer|prioriti[sz]e|remove|replace|respect|stop|switch|treat|use)\s",
);

/// The state of what was not accepted.
static REJECTED: Pattern = Pattern::new(r"(?i)^\W*(?:rejected|superseded|withdrawn|revoked)\b");

/// A title with the results of a trial, or the text that tells what it showed.
static SHOWS: Pattern =
    Pattern::new(r"(?i)\b(?:shows?|showed|exposes?d?|reveals?|revealed|gained|re-?test|sweep|benchmark)\b");

/// Titles of what was written for others: `New skill — …`.
static MADE: Pattern = Pattern::new(
    r"(?i)^\W*new (?:skill|template|guide|doc|document|page|script|runbook|playbook)\b|\b(?:skill|template|guide|docs?|page|script)\b.{0,20}\b(?:added|created)\W*$",
);

/// How the template for captured directives says why.
static CAPTURED: Pattern = Pattern::new(
    r"(?i)^user (?:directive|preference)\b|\buser (?:request|directive)\b.*(?:captured|team memory)|\bdirective from\b",
);

/// The type of an entry. Where it is not certain, its reasons say why.
pub fn infer(subject: Subject<'_>) -> Evidence<EntryType> {
    let mut found = of_entry(subject);
    found.reasons.extend(doubt(subject, &found));
    found
}

/// Why a type is not certain, where no reason says so yet.
fn doubt(subject: Subject<'_>, found: &Evidence<EntryType>) -> Option<Reason> {
    use EntryType::{Decision, Note};
    let kind = found.value.filter(|_| found.strength == Confidence::Medium)?;
    let title = subject.of(subject.entry.title);
    let by_words = found.reasons.iter().find_map(|reason| match reason {
        Reason::TypeByWords(_, _, against) => Some(against),
        _ => None,
    });
    if kind == Note && is_labelled(title) {
        return Some(Reason::CalledDecision);
    }
    if found.reasons.iter().any(Reason::is_doubt) || by_words.is_some_and(|against| !against.is_empty()) {
        return None;
    }
    let status = status::value(subject);
    let is_open = || first(&OPEN, status).or_else(|| first(&PROPOSED, title));
    let words = match kind {
        Decision => Some(Told::of(subject, title, status).words).filter(|words| !words.is_empty()),
        _ => None,
    };
    let against = || weigh::words(subject, if kind == Note { Decision } else { Note });
    Some(match (is_open().filter(|_| kind == Decision), words.unwrap_or_else(against)) {
        (Some(open), _) => Reason::PerhapsOpen(open),
        (None, words) if words.is_empty() || !matches!(kind, Decision | Note) => Reason::NoLabel,
        (None, words) => Reason::Against(kind, words),
    })
}

fn of_entry(subject: Subject<'_>) -> Evidence<EntryType> {
    let title = subject.of(subject.entry.title);
    // To look for it below other text takes long.
    let known = OnceCell::new();
    let status = || *known.get_or_init(|| status::value(subject));
    if let Some(mut found) = by_words(subject, title, &status) {
        let says = said(subject);
        if found.value == Some(EntryType::Directive) && matches(&EXPLORES, says) && !matches(&COMMANDS, says) {
            found.strength = found.strength.min(Confidence::Medium);
            found.reasons.push(Reason::ToExplore);
        }
        return found;
    }
    let place = subject.place;
    let history = subject.folder().is_some();
    let is = |kind| place.file_kind == kind;
    if is(&squad::HISTORY) {
        of_file(EntryType::Memory, Confidence::High, "an agent's history")
    } else if is(&squad::ARCHIVE) && history {
        of_file(EntryType::Memory, Confidence::High, "an archive of an agent's history")
    } else if is(&squad::DECISIONS) || is(&squad::INBOX) || is(&squad::ARCHIVE) || is_labelled(title) {
        only_recommended(subject, in_decisions(subject, title, status()))
    } else {
        Evidence::none(Reason::NoType)
    }
}

fn by_words<'t>(subject: Subject<'t>, title: &str, status: &impl Fn() -> &'t str) -> Option<Evidence<EntryType>> {
    use EntryType::{Decision, Directive, Memory};
    let strong = |kind, reason| Some(Evidence::of(kind, Confidence::High, reason));
    if subject.is_kept() {
        // What an agent keeps is a memory, whatever it tells of; only a directive can be someone else's.
        let given = is_directive(title) && who::is_of_another(subject);
        return given.then(|| Evidence::of(Directive, Confidence::High, Reason::TypeInTitle(Directive)));
    }
    let fields = subject.fields();
    let value = |field: &Field| subject.of(field.value);
    // A decision of an agent that is called a directive, as an order to another agent may be, is a decision.
    let is_of_agent = || is_labelled(title) && !matches(&OF_USER, title) && who::names_an_agent(subject);
    if is_directive(title) && !is_of_agent() {
        return strong(Directive, Reason::TypeInTitle(Directive));
    }
    if status::is_directive(status()) && !is_labelled(title) {
        return strong(Directive, Reason::TypeInField(Directive, "Status".to_owned()));
    }
    if let Some(field) = fields.iter().find(|field| subject.of(field.name).eq_ignore_ascii_case("type")) {
        let words = value(field).to_lowercase();
        let name = subject.of(field.name).to_owned();
        for (word, kind) in [("directive", Directive), ("decision", Decision), ("memory", Memory)] {
            if words.contains(word) && !(kind == Decision && status::is_proposed(subject, status())) {
                let is_open = matches(&OPEN, status()) || matches(&PROPOSED, title);
                let strength = if is_open { Confidence::Medium } else { Confidence::High };
                return Some(Evidence::of(kind, strength, Reason::TypeInField(kind, name)));
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
    if matches(&IS_ORDER, opening(subject)) && !is_labelled(title) && !who::names_an_agent(subject) {
        return strong(Directive, Reason::TypeInText(Directive, "its text begins with this word"));
    }
    // `By: Copilot (User Directive)`, or `By: Brady (via Copilot)` with a user's request for a reason
    let mut authors = fields.iter().filter(|field| field.meaning == Meaning::Author);
    let labelled = is_labelled(title);
    if let Some(field) = authors.find(|field| matches(&OF_USER, value(field)) && !labelled) {
        return strong(Directive, Reason::TypeInField(Directive, subject.of(field.name).to_owned()));
    }
    let through = who::is_through(subject);
    let captured = |text: &str| matches(&CAPTURED, text) || through && text.to_lowercase().starts_with("user request");
    if body::why(subject).is_some_and(|field| captured(subject.of(field.value))) {
        let reason = Reason::TypeInText(Directive, "its reason is a user's request");
        return Some(Evidence::of(Directive, unless(labelled), reason));
    }
    let what = said(subject);
    if subject.place.file_kind == &squad::INBOX && subject.file_name().to_lowercase().contains("directive") {
        // What a user answered once is often kept under the name of a directive.
        let is_answer = [title, what].iter().any(|text| matches(&ANSWERS, text));
        let strength = match !is_answer && who::names_a_directive(subject) {
            true => Confidence::High,
            false => Confidence::Medium,
        };
        let mut found = Evidence::of(Directive, strength, Reason::TypeInFileName(Directive));
        found.reasons.extend(is_answer.then_some(Reason::AnswersOnce));
        return Some(found);
    }
    // What a user says through an agent applies to the team.
    if through && (matches(&COMMANDS, title) || matches(&COMMANDS, what)) && !labelled {
        return strong(Directive, Reason::TypeInText(Directive, "a user said it through an agent"));
    }
    let (asks, status) = (opening(subject), status());
    let is_asked = matches(&ASKS, asks) || matches(&COMMANDS, asks) && !tells_first(asks);
    if through && is_asked && !labelled && !matches(&OPEN, status) && !matches(&REJECTED, status) {
        let mut found = Evidence::of(
            Directive,
            Confidence::Medium,
            Reason::TypeInText(Directive, "a user said it through an agent"),
        );
        found.reasons.push(Reason::NoLabel);
        return Some(found);
    }
    // What an agent decided or reports is that in any section, where its text says which of the two.
    let by_agent = || who::names_an_agent(subject) && in_decisions(subject, title, status).strength > Confidence::Low;
    if matches(&DIRECTIVE, subject.section) && !by_agent() {
        return Some(Evidence::of(Directive, Confidence::Medium, Reason::TypeOfSection(Directive)));
    }
    None
}

/// What the field for that says, or else the list below it.
fn said(subject: Subject<'_>) -> &str {
    let Some(what) = subject.fields().iter().find(|field| field.meaning == Meaning::What) else { return "" };
    let value = subject.of(what.value);
    if !value.trim().is_empty() {
        return value;
    }
    let below = subject.of(Span::new(what.value.end(), subject.end.max(what.value.end())));
    below.find("\n**").map_or(below, |end| below.get(..end).unwrap_or(below))
}

/// The first line of its text that is not a field, or else what the field for that says.
fn opening(subject: Subject<'_>) -> &str {
    let is_field = |line: &Span| subject.fields().iter().any(|field| line.contains(field.name));
    let mut own = lines(subject.text, subject.body()).filter(|line| !line.of(subject.text).trim().is_empty());
    let says = said(subject);
    if says.is_empty() { own.find(|line| !is_field(line)).map_or("", |line| subject.of(line)) } else { says }
}

/// Whether a title says that it is that of a directive, and not of what follows from one.
fn is_directive(title: &str) -> bool {
    matches(&DIRECTIVE, title) && !matches(&OF_DIRECTIVES, title)
}

/// Whether a title says that it is that of a decision.
fn is_labelled(title: &str) -> bool {
    matches(&DECISION, title) && !title.to_lowercase().contains("decisions log")
}

fn decision(strength: Confidence, reason: Reason) -> Evidence<EntryType> {
    Evidence::of(EntryType::Decision, strength, reason)
}

fn note(reason: Reason) -> Evidence<EntryType> {
    Evidence::of(EntryType::Note, Confidence::Medium, reason)
}

/// High, unless something speaks against it.
fn unless(told: bool) -> Confidence {
    if told { Confidence::Medium } else { Confidence::High }
}

/// An entry of decisions.md with a field `What`, which its title does not call a decision.
fn by_what(
    subject: Subject<'_>,
    title: &str,
    field: &Field,
    told: &Told,
    is_open: bool,
    status: &str,
) -> Evidence<EntryType> {
    use EntryType::Decision;
    let reason = Reason::TypeInField(Decision, subject.of(field.name).to_owned());
    let rules = !told.report && matches(&RULE, title);
    let says = Some(subject.of(field.value)).filter(|says| !says.is_empty()).unwrap_or_else(|| said(subject));
    let is_ruled = rules || matches(&RULED_SO, title) || matches(&RULED_SO, says);
    let is_told = matches(&EXISTING, says)
        || !is_ruled && (matches(&WROTE, says) || tells_throughout(says) || keeps_records(says));
    if is_told {
        return note(Reason::TypeInText(EntryType::Note, "its text describes finished work"));
    }
    let is_state = tells_state(title, says) && !is_ruled;
    if is_state && !chooses(subject, says) || is_result(subject, says) && !is_ruled {
        return note(Reason::TypeInText(EntryType::Note, "its text describes a result"));
    }
    if is_verdict(says) && who::names_an_agent(subject) && matches(&VERDICT, title) {
        return note(Reason::TypeInText(EntryType::Note, "its text is the verdict of a review"));
    }
    if is_left_to_do(subject, says) {
        return note(Reason::TypeInText(EntryType::Note, "its text describes work that is left to do"));
    }
    let is_done = matches(&IMPLEMENTED, status);
    if is_done && says.trim() == title.trim() && body::why(subject).is_none() {
        return note(Reason::TypeInText(EntryType::Note, "its text and its status describe finished work"));
    }
    match told.count() {
        0 => {
            let is_seen = matches(&SEEN, title) || matches(&NUMBERED, says);
            let is_shown = matches(&SHOWS, title) || weigh::is_title_of_note(title);
            let is_found = is_shown || is_state || confirms(subject) || tells_first(says);
            let is_found = is_found || ends_with_checks(subject.of(subject.body()));
            decision(unless(is_open || is_seen || is_found || matches(&RECOMMENDS, says)), reason)
        }
        // What was done for a reason is to stay so; a title can say it, too.
        1 if told.did && matches(&MADE, title) && !chooses(subject, says) => {
            note(Reason::TypeInText(EntryType::Note, "its text describes finished work"))
        }
        1 if rules => decision(Confidence::Medium, reason),
        _ if orders(subject, says) && !is_open => decision(Confidence::Medium, reason),
        1 if told.did && retells(subject, title) => {
            note(Reason::TypeInText(EntryType::Note, "its text describes finished work"))
        }
        1 if told.did && !told.once && !is_done && !is_open && body::why(subject).is_some() => {
            decision(Confidence::Medium, Reason::TypeInText(Decision, "the entry gives a reason for what was done"))
        }
        _ if told.did && told.done && !rules && !rejects(says) => {
            note(Reason::TypeInText(EntryType::Note, "its text and its status describe finished work"))
        }
        _ if told.did && !told.report && rejects(says) => decision(Confidence::Medium, reason),
        1 if weigh::tells_nothing(subject) => decision(Confidence::Medium, reason),
        _ if matches(&IS_REPORT, title) => {
            Evidence::of(EntryType::Note, Confidence::Medium, Reason::TypeInTitle(EntryType::Note))
        }
        _ if !told.report && !told.is_of_work() && !matches(&REPORTED, title) => weigh::unsure(subject),
        _ => weigh::infer(subject, is_open),
    }
}

/// An entry of decisions.md or its inbox that is not a directive.
fn in_decisions(subject: Subject<'_>, title: &str, status: &str) -> Evidence<EntryType> {
    use EntryType::Decision;
    let told = Told::of(subject, title, status);
    // What is proposed is not decided.
    let is_open = matches(&OPEN, status) || matches(&PROPOSED, title);
    if matches(&IS_DECISION, status) && !matches(&OPEN, status) {
        let is_sure = !told.by_title() && !weigh::is_rather_note(subject);
        return decision(unless(!is_sure), Reason::TypeInField(Decision, "Status".to_owned()));
    }
    let labelled = is_labelled(title);
    let states = |field: &&Field| matches!(subject.of(field.name).to_lowercase().as_str(), "what" | "qué");
    let stated = subject.fields().iter().find(states).filter(|_| !labelled);
    let part = Part::of(subject);
    if status::is_proposed(subject, status) {
        // Its title outweighs the state that it had when it was written, unless somebody's answer is awaited.
        let states = !told.by_title() || part.is_some_and(|part| part.firm);
        if labelled && status::is_called_proposed(status) && !matches(&PROPOSED, title) && states {
            return decision(Confidence::Medium, Reason::TypeInTitle(Decision));
        }
        return note(Reason::OnlyProposed(status.chars().take(60).collect()));
    }
    if let Some(part) = part {
        let reason = Reason::TypeInText(Decision, "a part of it states the decision");
        let sure = part.firm
            && !is_open
            && !matches(&REPORTED, title)
            && !weigh::is_rather_note(subject)
            && !denies_choice(subject.of(subject.body()))
            && !body::is_of_two(subject);
        return match (told.by_title(), told.count()) {
            (false, 0) if sure => decision(Confidence::High, reason),
            (false, 1) if sure && (labelled || told.parts) => decision(Confidence::High, reason),
            _ if told.did && matches(&PROPOSED, title) => weigh::infer(subject, is_open),
            _ if told.did && told.done && stated.is_some() => weigh::infer(subject, is_open),
            // A report on work has decisions in its midst, too, and more at its end.
            _ if !part.late && labelled || part.early && part.firm && !(told.report && told.is_of_work()) => {
                decision(Confidence::Medium, reason)
            }
            (false, _) if part.firm => decision(Confidence::Medium, reason),
            _ => weigh::infer(subject, is_open),
        };
    }
    if !labelled && tells_verdict(title, opening(subject)) {
        return note(Reason::TypeInText(EntryType::Note, "its text is the verdict of a review"));
    }
    // A review under this name decides about what it looks at, or only recommends it.
    let is_work = told.did && (told.done || told.parts);
    let as_report = || match weigh::infer(subject, is_open) {
        found if labelled && (matches(&REVIEW, title) || !told.report && !matches(&REPORTED, title) && !is_work) => {
            Evidence { strength: Confidence::Low, ..found }
        }
        found => found,
    };
    if labelled && (!told.report && !matches(&REPORTED, title) || matches(&RULED, status)) {
        return match told.count() {
            0 if !is_open && !matches(&REJECTED, status) => {
                let tells = tells_first(&super::title::opening(subject));
                // What a user says holds for all, and may be meant as a directive.
                decision(unless(tells || who::is_through(subject)), Reason::TypeInTitle(Decision))
            }
            count
                if count < 2
                    || count == 2 && !told.did && !(told.done && told.parts)
                    || matches(&REASONED, subject.of(subject.body())) =>
            {
                decision(Confidence::Medium, Reason::TypeInTitle(Decision))
            }
            // The subject of its title is not what was done.
            _ if !told.by_title() && !told.done && !weigh::is_title_of_note(title) => {
                decision(Confidence::Medium, Reason::TypeInTitle(Decision))
            }
            _ => as_report(),
        };
    }
    if let Some(field) = stated {
        return by_what(subject, title, field, &told, is_open, status);
    }
    // What a review approved is the verdict on it.
    let is_verdict = matches(&RULED, status) && matches(&REVIEW, title);
    if told.count() == 0 && matches(&DECIDED, status) && !is_verdict {
        return decision(Confidence::Medium, Reason::TypeInField(Decision, "Status".to_owned()));
    }
    if told.count() == 0 && !is_open && matches(&WHAT, subject.of(subject.body())) {
        return decision(Confidence::Medium, Reason::TypeInField(Decision, "What".to_owned()));
    }
    if !labelled && matches(&IS_REPORT, title) {
        return Evidence::of(EntryType::Note, Confidence::Medium, Reason::TypeInTitle(EntryType::Note));
    }
    as_report()
}

/// What a section of recommendations has, or is called recommended, is not a decision, unless it says so itself.
fn only_recommended(subject: Subject<'_>, mut found: Evidence<EntryType>) -> Evidence<EntryType> {
    static RECOMMENDS: Pattern = Pattern::new(
        r"(?i)^\W*(?:[\w-]+ ){0,2}(?:recommendations|proposals|suggestions|recomendaciones|propuestas)\W*$",
    );
    static RECOMMENDED: Pattern = Pattern::new(r"(?i)\((?:recommended|recommendation|proposed|proposal)\)");
    let says_so = |reason: &Reason| matches!(reason, Reason::TypeInText(..) | Reason::TypeInTitle(_));
    if found.value != Some(EntryType::Decision) || found.reasons.iter().any(says_so) {
        return found;
    }
    let title = subject.of(subject.entry.title);
    let said = match matches(&RECOMMENDS, subject.under) {
        true => Some(subject.under),
        false => Some(title).filter(|title| matches(&RECOMMENDED, title)),
    };
    if let Some(said) = said {
        found.strength = Confidence::Low;
        found.reasons.push(Reason::Recommended(said.to_owned()));
    }
    found
}

fn of_file(kind: EntryType, strength: Confidence, what: &'static str) -> Evidence<EntryType> {
    Evidence::of(kind, strength, Reason::TypeOfFile(kind, what))
}
