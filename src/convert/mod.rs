//! Converts legacy entries to Squad Entry Markdown. See `docs/formats/legacy-entries.md`, "Conversion".
//!
//! Evidence first: date, author and type, each with its reasons ([`when`], [`who`], [`kind`]). Only an entry
//! for which all three are found becomes another text ([`render`]); nothing is guessed, and no byte of its body is lost.
//! Pure: the history of the repository comes in as [`FirstSeen`].

pub mod author;
pub mod body;
mod evidence;
pub mod file;
mod front_matter;
pub mod kind;
pub mod origin;
pub mod orphan;
mod outer;
pub mod reason;
pub mod render;
mod status;
pub mod subject;
pub mod title;
mod twins;
pub mod weigh;
pub mod when;
pub mod who;

pub use evidence::{Confidence, Evidence};
pub use reason::Reason;
pub use subject::{EntryFile, FirstSeen, Lifetime, Subject};
use subject::{Pattern, matches};
use who::Authors;

use crate::formats::label;
use crate::formats::legacy::{Field, Meaning, is_part_of};
use crate::formats::markdown::MarkKind;
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

impl Inference {
    /// Whether the history of the repository could say what is missing.
    pub fn asks_history(&self) -> bool {
        self.reasons.iter().any(|reason| matches!(reason, Reason::NoDate | Reason::NoAuthor))
    }
}

/// Gathers the evidence for an entry: from its text and its file, and where these say nothing from `origin`.
pub fn infer(subject: Subject<'_>, origin: Option<&FirstSeen>) -> Inference {
    let when = when::infer(subject, origin);
    let kind = kind::infer(subject);
    let who = who::infer(subject, kind.value, origin);
    let mut confidence = when.strength.min(kind.strength).min(who.strength);
    // Who acted need not be who wrote it: then it has to say itself that it is a decision.
    let acted = who.reasons.iter().any(|reason| matches!(reason, Reason::AuthorActed(..)));
    let weighed = kind.reasons.iter().any(|reason| matches!(reason, Reason::TypeByWords(..)));
    if acted && (weighed || kind.value == Some(EntryType::Note)) {
        confidence = Confidence::Low;
    }
    // What is missing comes before what is unclear.
    let mut reasons = match kind.strength {
        Confidence::Low => [when.reasons, who.reasons, kind.reasons].concat(),
        _ => [when.reasons, kind.reasons, who.reasons].concat(),
    };
    if let Some(heading) = subject.foreign_heading {
        confidence = Confidence::Low;
        reasons.push(Reason::SomethingElse(subject.of(heading).trim().to_owned()));
    } else if let Some((heading, is_end)) = heading_behind(subject)
        && (is_end || confidence == Confidence::High)
    {
        confidence = if is_end && confidence == Confidence::Medium { Confidence::Low } else { Confidence::Medium };
        reasons.push(Reason::SomethingElse(subject.of(heading).trim().to_owned()));
    }
    let used = [when.used, who.used].concat();
    let found = match (when.value, kind.value, who.value) {
        (Some(at), Some(kind), Some(authors)) => Some(Found { at, kind, authors, used, moved: false }),
        _ => None,
    };
    Inference { found, confidence, reasons }
}

/// A heading above the entry's level behind its complete `What` and `Why`, often that of another text: one that is no part, or
/// that begins a document. Also a part behind a rule: then it is the end of a text whose beginning is lost, and `true` is returned
/// with it.
fn heading_behind(subject: Subject<'_>) -> Option<(Span, bool)> {
    static BEGINS: Pattern =
        Pattern::new(r"(?i)^[\s#]*(?:the )?(?:context|background|problem|overview|goals?|summary)\b");
    let plain = |meaning| subject.fields().iter().rfind(|field| field.meaning == meaning && !field.bulleted);
    let what = plain(Meaning::What)?;
    let marks = &subject.entries.outline.marks;
    let first = marks.partition_point(|mark| mark.line.start() < what.value.end());
    let mut behind = marks.get(first..)?.iter().take_while(|mark| mark.line.start() < subject.end);
    let (mut says_why, mut rule) = (plain(Meaning::Why).is_some(), None);
    let heading = behind.find_map(|mark| match mark.kind {
        MarkKind::Heading(level) if level < subject.entry.level => Some(mark.line),
        MarkKind::Rule => {
            rule = Some(mark.line.end());
            None
        }
        MarkKind::Bold => {
            let label = label::parse(subject.text, mark.line);
            says_why |= label.is_some_and(|label| Meaning::of(subject.of(label.name)) == Meaning::Why);
            None
        }
        _ => None,
    })?;
    if !says_why {
        return None;
    }
    let is_part = is_part_of(subject.text, heading) && !matches(&BEGINS, subject.of(heading));
    let is_behind_rule = rule.is_some_and(|end| subject.of(Span::new(end, heading.start())).trim().is_empty());
    (!is_part || is_behind_rule).then_some((heading, is_part))
}
