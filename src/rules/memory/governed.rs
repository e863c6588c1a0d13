//! # memory/governed
//!
//! ## What it flags
//!
//! Files in `.squad/memory/` that do not match their format or contradict each other. Squad's tools keep governed memory there:
//! entries that have a class, and `index.json`, which lists them. The rule checks `index.json`, `config.json`, the front matter of
//! entries, audits (the log of what the tools did) and tombstones (the records of deleted entries). It is an error if programs cannot
//! read a file, if a path points outside the state root, or if a change removes or rewrites a line of an audit, puts one
//! ahead of others, deletes or renames the audit, or an index with entries. Everything else is a warning, also a change that removes
//! entries from the index. After a hundred problems in one file, one finding counts the others.
//!
//! ## Why it matters
//!
//! The tools of Squad stop at an `index.json` that they cannot read. They never load an entry whose file does not
//! exist. An audit that someone rewrote proves nothing.
//!
//! ## Example
//!
//! ```json
//! [{ "id": "2f0c", "class": "LOCAL", "status": "actve", "path": ".squad/../notes.md" }]
//! ```
//!
//! ## How to fix
//!
//! Correct the place that the finding names. Let the tools of Squad write these files, and add lines only to the end of
//! an audit. Leave a line of it that is committed as it is, even if it is wrong, and put its finding into a baseline.
//!
//! ## Source
//!
//! Governed memory, "Index":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/governed-memory.md#index>
//!
//! Squad issue 1247:
//! <https://github.com/bradygaster/squad/issues/1247>

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::dialects::{governed, squad};
use crate::facts::Run;
use crate::formats::audit::Audit;
use crate::formats::governed::{self as format, Records};
use crate::formats::json_shape::{Further, Problem};
use crate::rule::{Check, Document, Rule, Sink};
use crate::rules::memory::shared::audit;
use crate::rules::memory::shared::index;
use crate::rules::memory::shared::listed::Listed;
use crate::rules::memory::shared::removed;
use crate::rules::most::Most;

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/governed",
    severity: Severity::Error,
    looks_beside: true,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let (rewritten, removed) = (audit::rewritten(run), removed::found(run));
    let mut listed: BTreeMap<&BStr, Option<Listed>> = BTreeMap::new();
    for document in run.documents_and_beside() {
        let instead = rewritten.iter().find(|audit| audit.path == document.path()).and_then(|audit| audit.instead);
        check_document(document, instead, run, &mut |finding| sink.report(finding.in_file(document.path())));
        if [&governed::ENTRY, &governed::TOMBSTONE].contains(&document.kind()) {
            let root = document.root();
            let of_root = || removed.iter().filter(|one| one.root == root).flat_map(|one| &one.names);
            let index = listed.entry(root).or_insert_with(|| Listed::of(run, root).map(|index| index.with(of_root())));
            index
                .as_ref()
                .and_then(|index| index.missing(document).or_else(|| index.unknown(document)))
                .into_iter()
                .for_each(|finding| sink.report(finding));
        }
    }
    let rewritten = rewritten.into_iter().map(|audit| audit.finding);
    for finding in audit::gone(run).into_iter().chain(rewritten).chain(removed.into_iter().map(|one| one.finding)) {
        sink.report(finding);
    }
}

/// Reports what is wrong in `document`; not in its line `known`, which is reported otherwise.
fn check_document(document: &Document, known: Option<usize>, run: &Run<'_>, report: &mut dyn FnMut(Finding)) {
    let (kind, text) = (document.kind(), document.text());
    let finding_of = |problem: &Problem| {
        let finding = Finding::at(problem.span, problem.message.clone()).label(problem.label.clone());
        let finding = finding.help(problem.help.clone());
        if problem.is_grave { finding } else { finding.at_most(Severity::Warning) }
    };
    if let Some(records) = document.body::<Records>() {
        let mut most = Most::new(report);
        records.problems.iter().for_each(|problem| most.report(finding_of(problem)));
        if let Some(Further { span, count, is_grave }) = records.further {
            most.further(span, count, !is_grave);
        }
        most.finish();
        if kind == &governed::INDEX {
            let mut most = Most::new(report);
            index::compare(records, document, run, &mut |finding| most.report(finding));
            most.finish();
        } else if kind == &governed::TOMBSTONE {
            compare_name(records, document, report);
        }
    } else if let Some(audit) = document.body::<Audit>() {
        let is_known = |problem: &&Problem| known == Some(document.source.line(problem.span.start()));
        if let Some(conflict) = audit.conflict {
            let finding = Finding::at(conflict.start, "invalid JSON: unresolved merge conflict").label("begins here");
            let finding = finding.related(conflict.end, "ends here");
            report(finding.help("keep the lines of both sides, and delete the marker lines"));
        }
        let problems = audit.problems.iter().filter(|problem| !is_known(problem));
        problems.for_each(|problem| report(finding_of(problem).help(COMMITTED)));
    } else if kind == &governed::ENTRY || kind == &squad::INBOX && format::is_entry(text) {
        let help =
            "begin the file with `---`, the fields `id`, `class`, `loadGuidance`, `title`, `createdAt`, and `---`";
        let none = || Finding::whole_file("entry of governed memory has no front matter").help(help);
        match format::front_matter_problems(text) {
            Some(problems) => problems.iter().for_each(|problem| report(finding_of(problem))),
            None => report(none().at_most(Severity::Warning)),
        }
    }
}

/// A line that was changed is reported, too.
const COMMITTED: &str = "if the line is committed, leave it, and put the finding into a baseline (`--write-baseline`): an audit may only grow";

fn compare_name(records: &Records, document: &Document, report: &mut dyn FnMut(Finding)) {
    let name = document.path().rsplit_str("/").next().and_then(|name| name.strip_suffix(b".json"));
    let ids = records.entries.iter().filter_map(|entry| entry.id.as_ref());
    for id in ids.filter(|id| name != Some(id.value.as_bytes())) {
        let finding = Finding::at(id.span, "`id` is not the name of the file").label("expected that name");
        let finding = finding.help("rename the file, or correct the `id`");
        report(finding.at_most(Severity::Warning));
    }
}
