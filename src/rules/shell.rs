//! Paths in the commands that help texts give.

use bstr::{BStr, ByteSlice};

use crate::rule::Document;
use crate::text::Span;

/// The command that lists the commits that added or removed `text` in the file at `path`, or in any file if that is an
/// archive: its text was written elsewhere.
pub fn log_of(text: &str, path: &BStr) -> String {
    // Any part of the text will do, and the whole command is shown as code.
    let text: &str = text.split(['`', '\\', '!']).find(|part| !part.trim().is_empty()).unwrap_or_default().trim();
    let text: String = text.chars().take(LONGEST).filter(|c| !c.is_control()).collect();
    let within = if was_elsewhere(path) { String::new() } else { format!(" -- {}", word(path)) };
    format!("git log -S '{}'{within}", text.replace('\'', r"'\''"))
}

/// Whether the text of the file at `path` was written in another file: in an archive.
fn was_elsewhere(path: &BStr) -> bool {
    path.contains_str("archive")
}

/// Like [`log_of`] for `part` of `line` in the text of `document`, or for the whole line if the text has the part more than once, or
/// if all files are searched: others have a date such as `2026-03-XX` as well.
pub fn log_of_place(document: &Document, part: Span, line: Span) -> String {
    let text = document.text();
    let is_alone =
        !was_elsewhere(document.path()) && memchr::memmem::find_iter(text.as_bytes(), part.of(text)).nth(1).is_none();
    let found = if is_alone { part.of(text) } else { line.of(text).trim_start_matches(['#', ' ']) };
    // Git searches the bytes of the file. In a string of JSON these signs are written in another way.
    let is_escaped = |c: char| matches!(c, '"' | '\\' | '`' | '!') || !c.is_ascii() || c.is_control();
    let found = match document.is_embedded() {
        true => found.split(is_escaped).max_by_key(|part| part.trim().len()).unwrap_or_default(),
        false => found,
    };
    log_of(found, document.path())
}

/// So many characters of a text are searched for.
const LONGEST: usize = 60;

/// `path` as a word of a POSIX shell.
pub fn word(path: &BStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+@%=:,".contains(byte) || !byte.is_ascii();
    let text = path.to_str_lossy();
    if path.iter().all(plain) && !path.starts_with(b"-") {
        return text.into_owned();
    }
    let prefix = if path.starts_with(b"-") { "./" } else { "" };
    format!("'{prefix}{}'", text.replace('\'', r"'\''"))
}
