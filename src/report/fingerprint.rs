//! By what a finding is known again in another run, for programs that compare reports.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::Report;
use crate::baseline::{Contents, Fnv};
use crate::diagnostic::Diagnostic;

/// Gives each finding a fingerprint of its own.
///
/// It depends on the rule, the file and the text of the line, as the baseline does, and not on the number of the line. Findings
/// that are alike are numbered.
#[derive(Debug, Default)]
pub struct Fingerprints<'a> {
    seen: BTreeMap<(&'static str, &'a [u8], Option<String>), usize>,
    contents: Contents,
}

impl<'a> Fingerprints<'a> {
    /// The fingerprint of the next finding: 16 hexadecimal digits.
    pub fn next(&mut self, report: Report<'a>, diagnostic: &'a Diagnostic) -> String {
        let path = diagnostic.path.as_bytes();
        let line = diagnostic.span.zip(report.outcome.source(path));
        let content = line.map(|(span, source)| self.contents.of(source, span));
        let mut hash = Fnv::default();
        let parts = [diagnostic.rule.name.as_bytes(), path, content.as_deref().unwrap_or_default().as_bytes()];
        for part in parts {
            hash.part(part);
        }
        let number = self.seen.entry((diagnostic.rule.name, path, content)).or_default();
        hash.part(number.to_string().as_bytes());
        *number += 1;
        hash.hex()
    }
}
