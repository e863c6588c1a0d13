//! # sem/duplicate-field
//!
//! ## What it flags
//!
//! A field that the entry has already. The first one stays unreported.
//!
//! ## Why it matters
//!
//! The specification's parser keeps the last one, other readers the first: what the entry says depends on the reader.
//! Where a `---` was lost, the second half is another entry's.
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
//! Keep one of the two, or put both values into one line. An equal line is removed by a safe fix.
//!
//! ## Source
//!
//! Seed 000, "Reference Implementation": one value for each field.

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::sem::{Entry, Field, FieldName};
use crate::options::Options;
use crate::rule::{Check, Rule, Sink};
use crate::text::{Span, line_end};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/duplicate-field",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Safe],
    check: Check::Entry(check),
};

fn check(entry: Entry<'_>, _: &Options, sink: &mut Sink<'_>) {
    let mut firsts: [Option<Field>; FieldName::KNOWN.len()] = [None; FieldName::KNOWN.len()];
    for field in entry.fields() {
        // `Unknown` comes after the known names and has no place.
        let Some(place) = firsts.get_mut(field.name as usize) else { continue };
        match place {
            Some(first) => sink.report(describe(entry.text(), *first, *field)),
            None => *place = Some(*field),
        }
    }
}

fn describe(text: &str, first: Field, second: Field) -> Finding {
    let name = second.name.as_str();
    let finding =
        Finding::at(second.label(), format!("field `{name}` appears twice")).related(first.label(), "first here");
    let equal = first.value.of(text) == second.value.of(text);
    let one_line = second.value.is_empty() || second.value.end() <= second.line.end();
    match (equal, one_line) {
        (true, true) => {
            let (_, next) = line_end(text.as_bytes(), second.line.end());
            let line = Span::new(second.line.start(), next);
            finding.label("equal to the first").help("delete this line").fix(Applicability::Safe, [Edit::delete(line)])
        }
        (true, false) => finding.label("equal to the first").help("delete one of the two"),
        (false, _) => finding.label("with another value").help("keep one of the two"),
    }
}
