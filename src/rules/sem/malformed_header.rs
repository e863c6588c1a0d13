//! # sem/malformed-header
//!
//! ## What it flags
//!
//! A heading that is almost the header of an entry. It has the wrong level, a dash instead of a colon, or no time, type
//! or summary. A heading counts as almost a header if it has a timestamp and a type, or if two field lines of an entry
//! follow it. Any other heading is legacy text.
//!
//! ## Why it matters
//!
//! The reference parser finds an entry by this line only. Without it, the entry becomes part of the one before.
//!
//! ## Example
//!
//! ```markdown
//! #### 2026-02-15T14:32:15-0800 — decision — Use Postgres
//! ```
//!
//! ## How to fix
//!
//! Write `### {timestamp}: {type}: {summary}`. An unsafe fix rewrites the line if the header and the fields contain all
//! three parts.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Header":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#header>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Defect, Entry, FieldName, Header, repair};
use crate::formats::timestamp::{Reading, TimestampError};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/malformed-header",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let options = context.options;
    let Some(defect) = entry.header().defect else { return };
    if let (Defect::AfterTimestamp(gap), Reading::Invalid(_)) = (defect, entry.header().reading)
        && (!gap.of(entry.text()).contains(' ') || gap.of(entry.text()).starts_with("::"))
    {
        return; // The rest of a timestamp that `sem/invalid-timestamp` reports.
    }
    let finding = describe(entry, defect);
    sink.report(match repair::header(entry, options.max_summary_characters()) {
        Some(line) => finding
            .help(format!("write `{line}`"))
            .fix(Applicability::Unsafe, [Edit::replace(entry.header().line, line)]),
        None => finding.help("write the header as `### {timestamp}: {type}: {summary}`"),
    });
}

fn describe(entry: Entry<'_>, defect: Defect) -> Finding {
    let (text, header) = (entry.text(), entry.header());
    match defect {
        Defect::Level => level(text, header),
        Defect::NoTimestamp => no_timestamp(text, header),
        Defect::NoTime => {
            let date = header.timestamp.of(text);
            let finding = no_time(text, header);
            let again = entry.field(FieldName::Timestamp).map(|field| field.first_line_span(text));
            match again {
                Some(span) if span.of(text) == date => finding.related(span, "the same here"),
                Some(span) if !span.of(text).starts_with(date) => finding.related(span, "another day here"),
                _ => finding,
            }
        }
        Defect::AfterTimestamp(gap) => separator(text, header, gap, "timestamp"),
        Defect::NoType => Finding::at(header.kind, "header has no type").label("expected the type here"),
        Defect::AfterType(gap) => separator(text, header, gap, "type"),
        Defect::NoSummary => Finding::at(header.summary, "header has no summary").label("expected the summary here"),
    }
}

/// The word in the timestamp's place, with what was meant as its separator left out.
fn first_word(text: &str, header: &Header) -> Span {
    let rest = Span::new(header.timestamp.start(), header.line.end());
    let word = rest.of(text).split_whitespace().next().unwrap_or_default();
    Span::new(rest.start(), rest.start() + word.trim_end_matches(':').len())
}

fn malformed_timestamp(text: &str, word: Span, error: TimestampError) -> Finding {
    let message = format!("timestamp `{}` in a header {}", word.of(text), error.message(text));
    Finding::at(error.found, message).label("expected `YYYY-MM-DDTHH:MM:SS±HHMM`")
}

fn no_timestamp(text: &str, header: &Header) -> Finding {
    let word = first_word(text, header);
    if let Some(error) = TimestampError::of(text, word) {
        return malformed_timestamp(text, word, error);
    }
    let (message, label) = match (header.kind.of(text), header.summary.is_empty()) {
        ("", _) => ("header has no timestamp and no type".to_owned(), "expected a timestamp and a type before this"),
        (kind, true) => (format!("header has only the type `{kind}`"), "expected a timestamp before this"),
        (kind, false) => (format!("header has no timestamp before `{kind}`"), "expected the timestamp before this"),
    };
    let place = if header.kind.is_empty() { header.summary } else { header.kind };
    Finding::at(place, message).label(label)
}

fn no_time(text: &str, header: &Header) -> Finding {
    let word = first_word(text, header);
    // `2026-02-15T14`: cut short.
    let cut = Some(word).filter(|word| word.of(text).as_bytes().get(header.timestamp.len()) == Some(&b'T'));
    if let Some(error) = cut.and_then(|word| TimestampError::of(text, word)) {
        return malformed_timestamp(text, word, error);
    }
    let date = header.timestamp.of(text);
    let message = format!("header has only the date `{date}`, expected a date, a time of day and an offset");
    Finding::at(header.timestamp, message).label("no time of day")
}

fn level(text: &str, header: &Header) -> Finding {
    let line = header.line;
    let indent = line.of(text).bytes().take_while(|&byte| byte == b' ').count();
    let hashes = Span::new(line.start() + indent, line.start() + indent + usize::from(header.level));
    if header.level == 3 {
        let indent = Span::new(line.start(), hashes.start());
        return Finding::at(indent, "header is indented, expected `###` at the start of the line").label("indented");
    }
    Finding::at(hashes, format!("header has level {}, expected level 3 (`###`)", header.level)).label("expected `###`")
}

fn separator(text: &str, header: &Header, gap: Span, before: &str) -> Finding {
    if header.kind.is_empty() && header.summary.is_empty() {
        return Finding::at(gap, format!("header ends after its {before}")).label("expected type and summary here");
    }
    if let Some(stray) = header.stray(text, gap).filter(|_| before == "timestamp") {
        return Finding::at(
            stray,
            format!("found `{}` between timestamp and type in a header, expected `: `", stray.of(text)),
        )
        .label("expected `: `");
    }
    let found = match gap.of(text) {
        "" => "nothing".to_owned(),
        space if space.trim().is_empty() => "only a space".to_owned(),
        other => format!("`{other}`"),
    };
    Finding::at(gap, format!("found {found} after the {before} in a header, expected `: `")).label("expected `: `")
}
