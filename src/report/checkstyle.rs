//! The XML of Checkstyle, which many tools read.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{FormatSpec, Report, in_one_line, xml};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::ColumnUnit;

/// The format.
pub const FORMAT: FormatSpec =
    FormatSpec { readers: "tools that read Checkstyle XML", shows: "findings", write, ..FormatSpec::NEW };

/// The version of the format: the last one that tools ask for.
const VERSION: &str = "4.3";

/// Writes an element for each file in which something was found, with the findings in it.
///
/// # Errors
/// What the writer says.
pub fn write(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut files: BTreeMap<&[u8], (Vec<&Diagnostic>, Vec<&str>)> = BTreeMap::new();
    for diagnostic in report.shown() {
        files.entry(diagnostic.path.as_bytes()).or_default().0.push(diagnostic);
    }
    for unread in report.unread {
        let path = unread.path.as_ref().map_or(b".".as_slice(), |path| path.as_bytes());
        files.entry(path).or_default().1.push(&unread.message);
    }
    xml::document(out, |xml| {
        let root = xml.create_element("checkstyle").with_attribute(("version", VERSION));
        if files.is_empty() {
            return root.write_empty().map(|_| ());
        }
        root.write_inner_content(|xml| files.iter().try_for_each(|(path, found)| file(report, xml, path, found)))?;
        Ok(())
    })
}

fn file(
    report: Report<'_>,
    xml: &mut xml::Xml<'_>,
    path: &[u8],
    (found, unread): &(Vec<&Diagnostic>, Vec<&str>),
) -> io::Result<()> {
    let name = xml::attribute("name", &path.to_str_lossy());
    xml.create_element("file").with_attribute(name).write_inner_content(|xml| {
        for diagnostic in found {
            error(report, xml, diagnostic)?;
        }
        for message in unread {
            let message = xml::attribute("message", message);
            let error = xml.create_element("error").with_attribute(("line", "1")).with_attribute(("severity", "error"));
            error.with_attribute(message).with_attribute(("source", "squad-lint")).write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

fn error(report: Report<'_>, xml: &mut xml::Xml<'_>, diagnostic: &Diagnostic) -> io::Result<()> {
    let range = report.range(diagnostic, ColumnUnit::Char);
    // Readers take the line for granted.
    let line = range.map_or(1, |range| range.start.line).to_string();
    let column = range.map(|range| range.start.column.to_string());
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let message = in_one_line(diagnostic);
    let source = format!("squad-lint.{}", diagnostic.rule.name);
    xml.create_element("error")
        .with_attribute(("line", line.as_str()))
        .with_attributes(column.as_deref().map(|column| ("column", column)))
        .with_attribute(("severity", severity))
        .with_attribute(xml::attribute("message", &message))
        .with_attribute(xml::attribute("source", &source))
        .write_empty()?;
    Ok(())
}
