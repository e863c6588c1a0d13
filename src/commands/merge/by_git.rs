//! `git merge-file`: git's own merge by lines.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::merge::{Markers, Style, Versions};

/// What git makes of three files, and the number of conflicts in it. `None` without git, and for what git does not merge, as binary files.
pub fn merge_file(files: &Versions<&Path>, markers: &Markers<'_>) -> Option<(Vec<u8>, usize)> {
    let (style, flag) = match markers.style {
        Style::Merge => ("merge", None),
        Style::Diff3 => ("diff3", Some("--diff3")),
        Style::Zdiff3 => ("zdiff3", Some("--zdiff3")),
    };
    let mut command = Command::new("git");
    // The setting counts in a repository alone, the flag everywhere; no flag asks for the usual style.
    command.arg("-c").arg(format!("merge.conflictStyle={style}")).args(["merge-file", "-p"]).args(flag);
    command.arg(format!("--marker-size={}", markers.size));
    command.args(["-L", markers.ours, "-L", markers.base, "-L", markers.theirs, "--"]);
    command.args([files.ours, files.base, files.theirs]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    let conflicts = output.status.code().and_then(|code| usize::try_from(code).ok())?;
    (conflicts <= MOST).then_some((output.stdout, conflicts))
}

/// Git counts no more conflicts than these; a higher exit code is an error.
const MOST: usize = 127;
