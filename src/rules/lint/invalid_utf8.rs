//! # lint/invalid-utf8
//!
//! ## What it flags
//!
//! Bytes that are not UTF-8. The rest of the file is still checked.
//!
//! ## Why it matters
//!
//! Readers replace such bytes silently or reject the whole file.
//!
//! ## Example
//!
//! A file that an editor saved as Latin-1, where the `é` of `café` is the single byte `E9`, or as UTF-16, which begins
//! with `FF FE` or `FE FF`.
//!
//! ## How to fix
//!
//! Save the file as UTF-8. If you know the encoding, `iconv -f LATIN1 -t UTF-8` or `iconv -f UTF-16 -t UTF-8` converts
//! it. If `.gitattributes` sets `working-tree-encoding`, git writes such a file at each checkout: remove that
//! attribute.
//!
//! ## Source
//!
//! CommonMark 0.31.2, "Characters and lines":
//! <https://spec.commonmark.org/0.31.2/#characters-and-lines>

use std::fmt::Write as _;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::{Span, is_utf16};

/// The rule.
pub static RULE: Rule =
    Rule { name: "lint/invalid-utf8", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

/// How many bytes a message shows.
const SHOWN: usize = 4;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let runs = document.source.invalid();
    if is_utf16(document.source.bytes()) {
        let mark = runs.first().filter(|run| run.start() == 0).copied().unwrap_or(Span::new(0, 1));
        // Without a mark, programs guess the order of the bytes.
        let encoding = match document.source.bytes() {
            [0, ..] => "UTF-16BE",
            [_, 0, ..] => "UTF-16LE",
            _ => "UTF-16",
        };
        return sink.report(
            Finding::at(mark, "file is UTF-16, expected UTF-8")
                .help("first remove `working-tree-encoding` from `.gitattributes`, if it is set there")
                .help(format!("save it as UTF-8: `iconv -f {encoding} -t UTF-8 FILE > NEW_FILE`")),
        );
    }
    let Some(&first) = runs.first() else { return };
    let bytes = document.source.bytes().get(first.start()..first.end()).unwrap_or_default();
    let mut shown = String::new();
    for byte in bytes.iter().take(SHOWN) {
        let _ = write!(shown, " {byte:02X}");
    }
    let more = match runs.len() {
        1 => String::new(),
        2 => " (1 more place in this file)".to_owned(),
        runs => format!(" ({} more places in this file)", runs - 1),
    };
    let ellipsis = if bytes.len() > SHOWN { " …" } else { "" };
    let (noun, verb) = if bytes.len() == 1 { ("byte", "is") } else { ("bytes", "are") };
    let finding = Finding::at(first, format!("{noun}{shown}{ellipsis} {verb} not valid UTF-8{more}"));
    // As git sees it, a file with a NUL is binary: no conversion makes it text.
    sink.report(if memchr::memchr(0, document.source.bytes()).is_some() {
        finding.help("replace the file, which is binary, by text")
    } else {
        finding.help("save the file as UTF-8").note("`iconv -f LATIN1 -t UTF-8` converts a file from Latin-1")
    });
}
