//! # memory/dangling-archive
//!
//! ## What it flags
//!
//! A link to an archive, or "archived to" or "archived in" with its path, if the archive is missing or not in git. An
//! archive is a Markdown file with `archiv` in its name or in the name of its folder. The path may be relative to the
//! folder of the file that names it, or to any folder above. The rule reports an archive that is not in git only if the
//! file that names it is in git. In a log, and for a path in `docs/`, the finding is info.
//!
//! The rule ignores placeholders and globs (`decisions-archive-YYYY-MM.md`, `agents/*/history-archive.md`), code,
//! quotations, instructions, descriptions of habits, and templates, charters and skills.
//!
//! ## Why it matters
//!
//! The entries were removed from the file that agents read, and the file that should hold them is missing. Often the
//! archive was never committed; then it is lost together with the disk.
//!
//! ## Example
//!
//! ```markdown
//! Decisions of January: archived to `decisions-archive-2026-01.md`.
//! ```
//!
//! ## How to fix
//!
//! If the archive is not in git yet, run `git add`. Restore a missing archive, or write its new path;
//! `git log --all -- PATH` shows whether it was ever committed. Delete a reference to an archive that never existed.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>
//!
//! Squad pull request 1838:
//! <https://github.com/bradygaster/squad/pull/1838>

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::dialects::squad;
use crate::facts::presence::Presence;
use crate::facts::{Run, ignores, presence};
use crate::formats::archive::{Reference, references};
use crate::fs::path::inner_path;
use crate::rule::{Check, Context, Document, Rule, Sink};
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/dangling-archive", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let text = document.text();
    if memchr::memmem::find(text.as_bytes(), b"rchiv").is_none() || is_template(document) {
        return;
    }
    let references = references(text);
    // The archives of a state branch can be on the other branches.
    if !references.is_empty() && context.run().is_state_branch() {
        return;
    }
    for reference in references {
        if !reference.is_link && instructs(document) {
            continue;
        }
        let Some((path, presence)) = resolve(&reference, document, context.run()) else { continue };
        let name = reference.span.of(text);
        let finding = match presence {
            Presence::There => continue,
            Presence::Missing => {
                let written = reference.path.trim_start_matches(['.', '/']);
                let is_own = !written.contains('/') && path.contains_str("/agents/");
                let anywhere = if is_own { path } else { format!("*{written}").into() };
                Finding::at(reference.span, format!("archive `{name}` does not exist"))
                    .label("no such file")
                    .help("correct the path, restore the file, or delete the reference")
                    .help(format!("run `git log --all -- {}` to see whether git ever had it", word(anywhere.as_bstr())))
            }
            Presence::Untracked => {
                let help = match ignores::decide(context.run(), path.as_bstr(), false)
                    .is_some_and(|decision| decision.ignored)
                {
                    true => format!("stop ignoring `{path}`, and run `git add` on it"),
                    false => format!("run `git add {}`", word(path.as_bstr())),
                };
                Finding::at(reference.span, format!("git tracks this file, but not the archive `{name}`"))
                    .label("exists only locally")
                    .help(help)
            }
        };
        // What is no memory, and what a log says of its time.
        let is_past =
            super::is_log(inner_path(document.path(), document.root())) || reference.path.starts_with("docs/");
        sink.report(if is_past { finding.at_most(Severity::Info) } else { finding });
    }
}

/// Where the file is that `reference` names, and what is known of it; where it would be if it were beside the file that names
/// it. `None` if it would lie outside of the repository.
fn resolve(reference: &Reference, document: &Document, run: &Run<'_>) -> Option<(BString, Presence)> {
    let own = document.source.path();
    let written = reference.path.as_str();
    let folders = memchr::memrchr_iter(b'/', own).filter_map(|end| own.get(..end)).chain([b"".as_slice()]);
    let mut beside: Option<(BString, Presence)> = None;
    for folder in folders {
        let Some(path) = joined(folder, written) else { continue };
        let presence = presence::of(run, path.as_bstr(), own);
        if presence == Presence::There {
            return Some((path, presence));
        }
        if beside.as_ref().is_none_or(|(_, found)| *found < presence) {
            beside = Some((path, presence));
        }
    }
    // Elsewhere than in an agent's own folder the words can be about any agent's archive.
    let inner = inner_path(own, document.root());
    let is_any = !reference.is_link && !written.contains('/') && !inner.starts_with(b"agents/");
    let is_there = is_any && run.file_names().has(document.root(), written.into());
    beside.filter(|(_, presence)| *presence == Presence::Untracked || !is_there)
}

/// `written` as seen from `folder`; `None` if it leads out of the repository.
fn joined(folder: &[u8], written: &str) -> Option<BString> {
    let from = if written.starts_with('/') { b"" } else { folder };
    let mut parts: Vec<&[u8]> = from.split_str("/").filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part.as_bytes()),
        }
    }
    Some(parts.join(b"/".as_slice()).into())
}

/// Whether the file is one from which others are made: what it names is in their places.
fn is_template(document: &Document) -> bool {
    let inner = inner_path(document.source.path(), document.root());
    inner.split_str("/").any(|part| part.starts_with(b"template") || part.starts_with(b"_template"))
}

/// Whether the file tells what to do, and not what was done.
fn instructs(document: &Document) -> bool {
    let path = document.source.path();
    let name: &BStr = path.rsplit_str("/").next().unwrap_or_default().as_bstr();
    document.kind() == &squad::SKILL
        || matches!(name.as_bytes(), b"charter.md" | b"ceremonies.md" | b"routing.md")
        || name.ends_with(b".agent.md")
}
