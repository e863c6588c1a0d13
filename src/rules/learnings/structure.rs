//! # learnings/structure
//!
//! ## What it flags
//!
//! A `learnings.md` whose title or sections are missing, misspelt, repeated or out of order. The title is
//! `# Learnings: <name>`. The sections are `Codebase Patterns`, `Gotchas`, `Preferences` and `Cross-Agent Notes`. A
//! file with tiers has `Core` and `Task-Relevant` instead, and their headings may have more text after a dash. Other
//! sections and subsections are allowed. Missing sections are info if none is misspelt, and are not reported if the
//! file is at its line limit. With `--staged` and `--from`, sections that were missing before the change do not count.
//!
//! ## Why it matters
//!
//! New learnings are added to sections by name. A misspelt name leads to a second section for the same kind of entry.
//!
//! ## Example
//!
//! A section `## Gotcha`, expected `## Gotchas`.
//!
//! ## How to fix
//!
//! `squad-lint --fix` corrects clear misspellings (`Gotcha`, but not `References`) and sorts the sections, each with its
//! contents. Add missing sections yourself.
//!
//! ## Source
//!
//! Learning teams, "Sections":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#sections>

use super::shared::{enumerated, member};
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::learnings::Learnings;
use crate::formats::learnings::layout::{Layout, heading, in_order};
use crate::rule::{Check, Context, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "learnings/structure",
    severity: Severity::Warning,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(learnings) = document.loaded_learnings() else { return };
    let text = document.text();
    let layout = Layout::of(text, learnings);
    missing(context, learnings, &layout, sink);
    titles(document, learnings, sink);
    let section = |place: usize| learnings.sections.get(place);
    for (section, kind) in layout.misspelt.iter().filter_map(|(place, kind)| Some((section(*place)?, *kind))) {
        let (wanted, says_all) = heading(section.name.of(text), kind);
        let line = section.heading.trim(text);
        let finding = Finding::at(line, format!("unknown section `{}`, expected `{wanted}`", line.of(text)))
            .label("unknown section")
            .help(format!("write `{wanted}`"));
        // The text below a heading of another level would move to another section.
        let keeps_all = says_all && (section.level <= 2 || section.span == section.heading.to(section.body));
        sink.report(match keeps_all {
            true => finding.fix(Applicability::Safe, [Edit::replace(line, wanted)]),
            false => finding,
        });
    }
    for (again, first) in layout.repeated.iter().filter_map(|(again, first)| Some((section(*again)?, section(*first)?)))
    {
        let message = match (first.name.of(text), again.name.of(text)) {
            (name, title) if name == title => format!("duplicate section `{name}`"),
            (name, title) => format!("section `{title}` duplicates `{name}`"),
        };
        let finding = Finding::at(again.heading.trim(text), message).related(first.heading.trim(text), "first one");
        sink.report(finding.help("merge both sections into the first one"));
    }
    if let Some((late, early)) = layout.out_of_order.and_then(|(late, early)| Some((section(late)?, section(early)?))) {
        let (name, next) = (late.name.of(text), early.name.of(text));
        let message = format!("section `{name}` is out of order, expected before `{next}`");
        let finding = Finding::at(late.heading.trim(text), message).help(format!("move it before `{next}`"));
        let fixed = document.entries.outline.unclosed_fence.is_none().then(|| in_order(text, learnings)).flatten();
        sink.report(match fixed.filter(|_| layout.misspelt.is_empty() && layout.repeated.is_empty()) {
            Some((span, content)) => finding.fix(Applicability::Safe, [Edit::replace(span, content)]),
            None => finding,
        });
    }
}

/// So many lines a section without entries has: its heading, a placeholder, and a blank line.
const EMPTY_SECTION: usize = 3;

/// Whether the file was like this before the checked change.
fn was_before(document: &Document, so: impl Fn(&str, &Learnings) -> bool) -> bool {
    let before = document.before.as_ref().and_then(|before| before.source.as_ref()).map(|source| source.text());
    before.is_some_and(|text| !text.is_empty() && so(text, &Learnings::parse(text)))
}

fn missing(context: &Context<'_>, learnings: &Learnings, layout: &Layout, sink: &mut Sink<'_>) {
    let document = context.document;
    let was = |text: &str, learnings: &Learnings| Layout::of(text, learnings).missing == layout.missing;
    if layout.missing.is_empty() || was_before(document, was) {
        return;
    }
    let names: Vec<String> = layout.missing.iter().map(|kind| format!("`## {}`", kind.name())).collect();
    let (noun, help) = match names.len() {
        1 => ("section", "add the section, with the line `- (none yet)`"),
        _ => ("sections", "add the sections, each with the line `- (none yet)` if it has no entry"),
    };
    let message = match learnings.sections.is_empty() {
        true => format!("file has no sections, expected {}", enumerated(&names)),
        false => format!("missing {noun} {}", enumerated(&names)),
    };
    let finding = Finding::whole_file(message).help(help);
    let lines = document.source.line_count() + names.len() * EMPTY_SECTION;
    let finding = match layout.meant(document.text(), learnings) {
        Some((own, kind)) => finding.help(format!("if `{own}` means `{}`, rename it", kind.name())),
        None if learnings.sections.is_empty() => finding,
        // Nothing goes to the wrong place, and no file is over its limit for the sake of an empty section.
        None if lines as u64 > context.options.learnings.max_lines.get() => return,
        None => finding.at_most(Severity::Info),
    };
    sink.report(finding);
}

fn titles(document: &Document, learnings: &Learnings, sink: &mut Sink<'_>) {
    let text = document.text();
    let wanted = format!("# Learnings: {}", member(document.source.path()));
    let Some(title) = learnings.title else {
        if !was_before(document, |_, learnings| learnings.title.is_none()) {
            let finding = Finding::whole_file(format!("missing title, expected `{wanted}`"));
            sink.report(finding.help("add the title as the first line"));
        }
        return;
    };
    let line = title.line.trim(text);
    let titled = |name: crate::text::Span| format!("# Learnings: {}", name.of(text));
    if title.name.is_none_or(|name| line.of(text) != titled(name)) {
        let named = title.name.filter(|_| !title.text.of(text).to_lowercase().starts_with("archive"));
        let wanted = named.map_or(wanted, titled);
        let finding = Finding::at(line, format!("title is `{}`, expected `{wanted}`", line.of(text)))
            .label(format!("expected `{wanted}`"));
        sink.report(match named {
            Some(_) => finding.fix(Applicability::Safe, [Edit::replace(line, wanted)]),
            None => finding,
        });
    }
    for second in &learnings.more_titles {
        let again = second.line.trim(text);
        let finding = Finding::at(again, format!("file has a second title `{}`, expected one", again.of(text)));
        let finding = finding.related(line, "first one").help("keep one of the two");
        sink.report(finding.help("make the other one a section, or move its text to another file"));
    }
}
