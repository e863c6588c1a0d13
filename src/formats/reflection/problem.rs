//! What is wrong with a reflection, in words.

use crate::formats::json::correction;
use crate::text::Span;

/// A place where a reflection is not what its schema asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The offending bytes; of what is missing, those of the object that lacks it.
    pub span: Span,
    /// What is wrong there.
    pub kind: ProblemKind,
}

/// What can be wrong. Keys are named as `jq` has them: `task_result.status`, `suggested_learnings[0].content`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Nothing is there.
    Empty,
    /// It is not JSON.
    Syntax(String),
    /// It is what claude printed, and claude did not finish; with what it says about that.
    Failed(String),
    /// It is what claude printed, and its answer is none.
    NoAnswer,
    /// A required key is missing.
    Missing {
        /// The object; empty for the whole.
        object: String,
        /// The key.
        key: &'static str,
    },
    /// A required key is misspelt.
    Misspelt {
        /// As written.
        key: String,
        /// As it is called.
        expected: &'static str,
    },
    /// A key that means nothing.
    UnknownKey {
        /// As written.
        key: String,
        /// The known keys.
        known: Vec<&'static str>,
    },
    /// A duplicate key.
    Duplicate {
        /// The key.
        key: String,
        /// The first one.
        first: Span,
    },
    /// A value of another type.
    WrongType {
        /// The key.
        key: String,
        /// The value that was found.
        found: &'static str,
        /// The expected type.
        expected: &'static str,
    },
    /// A string that is not one of the allowed ones.
    NotOneOf {
        /// The key.
        key: String,
        /// The value that was found, shortened.
        value: String,
        /// The allowed strings.
        allowed: &'static [&'static str],
        /// The one that may be meant.
        nearest: Option<&'static str>,
    },
}

impl Problem {
    /// Whether programs pass over it, as schemas do.
    pub fn is_mild(&self) -> bool {
        matches!(self.kind, ProblemKind::UnknownKey { .. })
    }

    /// The value that was found, and the value that was expected.
    pub fn message(&self) -> String {
        match &self.kind {
            ProblemKind::Empty => "empty input, expected a reflection".into(),
            ProblemKind::Syntax(error) => format!("invalid JSON: {error}"),
            ProblemKind::Failed(reason) => format!("claude did not finish: {reason}"),
            ProblemKind::NoAnswer => "claude's answer contains no reflection".into(),
            ProblemKind::Missing { object, key } if object.is_empty() => {
                format!("missing key `{key}` in the reflection")
            }
            ProblemKind::Missing { object, key } => format!("missing key `{key}` in `{object}`"),
            ProblemKind::Misspelt { key, expected } => format!("unknown key `{key}`, expected `{expected}`"),
            ProblemKind::UnknownKey { key, known } => format!("unknown key `{key}`, expected {}", one_of(known)),
            ProblemKind::Duplicate { key, .. } => format!("duplicate key `{key}`, only this one counts"),
            ProblemKind::WrongType { key, found, expected } if key.is_empty() => {
                format!("the reflection is {found}, expected {expected}")
            }
            ProblemKind::WrongType { key, found, expected } => format!("`{key}` is {found}, expected {expected}"),
            ProblemKind::NotOneOf { key, value, allowed, .. } => {
                format!("`{key}` is `{value}`, expected {}", one_of(allowed))
            }
        }
    }

    /// What the place shows, in a few words; empty for none.
    pub fn label(&self) -> String {
        match &self.kind {
            ProblemKind::WrongType { expected, .. } => format!("expected {expected}"),
            ProblemKind::NotOneOf { nearest: Some(_), .. } => "unknown value".to_owned(),
            ProblemKind::Misspelt { .. } => "unknown key".to_owned(),
            ProblemKind::Missing { key, .. } => format!("missing `{key}`"),
            _ => String::new(),
        }
    }

    /// Background for the reader.
    pub fn note(&self) -> Option<&'static str> {
        match &self.kind {
            ProblemKind::Missing { .. } => Some("`squad-lint schema reflection` describes this key"),
            _ => None,
        }
    }

    /// What to do.
    pub fn help(&self) -> String {
        match &self.kind {
            ProblemKind::Empty | ProblemKind::NoAnswer => {
                "run the `claude` command that `squad-lint team spawn` prints".into()
            }
            ProblemKind::Syntax(message) => {
                correction(message).unwrap_or("correct the JSON, and delete all text before and after it").into()
            }
            ProblemKind::Failed(_) => {
                "let the member finish its task, with more turns if necessary, then run `squad-lint team reflect` again"
                    .into()
            }
            ProblemKind::Missing { key, .. } => format!("add `{key}`"),
            ProblemKind::Misspelt { expected, .. } => format!("write `{expected}`"),
            ProblemKind::UnknownKey { .. } => "delete it: no tool reads it".into(),
            ProblemKind::Duplicate { .. } => "delete one of the two".into(),
            ProblemKind::WrongType { expected, .. } => format!("write {expected}"),
            ProblemKind::NotOneOf { nearest: Some(near), .. } => format!("write `{near}`"),
            ProblemKind::NotOneOf { allowed, .. } => format!("write the one that fits: {}", one_of(allowed)),
        }
    }

    /// A second place that explains the first.
    pub fn related(&self) -> Option<(Span, &'static str)> {
        match self.kind {
            ProblemKind::Duplicate { first, .. } => Some((first, "first one")),
            _ => None,
        }
    }
}

/// The words in backticks, with `or` before the last.
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `text` in one line, for a message.
pub(super) fn shortened(text: &str) -> String {
    const MAX: usize = 60;
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(MAX).collect();
    if chars.next().is_some() { format!("{start}…") } else { start }
}
