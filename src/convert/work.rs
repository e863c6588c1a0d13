//! What a text says of work: that it is done, that it is left to do, or why it was chosen.

use super::subject::{Pattern, Subject, matches};
use super::{body, weigh};

/// A sentence of what was done.
static PAST: Pattern = Pattern::new(r"(?i)\b(?:was|were|has been|have been|had)\b");

/// What a sentence says about more than what was done.
static HOLDS: Pattern = Pattern::new(r"(?i)\b(?:must|should|shall|always|never|now|will|only|is|are|use|uses)\b");

/// The state of what does not work.
static FAILS: Pattern = Pattern::new(r"(?i)\b(?:fails|failing|is (?:broken|blocked|down|not enabled)|404)\b");

/// What someone has to do once.
static TO_DO: Pattern = Pattern::new(
    r"(?i)\bone-time (?:manual )?(?:step|task|setup|action)\b|\b(?:owner|admin|maintainer) (?:must|has to|needs to) (?:go to|enable|open|set|click|configure)\b",
);

/// Words of a choice, or of what holds from now on.
static CHOICE: Pattern = Pattern::new(
    r"(?i)\b(?:must|always|never|instead of|rather than|without|not|over|old|we (?:use|will)|rules?|matches the|so that)\b",
);

/// Whether what it says, or why, has words of a choice.
pub(super) fn chooses(subject: Subject<'_>, what: &str) -> bool {
    let why = body::why(subject).map_or("", |field| subject.of(field.value));
    matches(&CHOICE, what) || matches(&CHOICE, why)
}

/// Whether what it says is what to do from now on, and it has a reason: `Add the roles to the setup`.
pub(super) fn orders(subject: Subject<'_>, what: &str) -> bool {
    static ORDERS: Pattern = Pattern::new(
        r"(?i)^\W*(?:add|adopt|allow|avoid|block|center|configure|disable|do not|enable|enforce|expose|extract|hide|keep|limit|make|move|pin|prefer|preserve|remove|rename|render|replace|require|restrict|show|split|standardi[sz]e|store|switch|treat|use)\s",
    );
    matches(&ORDERS, what) && body::why(subject).is_some()
}

/// Whether what it says names what was not chosen: `App Service on Windows (not Container Apps)`.
pub(super) fn rejects(what: &str) -> bool {
    static REJECTS: Pattern = Pattern::new(r"(?i)\(not |\binstead of\b|\brather than\b");
    matches(&REJECTS, what)
}

/// Whether what it says is that records were put together: `Merged the inbox decisions`.
pub(super) fn keeps_records(what: &str) -> bool {
    static KEEPS: Pattern = Pattern::new(
        r"(?i)^\W*(?:archived|consolidated|deduplicated|merged|moved)\b[^.]{0,80}\b(?:inbox|decision (?:entries|files|log|records)|ledger)\b",
    );
    matches(&KEEPS, what)
}

/// Whether the first sentence of a text tells what was, and not what holds.
pub(super) fn tells_first(text: &str) -> bool {
    let first = text.split(". ").next().unwrap_or_default();
    matches(&PAST, first) && !matches(&HOLDS, first)
}

/// Whether every sentence of a text, of several, tells what was done.
pub(super) fn tells_throughout(text: &str) -> bool {
    let sentences: Vec<&str> = text.split(". ").filter(|sentence| !sentence.trim().is_empty()).collect();
    let tells = |sentence: &&str| {
        (weigh::tells_what_was_done(sentence) || matches(&PAST, sentence)) && !matches(&HOLDS, sentence)
    };
    sentences.len() > 1 && sentences.iter().all(tells)
}

/// Whether a text tells of what does not work until someone does one thing.
pub(super) fn is_left_to_do(subject: Subject<'_>, what: &str) -> bool {
    let why = body::why(subject).map_or("", |field| subject.of(field.value));
    matches(&FAILS, what) && (matches(&TO_DO, what) || matches(&TO_DO, why))
}

/// Whether a text tells what was measured, with its figures, and chooses nothing: `reduced repetition from 0.93 to 0.31`.
pub(super) fn is_result(subject: Subject<'_>, what: &str) -> bool {
    static MEASURED: Pattern = Pattern::new(
        r"(?i)\b(?:achieved|benchmarked|identified|improved|increased|measured|projects|reached|reduced|regressed|scored|showed|shows|tied)\b",
    );
    static FIGURES: Pattern =
        Pattern::new(r"(?i)\d(?:\.\d+)?\s?(?:%|percent\b)|\bfrom \d[\d.,]*\w* to \d|\b(?:accuracy|auroc|f1 score)\b");
    static ADOPTS: Pattern =
        Pattern::new(r"(?i)\b(?:adopt(?:ed)?|becomes?|default|keep|kept|makes?|moved?|replaced?|use)\b");
    static RULED: Pattern = Pattern::new(r"(?i)\b(?:is|are|be) (?:now )?(?:improved|increased|reduced)\b");
    matches(&MEASURED, what)
        && !matches(&RULED, what)
        && matches(&FIGURES, what)
        && !matches(&ADOPTS, what)
        && !chooses(subject, what)
}

/// Whether what it says is that somebody's work was approved, and it asks for nothing.
pub(super) fn is_verdict(what: &str) -> bool {
    static APPROVES: Pattern = Pattern::new(r"(?i)^\W*(?:approve[ds]?|lgtm)\b");
    static ASKS: Pattern = Pattern::new(r"(?i)\b(?:must|never|always|only if|lockout|owns|from now on)\b");
    matches(&APPROVES, what) && !matches(&ASKS, what)
}

/// Whether a title is that of a review, and it or the text `opening` the entry gives the verdict alone: `RAI review verdict GREEN`.
pub(super) fn tells_verdict(title: &str, opening: &str) -> bool {
    static REVIEW: Pattern =
        Pattern::new(r"(?i)\b(?:audit|gate|(?:re-?)?reviews?|sign-?off|smoke[- ]test|verdict|verification)\b");
    static VERDICT: Pattern = Pattern::new(
        r"(?i)\bverdict\W{0,6}(?:is )?(?:all )?(?:approved?|clean|conditional|fail(?:ed)?|green|lgtm|pass(?:ed)?|red|rejected?|yellow)\b",
    );
    let begins: String = opening.chars().take(80).collect();
    matches(&REVIEW, title) && (matches(&VERDICT, title) || matches(&VERDICT, &begins))
}

/// Whether a text says of itself that nothing was chosen: `None: this was a bug fix, not a design choice`.
pub(super) fn denies_choice(text: &str) -> bool {
    static DENIES: Pattern = Pattern::new(
        r"(?i)\b(?:not a|no) (?:new |design |architectural )*(?:choice|decision)s?\b(?: (?:was|were|to make))?",
    );
    matches(&DENIES, text)
}

/// Whether the last lines of a text say how the work was checked, or its commit: `Verify: Web build clean`.
pub(super) fn ends_with_checks(text: &str) -> bool {
    static CHECKS: Pattern = Pattern::new(
        r"(?im)^\W*(?:verify|verified|verification|validated|validation)\b\W*:|\bcommitted (?:in|as) `?[0-9a-f]{7,40}\b",
    );
    matches(&CHECKS, super::status::last_lines(text))
}

/// Whether a title says what was made, and the reason only says so once more: `Prepared the plan with ten cases`.
pub(super) fn retells(subject: Subject<'_>, title: &str) -> bool {
    static MADE: Pattern =
        Pattern::new(r"(?i)^\W*(?:added|created|documented|drafted|prepared|produced|wrote|written)\b");
    static GIVES: Pattern = Pattern::new(
        r"(?i)\b(?:because|so that|since|needs?|must|should|avoids?|requires?|instead of|rather than|ensures?|prevents?|enforces?)\b",
    );
    let why = body::why(subject).map_or("", |field| subject.of(field.value));
    matches(&MADE, title) && (weigh::tells_what_was_done(why) || matches(&MADE, why)) && !matches(&GIVES, why)
}

/// Whether the reason is what somebody saw, and not why it was chosen: `Confirms the approach`.
pub(super) fn confirms(subject: Subject<'_>) -> bool {
    static CONFIRMS: Pattern = Pattern::new(r"(?i)^\W*(?:confirm(?:s|ed)|documents|shows|verif(?:ies|ied))\b");
    body::why(subject).is_some_and(|field| matches(&CONFIRMS, subject.of(field.value)))
}

/// Whether a title says that something is done, and the text below it with what result: `Acceptance test PASSING`, `All 7 steps pass`.
pub(super) fn tells_state(title: &str, what: &str) -> bool {
    static STATE: Pattern = Pattern::new(
        r"(?i)\b(?:completed?|delivered|done|imported|initialized|merged|passe[ds]|passing|produced|shipped)\b\W*$|\bdocumented from\b",
    );
    static RESULT: Pattern = Pattern::new(r"(?i)^\W*all \d+ [^.]*\bpass");
    static OUGHT: Pattern = Pattern::new(r"(?i)\b(?:must|ha(?:s|ve) to|needs?|requires?|until|when)\b");
    let is_ordered = [title, what].iter().any(|text| matches(&OUGHT, text));
    !is_ordered && matches(&STATE, title) && (weigh::tells_what_was_done(what) || matches(&RESULT, what))
}
