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
//! Save the file as UTF-8. If you know the encoding, `iconv -f WINDOWS-1252 -t UTF-8` or `iconv -f UTF-16 -t UTF-8`
//! converts it. In a file that is UTF-8 elsewhere, replace only these bytes: a conversion would break the rest. If
//! `.gitattributes` sets `working-tree-encoding`, git writes such a file at each checkout: remove that attribute.
//!
//! ## Source
//!
//! CommonMark 0.31.2, "Characters and lines":
//! <https://spec.commonmark.org/0.31.2/#characters-and-lines>

use std::fmt::Write as _;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Document, Rule, Sink};
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
        let _ = write!(shown, " 0x{byte:02X}");
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
    } else if has_other_text(document) {
        // A conversion of the whole file would break what is valid.
        let finding = finding.help(match bytes.len() {
            1 => "replace the byte with the character that was meant",
            _ => "replace the bytes with the characters that were meant",
        });
        match bytes {
            [byte] if let Some(name) = of_windows(*byte) => finding.note(format!("in Windows-1252 it is {name}")),
            _ => finding,
        }
    } else {
        finding
            .help("save the file as UTF-8")
            .note("`iconv -f WINDOWS-1252 -t UTF-8` converts a file from the encoding of older Windows programs")
    });
}

/// Whether the file has valid characters outside of ASCII: most of it is UTF-8.
fn has_other_text(document: &Document) -> bool {
    document.text().chars().any(|c| !c.is_ascii() && c != char::REPLACEMENT_CHARACTER && c != '\u{feff}')
}

/// What a byte is in Windows-1252 that programs often write.
fn of_windows(byte: u8) -> Option<&'static str> {
    Some(match byte {
        0x85 => "an ellipsis, `…`",
        0x91 | 0x92 => "a quotation mark, `'`",
        0x93 | 0x94 => "a quotation mark, `\"`",
        0x95 => "a bullet, `•`",
        0x96 => "a dash, `–`",
        0x97 => "a dash, `—`",
        _ => return None,
    })
}
