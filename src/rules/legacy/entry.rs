//! # legacy/entry
//!
//! ## What it flags
//!
//! A legacy entry while the configuration says `phase = "sem-only"`. The rule is silent in the default phase, `dual`.
//!
//! ## Why it matters
//!
//! Once a team has migrated, its tools read only SEM and miss entries in the old form.
//!
//! ## Example
//!
//! ```markdown
//! ### 2026-02-10: User directive — model selection
//! **By:** Brady (via Copilot)
//! **What:** Agents pick their own models
//! ```
//!
//! ## How to fix
//!
//! `squad-lint convert --dry-run` shows how each entry would be converted, and `squad-lint convert` converts them after
//! a backup. The unsafe fix does the same, but reads only the file itself. It skips entries without a date, an author
//! or evidence for a type. Until the migration is finished, set `phase = "dual"`.
//!
//! ## Source
//!
//! Legacy entries, "Conversion":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/legacy-entries.md#conversion>
//!
//! Squad Entry Markdown, "SEM and older entries in one file":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#sem-and-older-entries-in-one-file>

use crate::convert::Reason;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::options::Phase;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "legacy/entry",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    if options.phase != Phase::SemOnly {
        return;
    }
    for item in context.run().conversions().at(document.source.path()) {
        let message = "legacy entry, but `phase = \"sem-only\"` allows only Squad Entry Markdown (SEM)";
        let finding = Finding::at(item.heading.trim(document.text()), message)
            .label("expected `### YYYY-MM-DDTHH:MM:SS±HHMM: type: summary`");
        sink.report(if let Some(converted) = &item.converted {
            finding
                .help("run `squad-lint convert` to rewrite the entry")
                .fix(Applicability::Unsafe, [Edit::replace(item.span, converted.text.as_str())])
        } else {
            let obstacle = item.reasons.iter().find_map(Reason::obstacle).unwrap_or("too little evidence");
            finding.help("rewrite the entry by hand").note(format!("`squad-lint convert` skips this entry: {obstacle}"))
        });
    }
}
