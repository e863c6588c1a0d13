//! Charters in the canonical form of their profile.

use std::sync::Arc;

use super::{Changed, Row};
use crate::convert::Confidence;
use crate::document::Document;
use crate::formats::charter::canonical::{Obstacle, canonical};
use crate::formats::charter::{Charter, PROFILE};

/// Why a charter stays as it is that is not text.
const NOT_UTF8: &str = "the charter is not UTF-8";

/// What becomes of the charters among `documents`: of all of them if the team follows the profile, else of those that are named on
/// the command line. One that has its canonical form already is left out.
pub fn convert(documents: &[Arc<Document>], has_profile: bool) -> Vec<Changed> {
    let is_wanted = |document: &&Arc<Document>| document.file.checked && (has_profile || document.file.named);
    documents.iter().filter(is_wanted).filter_map(|document| changed(document)).collect()
}

fn changed(document: &Document) -> Option<Changed> {
    let (text, charter) = (document.text(), document.body::<Charter>()?);
    let (new, obstacle) = match canonical(text, charter) {
        Ok(new) => (Some(new?), NOT_UTF8),
        Err(obstacle) => (None, Obstacle::as_str(obstacle)),
    };
    let new = new.filter(|_| document.source.invalid().is_empty());
    let title = |text: &str, charter: &Charter| charter.title().map(|title| title.line.of(text).to_owned());
    let header = new.as_ref().map(|new| title(new, &Charter::parse(new)).unwrap_or_default());
    let reason = match &new {
        Some(_) => format!("canonical form of `{PROFILE}`"),
        None => obstacle.to_owned(),
    };
    let row = Row {
        path: document.path().to_owned(),
        noun: "Charter",
        line: charter.problems.first().map_or(1, |problem| problem.line),
        heading: title(text, charter).unwrap_or_default(),
        confidence: if new.is_some() { Confidence::High } else { Confidence::Low },
        reasons: vec![reason],
        obstacle,
        header,
        failure: None,
    };
    let old = document.source.bytes().to_vec();
    Some(Changed {
        path: document.path().to_owned(),
        old,
        new: new.map(String::into_bytes),
        rows: vec![row],
        merges_by_union: false,
    })
}
