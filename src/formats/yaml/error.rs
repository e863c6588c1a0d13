//! What the parser noticed, in words for people who do not know how parsers work.

use granit_parser::{ErrorKind, ScanError};

use super::{MAX_DEPTH, YamlError};
use crate::text::Span;

impl YamlError {
    /// Whether more lists and mappings are in each other than [`MAX_DEPTH`].
    pub fn is_too_deep(&self) -> bool {
        self.message == too_deep()
    }
}

fn too_deep() -> String {
    format!("lists and mappings are nested more than {MAX_DEPTH} deep")
}

/// The first character that YAML does not allow in a file.
pub(super) fn unprintable(text: &str) -> Option<YamlError> {
    // A look at the bytes: nearly every file ends the search here.
    let suspect =
        |byte: &u8| *byte < 0x20 && !matches!(*byte, b'\n' | b'\r' | b'\t') || matches!(*byte, 0x7f | 0xc2 | 0xef);
    text.as_bytes().iter().any(suspect).then_some(())?;
    let (at, bad) = text.char_indices().find(|&(_, c)| !is_printable(c))?;
    let code = u32::from(bad);
    Some(YamlError {
        span: Span::new(at, at + bad.len_utf8()),
        message: format!("found the character U+{code:04X}, which YAML does not allow"),
        help: "delete the character, or write it as an escape in double quotes",
    })
}

/// YAML's `c-printable`.
fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

const TAB: &str = "found a tab, expected spaces";

/// What to do about an alias without an anchor, which nearly always is a glob such as `*.md`.
pub(super) const QUOTE_STAR: &str = "define the anchor, or quote text that begins with `*`";

/// What is wrong and where.
pub(super) fn described(text: &str, error: &ScanError) -> YamlError {
    let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
    let (message, help) = message(error);
    let at = if message == TAB { tab_near(text, at) } else { at };
    let rest = text.get(at..).unwrap_or_default();
    let width = rest.chars().next().filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8);
    let help = match message == TAB || !follows_bracket(text, at) {
        true => help,
        false => "quote text that begins with `{` or `[`",
    };
    YamlError { span: Span::new(at, at + width), message, help }
}

/// The tab that the parser noticed at `at`: it may be in the same line before it, or come next.
fn tab_near(text: &str, at: usize) -> usize {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let in_line = before.get(line..).and_then(|start| start.find('\t')).map(|tab| line + tab);
    in_line.or_else(|| after.find('\t').map(|tab| at + tab)).unwrap_or(at)
}

/// Whether text follows a closed bracket in the line at `at` or the one before it, as in `- {web,api}/**` and `path: [id]/x`.
fn follows_bracket(yaml: &str, at: usize) -> bool {
    let end = yaml.get(at..).and_then(|rest| rest.find('\n')).map_or(yaml.len(), |len| at + len);
    let lines = yaml.get(..end).unwrap_or_default().lines().rev().take(2);
    let mut values = lines.map(|line| {
        let value = line.trim_start().trim_start_matches("- ").trim_start();
        let behind_key = value.split_once(": ").filter(|(key, _)| !key.contains(['{', '[', '"', '\'']));
        behind_key.map_or(value, |(_, value)| value.trim_start())
    });
    values.any(|value| {
        let value = value.trim_end();
        let close = if value.starts_with('{') { '}' } else { ']' };
        let rest = value.split_once(close).map_or("", |(_, rest)| rest);
        value.starts_with(['{', '[']) && rest.starts_with(|c: char| !matches!(c, ' ' | ',' | ':' | ']' | '}'))
    })
}

/// What is wrong, and what to do about it.
fn message(error: &ScanError) -> (String, &'static str) {
    let (message, help) = match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => (TAB, "replace the tab with spaces"),
        ErrorKind::MappingValueNotAllowed => (
            "found `:` where no key is allowed (text that contains `: ` needs quotes)",
            "put the value in quotes, or indent the key like those above it",
        ),
        ErrorKind::InvalidColonPlacement => (
            "found `:` where no key is allowed (is a bracket or quote before it unclosed?)",
            "close the bracket or quote, or put the value in quotes",
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => (
            "found text, expected a key with `: ` after it",
            "add `: ` after the key, or indent text that continues the value above",
        ),
        ErrorKind::ExpectedBlockMappingKey => (
            "expected a key at the indentation of the keys before it",
            "indent it like the keys above, or put the value above in quotes",
        ),
        ErrorKind::ExpectedBlockSequenceEntry => {
            ("expected `- ` at the indentation of the items before it", "indent it like the items above")
        }
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => {
            ("found `-` where no list is allowed", "begin the list on the line below its key")
        }
        ErrorKind::InvalidQuotedScalarIndent => (
            "found a new line in quotes without indentation (is a quote above it unclosed?)",
            "close the quote, or indent the line",
        ),
        ErrorKind::InvalidFlowScalarIndent => (
            "found a new line in brackets without indentation (is a bracket above it unclosed?)",
            "close the bracket, or indent the line",
        ),
        ErrorKind::InvalidIndentation | ErrorKind::InvalidBlockScalarIndent => (
            "expected more spaces at the start of the line, which continues the value above",
            "indent the line further",
        ),
        ErrorKind::UnclosedQuotedScalar => ("quote is never closed", "close the quote"),
        ErrorKind::InvalidTrailingSingleQuotedScalar => {
            ("found text after the closing quote", "put the whole value in quotes, and write `''` for a quote in it")
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("found text after the closing quote", "put the whole value in quotes, and write `\\\"` for a quote in it")
        }
        ErrorKind::UnknownQuotedScalarEscape => (
            "unknown escape (write a backslash as `\\\\` in double quotes)",
            "write the backslash twice, or use single quotes",
        ),
        ErrorKind::ExpectedFlowSequenceSeparator => {
            ("expected `,` or `]`", "close the list, or put text that contains a bracket or brace in quotes")
        }
        ErrorKind::ExpectedFlowMappingSeparator => {
            ("expected `,` or `}`", "close the mapping, or put text that contains a bracket or brace in quotes")
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("closing bracket matches no opening bracket", "delete the bracket, or put text that contains it in quotes")
        }
        ErrorKind::CommentNotSeparated => {
            ("found `#` right after a value (a comment needs a space before it)", "put a space before `#`")
        }
        ErrorKind::BomInsideDocument => ("found a byte order mark in the middle of the file", "delete it"),
        ErrorKind::UnclosedFlowCollection { open } => {
            return (format!("`{open}` is never closed"), "close it, or quote the text that begins with it");
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return (format!("`{open}` is closed by `{close}`"), "close it with the bracket that matches");
        }
        ErrorKind::UnexpectedCharacter { character } if !character.is_control() => {
            return (format!("`{character}` cannot begin a value without quotes"), "put the value in quotes");
        }
        ErrorKind::RecursionLimitExceeded => return (too_deep(), "nest fewer lists and mappings"),
        _ => return (error.info().to_lowercase(), "fix the YAML here or just above"),
    };
    (message.to_owned(), help)
}
