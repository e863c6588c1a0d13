//! # legacy/field-alias
//!
//! ## What it flags
//!
//! A field of a legacy entry that means `By`, `What` or `Why` under another name, such as `Author`, `Decided by`,
//! `Decision` or `Rationale`. The rule reports it only if the entry has no field of the usual name.
//!
//! ## Why it matters
//!
//! Converters and scripts look for `By`, `What` and `Why`. squad-lint understands the other names, too, so this rule
//! is off by default.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: Use Postgres
//! **Decided by:** Keaton
//! **Rationale:** It is there already.
//! ```
//!
//! ## How to fix
//!
//! Rename the field. The safe fix changes only the label.
//!
//! ## Source
//!
//! Legacy entries, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#fields>

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::legacy::{Field, Meaning};
use crate::formats::sem::FieldName;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/field-alias",
    severity: Severity::Info,
    enabled: false,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

const USUAL: [(Meaning, &str); 3] = [(Meaning::Author, "By"), (Meaning::What, "What"), (Meaning::Why, "Why")];

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let text = document.text();
    for entry in document.entries.legacy() {
        let fields = document.entries.legacy_fields(entry);
        for (meaning, usual) in USUAL {
            let mut same = fields.iter().filter(|field| field.meaning == meaning);
            // A second author beside `By` says something of its own.
            if same.clone().any(|field| field.name.of(text).eq_ignore_ascii_case(usual)) {
                continue;
            }
            let Some(field) = same.find(|field| is_label(text, field) && is_alias(field.name.of(text))) else {
                continue;
            };
            let name = field.name.of(text);
            sink.report(
                Finding::at(field.name, format!("legacy field `{name}`, expected `{usual}`"))
                    .help(format!("rename the field to `{usual}`"))
                    .fix(Applicability::Safe, [Edit::replace(field.name, usual)]),
            );
        }
    }
}

/// Whether a field is alone as `**Name:**`. What is bulleted is often a list of the body.
fn is_label(text: &str, field: &Field) -> bool {
    !field.bulleted && text.get(..field.name.start()).is_some_and(|before| before.ends_with("**"))
}

/// Whether a label says the same as the usual one. A proposer is an author of another kind, and a
/// directive more than a decision, details are more than what was decided; SEM's own names are on their way to SEM already.
fn is_alias(name: &str) -> bool {
    const NARROWER: [&str; 11] = [
        "from",
        "lead author",
        "proposed by",
        "propuesto por",
        "recommended by",
        "recorded by",
        "captured by",
        "logged by",
        "documented by",
        "details",
        "directive",
    ];
    FieldName::from_word(name).is_none() && !NARROWER.iter().any(|other| name.eq_ignore_ascii_case(other))
}
