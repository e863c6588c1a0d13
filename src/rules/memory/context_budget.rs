//! # memory/context-budget
//!
//! ## What it flags
//!
//! Agents that load more than 50,000 tokens when they start (`max-context-tokens` under `[memory]`). An agent of a
//! squad loads its `charter.md`, its `history.md` and the team's `decisions.md`; a member of a learning team loads its
//! `learnings.md`. There is one finding per state root, in the file with the most tokens. It names the agents. The
//! number of tokens is an estimate. The rule ignores files that no agent loads, as does `memory/file-too-large`.
//!
//! With `--staged` and `--from` the rule reports nothing: one change is rarely the cause.
//!
//! ## Why it matters
//!
//! Files that an agent loads when it starts leave less room for its task, and cost money every time.
//!
//! ## Example
//!
//! A `decisions.md` of 180 KB (about 43,000 tokens) and a `history.md` of 40 KB (about 9,500 tokens) have more than
//! 50,000 tokens together.
//!
//! ## How to fix
//!
//! Move entries that no longer matter every day to an archive, beginning with the file that the finding names.
//! `squad-lint --fix --unsafe-fixes --select memory/file-too-large` moves the oldest ones. `squad-lint health` shows
//! the tokens of each agent.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::facts::loaded::{self, Load};
use crate::rule::{Check, Rule, Sink};
use crate::text::prose::enumerated;

/// The rule.
pub static RULE: Rule =
    Rule { name: "memory/context-budget", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

/// So many agents are named.
const NAMED: usize = 3;

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    if !run.has_files() || run.changes().is_some() {
        return;
    }
    let most = run.options.memory.max_context_tokens.get();
    let roots: BTreeSet<&BStr> = run.documents.iter().map(|document| document.root()).collect();
    for root in roots.into_iter().filter(|root| !root.is_empty() || run.input.roots.has_top()) {
        // Small files need not be measured.
        if !loaded::may_exceed(run, root, most) {
            continue;
        }
        let over: Vec<Load> = loaded::of(run, root).into_iter().filter(|load| load.tokens > most).collect();
        let Some((path, tokens)) = over.first().and_then(|load| load.files.first()) else { continue };
        if run.document_at(path.as_bstr()).is_some() {
            sink.report(finding(&over, most, *tokens).in_file(path.clone()));
        }
    }
}

fn finding(over: &[Load], most: u64, heaviest: u64) -> Finding {
    let named = |load: &Load| format!("{} ({})", load.name(), load.tokens);
    let mut agents: Vec<String> = over.iter().take(NAMED).map(named).collect();
    if over.len() > NAMED {
        agents.push(format!("{} more", over.len() - NAMED));
    }
    let agents = enumerated(&agents);
    Finding::whole_file(format!("agents load more than {most} tokens when they start: {agents}"))
        .note(format!("about {heaviest} of these tokens are in this file, more than in any other"))
        .help("move old entries of this file to an archive; `squad-lint health` shows the tokens of each agent")
}
