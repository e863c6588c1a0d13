//! Test results as `JUnit` has them: a suite for each file, a failed case for each finding.

use std::io::{self, Write};

use bstr::ByteSlice;

use super::xml::{self, Xml};
use super::{FormatSpec, Report, Unread};
use crate::diagnostic::Diagnostic;
use crate::suppress::{By, Suppressed};
use crate::terminal::display_path;
use crate::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec = FormatSpec {
    readers: "CI servers that show tests (Jenkins, GitLab, Azure DevOps)",
    shows: "one failed test per finding",
    write,
    has_notes: true,
    ..FormatSpec::NEW
};

/// What a suite holds.
#[derive(Clone, Copy)]
enum Case<'a> {
    Failed(&'a Diagnostic),
    Skipped(&'a Suppressed),
    Unread(&'a Unread),
    Elsewhere(&'a str),
    Passed,
}

/// The suite of what has no file, and of a run that found nothing: readers refuse a report without a test.
const WHOLE: &str = "squad-lint";

/// Writes the suites, by their files.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut cases: Vec<(String, Case<'_>)> = Vec::new();
    cases.extend(report.shown().map(|found| (display_path(&found.path), Case::Failed(found))));
    cases.extend(report.suppressed().map(|one| (display_path(&one.diagnostic.path), Case::Skipped(one))));
    cases.extend(report.unread.iter().map(|unread| {
        let suite = unread.path.as_ref().map_or(WHOLE.to_owned(), |path| display_path(path.as_bytes()));
        (suite, Case::Unread(unread))
    }));
    match report.elsewhere() {
        Some(elsewhere) => cases.push((WHOLE.to_owned(), Case::Elsewhere(elsewhere))),
        None if cases.is_empty() => cases.push((WHOLE.to_owned(), Case::Passed)),
        None => {}
    }
    // Stable: within a file they stay in order.
    cases.sort_by(|(a, _), (b, _)| a.cmp(b));
    xml::document(out, |xml| {
        let all: Vec<_> = cases.iter().map(|(_, case)| *case).collect();
        counted(xml, "testsuites", WHOLE, &all).write_inner_content(|xml| {
            cases.chunk_by(|(a, _), (b, _)| a == b).try_for_each(|cases| suite(report, xml, cases))
        })?;
        Ok(())
    })
}

/// An element with the numbers of tests in it.
fn counted<'a, 'w>(
    xml: &'a mut Xml<'w>,
    element: &'static str,
    name: &str,
    cases: &[Case<'_>],
) -> quick_xml::writer::ElementWriter<'a, &'w mut dyn Write> {
    let count = |wanted: fn(&Case<'_>) -> bool| cases.iter().filter(|case| wanted(case)).count().to_string();
    let failures = count(|case| matches!(case, Case::Failed(_)));
    let errors = count(|case| matches!(case, Case::Unread(_)));
    xml.create_element(element)
        .with_attribute(xml::attribute("name", name))
        .with_attribute(("tests", cases.len().to_string().as_str()))
        .with_attribute(("failures", failures.as_str()))
        .with_attribute(("errors", errors.as_str()))
}

fn suite(report: Report<'_>, xml: &mut Xml<'_>, cases: &[(String, Case<'_>)]) -> io::Result<()> {
    let Some((name, _)) = cases.first() else { return Ok(()) };
    let own: Vec<_> = cases.iter().map(|(_, case)| *case).collect();
    let skipped = own.iter().filter(|case| matches!(case, Case::Skipped(_) | Case::Elsewhere(_))).count().to_string();
    counted(xml, "testsuite", name, &own)
        .with_attribute(("skipped", skipped.as_str()))
        .write_inner_content(|xml| own.iter().try_for_each(|one| case(report, xml, name, *one)))?;
    Ok(())
}

fn case(report: Report<'_>, xml: &mut Xml<'_>, suite: &str, case: Case<'_>) -> io::Result<()> {
    let name = match case {
        Case::Failed(found) => named(report, found),
        Case::Skipped(one) => named(report, &one.diagnostic),
        Case::Unread(_) => "could not be read".to_owned(),
        Case::Elsewhere(_) => "checked no files".to_owned(),
        Case::Passed => "no problems found".to_owned(),
    };
    let element = xml
        .create_element("testcase")
        .with_attribute(xml::attribute("name", &name))
        .with_attribute(xml::attribute("classname", suite));
    if matches!(case, Case::Passed) {
        return element.write_empty().map(|_| ());
    }
    element.write_inner_content(|xml| result(xml, suite, &name, case))?;
    Ok(())
}

/// What became of a case that did not pass.
fn result(xml: &mut Xml<'_>, suite: &str, name: &str, case: Case<'_>) -> io::Result<()> {
    match case {
        Case::Failed(found) => {
            let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
            let place = format!("in {suite}: {name}");
            let lines = [place.as_str(), found.message.as_str()].into_iter().chain(notes.iter().map(String::as_str));
            xml.create_element("failure")
                .with_attribute(xml::attribute("message", &found.message))
                .with_attribute(("type", found.severity.as_str()))
                .write_text_content(xml::content(lines))?;
        }
        Case::Skipped(one) => {
            let by = match &one.by {
                By::Comment { reason, .. } if reason.is_empty() => "suppressed by a comment".to_owned(),
                By::Comment { reason, .. } => format!("suppressed by a comment: {reason}"),
                By::Baseline => "suppressed by the baseline".to_owned(),
            };
            xml.create_element("skipped").with_attribute(xml::attribute("message", &by)).write_empty()?;
        }
        Case::Unread(unread) => {
            let message = xml::attribute("message", &unread.message);
            xml.create_element("error").with_attribute(message).with_attribute(("type", "unread")).write_empty()?;
        }
        Case::Elsewhere(why) => {
            xml.create_element("skipped").with_attribute(xml::attribute("message", why)).write_empty()?;
        }
        Case::Passed => {}
    }
    Ok(())
}

/// The rule with its position, which tells two findings of it apart.
fn named(report: Report<'_>, found: &Diagnostic) -> String {
    match report.range(found, ColumnUnit::Char) {
        Some(range) => format!("{} at {}:{}", found.rule.name, range.start.line, range.start.column),
        None => found.rule.name.to_owned(),
    }
}
