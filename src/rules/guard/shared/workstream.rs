//! The runtime file beside `.squad/`.

use bstr::BStr;

use crate::diagnostic::Finding;
use crate::facts::{Run, ignores, state_roots};
use crate::rules::guard::shared::ignore;
use crate::rules::guard::{run_and_commit, untrack_in_spite, untracking_in_spite};
use crate::select::tracked::{Kind, Tracked};

/// It names the workstream of one machine.
pub const WORKSTREAM: &str = ".squad-workstream";

/// The finding about the file, which git has.
pub fn finding(run: &Run<'_>) -> Finding {
    let path = BStr::new(WORKSTREAM);
    let blockers = state_roots::blockers_of(run, &[Tracked { path: path.into(), kind: Kind::File }]);
    let finding = Finding::whole_file(format!("git tracks `{WORKSTREAM}`, which names the workstream of one machine"));
    let finding = finding.in_file(path).help(run_and_commit(&untrack_in_spite(blockers, [path.into()])));
    let lines = (!ignores::is_ignored(run, path)).then(|| WORKSTREAM.to_owned());
    untracking_in_spite(ignore::helped(finding, lines.as_slice()), run, blockers, &[path])
}
