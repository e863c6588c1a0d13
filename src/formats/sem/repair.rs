//! The header of an entry as it should be, put together from what the header and the fields say.

use super::{Defect, Entry, EntryType, FieldName, Header};
use crate::formats::timestamp::{Reading, Timestamp};
use crate::text::Span;
use crate::text::suggest::Tolerance;

/// The line `### {timestamp}: {type}: {summary}`, where all three are certain enough. A summary that only the field has is
/// taken up to `summary_max` characters.
pub fn header(entry: Entry<'_>, summary_max: usize) -> Option<String> {
    let (text, header) = (entry.text(), entry.header());
    let field = |name| entry.field(name).map(|field| field.first_line(text));
    let at = match header.reading {
        // The file's title: the entry below lost its own header.
        Reading::Other if header.level == 1 => return None,
        Reading::Other => Timestamp::read(field(FieldName::Timestamp)?)?,
        Reading::Invalid(_) if header.defect == Some(Defect::NoTime) => {
            let at = Timestamp::read(field(FieldName::Timestamp)?)?;
            at.to_string().starts_with(header.timestamp.of(text)).then_some(at)?
        }
        reading => reading.moment()?,
    };
    let of_field = field(FieldName::Type).and_then(EntryType::from_word);
    let own = header.entry_type.filter(|own| !header.type_is_bare(text) || of_field.is_none_or(|field| field == *own));
    let near = |tolerance| EntryType::nearest(header.kind.of(text), tolerance).filter(|_| header.entry_type.is_none());
    let (perhaps, sure) = (near(Tolerance::Help), near(Tolerance::Sure));
    let agrees = of_field.is_none_or(|field| Some(field) == perhaps);
    // What the field says as well is certain.
    let near = perhaps.filter(|_| agrees && (sure.is_some() || of_field.is_some()));
    if own.is_none() && perhaps.is_some() && near.is_none() {
        return None;
    }
    let in_header = own.or(near);
    let entry_type = in_header.or(of_field)?;
    // A word that turned out to be no type belongs to the summary.
    let start = if in_header.is_some() { header.summary.start() } else { header.kind.start() };
    let summary = match Span::new(start, header.summary.end()).of(text) {
        "" => field(FieldName::Summary).filter(|line| !line.is_empty() && line.chars().count() <= summary_max)?,
        summary => summary,
    };
    let understood = in_header.is_some() || !is_garbled(text, header, summary);
    understood.then(|| format!("### {at}: {}: {summary}", entry_type.as_str()))
}

/// Whether a summary without a type before it looks like the rest of something else.
fn is_garbled(text: &str, header: &Header, summary: &str) -> bool {
    let stamped = !header.timestamp.is_empty();
    let glued =
        stamped && header.timestamp.end() == header.kind.start() && header.kind.end() < header.line.trim(text).end();
    let dated = !stamped && summary.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
    let typed = |kind: EntryType| summary.split_once(kind.as_str()).is_some_and(|(_, rest)| rest.starts_with(':'));
    glued || dated || EntryType::ALL.into_iter().any(typed)
}
