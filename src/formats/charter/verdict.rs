//! What the profile says about a charter as a whole.

use super::model::{Charter, PROFILE};
use super::problem::{Code, Problem};
use super::validate::{mismatch, sort};
use crate::diagnostic::Severity;

/// What the profile says about a charter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// All defects: by position, then by code.
    pub problems: Vec<Problem>,
}

/// How far a charter keeps to the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Classification {
    /// In every point.
    Canonical,
    /// Tools can use it; some of it is in an older form.
    NoncanonicalCompatible,
    /// Tools must not use it.
    Invalid,
}

impl Classification {
    /// The word of the profile.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::NoncanonicalCompatible => "noncanonical-compatible",
            Self::Invalid => "invalid",
        }
    }
}

impl Verdict {
    /// What `profile` says about `text`, the file at `path`. Without a profile, or with one that is unknown, that is the only
    /// defect.
    pub fn of(text: &str, path: &[u8], profile: Option<&str>) -> Self {
        match profile {
            Some(PROFILE) => {}
            Some(other) => {
                let message = format!("unknown profile `{other}`, expected `{PROFILE}`");
                return Self::of_call(Code::UnknownProfile, message);
            }
            None => {
                let message = format!("missing profile, expected `{PROFILE}`");
                return Self::of_call(Code::NoProfile, message);
            }
        }
        let charter = Charter::parse(text);
        let mut problems = charter.problems.clone();
        problems.extend(mismatch(text, &charter, path));
        sort(&mut problems, text);
        Self { problems }
    }

    fn of_call(code: Code, message: String) -> Self {
        let help = format!("give `--profile {PROFILE}`");
        Self { problems: vec![Problem { code, span: None, line: 1, message, help, first: None }] }
    }

    /// The worst of the defects.
    pub fn severity(&self) -> Option<Severity> {
        self.problems.iter().map(|problem| problem.code.severity()).max()
    }

    /// How far the charter keeps to the profile.
    pub fn classification(&self) -> Classification {
        match self.severity() {
            None => Classification::Canonical,
            Some(Severity::Error) => Classification::Invalid,
            Some(_) => Classification::NoncanonicalCompatible,
        }
    }
}
