//! SARIF 2.1.0: one run, with the pages of the rules that found something.

mod log;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use bstr::{BStr, ByteSlice};

use super::fingerprint::Fingerprints;
use super::json_writer::{self, Stream};
use super::{FormatSpec, HOME, Page, Range, Report, fix};
use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::suppress::By;
use crate::text::{ColumnUnit, Span};
use log::{
    ArtifactChange, ArtifactLocation, BaseId, BaseIds, Configuration, DescribedFix, Driver, Finding, FindingProperties,
    Fix, FixProperties, Help, Invocation, Location, Log, Notification, PartialFingerprints, PhysicalLocation, Region,
    Replacement, Rule, RuleProperties, Run, Suppression, Text, Tool,
};

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "code scanning (GitHub, Azure DevOps, Visual Studio Code)",
    shows: "everything, with the pages of the rules",
    shows_fixes: true,
    write,
    has_notes: true,
    ..FormatSpec::NEW
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What paths are relative to. The standard proposes the name.
const BASE: &str = "%SRCROOT%";
/// The exit code of a run that could not do its work.
const FAILED: u8 = 2;

/// Writes the file: the shown findings, then the suppressed ones.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let found = || {
        let suppressed = report.suppressed().map(|one| (&one.diagnostic, Some(&one.by)));
        report.shown().map(|diagnostic| (diagnostic, None)).chain(suppressed)
    };
    let pages: BTreeMap<&'static str, Page> = found()
        .filter_map(|(diagnostic, _)| Some((diagnostic.rule.name, (report.page)(diagnostic.rule.name)?)))
        .collect();
    let indices: BTreeMap<&str, usize> = pages.keys().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut fingerprints = Fingerprints::default();
    let results = Stream::new(found().map(|(diagnostic, by)| {
        let fingerprint = fingerprints.next(report, diagnostic);
        let suppressions = report.show_suppressed.then(|| by.map(suppression).into_iter().collect());
        let rule_index = indices.get(diagnostic.rule.name).copied();
        Finding { rule_index, suppressions, ..finding(report, diagnostic, fingerprint) }
    }));
    let version = env!("CARGO_PKG_VERSION");
    let driver = Driver {
        name: "squad-lint",
        version,
        semantic_version: version,
        information_uri: HOME,
        rules: pages.into_iter().map(|(name, page)| rule(name, page)).collect(),
    };
    let notifications = report.unread.iter().map(|unread| Notification {
        level: "error",
        message: message(&unread.message),
        locations: unread.path.iter().map(|path| location(report, path.as_bstr(), None)).collect(),
    });
    let elsewhere = report.elsewhere().map(|elsewhere| Notification {
        level: "note",
        message: message(&format!("checked no files: {elsewhere}")),
        locations: Vec::new(),
    });
    let invocation = Invocation {
        execution_successful: report.exit_code != FAILED,
        exit_code: report.exit_code,
        tool_execution_notifications: notifications.chain(elsewhere).collect(),
    };
    let source_root = BaseId { description: Text { text: "the root of the repository".to_owned() } };
    let run = Run {
        tool: Tool { driver },
        invocations: [invocation],
        original_uri_base_ids: BaseIds { source_root },
        column_kind: "utf16CodeUnits",
        results,
    };
    json_writer::write(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, out)
}

fn rule(name: &'static str, page: Page) -> Rule {
    let (family, bare) = name.split_once('/').unwrap_or(("squad-lint", name));
    Rule {
        id: name,
        name: pascal(bare),
        short_description: Text { text: bare.replace('-', " ") },
        full_description: Text { text: format!("{}.", page.headline.trim_end_matches('.')) },
        help: Help { text: without_markup(&page.text), markdown: page.text },
        help_uri: page.url,
        default_configuration: Configuration { enabled: page.enabled, level: level(page.severity) },
        properties: RuleProperties { tags: vec![family] },
    }
}

/// `missing-field` as `MissingField`, as the standard wants names.
fn pascal(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
    });
    words.collect()
}

/// A page without the marks of headings and without fences; examples stay as they are.
fn without_markup(page: &str) -> String {
    let mut fence = None;
    let mut out = String::new();
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks == open && ticks == line.len() => fence = None,
            Some(_) => out.extend([line, "\n"]),
            None => out.extend([line.trim_start_matches('#').trim_start(), "\n"]),
        }
    }
    out
}

fn finding(report: Report<'_>, diagnostic: &Diagnostic, fingerprint: String) -> Finding {
    let notes: Vec<String> = diagnostic.notes.iter().map(ToString::to_string).collect();
    let text = match notes.is_empty() {
        true => diagnostic.message.clone(),
        false => format!("{}\n\n{}", diagnostic.message, notes.join("\n")),
    };
    let related = diagnostic.related.iter().enumerate().map(|(index, related)| {
        let path = related.path.as_ref().unwrap_or(&diagnostic.path).as_bstr();
        let message = Some(message(&related.message));
        Location { id: Some(index + 1), message, ..location(report, path, Some(related.span)) }
    });
    Finding {
        rule_id: diagnostic.rule.name,
        rule_index: None,
        level: level(diagnostic.severity),
        message: message(&text),
        locations: [location(report, diagnostic.path.as_bstr(), diagnostic.span)],
        related_locations: related.collect(),
        partial_fingerprints: PartialFingerprints { finding: fingerprint },
        fixes: edits(report, diagnostic).map(|fix| [fix]),
        properties: properties(report, diagnostic),
        suppressions: None,
    }
}

fn edits(report: Report<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (own, path) = (diagnostic.fix.as_ref()?, diagnostic.path.as_bstr());
    let edits = fix::edits_for_others(own, path)?;
    let replacement = |edit: &Edit| {
        let deleted_region = region(report.range_in(path, edit.span, ColumnUnit::Utf16)?);
        Some(Replacement { deleted_region, inserted_content: Text { text: edit.content.clone() } })
    };
    let replacements: Vec<_> = edits.iter().map(|edit| replacement(edit)).collect::<Option<_>>()?;
    let help = diagnostic.help();
    let description = help.as_deref().unwrap_or("repair it");
    Some(Fix {
        description: message(description),
        artifact_changes: [ArtifactChange { artifact_location: artifact(path), replacements }],
        properties: FixProperties { applicability: own.applicability.as_str() },
    })
}

/// A fix that changes more than the file, in words: standing alone, the deletions among its steps would lose what they move.
fn moves(report: Report<'_>, diagnostic: &Diagnostic) -> Option<DescribedFix> {
    let description = fix::beyond(diagnostic, report.outcome.source(&diagnostic.path))?;
    let applicability = diagnostic.fix.as_ref()?.applicability.as_str();
    Some(DescribedFix { description, applicability })
}

/// What the standard has no place for, if there is any of it.
fn properties(report: Report<'_>, diagnostic: &Diagnostic) -> Option<FindingProperties> {
    let (standard, fix) = (diagnostic.standard, moves(report, diagnostic));
    (standard.is_some() || fix.is_some()).then_some(FindingProperties { standard, fix })
}

fn suppression(by: &By) -> Suppression {
    match by {
        By::Comment { reason, .. } => Suppression {
            kind: "inSource",
            justification: Some(reason).filter(|reason| !reason.is_empty()).map(ToString::to_string),
        },
        By::Baseline => Suppression { kind: "external", justification: Some("known by the baseline".to_owned()) },
    }
}

fn location(report: Report<'_>, path: &BStr, span: Option<Span>) -> Location {
    let range = span.and_then(|span| report.range_in(path, span, ColumnUnit::Utf16));
    let physical_location = PhysicalLocation { artifact_location: artifact(path), region: range.map(region) };
    Location { id: None, physical_location, message: None }
}

fn region(Range { start, end }: Range) -> Region {
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}

/// The path as a relative reference: bytes that mean something in one, and all above ASCII, are percent-encoded.
fn artifact(path: &BStr) -> ArtifactLocation {
    let mut uri = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    ArtifactLocation { uri, uri_base_id: BASE }
}

/// A message in which nothing from a file is a link: `[text](target)` would be one, in plain text, too.
fn message(text: &str) -> Text {
    Text { text: text.replace("](", "] (") }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
