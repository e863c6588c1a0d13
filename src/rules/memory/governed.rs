//! # memory/governed
//!
//! ## What it flags
//!
//! Files of governed memory in `.squad/memory/` that do not fit their format or each other. These are `index.json`,
//! `config.json`, audits, tombstones, and the front matter of entries. What a program cannot read, a path that leads out of the
//! state root, and a change that removes or rewrites a line of an audit are errors, all else are warnings.
//!
//! ## Why it matters
//!
//! The tools of Squad stop at an `index.json` that they cannot read. An entry whose file is gone is never loaded. And an audit
//! that someone rewrote proves nothing.
//!
//! ## Example
//!
//! ```json
//! [{ "id": "2f0c", "class": "LOCAL", "status": "actve", "path": ".squad/../notes.md" }]
//! ```
//!
//! ## How to fix
//!
//! Let the tools of Squad write these files, and correct what the finding names. Add lines to an audit only at its end.
//!
//! ## Source
//!
//! Governed memory, "Index":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/governed-memory.md#index>
//!
//! Squad issue 1247:
//! <https://github.com/bradygaster/squad/issues/1247>

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::diagnostic::{Finding, Severity};
use crate::dialects::{governed, squad};
use crate::facts::presence::{self, Presence};
use crate::facts::{Run, files};
use crate::formats::governed::{self as format, Entry, Records, inner_path};
use crate::formats::json_shape::Problem;
use crate::fs::path::join;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::Span;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/governed", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let (kind, text) = (document.kind(), document.text());
    let mut report = |problem: &Problem| {
        let finding = Finding::at(problem.span, problem.message.clone()).label(problem.label.clone());
        let finding = finding.help(problem.help.clone());
        sink.report(if problem.is_grave { finding } else { finding.at_most(Severity::Warning) });
    };
    if let Some(records) = document.body::<Records>() {
        records.problems.iter().for_each(&mut report);
        if kind == &governed::INDEX {
            compare(records, context, sink);
        } else if kind == &governed::TOMBSTONE {
            compare_name(records, document, sink);
        }
    } else if kind == &governed::AUDIT {
        format::audit_problems(text).iter().for_each(report);
        check_rewritten(context, sink);
    } else if kind == &governed::ENTRY || kind == &squad::INBOX && format::is_entry(text) {
        let help = "begin with `---`, the fields `id`, `class`, `loadGuidance`, `title`, `createdAt`, and `---`";
        let none = || Finding::whole_file("entry of governed memory has no front matter").help(help);
        match format::front_matter_problems(text) {
            Some(problems) => problems.iter().for_each(report),
            None => sink.report(none().at_most(Severity::Warning)),
        }
    }
}

/// Compares the entries of an index with each other, with their files, and with tombstones.
fn compare(records: &Records, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (document, run) = (context.document, context.run());
    let mut ids: BTreeMap<&str, Span> = BTreeMap::new();
    for id in records.entries.iter().filter_map(|entry| entry.id.as_ref()) {
        if let Some(first) = ids.insert(&id.value, id.span) {
            let finding = Finding::at(id.span, "two entries have this `id`").label("second one");
            let finding = finding.related(first, "first one").help("give one of them an `id` of its own");
            sink.report(finding.at_most(Severity::Warning));
        }
    }
    let mut warn = |span: Span, message: &str, label: &str, help: &str| {
        sink.report(Finding::at(span, message).label(label).help(help).at_most(Severity::Warning));
    };
    for entry in &records.entries {
        if let Some(path) = entry.path.as_ref().filter(|path| is_missing(&path.value, entry, document, run)) {
            let help = "restore the file, or delete the entry with Squad's tools";
            warn(path.span, "file of an active entry does not exist", "no such file", help);
        }
        if let Some(by) = entry.superseded_by.as_ref().filter(|by| !ids.contains_key(by.value.as_str())) {
            let help = "write the `id` of the entry that replaces this one, or remove `supersededBy`";
            warn(by.span, "`supersededBy` names no entry of the index", "no such entry", help);
        }
        let (Some(id), Some(status)) = (&entry.id, &entry.status) else { continue };
        let tombstone = join(document.root(), &format!("memory/tombstones/{}.json", id.value));
        let is_buried = files::has(run, tombstone.as_bstr());
        if is_buried && entry.is("active") {
            let help = format!("set `status` to `deleted`, or remove `{tombstone}`");
            warn(status.span, "entry is active, although it has a tombstone", "expected `deleted`", &help);
        } else if !is_buried && entry.is("deleted") {
            let help = format!("restore `{tombstone}`");
            warn(status.span, "entry is deleted, but has no tombstone", "expected a tombstone", &help);
        }
    }
}

/// Whether the file of an active entry is gone. One in the inbox may have been merged, and one of a state branch is elsewhere.
fn is_missing(path: &str, entry: &Entry, document: &Document, run: &Run<'_>) -> bool {
    let inner =
        inner_path(path).filter(|inner| !run.is_state_branch() && inner.starts_with("memory/") && entry.is("active"));
    inner.is_some_and(|inner| {
        let path = join(document.root(), &inner);
        presence::of(run, path.as_bstr(), document.path()) == Presence::Missing
    })
}

fn compare_name(records: &Records, document: &Document, sink: &mut Sink<'_>) {
    let name = document.path().rsplit_str("/").next().and_then(|name| name.strip_suffix(b".json"));
    let ids = records.entries.iter().filter_map(|entry| entry.id.as_ref());
    for id in ids.filter(|id| name != Some(id.value.as_bytes())) {
        let finding = Finding::at(id.span, "`id` is not the name of the file").label("expected that name");
        let finding = finding.help("rename the file, or correct the `id`");
        sink.report(finding.at_most(Severity::Warning));
    }
}

/// Reports a change that removes or rewrites a line. A full audit becomes an archive: `audit.jsonl` is `audit.1.jsonl` then.
fn check_rewritten(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(before) = document.before.as_ref().and_then(|before| before.source.as_ref()) else { return };
    let Some(line) = format::lost_line(before.text(), document.text()) else { return };
    let is_archived = |number: u8| {
        let path = join(document.root(), &format!("memory/audit.{number}.jsonl"));
        context.run().read(path.as_bstr()).is_some_and(|file| format::lost_line(before.text(), file.text()).is_none())
    };
    if !(1..=3).any(is_archived) && !document.path().ends_with(b"audit.3.jsonl") {
        sink.report(
            Finding::whole_file(format!("line {line} of the audit was removed or rewritten, expected only new lines"))
                .help("restore the lines, and add new ones at the end"),
        );
    }
}
