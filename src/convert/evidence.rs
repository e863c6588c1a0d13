//! What is known of one thing, how surely, and why.

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use crate::formats::legacy::Field;

/// How sure a conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Something is missing or contradicts itself.
    Low,
    /// Partly inferred, such as the author from the commit.
    Medium,
    /// Stated in the entry, or by its location: the folder of an agent, or an inbox file named after one.
    High,
}

impl Confidence {
    /// The lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What is known of one thing, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence<T> {
    /// The thing; `None` if it is not known.
    pub value: Option<T>,
    /// How surely it is known.
    pub strength: Confidence,
    /// The reasons for the conversion, or against it.
    pub reasons: Vec<Reason>,
    /// The fields whose values are in it whole.
    pub used: Vec<Field>,
}

impl<T> Evidence<T> {
    /// Nothing is known, because of `reason`.
    pub(super) fn none(reason: Reason) -> Self {
        Self { value: None, strength: Confidence::Low, reasons: vec![reason], used: Vec::new() }
    }

    /// `value`, known from `reason`.
    pub(super) fn of(value: T, strength: Confidence, reason: Reason) -> Self {
        Self { value: Some(value), strength, reasons: vec![reason], used: Vec::new() }
    }
}
