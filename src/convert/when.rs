//! When an entry was made: its heading, its fields, its file's name, its commit.

use super::reason::Reason;
use super::subject::{FirstSeen, Pattern, Subject, matches};
use super::{Confidence, Evidence};
use crate::dialects::squad;
use crate::formats::legacy::{Field, Meaning, find_date};
use crate::formats::timestamp::{Fault, Reading, Timestamp};
use crate::text::Span;

/// What a date in a text reads as.
struct Found {
    at: Timestamp,
    /// How the time of day was completed.
    note: Option<Reason>,
    /// Whether all that was written is in the timestamp.
    whole: bool,
}

/// The text after a date that is more than one day, or no whole one: `2026-02-14/15`, `2026-07-21b`.
static GOES_ON: Pattern = Pattern::new(r"^(?:[/\p{L}\d]|\s*(?:→|->|–|—|-|to|through|until|and|&)\s*(?:\d{4}-)?\d\d)");

/// The text before a date that is not the entry's own: `Project started 2026-02-17`.
static OTHER: Pattern = Pattern::new(r"(?i)\b(?:started|since|until|due|deadline|before|after|expires)\W*$");

static YEAR: Pattern = Pattern::new(r"\b20\d\d\b");

/// A day in words: `Feb 14-15, 2026`, `14 February 2026`.
static WORDS: Pattern = Pattern::new(
    r"(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?[ .]+)?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\W{1,3}[\d\W]{0,12}\b20\d\d\b",
);

/// The moment of an entry.
pub fn infer(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Evidence<Timestamp> {
    let heading = subject.heading();
    let in_heading = subject.entry.date.filter(|date| subject.entry.heading.contains(*date));
    let in_body = subject.entry.date.filter(|_| in_heading.is_none());
    let mut evidence = Evidence::none(Reason::NoDate);
    if let Some(date) = in_heading {
        let behind = Span::new(date.end(), heading.end());
        let end = behind.of(subject.text);
        let unclear = matches(&GOES_ON, end) && !end.starts_with(['T', 't'])
            || matches(&OTHER, subject.of(Span::new(heading.start(), date.start())));
        if unclear {
            evidence.reasons = vec![Reason::UnclearDate(subject.of(date.to(behind)).chars().take(24).collect())];
        } else if let Some(found) = read(subject.of(date)) {
            evidence = found.evidence(Confidence::High, Reason::DateInHeading(subject.of(date).to_owned()));
        }
    }
    let fields = subject.fields().iter().filter(|field| field.meaning == Meaning::Date);
    for field in fields {
        let Some(date) = find_date(subject.text, field.value) else { continue };
        let Some(mut found) = read(subject.of(date)) else { continue };
        let name = subject.of(field.name).to_owned();
        let behind = subject.of(Span::new(date.end(), field.value.end()));
        let reason = Reason::DateInField(name.clone(), subject.of(date).to_owned());
        found.whole &= date == field.value;
        let line = found.whole.then_some(*field);
        let Some(at) = evidence.value else {
            if !matches(&GOES_ON, behind) {
                evidence = found.evidence(Confidence::High, reason);
                evidence.used.extend(line);
            } else if evidence.reasons == [Reason::NoDate] {
                evidence.reasons = vec![Reason::UnclearDate(subject.of(field.value).chars().take(24).collect())];
            }
            break;
        };
        if day(at) != day(found.at) {
            evidence.strength = evidence.strength.min(Confidence::Medium);
            evidence.reasons.push(Reason::OtherDay(name, subject.of(date).to_owned()));
        } else if evidence.reasons.contains(&Reason::Midnight) {
            // The same day; the field may know the time.
            if found.note != Some(Reason::Midnight) {
                evidence = found.evidence(Confidence::High, reason);
            }
            evidence.used.extend(line);
        }
        break;
    }
    if evidence.value.is_none()
        && let Some(found) = in_body.and_then(|date| read(subject.of(date)))
        && evidence.reasons == [Reason::NoDate]
    {
        // The title once more, with a date.
        let date = in_body.map_or("", |date| subject.of(date));
        evidence = found.evidence(Confidence::High, Reason::DateInHeading(date.to_owned()));
    }
    if evidence.value.is_some() || evidence.reasons != [Reason::NoDate] {
        return evidence;
    }
    // `2025-07`, `March 2025`: what a commit says would be another day.
    let year = |field: &&Field| matches(&YEAR, subject.of(field.value));
    if let Some(field) = subject.fields().iter().filter(|field| field.meaning == Meaning::Date).find(year) {
        return Evidence::none(Reason::UnclearDate(subject.of(field.value).chars().take(24).collect()));
    }
    let words = WORDS.regex().and_then(|words| words.find(subject.of(heading)));
    if let Some(words) = words {
        return Evidence::none(Reason::UnclearDate(words.as_str().chars().take(24).collect()));
    }
    beside(subject, origin).unwrap_or(evidence)
}

/// Dates in unusual places, and outside of the entry.
fn beside(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Option<Evidence<Timestamp>> {
    let authors = subject.fields().iter().filter(|field| field.meaning == Meaning::Author);
    for field in authors {
        if let Some(date) = find_date(subject.text, field.value)
            && let Some(found) = read(subject.of(date))
        {
            let reason = Reason::DateInField(subject.of(field.name).to_owned(), subject.of(date).to_owned());
            return Some(found.evidence(Confidence::Medium, reason));
        }
    }
    if let Some(date) = session_date(subject)
        && let Some(found) = read(subject.of(date))
    {
        return Some(found.evidence(Confidence::Medium, Reason::DateInHeading(subject.of(date).to_owned())));
    }
    if subject.place.file_kind == &squad::INBOX {
        let name = subject.file_name();
        if let Some(date) = find_date(&name, Span::new(0, name.len()))
            && let Some(found) = read(date.of(&name))
        {
            return Some(found.evidence(Confidence::Medium, Reason::DateInFileName(date.of(&name).to_owned())));
        }
    }
    let origin = origin?;
    let date = origin.at.to_string();
    let reason = Reason::DateFromCommit(origin.commit.clone(), date);
    Some(Evidence { value: Some(origin.at), strength: Confidence::Medium, reasons: vec![reason], used: Vec::new() })
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

/// Reads a date with or without a time of day and an offset.
fn read(text: &str) -> Option<Found> {
    let text = text.replace(" UTC", "Z");
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

/// The day of a moment, where it was written.
fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
