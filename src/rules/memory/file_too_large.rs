//! # memory/file-too-large
//!
//! ## What it flags
//!
//! A `decisions.md` over 20 KB, or an agent's `history.md` over 15 KB. These are the sizes at which Squad archives
//! (20,480 and 15,360 bytes). A `decisions.md` over 100 KB gets a stronger message. `max-decisions-bytes`,
//! `hard-max-decisions-bytes` and `max-history-bytes` under `[memory]` set the limits. The rule ignores files that no
//! agent loads: the history of an agent under `_alumni`, or of one with neither a charter nor a row in `team.md`; a
//! `decisions/decisions.md` beside `decisions.md`; and an old `.ai-team/` beside a `.squad/` with a `team.md`.
//!
//! With `--staged` and `--from`, the severity is that of the rule if the change takes the file over a limit. It is
//! info if the file was over the limit and grows further. If it does not grow, there is no finding.
//!
//! ## Why it matters
//!
//! Agents read these files whole each time they start. Old entries cost tokens and distract from the task.
//!
//! ## Example
//!
//! A `decisions.md` of 64 KB: about 16,000 tokens, for every agent, at every start.
//!
//! ## How to fix
//!
//! Move entries that no longer matter every day to `decisions-archive.md`, or to `history-archive.md` beside the
//! history. `squad-lint --fix --unsafe-fixes` moves the oldest entries until the file is under its limit, in whichever
//! order the file has them. An entry without a date has the date of its section. Entries of one day leave in the order
//! of the file. A heading moves with everything under it, and no section is left empty. A comment at the end of an
//! entry that tells writers where to add more, such as `<!-- Append new learnings below. -->`, stays in the file.
//!
//! These stay: entries of the newest day in the file and of the last week, sections without a date in their titles,
//! directives, orders to all (`Every test must …`), entries with the word of the owner or the user (`Approved by:`
//! with the name of the owner in `team.md` or in the history, `User requested …`), in a history what its agent has to
//! keep to (`hard requirement`, `Patterns to follow`), entries that are active or open according to their title,
//! status or section, entries that wait for an answer or have tasks (`- [ ]`, `Action required`), newer entries whose
//! titles have the same subject as one of these, and entries dated a month or more away from their neighbours, or before
//! the first commit of the repository, usually by mistake. In `decisions.md`, a heading at the level of the entry above it may be a
//! part of that entry. Then the end of the entry is unclear, and it stays; so it is, by `git blame`, where a section was
//! inserted in the midst of another one. Everything newer than such an entry, than a date far from its neighbours, or than a dated line in an undated section also stays, and so does what is next to such an entry, of
//! the same day, and later in the order of the file.
//!
//! There is no fix if the file would stay over its limit, or if git ignores the archive. The message gives the reason.
//!
//! ## Source
//!
//! Squad Entry Markdown, "Files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#files>

use bstr::{BStr, ByteSlice};

use crate::archiving::{Archiving, Hold, beside, kept};
use crate::diagnostic::{Applicability, Finding, Severity};
use crate::dialects::squad;
use crate::facts::presence::{self, Presence};
use crate::facts::{Run, ignores, squads};
use crate::rule::{Check, Context, Ratchet, Rule, Sink};
use crate::text::ColumnUnit;
use crate::text::prose::{enumerated, kilobytes};

/// The rule.
pub static RULE: Rule = Rule {
    name: "memory/file-too-large",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, options, .. } = *context;
    let name = document.source.path().rsplit_str("/").next().unwrap_or_default();
    let caps = &options.memory;
    let is_decisions = document.kind() == &squad::DECISIONS;
    let (cap, archive) = match name {
        b"decisions.md" if is_decisions => (caps.max_decisions_bytes.get(), "decisions-archive.md"),
        b"history.md" if document.kind() == &squad::HISTORY => (caps.max_history_bytes.get(), "history-archive.md"),
        _ => return,
    };
    let size = document.source.bytes().len() as u64;
    let is_loaded = || squads::is_loaded(context.run(), document) && !context.is_unused();
    if size <= cap || context.run().is_outside(document) || !is_loaded() {
        return;
    }
    let hard = caps.hard_max_decisions_bytes.get();
    let is_hard = is_decisions && size > hard && hard > cap;
    let grows = match document.ratchet(if is_hard { hard } else { cap }, size, |before| before.size) {
        Ratchet::Over => false,
        Ratchet::Grows => true,
        Ratchet::Holds => return,
    };
    let (lines, tokens) = (document.source.line_count(), document.tokens().count());
    let what = format!("{} ({lines} lines, about {tokens} tokens)", kilobytes(size, cap));
    let at_most = kilobytes(cap, size);
    let finding = if is_hard {
        let never = kilobytes(hard, size);
        Finding::whole_file(format!("file is {what}, expected at most {at_most} (hard limit: {never})"))
            .help(format!("keep only entries that still apply, and move the rest to `{archive}`"))
    } else {
        Finding::whole_file(format!("file is {what}, expected at most {at_most}"))
            .help(format!("move old entries to `{archive}`"))
    };
    let finding = if grows { finding.at_most(Severity::Info) } else { finding };
    if document.is_embedded() {
        return sink.report(finding); // From a bundle, nothing can be moved.
    }
    let target = beside(document.path(), archive);
    if is_lost(context.run(), target.as_bstr(), document.path()) {
        let note = format!("`--fix` moves nothing: git ignores `{target}`, so the entries would be lost");
        let help = format!("stop ignoring `{target}`: delete the line that ignores it");
        return sink.report(finding.help(help).note(note));
    }
    let Archiving { steps, left, stays, barrier, older } =
        Archiving::of(document, context.run(), archive, cap, options.now);
    sink.report(if steps.is_empty() {
        let left = if left < size {
            format!("it could only reduce the file to {}, as ", kilobytes(left, cap))
        } else {
            String::new()
        };
        let note = format!("`--fix` cannot do this: {left}{}", kept(&stays));
        let finding = finding.note(note);
        match barrier {
            Some((heading, hold)) => {
                let line = document.source.position(heading.start(), ColumnUnit::Byte).line;
                let reason = hold.and_then(Hold::reason).map(|reason| format!(", which {reason},")).unwrap_or_default();
                finding.note(format!(
                    "entries are archived oldest first, so the section on line {line}{reason} blocks all newer ones"
                ))
            }
            None => finding,
        }
    } else {
        let older: Vec<String> = older.into_iter().map(|(hold, count)| hold.said(count)).collect();
        let note = format!("the fix keeps some older entries: {}", enumerated(&older));
        let finding = if older.is_empty() { finding } else { finding.note(note) };
        finding.fix(Applicability::Unsafe, steps)
    });
}

/// Whether git would not keep the archive at `target` although it keeps the file at `path`.
fn is_lost(run: &Run<'_>, target: &BStr, path: &BStr) -> bool {
    let is_ignored = ignores::is_ignored(run, target) && !ignores::is_ignored(run, path);
    is_ignored && presence::of(run, target, path) != Presence::There
}
