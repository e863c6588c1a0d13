//! Neighbours of one shape: a decision beside a note of the same fields, under a title of the same pattern, is as doubtful as that note.

use super::reason::Reason;
use super::subject::Subject;
use super::{Confidence, Inference, weigh};
use crate::formats::sem::EntryType;

/// What two entries share that were written by one pattern.
#[derive(PartialEq, Eq)]
struct Shape {
    level: u8,
    /// The names of the fields, in lower case.
    fields: Vec<String>,
    /// The first word of the title.
    first: String,
    /// The last word of the title; `None` where its first one says what was done.
    last: Option<String>,
}

impl Shape {
    /// `None` where an entry has too little of one.
    fn of(subject: Subject<'_>) -> Option<Self> {
        let fields: Vec<_> = subject.fields().iter().map(|field| subject.of(field.name).to_lowercase()).collect();
        let title = subject.of(subject.entry.title);
        let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_alphabetic));
        let first = words.next()?.to_lowercase();
        let last = match weigh::tells_what_was_done(title) {
            true => None,
            false => Some(words.next_back()?.to_lowercase()),
        };
        (fields.len() > 1).then_some(Self { level: subject.entry.level, fields, first, last })
    }
}

/// Leaves neighbours to a person that have one shape, where one would be a decision and the other a note, unless the decision
/// is certain.
pub(super) fn compare(subjects: &[Subject<'_>], inferences: &mut [Inference]) {
    let mut before: Option<(usize, Shape)> = None;
    for (at, subject) in subjects.iter().enumerate() {
        let shape = Shape::of(*subject);
        if let Some(((other, before), shape)) = before.as_ref().zip(shape.as_ref())
            && before == shape
        {
            let kinds = [*other, at].map(|at| inferences.get(at).and_then(doubtful_kind));
            if let [Some(one), Some(next)] = kinds
                && one != next
            {
                for (at, kind, twin) in [(*other, next, at), (at, one, *other)] {
                    let heading = subjects.get(twin).map(|twin| twin.of(twin.heading()).to_owned());
                    if let (Some(inference), Some(heading)) = (inferences.get_mut(at), heading) {
                        inference.confidence = Confidence::Low;
                        inference.reasons.push(Reason::TwinDiffers(kind, heading));
                    }
                }
            }
        }
        before = shape.map(|shape| (at, shape));
    }
}

/// Decision or note, where that is not certain.
fn doubtful_kind(inference: &Inference) -> Option<EntryType> {
    let kind = inference.found.as_ref()?.kind;
    let is_either = matches!(kind, EntryType::Decision | EntryType::Note);
    (is_either && inference.confidence == Confidence::Medium).then_some(kind)
}
