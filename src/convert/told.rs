//! What of an entry tells what was done or found, and which part of it states what was decided.

use std::ops::Range;

use super::pattern::first;
use super::status::{DONE, TELLS};
use super::subject::{Pattern, Subject, matches};
use super::{title, weigh};
use crate::formats::legacy::Meaning;

/// Titles of reports: what happened or was found, not what holds from now on.
static REPORT: Pattern = Pattern::new(
    r"(?i)\b(?:findings|audit|report|analysis|inventory|retrospective|retro|triage|retest|verdict|investigation|spike|research|session (?:log|notes|summary)|status update|results|test coverage|learnings|lessons|notes|recap|assessment|evaluation|root cause|diagnosis|postmortem|post-mortem|qa|answers|code review|deep[- ]dive|readiness)\b|^\W*pr #\d+|\bsummary\s*(?:$|[(:—–-])",
);

/// Titles of work: it may rest on a decision, or only be told of.
static WORK: Pattern = Pattern::new(
    r"(?i)\b(?:fix(?:es|ed)?|bugs?|bugfix(?:es)?|crash|leak|regression|incident|outage|complet(?:e|ed|ion)|implemented|initialized|shipped|delivered|milestone|perspective|review|recovery|verified|verification|attempt|blocked|blocker|risk|friction|documented|published|written)\b|^\W*triage\b|\b(?:implementation|opened|merged|updated|created|released|added|authored|drafted|filed|identified|test suite)\s*(?:$|[(:—–-])|\badded (?:as|to)\b|['’]s take\b",
);

/// What leaves nothing that holds from now on.
static DID_ONCE: Pattern = Pattern::new(
    r"(?i)^\W*(?:successfully )?(?:analy[sz]ed|audited|completed|corrected|documented|executed|fixed|identified|investigated|resolved|reviewed|shipped|triaged|updated|validated|verified|wrote)\b",
);

/// Headings in texts that tell of work.
static TOLD: Pattern = Pattern::new(
    r"(?im)^\s{0,3}#{1,6}\s+(?:what (?:changed|was built|was done|shipped|happened|i did)|changes(?: made)?|files? (?:changed|modified|touched)|build(?: status)?|verification|(?:test )?results|root cause|symptoms?|findings|implementation summary|design shipped|fix(?:es)?|lessons?\b)",
);

/// A question under the name of a decision: `Decision 2: Would it run?`.
static ASKS: Pattern = Pattern::new(r#"\bdecision\s+#?\d.*\?["”'’*_\s]*$"#);

/// The section of a text that states what was decided.
static SECTION: Pattern = Pattern::new(
    r"(?im)^\s{0,3}#{1,6}\s+(?:\d+\.\s*)?(?:the |final |key |core |scope |technical |architecture |architectural |locked |approved |editorial |naming |product |process |policy )?(?:decisions?|decisión|decisiones|what (?:(?:we|i|was) )?decided|resolution)(?: (?:made|taken|captured|encoded|reached|recorded|implemented|implementadas|tomadas|summary|#?\d+(?:\.\d+)?))?[\s&&[^\n]]*(?:[:—–(-].*)?$",
);

/// The label that does so.
static LABEL: Pattern = Pattern::new(
    r"(?im)^\s{0,3}(?:[-*]\s+)?\*\*(?:the |final |key |architecture |architectural |design |technical |locked )?(?:decisions?|decided|what (?:(?:we|was) )?decided|decisión|resolution)(?: made|\s*/\s*\w+|\s*\([^)*\n]{1,30}\))?(?:\s*[—–-]\s*[^*:\n]{1,60})?\s*(?::\*\*|\*\*:|\*\*[ \t]*$)|^(?:\*\*(?:what|why):\*\*\s+\**)?(?:design )?decision:\**[ \t]+",
);

/// The part of a report that says how something was repaired.
static RESOLUTION: Pattern = Pattern::new(r"(?i)^[\W\d]*resolution\b");

/// The part of a report that says what was broken.
static DEFECT: Pattern = Pattern::new(r"(?im)^\s{0,3}(?:#{1,6}\s+|\*\*)(?:the )?(?:root cause|symptoms?|bug|error)\b");

/// The first sentence of a part that says what is over.
static IS_OVER: Pattern = Pattern::new(
    r"(?i)^[^.\p{Ll}\p{Lu}]*[^.:]{0,80}\b(?:(?:is|are|and|now|fully) (?:complete|completed|done)\b|completed? (?:successfully|and)\b|(?:complete|completed|done|resolved)\s*(?:[.;(]|$))",
);

/// The signs of a text that tells what was done or found.
pub(super) struct Told {
    pub(super) report: bool,
    pub(super) work: bool,
    pub(super) done: bool,
    pub(super) parts: bool,
    pub(super) did: bool,
    /// Of what was done nothing is left that holds from now on.
    pub(super) once: bool,
    /// The words that say so.
    pub(super) words: Vec<String>,
}

impl Told {
    pub(super) fn of(subject: Subject<'_>, title: &str, status: &str) -> Self {
        // What was decided may have been done since: the field that says it comes before the first paragraph.
        let what = subject.fields().iter().find(|field| field.meaning == Meaning::What && !field.value.is_empty());
        let beginning = what.map_or_else(|| title::beginning(subject), |field| subject.of(field.value).to_owned());
        let body = weigh::prose(subject);
        let mut words = Vec::new();
        let mut says = |signs: &[(&Pattern, &str)]| {
            let found = signs.iter().find_map(|(pattern, text)| first(pattern, text));
            let is_said = found.is_some();
            words.extend(found.filter(|found| !found.is_empty() && !words.contains(found)));
            is_said
        };
        Self {
            report: says(&[(&REPORT, title), (&TELLS, status)]),
            work: says(&[(&WORK, title)]),
            done: says(&[(&DONE, status)]),
            parts: says(&[(&TOLD, &body)]),
            did: says(&[(&weigh::DID, &beginning), (&weigh::DID, title)]),
            once: matches(&DID_ONCE, &beginning) || matches(&DID_ONCE, title),
            words,
        }
    }

    /// Whether the title or the state says so.
    pub(super) fn by_title(&self) -> bool {
        self.report || self.work
    }

    /// Whether the rest says what was done.
    pub(super) fn is_of_work(&self) -> bool {
        self.done || self.did || self.parts
    }

    pub(super) fn count(&self) -> usize {
        [self.report, self.work, self.done, self.parts, self.did].into_iter().filter(|sign| *sign).count()
    }
}

/// The part of a text that states what was decided: a section, or what follows a label.
pub(super) struct Part {
    /// Whether it says more than what was looked at or repaired.
    pub(super) firm: bool,
    /// Whether most of the text is before it.
    pub(super) late: bool,
    /// Whether it is in the first part of the text.
    pub(super) early: bool,
}

impl Part {
    pub(super) fn of(subject: Subject<'_>) -> Option<Self> {
        let body = weigh::prose(subject);
        // The title once more is no part.
        let is_part = |range: &Range<usize>| !body.get(..range.start).unwrap_or_default().trim().is_empty();
        let is_title = |range: &Range<usize>| body.get(range.clone()).is_some_and(|line| line.contains(": "));
        let asks =
            |range: &Range<usize>| body.get(range.clone()).is_some_and(|line| matches(&ASKS, &line.to_lowercase()));
        let find = |pattern: &Pattern| pattern.find_all(&body).find(|range| is_part(range) || !is_title(range));
        // The numbered questions of a report, with their verdicts.
        if find(&SECTION).is_some_and(|range| asks(&range)) {
            return None;
        }
        let range = [find(&SECTION), find(&LABEL)].into_iter().flatten().min_by_key(|range| range.start)?;
        let line = body.get(range.clone())?;
        // What ended a defect is what was done about it.
        if matches(&RESOLUTION, line) && matches(&DEFECT, &body) {
            return None;
        }
        // The first text, also below a title of its own.
        let parts = body.get(range.end..)?.split("\n#");
        // Behind a label the text begins on its line.
        let behind = usize::from(line.trim_start().starts_with('#'));
        let text = |(nth, part): &(usize, &str)| {
            part.lines().skip(if *nth == 0 { behind } else { 1 }).any(|line| !line.trim().is_empty())
        };
        let found = parts.enumerate().find(text).map(|(_, part)| part);
        let said: String = found.unwrap_or_default().chars().take(STATED).collect();
        let is_told = matches(&DID_ONCE, &said) || matches(&IS_OVER, &said);
        let firm = !said.trim().is_empty() && !is_told || line.contains(": ");
        let is_behind = |percent: usize| range.start > SHORT && range.start * 100 > body.len() * percent;
        Some(Self { firm, late: is_behind(60), early: !is_behind(50) })
    }
}

/// A text of so many bytes has no end that is far from its beginning.
const SHORT: usize = 600;

/// How many characters of a part are looked at.
const STATED: usize = 400;
