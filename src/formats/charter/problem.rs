//! What is wrong with a charter, under the codes of the profile.

use std::fmt;

use crate::diagnostic::Severity;
use crate::text::{Span, bom_len, line_end};

/// A defect of a charter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The code.
    pub code: Code,
    /// Where. For something that is missing, the first character of the heading that should have it; `None` without such a
    /// heading, and for the whole text.
    pub span: Option<Span>,
    /// The line of that, from 1. A lone carriage return ends a line, too.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
    /// What to do.
    pub help: String,
    /// What it repeats.
    pub first: Option<Span>,
}

/// A place for programs: both numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in Unicode scalar values.
    pub column: usize,
}

impl Problem {
    /// The first and the last character, as the profile has them: the last one is included. What has no place is at the start.
    pub fn places(&self, text: &str) -> (Place, Place) {
        let span = self.span.unwrap_or_default();
        let before = text.get(..span.start()).unwrap_or_default();
        let start = before.rfind(['\n', '\r']).map_or(bom_len(text).min(before.len()), |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        let width = span.of(text).chars().count().max(1);
        (Place { line: self.line, column }, Place { line: self.line, column: column + width - 1 })
    }
}

/// The codes of the profile, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// Nothing but blanks.
    Empty,
    /// No title.
    MissingTitle,
    /// A title in another form than `Name — Role`.
    TitleForm,
    /// A duplicate field.
    DuplicateField,
    /// An ID that is not one.
    InvalidId,
    /// No value for `Preferred`.
    EmptyPreferred,
    /// An unknown value of `Reasoning Effort`.
    InvalidEffort,
    /// An unknown value of `Context Tier`.
    InvalidTier,
    /// No value for `Purpose`.
    EmptyPurpose,
    /// An ID that is not the name of the folder.
    IdMismatch,
    /// A duplicate section.
    DuplicateSection,
    /// A duplicate extension.
    DuplicateExtension,
    /// A profile that is not known.
    UnknownProfile,
    /// No profile was named.
    NoProfile,
    /// A second title.
    SecondTitle,
    /// No section `Identity`.
    MissingIdentity,
    /// No field `ID`.
    MissingId,
    /// No field `Purpose`.
    MissingPurpose,
    /// No section about responsibilities or collaboration under its name.
    MissingSection,
    /// A section under its older name.
    LegacyHeading,
    /// An extension whose name is not `X-<namespace>-<name>`.
    ExtensionName,
    /// A field of older charters.
    LegacyField,
    /// A section that is unknown, or is not in its place.
    SectionOrder,
}

impl Code {
    /// The code as programs know it: `SQC005`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "SQC001",
            Self::MissingTitle => "SQC002",
            Self::TitleForm => "SQC003",
            Self::DuplicateField => "SQC004",
            Self::InvalidId => "SQC005",
            Self::EmptyPreferred => "SQC006",
            Self::InvalidEffort => "SQC007",
            Self::InvalidTier => "SQC008",
            Self::EmptyPurpose => "SQC009",
            Self::IdMismatch => "SQC010",
            Self::DuplicateSection => "SQC011",
            Self::DuplicateExtension => "SQC012",
            Self::UnknownProfile => "SQC013",
            Self::NoProfile => "SQC014",
            Self::SecondTitle => "SQC015",
            Self::MissingIdentity => "SQC101",
            Self::MissingId => "SQC102",
            Self::MissingPurpose => "SQC103",
            Self::MissingSection => "SQC104",
            Self::LegacyHeading => "SQC105",
            Self::ExtensionName => "SQC106",
            Self::LegacyField => "SQC107",
            Self::SectionOrder => "SQC108",
        }
    }

    /// How bad it is: with an error a charter is not accepted, with a warning it is not in the canonical form.
    pub fn severity(self) -> Severity {
        match self {
            Self::TitleForm => Severity::Warning,
            _ if self >= Self::MissingIdentity => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The number of the line that each of some positions is on, which are asked for in any order.
pub(super) struct LineNumbers {
    starts: Vec<usize>,
}

impl LineNumbers {
    /// Of `text`, in which a lone carriage return ends a line, too.
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut at = 0;
        while at < bytes.len() {
            at = line_end(bytes, at).1;
            starts.push(at);
        }
        Self { starts }
    }

    /// The line of byte `offset`, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1)
    }
}
