//! # sem/reference-divergence
//!
//! ## What it flags
//!
//! An entry that the specification's reference parser, taken literally, reads in another way. One finding for each
//! entry, at the first place: a header line that ends with CRLF, a label with nothing after it, a bold label in a body,
//! a `---` that is text.
//!
//! ## Why it matters
//!
//! That parser knows no code fences, ends a field at any bold label, and takes `**details:**` alone on its line, which
//! is the specification's own layout, for text. Only teams that run it need this rule; it is off by default.
//!
//! ## Example
//!
//! ````markdown
//! **details:** Front matter looks so:
//! ```yaml
//! ---
//! ```
//! ````
//!
//! ## How to fix
//!
//! Better repair the parser. Otherwise: LF line ends, a space after every label, `**Note**:` instead of `**Note:**` in a
//! body, and no `---` line before the end of the entry. With two spaces after `**details:**` the text stays on the lines
//! below, where `sem/label-layout` wants it.
//!
//! ## Source
//!
//! Seed 000, "Reference Implementation", run against its own examples.

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::formats::label;
use crate::formats::sem::Entry;
use crate::formats::sem::literal::{Reason, divergence};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "sem/reference-divergence",
    severity: Severity::Info,
    enabled: false,
    fixes: &[Applicability::Manual],
    check: Check::Entry(check),
    ..Rule::NEW
};

fn check(entry: Entry<'_>, _: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(divergence) = divergence(entry) else { return };
    let text = entry.text();
    let line = divergence.line.trim(text);
    let label = label::parse(text, line).map_or(line, |label| label.span);
    let word = label.of(text);
    let (span, message, help) = match divergence.reason {
        Reason::CarriageReturn => (
            line,
            "header line ends with CRLF: the reference parser finds no entry here".to_owned(),
            "save the file with LF line ends",
        ),
        // Its pattern ends at a CR too.
        Reason::LabelAlone if label != line => (
            line,
            format!("line of `{word}` ends with CRLF: the reference parser takes it for text"),
            "save the file with LF line ends",
        ),
        Reason::LabelAlone => (
            label,
            format!("nothing follows `{word}` on its line, not even a space: the reference parser takes it for text"),
            "put two spaces after the label, and leave the text on the lines below",
        ),
        Reason::BoldWord => (
            label,
            format!("`{word}` at the start of a line in a body: the reference parser ends the field here"),
            "move the colon after the asterisks, as in `**Note**:`, or make it a list item",
        ),
        Reason::Rule => (
            line,
            "`---` in a body: the reference parser ends the entry here".to_owned(),
            "for a horizontal line write `***`; in code, leave the `---` out",
        ),
    };
    sink.report(Finding::at(span, message).label(label_of(divergence.reason)).help(help));
}

/// What the span shows.
fn label_of(reason: Reason) -> &'static str {
    match reason {
        Reason::CarriageReturn => "lost as a whole",
        Reason::LabelAlone => "no field to that parser",
        Reason::BoldWord => "the rest of the field is lost",
        Reason::Rule => "the rest of the entry is lost",
    }
}
