//! # lint/unreadable-file
//!
//! ## What it flags
//!
//! A path where a memory file should be that cannot be read: a folder, a pipe, a file without permission, a file that
//! changes all the time. One named on the command line makes the program exit with 2 instead. A link that leads out of the
//! repository is not followed either.
//!
//! ## Why it matters
//!
//! Nothing in it was checked, and the team's agents cannot read it either.
//!
//! ## Example
//!
//! A folder with the name `.squad/decisions.md`.
//!
//! ## How to fix
//!
//! Move away what stands there, or give read permission: `chmod u+r FILE`.
//!
//! ## Source
//!
//! Reading files: what a linter passes over in silence looks clean.

use std::io::ErrorKind;

use crate::diagnostic::{Finding, Severity};
use crate::fs::read::Unread;
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "lint/unreadable-file",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[],
    check: Check::Unread(check),
};

fn check(unread: &Unread, sink: &mut Sink<'_>) {
    let finding = match unread {
        // What git cannot tell is no finding: the run says so and ends with 2.
        Unread::TooBig { .. } | Unread::Git(_) | Unread::Unmerged => return,
        Unread::NotAFile(what) => Finding::whole_file(format!("{what}, expected a file"))
            .help("move it away, or give it a name that does not end in `.md`"),
        Unread::Changing => Finding::whole_file("not read: it changes all the time")
            .help("run again when the program that writes it is done"),
        Unread::Outside => Finding::whole_file("not read: a symbolic link leads out of the repository")
            .help("put the file itself in its place, or delete the link"),
        Unread::Io(error) => {
            let help = match error.kind() {
                ErrorKind::PermissionDenied => "give read permission: `chmod u+r`, for a folder `chmod u+rx`",
                ErrorKind::NotFound => "delete the link that leads nowhere, or restore what it leads to",
                _ => "repair the path or the disk, and run again",
            };
            // The kind alone: what the operating system says besides differs from system to system.
            Finding::whole_file(format!("not read: {}", error.kind())).help(help)
        }
    };
    sink.report(finding);
}
