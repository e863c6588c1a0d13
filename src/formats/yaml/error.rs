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
    })
}

/// YAML's `c-printable`.
fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

const TAB: &str = "found a tab, expected spaces";

/// What is wrong and where.
pub(super) fn described(text: &str, error: &ScanError) -> YamlError {
    let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
    let at = if message(error) == TAB { tab_near(text, at) } else { at };
    let rest = text.get(at..).unwrap_or_default();
    let width = rest.chars().next().filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8);
    YamlError { span: Span::new(at, at + width), message: message(error) }
}

/// The tab that the parser noticed at `at`: it may be in the same line before it, or come next.
fn tab_near(text: &str, at: usize) -> usize {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let in_line = before.get(line..).and_then(|start| start.find('\t')).map(|tab| line + tab);
    in_line.or_else(|| after.find('\t').map(|tab| at + tab)).unwrap_or(at)
}

fn message(error: &ScanError) -> String {
    let fixed = match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => TAB,
        ErrorKind::MappingValueNotAllowed => "found `:` where no key is allowed (text that contains `: ` needs quotes)",
        ErrorKind::InvalidColonPlacement => {
            "found `:` where no key is allowed (is a bracket or quote before it unclosed?)"
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => "found text, expected a key with `: ` after it",
        ErrorKind::ExpectedBlockMappingKey => "expected a key at the indentation of the keys before it",
        ErrorKind::ExpectedBlockSequenceEntry => "expected `- ` at the indentation of the items before it",
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => {
            "found `-` where no list is allowed"
        }
        ErrorKind::InvalidQuotedScalarIndent => {
            "found a new line in quotes without indentation (is a quote above it unclosed?)"
        }
        ErrorKind::InvalidFlowScalarIndent => {
            "found a new line in brackets without indentation (is a bracket above it unclosed?)"
        }
        ErrorKind::InvalidIndentation | ErrorKind::InvalidBlockScalarIndent => {
            "expected more spaces at the start of the line, which continues the value above"
        }
        ErrorKind::UnclosedQuotedScalar => "quote is never closed",
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "found text after the closing quote"
        }
        ErrorKind::UnknownQuotedScalarEscape => "unknown escape (write a backslash as `\\\\` in double quotes)",
        ErrorKind::ExpectedFlowSequenceSeparator => "expected `,` or `]`",
        ErrorKind::ExpectedFlowMappingSeparator => "expected `,` or `}`",
        ErrorKind::MisplacedFlowCollectionEnd => "closing bracket matches no opening bracket",
        ErrorKind::CommentNotSeparated => "found `#` right after a value (a comment needs a space before it)",
        ErrorKind::BomInsideDocument => "found a byte order mark in the middle of the file",
        ErrorKind::UnclosedFlowCollection { open } => return format!("`{open}` is never closed"),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => return format!("`{open}` is closed by `{close}`"),
        ErrorKind::UnexpectedCharacter { character } if !character.is_control() => {
            return format!("`{character}` cannot begin a value without quotes");
        }
        ErrorKind::RecursionLimitExceeded => {
            return too_deep();
        }
        _ => return error.info().to_lowercase(),
    };
    fixed.to_owned()
}
