//! The runtime file beside `.squad/`.

use bstr::BStr;

use crate::diagnostic::Finding;
use crate::facts::{Run, ignores, state_roots};
use crate::rules::guard::shared::ignore;
use crate::rules::guard::shared::kept::{commented, kept};
use crate::rules::guard::{run_and_commit, untrack_in_spite, untracking_in_spite};
use crate::select::tracked::{Kind, Tracked};

/// It names the workstream of one machine.
pub const WORKSTREAM: &str = ".squad-workstream";

/// The finding about the file, which git has.
pub fn finding(run: &Run<'_>) -> Finding {
    let path = BStr::new(WORKSTREAM);
    let blockers = state_roots::blockers_of(run, &[Tracked { path: path.into(), kind: Kind::File }]);
    let finding = Finding::whole_file(format!("git tracks `{WORKSTREAM}`, which names the workstream of one machine"));
    let finding = finding.in_file(path);
    if let Some(line) = commented(run, &[WORKSTREAM.to_owned()]) {
        return kept(finding, &line, "it");
    }
    let finding = finding.help(run_and_commit(&untrack_in_spite(blockers, [path.into()])));
    let lines = (!ignores::is_ignored(run, path)).then(|| WORKSTREAM.to_owned());
    let finding = ignore::helped(finding, lines.as_slice());
    // With a change, no fix adds the line: without it, the next `git add` brings the file back.
    let is_lasting = run.changes().is_none() || lines.is_none();
    if is_lasting { untracking_in_spite(finding, run, blockers, &[path]) } else { finding }
}
