//! # lint/unreadable-file
//!
//! ## What it flags
//!
//! A memory file that cannot be read. Its path may be a folder, a pipe, a file without read permission, a file that
//! keeps changing, or a link that leads out of the repository. If you name such a path on the command line, squad-lint
//! exits with code 2 instead.
//!
//! ## Why it matters
//!
//! squad-lint did not check its contents, and the team's agents cannot read it either.
//!
//! ## Example
//!
//! A folder named `.squad/decisions.md`.
//!
//! ## How to fix
//!
//! Move it elsewhere, or give read permission: `chmod u+r FILE`.
//!
//! ## Source
//!
//! A check of this program: a file that a linter skips silently looks clean.

use std::io::ErrorKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Rule, Sink};
use crate::select::read_error::ReadError;

/// The rule.
pub static RULE: Rule =
    Rule { name: "lint/unreadable-file", severity: Severity::Error, check: Check::Unread(check), ..Rule::NEW };

fn check(unread: &ReadError, sink: &mut Sink<'_>) {
    let finding = match unread {
        // What git cannot tell is not a finding: the run says so and ends with 2.
        ReadError::TooBig { .. } | ReadError::Git(_) | ReadError::Unmerged => return,
        ReadError::NotAFile(what) => Finding::whole_file(format!("found {what}, expected a file"))
            .help("move or rename it: squad-lint expects a file at this path"),
        ReadError::Changing => Finding::whole_file("cannot read file: it keeps changing")
            .help("run again when the program that writes it has finished"),
        ReadError::Outside => Finding::whole_file("cannot read file: a symbolic link leads out of the repository")
            .help("replace the link with the file itself, or delete it"),
        ReadError::Io(error) if error.kind() == ErrorKind::NotFound => {
            Finding::whole_file("found a symbolic link that leads nowhere, expected a file")
                .help("delete the broken link, or restore its target")
        }
        ReadError::Io(error) => {
            let help = match error.kind() {
                ErrorKind::PermissionDenied => "grant read permission: `chmod u+r`, for a folder `chmod u+rx`",
                _ => "repair the path or the disk, and run again",
            };
            // The kind alone: what the operating system says besides differs from system to system.
            Finding::whole_file(format!("cannot read file: {}", error.kind())).help(help)
        }
    };
    sink.report(finding);
}
