//! A baseline: the findings that were there when somebody began to use the program, so that only new ones are reported.
//!
//! A finding is known again by its rule, its file, and the text of the line that it points at: it may move in its file, and
//! lines may come and go around it. Where several findings are alike, as many as the baseline counts are known.

pub mod file;

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString, ByteSlice};
use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::outcome::Outcome;
use crate::select::worktree::Selection;
use crate::suppress::{By, Suppressed};
use crate::text::prose::plural;
use crate::text::{Source, Span};

/// The version of the file: changes when an older program would misread it.
pub const VERSION: u64 = 1;

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    counts: BTreeMap<Known, usize>,
}

/// By what a finding is known again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    path: String,
    rule: String,
    fingerprint: Option<String>,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    path: String,
    rule: String,
    /// `None` for a finding about the whole file.
    fingerprint: Option<String>,
    count: usize,
}

/// Known findings of one rule in one file that do not occur any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its file.
    pub path: String,
    /// Its rule.
    pub rule: String,
    /// How many of them.
    pub count: usize,
}

/// Why a text is not a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It is of another version: this one.
    Version(u64),
    /// It is not understood.
    Content {
        /// The value that was found, and the value that was expected.
        message: String,
        /// The byte that it is about.
        at: usize,
    },
}

impl Baseline {
    /// These findings; `source` gives the text of a file.
    pub fn of<'a>(
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
        source: impl Fn(&BStr) -> Option<&'a Source>,
    ) -> Self {
        let (mut counts, mut contents) = (BTreeMap::new(), Contents::default());
        for diagnostic in diagnostics {
            let known = Known::of(diagnostic, source(diagnostic.path.as_bstr()), &mut contents);
            *counts.entry(known).or_default() += 1;
        }
        Self { counts }
    }

    /// The baseline in a file that holds `bytes`.
    ///
    /// # Errors
    /// See [`Malformed`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let text = bytes.to_str().map_err(|error| Malformed::Content {
            message: "bytes that are not UTF-8".to_owned(),
            at: error.valid_up_to(),
        })?;
        let malformed = |error: serde_json::Error| Malformed::Content {
            message: without_place(&error),
            at: offset(text, &error).min(text.len()),
        };
        let Version { version } = serde_json::from_str(text).map_err(malformed)?;
        if version != VERSION {
            return Err(Malformed::Version(version));
        }
        let file: File = serde_json::from_str(text).map_err(malformed)?;
        let mut counts = BTreeMap::new();
        for Line { path, rule, fingerprint, count } in file.findings {
            let known: &mut usize = counts.entry(Known { path, rule, fingerprint }).or_default();
            *known = known.saturating_add(count);
        }
        Ok(Self { counts })
    }

    /// The file's content: JSON with a line for each known finding, in a fixed order.
    pub fn to_json(&self) -> String {
        let lines = self.counts.iter().map(|(known, &count)| {
            let Known { path, rule, fingerprint } = known.clone();
            let line = serde_json::to_string(&Line { path, rule, fingerprint, count }).unwrap_or_default();
            format!("\n    {line}")
        });
        let lines = lines.collect::<Vec<_>>().join(",");
        let end = if lines.is_empty() { "" } else { "\n  " };
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": [{lines}{end}]\n}}\n")
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.counts.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Parts `found` in what is new and what is known; `source` gives the text of a file. Of findings that are alike, the
    /// first ones are known.
    pub fn split<'a>(
        &self,
        found: Vec<Diagnostic>,
        source: impl Fn(&BStr) -> Option<&'a Source>,
    ) -> (Vec<Diagnostic>, Vec<Suppressed>) {
        let mut left = self.counts.clone();
        let (mut new, mut known) = (Vec::new(), Vec::new());
        let mut contents = Contents::default();
        for diagnostic in found {
            match left.get_mut(&Known::of(&diagnostic, source(diagnostic.path.as_bstr()), &mut contents)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    known.push(Suppressed { diagnostic, by: By::Baseline });
                }
                _ => new.push(diagnostic),
            }
        }
        (new, known)
    }

    /// What it knows beyond `occurring`, by file and rule.
    pub fn gone<'a>(
        &self,
        occurring: impl IntoIterator<Item = &'a Diagnostic>,
        source: impl Fn(&BStr) -> Option<&'a Source>,
    ) -> Vec<Gone> {
        let there = Self::of(occurring, source);
        let mut gone: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (known, &count) in &self.counts {
            let left = count.saturating_sub(there.counts.get(known).copied().unwrap_or_default());
            let of_rule = gone.entry((&known.path, &known.rule)).or_default();
            *of_rule = of_rule.saturating_add(left);
        }
        let gone = gone.into_iter().filter(|(_, count)| *count > 0);
        gone.map(|((path, rule), count)| Gone { path: path.to_owned(), rule: rule.to_owned(), count }).collect()
    }
}

/// Takes out of `outcome` what `known` knows.
pub fn apply(known: &Baseline, outcome: &mut Outcome) {
    let found = std::mem::take(&mut outcome.diagnostics);
    let (new, silent) = known.split(found, |path| outcome.source(path));
    outcome.diagnostics = new;
    outcome.suppressed.extend(silent);
    outcome
        .suppressed
        .sort_by(|a, b| (&a.diagnostic.path, a.diagnostic.span).cmp(&(&b.diagnostic.path, b.diagnostic.span)));
}

/// What `known` holds in vain, line by line: findings of rules that ran, in files that were checked or are not there.
pub fn gone(
    known: &Baseline,
    outcome: &Outcome,
    selection: &Selection,
    ran: impl Fn(&str) -> bool,
) -> impl Iterator<Item = String> {
    let by_baseline = outcome.suppressed.iter().filter(|one| one.by == By::Baseline).map(|one| &one.diagnostic);
    let gone = known.gone(by_baseline, |path| outcome.source(path));
    let looked_at = |path: &str| match selection.files.iter().find(|file| file.path.to_str_lossy() == path) {
        Some(file) => file.checked,
        None => !selection.files.is_empty(),
    };
    let told: Vec<Gone> = gone.into_iter().filter(|gone| ran(&gone.rule) && looked_at(&gone.path)).collect();
    told.into_iter().map(|Gone { path, rule, count }| {
        format!("baseline: {} of {rule} in {path} no longer there", plural(count, "finding"))
    })
}

/// What every version has.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u64,
    findings: Vec<Line>,
}

impl Known {
    fn of(diagnostic: &Diagnostic, source: Option<&Source>, contents: &mut Contents) -> Self {
        let fingerprint = diagnostic.span.zip(source).map(|(span, source)| contents.of(source, span));
        Self { path: diagnostic.path.to_str_lossy().into_owned(), rule: diagnostic.rule.name.to_owned(), fingerprint }
    }
}

/// The fingerprints of lines.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Those of long lines, by file and place: there can be as many findings in one line as it has bytes.
    long: HashMap<(BString, usize), String>,
}

impl Contents {
    /// The fingerprint of the line in which `span` starts.
    pub(crate) fn of(&mut self, source: &Source, span: Span) -> String {
        /// Lines of as many bytes, and shorter ones, are read for each finding.
        const SHORT: usize = 1000;
        let line = source.lines_around(Span::at(span.start()));
        if line.len() <= SHORT {
            return content(source, line);
        }
        let known = self.long.entry((source.path().into(), line.start()));
        known.or_insert_with(|| content(source, line)).clone()
    }
}

/// The fingerprint of `line`. A line without letters and digits, such as `---`, is known together
/// with the nearest one above that has some.
fn content(source: &Source, mut line: Span) -> String {
    /// Bounds the work on a file of such lines.
    const FAR: usize = 100;
    let mut hash = Fnv::default();
    for _ in 0..FAR {
        let text = source.slice(line);
        text.split_whitespace().for_each(|word| hash.part(word.as_bytes()));
        if line.start() == 0 || text.contains(char::is_alphanumeric) {
            break;
        }
        line = source.lines_around(Span::at(line.start() - 1));
    }
    hash.hex()
}

/// FNV-1a with 64 bits: the same on every machine and in every version.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds `part`, which ends with a blank.
    pub(crate) fn part(&mut self, part: &[u8]) {
        for byte in part.iter().chain(b" ") {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// As 16 digits.
    pub(crate) fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The message without its ` at line 3 column 5`: the place is shown.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message.get(..end).unwrap_or_default().to_owned()
}

/// The byte that an error is about.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    start + error.column().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Finding, RuleId, Scope, Severity};

    const RULE: RuleId = RuleId { name: "sem/expired", scope: Scope::Entry };

    fn finding(text: &str, needle: &str) -> Diagnostic {
        let at = text.find(needle).unwrap();
        Finding::at(Span::new(at, at + 1), "x").into_diagnostic(RULE, Severity::Warning, "a.md".into())
    }

    fn split(baseline: &Baseline, text: &str, needles: &[&str]) -> (usize, usize, usize) {
        let source = Source::new("a.md", text.into());
        let found = needles.iter().map(|needle| finding(text, needle)).collect();
        let (new, known) = baseline.split(found, |_| Some(&source));
        let gone = baseline.gone(known.iter().map(|known| &known.diagnostic), |_| Some(&source));
        (new.len(), known.len(), gone.iter().map(|gone| gone.count).sum())
    }

    fn baseline(text: &str, needles: &[&str]) -> Baseline {
        let source = Source::new("a.md", text.into());
        let found: Vec<_> = needles.iter().map(|needle| finding(text, needle)).collect();
        Baseline::of(&found, |_| Some(&source))
    }

    #[test]
    fn findings_are_known_by_their_text_not_by_their_line() {
        let known = baseline("one\ntwo\n", &["one", "two"]);
        assert_eq!(split(&known, "x\n\ntwo\r\n  one  \r\n", &["one", "two"]), (0, 2, 0));
        assert_eq!(split(&known, "one more\ntwo\n", &["one", "two"]), (1, 1, 1));
    }

    #[test]
    fn equal_findings_are_counted() {
        let known = baseline("one\n", &["one", "one"]);
        assert_eq!(known.len(), 2);
        assert_eq!(split(&known, "one\n", &["one", "one", "one"]), (1, 2, 0));
        assert_eq!(split(&known, "one\n", &["one"]), (0, 1, 1));
    }

    #[test]
    fn a_line_without_words_is_known_by_what_stands_above() {
        let known = baseline("a\n\n--!\n", &["--!"]);
        assert_eq!(split(&known, "x\na\n\n--!\n", &["--!"]), (0, 1, 0));
        assert_eq!(split(&known, "a\nb\n--!\n", &["--!"]), (1, 0, 1));
    }

    #[test]
    fn the_file_reads_back() {
        for baseline in [baseline("one\ntwo\n", &["one", "two", "two"]), Baseline::default()] {
            assert_eq!(Baseline::parse(baseline.to_json().as_bytes()), Ok(baseline));
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_place() {
        let error = |text: &[u8]| Baseline::parse(text).unwrap_err();
        assert_eq!(error(b"{\"version\": 2, \"x\": []}"), Malformed::Version(2));
        let place = |text: &[u8]| match error(text) {
            Malformed::Content { at, message } => (at, message),
            Malformed::Version(version) => panic!("{version}"),
        };
        assert_eq!(place(b"{\n  x}").0, 4);
        assert_eq!(place(b"").0, 0);
        assert_eq!(place(b"{\"\xff\"}").0, 2);
        assert_eq!(place(b"{}").1, "missing field `version`");
        assert!(place(b"{\"version\": 1, \"findings\": [{\"line\": 3}]}").1.starts_with("unknown field `line`"));
    }
}
