//! A finding of a rule: its range, its severity, what was found, what was expected, and the edits that fix it.

mod edit;
mod step;

use std::borrow::Cow;
use std::fmt;

use bstr::{BStr, BString};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use edit::{Applicability, Edit};
pub use step::{Fix, Passage, Piece, Step};

use crate::terminal::{display_path, escape};
use crate::text::{Span, mask};

/// The severity of a finding, from the lowest.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; hidden by default.
    Info,
    /// Likely a defect.
    Warning,
    /// A defect: tools misread this file, or data is lost.
    Error,
}

impl Severity {
    /// The lower-case word: `error`, `warning` or `info`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a rule or family is set to: a severity, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not run.
    Off,
    /// Run, reporting as info.
    Info,
    /// Run, reporting as warning.
    Warning,
    /// Run, reporting as error.
    Error,
}

impl Level {
    /// Every value, in the words of the configuration.
    pub const WORDS: [&'static str; 4] = ["off", "info", "warning", "error"];

    /// The word in the configuration.
    pub fn as_str(self) -> &'static str {
        self.severity().map_or("off", Severity::as_str)
    }

    /// The severity to report with; `None` when off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One SEM entry, such as `sem/missing-field`.
    Entry,
    /// One file, such as `markdown/unclosed-fence`.
    Document,
    /// The repository as a whole, such as `guard/tracked-state`.
    Repository,
    /// What a change does, such as `memory/entry-lost`.
    Change,
    /// A file that could not be read, such as `lint/file-too-big`.
    Unread,
    /// A comment that suppresses findings, such as `lint/unknown-rule`.
    Suppression,
    /// A comment that suppresses findings and is of no use: `lint/unused-suppression`.
    Unused,
}

/// What a finding knows about its rule. The rule itself knows documents, facts and git; findings must not, since they are below
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    /// `family/rule-name`.
    pub name: &'static str,
    /// What the rule looks at.
    pub scope: Scope,
}

impl RuleId {
    /// The part of the name before `/`.
    pub fn family(self) -> &'static str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// A second place that explains the first; it can be in another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file; `None` for the file of the diagnostic.
    pub path: Option<BString>,
    /// The bytes there.
    pub span: Span,
    /// What is to be seen there, in a few words.
    pub message: String,
}

/// A line below a finding: one instruction, or one thing to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which of the two.
    pub kind: NoteKind,
    /// The line: lower case, without a full stop.
    pub text: String,
}

/// The kinds of lines below a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// What to do: ``write `- type: identifier` ``.
    Help,
    /// What to know for that: ``the types are `proposal`, `issue`, …``.
    Note,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            NoteKind::Help => "help",
            NoteKind::Note => "note",
        };
        write!(f, "{kind}: {}", self.text)
    }
}

/// One finding.
///
/// `message` is lower case, has no full stop, and says what was found and what was expected; `notes` say what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: RuleId,
    /// What a standard calls it, where there is one: `SQC005`.
    pub standard: Option<&'static str>,
    /// As configured.
    pub severity: Severity,
    /// The file, relative to the root.
    pub path: BString,
    /// The offending bytes; `None` when the file as a whole is meant, or has not been read.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// What the span shows, in a few words; empty for none.
    pub label: String,
    /// Further places.
    pub related: Vec<Related>,
    /// What to do, and what to know for that.
    pub notes: Vec<Note>,
    /// The repair, where there is one.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// What to do, a line an instruction; `None` if there is nothing to say.
    pub fn help(&self) -> Option<String> {
        let helps = self.notes.iter().filter(|note| note.kind == NoteKind::Help);
        let helps: Vec<&str> = helps.map(|help| help.text.as_str()).collect();
        (!helps.is_empty()).then(|| helps.join("\n"))
    }
}

/// `path: severity[rule]: message`; reports say more, for they know the text.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, severity, path, message, .. } = self;
        write!(f, "{}: {severity}[{}]: {}", display_path(path), rule.name, escape(message))
    }
}

/// A finding as a rule writes it: the sink adds rule, severity and path.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Finding {
    pub(crate) path: Option<BString>,
    pub(crate) standard: Option<&'static str>,
    pub(crate) at_most: Option<Severity>,
    pub(crate) span: Option<Span>,
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) related: Vec<Related>,
    pub(crate) notes: Vec<Note>,
    pub(crate) fix: Option<Fix>,
}

impl Finding {
    /// A finding about the bytes of `span`.
    pub fn at(span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), message: message.into(), ..Self::default() }
    }

    /// A finding about a whole file.
    pub fn whole_file(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// Under this code of a standard, such as `SQC005`, which reports for programs have beside the rule.
    pub fn standard(mut self, code: &'static str) -> Self {
        self.standard = Some(code);
        self
    }

    /// Reported with `severity` where the rule's own is worse.
    pub fn at_most(mut self, severity: Severity) -> Self {
        self.at_most = Some(severity);
        self
    }

    /// In the file at `path` (relative to the root) instead of the one that the rule was given. A span in it is shown
    /// when the file was checked, or read through the facts.
    pub fn in_file(mut self, path: impl Into<BString>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// What the span shows, in a few words. Those that the message already has would only be read twice: they are not shown.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        let label = label.into();
        self.label = if repeats(&self.message, &label) { String::new() } else { label };
        self
    }

    /// A second place in the same file.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { path: None, span, message: message.into() });
        self
    }

    /// A second place in the file at `path`.
    pub fn related_in(mut self, path: impl Into<BString>, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { path: Some(path.into()), span, message: message.into() });
        self
    }

    /// What to do: one instruction. Several are several calls.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { kind: NoteKind::Help, text: text.into() });
        self
    }

    /// What to know for that: one fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { kind: NoteKind::Note, text: text.into() });
        self
    }

    /// A repair by edits or other steps; the last one given counts. Text that moves makes it unsafe, since whoever reads this
    /// file no longer sees it.
    pub fn fix<S: Into<Step>>(mut self, applicability: Applicability, steps: impl IntoIterator<Item = S>) -> Self {
        self.fix = Some(Fix { applicability, steps: steps.into_iter().map(Into::into).collect() });
        self
    }

    /// The repair is to remove these files from the index and leave them on disk: unsafe, since the next commit removes
    /// them for everybody else.
    pub fn untrack<P: Into<BString>>(self, paths: impl IntoIterator<Item = P>) -> Self {
        self.fix(Applicability::Unsafe, paths.into_iter().map(|path| Step::Untrack(path.into())))
    }

    /// With asterisks in place of secrets: texts of a file are quoted in messages.
    pub(crate) fn without_secrets(mut self) -> Self {
        let texts = [&mut self.message, &mut self.label].into_iter();
        let texts = texts.chain(self.related.iter_mut().map(|related| &mut related.message));
        for text in texts.chain(self.notes.iter_mut().map(|note| &mut note.text)) {
            if let Cow::Owned(masked) = mask::masked(text) {
                *text = masked;
            }
        }
        self
    }

    /// The diagnostic, under its rule, severity and file, which is `path` unless it names its own.
    pub(crate) fn into_diagnostic(self, rule: RuleId, severity: Severity, path: &BStr) -> Diagnostic {
        let Self { path: own, standard, at_most, span, message, label, related, notes, fix } = self;
        let path = own.unwrap_or_else(|| path.into());
        let severity = at_most.map_or(severity, |at_most| severity.min(at_most));
        Diagnostic { rule, standard, severity, path, span, message, label, related, notes, fix }
    }
}

/// Whether `message` has `label` as whole words.
fn repeats(message: &str, label: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_word = |(at, found): (usize, &str)| {
        let (before, behind) = (message.get(..at), message.get(at + found.len()..));
        !is_letter(before.and_then(|text| text.chars().next_back()))
            && !is_letter(behind.and_then(|text| text.chars().next()))
    };
    message.match_indices(label).any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_what_the_message_does_not() {
        for (message, label, expected) in [
            ("`outputs` is text, expected a list", "expected a list", ""),
            ("file has no agents", "no agents", ""),
            ("file has no agents", "no agent", "no agent"),
            ("path is absolute", "exists on one machine only", "exists on one machine only"),
            ("unknown type `Decision`", "expected `decision`", "expected `decision`"),
        ] {
            assert_eq!(Finding::whole_file(message).label(label).label, expected, "{message}");
        }
    }
}
