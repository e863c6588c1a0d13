//! # sem/reference-divergence
//!
//! ## What it flags
//!
//! An entry that the reference parser of the specification reads differently. There is one finding per entry, at the
//! first of these: a header line that ends with CRLF, a label with nothing after it, a bold label in a body, or a `---`
//! that is text.
//!
//! ## Why it matters
//!
//! That parser does not know code fences, ends a field at any bold label, and treats `**details:**` alone on its line
//! as text, although this is the layout that the specification shows. Only teams that use the parser need this rule,
//! so it is off by default.
//!
//! ## Example
//!
//! ````markdown
//! **details:** Front matter looks like this:
//! ```yaml
//! ---
//! ```
//! ````
//!
//! ## How to fix
//!
//! If you can, fix the parser. Otherwise use LF line endings, put a space after every label, write `**Note**:` instead
//! of `**Note:**` in a body, and avoid `---` lines inside an entry. With two spaces after `**details:**` the text can
//! stay on the lines below, as `sem/label-layout` expects.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Reference parser":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#reference-parser>

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
            "header line ends with CRLF, so the SEM reference parser skips the entry".to_owned(),
            "save the file with LF line endings",
        ),
        // Its pattern ends at a CR too.
        Reason::LabelAlone if label != line => (
            line,
            format!("line of `{word}` ends with CRLF, so the SEM reference parser misses this field"),
            "save the file with LF line endings",
        ),
        Reason::LabelAlone => (
            label,
            format!("no space follows `{word}`, so the SEM reference parser misses this field"),
            "put two spaces after the label",
        ),
        Reason::BoldWord => (
            label,
            format!("`{word}` begins a line of text, so the SEM reference parser ends the field here"),
            "move the colon after the asterisks, as in `**Note**:`, or make it a list item",
        ),
        Reason::Rule => (
            line,
            "`---` is in the text, so the SEM reference parser ends the entry here".to_owned(),
            "for a horizontal rule, write `***`",
        ),
    };
    let finding = Finding::at(span, message).label(label_of(divergence.reason)).help(help);
    sink.report(match divergence.reason {
        Reason::Rule => finding.help("if the `---` is in a code block, delete it"),
        _ => finding,
    });
}

/// What the parser does behind the span, where the message does not say it.
fn label_of(reason: Reason) -> &'static str {
    match reason {
        Reason::CarriageReturn | Reason::LabelAlone => "",
        Reason::BoldWord => "the parser drops the rest of the field",
        Reason::Rule => "the parser drops the rest of the entry",
    }
}
