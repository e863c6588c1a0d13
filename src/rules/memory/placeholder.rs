//! # memory/placeholder
//!
//! ## What it flags
//!
//! A placeholder instead of the date of an entry, such as `{CURRENT_DATETIME}`, `2026-02-[current]`, `2026-03-XX` or
//! `$(date +%F)`. The rule reads headings and fields in decisions, histories, their archives, the inbox and logs. It
//! ignores code, examples that show the form of entries, and SEM entries, whose timestamps `sem/invalid-timestamp`
//! checks.
//!
//! ## Why it matters
//!
//! The date of the entry is lost. Tools find no date and never archive the entry, and no reader can tell whether it is
//! newer than one that contradicts it.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-[current]: Use Postgres
//! **Date:** $(date +%Y-%m-%d)
//! ```
//!
//! ## How to fix
//!
//! Write the day as `YYYY-MM-DD`. `git log -S '2026-02-[current]: Use Postgres'` finds the commit that added the entry.
//!
//! ## Source
//!
//! Legacy entries, "Dates":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#dates>

use crate::diagnostic::{Finding, Severity};
use crate::formats::label;
use crate::formats::legacy::{LegacyEntry, Meaning, field};
use crate::formats::markdown::{Mark, MarkKind};
use crate::formats::placeholder::{Kind, in_place_of_date, may_follow, shows_form};
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::rules::shell::log_of_place;
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/placeholder", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let (document, text) = (context.document, context.document.text());
    if !document.kind().holds_legacy() && !super::is_log(inner_path(document.path(), document.root())) {
        return;
    }
    let mut sem = document.entries.sem(text).map(crate::formats::sem::Entry::span).peekable();
    // The heading above, and whether its section shows how an entry is written, once that was asked.
    let (mut heading, mut is_form) = (None, None);
    for mark in &document.entries.outline.marks {
        if matches!(mark.kind, MarkKind::Heading(_)) {
            (heading, is_form) = (Some(mark.line), None);
        }
        while sem.next_if(|entry| entry.end <= mark.line.start).is_some() {}
        if sem.peek().is_some_and(|entry| entry.start <= mark.line.start) {
            continue;
        }
        let Some((kind, span)) = in_line(text, *mark) else { continue };
        if *is_form.get_or_insert_with(|| heading.is_some_and(|heading| shows_form(heading.of(text))))
            || context.is_unused()
        {
            continue;
        }
        let exported = "write the date in the source project, then export the squad again";
        let finding = Finding::at(span, format!("date is the placeholder `{}`", span.of(text)))
            .label("expected `YYYY-MM-DD`")
            .help(if document.is_embedded() { exported } else { "write the date" })
            .note(format!("`{}` finds the commit that added the line", log_of_place(document, span, mark.line)));
        let is_unexpanded = kind == Kind::Unexpanded;
        let unexpanded = "the program that wrote it did not fill in the placeholder";
        sink.report(if is_unexpanded { finding.note(unexpanded) } else { finding });
    }
}

/// Whether a placeholder is in place of the date of `entry`, in its heading or in a field.
pub fn replaces_date(document: &Document, entry: &LegacyEntry) -> bool {
    let text = document.text();
    let fields = document.entries.legacy_fields(entry);
    in_title(text, entry.heading).is_some()
        || fields.iter().any(|field| field.meaning == Meaning::Date && at_start(text, field.value).is_some())
}

/// The placeholder in a marked line.
fn in_line(text: &str, mark: Mark) -> Option<(Kind, Span)> {
    match mark.kind {
        MarkKind::Heading(_) => in_title(text, mark.line),
        MarkKind::Bold => in_field(text, mark.line),
        MarkKind::TableRow if memchr::memchr2(b'{', b'$', mark.line.of(text).as_bytes()).is_some() => {
            let mut fields = Vec::new();
            field::read(text, mark.line, &mut fields);
            fields.iter().find(|field| field.meaning == Meaning::Date).and_then(|field| at_start(text, field.value))
        }
        _ => None,
    }
}

/// At the start of a title, or in brackets at its end.
fn in_title(text: &str, heading: Span) -> Option<(Kind, Span)> {
    let line = heading.trim(text);
    let title = line.of(text).trim_start_matches(['#', ' ', '`', '*']);
    if !may_follow(title.as_bytes()) && memchr::memchr(b'(', title.as_bytes()).is_none() {
        return None; // Most titles begin with something else, and have nothing in brackets.
    }
    let title = Span::new(line.end() - title.len(), line.end());
    if let Some((kind, found)) = at_start(text, title) {
        let rest = Span::new(found.end(), title.end()).of(text).trim_start_matches(['`', '*', ' ']);
        let is_apart = rest.is_empty() || rest.starts_with([':', '—', '–', '-', '|']);
        // `{date}: {title}` is the form of a heading.
        return ((kind == Kind::Day || is_apart) && !rest.contains(['{', '<'])).then_some((kind, found));
    }
    let bracket = memchr::memrchr(b'(', title.of(text).as_bytes())?;
    let (kind, found) = at_start(text, Span::new(title.start() + bracket + 1, title.end()))?;
    Span::new(found.end(), title.end()).of(text).starts_with(')').then_some((kind, found))
}

/// As the value of a field, or at the start of a bold line: `**2026-03-XX: Retries**`.
fn in_field(text: &str, line: Span) -> Option<(Kind, Span)> {
    let bytes = line.of(text).as_bytes();
    let bold = memchr::memchr_iter(b'*', bytes).find(|at| bytes.get(at + 1) == Some(&b'*'))? + 2;
    let inner = bytes.get(bold..)?;
    // Nearly all fields have something else, and to read a label takes longer.
    let value = memchr::memchr(b'*', inner).and_then(|end| inner.get(end..));
    if !may_follow(inner) && !value.is_some_and(may_follow) {
        return None;
    }
    let Some(label) = label::parse(text, line) else {
        return at_start(text, Span::new(line.start() + bold, line.end())).filter(|(kind, _)| *kind == Kind::Day);
    };
    let found = at_start(text, Span::new(label.span.end(), line.end()))?;
    (found.0 == Kind::Unexpanded || is_date(label.name.of(text))).then_some(found)
}

fn at_start(text: &str, span: Span) -> Option<(Kind, Span)> {
    let value = span.of(text).trim_start_matches([' ', '`']);
    let start = span.end() - value.len();
    in_place_of_date(value).map(|(kind, len)| (kind, Span::new(start, start + len)))
}

/// Whether a field of that name has a date.
fn is_date(name: &str) -> bool {
    const LAST_WORDS: [&str; 6] = ["date", "time", "timestamp", "updated", "created", "when"];
    let last = name.rsplit(' ').next().unwrap_or_default();
    Meaning::of(name) == Meaning::Date || LAST_WORDS.iter().any(|word| last.eq_ignore_ascii_case(word))
}
