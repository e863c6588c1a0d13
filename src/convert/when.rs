//! When an entry was made: its heading, its fields, its file's name, its commit.

use super::reason::Reason;
use super::subject::{FirstSeen, Pattern, Subject, matches};
use super::{Confidence, Evidence, who};
use crate::dialects::squad;
use crate::formats::legacy::day::{self, Day};
use crate::formats::legacy::{Field, Meaning, find_date};
use crate::formats::timestamp::{Fault, Reading, Timestamp};
use crate::text::Span;

/// What a date in a text reads as.
pub(super) struct Found {
    pub(super) at: Timestamp,
    /// How the time of day was completed.
    note: Option<Reason>,
    /// Whether all that was written is in the timestamp.
    whole: bool,
}

/// The text after a date that is more than one day, or no whole one: `2026-02-14/15`, `2026-07-21b`.
static GOES_ON: Pattern = Pattern::new(r"^(?:[/\p{L}\d]|\s*(?:→|->|–|—|-|to|through|until|and|&)\s*(?:\d{4}-)?\d\d)");

/// The text before a date that is not the entry's own: `Project started 2026-02-17`.
static OTHER: Pattern = Pattern::new(r"(?i)\b(?:started|since|until|due|deadline|target|before|after|expires)\W*$");

static YEAR: Pattern = Pattern::new(r"\b20\d\d\b");

/// A day in words: `Feb 14-15, 2026`, `14 February 2026`.
static WORDS: Pattern = Pattern::new(
    r"(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?[ .]+)?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\W{1,3}[\d\W]{0,12}\b20\d\d\b",
);

/// The moment of an entry.
pub fn infer(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Evidence<Timestamp> {
    let mut evidence = of_entry(subject);
    if evidence.value.is_none() && evidence.reasons == [Reason::NoDate] {
        evidence = beside(subject, origin).unwrap_or(evidence);
    }
    time_of_author(subject, &mut evidence);
    offset_of_commit(origin, &mut evidence);
    evidence
}

/// Takes a time without an offset as that of the zone of the commit that added it, if it would be later than that commit in UTC.
fn offset_of_commit(origin: Option<&FirstSeen>, evidence: &mut Evidence<Timestamp>) {
    /// Clocks differ by so many seconds.
    const SLACK: i64 = 5 * 60;
    let (Some(at), Some(written)) = (evidence.value, origin.and_then(|origin| origin.as_written.as_ref())) else {
        return;
    };
    let limit = written.committed.max(written.at.unix()).saturating_add(SLACK);
    let offset = written.at.offset();
    let local = Timestamp::new(at.unix() - i64::from(offset) * 60, offset);
    if at.unix().min(local.unix()) > limit && evidence.reasons.contains(&Reason::NoOffset) {
        evidence.strength = evidence.strength.min(Confidence::Medium);
        evidence.reasons.push(Reason::AfterItsCommit(written.commit.clone(), day_of(written.at)));
        return;
    }
    if at.unix() <= limit || local.unix() > limit {
        // Where both can be, nothing tells which it is.
        let are_both = offset != 0 && at.unix().max(local.unix()) <= limit;
        if are_both && evidence.reasons.contains(&Reason::NoOffset) {
            evidence.strength = evidence.strength.min(Confidence::Medium);
        }
        return;
    }
    for reason in evidence.reasons.iter_mut().filter(|reason| **reason == Reason::NoOffset) {
        let text = local.to_string();
        *reason = Reason::OffsetOfCommit(written.commit.clone(), text.get(19..).unwrap_or_default().to_owned());
        evidence.value = Some(local);
    }
}

/// What the heading and the fields for dates say.
fn of_entry(subject: Subject<'_>) -> Evidence<Timestamp> {
    let heading = subject.heading();
    let in_heading = subject.entry.date.filter(|date| subject.entry.heading.contains(*date));
    let in_body = subject.entry.date.filter(|_| in_heading.is_none());
    let mut evidence = Evidence::none(Reason::NoDate);
    if let Some(date) = in_heading {
        let behind = Span::new(date.end(), heading.end());
        let is_other = matches(&OTHER, subject.of(Span::new(heading.start(), date.start())));
        evidence = match read(subject.of(date)).filter(|_| !goes_on(behind.of(subject.text)) && !is_other) {
            Some(found) => found.evidence(Confidence::High, Reason::DateInHeading(subject.of(date).to_owned())),
            None => Evidence::none(unclear(subject.of(date.to(behind)))),
        };
    }
    for field in subject.fields().iter().filter(|field| field.meaning == Meaning::Date) {
        let Some(date) = find_date(subject.text, field.value) else { continue };
        let Some(mut found) = read(subject.of(date)) else { continue };
        let name = subject.of(field.name).to_owned();
        let behind = subject.of(Span::new(date.end(), field.value.end()));
        let reason = Reason::DateInField(name.clone(), subject.of(date).to_owned());
        found.whole &= date == field.value;
        let line = found.whole.then_some(*field);
        let Some(at) = evidence.value else {
            if !goes_on(behind) {
                evidence = found.evidence(Confidence::High, reason);
                evidence.used.extend(line);
            } else if evidence.reasons == [Reason::NoDate] {
                evidence.reasons = vec![unclear(subject.of(field.value))];
            }
            break;
        };
        let of_field = Timestamp::new(found.at.unix(), 0);
        let is_known = found.note.is_none() && evidence.reasons.contains(&Reason::Midnight);
        if is_known && day_of(at) != day_of(found.at) && day_of(at) == day_of(of_field) {
            // The heading has the day in UTC: `## 2026-06-30`, and `**Date:** 2026-06-29T18:15:00-07:00`.
            evidence = found.evidence(Confidence::High, reason);
            evidence.used.extend(line);
        } else if day_of(at) != day_of(found.at) {
            evidence.strength = evidence.strength.min(Confidence::Medium);
            evidence.reasons.push(Reason::OtherDay(name, subject.of(date).to_owned()));
        } else if found.note.is_none() && knows_more(at, found.at, evidence.reasons.contains(&Reason::NoOffset)) {
            // `### 2026-02-14T17:30:00 PT`, and the field knows the offset.
            evidence = found.evidence(Confidence::High, reason);
            evidence.used.extend(line);
        } else if evidence.reasons.contains(&Reason::Midnight) {
            // The same day; the field may know the time.
            if found.note != Some(Reason::Midnight) {
                evidence = found.evidence(Confidence::High, reason);
            }
            evidence.used.extend(line);
        }
        break;
    }
    if evidence.value.is_some() || evidence.reasons != [Reason::NoDate] {
        // The name of a zone is no offset.
        let is_named = |date: Span, within: Span| zone(subject.of(Span::new(date.end(), within.end()))).is_some();
        let dates = subject.fields().iter().filter(|field| field.meaning == Meaning::Date);
        let is_zoned = in_heading.is_some_and(|date| is_named(date, heading))
            || dates
                .filter_map(|field| Some((find_date(subject.text, field.value)?, field.value)))
                .any(|(date, value)| is_named(date, value));
        if is_zoned && evidence.reasons.contains(&Reason::NoOffset) {
            evidence.strength = evidence.strength.min(Confidence::Medium);
        }
        return evidence;
    }
    if let Some(date) = in_body
        && let Some(found) = read(subject.of(date))
    {
        // The title once more, with a date.
        return found.evidence(Confidence::High, Reason::DateInHeading(subject.of(date).to_owned()));
    }
    // `2025-07`, `March 2025`, `2026-02-30`: what a commit says would be another day.
    let year = |field: &&Field| matches(&YEAR, subject.of(field.value));
    if let Some(field) = subject.fields().iter().filter(|field| field.meaning == Meaning::Date).find(year) {
        return Evidence::none(unclear(subject.of(field.value)));
    }
    let title = subject.of(heading);
    match Some(title)
        .filter(|title| title.contains("20"))
        .and_then(|title| WORDS.find(title))
        .and_then(|words| title.get(words))
    {
        Some(words) if session_date(subject).is_none() => Evidence::none(unclear(words)),
        _ => evidence,
    }
}

fn unclear(text: &str) -> Reason {
    Reason::UnclearDate(text.chars().take(24).collect())
}

/// Whether the text after a date makes it more than one day. A letter alone tells entries of one day apart: `2026-07-21b`.
fn goes_on(behind: &str) -> bool {
    let mut chars = behind.chars();
    let is_letter = chars.next().is_some_and(|c| c.is_ascii_lowercase());
    let is_alone = chars.next().is_none_or(|c| matches!(c, ' ' | ':' | ')' | ']' | '.' | ','));
    matches(&GOES_ON, behind) && !(is_letter && is_alone) && !behind.starts_with('T')
}

/// Takes the time from after the author's name, where it is of the same day: `By: Brady (via Copilot, 2026-02-10T14:47Z)`.
fn time_of_author(subject: Subject<'_>, evidence: &mut Evidence<Timestamp>) {
    static CLOCK: Pattern = Pattern::new(r"\(([^()]*,\s*)?((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?: ?(Z|UTC))?\)");
    let Some(at) = evidence.value.filter(|_| evidence.reasons.contains(&Reason::Midnight)) else { return };
    for field in subject.fields().iter().filter(|field| field.meaning == Meaning::Author) {
        let value = subject.of(field.value);
        // A date in the name of a file is that of the file.
        let before = |date: &Span| subject.of(Span::new(field.value.start(), date.start()));
        let date = find_date(subject.text, field.value).filter(|date| before(date).ends_with([' ', '(', ',']));
        let whole = date.map(|date| subject.of(date).to_owned());
        let clock = || {
            let found = CLOCK.groups(value)?;
            let zone = found.get(3).map_or("", |_| "Z");
            Some(format!("{}T{}{zone}", day_of(at), found.get(2)?))
        };
        let Some(text) = whole.or_else(clock) else { continue };
        let Some(found) = read(&text).filter(|found| found.note != Some(Reason::Midnight)) else { continue };
        if day_of(found.at) == day_of(at) {
            evidence.value = Some(found.at);
            evidence.reasons.retain(|reason| *reason != Reason::Midnight);
            evidence.reasons.push(Reason::TimeOfAuthor(text));
            evidence.reasons.extend(found.note);
            return;
        }
    }
}

/// Dates in unusual places, and outside of the entry.
fn beside(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Option<Evidence<Timestamp>> {
    let said = |date: Span, reason: fn(String) -> Reason| {
        let found = read(subject.of(date))?;
        Some(found.evidence(Confidence::Medium, reason(subject.of(date).to_owned())))
    };
    if let Some((key, value)) = subject.in_front_matter(Meaning::Date)
        && let Some(found) = find_date(subject.text, value).and_then(|date| read(subject.of(date)))
    {
        let reason = Reason::DateInField(key.to_owned(), subject.of(value).to_owned());
        return Some(found.evidence(Confidence::High, reason));
    }
    let authors = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    for field in authors {
        if let Some(date) = find_date(subject.text, field.value)
            && subject.of(Span::new(field.value.start(), date.start())).ends_with([' ', '(', ','])
            && let Some(found) = read(subject.of(date))
        {
            let reason = Reason::DateInField(subject.of(field.name).to_owned(), subject.of(date).to_owned());
            let mut found = found.evidence(Confidence::Medium, reason);
            found.reasons.push(Reason::UnusualPlace);
            return Some(found);
        }
    }
    if let Some(mut found) = session_date(subject).and_then(|date| said(date, Reason::DateInHeading)) {
        found.reasons.push(Reason::UnusualPlace);
        return Some(found);
    }
    let signed = who::signature(subject).and_then(|(_, date)| date);
    if let Some(found) = signed.and_then(|date| said(date, Reason::DateInSignature)) {
        return Some(found);
    }
    if let Some(found) = subject.entry.section_date.and_then(|date| said(date, Reason::DateOfSection)) {
        return Some(found);
    }
    // A commit would be sure of a day where the name is in doubt.
    let in_name = Some(subject).filter(|subject| subject.place.file_kind == &squad::INBOX);
    if let Some(found) = in_name.and_then(|subject| in_name_of_file(&subject.file_name())) {
        return Some(found);
    }
    let origin = origin?;
    let date = origin.at.to_string();
    let reason = Reason::DateFromCommit(origin.commit.clone(), date);
    Some(Evidence { value: Some(origin.at), strength: Confidence::Medium, reasons: vec![reason], used: Vec::new() })
}

/// The date in the name of a file, without a value where it may be none of the entry: one of several days, as in
/// `2026-02-10-to-2026-02-14-sprint.md`, or one that something is due.
fn in_name_of_file(name: &str) -> Option<Evidence<Timestamp>> {
    static DAYS: Pattern = Pattern::new(r"^(?:[-_]+(?:to[-_]+)?\d\d(?:[-_.]|$)|[a-z]{2,}|\d)");
    static TIME: Pattern = Pattern::new(r"^[-_]\d\d[-_]\d\d[-_]\d\d(?:\D|$)");
    let name = name.strip_suffix(".md").unwrap_or(name);
    let date = find_date(name, Span::new(0, name.len()))?;
    let found = read(date.of(name))?;
    let (before, behind) = (Span::new(0, date.start()), Span::new(date.end(), name.len()));
    let other = find_date(name, behind).and_then(|other| read(other.of(name)));
    let is_other = other.is_some_and(|other| day_of(other.at) != day_of(found.at));
    let goes_on = matches(&DAYS, behind.of(name)) && !matches(&TIME, behind.of(name));
    if is_other || goes_on || matches(&OTHER, before.of(name).replace('_', "-").as_str()) {
        return Some(Evidence::none(unclear(name)));
    }
    let reason = Reason::DateInFileName(date.of(name).to_owned());
    Some(found.evidence(Confidence::Medium, reason))
}

/// `Session: 2026-07-21 — title`
fn session_date(subject: Subject<'_>) -> Option<Span> {
    static SESSION: Pattern =
        Pattern::new(r"(?i)^\W*(?:[\w-]+ ){0,2}(?:session|update|log|audit|sprint \d+)\s*[:—–-]\s*$");
    let heading = subject.heading();
    let date = find_date(subject.text, heading)?;
    let before = subject.of(Span::new(heading.start(), date.start()));
    matches(&SESSION, before).then_some(date)
}

impl Found {
    fn evidence(self, strength: Confidence, reason: Reason) -> Evidence<Timestamp> {
        let reasons = [Some(reason), self.note].into_iter().flatten().collect();
        Evidence { value: Some(self.at), strength, reasons, used: Vec::new() }
    }
}

/// Reads a date with or without a time of day and an offset, also one in words.
pub(super) fn read(text: &str) -> Option<Found> {
    let text = text.replace(" UTC", "Z");
    if !text.get(4..).is_some_and(|rest| rest.starts_with('-'))
        && let Some(Day { date: Some((year, month, day)), .. }) = day::find(&text)
    {
        return read(&format!("{year:04}-{month:02}-{day:02}"));
    }
    let completed = |end: &str| Timestamp::read(&format!("{text}{end}"));
    let (at, note, whole) = match Reading::whole(&text) {
        Reading::Canonical(at) => (at, None, true),
        Reading::Loose { at, lossless } => (at, None, lossless),
        Reading::Invalid(Fault::NoTime) => (completed("T00:00:00+0000")?, Some(Reason::Midnight), true),
        Reading::Invalid(Fault::NoOffset) => (completed("+0000")?, Some(Reason::NoOffset), true),
        Reading::Invalid(_) | Reading::Other => return None,
    };
    Some(Found { at, note, whole })
}

/// The name of a zone of time at the start of the text behind a date, with the blank before it: ` PT — Title`.
pub(super) fn zone(behind: &str) -> Option<&str> {
    static ZONE: Pattern = Pattern::new(r"^ (?:[PMCE][SD]?T|CES?T|BST|GMT|JST|IST)(?:\s*[:)\]—–|-]|\s*$)");
    let found = behind.get(ZONE.find(behind)?)?;
    Some(found.trim_end_matches(|c: char| !c.is_ascii_uppercase()))
}

/// Whether a field repeats a `date` of the heading, which has a time of day, with its offset from UTC.
pub(super) fn has_offset(subject: Subject<'_>, date: Span) -> bool {
    let (said, mut fields) = (subject.of(date), subject.fields().iter().filter(|field| field.meaning == Meaning::Date));
    said.contains('T')
        && fields
            .any(|field| subject.of(field.value).strip_prefix(said).is_some_and(|rest| rest.starts_with(['+', '-'])))
}

/// Whether a field says more exactly when it was than the heading, which has `at`: the offset of the same time of day, also where the
/// heading has a `Z`, or the seconds of the same minute.
fn knows_more(at: Timestamp, field: Timestamp, has_no_offset: bool) -> bool {
    let has_offset = has_no_offset || at.offset() == 0 && field.offset() != 0;
    has_offset && clock_of(at) == clock_of(field)
        || at.unix() % 60 == 0 && (1..60).contains(&(field.unix() - at.unix()))
}

/// The time of day of a moment, where it was written.
fn clock_of(at: Timestamp) -> String {
    at.to_string().chars().skip(11).take(8).collect()
}

/// The day of a moment, where it was written.
pub(super) fn day_of(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
