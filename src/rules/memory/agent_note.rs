//! # memory/agent-note
//!
//! ## What it flags
//!
//! Notes of agents in git, under `refs/notes/squad/`, that are not the JSON that Squad reads. The rule also reports two
//! refs that git cannot keep side by side: `refs/notes/squad` of the backend `two-layer`, and that of an agent,
//! such as `refs/notes/squad/keaton`. One of them alone is normal. The rule reads the notes when squad-lint checks the
//! whole repository.
//!
//! ## Why it matters
//!
//! Squad never copies a note that is not JSON to the state of the team. Git refuses to write a ref below
//! another one: if both `refs/notes/squad` and `refs/notes/squad/keaton` exist, notes get lost, and Squad only warns.
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
use crate::formats::agent_note;
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
    // Git cannot keep both as files, but it can have both packed, and another program may write them.
    let own = references.iter().find(|reference| *reference == REFERENCE);
    if let Some((own, first)) = own.zip(of_agents.first()) {
        let message = format!("refs `{REFERENCE}` and `{first}` exist both: git refuses to write one of them");
        let help =
            "move the notes of the agents to `refs/notes/squad`, or delete that ref if the backend does not use it";
        sink.report(Finding::whole_file(message).in_file(own.clone()).help(help));
    }
    for reference in of_agents {
        check_notes(run, reference.as_bstr(), sink);
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
