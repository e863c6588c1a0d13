//! The status of an entry: whether it says that something was decided, done, or only proposed.

use super::subject::{Pattern, Subject, matches};
use super::title;
use crate::formats::legacy::Meaning;

/// Values of a status that say something was decided.
pub(super) static DECIDED: Pattern = Pattern::new(
    r"(?i)\b(?:approved|accepted|adopted|decided|active|enforced|in effect|ratified|agreed|binding|in force|mandatory|aprobad[oa])\b",
);

/// The same of what was asked.
static CONFIRMED: Pattern = Pattern::new(r"(?i)\b(?:confirmed|confirmad[oa]|locked|final|converged)\b");

/// Values of a status that call the entry a decision.
pub(super) static IS_DECISION: Pattern = Pattern::new(r"(?i)^\W*(?:decisions?|decided|decisión)\b");

/// Values of a status that call the entry a directive, and not what was done about one: `Directive active`.
static IS_DIRECTIVE: Pattern = Pattern::new(r"(?i)^\W*(?:(?:user|team|active) )?directives?\b");

/// Values of a status for what exists already.
pub(super) static IMPLEMENTED: Pattern = Pattern::new(r"(?i)\b(?:implemented|implementad[oa])\b");

/// Values of a status that decide about what was examined.
pub(super) static RULED: Pattern = Pattern::new(r"(?i)\b(?:approved?|rejected?|changes requested|request changes)\b");

/// Values of a status that leave it open what holds.
pub(super) static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:proposed|proposal|draft|recommend(?:ed|ation)|awaiting|pending|open|in review|under review|for (?:[a-z]+ )?review|propuesta|borrador|pendiente|required|requested|needed)\b",
);

/// Values of a status of what is only proposed.
static PROPOSAL: Pattern = Pattern::new(
    r"(?i)^\W*(?:proposed|proposal|propuesta|draft|borrador|recommended|recommendation|recomendación|design (?:only|proposal)|(?:open|ready) (?:for|to) (?:team |user |owner |lead )?(?:feedback|discussion|comments?|debate|review))\b|\b(?:awaiting|pending|pendiente)\s+(?:de\s+)?(?:[\w'’]+\s+){0,3}?(?:decisi[oó]n|(?:approval|call|review|validation|validación|aprobación|sign-?off|confirmation|consensus|agreement)\b)",
);

/// Values of a status that say what was done, not what was decided.
pub(super) static DONE: Pattern = Pattern::new(
    r"(?i)\b(?:done|complete|completed|shipped|fixed|merged|executed|delivered|resolved|closed|deployed|findings|perspective|documented|ready|passed?|required|blocked|published)\b",
);

/// Values of a status that say it is there to be known.
pub(super) static TELLS: Pattern =
    Pattern::new(r"(?i)\b(?:fyi|informational|information|analysis|findings|reference|report(?:ed)?)\b");

/// What says that a proposal was agreed to; much else in it may be approved or merged.
static AGREED: Pattern = Pattern::new(
    r"(?m)\b(?i:agreed|ratified)\b|\b(?i:approved|accepted|adopted|confirmed|signed off) by\b|\b(?:(?i:team|we|they|owner|user)|[A-Z][a-z]+) (?:has |have )?(?:approved|accepted|adopted|signed off)\b|^[^\w\[]*(?i:approved|accepted|adopted|implemented|shipped|merged)\b",
);

/// Whether a status calls the entry a directive that holds.
pub(super) fn is_directive(status: &str) -> bool {
    matches(&IS_DIRECTIVE, status) && ![&OPEN, &DONE, &IMPLEMENTED].iter().any(|pattern| matches(pattern, status))
}

/// Whether a status says no more than that the entry is proposed.
pub(super) fn is_called_proposed(status: &str) -> bool {
    static PLAIN: Pattern = Pattern::new(r"(?i)^\W*(?:proposed|draft|recommended)\W*$");
    matches(&PLAIN, status)
}

/// The value of the field for the state, also of one that is below other text.
pub(super) fn value(subject: Subject<'_>) -> &str {
    static BELOW: Pattern = Pattern::new(r"(?im)^\*\*(?:status|estado)(?::\*\*|\*\*:)[ \t]*(\S[^\r\n]*)");
    static LAST: Pattern = Pattern::new(
        r"(?im)^(?:[-*>]\s+)?[*_]{0,3}(?:(?:decision )?status|estado)[*_]{0,3}:[*_]{0,3}[ \t]*(\S[^\r\n]*)",
    );
    if let Some(field) = subject.fields().iter().find(|field| field.meaning == Meaning::Status) {
        return subject.of(field.value);
    }
    let body = subject.of(subject.body());
    // Parts have states of their own.
    let own = body.find("\n#").map_or(body, |end| body.get(..end).unwrap_or(body));
    let find = |pattern: &Pattern, text| pattern.groups(text).and_then(|found| found.get(1)).unwrap_or_default();
    match find(&BELOW, own) {
        // At the end it is that of the whole, if it leaves open what holds.
        "" => Some(find(&LAST, last_lines(body))).filter(|value| matches(&PROPOSAL, value)).unwrap_or_default(),
        found => found,
    }
}

/// The last lines of a text.
pub(super) fn last_lines(text: &str) -> &str {
    const LINES: usize = 8;
    let text = text.trim_end();
    let start = text.rmatch_indices('\n').nth(LINES - 1).map_or(0, |(at, _)| at + 1);
    text.get(start..).unwrap_or(text)
}

/// Texts that call themselves a proposal, or that wait for an agreement.
static CALLED_PROPOSAL: Pattern = Pattern::new(
    r"(?i)^\W*(?:this|the following|what follows) is (?:only |just |merely )?(?:a |an )?(?:proposal|draft|suggestion|recommendation)\b|\b(?:needs|requires|awaits|waits for|pending) (?:[\w'’]+ ){0,2}(?:sign-?off|approval) before (?:any )?(?:implement|coding|work|build)",
);

/// Whether an entry, which has this status, is only proposed, whatever its parts are called.
pub(super) fn is_proposed(subject: Subject<'_>, status: &str) -> bool {
    // What is ready for a review is not done.
    static FOR_REVIEW: Pattern = Pattern::new(r"(?i)^\W*ready (?:for|to) (?:\w+ )?(?:feedback|discussion|review)\b");
    // `Proposed: do not build until approved`
    static NOT_YET: Pattern = Pattern::new(
        r"(?i)\b(?:until|unless|once|if|when|before|after|pending) (?:[\w'’]+ ){0,2}(?:approved|accepted|adopted|agreed|confirmed|decided)\b",
    );
    let is_settled = || {
        !matches(&FOR_REVIEW, status)
            && !matches(&NOT_YET, status)
            && [&DECIDED, &CONFIRMED, &IMPLEMENTED, &DONE].iter().any(|pattern| matches(pattern, status))
    };
    let says_so = || status.is_empty() && matches(&CALLED_PROPOSAL, &title::opening(subject));
    (matches(&PROPOSAL, status) || says_so()) && !is_settled() && !matches(&AGREED, subject.of(subject.body()))
}
