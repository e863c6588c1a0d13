//! # sem/invalid-timestamp
//!
//! ## What it flags
//!
//! A timestamp that is not a moment in time. The date, time or offset is impossible, the time of day or the offset is
//! missing, text follows it, it is cut short, or there is no timestamp at all. The rule checks headers, `timestamp`,
//! `supersedes`, `expires` and the timestamps under `related`.
//!
//! ## Why it matters
//!
//! The timestamp identifies the entry and gives its place in time. The pattern in the specification accepts
//! `2026-02-30` and `+2500`, but programs that compute with them fail or get another moment.
//!
//! ## Example
//!
//! ```markdown
//! **timestamp:** 2026-02-30T14:32:15-0800
//! ```
//!
//! ## How to fix
//!
//! Write the real time as `YYYY-MM-DDTHH:MM:SS±HHMM`. The commit that added the entry shows when it was made.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Timestamps":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#timestamps>

use crate::diagnostic::{Finding, Severity};
use crate::formats::sem::{Entry, FieldName};
use crate::formats::timestamp::{Fault, Reading, TimestampError};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "sem/invalid-timestamp", severity: Severity::Error, check: Check::Entry(check), ..Rule::NEW };

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let text = entry.text();
    let header = entry.header();
    let wrong_header = matches!(header.reading, Reading::Invalid(_)).then_some(header.timestamp);
    if let Reading::Invalid(fault) = header.reading
        && fault != Fault::NoTime
    {
        let finding = describe(text, header.timestamp, Some(fault), false);
        let again = entry.field(FieldName::Timestamp).map(|field| field.first_line_span(text));
        sink.report(match again.filter(|span| span.of(text) == header.timestamp.of(text)) {
            Some(span) => finding.related(span, "the same here"),
            None => finding,
        });
    }
    for field in entry.fields().iter().filter(|field| field.name.is_stamp()) {
        let span = field.first_line_span(text);
        let fault = match field.reading {
            Reading::Invalid(fault) => Some(fault),
            Reading::Other if !span.is_empty() => None,
            _ => continue,
        };
        let said = wrong_header.is_some_and(|header| header.of(text) == span.of(text));
        if !(said && field.name == FieldName::Timestamp) {
            sink.report(describe(text, span, fault, field.name != FieldName::Timestamp));
        }
    }
    for item in entry.related() {
        if let Reading::Invalid(fault) = item.reading {
            sink.report(describe(text, item.identifier(), Some(fault), true));
        }
    }
}

/// The finding about the timestamp at `span`, which an entry can lack if it `is_optional`; without a fault it is not a timestamp at all.
fn describe(text: &str, span: Span, fault: Option<Fault>, is_optional: bool) -> Finding {
    const LABEL: &str = "expected `YYYY-MM-DDTHH:MM:SS±HHMM`";
    let Some(fault) = fault else {
        let finding = match TimestampError::of(text, span) {
            Some(error) => Finding::at(error.found, format!("timestamp `{}` {}", span.of(text), error.message(text))),
            None => Finding::at(span, format!("`{}` is not a timestamp", span.of(text))),
        };
        let or = if is_optional { ", or delete the line" } else { "" };
        return finding.label(LABEL).help(format!("write a timestamp such as `2026-02-15T14:32:15-0800`{or}"));
    };
    let (_, len) = Reading::prefix(span.of(text));
    let stamp = Span::new(span.start(), span.start() + len);
    if let Some(error) = cut_short(text, span, stamp, fault) {
        return Finding::at(error.found, format!("timestamp `{}` {}", span.of(text), error.message(text)))
            .label(LABEL)
            .help("write the whole timestamp, such as `2026-02-15T14:32:15-0800`");
    }
    let (place, label, help) = match fault {
        Fault::NoTime => {
            (stamp, "no time of day", "write the time and the UTC offset, too: `YYYY-MM-DDTHH:MM:SS±HHMM`")
        }
        Fault::NoOffset => (stamp, "no offset", "add the offset from UTC, such as `-0800`, or `+0000` for UTC"),
        Fault::Month => (date(stamp), "no such month", "write a month from `01` to `12`"),
        Fault::Date => (date(stamp), "no such day", "write a day that exists"),
        Fault::Time => (time(text, stamp), "no such time", "write a time from `00:00:00` to `23:59:59`"),
        Fault::Offset => (offset(text, stamp), "no such offset", "write an offset from `-1200` to `+1400`"),
        Fault::Trailing => {
            let rest = Span::new(stamp.end(), span.end()).trim(text);
            (rest, "expected nothing here", "remove the text after the timestamp")
        }
    };
    Finding::at(place, format!("timestamp `{}` {}", stamp.of(text), fault.message())).label(label).help(help)
}

/// Where a timestamp ends, or goes wrong, in the midst of its time or offset: `2026-02-15T14:`, `…-080`.
fn cut_short(text: &str, span: Span, stamp: Span, fault: Fault) -> Option<TimestampError> {
    let goes_on = |with: u8| text.as_bytes().get(stamp.end()).filter(|_| stamp.end() < span.end()) == Some(&with);
    let digits = stamp.of(text).bytes().rev().take_while(u8::is_ascii_digit).count();
    let cut = match fault {
        Fault::NoTime => goes_on(b'T'),
        Fault::NoOffset => goes_on(b':'),
        Fault::Offset => digits % 2 == 1,
        _ => false,
    };
    TimestampError::of(text, span).filter(|_| cut)
}

/// `2026-02-30` of a timestamp.
fn date(stamp: Span) -> Span {
    Span::new(stamp.start(), (stamp.start() + "YYYY-MM-DD".len()).min(stamp.end()))
}

/// The text after the date and its separator, up to the offset.
fn time(text: &str, stamp: Span) -> Span {
    let start = date(stamp).end() + 1;
    let rest = Span::new(start, stamp.end()).of(text);
    let len = rest.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.')).count();
    Span::new(start, start + len)
}

/// From the last sign on.
fn offset(text: &str, stamp: Span) -> Span {
    let sign = stamp.of(text).rfind(['+', '-']).unwrap_or_default();
    Span::new(stamp.start() + sign, stamp.end())
}
