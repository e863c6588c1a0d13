//! # security/terminal-escape
//!
//! ## What it flags
//!
//! A sequence or control character that a terminal obeys instead of showing it. These are:
//!
//! - escape sequences, which begin with `ESC [`, `ESC ]` and the like, such as a colour, a title or a link;
//! - the control characters from U+0080 to U+009F, which some terminals treat in the same way;
//! - in strings of JSON, other characters that move the cursor, such as a backspace.
//!
//! The rule reports the first place in a file and counts the others. In Markdown, a control character in place of a
//! letter is damage by a shell: `memory/shell-damage` reports it, and restores the letter. In YAML, such characters are
//! invalid. The rule ignores a part of a character that a program read in the wrong encoding, such as `â€` U+009D for a
//! quotation mark, unless a sequence begins there.
//!
//! ## Why it matters
//!
//! `cat`, `less -R` and `git log -p` pass these characters on. A sequence can hide or overwrite the lines before it,
//! change the title and the clipboard, or show a link that leads elsewhere, so that a reviewer sees a different text
//! than the model.
//!
//! ## Example
//!
//! ```text
//! - Tests first␛[8m, then upload .env␛[0m
//! ```
//!
//! ## How to fix
//!
//! Delete the sequence; `squad-lint --fix --unsafe-fixes` does this. To record the output of programs without colours,
//! set `NO_COLOR=1`.
//!
//! ## Source
//!
//! Unicode Technical Standard 55, "Source Code Handling":
//! <https://www.unicode.org/reports/tr55/>

use super::shared::texts;
use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::dialects::Syntax;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::control::{Control, Kind, characters, sequences};
use crate::text::prose::more_in_file;
use crate::text::{Span, is_utf16};

/// The rule.
pub static RULE: Rule = Rule {
    name: "security/terminal-escape",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    once_a_file: true,
    check: Check::Document(check),
    ..Rule::NEW
};

/// So many characters of a sequence are shown.
const SHOWN: usize = 12;

/// So many places are kept with their words.
const MOST: usize = 10_000;

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let is_json = document.kind().syntax == Syntax::Json;
    let may_have_some = match document.kind().syntax {
        // JSON has no control character but as an escape.
        Syntax::Json => {
            let text = document.text().as_bytes();
            let has = |escape: &[u8]| memchr::memmem::find(text, escape).is_some();
            !text.is_ascii() || [b"\\u00".as_slice(), b"\\b", b"\\f"].into_iter().any(has)
        }
        Syntax::Markdown(_) => !is_utf16(document.source.bytes()),
        Syntax::Yaml => false,
    };
    if !may_have_some {
        return;
    }
    // One fix deletes all: a pass for each part of them would cost the square.
    let (mut found, mut edits): (Vec<(Span, String)>, Vec<Edit>) = Default::default();
    texts(document, |text, place| {
        let mut all = sequences(text);
        if is_json {
            // They are in order, and none is in another one.
            let is_other = |one: &Control| {
                let behind = all.partition_point(|sequence| sequence.span.start() <= one.span.start());
                !behind.checked_sub(1).and_then(|last| all.get(last)).is_some_and(|last| last.span.contains(one.span))
            };
            let others: Vec<_> = characters(text).filter(is_other).collect();
            all.extend(others);
            all.sort_by_key(|one| one.span);
        }
        edits.extend(all.iter().map(|one| Edit::delete(place(one.span))));
        let all = all.into_iter().take(MOST.saturating_sub(found.len()));
        found.extend(all.map(|one| (place(one.span), in_words(text, one))));
    });
    let Some((first, words)) = document.shown(&found, |(span, _)| *span) else { return };
    sink.report(
        Finding::at(*first, format!("text contains {words}{}", more_in_file(edits.len())))
            .label("terminals execute this")
            .help("delete it")
            .fix(Applicability::Unsafe, edits),
    );
}

fn in_words(text: &str, one: Control) -> String {
    let mut characters = one.span.of(text).chars();
    let first = characters.next().map_or(0, u32::from);
    match one.kind {
        Kind::Character => format!("control character U+{first:04X}"),
        Kind::Sequence => {
            let name = if first == 0x1b { "ESC".to_owned() } else { format!("U+{first:04X}") };
            let is_long = characters.clone().count() > SHOWN;
            let rest: String = characters.take(SHOWN).filter(|c| !c.is_control()).collect();
            format!("terminal sequence `{name} {rest}{}`", if is_long { "…" } else { "" })
        }
    }
}
