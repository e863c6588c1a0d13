//! # sem/duplicate-field
//!
//! ## What it flags
//!
//! A field that occurs more than once in an entry. The first one is not reported.
//!
//! ## Why it matters
//!
//! The reference parser keeps the last value and other readers keep the first, so readers disagree about the entry. If
//! a `---` is missing, the second field may belong to another entry.
//!
//! ## Example
//!
//! ```markdown
//! **author:** Verbal
//! **author:** Keaton
//! ```
//!
//! ## How to fix
//!
//! Keep one of the two fields, or put both values on one line. A safe fix removes a line that is identical to the
//! first one.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#fields>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/duplicate-field",
    severity: Severity::Error,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let mut firsts: [Option<Field>; FieldName::KNOWN.len()] = [None; FieldName::KNOWN.len()];
    let mut contradictions = None;
    let fields = entry.fields();
    for (at, field) in fields.iter().enumerate() {
        // `Unknown` comes after the known names and has no place.
        let Some(place) = firsts.get_mut(field.name as usize) else { continue };
        let Some(first) = place else {
            *place = Some(*field);
            continue;
        };
        let differs = contradictions.get_or_insert_with(|| entry.contradictions()).get(field.name as usize);
        // The last one counts for some readers: with a third of another value, or a first one that they do not see, it
        // would make room for something else. And what they read as its further lines must not become those of the field
        // above.
        let certain = first.exact && differs == Some(&false) && fields.get(at + 1).is_none_or(Field::is_seen_by_all);
        sink.report(describe(entry, *first, *field, certain));
    }
}

/// `certain`: nothing changes for any reader when the second one goes.
fn describe(entry: Entry<'_>, first: Field, second: Field, certain: bool) -> Finding {
    let text = entry.text();
    let name = second.name.as_str();
    let finding =
        Finding::at(second.label(), format!("field `{name}` is repeated")).related(first.label(), "first one");
    let value = |field: &Field| field.value.of(text);
    if value(&first) != value(&second) {
        return finding.label("another value").help("keep one of the two");
    }
    let finding = finding.label("the same value as in the first one");
    match lines_of(text, second) {
        Some(lines) if certain => finding.help("delete this line").fix(Applicability::Safe, [Edit::delete(lines)]),
        Some(_) => finding.help("delete this line"),
        None => finding.help("delete one of the two"),
    }
}

/// The line of a field that has no other, and the blank line below it where there is one above as well.
fn lines_of(text: &str, field: Field) -> Option<Span> {
    if !field.value.is_empty() && field.value.end() > field.line.end() {
        return None;
    }
    let (_, next) = line_end(text.as_bytes(), field.line.end());
    let (end, behind) = line_end(text.as_bytes(), next);
    let before = Span::new(0, field.line.start()).of(text);
    let above = before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before));
    let blank_above = above.ends_with('\n');
    let blank_below = Span::new(next, end).of(text).trim().is_empty();
    Some(Span::new(field.line.start(), if blank_above && blank_below { behind } else { next }))
}
