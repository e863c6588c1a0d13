//! # memory/unpacked-template
//!
//! ## What it flags
//!
//! A template with unfilled slots such as `{Name}` directly in a state root. It is a `team.md` or `routing.md` that was never
//! filled in, or, as info, another template such as `charter.md`. `squad upgrade` writes some of these into the root.
//!
//! ## Why it matters
//!
//! Agents read `team.md` and `routing.md` at every start and find no member and no route in them. The other files
//! belong in `templates/`: an agent that searches for its charter or its history finds the template instead.
//!
//! ## Example
//!
//! `.squad/charter.md`:
//!
//! ```markdown
//! # {Name} — {Role}
//! ```
//!
//! ## How to fix
//!
//! Fill in `team.md` and `routing.md`. Move any other template to `templates/`, or delete it if `templates/` has a
//! copy. If you use `squad upgrade`, which may write it again, turn off the rule for these files.
//!
//! ## Source
//!
//! Squad folders, "Team":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#team>

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::formats::legacy::day;
use crate::formats::markdown::MarkKind;
use crate::formats::markdown::slots::slots;
use crate::fs::path::{inner_path, join};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{ColumnUnit, Span};

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/unpacked-template", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

/// Files of Squad's templates that a state root itself does not have.
const TEMPLATES: [&str; 10] = [
    "charter.md",
    "copilot-instructions.md",
    "history.md",
    "issue-lifecycle.md",
    "orchestration-log.md",
    "plugin-marketplace.md",
    "roster.md",
    "run-output.md",
    "scribe-charter.md",
    "skill.md",
];

/// The slots of the templates of `team.md` and `routing.md`.
const SLOTS: [&str; 9] = [
    "{Name}",
    "{Role}",
    "{user name}",
    "{domain 1}",
    "{domain 2}",
    "{example tasks}",
    "{One-line project description}",
    "{languages, frameworks, tools}",
    "{project description}",
];

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let inner = inner_path(document.path(), document.root());
    let is_own = inner == "team.md" || inner == "routing.md";
    if !is_own && !TEMPLATES.iter().any(|name| inner == *name) {
        return;
    }
    let text = document.text();
    let unfilled = slots(text, &document.entries.outline.marks);
    let distinct: BTreeSet<&str> = unfilled.iter().map(|slot| slot.of(text)).collect();
    let Some(first) = unfilled.first().copied() else { return };
    let is_template = match is_own {
        true => distinct.iter().filter(|slot| SLOTS.contains(slot)).count() >= 3,
        // A filled-in file may mention a slot or two, and has days.
        false => text.matches('{').count() >= 4 && !day::is_named_in(text),
    };
    if !is_template || context.run().is_outside(document) || context.is_unused() {
        return;
    }
    if is_own {
        let slot = first.of(text);
        return sink.report(match second_title(context, first) {
            Some(title) => {
                let line = document.source.position(title.start(), ColumnUnit::Byte).line;
                Finding::at(title.trim(text), "Squad's template was appended to the filled-in file")
                    .label("the template begins here")
                    .help(format!("delete the template, which begins on line {line}"))
            }
            None => Finding::at(first, format!("placeholder `{slot}` of Squad's template is not filled in"))
                .help("replace the placeholders, and delete the rows that the team does not need"),
        });
    }
    let (message, help) = match copy(context, inner) {
        Some((path, true)) => (format!("file is an unused copy of `{path}`"), "delete this file".to_owned()),
        Some((path, false)) => (
            format!("file is an unused template that differs from `{path}`"),
            format!("delete this file; if its text is the one that you want to keep, copy it to `{path}` first"),
        ),
        None => (
            format!("file is an unused template, expected in `{}`", folder(context, document.root())),
            "move it there, or delete it".into(),
        ),
    };
    // Some of these are to be read and have nothing to fill in.
    sink.report(Finding::at(first, message).label("a placeholder of the template").at_most(Severity::Info).help(help));
}

/// The title of the file once more, above its first placeholder: the template was appended to a file without any.
fn second_title(context: &Context<'_>, first: Span) -> Option<Span> {
    let (text, marks) = (context.document.text(), &context.document.entries.outline.marks);
    let titles = marks.iter().filter(|mark| mark.kind == MarkKind::Heading(1)).map(|mark| mark.line);
    let mut above = titles.take_while(|line| line.start() < first.start());
    let own = above.next()?;
    above.last().filter(|title| title.trim(text).of(text) == own.trim(text).of(text))
}

/// The folder of the templates of the state root at `root`: older teams have it beside the root.
fn folder(context: &Context<'_>, root: &BStr) -> BString {
    let beside = BString::from([root.as_bytes(), b"-templates/"].concat());
    let has = |name: &&str| context.run().read([beside.as_bytes(), name.as_bytes()].concat().as_bstr()).is_some();
    if TEMPLATES.iter().any(has) { beside } else { join(root, "templates/") }
}

/// The template of the same name where Squad keeps them, and whether it has the same text.
fn copy(context: &Context<'_>, name: &BStr) -> Option<(BString, bool)> {
    let root = context.document.root();
    if root.is_empty() {
        return None;
    }
    let folders: [&[u8]; 2] = [b"/templates/", b"-templates/"];
    folders.map(|folder| BString::from([root.as_bytes(), folder].concat())).into_iter().find_map(|folder| {
        let path = BString::from([folder.as_bytes(), name].concat());
        let source = context.run().read(path.as_bstr())?;
        let is_same = source.text().trim_end() == context.document.text().trim_end();
        Some((path, is_same))
    })
}
