//! # learnings/structure
//!
//! ## What it flags
//!
//! A `learnings.md` whose title or sections are missing, misspelt, repeated or out of order. The title is
//! `# Learnings: <name>`. The sections are `Codebase Patterns`, `Gotchas`, `Preferences` and `Cross-Agent Notes`. A
//! file with tiers has `Core` and `Task-Relevant` instead, and their headings may say more after a dash. Custom
//! sections are reported once per file, as info; sections below other sections are not checked. With `--staged` and
//! `--from`, sections that were already missing before the change are not reported.
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
use crate::layout::role::Role;
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
    let Some(learnings) = document.learnings().filter(|_| document.role == Role::Learnings) else { return };
    let text = document.text();
    let layout = Layout::of(text, learnings);
    missing(document, learnings, &layout, sink);
    titles(document, learnings, sink);
    let section = |place: usize| learnings.sections.get(place);
    for (section, kind) in layout.misspelt.iter().filter_map(|(place, kind)| Some((section(*place)?, *kind))) {
        let (wanted, says_all) = heading(section.name.of(text), kind);
        let finding =
            Finding::at(section.heading.trim(text), format!("section `{}`", section.heading.trim(text).of(text)))
                .label(format!("expected `{wanted}`"))
                .help("write the name as others look for it");
        // What stands below a heading of another level would come to stand elsewhere.
        let keeps_all = says_all && (section.level <= 2 || section.span == section.heading.to(section.body));
        sink.report(match keeps_all {
            true => finding.fix(Applicability::Safe, [Edit::replace(section.heading.trim(text), wanted)]),
            false => finding,
        });
    }
    for (again, first) in layout.repeated.iter().filter_map(|(again, first)| Some((section(*again)?, section(*first)?)))
    {
        let name = first.name.of(text);
        sink.report(
            Finding::at(again.heading.trim(text), format!("second section `{name}`"))
                .related(first.heading.trim(text), "the first")
                .help("bring what is in both together in the first"),
        );
    }
    if let Some((late, early)) = layout.out_of_order.and_then(|(late, early)| Some((section(late)?, section(early)?))) {
        let finding = Finding::at(late.heading.trim(text), format!("section `{}` out of order", late.name.of(text)))
            .label(format!("expected before `{}`", early.name.of(text)))
            .help("keep the order in which the protocol has them");
        let fixed = document.entries.outline.unclosed_fence.is_none().then(|| in_order(text, learnings)).flatten();
        sink.report(match fixed.filter(|_| layout.misspelt.is_empty() && layout.repeated.is_empty()) {
            Some((span, content)) => finding.fix(Applicability::Safe, [Edit::replace(span, content)]),
            None => finding,
        });
    }
    if let Some(first) = layout.own.first().and_then(|place| section(*place)) {
        let name = first.name.of(text);
        let what = match layout.own.len() - 1 {
            0 => format!("section `{name}` is of the team's own"),
            1 => format!("section `{name}` and another one are of the team's own"),
            others => format!("section `{name}` and {others} others are of the team's own"),
        };
        let taught = "what a task teaches is put into the known sections";
        let finding = Finding::at(first.heading.trim(text), what).at_most(Severity::Info).note(taught);
        sink.report(finding.note("own ones are filled by hand"));
    }
}

/// Whether the file was like this before the change that is looked at.
fn was_before(document: &Document<'_>, so: impl Fn(&str, &Learnings) -> bool) -> bool {
    let before = document.before.and_then(|before| before.source.as_ref()).filter(|source| !source.text().is_empty());
    before.is_some_and(|source| so(source.text(), &Learnings::parse(source.text())))
}

fn missing(document: &Document<'_>, learnings: &Learnings, layout: &Layout, sink: &mut Sink<'_>) {
    let was = |text: &str, learnings: &Learnings| Layout::of(text, learnings).missing == layout.missing;
    if layout.missing.is_empty() || was_before(document, was) {
        return;
    }
    let names: Vec<String> = layout.missing.iter().map(|kind| format!("`## {}`", kind.name())).collect();
    let (noun, them) = if names.len() == 1 { ("section", "it") } else { ("sections", "them") };
    let message = match learnings.sections.is_empty() {
        true => format!("no sections, expected {}", enumerated(&names)),
        false => format!("no {noun} {}", enumerated(&names)),
    };
    let finding = Finding::whole_file(message).help(format!("add {them}"));
    sink.report(match layout.meant(document.text(), learnings) {
        Some((own, kind)) => finding.help(format!("if `{own}` means `{}`, rename it", kind.name())),
        None => finding.note("`- (none yet)` stands for no entry"),
    });
}

fn titles(document: &Document<'_>, learnings: &Learnings, sink: &mut Sink<'_>) {
    let text = document.text();
    let wanted = format!("# Learnings: {}", member(document.source.path()));
    let Some(title) = learnings.title else {
        if !was_before(document, |_, learnings| learnings.title.is_none()) {
            let help = "the title says whose learnings these are";
            sink.report(Finding::whole_file(format!("no title, expected `{wanted}`")).help(help));
        }
        return;
    };
    let line = title.line.trim(text);
    let is_exact = title.name.is_some_and(|name| line.of(text) == format!("# Learnings: {}", name.of(text)));
    if !is_exact {
        let finding = Finding::at(line, format!("title `{}`", line.of(text)));
        sink.report(match title.name.filter(|_| !title.text.of(text).to_lowercase().starts_with("archive")) {
            Some(name) => {
                let wanted = format!("# Learnings: {}", name.of(text));
                finding.label(format!("expected `{wanted}`")).fix(Applicability::Safe, [Edit::replace(line, wanted)])
            }
            None => finding.label(format!("expected `{wanted}`")),
        });
    }
    for second in &learnings.more_titles {
        let finding =
            Finding::at(second.line.trim(text), format!("second title `{}`", second.line.trim(text).of(text)));
        let finding = finding.related(line, "the first").help("keep one");
        sink.report(finding.help("make the other a section, or a file of its own"));
    }
}
