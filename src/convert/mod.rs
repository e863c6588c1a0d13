//! Converts legacy entries to Squad Entry Markdown. See `docs/formats/legacy-entries.md`, "Conversion".
//!
//! Evidence first: date, author and type, each with its reasons ([`when`], [`who`], [`kind`]). Only an entry
//! for which all three are found becomes another text ([`render`]); nothing is guessed, and no byte of its body is lost.
//! Pure: the history of the repository comes in as [`FirstSeen`].

mod around;
pub mod author;
mod beside;
pub mod body;
mod doubt;
mod evidence;
pub mod file;
mod front_matter;
pub mod kind;
mod log;
mod names;
mod older;
pub mod origin;
pub mod orphan;
mod outer;
mod pattern;
pub mod reason;
pub mod render;
mod sibling;
mod signs;
mod status;
pub mod subject;
pub mod title;
mod told;
mod twins;
pub mod weigh;
pub mod when;
pub mod who;
mod work;

pub use evidence::{Confidence, Evidence};
pub use reason::Reason;
pub use subject::{EntryFile, FirstSeen, Lifetime, Subject};
use who::Authors;

use crate::formats::legacy::Field;
use crate::formats::sem::EntryType;
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// What an entry is, when, and whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// When.
    pub at: Timestamp,
    /// Of which type.
    pub kind: EntryType,
    /// By whom.
    pub authors: Authors,
    /// The fields whose values are in the above whole.
    pub used: Vec<Field>,
    /// Whether the text has another time: that of the entry was taken.
    pub moved: bool,
}

/// What the evidence for an entry comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    /// What is known; `None` if something is missing.
    pub found: Option<Found>,
    /// How sure it is: as sure as the weakest part.
    pub confidence: Confidence,
    /// The reasons for the conversion, or against it.
    pub reasons: Vec<Reason>,
}

/// Gathers the evidence for an entry: from its text and its file, and where these say nothing from `origin`.
pub fn infer(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Inference {
    let source = origin.filter(|origin| !origin.only_refutes);
    let mut when = when::infer(subject, source);
    doubt::of_month(subject, source, &mut when);
    doubt::apply(subject, origin, &mut when);
    let kind = kind::infer(subject);
    let who = who::infer(subject, kind.value, source);
    let mut confidence = when.strength.min(kind.strength).min(who.strength);
    // Who acted need not be who wrote it: then it has to say itself that it is a decision.
    let acted = who.reasons.iter().any(|reason| matches!(reason, Reason::AuthorActed(..)));
    let weighed = kind.reasons.iter().any(|reason| matches!(reason, Reason::TypeByWords(..)));
    if acted && (weighed || kind.value == Some(EntryType::Note)) {
        confidence = Confidence::Low;
    }
    let moved = when.reasons.iter().any(|reason| matches!(reason, Reason::CommitInstead(..) | Reason::YearInstead(..)));
    // What is missing comes before what is unclear.
    let mut reasons = match kind.strength {
        Confidence::Low => [when.reasons, who.reasons, kind.reasons].concat(),
        _ => [when.reasons, kind.reasons, who.reasons].concat(),
    };
    if let Some(heading) = subject.foreign_heading.or_else(|| in_value(subject)) {
        confidence = Confidence::Low;
        reasons.push(Reason::SomethingElse(subject.of(heading).trim().to_owned()));
    } else if let Some(line) = orphan::perhaps(subject.inside()) {
        confidence = Confidence::Low;
        reasons.push(Reason::OfAnother(subject.of(line).trim().chars().take(60).collect()));
    } else if let Some(heading) = sibling::of_others(subject.inside()) {
        confidence = Confidence::Low;
        reasons.push(Reason::SomethingElse(subject.of(heading).trim().to_owned()));
    } else if let Some(line) = sibling::dated(subject.inside()) {
        confidence = Confidence::Low;
        reasons.push(Reason::OfOtherDay(subject.of(line).trim().to_owned()));
    } else if let Some(older) = source.and_then(|origin| origin.older.as_ref()) {
        confidence = Confidence::Low;
        reasons.push(Reason::WasOf(older.line.chars().take(60).collect(), older.heading.clone()));
    } else if let Some((heading, is_end)) = sibling::behind_complete(subject.inside()) {
        confidence = confidence.min(if is_end { Confidence::Low } else { Confidence::Medium });
        reasons.push(Reason::SomethingElse(subject.of(heading).trim().to_owned()));
    }
    let used = [when.used, who.used].concat();
    let found = match (when.value, kind.value, who.value) {
        (Some(at), Some(kind), Some(authors)) => Some(Found { at, kind, authors, used, moved }),
        _ => None,
    };
    Inference { found, confidence, reasons }
}

/// The heading in the value of a field, `**Why:** ### 2026-07-08: Language`: a whole entry was pasted there.
fn in_value(subject: Subject<'_>) -> Option<Span> {
    let mut values = subject.fields().iter().map(|field| field.value);
    values.find(|value| {
        let title = subject.of(*value).trim_start_matches('#');
        title.starts_with(' ') && (1..=6).contains(&(value.len() - title.len()))
    })
}
