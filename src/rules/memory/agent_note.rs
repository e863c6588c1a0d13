//! # memory/agent-note
//!
//! ## What it flags
//!
//! Notes of agents in git, under `refs/notes/squad/`, that are not the JSON that Squad reads. The rule also reports the
//! ref of an agent's notes, such as `refs/notes/squad/keaton`, if the `stateBackend` of the team is `two-layer`: that backend
//! writes to `refs/notes/squad`, which git refuses as long as a ref below it exists. The rule reads the notes when squad-lint
//! checks the whole repository.
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
    if let Some(first) = of_agents.first().filter(|_| run.state_roots().iter().any(is_two_layer)) {
        sink.report(clash(first.as_bstr(), of_agents.len() - 1));
    }
    for reference in of_agents {
        check_notes(run, reference.as_bstr(), sink);
    }
}

/// The finding about the ref `first` of an agent, and so many `others`, that keep the backend from its own ref. The commands of its help
/// lose no note: git refuses to overwrite the new ref, and to delete one that is not the same.
fn clash(first: &BStr, others: usize) -> Finding {
    let message =
        format!("git refuses to write `{REFERENCE}`, the ref of the backend `two-layer`, while `{first}` exists");
    let agent = first.strip_prefix(b"refs/notes/squad/").unwrap_or(first).replace("/", "-");
    let new = [b"refs/notes/squad-", agent.as_slice()].concat();
    let finding = Finding::whole_file(message).in_file(first);
    let (first, new) = (word(first), word(new.as_bstr()));
    let finding = finding.help(format!("to keep its notes under another name, run `git update-ref {new} {first} ''`"));
    let finding = finding.help(format!("then run `git update-ref -d {first} {new}`"));
    let finding =
        finding.help("or use the backend `orphan`, which needs no notes: write `\"stateBackend\": \"orphan\"`");
    if others == 0 {
        finding
    } else {
        finding.note(format!("{} of agents in the same place", plural(others, "more ref")))
    }
}

fn check_notes(run: &Run<'_>, reference: &BStr, sink: &mut Sink<'_>) {
    let notes = run.git(|git| notes::of(git, reference, run.max_bytes())).unwrap_or_default();
    let mut wrong = notes.iter().filter_map(|note| Some((note, problem(note)?)));
    let Some((note, problem)) = wrong.next() else { return };
    let short = note.about.get(..12).unwrap_or(&note.about).as_bstr();
    let name = reference.strip_prefix(b"refs/notes/").unwrap_or(reference).as_bstr();
    let finding = Finding::whole_file(format!("git note on `{short}` {problem}")).in_file(reference).help(format!(
        "correct it with `git notes --ref={} edit {}`",
        word(name),
        word(short)
    ));
    let more = wrong.count();
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
    let Some(text) = &note.text else { return Some("is too large to be read".to_owned()) };
    match text.to_str() {
        Ok(text) => agent_note::problem(text).map(|problem| format!("is invalid: {problem}")),
        Err(_) => Some("is not UTF-8".to_owned()),
    }
}
