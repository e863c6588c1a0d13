//! # memory/agent-note
//!
//! ## What it flags
//!
//! Notes of agents in git, under `refs/notes/squad/`, that are not the JSON that Squad reads. The rule also reports the
//! ref of an agent's notes, such as `refs/notes/squad/keaton`, if the `stateBackend` of the team is `two-layer`: that backend
//! writes to `refs/notes/squad`, which git refuses as long as a ref below it exists. Packed refs can hold both, and git
//! writes neither then. A ref that has no notes, such as one of a file or of a damaged commit, is reported, too. The rule reads the
//! notes when squad-lint checks the whole repository.
//!
//! ## Why it matters
//!
//! Squad never copies a note that is not JSON to the state of the team. Where git refuses to write the ref of the backend, Squad
//! only warns, and keeps no copy of the state in notes.
//!
//! ## Example
//!
//! `git notes --ref=squad/keaton add -m "looks good"`
//!
//! ## How to fix
//!
//! Write the note again, with the fields `agent`, `timestamp`, `type` and `content`:
//!
//! ```json
//! { "agent": "Keaton", "timestamp": "2026-11-02T09:00:00Z", "type": "review", "content": "Looks good." }
//! ```
//!
//! ## Source
//!
//! Squad folders, "Notes of agents":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#notes-of-agents>

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::facts::state_roots::StateRoot;
use crate::formats::agent_note;
use crate::formats::team_config::Backend;
use crate::git::repository::{BlobError, Git};
use crate::rule::{Check, Rule, Sink};
use crate::rules::shell::word;
use crate::select::notes::{self, Note};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/agent-note", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

/// The reference of the backend; those of agents are below it.
const REFERENCE: &str = "refs/notes/squad";

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let is_whole = run.input.selection.folders.iter().any(|folder| folder.is_empty());
    let Some(git) =
        run.input.repository.git.as_ref().filter(|_| is_whole && run.changes().is_none() && run.has_files())
    else {
        return;
    };
    let references = git.references_below(REFERENCE);
    if references.is_empty() {
        return;
    }
    let of_agents: Vec<&BString> = references.iter().filter(|one| one.starts_with(b"refs/notes/squad/")).collect();
    let is_two_layer = |state: &StateRoot| state.config.backend == Backend::BranchAndNotes;
    // Packed refs can have both, which git does not write any more.
    let has_both = references.iter().any(|one| one == REFERENCE);
    let is_clash = has_both || run.state_roots().iter().any(is_two_layer);
    if let Some(first) = of_agents.first().filter(|_| is_clash) {
        sink.report(clash(first.as_bstr(), of_agents.len() - 1, has_both));
    }
    for reference in of_agents {
        check_notes(git, run, reference.as_bstr(), has_both, sink);
    }
}

/// The finding about the ref `first` of an agent, and so many `others`, that keep the backend from its own ref. The commands of its help
/// lose no note: git refuses to overwrite the new ref, and to delete one that is not the same.
fn clash(first: &BStr, others: usize, has_both: bool) -> Finding {
    let message = match has_both {
        true => format!("git refuses to write `{REFERENCE}` and `{first}`, because one is below the other"),
        false => {
            format!("git refuses to write `{REFERENCE}`, the ref of the backend `two-layer`, while `{first}` exists")
        }
    };
    let agent = first.strip_prefix(b"refs/notes/squad/").unwrap_or(first).replace("/", "-");
    let new = [b"refs/notes/squad-", agent.as_slice()].concat();
    let finding = Finding::whole_file(message).in_file(first);
    let (first, new) = (word(first), word(new.as_bstr()));
    let finding = finding.help(format!("to keep its notes under another name, run `git update-ref {new} {first} ''`"));
    let finding = finding.help(format!("then run `git update-ref -d {first} {new}`"));
    let orphan = "or use the backend `orphan`, which needs no notes: write `\"stateBackend\": \"orphan\"`";
    let finding = if has_both { finding } else { finding.help(orphan) };
    if others == 0 {
        finding
    } else {
        let are = if others == 1 { "is" } else { "are" };
        finding.note(format!("{} {are} in the same place", plural(others, "more ref")))
    }
}

/// Reports the notes under a ref of an agent. That one which `is_clashing` cannot be read may come of that.
fn check_notes(git: &Git, run: &Run<'_>, reference: &BStr, is_clashing: bool, sink: &mut Sink<'_>) {
    let (mut first, mut more) = (None, 0);
    let read = notes::each(git, reference, run.max_bytes(), |note| match problem(&note) {
        Some(problem) if first.is_none() => first = Some((note.about, problem)),
        found => more += usize::from(found.is_some()),
    });
    if let Err(error) = read {
        if is_clashing {
            return;
        }
        let delete = format!("git update-ref --no-deref -d {}", word(reference));
        let finding = Finding::whole_file(format!("git has no notes under this ref: {error}")).in_file(reference);
        let finding = finding.help("`git fsck` shows what is missing or damaged; another clone may have it");
        sink.report(finding.help(format!("if it was not made by `git notes`, delete it with `{delete}`")));
        return;
    }
    let Some((about, problem)) = first else { return };
    let short = about.get(..12).unwrap_or(&about).as_bstr();
    let name = reference.strip_prefix(b"refs/notes/").unwrap_or(reference).as_bstr();
    let finding = Finding::whole_file(format!("git note on `{short}` {problem}")).in_file(reference).help(format!(
        "correct it with `git notes --ref={} edit {}`",
        word(name),
        word(short)
    ));
    sink.report(if more == 0 {
        finding
    } else {
        finding.note(format!(
            "{} under this ref {} invalid",
            plural(more, "more note"),
            if more == 1 { "is" } else { "are" }
        ))
    });
}

/// What is wrong with the note, as the end of a sentence about it.
fn problem(note: &Note) -> Option<String> {
    let text = match &note.text {
        Ok(text) => text,
        Err(BlobError::TooBig { .. }) => return Some("is too large to be read".to_owned()),
        Err(BlobError::Git(_)) => return Some("cannot be read: its object is missing or damaged".to_owned()),
    };
    match text.to_str() {
        Ok(text) => agent_note::problem(text).map(|problem| format!("is invalid: {problem}")),
        Err(_) => Some("is not UTF-8".to_owned()),
    }
}
