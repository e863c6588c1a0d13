//! # lint/file-too-large
//!
//! ## What it flags
//!
//! A file over `max-file-bytes` (default 16 MiB). squad-lint does not read it.
//!
//! ## Why it matters
//!
//! squad-lint did not check its contents. A file of this size is usually not memory, but a log, a dump, or the output
//! of a loop.
//!
//! ## Example
//!
//! A `decisions.md` of 20 MB, because a hook appends to it at every run.
//!
//! ## How to fix
//!
//! Move the contents that are not memory elsewhere. If the file is meant to be this large, raise `max-file-bytes`, or
//! `exclude` it.
//!
//! ## Source
//!
//! A limit on what one run reads. For comparison, `decisions.md` should stay under 100 KB.
//!
//! Squad Entry Markdown, "Files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-entry-markdown.md#files>

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Rule, Sink};
use crate::select::read_error::ReadError;

/// The rule.
pub static RULE: Rule =
    Rule { name: "lint/file-too-large", severity: Severity::Warning, check: Check::Unread(check), ..Rule::NEW };

fn check(unread: &ReadError, sink: &mut Sink<'_>) {
    let ReadError::TooBig { size, cap } = unread else { return };
    sink.report(
        Finding::whole_file(format!("file was not checked: its {size} bytes exceed `max-file-bytes` ({cap})"))
            .help("raise `max-file-bytes` in `squad-lint.toml`, or add the file to `exclude` there"),
    );
}
