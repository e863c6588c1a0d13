//! # memory/split-ledger
//!
//! ## What it flags
//!
//! A second decisions file: `decisions/decisions.md` has text, although the team has a `decisions.md`. The rule ignores it if `decisions.md` is
//! shorter and names it, as an index does.
//!
//! ## Why it matters
//!
//! Squad's prompts and tools read only `decisions.md`. An agent reads the second file only if the team's own files tell
//! it to.
//!
//! ## Example
//!
//! ```text
//! .squad/decisions.md
//! .squad/decisions/decisions.md
//! ```
//!
//! ## How to fix
//!
//! Move the entries to `decisions.md`. The unsafe fix moves all text below the title, in the same order, to the end of
//! `decisions.md`, under a heading `## Merged Decisions`. There is no fix if that takes `decisions.md` over the limit
//! of `memory/file-too-large`, if the team has an archive, if another file of the squad, not a log, names the second, if the
//! run reads only a part of the squad, or if the title of the file calls it an archive: then move only the entries that
//! still apply, and the others to the archive. If no entry applies any more, rename the file to `decisions-archive.md`.
//! Delete a file that has no entries.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>

use bstr::ByteSlice;

use super::shared::empty::has_nothing;
use super::shared::naming::naming;
use crate::diagnostic::{Applicability, Edit, Finding, Passage, Severity, Step};
use crate::facts::{files, unused};
use crate::formats::entries::Block;
use crate::fs::path::{inner_path, join};
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::text::prose::{enumerated, plural};
use crate::text::{Span, lines};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/split-ledger",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

/// The heading above what is merged. It ends the entry before it.
const HEADING: &str = "## Merged Decisions";

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    if inner_path(document.path(), document.root()) != "decisions/decisions.md" {
        return;
    }
    let moved = below_title(document);
    let path = join(document.root(), "decisions.md");
    let run = context.run();
    if moved.is_empty()
        || run.is_outside(document)
        || !files::has(run, path.as_bstr())
        || unused::is_unused(run, document.root())
    {
        return;
    }
    let count = document.source.line_count();
    let target = run.read_or_new(path.as_bstr());
    let is_index = target.text().len() < document.text().len() && target.text().contains("decisions/decisions.md");
    if is_index {
        return;
    }
    if has_nothing(document, moved) {
        let message = format!("Squad reads only `{path}`, and this file has no entries");
        return sink.report(Finding::whole_file(message).help("delete the file"));
    }
    let both = target.bytes().len().saturating_add(moved.len());
    let memory = &context.options.memory;
    let count = plural(count, "line");
    let finding = Finding::whole_file(format!("Squad reads only `{path}`, not this file ({count})"));
    let archive = join(document.root(), "decisions-archive.md");
    let has_archive = files::has(run, archive.as_bstr());
    // Agents would look for the entries where their files say that they are.
    let (named, is_whole) = naming(run, document, path.as_bstr());
    let update = |finding: Finding| {
        let more = named.len().saturating_sub(NAMED);
        let mut shown: Vec<String> = named.iter().take(NAMED).cloned().collect();
        shown.extend((more > 0).then(|| plural(more, "other file")));
        finding.help(format!("then replace the path of this file in {}", enumerated(&shown)))
    };
    if both as u64 > memory.max_decisions_bytes.get() || has_archive || is_called_archive(document) {
        // Somebody has to choose what still applies.
        let finding =
            finding.help(format!("move current entries to `{path}` unless it has them, and the others to `{archive}`"));
        let may_be_renamed = is_called_archive(document) && !has_archive;
        return sink.report(match may_be_renamed {
            _ if !named.is_empty() => update(finding),
            true => finding.help(format!("if no entry is current, rename the file to `{archive}`")),
            false => finding,
        });
    }
    let finding = finding.help(format!("move current entries to `{path}`"));
    if !named.is_empty() {
        return sink.report(update(finding));
    }
    if !is_whole {
        return sink.report(finding);
    }
    let end = target.line_ending();
    let above = match target.text() {
        text if text.ends_with("\n\n") || text.ends_with("\n\r\n") => String::new(),
        text if text.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    let mut content = Passage::new(format!("{above}{HEADING}{end}{end}"), end);
    content.push_lines(moved);
    sink.report(
        finding.fix(Applicability::Unsafe, [Step::Edit(Edit::delete(moved)), Step::Append { path, text: content }]),
    );
}

/// So many files that name this one are named.
const NAMED: usize = 3;

/// Whether the title of the file calls it an archive: `# Archived Decisions`.
fn is_called_archive(document: &Document) -> bool {
    let first = document.text().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.starts_with("# ") && first.split_whitespace().count() <= 4 && first.to_lowercase().contains("archive")
}

/// All lines below the title, or all lines if the first one is the heading of an entry.
fn below_title(document: &Document) -> Span {
    let text = document.text();
    let whole = Span::new(document.source.bom_len(), text.len());
    let is_entry = !matches!(document.entries.blocks().next(), Some(Block::Prose(_)));
    let first = lines(text, whole).find(|line| !line.of(text).trim().is_empty());
    let Some(first) = first.filter(|first| !is_entry && first.of(text).starts_with("# ")) else {
        return if whole.of(text).trim().is_empty() { Span::at(text.len()) } else { whole };
    };
    let below = Span::new(first.end(), text.len());
    let start = lines(text, below).find(|line| line.start() > first.end() && !line.of(text).trim().is_empty());
    start.map_or(Span::at(text.len()), |start| Span::new(start.start(), text.len()))
}
