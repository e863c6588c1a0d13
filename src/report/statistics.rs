//! How often each rule fired, most often first.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Report, is_fixable};

/// One rule's share.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Count {
    /// The rule.
    pub rule: &'static str,
    /// How many findings it has among those shown.
    pub count: usize,
    /// How many of them the program can fix.
    pub fixable: usize,
}

/// The counts of all rules that fired, most often first, then by name.
pub fn counts(report: Report<'_>) -> Vec<Count> {
    let mut by_rule: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    for diagnostic in report.shown() {
        let (count, fixable) = by_rule.entry(diagnostic.rule.name).or_default();
        *count += 1;
        *fixable += usize::from(is_fixable(diagnostic));
    }
    let mut counts: Vec<Count> =
        by_rule.into_iter().map(|(rule, (count, fixable))| Count { rule, count, fixable }).collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.count));
    counts
}

/// Writes one line a rule.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = counts(report);
    let width = counts.first().map_or(1, |count| count.count.to_string().len());
    for Count { rule, count, fixable } in counts {
        let fixable = if fixable > 0 { format!("  ({fixable} fixable)") } else { String::new() };
        writeln!(out, "{count:width$}  {rule}{fixable}")?;
    }
    Ok(())
}
