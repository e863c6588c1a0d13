//! Patterns that are compiled when they are first looked for.

use std::sync::OnceLock;

use regex::Regex;

/// A pattern of this module, compiled when it is first looked for; none that is tested fails to compile.
pub(super) struct Pattern {
    text: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// This pattern.
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, regex: OnceLock::new() }
    }

    /// As an expression.
    pub(super) fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(self.text).ok()).as_ref()
    }
}

/// Whether `pattern` is found in `text`.
pub(super) fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.regex().is_some_and(|regex| regex.is_match(text))
}

/// The first words of `text` that match `pattern`, shortened for a reason.
pub(super) fn first(pattern: &Pattern, text: &str) -> Option<String> {
    const SHOWN: usize = 24;
    let found = pattern.regex()?.find(text)?.as_str();
    let line = found.trim().lines().next().unwrap_or_default();
    Some(line.trim_matches(|c: char| !c.is_alphanumeric()).chars().take(SHOWN).collect())
}
