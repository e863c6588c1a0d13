//! # sem/malformed-header
//!
//! ## What it flags
//!
//! A heading that is nearly an entry's header: another level, a dash for a colon, a missing time, type or summary. It
//! counts as one when a timestamp and a type stand in it, or when two of the specification's field lines follow. Any
//! other heading is legacy text.
//!
//! ## Why it matters
//!
//! The specification's parser knows an entry by this line alone: without it, the entry is lost in the one before.
//!
//! ## Example
//!
//! ```markdown
//! #### 2026-02-15T14:32:15-0800 — decision — Use Postgres
//! ```
//!
//! ## How to fix
//!
//! Write `### {timestamp}: {type}: {summary}`. Where all three are known, from the header or the fields, an unsafe fix
//! rewrites the line.
//!
//! ## Source
//!
//! Seed 000, "Header Line" and "Entry Detection".

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Defect, Entry, EntryType, FieldName, Header};
use crate::formats::timestamp::{Reading, Timestamp};
use crate::options::Options;
use crate::rule::{Check, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/malformed-header",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::Entry(check),
};

const SHAPE: &str = "### {timestamp}: {type}: {summary}";

fn check(entry: Entry<'_>, options: &Options, sink: &mut Sink<'_>) {
    let Some(defect) = entry.header().defect else { return };
    if let (Defect::AfterTimestamp(gap), Reading::Invalid(_)) = (defect, entry.header().reading)
        && !gap.of(entry.text()).contains(' ')
    {
        return; // What follows is the rest of a timestamp that `sem/invalid-timestamp` reports.
    }
    let finding = describe(entry, defect);
    sink.report(match canonical(entry, options.summary_max) {
        Some(line) => finding
            .help(format!("write `{line}`"))
            .fix(Applicability::Unsafe, [Edit::replace(entry.header().line, line)]),
        None => finding.help(format!("write the header as `{SHAPE}`")),
    });
}

fn describe(entry: Entry<'_>, defect: Defect) -> Finding {
    let (text, header) = (entry.text(), entry.header());
    match defect {
        Defect::Level => level(text, header),
        Defect::NoTimestamp => {
            Finding::at(header.timestamp, "header without a timestamp").label("expected the timestamp here")
        }
        Defect::NoTime => {
            let date = header.timestamp.of(text);
            let message = format!("header with the date `{date}` alone, expected a date, a time of day and an offset");
            let finding = Finding::at(header.timestamp, message).label("no time of day");
            let again = entry.field(FieldName::Timestamp).map(|field| field.first_line_span(text));
            match again {
                Some(span) if span.of(text) == date => finding.related(span, "the same again here"),
                Some(span) if !span.of(text).starts_with(date) => finding.related(span, "another day here"),
                _ => finding,
            }
        }
        Defect::AfterTimestamp(gap) => separator(text, header, gap, "timestamp"),
        Defect::NoType => Finding::at(header.kind, "header without a type").label("expected the type here"),
        Defect::AfterType(gap) => separator(text, header, gap, "type"),
        Defect::NoSummary => Finding::at(header.summary, "header without a summary").label("expected the summary here"),
    }
}

fn level(text: &str, header: &Header) -> Finding {
    let line = header.line;
    let indent = line.of(text).bytes().take_while(|&byte| byte == b' ').count();
    let hashes = Span::new(line.start() + indent, line.start() + indent + usize::from(header.level));
    if header.level == 3 {
        let indent = Span::new(line.start(), hashes.start());
        return Finding::at(indent, "indented header, expected `###` at the start of the line").label("indented");
    }
    Finding::at(hashes, format!("header of level {}, expected `###`", header.level)).label("expected `###`")
}

fn separator(text: &str, header: &Header, gap: Span, before: &str) -> Finding {
    if header.kind.is_empty() && header.summary.is_empty() {
        return Finding::at(gap, format!("header ends after its {before}")).label("expected type and summary here");
    }
    let found = match gap.of(text) {
        "" => "nothing".to_owned(),
        blank if blank.trim().is_empty() => "only a blank".to_owned(),
        other => format!("`{other}`"),
    };
    Finding::at(gap, format!("{found} after the {before} in a header, expected `: `")).label("expected `: `")
}

/// The header as it should be, where timestamp, type and summary are certain enough.
fn canonical(entry: Entry<'_>, summary_max: usize) -> Option<String> {
    let (text, header) = (entry.text(), entry.header());
    let field = |name| entry.field(name).map(|field| field.first_line(text));
    let at = match header.reading {
        Reading::Other if header.level == 1 => return None, // The file's title: the entry below lost its own header.
        Reading::Other => Timestamp::read(field(FieldName::Timestamp)?)?,
        Reading::Invalid(_) if header.defect == Some(Defect::NoTime) => {
            let at = Timestamp::read(field(FieldName::Timestamp)?)?;
            at.to_string().starts_with(header.timestamp.of(text)).then_some(at)?
        }
        reading => reading.moment()?,
    };
    let of_field = field(FieldName::Type).and_then(EntryType::from_word);
    let own = header.entry_type.filter(|own| !header.type_is_bare(text) || of_field.is_none_or(|field| field == *own));
    let near = EntryType::nearest(header.kind.of(text)).filter(|_| header.entry_type.is_none());
    if own.is_none() && near.is_some() && of_field.is_some_and(|field| Some(field) != near) {
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
    (in_header.is_some() || !is_garbled(text, header, summary))
        .then(|| format!("### {at}: {}: {summary}", entry_type.as_str()))
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
