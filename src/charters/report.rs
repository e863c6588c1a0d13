//! The output of `charter`: lines for people, or JSON.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use crate::diagnostic::Severity;
use crate::formats::charter::problem::Place;
use crate::formats::charter::verdict::{Classification, Verdict};
use crate::report::json_writer;
use crate::terminal::{display_path, escape};
use crate::text::Source;

/// The version of the JSON format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    charters: Vec<Charter<'a>>,
}

#[derive(Serialize)]
struct Charter<'a> {
    path: String,
    profile: Option<&'a str>,
    accepted: bool,
    conforms: bool,
    classification: Classification,
    diagnostics: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    code: &'static str,
    severity: Severity,
    start: Place,
    end: Place,
}

/// Writes one JSON object and a line end.
///
/// # Errors
/// Errors of the writer.
pub fn json(verdicts: &[(&Source, Verdict)], profile: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let charters = verdicts.iter().map(|(source, verdict)| {
        let diagnostics = verdict.problems.iter().map(|problem| {
            let (start, end) = problem.places(source.text());
            Item { code: problem.code.as_str(), severity: problem.code.severity(), start, end }
        });
        let classification = verdict.classification();
        Charter {
            path: source.path().to_str_lossy().into_owned(),
            profile,
            accepted: classification != Classification::Invalid,
            conforms: classification == Classification::Canonical,
            classification,
            diagnostics: diagnostics.collect(),
        }
    });
    json_writer::write(&Output { version: VERSION, charters: charters.collect() }, out)
}

/// Writes a line for each charter and one for each of its problems, and the totals unless `quiet`.
///
/// # Errors
/// Errors of the writer.
pub fn text(verdicts: &[(&Source, Verdict)], quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    for (source, verdict) in verdicts {
        let path = display_path(source.path());
        writeln!(out, "{path}: {}", verdict.classification().as_str())?;
        for problem in &verdict.problems {
            let (Place { line, column }, _) = problem.places(source.text());
            let (severity, message, code) = (problem.code.severity(), escape(&problem.message), problem.code);
            writeln!(out, "{path}:{line}:{column}: {severity}: {message} [{code}]")?;
        }
    }
    if quiet {
        return Ok(());
    }
    let count = |wanted| verdicts.iter().filter(|(_, verdict)| verdict.classification() == wanted).count();
    let [canonical, compatible, invalid] =
        [Classification::Canonical, Classification::NoncanonicalCompatible, Classification::Invalid].map(count);
    writeln!(out, "{canonical} canonical, {compatible} noncanonical-compatible, {invalid} invalid")
}
