//! # lint/file-too-big
//!
//! ## What it flags
//!
//! A file over `max-file-size` (default 16 MiB). It is named here and not read.
//!
//! ## Why it matters
//!
//! Nothing in it was checked. A file of that size is not a memory: it is a log, a dump, or a loop that writes.
//!
//! ## Example
//!
//! A `decisions.md` of 20 MB that a hook appended to at every run.
//!
//! ## How to fix
//!
//! Move what is not memory elsewhere. For a file that is meant to be so large, raise `max-file-size`, or `exclude` it.
//!
//! ## Source
//!
//! A bound on what one run reads; seed 000's best practice for `decisions.md` is 100 KB.

use crate::diagnostic::{Finding, Severity};
use crate::fs::read::Unread;
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "lint/file-too-big",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::Unread(check),
};

fn check(unread: &Unread, sink: &mut Sink<'_>) {
    let Unread::TooBig { size, cap } = unread else { return };
    sink.report(
        Finding::whole_file(format!("file not checked: {size} bytes, over `max-file-size` ({cap})"))
            .help("move anything that is not memory out of it, raise `max-file-size`, or `exclude` the file"),
    );
}
